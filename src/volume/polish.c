// The last digits. Positions are floats, and on a small piece far from the origin their steps are coarser
// than the volume is meant to be. So single points are moved by a step or a few, one after the other, each
// taking what it can of what is left.
#include <math.h>
#include <string.h>

#include "volume/run.h"

// No point goes further than this, of the size of its shell.
#define FURTHEST 1e-6
// Volumes are as right as this after it, where floats allow.
#define FINE 1e-7

static void place_centers(sniRun* run, uint32_t shell) {
    const sniClosed* closed = run->volume->closed;
    for (uint32_t c = 0; c < closed->cap_count; c++) {
        const sniCap* cap = &closed->caps[c];
        if (cap->shell != shell) continue;
        sni_loop_mean(run->points, NULL, closed->loop_points + cap->first, cap->count, run->centers[c]);
    }
}

static void place_of(const sniRun* run, uint32_t point, double out[3]) {
    uint32_t real = run->volume->closed->point_count;
    const snVec4* p = &run->points[point];
    const double at[3] = {(double)p->x, (double)p->y, (double)p->z};
    memcpy(out, point < real ? at : run->centers[point - real], sizeof at);
}

static void add_cross(const sniRun* run, uint32_t a, uint32_t b, uint32_t origin, double out[3]) {
    double p[3], q[3], o[3];
    place_of(run, a, p);
    place_of(run, b, q);
    place_of(run, origin, o);
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] += (p[j] - o[j]) * (q[k] - o[k]) - (p[k] - o[k]) * (q[j] - o[j]);
    }
}

// The volume of a shell; see sni_face_volume for the formula.
static double measure(sniRun* run, uint32_t shell) {
    const sniShellTables* tables = &run->volume->shells[shell];
    double apex[3], sum = 0.0;
    place_centers(run, shell);
    place_of(run, tables->apex, apex);
    for (uint32_t f = 0; f < tables->block_count * SNI_FACE_LANES; f++) {
        double p[4][3], along[3] = {0.0, 0.0, 0.0};
        for (int i = 0; i < 4; i++)
            place_of(run, tables->blocks[f / SNI_FACE_LANES].at[i][f % SNI_FACE_LANES], p[i]);
        for (int i = 0; i < 3; i++) {
            int j = (i + 1) % 3, k = (i + 2) % 3;
            double c[3], d[3], e[3];
            for (int n = 0; n < 3; n++)
                c[n] = p[2][n] - p[0][n], d[n] = p[3][n] - p[1][n], e[n] = p[3][n] - p[0][n];
            along[i] = (p[0][i] - apex[i]) * (c[j] * d[k] - c[k] * d[j]) +
                       0.5 * (p[1][i] - p[0][i]) * (c[j] * e[k] - c[k] * e[j]);
        }
        sum += along[0] + along[1] + along[2];
    }
    return sum / 6.0;
}

// Twelve times dV/dp of a point, with the part that it has in the middles of caps.
static void gradient_at(const sniRun* run, uint32_t point, double out[3]) {
    const sniClosed* closed = run->volume->closed;
    out[0] = out[1] = out[2] = 0.0;
    for (uint32_t c = closed->corner_starts[point]; c < closed->corner_starts[point + 1]; c++) {
        const uint32_t* at = closed->faces[closed->corners[c] / 4].at;
        uint32_t i = closed->corners[c] % 4, corners = at[3] == at[2] ? 3 : 4;
        uint32_t from = at[(i + 1) % corners], to = at[(i + corners - 1) % corners];
        // A quad is the mean of its two pairs of triangles; a triangle counts twice.
        uint32_t far = corners == 4 ? at[(i + 2) % 4] : to;
        add_cross(run, from, far, point, out);
        add_cross(run, far, to, point, out);
        add_cross(run, from, to, point, out);
    }
    for (uint32_t c = 0; c < closed->cap_count; c++) {
        const sniCap* cap = &closed->caps[c];
        const uint32_t* loop = closed->loop_points + cap->first;
        double times = 0.0, sum[3] = {0.0, 0.0, 0.0};
        if (cap->shell != closed->point_shells[point]) continue;
        for (uint32_t i = 0; i < cap->count; i++) times += loop[i] == point ? 1.0 : 0.0;
        for (uint32_t i = 0; i < cap->count && times > 0.0; i++)
            add_cross(run, loop[i + 1 == cap->count ? 0 : i + 1], loop[i], cap->center, sum);
        for (int i = 0; i < 3 && times > 0.0; i++) out[i] += 2.0 * sum[i] * times / (double)cap->count;
    }
}

// Moves a point along the axis that its surface faces most; returns what is left.
static double move_point(sniRun* run, uint32_t point, double left, double furthest) {
    double g[3];
    gradient_at(run, point, g);
    int axis = fabs(g[1]) > fabs(g[0]) ? 1 : 0;
    if (fabs(g[2]) > fabs(g[axis])) axis = 2;
    double slope = g[axis] / 12.0;
    if (slope == 0.0) return left;
    snVec4* at = &run->points[point];
    float* value = axis == 0 ? &at->x : axis == 1 ? &at->y : &at->z;
    float was = *value;
    // A float's own step at least.
    double by = -left / slope, least = (double)fabsf(was) * 1.2e-7;
    furthest = furthest > least ? furthest : least;
    by = by > furthest ? furthest : by < -furthest ? -furthest : by;
    *value = (float)((double)was + by);
    return left + slope * ((double)*value - (double)was);
}

static void polish_shell(sniRun* run, uint32_t shell) {
    const sniRings* rings = run->volume->shells[shell].rings;
    double target = run->targets[shell] - run->held[shell], left = measure(run, shell) - target;
    double furthest = FURTHEST * (double)sn_pow((float)fabs(target), 1.0f / 3.0f);
    for (uint32_t i = 0; i < rings->inner && fabs(left) > FINE * fabs(target); i++) {
        if (rings->ids[i] == sni_no_point(run->volume->closed)) continue;
        left = move_point(run, rings->ids[i], left, furthest);
    }
    run->volumes[shell] = measure(run, shell);
}

void sni_run_polish(sniRun* run) {
    for (uint32_t s = 0; s < run->volume->closed->shell_count; s++) {
        if (run->volume->shells[s].rings == NULL) continue;
        if (run->rough[s] != 0) run->volumes[s] = measure(run, s);
        if (!sni_run_shell_is_right(run, s)) polish_shell(run, s);
    }
    sni_run_place_caps(run);
}
