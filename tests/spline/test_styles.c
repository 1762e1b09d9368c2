// Styles on surfaces: ones that change nothing, the paper's formulas written once more, continuity, mirrored
// limbs, and the same bytes on every level.
#include "base/curve.h"
#include "spline_scene.h"

static const snVec3 UP = {0, 1, 0};

static void set_texture(snStyle* style, uint32_t direction, uint32_t width, uint32_t height, uint32_t one,
                        uint32_t (*texel)(uint32_t* random), uint32_t* random) {
    uint16_t* texels = malloc((size_t)width * height * sizeof *texels);
    for (uint32_t i = 0; i < width * height; i++) texels[i] = (uint16_t)texel(random);
    snStyleTexture texture = {width, height, one, texels};
    assert_ok(sn_style_set_texture(style, direction, &texture, NULL));
    free(texels);
}

static uint32_t unity8(uint32_t* random) { return (void)random, 128; }
static uint32_t unity16(uint32_t* random) { return (void)random, 32768; }
// Scales from 0.7 to 1.3.
static uint32_t any16(uint32_t* random) { return 22938 + test_random(random) % 19660; }

// Something of everything, different at each place.
static snStyle* random_style(uint32_t seed, snStyleSides sides, float hollow, float fade) {
    snStyle* style = plain_style();
    uint32_t random = seed;
    for (uint32_t d = 0; d < SN_STYLE_DIRECTIONS; d++) {
        set_texture(style, d, 33, 8, 32768, any16, &random);
        snVec2 keys[4];
        for (int k = 0; k < 4; k++)
            keys[k] = (snVec2){(float)k / 3.0f, test_random_float(&random, 0.8f, 1.2f)};
        assert_ok(sn_style_set_curve(style, d, keys, 4, NULL));
    }
    style->sides = sides;
    style->hollow = hollow;
    style->fade = fade;
    style->strength = 0.9f;
    return style;
}

// ------------------------------------------------------------------------------------- what changes nothing

static snStyle* unity_style(int kind) {
    snStyle* style = plain_style();
    static const snVec2 ones[] = {{0.0f, 1.0f}, {0.3f, 1.0f}, {1.0f, 1.0f}};
    for (uint32_t d = 0; d < SN_STYLE_DIRECTIONS; d++) {
        if (kind % 2 == 1) set_texture(style, d, 16, 9, 128, unity8, NULL);
        if (kind % 3 == 1) set_texture(style, d, 5, 2, 32768, unity16, NULL);
        if (kind % 4 >= 2) assert_ok(sn_style_set_curve(style, d, ones, 3, NULL));
    }
    static const float hollows[] = {0.0f, -2.0f, 0.7f, 2.0f}, fades[] = {0.0f, 0.1f, 0.5f};
    style->hollow = hollows[kind % 4];
    style->fade = fades[kind % 3];
    style->strength = kind % 5 == 0 ? 4.0f : 0.4f;
    style->sides = kind % 2 == 0 ? SN_STYLE_MIRRORED : SN_STYLE_AROUND;
    style->bend_angle = kind % 3 == 0 ? 0.1f : SN_PI;
    return style;
}

static void unity_changes_nothing_in_any_pose(void** state) {
    (void)state;
    uint32_t random = 1;
    for (int scene = 0; scene < 2; scene++) {
        Scene* s = scene == 0 ? scene_tube(4, 40, 12) : scene_body(2000);
        snVec3* points = malloc(s->count * sizeof *points);
        snVec3* normals = malloc(s->count * sizeof *normals);
        for (int kind = 0; kind < 12; kind++) {
            snStyle* style = unity_style(kind);
            for (int pose = 0; pose < 6; pose++) {
                SceneDef def = scene_def(3.0f, NULL);
                scene_build(s, &def);
                scene_rest(s);
                scene_random_pose(s, &random, pose < 3 ? 0.8f : 2.5f);
                for (uint32_t j = 0; j < s->joint_count && pose % 3 == 1; j++)
                    s->turns[j] = sn_quat_axis_angle(UP, test_random_float(&random, -3, 3));
                scene_pose(s);
                scene_run(s);
                memcpy(points, s->out, s->count * sizeof *points);
                memcpy(normals, s->out_normals, s->count * sizeof *normals);
                def.style = style;
                def.strength = kind % 2 == 0 ? 1.0f : 4.0f;
                def.all_styles = pose % 2 == 1;
                scene_build(s, &def);
                scene_run(s);
                assert_memory_equal(points, s->out, s->count * sizeof *points);
                assert_memory_equal(normals, s->out_normals, s->count * sizeof *normals);
            }
            sn_style_destroy(style);
        }
        free(points);
        free(normals);
        scene_destroy(s);
    }
}

