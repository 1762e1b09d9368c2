// Writing glTF: fresh documents come back as they were, documents pass through.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "io_support.h"
#include "json.h"
#include "rigs.h"

// Files that must satisfy the validator go to their own folder.
static const char* clean_path(const char* name) {
    char relative[256];
    snprintf(relative, sizeof relative, "clean/%s", name);
    mkdir(test_out_path("clean"), 0777);
    return test_out_path(relative);
}

static snModel* write_and_read(const snModel* model, const char* name, const snWriteDef* def,
                               snNotes* notes) {
    snError error = sn_error_none();
    if (sn_model_write(model, clean_path(name), def, &error) != SN_RESULT_OK) fail_msg("%s", error.text);
    snReadDef read = sn_read_def();
    read.notes = notes;
    snModel* again = NULL;
    if (sn_model_read(clean_path(name), &read, &again, &error) != SN_RESULT_OK) fail_msg("%s", error.text);
    return again;
}

static sniJsonValue* load_json(const char* path) {
    TestFile file = test_load(path);
    const char* text = (const char*)file.data;
    size_t size = file.size;
    if (size > 20 && memcmp(text, "glTF", 4) == 0) {
        uint32_t length = 0;
        memcpy(&length, text + 12, 4);
        text += 20;
        size = length;
    }
    sniJsonValue* json = NULL;
    size_t offset = 0;
    assert_ok(sni_json_parse(text, size, &json, &offset, NULL));
    test_file_free(&file);
    return json;
}

// The library's own shapes: quads, weights, clips and weld come back bit for bit, through both containers.
static void fresh_documents_come_back(void** state) {
    (void)state;
    snModel* tube = NULL;
    snTubeDef def = sn_tube_def();
    def.rings = 12;
    def.sides = 8;
    assert_ok(sn_builtin_tube(&def, NULL, &tube, NULL));
    snNotes notes;
    snModel* once = write_and_read(tube, "tube.glb", NULL, &notes);
    assert_int_equal(notes.count, 0);
    assert_int_equal(once->parts[0].mesh->face_count, tube->parts[0].mesh->face_count);
    uint32_t quads = 0, wanted = 0;
    sn_mesh_count_faces(once->parts[0].mesh, NULL, &quads, NULL);
    sn_mesh_count_faces(tube->parts[0].mesh, NULL, &wanted, NULL);
    assert_int_equal(quads, wanted);
    assert_true(quads > 0);
    assert_int_equal(once->skeleton->joint_count, tube->skeleton->joint_count + 1); // the mesh's own node
    assert_int_equal(once->clip_count, tube->clip_count);
    assert_memory_equal(once->parts[0].mesh->positions, tube->parts[0].mesh->positions,
                        tube->parts[0].mesh->vertex_count * sizeof(snVec3));
    assert_memory_equal(once->parts[0].mesh->corners, tube->parts[0].mesh->corners,
                        tube->parts[0].mesh->corner_count * sizeof(uint32_t));
    snModel* twice = write_and_read(once, "tube_again.gltf", NULL, &notes);
    assert_int_equal(notes.count, 0);
    test_same_model(once, twice);
    sn_model_destroy(tube);
    sn_model_destroy(once);
    sn_model_destroy(twice);
}

// Every weight that was written is the weight that is read.
static void weights_are_exact(void** state) {
    (void)state;
    snModel* tube = NULL;
    snTubeDef tube_def = sn_tube_def();
    assert_ok(sn_builtin_tube(&tube_def, NULL, &tube, NULL));
    snModel* once = write_and_read(tube, "weights.glb", NULL, NULL);
    const snWeights *a = &tube->parts[0].weights, *b = &once->parts[0].weights;
    const snSkin *x = &tube->skins[0], *y = &once->skins[0];
    for (uint32_t v = 0; v < a->vertex_count; v++) {
        float sum = 0.0f;
        for (uint32_t i = 0; i < b->influences; i++) {
            float weight = b->weights[(size_t)v * b->influences + i];
            uint16_t joint = b->joints[(size_t)v * b->influences + i];
            sum += weight;
            if (weight == 0.0f) {
                assert_int_equal(joint, 0);
                continue;
            }
            float before = 0.0f;
            for (uint32_t k = 0; k < a->influences; k++) {
                size_t at = (size_t)v * a->influences + k;
                if (x->joints[a->joints[at]] == y->joints[joint]) before += a->weights[at];
            }
            assert_near(weight, before, 2.4e-7);
        }
        assert_true(sum == 1.0f);
    }
    sn_model_destroy(tube);
    sn_model_destroy(once);
}

