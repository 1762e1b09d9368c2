#include "bake/joint_kernels.h"

#include "base/simd_rotation.h"

// A value of a block in as many registers as that takes.
#define WIDE (SNI_JOINT_LANES / SNI_LANES)
typedef struct Wide {
    sniF r[WIDE];
} Wide;

static inline Wide wide_zero(void) {
    Wide w;
    for (int i = 0; i < WIDE; i++) w.r[i] = sni_f_set1(0.0f);
    return w;
}

static inline Wide wide_add_product(Wide sum, Wide a, Wide b) {
    for (int i = 0; i < WIDE; i++) sum.r[i] = sum.r[i] + a.r[i] * b.r[i];
    return sum;
}

static inline Wide wide_load(const float* p) {
    Wide w;
    for (int i = 0; i < WIDE; i++) w.r[i] = sni_f_load(p + i * SNI_LANES);
    return w;
}

static float wide_sum(Wide w) {
    float x[SNI_JOINT_LANES];
    for (int i = 0; i < WIDE; i++) sni_f_store(x + i * SNI_LANES, w.r[i]);
    for (int half = SNI_JOINT_LANES / 2; half > 0; half /= 2) {
        for (int i = 0; i < half; i++) x[i] = x[i] + x[i + half];
    }
    return x[0];
}

// One register of a matrix of a block, from lane `at` on.
static inline void load_matrix(const float* block, int at, sniF m[12]) {
    for (int i = 0; i < 12; i++) m[i] = sni_f_load(block + i * SNI_JOINT_LANES + at);
}

static inline sniVec posed(const sniF m[12], sniF x, sniF y, sniF z) {
    return (sniVec){((m[0] * x + m[3] * y) + m[6] * z) + m[9], ((m[1] * x + m[4] * y) + m[7] * z) + m[10],
                    ((m[2] * x + m[5] * y) + m[8] * z) + m[11]};
}

static inline sniVec load_point(const float* block, int at) {
    return (sniVec){sni_f_load(block + at), sni_f_load(block + SNI_JOINT_LANES + at),
                    sni_f_load(block + 2 * SNI_JOINT_LANES + at)};
}

static inline sniVec minus(sniVec a, sniVec b) { return (sniVec){a.x - b.x, a.y - b.y, a.z - b.z}; }

// ------------------------------------------------------------------------------------------------ weights

#define N SNI_JOINT_CANDIDATES

static void fill_column(const sniJointSquare* q, uint32_t bone, float* out) {
    sniF x = sni_f_set1(q->rest.x), y = sni_f_set1(q->rest.y), z = sni_f_set1(q->rest.z);
    for (uint32_t b = 0; b < q->block_count; b++) {
        const float* matrix = q->bones + b * q->bone_stride + (size_t)bone * SNI_JOINT_MATRIX;
        const float* target = q->target + (size_t)b * SNI_JOINT_POINT;
        for (int at = 0; at < SNI_JOINT_LANES; at += SNI_LANES, out += SNI_LANES) {
            sniF m[12];
            load_matrix(matrix, at, m);
            sniVec d = minus(posed(m, x, y, z), load_point(target, at));
            d = sni_vec_scale(d, sni_f_load(q->scales + (size_t)b * SNI_JOINT_LANES + at));
            sni_f_store(out, d.x);
            sni_f_store(out + SNI_JOINT_LANES, d.y);
            sni_f_store(out + 2 * SNI_JOINT_LANES, d.z);
        }
        out += 2 * SNI_JOINT_LANES;
    }
}

