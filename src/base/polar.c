// Polar decomposition by Newton's iteration X <- (X + X^-T) / 2 (Higham), in doubles. For a positive
// determinant it converges quadratically to the proper rotation; mirrored matrices are negated first.
#include "base/polar.h"

typedef struct Mat3 {
    double m[9]; // column-major
} Mat3;

static void cofactors(const double* a, double* c) {
    c[0] = a[4] * a[8] - a[5] * a[7];
    c[1] = a[5] * a[6] - a[3] * a[8];
    c[2] = a[3] * a[7] - a[4] * a[6];
    c[3] = a[2] * a[7] - a[1] * a[8];
    c[4] = a[0] * a[8] - a[2] * a[6];
    c[5] = a[1] * a[6] - a[0] * a[7];
    c[6] = a[1] * a[5] - a[2] * a[4];
    c[7] = a[2] * a[3] - a[0] * a[5];
    c[8] = a[0] * a[4] - a[1] * a[3];
}

static double determinant(const double* a) {
    return a[0] * (a[4] * a[8] - a[5] * a[7]) + a[3] * (a[2] * a[7] - a[1] * a[8]) +
           a[6] * (a[1] * a[5] - a[2] * a[4]);
}

// True when it converged; false for matrices without a clear rotation (flat, zero, not finite).
static bool newton(Mat3* x) {
    for (int iteration = 0; iteration < 60; iteration++) {
        double c[9];
        double d = determinant(x->m);
        if (!(d > 1e-200) || d - d != 0.0) return false;
        cofactors(x->m, c);
        double change = 0.0;
        for (int i = 0; i < 9; i++) {
            double next = 0.5 * (x->m[i] + c[i] / d);
            double step = next - x->m[i];
            change += step * step;
            x->m[i] = next;
        }
        if (change < 1e-26) return true;
    }
    return false;
}

bool sni_is_rotation(const snMat4* m) {
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j <= i; j++) {
            const float* a = m->m + 4 * i;
            const float* b = m->m + 4 * j;
            float dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
            if (!(fabsf(dot - (i == j ? 1.0f : 0.0f)) < 1e-6f)) return false;
        }
    }
    return sn_dot(sn_cross(sn_vec3(m->m[0], m->m[1], m->m[2]), sn_vec3(m->m[4], m->m[5], m->m[6])),
                  sn_vec3(m->m[8], m->m[9], m->m[10])) > 0.0f;
}

static snQuat general_rotation(const snMat4* m) {
    Mat3 x;
    for (int i = 0; i < 9; i++) x.m[i] = (double)m->m[i / 3 * 4 + i % 3];
    if (determinant(x.m) < 0.0) {
        for (int i = 0; i < 9; i++) x.m[i] = -x.m[i];
    }
    if (!newton(&x)) {
        snTrs trs;
        sn_trs_from_mat4(m, &trs);
        return trs.rotation;
    }
    snMat4 r = sn_mat4_identity();
    for (int i = 0; i < 9; i++) r.m[i / 3 * 4 + i % 3] = (float)x.m[i];
    return sn_quat_from_mat4(&r);
}

bool sni_polar(const snMat4* m, snQuat* rotation, float stretch[12]) {
    bool rigid = sni_is_rotation(m);
    *rotation = rigid ? sn_quat_from_mat4(m) : general_rotation(m);
    snQuat back = sn_quat_conjugate(*rotation);
    for (int c = 0; c < 3; c++) {
        snVec3 column = {m->m[4 * c], m->m[4 * c + 1], m->m[4 * c + 2]};
        snVec3 s = rigid ? sn_vec3(c == 0, c == 1, c == 2) : sn_quat_rotate(back, column);
        stretch[4 * c] = s.x;
        stretch[4 * c + 1] = s.y;
        stretch[4 * c + 2] = s.z;
        stretch[4 * c + 3] = 0.0f;
    }
    return rigid;
}
