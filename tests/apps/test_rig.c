// `sinew rig` as users run it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "picture.h"
#include "process.h"
#include "sinew/io.h"

static void refuse(int code, const char* word, const char* const* arguments) {
    TestRun run = test_expect(code, arguments);
    if (strstr(run.err, word) == NULL) fail_msg("\"%s\" does not mention \"%s\"", run.err, word);
    test_run_free(&run);
}
#define test_refused(code, word, ...) refuse((code), (word), (const char* const[]){__VA_ARGS__, NULL})

static snHandles* read_back(const char* path) {
    snHandles* handles = NULL;
    snError error = sn_error_none();
    if (sn_handles_read(path, NULL, NULL, &handles, &error) != SN_RESULT_OK)
        fail_msg("%s: %s", path, error.text);
    return handles;
}

static const snHandle* find(const snHandles* handles, const char* name) {
    uint32_t h = sn_handles_find(handles, name);
    if (h == SN_NONE) fail_msg("there is no handle %s", name);
    return &handles->handles[h];
}

// ------------------------------------------------------------------------------------------------ sources

static void a_skeleton_comes_first(void** state) {
    (void)state;
    char* out = test_out_copy("body.snrig");
    TestRun run = test_sinew_expect(0, "rig", "builtin:body", "-o", out, "--json");
    sniJsonValue* report = test_json(&run);
    assert_string_equal(test_json_text(report, "from"), "skeleton");
    assert_near(test_json_number(report, "confidence"), 1.0, 0.0);
    assert_near(test_json_number(report, "vertices"), 28060.0, 0.0);
    assert_int_equal(test_json_length(report, "handles"), 20);
    snHandles* handles = read_back(out);
    assert_true(find(handles, "LeftHand")->vertex_count > 1000); // with its fingers
    sn_handles_destroy(handles);
    sni_json_free(report);
    test_run_free(&run);
    run = test_sinew_expect(0, "rig", "builtin:body", "--fingers", "-o", out, "--quiet");
    assert_string_equal(run.err, "");
    handles = read_back(out);
    find(handles, "LeftThumb1");
    sn_handles_destroy(handles);
    test_run_free(&run);
    free(out);
}

static void a_guess_says_how_sure_it_is(void** state) {
    (void)state;
    char* out = test_out_copy("guess.snrig");
    TestRun run = test_sinew_expect(0, "rig", "builtin:body", "--from", "auto", "-o", out);
    assert_non_null(strstr(run.err, "15 handles from auto"));
    assert_non_null(strstr(run.err, "% sure"));
    assert_non_null(strstr(run.err, "least sure: "));
    assert_string_equal(run.out, "");
    snHandles* handles = read_back(out);
    assert_true(find(handles, "left_hand")->confidence < 1.001f);
    assert_true(find(handles, "left_lower_arm")->confidence < find(handles, "left_hand")->confidence);
    sn_handles_destroy(handles);
    test_run_free(&run);
    // A finer look finds fingers.
    run = test_sinew_expect(0, "rig", "builtin:body", "--from", "auto", "--detail", "0", "-o", out, "--json");
    sniJsonValue* report = test_json(&run);
    assert_true(test_json_length(report, "handles") > 20);
    assert_true(test_json_number(report, "confidence") < 0.8);
    sni_json_free(report);
    test_run_free(&run);
    free(out);
}

static void groups_make_handles(void** state) {
    (void)state;
    char *obj = test_out_copy("two.obj"), *out = test_out_copy("two.snrig");
    char text[1024] = "";
    size_t length = 0; // a strip of six quads: three of one group, three of another
    for (int i = 0; i < 14; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "v %d %d 0\n", i % 7, i / 7);
    for (int i = 1; i < 7; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%sf %d %d %d %d\n",
                                   i == 1   ? "g low\n"
                                   : i == 4 ? "g high\n"
                                            : "",
                                   i, i + 1, i + 8, i + 7);
    assert_ok(sn_file_write(obj, text, length, NULL));
    TestRun run = test_sinew_expect(0, "rig", obj, "--from", "groups", "-o", out, "--json");
    sniJsonValue* report = test_json(&run);
    assert_near(test_json_number(report, "free"), 6.0, 0.0); // what they share, and a ring on both sides
    sni_json_free(report);
    test_run_free(&run);
    test_refused(2, "no vertex colors", "rig", obj, "--from", "colors", "-o", out);
    test_refused(2, "no skin", "rig", obj, "--from", "skeleton", "-o", out);
    free(obj);
    free(out);
}

