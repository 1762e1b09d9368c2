// `sinew bind` as users run it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "picture.h"
#include "process.h"
#include "sinew/builtin.h"
#include "sinew/fit.h"
#include "sinew/io.h"

static char* write_file(const char* name, const char* text) {
    char* path = test_out_copy(name);
    assert_ok(sn_file_write(path, text, strlen(text), NULL));
    return path;
}

// The built-in body without its skeleton, and the skeleton without the body; free the paths.
static char* write_mesh(void) {
    char* path = test_out_copy("bare_body.obj");
    TestRun run = test_sinew_expect(0, "convert", "builtin:body", "-o", path, "--quiet");
    test_run_free(&run);
    return path;
}

static char* write_skeleton(void) {
    char* path = test_out_copy("bare_skeleton.bvh");
    TestRun run = test_sinew_expect(0, "motion", "builtin:body", "--clip", "walk", "-o", path, "--quiet");
    test_run_free(&run);
    return path;
}

static snModel* read_back(const char* path) {
    snModel* model = NULL;
    snError error = sn_error_none();
    if (sn_model_read(path, NULL, &model, &error) != SN_RESULT_OK) fail_msg("%s: %s", path, error.text);
    return model;
}

static void refuse(int code, const char* word, const char* const* arguments) {
    TestRun run = test_expect(code, arguments);
    if (strstr(run.err, word) == NULL) fail_msg("\"%s\" does not mention \"%s\"", run.err, word);
    test_run_free(&run);
}
#define test_refused(code, word, ...) refuse((code), (word), (const char* const[]){__VA_ARGS__, NULL})

// ------------------------------------------------------------------------------------------------ works

static void a_mesh_and_a_skeleton_become_a_character(void** state) {
    (void)state;
    char *mesh = write_mesh(), *skeleton = write_skeleton(), *out = test_out_copy("clean/bind_body.glb");
    TestRun run = test_sinew_expect(0, "bind", mesh, "--skeleton", skeleton, "-o", out, "--json");
    sniJsonValue* report = test_json(&run);
    static const char* const numbers[] = {"cells", "particles", "duplicated_cells", "bind_seconds",
                                          "dropped_mass_max"};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        assert_true(test_json_number(report, numbers[i]) >= 0.0);
    assert_true(test_json_number(report, "cells") > 100.0);
    assert_true(test_json_number(report, "unweighted_vertices") == 0.0);
    assert_int_equal(test_json_length(report, "bones_outside"), 0);
    assert_int_equal(test_json_length(report, "joints_without_weight"),
                     test_json_length(report, "idle_joints"));
    snModel* model = read_back(out);
    assert_non_null(model->binding);
    assert_int_equal(model->skin_count, 1);
    assert_int_equal(model->clip_count, 1); // the skeleton's walk came along
    assert_int_equal(model->parts[0].weights.vertex_count, 28060);
    sn_model_destroy(model);
    sni_json_free(report);
    test_run_free(&run);
    free(mesh);
    free(skeleton);
    free(out);
}

static void settings_reach_the_lattice(void** state) {
    (void)state;
    char* out = test_out_copy("bind_settings.glb");
    TestRun run = test_sinew_expect(0, "bind", "builtin:body", "--cell-size", "0.1", "--weights", "geodesic",
                                    "--influences", "8", "-o", out, "--json");
    sniJsonValue* report = test_json(&run);
    assert_near(test_json_number(report, "cell_size"), 0.1, 1e-6);
    assert_string_equal(test_json_text(report, "weights"), "geodesic");
    snModel* model = read_back(out);
    assert_int_equal(model->binding->particles.influences, 8);
    sn_model_destroy(model);
    sni_json_free(report);
    test_run_free(&run);
    free(out);
}

static void workers_do_not_change_a_byte(void** state) {
    (void)state;
    char *one = test_out_copy("bind_one.glb"), *four = test_out_copy("bind_four.glb");
    TestRun run = test_sinew_expect(0, "bind", "builtin:body", "-o", one, "--workers", "1", "--quiet");
    test_run_free(&run);
    run = test_sinew_expect(0, "bind", "builtin:body", "-o", four, "--workers", "4", "--simd", "scalar",
                            "--quiet");
    test_run_free(&run);
    size_t a = 0, b = 0;
    uint8_t *first = test_file_bytes(one, &a), *second = test_file_bytes(four, &b);
    assert_int_equal(a, b);
    assert_memory_equal(first, second, a);
    free(first);
    free(second);
    free(one);
    free(four);
}

