// One joint bent alone, while tables are made: rules about shapes go only so far; what a move does to a fold
// is seen best by trying it.
#include "volume/trial.h"

#include <string.h>

#include "base/memory.h"
#include "shape/crossings.h"

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
    t->triangles = (uint32_t(*)[3])sni_alloc_array(memory, triangles, 3 * sizeof(uint32_t));
    t->active = SNI_NEW_ARRAY(memory, uint8_t, triangles);
    t->capacity = 4 * triangles;
    t->crossings = SNI_NEW_ARRAY(memory, snCrossing, t->capacity);
    t->scratch = sni_alloc_array(memory, sn_crossings_scratch_size(triangles), 1);
    t->skin_scratch = sni_alloc_array(memory, sn_skin_dual_scratch_size(t->joint_count), 1);
    return t->stance != NULL && t->pose != NULL && t->standing != NULL && t->shares != NULL &&
           t->below != NULL && t->points != NULL && t->before != NULL && t->triangles != NULL &&
           t->active != NULL && t->crossings != NULL && t->scratch != NULL && t->skin_scratch != NULL;
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
    if (t->dual)
        sn_skin_dual_run(&job);
    else
        sn_skin_linear_run(&job);
}

bool sni_trial_create(const snExactVolumeDef* def, const sniClosed* closed, const snAllocator* memory,
                      sniTrial* out) {
    *out = (sniTrial){.closed = closed, .memory = memory, .dual = def->dual, .joint_count = def->joint_count};
    uint32_t triangles = 0;
    for (uint32_t f = 0; f < closed->real_faces; f++)
        triangles += sni_face_is_triangle(&closed->faces[f]) ? 1 : 2;
    if (!allocate(out, triangles)) {
        sni_trial_free(out);
        return false;
    }
    for (uint32_t j = 0; j < def->joint_count; j++)
        out->stance[j] = def->stance != NULL ? def->stance[j] : sn_mat4_identity();
    pose_surface(out, out->stance, out->standing);
    return true;
}

void sni_trial_free(sniTrial* t) {
    if (t->memory == NULL) return;
    void* arrays[] = {t->shares, t->below,     t->points,  t->before, t->triangles, t->active,
                      t->stance, t->crossings, t->scratch, t->pose,   t->standing,  t->skin_scratch};
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
    const sniClosed* closed = t->closed;
    fill_shares(t, def, joint);
    t->place = sn_mat4_point(&t->stance[joint], def->joints[joint].place);
    t->triangle_count = 0;
    for (uint32_t f = 0; f < closed->real_faces; f++) {
        const uint32_t* at = closed->faces[f].at;
        if (!(sn_distance(closed->rest[at[0]], middle) < reach)) continue;
        for (uint32_t k = 2; k < (sni_face_is_triangle(&closed->faces[f]) ? 3u : 4u); k++) {
            uint32_t* triangle = t->triangles[t->triangle_count++];
            triangle[0] = at[0], triangle[1] = at[k - 1], triangle[2] = at[k];
        }
    }
}

// Between staying and the whole turn.
static snQuat part_of_turn(snQuat turn, float share) {
    if (turn.w < 0.0f) turn = sn_quat(-turn.x, -turn.y, -turn.z, -turn.w);
    return sn_quat_normalize(
        sn_quat(share * turn.x, share * turn.y, share * turn.z, share * turn.w + 1.0f - share));
}

void sni_trial_turn(sniTrial* t, snQuat turn) {
    snTrs trs = {sn_sub(t->place, sn_quat_rotate(turn, t->place)), turn, sn_vec3(1, 1, 1)};
    snMat4 turned = sn_mat4_from_trs(&trs);
    for (uint32_t j = 0; j < t->joint_count; j++)
        t->pose[j] = t->below[j] != 0 ? sn_mat4_mul(&turned, &t->stance[j]) : t->stance[j];
    pose_surface(t, t->pose, t->before);
    memcpy(t->points, t->before, t->closed->point_count * sizeof *t->points);
}

static snVec3 area_of(const uint32_t triangle[3], const snVec3* points) {
    snVec3 a = points[triangle[0]];
    return sn_cross(sn_sub(points[triangle[1]], a), sn_sub(points[triangle[2]], a));
}

double sni_trial_turned_over(const sniTrial* t, snQuat turn, const snVec3* points) {
    double sum = 0.0;
    for (uint32_t i = 0; i < t->triangle_count; i++) {
        if (t->active[i] == 0) continue;
        const uint32_t* at = t->triangles[i];
        float share = (t->shares[at[0]] + t->shares[at[1]] + t->shares[at[2]]) / 3.0f;
        snVec3 rest = area_of(at, t->standing);
        if (sn_dot(area_of(at, points), sn_quat_rotate(part_of_turn(turn, share), rest)) < 0.0f)
            sum += 0.5 * (double)sn_length(rest);
    }
    return sum;
}

bool sni_trial_mark(sniTrial* t, float least) {
    bool any = false;
    for (uint32_t i = 0; i < t->triangle_count; i++) {
        t->active[i] = 0;
        for (int k = 0; k < 3; k++) {
            snVec3 move = sn_sub(t->points[t->triangles[i][k]], t->before[t->triangles[i][k]]);
            t->active[i] |= sn_dot(move, move) > least * least;
        }
        any |= t->active[i] != 0;
    }
    return any;
}

double sni_trial_cuts(sniTrial* t, const snVec3* points) {
    snCrossingsJob job = {.point_count = t->closed->point_count,
                          .points = points,
                          .triangle_count = t->triangle_count,
                          .triangles = (const uint32_t(*)[3])t->triangles,
                          .active = t->active,
                          .scratch = t->scratch,
                          .capacity = t->capacity,
                          .out_crossings = t->crossings};
    if (sn_crossings_run(&job) != SN_RESULT_OK) return 0.0;
    double sum = 0.0;
    for (uint32_t i = 0; i < job.out_count && i < t->capacity; i++) {
        const uint32_t *a = t->triangles[t->crossings[i].a], *b = t->triangles[t->crossings[i].b];
        const snVec3 first[3] = {points[a[0]], points[a[1]], points[a[2]]},
                     second[3] = {points[b[0]], points[b[1]], points[b[2]]};
        sum += (double)sni_triangles_cut(first, second);
    }
    return sum;
}