// Skin, morph, rigid part, several joints, from data described by hand.
static void small_model_comes_back(void** state) {
    (void)state;
    snModel* model = NULL;
    assert_ok(sn_model_create(test_model_def(), NULL, &model, NULL));
    snNotes notes;
    snModel* once = write_and_read(model, "small.gltf", NULL, &notes);
    assert_int_equal(notes.count, 0);
    assert_int_equal(once->part_count, model->part_count);
    assert_int_equal(once->clips[0]->channel_count, model->clips[0]->channel_count);
    for (uint32_t p = 0; p < model->part_count; p++) {
        const snPart* part = &model->parts[p];
        const snPart* back = NULL;
        for (uint32_t q = 0; q < once->part_count; q++) {
            if (once->parts[q].mesh->vertex_count == part->mesh->vertex_count &&
                (once->parts[q].skin == SN_NONE) == (part->skin == SN_NONE)) {
                back = &once->parts[q];
            }
        }
        assert_non_null(back);
        assert_int_equal(back->morph_count, part->morph_count);
        assert_int_equal(back->mesh->face_count, part->mesh->face_count);
    }
    sn_model_destroy(model);
    sn_model_destroy(once);
}

static const char* const patched =
    "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 2 0 0\nv 2 1 0\nv 3 0 0\nvt 0 0\nvt 1 0\nvt 1 1\n"
    "vt 0 1\nvt 0.25 0.25\ng left\nf 1/1 2/2 3/3 4/4\ng right\nf 2/5 5/2 6/3 3/4\ng left\n"
    "f 5/1 7/2 6/3\n";

// Seams split vertices; polygons, groups out of order and the weld survive.
static void polygons_and_groups_come_back(void** state) {
    (void)state;
    snModel* model = test_read("a.obj", patched, strlen(patched), NULL);
    snNotes notes;
    snModel* once = write_and_read(model, "patched.glb", NULL, &notes);
    assert_int_equal(notes.count, 0);
    const snMesh *a = model->parts[0].mesh, *b = once->parts[0].mesh;
    assert_int_equal(b->face_count, 3);
    assert_memory_equal(a->face_starts, b->face_starts, 4 * sizeof(uint32_t));
    assert_memory_equal(a->face_groups, b->face_groups, 3 * sizeof(uint32_t));
    assert_string_equal(b->group_names[1], "right");
    assert_true(b->vertex_count > a->vertex_count);
    assert_memory_equal(a->positions, b->positions, a->vertex_count * sizeof(snVec3));
    assert_int_equal(once->parts[0].weld->point_count, a->vertex_count);
    for (uint32_t c = 0; c < a->corner_count; c++) {
        assert_int_equal(once->parts[0].weld->point_of_vertex[b->corners[c]], a->corners[c]);
        assert_near(b->uvs[b->corners[c]].x, a->uvs[a->corner_uvs[c]].x, 0);
        assert_near(b->uvs[b->corners[c]].y, a->uvs[a->corner_uvs[c]].y, 0);
    }
    sn_model_destroy(model);
    sn_model_destroy(once);
}