// What joints are in a body does as well as their own names.
static void lists_know_the_body(void** state) {
    (void)state;
    char* out = test_out_copy("bind_body.glb");
    char* joints = write_file("bind_body.txt", "Hips\nLeftElbow\nLeftShoulder\nLeftElbo\n");
    char* bones = write_file("bind_body_bones.json", "{\"LeftElbow\": {\"strength\": 2}}");
    char* parts =
        write_file("bind_body_parts.json", "[{\"particles\": [0, 1], \"bone_part\": \"LeftElbow\"}]");
    TestRun run = test_sinew_expect(0, "bind", "builtin:body", "--joints", joints, "--bones", bones,
                                    "--parts", parts, "--weights", "heat", "-o", out);
    assert_non_null(
        strstr(run.err, "bind_body.txt:4: there is no joint \"LeftElbo\"; did you mean LeftElbow?"));
    snModel* model = read_back(out);
    const snBinding* b = model->binding;
    // The builtin body has a joint of the name LeftShoulder: its own name wins over what LeftUpperArm is.
    bool lower = false, clavicle = false, upper = false;
    for (uint32_t i = 0; i < b->joint_count; i++) {
        lower = lower || strcmp(model->skeleton->names[b->joints[i]], "LeftLowerArm") == 0;
        clavicle = clavicle || strcmp(model->skeleton->names[b->joints[i]], "LeftShoulder") == 0;
        upper = upper || strcmp(model->skeleton->names[b->joints[i]], "LeftUpperArm") == 0;
    }
    assert_int_equal(b->joint_count, 3);
    assert_true(lower && clavicle && !upper);
    assert_string_equal(model->skeleton->names[b->joints[b->parts->bone_parts[1]]], "LeftLowerArm");
    sn_model_destroy(model);
    test_run_free(&run);
    free(out);
    free(joints);
    free(bones);
    free(parts);
}

static void lists_and_overrides_are_read(void** state) {
    (void)state;
    char* out = test_out_copy("bind_lists.glb");
    char* joints = write_file("bind_joints.txt", "# who deforms\nHips\n  Spine \nChest\nHead\nNobody\n");
    char* bones = write_file("bind_bones.json", "{\"Head\": {\"strength\": 2, \"radius\": 0.2}}");
    char* parts = write_file("bind_parts.json",
                             "[{\"sphere\": [0, 1.6, 0, 0.5], \"joint_part\": \"Hips\", \"width\": 3},\n"
                             " {\"particles\": [0, 1], \"bone_part\": \"Head\"}]");
    TestRun run = test_sinew_expect(0, "bind", "builtin:body", "--joints", joints, "--bones", bones,
                                    "--parts", parts, "--weights", "heat", "-o", out);
    assert_non_null(strstr(run.err, "bind_joints.txt:6: there is no joint \"Nobody\""));
    snModel* model = read_back(out);
    assert_int_equal(model->binding->joint_count, 4);
    assert_int_equal(model->binding->region_widths != NULL, 1);
    const snBinding* b = model->binding;
    assert_string_equal(model->skeleton->names[b->joints[b->parts->bone_parts[1]]], "Head");
    for (uint32_t p = 0; p < b->lattice->particle_count; p++) {
        bool inside = sn_distance(b->lattice->rest[p], sn_vec3(0.0f, 1.6f, 0.0f)) < 0.49f;
        if (!inside) continue;
        assert_string_equal(model->skeleton->names[b->joints[b->parts->joint_parts[p]]], "Hips");
        assert_int_equal(b->region_widths[p], 3);
    }
    sn_model_destroy(model);
    test_run_free(&run);
    free(out);
    free(joints);
    free(bones);
    free(parts);
}

// Every joint of a fit has its place, how sure that is, and the doubts as names and in words.
static void check_fit(sniJsonValue* fit) {
    assert_non_null(fit);
    sniJsonValue* joints = sni_json_find(fit, "joints");
    assert_true(sni_json_count(joints) >= 38);
    size_t unsure = 0;
    for (size_t i = 0; i < sni_json_count(joints); i++) {
        sniJsonValue* joint = sni_json_element(joints, i);
        assert_non_null(test_json_text(joint, "joint"));
        double sure = test_json_number(joint, "confidence");
        assert_true(sure >= 0 && sure <= 1);
        unsure += sure < SN_FIT_SURE;
        assert_int_equal(test_json_length(joint, "position"), 3);
        assert_int_equal(test_json_length(joint, "doubts") == 0, test_json_text(joint, "reason")[0] == '\0');
    }
    assert_int_equal(test_json_length(fit, "unsure"), unsure);
}

