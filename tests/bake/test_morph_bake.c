// Baking to morph targets: known bases come back, the tolerance is kept, and what is reported is what a
// viewer shows.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frames.h"
#include "rigs.h"

static snModel* make_tube(void) { return test_tube(16, 40); }

static void check_weights(const snMorphBake* bake, const snMorphPart* part) {
    assert_true(part->key_count >= bake->frame_count && part->target_count >= 1);
    for (uint32_t i = 0; i < part->key_count; i++) {
        assert_true(i == 0 || part->times[i] > part->times[i - 1]);
        for (uint32_t k = 0; k < part->target_count; k++) {
            float weight = part->weights[(size_t)i * part->target_count + k];
            assert_true(weight >= 0.0f && weight <= 1.0f);
        }
        assert_true(part->weights[(size_t)i * part->target_count] == 1.0f);
    }
}

// Plays the bake as a viewer would and compares it with the frames: nothing is worse than reported, and the
// worst is where and as bad as reported. `rate`: moments a frame, 2 with middles.
static void check_moments(TestFrames* frames, const snMorphBake* bake, uint32_t rate) {
    snSurface surfaces[4] = {0};
    assert_true(bake->part_count <= 4);
    uint32_t count = rate * (bake->frame_count - 1) + 1;
    double worst[2][4] = {0}, squares[4] = {0}, all[2] = {0};
    for (uint32_t m = 0; m < count; m++) {
        assert_ok(test_frames_get(frames, m, surfaces));
        for (uint32_t p = 0; p < bake->part_count; p++) {
            double *most = &worst[m % rate][p], at = 0.0;
            for (uint32_t v = 0; v < surfaces[p].vertex_count; v++) {
                snVec3 shown = test_viewer_point(frames->model, bake, p, (float)m / frames->fps, v);
                double error = (double)sn_distance(shown, surfaces[p].positions[v]);
                *most = fmax(*most, error);
                squares[p] += error * error;
                if (v == bake->parts[p].worst_vertex) at = error;
            }
            if (m / rate == bake->parts[p].worst_frame && rate == 1)
                assert_near(at, bake->parts[p].worst_error, 5e-6);
        }
    }
    for (uint32_t p = 0; p < bake->part_count; p++) {
        double samples = (double)count * (double)bake->parts[p].vertex_count;
        assert_near(worst[0][p], bake->parts[p].worst_error, 5e-6);
        assert_near(worst[1][p], bake->parts[p].middle_error, 5e-6);
        assert_near(sqrt(squares[p] / samples), bake->parts[p].rms_error, 2e-6);
        all[0] = fmax(all[0], bake->parts[p].worst_error);
        all[1] = fmax(all[1], bake->parts[p].middle_error);
        if (bake->parts[p].base != NULL) check_weights(bake, &bake->parts[p]);
    }
    assert_near(all[0], bake->worst_error, 0.0);
    assert_near(all[1], bake->middle_error, 0.0);
}

static void check_report(TestFrames* frames, const snMorphBake* bake) { check_moments(frames, bake, 1); }

static void recovers_a_known_basis(void** state) {
    (void)state;
    snModel* model = make_tube();
    TestFrames frames = test_frames_open(model, 0, 20.0f, TEST_FRAMES_FIELDS);
    snMorphBakeDef def = test_frames_def(&frames);
    def.tolerance = 1e-4f;
    snMorphBake* bake = test_morph_bake(&def);
    assert_int_equal(bake->parts[0].target_count, 4); // three shapes, and where they begin
    assert_int_equal(bake->space, SN_MORPH_BIND);
    assert_true(bake->parts[0].skin_error > 0.03);
    assert_true(bake->worst_error < 1e-5);
    assert_memory_equal(bake->parts[0].base, model->parts[0].mesh->positions,
                        model->parts[0].mesh->vertex_count * sizeof(snVec3));
    for (uint32_t k = 1; k < 4; k++) { // every target is fully on once, and fully off
        float most = 0.0f, least = 1.0f;
        for (uint32_t f = 0; f < bake->frame_count; f++) {
            most = sn_maxf(most, bake->parts[0].weights[4 * f + k]);
            least = sn_minf(least, bake->parts[0].weights[4 * f + k]);
        }
        assert_true(most == 1.0f && least == 0.0f);
    }
    check_report(&frames, bake);
    sn_morph_bake_destroy(bake);
    test_frames_close(&frames);
    sn_model_destroy(model);
}

