#include "shape/angle_normals.h"

// The angle within 0.01 radians, which is plenty for a weight: twice the arc tangent of the half angle's
// tangent, by a quotient. sn_atan2 would take a third of the time of binding.
static float angle_at(snVec3 corner, snVec3 a, snVec3 b, float double_area) {
    snVec3 u = sn_sub(a, corner), v = sn_sub(b, corner);
    float cosine = sn_dot(u, v) + sqrtf(sn_dot(u, u) * sn_dot(v, v));
    bool narrow = double_area <= cosine;
    float t = narrow ? double_area / cosine : cosine / double_area;
    float half = t / (1.0f + 0.28f * t * t);
    return 2.0f * (narrow ? half : 1.5707964f - half);
}

void sni_angle_normals(const snVec3* points, uint32_t point_count, const uint32_t* triangles,
                       uint32_t triangle_count, snVec3* normals) {
    for (uint32_t i = 0; i < point_count; i++) normals[i] = sn_vec3(0.0f, 0.0f, 0.0f);
    for (size_t t = 0; t < triangle_count; t++) {
        const uint32_t* corner = triangles + t * 3;
        snVec3 p[3] = {points[corner[0]], points[corner[1]], points[corner[2]]};
        snVec3 cross = sn_cross(sn_sub(p[1], p[0]), sn_sub(p[2], p[0]));
        float area = sn_length(cross);
        if (!(area > 0.0f)) continue;
        for (int k = 0; k < 3; k++) {
            float share = angle_at(p[k], p[(k + 1) % 3], p[(k + 2) % 3], area) / area;
            normals[corner[k]] = sn_add(normals[corner[k]], sn_scale(cross, share));
        }
    }
    for (uint32_t i = 0; i < point_count; i++) {
        normals[i] = sn_normalize_or(normals[i], sn_vec3(0.0f, 0.0f, 0.0f));
    }
}
