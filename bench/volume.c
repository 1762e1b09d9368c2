// Exact volume at the sizes of table 1 of Rohmer et al. 2009, and on the built-in body, against plain linear
// skinning of the same mesh in the same rounds.
//
// The paper's giraffe and elephants are not ours to have; tubes of as many vertices, with as many bones in
// rotation, do the same work. Their profiles reach every vertex ("endless"), as in the paper.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

// One thing that is measured.
typedef struct Run {
    const char* name;
    uint32_t vertices; // wanted
    uint32_t bones;    // that turn; 0: the built-in body in its walk
    bool endless;
    bool normals;
    bool one_step;
    bool rest_profiles;
    bool dual;
    bool contact; // instead of exact volume
    snCpuLevel level;
    double paper; // seconds, or 0
} Run;

static const Run RUNS[] = {
    {.name = "giraffe", .vertices = 1673, .bones = 1, .endless = true, .paper = 0.011},
    {.name = "elephant, 1 bone", .vertices = 6646, .bones = 1, .endless = true, .paper = 0.053},
    {.name = "subdivided, 1 bone", .vertices = 13439, .bones = 1, .endless = true, .paper = 0.110},
    {.name = "elephant, 17 bones", .vertices = 6646, .bones = 17, .endless = true, .paper = 0.407},
    {.name = "  scalar", .vertices = 6646, .bones = 17, .endless = true, .level = SN_CPU_SCALAR},
    {.name = "  SSE2", .vertices = 6646, .bones = 17, .endless = true, .level = SN_CPU_SSE2},
    {.name = "  AVX2", .vertices = 6646, .bones = 17, .endless = true, .level = SN_CPU_AVX2},
    {.name = "  and normals", .vertices = 6646, .bones = 17, .endless = true, .normals = true},
    {.name = "  one step", .vertices = 6646, .bones = 17, .endless = true, .one_step = true},
    {.name = "  profiles kept", .vertices = 6646, .bones = 17, .endless = true, .rest_profiles = true},
    {.name = "  profiles that end", .vertices = 6646, .bones = 17},
    {.name = "body, 38 joints", .vertices = 28000},
    {.name = "  and normals", .vertices = 28000, .normals = true},
    {.name = "  dual skin, normals", .vertices = 28000, .normals = true, .dual = true},
    {.name = "  profiles kept", .vertices = 28000, .rest_profiles = true},
    {.name = "  contact alone, normals", .vertices = 28000, .normals = true, .contact = true},
};
#define RUN_COUNT (sizeof RUNS / sizeof RUNS[0])

// A run with everything it needs, and plain skinning of the same mesh.
typedef struct Scene {
    snModel* model;
    uint16_t* joints; // of the skeleton
    snMat4* matrices; // of one pose
    snExactVolume* volume;
    snContact* contact;
    void* scratch;
    void* dual_scratch;
    snVec3* posed; // skinned, to start from
    snVec3* posed_normals;
    snVec3* positions;
    snVec3* normals;
    double error;
    double samples[200], plain[200];
} Scene;

static uint32_t vertices_of(const Scene* s) { return s->model->parts[0].mesh->vertex_count; }

static snResult create_model(const Run* run, Scene* s) {
    if (run->bones == 0) {
        snBodyDef def = sn_body_def();
        def.vertex_target = run->vertices;
        return sn_builtin_body(&def, NULL, &s->model, NULL);
    }
    snTubeDef def = sn_tube_def();
    def.segments = run->bones + 1;
    def.length = 0.6f * (float)def.segments;
    // The ends take about as many vertices as a ring has sides squared, over four.
    def.sides = run->vertices > 3000 ? 32 : 16;
    def.rings = (run->vertices - def.sides * def.sides / 4) / def.sides - 1;
    return sn_builtin_tube(&def, NULL, &s->model, NULL);
}

// Every bone of a tube turned by 30 degrees, in turn to either side; the body in the middle of a step.
static void pose(const Run* run, Scene* s, snMat4* world) {
    const snSkeleton* skeleton = s->model->skeleton;
    snTrs* locals = malloc(skeleton->joint_count * sizeof *locals);
    if (locals == NULL) return;
    memcpy(locals, skeleton->rest, skeleton->joint_count * sizeof *locals);
    if (run->bones == 0) {
        sn_clip_sample(s->model->clips[0], 0.25f, SN_WRAP_LOOP, skeleton->joint_count, locals);
    } else {
        for (uint32_t j = 1; j < skeleton->joint_count; j++) {
            snVec3 axis = {j % 3 == 0 ? 1.0f : 0.0f, 0.0f, 1.0f};
            locals[j].rotation = sn_quat_axis_angle(axis, j % 2 == 0 ? -0.5236f : 0.5236f);
        }
    }
    sn_skeleton_world(skeleton, locals, world);
    free(locals);
}

