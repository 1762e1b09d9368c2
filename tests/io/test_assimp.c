// What sinew-import makes of real files: FBX and Collada that Blender exported (tests/io/blender_fbx.py),
// small ones written by hand, and damaged copies of them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format_support.h"
#include "import_process.h"

// True, with a line on stdout, when the importer was not built.
static void need_importer(void) {
    if (SINEW_IMPORT_PROGRAM[0] == '\0') test_skip("no assimp: sinew-import was not built (libassimp-dev)");
}

static snResult import_memory(const char* name, const void* data, size_t size, snModel** out,
                              snError* error) {
    snReadDef def = sn_read_def();
    def.importer = SINEW_IMPORT_PROGRAM;
    return sn_model_read_memory(name, data, size, &def, out, error);
}

static snModel* import_file(const char* path, float unit) {
    snReadDef def = sn_read_def();
    def.importer = SINEW_IMPORT_PROGRAM;
    def.unit = unit;
    snModel* model = NULL;
    snError error = sn_error_none();
    if (sn_model_read(path, &def, &model, &error) != SN_RESULT_OK) fail_msg("%s: %s", path, error.text);
    return model;
}

// --------------------------------------------------------------------------------------- what Blender shows

enum { POSES_MAX = 32, VERTICES_MAX = 64 };

typedef struct Expected {
    uint32_t vertex_count;
    uint32_t pose_count; // the first is the rest
    char clips[POSES_MAX][32];
    int frames[POSES_MAX];
    snVec3 points[POSES_MAX][VERTICES_MAX];
    uint32_t joint_count;
    char joints[8][32];
    snVec3 heads[8];
} Expected;

static const char* blender_path(const char* name) {
    char relative[128];
    snprintf(relative, sizeof relative, "blender/%s", name);
    return test_out_path(relative);
}

static snVec3 read_point(FILE* stream) {
    snVec3 p;
    assert_int_equal(fscanf(stream, "%f %f %f", &p.x, &p.y, &p.z), 3);
    return p;
}

// NULL, with a line on stdout, where Blender did not run.
static Expected* load_expected(void) {
    FILE* stream = fopen(blender_path("expected.txt"), "r");
    if (stream == NULL) test_skip("no Blender: it exported no files");
    Expected* e = calloc(1, sizeof *e);
    assert_non_null(e);
    char word[32];
    assert_int_equal(fscanf(stream, " vertices %u", &e->vertex_count), 1);
    assert_true(e->vertex_count > 0 && e->vertex_count <= VERTICES_MAX);
    while (fscanf(stream, "%31s", word) == 1 && strcmp(word, "end") != 0) {
        if (strcmp(word, "joint") == 0) {
            assert_true(e->joint_count < 8);
            assert_int_equal(fscanf(stream, "%31s", e->joints[e->joint_count]), 1);
            e->heads[e->joint_count++] = read_point(stream);
            continue;
        }
        assert_true(e->pose_count < POSES_MAX);
        if (strcmp(word, "clip") == 0) {
            assert_int_equal(fscanf(stream, "%31s %d", e->clips[e->pose_count], &e->frames[e->pose_count]),
                             2);
        }
        for (uint32_t v = 0; v < e->vertex_count; v++) e->points[e->pose_count][v] = read_point(stream);
        e->pose_count++;
    }
    assert_string_equal(word, "end");
    fclose(stream);
    return e;
}

// --------------------------------------------------------------------------------------------- comparison

// World positions of a skinned part with its morphs, by the definition of skinning.
static void deform(const snModel* model, const snClip* clip, float time, snVec3* out) {
    const snPart* part = &model->parts[0];
    const snSkin* skin = &model->skins[part->skin];
    snMat4* world = malloc(model->skeleton->joint_count * sizeof *world);
    float* morphs = calloc(part->morph_count + 1, sizeof *morphs);
    assert_true(world != NULL && morphs != NULL);
    test_pose(model, clip, time, world);
    if (clip != NULL && part->morph_count > 0) {
        assert_true(sn_clip_sample_morph(clip, time, SN_WRAP_CLAMP, part->joint, part->morph_count, morphs));
    }
    for (uint32_t v = 0; v < part->mesh->vertex_count; v++) {
        snVec3 p = part->mesh->positions[v];
        for (uint32_t m = 0; m < part->morph_count; m++) {
            p = sn_add(p, sn_scale(part->morphs[m].positions[v], morphs[m]));
        }
        out[v] = sn_vec3(0.0f, 0.0f, 0.0f);
        for (uint32_t i = 0; i < part->weights.influences; i++) {
            size_t at = (size_t)v * part->weights.influences + i;
            uint32_t joint = part->weights.joints[at];
            snMat4 matrix = sn_mat4_mul(&world[skin->joints[joint]], &skin->inverse_binds[joint]);
            out[v] = sn_add(out[v], sn_scale(sn_mat4_point(&matrix, p), part->weights.weights[at]));
        }
    }
    free(world);
    free(morphs);
}

