// MakeHuman characters in.
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "format_support.h"

// Two triangles of body, one of clothes in between, and the corners that give the joints their places.
static const char* const mesh_obj =
    "v 0 0 0\nv 10 0 0\nv 0 20 0\nv 5 5 5\nv 10 20 0\nv 0 10 0\nv 0 12 0\nvt 0 0\nvt 1 0\nvt 0 1\nvt 1 1\n"
    "g clothes\nf 1/1 2/2 4/3\ng body\nf 1/1 2/2 3/3\nf 2/2 5/4 3/3\ng joint\nf 6 7 4\n";
// The child comes first: the reader puts its parent before it.
static const char* const skeleton_json =
    "{\"name\":\"two\",\n\"weights_file\":\"two_w.mhw\",\n\"bones\":{\n"
    "\"child\":{\"head\":\"mid\",\"tail\":\"top\",\"parent\":\"base\"},\n"
    "\"base\":{\"head\":\"low\",\"tail\":\"mid\",\"parent\":null}},\n"
    "\"joints\":{\"low\":[0],\n\"mid\":[5,6],\n\"top\":[2]}}";
static const char* const weights_json =
    "{\"weights\":{\"base\":[[0,1],[1,0.5],[3,1]],\n\"child\":[[1,1.5],[2,1]],\n\"wing\":[[0,1]]}}";

static void put(const char* folder, const char* name, const char* text) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_ok(sn_file_write(test_out_path(path), text, strlen(text), NULL));
}

// A folder with the three files; returns the path of the skeleton.
static const char* make_folder(const char* folder, const char* skeleton, const char* mesh,
                               const char* weights) {
    static char path[1024];
    char name[256];
    mkdir(test_out_path(folder), 0777);
    put(folder, "two.mhskel", skeleton);
    put(folder, "base.obj", mesh);
    put(folder, "two_w.mhw", weights);
    snprintf(name, sizeof name, "%s/two.mhskel", folder);
    snprintf(path, sizeof path, "%s", test_out_path(name));
    return path;
}

static void reads_body_bones_and_weights(void** state) {
    (void)state;
    snNotes notes;
    snReadDef def = sn_read_def();
    def.notes = &notes;
    snModel* model = NULL;
    snError error = sn_error_none();
    const char* path = make_folder("mh", skeleton_json, mesh_obj, weights_json);
    if (sn_model_read(path, &def, &model, &error) != SN_RESULT_OK) fail_msg("%s", error.text);
    const snSkeleton* skeleton = model->skeleton;
    assert_int_equal(skeleton->joint_count, 2);
    assert_string_equal(skeleton->names[0], "base");
    assert_string_equal(skeleton->names[1], "child");
    assert_int_equal(skeleton->parents[1], 0);
    assert_vec3_near(skeleton->rest[1].translation, sn_vec3(0, 1.1f, 0), 1e-6f); // decimetres
    const snPart* part = &model->parts[0];
    assert_int_equal(part->mesh->vertex_count, 4); // without the clothes' and the joint's
    assert_int_equal(part->mesh->face_count, 2);
    uint32_t corners[] = {0, 1, 2, 1, 3, 2};
    assert_memory_equal(part->mesh->corners, corners, sizeof corners);
    assert_vec3_near(part->mesh->positions[3], sn_vec3(1, 2, 0), 1e-6f);
    assert_int_equal(part->mesh->uv_count, 4);
    assert_int_equal(part->mesh->corner_uvs[4], 3);
    assert_int_equal(part->weights.influences, 2);
    assert_near(part->weights.weights[2], 0.25, 1e-6); // vertex 1: 0.5 and 1.5
    assert_int_equal(part->weights.joints[3], 1);
    assert_near(part->weights.weights[3], 0.75, 1e-6);
    assert_near(part->weights.weights[6], 1, 0); // vertex 3 has none and follows the root
    assert_int_equal(notes.count, 2);
    assert_string_equal(notes.text[0], "1 vertices have no weights and follow the first joint");
    assert_string_equal(notes.text[1], "weights of 1 unknown bones were ignored");
    sn_model_destroy(model);
}

static void refuse(const char* skeleton, const char* mesh, const char* weights, snResult result,
                   const char* sentence) {
    snModel* model = NULL;
    snError error = sn_error_none();
    char text[768];
    snResult got = sn_model_read(make_folder("mh_bad", skeleton, mesh, weights), NULL, &model, &error);
    sn_error_format(&error, text, sizeof text);
    if (got != result || strstr(text, sentence) == NULL) fail_msg("\"%s\" is not in \"%s\"", sentence, text);
    assert_null(model);
}

