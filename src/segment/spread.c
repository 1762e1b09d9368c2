// How weighted places lie around their mean: see spread.h.
#include "segment/spread.h"

#include <math.h>

// Sweeps of Jacobi's method; the off-diagonal squares itself away with each.
#define SWEEPS 12

void sni_spread_add(sniSpread* spread, snVec3 at, double weight) {
    double from[3] = {(double)at.x - (double)spread->origin.x, (double)at.y - (double)spread->origin.y,
                      (double)at.z - (double)spread->origin.z};
    spread->weight += weight;
    for (int i = 0; i < 3; i++) {
        spread->sum[i] += weight * from[i];
        for (int k = 0; k < 3; k++) spread->products[i][k] += weight * from[i] * from[k];
    }
}

snVec3 sni_spread_mean(const sniSpread* spread) {
    if (!(spread->weight > 0.0)) return spread->origin;
    return sn_vec3((float)((double)spread->origin.x + spread->sum[0] / spread->weight),
                   (float)((double)spread->origin.y + spread->sum[1] / spread->weight),
                   (float)((double)spread->origin.z + spread->sum[2] / spread->weight));
}

// Turns the plane of axes i and k so that they vary independently.
static void turn(double m[3][3], double axes[3][3], int i, int k) {
    if (m[i][k] == 0.0) return;
    double ratio = (m[k][k] - m[i][i]) / (2.0 * m[i][k]);
    double tangent = (ratio >= 0.0 ? 1.0 : -1.0) / (fabs(ratio) + sqrt(ratio * ratio + 1.0));
    double c = 1.0 / sqrt(tangent * tangent + 1.0), s = tangent * c;
    for (int j = 0; j < 3; j++) {
        double a = m[j][i], b = m[j][k];
        m[j][i] = c * a - s * b;
        m[j][k] = s * a + c * b;
    }
    for (int j = 0; j < 3; j++) {
        double a = m[i][j], b = m[k][j];
        m[i][j] = c * a - s * b;
        m[k][j] = s * a + c * b;
        a = axes[i][j];
        b = axes[k][j];
        axes[i][j] = c * a - s * b;
        axes[k][j] = s * a + c * b;
    }
}

void sni_spread_axes(const sniSpread* spread, snVec3 out_axes[3], float out_variances[3]) {
    double m[3][3] = {{0}}, axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, w = spread->weight;
    for (int i = 0; i < 3 && w > 0.0; i++) {
        for (int k = 0; k < 3; k++)
            m[i][k] = spread->products[i][k] / w - spread->sum[i] / w * (spread->sum[k] / w);
    }
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        turn(m, axes, 0, 1);
        turn(m, axes, 0, 2);
        turn(m, axes, 1, 2);
    }
    int order[3] = {0, 1, 2};
    for (int i = 1; i < 3; i++) {
        for (int k = i; k > 0 && m[order[k]][order[k]] > m[order[k - 1]][order[k - 1]]; k--) {
            int swap = order[k];
            order[k] = order[k - 1];
            order[k - 1] = swap;
        }
    }
    for (int i = 0; i < 3; i++) {
        const double* axis = axes[order[i]];
        out_axes[i] = sn_vec3((float)axis[0], (float)axis[1], (float)axis[2]);
        out_variances[i] = sn_maxf((float)m[order[i]][order[i]], 0.0f);
    }
}