// Our number of each of Blender's vertices: the one at its place at rest.
static void match_vertices(const snModel* model, const Expected* e, float scale, uint32_t* out) {
    snVec3 rest[VERTICES_MAX];
    deform(model, NULL, 0.0f, rest);
    for (uint32_t v = 0; v < e->vertex_count; v++) {
        snVec3 wanted = sn_scale(e->points[0][v], scale);
        uint32_t best = 0;
        for (uint32_t i = 1; i < e->vertex_count; i++) {
            if (sn_distance(rest[i], wanted) < sn_distance(rest[best], wanted)) best = i;
        }
        assert_vec3_near(rest[best], wanted, 1e-4f * scale);
        for (uint32_t i = 0; i < v; i++) assert_int_not_equal(out[i], best);
        out[v] = best;
    }
}

static const snClip* find_clip(const snModel* model, const char* name) {
    char full[64];
    snprintf(full, sizeof full, "rig|%s", name);
    uint32_t clip = sn_model_find_clip(model, full);
    if (clip == SN_NONE) fail_msg("there is no clip %s", full);
    return model->clips[clip];
}

static void check_clips(const snModel* model, const Expected* e, float scale, const uint32_t* numbers) {
    float moved = 0.0f;
    for (uint32_t p = 1; p < e->pose_count; p++) {
        snVec3 points[VERTICES_MAX];
        deform(model, find_clip(model, e->clips[p]), (float)(e->frames[p] - 1) / 25.0f, points);
        for (uint32_t v = 0; v < e->vertex_count; v++) {
            assert_vec3_near(points[numbers[v]], sn_scale(e->points[p][v], scale), 1e-4f * scale);
            moved = sn_maxf(moved, sn_distance(e->points[p][v], e->points[0][v]));
        }
    }
    assert_true(moved > 1.0f); // the clips do bend the bar
}

static void check_joints(const snModel* model, const Expected* e, float scale) {
    snMat4* world = malloc(model->skeleton->joint_count * sizeof *world);
    assert_non_null(world);
    test_pose(model, NULL, 0.0f, world);
    for (uint32_t j = 0; j < e->joint_count; j++) {
        assert_vec3_near(test_joint_position(model, world, e->joints[j]), sn_scale(e->heads[j], scale),
                         1e-4f * scale);
    }
    for (uint32_t j = 0; j < model->skeleton->joint_count; j++) {
        assert_vec3_near(model->skeleton->rest[j].scale, sn_vec3(1, 1, 1), 0); // folded into the lengths
        assert_null(strstr(model->skeleton->names[j], "$Assimp"));
    }
    free(world);
}

static float weight_of(const snModel* model, uint32_t vertex, const char* joint) {
    const snPart* part = &model->parts[0];
    float weight = 0.0f;
    for (uint32_t i = 0; i < part->weights.influences; i++) {
        size_t at = (size_t)vertex * part->weights.influences + i;
        uint32_t index = model->skins[part->skin].joints[part->weights.joints[at]];
        if (strcmp(model->skeleton->names[index], joint) == 0) weight += part->weights.weights[at];
    }
    return weight;
}

// The script gives each bone a hat around its middle.
static void check_weights(const snModel* model, const Expected* e, const uint32_t* numbers) {
    for (uint32_t v = 0; v < e->vertex_count; v++) {
        float height = sn_clampf(e->points[0][v].y - e->heads[0].y, 0.5f, 2.5f);
        for (uint32_t j = 0; j < e->joint_count; j++) {
            float wanted = sn_maxf(0.0f, 1.0f - fabsf(height - ((float)j + 0.5f)));
            assert_near(weight_of(model, numbers[v], e->joints[j]), wanted, 1e-4);
        }
    }
}

