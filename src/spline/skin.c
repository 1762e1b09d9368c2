// Points on splines. A point hangs at a fixed place of each of its splines, so of every spline it needs the
// same two samples with the same weights in every frame: spline skinning is linear skinning by sampled
// matrices, and the skin plan does it. What styles add is computed on the way, block by block.
#include "base/curve.h"
#include "base/error.h"
#include "base/memory.h"
#include "spline/spline.h"

// Blocks per task.
#define GRAIN 64
// Splines shorter than so many radii of the limb show less of a style, and in the end none. Judged by
// pictures of necks and jaws, where folds tore; the fades across a limb and where splines meet, below, were
// too.
#define SHORT_LIMB 3.0f
#define SHORTEST_LIMB 1.0f

// Styled splines of a point, rising.
typedef struct Group {
    uint32_t count;
    uint32_t styled[SN_SPLINE_INFLUENCES];
} Group;

typedef struct Builder {
    const snSplineSkinDef* def;
    const snAllocator* memory;
    snSplineSkin* skin;
    const snSplineSkin* old; // that knows how points hang, or NULL
    const uint8_t* same;     // point_count; which of them; NULL: all
    uint16_t* matrices;      // point_count * SN_SPLINE_MATRICES
    float* weights;
    uint32_t* of_spline; // the splines' count: which of `styled`, or SN_NONE
    uint32_t* groups;    // point_count
    Group* group_list;
    size_t group_capacity;
    uint32_t group_count;
} Builder;

// ----------------------------------------------------------------------------------------------- influences

static void find_influences(Builder* b, uint32_t point) {
    const snSplineSkinDef* def = b->def;
    const uint16_t* joints = def->joints + (size_t)point * def->influences;
    const float* weights = def->weights + (size_t)point * def->influences;
    bool stiff = def->stiff != NULL && def->stiff[point] != 0;
    bool known = b->old != NULL && (b->same == NULL || b->same[point] != 0) &&
                 stiff == (b->old->stiff != NULL && b->old->stiff[point] != 0);
    if (known) {
        b->skin->counts[point] = b->old->counts[point];
        memcpy(b->skin->influences[point], b->old->influences[point], sizeof *b->skin->influences);
        return;
    }
    if (!stiff) {
        b->skin->counts[point] = (uint8_t)sni_spline_influences(
            def->splines, def->points[point], def->influences, joints, weights, b->skin->influences[point]);
        return;
    }
    uint32_t best = 0;
    for (uint32_t i = 1; i < def->influences; i++) best = weights[i] > weights[best] ? i : best;
    b->skin->influences[point][0] = (sniSplineInfluence){SN_NONE, joints[best], 0.0f, 1.0f};
    b->skin->counts[point] = 1;
}

// Two samples of a spline, or a joint's own matrix.
static void fill_matrices(Builder* b, uint32_t point) {
    const snSplines* splines = b->def->splines;
    uint16_t* matrices = b->matrices + (size_t)point * SN_SPLINE_MATRICES;
    float* weights = b->weights + (size_t)point * SN_SPLINE_MATRICES;
    for (uint32_t i = 0; i < b->skin->counts[point]; i++, matrices += 2, weights += 2) {
        const sniSplineInfluence* at = &b->skin->influences[point][i];
        if (at->spline == SN_NONE) {
            matrices[0] = matrices[1] = (uint16_t)at->joint;
            weights[0] = at->weight;
            continue;
        }
        uint32_t last = splines->samples - 1;
        float place = sni_spline_sample_at(&splines->splines[at->spline], at->x) * (float)last;
        uint32_t k = (uint32_t)place < last - 1 ? (uint32_t)place : last - 1;
        float share = place - (float)k;
        matrices[0] = (uint16_t)(splines->joint_count + at->spline * splines->samples + k);
        matrices[1] = (uint16_t)(matrices[0] + 1);
        weights[0] = at->weight * (1.0f - share);
        weights[1] = at->weight * share;
    }
}

// --------------------------------------------------------------------------------------------------- styles