// What is not on a spline has no style, and at rest nothing has.
static void styles_act_on_bent_splines_only(void** state) {
    (void)state;
    Scene* s = scene_body(4000);
    snStyle* style = random_style(7, SN_STYLE_AROUND, 0.5f, 0.0f);
    SceneDef plain = scene_def(2.0f, NULL), def = scene_def(2.0f, style);
    def.all_styles = true;
    snVec3* before = malloc(s->count * sizeof *before);
    for (int pose = 0; pose < 2; pose++) {
        uint32_t random = 8, styled = 0;
        scene_build(s, &plain);
        scene_rest(s);
        if (pose == 1) scene_random_pose(s, &random, 0.9f);
        scene_run(s);
        memcpy(before, s->out, s->count * sizeof *before);
        scene_build(s, &def);
        scene_run(s);
        for (uint32_t p = 0; p < s->count; p++) {
            sniSplineInfluence at[SN_SPLINE_INFLUENCES];
            bool free_of_splines = true;
            for (uint32_t i = scene_influences(s, p, at); i > 0; i--)
                free_of_splines = free_of_splines && at[i - 1].spline == SN_NONE;
            float moved = sn_distance(before[p], s->out[p]);
            if (free_of_splines) assert_true(moved == 0.0f);
            if (pose == 0) assert_true(moved < 1e-6f * s->height);
            styled += moved > 1e-4f;
        }
        assert_true(pose == 0 ? styled == 0 : styled > s->count / 4);
    }
    free(before);
    sn_style_destroy(style);
    scene_destroy(s);
}

// ------------------------------------------------------------------------------------------ the paper again

static double lerp(double a, double b, double t) { return a + (b - a) * t; }

static double fade_at(const snStyle* style, double x) {
    double left = 1.0, fade = (double)style->fade;
    for (int end = 0; end < 2 && fade > 0.0; end++) {
        double t = fmin((end == 0 ? x : 1.0 - x) / fade, 1.0);
        left *= t * t * (3.0 - 2.0 * t);
    }
    return left;
}

// How far from 1 a texel is: textures fade texel by texel, and are bilinear between.
static double texel_at(const snStyle* style, const snStyleTexture* t, uint32_t column, uint32_t row) {
    double x = (double)column / (double)(t->width - 1);
    return ((double)t->texels[row * t->width + column] / (double)t->one - 1.0) * fade_at(style, x);
}

// A texture at (x, alpha), alpha in radians.
static double texture_at(const snStyle* style, uint32_t direction, double x, double alpha) {
    const snStyleTexture* t = &style->textures[direction];
    if (t->texels == NULL) return 1.0;
    bool around = style->sides == SN_STYLE_AROUND;
    double turn = alpha / 6.283185307179586;
    turn -= floor(turn);
    double row = around ? turn * t->height : 2.0 * fmin(turn, 1.0 - turn) * (t->height - 1);
    double column = x * (t->width - 1);
    uint32_t i = (uint32_t)fmin(floor(column), t->width - 2.0), j = (uint32_t)floor(row);
    uint32_t next = around ? (j + 1) % t->height : j + 1 < t->height ? j + 1 : j;
    j %= t->height;
    double low = lerp(texel_at(style, t, i, j), texel_at(style, t, i + 1, j), column - i);
    double high = lerp(texel_at(style, t, i, next), texel_at(style, t, i + 1, next), column - i);
    return 1.0 + lerp(low, high, row - floor(row));
}

static double curve_at(const snStyle* style, uint32_t direction, double x) {
    const snStyleCurve* c = &style->curves[direction];
    return 1.0 + ((double)sni_curve_at((const float*)c->keys, c->count, false, x) - 1.0) * fade_at(style, x);
}

// (sum w T) / max(1, sum w) + max(1 - sum w, 0), of which a style's strength takes its share.
static double scale_of(const double* w, const double* t, int count, double strength) {
    double sum = 0.0, all = 0.0;
    for (int i = 0; i < count; i++) sum += w[i] * t[i], all += w[i];
    double scale = sum / fmax(1.0, all) + fmax(1.0 - all, 0.0);
    return 1.0 + (scale - 1.0) * strength;
}