static void check_file(const char* name, float unit, float scale) {
    need_importer();
    Expected* e = load_expected();
    snModel* model = import_file(blender_path(name), unit);
    uint32_t numbers[VERTICES_MAX];
    uint32_t quads = 0;
    assert_int_equal(model->part_count, 1);
    assert_int_equal(model->parts[0].mesh->vertex_count, e->vertex_count);
    sn_mesh_count_faces(model->parts[0].mesh, NULL, &quads, NULL);
    assert_int_equal(quads, model->parts[0].mesh->face_count);
    assert_int_equal(quads, 34);
    assert_int_equal(model->clip_count, 2);
    match_vertices(model, e, scale, numbers);
    check_joints(model, e, scale);
    check_weights(model, e, numbers);
    check_clips(model, e, scale, numbers);
    sn_model_destroy(model);
    free(e);
}

static void fbx_in_centimetres(void** state) {
    (void)state;
    check_file("plain.fbx", 1.0f, 1.0f);
}

static void fbx_in_metres(void** state) {
    (void)state;
    check_file("units.fbx", 1.0f, 1.0f);
}

static void fbx_with_z_up(void** state) {
    (void)state;
    check_file("z_up.fbx", 1.0f, 1.0f);
}

static void fbx_of_a_small_scene(void** state) {
    (void)state;
    check_file("centimetres.fbx", 1.0f, 0.01f);
}

static void the_callers_unit_counts_too(void** state) {
    (void)state;
    check_file("z_up.fbx", 2.0f, 2.0f);
}

static void fbx_morphs_and_materials(void** state) {
    (void)state;
    need_importer();
    Expected* e = load_expected();
    free(e);
    snModel* model = import_file(blender_path("plain.fbx"), 1.0f);
    const snPart* part = &model->parts[0];
    assert_int_equal(part->morph_count, 2);
    assert_string_equal(part->morphs[0].name, "wide");
    assert_string_equal(part->morphs[1].name, "tall");
    assert_near(part->morph_weights[0], 0, 0);
    for (uint32_t v = 0; v < part->mesh->vertex_count; v++) { // in mesh space, which is Blender's
        snVec3 p = part->mesh->positions[v];
        assert_vec3_near(part->morphs[0].positions[v], sn_vec3(p.x, 0, 0), 1e-5f);
        assert_vec3_near(part->morphs[1].positions[v], sn_vec3(0, 0, p.z > 2.9f ? 0.5f : 0), 1e-5f);
    }
    for (uint32_t c = 0; c < part->mesh->corner_count; c++) {
        snVec3 p = part->mesh->positions[part->mesh->corners[c]];
        snVec2 uv = part->mesh->uvs[part->mesh->corner_uvs[c]];
        assert_near(uv.x, p.x + 0.5f, 1e-5);
        assert_near(uv.y, 1.0f - p.z / 3.0f, 1e-5);
    }
    assert_int_equal(part->mesh->group_count, 2);
    for (uint32_t g = 0; g < 2; g++) {
        const snMaterial* material = &model->materials[part->group_materials[g]];
        assert_string_equal(part->mesh->group_names[g], material->name);
        assert_near(material->base_color.x, strcmp(material->name, "red") == 0 ? 0.8 : 0.1, 1e-5);
    }
    assert_ok(sn_model_write(model, test_out_path("clean/from_fbx.glb"), NULL, NULL)); // for the validator
    sn_model_destroy(model);
}

static void collada_from_blender(void** state) {
    (void)state;
    need_importer();
    Expected* e = load_expected();
    snModel* model = import_file(blender_path("plain.dae"), 1.0f);
    assert_int_equal(model->parts[0].mesh->vertex_count, e->vertex_count);
    assert_int_equal(model->skins[model->parts[0].skin].joint_count, 3);
    snMat4 world[16];
    assert_true(model->skeleton->joint_count <= 16);
    test_pose(model, NULL, 0.0f, world);
    for (uint32_t j = 0; j < e->joint_count; j++) {
        char name[64];
        snprintf(name, sizeof name, "rig_%s", e->joints[j]);
        assert_vec3_near(test_joint_position(model, world, name), e->heads[j], 1e-4f);
    }
    sn_model_destroy(model);
    free(e);
}

