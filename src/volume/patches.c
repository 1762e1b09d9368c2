// Where each joint corrects each shell: the points near it, how freely they may move, and the faces it bends.
#include "volume/patches.h"
#include "base/error.h"
#include "base/geometry.h"
#include "base/memory.h"
#include "volume/smooth.h"

// A profile's unit is at least this many radii of the limb, so that the surface lies within its reach.
// Judged: with less, hips and spines, whose bones are short, had no skin in reach.
#define RADII 3.0f
// ------------------------------------------------------------------------------------------------- shares

void sni_build_hold(sniPatchBuild* b, uint32_t joint) {
    const sniClosed* closed = b->volume->closed;
    sniHold* h = &b->hold;
    h->joint = joint;
    for (uint32_t i = 0; i < b->def->joint_count; i++) {
        uint32_t j = b->def->order[i], parent = b->def->joints[j].parent;
        h->below[j] = j == joint || (parent != SN_NONE && h->below[parent] != 0);
    }
    for (uint32_t i = 0; i < closed->point_count; i++) {
        const uint16_t* joints = closed->joints + (size_t)i * closed->influences;
        const float* weights = closed->weights + (size_t)i * closed->influences;
        float share = 0.0f;
        for (uint32_t k = 0; k < closed->influences; k++)
            share += h->below[joints[k]] != 0 ? weights[k] : 0.0f;
        h->classes[i] = sni_class_of_share(share);
        h->shares[i] = share;
    }
    for (uint32_t c = 0; c < closed->cap_count; c++) {
        const sniCap* cap = &closed->caps[c];
        const uint32_t* loop = closed->loop_points + cap->first;
        uint8_t kind = h->classes[loop[0]];
        for (uint32_t i = 1; i < cap->count; i++) kind = h->classes[loop[i]] == kind ? kind : 2;
        h->classes[cap->center] = kind;
    }
}

// How far the surface is from the joint where it bends; where it bends nothing, of what it moves.
static float radius_of(const sniPatchBuild* b, uint32_t joint) {
    const sniClosed* closed = b->volume->closed;
    double sum[2] = {0.0, 0.0}, weight[2] = {0.0, 0.0};
    for (uint32_t i = 0; i < closed->point_count; i++) {
        double share = (double)b->hold.shares[i], own = (double)sni_own_weight(closed, i, joint);
        if (closed->point_shells[i] == SN_NONE || (b->hold.classes[i] != 2 && own == 0.0)) continue;
        double distance = (double)sn_distance(closed->rest[i], b->def->joints[joint].place);
        double area = (double)closed->areas[i], mixed = share * (1.0 - share) * area;
        if (b->hold.classes[i] == 2) sum[0] += mixed * distance, weight[0] += mixed;
        sum[1] += own * area * distance;
        weight[1] += own * area;
    }
    int kind = weight[0] > 0.0 ? 0 : 1;
    return weight[kind] > 0.0 ? (float)(sum[kind] / weight[kind]) : 0.0f;
}

// ------------------------------------------------------------------------------------------------- patches

static float distance_to_bone(const sniVolumeFrame* frame, snVec3 p) {
    return sni_segment_distance(frame->place, frame->tail, p);
}

// What the joint moves of a shell, as a volume: half of area times distance, as for a cylinder.
static double volume_of(const sniPatchBuild* b, uint32_t joint, uint32_t shell) {
    const sniClosed* closed = b->volume->closed;
    double sum = 0.0;
    for (uint32_t i = b->point_starts[shell]; i < b->point_starts[shell + 1]; i++) {
        uint32_t p = b->points[i];
        double w = (double)sni_own_weight(closed, p, joint);
        if (w == 0.0) continue;
        sum += 0.5 * w * (double)closed->areas[p] *
               (double)distance_to_bone(&b->volume->joints[joint], closed->rest[p]);
    }
    return sum;
}

static snResult add_patch(sniPatchBuild* b, uint32_t joint, uint32_t shell, snError* error) {
    snExactVolume* v = b->volume;
    sniHinge* hinge = NULL;
    SNI_TRY(sni_hinge_create(v, &b->hold, b->faces + b->face_starts[shell],
                             b->face_starts[shell + 1] - b->face_starts[shell], &hinge, error));
    double share = volume_of(b, joint, shell);
    if (hinge == NULL && !(share > 0.0)) return SN_RESULT_OK;
    if (!sni_grow(b->memory, &v->patches, &b->patch_capacity, (size_t)v->patch_count + 1, sizeof(sniPatch))) {
        sni_hinge_destroy(hinge, b->memory);
        return sni_fail_memory(error);
    }
    sniPatch* patch = &v->patches[v->patch_count++];
    *patch = (sniPatch){.joint = joint, .shell = shell, .hinge = hinge, .moved = share};
    SNI_TRY(sni_patch_reach(b, patch, error));
    SNI_TRY(sni_patch_carry(b, patch, error));
    return sni_patch_weigh(b, patch, error);
}

