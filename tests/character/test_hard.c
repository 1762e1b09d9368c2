// What one joint moves as one body stays one body when volume and flesh move it on: shells, antlers, eyes.
#include <math.h>

#include "flesh_support.h"
#ifdef SINEW_TEST_IO
#include <dirent.h>
#include <stdio.h>

#include "sinew/io.h"
#endif

// ------------------------------------------------------------------------------------- a bar with a box on
// it

static const float EDGE = 0.16f;

static snPartDef follower(const snMeshDef* mesh, const char* name, uint16_t joint, uint32_t vertices) {
    uint16_t* joints = malloc(vertices * sizeof *joints);
    float* weights = malloc(vertices * sizeof *weights);
    for (uint32_t v = 0; v < vertices; v++) joints[v] = joint, weights[v] = 1.0f;
    return (snPartDef){.name = name, .mesh = mesh, .influences = 1, .joints = joints, .weights = weights};
}

static snMeshDef moved(const snModel* model, snVec3 way) {
    snMesh* mesh = model->parts[0].mesh;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) mesh->positions[v] = sn_add(mesh->positions[v], way);
    return sn_mesh_def(mesh);
}

// A tube of three bones with a box and a sheet half sunk into its side, both carried by the last bone;
// `alone`: all of the tube follows that bone, too.
static snModel* boxed(bool alone) {
    snTubeDef tube_def = sn_tube_def();
    snModel *tube = NULL, *cube = NULL, *sheet = NULL;
    assert_ok(sn_builtin_tube(&tube_def, NULL, &tube, NULL));
    assert_ok(sn_builtin_cube(EDGE, 3, true, NULL, &cube, NULL));
    assert_ok(sn_builtin_sheet(EDGE, 3, true, NULL, &sheet, NULL));
    const snPart* from = &tube->parts[0];
    snBounds bounds = sn_bounds_of(from->mesh->positions, from->mesh->vertex_count);
    float side = bounds.max.x, top = sn_lerpf(bounds.min.y, bounds.max.y, 0.85f);
    snMeshDef meshes[3] = {sn_mesh_def(from->mesh), moved(cube, sn_vec3(side, top, 0)),
                           moved(sheet, sn_vec3(-side, top, 0))};
    snPartDef parts[3] = {{.name = "bar",
                           .mesh = &meshes[0],
                           .influences = from->weights.influences,
                           .joints = from->weights.joints,
                           .weights = from->weights.weights},
                          follower(&meshes[1], "box", 2, meshes[1].vertex_count),
                          follower(&meshes[2], "sheet", 2, meshes[2].vertex_count)};
    if (alone) parts[0] = follower(&meshes[0], "bar", 2, from->mesh->vertex_count);
    snSkinDef skin = {"skin", tube->skins[0].joint_count, tube->skins[0].joints,
                      tube->skins[0].inverse_binds};
    snSkeletonDef skeleton = {tube->skeleton->joint_count, (const char* const*)tube->skeleton->names,
                              tube->skeleton->parents, tube->skeleton->rest};
    snClipDef clip = {"bend", 0.0f, tube->clips[0]->channel_count, tube->clips[0]->channels};
    snModelDef def = {&skeleton, 1, &skin, 3, parts, 1, &clip};
    snModel* model = NULL;
    assert_ok(sn_model_create(&def, NULL, &model, NULL));
    for (int p = alone ? 0 : 1; p < 3; p++) {
        free((void*)(uintptr_t)parts[p].joints);
        free((void*)(uintptr_t)parts[p].weights);
    }
    sn_model_destroy(tube);
    sn_model_destroy(cube);
    sn_model_destroy(sheet);
    flesh_bind(model, 14);
    return model;
}

// By how much distances between points of a surface differ from those of another, at most.
static float bent(snSurface a, const snVec3* b) {
    float most = 0.0f;
    for (uint32_t i = 0; i < a.vertex_count; i++)
        for (uint32_t k = 0; k < i; k++)
            most =
                sn_maxf(most, fabsf(sn_distance(a.positions[i], a.positions[k]) - sn_distance(b[i], b[k])));
    return most;
}

typedef struct Seen {
    float box, sheet, way; // most that box and sheet bent, and that the box went from its plain skin
} Seen;