// Tables and styled splines of a skin.
static snResult create_tables(snSplineSkin* skin, const snSplineStyle* styles, snError* error) {
    const snSplines* splines = skin->splines;
    const snAllocator* memory = &skin->allocator;
    uint32_t count = splines->count;
    skin->table_count = skin->styled_count = 0;
    skin->tables = SNI_NEW_ARRAY(memory, sniStyleTable, count);
    skin->styled = SNI_NEW_ARRAY(memory, sniStyledSpline, count);
    const snStyle** made = SNI_NEW_ARRAY(memory, const snStyle*, count);
    snResult result =
        skin->tables != NULL && skin->styled != NULL && made != NULL ? SN_RESULT_OK : sni_fail_memory(error);
    for (uint32_t i = 0; i < count && result == SN_RESULT_OK; i++) {
        const snStyle* style = styles[i].style;
        float strength = styles[i].strength;
        if (style == NULL) continue;
        if (!(strength >= 0.0f) || !sn_finite(strength)) {
            result = sni_fail(error, SN_RESULT_INVALID_ARGUMENT,
                              "the style of spline %u has a strength of %g, expected 0 or more", i,
                              (double)strength);
            break;
        }
        if (strength == 0.0f || splines->splines[i].spline.pivot) continue;
        uint32_t t = 0;
        while (t < skin->table_count && made[t] != style) t++;
        if (t == skin->table_count) {
            result = sn_style_validate(style, error);
            if (result != SN_RESULT_OK) break;
            if (sni_style_table_create(style, memory, &skin->tables[t]) != SN_RESULT_OK) {
                result = sni_fail_memory(error);
                break;
            }
            made[skin->table_count++] = style;
        }
        // Around the right side of a body styles go the other way.
        const snVec3 place = splines->splines[i].spline.points[1];
        bool right = place.x < -1e-3f * splines->splines[i].length12;
        skin->styled[skin->styled_count++] =
            (sniStyledSpline){.spline = i,
                              .table = t,
                              .strength = strength,
                              .flipped = right && style->sides == SN_STYLE_AROUND};
    }
    sni_free(memory, (void*)made);
    return result;
}

// The point's offset from the spline, across it.
static snVec3 offset_from(const sniSplineFrame* frame, snVec3 point) {
    snVec3 u = sn_sub(point, frame->origin);
    return sn_sub(u, sn_scale(frame->t, sn_dot(frame->t, u)));
}

// How thick the limb is around each styled spline, for what is hollow.
static void measure_radii(Builder* b) {
    for (uint32_t s = 0; s < b->skin->styled_count; s++) {
        sniStyledSpline* styled = &b->skin->styled[s];
        float hollow = b->skin->tables[styled->table].hollow;
        double sum = 0.0, weight = 0.0;
        for (uint32_t p = 0; p < b->def->point_count && hollow != 0.0f; p++) {
            for (uint32_t i = 0; i < b->skin->counts[p]; i++) {
                const sniSplineInfluence* at = &b->skin->influences[p][i];
                if (at->spline != styled->spline) continue;
                sniSplineFrame frame = sni_spline_frame(&b->def->splines->splines[at->spline], at->x);
                sum += (double)at->weight * (double)sn_length(offset_from(&frame, b->def->points[p]));
                weight += (double)at->weight;
            }
        }
        styled->radius = weight > 0.0 ? (float)(sum / weight) : 0.0f;
        styled->hollow = hollow * styled->radius;
    }
}

// Group 0 has no style.
static bool find_group(Builder* b, uint32_t point) {
    Group group = {0};
    uint32_t count = b->def->all_styles ? b->skin->counts[point] : 1;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t spline = b->skin->influences[point][i].spline;
        if (spline == SN_NONE || b->of_spline[spline] == SN_NONE) continue;
        uint32_t k = group.count++;
        // In rising order, so that one set of styles is one group.
        for (; k > 0 && group.styled[k - 1] > b->of_spline[spline]; k--)
            group.styled[k] = group.styled[k - 1];
        group.styled[k] = b->of_spline[spline];
    }
    for (uint32_t g = 0; g < b->group_count; g++) {
        if (memcmp(&b->group_list[g], &group, sizeof group) != 0) continue;
        b->groups[point] = g;
        return true;
    }
    if (!sni_grow(b->memory, &b->group_list, &b->group_capacity, (size_t)b->group_count + 1, sizeof group))
        return false;
    b->groups[point] = b->group_count;
    b->group_list[b->group_count++] = group;
    return true;
}

static void put(float* lanes, const float* values, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) lanes[(size_t)i * SNI_BLOCK] = values[i];
}

static const sniSplineInfluence* influence_of(const Builder* b, uint32_t point, uint32_t spline) {
    const sniSplineInfluence* at = b->skin->influences[point];
    while (at->spline != spline) at++;
    return at;
}

