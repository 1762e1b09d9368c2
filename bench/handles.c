// Posing by handles, at the sizes of Hansen's tables: the built-in body with 18 handles.
//
// A handle has those vertices of a limb that are nearest to its middle, as many as give the wanted share of
// the model to the system; so the share is that of the unknowns themselves.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

#define HANDLES 18
#define MOST_ROUNDS 200

typedef struct Case {
    const char* name;
    uint32_t vertices;
    float share; // of the vertices, in handles
    uint32_t band;
    double thesis_prepare, thesis_drag; // seconds; 0: it has no such figure
    double bar;                         // seconds a drag; 0: none
} Case;

static const Case CASES[] = {
    {"table 9.5", 2138, 0.20f, 2, 0.09, 0.040, 0.0005},
    {"table 9.5", 10600, 0.17f, 2, 0.52, 0.183, 0.003},
    {"table 9.5", 17300, 0.24f, 2, 1.041, 0.300, 0.005},
    {"table 9.5", 45000, 0.16f, 2, 3.45, 0.826, 0.020},
    {"60 % in handles", 4900, 0.60f, 2, 0.0, 0.0, 0.0},
    {"60 % in handles", 17500, 0.60f, 2, 0.0, 0.0, 0.0},
    {"60 % in handles", 45000, 0.60f, 2, 0.0, 0.0, 0.006},
    {"60 % in handles", 100000, 0.60f, 2, 0.0, 0.0, 0.016},
    {"table 6.1, band 3", 12770, 0.62f, 3, 0.0, 0.095, 0.0},
    {"table 6.1, band 2", 12770, 0.62f, 2, 0.0, 0.084, 0.0},
    {"table 6.1, band 1", 12770, 0.62f, 1, 0.0, 0.069, 0.0},
};
enum { CASE_COUNT = sizeof CASES / sizeof CASES[0] };

typedef struct Scene {
    snModel* model;
    snHandles* handles;
    snHandleSurface* surface;
    snRigid motions[HANDLES];
    void* scratch;
    snVec3* positions;
    snVec3* normals;
    double prepare, factor; // seconds
    double fast[MOST_ROUNDS], rigid[MOST_ROUNDS];
} Scene;

// ------------------------------------------------------------------------------------------------- scene

// The seam with a clock on it.
static double factor_seconds;
static snResult timed_factor(const snSparseMatrix* matrix, size_t limit, const snAllocator* allocator,
                             snSparseFactor* out, snError* error) {
    double begin = bench_seconds();
    snResult result = sn_sparse_cholmod()->factor(matrix, limit, allocator, out, error);
    factor_seconds += bench_seconds() - begin;
    return result;
}

// The heaviest joint of each vertex.
static void find_joints(const snModel* model, uint32_t* out) {
    const snPart* part = &model->parts[0];
    const snSkin* skin = &model->skins[part->skin];
    for (uint32_t v = 0; v < part->mesh->vertex_count; v++) {
        size_t at = (size_t)v * part->weights.influences, best = at;
        for (size_t k = at; k < at + part->weights.influences; k++)
            best = part->weights.weights[k] > part->weights.weights[best] ? k : best;
        out[v] = skin->joints[part->weights.joints[best]];
    }
}

// The joints that move most vertices get the handles; the others' vertices go to the next one above.
static void choose_joints(const snModel* model, const uint32_t* joints, uint32_t* out_handles) {
    const snSkeleton* skeleton = model->skeleton;
    uint32_t counts[256] = {0}, taken = 0;
    uint32_t handle_of[256];
    for (uint32_t j = 0; j < skeleton->joint_count; j++) handle_of[j] = SN_NONE;
    for (uint32_t v = 0; v < model->parts[0].mesh->vertex_count; v++) counts[joints[v]]++;
    for (; taken < HANDLES; taken++) {
        uint32_t best = 0;
        for (uint32_t j = 1; j < skeleton->joint_count; j++) best = counts[j] > counts[best] ? j : best;
        handle_of[best] = taken;
        counts[best] = 0;
    }
    for (uint32_t v = 0; v < model->parts[0].mesh->vertex_count; v++) {
        uint32_t j = joints[v];
        while (handle_of[j] == SN_NONE && skeleton->parents[j] != SN_NONE) j = skeleton->parents[j];
        out_handles[v] = handle_of[j] != SN_NONE ? handle_of[j] : 0;
    }
}