// Materials made in code, one with a picture, reach the file and come back.
static void materials_come_back(void** state) {
    (void)state;
    snModel* model = test_read("a.obj", patched, strlen(patched), NULL);
    const snAllocator* memory = &model->allocator;
    model->materials = memory->alloc(memory->user, 2 * sizeof(snMaterial), 64);
    model->parts[0].group_materials = memory->alloc(memory->user, 2 * sizeof(uint32_t), 64);
    assert_true(model->materials != NULL && model->parts[0].group_materials != NULL);
    memset(model->materials, 0, 2 * sizeof(snMaterial));
    for (uint32_t m = 0; m < 2; m++) {
        model->materials[m].name = memory->alloc(memory->user, 8, 64);
        assert_non_null(model->materials[m].name);
        strcpy(model->materials[m].name, m == 0 ? "skin" : "cloth");
        model->materials[m].base_color = (snVec4){0.1f, 0.2f, 0.3f, 1.0f};
        model->parts[0].group_materials[m] = 1 - m;
    }
    model->material_count = 2;
    model->materials[1].unlit = model->materials[1].double_sided = true;
    assert_ok(sn_image_create(3, 2, memory, &model->materials[0].image));
    memset(model->materials[0].image->pixels, 77, 24);
    snModel* named = write_and_read(model, "materials.glb", NULL, NULL);
    sn_model_destroy(named);
    snReadDef def = sn_read_def();
    def.images = SN_IMAGES_ALL;
    snModel* once = NULL;
    assert_ok(sn_model_read(clean_path("materials.glb"), &def, &once, NULL));
    assert_int_equal(once->material_count, 2);
    assert_string_equal(once->materials[1].name, "cloth");
    assert_true(once->materials[1].unlit && once->materials[1].double_sided && !once->materials[0].unlit);
    assert_true(once->materials[0].base_color.y == 0.2f);
    assert_int_equal(once->materials[0].image->pixels[23], 77);
    assert_int_equal(once->parts[0].group_materials[0], 1);
    assert_int_equal(once->parts[0].group_materials[1], 0);
    sn_model_destroy(once);
    sn_model_destroy(model);
}

// Six joints on one vertex take two sets; two separate trees get a common root.
static void many_influences_come_back(void** state) {
    (void)state;
    const snVec3 points[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const uint32_t corners[3] = {0, 1, 2}, parents[6] = {SN_NONE, 0, 1, SN_NONE, 3, 4},
                   joints[6] = {0, 1, 2, 3, 4, 5};
    snTrs rest[6];
    for (int j = 0; j < 6; j++) rest[j] = sn_trs_identity();
    uint16_t influences[18];
    float weights[18];
    for (uint16_t i = 0; i < 18; i++) {
        influences[i] = i % 6;
        weights[i] = i < 6 ? 1.0f + i : i % 6 == 2 ? 1.0f : 0.0f;
    }
    snMeshDef mesh = {
        .vertex_count = 3, .face_count = 1, .corner_count = 3, .positions = points, .corners = corners};
    snSkeletonDef skeleton = {6, NULL, parents, rest};
    snSkinDef skin = {"rig", 6, joints, NULL};
    snPartDef part = {
        .name = "tri", .mesh = &mesh, .influences = 6, .joints = influences, .weights = weights};
    snModelDef def = {&skeleton, 1, &skin, 1, &part, 0, NULL};
    snModel* model = NULL;
    assert_ok(sn_model_create(&def, NULL, &model, NULL));
    snModel* once = write_and_read(model, "many.glb", NULL, NULL);
    assert_int_equal(once->skeleton->joint_count, 8); // the six, their root, the mesh's node
    assert_int_equal(once->parts[0].weights.influences, 8);
    for (uint32_t i = 0; i < 6; i++) {
        assert_int_equal(once->parts[0].weights.joints[i], i);
        assert_near(once->parts[0].weights.weights[i], (1.0 + i) / 21.0, 1e-6);
    }
    assert_int_equal(once->parts[0].weights.joints[8], 2);
    assert_true(once->parts[0].weights.weights[8] == 1.0f);
    sn_model_destroy(model);
    sn_model_destroy(once);
}

// Another program moved a vertex: polygons no longer fit and are dropped aloud.
static void changed_meshes_lose_their_polygons(void** state) {
    (void)state;
    snModel* model = test_read("a.obj", patched, strlen(patched), NULL);
    assert_ok(sn_model_write(model, clean_path("changed.glb"), NULL, NULL));
    sn_model_destroy(model);
    TestFile file = test_load(clean_path("changed.glb"));
    uint32_t json = 0;
    memcpy(&json, file.data + 12, 4);
    float moved = 0.5f;
    memcpy(file.data + 28 + json, &moved, sizeof moved); // the first position's x
    snNotes notes;
    snModel* read = test_read("changed.glb", file.data, file.size, &notes);
    assert_int_equal(notes.count, 1);
    assert_string_equal(notes.text[0],
                        "a: the mesh has changed since SINEW_deformation was written; polygons dropped");
    assert_int_equal(read->parts[0].mesh->face_count, 5);
    sn_model_destroy(read);
    test_file_free(&file);
}

// The extension is input like any other: whatever stands in it, the answer is an error or a mesh that holds.
static void hostile_extensions_are_refused(void** state) {
    (void)state;
    static const struct {
        const char *from, *to, *sentence; // texts of equal length; sentence NULL: read, with a note
    } cases[] = {
        {"\"sizes\":5", "\"sizes\":6", "expected 3 numbers"},
        {"\"corners\":6", "\"corners\":5", "has sizes that do not match its corners"},
        {"\"count\":3,\"sizes\"", "\"count\":2,\"sizes\"", "expected 2 numbers"},
        {"\"sizes\":5", "\"sizes\":x", "JSON"},
        {"\"sizes\":5,", "\"sizez\":5,", "has sizes that do not match its corners"},
        {"\"groups\":7", "\"groups\":5", "group"},
        {"\"groups\":[\"left\"", "\"groups\":[123456",
         "/meshes/0/extensions/SINEW_deformation/groups/0 is not a string"},
        {"\"version\":1", "\"version\":2", NULL},
        {"\"hash\":\"", "\"hasj\":\"", NULL},
    };
    snModel* model = test_read("a.obj", patched, strlen(patched), NULL);
    assert_ok(sn_model_write(model, clean_path("patched.glb"), NULL, NULL));
    sn_model_destroy(model);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        TestFile file = test_load(clean_path("patched.glb"));
        size_t length = strlen(cases[i].from);
        assert_int_equal(length, strlen(cases[i].to));
        size_t at = 0;
        while (at + length < file.size && memcmp(file.data + at, cases[i].from, length) != 0) at++;
        assert_true(at + length < file.size);
        memcpy(file.data + at, cases[i].to, length);
        if (cases[i].sentence != NULL) {
            test_refuse("a.glb", file.data, file.size, SN_RESULT_BAD_DATA, cases[i].sentence);
        } else {
            snNotes notes;
            snModel* read = test_read("a.glb", file.data, file.size, &notes);
            assert_int_equal(notes.count, 1);
            assert_int_equal(read->parts[0].mesh->face_count, 5);
            sn_model_destroy(read);
        }
        test_file_free(&file);
    }
}