static snResult create_volume(const Run* run, Scene* s, const snMat4* rest, snVolumeJoint* joints) {
    const snSkeleton* skeleton = s->model->skeleton;
    const snPart* part = &s->model->parts[0];
    for (uint32_t j = 0; j < skeleton->joint_count; j++)
        joints[j] = (snVolumeJoint){skeleton->parents[j], sn_mat4_translation(&rest[j]), NULL, 1.0f};
    snVolumePart surface = {part->mesh, part->mesh->positions, part->weights.influences, s->joints,
                            part->weights.weights};
    snExactVolumeDef def = sn_exact_volume_def();
    def.part_count = 1;
    def.parts = &surface;
    def.joint_count = skeleton->joint_count;
    def.joints = joints;
    def.order = skeleton->order;
    def.dual = run->dual;
    def.rest_profiles = run->rest_profiles;
    if (run->endless) def.support = 0.0f;
    snResult result = run->contact ? sn_contact_create(&def, NULL, &s->contact, NULL) : SN_RESULT_OK;
    return result == SN_RESULT_OK ? sn_exact_volume_create(&def, NULL, &s->volume, NULL) : result;
}

static snSkinJob skin_job(const Run* run, const Scene* s) {
    const snPart* part = &s->model->parts[0];
    return (snSkinJob){.point_count = vertices_of(s),
                       .points = part->mesh->positions,
                       .normals = part->mesh->normals != NULL ? part->mesh->normals : s->normals,
                       .influences = part->weights.influences,
                       .joints = s->joints,
                       .weights = part->weights.weights,
                       .matrix_count = s->model->skeleton->joint_count,
                       .matrices = s->matrices,
                       .out_points = s->posed,
                       .out_normals = s->posed_normals,
                       .scratch = s->dual_scratch,
                       .level = run->level};
}

static snResult fill(const Run* run, Scene* s, snMat4* rest, snVolumeJoint* joints) {
    const snPart* part = &s->model->parts[0];
    const snSkin* skin = &s->model->skins[part->skin];
    uint32_t joint_count = s->model->skeleton->joint_count;
    for (size_t i = 0; i < (size_t)vertices_of(s) * part->weights.influences; i++)
        s->joints[i] = (uint16_t)skin->joints[part->weights.joints[i]];
    sn_skeleton_world(s->model->skeleton, NULL, rest);
    pose(run, s, s->matrices);
    for (uint32_t j = 0; j < joint_count; j++) {
        snMat4 inverse;
        if (!sn_mat4_inverse_affine(&rest[j], &inverse)) return SN_RESULT_BAD_DATA;
        s->matrices[j] = sn_mat4_mul(&s->matrices[j], &inverse);
    }
    snNormalsJob normals = {.mesh = part->mesh, .weld = part->weld, .out_normals = s->normals};
    snResult result = sn_normals_run(&normals);
    if (result == SN_RESULT_OK) result = create_volume(run, s, rest, joints);
    if (result != SN_RESULT_OK) return result;
    snSkinJob job = skin_job(run, s);
    result = run->dual ? sn_skin_dual_run(&job) : sn_skin_linear_run(&job);
    size_t room = sn_exact_volume_scratch_size(s->volume);
    if (run->contact && sn_contact_scratch_size(s->contact) > room)
        room = sn_contact_scratch_size(s->contact);
    s->scratch = bench_room(room);
    return s->scratch != NULL ? result : SN_RESULT_OUT_OF_MEMORY;
}

static snResult scene_create(const Run* run, Scene* s) {
    snResult result = create_model(run, s);
    if (result != SN_RESULT_OK) return result;
    uint32_t joints = s->model->skeleton->joint_count;
    size_t vertices = vertices_of(s);
    s->joints = bench_room(vertices * s->model->parts[0].weights.influences * sizeof *s->joints);
    s->matrices = bench_room(joints * sizeof *s->matrices);
    s->dual_scratch = bench_room(sn_skin_dual_scratch_size(joints));
    snVec3** arrays[] = {&s->posed, &s->posed_normals, &s->positions, &s->normals};
    bool ready = s->joints != NULL && s->matrices != NULL && s->dual_scratch != NULL;
    for (size_t i = 0; i < 4; i++) ready &= (*arrays[i] = bench_room(vertices * sizeof(snVec3))) != NULL;
    snMat4* rest = bench_room(joints * sizeof *rest);
    snVolumeJoint* rig = bench_room(joints * sizeof *rig);
    result = ready && rest != NULL && rig != NULL ? fill(run, s, rest, rig) : SN_RESULT_OUT_OF_MEMORY;
    free(rest);
    free(rig);
    return result;
}