// ---------------------------------------------------------------------------------------------- by hand

// Two quads that share an edge, in centimetres, Z up, under a node that stands at (1, 2, 3) and is turned.
static const char collada[] =
    "<?xml version=\"1.0\"?><COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" "
    "version=\"1.4.1\">"
    "<asset><unit name=\"centimeter\" meter=\"0.01\"/><up_axis>Z_UP</up_axis></asset>"
    "<library_geometries><geometry id=\"g\" name=\"sheet\"><mesh>"
    "<source id=\"p\"><float_array id=\"a\" count=\"18\">0 0 0 100 0 0 200 0 0 0 0 50 100 0 50 200 0 50"
    "</float_array><technique_common><accessor source=\"#a\" count=\"6\" stride=\"3\">"
    "<param name=\"X\" type=\"float\"/><param name=\"Y\" type=\"float\"/><param name=\"Z\" type=\"float\"/>"
    "</accessor></technique_common></source><vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/>"
    "</vertices><polylist count=\"2\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/>"
    "<vcount>4 4</vcount><p>0 1 4 3 1 2 5 4</p></polylist></mesh></geometry></library_geometries>"
    "<library_visual_scenes><visual_scene id=\"s\"><node id=\"n\" name=\"n\">"
    "<translate>100 200 300</translate><rotate>0 0 1 90</rotate><scale>2 2 2</scale>"
    "<instance_geometry url=\"#g\"/></node></visual_scene></library_visual_scenes>"
    "<scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>";

static void collada_by_hand(void** state) {
    (void)state;
    need_importer();
    snModel* model = NULL;
    snError error = sn_error_none();
    if (import_memory("a.dae", collada, strlen(collada), &model, &error) != SN_RESULT_OK) {
        fail_msg("%s", error.text);
    }
    const snPart* part = &model->parts[0];
    uint32_t quads = 0;
    sn_mesh_count_faces(part->mesh, NULL, &quads, NULL);
    assert_int_equal(quads, 2);
    assert_int_equal(part->mesh->vertex_count, 6);
    snMat4 world[8];
    assert_true(model->skeleton->joint_count <= 8);
    test_pose(model, NULL, 0.0f, world);
    snBounds bounds = sn_bounds_empty();
    for (uint32_t v = 0; v < 6; v++) {
        bounds = sn_bounds_add(bounds, sn_mat4_point(&world[part->joint], part->mesh->positions[v]));
    }
    // In the file's axes, metres: x 1, y 2 .. 6, z 3 .. 4. Ours: (x, z, -y).
    assert_vec3_near(bounds.min, sn_vec3(1, 3, -6), 1e-5f);
    assert_vec3_near(bounds.max, sn_vec3(1, 4, -2), 1e-5f);
    sn_model_destroy(model);
}

// Three joints in a row, 10 cm apart, with rotations before their own (PreRotation) as Mixamo's files have,
// and a pivot where the test puts one. The middle joint turns by 90 degrees in one second.
#define JOINT(id, name, properties)                                                                          \
    "Model: " #id ", \"Model::" name "\", \"LimbNode\" {\n Version: 232\n Properties70: {\n"                 \
    "P: \"RotationActive\", \"bool\", \"\", \"\",1\n" properties "}\n}\n"