// How much of a style a point shows. Of the heaviest spline alone it is none up to half of the weight, for
// there another spline may be as heavy, and its neighbour shows another style. Styles shape the walls of a
// limb: what lies across it (a collar, the underside of a jaw) would slide over itself, and shows none. Where
// a spline is short for its limb (a neck, a waist) folds would be steeper than they were drawn, and there is
// less of them.
static float style_weight(const Builder* b, const sniStyledSpline* styled, uint32_t point, float weight,
                          snVec3 u) {
    const sniSpline* spline = &b->def->splines->splines[styled->spline];
    float length = spline->length12 + spline->length23, radius = sn_length(u);
    if (!b->def->all_styles) weight = sni_smooth_step((weight - 0.5f) / 0.4f);
    weight *=
        sni_smooth_step((length / sn_maxf(radius, 1e-30f) - SHORTEST_LIMB) / (SHORT_LIMB - SHORTEST_LIMB));
    const snVec3* normals = b->def->facing != NULL ? b->def->facing : b->def->normals;
    if (normals == NULL || !(radius > 0.0f)) return weight;
    float facing = sn_dot(normals[point], u) / radius;
    return weight * sni_smooth_step(((facing < 0.0f ? -facing : facing) - 0.25f) / 0.35f);
}

// What a lane has of the style itself, at its place.
static void fill_style(const sniStyleTable* table, const float* place, float* lane) {
    float x = place[0], turn = lane[(size_t)SNI_STYLED_TURN * SNI_BLOCK], radial[4], curves[6];
    float at = x * (float)(table->columns - 1);
    uint32_t column = (uint32_t)at < table->columns - 2 ? (uint32_t)at : table->columns - 2;
    lane[(size_t)SNI_STYLED_COLUMN * SNI_BLOCK] = (float)column * (float)(table->rows + 1);
    lane[(size_t)SNI_STYLED_FRACTION * SNI_BLOCK] = at - (float)column;
    sni_style_radial_at(table, x, turn, radial);
    radial[3] = radial[2] * place[SNI_BLOCK];
    sni_style_curves_at(table, x, curves);
    put(lane + (size_t)SNI_STYLED_RADIAL * SNI_BLOCK, radial, 4);
    put(lane + (size_t)SNI_STYLED_CURVES * SNI_BLOCK, curves, 6);
}

static void fill_lane(const Builder* b, const sniStyledSpline* styled, uint32_t point, float* lane,
                      float* place) {
    const sniSpline* spline = &b->def->splines->splines[styled->spline];
    const sniSplineInfluence* at = influence_of(b, point, styled->spline);
    sniSplineFrame frame = sni_spline_frame(spline, at->x);
    snVec3 u = offset_from(&frame, b->def->points[point]);
    float sense = styled->flipped ? -1.0f : 1.0f,
          rate = sni_spline_rate(spline, at->x, b->def->points[point]);
    snVec3 out = sn_normalize_or(u, frame.e1), side = sn_scale(sn_cross(frame.t, out), sense);
    float turn = sense * sn_atan2(sn_dot(u, frame.e2), sn_dot(u, frame.e1)) / (2.0f * SN_PI);
    sniSplineFactors factors = sni_spline_factors(spline, at->x);
    float first[] = {turn, factors.share, sn_length(u), sense * rate,
                     style_weight(b, styled, point, at->weight, u)};
    put(lane + (size_t)SNI_STYLED_TURN * SNI_BLOCK, first, 5);
    sni_put3(lane + (size_t)SNI_STYLED_OUT * SNI_BLOCK, out);
    sni_put3(lane + (size_t)SNI_STYLED_SIDE * SNI_BLOCK, side);
    place[0] = at->x;
    place[SNI_BLOCK] = factors.share_slope;
    fill_style(&b->skin->tables[styled->table], place, lane);
    float fold[2];
    sni_spline_fold(spline, at->x, fold);
    fold[1] *= rate;
    put(lane + (size_t)SNI_STYLED_FOLD * SNI_BLOCK, fold, 2);
    if (b->def->normals == NULL) return;
    snVec3 n = b->def->normals[point];
    sni_put3(lane + (size_t)SNI_STYLED_NORMAL * SNI_BLOCK,
             sn_vec3(sn_dot(n, out), sn_dot(n, side), sn_dot(n, sn_cross(out, side))));
}