// Fitting makes a new document, but who deforms is still what the skin of the old one says: not the node of
// the mesh.
static void fitting_keeps_who_deforms(void** state) {
    (void)state;
    char *body = test_out_copy("fit_body.glb"), *out = test_out_copy("clean/fit_body_bound.glb");
    TestRun run = test_sinew_expect(0, "convert", "builtin:body", "-o", body, "--quiet");
    test_run_free(&run);
    const char* const commands[][8] = {{"bind", body, "--fit-joints", "-o", out, "--json"},
                                       {"bind", body, "--skeleton", body, "-o", out, "--json"}};
    for (int i = 0; i < 2; i++) {
        run = test_expect(0, commands[i]);
        sniJsonValue* report = test_json(&run);
        assert_true(test_json_number(report, "deforming_joints") == 38.0);
        if (i == 0) check_fit(sni_json_find(report, "fit"));
        sni_json_free(report);
        test_run_free(&run);
    }
    free(body);
    free(out);
}

// The clips of a skeleton that was bent are not those of the bones it has now, and that is said.
static void fitting_leaves_clips(void** state) {
    (void)state;
    char *mesh = write_mesh(), *skeleton = write_skeleton(), *out = test_out_copy("clean/fit_clips.glb");
    TestRun run = test_sinew_expect(0, "bind", mesh, "--skeleton", skeleton, "--fit-joints", "-o", out);
    assert_non_null(strstr(run.err, "are left out: sinew animate"));
    snModel* model = read_back(out);
    assert_int_equal(model->clip_count, 0);
    sn_model_destroy(model);
    test_run_free(&run);
    free(mesh);
    free(skeleton);
    free(out);
}

static uint32_t joints_of(const snModel* model, const char* start) {
    uint32_t count = 0;
    for (uint32_t j = 0; j < model->skeleton->joint_count; j++)
        count += strncmp(model->skeleton->names[j], start, strlen(start)) == 0;
    return count;
}

// A walk made for one body, on the same body that has lost its bones.
static void a_bare_mesh_walks(void** state) {
    (void)state;
    char *mesh = write_mesh(), *skeleton = write_skeleton(), *out = test_out_copy("clean/bare_walk.glb");
    TestRun run = test_sinew_expect(0, "animate", mesh, skeleton, "-o", out, "--json");
    sniJsonValue* report = test_json(&run);
    sniJsonValue* bind = sni_json_find(report, "bind");
    assert_non_null(bind);
    assert_true(test_json_number(bind, "unweighted_vertices") == 0.0);
    snModel* model = read_back(out);
    assert_true(model->clip_count >= 1);
    assert_true(joints_of(model, "sinew_") > 0); // the flesh, for every viewer
    assert_null(model->binding);                 // and not a second time for ourselves
    sn_model_destroy(model);
    sni_json_free(report);
    test_run_free(&run);
    run = test_sinew_expect(0, "animate", mesh, skeleton, "--target", "skin", "-o", out, "--quiet");
    model = read_back(out);
    assert_int_equal(joints_of(model, "sinew_"), 0);
    assert_non_null(model->binding);
    sn_model_destroy(model);
    test_run_free(&run);
    free(mesh);
    free(skeleton);
    free(out);
}

static void pictures_of_the_lattice_are_drawn(void** state) {
    (void)state;
    test_need_renderer();
    test_renderer_release();
    char *bound = test_out_copy("bind_show.glb"), *picture = test_out_copy("bind_show.png");
    TestRun run = test_sinew_expect(0, "bind", "builtin:tube", "-o", bound, "--quiet");
    test_run_free(&run);
    static const char* const shows[] = {"weights:all", "lattice", "parts", "doubt"};
    for (int i = 0; i < 4; i++) {
        remove(picture);
        run = test_sinew_expect(0, "render", bound, "-o", picture, "--show", shows[i], "--size", "96x96",
                                "--quiet");
        test_run_free(&run);
        assert_true(test_file_exists(picture));
    }
    free(bound);
    free(picture);
}

// --------------------------------------------------------------------------------------- around binding

