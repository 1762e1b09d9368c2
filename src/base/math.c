#include "sinew/math.h"

#include <float.h>

// ------------------------------------------------------------------------------------------ quaternions

snQuat sn_quat_normalize(snQuat q) {
    float length2 = sn_quat_dot(q, q);
    if (fabsf(length2 - 1.0f) <= 4.5e-7f) return q; // what normalising leaves at most
    float length = sqrtf(length2);
    if (!(length > 1e-30f) || !sn_finite(length)) return sn_quat_identity();
    float s = 1.0f / length;
    return sn_quat(q.x * s, q.y * s, q.z * s, q.w * s);
}

snQuat sn_quat_axis_angle(snVec3 axis, float radians) {
    snVec3 unit = sn_normalize_or(axis, sn_vec3(0.0f, 0.0f, 0.0f));
    float s = sn_sin(0.5f * radians);
    snQuat q = {unit.x * s, unit.y * s, unit.z * s, sn_cos(0.5f * radians)};
    return sn_quat_normalize(q);
}

// Any unit vector at a right angle to `v`.
static snVec3 perpendicular(snVec3 v) {
    snVec3 least = fabsf(v.x) < fabsf(v.y) ? (fabsf(v.x) < fabsf(v.z) ? sn_vec3(1, 0, 0) : sn_vec3(0, 0, 1))
                                           : (fabsf(v.y) < fabsf(v.z) ? sn_vec3(0, 1, 0) : sn_vec3(0, 0, 1));
    return sn_normalize_or(sn_cross(v, least), sn_vec3(1, 0, 0));
}

snQuat sn_quat_between(snVec3 from, snVec3 to) {
    snVec3 a = sn_normalize_or(from, sn_vec3(0, 0, 0));
    snVec3 b = sn_normalize_or(to, sn_vec3(0, 0, 0));
    float d = sn_dot(a, b);
    // Opposite directions leave the axis open; half a turn about any perpendicular one will do.
    if (d < -0.999999f) {
        snVec3 axis = perpendicular(a);
        return sn_quat(axis.x, axis.y, axis.z, 0.0f);
    }
    snVec3 c = sn_cross(a, b);
    return sn_quat_normalize(sn_quat(c.x, c.y, c.z, 1.0f + d));
}

snQuat sn_quat_slerp(snQuat a, snQuat b, float t) {
    float d = sn_quat_dot(a, b);
    if (d < 0.0f) {
        b = sn_quat(-b.x, -b.y, -b.z, -b.w);
        d = -d;
    }
    float wa = 1.0f - t;
    float wb = t;
    if (d < 0.9995f) {
        // atan2 keeps its precision at small angles, where acos loses half its digits.
        snQuat difference = {b.x - a.x, b.y - a.y, b.z - a.z, b.w - a.w};
        snQuat sum = {b.x + a.x, b.y + a.y, b.z + a.z, b.w + a.w};
        float angle =
            2.0f * sn_atan2(sqrtf(sn_quat_dot(difference, difference)), sqrtf(sn_quat_dot(sum, sum)));
        float s = 1.0f / sn_sin(angle);
        wa = sn_sin(wa * angle) * s;
        wb = sn_sin(wb * angle) * s;
    }
    return sn_quat_normalize(
        sn_quat(wa * a.x + wb * b.x, wa * a.y + wb * b.y, wa * a.z + wb * b.z, wa * a.w + wb * b.w));
}

snQuat sn_quat_from_mat4(const snMat4* matrix) {
    const float* m = matrix->m;
    float m00 = m[0], m10 = m[1], m20 = m[2];
    float m01 = m[4], m11 = m[5], m21 = m[6];
    float m02 = m[8], m12 = m[9], m22 = m[10];
    // The largest of the four components is computed first, so that no division is by something small.
    snQuat q;
    if (m00 + m11 + m22 > 0.0f) {
        q = sn_quat(m21 - m12, m02 - m20, m10 - m01, 1.0f + m00 + m11 + m22);
    } else if (m00 > m11 && m00 > m22) {
        q = sn_quat(1.0f + m00 - m11 - m22, m10 + m01, m02 + m20, m21 - m12);
    } else if (m11 > m22) {
        q = sn_quat(m10 + m01, 1.0f + m11 - m00 - m22, m21 + m12, m02 - m20);
    } else {
        q = sn_quat(m02 + m20, m21 + m12, 1.0f + m22 - m00 - m11, m10 - m01);
    }
    return sn_quat_normalize(q);
}

// ------------------------------------------------------------------------------------------- transforms

snMat4 sn_mat4_identity(void) {
    snMat4 m = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
    return m;
}

snMat4 sn_mat4_mul(const snMat4* a, const snMat4* b) {
    snMat4 out;
    for (int column = 0; column < 4; column++) {
        for (int row = 0; row < 4; row++) {
            float sum = a->m[row] * b->m[column * 4];
            for (int k = 1; k < 4; k++) sum += a->m[k * 4 + row] * b->m[column * 4 + k];
            out.m[column * 4 + row] = sum;
        }
    }
    return out;
}