static snResult create_lanes(Builder* b, snError* error) {
    snSplineSkin* skin = b->skin;
    const snSkinPlan* plan = skin->plan;
    skin->first_style = SNI_NEW_ARRAY(b->memory, uint32_t, (size_t)plan->block_count + 1);
    if (skin->first_style == NULL) return sni_fail_memory(error);
    if (b->group_list == NULL) return SN_RESULT_OK; // no points
    for (uint32_t i = 0; i < plan->block_count; i++)
        skin->first_style[i + 1] = skin->first_style[i] + b->group_list[plan->blocks[i].group].count;
    size_t entries = skin->first_style[plan->block_count], floats = (size_t)SNI_STYLED_FLOATS * SNI_BLOCK;
    skin->block_styles = SNI_NEW_ARRAY(b->memory, uint32_t, entries);
    skin->lanes = SNI_NEW_ARRAY(b->memory, float, entries* floats);
    skin->places = SNI_NEW_ARRAY(b->memory, float, entries * 2 * SNI_BLOCK);
    if (skin->block_styles == NULL || skin->lanes == NULL || skin->places == NULL)
        return sni_fail_memory(error);
    for (uint32_t i = 0; i < plan->block_count; i++) {
        const Group* group = &b->group_list[plan->blocks[i].group];
        for (uint32_t g = 0; g < group->count; g++) {
            size_t entry = (size_t)skin->first_style[i] + g;
            skin->block_styles[entry] = group->styled[g];
            for (uint32_t lane = 0; lane < SNI_BLOCK; lane++)
                fill_lane(b, &skin->styled[group->styled[g]], plan->index[(size_t)i * SNI_BLOCK + lane],
                          skin->lanes + entry * floats + lane, skin->places + entry * 2 * SNI_BLOCK + lane);
        }
    }
    return SN_RESULT_OK;
}

// --------------------------------------------------------------------------------------------------- create

static snResult check_point(const snSplineSkinDef* def, uint32_t point, snError* error) {
    const uint16_t* joints = def->joints + (size_t)point * def->influences;
    const float* weights = def->weights + (size_t)point * def->influences;
    if (!sn_vec3_finite(def->points[point]))
        return sni_fail_vertex(error, SN_RESULT_BAD_DATA, point, "point %u is not finite", point);
    for (uint32_t i = 0; i < def->influences; i++) {
        if (joints[i] >= def->splines->joint_count)
            return sni_fail_vertex(error, SN_RESULT_BAD_DATA, point,
                                   "point %u follows joint %u, expected below %u", point, joints[i],
                                   def->splines->joint_count);
        if (!(weights[i] >= 0.0f) || !sn_finite(weights[i]))
            return sni_fail_vertex(error, SN_RESULT_BAD_DATA, point, "point %u has a weight of %g", point,
                                   (double)weights[i]);
    }
    return SN_RESULT_OK;
}

static snResult check_def(const snSplineSkinDef* def, snError* error) {
    if (def == NULL || def->splines == NULL || def->influences == 0 ||
        (def->point_count > 0 && (def->points == NULL || def->joints == NULL || def->weights == NULL)))
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "splines, points, joints and weights are needed");
    snResult result = SN_RESULT_OK;
    for (uint32_t p = 0; p < def->point_count && result == SN_RESULT_OK; p++)
        result = check_point(def, p, error);
    return result;
}

static snResult allocate(Builder* b, snError* error) {
    uint32_t points = b->def->point_count;
    snSplineSkin* skin = b->skin;
    skin->influences = sni_alloc_array(b->memory, points, sizeof *skin->influences);
    skin->counts = SNI_NEW_ARRAY(b->memory, uint8_t, points);
    if (b->def->stiff != NULL) skin->stiff = sni_copy_array(b->memory, b->def->stiff, points, 1);
    b->matrices = SNI_NEW_ARRAY(b->memory, uint16_t, (size_t)points * SN_SPLINE_MATRICES);
    b->weights = SNI_NEW_ARRAY(b->memory, float, (size_t)points* SN_SPLINE_MATRICES);
    b->of_spline = SNI_NEW_ARRAY(b->memory, uint32_t, b->def->splines->count);
    b->groups = SNI_NEW_ARRAY(b->memory, uint32_t, points);
    bool ready = skin->influences != NULL && skin->counts != NULL &&
                 (b->def->stiff == NULL || skin->stiff != NULL) && b->matrices != NULL &&
                 b->weights != NULL && b->of_spline != NULL && b->groups != NULL;
    return ready ? SN_RESULT_OK : sni_fail_memory(error);
}