// --------------------------------------------------------------------------------------------- selections

// A sheet of 8 x 8 quads around the origin; 1 m wide, 0.125 m a quad.
static void selections_are_handles(void** state) {
    (void)state;
    char* out = test_out_copy("sheet.snrig");
    TestRun run =
        test_sinew_expect(0, "rig", "builtin:sheet", "--handle", "left=box:-9,-9,-9,-0.3,9,9", "--handle",
                          "right=box:0.3,-9,-9,9,9,9", "--handle", "right-=ball:0.5,0,0.5,0.01",
                          "--followers", "right=left", "--weight", "left=0.5", "-o", out, "--json");
    sniJsonValue* report = test_json(&run);
    assert_string_equal(test_json_text(report, "from"), "selections");
    sni_json_free(report);
    test_run_free(&run);
    snHandles* handles = read_back(out);
    const snHandle *left = find(handles, "left"), *right = find(handles, "right");
    assert_int_equal(left->vertex_count, right->vertex_count + 1); // less its corner
    assert_near(left->weights[0], 0.5f, 0.0f);
    assert_near(right->weights[0], 1.0f, 0.0f);
    assert_int_equal(right->follower_count, 1);
    // The left one turns about that of its columns which is nearest to the right one.
    assert_true(left->center.x > -0.5f && left->center.x <= -0.3f);
    assert_near(left->center.z, 0.0f, 1e-6f);
    sn_handles_destroy(handles);
    free(out);
}

static void options_change_handles(void** state) {
    (void)state;
    char* out = test_out_copy("changed.snrig");
    TestRun run = test_sinew_expect(0, "rig", "builtin:body", "--from", "skeleton", "--handle",
                                    "ball=ball:0,1.7,0.1,0.05", "--grow", "2", "--shrink", "1", "--center",
                                    "Head=0,1.6,0", "--feather", "3", "-o", out, "--quiet");
    test_run_free(&run);
    snHandles* handles = read_back(out);
    assert_int_equal(handles->handle_count, 21);
    assert_vec3_near(find(handles, "Head")->center, sn_vec3(0, 1.6f, 0), 0.0f);
    const snHandle* head = find(handles, "Head");
    float least = 1.0f;
    for (uint32_t i = 0; i < head->vertex_count; i++) least = sn_minf(least, head->weights[i]);
    assert_near(least, 0.25f, 1e-6f);
    const snHandle* ball = find(handles, "ball"); // what it marks is no longer the head's
    for (uint32_t i = 0, k = 0; i < ball->vertex_count; i++) {
        while (k < head->vertex_count && head->vertices[k] < ball->vertices[i]) k++;
        assert_true(k == head->vertex_count || head->vertices[k] != ball->vertices[i]);
    }
    sn_handles_destroy(handles);
    free(out);
}