static void names_the_line(void** state) {
    (void)state;
    static const TestRefusal skeletons[] = {
        {"{\n\"bones\":\n}", "two.mhskel:3: JSON"},
        {"[]", "has 0 bones, expected 1 to 4096"},
        {"{\"bones\":{\n\"a\":{\"head\":3}}}", "two.mhskel:2: /bones/a/head is not the name of a joint"},
        {"{\"bones\":{\"a\":{\"head\":\"x\"}}}", "/bones/a/head names a joint without vertices"},
        {"{\"bones\":{\"a\":{\"head\":\"x\"}},\n\"joints\":{\"x\":[7]}}",
         "two.mhskel:2: /joints/x/0 is not a vertex of the mesh, which has 7"},
        {"{\"bones\":{\"a\":{\"head\":\"x\"}},\"joints\":{\"x\":[-1]}}", "is not a vertex"},
        {"{\"bones\":{\"a\":{\"head\":\"x\",\n\"parent\":\"b\"}},\"joints\":{\"x\":[0]}}",
         "two.mhskel:2: /bones/a/parent is not the name of a bone of the file"},
        {"{\"bones\":{\"a\":{\"head\":\"x\",\"parent\":\"b\"},\"b\":{\"head\":\"x\",\"parent\":\"a\"}},"
         "\"joints\":{\"x\":[0]}}",
         "/bones has a cycle of parents"},
    };
    for (size_t i = 0; i < sizeof skeletons / sizeof skeletons[0]; i++) {
        refuse(skeletons[i].text, mesh_obj, weights_json, SN_RESULT_BAD_DATA, skeletons[i].sentence);
    }
    static const TestRefusal weights[] = {
        {"{}", "two_w.mhw:1: /weights is missing"},
        {"{\"weights\":{\"base\":[\n[7,1]]}}",
         "two_w.mhw:2: /weights/base/0 starts with a number that is not a vertex of the mesh"},
        {"{\"weights\":{\"base\":[[0,-1]]}}", "has no weight of 0 or more"},
        {"{\"weights\":{\"base\":[[0,\"1\"]]}}", "has no weight of 0 or more"},
        {"{\"weights\":{\"base\":[3]}}", "starts with a number that is not a vertex"},
        {"nonsense", "two_w.mhw:1: JSON"},
    };
    for (size_t i = 0; i < sizeof weights / sizeof weights[0]; i++) {
        refuse(skeleton_json, mesh_obj, weights[i].text, SN_RESULT_BAD_DATA, weights[i].sentence);
    }
    refuse(skeleton_json, "v 0 0 0\nf 1 2 3\n", weights_json, SN_RESULT_BAD_DATA, "base.obj:2:");
}

static void finds_its_files(void** state) {
    (void)state;
    snModel* model = NULL;
    snError error = sn_error_none();
    mkdir(test_out_path("mh_alone"), 0777);
    put("mh_alone", "two.mhskel", skeleton_json);
    assert_int_equal(sn_model_read(test_out_path("mh_alone/two.mhskel"), NULL, &model, &error),
                     SN_RESULT_NOT_FOUND);
    assert_non_null(strstr(error.text, "has no mesh: looked for mh_base.obj, base.obj, two.obj"));
    make_folder("mh", skeleton_json, mesh_obj, weights_json);
    char mesh[1024];
    snprintf(mesh, sizeof mesh, "%s", test_out_path("mh/base.obj"));
    snReadDef def = sn_read_def();
    def.companion = mesh;
    assert_int_equal(sn_model_read(test_out_path("mh_alone/two.mhskel"), &def, &model, &error),
                     SN_RESULT_NOT_FOUND);
    assert_non_null(strstr(error.text, "has no weights: looked for two_w.mhw, two_weights.mhw, two.mhw"));
    mkdir(test_out_path("mh_named"), 0777);
    put("mh_named", "two.mhskel", skeleton_json);
    put("mh_named", "two_weights.mhw", weights_json); // not the name that the skeleton gives
    put("mh_named", "other.mhw", "{}");
    assert_ok(sn_model_read(test_out_path("mh_named/two.mhskel"), &def, &model, &error));
    sn_model_destroy(model);
    test_refuse("two.mhskel", skeleton_json, strlen(skeleton_json), SN_RESULT_NOT_FOUND, "has no mesh");
}