static snResult fill(Builder* b, snError* error) {
    const snSplineSkinDef* def = b->def;
    snResult result = allocate(b, error);
    if (result == SN_RESULT_OK && def->styles != NULL) result = create_tables(b->skin, def->styles, error);
    if (result != SN_RESULT_OK) return result;
    bool styled = b->skin->styled_count > 0;
    for (uint32_t i = 0; i < def->splines->count; i++) b->of_spline[i] = SN_NONE;
    for (uint32_t i = 0; i < b->skin->styled_count; i++) b->of_spline[b->skin->styled[i].spline] = i;
    for (uint32_t p = 0; p < def->point_count; p++) {
        find_influences(b, p);
        fill_matrices(b, p);
        if (styled && !find_group(b, p)) return sni_fail_memory(error);
    }
    snSkinPlanDef plan = {.point_count = def->point_count,
                          .points = def->points,
                          .normals = def->normals,
                          .influences = SN_SPLINE_MATRICES,
                          .joints = b->matrices,
                          .weights = b->weights,
                          .matrix_count = sn_splines_matrix_count(def->splines),
                          .groups = styled ? b->groups : NULL};
    result = sn_skin_plan_create(&plan, b->memory, &b->skin->plan, error);
    if (result != SN_RESULT_OK || !styled) return result;
    measure_radii(b);
    return create_lanes(b, error);
}

static snResult create(const snSplineSkinDef* def, const snSplineSkin* old, const uint8_t* same,
                       const snAllocator* allocator, snSplineSkin** out, snError* error) {
    snSplineSkin* skin = SNI_NEW(allocator, snSplineSkin);
    if (skin == NULL) return sni_fail_memory(error);
    skin->allocator = *allocator;
    skin->splines = def->splines;
    skin->all_styles = def->all_styles;
    Builder b = {.def = def, .memory = allocator, .skin = skin, .old = old, .same = same};
    snResult result = fill(&b, error);
    void* scratch[] = {b.matrices, b.weights, b.of_spline, b.groups, b.group_list};
    for (size_t i = 0; i < sizeof scratch / sizeof scratch[0]; i++) sni_free(allocator, scratch[i]);
    if (result != SN_RESULT_OK) {
        sn_spline_skin_destroy(skin);
        return result;
    }
    *out = skin;
    return SN_RESULT_OK;
}

snResult sn_spline_skin_create(const snSplineSkinDef* def, const snAllocator* allocator, snSplineSkin** out,
                               snError* error) {
    if (out == NULL) return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "an output is needed");
    SNI_TRY(check_def(def, error));
    snAllocator memory = sni_allocator(allocator);
    return create(def, NULL, NULL, &memory, out, error);
}

snResult sni_spline_skin_renew(const snSplineSkinDef* def, const snSplineSkin* old, const uint8_t* same,
                               snSplineSkin** out, snError* error) {
    SNI_TRY(check_def(def, error));
    return create(def, old, same, &old->allocator, out, error);
}

void sni_spline_skin_release(snSplineSkin* skin, const snSplineSkin* keeper) {
    static const snSplineSkin nothing = {0};
    if (skin == NULL || skin == keeper) return;
    if (keeper == NULL) keeper = &nothing;
    snAllocator memory = skin->allocator;
    for (uint32_t t = 0; skin->tables != keeper->tables && t < skin->table_count; t++)
        sni_style_table_destroy(&skin->tables[t], &memory);
    if (skin->plan != keeper->plan) sn_skin_plan_destroy(skin->plan);
    const void* kept[] = {
        keeper->tables, keeper->styled,     keeper->first_style, keeper->block_styles, keeper->lanes,
        keeper->places, keeper->influences, keeper->counts,      keeper->stiff,        NULL};
    void* arrays[] = {skin->tables, skin->styled,     skin->first_style, skin->block_styles, skin->lanes,
                      skin->places, skin->influences, skin->counts,      skin->stiff,        skin};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        if (arrays[i] != kept[i]) sni_free(&memory, arrays[i]);
}

void sn_spline_skin_destroy(snSplineSkin* skin) { sni_spline_skin_release(skin, NULL); }

// -------------------------------------------------------------------------------------------------- restyle

static bool same_floats(const float* a, const float* b, size_t count) {
    return a == NULL || b == NULL ? a == b : memcmp(a, b, count * sizeof(float)) == 0;
}

// Whether lanes of both tables are alike: all but the textures that are read in every frame.
static bool same_lanes(const sniStyleTable* a, const sniStyleTable* b) {
    return a->columns == b->columns && a->rows == b->rows &&
           same_floats(a->radial, b->radial, (size_t)4 * a->columns * (a->rows + 1)) &&
           same_floats(a->curves, b->curves, (size_t)6 * SNI_CURVE_SAMPLES);
}

