// Spline skinning and its styles at the sizes of table 1 of Forstmann et al. 2007, and on the built-in body,
// against linear skinning of the same mesh in the same rounds. Positions and normals, one core.
//
// The paper's cuboid and cylinder are tubes here, of as many vertices and with as many splines (three), each
// with a style. Its scenes repeat them until they have a million vertices, and so do ours: as one mesh is
// drawn many times, its tables stay in the cache as far as they fit.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

enum { SPLINE_PLAIN, SPLINE_RADIAL, SPLINE_RECTANGULAR, SPLINE_BOTH, SPLINE_HOLLOW, SPLINE_KINDS };
static const char* const KIND_NAMES[SPLINE_KINDS] = {"plain", "radial envelope", "rectangular envelope",
                                                     "both envelopes", "both, hollow"};

typedef struct Shape {
    const char* name;
    uint32_t vertices; // wanted
    bool body;
    double paper[SPLINE_KINDS]; // million vertices a second; 0: not said
} Shape;

// Figure 16 says 85 for plain splines and 30 for both envelopes over all its objects; table 1 has these two.
static const Shape SHAPES[] = {
    {.name = "cuboid", .vertices = 12528, .paper = {85.0, 0.0, 0.0, 34.4, 0.0}},
    {.name = "cylinder", .vertices = 92526, .paper = {85.0, 0.0, 0.0, 25.4, 0.0}},
    {.name = "body", .vertices = 28000, .body = true},
};
#define SHAPE_COUNT (sizeof SHAPES / sizeof SHAPES[0])

static const snCpuLevel LEVELS[] = {SN_CPU_SCALAR, SN_CPU_SSE2, SN_CPU_AVX2, SN_CPU_AVX512};
#define LEVEL_COUNT (sizeof LEVELS / sizeof LEVELS[0])

typedef struct Scene {
    snModel* model;
    uint16_t* joints; // of the skeleton
    snVec3* normals;
    snSplineJoint* rig;
    snSplines* splines;
    snSplineSkin* skins[SPLINE_KINDS];
    snSkinPlan* plan;
    snMat4* joint_matrices;
    snMat4* matrices;
    snSplinePose* poses;
    snVec3* out_points;
    snVec3* out_normals;
    double times[SPLINE_KINDS][LEVEL_COUNT][200];
    double linear[200], sorted[200], samples[200];
} Scene;

static uint32_t vertices_of(const Scene* s) { return s->model->parts[0].mesh->vertex_count; }

// --------------------------------------------------------------------------------------------------- scenes

static snResult create_model(const Shape* shape, Scene* s) {
    if (shape->body) {
        snBodyDef def = sn_body_def();
        def.vertex_target = shape->vertices;
        return sn_builtin_body(&def, NULL, &s->model, NULL);
    }
    snTubeDef def = sn_tube_def();
    def.segments = 4;
    def.length = 4.0f;
    def.sides = shape->vertices > 50000 ? 128 : 64;
    // The ends take about as many vertices as a ring has sides squared, over four.
    def.rings = (shape->vertices - def.sides * def.sides / 4) / def.sides - 1;
    return sn_builtin_tube(&def, NULL, &s->model, NULL);
}

// Every joint bent by 50 degrees and twisted by 30; the body in the middle of a step.
static snResult create_pose(const Shape* shape, Scene* s) {
    const snSkeleton* skeleton = s->model->skeleton;
    uint32_t joints = skeleton->joint_count;
    snTrs* locals = bench_room(joints * sizeof *locals);
    snMat4* rest = bench_room(joints * sizeof *rest);
    s->joint_matrices = bench_room(joints * sizeof *s->joint_matrices);
    snResult result =
        locals != NULL && rest != NULL && s->joint_matrices != NULL ? SN_RESULT_OK : SN_RESULT_OUT_OF_MEMORY;
    if (result == SN_RESULT_OK) {
        memcpy(locals, skeleton->rest, joints * sizeof *locals);
        if (shape->body)
            sn_clip_sample(s->model->clips[0], 0.25f, SN_WRAP_LOOP, joints, locals);
        else
            for (uint32_t j = 1; j < joints; j++)
                locals[j].rotation = sn_quat_mul(sn_quat_axis_angle(sn_vec3(1.0f, 0.0f, 0.5f), 0.87f),
                                                 sn_quat_axis_angle(sn_vec3(0.0f, 1.0f, 0.0f), 0.52f));
        sn_skeleton_world(skeleton, NULL, rest);
        sn_skeleton_world(skeleton, locals, s->joint_matrices);
    }
    for (uint32_t j = 0; j < joints && result == SN_RESULT_OK; j++) {
        snMat4 inverse;
        if (!sn_mat4_inverse_affine(&rest[j], &inverse)) result = SN_RESULT_BAD_DATA;
        s->joint_matrices[j] = sn_mat4_mul(&s->joint_matrices[j], &inverse);
        s->rig[j] = (snSplineJoint){.parent = skeleton->parents[j],
                                    .place = sn_mat4_translation(&rest[j]),
                                    .weight = 1.0f,
                                    .stiffness = 3.0f,
                                    .reach = 0.5f};
        s->rig[j].center = sn_add(s->rig[j].place, sn_vec3(0.0f, shape->body ? 0.1f : 1.0f, 0.0f));
    }
    free(locals);
    free(rest);
    return result;
}