// Two by two: four sums for four loads.
static void square(const sniJointSquare* q) {
    size_t length = (size_t)q->block_count * SNI_JOINT_POINT;
    uint32_t n = q->count;
    for (uint32_t i = 0; i < n; i++) fill_column(q, q->list[i], q->columns + i * length);
    for (uint32_t i = 0; i < n; i += 2) {
        for (uint32_t j = 0; j <= i; j += 2) {
            uint32_t i1 = i + 1 < n ? i + 1 : i, j1 = j + 1 < n ? j + 1 : j;
            const float *a0 = q->columns + i * length, *a1 = q->columns + i1 * length,
                        *b0 = q->columns + j * length, *b1 = q->columns + j1 * length;
            Wide s00 = wide_zero(), s01 = s00, s10 = s00, s11 = s00;
            for (size_t k = 0; k < length; k += SNI_JOINT_LANES) {
                Wide x0 = wide_load(a0 + k), x1 = wide_load(a1 + k), y0 = wide_load(b0 + k),
                     y1 = wide_load(b1 + k);
                s00 = wide_add_product(s00, x0, y0);
                s01 = wide_add_product(s01, x0, y1);
                s10 = wide_add_product(s10, x1, y0);
                s11 = wide_add_product(s11, x1, y1);
            }
            q->out[i * N + j] = q->out[j * N + i] = wide_sum(s00);
            q->out[i * N + j1] = q->out[j1 * N + i] = wide_sum(s01);
            q->out[i1 * N + j] = q->out[j * N + i1] = wide_sum(s10);
            q->out[i1 * N + j1] = q->out[j1 * N + i1] = wide_sum(s11);
        }
    }
}

// a -= factor * b, and a *= factor, for rows of N.
static inline void row_subtract(double* a, double factor, const double* b) {
    sniD f = sni_d_set1(factor);
    for (uint32_t j = 0; j < N; j += SNI_D_LANES)
        sni_d_store(a + j, sni_d_load(a + j) - f * sni_d_load(b + j));
}

static inline void row_scale(double* a, double factor) {
    sniD f = sni_d_set1(factor);
    for (uint32_t j = 0; j < N; j += SNI_D_LANES) sni_d_store(a + j, sni_d_load(a + j) * f);
}

// Gauss and Jordan in place, without pivots: the matrix is positive definite.
static void invert(double* a, uint32_t n) {
    for (uint32_t k = 0; k < n; k++) {
        double* pivot = a + k * N;
        double over = 1.0 / pivot[k];
        pivot[k] = 1.0;
        row_scale(pivot, over);
        for (uint32_t i = 0; i < n; i++) {
            double* row = a + i * N;
            double factor = row[k];
            if (i == k) continue;
            // Emscripten 3.1.6 reads `factor` again where it is spread over a register: not after a store to
            // it.
            row_subtract(row, factor, pivot);
            row[k] = 0.0 - factor * pivot[k];
        }
    }
}

// An inverse and its products with the wishes and with ones, of what is left.
typedef struct Left {
    uint32_t count;
    double wished[N], ones[N];
    bool used[N];
} Left;

// The best weights of what is left: w = P c - l P 1, where l makes them sum to one.
static void weigh(sniJointProgram* p, const Left* left) {
    double wished = 0.0, ones = 0.0;
    for (uint32_t i = 0; i < p->count; i++) wished += left->wished[i], ones += left->ones[i];
    double lambda = (wished - 1.0) / ones;
    for (uint32_t i = 0; i < N; i++) p->weights[i] = left->wished[i] - lambda * left->ones[i];
}

// Who leaves next: the most negative, else who is missed least; N: all can stay.
static uint32_t next_to_leave(const sniJointProgram* p, const Left* left) {
    uint32_t negative = N, least = N;
    double missed = INFINITY;
    if (left->count <= 1) return N;
    for (uint32_t i = 0; i < p->count; i++) {
        if (!left->used[i]) continue;
        double w = p->weights[i], cost = w * w / p->matrix[i * N + i];
        if (w < 0.0 && (negative == N || w < p->weights[negative])) negative = i;
        if (cost < missed) missed = cost, least = i;
    }
    if (negative != N) return negative;
    return left->count > p->limit ? least : N;
}

