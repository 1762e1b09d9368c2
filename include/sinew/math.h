// Sinew: vectors, quaternions, transforms, and transcendental functions with the same bits everywhere.
//
// Conventions, stated once for the whole product:
//   right-handed, +Y up, +Z forward; metres, radians, seconds;
//   column vectors, column-major matrices (m[column * 4 + row], translation in m[12..14]);
//   quaternions are x, y, z, w and unit length unless said otherwise;
//   faces are counter-clockwise seen from outside.
#ifndef SINEW_MATH_H
#define SINEW_MATH_H

#include <math.h>

#include "sinew/base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SN_PI 3.14159265358979323846f

typedef struct snVec2 {
    float x, y;
} snVec2;
typedef struct snVec3 {
    float x, y, z;
} snVec3;
typedef struct snVec4 {
    float x, y, z, w;
} snVec4;
typedef struct snQuat {
    float x, y, z, w;
} snQuat;
typedef struct snMat4 {
    float m[16];
} snMat4;
// Rotation then translation.
typedef struct snRigid {
    snQuat rotation;
    snVec3 translation;
} snRigid;
// Scale, then rotation, then translation: a glTF node's local transform.
typedef struct snTrs {
    snVec3 translation;
    snQuat rotation;
    snVec3 scale;
} snTrs;
typedef struct snBounds {
    snVec3 min, max;
} snBounds;

// Transcendental functions: the same bits on every compiler, instruction set and platform (WASM included),
// at most 2 ulp from the exact value. NaN in gives NaN out. sqrtf of libm is exact by IEEE 754 and is used
// as it is.
SN_API float sn_sin(float radians);
SN_API float sn_cos(float radians);
SN_API float sn_tan(float radians);
SN_API float sn_atan2(float y, float x); // quadrants and signed zeros as C's atan2f
SN_API float sn_acos(float x);           // NaN outside [-1, 1]
SN_API float sn_asin(float x);           // NaN outside [-1, 1]
SN_API float sn_exp(float x);
SN_API float sn_log(float x);
SN_API float sn_pow(float x, float y); // special cases as C's powf

static inline float sn_minf(float a, float b) { return a < b ? a : b; }
static inline float sn_maxf(float a, float b) { return a > b ? a : b; }
static inline float sn_clampf(float x, float lo, float hi) { return x < lo ? lo : (x > hi ? hi : x); }
static inline float sn_lerpf(float a, float b, float t) { return a + (b - a) * t; }
static inline bool sn_finite(float x) { return x - x == 0.0f; }

// ---------------------------------------------------------------------------------------------- vectors

