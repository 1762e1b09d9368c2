// One joint bent alone, while tables are made: rules about shapes go only so far; what a move does to a fold
// is seen best by trying it.
#include "volume/trial.h"

#include <string.h>

#include "base/memory.h"

static bool allocate(sniTrial* t, uint32_t triangles) {
    const snAllocator* memory = t->memory;
    uint32_t points = t->closed->point_count;
    t->stance = SNI_NEW_ARRAY(memory, snMat4, t->joint_count);
    t->pose = SNI_NEW_ARRAY(memory, snMat4, t->joint_count);
    t->standing = SNI_NEW_ARRAY(memory, snVec3, points);
    t->shares = SNI_NEW_ARRAY(memory, float, points);
    t->below = SNI_NEW_ARRAY(memory, uint8_t, t->joint_count);
    t->points = SNI_NEW_ARRAY(memory, snVec3, points);
    t->before = SNI_NEW_ARRAY(memory, snVec3, points);
    t->active = SNI_NEW_ARRAY(memory, uint8_t, triangles);
    t->skin_scratch = sni_alloc_array(memory, sn_skin_dual_scratch_size(t->joint_count), 1);
    t->owners = SNI_NEW_ARRAY(memory, uint16_t, points);
    for (int k = 0; k < 2; k++) t->zones[k] = SNI_NEW_ARRAY(memory, double, t->joint_count);
    return t->owners != NULL && t->zones[0] != NULL && t->zones[1] != NULL && t->stance != NULL &&
           t->pose != NULL && t->standing != NULL && t->shares != NULL && t->below != NULL &&
           t->points != NULL && t->before != NULL && t->active != NULL && t->skin_scratch != NULL &&
           sni_sheets_create(t->closed, memory, &t->sheets);
}

static void pose_surface(const sniTrial* t, const snMat4* matrices, snVec3* out) {
    snSkinJob job = {.point_count = t->closed->point_count,
                     .points = t->closed->rest,
                     .influences = t->closed->influences,
                     .joints = t->closed->joints,
                     .weights = t->closed->weights,
                     .matrix_count = t->joint_count,
                     .matrices = matrices,
                     .out_points = out,
                     .scratch = t->skin_scratch};
    if (t->skin != NULL && t->skin->pose(t->skin->user, matrices, t->curves) == SN_RESULT_OK) {
        job.influences = t->skin->influences;
        job.joints = t->curve_ids;
        job.weights = t->curve_weights;
        job.matrix_count = t->skin->matrix_count;
        job.matrices = t->curves;
        sn_skin_linear_run(&job);
    } else if (t->dual) {
        sn_skin_dual_run(&job);
    } else {
        sn_skin_linear_run(&job);
    }
}

// What no curve moves hangs on its joints, as many as there is room for.
static void fill_curves(const sniTrial* t) {
    const sniClosed* closed = t->closed;
    uint32_t part = 0, influences = t->skin->influences;
    for (uint32_t i = 0; i < closed->point_count; i++) {
        uint32_t vertex = closed->vertices[i];
        while (vertex >= closed->vertex_starts[part + 1]) part++;
        bool curved = t->skin->matrices[part] != NULL;
        size_t to = (size_t)i * influences, from = (size_t)i * closed->influences;
        if (curved) from = (size_t)(vertex - closed->vertex_starts[part]) * influences;
        const uint16_t* ids = curved ? t->skin->matrices[part] : closed->joints;
        const float* weights = curved ? t->skin->weights[part] : closed->weights;
        for (uint32_t k = 0; k < influences && (curved || k < closed->influences); k++) {
            t->curve_ids[to + k] = ids[from + k];
            t->curve_weights[to + k] = weights[from + k];
        }
    }
}

static bool create_curves(sniTrial* t) {
    if (t->skin == NULL) return true;
    size_t count = (size_t)t->closed->point_count * t->skin->influences;
    t->curve_ids = SNI_NEW_ARRAY(t->memory, uint16_t, count);
    t->curve_weights = SNI_NEW_ARRAY(t->memory, float, count);
    t->curves = SNI_NEW_ARRAY(t->memory, snMat4, t->skin->matrix_count);
    if (t->curve_ids == NULL || t->curve_weights == NULL || t->curves == NULL) return false;
    fill_curves(t);
    return true;
}

static uint16_t owner_of(const sniClosed* closed, uint32_t point) {
    size_t first = (size_t)point * closed->influences, best = first;
    for (size_t k = first; k < first + closed->influences; k++)
        if (closed->weights[k] > closed->weights[best]) best = k;
    return closed->joints[best];
}

bool sni_trial_create(const snExactVolumeDef* def, const sniClosed* closed, const snAllocator* memory,
                      sniTrial* out) {
    *out = (sniTrial){.closed = closed, .memory = memory, .dual = def->dual, .joint_count = def->joint_count};
    uint32_t triangles = 0;
    for (uint32_t f = 0; f < closed->real_faces; f++)
        triangles += sni_face_is_triangle(&closed->faces[f]) ? 1 : 2;
    out->skin = def->curves;
    if (!allocate(out, triangles) || !create_curves(out)) {
        sni_trial_free(out);
        return false;
    }
    for (uint32_t j = 0; j < def->joint_count; j++)
        out->stance[j] = def->stance != NULL ? def->stance[j] : sn_mat4_identity();
    for (uint32_t i = 0; i < closed->point_count; i++) out->owners[i] = owner_of(closed, i);
    pose_surface(out, out->stance, out->standing);
    return true;
}