static void puts_the_first_clip_first(void** state) {
    (void)state;
    snModel* tube = NULL;
    snTubeDef tube_def = sn_tube_def();
    assert_ok(sn_builtin_tube(&tube_def, NULL, &tube, NULL));
    snWriteDef def = sn_write_def();
    def.first_clip = 1;
    snModel* fresh = write_and_read(tube, "first.glb", &def, NULL);
    assert_string_equal(fresh->clips[0]->name, tube->clips[1]->name);
    assert_string_equal(fresh->clips[1]->name, tube->clips[0]->name);
    snModel* passed = write_and_read(fresh, "first_again.glb", &def, NULL);
    assert_string_equal(passed->clips[0]->name, tube->clips[0]->name);
    def.first_clip = 9;
    assert_int_equal(sn_model_write(tube, clean_path("no.glb"), &def, NULL), SN_RESULT_NOT_FOUND);
    def.first_clip = sn_model_find_clip(tube, "misspelt");
    assert_int_equal(sn_model_write(tube, clean_path("no.glb"), &def, NULL), SN_RESULT_NOT_FOUND);
    assert_int_equal(sn_model_write(tube, clean_path("no.obj"), &def, NULL), SN_RESULT_NOT_FOUND);
    sn_model_destroy(tube);
    sn_model_destroy(fresh);
    sn_model_destroy(passed);
}