static inline snVec3 sn_vec3(float x, float y, float z) {
    snVec3 v = {x, y, z};
    return v;
}
static inline snVec3 sn_add(snVec3 a, snVec3 b) { return sn_vec3(a.x + b.x, a.y + b.y, a.z + b.z); }
static inline snVec3 sn_sub(snVec3 a, snVec3 b) { return sn_vec3(a.x - b.x, a.y - b.y, a.z - b.z); }
static inline snVec3 sn_scale(snVec3 a, float s) { return sn_vec3(a.x * s, a.y * s, a.z * s); }
static inline snVec3 sn_neg(snVec3 a) { return sn_vec3(-a.x, -a.y, -a.z); }
static inline float sn_dot(snVec3 a, snVec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline snVec3 sn_cross(snVec3 a, snVec3 b) {
    return sn_vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
static inline float sn_length(snVec3 a) { return sqrtf(sn_dot(a, a)); }
static inline float sn_distance(snVec3 a, snVec3 b) { return sn_length(sn_sub(a, b)); }
static inline snVec3 sn_lerp(snVec3 a, snVec3 b, float t) {
    return sn_vec3(sn_lerpf(a.x, b.x, t), sn_lerpf(a.y, b.y, t), sn_lerpf(a.z, b.z, t));
}
// Unit vector along `a`, or `fallback` when `a` is too short to have a direction.
static inline snVec3 sn_normalize_or(snVec3 a, snVec3 fallback) {
    float length = sn_length(a);
    return length > 1e-30f ? sn_scale(a, 1.0f / length) : fallback;
}
static inline bool sn_vec3_finite(snVec3 a) { return sn_finite(a.x) && sn_finite(a.y) && sn_finite(a.z); }

// ------------------------------------------------------------------------------------------ quaternions

static inline snQuat sn_quat(float x, float y, float z, float w) {
    snQuat q = {x, y, z, w};
    return q;
}
static inline snQuat sn_quat_identity(void) { return sn_quat(0.0f, 0.0f, 0.0f, 1.0f); }
static inline snQuat sn_quat_conjugate(snQuat q) { return sn_quat(-q.x, -q.y, -q.z, q.w); }
static inline float sn_quat_dot(snQuat a, snQuat b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
// The rotation b followed by the rotation a.
static inline snQuat sn_quat_mul(snQuat a, snQuat b) {
    return sn_quat(
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z);
}
static inline snVec3 sn_quat_rotate(snQuat q, snVec3 v) {
    snVec3 u = sn_vec3(q.x, q.y, q.z);
    snVec3 t = sn_scale(sn_cross(u, v), 2.0f);
    return sn_add(sn_add(v, sn_scale(t, q.w)), sn_cross(u, t));
}
SN_API snQuat sn_quat_normalize(snQuat q);                    // identity when q is zero
SN_API snQuat sn_quat_axis_angle(snVec3 axis, float radians); // axis need not be unit
SN_API snQuat sn_quat_between(snVec3 from, snVec3 to);        // shortest rotation; unit inputs not needed
SN_API snQuat sn_quat_slerp(snQuat a, snQuat b, float t);     // the shorter way
SN_API snQuat sn_quat_from_mat4(const snMat4* m);             // of a rotation matrix (no scale)

// ------------------------------------------------------------------------------------------- transforms

SN_API snMat4 sn_mat4_identity(void);
SN_API snMat4 sn_mat4_mul(const snMat4* a, const snMat4* b); // affine or projective; b first
SN_API snMat4 sn_mat4_from_trs(const snTrs* trs);
SN_API snMat4 sn_mat4_from_rigid(const snRigid* rigid);
// Inverse of an affine matrix. False, and `out` untouched, when it has none.
SN_API bool sn_mat4_inverse_affine(const snMat4* m, snMat4* out);
// Splits an affine matrix into scale, rotation and translation (a mirror becomes a negative x scale).
// Returns false when shear remains that the parts cannot express; `out` then holds the closest fit.
SN_API bool sn_trs_from_mat4(const snMat4* m, snTrs* out);
static inline snTrs sn_trs_identity(void) {
    snTrs trs = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f, 1.0f}, {1.0f, 1.0f, 1.0f}};
    return trs;
}
static inline snVec3 sn_mat4_point(const snMat4* m, snVec3 p) {
    return sn_vec3(m->m[0] * p.x + m->m[4] * p.y + m->m[8] * p.z + m->m[12],
                   m->m[1] * p.x + m->m[5] * p.y + m->m[9] * p.z + m->m[13],
                   m->m[2] * p.x + m->m[6] * p.y + m->m[10] * p.z + m->m[14]);
}
static inline snVec3 sn_mat4_vector(const snMat4* m, snVec3 v) {
    return sn_vec3(m->m[0] * v.x + m->m[4] * v.y + m->m[8] * v.z,
                   m->m[1] * v.x + m->m[5] * v.y + m->m[9] * v.z,
                   m->m[2] * v.x + m->m[6] * v.y + m->m[10] * v.z);
}
static inline snVec3 sn_mat4_translation(const snMat4* m) { return sn_vec3(m->m[12], m->m[13], m->m[14]); }
static inline snVec3 sn_rigid_point(snRigid r, snVec3 p) {
    return sn_add(sn_quat_rotate(r.rotation, p), r.translation);
}
// a after b.
static inline snRigid sn_rigid_mul(snRigid a, snRigid b) {
    snRigid r = {sn_quat_mul(a.rotation, b.rotation), sn_rigid_point(a, b.translation)};
    return r;
}
static inline snRigid sn_rigid_inverse(snRigid a) {
    snQuat q = sn_quat_conjugate(a.rotation);
    snRigid r = {q, sn_neg(sn_quat_rotate(q, a.translation))};
    return r;
}

// Bounds of nothing: min above max. Adding any point makes them real.
SN_API snBounds sn_bounds_empty(void);
SN_API snBounds sn_bounds_of(const snVec3* points, uint32_t count);
static inline snBounds sn_bounds_add(snBounds b, snVec3 p) {
    b.min = sn_vec3(sn_minf(b.min.x, p.x), sn_minf(b.min.y, p.y), sn_minf(b.min.z, p.z));
    b.max = sn_vec3(sn_maxf(b.max.x, p.x), sn_maxf(b.max.y, p.y), sn_maxf(b.max.z, p.z));
    return b;
}
SN_API float sn_bounds_diagonal(snBounds b); // 0 for empty bounds

#ifdef __cplusplus
}
#endif

#endif