// The built-in body as a file with other axes; free the path.
static char* write_lying(const char* name, snAxis up, snAxis facing) {
    char* path = test_out_copy(name);
    snModel* model = NULL;
    snBodyDef def = sn_body_def();
    def.vertex_target = 3000;
    snStance stance = {up, facing, SN_STANCE_GIVEN, SN_STANCE_GIVEN};
    assert_ok(sn_builtin_body(&def, NULL, &model, NULL));
    sn_model_rotate(model, sn_quat_conjugate(sn_stance_rotation(&stance)));
    assert_ok(sn_model_write(model, path, NULL, NULL));
    sn_model_destroy(model);
    return path;
}

static snVec3 size_of(const char* path) {
    TestRun run = test_sinew_expect(0, "info", path, "--json");
    sniJsonValue* report = test_json(&run);
    const sniJsonValue* bounds = sni_json_find(report, "bounds");
    float size[3];
    for (size_t i = 0; i < 3; i++) {
        double ends[2] = {0.0, 0.0};
        for (size_t e = 0; e < 2; e++) {
            const sniJsonValue* end = sni_json_find(bounds, e == 0 ? "min" : "max");
            sniJson item = sni_json_root(sni_json_element(end, i));
            assert_true(sni_json_number(&item, &ends[e]));
        }
        size[i] = (float)(ends[1] - ends[0]);
    }
    sni_json_free(report);
    test_run_free(&run);
    return sn_vec3(size[0], size[1], size[2]);
}

static void expect_stance(const TestRun* run, const char* up, const char* up_how, bool turned) {
    sniJsonValue* report = test_json(run);
    sniJsonValue* stance = sni_json_find(report, "stance");
    assert_non_null(stance);
    assert_string_equal(test_json_text(stance, "up"), up);
    assert_string_equal(test_json_text(stance, "up_how"), up_how);
    assert_int_equal(test_json_true(stance, "turned"), turned);
    sni_json_free(report);
}

// A file with Z up, with a skeleton as it is and with one that is fitted; what says its axes is believed.
static void a_mesh_on_its_side_is_stood_up(void** state) {
    (void)state;
    char *skeleton = write_skeleton(), *lying = write_lying("lying.obj", SN_AXIS_Z, SN_AXIS_MINUS_Y),
         *out = test_out_copy("clean/stood_up.glb"), *mesh = write_mesh();
    for (int fitted = 0; fitted < 2; fitted++) {
        TestRun run = test_sinew_expect(0, "bind", lying, "--skeleton", skeleton, "-o", out, "--json",
                                        fitted ? "--fit-joints" : "--quiet");
        expect_stance(&run, "z", "found", true);
        snVec3 size = size_of(out);
        assert_true(size.y > 1.7f && size.z < 0.4f);
        test_run_free(&run);
    }
    TestRun run = test_sinew_expect(0, "bind", lying, "--skeleton", skeleton, "--fit-joints", "--up", "z",
                                    "--facing", "-y", "-o", out, "--json");
    expect_stance(&run, "z", "given", true);
    test_run_free(&run);
    run = test_sinew_expect(0, "bind", mesh, "--skeleton", skeleton, "-o", out, "--json");
    expect_stance(&run, "y", "found", false);
    test_run_free(&run);
    run = test_sinew_expect(0, "bind", "builtin:body", "--skeleton", skeleton, "-o", out, "--json");
    expect_stance(&run, "y", "format", false);
    test_run_free(&run);
    run = test_sinew_expect(0, "convert", lying, "--up", "z", "-o", out, "--quiet");
    test_run_free(&run);
    assert_true(size_of(out).y > 1.7f);
    test_refused(3, "along the same line", "convert", lying, "--up", "z", "--facing", "-z", "-o", out);
    test_refused(2, "--up and --facing say how", "bind", lying, "--skeleton", skeleton, "--fit-joints",
                 "--up", "x", "-o", out);
    free(skeleton);
    free(lying);
    free(out);
    free(mesh);
}

