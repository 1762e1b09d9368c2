// One joint bent alone, while tables are made: rules about shapes go only so far; what a move does to a fold
// is seen best by trying it.
#include "volume/trial.h"

#include "base/memory.h"
#include "shape/crossings.h"

bool sni_trial_create(const sniClosed* closed, uint32_t joint_count, const snAllocator* memory,
                      sniTrial* out) {
    *out = (sniTrial){.closed = closed, .memory = memory};
    uint32_t triangles = 0, points = closed->point_count;
    for (uint32_t f = 0; f < closed->real_faces; f++)
        triangles += sni_face_is_triangle(&closed->faces[f]) ? 1 : 2;
    out->shares = SNI_NEW_ARRAY(memory, float, points);
    out->below = SNI_NEW_ARRAY(memory, uint8_t, joint_count);
    out->points = SNI_NEW_ARRAY(memory, snVec3, points);
    out->before = SNI_NEW_ARRAY(memory, snVec3, points);
    out->triangles = (uint32_t(*)[3])sni_alloc_array(memory, triangles, 3 * sizeof(uint32_t));
    out->active = SNI_NEW_ARRAY(memory, uint8_t, triangles);
    out->capacity = 4 * triangles;
    out->crossings = SNI_NEW_ARRAY(memory, snCrossing, out->capacity);
    out->scratch = sni_alloc_array(memory, sn_crossings_scratch_size(triangles), 1);
    if (out->shares != NULL && out->below != NULL && out->points != NULL && out->before != NULL &&
        out->triangles != NULL && out->active != NULL && out->crossings != NULL && out->scratch != NULL)
        return true;
    sni_trial_free(out);
    return false;
}

void sni_trial_free(sniTrial* t) {
    if (t->memory == NULL) return;
    void* arrays[] = {t->shares,    t->below,  t->points,    t->before,
                      t->triangles, t->active, t->crossings, t->scratch};
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
    t->place = def->joints[joint].place;
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

void sni_trial_turn(sniTrial* t, snQuat turn) {
    for (uint32_t i = 0; i < t->closed->point_count; i++) {
        snVec3 rest = t->closed->rest[i], arm = sn_sub(rest, t->place);
        float share = t->shares[i];
        snVec3 at = rest;
        if (share > 0.0f) at = sn_lerp(rest, sn_add(t->place, sn_quat_rotate(turn, arm)), share);
        t->points[i] = t->before[i] = at;
    }
}

bool sni_trial_mark(sniTrial* t) {
    bool any = false;
    for (uint32_t i = 0; i < t->triangle_count; i++) {
        t->active[i] = 0;
        for (int k = 0; k < 3; k++) {
            snVec3 now = t->points[t->triangles[i][k]], was = t->before[t->triangles[i][k]];
            t->active[i] |= now.x != was.x || now.y != was.y || now.z != was.z;
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