static Seen play(const snModel* model, const snSettings* settings, snSkinMethod skin) {
    snCharacter* character = flesh_character(model, settings, skin);
    snSettings* plain = NULL;
    assert_ok(sn_settings_copy(settings, NULL, &plain, NULL));
    plain->flesh = false;
    plain->volume = SN_VOLUME_NONE;
    snCharacter* still = flesh_character(model, plain, skin == SN_SKIN_LATTICE ? SN_SKIN_LINEAR : skin);
    Seen seen = {0};
    for (int f = 0; f < 40; f++) {
        assert_ok(sn_character_pose_clip(character, 0, 0.05f * (float)f, SN_WRAP_CLAMP));
        assert_ok(sn_character_pose_clip(still, 0, 0.05f * (float)f, SN_WRAP_CLAMP));
        snSurface box = sn_character_surface(character, 1), there = sn_character_surface(still, 1);
        seen.box = sn_maxf(seen.box, bent(box, model->parts[1].mesh->positions));
        seen.sheet =
            sn_maxf(seen.sheet, bent(sn_character_surface(character, 2), model->parts[2].mesh->positions));
        for (uint32_t v = 0; v < box.vertex_count; v++) {
            seen.way = sn_maxf(seen.way, sn_distance(box.positions[v], there.positions[v]));
            assert_near(sn_length(box.normals[v]), 1.0, 1e-5);
        }
    }
    sn_character_destroy(character);
    sn_character_destroy(still);
    sn_settings_destroy(plain);
    return seen;
}

static snSettings* soft_settings(void) {
    snSettings* settings = flesh_settings();
    settings->delta = 0.95f;
    settings->bone_radius = 0.0f;
    return settings;
}

static void a_box_goes_with_the_flesh_and_keeps_its_shape(void** state) {
    (void)state;
    static const snSkinMethod skins[] = {SN_SKIN_DUAL, SN_SKIN_LINEAR, SN_SKIN_LATTICE};
    snModel* model = boxed(false);
    snSettings* settings = soft_settings();
    for (int i = 0; i < 3; i++) {
        Seen seen = play(model, settings, skins[i]);
        assert_true(seen.box < 1e-5f * EDGE + 1e-6f);
        assert_true(seen.way > 0.01f * EDGE);
        assert_true(seen.sheet > 1e-3f * EDGE); // a sheet is cloth
    }
    sn_settings_destroy(settings);
    sn_model_destroy(model);
}

static void a_material_may_let_it_bend(void** state) {
    (void)state;
    snModel* model = boxed(false);
    snSettings* settings = soft_settings();
    snFleshRule rule = sn_flesh_rule_def();
    rule.part = (char*)"box";
    rule.bends = true;
    assert_ok(sn_settings_set_rules(settings, &rule, 1, NULL));
    assert_true(play(model, settings, SN_SKIN_DUAL).box > 1e-3f * EDGE);
    // Said of something else, it changes nothing here.
    rule.part = (char*)"sheet";
    assert_ok(sn_settings_set_rules(settings, &rule, 1, NULL));
    assert_true(play(model, settings, SN_SKIN_DUAL).box < 1e-5f * EDGE + 1e-6f);
    sn_settings_destroy(settings);
    sn_model_destroy(model);
}

static void one_joint_says_nothing_of_hard_and_soft(void** state) {
    (void)state;
    snModel* model = boxed(true);
    snSettings* settings = soft_settings();
    assert_true(play(model, settings, SN_SKIN_DUAL).box > 1e-3f * EDGE);
    sn_settings_destroy(settings);
    sn_model_destroy(model);
}

static void changes_find_the_pieces_again(void** state) {
    (void)state;
    snModel* model = boxed(false);
    snSettings *settings = soft_settings(), *bending = soft_settings();
    snFleshRule rule = sn_flesh_rule_def();
    rule.bends = true;
    assert_ok(sn_settings_set_rules(bending, &rule, 1, NULL));
    snCharacter* changed = flesh_character(model, bending, SN_SKIN_DUAL);
    snCharacter* fresh = flesh_character(model, settings, SN_SKIN_DUAL);
    assert_ok(sn_character_update_settings(changed, settings, NULL));
    for (int f = 0; f < 10; f++) {
        assert_ok(sn_character_pose_clip(changed, 0, 0.1f * (float)f, SN_WRAP_CLAMP));
        assert_ok(sn_character_pose_clip(fresh, 0, 0.1f * (float)f, SN_WRAP_CLAMP));
        assert_true(sn_character_hash(changed) == sn_character_hash(fresh));
    }
    sn_character_destroy(changed);
    sn_character_destroy(fresh);
    sn_settings_destroy(settings);
    sn_settings_destroy(bending);
    sn_model_destroy(model);
}