static bool same_splines(const snSplineSkin* old, const snSplineSkin* skin) {
    bool same = old->styled_count == skin->styled_count;
    for (uint32_t s = 0; s < skin->styled_count && same; s++)
        same = old->styled[s].spline == skin->styled[s].spline &&
               old->styled[s].flipped == skin->styled[s].flipped;
    return same;
}

// Limbs were measured only where something was hollow.
static bool keep_radii(const snSplineSkin* old, snSplineSkin* skin) {
    for (uint32_t s = 0; s < skin->styled_count; s++) {
        float hollow = skin->tables[skin->styled[s].table].hollow;
        if (hollow == 0.0f) continue;
        if (old->tables[old->styled[s].table].hollow == 0.0f) return false;
        skin->styled[s].radius = old->styled[s].radius;
        skin->styled[s].hollow = hollow * skin->styled[s].radius;
    }
    return true;
}

// Lanes of one styled spline, copied first where they are still the old skin's.
static bool refill_lanes(const snSplineSkin* old, snSplineSkin* skin, uint32_t styled) {
    const sniStyleTable* table = &skin->tables[skin->styled[styled].table];
    if (skin->lanes == NULL || same_lanes(&old->tables[old->styled[styled].table], table)) return true;
    const size_t floats = (size_t)SNI_STYLED_FLOATS * SNI_BLOCK;
    size_t entries = skin->first_style[skin->plan->block_count];
    if (skin->lanes == old->lanes)
        skin->lanes = sni_copy_array(&skin->allocator, old->lanes, entries * floats, sizeof(float));
    for (size_t entry = 0; entry < entries && skin->lanes != NULL; entry++) {
        if (skin->block_styles[entry] != styled) continue;
        for (uint32_t lane = 0; lane < SNI_BLOCK; lane++)
            fill_style(table, skin->places + entry * 2 * SNI_BLOCK + lane,
                       skin->lanes + entry * floats + lane);
    }
    return skin->lanes != NULL;
}

snResult sni_spline_skin_restyle(const snSplineSkin* skin, const snSplineStyle* styles, bool all_styles,
                                 snSplineSkin** out, snError* error) {
    *out = NULL;
    if (skin->all_styles != all_styles || skin->styled == NULL) return SN_RESULT_OK;
    snSplineSkin* next = SNI_NEW(&skin->allocator, snSplineSkin);
    if (next == NULL) return sni_fail_memory(error);
    *next = *skin;
    snResult result = create_tables(next, styles, error);
    bool fits = result == SN_RESULT_OK && same_splines(skin, next) && keep_radii(skin, next);
    for (uint32_t i = 0; fits && i < next->styled_count && result == SN_RESULT_OK; i++)
        if (!refill_lanes(skin, next, i)) result = sni_fail_memory(error);
    if (result == SN_RESULT_OK && fits)
        *out = next;
    else
        sni_spline_skin_release(next, skin);
    return result;
}

// ------------------------------------------------------------------------------------------------------ run

typedef struct Run {
    const sniSplineKernels* kernels;
    const snSplineSkinJob* job;
} Run;

static void skin_task(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    (void)worker;
    const Run* run = context;
    run->kernels->skin(run->job, begin, end);
}

snResult sn_spline_skin_run(const snSplineSkinJob* job) {
    if (job == NULL || job->skin == NULL) return SN_RESULT_INVALID_ARGUMENT;
    const snSkinPlan* plan = job->skin->plan;
    if (plan->block_count == 0) return SN_RESULT_OK;
    bool normals = plan->normals != NULL, styled = job->skin->first_style != NULL;
    if (job->matrices == NULL || job->out_points == NULL || normals != (job->out_normals != NULL) ||
        (styled && job->poses == NULL) || (!normals && job->normals != NULL))
        return SN_RESULT_INVALID_ARGUMENT;
    if (!styled && job->points == NULL && job->normals == NULL) {
        snSkinPlanJob plain = {.plan = plan,
                               .matrices = job->matrices,
                               .out_points = job->out_points,
                               .out_normals = job->out_normals,
                               .tasks = job->tasks,
                               .level = job->level};
        return sn_skin_plan_run(&plain);
    }
    Run run = {sni_spline_kernels(job->level), job};
    if (run.kernels == NULL) return SN_RESULT_UNSUPPORTED;
    sn_tasks_run(job->tasks, skin_task, &run, plan->block_count, GRAIN);
    return SN_RESULT_OK;
}