// The curve of one bake says what another with fewer targets comes to.
static void stages_foretell_smaller_bakes(void** state) {
    (void)state;
    snModel* model = make_tube();
    TestFrames frames = test_frames_open(model, 0, 24.0f, TEST_FRAMES_JELLY);
    snMorphBakeDef def = test_frames_def(&frames);
    def.tolerance = 2e-4f;
    snMorphBake* bake = test_morph_bake(&def);
    const snMorphPart* part = &bake->parts[0];
    assert_true(part->stage_count >= 3 && part->stage_count <= SN_MORPH_STAGES_MAX);
    assert_int_equal(part->stages[0].target_count, 1);
    for (uint32_t i = 1; i < part->stage_count; i++)
        assert_true(part->stages[i].target_count > part->stages[i - 1].target_count);
    assert_true(part->stages[part->stage_count - 1].target_count >= part->target_count);
    for (uint32_t i = 0; i < part->stage_count; i++) {
        if (part->stages[i].target_count > part->target_count) break;
        def.target_limit = part->stages[i].target_count;
        snMorphBake* fewer = test_morph_bake(&def);
        double worst = fmax(fewer->worst_error, fewer->middle_error);
        print_message("%u targets: %.3f mm foretold, %.3f mm\n", def.target_limit,
                      1e3 * part->stages[i].worst, 1e3 * worst);
        assert_int_equal(fewer->parts[0].target_count, def.target_limit);
        assert_near(worst, part->stages[i].worst, 0.02 * worst + 1e-5);
        sn_morph_bake_destroy(fewer);
    }
    sn_morph_bake_destroy(bake);
    test_frames_close(&frames);
    sn_model_destroy(model);
}

// One shape that never changes is one target that is always on; a limit of one is that.
static void what_stands_is_one_target(void** state) {
    (void)state;
    snModel* model = make_tube();
    TestFrames frames = test_frames_open(model, SN_CLIP_REST, 10.0f, TEST_FRAMES_FIELDS);
    snMorphBakeDef def = test_frames_def(&frames);
    def.frame_count = 1;
    snMorphBake* bake = test_morph_bake(&def);
    assert_int_equal(bake->target_count, 1);
    assert_true(bake->worst_error < 1e-5);
    check_report(&frames, bake);
    sn_morph_bake_destroy(bake);
    def.frame_count = 9;
    def.target_limit = 1;
    bake = test_morph_bake(&def);
    assert_int_equal(bake->target_count, 1);
    assert_true(bake->worst_error < bake->parts[0].skin_error); // the mean is nearer than nothing
    check_report(&frames, bake);
    sn_morph_bake_destroy(bake);
    test_frames_close(&frames);
    sn_model_destroy(model);
}

// Three frames a second: what a viewer blends between them is far off, so the middles get keys of their own;
// where the frames are close together none is needed.
static void middles_keep_the_tolerance(void** state) {
    (void)state;
    snModel* model = make_tube();
    const float rates[] = {6.0f, 120.0f};
    for (size_t i = 0; i < 2; i++) {
        TestFrames frames = test_frames_open(model, 0, rates[i], TEST_FRAMES_JELLY);
        snMorphBakeDef def = test_frames_def(&frames); // counted in half frames
        def.frame_count = (def.frame_count - 1) / 2 + 1;
        def.fps = 0.5f * rates[i];
        def.tolerance = 2e-3f;
        def.middles = true;
        snMorphBake* bake = test_morph_bake(&def);
        const snMorphPart* part = &bake->parts[0];
        assert_true(bake->worst_error <= 2e-3 && bake->middle_error <= 2e-3 && bake->middle_error > 0.0);
        if (i == 0) assert_int_equal(part->key_count, 2 * def.frame_count - 1);
        if (i == 1) assert_true(part->key_count < def.frame_count + def.frame_count / 10);
        check_moments(&frames, bake, 2);
        sn_morph_bake_destroy(bake);
        test_frames_close(&frames);
    }
    sn_model_destroy(model);
}

// A clip of a thousand frames is known from some of them; what only one of the others has is found, too.
typedef struct Rare {
    TestFrames frames;
    uint32_t frame; // a bump grows in this one alone
} Rare;