#define PROPERTY(name, x, y, z) "P: \"" name "\", \"Vector3D\", \"Vector\", \"\"," #x "," #y "," #z "\n"
#define FBX(pivot)                                                                                           \
    "; FBX 7.4.0 project file\nFBXHeaderExtension: {\n FBXHeaderVersion: 1003\n FBXVersion: 7400\n}\n"       \
    "GlobalSettings: {\n Version: 1000\n Properties70: {\n"                                                  \
    "P: \"UnitScaleFactor\", \"double\", \"Number\", \"\",1\nP: \"TimeMode\", \"enum\", \"\", "              \
    "\"\",6\n}\n}\n"                                                                                         \
    "Objects: {\n" JOINT(                                                                                    \
        1, "Hips",                                                                                           \
        PROPERTY("PreRotation", 0, 0, 90)                                                                    \
            PROPERTY("Lcl Translation", 0, 100, 0)) JOINT(2, "Spine",                                        \
                                                          PROPERTY("PreRotation", 30, 0, 0)                  \
                                                              pivot PROPERTY("Lcl Translation", 10, 0, 0))   \
        JOINT(3, "Head",                                                                                     \
              PROPERTY(                                                                                      \
                  "Lcl Translation", 10, 0,                                                                  \
                  0)) "AnimationStack: 10, \"AnimStack::take\", \"\" {\n}\nAnimationLayer: 11, "             \
                      "\"AnimLayer::base\", \"\" {\n}\n"                                                     \
                      "AnimationCurveNode: 12, \"AnimCurveNode::R\", \"\" {\n}\nAnimationCurve: 13, "        \
                      "\"AnimCurve::\", \"\" {\n"                                                            \
                      "KeyVer: 4008\nKeyTime: *2 {\na: 0,46186158000\n}\nKeyValueFloat: *2 {\na: 0,90\n}\n"  \
                      "KeyAttrFlags: *1 {\na: 24836\n}\nKeyAttrDataFloat: *4 {\na: 0,0,0,0\n}\n"             \
                      "KeyAttrRefCount: *1 {\na: 2\n}\n}\n}\nConnections: {\nC: \"OO\",1,0\nC: "             \
                      "\"OO\",2,1\nC: \"OO\",3,2\n"                                                          \
                      "C: \"OO\",11,10\nC: \"OO\",12,11\nC: \"OP\",12,2, \"Lcl Rotation\"\nC: "              \
                      "\"OP\",13,12, \"d|Z\"\n}\n"

static void check_chain(const char* text, snVec3 rest, snVec3 turned) {
    snModel* model = NULL;
    snError error = sn_error_none();
    if (import_memory("a.fbx", text, strlen(text), &model, &error) != SN_RESULT_OK)
        fail_msg("%s", error.text);
    assert_int_equal(model->skeleton->joint_count, 3);
    assert_int_equal(model->clip_count, 1);
    assert_near(model->clips[0]->duration, 1, 1e-5);
    snMat4 world[3];
    test_pose(model, NULL, 0.0f, world);
    assert_vec3_near(test_joint_position(model, world, "Hips"), sn_vec3(0, 1, 0), 1e-5f);
    assert_vec3_near(test_joint_position(model, world, "Head"), rest, 1e-5f);
    test_pose(model, model->clips[0], 0.0f, world);
    assert_vec3_near(test_joint_position(model, world, "Head"), rest, 1e-5f);
    test_pose(model, model->clips[0], 1.0f, world);
    assert_vec3_near(test_joint_position(model, world, "Head"), turned, 1e-5f);
    sn_model_destroy(model);
}

// FBX says: local = T Rp Rpre R Rp^-1, with Rp the pivot. The head's place by hand: Hips turn z by 90
// degrees, the spine x by 30 (before its own), then z by 0 or 90, about the pivot (0, 5, 0).
static void fbx_chains_are_one_joint(void** state) {
    (void)state;
    need_importer();
    float s = 0.5f, c = 0.8660254f; // of 30 degrees
    check_chain(FBX(""), sn_vec3(0, 1.2f, 0), sn_vec3(-0.1f * c, 1.1f, 0.1f * s));
    check_chain(FBX(PROPERTY("RotationPivot", 0, 5, 0)), sn_vec3(-0.05f * (1 - c), 1.2f, -0.05f * s),
                sn_vec3(-0.05f - 0.1f * c, 1.15f, 0.1f * s));
}

static void nonsense_is_refused_in_words(void** state) {
    (void)state;
    need_importer();
    static const char* const names[] = {"a.fbx", "a.dae", "a.blend", "a.x", "a.ms3d", "a.3ds"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snModel* model = NULL;
        snError error = sn_error_none();
        snResult result = import_memory(names[i], "nonsense", 8, &model, &error);
        assert_int_equal(result, SN_RESULT_BAD_DATA);
        assert_null(model);
        assert_string_equal(error.file, names[i]);
        assert_true(strstr(error.text, "assimp cannot read it: ") != NULL ||
                    strstr(error.text, "the importer crashed") != NULL);
    }
}