// Cloth's textures, soft's curves.
static snResult create_style(int kind, snStyle** out) {
    snStyle *textures = NULL, *curves = NULL;
    snResult result = sn_style_create("bench", NULL, out, NULL);
    if (result == SN_RESULT_OK) result = sn_style_preset("cloth", NULL, &textures, NULL);
    if (result == SN_RESULT_OK) result = sn_style_preset("soft", NULL, &curves, NULL);
    for (uint32_t d = 0; d < SN_STYLE_DIRECTIONS && result == SN_RESULT_OK; d++) {
        if (kind != SPLINE_RECTANGULAR && textures->textures[d].texels != NULL)
            result = sn_style_set_texture(*out, d, &textures->textures[d], NULL);
        if (kind != SPLINE_RADIAL && curves->curves[d].count > 0 && result == SN_RESULT_OK)
            result = sn_style_set_curve(*out, d, curves->curves[d].keys, curves->curves[d].count, NULL);
    }
    if (result == SN_RESULT_OK && kind == SPLINE_HOLLOW) (*out)->hollow = 0.5f;
    sn_style_destroy(textures);
    sn_style_destroy(curves);
    return result;
}

static snResult create_skin(Scene* s, int kind) {
    const snPart* part = &s->model->parts[0];
    uint32_t count = sn_splines_count(s->splines);
    snSplineStyle* styles = bench_room(count * sizeof *styles);
    snStyle* style = NULL;
    snResult result = styles == NULL ? SN_RESULT_OUT_OF_MEMORY : SN_RESULT_OK;
    if (result == SN_RESULT_OK && kind != SPLINE_PLAIN) result = create_style(kind, &style);
    for (uint32_t i = 0; i < count && result == SN_RESULT_OK; i++) styles[i] = (snSplineStyle){style, 1.0f};
    snSplineSkinDef def = {.splines = s->splines,
                           .point_count = vertices_of(s),
                           .points = part->mesh->positions,
                           .normals = s->normals,
                           .influences = part->weights.influences,
                           .joints = s->joints,
                           .weights = part->weights.weights,
                           .styles = kind != SPLINE_PLAIN ? styles : NULL};
    if (result == SN_RESULT_OK) result = sn_spline_skin_create(&def, NULL, &s->skins[kind], NULL);
    sn_style_destroy(style);
    free(styles);
    return result;
}

static snResult fill(const Shape* shape, Scene* s) {
    const snPart* part = &s->model->parts[0];
    const snSkin* skin = &s->model->skins[part->skin];
    for (size_t i = 0; i < (size_t)vertices_of(s) * part->weights.influences; i++)
        s->joints[i] = (uint16_t)skin->joints[part->weights.joints[i]];
    snNormalsJob normals = {.mesh = part->mesh, .weld = part->weld, .out_normals = s->normals};
    snResult result = sn_normals_run(&normals);
    if (result == SN_RESULT_OK) result = create_pose(shape, s);
    snSplinesDef def = sn_splines_def();
    def.joint_count = s->model->skeleton->joint_count;
    def.joints = s->rig;
    if (result == SN_RESULT_OK) result = sn_splines_create(&def, NULL, &s->splines, NULL);
    for (int k = 0; k < SPLINE_KINDS && result == SN_RESULT_OK; k++) result = create_skin(s, k);
    if (result != SN_RESULT_OK) return result;
    s->matrices = bench_room(sn_splines_matrix_count(s->splines) * sizeof *s->matrices);
    s->poses = bench_room(sn_splines_count(s->splines) * sizeof *s->poses);
    snSkinPlanDef plan = {.point_count = vertices_of(s),
                          .points = part->mesh->positions,
                          .normals = s->normals,
                          .influences = part->weights.influences,
                          .joints = s->joints,
                          .weights = part->weights.weights,
                          .matrix_count = s->model->skeleton->joint_count};
    if (s->matrices == NULL || s->poses == NULL) return SN_RESULT_OUT_OF_MEMORY;
    return sn_skin_plan_create(&plan, NULL, &s->plan, NULL);
}