static void scene_destroy(Scene* s) {
    sn_exact_volume_destroy(s->volume);
    sn_contact_destroy(s->contact);
    sn_model_destroy(s->model);
    void* arrays[] = {s->joints, s->matrices,      s->scratch,   s->dual_scratch,
                      s->posed,  s->posed_normals, s->positions, s->normals};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) free(arrays[i]);
}

// ------------------------------------------------------------------------------------------------ measuring

static double sample_exact(const Run* run, Scene* s) {
    size_t bytes = vertices_of(s) * sizeof(snVec3);
    memcpy(s->positions, s->posed, bytes);
    memcpy(s->normals, s->posed_normals, bytes);
    snShellState shells[4] = {{.target = 1.0, .after = 1.0}};
    snExactVolumeJob job = {.volume = s->volume,
                            .matrices = s->matrices,
                            .one_step = run->one_step,
                            .positions = &s->positions,
                            .normals = run->normals ? &s->normals : NULL,
                            .scratch = s->scratch,
                            .out_shells = sn_exact_volume_shell_count(s->volume) <= 4 ? shells : NULL,
                            .level = run->level};
    snContactJob contact = {.contact = s->contact,
                            .matrices = s->matrices,
                            .positions = &s->positions,
                            .normals = run->normals ? &s->normals : NULL,
                            .scratch = s->scratch};
    double begin = bench_seconds();
    if (run->contact)
        sn_contact_run(&contact);
    else
        sn_exact_volume_run(&job);
    double taken = bench_seconds() - begin;
    s->error = shells[0].after / shells[0].target - 1.0;
    return taken;
}

static double sample_plain(const Run* run, const Scene* s) {
    snSkinJob job = skin_job(run, s);
    job.out_points = s->positions;
    job.level = SN_CPU_AUTO;
    double begin = bench_seconds();
    sn_skin_linear_run(&job);
    return bench_seconds() - begin;
}

static bool available(const Run* run) { return sn_cpu_level_available(run->level); }

static void print_row(const Run* run, const Scene* s, double seconds, double plain) {
    printf("%-20s %8u %9.3f %9.1f %10.1e", run->name, vertices_of(s), seconds * 1e3, seconds / plain,
           s->error < 0.0 ? -s->error : s->error);
    if (run->paper > 0.0) printf(" %9.0f %8.0fx", run->paper * 1e3, run->paper / seconds);
    printf("\n");
}

bool bench_volume(uint32_t rounds, bool quiet, BenchReport* report) {
    static Scene scenes[RUN_COUNT];
    memset(scenes, 0, sizeof scenes);
    *report = (BenchReport){.scene = "volume", .clock_before = bench_clock_ghz()};
    bool ready = true;
    for (size_t i = 0; i < RUN_COUNT && ready; i++) {
        if (available(&RUNS[i])) ready = scene_create(&RUNS[i], &scenes[i]) == SN_RESULT_OK;
    }
    for (uint32_t r = 0; r < rounds && ready; r++) {
        for (size_t i = 0; i < RUN_COUNT; i++) {
            if (!available(&RUNS[i])) continue;
            scenes[i].plain[r] = sample_plain(&RUNS[i], &scenes[i]);
            scenes[i].samples[r] = sample_exact(&RUNS[i], &scenes[i]);
        }
    }
    report->clock_after = bench_clock_ghz();
    if (ready && !quiet)
        printf("clock %.2f and %.2f GHz\n%-20s %8s %9s %9s %10s %9s %9s\n", report->clock_before,
               report->clock_after, "exact volume", "vertices", "ms", "x linear", "error", "paper ms",
               "faster");
    for (size_t i = 0; i < RUN_COUNT && ready; i++) {
        if (!available(&RUNS[i])) continue;
        double seconds = bench_best_median(scenes[i].samples, rounds),
               plain = bench_best_median(scenes[i].plain, rounds);
        if (!quiet) print_row(&RUNS[i], &scenes[i], seconds, plain);
        double vertices = vertices_of(&scenes[i]);
        report->rows[report->row_count++] =
            (BenchRow){.name = RUNS[i].name,
                       .level = RUNS[i].level != SN_CPU_AUTO ? sn_cpu_level_name(RUNS[i].level) : "",
                       .workers = 1,
                       .nanoseconds = seconds * 1e9 / vertices,
                       .ratio = plain / seconds};
        report->vertices = vertices_of(&scenes[i]);
    }
    for (size_t i = 0; i < RUN_COUNT; i++) scene_destroy(&scenes[i]);
    return ready;
}
