// Lattice shape matching, compiled once per instruction set.
//
// A region's moments are one 4x4 table, [q | 1] (x) [1 | y] summed over its members: count, sums and products
// at once, one multiplication and one addition per member whatever the level. Two sums, of members at even
// and odd places, halve the chain of additions; their order is part of the contract.
#include "flesh/kernels.h"

#include "base/simd_rotation.h"

// ----------------------------------------------------------------------------------------------- in, out

static inline void load_rows(const float* base, size_t stride, const sniGroup* group, sniF out[4]) {
    static const uint32_t next[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    if (group->whole)
        sni_f_gather4_at(base + group->index[0] * stride, stride, next, out);
    else
        sni_f_gather4_at(base, stride, group->index, out);
}

static inline sniVec load_vec4(const snVec4* values, const sniGroup* group) {
    sniF lanes[4];
    load_rows((const float*)values, 4, group, lanes);
    return (sniVec){lanes[0], lanes[1], lanes[2]};
}

static inline sniVec load_shape(const sniFleshRun* run, const sniGroup* group) {
    sniF lanes[4];
    load_rows(&run->places[0].shape.x, 8, group, lanes);
    return (sniVec){lanes[1], lanes[2], lanes[3]};
}

static inline sniVec load_rest(const snVec4* rest, const sniGroup* group) {
    sniF lanes[4];
    load_rows(&rest[0].x, 4, group, lanes);
    return (sniVec){lanes[1], lanes[2], lanes[3]};
}

static inline sniVec load_point(const sniFleshRun* run, const sniGroup* group) {
    sniF lanes[4];
    load_rows(&run->places[0].point.x, 8, group, lanes);
    return (sniVec){lanes[0], lanes[1], lanes[2]};
}

static inline void load_turn(const snMat3* rotations, const sniGroup* group, sniVec out[3]) {
    for (int c = 0; c < 3; c++) {
        sniF lanes[4];
        load_rows((const float*)rotations + 4 * c, 12, group, lanes);
        out[c] = (sniVec){lanes[0], lanes[1], lanes[2]};
    }
}

static inline sniF load_floats(const float* values, const sniGroup* group) {
    if (group->whole) return sni_f_load(values + group->index[0]);
    float padded[SNI_LANES];
    for (int i = 0; i < SNI_LANES; i++) padded[i] = values[group->index[i]];
    return sni_f_load(padded);
}

// Lane i goes to the place of particle i; what a group repeats is written again with the same bits.
static inline void store_rows(float* base, size_t stride, const sniGroup* group, sniF x, sniF y, sniF z,
                              sniF w) {
    if (group->whole)
        sni_f_store4(base + group->index[0] * stride, stride, x, y, z, w);
    else
        sni_f_scatter4(base, stride, group->index, x, y, z, w);
}

static inline void store_shape(const sniFleshRun* run, const sniGroup* group, sniVec shape) {
    store_rows(&run->places[0].shape.x, 8, group, sni_f_set1(0.0f), shape.x, shape.y, shape.z);
}

static inline void store_place(const sniFleshRun* run, const sniGroup* group, sniVec point, sniVec shape) {
    store_rows(&run->places[0].point.x, 8, group, point.x, point.y, point.z, sni_f_set1(0.0f));
    store_shape(run, group, shape);
}

static inline sniVec splat(snVec3 v) { return (sniVec){sni_f_set1(v.x), sni_f_set1(v.y), sni_f_set1(v.z)}; }
static inline sniVec vec_sub(sniVec a, sniVec b) { return (sniVec){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline sniVec vec_select_greater(sniF a, sniF b, sniVec x, sniVec y) {
    return (sniVec){sni_f_select_greater(a, b, x.x, y.x), sni_f_select_greater(a, b, x.y, y.y),
                    sni_f_select_greater(a, b, x.z, y.z)};
}

// What is shown of a move: all of a small one, and less and less of a larger one, never beyond the limit.
// Nothing pops where it is met.
static inline sniVec shown_of(sniVec move, sniF delta, float limit) {
    sniF over = sni_f_set1(limit > 0.0f ? 1.0f / (limit * limit) : 0.0f);
    sniF length2 = move.x * move.x + move.y * move.y + move.z * move.z;
    sniF one = sni_f_set1(1.0f);
    return sni_vec_scale(move, delta / sni_f_sqrt(one + length2 * over));
}

// ----------------------------------------------------------------------------------------------- prepare

static void prepare(const sniFleshRun* run, uint32_t begin, uint32_t end) {
    const snFleshJob* job = run->job;
    const snFleshState* state = job->state;
    for (uint32_t p = begin; p < end; p += SNI_LANES) {
        sniGroup group = sni_group_at(p, end);
        sniF delta = load_floats(job->material->deltas, &group) * sni_f_set1(job->delta_scale);
        sniVec shown = shown_of(sni_group_load(&group, state->moves), delta, job->limit);
        sniVec y = vec_sub(sni_group_load(&group, state->primaries), splat(run->origin));
        sni_group_store(&group, state->before, shown);
        sniVec point = sni_vec_add(y, shown);
        sniVec shape = run->initial ? load_rest(job->flesh->rest, &group) : y;
        store_place(run, &group, point, shape);
    }
}

// --------------------------------------------------------------------------------------------------- fit

// SNI_LANES regions and their particles. Behind the end the last one is repeated.
typedef struct Slots {
    const uint32_t* members[SNI_LANES]; // the particle itself, then the others
    uint32_t counts[SNI_LANES];
    sniGroup group;
} Slots;

static inline void slots_at(const sniFleshRun* run, uint32_t first, uint32_t end, Slots* out) {
    const snFlesh* flesh = run->job->flesh;
    out->group.whole = false;
    for (uint32_t i = 0; i < SNI_LANES; i++) {
        uint32_t slot = first + i < end ? first + i : end - 1;
        out->members[i] = flesh->members + flesh->starts[slot];
        out->counts[i] = flesh->starts[slot + 1] - flesh->starts[slot];
        out->group.index[i] = out->members[i][0] / SNI_FLESH_ROW;
    }
}

// Moments of a region about its own particle.
typedef struct Moments {
    sniF count;
    sniVec points, shapes; // means, from the particle's own
    sniVec products[3];    // columns of the sum of (q - mean) (y - mean)^T
} Moments;

// The zeros of a place become ones by subtraction, in registers: what is put together in memory stalls when
// it is loaded as a whole.
static const float ONES[8] = {0.0f, 0.0f, 0.0f, 1.0f, 1.0f, 0.0f, 0.0f, 0.0f};
// The particle itself adds only its 1.
static const float OWN_MOMENTS[16] = {0.0f, 0.0f, 0.0f, 1.0f};
static const float NO_MOMENTS[16] = {0.0f};

static inline const float* place_of(const sniFleshPlace* places, uint32_t member) {
    return (const float*)(const void*)((const char*)places + 2 * (size_t)member);
}
static inline sniTrio fit_of(const sniFleshRun* run, uint32_t member) {
    return sni_trio_load((const float*)(const void*)((const char*)run->fits + 4 * (size_t)member));
}

static inline sniMat region_sum(const sniFleshPlace* places, const uint32_t* members, uint32_t count) {
    sniPair own = sni_pair_sub(sni_pair_load(place_of(places, members[0])), sni_pair_load(ONES));
    sniMat even = sni_mat_load(OWN_MOMENTS), odd = sni_mat_load(NO_MOMENTS);
    uint32_t i = 1;
    for (; i + 1 < count; i += 2) {
        sniPair a = sni_pair_sub(sni_pair_load(place_of(places, members[i])), own);
        sniPair b = sni_pair_sub(sni_pair_load(place_of(places, members[i + 1])), own);
        even = sni_mat_add(even, sni_pair_products(a));
        odd = sni_mat_add(odd, sni_pair_products(b));
    }
    if (i < count) {
        sniPair a = sni_pair_sub(sni_pair_load(place_of(places, members[i])), own);
        even = sni_mat_add(even, sni_pair_products(a));
    }
    return sni_mat_add(even, odd);
}

// Column c of `floats` in all, four floats each.
static inline void gather_column(const float* sums, size_t floats, int c, sniVec* xyz, sniF* w) {
    const float* items[SNI_LANES];
    for (size_t lane = 0; lane < SNI_LANES; lane++) items[lane] = sums + lane * floats + 4 * c;
    sniF column[4];
    sni_f_gather4(items, column);
    *xyz = (sniVec){column[0], column[1], column[2]};
    *w = column[3];
}

static inline void region_moments(const sniFleshRun* run, const Slots* slots, Moments* out) {
    _Alignas(64) float sums[SNI_LANES][16];
    for (int lane = 0; lane < SNI_LANES; lane++) {
        sni_mat_store(sums[lane], region_sum(run->places, slots->members[lane], slots->counts[lane]));
    }
    sniVec sum, product[3];
    sniF y[3];
    gather_column(sums[0], 16, 0, &sum, &out->count);
    for (int c = 0; c < 3; c++) gather_column(sums[0], 16, c + 1, &product[c], &y[c]);
    sniF share = sni_f_set1(1.0f) / out->count;
    out->points = sni_vec_scale(sum, share);
    for (int c = 0; c < 3; c++) {
        out->products[c] = vec_sub(product[c], sni_vec_scale(out->points, y[c]));
    }
    out->shapes = sni_vec_scale((sniVec){y[0], y[1], y[2]}, share);
}

static inline void store_fit(const sniFleshRun* run, const sniGroup* group, const sniVec linear[3],
                             sniVec translation) {
    const sniF behind[3] = {translation.x, translation.y, translation.z};
    for (int c = 0; c < 3; c++) {
        store_rows(run->fits[0] + 4 * c, SNI_FLESH_ROW, group, linear[c].x, linear[c].y, linear[c].z,
                   behind[c]);
    }
}

// The rotation to start from where a region has collapsed: that of the primary.
static inline void start_rotation(const sniFleshRun* run, const sniGroup* group, sniVec out[3]) {
    sniF zero = sni_f_set1(0.0f), one = sni_f_set1(1.0f);
    out[0] = (sniVec){one, zero, zero};
    out[1] = (sniVec){zero, one, zero};
    out[2] = (sniVec){zero, zero, one};
    if (run->initial && run->job->rotations != NULL) load_turn(run->job->rotations, group, out);
}

static void fit(const sniFleshRun* run, uint32_t begin, uint32_t end) {
    // Against the primary, fits are kept as what they do beyond the identity: exact zeros at rest.
    sniF identity = sni_f_set1(run->initial ? 0.0f : 1.0f);
    for (uint32_t s = begin; s < end; s += SNI_LANES) {
        Slots slots;
        Moments moments;
        slots_at(run, s, end, &slots);
        const sniGroup* group = &slots.group;
        region_moments(run, &slots, &moments);
        sniVec start[3], turn[3];
        start_rotation(run, group, start);
        sni_rotation(moments.products, start, turn);
        turn[0].x = turn[0].x - identity;
        turn[1].y = turn[1].y - identity;
        turn[2].z = turn[2].z - identity;
        sniVec point = sni_vec_add(load_point(run, group), moments.points);
        sniVec shape = sni_vec_add(load_shape(run, group), moments.shapes);
        sniVec translation =
            vec_sub(vec_sub(point, sni_vec_scale(shape, identity)), sni_vec_combine(turn, shape));
        store_fit(run, group, turn, translation);
    }
}

// ----------------------------------------------------------------------------------------------- advance

// The mean of what the fits of its region's particles make of each particle's own place in the shape.
static inline sniVec mean_fit(const sniFleshRun* run, const Slots* slots) {
    _Alignas(64) float sums[SNI_LANES][12];
    float counts[SNI_LANES];
    for (int lane = 0; lane < SNI_LANES; lane++) {
        const uint32_t* members = slots->members[lane];
        uint32_t count = slots->counts[lane], i = 1;
        counts[lane] = (float)count;
        sniTrio even = fit_of(run, members[0]), odd = sni_trio_load(NO_MOMENTS);
        for (; i + 1 < count; i += 2) {
            odd = sni_trio_add(odd, fit_of(run, members[i]));
            even = sni_trio_add(even, fit_of(run, members[i + 1]));
        }
        if (i < count) odd = sni_trio_add(odd, fit_of(run, members[i]));
        sni_trio_store(sums[lane], sni_trio_add(even, odd));
    }
    sniVec linear[3], translation;
    gather_column(sums[0], 12, 0, &linear[0], &translation.x);
    gather_column(sums[0], 12, 1, &linear[1], &translation.y);
    gather_column(sums[0], 12, 2, &linear[2], &translation.z);
    sniVec goal = sni_vec_add(sni_vec_combine(linear, load_shape(run, &slots->group)), translation);
    return sni_vec_scale(goal, sni_f_set1(1.0f) / sni_f_load(counts));
}

static void aim(const sniFleshRun* run, uint32_t begin, uint32_t end) {
    for (uint32_t s = begin; s < end; s += SNI_LANES) {
        Slots slots;
        slots_at(run, s, end, &slots);
        store_shape(run, &slots.group, mean_fit(run, &slots));
    }
}

static inline sniVec gravity_on(const snFleshJob* job, const sniGroup* group) {
    sniVec gravity = splat(job->gravity);
    if (job->rotations == NULL) return gravity;
    sniVec turn[3];
    load_turn(job->rotations, group, turn);
    return vec_sub(gravity, sni_vec_combine(turn, gravity));
}

static inline sniVec acceleration_of(const snFleshJob* job, const sniGroup* group, sniVec velocity) {
    sniF zero = sni_f_set1(0.0f);
    sniVec sum = {zero, zero, zero};
    snVec3 g = job->gravity;
    if (g.x != 0.0f || g.y != 0.0f || g.z != 0.0f) sum = gravity_on(job, group);
    if (job->drag > 0.0f) {
        float exposed[SNI_LANES];
        for (int i = 0; i < SNI_LANES; i++) {
            uint32_t p = group->index[i];
            // Implicit, so that no drag is too strong.
            float rate = job->drag / (1.0f + job->drag * job->material->forces[p] * job->step);
            exposed[i] = job->flesh->boundary[p] != 0 ? rate : 0.0f;
        }
        sum = sni_vec_add(sum, sni_vec_scale(vec_sub(splat(job->wind), velocity), sni_f_load(exposed)));
    }
    if (job->accelerations != NULL) sum = sni_vec_add(sum, load_vec4(job->accelerations, group));
    return sni_vec_scale(sum, load_floats(job->material->forces, group));
}

// Where each particle is pulled, from where it is.
static inline sniVec pull_of(const sniFleshRun* run, const sniGroup* group, sniVec move, sniVec primary) {
    sniVec pull = vec_sub(load_shape(run, group), move);
    return run->initial ? vec_sub(pull, vec_sub(primary, splat(run->origin))) : pull;
}

static void advance(const sniFleshRun* run, uint32_t begin, uint32_t end) {
    const snFleshJob* job = run->job;
    const snFleshState* state = job->state;
    const snFleshMaterial* material = job->material;
    float sixties = 60.0f * job->step;
    sniF h = sni_f_set1(job->step), rate = sni_f_set1(1.0f / job->step), one = sni_f_set1(1.0f);
    float most = job->limit * SNI_FLESH_ROOM;
    sniF limit2 = sni_f_set1(most * most), zero = sni_f_set1(0.0f);
    uint32_t cuts = 0;
    for (uint32_t p = begin; p < end; p += SNI_LANES) {
        sniGroup group = sni_group_at(p, end);
        sniVec move = sni_group_load(&group, state->moves);
        sniVec old = sni_group_load(&group, state->primaries);
        sniVec now = load_vec4(job->primary, &group);
        sniVec primary_velocity = sni_vec_scale(vec_sub(now, old), rate);
        sniVec velocity = state->fresh ? primary_velocity : sni_group_load(&group, state->velocities);
        // The same stiffness whatever the step: alpha grows with its square, up to the whole way.
        sniF alpha = load_floats(material->alphas, &group) * sni_f_set1(sixties * sixties);
        alpha = sni_f_select_greater(alpha, one, one, alpha);
        sniVec pull = pull_of(run, &group, move, old);
        sniVec acceleration = acceleration_of(job, &group, velocity);
        velocity = sni_vec_add(velocity, sni_vec_scale(pull, alpha * rate));
        velocity = sni_vec_add(velocity, sni_vec_scale(acceleration, h));
        // Implicit, so that no damping is too strong.
        sniF keep = one / (one + load_floats(material->dampings, &group) * h);
        sniF free = one - load_floats(material->holds, &group);
        sniVec relative = sni_vec_scale(vec_sub(velocity, primary_velocity), keep * free);
        move = sni_vec_scale(sni_vec_add(move, sni_vec_scale(relative, h)), free);
        sniF length2 = move.x * move.x + move.y * move.y + move.z * move.z;
        // A move that is too long or no number fails the comparison; the latter becomes no move at all.
        sniF cut = sni_f_set1(most) / sni_f_sqrt(length2);
        sniF scale = sni_f_select_greater(limit2, length2, one, sni_f_select_greater(cut, zero, cut, zero));
        sniVec none = {zero, zero, zero};
        move = vec_select_greater(scale, zero, sni_vec_scale(move, scale), none);
        relative = vec_select_greater(scale, zero, sni_vec_scale(relative, scale), none);
        if (sni_f_any_greater(one, scale) || sni_f_any_greater(scale, one)) {
            float scales[SNI_LANES];
            sni_f_store(scales, scale);
            for (uint32_t i = 0; i < SNI_LANES && p + i < end; i++) cuts += scales[i] != 1.0f;
        }
        sni_group_store(&group, state->moves, move);
        sni_group_store(&group, state->velocities, sni_vec_add(primary_velocity, relative));
        sni_group_store(&group, state->primaries, now);
    }
    run->cuts[begin / SNI_FLESH_GRAIN] = cuts;
}

// ---------------------------------------------------------------------------------------- region damping

static void prepare_damping(const sniFleshRun* run, uint32_t begin, uint32_t end) {
    const snFleshState* state = run->job->state;
    for (uint32_t p = begin; p < end; p += SNI_LANES) {
        sniGroup group = sni_group_at(p, end);
        sniVec y = vec_sub(sni_group_load(&group, state->primaries), splat(run->origin));
        sniVec v = sni_group_load(&group, state->velocities);
        store_place(run, &group, v, y);
    }
}

// Sum of (y - mean) (y - mean)^T over a region, as the tensor of inertia.
static inline void region_inertia(const sniFleshRun* run, const Slots* slots, const Moments* moments,
                                  sniVec out[3]) {
    float sums[6][SNI_LANES];
    float means[3][SNI_LANES];
    sni_f_store(means[0], moments->shapes.x);
    sni_f_store(means[1], moments->shapes.y);
    sni_f_store(means[2], moments->shapes.z);
    for (int lane = 0; lane < SNI_LANES; lane++) {
        const uint32_t* members = slots->members[lane];
        const snVec4* own = &run->places[members[0] / SNI_FLESH_ROW].shape;
        float s[6] = {0.0f};
        for (uint32_t i = 0; i < slots->counts[lane]; i++) {
            const snVec4* m = &run->places[members[i] / SNI_FLESH_ROW].shape;
            float x = m->y - own->y - means[0][lane], y = m->z - own->z - means[1][lane],
                  z = m->w - own->w - means[2][lane];
            s[0] += x * x, s[1] += y * y, s[2] += z * z, s[3] += x * y, s[4] += x * z, s[5] += y * z;
        }
        for (int k = 0; k < 6; k++) sums[k][lane] = s[k];
    }
    sniF xx = sni_f_load(sums[0]), yy = sni_f_load(sums[1]), zz = sni_f_load(sums[2]);
    sniF xy = sni_f_load(sums[3]), xz = sni_f_load(sums[4]), yz = sni_f_load(sums[5]);
    out[0] = (sniVec){yy + zz, -xy, -xz};
    out[1] = (sniVec){-xy, xx + zz, -yz};
    out[2] = (sniVec){-xz, -yz, xx + yy};
}

// The rigid motion that has a region's momentum and angular momentum.
static void fit_velocity(const sniFleshRun* run, uint32_t begin, uint32_t end) {
    sniF zero = sni_f_set1(0.0f);
    for (uint32_t s = begin; s < end; s += SNI_LANES) {
        Slots slots;
        Moments moments;
        slots_at(run, s, end, &slots);
        region_moments(run, &slots, &moments);
        // products[c] is the sum of v y_c; angular momentum is the sum of y x v.
        const sniVec* m = moments.products;
        sniVec momentum = {m[1].z - m[2].y, m[2].x - m[0].z, m[0].y - m[1].x};
        sniVec inertia[3];
        region_inertia(run, &slots, &moments, inertia);
        sniVec cofactors[3] = {sni_vec_cross(inertia[1], inertia[2]), sni_vec_cross(inertia[2], inertia[0]),
                               sni_vec_cross(inertia[0], inertia[1])};
        sniF det = sni_vec_dot(inertia[0], cofactors[0]);
        sniF trace = inertia[0].x + inertia[1].y + inertia[2].z;
        sniVec spin = sni_vec_combine(cofactors, momentum);
        sniVec none = {zero, zero, zero};
        // A region on a line can turn about it freely: no spin is taken from it.
        spin = vec_select_greater(det, trace * trace * trace * sni_f_set1(1e-6f),
                                  sni_vec_scale(spin, sni_f_set1(1.0f) / det), none);
        sniVec linear[3] = {{zero, spin.z, -spin.y}, {-spin.z, zero, spin.x}, {spin.y, -spin.x, zero}};
        sniVec center = sni_vec_add(load_shape(run, &slots.group), moments.shapes);
        sniVec mean = sni_vec_add(load_point(run, &slots.group), moments.points);
        store_fit(run, &slots.group, linear, vec_sub(mean, sni_vec_combine(linear, center)));
    }
}

static void damp(const sniFleshRun* run, uint32_t begin, uint32_t end) {
    const snFleshState* state = run->job->state;
    sniF share = sni_f_set1(run->job->region_damping);
    for (uint32_t p = begin; p < end; p += SNI_LANES) {
        sniGroup group = sni_group_at(p, end);
        sniVec v = sni_group_load(&group, state->velocities);
        v = sni_vec_add(v, sni_vec_scale(vec_sub(load_shape(run, &group), v), share));
        sni_group_store(&group, state->velocities, v);
    }
}

// -------------------------------------------------------------------------------------------------- show

static void show(const snFleshShowJob* job, uint32_t begin, uint32_t end) {
    const snFleshState* state = job->state;
    sniF scale = sni_f_set1(job->delta_scale), blend = sni_f_set1(job->blend), zero = sni_f_set1(0.0f);
    for (uint32_t p = begin; p < end; p += SNI_LANES) {
        sniGroup group = sni_group_at(p, end);
        sniF delta = load_floats(job->material->deltas, &group) * scale;
        sniVec now = shown_of(sni_group_load(&group, state->moves), delta, job->limit);
        if (job->blend < 1.0f) {
            sniVec before = sni_group_load(&group, state->before);
            now = sni_vec_add(before, sni_vec_scale(vec_sub(now, before), blend));
        }
        sniVec point = sni_vec_add(load_vec4(job->primary, &group), now);
        store_rows((float*)job->out_points, 4, &group, point.x, point.y, point.z, zero);
    }
}

const sniFleshKernels SNI_NAME(sni_flesh_kernels) = {prepare,         fit,          aim,  advance,
                                                     prepare_damping, fit_velocity, damp, show};
