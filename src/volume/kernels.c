// Volumes and their slopes, compiled once per instruction set. Sums run in lanes of fixed number and are
// added in a fixed order, so every level gives the same bits.
#include <math.h>

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

// ------------------------------------------------------------------------------------------------- nearness

static void bound(const float* values, float margin, float* low, float* high) {
    float least[SNI_FACE_LANES], most[SNI_FACE_LANES];
    for (int i = 0; i < SNI_FACE_LANES; i++) least[i] = most[i] = values[i];
    for (int half = SNI_FACE_LANES / 2; half > 0; half /= 2)
        for (int i = 0; i < half; i++) {
            least[i] = least[i + half] < least[i] ? least[i + half] : least[i];
            most[i] = most[i + half] > most[i] ? most[i + half] : most[i];
        }
    *low = least[0] - margin;
    *high = most[0] + margin;
}

// Corners of some faces of a cluster, from the first one on.
typedef struct Corners {
    sniVec a, to_b, to_c, to_d;
} Corners;

static inline Corners corners_at(const sniFaceBlock* block, uint32_t lane, const snVec4* points) {
    sniVec a = gather(points, block->at[0] + lane);
    return (Corners){a, minus(gather(points, block->at[1] + lane), a),
                     minus(gather(points, block->at[2] + lane), a),
                     minus(gather(points, block->at[3] + lane), a)};
}

// Unit normals, 0 where a length of the face is squeezed.
static inline sniVec calm_normal(const sniNearSet* set, uint32_t face, const Corners* c, sniF scale) {
    sniF zero = sni_f_set1(0.0f), tiny = sni_f_set1(1e-30f),
         part = scale * scale * sni_f_set1(SNI_CALM * SNI_CALM);
    sniVec across = minus(c->to_d, c->to_b), n = sni_vec_cross(c->to_c, across);
    const sniF squares[4] = {dot(c->to_b, c->to_b), dot(c->to_c, c->to_c), dot(c->to_d, c->to_d),
                             dot(across, across)};
    sniF size = dot(n, n), one = sni_f_set1(1.0f) / at_least(sni_f_sqrt(size), tiny);
    for (int i = 0; i < 4; i++)
        one = sni_f_select_greater(squares[i], sni_f_load(set->edges[i] + face) * part, one, zero);
    return sni_vec_scale(n, one);
}

// One way that all of a cluster's normals keep to, or 0.
static void face_together(float* const normals[3], uint32_t cluster, const sniNearPose* pose) {
    float mean[3], size = 0.0f, least = 1.0f;
    for (int a = 0; a < 3; a++) {
        mean[a] = 0.0f;
        for (int i = 0; i < SNI_FACE_LANES; i++) mean[a] += normals[a][i];
        size += mean[a] * mean[a];
    }
    float inverse = size > 0.0f ? 1.0f / sqrtf(size) : 0.0f;
    for (int i = 0; i < SNI_FACE_LANES; i++) {
        float along = (normals[0][i] * mean[0] + normals[1][i] * mean[1] + normals[2][i] * mean[2]) * inverse;
        least = along < least ? along : least;
    }
    for (int a = 0; a < 3; a++) pose->facing[a][cluster] = least > SNI_ALIKE ? mean[a] * inverse : 0.0f;
}

static void middles(const sniNearSet* set, uint32_t cluster, const snVec4* points, const sniNearPose* pose) {
    const sniFaceBlock* block = &set->blocks[cluster];
    uint32_t first = cluster * SNI_FACE_LANES;
    float margin = 0.0f, x[SNI_FACE_LANES], y[SNI_FACE_LANES], z[SNI_FACE_LANES];
    float* const normals[3] = {x, y, z};
    for (uint32_t lane = 0; lane < SNI_FACE_LANES; lane += SNI_LANES) {
        sniF fourth = sni_f_load(set->fourth + first + lane);
        Corners c = corners_at(block, lane, points);
        sniVec sum = sni_vec_add(sni_vec_add(c.to_b, c.to_c), sni_vec_scale(c.to_d, fourth));
        sum = sni_vec_scale(sum, sni_f_set1(1.0f) / (sni_f_set1(3.0f) + fourth));
        vec_to(pose->middles, first + lane, sni_vec_add(c.a, sum));
        vec_to(normals, lane, calm_normal(set, first + lane, &c, sni_f_load(pose->scales + first + lane)));
    }
    face_together(normals, cluster, pose);
    for (uint32_t i = first; i < first + SNI_FACE_LANES; i++) {
        pose->sizes[i] = set->sizes[i] * pose->scales[i];
        margin = pose->sizes[i] > margin ? pose->sizes[i] : margin;
    }
    // With a little for rounding: two faces are near up to the sum of these.
    margin *= 0.5005f * SNI_FAR;
    for (int a = 0; a < 3; a++)
        bound(pose->middles[a] + first, margin, &pose->low[a][cluster], &pose->high[a][cluster]);
}

