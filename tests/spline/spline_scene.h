// A character that bends along splines: its joints, points and weights, a pose of turns about its joints, and
// what spline skinning makes of it.
#ifndef SINEW_TEST_SPLINE_SCENE_H
#define SINEW_TEST_SPLINE_SCENE_H

#include <stdlib.h>
#include <string.h>

#include "spline/spline.h"
#include "support.h"

#define DEGREES (SN_PI / 180.0f)

typedef struct Scene {
    snModel* model; // or NULL
    snMesh* mesh;   // the model's
    uint32_t joint_count;
    snSplineJoint* joints;
    uint32_t count;
    snVec3 *points, *normals;
    uint32_t influences;
    uint16_t* influence_joints;
    float* weights;
    float height; // of the whole in the bind pose
    snSplines* splines;
    snSplineSkin* skin;
    snQuat* turns; // of each joint about its place, along the axes of the bind pose
    snVec3* moves; // of each joint, after that
    snMat4* matrices;
    snMat4* samples;
    snSplinePose* poses;
    float* twists;
    snVec3 *out, *out_normals;
} Scene;

// ---------------------------------------------------------------------------------------------------- making

// Arrays for joints and points; the caller fills them.
static inline Scene* scene_alloc(uint32_t joint_count, uint32_t count, uint32_t influences) {
    Scene* s = calloc(1, sizeof *s);
    s->joint_count = joint_count;
    s->joints = calloc(joint_count, sizeof *s->joints);
    s->turns = calloc(joint_count, sizeof *s->turns);
    s->moves = calloc(joint_count, sizeof *s->moves);
    s->matrices = calloc(joint_count, sizeof *s->matrices);
    s->count = count;
    s->influences = influences;
    s->points = calloc(count, sizeof *s->points);
    s->normals = calloc(count, sizeof *s->normals);
    s->influence_joints = calloc((size_t)count * influences, sizeof *s->influence_joints);
    s->weights = calloc((size_t)count * influences, sizeof *s->weights);
    s->out = calloc(count, sizeof *s->out);
    s->out_normals = calloc(count, sizeof *s->out_normals);
    for (uint32_t j = 0; j < joint_count; j++) {
        s->turns[j] = sn_quat_identity();
        s->joints[j] = (snSplineJoint){.parent = SN_NONE, .stiffness = 2.0f, .reach = 0.5f};
    }
    return s;
}

static inline void scene_destroy(Scene* s) {
    sn_spline_skin_destroy(s->skin);
    sn_splines_destroy(s->splines);
    sn_model_destroy(s->model);
    void* arrays[] = {s->joints,           s->turns,   s->moves,   s->matrices, s->points, s->normals,
                      s->influence_joints, s->weights, s->samples, s->poses,    s->twists, s->out,
                      s->out_normals,      s};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) free(arrays[i]);
}

// What each joint moves, from the points and their weights.
static inline void scene_weigh(Scene* s) {
    for (uint32_t j = 0; j < s->joint_count; j++) {
        s->joints[j].weight = 0.0f;
        s->joints[j].center = sn_vec3(0, 0, 0);
    }
    for (uint32_t i = 0; i < s->count * s->influences; i++) {
        snSplineJoint* joint = &s->joints[s->influence_joints[i]];
        joint->weight += s->weights[i];
        joint->center = sn_add(joint->center, sn_scale(s->points[i / s->influences], s->weights[i]));
    }
    for (uint32_t j = 0; j < s->joint_count; j++) {
        snSplineJoint* joint = &s->joints[j];
        joint->center = joint->weight > 0.0f ? sn_scale(joint->center, 1.0f / joint->weight) : joint->place;
    }
    snBounds bounds = sn_bounds_of(s->points, s->count);
    s->height = bounds.max.y - bounds.min.y;
}

static inline uint32_t scene_parent(const snModel* model, uint32_t joint) {
    const snSkin* skin = &model->skins[0];
    for (uint32_t at = model->skeleton->parents[skin->joints[joint]]; at != SN_NONE;
         at = model->skeleton->parents[at]) {
        for (uint32_t j = 0; j < skin->joint_count; j++)
            if (skin->joints[j] == at) return j;
    }
    return SN_NONE;
}