static snResult rare_frames(void* user, uint32_t frame, snSurface* out_surfaces) {
    Rare* rare = user;
    snResult result = test_frames_get(&rare->frames, frame, out_surfaces);
    for (uint32_t v = 100; v < 110 && frame == rare->frame; v++) rare->frames.positions[0][v].x += 0.1f;
    return result;
}

static void long_clips_are_sampled(void** state) {
    (void)state;
    snModel* model = test_tube(16, 10);
    Rare rare = {test_frames_open(model, 0, 500.0f, TEST_FRAMES_FIELDS), UINT32_MAX};
    snMorphBakeDef def = test_frames_def(&rare.frames);
    def.frame_count = 1000;
    def.frames = rare_frames;
    def.user = &rare;
    def.tolerance = 1e-4f;
    snMorphBake* bake = test_morph_bake(&def);
    assert_int_equal(rare.frames.calls, 5 * def.frame_count);
    assert_int_equal(bake->target_count, 4);
    assert_true(bake->worst_error <= 1e-4);
    sn_morph_bake_destroy(bake);
    rare.frame = 501;
    bake = test_morph_bake(&def);
    assert_int_equal(bake->target_count, 5);
    assert_true(bake->worst_error <= 1e-4);
    sn_morph_bake_destroy(bake);
    test_frames_close(&rare.frames);
    sn_model_destroy(model);
}

// Tighter tolerances ask for more targets, and each is kept.
static void keeps_the_tolerance(void** state) {
    (void)state;
    snModel* model = make_tube();
    TestFrames frames = test_frames_open(model, 0, 15.0f, TEST_FRAMES_JELLY);
    snMorphBakeDef def = test_frames_def(&frames);
    const float tolerances[] = {1e-2f, 1e-3f, 1e-4f};
    uint32_t before = 0;
    for (size_t i = 0; i < 3; i++) {
        def.tolerance = tolerances[i];
        snMorphBake* bake = test_morph_bake(&def);
        assert_true(bake->worst_error <= (double)tolerances[i]);
        assert_true(bake->worst_error > 0.1 * (double)tolerances[i]); // no more than asked for
        assert_true(bake->target_count > before && bake->target_count < bake->frame_count);
        before = bake->target_count;
        if (i == 1) check_report(&frames, bake);
        sn_morph_bake_destroy(bake);
    }
    def.target_limit = 2;
    snMorphBake* bake = test_morph_bake(&def);
    assert_int_equal(bake->target_count, 2);
    assert_true(bake->worst_error > 1e-3); // too few, and it says so
    check_report(&frames, bake);
    sn_morph_bake_destroy(bake);
    test_frames_close(&frames);
    sn_model_destroy(model);
}

static void default_tolerance_follows_the_size(void** state) {
    (void)state;
    snModel* model = make_tube(); // 3 m long
    TestFrames frames = test_frames_open(model, SN_CLIP_REST, 10.0f, TEST_FRAMES_FIELDS);
    snMorphBakeDef def = test_frames_def(&frames);
    def.frame_count = 4;
    snMorphBake* bake = test_morph_bake(&def);
    assert_near(bake->tolerance, 0.0009, 0.0001);
    assert_true(bake->worst_error <= (double)bake->tolerance);
    check_report(&frames, bake);
    sn_morph_bake_destroy(bake);
    test_frames_close(&frames);
    sn_model_destroy(model);
}

// A twist by 180 degrees flattens the plain skin where two bones weigh the same: there, and nowhere else, the
// weights lean to one of them.
static void twist_leans_where_it_is_flat(void** state) {
    (void)state;
    snModel* model = test_travelling_tube(2.0f);
    uint32_t leaning = 0;
    TestFrames frames = test_frames_open(model, sn_model_find_clip(model, "travel"), 24.0f, TEST_FRAMES_DUAL);
    snMorphBakeDef def = test_frames_def(&frames);
    def.tolerance = 1e-3f;
    snMorphBake* bake = test_morph_bake(&def);
    const snMorphPart* part = &bake->parts[0];
    const snWeights *own = &model->parts[0].weights, *now = &part->influences;
    assert_int_equal(part->space, SN_MORPH_BIND);
    assert_true(bake->worst_error <= 1e-3);
    assert_int_equal(now->influences, own->influences);
    for (uint32_t v = 0; v < part->vertex_count; v++) {
        float sum = 0.0f, heaviest = 0.0f, before = 0.0f;
        for (uint32_t i = v * own->influences; i < (v + 1) * own->influences; i++) {
            assert_int_equal(now->joints[i], own->joints[i]);
            sum += now->weights[i];
            heaviest = fmaxf(heaviest, now->weights[i]);
            before = fmaxf(before, own->weights[i]);
        }
        assert_true(fabsf(sum - 1.0f) < 1e-6f);
        leaning += heaviest != before;
        if (heaviest != before) assert_true(heaviest > before && before < 0.51f);
    }
    assert_in_range(leaning, 1, part->vertex_count / 4);
    check_report(&frames, bake);
    sn_morph_bake_destroy(bake);
    test_frames_close(&frames);
    sn_model_destroy(model);
}