static void weights_find_their_character(void** state) {
    (void)state;
    snNotes notes;
    snReadDef def = sn_read_def();
    def.notes = &notes;
    snModel *model = NULL, *same = NULL;
    assert_ok(sn_model_read(make_folder("mhw", skeleton_json, mesh_obj, weights_json), NULL, &same, NULL));
    put("mhw", "one.mhskel", "{}");                     // names no weights
    put("mhw", "broken.mhskel", "{");                   // is no skeleton at all
    put("mhw", "two_w.mhskel", "{\"weights_file\":3}"); // only called alike
    assert_ok(sn_model_read(test_out_path("mhw/two_w.mhw"), &def, &model, NULL));
    test_same_model(same, model);
    assert_int_equal(notes.count, 3);
    assert_string_equal(notes.text[2], "2 bones have weights, at most 2 a vertex of the whole mesh");
    sn_model_destroy(model);
    // By its own name where no skeleton names it, and by what the caller names.
    put("mhw", "two_weights.mhw", weights_json);
    assert_ok(sn_model_read(test_out_path("mhw/two_weights.mhw"), NULL, &model, NULL));
    test_same_model(same, model);
    sn_model_destroy(model);
    put("mhw", "some.mhw", weights_json);
    char skeleton[1024], mesh[1024];
    snprintf(skeleton, sizeof skeleton, "%s", test_out_path("mhw/two.mhskel"));
    snprintf(mesh, sizeof mesh, "%s", test_out_path("mh/base.obj"));
    def.companion = skeleton;
    assert_ok(sn_model_read(test_out_path("mhw/some.mhw"), &def, &model, NULL));
    test_same_model(same, model);
    sn_model_destroy(model);
    def.companion = mesh;
    assert_ok(sn_model_read(test_out_path("mhw/two_w.mhw"), &def, &model, NULL));
    test_same_model(same, model);
    sn_model_destroy(model);
    sn_model_destroy(same);
    test_refuse(test_out_path("mhw/some.mhw"), weights_json, strlen(weights_json), SN_RESULT_NOT_FOUND,
                "has no skeleton: looked for some.mhskel and for the only .mhskel of the folder (it has 4)");
    test_refuse("far_weights.mhw", weights_json, strlen(weights_json), SN_RESULT_NOT_FOUND,
                "looked for far.mhskel, far_weights.mhskel and");
    test_refuse(test_out_path("mhw/two_w.mhw"), "{}", 2, SN_RESULT_BAD_DATA, "/weights is missing");
}

static void survives_anything(void** state) {
    (void)state;
    char path[1024];
    snprintf(path, sizeof path, "%s", make_folder("mh", skeleton_json, mesh_obj, weights_json));
    test_every_allocation(test_build_path, path);
    test_survives_changes(path, skeleton_json, strlen(skeleton_json), 500);
    test_keeps_the_limit(path, skeleton_json, strlen(skeleton_json));
    snprintf(path, sizeof path, "%s", test_out_path("mh/two_w.mhw"));
    test_every_allocation(test_build_path, path);
    test_survives_changes(path, weights_json, strlen(weights_json), 200);
    test_keeps_the_limit(path, weights_json, strlen(weights_json));
}

static void reads_the_default_character(void** state) {
    (void)state;
    const char* path = test_data_path("characters/mh_default.mhskel");
    snNotes notes;
    snReadDef def = sn_read_def();
    def.notes = &notes;
    snModel* model = NULL;
    assert_ok(sn_model_read(path, &def, &model, NULL));
    const snPart* part = &model->parts[0];
    assert_int_equal(model->skeleton->joint_count, 163);
    assert_int_equal(model->skins[0].joint_count, 163);
    assert_int_equal(part->mesh->vertex_count, 13380);
    uint32_t quads = 0;
    sn_mesh_count_faces(part->mesh, NULL, &quads, NULL);
    assert_int_equal(quads, 13378);
    assert_int_equal(part->mesh->face_count, 13378);
    assert_int_equal(part->weights.influences, 9); // the 12 of the index are on clothes
    assert_int_equal(notes.count, 0);
    for (uint32_t j = 0; j < 163; j++) {
        uint32_t parent = model->skeleton->parents[j];
        assert_true(parent == SN_NONE ? j == 0 : parent < j);
    }
    snTopology* topology = NULL;
    assert_ok(sn_topology_create(part->mesh, part->weld, NULL, &topology, NULL));
    assert_true(topology->closed && topology->manifold);
    assert_int_equal(topology->component_count, 1);
    snBounds bounds = sn_bounds_of(part->mesh->positions, part->mesh->vertex_count);
    assert_near(bounds.max.y - bounds.min.y, 1.7, 0.2); // a person, in metres
    sn_topology_destroy(topology);
    snModel* same = NULL;
    assert_ok(sn_model_read(test_data_path("characters/mh_default_weights.mhw"), &def, &same, NULL));
    test_same_model(model, same);
    assert_string_equal(notes.text[0], "139 bones have weights, at most 12 a vertex of the whole mesh");
    sn_model_destroy(same);
    sn_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_body_bones_and_weights),
        cmocka_unit_test(names_the_line),
        cmocka_unit_test(finds_its_files),
        cmocka_unit_test(weights_find_their_character),
        cmocka_unit_test(survives_anything),
        cmocka_unit_test(reads_the_default_character),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
