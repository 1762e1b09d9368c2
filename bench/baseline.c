#include <math.h>

#include "bench.h"

void bench_baseline_linear(const BenchScene* scene) {
    for (uint32_t v = 0; v < scene->vertices; v++) {
        float m[12] = {0};
        for (uint32_t i = 0; i < scene->influences; i++) {
            float w = scene->weights[v * scene->influences + i];
            const float* joint = scene->matrices[scene->skin_joints[v * scene->influences + i]].m;
            for (int c = 0; c < 4; c++) {
                for (int r = 0; r < 3; r++) m[3 * c + r] += w * joint[4 * c + r];
            }
        }
        snVec3 p = scene->points[v];
        scene->out_points[v] =
            sn_vec3(m[0] * p.x + m[3] * p.y + m[6] * p.z + m[9], m[1] * p.x + m[4] * p.y + m[7] * p.z + m[10],
                    m[2] * p.x + m[5] * p.y + m[8] * p.z + m[11]);
        snVec3 a = {m[0], m[1], m[2]}, b = {m[3], m[4], m[5]}, c = {m[6], m[7], m[8]};
        snVec3 n = scene->normals[v];
        snVec3 turned = sn_add(sn_add(sn_scale(sn_cross(b, c), n.x), sn_scale(sn_cross(c, a), n.y)),
                               sn_scale(sn_cross(a, b), n.z));
        scene->out_normals[v] = sn_normalize_or(turned, n);
    }
}