// Where the joints themselves are flat no weights help.
static void flat_joints_go_to_root_space(void** state) {
    (void)state;
    uint32_t counts[2];
    for (int far = 0; far < 2; far++) {
        snModel* model = test_flattened_tube(far ? 10.0f : 0.0f);
        uint32_t clip = sn_model_find_clip(model, "flat");
        TestFrames frames = test_frames_open(model, clip, 24.0f, TEST_FRAMES_DUAL);
        snMorphBakeDef def = test_frames_def(&frames);
        def.tolerance = 1e-3f;
        snMorphBake* bake = test_morph_bake(&def);
        assert_int_equal(bake->space, SN_MORPH_ROOT);
        assert_int_equal(bake->parts[0].space, SN_MORPH_ROOT);
        assert_int_equal(bake->parts[0].joint, 0);
        assert_true(bake->worst_error <= 1e-3);
        assert_true(bake->parts[0].mean_normal < 0.02); // those of what is pressed flat turn fast
        check_report(&frames, bake);
        counts[far] = bake->target_count;
        sn_morph_bake_destroy(bake);
        test_frames_close(&frames);
        sn_model_destroy(model);
    }
    assert_in_range(counts[1], 1, counts[0] + 1); // travelling costs nothing
}

static bool on_grid(snVec3 x, float step, float steps) {
    for (int i = 0; i < 3; i++) {
        float whole = (&x.x)[i] / step * steps;
        if (fabsf(whole - floorf(whole + 0.5f)) > 1e-2f || fabsf(whole) > steps + 1e-2f) return false;
    }
    return true;
}

// Rounded targets are on their grids, and still within the tolerance.
static void rounds_to_grids(void** state) {
    (void)state;
    snModel* model = make_tube();
    TestFrames frames = test_frames_open(model, 0, 30.0f, TEST_FRAMES_DUAL);
    snMorphBakeDef def = test_frames_def(&frames);
    def.tolerance = 5e-4f;
    snMorphBake* plain = test_morph_bake(&def);
    assert_null(plain->parts[0].grids);
    def.rounded = true;
    snMorphBake* bake = test_morph_bake(&def);
    const snMorphPart* part = &bake->parts[0];
    uint32_t rounded = 0;
    assert_non_null(part->grids);
    assert_true(bake->worst_error <= 5e-4);
    assert_true(bake->mean_normal > 0.0 && bake->mean_normal < plain->mean_normal + 0.01);
    for (uint32_t k = 0; k < part->target_count; k++) {
        snMorphGrid grid = part->grids[k];
        assert_true(grid.step > 0.0f && grid.step <= 1.0f);
        for (uint32_t v = k * part->vertex_count; v < (k + 1) * part->vertex_count; v++) {
            if (grid.positions) assert_true(on_grid(part->targets[v], grid.step, 32767.0f));
            if (grid.normals) assert_true(on_grid(part->normals[v], grid.step, 127.0f));
        }
        rounded += grid.positions && grid.normals;
    }
    assert_true(rounded > 0);
    sn_morph_bake_destroy(plain);
    sn_morph_bake_destroy(bake);
    test_frames_close(&frames);
    sn_model_destroy(model);
}