// Where the style puts the point, in the bind pose: sections 6.1 to 6.4 of the paper, with alpha = 0 outside
// of the bend, angles over their full effect, and the origin moved by `hollow` metres.
static snVec3 styled_by_the_paper(const snStyle* style, const sniSpline* spline, const snSplinePose* pose,
                                  float x, snVec3 point, double hollow) {
    sniSplineFrame frame = sni_spline_frame(spline, x);
    snVec3 u = sn_sub(point, frame.origin);
    double u1 = (double)sn_dot(u, frame.e1), u2 = (double)sn_dot(u, frame.e2);
    // The outside of the bend in the frame of the bind pose: the twist has turned the point on from there.
    double share = (double)sni_spline_factors(spline, x).share;
    double outside = (double)pose->direction - share * (double)pose->twist;
    double beta = fmin((double)(pose->bend / style->bend_angle), 1.0);
    double gamma = fmin(fabs((double)(pose->twist / style->twist_angle)), 1.0);
    double out = u1 * cos(outside) + u2 * sin(outside) - hollow * beta;
    double side = u2 * cos(outside) - u1 * sin(outside);
    double alpha = atan2(side, out), w[3] = {fmax(-cos(alpha), 0.0) * beta, fabs(sin(alpha)) * beta, gamma};
    double t[3] = {texture_at(style, SN_STYLE_FRONTAL, (double)x, alpha),
                   texture_at(style, SN_STYLE_LATERAL, (double)x, alpha),
                   texture_at(style, SN_STYLE_RADIAL, (double)x, atan2(u2, u1))};
    double strength = (double)style->strength;
    double rs = scale_of(w, t, 3, strength), c[3];
    for (uint32_t d = 0; d < 3; d++) c[d] = curve_at(style, d, (double)x);
    double wf[2] = {w[0], gamma}, wl[2] = {beta, gamma}, cf[2] = {c[0], c[2]}, cl[2] = {c[1], c[2]};
    double more_out = out * (rs * scale_of(wf, cf, 2, strength) - 1.0);
    double more_side = side * (rs * scale_of(wl, cl, 2, strength) - 1.0);
    float d1 = (float)(more_out * cos(outside) - more_side * sin(outside));
    float d2 = (float)(more_out * sin(outside) + more_side * cos(outside));
    return sn_add(point, sn_add(sn_scale(frame.e1, d1), sn_scale(frame.e2, d2)));
}

// The mean distance of the points of a spline from it, which hollows are measured in.
static double mean_radius(const Scene* s, uint32_t spline) {
    double sum = 0.0, all = 0.0;
    for (uint32_t p = 0; p < s->count; p++) {
        sniSplineInfluence at[SN_SPLINE_INFLUENCES];
        for (uint32_t i = scene_influences(s, p, at); i > 0; i--) {
            if (at[i - 1].spline != spline) continue;
            sniSplineFrame f = sni_spline_frame(&s->splines->splines[spline], at[i - 1].x);
            snVec3 u = sn_sub(s->points[p], f.origin);
            double across = hypot((double)sn_dot(u, f.e1), (double)sn_dot(u, f.e2));
            sum += (double)at[i - 1].weight * across;
            all += (double)at[i - 1].weight;
        }
    }
    return sum / all;
}

// The matrix that moves a point, from the samples.
static snMat4 sampled_matrix(const Scene* s, const uint16_t* matrices, const float* weights, uint32_t point) {
    snMat4 sum = {{0}};
    for (uint32_t i = 0; i < SN_SPLINE_MATRICES; i++) {
        size_t at = (size_t)point * SN_SPLINE_MATRICES + i;
        for (int k = 0; k < 16; k++) sum.m[k] += weights[at] * s->samples[matrices[at]].m[k];
    }
    return sum;
}

// How far the surface is from the formulas, over the points that hang on one spline alone.
static float far_from_the_paper(Scene* s, const snStyle* style) {
    uint16_t* matrices = malloc(s->count * SN_SPLINE_MATRICES * sizeof *matrices);
    float* weights = malloc(s->count * SN_SPLINE_MATRICES * sizeof *weights);
    sn_spline_skin_influences(s->skin, matrices, weights);
    float worst = 0.0f;
    uint32_t checked = 0;
    double radius = style->hollow != 0.0f ? mean_radius(s, 0) : 0.0;
    for (uint32_t p = 0; p < s->count; p++) {
        sniSplineInfluence at[SN_SPLINE_INFLUENCES];
        if (scene_influences(s, p, at) != 1 || at[0].spline != 0) continue;
        snVec3 point = styled_by_the_paper(style, &s->splines->splines[0], &s->poses[0], at[0].x,
                                           s->points[p], (double)style->hollow * radius);
        snMat4 m = sampled_matrix(s, matrices, weights, p);
        worst = sn_maxf(worst, sn_distance(sn_mat4_point(&m, point), s->out[p]));
        checked++;
    }
    assert_true(checked > s->count / 4);
    free(matrices);
    free(weights);
    return worst;
}

