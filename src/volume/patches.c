// Where each joint corrects each shell: the points near it, how freely they may move, and the faces it bends.
#include "base/error.h"
#include "base/geometry.h"
#include "base/memory.h"
#include "volume/exact.h"

// Shares this near to 0 or 1 are nothing or all.
#define PURE 1e-5f
// A profile's unit is at least this many radii of the limb, so that the surface lies within its reach.
// Judged: with less, hips and spines, whose bones are short, had no skin in reach.
#define RADII 3.0f
// Beyond its reach at rest, this much further (of half its width) a profile fades out. Judged, as are the
// next three.
#define FADE 0.25f
// Points with less area than this share of the mean count as if they had it.
#define LEAST_AREA 0.05f
// Of the mean weight in the bind pose, and in any case: with less than that, weights are topped up.
#define LEAST_OF_REST 0.1
#define LEAST_WEIGHT 1e-4

typedef struct Build {
    const snExactVolumeDef* def;
    snExactVolume* volume;
    const snAllocator* memory;
    sniHold hold;
    uint32_t* face_starts; // shell_count + 1; faces by shell
    uint32_t* faces;
    uint32_t* point_starts; // shell_count + 1; points by shell
    uint32_t* points;
    float* gates;     // point_count
    uint32_t* chosen; // point_count
    uint32_t* queue;  // point_count
    uint8_t* seen;    // point_count
    size_t patch_capacity;
    const snExactVolume* old; // whose rings are taken where they are the same, or NULL
} Build;

// ------------------------------------------------------------------------------------------------- shares