// The inverse without row and column k, and its products.
static void leave(sniJointProgram* p, Left* left, uint32_t k) {
    double gone[N], over = 1.0 / p->matrix[k * N + k];
    double wished = left->wished[k] * over, ones = left->ones[k] * over;
    memcpy(gone, p->matrix + k * N, sizeof gone);
    for (uint32_t i = 0; i < p->count; i++) row_subtract(p->matrix + i * N, gone[i] * over, gone);
    row_subtract(left->wished, wished, gone);
    row_subtract(left->ones, ones, gone);
    for (uint32_t j = 0; j < N; j++) p->matrix[k * N + j] = p->matrix[j * N + k] = 0.0;
    left->wished[k] = left->ones[k] = 0.0;
    left->used[k] = false;
    left->count--;
}

static void program(sniJointProgram* p) {
    Left left = {.count = p->count};
    invert(p->matrix, p->count);
    for (uint32_t k = 0; k < p->count; k++) {
        const double* row = p->matrix + k * N;
        row_subtract(left.wished, -p->wishes[k], row);
        row_subtract(left.ones, -1.0, row);
        left.used[k] = true;
    }
    weigh(p, &left);
    for (uint32_t k = next_to_leave(p, &left); k != N; k = next_to_leave(p, &left)) {
        leave(p, &left, k);
        weigh(p, &left);
    }
    for (uint32_t i = 0; i < N; i++) p->weights[i] = left.used[i] ? p->weights[i] : 0.0;
}

static Wide wide_of(sniF a, int at, Wide w) {
    w.r[at / SNI_LANES] = a;
    return w;
}

// The best step s along d, what a helper has beyond its joint, from what is missing: 2 s r.d - s^2 d.d.
static void gains(const sniJointGains* g) {
    sniF x = sni_f_set1(g->rest.x), y = sni_f_set1(g->rest.y), z = sni_f_set1(g->rest.z);
    sniVec missing[WIDE];
    for (int at = 0; at < SNI_JOINT_LANES; at += SNI_LANES) {
        sniVec d = load_point(g->target, at);
        for (uint32_t i = 0; i < g->row_count; i++) {
            sniF m[12];
            load_matrix(g->bones + (size_t)g->row[i].bone * SNI_JOINT_MATRIX, at, m);
            d = minus(d, sni_vec_scale(posed(m, x, y, z), sni_f_set1(g->row[i].weight)));
        }
        missing[at / SNI_LANES] = d;
    }
    for (uint32_t i = 0; i < g->count; i++) {
        const float* helper = g->bones + (size_t)g->helpers[i] * SNI_JOINT_MATRIX;
        const float* own = g->bones + (size_t)g->owns[i] * SNI_JOINT_MATRIX;
        Wide along = wide_zero(), square = wide_zero();
        for (int at = 0; at < SNI_JOINT_LANES; at += SNI_LANES) {
            sniF m[12], n[12];
            load_matrix(helper, at, m);
            load_matrix(own, at, n);
            sniVec d = minus(posed(m, x, y, z), posed(n, x, y, z));
            along = wide_of(sni_vec_dot(d, missing[at / SNI_LANES]), at, along);
            square = wide_of(sni_vec_dot(d, d), at, square);
        }
        float rd = wide_sum(along), dd = wide_sum(square);
        float step = rd > 0.0f && dd > 0.0f ? rd / dd : 0.0f;
        if (step > g->limits[i]) step = g->limits[i];
        g->out[i] = 2.0f * step * rd - step * step * dd;
    }
}

static void distances(const float* target, const float* bones, const sniJointShare* shares, uint32_t count,
                      snVec3 rest, float* out) {
    sniF x = sni_f_set1(rest.x), y = sni_f_set1(rest.y), z = sni_f_set1(rest.z);
    for (int at = 0; at < SNI_JOINT_LANES; at += SNI_LANES) {
        sniVec d = load_point(target, at);
        for (uint32_t i = 0; i < count; i++) {
            sniF m[12];
            load_matrix(bones + (size_t)shares[i].bone * SNI_JOINT_MATRIX, at, m);
            d = minus(d, sni_vec_scale(posed(m, x, y, z), sni_f_set1(shares[i].weight)));
        }
        sni_f_store(out + at, sni_vec_dot(d, d));
    }
}