static void scales_follow_the_paper(void** state) {
    (void)state;
    static const float angles[][2] = {{30, 0}, {80, 0}, {150, 0}, {0, 50}, {0, -150}, {40, 60}, {100, -170}};
    static const float hollows[] = {0.0f, 0.6f, -1.3f};
    Scene* s = scene_tube(3, 61, 24);
    for (int i = 0; i < 12; i++) {
        float fade = i % 4 < 2 ? 0.0f : 0.2f;
        snStyle* style = random_style(20 + (uint32_t)i, i % 2 == 0 ? SN_STYLE_MIRRORED : SN_STYLE_AROUND,
                                      hollows[i % 3], fade);
        SceneDef def = scene_def(i % 2 == 0 ? 2.0f : 4.0f, style);
        scene_build(s, &def);
        for (int k = 0; k < 7; k++) {
            scene_rest(s);
            float around = 0.7f * (float)(i + k);
            s->turns[1] = bent(sn_vec3(sn_cos(around), 0, sn_sin(around)), angles[k][0] * DEGREES, UP,
                               angles[k][1] * DEGREES);
            scene_pose(s);
            scene_run(s);
            // Of the distance from the origin of the scales; curves are read from 129 places.
            float worst = far_from_the_paper(s, style);
            float allowed = 2e-3f * 0.2f * (1.0f + fabsf(style->hollow));
            if (!(worst < allowed)) print_message("style %d pose %d: %g\n", i, k, (double)worst);
            assert_true(worst < allowed);
        }
        sn_style_destroy(style);
    }
    scene_destroy(s);
}

// One texel column says nothing of where the fade ends: a texture that is the same all along acts in full in
// the middle.
static void narrow_textures_fade_at_the_ends_only(void** state) {
    (void)state;
    Scene* s = scene_tube(3, 61, 24);
    snStyle* style = plain_style();
    uint16_t texels[4] = {40960, 40960, 40960, 40960}; // 1.25
    snStyleTexture texture = {2, 2, 32768, texels};
    assert_ok(sn_style_set_texture(style, SN_STYLE_RADIAL, &texture, NULL));
    style->fade = 0.25f;
    SceneDef def = scene_def(2.0f, style);
    scene_build(s, &def);
    scene_rest(s);
    s->turns[1] = sn_quat_axis_angle(UP, SN_PI);
    scene_pose(s);
    scene_run(s);
    uint32_t middle = 0;
    for (uint32_t p = 0; p < s->count; p++) {
        sniSplineInfluence at[SN_SPLINE_INFLUENCES];
        if (scene_influences(s, p, at) != 1 || at[0].spline != 0) continue;
        // A sample is a chord of the twist.
        double radius = hypot((double)s->out[p].x, (double)s->out[p].z);
        double wanted = 0.2 * (1.0 + 0.25 * fade_at(style, (double)at[0].x));
        if (hypot((double)s->points[p].x, (double)s->points[p].z) < 0.199) continue; // a cap
        assert_near(radius, wanted, 5e-3 * 0.2);
        middle += at[0].x > 0.3f && at[0].x < 0.7f;
    }
    assert_true(middle > 100);
    sn_style_destroy(style);
    scene_destroy(s);
}

// ------------------------------------------------------------------------------------------------ continuity

