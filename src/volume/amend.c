// Patches after a change: of profiles, or of weights that were painted. What did not change is taken over.
#include "base/error.h"
#include "base/memory.h"
#include "volume/patches.h"

// --------------------------------------------------------------------------------------------------- amend

static const sniProfile* profile_of(const snExactVolume* v, uint32_t joint) {
    return &v->profiles[v->joints[joint].profile];
}

static bool same_profile(const snExactVolume* a, const snExactVolume* b, uint32_t joint) {
    return a->support == b->support && a->rest_profiles == b->rest_profiles &&
           sni_same_volume_profile(&profile_of(a, joint)->def, &profile_of(b, joint)->def);
}

// Gates know of a profile only where it ends.
static bool same_gates(const snExactVolume* a, const snExactVolume* b, uint32_t joint) {
    const sniProfile *p = profile_of(a, joint), *q = profile_of(b, joint);
    return (a->support > 0.0f) == (b->support > 0.0f) && p->reach_low == q->reach_low &&
           p->reach_high == q->reach_high && p->reach == q->reach;
}

// `held`: the joint that shares were found for last.
static snResult amend_patch(sniPatchBuild* b, const snExactVolume* old, sniPatch* patch, uint32_t* held,
                            snError* error) {
    patch->least = patch->mass = 0.0;
    patch->largest = 0.0f;
    patch->weights = NULL;
    if (same_gates(b->volume, old, patch->joint)) return sni_patch_weigh(b, patch, error);
    if (*held != patch->joint) sni_build_hold(b, patch->joint);
    *held = patch->joint;
    patch->spans = NULL;
    patch->span_count = patch->count = 0;
    patch->gates = patch->sides = patch->coordinates = NULL;
    patch->gate_sum = patch->reach = 0.0;
    SNI_TRY(sni_patch_reach(b, patch, error));
    return sni_patch_weigh(b, patch, error);
}

snResult sni_patches_amend(const snExactVolumeDef* def, const snExactVolume* old, snExactVolume* volume,
                           snError* error) {
    sniPatchBuild b = {.def = def, .volume = volume, .memory = &volume->allocator};
    volume->patches = sni_copy_array(b.memory, old->patches, old->patch_count, sizeof(sniPatch));
    if (volume->patches == NULL) return sni_fail_memory(error);
    uint32_t held = SN_NONE;
    bool begun = false;
    snResult result = SN_RESULT_OK;
    for (uint32_t p = 0; p < volume->patch_count && result == SN_RESULT_OK; p++) {
        sniPatch* patch = &volume->patches[p];
        if (same_profile(volume, old, patch->joint)) continue;
        if (!begun) result = sni_build_begin(&b, error);
        begun = true;
        if (result == SN_RESULT_OK) result = amend_patch(&b, old, patch, &held, error);
    }
    if (result == SN_RESULT_OK && begun) result = sni_build_finish(&b, error);
    sni_build_end(&b);
    return result;
}

// ------------------------------------------------------------------------------------------------- reweigh

// What weights of one surface make of a point, for one joint.
typedef struct Weighed {
    const sniClosed* closed;
    const uint8_t* below; // joint_count
} Weighed;

static uint8_t class_of_point(const Weighed* w, uint32_t point) {
    const sniClosed* closed = w->closed;
    size_t at = (size_t)point * closed->influences;
    float share = 0.0f;
    for (uint32_t k = 0; k < closed->influences; k++)
        share += w->below[closed->joints[at + k]] != 0 ? closed->weights[at + k] : 0.0f;
    return sni_class_of_share(share);
}

// The class that all points of a cap have, or 2.
static uint8_t class_of(const Weighed* w, uint32_t point) {
    if (point < w->closed->point_count) return class_of_point(w, point);
    const sniCap* cap = &w->closed->caps[point - w->closed->point_count];
    const uint32_t* loop = w->closed->loop_points + cap->first;
    uint8_t kind = class_of_point(w, loop[0]);
    for (uint32_t i = 1; i < cap->count && kind != 2; i++)
        kind = class_of_point(w, loop[i]) == kind ? kind : 2;
    return kind;
}

// Whether a joint moves another share of a point than before, or moves it in another way.
static bool is_touched(const Weighed* old, const Weighed* now, uint32_t joint, uint32_t point) {
    return sni_own_weight(old->closed, point, joint) != sni_own_weight(now->closed, point, joint) ||
           class_of_point(old, point) != class_of_point(now, point);
}

static bool same_vector(snVec3 a, snVec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

static bool same_frame(const sniVolumeFrame* a, const sniVolumeFrame* b) {
    return a->parent == b->parent && same_vector(a->place, b->place) && same_vector(a->tail, b->tail) &&
           same_vector(a->back, b->back) && same_vector(a->side, b->side);
}

// Points whose weights differ; returns how many.
static uint32_t list_changed(const sniClosed* old, const sniClosed* now, uint32_t* out) {
    size_t k = now->influences;
    uint32_t count = 0;
    for (uint32_t i = 0; i < now->point_count; i++) {
        bool same = true;
        for (size_t e = i * k; e < (i + 1) * k && same; e++)
            same = old->joints[e] == now->joints[e] && old->weights[e] == now->weights[e];
        if (!same) out[count++] = i;
    }
    return count;
}

// Points of the faces around some, each once, centers of caps among them; returns how many.
static uint32_t list_around(sniPatchBuild* b, const uint32_t* points, uint32_t count, uint32_t* out) {
    const sniClosed* closed = b->volume->closed;
    uint32_t around = 0;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t c = closed->corner_starts[points[i]]; c < closed->corner_starts[points[i] + 1]; c++) {
            const sniFace* face = &closed->faces[closed->corners[c] / 4];
            for (int k = 0; k < 4; k++) {
                if (b->hold.classes[face->at[k]] != 0) continue;
                b->hold.classes[face->at[k]] = 1;
                out[around++] = face->at[k];
            }
        }
    }
    return around;
}