static void bends_stay_in_bind_space(void** state) {
    (void)state;
    snModel* model = make_tube();
    TestFrames frames = test_frames_open(model, 0, 30.0f, TEST_FRAMES_DUAL);
    snMorphBakeDef def = test_frames_def(&frames);
    def.tolerance = 5e-4f;
    snMorphBake* bake = test_morph_bake(&def);
    const snMorphPart* part = &bake->parts[0];
    assert_int_equal(bake->space, SN_MORPH_BIND);
    assert_true(part->skin_error > 0.01);
    assert_true(part->worst_error <= 5e-4);
    assert_true(part->mean_normal < 0.01 && part->worst_normal < 0.1);
    check_report(&frames, bake);
    // Without targets for them, normals would be off by far more.
    double plain = 0.0;
    snSurface surface = {0};
    assert_ok(test_frames_get(&frames, bake->frame_count / 2, &surface));
    for (uint32_t i = 0; i < part->target_count * part->vertex_count; i++)
        plain = fmax(plain, (double)sn_length(part->normals[i]));
    assert_true(plain > 0.1);
    sn_morph_bake_destroy(bake);
    test_frames_close(&frames);
    sn_model_destroy(model);
}

// What the plain skin does already, own targets included, is left alone.
static void rigid_and_plain_parts_get_nothing(void** state) {
    (void)state;
    snModel* model = NULL;
    assert_ok(sn_model_create(test_model_def(), NULL, &model, NULL));
    TestFrames frames = test_frames_open(model, 0, 10.0f, TEST_FRAMES_PLAIN);
    snMorphBakeDef def = test_frames_def(&frames);
    def.tolerance = 1e-4f;
    snMorphBake* bake = test_morph_bake(&def);
    assert_int_equal(bake->target_count, 0);
    for (uint32_t p = 0; p < 2; p++) {
        assert_null(bake->parts[p].base);
        assert_null(bake->parts[p].targets);
        assert_int_equal(bake->parts[p].joint, model->parts[p].joint);
        assert_true(bake->parts[p].worst_error < 1e-6);
    }
    sn_morph_bake_destroy(bake);
    test_frames_close(&frames);
    // The same with a soft part that needs targets: they replace its own and start from its default shape.
    frames = test_frames_open(model, 0, 10.0f, TEST_FRAMES_DUAL);
    def = test_frames_def(&frames);
    def.tolerance = 1e-4f;
    bake = test_morph_bake(&def);
    assert_true(bake->parts[0].target_count > 0);
    assert_null(bake->parts[1].base);
    for (uint32_t v = 0; v < bake->parts[0].vertex_count; v++) {
        snVec3 p = model->parts[0].mesh->positions[v];
        assert_vec3_near(bake->parts[0].base[v], sn_vec3(p.x, p.y, 1.25f * p.z), 1e-6f);
    }
    check_report(&frames, bake);
    sn_morph_bake_destroy(bake);
    test_frames_close(&frames);
    sn_model_destroy(model);
}

// Viewers blend four joints. What the others did is for the targets to do.
static void influences_beyond_four_become_targets(void** state) {
    (void)state;
    snModel* model = NULL;
    snBodyDef body = {.vertex_target = 2000, .quads = true};
    assert_ok(sn_builtin_body(&body, NULL, &model, NULL));
    snBindDef bind = sn_bind_def();
    bind.influences = 8;
    bind.cells = 16;
    assert_ok(sn_model_bind(model, &bind, NULL, NULL));
    TestFrames frames = test_frames_open(model, sn_model_find_clip(model, "walk"), 20.0f, TEST_FRAMES_PLAIN);
    snMorphBakeDef def = test_frames_def(&frames);
    def.tolerance = 1e-4f;
    snMorphBake* bake = test_morph_bake(&def);
    const snMorphPart* part = &bake->parts[0];
    assert_true(part->skin_error > 1e-4 && part->worst_error <= 1e-4);
    assert_int_equal(part->influences.influences, 4);
    assert_int_equal(part->influences.vertex_count, part->vertex_count);
    for (uint32_t v = 0; v < part->vertex_count; v++) {
        float sum = 0.0f, before = 1.0f;
        for (uint32_t i = 0; i < 4; i++) {
            float weight = part->influences.weights[4 * v + i];
            assert_true(weight <= before && weight >= 0.0f);
            for (uint32_t k = 0; k < i && weight > 0.0f; k++)
                assert_true(part->influences.joints[4 * v + i] != part->influences.joints[4 * v + k]);
            sum += before = weight;
        }
        assert_near(sum, 1.0, 1e-6);
    }
    check_report(&frames, bake);
    sn_morph_bake_destroy(bake);
    def.influences = 0; // viewers that blend any number need nothing
    bake = test_morph_bake(&def);
    assert_int_equal(bake->target_count, 0);
    assert_int_equal(bake->parts[0].influences.influences, 0);
    sn_morph_bake_destroy(bake);
    test_frames_close(&frames);
    sn_model_destroy(model);
}