// Rings of points around the spline: neighbours differ by what the texture's slope allows, across the seam
// too.
static void no_seam_shows(void** state) {
    (void)state;
    Scene* s = scene_tube(3, 30, 720);
    for (int kind = 0; kind < 4; kind++) {
        snStyle* style = random_style(40, kind % 2 == 0 ? SN_STYLE_MIRRORED : SN_STYLE_AROUND,
                                      kind < 2 ? 0.0f : 0.5f, 0.1f);
        SceneDef def = scene_def(2.0f, style);
        scene_build(s, &def);
        scene_rest(s);
        s->turns[1] = bent(sn_vec3(0.6f, 0, 0.8f), 80 * DEGREES, UP, 60 * DEGREES);
        scene_pose(s);
        scene_run(s);
        // A side is 0.2 * 2 pi / 720 = 1.75 mm long; scales change by 0.6 in a row of 2 pi / 14, and by 0.3
        // more where weights do: so by at most 3 of the angle, and once again with the curves.
        float side = 0.2f * 2.0f * SN_PI / 720.0f, longest = 0.0f;
        for (uint32_t row = 12; row + 12 < s->count / 720; row++) {
            for (uint32_t k = 0; k < 720; k++)
                longest =
                    sn_maxf(longest, sn_distance(s->out[row * 720 + k], s->out[row * 720 + (k + 1) % 720]));
        }
        assert_true(longest < 5.0f * side);
        sn_style_destroy(style);
    }
    scene_destroy(s);
}

static void no_jump_where_the_limb_is_straight(void** state) {
    (void)state;
    Scene* s = scene_tube(3, 30, 16);
    snVec3* last = malloc(s->count * sizeof *last);
    for (int kind = 0; kind < 4; kind++) {
        snStyle* style = random_style(50, kind % 2 == 0 ? SN_STYLE_MIRRORED : SN_STYLE_AROUND,
                                      kind < 2 ? 0.0f : 0.5f, 0.1f);
        style->bend_angle = 20 * DEGREES;
        style->twist_angle = 20 * DEGREES;
        SceneDef def = scene_def(2.0f, style);
        scene_build(s, &def);
        scene_rest(s);
        for (int i = -200; i <= 200; i++) {
            float angle = 0.05f * (float)i * DEGREES;
            s->turns[1] = bent(sn_vec3(0.6f, 0, 0.8f), angle, UP, kind % 2 == 0 ? angle : 0.0f);
            scene_pose(s);
            scene_run(s);
            // The bone moves by 2.1 m of the angle; scales go from 1 to 0.5 or 1.5 within 20 degrees of it.
            float step = 0.05f * DEGREES * (2.1f + 0.4f * 0.5f / (20.0f * DEGREES));
            for (uint32_t p = 0; p < s->count && i > -200; p++)
                assert_true(sn_distance(s->out[p], last[p]) < step);
            memcpy(last, s->out, s->count * sizeof *last);
        }
        sn_style_destroy(style);
    }
    free(last);
    scene_destroy(s);
}

// Along the limb, over the ends of the splines, with every style that ships.
static void presets_begin_and_end_without_a_step(void** state) {
    (void)state;
    Scene* s = scene_tube(4, 2000, 6);
    for (uint32_t n = 0; sn_style_preset_name(n) != NULL; n++) {
        snStyle* style = preset(sn_style_preset_name(n));
        SceneDef def = scene_def(2.0f, style);
        scene_build(s, &def);
        scene_rest(s);
        for (uint32_t j = 1; j < 4; j++) s->turns[j] = bent(sn_vec3(1, 0, 0), 60 * DEGREES, UP, 50 * DEGREES);
        scene_pose(s);
        scene_run(s);
        // Rings lie 2 mm apart. Folds move them apart, but not where a spline ends.
        float longest[2] = {0.0f, 0.0f};
        for (uint32_t row = 1; row < 1998; row++) {
            float past = 2e-3f * (float)row - floorf(2e-3f * (float)row);
            for (uint32_t k = 0; k < 6; k++) {
                float* worst = &longest[fabsf(past - 0.5f) < 0.01f];
                *worst = sn_maxf(*worst, sn_distance(s->out[row * 6 + k], s->out[row * 6 + 6 + k]));
            }
        }
        assert_true(longest[0] < 10e-3f && longest[1] < 3e-3f);
        sn_style_destroy(style);
    }
    scene_destroy(s);
}

// ---------------------------------------------------------------------------------------------- other limbs

static snVec3 mirrored(snVec3 v) { return sn_vec3(-v.x, v.y, v.z); }