void sni_patch_release(sniPatch* patch, const sniPatch* keeper, const snAllocator* memory) {
    static const sniPatch nothing = {0};
    if (keeper == NULL) keeper = &nothing;
    if (patch->hinge != keeper->hinge) sni_hinge_destroy(patch->hinge, memory);
    if (patch->spans != keeper->spans) sni_free(memory, patch->spans);
    if (patch->gates != keeper->gates) sni_free(memory, patch->gates);
    if (patch->sides != keeper->sides) sni_free(memory, patch->sides);
    if (patch->coordinates != keeper->coordinates) sni_free(memory, patch->coordinates);
    if (patch->weights != keeper->weights) sni_free(memory, patch->weights);
    if (patch->carried.spans != keeper->carried.spans) sni_carried_free(&patch->carried, memory);
}

// Shares of the rest volume sum to one; those of a joint and all under it are added up.
snResult sni_build_finish(sniPatchBuild* b, snError* error) {
    snExactVolume* v = b->volume;
    double* sums = SNI_NEW_ARRAY(b->memory, double, v->closed->shell_count);
    uint32_t* of_joint = SNI_NEW_ARRAY(b->memory, uint32_t, (size_t)v->joint_count + 1);
    bool ready = sums != NULL && of_joint != NULL;
    v->most_places = 0;
    for (uint32_t p = 0; p < v->patch_count && ready; p++) sums[v->patches[p].shell] += v->patches[p].moved;
    for (uint32_t p = 0; p < v->patch_count && ready; p++) {
        sniPatch* patch = &v->patches[p];
        patch->share = sums[patch->shell] > 0.0 ? patch->moved / sums[patch->shell] : patch->moved;
        patch->share_below = patch->share;
        if (patch->count > v->most_places) v->most_places = patch->count;
        of_joint[patch->joint + 1] = p + 1; // patches of one joint follow one another
    }
    for (uint32_t p = v->patch_count; p-- > 0 && ready;) {
        const sniPatch* patch = &v->patches[p];
        uint32_t parent = v->joints[patch->joint].parent;
        // Up to the next joint above that has a patch of this shell.
        for (; parent != SN_NONE; parent = v->joints[parent].parent) {
            uint32_t k = of_joint[parent + 1];
            while (k > 0 && v->patches[k - 1].joint == parent && v->patches[k - 1].shell != patch->shell) k--;
            if (k == 0 || v->patches[k - 1].joint != parent) continue;
            v->patches[k - 1].share_below += patch->share_below;
            break;
        }
    }
    sni_free(b->memory, sums);
    sni_free(b->memory, of_joint);
    return ready ? SN_RESULT_OK : sni_fail_memory(error);
}

// ---------------------------------------------------------------------------------------------- as a whole

static void by_shell(const uint32_t* shells, uint32_t count, uint32_t shell_count, uint32_t* starts,
                     uint32_t* out) {
    for (uint32_t i = 0; i < count; i++) {
        if (shells[i] != SN_NONE) starts[shells[i] + 1]++;
    }
    for (uint32_t s = 0; s < shell_count; s++) starts[s + 1] += starts[s];
    for (uint32_t i = 0; i < count; i++) {
        if (shells[i] != SN_NONE) out[starts[shells[i]]++] = i;
    }
    for (uint32_t s = shell_count; s > 0; s--) starts[s] = starts[s - 1];
    starts[0] = 0;
}

static snResult create_shell(sniPatchBuild* b, uint32_t s, snError* error) {
    const sniClosed* closed = b->volume->closed;
    sniShellTables* shell = &b->volume->shells[s];
    uint32_t first = b->face_starts[s], count = b->face_starts[s + 1] - first;
    shell->apex = b->points[b->point_starts[s]];
    shell->block_count = (count + SNI_FACE_LANES - 1) / SNI_FACE_LANES;
    shell->blocks = SNI_NEW_ARRAY(b->memory, sniFaceBlock, shell->block_count);
    if (shell->blocks == NULL) return sni_fail_memory(error);
    for (uint32_t i = 0; i < shell->block_count * SNI_FACE_LANES; i++) {
        const sniFace* face = &closed->faces[b->faces[first + (i < count ? i : 0)]];
        for (int k = 0; k < 4; k++)
            shell->blocks[i / SNI_FACE_LANES].at[k][i % SNI_FACE_LANES] = face->at[i < count ? k : 0];
    }
    SNI_TRY(sni_rings_create(closed, b->points + b->point_starts[s],
                             b->point_starts[s + 1] - b->point_starts[s], b->hold.places, b->memory,
                             &shell->rings, error));
    for (uint32_t i = 0; i < shell->rings->inner; i++) {
        if (shell->rings->ids[i] < closed->point_count) b->volume->places[shell->rings->ids[i]] = i;
    }
    shell->first = b->volume->inner_places;
    b->volume->inner_places += shell->rings->inner;
    return sni_shell_smooth(closed, b->faces + first, count, b->volume->places, b->memory, shell, error);
}