static void hold_joint(Build* b, uint32_t joint) {
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
        h->classes[i] = share < PURE ? 0 : share > 1.0f - PURE ? 1 : 2;
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

static float own_weight(const sniClosed* closed, uint32_t point, uint32_t joint) {
    float sum = 0.0f;
    for (uint32_t k = 0; k < closed->influences; k++) {
        size_t at = (size_t)point * closed->influences + k;
        if (closed->joints[at] == joint) sum += closed->weights[at];
    }
    return sum;
}

// How far the surface is from the joint where it bends; where it bends nothing, of what it moves.
static float radius_of(const Build* b, uint32_t joint) {
    const sniClosed* closed = b->volume->closed;
    double sum[2] = {0.0, 0.0}, weight[2] = {0.0, 0.0};
    for (uint32_t i = 0; i < closed->point_count; i++) {
        double share = (double)b->hold.shares[i], own = (double)own_weight(closed, i, joint);
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

// -------------------------------------------------------------------------------------------------- reach

static float fade(float beyond, float width) {
    if (beyond <= 0.0f) return 1.0f;
    float t = beyond / (FADE * width);
    return t < 1.0f ? 1.0f - t * t * (3.0f - 2.0f * t) : 0.0f;
}

// 1 where the profile can reach a point at rest, falling to 0 behind that. What only a pose brings near, a
// hand on a knee, is not moved.
static float gate_of(const Build* b, uint32_t joint, uint32_t point) {
    const sniVolumeFrame* frame = &b->volume->joints[joint];
    const sniProfile* profile = &b->volume->profiles[frame->profile];
    if (b->def->support <= 0.0f) return 1.0f;
    if (!(frame->length > 0.0f)) return 0.0f;
    snVec3 p = sn_scale(sn_sub(b->volume->closed->rest[point], frame->place), 1.0f / frame->length);
    float x = sn_dot(p, frame->back), across = sqrtf(sn_maxf(sn_dot(p, p) - x * x, 0.0f));
    float half = 0.5f * (profile->reach_high - profile->reach_low);
    float along = sn_maxf(profile->reach_low - x, x - profile->reach_high);
    return fade(along, half) * fade(across - profile->reach, profile->reach);
}

static void visit(Build* b, uint32_t point, uint32_t* tail) {
    if (point >= b->volume->closed->point_count || b->seen[point] != 0 || !(b->gates[point] > 0.0f)) return;
    b->seen[point] = 1;
    b->queue[(*tail)++] = point;
}

// Points within reach that hang together with what the joint bends (or, where it bends nothing, moves).
static uint32_t choose_points(Build* b, uint32_t joint, uint32_t shell, bool bends) {
    const sniClosed* closed = b->volume->closed;
    const uint32_t* points = b->points + b->point_starts[shell];
    uint32_t count = b->point_starts[shell + 1] - b->point_starts[shell], head = 0, tail = 0, chosen = 0;
    for (uint32_t i = 0; i < count; i++) {
        b->gates[points[i]] = gate_of(b, joint, points[i]);
        b->seen[points[i]] = 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        bool seed = bends ? b->hold.classes[points[i]] == 2 : own_weight(closed, points[i], joint) > 0.5f;
        if (seed) visit(b, points[i], &tail);
    }
    // A joint that bends faces but shares no point with another: begin with what it moves.
    bool hard = bends && tail == 0;
    for (uint32_t i = 0; i < count && hard; i++) {
        if (b->hold.classes[points[i]] == 1) visit(b, points[i], &tail);
    }
    while (head < tail) {
        uint32_t p = b->queue[head++];
        for (uint32_t c = closed->corner_starts[p]; c < closed->corner_starts[p + 1]; c++) {
            const sniFace* face = &closed->faces[closed->corners[c] / 4];
            for (int i = 0; i < 4; i++) visit(b, face->at[i], &tail);
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        if (b->seen[points[i]] != 0) b->chosen[chosen++] = points[i];
    }
    return chosen;
}

// ------------------------------------------------------------------------------------------------- patches

static float distance_to_bone(const sniVolumeFrame* frame, snVec3 p) {
    return sni_segment_distance(frame->place, frame->tail, p);
}

// What the joint moves of a shell, as a volume: half of area times distance, as for a cylinder.
static double volume_of(const Build* b, uint32_t joint, uint32_t shell) {
    const sniClosed* closed = b->volume->closed;
    double sum = 0.0;
    for (uint32_t i = b->point_starts[shell]; i < b->point_starts[shell + 1]; i++) {
        uint32_t p = b->points[i];
        double w = (double)own_weight(closed, p, joint);
        if (w == 0.0) continue;
        sum += 0.5 * w * (double)closed->areas[p] *
               (double)distance_to_bone(&b->volume->joints[joint], closed->rest[p]);
    }
    return sum;
}

// Gates over area: what a point does to the volume grows with its area, and the move is meant to be the same
// on a fine and on a coarse mesh.
static void fill_gates(const Build* b, const sniPatch* patch) {
    const sniClosed* closed = b->volume->closed;
    const sniRings* rings = patch->rings;
    double sum = 0.0, count = 0.0;
    for (uint32_t i = 0; i < rings->inner; i++) {
        if (rings->ids[i] == sni_no_point(closed)) continue;
        sum += (double)closed->areas[rings->ids[i]];
        count += 1.0;
    }
    float mean = count > 0.0 ? (float)(sum / count) : 0.0f;
    for (uint32_t i = 0; i < rings->inner; i++) {
        if (rings->ids[i] == sni_no_point(closed)) continue;
        float area = sn_maxf(closed->areas[rings->ids[i]], LEAST_AREA * mean);
        if (area > 0.0f) patch->gates[i] = b->gates[rings->ids[i]] * (mean / area);
    }
}

void sni_top_up(const sniPatch* patch, double sum, float* weights) {
    double mean = patch->gate_sum > 0.0 ? sum / patch->gate_sum : 0.0;
    if (mean >= patch->least) return;
    float floor = (float)(patch->least - mean);
    for (uint32_t i = 0; i < patch->rings->inner; i++) weights[i] += floor * patch->gates[i];
}

static void fill_coordinates(const Build* b, const sniPatch* patch, float* coordinates) {
    const sniVolumeFrame* frame = &b->volume->joints[patch->joint];
    const sniRings* rings = patch->rings;
    snVec3 up = sn_cross(frame->back, frame->side);
    float unit = frame->length > 0.0f ? 1.0f / frame->length : 0.0f;
    for (uint32_t i = 0; i < rings->inner; i++) {
        if (rings->ids[i] == sni_no_point(b->volume->closed)) continue;
        snVec3 p = sn_scale(sn_sub(b->volume->closed->rest[rings->ids[i]], frame->place), unit);
        coordinates[i] = sn_dot(p, frame->back);
        coordinates[rings->inner + i] = sn_dot(p, frame->side);
        coordinates[2 * (size_t)rings->inner + i] = sn_dot(p, up);
    }
}

// A ninth of slope^2, which is (12 area)^2 for a point that faces along an axis.
static void fill_steepest(const Build* b, const sniPatch* patch) {
    const sniClosed* closed = b->volume->closed;
    for (uint32_t i = 0; i < patch->rings->inner; i++) {
        if (patch->rings->ids[i] == sni_no_point(closed)) continue;
        float area = closed->areas[patch->rings->ids[i]];
        patch->steepest[i] = (4.0f * area) * (4.0f * area);
    }
}

// Profiles of the bind pose: how much of the shell the joint reaches, and its weights where they are kept.
static bool fill_weights(Build* b, sniPatch* patch, bool keep) {
    const sniClosed* closed = b->volume->closed;
    const sniProfile* profile = &b->volume->profiles[b->volume->joints[patch->joint].profile];
    const sniRings* rings = patch->rings;
    float* coordinates = SNI_NEW_ARRAY(b->memory, float, 3 * (size_t)rings->inner);
    patch->weights = SNI_NEW_ARRAY(b->memory, float, rings->inner);
    bool ready = coordinates != NULL && patch->weights != NULL;
    if (ready) {
        fill_coordinates(b, patch, coordinates);
        const float* const at[3] = {coordinates, coordinates + rings->inner,
                                    coordinates + 2 * (size_t)rings->inner};
        for (uint32_t i = 0; i < rings->inner; i++) patch->gate_sum += (double)patch->gates[i];
        double sum = sni_volume_kernels_of(SN_CPU_SCALAR)
                         ->profile(profile->folded, at, patch->gates, rings->inner, patch->weights);
        if (patch->gate_sum > 0.0) patch->least = LEAST_OF_REST * sum / patch->gate_sum;
        if (patch->least < LEAST_WEIGHT) patch->least = LEAST_WEIGHT;
        sni_top_up(patch, sum, patch->weights);
    }
    for (uint32_t i = 0; i < rings->inner && ready; i++) {
        if (rings->ids[i] == sni_no_point(closed)) continue;
        patch->mass += (double)patch->weights[i] * (double)closed->areas[rings->ids[i]];
    }
    sni_free(b->memory, coordinates);
    if (keep || !ready) return ready;
    sni_free(b->memory, patch->weights);
    patch->weights = NULL;
    return true;
}

// Rings of the chosen points that are there already, or NULL.
static sniRings* known_rings(const Build* b, const sniPatch* patch, uint32_t count) {
    const sniPatch* old = b->old != NULL ? sni_patch_find(b->old, patch->joint, patch->shell) : NULL;
    if (old == NULL || old->rings == NULL) return NULL;
    uint32_t common = 0;
    for (uint32_t i = 0; i < old->rings->inner; i++) {
        uint32_t point = old->rings->ids[i];
        if (point == sni_no_point(b->volume->closed)) continue;
        if (b->seen[point] == 0) return NULL;
        common++;
    }
    return common == count ? old->rings : NULL;
}

static snResult create_rings(Build* b, sniPatch* patch, snError* error) {
    sniShellTables* shell = &b->volume->shells[patch->shell];
    uint32_t count = choose_points(b, patch->joint, patch->shell, patch->hinge != NULL);
    if (count == 0) return SN_RESULT_OK;
    patch->shared = count == b->point_starts[patch->shell + 1] - b->point_starts[patch->shell];
    snResult result = SN_RESULT_OK;
    patch->rings = patch->shared ? shell->rings : known_rings(b, patch, count);
    if (patch->rings == NULL)
        result = sni_rings_create(b->volume->closed, b->chosen, count, b->hold.places, b->memory,
                                  &patch->rings, error);
    if (result != SN_RESULT_OK) return result;
    patch->gates = SNI_NEW_ARRAY(b->memory, float, patch->rings->inner);
    patch->steepest = SNI_NEW_ARRAY(b->memory, float, patch->rings->inner);
    if (patch->gates == NULL || patch->steepest == NULL) return sni_fail_memory(error);
    fill_gates(b, patch);
    fill_steepest(b, patch);
    return fill_weights(b, patch, b->def->rest_profiles) ? SN_RESULT_OK : sni_fail_memory(error);
}

static snResult add_patch(Build* b, uint32_t joint, uint32_t shell, snError* error) {
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
    return create_rings(b, patch, error);
}

void sni_patch_release(sniPatch* patch, const sniPatch* keeper, const snAllocator* memory) {
    static const sniPatch nothing = {0};
    if (keeper == NULL) keeper = &nothing;
    if (patch->hinge != keeper->hinge) sni_hinge_destroy(patch->hinge, memory);
    if (!patch->shared && patch->rings != keeper->rings) sni_rings_destroy(patch->rings);
    if (patch->gates != keeper->gates) sni_free(memory, patch->gates);
    if (patch->steepest != keeper->steepest) sni_free(memory, patch->steepest);
    if (patch->weights != keeper->weights) sni_free(memory, patch->weights);
}

// Shares of the rest volume sum to one; those of a joint and all under it are added up.
static snResult share_volumes(Build* b, snError* error) {
    snExactVolume* v = b->volume;
    double* sums = SNI_NEW_ARRAY(b->memory, double, v->closed->shell_count);
    uint32_t* of_joint = SNI_NEW_ARRAY(b->memory, uint32_t, (size_t)v->joint_count + 1);
    bool ready = sums != NULL && of_joint != NULL;
    for (uint32_t p = 0; p < v->patch_count && ready; p++) sums[v->patches[p].shell] += v->patches[p].moved;
    for (uint32_t p = 0; p < v->patch_count && ready; p++) {
        sniPatch* patch = &v->patches[p];
        patch->share = sums[patch->shell] > 0.0 ? patch->moved / sums[patch->shell] : patch->moved;
        patch->share_below = patch->share;
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

// ------------------------------------------------------------------------------------------------- levels

// A patch comes after every earlier one that moves what it reads or reads what it moves.
static uint32_t level_after(const sniRings* rings, uint32_t none, const uint32_t* moved,
                            const uint32_t* read) {
    uint32_t level = 0;
    for (uint32_t i = 0; i < rings->total; i++) {
        uint32_t id = rings->ids[i];
        if (id == none) continue;
        if (moved[id] > level) level = moved[id];
        if (i < rings->inner && read[id] > level) level = read[id];
    }
    for (uint32_t c = 0; c < rings->cap_count; c++) {
        uint32_t center = rings->ids[rings->caps[c].center];
        if (read[center] > level) level = read[center];
    }
    return level;
}

static void mark_level(const sniRings* rings, uint32_t none, uint32_t level, uint32_t* moved,
                       uint32_t* read) {
    for (uint32_t i = 0; i < rings->total; i++) {
        uint32_t id = rings->ids[i];
        if (id == none) continue;
        if (read[id] < level) read[id] = level;
        if (i < rings->inner && moved[id] < level) moved[id] = level;
    }
    for (uint32_t c = 0; c < rings->cap_count; c++) moved[rings->ids[rings->caps[c].center]] = level;
}

static snResult schedule(Build* b, snError* error) {
    snExactVolume* v = b->volume;
    uint32_t none = sni_no_point(v->closed);
    size_t points = none;
    v->level_count = 0;
    v->place_count = 0;
    uint32_t* moved = SNI_NEW_ARRAY(b->memory, uint32_t, points);
    uint32_t* read = SNI_NEW_ARRAY(b->memory, uint32_t, points);
    v->by_level = SNI_NEW_ARRAY(b->memory, uint32_t, v->patch_count);
    v->level_starts = SNI_NEW_ARRAY(b->memory, uint32_t, (size_t)v->patch_count + 2);
    v->places = SNI_NEW_ARRAY(b->memory, size_t, v->patch_count);
    bool ready =
        moved != NULL && read != NULL && v->by_level != NULL && v->level_starts != NULL && v->places != NULL;
    for (uint32_t p = 0; p < v->patch_count && ready; p++) {
        sniPatch* patch = &v->patches[p];
        if (patch->rings == NULL) continue;
        patch->level = level_after(patch->rings, none, moved, read);
        if (patch->level + 1 > v->level_count) v->level_count = patch->level + 1;
        mark_level(patch->rings, none, patch->level + 1, moved, read);
    }
    uint32_t count = 0;
    for (uint32_t l = 0; l < v->level_count && ready; l++) {
        size_t used = 0;
        v->level_starts[l] = count;
        for (uint32_t p = 0; p < v->patch_count; p++) {
            const sniPatch* patch = &v->patches[p];
            if (patch->rings == NULL || patch->level != l) continue;
            v->by_level[count++] = p;
            v->places[p] = used;
            used += sni_patch_floats(patch->rings);
        }
        if (used > v->place_count) v->place_count = used;
        v->level_starts[l + 1] = count;
    }
    sni_free(b->memory, moved);
    sni_free(b->memory, read);
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

static snResult create_shell(Build* b, uint32_t s, snError* error) {
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
    return sni_rings_create(closed, b->points + b->point_starts[s],
                            b->point_starts[s + 1] - b->point_starts[s], b->hold.places, b->memory,
                            &shell->rings, error);
}

static bool allocate(Build* b) {
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
    b->gates = SNI_NEW_ARRAY(memory, float, points);
    b->chosen = SNI_NEW_ARRAY(memory, uint32_t, points);
    b->queue = SNI_NEW_ARRAY(memory, uint32_t, points);
    b->seen = SNI_NEW_ARRAY(memory, uint8_t, points);
    return b->hold.below != NULL && b->hold.ranks != NULL && b->hold.shares != NULL &&
           b->hold.classes != NULL && b->hold.places != NULL && b->face_starts != NULL && b->faces != NULL &&
           b->point_starts != NULL && b->points != NULL && b->gates != NULL && b->chosen != NULL &&
           b->queue != NULL && b->seen != NULL;
}

static snResult begin(Build* b, snError* error) {
    const sniClosed* closed = b->volume->closed;
    if (!allocate(b)) return sni_fail_memory(error);
    for (uint32_t i = 0; i < closed->point_count + closed->cap_count; i++) b->hold.places[i] = SN_NONE;
    for (uint32_t i = 0; i < b->def->joint_count; i++) b->hold.ranks[b->def->order[i]] = i;
    by_shell(closed->face_shells, closed->face_count, closed->shell_count, b->face_starts, b->faces);
    by_shell(closed->point_shells, closed->point_count, closed->shell_count, b->point_starts, b->points);
    return SN_RESULT_OK;
}

static void end(Build* b) {
    void* arrays[] = {b->hold.below,  b->hold.ranks, b->hold.shares,  b->hold.classes, b->hold.places,
                      b->face_starts, b->faces,      b->point_starts, b->points,       b->gates,
                      b->chosen,      b->queue,      b->seen};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(b->memory, arrays[i]);
}

static snResult add_joint(Build* b, uint32_t joint, snError* error) {
    const sniClosed* closed = b->volume->closed;
    hold_joint(b, joint);
    sniVolumeFrame* frame = &b->volume->joints[joint];
    frame->length = sn_maxf(frame->length, RADII * radius_of(b, joint));
    for (uint32_t s = 0; s < closed->shell_count; s++)
        if (closed->shells[s].kind == SN_SHELL_KEPT) SNI_TRY(add_patch(b, joint, s, error));
    return SN_RESULT_OK;
}

static snResult build(Build* b, snError* error) {
    snExactVolume* v = b->volume;
    const sniClosed* closed = v->closed;
    v->shells = SNI_NEW_ARRAY(b->memory, sniShellTables, closed->shell_count);
    snResult result = v->shells != NULL ? begin(b, error) : sni_fail_memory(error);
    for (uint32_t s = 0; s < closed->shell_count && result == SN_RESULT_OK; s++) {
        if (closed->shells[s].kind == SN_SHELL_KEPT) result = create_shell(b, s, error);
    }
    for (uint32_t i = 0; i < b->def->joint_count && result == SN_RESULT_OK; i++) {
        result = add_joint(b, b->def->order[i], error);
    }
    if (result != SN_RESULT_OK) return result;
    result = share_volumes(b, error);
    return result == SN_RESULT_OK ? schedule(b, error) : result;
}

snResult sni_patches_create(const snExactVolumeDef* def, snExactVolume* volume, snError* error) {
    Build b = {.def = def, .volume = volume, .memory = &volume->allocator};
    snResult result = build(&b, error);
    end(&b);
    return result;
}

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
static snResult amend_patch(Build* b, const snExactVolume* old, sniPatch* patch, uint32_t* held,
                            snError* error) {
    patch->gate_sum = patch->least = patch->mass = 0.0;
    patch->weights = NULL;
    if (same_gates(b->volume, old, patch->joint)) {
        if (patch->rings == NULL) return SN_RESULT_OK;
        return fill_weights(b, patch, b->def->rest_profiles) ? SN_RESULT_OK : sni_fail_memory(error);
    }
    if (*held != patch->joint) hold_joint(b, patch->joint);
    *held = patch->joint;
    patch->rings = NULL;
    patch->shared = false;
    patch->level = 0;
    patch->gates = patch->steepest = NULL;
    return create_rings(b, patch, error);
}

snResult sni_patches_amend(const snExactVolumeDef* def, const snExactVolume* old, snExactVolume* volume,
                           snError* error) {
    Build b = {.def = def, .volume = volume, .memory = &volume->allocator};
    volume->patches = sni_copy_array(b.memory, old->patches, old->patch_count, sizeof(sniPatch));
    if (volume->patches == NULL) return sni_fail_memory(error);
    uint32_t held = SN_NONE;
    bool begun = false, moved = false;
    snResult result = SN_RESULT_OK;
    for (uint32_t p = 0; p < volume->patch_count && result == SN_RESULT_OK; p++) {
        sniPatch* patch = &volume->patches[p];
        if (same_profile(volume, old, patch->joint)) continue;
        if (!begun) result = begin(&b, error);
        begun = true;
        if (result == SN_RESULT_OK) result = amend_patch(&b, old, patch, &held, error);
        moved = moved || patch->rings != old->patches[p].rings;
    }
    if (result == SN_RESULT_OK && moved) result = schedule(&b, error);
    end(&b);
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
    return share < PURE ? 0 : share > 1.0f - PURE ? 1 : 2;
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
    return own_weight(old->closed, point, joint) != own_weight(now->closed, point, joint) ||
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
static uint32_t list_around(Build* b, const uint32_t* points, uint32_t count, uint32_t* out) {
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
static bool is_hinged(const Build* b, uint32_t point) {
    const sniClosed* closed = b->volume->closed;
    for (uint32_t c = closed->corner_starts[point]; c < closed->corner_starts[point + 1]; c++) {
        const sniFace* face = &closed->faces[closed->corners[c] / 4];
        uint8_t kind = b->hold.classes[face->at[0]];
        for (int i = 0; i < 4; i++)
            if (b->hold.classes[face->at[i]] != kind || kind == 2) return true;
    }
    return false;
}

// A joint is stale where its frame is another, where it moves a painted point otherwise, or where it bends a
// face around one, for then it asks what all joints do there.
static bool is_stale(Build* b, uint32_t joint, const uint32_t* changed, uint32_t count,
                     const uint32_t* around, uint32_t around_count) {
    const snExactVolume* v = b->volume;
    for (uint32_t k = 0; k < b->def->joint_count; k++) {
        uint32_t j = b->def->order[k], parent = b->def->joints[j].parent;
        b->hold.below[j] = j == joint || (parent != SN_NONE && b->hold.below[parent] != 0);
    }
    Weighed old = {b->old->closed, b->hold.below}, now = {v->closed, b->hold.below};
    bool stale = !same_frame(&b->old->joints[joint], &v->joints[joint]);
    for (uint32_t c = 0; c < count && !stale; c++) stale = is_touched(&old, &now, joint, changed[c]);
    if (stale) return true;
    // No class has changed, so what is bent now was bent before.
    for (uint32_t i = 0; i < around_count; i++) b->hold.classes[around[i]] = class_of(&now, around[i]);
    for (uint32_t c = 0; c < count && !stale; c++) stale = is_hinged(b, changed[c]);
    return stale;
}

static snResult find_stale(Build* b, uint8_t* stale, snError* error) {
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

static snResult keep_joint(Build* b, uint32_t joint, snError* error) {
    snExactVolume* v = b->volume;
    v->joints[joint].length = b->old->joints[joint].length;
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
    Build b = {.def = def, .volume = volume, .memory = &volume->allocator, .old = old};
    volume->patches = NULL;
    volume->patch_count = 0;
    snResult result = begin(&b, error);
    if (result == SN_RESULT_OK) result = find_stale(&b, stale, error);
    for (uint32_t i = 0; i < def->joint_count && result == SN_RESULT_OK; i++) {
        uint32_t joint = def->order[i];
        result = stale[joint] != 0 ? add_joint(&b, joint, error) : keep_joint(&b, joint, error);
    }
    if (result == SN_RESULT_OK) result = share_volumes(&b, error);
    if (result == SN_RESULT_OK) result = schedule(&b, error);
    end(&b);
    return result;
}