// An arm on the left side of a body, bent a little in the bind pose, or its mirror image.
static Scene* scene_arm(bool right) {
    Scene* tube = scene_tube(3, 60, 24);
    Scene* s = scene_alloc(tube->joint_count, tube->count, tube->influences);
    snTrs lay = {sn_vec3(0.3f, 1.2f, 0.1f), bent(sn_vec3(0, 1, 0), 0.3f, sn_vec3(0, 0, 1), -1.4f),
                 sn_vec3(1, 1, 1)};
    snMat4 m = sn_mat4_from_trs(&lay);
    for (uint32_t j = 0; j < s->joint_count; j++) {
        s->joints[j] = tube->joints[j];
        s->joints[j].place = sn_mat4_point(&m, tube->joints[j].place);
        if (right) s->joints[j].place = mirrored(s->joints[j].place);
    }
    for (uint32_t p = 0; p < s->count; p++) {
        s->points[p] = sn_mat4_point(&m, tube->points[p]);
        s->normals[p] = sn_mat4_vector(&m, tube->normals[p]);
        if (right) s->points[p] = mirrored(s->points[p]), s->normals[p] = mirrored(s->normals[p]);
    }
    size_t influences = (size_t)s->count * s->influences;
    memcpy(s->influence_joints, tube->influence_joints, influences * sizeof *s->influence_joints);
    memcpy(s->weights, tube->weights, influences * sizeof *s->weights);
    scene_weigh(s);
    scene_destroy(tube);
    return s;
}

static void a_mirrored_limb_has_the_mirrored_style(void** state) {
    (void)state;
    Scene* left = scene_arm(false);
    Scene* right = scene_arm(true);
    uint32_t random = 60;
    for (int i = 0; i < 12; i++) {
        snStyle* style = random_style(61 + (uint32_t)i, i % 2 == 0 ? SN_STYLE_MIRRORED : SN_STYLE_AROUND,
                                      i % 3 == 0 ? 0.8f : 0.0f, 0.1f);
        SceneDef def = scene_def(2.5f, style);
        scene_build(left, &def);
        scene_build(right, &def);
        scene_rest(left);
        scene_rest(right);
        for (uint32_t j = 0; j < left->joint_count; j++) {
            snQuat q = random_turn(&random, 1.2f);
            left->turns[j] = q;
            right->turns[j] = sn_quat(q.x, -q.y, -q.z, q.w);
        }
        scene_pose(left);
        scene_pose(right);
        scene_run(left);
        scene_run(right);
        for (uint32_t p = 0; p < left->count; p++) {
            assert_vec3_near(mirrored(left->out[p]), right->out[p], 2e-5f);
            assert_vec3_near(mirrored(left->out_normals[p]), right->out_normals[p], 1e-3f);
        }
        sn_style_destroy(style);
    }
    scene_destroy(left);
    scene_destroy(right);
}

// A point of one spline has one style either way; where several meet, all of them add theirs, each by its
// weight, and the heaviest alone leaves the others out.
static void all_styles_or_the_heaviest(void** state) {
    (void)state;
    Scene* s = scene_body(4000);
    snStyle* style = random_style(80, SN_STYLE_MIRRORED, 0.0f, 0.1f);
    SceneDef defs[3] = {scene_def(2.0f, NULL), scene_def(2.0f, style), scene_def(2.0f, style)};
    defs[2].all_styles = true;
    snVec3* out[3];
    uint32_t random = 81, several = 0;
    scene_build(s, &defs[0]);
    scene_rest(s);
    scene_random_pose(s, &random, 0.8f);
    for (int k = 0; k < 3; k++) {
        scene_build(s, &defs[k]);
        scene_run(s);
        out[k] = malloc(s->count * sizeof *out[k]);
        memcpy(out[k], s->out, s->count * sizeof *out[k]);
    }
    for (uint32_t p = 0; p < s->count; p++) {
        sniSplineInfluence at[SN_SPLINE_INFLUENCES];
        uint32_t splines = 0;
        for (uint32_t i = scene_influences(s, p, at); i > 0; i--) splines += at[i - 1].spline != SN_NONE;
        if (splines == 0) assert_memory_equal(&out[0][p], &out[2][p], sizeof(snVec3));
        if (splines <= 1 && at[0].spline != SN_NONE && at[0].weight == 1.0f)
            assert_memory_equal(&out[1][p], &out[2][p], sizeof(snVec3));
        // The heaviest shows nothing where another may be as heavy.
        if (at[0].weight <= 0.5f) assert_memory_equal(&out[0][p], &out[1][p], sizeof(snVec3));
        if (at[0].spline == SN_NONE) assert_memory_equal(&out[0][p], &out[1][p], sizeof(snVec3));
        several += splines > 1 && sn_distance(out[1][p], out[2][p]) > 1e-5f;
    }
    assert_true(several > 20);
    for (int k = 0; k < 3; k++) free(out[k]);
    sn_style_destroy(style);
    scene_destroy(s);
}