// A prop that is hidden by scaling its node to nothing and shakes meanwhile goes to the space of what is
// above.
static void flattened_nodes_use_the_joint_above(void** state) {
    (void)state;
    snModel* model = NULL;
    assert_ok(sn_model_create(test_model_def(), NULL, &model, NULL));
    float times[] = {0.0f, 1.0f}, scales[] = {1, 1, 1, 0, 0, 0}, moves[] = {0, 0, 0, 3, 0, 0};
    const snChannel channels[] = {{1, SN_PATH_SCALE, SN_INTERPOLATION_LINEAR, 2, 3, times, scales},
                                  {0, SN_PATH_TRANSLATION, SN_INTERPOLATION_LINEAR, 2, 3, times, moves}};
    const snClipDef clip = {"hide", 0.0f, 2, channels};
    assert_ok(sn_model_add_clip(model, &clip, NULL));
    for (int jelly = 0; jelly < 2; jelly++) {
        TestFrames frames = test_frames_open(model, 1, 10.0f, jelly ? TEST_FRAMES_JELLY : TEST_FRAMES_PLAIN);
        snMorphBakeDef def = test_frames_def(&frames);
        def.tolerance = 1e-3f;
        snMorphBake* bake = test_morph_bake(&def);
        const snMorphPart* hard = &bake->parts[1];
        assert_int_equal(hard->space, jelly ? SN_MORPH_ROOT : SN_MORPH_BIND);
        assert_int_equal(hard->joint, jelly ? 0 : 1);
        assert_true(bake->worst_error <= 1e-3);
        if (jelly) check_report(&frames, bake);
        sn_morph_bake_destroy(bake);
        test_frames_close(&frames);
    }
    sn_model_destroy(model);
}

// -------------------------------------------------------------------------------------------- determinism

static uint64_t hash_bake(const snMorphBake* bake) {
    uint64_t hash = SN_HASH_SEED;
    for (uint32_t p = 0; p < bake->part_count; p++) {
        const snMorphPart* part = &bake->parts[p];
        size_t offsets = (size_t)part->target_count * part->vertex_count * 3;
        hash = sn_hash_bytes(hash, &part->target_count, sizeof part->target_count);
        if (part->base == NULL) continue;
        hash = sn_hash_floats(hash, &part->base->x, 3 * (size_t)part->vertex_count);
        hash = sn_hash_floats(hash, &part->base_normals->x, 3 * (size_t)part->vertex_count);
        hash = sn_hash_floats(hash, &part->targets->x, offsets);
        hash = sn_hash_floats(hash, &part->normals->x, offsets);
        hash = sn_hash_floats(hash, part->weights, (size_t)part->target_count * part->key_count);
        hash = sn_hash_bytes(hash, &part->worst_error, sizeof part->worst_error);
        hash = sn_hash_bytes(hash, &part->rms_error, sizeof part->rms_error);
        hash = sn_hash_bytes(hash, &part->mean_normal, sizeof part->mean_normal);
    }
    return hash;
}

static uint64_t hash_of(void* context, snTasks tasks, snCpuLevel level) {
    snMorphBakeDef def = *(const snMorphBakeDef*)context;
    def.tasks = tasks;
    def.level = level;
    snMorphBake* bake = test_morph_bake(&def);
    uint64_t hash = hash_bake(bake);
    sn_morph_bake_destroy(bake);
    return hash;
}

static void same_bits_everywhere(void** state) {
    (void)state;
    for (int twist = 0; twist < 2; twist++) {
        snModel* model = test_travelling_tube(2.0f);
        TestFrames frames =
            test_frames_open(model, twist ? sn_model_find_clip(model, "travel") : 0, 9.0f, TEST_FRAMES_JELLY);
        snMorphBakeDef def = test_frames_def(&frames);
        test_same_bits(hash_of, &def);
        test_frames_close(&frames);
        sn_model_destroy(model);
    }
}