static void wrong_options_are_refused(void** state) {
    (void)state;
    const char* out = "never.snrig";
    const char* body = "builtin:body";
    test_refused(3, "-o OUT is missing", "rig", body);
    test_refused(3, ".snrig", "rig", body, "-o", "x.glb");
    test_refused(3, "MODEL is missing", "rig", "-o", out);
    test_refused(3, "takes no other options or operands", "rig", body, "--info", "x.snrig");
    test_refused(3, "--names is for --show", "rig", body, "--names", "-o", out);
    test_refused(3, "--band is for --from auto", "rig", body, "--band", "2", "-o", out);
    test_refused(3, "--fingers is for --from skeleton", "rig", body, "--from", "auto", "--fingers", "-o",
                 out);
    test_refused(3, "--grow changes the vertices of --handle", "rig", body, "--grow", "2", "-o", out);
    test_refused(3, "NAME=SELECTION", "rig", body, "--handle", "box:1,2", "-o", out);
    test_refused(3, "box:x0,y0,z0,x1,y1,z1", "rig", body, "--handle", "a=box:1,2", "-o", out);
    test_refused(3, "ball:x,y,z,radius", "rig", body, "--handle", "a=ball:1,2,3,-4", "-o", out);
    test_refused(3, "brush:VERTEX,radius", "rig", body, "--handle", "a=brush:x,1", "-o", out);
    test_refused(3, "has 28060 vertices", "rig", body, "--handle", "a=brush:99999,1", "-o", out);
    test_refused(3, "color:#rrggbb", "rig", body, "--handle", "a=color:red", "-o", out);
    test_refused(3, "no vertex colors", "rig", body, "--handle", "a=color:#ff0000", "-o", out);
    test_refused(3, "no such group", "rig", body, "--handle", "a=group:x", "-o", out);
    test_refused(3, "did you mean LeftElbow", "rig", body, "--handle", "a=joint:LeftElbo", "-o", out);
    test_refused(3, "did you mean LeftHand", "rig", body, "--handle", "a=joint:LeftHnad", "-o", out);
    test_refused(3, "is expected", "rig", body, "--handle", "a=knee", "-o", out);
    test_refused(3, "did you mean Head", "rig", body, "--center", "Haed=1,2,3", "-o", out);
    test_refused(3, "NAME=x,y,z", "rig", body, "--center", "Head=1,2", "-o", out);
    test_refused(3, "W from 0 to 1", "rig", body, "--weight", "Head=2", "-o", out);
    test_refused(3, "there is no handle Nose", "rig", body, "--followers", "Head=Nose", "-o", out);
    test_refused(2, "circle: Hips -> ", "rig", body, "--followers", "Head=Hips", "-o", out);
    test_refused(2, "has no vertices", "rig", body, "--handle", "a=ball:9,9,9,0.1", "-o", out);
    test_refused(2, "the model is between (-", "rig", body, "--handle", "a=ball:9,9,9,0.1", "-o", out);
    test_refused(2, "in two handles, \"a\" and \"b\"", "rig", body, "--handle", "a=box:-9,-9,-9,9,9,9",
                 "--handle", "b=ball:0,1.7,0,0.2", "-o", out);
    assert_false(test_file_exists(out));
}

// ------------------------------------------------------------------------------------------------- edits

// A strip of 8 quads as builtin:sheet has them, in three handles from left to right: a, b, c, which follow
// each other in this order.
static char* write_three(void) {
    char* rig = test_out_copy("three.snrig");
    TestRun run =
        test_sinew_expect(0, "rig", "builtin:sheet", "--handle", "a=box:-9,-9,-9,-0.45,9,9", "--handle",
                          "b=box:-0.1,-9,-9,0.1,9,9", "--handle", "c=box:0.45,-9,-9,9,9,9", "--followers",
                          "a=b", "--followers", "b=c", "-o", rig, "-q");
    test_run_free(&run);
    return rig;
}

static snHandles* edit(const char* rig, const char* const* words) {
    const char* arguments[32] = {"rig", "builtin:sheet", "--from", rig, "-q", "-o"};
    char* out = test_out_copy("edited.snrig");
    uint32_t count = 6;
    arguments[count++] = out;
    while (*words != NULL) arguments[count++] = *words++;
    TestRun run = test_expect(0, arguments);
    test_run_free(&run);
    snHandles* handles = read_back(out);
    free(out);
    return handles;
}
#define edited(rig, ...) edit((rig), (const char* const[]){__VA_ARGS__, NULL})

static bool is_followed(const snHandles* handles, const char* parent, const char* child) {
    const snHandle* handle = find(handles, parent);
    for (uint32_t i = 0; i < handle->follower_count; i++)
        if (strcmp(handles->handles[handle->followers[i]].name, child) == 0) return true;
    return false;
}

