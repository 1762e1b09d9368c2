// Nearest rotation as an eigenvector. For a unit quaternion q, trace(R(q)^T A) = q^T K q with a symmetric 4x4
// matrix K of trace 0 (Davenport's q-method), so the best q belongs to the largest eigenvalue of K, and every
// q is a proper rotation. Powers of the shifted K, by repeated squaring, turn `start` towards it:
// eigenvectors of eigenvalues that are nearly equal (no clear rotation) keep their shares in `start`. An
// iteration on the quaternion itself needs hundreds of steps there, and may stop at a saddle.
#include "base/rotation.h"

#include <string.h>

// The power is 2 to this: eigenvalues half a percent of their range apart part by 1e-9.
#define SQUARINGS 12

typedef struct Symmetric {
    double m[4][4];
} Symmetric;

// q^T K q = trace(R(q)^T A), q = x, y, z, w.
static Symmetric davenport(const double a[9]) {
    double xx = a[0], yx = a[1], zx = a[2], xy = a[3], yy = a[4], zy = a[5], xz = a[6], yz = a[7], zz = a[8];
    return (Symmetric){{{xx - yy - zz, xy + yx, xz + zx, zy - yz},
                        {xy + yx, yy - xx - zz, yz + zy, xz - zx},
                        {xz + zx, yz + zy, zz - xx - yy, yx - xy},
                        {zy - yz, xz - zx, yx - xy, xx + yy + zz}}};
}

// b * b over its trace, which is positive for what is not zero. Entries that vanish beside the largest are
// cut off, so that no product becomes subnormal.
static Symmetric squared(const Symmetric* b) {
    Symmetric out;
    double trace = 0.0;
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            double sum = b->m[i][0] * b->m[0][j];
            for (int k = 1; k < 4; k++) sum = sum + b->m[i][k] * b->m[k][j];
            out.m[i][j] = sum;
        }
        trace += out.m[i][i];
    }
    for (int i = 0; i < 16; i++) {
        double value = out.m[i / 4][i % 4] / trace;
        out.m[i / 4][i % 4] = fabs(value) > 1e-100 ? value : 0.0;
    }
    return out;
}

static double times(const Symmetric* b, const double q[4], double out[4]) {
    double length2 = 0.0;
    for (int i = 0; i < 4; i++) {
        out[i] = b->m[i][0] * q[0] + b->m[i][1] * q[1] + b->m[i][2] * q[2] + b->m[i][3] * q[3];
        length2 += out[i] * out[i];
    }
    return length2;
}

// `start` on the eigenvectors that are left; where it has no share of them, the clearest one itself.
static double towards(const Symmetric* power, const double start[4], double out[4]) {
    double length2 = times(power, start, out);
    if (length2 > 1e-16) return length2;
    int best = 0;
    for (int i = 1; i < 4; i++) best = power->m[i][i] > power->m[best][best] ? i : best;
    double axis[4] = {0.0, 0.0, 0.0, 0.0};
    axis[best] = 1.0;
    return times(power, axis, out);
}

static void quaternion_of(const float r[9], double out[4]) {
    snMat4 m = sn_mat4_identity();
    for (int i = 0; i < 9; i++) m.m[i / 3 * 4 + i % 3] = r[i];
    snQuat q = sn_quat_from_mat4(&m);
    out[0] = (double)q.x, out[1] = (double)q.y, out[2] = (double)q.z, out[3] = (double)q.w;
}

// Columns of the rotation by q, whose squared length is given.
static void columns_of(const double q[4], double length2, float out[9]) {
    double s = 2.0 / length2;
    double xx = s * q[0] * q[0], yy = s * q[1] * q[1], zz = s * q[2] * q[2];
    double xy = s * q[0] * q[1], xz = s * q[0] * q[2], yz = s * q[1] * q[2];
    double wx = s * q[3] * q[0], wy = s * q[3] * q[1], wz = s * q[3] * q[2];
    double r[9] = {1.0 - yy - zz, xy + wz,       xz - wy,        // x axis
                   xy - wz,       1.0 - xx - zz, yz + wx,        // y axis
                   xz + wy,       yz - wx,       1.0 - xx - yy}; // z axis
    for (int i = 0; i < 9; i++) out[i] = (float)r[i];
}

void sni_rotation_general(const float a[9], const float start[9], float out[9]) {
    double scaled[9], norm2 = 0.0;
    for (int i = 0; i < 9; i++) norm2 += (double)a[i] * (double)a[i];
    if (!(norm2 > 0.0) || norm2 - norm2 != 0.0) {
        memmove(out, start, 9 * sizeof *out);
        return;
    }
    double s = 1.0 / sqrt(norm2);
    for (int i = 0; i < 9; i++) scaled[i] = (double)a[i] * s;
    Symmetric power = davenport(scaled);
    // No eigenvalue is below minus the sum of the singular values, which is at most sqrt(3).
    for (int i = 0; i < 4; i++) power.m[i][i] += 1.7320508075688772;
    for (int i = 0; i < SQUARINGS; i++) power = squared(&power);
    double from[4], q[4];
    quaternion_of(start, from);
    double length2 = towards(&power, from, q);
    columns_of(q, length2, out);
}