// Less memory means more rounds over the frames and the same bits; too little is an error before the work.
static void memory_limit_changes_nothing_but_time(void** state) {
    (void)state;
    snModel* model = test_tube(16, 160);
    TestFrames frames = test_frames_open(model, 0, 30.0f, TEST_FRAMES_JELLY);
    snMorphBakeDef def = test_frames_def(&frames);
    def.tolerance = 2e-2f;
    uint64_t expected = hash_of(&def, (snTasks){0}, SN_CPU_AUTO);
    uint32_t calls = frames.calls;
    assert_int_equal(calls, 5 * def.frame_count);
    def.memory_limit = 4400000;
    frames.calls = 0;
    assert_true(hash_of(&def, (snTasks){0}, SN_CPU_AUTO) == expected);
    assert_true(frames.calls > calls);
    def.memory_limit = 100000;
    snMorphBake* bake = NULL;
    snError error = sn_error_none();
    assert_int_equal(sn_morph_bake_create(&def, NULL, &bake, &error), SN_RESULT_LIMIT);
    assert_non_null(strstr(error.text, "fewer frames need less"));
    assert_null(bake);
    // Room for the rows, but not for the targets that a tiny tolerance asks for.
    def.memory_limit = 4400000;
    def.tolerance = 1e-7f;
    assert_int_equal(sn_morph_bake_create(&def, NULL, &bake, &error), SN_RESULT_LIMIT);
    assert_non_null(strstr(error.text, "targets"));
    test_frames_close(&frames);
    sn_model_destroy(model);
}

// ------------------------------------------------------------------------------------------------- errors

static snResult build(const snAllocator* allocator, void* context) {
    snMorphBake* bake = NULL;
    snResult result = sn_morph_bake_create(context, allocator, &bake, NULL);
    assert_true((result == SN_RESULT_OK) == (bake != NULL));
    sn_morph_bake_destroy(bake);
    return result;
}

static void survives_every_failing_allocation(void** state) {
    (void)state;
    snModel* model = NULL;
    assert_ok(sn_model_create(test_model_def(), NULL, &model, NULL));
    TestFrames frames = test_frames_open(model, 0, 8.0f, TEST_FRAMES_JELLY);
    snMorphBakeDef def = test_frames_def(&frames);
    test_every_allocation(build, &def);
    def.influences = 1; // the skin gets new weights
    test_every_allocation(build, &def);
    test_frames_close(&frames);
    sn_model_destroy(model);
}

static snResult no_frames(void* user, uint32_t frame, snSurface* out_surfaces) {
    (void)user;
    (void)out_surfaces;
    return frame < 2 ? SN_RESULT_OK : SN_RESULT_IO;
}

typedef struct Spoiled {
    TestFrames frames;
    uint32_t frame;
    snResult result;
    bool not_finite, too_few;
} Spoiled;

static snResult spoiled_frames(void* user, uint32_t frame, snSurface* out_surfaces) {
    Spoiled* s = user;
    snResult result = test_frames_get(&s->frames, frame, out_surfaces);
    if (frame != s->frame) return result;
    if (s->not_finite) s->frames.normals[1][7].y = NAN;
    if (s->too_few) out_surfaces[1].vertex_count--;
    return s->result;
}

static void expect(const snMorphBakeDef* def, snResult result, const char* sentence) {
    snMorphBake* bake = NULL;
    snError error = sn_error_none();
    assert_int_equal(sn_morph_bake_create(def, NULL, &bake, &error), result);
    assert_int_equal(error.code, result);
    if (strstr(error.text, sentence) == NULL) fail_msg("%s", error.text);
    assert_null(bake);
}