// A clip added to a document that came from a file is written behind the others, in the file's unit, and
// moves a node that had a matrix.
static void added_clips_are_written(void** state) {
    (void)state;
    const char* text = "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":["
                       "{\"name\":\"arm\","
                       "\"matrix\":[0,2,0,0,-2,0,0,0,0,0,2,0,100,0,0,1]}]}";
    snReadDef read = sn_read_def();
    read.unit = 0.01f;
    snModel* model = NULL;
    assert_ok(sn_model_read_memory("a.gltf", text, strlen(text), &read, &model, NULL));
    assert_near(model->skeleton->rest[0].translation.x, 1.0, 1e-6);
    float times[] = {0, 1}, moves[] = {1, 0, 0, 3, 0, 0};
    snChannel channel = {0, SN_PATH_TRANSLATION, SN_INTERPOLATION_LINEAR, 2, 3, times, moves};
    snClipDef clip = {"slide", 0.0f, 1, &channel};
    assert_ok(sn_model_add_clip(model, &clip, NULL));
    snWriteDef def = sn_write_def();
    def.first_clip = 0;
    snModel* again = write_and_read(model, "added.glb", &def, NULL);
    assert_int_equal(again->clip_count, 1);
    assert_string_equal(again->clips[0]->name, "slide");
    assert_near(again->clips[0]->channels[0].values[3], 300.0, 1e-3); // centimetres again
    snMat4 before[1], after[1];
    sn_skeleton_world(model->skeleton, NULL, before);
    sn_skeleton_world(again->skeleton, NULL, after);
    for (int i = 0; i < 12; i++) assert_near(after[0].m[i], before[0].m[i], 1e-5);
    sn_model_destroy(model);
    sn_model_destroy(again);
}

// A skinned mesh does not follow its node: channels that move nothing are left out, morphs and what moves
// others stay.
static void useless_channels_are_left_out(void** state) {
    (void)state;
    TestFile chunk = test_quad_chunk();
    TestFile file = test_glb(test_quad_json, chunk.data, chunk.size);
    snModel* model = test_read("quad.glb", file.data, file.size, NULL);
    float times[] = {0, 1}, moves[] = {0, 0, 0, 3, 0, 0}, turns[] = {0, 0, 0, 1, 0, 0, 1, 0};
    float sizes[] = {1, 1, 1, 2, 2, 2}, smiles[] = {0, 1};
    snChannel channels[] = {{2, SN_PATH_TRANSLATION, SN_INTERPOLATION_LINEAR, 2, 3, times, moves},
                            {2, SN_PATH_ROTATION, SN_INTERPOLATION_LINEAR, 2, 4, times, turns},
                            {2, SN_PATH_SCALE, SN_INTERPOLATION_LINEAR, 2, 3, times, sizes},
                            {2, SN_PATH_MORPH, SN_INTERPOLATION_LINEAR, 2, 1, times, smiles},
                            {0, SN_PATH_ROTATION, SN_INTERPOLATION_LINEAR, 2, 4, times, turns}};
    snClipDef some = {"some", 0, 5, channels}, none = {"none", 0, 3, channels};
    assert_ok(sn_model_add_clip(model, &some, NULL));
    assert_ok(sn_model_add_clip(model, &none, NULL));
    snModel* again = write_and_read(model, "useless.glb", NULL, NULL);
    assert_int_equal(again->clip_count, 2); // a clip that moves nothing is no animation
    assert_int_equal(again->clips[1]->channel_count, 2);
    assert_int_equal(again->clips[1]->channels[0].path, SN_PATH_MORPH);
    assert_int_equal(again->clips[1]->channels[1].joint, 0);
    sn_model_destroy(again);
    // The same node, but a joint hangs below it: what moves stays, what rests goes.
    model->skeleton->parents[0] = 2;
    for (int i = 4; i < 8; i++) turns[i] = turns[i - 4];
    snClipDef more = {"more", 0, 2, channels};
    assert_ok(sn_model_add_clip(model, &more, NULL));
    assert_ok(sn_model_write(model, test_out_path("leads.glb"), NULL, NULL));
    assert_ok(sn_model_read(test_out_path("leads.glb"), NULL, &again, NULL));
    assert_int_equal(again->clip_count, 4);
    assert_int_equal(again->clips[3]->channel_count, 1);
    assert_int_equal(again->clips[3]->channels[0].path, SN_PATH_TRANSLATION);
    sn_model_destroy(again);
    sn_model_destroy(model);
    test_file_free(&chunk);
    test_file_free(&file);
}

// A character that takes its own motion back stays as clean as it was.
static void retargeted_characters_stay_clean(void** state) {
    (void)state;
    const char* path = test_data_path("characters/Fox.glb");
    snModel* model = NULL;
    assert_ok(sn_model_read(path, NULL, &model, NULL));
    snJointMap* map = NULL;
    assert_ok(sn_joint_map_create(model->skeleton, model->skeleton, NULL, &map, NULL));
    snRetargetDef def = sn_retarget_def();
    def.source = def.target = model->skeleton;
    def.clip = model->clips[sn_model_find_clip(model, "Run")];
    def.map = map;
    snClip* clip = NULL;
    assert_ok(sn_retarget_clip(&def, NULL, &clip, NULL, NULL));
    snClipDef copy = sn_clip_def(clip);
    assert_ok(sn_model_add_clip(model, &copy, NULL));
    snModel* again = write_and_read(model, "fox_run.glb", NULL, NULL);
    assert_int_equal(again->clip_count, 4);
    for (uint32_t c = 0; c < again->clips[3]->channel_count; c++) {
        assert_int_not_equal(again->clips[3]->channels[c].joint, again->parts[0].joint);
    }
    sn_clip_destroy(clip);
    sn_joint_map_destroy(map);
    sn_model_destroy(again);
    sn_model_destroy(model);
}

// Unknown things, several buffers, and numbers survive both ways.
static void documents_pass_through(void** state) {
    (void)state;
    const char* text =
        "{\"extensionsUsed\":[\"ACME_thing\"],\"asset\":{\"generator\":\"me\",\"version\":\"2.0\",\"extras\":"
        "{\"pi\":0.1}},"
        "\"extensions\":{\"ACME_thing\":{\"z\":[1.0,2,1e-7],\"a\":null}},\"scene\":0,\"scenes\":[{\"nodes\":["
        "0]}],"
        "\"cameras\":[{\"type\":\"orthographic\",\"orthographic\":{\"xmag\":1.5,\"ymag\":1,\"zfar\":10,"
        "\"znear\":0.01}}],"
        "\"nodes\":[{\"name\":\"n\",\"camera\":0}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":3},"
        "{\"buffer\":1,\"byteOffset\":1,\"byteLength\":2}],"
        "\"buffers\":[{\"byteLength\":3,\"name\":\"one\",\"uri\":\"data:;base64,AQID\"},"
        "{\"byteLength\":3,\"uri\":\"data:;base64,BAUG\"}]}";
    snModel* model = test_read("a.gltf", text, strlen(text), NULL);
    assert_ok(sn_model_write(model, test_out_path("through.glb"), NULL, NULL));
    snModel* binary = NULL;
    assert_ok(sn_model_read(test_out_path("through.glb"), NULL, &binary, NULL));
    assert_ok(sn_model_write(binary, test_out_path("through.gltf"), NULL, NULL));
    sniJsonValue* before = NULL;
    size_t offset = 0;
    assert_ok(sni_json_parse(text, strlen(text), &before, &offset, NULL));
    static const char* const names[] = {"through.glb", "through.gltf"};
    for (int i = 0; i < 2; i++) {
        sniJsonValue* after = load_json(test_out_path(names[i]));
        static const char* const kept[] = {"extensionsUsed", "asset",   "extensions", "scene",
                                           "scenes",         "cameras", "nodes"};
        for (size_t k = 0; k < sizeof kept / sizeof kept[0]; k++) {
            assert_true(sni_json_equal(sni_json_find(before, kept[k]), sni_json_find(after, kept[k])));
        }
        assert_int_equal(sni_json_count(sni_json_find(after, "buffers")), 1);
        sni_json_free(after);
    }
    TestFile bin = test_load(test_bin_path(test_out_path("through.gltf")));
    assert_int_equal(bin.size, 7);
    assert_memory_equal(bin.data, ((uint8_t[]){1, 2, 3, 0, 4, 5, 6}), 7);
    test_file_free(&bin);
    TestFile glb = test_load(test_out_path("through.glb"));
    assert_non_null(strstr((const char*)glb.data + 20, "{\"z\":[1.0,2,1e-07],\"a\":null}"));
    test_file_free(&glb);
    sni_json_free(before);
    sn_model_destroy(model);
    sn_model_destroy(binary);
}

