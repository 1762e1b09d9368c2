// Volumes and their slopes, compiled once per instruction set. Sums run in lanes of fixed number and are
// added in a fixed order, so every level gives the same bits.
#include "volume/kernels.h"

#include "base/simd_pairs.h"
#include "base/simd_vec.h"
#include "base/simd_wide.h"

// ------------------------------------------------------------------------------------------------- cones

static inline sniVec gather(const snVec4* points, const uint32_t* index) {
    sniF out[4];
    sni_f_gather4_at(&points[0].x, 4, index, out);
    return (sniVec){out[0], out[1], out[2]};
}

static inline sniVec minus(sniVec a, sniVec b) { return (sniVec){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline sniF dot(sniVec a, sniVec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline sniVec spread(snVec3 v) { return (sniVec){sni_f_set1(v.x), sni_f_set1(v.y), sni_f_set1(v.z)}; }

static double total(sniD8 sum) {
    double lanes[8], out = 0.0;
    sni_d8_spill(lanes, sum);
    for (int i = 0; i < 8; i++) out += lanes[i];
    return out;
}

// See sni_face_volume for the formula.
static double cones(const sniFaceBlock* blocks, uint32_t count, const snVec4* points, snVec3 apex,
                    double* sizes) {
    sniD8 low = sni_d8_set1(0.0), high = low, size = low;
    sniVec center = spread(apex);
    sniF half = sni_f_set1(0.5f);
    for (uint32_t b = 0; b < count; b++) {
        float lanes[SNI_FACE_LANES], products[SNI_FACE_LANES];
        for (int lane = 0; lane < SNI_FACE_LANES; lane += SNI_LANES) {
            sniVec a = gather(points, blocks[b].at[0] + lane);
            sniVec to_b = minus(gather(points, blocks[b].at[1] + lane), a);
            sniVec to_c = minus(gather(points, blocks[b].at[2] + lane), a);
            sniVec to_d = minus(gather(points, blocks[b].at[3] + lane), a);
            sniVec from = minus(a, center), across = minus(to_d, to_b);
            sniF along = dot(from, sni_vec_cross(to_c, across));
            sniF inner = dot(to_b, sni_vec_cross(to_c, to_d));
            sni_f_store(lanes + lane, along + half * inner);
            sni_f_store(products + lane, dot(from, from) * (dot(to_c, to_c) * dot(across, across)));
        }
        low = sni_d8_add(low, sni_d8_widened(lanes));
        high = sni_d8_add(high, sni_d8_widened(lanes + 8));
        size = sni_d8_add(sni_d8_add(size, sni_d8_widened(products)), sni_d8_widened(products + 8));
    }
    if (sizes != NULL) *sizes = total(size);
    return total(sni_d8_add(low, high));
}

// ------------------------------------------------------------------------------------------------- slopes

// Around a point at the origin, a fan of triangles has the slope sum of r[i] x r[i + 1], doubled to agree
// with quads; a quad with the neighbours e and f and the far corner c adds (e + c) x (c + f).

// Points as they are, SNI_TRIPLES to a register.
static inline sniTriples triple_at(const sniRingSet* set, size_t row, uint32_t lane, const float* base) {
    size_t at = row * SNI_RING_LANES + lane;
    if (set->entries32 != NULL) return sni_triples_gather(base, set->entries32 + at);
    uint32_t index[SNI_TRIPLES];
    for (uint32_t i = 0; i < SNI_TRIPLES; i++) index[i] = set->entries16[at + i];
    return sni_triples_gather(base, index);
}

static void gradients(const sniRingSet* set, uint32_t begin, uint32_t end, const snVec4* places,
                      snVec4* out) {
    const float* base = &places[0].x;
    for (uint32_t b = begin; b < end; b++) {
        size_t first = set->blocks[b].first, rows = set->blocks[b].rows;
        size_t stride = b < set->triangle_blocks ? 1 : 2;
        for (uint32_t lane = 0; lane < SNI_RING_LANES; lane += SNI_TRIPLES) {
            uint32_t at = b * SNI_RING_LANES + lane;
            sniTriples center = sni_triples_load(base + 4 * (size_t)at);
            sniTriples last = sni_triples_sub(triple_at(set, first, lane, base), center);
            sniTriples plus = sni_triples_zero(), less = plus;
            for (size_t r = 1; r + stride - 1 < rows; r += stride) {
                sniTriples next = sni_triples_sub(triple_at(set, first + r + stride - 1, lane, base), center);
                sniTriples from = sni_triples_add(last, last), to = next;
                if (stride == 2) {
                    sniTriples far = sni_triples_sub(triple_at(set, first + r, lane, base), center);
                    from = sni_triples_add(last, far);
                    to = sni_triples_add(far, next);
                }
                plus = sni_triples_add(plus, sni_triples_mul(from, sni_triples_turn(to)));
                less = sni_triples_add(less, sni_triples_mul(sni_triples_turn(from), to));
                last = next;
            }
            sni_triples_store(out + at, sni_triples_turn(sni_triples_sub(plus, less)));
        }
    }
}

// -------------------------------------------------------------------------------------------------- fields

static inline sniVec vec_at(float* const arrays[3], uint32_t at) {
    return (sniVec){sni_f_load(arrays[0] + at), sni_f_load(arrays[1] + at), sni_f_load(arrays[2] + at)};
}

static inline void vec_to(float* const arrays[3], uint32_t at, sniVec v) {
    sni_f_store(arrays[0] + at, v.x);
    sni_f_store(arrays[1] + at, v.y);
    sni_f_store(arrays[2] + at, v.z);
}

static inline sniF at_least(sniF v, sniF least) { return sni_f_select_greater(v, least, v, least); }
static inline sniF at_most(sniF v, sniF most) { return sni_f_select_greater(most, v, v, most); }

static inline sniF smooth_rise(sniF t) {
    t = at_most(at_least(t, sni_f_set1(0.0f)), sni_f_set1(1.0f));
    return t * t * (sni_f_set1(3.0f) - (t + t));
}

static void face(const snVec4* gradients_of, const snVec3* turned, const float* areas, const float* radii,
                 uint32_t count, const sniField* field) {
    sniF one = sni_f_set1(1.0f), tiny = sni_f_set1(1e-30f);
    sniF low = sni_f_set1(SNI_SQUEEZED), per_unit = sni_f_set1(1.0f / (SNI_FREE - SNI_SQUEEZED));
    for (uint32_t i = 0; i < count; i += SNI_LANES) {
        uint32_t index[SNI_LANES];
        for (uint32_t k = 0; k < SNI_LANES; k++) index[k] = i + k;
        sniVec slope = sni_vec_scale(gather(gradients_of, index), sni_f_set1(1.0f / 12.0f)), n;
        sni_f_load3(turned + i, &n.x, &n.y, &n.z);
        // How long a blended normal is says how large the pose made the surface there.
        sniF square = dot(n, n), size = sni_f_sqrt(square);
        n = sni_vec_scale(n, one / at_least(size, tiny));
        sniF facing = dot(slope, n), whole = sni_f_load(areas + i) * square;
        sniF free = smooth_rise((facing / at_least(whole, tiny) - low) * per_unit);
        vec_to(field->normals, i, sni_vec_scale(n, free));
        vec_to(field->slopes, i, slope);
        sni_f_store(field->facing + i, facing * free);
        sni_f_store(field->room + i, sni_f_load(radii + i) * size * sni_f_set1(SNI_ROOM));
    }
}

static void fold(const sniFold* f, const float* sides, const snVec4* places, const sniField* field,
                 sniSpan span) {
    sniVec origin = spread(f->origin), across = spread(f->across), inward = spread(f->inward);
    sniF one = sni_f_set1(1.0f), strength = sni_f_set1(f->strength);
    sniF per_clear = sni_f_set1(1.0f / f->clear), per_begin = sni_f_set1(1.0f / f->begin);
    for (uint32_t i = span.begin; i < span.end; i += SNI_LANES, sides += SNI_LANES) {
        uint32_t index[SNI_LANES];
        for (uint32_t k = 0; k < SNI_LANES; k++) index[k] = i + k;
        sniVec p = minus(gather(places, index), origin);
        sniF inside = smooth_rise(dot(p, inward) * per_begin);
        sniF clear = smooth_rise(dot(p, across) * sni_f_load(sides) * per_clear);
        sniF open = one - inside * strength * (one - clear);
        vec_to(field->normals, i, sni_vec_scale(vec_at(field->normals, i), open));
        sni_f_store(field->facing + i, sni_f_load(field->facing + i) * open);
    }
}

static double product(const float* a, const float* b, uint32_t count) {
    sniD8 sum = sni_d8_set1(0.0);
    for (uint32_t i = 0; i < count; i += SNI_RING_LANES)
        sum = sni_d8_add_product(sum, sni_d8_widened(a + i), sni_d8_widened(b + i));
    return total(sum);
}

static void add(float* values, const float* moves, float scale, uint32_t count) {
    sniF s = sni_f_set1(scale);
    for (uint32_t i = 0; i < count; i += SNI_LANES)
        sni_f_store(values + i, sni_f_load(values + i) + sni_f_load(moves + i) * s);
}

static inline sniVec turned_by(const float by[6], sniVec n) {
    sniF xx = sni_f_set1(by[0]), yy = sni_f_set1(by[1]), zz = sni_f_set1(by[2]);
    sniF xy = sni_f_set1(by[3]), xz = sni_f_set1(by[4]), yz = sni_f_set1(by[5]);
    return (sniVec){xx * n.x + xy * n.y + xz * n.z, xy * n.x + yy * n.y + yz * n.z,
                    xz * n.x + yz * n.y + zz * n.z};
}

static double facing_by(const float* weights, const float by[6], const sniField* field, sniSpan span) {
    sniD8 sum = sni_d8_set1(0.0);
    for (uint32_t i = span.begin; i < span.end; i += SNI_FACE_LANES, weights += SNI_FACE_LANES) {
        float lanes[SNI_FACE_LANES];
        for (uint32_t k = 0; k < SNI_FACE_LANES; k += SNI_LANES) {
            sniF facing = dot(vec_at(field->slopes, i + k), turned_by(by, vec_at(field->normals, i + k)));
            sni_f_store(lanes + k, facing * sni_f_load(weights + k));
        }
        sum = sni_d8_add(sni_d8_add(sum, sni_d8_widened(lanes)), sni_d8_widened(lanes + 8));
    }
    return total(sum);
}

static void add_by(const float* weights, const float by[6], float scale, const sniField* field,
                   sniSpan span) {
    sniF s = sni_f_set1(scale);
    for (uint32_t i = span.begin; i < span.end; i += SNI_LANES, weights += SNI_LANES) {
        sniVec move = sni_vec_scale(turned_by(by, vec_at(field->normals, i)), s * sni_f_load(weights));
        vec_to(field->moves, i, sni_vec_add(vec_at(field->moves, i), move));
    }
}

static float limit(const sniField* field, uint32_t count) {
    sniF one = sni_f_set1(1.0f), tiny = sni_f_set1(1e-30f), most = sni_f_set1(0.0f);
    for (uint32_t i = 0; i < count; i += SNI_LANES) {
        sniVec n = vec_at(field->normals, i);
        sniVec move = sni_vec_add(vec_at(field->moves, i), sni_vec_scale(n, sni_f_load(field->along + i)));
        sniF room = sni_f_load(field->room + i), ratio = dot(move, move) / at_least(room * room, tiny);
        sniF within = one / sni_f_sqrt(one + ratio);
        sniF share = sni_f_load(field->wide + i) * (within * within);
        vec_to(field->moves, i, sni_vec_scale(move, within));
        sni_f_store(field->wide + i, share * room);
        most = at_least(most, share);
    }
    float lanes[SNI_LANES], out = 0.0f;
    sni_f_store(lanes, most);
    for (int i = 0; i < SNI_LANES; i++) out = lanes[i] > out ? lanes[i] : out;
    return out;
}

static void place(const sniField* field, const snVec4* places, const uint32_t* ids, float more,
                  uint32_t count, snVec4* points) {
    sniF zero = sni_f_set1(0.0f), further = sni_f_set1(more);
    for (uint32_t i = 0; i < count; i += SNI_LANES) {
        uint32_t index[SNI_LANES];
        for (uint32_t k = 0; k < SNI_LANES; k++) index[k] = i + k;
        sniVec n = vec_at(field->normals, i);
        sniVec move =
            sni_vec_add(vec_at(field->moves, i), sni_vec_scale(n, further * sni_f_load(field->wide + i)));
        sniVec p = sni_vec_add(gather(places, index), move);
        sni_f_scatter4(&points[0].x, 4, ids + i, p.x, p.y, p.z, zero);
    }
}

static inline sniVec area_at(const sniFaceBlock* block, int lane, const snVec4* points) {
    sniVec along = minus(gather(points, block->at[2] + lane), gather(points, block->at[0] + lane));
    return sni_vec_cross(along,
                         minus(gather(points, block->at[3] + lane), gather(points, block->at[1] + lane)));
}

// The area of a face along its direction before is nearly linear in the move.
static float guard(const sniFaceBlock* block, const snVec4* before, const snVec4* now,
                   float out[SNI_FACE_LANES]) {
    sniF one = sni_f_set1(1.0f), tiny = sni_f_set1(1e-30f), may = sni_f_set1(1.0f - SNI_LEFT);
    float least = 1.0f;
    for (int lane = 0; lane < SNI_FACE_LANES; lane += SNI_LANES) {
        sniVec was = area_at(block, lane, before), is = area_at(block, lane, now);
        sniF size = dot(was, was), loses = one - dot(was, is) / at_least(size, tiny);
        // A face without area has nothing to lose.
        sniF part = sni_f_select_greater(loses, may, may / at_least(loses, may), one);
        sni_f_store(out + lane, sni_f_select_greater(size, tiny, part, one));
    }
    for (int lane = 0; lane < SNI_FACE_LANES; lane++) least = out[lane] < least ? out[lane] : least;
    return least;
}

// ------------------------------------------------------------------------------------------------- profiles

// A table is 0 at its ends, so what lies outside may be moved there.
static inline sniF sample(const sniProfileTable* table, const float* at) {
    sniF zero = sni_f_set1(0.0f), end = sni_f_set1((float)SNI_PROFILE_SAMPLES);
    sniF place = (sni_f_load(at) - sni_f_set1(table->low)) * sni_f_set1(table->per_unit);
    place = sni_f_select_greater(place, zero, place, zero);
    place = sni_f_select_greater(end, place, place, end);
    return sni_f_lookup(table->at[0], place);
}

static double profile(const sniProfileTable tables[3], const float* const coordinates[3], const float* gates,
                      uint32_t count, float* out) {
    sniD8 low = sni_d8_set1(0.0), high = low;
    for (uint32_t i = 0; i < count; i += SNI_FACE_LANES) {
        for (uint32_t k = i; k < i + SNI_FACE_LANES; k += SNI_LANES) {
            sniF value = sni_f_load(gates + k) * sample(&tables[0], coordinates[0] + k);
            value = value * sample(&tables[1], coordinates[1] + k);
            sni_f_store(out + k, value * sample(&tables[2], coordinates[2] + k));
        }
        low = sni_d8_add(low, sni_d8_widened(out + i));
        high = sni_d8_add(high, sni_d8_widened(out + i + 8));
    }
    return total(sni_d8_add(low, high));
}

// ------------------------------------------------------------------------------------------------- normals

static inline sniF length_of(sniVec v) { return sni_f_sqrt(dot(v, v)); }

// n turned by the shortest rotation from a to b, for unit a and b: n c + (a x b) x n + (a x b) (a x b) . n /
// (1 + c).
static void turn(const uint32_t* slots, uint32_t count, const snVec4* from, const snVec4* to,
                 snVec3* normals) {
    sniF zero = sni_f_set1(0.0f), one = sni_f_set1(1.0f), tiny = sni_f_set1(SNI_TINY_NORMAL);
    for (uint32_t i = 0; i < count; i += SNI_LANES) {
        sniGroup group = sni_group_at(i, count);
        uint32_t index[SNI_LANES];
        for (int k = 0; k < SNI_LANES; k++) index[k] = slots[group.index[k]];
        sniVec n = sni_group_load(&group, normals), a = gather(from, index), b = gather(to, index);
        sniVec moved = minus(b, a);
        if (!sni_f_any_greater(dot(moved, moved), zero)) continue;
        sniF size = length_of(a) * length_of(b);
        sniF inverse = one / size, cosine = dot(a, b) * inverse;
        sniVec axis = sni_vec_scale(sni_vec_cross(a, b), inverse);
        sniVec turned = sni_vec_add(sni_vec_scale(n, cosine), sni_vec_cross(axis, n));
        turned = sni_vec_add(turned, sni_vec_scale(axis, dot(axis, n) / (one + cosine)));
        turned = sni_vec_unit_or(turned, n);
        // A surface that turned over, or that has no direction, says nothing; one that stayed keeps its bits.
        sniF good = sni_f_select_greater(size, tiny, cosine, sni_f_set1(-1.0f));
        good = sni_f_select_greater(dot(moved, moved), zero, good, sni_f_set1(-1.0f));
        sniF least = sni_f_set1(-0.99f);
        sniVec out = {sni_f_select_greater(good, least, turned.x, n.x),
                      sni_f_select_greater(good, least, turned.y, n.y),
                      sni_f_select_greater(good, least, turned.z, n.z)};
        sni_group_store(&group, normals, out);
    }
}

const sniVolumeKernels SNI_NAME(sni_volume_kernels) = {
    cones, gradients, face, fold, profile, product, add, facing_by, add_by, limit, place, guard, turn};