typedef struct Near {
    float distance;
    uint32_t vertex;
} Near;

static int compare_near(const void* a, const void* b) {
    const Near *x = a, *y = b;
    if (x->distance != y->distance) return x->distance < y->distance ? -1 : 1;
    return x->vertex < y->vertex ? -1 : x->vertex > y->vertex;
}

// The share of one limb that is nearest to its middle.
static uint32_t fill_handle(const snMesh* mesh, const uint32_t* handles, uint32_t handle, float share,
                            Near* order, uint32_t* out, snVec3* center) {
    uint32_t count = 0;
    *center = sn_vec3(0, 0, 0);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        if (handles[v] != handle) continue;
        order[count++].vertex = v;
        *center = sn_add(*center, mesh->positions[v]);
    }
    *center = sn_scale(*center, 1.0f / (float)count);
    for (uint32_t i = 0; i < count; i++)
        order[i].distance = sn_distance(mesh->positions[order[i].vertex], *center);
    qsort(order, count, sizeof *order, compare_near);
    uint32_t kept = (uint32_t)(share * (float)count);
    if (kept == 0) kept = 1;
    for (uint32_t i = 0; i < kept; i++) out[i] = order[i].vertex;
    return kept;
}

static snResult make_handles(Scene* s, float share) {
    const snMesh* mesh = s->model->parts[0].mesh;
    uint32_t* joints = bench_room(mesh->vertex_count * sizeof *joints);
    uint32_t* handles = bench_room(mesh->vertex_count * sizeof *handles);
    uint32_t* lists = bench_room((size_t)mesh->vertex_count * sizeof *lists);
    Near* order = bench_room(mesh->vertex_count * sizeof *order);
    snResult result = SN_RESULT_OUT_OF_MEMORY;
    if (joints != NULL && handles != NULL && lists != NULL && order != NULL) {
        static const char* const names[HANDLES] = {"1",  "2",  "3",  "4",  "5",  "6",  "7",  "8",  "9",
                                                   "10", "11", "12", "13", "14", "15", "16", "17", "18"};
        snHandleDef defs[HANDLES] = {{0}};
        uint32_t used = 0;
        find_joints(s->model, joints);
        choose_joints(s->model, joints, handles);
        for (uint32_t h = 0; h < HANDLES; h++) {
            defs[h].name = names[h];
            defs[h].vertices = lists + used;
            defs[h].vertex_count = fill_handle(mesh, handles, h, share, order, lists + used, &defs[h].center);
            used += defs[h].vertex_count;
        }
        snHandlesDef def = {mesh, HANDLES, defs};
        result = sn_handles_create(&def, NULL, &s->handles, NULL);
    }
    free(joints);
    free(handles);
    free(lists);
    free(order);
    return result;
}

static snResult scene_create(const Case* c, Scene* s) {
    static const snSparse timed = {timed_factor, "cholmod, timed"};
    snBodyDef body = sn_body_def();
    body.vertex_target = c->vertices;
    snResult result = sn_builtin_body(&body, NULL, &s->model, NULL);
    if (result == SN_RESULT_OK) result = make_handles(s, c->share);
    if (result != SN_RESULT_OK) return result;
    snHandleSurfaceDef def = sn_handle_surface_def();
    def.mesh = s->model->parts[0].mesh;
    def.handles = s->handles;
    def.sparse = &timed;
    def.band = c->band;
    factor_seconds = 0.0;
    double begin = bench_seconds();
    result = sn_handle_surface_create(&def, NULL, &s->surface, NULL);
    s->prepare = bench_seconds() - begin;
    s->factor = factor_seconds;
    if (result != SN_RESULT_OK) return result;
    for (uint32_t h = 0; h < HANDLES; h++) {
        float angle = 0.15f * (float)(h % 5);
        s->motions[h].rotation = sn_quat_axis_angle(sn_vec3(1, 0.3f, (float)h * 0.2f), angle);
        s->motions[h].translation = sn_vec3(0.01f * (float)h, 0, 0.005f * (float)(h % 3));
    }
    s->scratch = bench_room(sn_handle_surface_scratch_size(s->surface));
    s->positions = bench_room(def.mesh->vertex_count * sizeof *s->positions);
    s->normals = bench_room(def.mesh->vertex_count * sizeof *s->normals);
    bool enough = s->scratch != NULL && s->positions != NULL && s->normals != NULL;
    return enough ? SN_RESULT_OK : SN_RESULT_OUT_OF_MEMORY;
}