// Whatever the reader noted about weights is right after one pass, also where bounds were stated.
static void passing_through_repairs_weights(void** state) {
    (void)state;
    static const float wrong[][4] = {{0.5f, 1.5f, 0, 0}, {-1, 1, 0, 0}, {-1, 2, 0, 0}, {0, 0, 0, 0}};
    const char* stated =
        "\"count\":4,\"type\":\"VEC4\",\"min\":[-9,-9,-9,-9],\"max\":[9,9,9,9]},\n{\"bufferView\":3";
    const char* bare = "\"count\":4,\"type\":\"VEC4\"},\n{\"bufferView\":3";
    const char* at = strstr(test_quad_json, bare);
    assert_non_null(at);
    char json[4096];
    snprintf(json, sizeof json, "%.*s%s%s", (int)(at - test_quad_json), test_quad_json, stated,
             at + strlen(bare));
    for (size_t i = 0; i < 2 * sizeof wrong / sizeof wrong[0]; i++) {
        TestFile chunk = test_quad_chunk();
        memcpy(chunk.data + 64 + 48, wrong[i / 2], 16);
        TestFile file = test_glb(i % 2 == 0 ? test_quad_json : json, chunk.data, chunk.size);
        snNotes notes;
        snModel* model = test_read("quad.glb", file.data, file.size, &notes);
        assert_true(notes.count > 0);
        // Beside the clean folder: a joint that lost its weight is a warning of the validator's.
        snModel* again = write_and_read(model, "../repaired.glb", NULL, &notes);
        assert_int_equal(notes.count, 0);
        assert_memory_equal(again->parts[0].weights.weights, model->parts[0].weights.weights, 64);
        sn_model_destroy(model);
        sn_model_destroy(again);
        test_file_free(&file);
        test_file_free(&chunk);
    }
}