// ------------------------------------------------------------------------------------------ real characters

#ifdef SINEW_TEST_IO
// The heaviest joint of a vertex where nothing else moves it, or SN_NONE.
static uint32_t lone_joint(const snPart* part, uint32_t v) {
    for (size_t i = (size_t)v * part->weights.influences; i < ((size_t)v + 1) * part->weights.influences; i++)
        if (part->weights.weights[i] > 0.9999f) return part->weights.joints[i];
    return SN_NONE;
}

// Whether each of a part's pieces follows one joint and is no sheet: a flag for each. Sheets face one way.
static uint8_t* hard_pieces(const snPart* part, const snTopology* topology) {
    uint8_t* hard = malloc((size_t)topology->component_count + 1);
    uint32_t* joints = malloc(((size_t)topology->component_count + 1) * sizeof *joints);
    snVec4* areas = calloc((size_t)topology->component_count + 1, sizeof *areas);
    const snMesh* mesh = part->mesh;
    memset(hard, 1, topology->component_count + 1);
    memset(joints, 0xff, ((size_t)topology->component_count + 1) * sizeof *joints);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        uint32_t c = topology->point_components[part->weld->point_of_vertex[v]], joint = lone_joint(part, v);
        if (c == SN_NONE) continue;
        if (joints[c] == SN_NONE) joints[c] = joint;
        if (joint == SN_NONE || joints[c] != joint) hard[c] = 0;
    }
    for (uint32_t f = 0; f < mesh->face_count; f++) {
        uint32_t c = topology->face_components[f];
        for (uint32_t k = mesh->face_starts[f] + 2; k < mesh->face_starts[f + 1] && c != SN_NONE; k++) {
            snVec3 a = mesh->positions[mesh->corners[mesh->face_starts[f]]];
            snVec3 n = sn_cross(sn_sub(mesh->positions[mesh->corners[k - 1]], a),
                                sn_sub(mesh->positions[mesh->corners[k]], a));
            areas[c] =
                (snVec4){areas[c].x + n.x, areas[c].y + n.y, areas[c].z + n.z, areas[c].w + sn_length(n)};
        }
    }
    for (uint32_t c = 0; c < topology->component_count; c++)
        if (sn_length(sn_vec3(areas[c].x, areas[c].y, areas[c].z)) > 0.55f * areas[c].w) hard[c] = 0;
    free(joints);
    free(areas);
    return hard;
}

typedef struct Tally {
    uint32_t pieces;
    float most; // how far two points of a piece came apart or nearer, of its size, beyond what floats round
} Tally;

// Neighbours along edges say nothing of a bent piece as a whole: every point against one far from it.
static void compare_piece(const snPart* part, const snTopology* topology, uint32_t piece, snSurface now,
                          snSurface plain, Tally* tally) {
    uint32_t first = SN_NONE, far = SN_NONE;
    float size = 0.0f;
    for (int pass = 0; pass < 3; pass++) {
        for (uint32_t v = 0; v < part->mesh->vertex_count; v++) {
            if (topology->point_components[part->weld->point_of_vertex[v]] != piece) continue;
            if (first == SN_NONE) first = v;
            if (pass == 0) continue;
            float d = sn_distance(plain.positions[first], plain.positions[v]);
            if (pass == 1 && d >= size) size = d, far = v;
            if (pass == 1) continue;
            const uint32_t from[] = {first, far};
            for (int k = 0; k < 2; k++) {
                snVec3 at = plain.positions[from[k]];
                float was = sn_distance(at, plain.positions[v]);
                float is = sn_distance(now.positions[from[k]], now.positions[v]);
                float round = 4e-7f * (fabsf(at.x) + fabsf(at.y) + fabsf(at.z) + size);
                if (size > 0.0f) tally->most = sn_maxf(tally->most, (fabsf(is - was) - round) / size);
            }
        }
    }
    tally->pieces++;
}