// --------------------------------------------------------------------------------------- levels and workers

static uint64_t hash_of(const Scene* s) {
    uint64_t hash = sn_hash_bytes(SN_HASH_SEED, s->out, s->count * sizeof *s->out);
    return sn_hash_bytes(hash, s->out_normals, s->count * sizeof *s->out_normals);
}

typedef struct Case {
    snStyleSides sides;
    float hollow;
    bool all_styles, no_normals, given;
} Case;

static void run_case(Scene* s, const Case* c, const snVec3* given, snCpuLevel level, const snTasks* tasks) {
    snSplineSkinJob job = {.skin = s->skin,
                           .matrices = s->samples,
                           .poses = s->poses,
                           .points = c->given ? given : NULL,
                           .normals = c->given && !c->no_normals ? s->normals : NULL,
                           .out_points = s->out,
                           .out_normals = c->no_normals ? NULL : s->out_normals,
                           .tasks = tasks,
                           .level = level};
    assert_ok(sn_spline_skin_run(&job));
}

static void every_level_and_worker_count_gives_the_same_bits(void** state) {
    (void)state;
    static const Case cases[] = {{SN_STYLE_MIRRORED, 0.0f, false, false, false},
                                 {SN_STYLE_AROUND, 0.0f, true, false, false},
                                 {SN_STYLE_MIRRORED, 0.7f, true, false, true},
                                 {SN_STYLE_AROUND, -0.7f, false, true, true},
                                 {SN_STYLE_AROUND, 1.5f, true, true, false}};
    Scene* s = scene_body(6000);
    snVec3* given = malloc(s->count * sizeof *given);
    uint32_t random = 90;
    for (uint32_t p = 0; p < s->count; p++) given[p] = sn_add(s->points[p], sn_scale(s->normals[p], 0.01f));
    for (int i = 0; i < 5; i++) {
        snStyle* style = random_style(91, cases[i].sides, cases[i].hollow, 0.1f);
        SceneDef def = scene_def(3.0f, style);
        def.all_styles = cases[i].all_styles;
        def.no_normals = cases[i].no_normals;
        scene_build(s, &def);
        scene_rest(s);
        scene_random_pose(s, &random, 1.2f);
        scene_run_at(s, SN_CPU_SCALAR, NULL);
        run_case(s, &cases[i], given, SN_CPU_SCALAR, NULL);
        uint64_t reference = hash_of(s);
        for (int level = SN_CPU_AUTO; level < SN_CPU_LEVEL_COUNT; level++) {
            if (!sn_cpu_level_available((snCpuLevel)level)) continue;
            for (uint32_t workers = 1; workers <= 8; workers += workers < 3 ? 2 : 5) {
                snPool* pool = NULL;
                assert_ok(sn_pool_create(workers, &pool));
                snTasks tasks = sn_pool_tasks(pool);
                memset(s->out, 0xff, s->count * sizeof *s->out);
                run_case(s, &cases[i], given, (snCpuLevel)level, &tasks);
                assert_true(hash_of(s) == reference);
                sn_pool_destroy(pool);
            }
        }
        sn_style_destroy(style);
    }
    free(given);
    scene_destroy(s);
}

// ------------------------------------------------------------------------------------------------- bad input

static void poses_that_are_no_numbers_do_no_harm(void** state) {
    (void)state;
    static const float bad[] = {NAN, INFINITY, -INFINITY, 3e38f, -1e9f, 1e-40f};
    Scene* s = scene_tube(3, 30, 8);
    for (int kind = 0; kind < 4; kind++) {
        snStyle* style = random_style(95, kind % 2 == 0 ? SN_STYLE_MIRRORED : SN_STYLE_AROUND,
                                      kind < 2 ? 0.0f : 2.0f, 0.1f);
        SceneDef def = scene_def(2.0f, style);
        scene_build(s, &def);
        for (int level = SN_CPU_AUTO; level < SN_CPU_LEVEL_COUNT; level++) {
            if (!sn_cpu_level_available((snCpuLevel)level)) continue;
            for (int i = 0; i < 18; i++) {
                scene_rest(s);
                scene_run(s);
                if (i % 3 == 0) s->poses[0].bend = bad[i / 3];
                if (i % 3 == 1) s->poses[0].twist = bad[i / 3];
                if (i % 3 == 2) s->poses[0].direction = bad[i / 3];
                if (i % 3 == 2) s->poses[0].bend = 1.0f;
                run_case(s, &(Case){.given = false}, NULL, (snCpuLevel)level, NULL);
                for (int k = 0; k < 16; k++) s->matrices[1].m[k] = bad[i / 3];
                scene_run_at(s, (snCpuLevel)level, NULL);
            }
        }
        sn_style_destroy(style);
    }
    scene_destroy(s);
}