// Vertices without faces are written as points and come back.
static void points_come_back(void** state) {
    (void)state;
    const char* text = "v 0 0 0 1 0 0\nv 1 2 3 0 1 0\nv 4 5 6 0 0 1\n";
    snNotes notes;
    snModel* model = test_read("a.obj", text, strlen(text), NULL);
    snModel* again = write_and_read(model, "points.glb", NULL, &notes);
    assert_int_equal(notes.count, 0);
    const snMesh* mesh = again->parts[0].mesh;
    assert_int_equal(mesh->vertex_count, 3);
    assert_int_equal(mesh->face_count, 0);
    assert_null(mesh->normals); // nothing to compute them from
    assert_memory_equal(mesh->positions, model->parts[0].mesh->positions, 3 * sizeof(snVec3));
    assert_memory_equal(mesh->colors, model->parts[0].mesh->colors, 3 * sizeof(snVec4));
    sn_model_destroy(model);
    sn_model_destroy(again);
}

// glTF has a texture coordinate for every vertex or for none; the ones that were made up are said.
static void missing_uvs_are_said(void** state) {
    (void)state;
    const char* text = "v 0 0 0\nv 1 0 0\nv 1 1 0\nvt 0.5 0.5\nf 1 2/1 3\n";
    snModel* model = test_read("mixed.obj", text, strlen(text), NULL);
    snNotes notes = {0};
    snWriteDef def = sn_write_def();
    def.notes = &notes;
    snModel* again = write_and_read(model, "mixed.glb", &def, NULL);
    assert_int_equal(notes.count, 1);
    assert_string_equal(notes.text[0], "mixed: 2 of 3 face corners had no texture coordinates and got 0, 0");
    sn_model_destroy(model);
    sn_model_destroy(again);
}