static void a_file_is_changed(void** state) {
    (void)state;
    char* rig = write_three();
    snHandles *was = read_back(rig), *is = NULL;
    uint32_t a = find(was, "a")->vertex_count, b = find(was, "b")->vertex_count;

    is = edited(rig, "--rename", "b=middle", "--center", "middle=0,1,2");
    assert_int_equal(is->handle_count, 3);
    assert_vec3_near(find(is, "middle")->center, sn_vec3(0, 1, 2), 0.0f);
    assert_int_equal(find(is, "middle")->vertex_count, b);
    assert_true(is_followed(is, "a", "middle") && is_followed(is, "middle", "c"));
    sn_handles_destroy(is);

    is = edited(rig, "--remove", "b"); // c hangs on what b hung on
    assert_int_equal(is->handle_count, 2);
    assert_true(is_followed(is, "a", "c"));
    sn_handles_destroy(is);

    is = edited(rig, "--merge", "b=a"); // it is the root then
    assert_int_equal(is->handle_count, 2);
    assert_int_equal(find(is, "b")->vertex_count, a + b);
    assert_true(is_followed(is, "b", "c"));
    assert_vec3_near(find(is, "b")->center, find(was, "b")->center, 0.0f);
    sn_handles_destroy(is);

    is = edited(rig, "--merge", "a=b,c");
    assert_int_equal(is->handle_count, 1);
    assert_int_equal(find(is, "a")->follower_count, 0);
    sn_handles_destroy(is);

    // One takes in what it follows, in any order, and follows what that followed.
    static const char* const lists[] = {"c=a,b", "c=b,a"};
    for (int i = 0; i < 2; i++) {
        is = edited(rig, "--handle", "d=ball:0.25,0,0,0.1", "--parent", "a=d", "--merge", lists[i]);
        assert_int_equal(is->handle_count, 2);
        assert_true(is_followed(is, "d", "c") && find(is, "c")->follower_count == 0);
        sn_handles_destroy(is);
    }
    is = edited(rig, "--merge", "a=c"); // what is between them stays as it is
    assert_int_equal(is->handle_count, 2);
    assert_true(is_followed(is, "a", "b") && find(is, "b")->follower_count == 0);
    sn_handles_destroy(is);

    // Names may look like lists and edits.
    is = edited(rig, "--rename", "b=a,c", "--rename", "c=a=x", "--parent", "a=x=a", "--remove", "a,c,a");
    assert_int_equal(is->handle_count, 1);
    assert_string_equal(is->handles[0].name, "a=x");
    sn_handles_destroy(is);

    is = edited(rig, "--parent", "c=a", "--parent", "b=");
    assert_true(is_followed(is, "a", "c") && !is_followed(is, "a", "b") && !is_followed(is, "b", "c"));
    sn_handles_destroy(is);
    sn_handles_destroy(was);
    free(rig);
}

// 9 vertices a column; b has one column at x = 0, or more where columns are nearer.
static void vertices_and_weights_are_changed(void** state) {
    (void)state;
    char* rig = write_three();
    snHandles *was = read_back(rig), *is = NULL;
    uint32_t a = find(was, "a")->vertex_count, b = find(was, "b")->vertex_count;

    is = edited(rig, "--grow", "b=2", "--shrink", "b=1");
    assert_true(find(is, "b")->vertex_count > b);
    sn_handles_destroy(is);
    is = edited(rig, "--grow", "b=1", "--shrink", "b=1"); // back to where it was
    assert_int_equal(find(is, "b")->vertex_count, b);
    sn_handles_destroy(is);

    // It takes what others have, unless they are marked by hand.
    is = edited(rig, "--grow", "b=100", "--remove", "a,c");
    assert_int_equal(find(is, "b")->vertex_count, is->vertex_count);
    sn_handles_destroy(is);
    is = edited(rig, "--handle", "d=box:-9,-9,-9,-0.45,9,9", "--remove", "a", "--grow", "b=100", "--remove",
                "c");
    assert_int_equal(find(is, "d")->vertex_count, a);
    assert_int_equal(find(is, "b")->vertex_count, is->vertex_count - a);
    sn_handles_destroy(is);

    is = edited(rig, "--grow", "b=1", "--feather", "b=1", "--weight", "b=0.5");
    float least = 1.0f, most = 0.0f;
    for (uint32_t i = 0; i < find(is, "b")->vertex_count; i++) {
        least = sn_minf(least, find(is, "b")->weights[i]);
        most = sn_maxf(most, find(is, "b")->weights[i]);
    }
    assert_near(least, 0.25f, 1e-6f);
    assert_near(most, 0.5f, 1e-6f);
    assert_near(find(is, "a")->weights[0], 1.0f, 0.0f);
    sn_handles_destroy(is);

    // A handle beside those that are there, and one that takes from them.
    is = edited(rig, "--handle", "d=ball:0.25,0,0,0.1", "--parent", "d=c", "--handle",
                "e=ball:-0.5,0,-0.5,0.01");
    assert_int_equal(is->handle_count, 5);
    assert_int_equal(find(is, "a")->vertex_count, a - 1);
    assert_true(is_followed(is, "c", "d"));
    sn_handles_destroy(is);
    // Edits are done in the order given.
    is = edited(rig, "--rename", "a=x", "--rename", "b=a", "--remove", "a");
    assert_int_equal(is->handle_count, 2);
    assert_true(is_followed(is, "x", "c"));
    sn_handles_destroy(is);
    sn_handles_destroy(was);
    free(rig);
}