static snResult scene_create(const Shape* shape, Scene* s) {
    snResult result = create_model(shape, s);
    if (result != SN_RESULT_OK) return result;
    size_t vertices = vertices_of(s), joints = s->model->skeleton->joint_count;
    s->joints = bench_room(vertices * s->model->parts[0].weights.influences * sizeof *s->joints);
    s->normals = bench_room(vertices * sizeof(snVec3));
    s->out_points = bench_room(vertices * sizeof(snVec3));
    s->out_normals = bench_room(vertices * sizeof(snVec3));
    s->rig = bench_room(joints * sizeof *s->rig);
    bool ready = s->joints != NULL && s->normals != NULL && s->out_points != NULL && s->out_normals != NULL &&
                 s->rig != NULL;
    return ready ? fill(shape, s) : SN_RESULT_OUT_OF_MEMORY;
}

static void scene_destroy(Scene* s) {
    for (int k = 0; k < SPLINE_KINDS; k++) sn_spline_skin_destroy(s->skins[k]);
    sn_skin_plan_destroy(s->plan);
    sn_splines_destroy(s->splines);
    sn_model_destroy(s->model);
    void* arrays[] = {s->joints,   s->normals, s->rig,        s->joint_matrices,
                      s->matrices, s->poses,   s->out_points, s->out_normals};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) free(arrays[i]);
}

// ------------------------------------------------------------------------------------------------ measuring

static double sample_splines(Scene* s) {
    snSplinesJob job = {.splines = s->splines,
                        .matrices = s->joint_matrices,
                        .out_matrices = s->matrices,
                        .out_poses = s->poses};
    double begin = bench_seconds();
    sn_splines_run(&job);
    return bench_seconds() - begin;
}

static double sample_skin(const Scene* s, int kind, snCpuLevel level) {
    snSplineSkinJob job = {.skin = s->skins[kind],
                           .matrices = s->matrices,
                           .poses = s->poses,
                           .out_points = s->out_points,
                           .out_normals = s->out_normals,
                           .level = level};
    double begin = bench_seconds();
    sn_spline_skin_run(&job);
    return bench_seconds() - begin;
}

static double sample_linear(const Scene* s) {
    const snPart* part = &s->model->parts[0];
    snSkinJob job = {.point_count = vertices_of(s),
                     .points = part->mesh->positions,
                     .normals = s->normals,
                     .influences = part->weights.influences,
                     .joints = s->joints,
                     .weights = part->weights.weights,
                     .matrix_count = s->model->skeleton->joint_count,
                     .matrices = s->joint_matrices,
                     .out_points = s->out_points,
                     .out_normals = s->out_normals};
    double begin = bench_seconds();
    sn_skin_linear_run(&job);
    return bench_seconds() - begin;
}

static double sample_sorted(const Scene* s) {
    snSkinPlanJob job = {.plan = s->plan,
                         .matrices = s->joint_matrices,
                         .out_points = s->out_points,
                         .out_normals = s->out_normals};
    double begin = bench_seconds();
    sn_skin_plan_run(&job);
    return bench_seconds() - begin;
}

static void sample_round(Scene* s, uint32_t r) {
    s->samples[r] = sample_splines(s);
    s->linear[r] = sample_linear(s);
    s->sorted[r] = sample_sorted(s);
    for (int k = 0; k < SPLINE_KINDS; k++)
        for (size_t l = 0; l < LEVEL_COUNT; l++)
            if (sn_cpu_level_available(LEVELS[l])) s->times[k][l][r] = sample_skin(s, k, LEVELS[l]);
}

typedef struct Result {
    double seconds[SPLINE_KINDS][LEVEL_COUNT];
    double linear, sorted, samples;
} Result;

static Result result_of(Scene* s, uint32_t rounds) {
    Result out = {.linear = bench_best_median(s->linear, rounds),
                  .sorted = bench_best_median(s->sorted, rounds),
                  .samples = bench_best_median(s->samples, rounds)};
    for (int k = 0; k < SPLINE_KINDS; k++)
        for (size_t l = 0; l < LEVEL_COUNT; l++)
            out.seconds[k][l] = bench_best_median(s->times[k][l], rounds);
    return out;
}

// ------------------------------------------------------------------------------------------------- reporting