// A picture beside the source comes along when the file moves to another folder, and stays when it does not.
static void pictures_come_along(void** state) {
    (void)state;
    mkdir(test_out_path("from"), 0777);
    snImage* image = NULL;
    assert_ok(sn_image_create(2, 2, NULL, &image));
    memset(image->pixels, 200, 16);
    assert_ok(sn_png_write(image, test_out_path("from/skin.png"), NULL));
    sn_image_destroy(image);
    const char* text =
        "{\"asset\":{\"version\":\"2.0\"},\"images\":[{\"uri\":\"skin.png\"},{\"uri\":\"gone.png\"}],"
        "\"textures\":[{\"source\":0},{\"source\":1}],\"materials\":[{\"pbrMetallicRoughness\":"
        "{\"baseColorTexture\":{\"index\":0}}},{\"pbrMetallicRoughness\":{\"baseColorTexture\":"
        "{\"index\":1}}}]}";
    assert_ok(sn_file_write(test_out_path("from/a.gltf"), text, strlen(text), NULL));
    snNotes notes;
    snReadDef def = sn_read_def();
    def.images = SN_IMAGES_ALL;
    def.notes = &notes;
    snModel* model = NULL;
    assert_ok(sn_model_read(test_out_path("from/a.gltf"), &def, &model, NULL));
    assert_int_equal(model->materials[0].image->width, 2);
    assert_null(model->materials[1].image);
    assert_int_equal(notes.count, 1);
    assert_ok(sn_model_write(model, test_out_path("moved.glb"), NULL, NULL));
    assert_ok(sn_model_write(model, test_out_path("from/b.gltf"), NULL, NULL));
    sn_model_destroy(model);
    sniJsonValue* moved = load_json(test_out_path("moved.glb"));
    sniJsonValue* images = sni_json_find(moved, "images");
    assert_non_null(sni_json_find(sni_json_element(images, 0), "bufferView"));
    assert_null(sni_json_find(sni_json_element(images, 0), "uri"));
    assert_non_null(sni_json_find(sni_json_element(images, 1), "uri")); // what is not there cannot come along
    sniJsonValue* stayed = load_json(test_out_path("from/b.gltf"));
    assert_non_null(sni_json_find(sni_json_element(sni_json_find(stayed, "images"), 0), "uri"));
    sni_json_free(moved);
    sni_json_free(stayed);
    assert_ok(sn_model_read(test_out_path("moved.glb"), &def, &model, NULL));
    assert_int_equal(model->materials[0].image->pixels[5], 200);
    sn_model_destroy(model);
}

static void refuses_what_it_cannot_write(void** state) {
    (void)state;
    snModel* model = test_read("a.obj", patched, strlen(patched), NULL);
    assert_int_equal(sn_model_write(model, "x.stl", NULL, NULL), SN_RESULT_UNSUPPORTED);
    assert_int_equal(sn_model_write(model, "no/such/folder.glb", NULL, NULL), SN_RESULT_IO);
    const char* path = clean_path("never.glb");
    assert_int_equal(sn_model_write(NULL, path, NULL, NULL), SN_RESULT_INVALID_ARGUMENT);
    FILE* written = fopen(path, "rb");
    assert_null(written);
    sn_model_destroy(model);
}

static snResult build_fresh(const snAllocator* allocator, void* context) {
    (void)context;
    snModel* model = NULL;
    snResult result = sn_model_create(test_model_def(), allocator, &model, NULL);
    if (result != SN_RESULT_OK) return result;
    result = sn_model_write(model, test_out_path("memory.glb"), NULL, NULL);
    sn_model_destroy(model);
    return result;
}

static snResult build_passed(const snAllocator* allocator, void* context) {
    const TestFile* file = context;
    snReadDef read = sn_read_def();
    read.allocator = allocator;
    snModel* model = NULL;
    snResult result = sn_model_read_memory("quad.glb", file->data, file->size, &read, &model, NULL);
    if (result != SN_RESULT_OK) return result;
    result = sn_model_write(model, test_out_path("memory.glb"), NULL, NULL);
    sn_model_destroy(model);
    return result;
}

static void survives_failing_allocations(void** state) {
    (void)state;
    test_every_allocation(build_fresh, NULL);
    TestFile chunk = test_quad_chunk();
    TestFile file = test_glb(test_quad_json, chunk.data, chunk.size);
    test_every_allocation(build_passed, &file);
    test_file_free(&chunk);
    test_file_free(&file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fresh_documents_come_back),
        cmocka_unit_test(weights_are_exact),
        cmocka_unit_test(small_model_comes_back),
        cmocka_unit_test(polygons_and_groups_come_back),
        cmocka_unit_test(materials_come_back),
        cmocka_unit_test(many_influences_come_back),
        cmocka_unit_test(changed_meshes_lose_their_polygons),
        cmocka_unit_test(hostile_extensions_are_refused),
        cmocka_unit_test(puts_the_first_clip_first),
        cmocka_unit_test(added_clips_are_written),
        cmocka_unit_test(useless_channels_are_left_out),
        cmocka_unit_test(retargeted_characters_stay_clean),
        cmocka_unit_test(documents_pass_through),
        cmocka_unit_test(passing_through_repairs_weights),
        cmocka_unit_test(points_come_back),
        cmocka_unit_test(missing_uvs_are_said),
        cmocka_unit_test(pictures_come_along),
        cmocka_unit_test(refuses_what_it_cannot_write),
        cmocka_unit_test(survives_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