// Edits are done in the order given, whatever was taken from a handle before.
static void vertices_go_from_one_to_another(void** state) {
    (void)state;
    char* rig = write_three();
    snHandles *was = read_back(rig), *is = NULL;
    uint32_t a = find(was, "a")->vertex_count, b = find(was, "b")->vertex_count;

    is = edited(rig, "--handle", "a-=box:-9,-9,-9,-0.45,9,-0.4", "--handle", "b=box:-9,-9,-9,-0.45,9,0");
    uint32_t moved = find(is, "b")->vertex_count;
    assert_true(moved > 1 && moved < a); // b is made anew of them
    assert_int_equal(find(is, "a")->vertex_count, a - moved);
    sn_handles_destroy(is);

    // += keeps what is there, and takes from others.
    is = edited(rig, "--handle", "a-=ball:-0.5,0,-0.5,0.01", "--handle", "b+=box:-9,-9,-9,-0.45,9,0");
    assert_int_equal(find(is, "b")->vertex_count, b + moved);
    assert_int_equal(find(is, "a")->vertex_count, a - moved);
    assert_vec3_near(find(is, "b")->center, find(was, "b")->center, 0.0f);
    sn_handles_destroy(is);
    // The other way round comes to the same.
    is = edited(rig, "--handle", "b+=box:-9,-9,-9,-0.45,9,0", "--handle", "a-=ball:-0.5,0,-0.5,0.01");
    assert_int_equal(find(is, "b")->vertex_count, b + moved);
    assert_int_equal(find(is, "a")->vertex_count, a - moved);
    sn_handles_destroy(is);
    // There and back.
    is = edited(rig, "--handle", "b+=box:-9,-9,-9,-0.45,9,0", "--handle", "b-=box:-9,-9,-9,-0.45,9,0",
                "--handle", "a+=box:-9,-9,-9,-0.45,9,0");
    assert_int_equal(find(is, "b")->vertex_count, b);
    assert_int_equal(find(is, "a")->vertex_count, a);
    sn_handles_destroy(is);
    // A handle that is not there yet is made by +=; the first = makes one that was there anew, the next adds.
    is = edited(rig, "--handle", "d+=ball:-0.5,0,-0.5,0.01", "--handle", "b=ball:0,0,0,0.01", "--handle",
                "b=ball:0.25,0,0,0.01");
    assert_int_equal(find(is, "d")->vertex_count, 1);
    assert_int_equal(find(is, "a")->vertex_count, a - 1);
    assert_int_equal(find(is, "b")->vertex_count, 2);
    sn_handles_destroy(is);
    // Marked by hand for two of them it is a mistake, unless a later edit mends it.
    test_refused(2, "in two handles", "rig", "builtin:sheet", "--from", rig, "--handle",
                 "a+=ball:0.25,0,0,0.1", "--handle", "b+=ball:0.25,0,0,0.1", "-o", "never.snrig");
    is = edited(rig, "--handle", "a+=ball:0.25,0,0,0.1", "--handle", "b+=ball:0.25,0,0,0.1", "--handle",
                "a-=ball:0.25,0,0,0.1");
    assert_int_equal(find(is, "a")->vertex_count, a);
    assert_true(find(is, "b")->vertex_count > b);
    sn_handles_destroy(is);
    test_refused(2, "has no vertices left; --remove a", "rig", "builtin:sheet", "--from", rig, "--handle",
                 "a-=box:-9,-9,-9,9,9,9", "-o", "never.snrig");
    sn_handles_destroy(was);
    free(rig);
}

static void a_handle_without_weight_is_noted(void** state) {
    (void)state;
    char *rig = write_three(), *out = test_out_copy("weightless.snrig");
    TestRun run = test_sinew_expect(0, "rig", "builtin:sheet", "--from", rig, "--weight", "b=0", "-o", out);
    assert_non_null(strstr(run.err, "all weights of \"b\" are 0"));
    assert_null(strstr(run.err, "\"a\""));
    test_run_free(&run);
    free(rig);
    free(out);
}

