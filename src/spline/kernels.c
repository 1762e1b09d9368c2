// Matrices along splines, and points that hang on them with styles, compiled once per instruction set.
//
// A styled point is moved in the bind pose and then skinned like any other: u is its offset from the spline,
// and u' = (1 + g_d) u_d d + (1 + g_n) u_n n, with d the outside of the bend and n across it. With e = S_rs -
// 1, f = S_f - 1 and l = S_l - 1 of Forstmann et al. 2007 (sections 6.2 and 6.4), g_d = e + f + e f and g_n =
// e + l + e l. Their max(1 - w, 0) is gone: (sum w T) / max(1, w) + max(1 - w, 0) = 1 + (sum w (T - 1)) /
// max(1, w). So a style of ones adds exact zeros. Normals turn by the cofactors of the same map's derivative.
#include "base/simd_trig.h"
#include "skin/blocks.h"
#include "spline/spline.h"

#define INLINE static inline __attribute__((always_inline))

INLINE sniVec splat(snVec3 v) { return (sniVec){sni_f_set1(v.x), sni_f_set1(v.y), sni_f_set1(v.z)}; }
INLINE sniVec load3(const float* lanes) {
    return (sniVec){sni_f_load(lanes), sni_f_load(lanes + SNI_BLOCK), sni_f_load(lanes + 2 * SNI_BLOCK)};
}
INLINE sniF dot(sniVec a, sniVec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
INLINE sniVec sub(sniVec a, sniVec b) { return (sniVec){a.x - b.x, a.y - b.y, a.z - b.z}; }

// -------------------------------------------------------------------------------------------------- samples

typedef struct Frame {
    sniVec e1, e2, t;
} Frame;

// The posed frame of SNI_LANES samples.
INLINE Frame posed_frame(const sniSplinePosed* posed, const float* lanes) {
    sniVec t0 = splat(posed->t0), u0 = splat(posed->u0);
    sniF t12 = sni_f_load(lanes + SNI_SAMPLE_T12 * SNI_BLOCK);
    sniF t23 = sni_f_load(lanes + SNI_SAMPLE_T23 * SNI_BLOCK);
    sniVec slope = sni_vec_add(sni_vec_scale(splat(posed->s12), t12), sni_vec_scale(splat(posed->s23), t23));
    sniVec t = sni_vec_unit_or(slope, t0);
    // u0 turned as t0 turns to t.
    sniVec axis = sni_vec_cross(t0, t);
    sniF cosine = dot(t0, t);
    sniF along = dot(axis, u0) / sni_f_max(sni_f_set1(1.0f) + cosine, sni_f_set1(1e-6f));
    sniVec e1 = sni_vec_add(sni_vec_add(sni_vec_scale(u0, cosine), sni_vec_cross(axis, u0)),
                            sni_vec_scale(axis, along));
    sniF sine, cos;
    sni_f_sin_cos(sni_f_load(lanes + SNI_SAMPLE_SHARE * SNI_BLOCK) * sni_f_set1(posed->twist), &sine, &cos);
    e1 = sni_vec_add(sni_vec_scale(e1, cos), sni_vec_scale(sni_vec_cross(t, e1), sine));
    e1 = sni_vec_unit_or(e1, u0);
    return (Frame){e1, sni_vec_cross(t, e1), t};
}

// Column c of now * transpose(then).
INLINE sniVec turn_column(const Frame* now, const Frame* then, int c) {
    const sniF a = c == 0 ? then->e1.x : c == 1 ? then->e1.y : then->e1.z;
    const sniF b = c == 0 ? then->e2.x : c == 1 ? then->e2.y : then->e2.z;
    const sniF d = c == 0 ? then->t.x : c == 1 ? then->t.y : then->t.z;
    return sni_vec_add(sni_vec_add(sni_vec_scale(now->e1, a), sni_vec_scale(now->e2, b)),
                       sni_vec_scale(now->t, d));
}

// The turn after the stretch, blended from one end to the other.
INLINE void add_stretch(const sniSplinePosed* posed, sniF share, sniVec columns[3]) {
    sniVec turned[3] = {columns[0], columns[1], columns[2]};
    for (int c = 0; c < 3; c++) {
        const float* a = posed->stretch[0].m + 4 * c;
        const float* b = posed->stretch[1].m + 4 * c;
        sniVec stretch = {sni_f_set1(a[0]) + sni_f_set1(b[0] - a[0]) * share,
                          sni_f_set1(a[1]) + sni_f_set1(b[1] - a[1]) * share,
                          sni_f_set1(a[2]) + sni_f_set1(b[2] - a[2]) * share};
        columns[c] = sni_vec_combine(turned, stretch);
    }
}

static void write_samples(const sniSplineRun* run, uint32_t first, const sniVec columns[4]) {
    float rows[SNI_LANES][16];
    sniF zero = sni_f_set1(0.0f), one = sni_f_set1(1.0f);
    for (int c = 0; c < 4; c++)
        sni_f_store4(rows[0] + 4 * c, 16, columns[c].x, columns[c].y, columns[c].z, c == 3 ? one : zero);
    for (uint32_t i = 0; i < SNI_LANES && first + i < run->splines->samples; i++)
        memcpy(run->out[first + i].m, rows[i], sizeof rows[i]);
}

static void samples(const sniSplineRun* run) {
    const sniSplinePosed* posed = run->posed;
    for (uint32_t first = 0; first < run->splines->samples; first += SNI_LANES) {
        const float* lanes =
            run->table + (size_t)(first / SNI_BLOCK) * SNI_SAMPLE_FLOATS * SNI_BLOCK + first % SNI_BLOCK;
        Frame now = posed_frame(posed, lanes);
        Frame then = {load3(lanes + SNI_SAMPLE_E1 * SNI_BLOCK), load3(lanes + SNI_SAMPLE_E2 * SNI_BLOCK),
                      load3(lanes + SNI_SAMPLE_T * SNI_BLOCK)};
        sniVec columns[4];
        for (int c = 0; c < 3; c++) columns[c] = turn_column(&now, &then, c);
        if (posed->stretched) add_stretch(posed, sni_f_load(lanes + SNI_SAMPLE_SHARE * SNI_BLOCK), columns);
        sniVec origin = load3(lanes + SNI_SAMPLE_ORIGIN * SNI_BLOCK);
        sniVec at = sni_vec_add(
            splat(posed->p1),
            sni_vec_add(sni_vec_scale(splat(posed->d12), sni_f_load(lanes + SNI_SAMPLE_D12 * SNI_BLOCK)),
                        sni_vec_scale(splat(posed->d23), sni_f_load(lanes + SNI_SAMPLE_D23 * SNI_BLOCK))));
        columns[3] = sub(at, sni_vec_combine(columns, origin));
        write_samples(run, first, columns);
    }
}

// --------------------------------------------------------------------------------------------------- styles

// A scale less 1, and its slopes along x and alpha.
typedef struct Scale {
    sniF value, x, alpha;
} Scale;

// Where a point is around the bend, seen from the origin of the scales: distance, angle, its sine and cosine.
typedef struct Around {
    sniF radius, turns, sine, cosine;
} Around;

INLINE sniF styled(const float* lanes, int field) { return sni_f_load(lanes + (size_t)field * SNI_BLOCK); }

// Around the spline itself.
INLINE Around around_spline(const snStylePose* pose, const float* lanes) {
    Around a = {.radius = styled(lanes, SNI_STYLED_RADIUS)};
    a.turns = (styled(lanes, SNI_STYLED_TURN) - sni_f_set1(pose->direction)) +
              styled(lanes, SNI_STYLED_SHARE) * sni_f_set1(pose->turn);
    sni_f_sin_cos(a.turns, &a.sine, &a.cosine);
    return a;
}

// Around an origin that lies outside of it.
INLINE Around around_hollow(const snStylePose* pose, Around a) {
    sniF out = a.radius * a.cosine - sni_f_set1(pose->hollow), side = a.radius * a.sine;
    a.radius = sni_f_sqrt(out * out + side * side);
    a.turns = sni_f_turns(side, out);
    sniF over = sni_f_set1(1.0f) / sni_f_max(a.radius, sni_f_set1(1e-20f));
    a.sine = side * over;
    a.cosine = out * over;
    return a;
}

INLINE sniF mix(sniF a, sniF b, sniF t) { return a + (b - a) * t; }

// Frontal and lateral texture at the point.
INLINE void sample(const sniStyleTable* table, const float* lanes, sniF turns, Scale* frontal,
                   Scale* lateral) {
    sniF zero = sni_f_set1(0.0f), rows = sni_f_set1((float)table->rows);
    sniF part = turns - sni_f_round(turns);
    sniF place = sni_f_select_greater(zero, part, part + sni_f_set1(1.0f), part) * rows;
    place = sni_f_select_greater(place, zero, place, zero); // a NaN is 0
    uint32_t index[SNI_LANES];
    sniF row = sni_f_whole(sni_f_min(place, rows - sni_f_set1(1.0f)), index);
    sniF up = sni_f_min(place, rows) - row, along = styled(lanes, SNI_STYLED_FRACTION);
    sni_f_whole(row + styled(lanes, SNI_STYLED_COLUMN), index);
    size_t column = (size_t)(table->rows + 1) * SNI_TEXEL_FLOATS;
    for (int k = 0; k < 2; k++) {
        const float* base = table->texels + 4 * k;
        sniF a[4], b[4], c[4], d[4];
        sni_f_gather4_at(base, SNI_TEXEL_FLOATS, index, a);
        sni_f_gather4_at(base + SNI_TEXEL_FLOATS, SNI_TEXEL_FLOATS, index, b);
        sni_f_gather4_at(base + column, SNI_TEXEL_FLOATS, index, c);
        sni_f_gather4_at(base + column + SNI_TEXEL_FLOATS, SNI_TEXEL_FLOATS, index, d);
        Scale* out = k == 0 ? frontal : lateral;
        out->value = mix(mix(a[0], b[0], up), mix(c[0], d[0], up), along);
        out->x = mix(mix(a[1], b[1], up), mix(c[1], d[1], up), along);
        out->alpha = mix(mix(a[2], b[2], up), mix(c[2], d[2], up), along);
    }
}

// Weights of the frontal and lateral values, with their slopes along alpha.
typedef struct Weights {
    sniF frontal, lateral, frontal_slope, lateral_slope;
} Weights;

INLINE Weights weights_of(const snStylePose* pose, const Around* a) {
    sniF zero = sni_f_set1(0.0f), bend = sni_f_set1(pose->bend);
    return (Weights){sni_f_max(-a->cosine, zero) * bend, sni_f_abs(a->sine) * bend,
                     sni_f_select_greater(zero, a->cosine, a->sine, zero) * bend,
                     sni_f_select_greater(a->sine, zero, a->cosine, -a->cosine) * bend};
}

// The slope of sum / max(1, weight) has a second part where the weight is above 1.
INLINE sniF normalised_slope(sniF slope, sniF value, sniF weight, sniF weight_slope) {
    sniF more = slope - value * (weight_slope / weight);
    return sni_f_select_greater(weight, sni_f_set1(1.0f), more, slope);
}

// S_rs: the textures.
INLINE Scale radial_envelope(const sniStyleTable* table, const snStylePose* pose, const Weights* w,
                             const Around* a, const float* lanes) {
    sniF zero = sni_f_set1(0.0f), twist = sni_f_set1(pose->twist);
    Scale f = {zero, zero, zero}, l = {zero, zero, zero};
    if (table->texels != NULL) sample(table, lanes, a->turns, &f, &l);
    const float* radial = lanes + (size_t)SNI_STYLED_RADIAL * SNI_BLOCK;
    sniF weight = w->frontal + w->lateral + twist;
    sniF scale = sni_f_set1(pose->strength) / sni_f_max(sni_f_set1(1.0f), weight);
    Scale s;
    s.value = (w->frontal * f.value + w->lateral * l.value + twist * sni_f_load(radial)) * scale;
    // The radial texture is turned on by the twist, so along the posed limb it runs around it, too.
    sniF radial_x = sni_f_load(radial + SNI_BLOCK) -
                    sni_f_load(radial + 3 * SNI_BLOCK) * sni_f_set1(2.0f * SN_PI * pose->turn);
    s.x = (w->frontal * f.x + w->lateral * l.x + twist * radial_x) * scale;
    s.alpha = (w->frontal * f.alpha + w->lateral * l.alpha + twist * sni_f_load(radial + 2 * SNI_BLOCK) +
               w->frontal_slope * f.value + w->lateral_slope * l.value) *
              scale;
    s.alpha = normalised_slope(s.alpha, s.value, weight, w->frontal_slope + w->lateral_slope);
    return s;
}

// S_f and S_l: the curves.
INLINE void rectangular_envelope(const snStylePose* pose, const Weights* w, const float* lanes,
                                 Scale* frontal, Scale* lateral) {
    const float* c = lanes + (size_t)SNI_STYLED_CURVES * SNI_BLOCK;
    sniF one = sni_f_set1(1.0f), bend = sni_f_set1(pose->bend), twist = sni_f_set1(pose->twist);
    sniF front = sni_f_load(c), front_x = sni_f_load(c + SNI_BLOCK);
    sniF side = sni_f_load(c + 2 * SNI_BLOCK), side_x = sni_f_load(c + 3 * SNI_BLOCK);
    sniF all = sni_f_load(c + 4 * SNI_BLOCK) * twist, all_x = sni_f_load(c + 5 * SNI_BLOCK) * twist;
    sniF weight = w->frontal + twist;
    sniF scale = sni_f_set1(pose->strength) / sni_f_max(one, weight);
    frontal->value = (w->frontal * front + all) * scale;
    frontal->x = (w->frontal * front_x + all_x) * scale;
    frontal->alpha =
        normalised_slope(w->frontal_slope * front * scale, frontal->value, weight, w->frontal_slope);
    sniF across = sni_f_set1(pose->lateral_scale);
    lateral->value = (bend * side + all) * across;
    lateral->x = (bend * side_x + all_x) * across;
    lateral->alpha = sni_f_set1(0.0f);
}

// Both envelopes, one after the other, weighted; a scale stays above 0, or what is inside would come out.
INLINE Scale both(Scale e, Scale f, sniF weight) {
    sniF one = sni_f_set1(1.0f);
    Scale g = {(e.value + f.value + e.value * f.value) * weight,
               (e.x * (one + f.value) + f.x * (one + e.value)) * weight,
               (e.alpha * (one + f.value) + f.alpha * (one + e.value)) * weight};
    g.value = sni_f_max(g.value, sni_f_set1(-0.95f));
    return g;
}

// What a style adds to normals: along the outside of the bend, across it and along the spline (d, n, t).
INLINE sniVec normal_change(const Around* a, Scale d, Scale n, sniF rate, sniVec normal) {
    sniF one = sni_f_set1(1.0f), sc = a->sine * a->cosine;
    sniF dd = (one + d.value) - sc * d.alpha, dn = a->cosine * a->cosine * d.alpha;
    sniF nd = -(a->sine * a->sine * n.alpha), nn = (one + n.value) + sc * n.alpha;
    sniF dt = a->radius * a->cosine * d.x * rate, nt = a->radius * a->sine * n.x * rate;
    sniF across = nn * normal.x - nd * normal.y, other = dd * normal.y - dn * normal.x;
    sniF along = (dd * nn - dn * nd) * normal.z - dt * across - nt * other;
    return (sniVec){across - normal.x, other - normal.y, along - normal.z};
}

// From (d, n) to (out, side) or back: d = cos out - sin side, n = sin out + cos side.
INLINE void turn_back(const Around* a, sniF d, sniF n, sniF* out, sniF* side) {
    *out = a->cosine * d + a->sine * n;
    *side = a->cosine * n - a->sine * d;
}

// How fast x grows along the posed limb, `outside` of the spline by so many metres. The tangent is a T0 + b
// T1 with a + b = 1, so its length is sqrt(1 - 2 a b (1 - cos)) of that at rest, and it turns by b' sin over
// the square of that; what lies outside goes the longer way round. A fold is never shorter than a tenth.
INLINE sniF posed_rate(const snStylePose* pose, const float* lanes, sniF outside) {
    sniF left = sni_f_set1(1.0f) - styled(lanes, SNI_STYLED_FOLD) * sni_f_set1(pose->fold[0]);
    left = sni_f_max(left, sni_f_set1(1e-3f));
    sniF turned = styled(lanes, SNI_STYLED_FOLD + 1) * sni_f_set1(pose->fold[1]) * outside;
    sniF longer = sni_f_max(left * sni_f_sqrt(left) + turned, left * sni_f_set1(0.1f));
    return styled(lanes, SNI_STYLED_RATE) * left / longer;
}

INLINE void add_style(const sniStyleTable* table, const snStylePose* pose, const float* lanes, sniVec* point,
                      sniVec* normal) {
    Around spline = around_spline(pose, lanes), a = spline;
    if (pose->hollow != 0.0f) a = around_hollow(pose, a);
    Weights w = weights_of(pose, &a);
    Scale e = radial_envelope(table, pose, &w, &a, lanes), f, l;
    rectangular_envelope(pose, &w, lanes, &f, &l);
    sniF weight = styled(lanes, SNI_STYLED_WEIGHT);
    Scale d = both(e, f, weight), n = both(e, l, weight);
    sniVec out = load3(lanes + (size_t)SNI_STYLED_OUT * SNI_BLOCK);
    sniVec side = load3(lanes + (size_t)SNI_STYLED_SIDE * SNI_BLOCK);
    sniF move_out, move_side;
    turn_back(&spline, a.radius * a.cosine * d.value, a.radius * a.sine * n.value, &move_out, &move_side);
    *point = sni_vec_add(*point, sni_vec_add(sni_vec_scale(out, move_out), sni_vec_scale(side, move_side)));
    if (normal == NULL) return;
    sniVec local = load3(lanes + (size_t)SNI_STYLED_NORMAL * SNI_BLOCK);
    sniVec bent = {spline.cosine * local.x - spline.sine * local.y,
                   spline.sine * local.x + spline.cosine * local.y, local.z};
    sniF outside = spline.radius * spline.cosine + a.radius * a.cosine * d.value;
    sniVec change = normal_change(&a, d, n, posed_rate(pose, lanes, outside), bent);
    turn_back(&spline, change.x, change.y, &move_out, &move_side);
    sniVec across = sni_vec_add(sni_vec_scale(out, move_out), sni_vec_scale(side, move_side));
    *normal = sni_vec_add(*normal, sni_vec_add(across, sni_vec_scale(sni_vec_cross(out, side), change.z)));
}

// ----------------------------------------------------------------------------------------------------- skin

INLINE sniVec rest_of(const float* lanes, const snVec3* given, const uint32_t* index) {
    if (given == NULL) return sni_block_load(lanes);
    sniVec v;
    sni_f_gather3(given, index, &v.x, &v.y, &v.z);
    return v;
}

// The style that was met last, in its pose: neighbouring blocks mostly have the same.
typedef struct Met {
    uint32_t style;
    snStylePose pose;
} Met;

// Styled points bring more along than anything else here, and all of it once: it is fetched a block ahead.
INLINE void fetch_ahead(const snSplineSkin* s, uint32_t i) {
    const float* lanes = s->lanes + (size_t)s->first_style[i] * SNI_STYLED_FLOATS * SNI_BLOCK;
    for (size_t f = 0; f < SNI_STYLED_FLOATS; f++) __builtin_prefetch(lanes + f * SNI_BLOCK);
}

// Moves the points of a block in the bind pose as their styles say.
INLINE void add_styles(const snSplineSkinJob* job, uint32_t i, uint32_t lane, Met* met, sniVec* point,
                       sniVec* normal) {
    const snSplineSkin* s = job->skin;
    for (uint32_t k = s->first_style[i]; k < s->first_style[i + 1]; k++) {
        const sniStyledSpline* style = &s->styled[s->block_styles[k]];
        const sniStyleTable* table = &s->tables[style->table];
        if (met->style != s->block_styles[k])
            *met = (Met){s->block_styles[k], sni_style_pose(table, style, &job->poses[style->spline])};
        add_style(table, &met->pose, s->lanes + (size_t)k * SNI_STYLED_FLOATS * SNI_BLOCK + lane, point,
                  normal);
    }
}

static void skin(const snSplineSkinJob* job, uint32_t begin, uint32_t end) {
    const snSkinPlan* p = job->skin->plan;
    bool normals = p->normals != NULL, styles = job->skin->first_style != NULL;
    Met met = {.style = SN_NONE};
    for (uint32_t i = begin; i < end; i++) {
        const sniSkinBlock* block = &p->blocks[i];
        if (styles && i + 1 < end) fetch_ahead(job->skin, i + 1);
        for (uint32_t lane = 0; lane < SNI_BLOCK; lane += SNI_LANES) {
            const uint32_t* index = p->index + (size_t)i * SNI_BLOCK + lane;
            size_t first = (size_t)i * 3 * SNI_BLOCK + lane;
            sniVec point = rest_of(p->points + first, job->points, index), normal = point;
            if (normals) normal = rest_of(p->normals + first, job->normals, index);
            if (styles) add_styles(job, i, lane, &met, &point, normals ? &normal : NULL);
            sniLaneMatrix blend;
            sni_block_matrix(p, block, job->matrices, lane, &blend);
            sni_block_store(block, index, job->out_points, sni_vec_posed(&blend, point));
            if (normals) sni_block_store(block, index, job->out_normals, sni_vec_turned(&blend, normal));
        }
    }
}

const sniSplineKernels SNI_NAME(sni_spline_kernels) = {samples, skin};