static void small_limits_are_kept(void** state) {
    (void)state;
    need_importer();
    snReadDef def = sn_read_def();
    def.importer = SINEW_IMPORT_PROGRAM;
    def.memory_limit = 4096;
    snModel* model = NULL;
    snError error = sn_error_none();
    assert_int_equal(sn_model_read_memory("a.dae", collada, strlen(collada), &def, &model, &error),
                     SN_RESULT_LIMIT);
    assert_null(model);
}

// ------------------------------------------------------------------------------------------------ damaged

// Reads a changed copy; whatever comes of it, it is a model or an error in words.
static bool survives(const char* name, const uint8_t* data, size_t size) {
    snModel* model = NULL;
    snError error = sn_error_none();
    if (import_memory(name, data, size, &model, &error) == SN_RESULT_OK) {
        sn_model_destroy(model);
        return true;
    }
    assert_null(model);
    assert_true(error.text[0] != '\0');
    return false;
}

static void damage_file(const char* name, const uint8_t* data, size_t size, uint32_t rounds) {
    uint32_t random = 12345, refused = 0;
    uint8_t* copy = malloc(size);
    assert_non_null(copy);
    assert_true(survives(name, data, size));
    for (uint32_t i = 0; i < rounds; i++) {
        memcpy(copy, data, size);
        size_t length = size;
        if (i % 2 == 0) length = test_random(&random) % size;
        for (uint32_t k = 0; k < 1 + i % 8 && i % 2 == 1; k++) {
            copy[test_random(&random) % size] = (uint8_t)test_random(&random);
        }
        refused += !survives(name, copy, length);
    }
    printf("%s: %u of %u damaged copies refused\n", name, refused, rounds);
    assert_true(refused > rounds / 4);
    free(copy);
}

static void damaged_files_are_harmless(void** state) {
    (void)state;
    need_importer();
    damage_file("a.dae", (const uint8_t*)collada, strlen(collada), 30);
    damage_file("a.fbx", (const uint8_t*)FBX(""), sizeof FBX("") - 1, 30);
}

static void damaged_files_of_blender_are_harmless(void** state) {
    (void)state;
    need_importer();
    free(load_expected());
    TestFile file = test_load(blender_path("plain.fbx"));
    damage_file("a.fbx", file.data, file.size, 60);
    test_file_free(&file);
}

// The importer itself tries, where assimp would be.
static void the_sandbox_holds(void** state) {
    (void)state;
    need_importer();
    snSandbox sandbox;
    snError error = sn_error_none();
    if (sn_importer_sandbox(SINEW_IMPORT_PROGRAM, NULL, &sandbox, &error) != SN_RESULT_OK)
        fail_msg("%s", error.text);
    assert_true(sandbox.count >= 11);
    if (SNI_SANITIZED) {
        assert_non_null(strstr(sandbox.missing, "sanitizers"));
        return;
    }
    if (sandbox.missing[0] != '\0') test_skip("no sandbox: %s", sandbox.missing);
    for (uint32_t i = 0; i < sandbox.count; i++) {
        print_message("%s: %s\n", sandbox.acts[i].act, sandbox.acts[i].refused ? "refused" : "possible");
        assert_true(sandbox.acts[i].refused);
    }
    assert_int_equal(sn_importer_sandbox("/bin/true", NULL, &sandbox, &error), SN_RESULT_BAD_DATA);
    assert_int_equal(sn_importer_sandbox("/no/such", NULL, &sandbox, &error), SN_RESULT_UNSUPPORTED);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fbx_in_centimetres),
        cmocka_unit_test(fbx_in_metres),
        cmocka_unit_test(fbx_with_z_up),
        cmocka_unit_test(fbx_of_a_small_scene),
        cmocka_unit_test(the_callers_unit_counts_too),
        cmocka_unit_test(fbx_morphs_and_materials),
        cmocka_unit_test(collada_from_blender),
        cmocka_unit_test(collada_by_hand),
        cmocka_unit_test(fbx_chains_are_one_joint),
        cmocka_unit_test(nonsense_is_refused_in_words),
        cmocka_unit_test(small_limits_are_kept),
        cmocka_unit_test(damaged_files_are_harmless),
        cmocka_unit_test(damaged_files_of_blender_are_harmless),
        cmocka_unit_test(the_sandbox_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