static void wrong_edits_are_named(void** state) {
    (void)state;
    char* rig = write_three();
    const char *out = "never.snrig", *sheet = "builtin:sheet";
    test_refused(3, "there is no handle bb; did you mean b?", "rig", sheet, "--from", rig, "--rename", "bb=x",
                 "-o", out);
    test_refused(3, "the handle c already exists; --merge c=b", "rig", sheet, "--from", rig, "--rename",
                 "b=c", "-o", out);
    test_refused(3, "there is no handle bc", "rig", sheet, "--from", rig, "--merge", "a=b,bc", "-o", out);
    test_refused(3, "NAME=A,B is expected", "rig", sheet, "--from", rig, "--merge", "a", "-o", out);
    test_refused(3, "there is no handle ab", "rig", sheet, "--from", rig, "--remove", "ab", "-o", out);
    test_refused(3, "cannot follow itself", "rig", sheet, "--from", rig, "--parent", "a=a", "-o", out);
    test_refused(3, "there is no handle ac", "rig", sheet, "--from", rig, "--parent", "a=ac", "-o", out);
    test_refused(2, "circle: ", "rig", sheet, "--from", rig, "--parent", "a=c", "-o", out);
    test_refused(3, "NAME=RINGS", "rig", sheet, "--from", rig, "--grow", "a=-1", "-o", out);
    test_refused(3, "NAME=RINGS", "rig", sheet, "--from", rig, "--feather", "a=much", "-o", out);
    test_refused(3, "NAME=auto", "rig", sheet, "--from", rig, "--center", "a=there", "-o", out);
    test_refused(2, "has no vertices left; --remove b", "rig", sheet, "--from", rig, "--shrink", "b=9", "-o",
                 out);
    test_refused(3, "there is no handle d", "rig", sheet, "--from", rig, "--handle", "d-=ball:0,0,0,1", "-o",
                 out);
    test_refused(3, "did you mean skeleton?", "rig", sheet, "--from", "skeletn", "-o", out);
    test_refused(3, "a .snrig is expected", "rig", sheet, "--from", "rig.json", "-o", out);
    test_refused(4, "nowhere.snrig", "rig", sheet, "--from", "nowhere.snrig", "-o", out);
    test_refused(2, "made for another mesh", "rig", "builtin:cube", "--from", rig, "-o", out);
    test_refused(3, "--detail is for --from auto", "rig", sheet, "--from", rig, "--detail", "1", "-o", out);
    test_refused(3, "cannot be part of itself", "rig", sheet, "--from", rig, "--merge", "a=a", "-o", out);
    test_refused(3, "before and after each comma", "rig", sheet, "--from", rig, "--remove", "a,,b", "-o",
                 out);
    test_refused(3, "--size is for --show", "rig", sheet, "--from", rig, "--size", "9x9", "-o", out);
    test_refused(3, "--from makes a rig, --show draws one: use one of them", "rig", sheet, "--from", rig,
                 "--show", rig, "-o", "never.png");
    test_refused(3, "--merge makes a rig, --show draws one: use one of them", "rig", sheet, "--merge", "a=b",
                 "--show", rig, "-o", "never.png");
    test_refused(3, "is a rig, not a MODEL", "rig", rig, "-o", out);
    test_refused(2, "there are no handles", "rig", sheet, "--from", rig, "--remove", "a,b,c", "-o", out);
    assert_false(test_file_exists(out));
    free(rig);
}

// --------------------------------------------------------------------------------------------- show, info

static void a_file_is_described(void** state) {
    (void)state;
    char* rig = test_out_copy("info.snrig");
    TestRun run = test_sinew_expect(0, "rig", "builtin:body", "-o", rig, "--quiet");
    test_run_free(&run);
    run = test_sinew_expect(0, "rig", "--info", rig);
    assert_non_null(strstr(run.out, "20 handles for a mesh of 28060 vertices"));
    assert_non_null(strstr(run.out, "LeftLowerArm"));
    test_run_free(&run);
    run = test_sinew_expect(0, "rig", "--info", rig, "--json");
    sniJsonValue* report = test_json(&run);
    assert_int_equal(test_json_length(report, "handles"), 20);
    assert_int_equal(strlen(test_json_text(report, "mesh_hash")), 16);
    sni_json_free(report);
    test_run_free(&run);
    test_refused(2, "was made for another mesh: 28060 vertices, this one has", "rig", "builtin:cube",
                 "--show", rig, "-o", "x.png");
    test_refused(4, "nowhere.snrig", "rig", "--info", "nowhere.snrig");
    free(rig);
}