static Tally watch(const snModel* model, bool bend) {
    snSettings* settings = flesh_settings();
    snFleshRule rule = sn_flesh_rule_def();
    rule.bends = true;
    if (bend) assert_ok(sn_settings_set_rules(settings, &rule, 1, NULL));
    snCharacter* flesh = flesh_character(model, settings, SN_SKIN_DUAL);
    settings->flesh = false;
    settings->volume = SN_VOLUME_NONE;
    snCharacter* plain = flesh_character(model, settings, SN_SKIN_DUAL);
    Tally tally = {0};
    uint32_t clip = model->clip_count > 0 ? model->clip_count / 2 : SN_CLIP_REST;
    for (int f = 0; f < 12; f++) {
        assert_ok(sn_character_pose_clip(flesh, clip, 0.05f * (float)f, SN_WRAP_LOOP));
        assert_ok(sn_character_pose_clip(plain, clip, 0.05f * (float)f, SN_WRAP_LOOP));
        for (uint32_t p = 0; p < model->part_count && f % 4 == 3; p++) {
            const snPart* part = &model->parts[p];
            if (part->skin == SN_NONE) continue;
            snTopology* topology = NULL;
            assert_ok(sn_topology_create(part->mesh, part->weld, NULL, &topology, NULL));
            uint8_t* hard = hard_pieces(part, topology);
            for (uint32_t c = 0; c < topology->component_count; c++)
                if (hard[c])
                    compare_piece(part, topology, c, sn_character_surface(flesh, p),
                                  sn_character_surface(plain, p), &tally);
            free(hard);
            sn_topology_destroy(topology);
        }
    }
    sn_character_destroy(flesh);
    sn_character_destroy(plain);
    sn_settings_destroy(settings);
    return tally;
}

static void no_rigid_piece_of_any_character_bends(void** state) {
    (void)state;
    char folder[512];
    snprintf(folder, sizeof folder, "%s", test_data_path("characters"));
    DIR* entries = opendir(folder);
    assert_non_null(entries);
    uint32_t with_pieces = 0, would_bend = 0;
    for (struct dirent* entry; (entry = readdir(entries)) != NULL;) {
        const char* dot = strrchr(entry->d_name, '.');
        if (dot == NULL || (strcmp(dot, ".glb") != 0 && strcmp(dot, ".gltf") != 0)) continue;
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        snReadDef def = sn_read_def();
        snModel* model = NULL;
        if (sn_model_read(path, &def, &model, NULL) != SN_RESULT_OK) continue;
        snBindDef bind = sn_bind_def();
        bind.method = SN_WEIGHTS_KEEP;
        if (model->skin_count > 0 && sn_model_bind(model, &bind, NULL, NULL) == SN_RESULT_OK) {
            Tally held = watch(model, false);
            if (held.most > 1e-5f) print_message("%s: %g\n", entry->d_name, (double)held.most);
            assert_true(held.most <= 1e-5f);
            with_pieces += held.pieces > 0;
            if (held.pieces > 0) would_bend += watch(model, true).most > 1e-3f;
        }
        sn_model_destroy(model);
    }
    closedir(entries);
    print_message("%u characters have rigid pieces, which would bend in %u\n", (unsigned)with_pieces,
                  (unsigned)would_bend);
    assert_true(with_pieces >= 5 && would_bend >= 3);
}
#endif

static snResult build(const snAllocator* allocator, void* context) {
    snCharacterDef def = sn_character_def();
    def.model = context;
    snCharacter* character = NULL;
    snResult result = sn_character_create(&def, allocator, &character, NULL);
    if (result == SN_RESULT_OK) sn_character_destroy(character);
    return result;
}

static void survives_every_failing_allocation(void** state) {
    (void)state;
    snModel* model = boxed(false);
    test_every_allocation(build, model);
    sn_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_goes_with_the_flesh_and_keeps_its_shape),
        cmocka_unit_test(a_material_may_let_it_bend),
        cmocka_unit_test(one_joint_says_nothing_of_hard_and_soft),
        cmocka_unit_test(changes_find_the_pieces_again),
        cmocka_unit_test(survives_every_failing_allocation),
#ifdef SINEW_TEST_IO
        cmocka_unit_test(no_rigid_piece_of_any_character_bends),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