// Points alone keep the axes of the mesh's own file; a project remembers what was turned.
static void points_keep_their_axes(void** state) {
    (void)state;
    char *skeleton = write_skeleton(), *lying = write_lying("lying_too.obj", SN_AXIS_Z, SN_AXIS_MINUS_Y),
         *frames = test_out_copy("lying_frame.obj"), *first = test_out_copy("lying_frame_0001.obj"),
         *project = test_out_copy("lying.snproject");
    TestRun run =
        test_sinew_expect(0, "animate", lying, skeleton, "--from", "0", "--to", "0", "-o", frames, "--quiet");
    test_run_free(&run);
    assert_true(size_of(first).z > 1.6f);
    run = test_sinew_expect(0, "bind", lying, "--skeleton", skeleton, "-o", project, "--quiet");
    test_run_free(&run);
    assert_true(size_of(project).y > 1.7f);
    remove(first);
    run = test_sinew_expect(0, "animate", project, "--from", "0", "--to", "0", "-o", frames, "--quiet");
    test_run_free(&run);
    assert_true(size_of(first).z > 1.6f);
    free(skeleton);
    free(lying);
    free(frames);
    free(first);
    free(project);
}

static void doubt_is_said_where_asked_for(void** state) {
    (void)state;
    char* out = test_out_copy("clean/doubt.glb");
    TestRun run = test_sinew_expect(0, "bind", "builtin:body", "--doubt", "-o", out, "--json");
    sniJsonValue* report = test_json(&run);
    sniJsonValue* doubt = sni_json_find(report, "doubt");
    assert_non_null(doubt);
    assert_true(test_json_number(doubt, "share") > 0.0 && test_json_number(doubt, "share") < 0.2);
    assert_true(test_json_number(doubt, "largest") > test_json_number(doubt, "limit"));
    assert_true(test_json_length(doubt, "joints") > 0);
    sni_json_free(report);
    test_run_free(&run);
    run = test_sinew_expect(0, "bind", "builtin:body", "-o", out, "--json");
    report = test_json(&run);
    assert_null(sni_json_find(report, "doubt"));
    sni_json_free(report);
    test_run_free(&run);
    free(out);
}

// A character of which a mesh lost its weights.
static void damaged_weights_are_made_anew(void** state) {
    (void)state;
    const char* path = test_data_path("characters/quat_modular_women_Adventurer.glb");
    char* out = test_out_copy("adventurer.glb");
    test_refused(2, "WEIGHTS_0 of the mesh \"Adventurer_Legs\"", "info", path);
    test_refused(2, "--weights auto -o OUT.glb does that", "bind", path, "-o", out);
    TestRun run = test_sinew_expect(0, "bind", path, "--weights", "auto", "-o", out);
    assert_non_null(strstr(run.err, "Adventurer_Legs: weights of 1860 vertices are not finite"));
    test_run_free(&run);
    sn_model_destroy(read_back(out));
    free(out);
}

// ----------------------------------------------------------------------------------------------- refuses

static void bad_requests_are_refused(void** state) {
    (void)state;
    char *out = test_out_copy("bind_refused.glb"), *mesh = write_mesh();
    remove(out);
    test_refused(3, "-o OUT is missing", "bind", "builtin:body");
    test_refused(3, "use one of them", "bind", "builtin:body", "--cells", "8", "--cell-size", "1", "-o", out);
    test_refused(3, "--keep-weights", "bind", "builtin:body", "--keep-weights", "--weights", "heat", "-o",
                 out);
    test_refused(3, "--bones", "bind", "builtin:body", "--bones", "x.json", "-o", out);
    test_refused(2, "there is no skeleton", "bind", mesh, "-o", out);
    test_refused(2, "there is no skeleton", "bind", mesh, "--keep-weights", "-o", out);
    test_refused(2, "there is no skeleton", "bind", "builtin:body", "--skeleton", mesh, "-o", out);
    test_refused(4, "cannot", "bind", mesh, "--skeleton", "nowhere.bvh", "-o", out);
    test_refused(3, "--weights is for a mesh without a skeleton", "animate", "builtin:body", "--weights",
                 "heat", "-o", out);
    test_refused(3, "use one of them", "animate", mesh, "x.bvh", "--cells", "8", "--cell-size", "1", "-o",
                 out);
    test_refused(2, "lattice", "render", "builtin:body", "--show", "lattice", "-o", "x.png");
    assert_false(test_file_exists(out));
    free(out);
    free(mesh);
}