// Whether the joint bends a face around a point; classes are known.
static bool is_hinged(const sniPatchBuild* b, uint32_t point) {
    const sniClosed* closed = b->volume->closed;
    for (uint32_t c = closed->corner_starts[point]; c < closed->corner_starts[point + 1]; c++) {
        const sniFace* face = &closed->faces[closed->corners[c] / 4];
        uint8_t kind = b->hold.classes[face->at[0]];
        for (int i = 0; i < 4; i++)
            if (b->hold.classes[face->at[i]] != kind || kind == 2) return true;
    }
    return false;
}

// Whether a point took part when the joint was tried; faces around it may, whose corners are further away.
static bool was_tried(const sniVolumeFrame* joint, snVec3 point) {
    return sn_distance(point, joint->place) < 1.5f * joint->tried;
}

// A joint is stale where its frame is another, where it reaches a painted point or moves it otherwise, or
// where it bends a face around one, for then it asks what all joints do there.
static bool is_stale(sniPatchBuild* b, uint32_t joint, const uint32_t* changed, uint32_t count,
                     const uint32_t* around, uint32_t around_count) {
    const snExactVolume* v = b->volume;
    for (uint32_t k = 0; k < b->def->joint_count; k++) {
        uint32_t j = b->def->order[k], parent = b->def->joints[j].parent;
        b->hold.below[j] = j == joint || (parent != SN_NONE && b->hold.below[parent] != 0);
    }
    Weighed old = {b->old->closed, b->hold.below}, now = {v->closed, b->hold.below};
    bool stale = !same_frame(&b->old->joints[joint], &v->joints[joint]);
    for (uint32_t c = 0; c < count && !stale; c++)
        stale = is_touched(&old, &now, joint, changed[c]) ||
                sni_reach_of(b->old, joint, v->closed->rest[changed[c]]) > 0.0f ||
                (b->def->stance != NULL && was_tried(&b->old->joints[joint], v->closed->rest[changed[c]]));
    if (stale) return true;
    // No class has changed, so what is bent now was bent before.
    for (uint32_t i = 0; i < around_count; i++) b->hold.classes[around[i]] = class_of(&now, around[i]);
    for (uint32_t c = 0; c < count && !stale; c++) stale = is_hinged(b, changed[c]);
    return stale;
}

static snResult find_stale(sniPatchBuild* b, uint8_t* stale, snError* error) {
    const sniClosed* closed = b->volume->closed;
    uint32_t* around = SNI_NEW_ARRAY(b->memory, uint32_t, (size_t)closed->point_count + closed->cap_count);
    if (around == NULL) return sni_fail_memory(error);
    uint32_t count = list_changed(b->old->closed, closed, b->queue);
    uint32_t around_count = list_around(b, b->queue, count, around);
    for (uint32_t j = 0; j < b->def->joint_count; j++)
        stale[j] = is_stale(b, j, b->queue, count, around, around_count);
    sni_free(b->memory, around);
    return SN_RESULT_OK;
}

static snResult keep_joint(sniPatchBuild* b, uint32_t joint, snError* error) {
    snExactVolume* v = b->volume;
    v->joints[joint].length = b->old->joints[joint].length;
    v->joints[joint].radius = b->old->joints[joint].radius;
    for (uint32_t s = 0; s < v->closed->shell_count; s++) {
        const sniPatch* patch = sni_patch_find(b->old, joint, s);
        if (patch == NULL) continue;
        if (!sni_grow(b->memory, &v->patches, &b->patch_capacity, (size_t)v->patch_count + 1,
                      sizeof(sniPatch)))
            return sni_fail_memory(error);
        v->patches[v->patch_count++] = *patch;
    }
    return SN_RESULT_OK;
}

const sniPatch* sni_patch_find(const snExactVolume* volume, uint32_t joint, uint32_t shell) {
    for (uint32_t p = 0; p < volume->patch_count; p++)
        if (volume->patches[p].joint == joint && volume->patches[p].shell == shell)
            return &volume->patches[p];
    return NULL;
}

snResult sni_patches_reweigh(const snExactVolumeDef* def, const snExactVolume* old, snExactVolume* volume,
                             uint8_t* stale, snError* error) {
    sniPatchBuild b = {.def = def, .volume = volume, .memory = &volume->allocator, .old = old};
    volume->patches = NULL;
    volume->patch_count = 0;
    snResult result = sni_build_begin(&b, error);
    if (result == SN_RESULT_OK) result = find_stale(&b, stale, error);
    for (uint32_t i = 0; i < def->joint_count && result == SN_RESULT_OK; i++) {
        uint32_t joint = def->order[i];
        result = stale[joint] != 0 ? sni_build_joint(&b, joint, error) : keep_joint(&b, joint, error);
    }
    if (result == SN_RESULT_OK) result = sni_build_finish(&b, error);
    sni_build_end(&b);
    return result;
}