// Takes over the model.
static inline Scene* scene_of_model(snModel* model) {
    const snPart* part = &model->parts[0];
    const snSkin* skin = &model->skins[0];
    Scene* s = scene_alloc(skin->joint_count, part->mesh->vertex_count, part->weights.influences);
    s->model = model;
    s->mesh = part->mesh;
    for (uint32_t j = 0; j < skin->joint_count; j++) {
        snMat4 bind;
        assert_true(sn_mat4_inverse_affine(&skin->inverse_binds[j], &bind));
        s->joints[j].parent = scene_parent(model, j);
        s->joints[j].place = sn_mat4_translation(&bind);
    }
    size_t influences = (size_t)s->count * s->influences;
    memcpy(s->points, part->mesh->positions, s->count * sizeof *s->points);
    memcpy(s->influence_joints, part->weights.joints, influences * sizeof *s->influence_joints);
    memcpy(s->weights, part->weights.weights, influences * sizeof *s->weights);
    snNormalsJob normals = {.mesh = part->mesh, .weld = part->weld, .out_normals = s->normals};
    assert_ok(sn_normals_run(&normals));
    scene_weigh(s);
    return s;
}

// Along +Y from 0 on, one metre for each segment.
static inline Scene* scene_tube(uint32_t segments, uint32_t rings, uint32_t sides) {
    snTubeDef def = sn_tube_def();
    def.length = (float)segments;
    def.segments = segments;
    def.rings = rings;
    def.sides = sides;
    def.radius = 0.2f;
    snModel* model = NULL;
    assert_ok(sn_builtin_tube(&def, NULL, &model, NULL));
    return scene_of_model(model);
}

static inline Scene* scene_body(uint32_t vertices) {
    snBodyDef def = sn_body_def();
    def.vertex_target = vertices;
    snModel* model = NULL;
    assert_ok(sn_builtin_body(&def, NULL, &model, NULL));
    return scene_of_model(model);
}

static inline uint32_t scene_joint(const Scene* s, const char* name) {
    uint32_t at = sn_skeleton_find(s->model->skeleton, name);
    assert_true(at != SN_NONE);
    for (uint32_t j = 0; j < s->joint_count; j++)
        if (s->model->skins[0].joints[j] == at) return j;
    fail_msg("no joint moves as %s", name);
    return SN_NONE;
}

// What the skin is made of, beside the scene's own.
typedef struct SceneDef {
    float stiffness;
    uint32_t samples;
    const snStyle* style; // of all splines, or NULL
    float strength;
    bool all_styles, no_normals;
    const uint8_t* stiff;
    const snVec3* facing;
} SceneDef;

static inline SceneDef scene_def(float stiffness, const snStyle* style) {
    return (SceneDef){.stiffness = stiffness, .samples = 32, .style = style, .strength = 1.0f};
}

static inline snSplineSkinDef scene_skin_def(const Scene* s, const SceneDef* def) {
    return (snSplineSkinDef){.splines = s->splines,
                             .point_count = s->count,
                             .points = s->points,
                             .normals = def->no_normals ? NULL : s->normals,
                             .facing = def->facing,
                             .influences = s->influences,
                             .joints = s->influence_joints,
                             .weights = s->weights,
                             .stiff = def->stiff,
                             .all_styles = def->all_styles};
}

// Makes the splines and the skin, again where they are there.
static inline void scene_build(Scene* s, const SceneDef* def) {
    sn_spline_skin_destroy(s->skin);
    sn_splines_destroy(s->splines);
    s->skin = NULL;
    s->splines = NULL;
    for (uint32_t j = 0; j < s->joint_count && def->stiffness > 0.0f; j++)
        s->joints[j].stiffness = def->stiffness;
    snSplinesDef splines = {s->joint_count, s->joints, def->samples};
    assert_ok(sn_splines_create(&splines, NULL, &s->splines, NULL));
    uint32_t count = sn_splines_count(s->splines);
    snSplineStyle* styles = calloc(count + 1, sizeof *styles);
    for (uint32_t i = 0; i < count; i++) styles[i] = (snSplineStyle){def->style, def->strength};
    snSplineSkinDef skin = scene_skin_def(s, def);
    skin.styles = def->style != NULL ? styles : NULL;
    assert_ok(sn_spline_skin_create(&skin, NULL, &s->skin, NULL));
    free(styles);
    free(s->samples);
    free(s->poses);
    free(s->twists);
    s->samples = calloc(sn_splines_matrix_count(s->splines) + 1, sizeof *s->samples);
    s->poses = calloc(count + 1, sizeof *s->poses);
    s->twists = calloc(count + 1, sizeof *s->twists);
}

// ---------------------------------------------------------------------------------------------------- posing

static inline snMat4 turn_about(snVec3 place, snQuat turn, snVec3 move) {
    snRigid rigid = {turn, sn_add(sn_sub(place, sn_quat_rotate(turn, place)), move)};
    return sn_mat4_from_rigid(&rigid);
}