// ---------------------------------------------------------------------------------------------- transforms

static inline void add_to(float* at, sniF value) { sni_f_store(at, sni_f_load(at) + value); }

static void add_pull(const sniJointPull* pull, sniVec missing, float* out, int at) {
    sniVec d = sni_vec_scale(missing, sni_f_set1(pull->weight));
    out += (size_t)pull->helper * SNI_JOINT_MATRIX + (size_t)at;
    for (int c = 0; c < 3; c++, out += 3 * SNI_JOINT_LANES) {
        sniF s = sni_f_set1(pull->place[c]);
        add_to(out, d.x * s);
        add_to(out + SNI_JOINT_LANES, d.y * s);
        add_to(out + 2 * SNI_JOINT_LANES, d.z * s);
    }
    add_to(out, d.x);
    add_to(out + SNI_JOINT_LANES, d.y);
    add_to(out + 2 * SNI_JOINT_LANES, d.z);
}

static void gather(const sniJointGather* g) {
    for (uint32_t p = 0; p < g->point_count; p++) {
        if (g->pull_starts[p] == g->pull_starts[p + 1]) continue;
        const float* target = g->targets + (g->list != NULL ? g->list[p] : p) * g->target_stride;
        sniF x = sni_f_set1(g->rests[p].x), y = sni_f_set1(g->rests[p].y), z = sni_f_set1(g->rests[p].z);
        for (int at = 0; at < SNI_JOINT_LANES; at += SNI_LANES) {
            sniVec missing = load_point(target, at);
            for (uint32_t s = g->share_starts[p]; s < g->share_starts[p + 1]; s++) {
                sniF m[12];
                load_matrix(g->bones + (size_t)g->shares[s].bone * SNI_JOINT_MATRIX, at, m);
                missing = minus(missing, sni_vec_scale(posed(m, x, y, z), sni_f_set1(g->shares[s].weight)));
            }
            for (uint32_t s = g->pull_starts[p]; s < g->pull_starts[p + 1]; s++)
                add_pull(&g->pulls[s], missing, g->out, at);
        }
    }
}

// d -= delta * products
static inline void subtract_pair(sniF d[12], const float* delta, const float products[16], int at) {
    sniF m[12];
    load_matrix(delta, at, m);
    for (int c = 0; c < 4; c++) {
        sniF p0 = sni_f_set1(products[4 * c]), p1 = sni_f_set1(products[4 * c + 1]),
             p2 = sni_f_set1(products[4 * c + 2]), p3 = sni_f_set1(products[4 * c + 3]);
        for (int r = 0; r < 3; r++)
            d[3 * c + r] = d[3 * c + r] - (((m[r] * p0 + m[3 + r] * p1) + m[6 + r] * p2) + m[9 + r] * p3);
    }
}

// inverse * (three values)
static inline sniVec turned_back(const sniF inverse[9], sniF x, sniF y, sniF z) {
    return (sniVec){(inverse[0] * x + inverse[3] * y) + inverse[6] * z,
                    (inverse[1] * x + inverse[4] * y) + inverse[7] * z,
                    (inverse[2] * x + inverse[5] * y) + inverse[8] * z};
}

