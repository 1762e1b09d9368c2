// Normals after a correction: each turns as the surface around its point did, so that normals an artist made
// stay what they are wherever nothing moved.
//
// The gradient of the volume at a point is a third of the area around it as a vector, so the kernels that
// correct also tell how a surface turned.
#include "volume/run.h"

#define BLOCKS_PER_TASK 64u

typedef struct Turn {
    sniRun* run;
    const sniRings* rings;
} Turn;

static void fill_gradients(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    const Turn* turn = context;
    const sniRings* rings = turn->rings;
    (void)worker;
    for (int i = 0; i < 2; i++) {
        turn->run->kernels->gradients(rings->blocks, rings->triangle_blocks, begin, end, rings->entries,
                                      turn->run->ring_places[i], turn->run->ring_gradients[i]);
    }
}

static snVec3 of_vec4(snVec4 v) { return sn_vec3(v.x, v.y, v.z); }

// The shortest rotation that takes the unit vector a to b, applied to n.
static snVec3 turned(snVec3 n, snVec3 a, snVec3 b) {
    snVec3 axis = sn_cross(a, b);
    float cosine = sn_dot(a, b);
    if (!(cosine > -0.99f)) return n;
    snVec3 out = sn_add(sn_scale(n, cosine), sn_cross(axis, n));
    out = sn_add(out, sn_scale(axis, sn_dot(axis, n) / (1.0f + cosine)));
    return sn_normalize_or(out, n);
}

void sni_run_normals(sniRun* run) {
    const snExactVolume* v = run->volume;
    const sniClosed* closed = v->closed;
    // What the surface was like before, per point; afterwards also where it has turned to.
    for (uint32_t s = 0; s < closed->shell_count; s++) {
        const sniRings* rings = v->shells[s].rings;
        if (rings == NULL) continue;
        for (uint32_t i = 0; i < rings->total; i++) {
            run->ring_places[0][i] = run->before[rings->ids[i]];
            run->ring_places[1][i] = run->points[rings->ids[i]];
        }
        Turn turn = {run, rings};
        sn_tasks_run(run->job->tasks, fill_gradients, &turn, rings->block_count, BLOCKS_PER_TASK);
        for (uint32_t i = 0; i < rings->inner; i++) {
            if (rings->real[i] == 0) continue;
            run->turns[rings->ids[i]][0] = of_vec4(run->ring_gradients[0][i]);
            run->turns[rings->ids[i]][1] = of_vec4(run->ring_gradients[1][i]);
        }
    }
    for (uint32_t part = 0; part < closed->part_count; part++) {
        uint32_t first = closed->vertex_starts[part], count = closed->vertex_starts[part + 1] - first;
        snVec3* normals = run->job->normals[part];
        for (uint32_t i = 0; i < count; i++) {
            uint32_t point = closed->points[first + i], shell = closed->point_shells[point];
            if (shell == SN_NONE || v->shells[shell].rings == NULL) continue;
            snVec3 from = run->turns[point][0], to = run->turns[point][1];
            if (from.x == to.x && from.y == to.y && from.z == to.z) continue;
            snVec3 zero = {0, 0, 0};
            from = sn_normalize_or(from, zero);
            to = sn_normalize_or(to, zero);
            if (sn_dot(from, from) > 0.5f && sn_dot(to, to) > 0.5f) normals[i] = turned(normals[i], from, to);
        }
    }
}