snMat4 sn_mat4_from_trs(const snTrs* trs) {
    snQuat q = trs->rotation;
    snVec3 s = trs->scale;
    float xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    float xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    float wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    snMat4 m = {{(1.0f - 2.0f * (yy + zz)) * s.x, 2.0f * (xy + wz) * s.x, 2.0f * (xz - wy) * s.x, 0.0f,
                 2.0f * (xy - wz) * s.y, (1.0f - 2.0f * (xx + zz)) * s.y, 2.0f * (yz + wx) * s.y, 0.0f,
                 2.0f * (xz + wy) * s.z, 2.0f * (yz - wx) * s.z, (1.0f - 2.0f * (xx + yy)) * s.z, 0.0f,
                 trs->translation.x, trs->translation.y, trs->translation.z, 1.0f}};
    return m;
}

snMat4 sn_mat4_from_rigid(const snRigid* rigid) {
    snTrs trs = {rigid->translation, rigid->rotation, {1.0f, 1.0f, 1.0f}};
    return sn_mat4_from_trs(&trs);
}

static snVec3 column(const snMat4* m, int index) {
    return sn_vec3(m->m[index * 4], m->m[index * 4 + 1], m->m[index * 4 + 2]);
}

bool sn_mat4_inverse_affine(const snMat4* matrix, snMat4* out) {
    // In doubles: characters a few centimetres tall with their scale in the root have tiny determinants.
    const float* m = matrix->m;
    double a = m[0], b = m[4], c = m[8];
    double d = m[1], e = m[5], f = m[9];
    double g = m[2], h = m[6], i = m[10];
    double c00 = e * i - f * h, c01 = c * h - b * i, c02 = b * f - c * e;
    double c10 = f * g - d * i, c11 = a * i - c * g, c12 = c * d - a * f;
    double c20 = d * h - e * g, c21 = b * g - a * h, c22 = a * e - b * d;
    double determinant = a * c00 + b * c10 + c * c20;
    if (!(determinant > 0.0 || determinant < 0.0)) return false;
    double s = 1.0 / determinant;
    if (s - s != 0.0) return false;
    double tx = m[12], ty = m[13], tz = m[14];
    snMat4 r = {{(float)(c00 * s), (float)(c10 * s), (float)(c20 * s), 0.0f, //
                 (float)(c01 * s), (float)(c11 * s), (float)(c21 * s), 0.0f, //
                 (float)(c02 * s), (float)(c12 * s), (float)(c22 * s), 0.0f, //
                 (float)(-(c00 * tx + c01 * ty + c02 * tz) * s),
                 (float)(-(c10 * tx + c11 * ty + c12 * tz) * s),
                 (float)(-(c20 * tx + c21 * ty + c22 * tz) * s), 1.0f}};
    *out = r;
    return true;
}

bool sn_trs_from_mat4(const snMat4* m, snTrs* out) {
    snVec3 x = column(m, 0), y = column(m, 1), z = column(m, 2);
    snVec3 scale = {sn_length(x), sn_length(y), sn_length(z)};
    if (sn_dot(sn_cross(x, y), z) < 0.0f) scale.x = -scale.x;
    // Gram-Schmidt from the z axis gives a proper rotation even for flat or sheared matrices.
    snVec3 uz = sn_normalize_or(z, sn_normalize_or(sn_cross(x, y), sn_vec3(0, 0, 1)));
    snVec3 uy = sn_normalize_or(sn_sub(y, sn_scale(uz, sn_dot(y, uz))), perpendicular(uz));
    snVec3 ux = sn_cross(uy, uz);
    snMat4 rotation = {{ux.x, ux.y, ux.z, 0, uy.x, uy.y, uy.z, 0, uz.x, uz.y, uz.z, 0, 0, 0, 0, 1}};
    snTrs trs = {sn_mat4_translation(m), sn_quat_from_mat4(&rotation), scale};
    *out = trs;

    snMat4 rebuilt = sn_mat4_from_trs(&trs);
    float size = sn_length(x) + sn_length(y) + sn_length(z);
    for (int i = 0; i < 11; i++) {
        if (fabsf(rebuilt.m[i] - m->m[i]) > 1e-4f * size) return false;
    }
    return true;
}

// ----------------------------------------------------------------------------------------------- bounds

snBounds sn_bounds_empty(void) {
    snBounds b = {{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};
    return b;
}

snBounds sn_bounds_of(const snVec3* points, uint32_t count) {
    snBounds b = sn_bounds_empty();
    for (uint32_t i = 0; i < count; i++) b = sn_bounds_add(b, points[i]);
    return b;
}

float sn_bounds_diagonal(snBounds b) {
    if (b.min.x > b.max.x) return 0.0f;
    // In doubles: a box near the largest float must not overflow to infinity.
    double x = (double)b.max.x - (double)b.min.x;
    double y = (double)b.max.y - (double)b.min.y;
    double z = (double)b.max.z - (double)b.min.z;
    double diagonal = sqrt(x * x + y * y + z * z);
    return diagonal < (double)FLT_MAX ? (float)diagonal : FLT_MAX;
}