void sni_trial_free(sniTrial* t) {
    if (t->memory == NULL) return;
    void* arrays[] = {t->owners,   t->zones[0],     t->zones[1],  t->shares,        t->below,
                      t->points,   t->before,       t->active,    t->stance,        t->pose,
                      t->standing, t->skin_scratch, t->curve_ids, t->curve_weights, t->curves};
    sni_sheets_free(&t->sheets);
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(t->memory, arrays[i]);
    *t = (sniTrial){0};
}

static void fill_shares(sniTrial* t, const snExactVolumeDef* def, uint32_t joint) {
    const sniClosed* closed = t->closed;
    for (uint32_t i = 0; i < def->joint_count; i++) {
        uint32_t j = def->order[i], parent = def->joints[j].parent;
        t->below[j] = j == joint || (parent != SN_NONE && t->below[parent] != 0);
    }
    for (uint32_t i = 0; i < closed->point_count; i++) {
        size_t at = (size_t)i * closed->influences;
        float share = 0.0f;
        for (uint32_t k = 0; k < closed->influences; k++)
            share += t->below[closed->joints[at + k]] != 0 ? closed->weights[at + k] : 0.0f;
        t->shares[i] = sn_clampf(share, 0.0f, 1.0f);
    }
}

void sni_trial_aim(sniTrial* t, const snExactVolumeDef* def, uint32_t joint, snVec3 middle, float reach) {
    fill_shares(t, def, joint);
    t->bind_place = def->joints[joint].place;
    t->place = sn_mat4_point(&t->stance[joint], def->joints[joint].place);
    sni_sheets_aim(&t->sheets, middle, reach);
}

// Between staying and the whole turn.
static snQuat part_of_turn(snQuat turn, float share) {
    if (turn.w < 0.0f) turn = sn_quat(-turn.x, -turn.y, -turn.z, -turn.w);
    return sn_quat_normalize(
        sn_quat(share * turn.x, share * turn.y, share * turn.z, share * turn.w + 1.0f - share));
}

void sni_trial_turn(sniTrial* t, snQuat turn) {
    snTrs trs = {sn_sub(t->place, sn_quat_rotate(turn, t->place)), turn, sn_vec3(1, 1, 1)};
    snMat4 move = sn_mat4_from_trs(&trs);
    sni_trial_move(t, &move);
}

void sni_trial_move(sniTrial* t, const snMat4* move) {
    for (uint32_t j = 0; j < t->joint_count; j++)
        t->pose[j] = t->below[j] != 0 ? sn_mat4_mul(move, &t->stance[j]) : t->stance[j];
    pose_surface(t, t->pose, t->before);
    memcpy(t->points, t->before, t->closed->point_count * sizeof *t->points);
}

static snVec3 area_of(const uint32_t triangle[3], const snVec3* points) {
    snVec3 a = points[triangle[0]];
    return sn_cross(sn_sub(points[triangle[1]], a), sn_sub(points[triangle[2]], a));
}

double sni_trial_turned_over(const sniTrial* t, snQuat turn, const snVec3* points) {
    const snQuat stay = {0.0f, 0.0f, 0.0f, 1.0f};
    double sum = 0.0;
    for (uint32_t i = 0; i < t->sheets.triangle_count; i++) {
        if (t->active[i] == 0) continue;
        const uint32_t* at = t->sheets.triangles[i];
        float share = (t->shares[at[0]] + t->shares[at[1]] + t->shares[at[2]]) / 3.0f;
        snVec3 rest = area_of(at, t->standing);
        snQuat part = share >= 1.0f ? turn : share <= 0.0f ? stay : part_of_turn(turn, share);
        if (sn_dot(area_of(at, points), sn_quat_rotate(part, rest)) < 0.0f)
            sum += 0.5 * (double)sn_length(rest);
    }
    return sum;
}

bool sni_trial_mark(sniTrial* t, float least) {
    bool any = false;
    for (uint32_t i = 0; i < t->sheets.triangle_count; i++) {
        t->active[i] = 0;
        for (int k = 0; k < 3; k++) {
            snVec3 move = sn_sub(t->points[t->sheets.triangles[i][k]], t->before[t->sheets.triangles[i][k]]);
            t->active[i] |= sn_dot(move, move) > least * least;
        }
        any |= t->active[i] != 0;
    }
    return any;
}

double sni_trial_cut_zones(sniTrial* t, const snVec3* points, double* zones) {
    memset(zones, 0, t->joint_count * sizeof *zones);
    t->sheets.owners = t->owners;
    t->sheets.zones = zones;
    double sum = sni_sheets_cuts(&t->sheets, points, t->active);
    t->sheets.zones = NULL;
    return sum;
}

double sni_trial_cuts(sniTrial* t, const snVec3* points) {
    return sni_sheets_cuts(&t->sheets, points, t->active);
}