static size_t best_level(void) {
    size_t best = 0;
    for (size_t l = 0; l < LEVEL_COUNT; l++)
        if (sn_cpu_level_available(LEVELS[l])) best = l;
    return best;
}

static void print_row(const char* name, double vertices, const Result* r, double seconds, double paper) {
    printf("  %-22s %9.1f %8.2f %9.2f", name, vertices / seconds * 1e-6, seconds / vertices * 1e9,
           seconds / r->linear);
    if (paper > 0.0) printf(" %9.1f %7.1fx", paper, vertices / seconds * 1e-6 / paper);
    printf("\n");
}

static void print_shape(const Shape* shape, const Scene* s, const Result* r) {
    double vertices = vertices_of(s);
    size_t best = best_level();
    printf("%s: %.0f vertices, %u splines of 32 samples, %s\n", shape->name, vertices,
           sn_splines_count(s->splines), sn_cpu_level_name(LEVELS[best]));
    printf("  %-22s %9s %8s %9s %9s %8s\n", "", "million/s", "ns", "x linear", "paper", "faster");
    print_row("linear, by vertex", vertices, r, r->linear, 0.0);
    print_row("linear, by joint set", vertices, r, r->sorted, 0.0);
    for (int k = 0; k < SPLINE_KINDS; k++)
        print_row(KIND_NAMES[k], vertices, r, r->seconds[k][best], shape->paper[k]);
    for (size_t l = 0; l < best; l++) {
        if (!sn_cpu_level_available(LEVELS[l])) continue;
        char name[64];
        snprintf(name, sizeof name, "%s, plain", sn_cpu_level_name(LEVELS[l]));
        print_row(name, vertices, r, r->seconds[SPLINE_PLAIN][l], 0.0);
        snprintf(name, sizeof name, "%s, both", sn_cpu_level_name(LEVELS[l]));
        print_row(name, vertices, r, r->seconds[SPLINE_BOTH][l], 0.0);
    }
    const double* t[SPLINE_KINDS] = {&r->seconds[0][best], &r->seconds[1][best], &r->seconds[2][best],
                                     &r->seconds[3][best], &r->seconds[4][best]};
    printf(
        "  ms of one frame: spline matrices %.4f, spline %.4f, radial %+.4f, rectangular %+.4f, all %.4f\n",
        r->samples * 1e3, *t[0] * 1e3, (*t[SPLINE_RADIAL] - *t[0]) * 1e3,
        (*t[SPLINE_BOTH] - *t[SPLINE_RADIAL]) * 1e3, (r->samples + *t[SPLINE_BOTH]) * 1e3);
}

static void add_rows(const Scene* s, const Result* r, BenchReport* report) {
    double vertices = vertices_of(s);
    report->vertices = vertices_of(s);
    for (int k = 0; k < SPLINE_KINDS; k++) {
        for (size_t l = 0; l < LEVEL_COUNT; l++) {
            if (!sn_cpu_level_available(LEVELS[l])) continue;
            report->rows[report->row_count++] = (BenchRow){.name = KIND_NAMES[k],
                                                           .level = sn_cpu_level_name(LEVELS[l]),
                                                           .workers = 1,
                                                           .nanoseconds = r->seconds[k][l] * 1e9 / vertices,
                                                           .ratio = r->linear / r->seconds[k][l]};
        }
    }
}

bool bench_spline(uint32_t rounds, bool quiet, BenchReport* report) {
    static Scene scenes[SHAPE_COUNT];
    memset(scenes, 0, sizeof scenes);
    *report = (BenchReport){.scene = "spline", .clock_before = bench_clock_ghz()};
    bool ready = true;
    for (size_t i = 0; i < SHAPE_COUNT && ready; i++)
        ready = scene_create(&SHAPES[i], &scenes[i]) == SN_RESULT_OK;
    for (size_t i = 0; i < SHAPE_COUNT && ready; i++)
        for (uint32_t r = 0; r < rounds; r++) sample_round(&scenes[i], r);
    report->clock_after = bench_clock_ghz();
    if (ready && !quiet) printf("clock %.2f and %.2f GHz\n", report->clock_before, report->clock_after);
    for (size_t i = 0; i < SHAPE_COUNT && ready; i++) {
        Result result = result_of(&scenes[i], rounds);
        if (!quiet) print_shape(&SHAPES[i], &scenes[i], &result);
        add_rows(&scenes[i], &result, report);
    }
    for (size_t i = 0; i < SHAPE_COUNT; i++) scene_destroy(&scenes[i]);
    return ready;
}