// Many colors where handles are, none where nothing is.
static void a_picture_is_drawn(void** state) {
    (void)state;
    char *rig = test_out_copy("show.snrig"), *png = test_out_copy("show.png");
    TestRun run = test_sinew_expect(0, "rig", "builtin:body", "--from", "auto", "-o", rig, "--quiet");
    test_run_free(&run);
    run = test_sinew_expect(0, "rig", "builtin:body", "--show", rig, "--names", "--size", "400x400", "-o",
                            png, "--json");
    sniJsonValue* report = test_json(&run);
    assert_string_equal(test_json_text(report, "output"), png);
    sni_json_free(report);
    test_run_free(&run);
    snImage* image = NULL;
    assert_ok(sn_png_read(png, NULL, &image, NULL));
    assert_int_equal(image->width, 400);
    uint32_t colored = 0;
    for (size_t i = 0; i < (size_t)image->width * image->height; i++) {
        const uint8_t* p = &image->pixels[4 * i];
        int most = p[0] > p[1] ? (p[0] > p[2] ? p[0] : p[2]) : (p[1] > p[2] ? p[1] : p[2]);
        int least = p[0] < p[1] ? (p[0] < p[2] ? p[0] : p[2]) : (p[1] < p[2] ? p[1] : p[2]);
        colored += most - least > 60;
    }
    assert_true(colored > 1500 && colored < 60000);
    // A close-up of a handle is another picture, and a center far away costs no time.
    run = test_sinew_expect(0, "rig", "builtin:body", "--show", rig, "--names", "--size", "400x400",
                            "--focus", "head", "-o", png, "-q");
    test_run_free(&run);
    snImage* close = NULL;
    assert_ok(sn_png_read(png, NULL, &close, NULL));
    assert_memory_not_equal(close->pixels, image->pixels, (size_t)4 * 400 * 400);
    sn_image_destroy(close);
    sn_image_destroy(image);
    test_refused(3, "--focus haed: there is no such handle; did you mean head?", "rig", "builtin:body",
                 "--show", rig, "--focus", "haed", "-o", png);
    run = test_sinew_expect(0, "rig", "builtin:body", "--from", rig, "--center", "head=1e37,0,0", "--center",
                            "left_hand=0,1e8,1e30", "-o", rig, "-q");
    test_run_free(&run);
    run = test_sinew_expect(0, "rig", "builtin:body", "--show", rig, "--names", "--camera", "front", "-o",
                            png, "-q");
    test_run_free(&run);
    test_refused(3, ".png", "rig", "builtin:body", "--show", rig, "-o", "x.snrig");
    free(rig);
    free(png);
}

// What one handle grew is not another's to grow into.
static void grown_vertices_are_kept(void** state) {
    (void)state;
    char* out = test_out_copy("grown.snrig");
    TestRun run =
        test_sinew_expect(0, "rig", "builtin:bar", "--handle", "low=box:-1,-1,-1,1,0.2,1", "--handle",
                          "top=box:-1,0.8,-1,1,3,1", "--grow", "6", "-o", out, "--quiet");
    test_run_free(&run);
    snHandles* handles = read_back(out);
    assert_int_equal(handles->handles[sn_handles_find(handles, "low")].vertex_count, 40);
    assert_int_equal(handles->handles[sn_handles_find(handles, "top")].vertex_count, 156);
    sn_handles_destroy(handles);
    free(out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grown_vertices_are_kept),
        cmocka_unit_test(a_skeleton_comes_first),
        cmocka_unit_test(a_guess_says_how_sure_it_is),
        cmocka_unit_test(groups_make_handles),
        cmocka_unit_test(selections_are_handles),
        cmocka_unit_test(options_change_handles),
        cmocka_unit_test(a_file_is_changed),
        cmocka_unit_test(vertices_and_weights_are_changed),
        cmocka_unit_test(vertices_go_from_one_to_another),
        cmocka_unit_test(a_handle_without_weight_is_noted),
        cmocka_unit_test(wrong_edits_are_named),
        cmocka_unit_test(wrong_options_are_refused),
        cmocka_unit_test(a_file_is_described),
        cmocka_unit_test(a_picture_is_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
