// Scenes of the benchmark: the built-in characters half way through a motion.
#include <stdlib.h>
#include <string.h>

#include "bench.h"

static snResult make_model(const char* name, snModel** out) {
    if (strcmp(name, "tube") == 0) {
        snTubeDef def = sn_tube_def();
        def.sides = 100;
        def.rings = 280;
        def.segments = 12;
        return sn_builtin_tube(&def, NULL, out, NULL);
    }
    snBodyDef def = sn_body_def();
    if (strcmp(name, "body-112k") == 0)
        def.vertex_target = 112000;
    else if (strcmp(name, "body") != 0)
        return SN_RESULT_NOT_FOUND;
    return sn_builtin_body(&def, NULL, out, NULL);
}

static snResult make_character(BenchScene* scene, snSkinMethod skin, snCharacter** out) {
    snCharacterDef def = sn_character_def();
    def.model = scene->model;
    def.skin = skin;
    def.tasks = scene->tasks;
    return sn_character_create(&def, NULL, out, NULL);
}

static bool allocate(BenchScene* scene) {
    size_t vertices = scene->vertices;
    scene->normals = calloc(vertices, sizeof(snVec3));
    scene->out_points = calloc(vertices, sizeof(snVec3));
    scene->out_normals = calloc(vertices, sizeof(snVec3));
    scene->copy = calloc(2 * vertices, sizeof(snVec3));
    scene->matrices = calloc(scene->joints, sizeof(snMat4));
    scene->scratch = bench_room(sn_skin_dual_scratch_size(scene->joints));
    return scene->normals != NULL && scene->out_points != NULL && scene->out_normals != NULL &&
           scene->copy != NULL && scene->matrices != NULL && scene->scratch != NULL;
}

// The pose of the first clip at 0.3 s, as skinning matrices.
static void fill_matrices(BenchScene* scene) {
    const snModel* model = scene->model;
    const snSkin* skin = &model->skins[model->parts[0].skin];
    sn_character_pose_clip(scene->linear, 0, 0.3f, SN_WRAP_LOOP);
    const snMat4* world = sn_character_world(scene->linear);
    for (uint32_t j = 0; j < scene->joints; j++) {
        scene->matrices[j] = sn_mat4_mul(&world[skin->joints[j]], &skin->inverse_binds[j]);
    }
}

void* bench_room(size_t bytes) { return aligned_alloc(64, (bytes + 127) / 64 * 64); }

snResult bench_scene_create(const char* name, uint32_t workers, BenchScene* out) {
    BenchScene scene = {.name = name};
    snResult result = make_model(name, &scene.model);
    if (result == SN_RESULT_OK) result = sn_pool_create(workers, &scene.pool);
    if (result == SN_RESULT_OK) {
        scene.tasks = sn_pool_tasks(scene.pool);
        result = make_character(&scene, SN_SKIN_LINEAR, &scene.linear);
    }
    if (result == SN_RESULT_OK) result = make_character(&scene, SN_SKIN_DUAL, &scene.dual);
    if (result == SN_RESULT_OK) {
        const snPart* part = &scene.model->parts[0];
        scene.vertices = part->mesh->vertex_count;
        scene.joints = scene.model->skins[part->skin].joint_count;
        scene.influences = part->weights.influences;
        scene.points = part->mesh->positions;
        scene.skin_joints = part->weights.joints;
        scene.weights = part->weights.weights;
        result = allocate(&scene) ? SN_RESULT_OK : SN_RESULT_OUT_OF_MEMORY;
    }
    if (result == SN_RESULT_OK) {
        fill_matrices(&scene);
        snNormalsJob normals = {.mesh = scene.model->parts[0].mesh, .out_normals = scene.normals};
        sn_normals_run(&normals);
        snSkinPlanDef def = {scene.vertices,    scene.points,  scene.normals, scene.influences,
                             scene.skin_joints, scene.weights, scene.joints,  NULL};
        result = sn_skin_plan_create(&def, NULL, &scene.plan, NULL);
    }
    if (result != SN_RESULT_OK) {
        bench_scene_destroy(&scene);
        return result;
    }
    *out = scene;
    return SN_RESULT_OK;
}

void bench_scene_destroy(BenchScene* scene) {
    sn_skin_plan_destroy(scene->plan);
    sn_character_destroy(scene->linear);
    sn_character_destroy(scene->dual);
    sn_model_destroy(scene->model);
    sn_pool_destroy(scene->pool);
    void* arrays[] = {scene->normals, scene->out_points, scene->out_normals,
                      scene->copy,    scene->matrices,   scene->scratch};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) free(arrays[i]);
}