// The rotation and translation nearest to where the points are wanted, in the helper's own space.
static void fit_motion(const sniJointSweep* s, uint32_t h, const sniF d[12], const sniF inverse[9],
                       float* motion, int at) {
    const float* g = s->moments + 16 * (size_t)h;
    float keep = 1.0f + s->ridges[h], mass = g[15] * keep;
    float middle[3] = {g[12] / g[15], g[13] / g[15], g[14] / g[15]};
    sniVec columns[4];
    for (int c = 0; c < 4; c++) {
        columns[c] = turned_back(inverse, d[3 * c], d[3 * c + 1], d[3 * c + 2]);
        columns[c].x = columns[c].x + sni_f_set1(g[4 * c] * keep);
        columns[c].y = columns[c].y + sni_f_set1(g[4 * c + 1] * keep);
        columns[c].z = columns[c].z + sni_f_set1(g[4 * c + 2] * keep);
    }
    sniVec spread[3], start[3], turn[3];
    sniF stiff = sni_f_set1(s->stiffs[h]);
    for (int c = 0; c < 3; c++) {
        spread[c] = minus(columns[c], sni_vec_scale(columns[3], sni_f_set1(middle[c])));
        start[c] = load_point(motion + 3 * (size_t)c * SNI_JOINT_LANES, at);
    }
    spread[0].x = spread[0].x + stiff;
    spread[1].y = spread[1].y + stiff;
    spread[2].z = spread[2].z + stiff;
    sni_rotation(spread, start, turn);
    sniF over = sni_f_set1(1.0f / mass);
    sniVec middle_wide = {sni_f_set1(middle[0]), sni_f_set1(middle[1]), sni_f_set1(middle[2])};
    sniVec move = minus(sni_vec_scale(columns[3], over), sni_vec_combine(turn, middle_wide));
    for (int c = 0; c < 4; c++) {
        float* out = motion + 3 * (size_t)c * SNI_JOINT_LANES + at;
        sniVec v = c < 3 ? turn[c] : move;
        sni_f_store(out, v.x);
        sni_f_store(out + SNI_JOINT_LANES, v.y);
        sni_f_store(out + 2 * SNI_JOINT_LANES, v.z);
    }
}

// place * (motion - identity)
static void set_delta(const float* place, const float* motion, float* delta, int at) {
    sniF m[12], x[12], one = sni_f_set1(1.0f);
    load_matrix(place, at, m);
    load_matrix(motion, at, x);
    x[0] = x[0] - one;
    x[4] = x[4] - one;
    x[8] = x[8] - one;
    for (int c = 0; c < 4; c++) {
        for (int r = 0; r < 3; r++) {
            sniF value = (m[r] * x[3 * c] + m[3 + r] * x[3 * c + 1]) + m[6 + r] * x[3 * c + 2];
            sni_f_store(delta + (size_t)(3 * c + r) * SNI_JOINT_LANES + at, value);
        }
    }
}

static void sweep(const sniJointSweep* s) {
    for (uint32_t round = 0; round < s->rounds; round++) {
        for (uint32_t h = 0; h < s->helper_count; h++) {
            float* motion = s->motions + (size_t)h * SNI_JOINT_MATRIX;
            const float* place = s->places + (size_t)h * SNI_JOINT_PLACE;
            if (!(s->moments[16 * (size_t)h + 15] > 0.0f)) continue; // it pulls at nothing
            for (int at = 0; at < SNI_JOINT_LANES; at += SNI_LANES) {
                sniF d[12], inverse[9];
                load_matrix(s->gathered + (size_t)h * SNI_JOINT_MATRIX, at, d);
                for (int i = 0; i < 9; i++) inverse[i] = sni_f_load(place + (12 + i) * SNI_JOINT_LANES + at);
                for (uint32_t k = s->pair_starts[h]; k < s->pair_starts[h + 1]; k++) {
                    const sniJointPair* pair = &s->pairs[k];
                    subtract_pair(d, s->deltas + (size_t)pair->other * SNI_JOINT_MATRIX, pair->products, at);
                }
                fit_motion(s, h, d, inverse, motion, at);
                set_delta(place, motion, s->deltas + (size_t)h * SNI_JOINT_MATRIX, at);
            }
        }
    }
}

const sniJointKernels SNI_NAME(sni_joint_kernels) = {square, program, gains, gather, sweep, distances};