static void bad_styles_are_refused(void** state) {
    (void)state;
    Scene* s = scene_tube(3, 30, 8);
    snStyle* style = random_style(96, SN_STYLE_MIRRORED, 0.0f, 0.1f);
    SceneDef scene = scene_def(2.0f, style);
    scene_build(s, &scene);
    scene_rest(s);
    scene_run(s);
    snSplineStyle styles[2] = {{style, 1.0f}, {style, 1.0f}};
    snSplineSkinDef def = scene_skin_def(s, &scene);
    def.styles = styles;
    assert_int_equal(sn_splines_count(s->splines), 2);
    for (int spoil = 0; spoil < 5; spoil++) {
        if (spoil == 0) style->fade = 0.6f;
        if (spoil == 1) style->bend_angle = 0.0f;
        if (spoil == 2) styles[1].strength = NAN;
        if (spoil == 3) styles[1].strength = INFINITY;
        if (spoil == 4) styles[1].strength = -0.1f;
        snSplineSkin* skin = NULL;
        snError error = sn_error_none();
        assert_int_not_equal(sn_spline_skin_create(&def, NULL, &skin, &error), SN_RESULT_OK);
        assert_null(skin);
        assert_true(error.text[0] != '\0');
        style->fade = 0.1f;
        style->bend_angle = 1.0f;
        styles[1].strength = 1.0f;
    }
    // Styles need poses.
    snSplineSkinJob job = {
        .skin = s->skin, .matrices = s->samples, .out_points = s->out, .out_normals = s->out_normals};
    assert_int_equal(sn_spline_skin_run(&job), SN_RESULT_INVALID_ARGUMENT);
    job.poses = s->poses;
    assert_ok(sn_spline_skin_run(&job));
    // A style of no strength is none.
    styles[0].strength = styles[1].strength = 0.0f;
    snSplineSkin* skin = NULL;
    assert_ok(sn_spline_skin_create(&def, NULL, &skin, NULL));
    job.skin = skin;
    job.poses = NULL;
    assert_ok(sn_spline_skin_run(&job));
    sn_spline_skin_destroy(skin);
    sn_style_destroy(style);
    scene_destroy(s);
}

static snResult build(const snAllocator* allocator, void* context) {
    snSplineSkin* skin = NULL;
    snResult result = sn_spline_skin_create(context, allocator, &skin, NULL);
    sn_spline_skin_destroy(skin);
    return result;
}

static void survives_every_failing_allocation(void** state) {
    (void)state;
    Scene* s = scene_tube(3, 30, 8);
    SceneDef scene = scene_def(2.0f, NULL);
    scene_build(s, &scene);
    snStyle* a = random_style(97, SN_STYLE_MIRRORED, 0.5f, 0.1f);
    snStyle* b = random_style(98, SN_STYLE_AROUND, 0.0f, 0.1f);
    snSplineStyle styles[2] = {{a, 1.0f}, {b, 1.0f}};
    snSplineSkinDef def = scene_skin_def(s, &scene);
    def.styles = styles;
    def.all_styles = true;
    test_every_allocation(build, &def);
    sn_style_destroy(a);
    sn_style_destroy(b);
    scene_destroy(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unity_changes_nothing_in_any_pose),
        cmocka_unit_test(styles_act_on_bent_splines_only),
        cmocka_unit_test(scales_follow_the_paper),
        cmocka_unit_test(narrow_textures_fade_at_the_ends_only),
        cmocka_unit_test(no_seam_shows),
        cmocka_unit_test(no_jump_where_the_limb_is_straight),
        cmocka_unit_test(presets_begin_and_end_without_a_step),
        cmocka_unit_test(a_mirrored_limb_has_the_mirrored_style),
        cmocka_unit_test(all_styles_or_the_heaviest),
        cmocka_unit_test(every_level_and_worker_count_gives_the_same_bits),
        cmocka_unit_test(poses_that_are_no_numbers_do_no_harm),
        cmocka_unit_test(bad_styles_are_refused),
        cmocka_unit_test(survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