static bool allocate(sniPatchBuild* b) {
    const sniClosed* closed = b->volume->closed;
    const snAllocator* memory = b->memory;
    size_t points = closed->point_count, all = points + closed->cap_count, joints = b->def->joint_count;
    b->hold.below = SNI_NEW_ARRAY(memory, uint8_t, joints);
    b->hold.ranks = SNI_NEW_ARRAY(memory, uint32_t, joints);
    b->hold.shares = SNI_NEW_ARRAY(memory, float, points);
    b->hold.classes = SNI_NEW_ARRAY(memory, uint8_t, all);
    b->hold.places = SNI_NEW_ARRAY(memory, uint32_t, all);
    b->face_starts = SNI_NEW_ARRAY(memory, uint32_t, (size_t)closed->shell_count + 1);
    b->faces = SNI_NEW_ARRAY(memory, uint32_t, closed->face_count);
    b->point_starts = SNI_NEW_ARRAY(memory, uint32_t, (size_t)closed->shell_count + 1);
    b->points = SNI_NEW_ARRAY(memory, uint32_t, points);
    b->ways = SNI_NEW_ARRAY(memory, float, joints);
    b->ends = SNI_NEW_ARRAY(memory, uint32_t, joints);
    b->gates = SNI_NEW_ARRAY(memory, float, points);
    b->chosen = SNI_NEW_ARRAY(memory, uint32_t, points);
    b->queue = SNI_NEW_ARRAY(memory, uint32_t, points);
    b->seen = SNI_NEW_ARRAY(memory, uint8_t, points);
    // Places come in blocks of two kinds, and in whole lanes.
    b->locals = SNI_NEW_ARRAY(memory, uint32_t, points + 4 * SNI_FACE_LANES);
    return b->hold.below != NULL && b->hold.ranks != NULL && b->hold.shares != NULL &&
           b->hold.classes != NULL && b->hold.places != NULL && b->face_starts != NULL && b->faces != NULL &&
           b->point_starts != NULL && b->points != NULL && b->ways != NULL && b->ends != NULL &&
           b->gates != NULL && b->chosen != NULL && b->queue != NULL && b->seen != NULL &&
           b->locals != NULL && sni_heap_create(&b->heap, closed->point_count, memory);
}

snResult sni_build_begin(sniPatchBuild* b, snError* error) {
    const sniClosed* closed = b->volume->closed;
    if (!allocate(b)) return sni_fail_memory(error);
    for (uint32_t i = 0; i < closed->point_count + closed->cap_count; i++) b->hold.places[i] = SN_NONE;
    for (size_t i = 0; i < (size_t)closed->point_count + 4 * SNI_FACE_LANES; i++) b->locals[i] = SN_NONE;
    for (uint32_t i = 0; i < b->def->joint_count; i++) b->hold.ranks[b->def->order[i]] = i;
    by_shell(closed->face_shells, closed->face_count, closed->shell_count, b->face_starts, b->faces);
    by_shell(closed->point_shells, closed->point_count, closed->shell_count, b->point_starts, b->points);
    return SN_RESULT_OK;
}

void sni_build_end(sniPatchBuild* b) {
    void* arrays[] = {b->hold.below,  b->hold.ranks,  b->hold.shares, b->hold.classes,
                      b->hold.places, b->face_starts, b->faces,       b->point_starts,
                      b->points,      b->gates,       b->chosen,      b->queue,
                      b->seen,        b->locals,      b->ways,        b->ends};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(b->memory, arrays[i]);
    sni_heap_free(&b->heap, b->memory);
}

snResult sni_build_joint(sniPatchBuild* b, uint32_t joint, snError* error) {
    const sniClosed* closed = b->volume->closed;
    sni_build_hold(b, joint);
    sniVolumeFrame* frame = &b->volume->joints[joint];
    frame->radius = radius_of(b, joint);
    frame->length = sn_maxf(frame->length, RADII * frame->radius);
    for (uint32_t s = 0; s < closed->shell_count; s++)
        if (closed->shells[s].kind == SN_SHELL_KEPT) SNI_TRY(add_patch(b, joint, s, error));
    return SN_RESULT_OK;
}

static snResult build(sniPatchBuild* b, snError* error) {
    snExactVolume* v = b->volume;
    const sniClosed* closed = v->closed;
    v->shells = SNI_NEW_ARRAY(b->memory, sniShellTables, closed->shell_count);
    v->places = SNI_NEW_ARRAY(b->memory, uint32_t, closed->point_count);
    snResult result =
        v->shells != NULL && v->places != NULL ? sni_build_begin(b, error) : sni_fail_memory(error);
    for (uint32_t s = 0; s < closed->shell_count && result == SN_RESULT_OK; s++) {
        if (closed->shells[s].kind == SN_SHELL_KEPT) result = create_shell(b, s, error);
    }
    for (uint32_t i = 0; i < b->def->joint_count && result == SN_RESULT_OK; i++) {
        result = sni_build_joint(b, b->def->order[i], error);
    }
    if (result != SN_RESULT_OK) return result;
    return sni_build_finish(b, error);
}

snResult sni_patches_create(const snExactVolumeDef* def, snExactVolume* volume, snError* error) {
    sniPatchBuild b = {.def = def, .volume = volume, .memory = &volume->allocator};
    snResult result = build(&b, error);
    sni_build_end(&b);
    return result;
}