// Matrices from the turns and moves. Joints may come in any order.
static inline void scene_pose(Scene* s) {
    for (uint32_t j = 0; j < s->joint_count; j++) {
        snMat4 m = sn_mat4_identity();
        for (uint32_t at = j; at != SN_NONE; at = s->joints[at].parent) {
            snMat4 turn = turn_about(s->joints[at].place, s->turns[at], s->moves[at]);
            m = sn_mat4_mul(&turn, &m);
        }
        s->matrices[j] = m;
    }
}

static inline void scene_rest(Scene* s) {
    for (uint32_t j = 0; j < s->joint_count; j++) {
        s->turns[j] = sn_quat_identity();
        s->moves[j] = sn_vec3(0, 0, 0);
    }
    memset(s->twists, 0, sn_splines_count(s->splines) * sizeof *s->twists);
    scene_pose(s);
}

// First twisted about `along`, then bent about `axis`; radians.
static inline snQuat bent(snVec3 axis, float bend, snVec3 along, float twist) {
    return sn_quat_mul(sn_quat_axis_angle(axis, bend), sn_quat_axis_angle(along, twist));
}

static inline snQuat random_turn(uint32_t* random, float most) {
    snVec3 axis = sn_quat_rotate(test_random_rotation(random), sn_vec3(0, 0, 1));
    return sn_quat_axis_angle(axis, test_random_float(random, -most, most));
}

static inline void scene_random_pose(Scene* s, uint32_t* random, float most) {
    for (uint32_t j = 0; j < s->joint_count; j++) s->turns[j] = random_turn(random, most);
    scene_pose(s);
}

// The matrices along the splines, from the scene's matrices, and the points. Twists are carried on.
static inline void scene_run_at(Scene* s, snCpuLevel level, const snTasks* tasks) {
    snSplinesJob splines = {.splines = s->splines,
                            .matrices = s->matrices,
                            .twists = s->twists,
                            .out_matrices = s->samples,
                            .out_poses = s->poses,
                            .level = level};
    assert_ok(sn_splines_run(&splines));
    snSplineSkinJob job = {.skin = s->skin,
                           .matrices = s->samples,
                           .poses = s->poses,
                           .out_points = s->out,
                           .out_normals = s->skin->plan->normals != NULL ? s->out_normals : NULL,
                           .tasks = tasks,
                           .level = level};
    assert_ok(sn_spline_skin_run(&job));
}

static inline void scene_run(Scene* s) { scene_run_at(s, SN_CPU_AUTO, NULL); }

static inline uint32_t scene_influences(const Scene* s, uint32_t point,
                                        sniSplineInfluence out[SN_SPLINE_INFLUENCES]) {
    return sni_spline_influences(s->splines, s->points[point], s->influences,
                                 s->influence_joints + (size_t)point * s->influences,
                                 s->weights + (size_t)point * s->influences, out);
}

// The blended matrix of a point, without samples. Twists are those of the frame before.
static inline snMat4 scene_matrix(const Scene* s, uint32_t point) {
    sniSplineInfluence at[SN_SPLINE_INFLUENCES];
    uint32_t count = scene_influences(s, point, at);
    snMat4 sum = {{0}};
    for (uint32_t i = 0; i < count; i++) {
        snMat4 m = at[i].spline == SN_NONE ? s->matrices[at[i].joint]
                                           : sn_splines_matrix_at(s->splines, s->matrices, at[i].spline,
                                                                  at[i].x, s->twists[at[i].spline]);
        for (int k = 0; k < 16; k++) sum.m[k] += at[i].weight * m.m[k];
    }
    return sum;
}

static inline float matrix_distance(const snMat4* a, const snMat4* b) {
    float worst = 0.0f;
    for (int i = 0; i < 16; i++) worst = fmaxf(worst, fabsf(a->m[i] - b->m[i]));
    return worst;
}

// ---------------------------------------------------------------------------------------------------- styles

static inline snStyle* plain_style(void) {
    snStyle* style = NULL;
    assert_ok(sn_style_create("test", NULL, &style, NULL));
    return style;
}

static inline snStyle* preset(const char* name) {
    snStyle* style = NULL;
    assert_ok(sn_style_preset(name, NULL, &style, NULL));
    return style;
}

// A chain of joints with points of no weight beyond: enough for splines.
static inline snSplines* chain_of(const snVec3* places, uint32_t count, float stiffness, float reach) {
    snSplineJoint joints[8];
    for (uint32_t j = 0; j < count; j++)
        joints[j] = (snSplineJoint){.parent = j > 0 ? j - 1 : SN_NONE,
                                    .place = places[j],
                                    .weight = 1.0f,
                                    .center = places[j],
                                    .stiffness = stiffness,
                                    .reach = reach};
    snSplinesDef def = {count, joints, 32};
    snSplines* splines = NULL;
    assert_ok(sn_splines_create(&def, NULL, &splines, NULL));
    return splines;
}

#endif