static void bad_files_are_refused(void** state) {
    (void)state;
    char* out = test_out_copy("bind_refused.glb");
    char* none = write_file("bind_none.txt", "A\nB\n");
    char* bad = write_file("bind_bad.json", "{\n \"Head\": {\"strength\": -2}\n}");
    char* who = write_file("bind_who.json", "{\n\n \"Tail\": {}\n}");
    char* list = write_file("bind_list.json", "[\n {\"particles\": [0, 99999999]}\n]");
    char* broken = write_file("bind_broken.json", "[\n{\n]");
    remove(out);
    test_refused(2, "none of its 2 names", "bind", "builtin:body", "--joints", none, "-o", out);
    test_refused(2, "bind_bad.json:2: ", "bind", "builtin:body", "--weights", "heat", "--bones", bad, "-o",
                 out);
    test_refused(2, "bind_who.json:3: ", "bind", "builtin:body", "--weights", "heat", "--bones", who, "-o",
                 out);
    test_refused(2, "bind_list.json:2: ", "bind", "builtin:body", "--parts", list, "-o", out);
    test_refused(2, "bind_broken.json:3: ", "bind", "builtin:body", "--parts", broken, "-o", out);
    assert_false(test_file_exists(out));
    free(out);
    free(none);
    free(bad);
    free(who);
    free(list);
    free(broken);
}

// What would do nothing is said instead of done.
static void misspelt_entries_are_refused(void** state) {
    (void)state;
    static const struct {
        const char *option, *text, *word;
    } cases[] = {{"--bones", "{\n\"Head\": 5}", "bind_entry.json:2: an object is expected"},
                 {"--bones", "{\"Head\": {\"strenth\": 2}}", "did you mean strength?"},
                 {"--bones", "{\"Haed\": {\"strength\": 2}}", "did you mean Head?"},
                 {"--parts", "[\n\n7]", "bind_entry.json:3: an object is expected"},
                 {"--parts", "[{\"jointpart\": \"Head\"}]", "did you mean joint_part?"},
                 {"--parts", "[{\"particles\": \"all\"}]", "list of numbers"},
                 {"--parts", "[{\"sphere\": [0, 1, 2]}]", "radius"},
                 {"--parts", "[{\"width\": 0}]", "1 to 255"},
                 {"--parts", "[{\"bone\": \"Tail\"}]", "\"Tail\""},
                 {"--parts", "{}", "a list is expected"}};
    char* out = test_out_copy("bind_refused.glb");
    remove(out);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char* file = write_file("bind_entry.json", cases[i].text);
        test_refused(2, cases[i].word, "bind", "builtin:body", "--cells", "8", "--weights", "heat",
                     cases[i].option, file, "-o", out);
        free(file);
    }
    assert_false(test_file_exists(out));
    free(out);
}

static void too_fine_a_lattice_is_refused_before_any_work(void** state) {
    (void)state;
    char* out = test_out_copy("bind_fine.glb");
    remove(out);
    test_refused(4, "cells", "bind", "builtin:body", "--cells", "1024", "--memory", "100M", "-o", out);
    assert_false(test_file_exists(out));
    free(out);
}

static void other_units_are_named(void** state) {
    (void)state;
    char *mesh = write_mesh(), *skeleton = write_skeleton(), *out = test_out_copy("bind_units.glb");
    remove(out);
    test_refused(2, "units differ", "bind", mesh, "--unit", "0.01", "--skeleton", "builtin:body", "-o", out);
    assert_false(test_file_exists(out));
    free(mesh);
    free(skeleton);
    free(out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mesh_and_a_skeleton_become_a_character),
        cmocka_unit_test(settings_reach_the_lattice),
        cmocka_unit_test(workers_do_not_change_a_byte),
        cmocka_unit_test(lists_and_overrides_are_read),
        cmocka_unit_test(lists_know_the_body),
        cmocka_unit_test(fitting_keeps_who_deforms),
        cmocka_unit_test(fitting_leaves_clips),
        cmocka_unit_test(a_bare_mesh_walks),
        cmocka_unit_test(pictures_of_the_lattice_are_drawn),
        cmocka_unit_test(a_mesh_on_its_side_is_stood_up),
        cmocka_unit_test(points_keep_their_axes),
        cmocka_unit_test(doubt_is_said_where_asked_for),
        cmocka_unit_test(damaged_weights_are_made_anew),
        cmocka_unit_test(bad_requests_are_refused),
        cmocka_unit_test(bad_files_are_refused),
        cmocka_unit_test(misspelt_entries_are_refused),
        cmocka_unit_test(too_fine_a_lattice_is_refused_before_any_work),
        cmocka_unit_test(other_units_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