static void scene_destroy(Scene* s) {
    free(s->scratch);
    free(s->positions);
    free(s->normals);
    sn_handle_surface_destroy(s->surface);
    sn_handles_destroy(s->handles);
    sn_model_destroy(s->model);
}

// ---------------------------------------------------------------------------------------------- measuring

static double sample(Scene* s, snHandleMethod method) {
    snHandleSurfaceJob job = {.surface = s->surface,
                              .handles = s->motions,
                              .method = method,
                              .iterations = SN_HANDLES_ITERATIONS,
                              .scratch = s->scratch,
                              .out_positions = s->positions,
                              .out_normals = s->normals};
    double begin = bench_seconds();
    sn_handle_surface_run(&job);
    return bench_seconds() - begin;
}

static void print_head(void) {
    printf("one drag: positions and normals; prepare: both methods, of it the fast one's share in CHOLMOD\n");
    printf("%-18s %8s %8s %7s %6s %9s %9s %8s %9s %7s %8s %9s %7s\n", "", "vertices", "unknowns", "rows",
           "pieces", "factor", "prepare", "CHOLMOD", "thesis", "drag", "bar", "thesis", "rigid");
}

static void print_figure(double seconds, int width, int digits) {
    if (seconds > 0.0)
        printf(" %*.*f", width, digits, seconds * 1e3);
    else
        printf(" %*s", width, "-");
}

static void print_case(const Case* c, const Scene* s, double fast, double rigid) {
    snHandleSurfaceInfo info = sn_handle_surface_info(s->surface);
    printf("%-18s %8u %7.0f%% %7u %6u %8.2fM", c->name, info.points, 100.0 * info.unknowns / info.points,
           info.rows, info.pieces, (double)info.factor_size * 1e-6);
    print_figure(s->prepare, 9, 1);
    print_figure(s->factor, 8, 1);
    print_figure(c->thesis_prepare, 9, 0);
    print_figure(fast, 7, 3);
    print_figure(c->bar, 8, 1);
    print_figure(c->thesis_drag, 9, 0);
    print_figure((rigid - fast) / SN_HANDLES_ITERATIONS, 7, 2);
    printf("\n");
}

bool bench_handles(uint32_t rounds, bool quiet, BenchReport* report) {
    bool ready = true;
    *report = (BenchReport){.scene = "handles", .joints = HANDLES, .clock_before = bench_clock_ghz()};
    if (!quiet) print_head();
    for (size_t i = 0; i < CASE_COUNT && ready; i++) {
        static Scene s;
        memset(&s, 0, sizeof s);
        ready = scene_create(&CASES[i], &s) == SN_RESULT_OK;
        for (uint32_t r = 0; ready && r < rounds; r++) {
            s.fast[r] = sample(&s, SN_HANDLES_FAST);
            s.rigid[r] = sample(&s, SN_HANDLES_RIGID);
        }
        if (ready) {
            double fast = bench_best_median(s.fast, rounds), rigid = bench_best_median(s.rigid, rounds);
            double vertices = s.model->parts[0].mesh->vertex_count;
            if (!quiet) print_case(&CASES[i], &s, fast, rigid);
            report->vertices = s.model->parts[0].mesh->vertex_count;
            report->rows[report->row_count++] = (BenchRow){
                .name = CASES[i].name, .level = "", .workers = 1, .nanoseconds = fast * 1e9 / vertices};
        }
        scene_destroy(&s);
    }
    report->clock_after = bench_clock_ghz();
    if (ready && !quiet) {
        printf(
            "milliseconds; factor in numbers; rigid: what each of its %u iterations adds, with the volume\n",
            SN_HANDLES_ITERATIONS);
        printf("clock %.2f and %.2f GHz\n", report->clock_before, report->clock_after);
    }
    return ready;
}