static void says_what_is_wrong_with_frames(void** state) {
    (void)state;
    snModel* model = NULL;
    assert_ok(sn_model_create(test_model_def(), NULL, &model, NULL));
    Spoiled s = {.frames = test_frames_open(model, 0, 8.0f, TEST_FRAMES_JELLY), .frame = 5};
    snMorphBakeDef def = test_frames_def(&s.frames);
    s.frames.drift_from = def.frame_count * 3;
    expect(&def, SN_RESULT_BAD_DATA, "differ from one request to the next");
    s.frames.drift_from = UINT32_MAX;
    def.frames = spoiled_frames;
    def.user = &s;
    s.not_finite = true;
    expect(&def, SN_RESULT_BAD_DATA, "vertex 7 of part 1 is not finite in frame 5");
    s.not_finite = false;
    s.too_few = true;
    expect(&def, SN_RESULT_BAD_DATA, "frame 5 has 23 vertices of part 1, expected 24");
    s.too_few = false;
    s.result = SN_RESULT_IO;
    expect(&def, SN_RESULT_IO, "frame 5 could not be computed");
    def.frames = no_frames;
    expect(&def, SN_RESULT_BAD_DATA, "frame 0 has 0 vertices of part 0, expected 24");
    test_frames_close(&s.frames);
    sn_model_destroy(model);
}

static void refuses_wrong_defs(void** state) {
    (void)state;
    snModel* model = NULL;
    assert_ok(sn_model_create(test_model_def(), NULL, &model, NULL));
    TestFrames frames = test_frames_open(model, 0, 8.0f, TEST_FRAMES_JELLY);
    const snMorphBakeDef right = test_frames_def(&frames);
    snMorphBakeDef def = right;
    expect(NULL, SN_RESULT_INVALID_ARGUMENT, "a model");
    assert_int_equal(sn_morph_bake_create(&def, NULL, NULL, NULL), SN_RESULT_INVALID_ARGUMENT);
    def.model = NULL;
    expect(&def, SN_RESULT_INVALID_ARGUMENT, "a model");
    def = right;
    def.frames = NULL;
    expect(&def, SN_RESULT_INVALID_ARGUMENT, "frames");
    def = right;
    def.fps = 0.0f;
    expect(&def, SN_RESULT_INVALID_ARGUMENT, "fps");
    def.fps = INFINITY;
    expect(&def, SN_RESULT_INVALID_ARGUMENT, "fps");
    def = right;
    def.frame_count = 0;
    expect(&def, SN_RESULT_INVALID_ARGUMENT, "frames 1 or more");
    def = right;
    def.tolerance = -1.0f;
    expect(&def, SN_RESULT_INVALID_ARGUMENT, "tolerance");
    def.tolerance = NAN;
    expect(&def, SN_RESULT_INVALID_ARGUMENT, "tolerance");
    def = right;
    def.condition = 1.0f;
    expect(&def, SN_RESULT_INVALID_ARGUMENT, "condition");
    def = right;
    def.clip = 9;
    expect(&def, SN_RESULT_NOT_FOUND, "clip 9");
    def.clip = sn_model_find_clip(def.model, "misspelt");
    expect(&def, SN_RESULT_NOT_FOUND, "clip");
    def = right;
    def.level = sn_cpu_level_available(SN_CPU_NEON) ? SN_CPU_SSE2 : SN_CPU_NEON;
    expect(&def, SN_RESULT_UNSUPPORTED, "no ");
    assert_string_equal(sn_morph_space_name(SN_MORPH_BIND), "bind");
    assert_string_equal(sn_morph_space_name(SN_MORPH_ROOT), "root");
    sn_morph_bake_destroy(NULL);
    test_frames_close(&frames);
    sn_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recovers_a_known_basis),
        cmocka_unit_test(stages_foretell_smaller_bakes),
        cmocka_unit_test(what_stands_is_one_target),
        cmocka_unit_test(middles_keep_the_tolerance),
        cmocka_unit_test(long_clips_are_sampled),
        cmocka_unit_test(keeps_the_tolerance),
        cmocka_unit_test(default_tolerance_follows_the_size),
        cmocka_unit_test(twist_leans_where_it_is_flat),
        cmocka_unit_test(flat_joints_go_to_root_space),
        cmocka_unit_test(rounds_to_grids),
        cmocka_unit_test(bends_stay_in_bind_space),
        cmocka_unit_test(rigid_and_plain_parts_get_nothing),
        cmocka_unit_test(influences_beyond_four_become_targets),
        cmocka_unit_test(flattened_nodes_use_the_joint_above),
        cmocka_unit_test(same_bits_everywhere),
        cmocka_unit_test(memory_limit_changes_nothing_but_time),
        cmocka_unit_test(survives_every_failing_allocation),
        cmocka_unit_test(says_what_is_wrong_with_frames),
        cmocka_unit_test(refuses_wrong_defs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