static uint32_t meet(const sniNearPose* pose, uint32_t cluster, uint32_t first) {
    float gaps[SNI_FACE_LANES];
    bool any = false;
    for (uint32_t lane = 0; lane < SNI_FACE_LANES; lane += SNI_LANES) {
        sniF gap = sni_f_set1(-1.0f);
        for (int a = 0; a < 3; a++) {
            sniF low = sni_f_load(pose->low[a] + first + lane),
                 high = sni_f_load(pose->high[a] + first + lane);
            gap = at_least(gap, low - sni_f_set1(pose->high[a][cluster]));
            gap = at_least(gap, sni_f_set1(pose->low[a][cluster]) - high);
        }
        sni_f_store(gaps + lane, gap);
        any |= sni_f_any_greater(sni_f_set1(0.0f), gap);
    }
    uint32_t bits = 0;
    for (uint32_t lane = 0; any && lane < SNI_FACE_LANES; lane++)
        bits |= (gaps[lane] < 0.0f ? 1u : 0u) << lane;
    return bits;
}

// How much faces are pressed together, from the squares of their distances at rest and now.
static inline sniF pressed(sniF rest, sniF now, sniF size) {
    sniF tiny = sni_f_set1(1e-30f), one = sni_f_set1(1.0f);
    sniF nearer = rest / at_least(now, tiny), way = now / at_least(size * size, tiny);
    const float eased = SNI_EASED * SNI_EASED, all = SNI_PRESSED * SNI_PRESSED, near = SNI_NEAR * SNI_NEAR,
                far = SNI_FAR * SNI_FAR;
    sniF part = smooth_rise((nearer - sni_f_set1(eased)) * sni_f_set1(1.0f / (all - eased)));
    return part * (one - smooth_rise((way - sni_f_set1(near)) * sni_f_set1(1.0f / (far - near))));
}

// Which faces of a cluster reach into what lies around another, as how far beyond it they are: not above 0.
static void beyond(const sniNearPose* pose, uint32_t a, uint32_t b, float out[SNI_FACE_LANES]) {
    for (uint32_t lane = 0; lane < SNI_FACE_LANES; lane += SNI_LANES) {
        uint32_t f = a * SNI_FACE_LANES + lane;
        sniVec at = vec_at(pose->middles, f);
        sniF x = at_least(sni_f_set1(pose->low[0][b]) - at.x, at.x - sni_f_set1(pose->high[0][b]));
        sniF y = at_least(sni_f_set1(pose->low[1][b]) - at.y, at.y - sni_f_set1(pose->high[1][b]));
        sniF z = at_least(sni_f_set1(pose->low[2][b]) - at.z, at.z - sni_f_set1(pose->high[2][b]));
        sniF reach = sni_f_load(pose->sizes + f) * sni_f_set1(0.5005f * SNI_FAR);
        sni_f_store(out + lane, at_least(x, at_least(y, z)) - reach);
    }
}

static void press(const sniNearSet* set, uint32_t a, uint32_t b, const sniNearPose* pose) {
    sniF half = sni_f_set1(0.5f), reach = sni_f_set1(SNI_FAR), zero = sni_f_set1(0.0f);
    float away[SNI_FACE_LANES];
    beyond(pose, a, b, away);
    for (uint32_t f = a * SNI_FACE_LANES; f < (a + 1) * SNI_FACE_LANES; f++) {
        if (away[f - a * SNI_FACE_LANES] > 0.0f) continue;
        sniVec here = spread(sn_vec3(pose->middles[0][f], pose->middles[1][f], pose->middles[2][f]));
        sniVec was = spread(sn_vec3(set->middles[0][f], set->middles[1][f], set->middles[2][f]));
        for (uint32_t g = b * SNI_FACE_LANES; g < (b + 1) * SNI_FACE_LANES; g += SNI_LANES) {
            sniF size = half * (sni_f_set1(pose->sizes[f]) + sni_f_load(pose->sizes + g));
            sniVec d = minus(vec_at(pose->middles, g), here), rest = minus(vec_at(set->middles, g), was);
            sniF now = dot(d, d), most = size * reach;
            sniF near = most * most - now;
            if (!sni_f_any_greater(near, zero)) continue;
            sniF scale = half * (sni_f_set1(pose->scales[f]) + sni_f_load(pose->scales + g));
            sniF before = dot(rest, rest) * (scale * scale);
            sniF close = before - sni_f_set1(SNI_EASED * SNI_EASED) * now;
            if (!sni_f_any_greater(sni_f_select_greater(near, zero, close, zero), zero)) continue;
            float lanes[SNI_LANES];
            sniF part = pressed(before, now, size);
            sni_f_store(pose->nears + g, at_least(sni_f_load(pose->nears + g), part));
            sni_f_store(lanes, part);
            for (int i = 0; i < SNI_LANES; i++)
                pose->nears[f] = lanes[i] > pose->nears[f] ? lanes[i] : pose->nears[f];
        }
    }
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

const sniVolumeKernels SNI_NAME(sni_volume_kernels) = {cones,   gradients, face,   fold,  profile, product,
                                                       add,     facing_by, add_by, limit, place,   guard,
                                                       middles, meet,      press,  turn};
