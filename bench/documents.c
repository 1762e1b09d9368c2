// Edits of a document with its history, from the call to the next frame, on the built-in body with 28,060
// vertices while its flesh moves. One thread. Undo and redo of each, and what the history holds in the end.
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "sinew/document.h"

enum { MOST_ROUNDS = 200 };

typedef struct Scene {
    snDocument* document;
    float time;
    uint32_t vertex, joint;
    snVec3 place; // of the joint that is dragged
} Scene;

typedef snResult EditFn(Scene* s, uint32_t round);

static snResult edit_setting(Scene* s, uint32_t round) {
    char text[16];
    snprintf(text, sizeof text, "%g", 0.5 + 0.001 * (double)(round % 400));
    return sn_document_set(s->document, "flesh.delta", text, NULL);
}

static snResult paint_weights(Scene* s, uint32_t round) {
    snBrush brush = sn_brush();
    brush.vertex = s->vertex;
    brush.radius = 0.06f;
    return sn_document_paint_weights(s->document, &brush, s->joint,
                                     round % 2 == 0 ? SN_PAINT_ADD : SN_PAINT_TAKE, 0.3f, NULL);
}

static snResult paint_softness(Scene* s, uint32_t round) {
    snBrush brush = sn_brush();
    brush.vertex = s->vertex;
    brush.radius = 0.06f;
    return sn_document_paint_softness(s->document, &brush, round % 2 == 0 ? SN_PAINT_ADD : SN_PAINT_TAKE,
                                      0.3f, 1.5f, NULL);
}

// One entry: the joint and the weights that go with its place.
static snResult drag_joint(Scene* s, uint32_t round) {
    snBindDef bind = sn_bind_def();
    bind.method = SN_WEIGHTS_HEAT;
    snVec3 place = sn_add(s->place, sn_vec3(0.001f * (float)(round % 9 + 1), 0.0f, 0.0f));
    snResult result = sn_document_begin(s->document, "Drag joint", NULL);
    if (result != SN_RESULT_OK) return result;
    result = sn_document_move_joint(s->document, s->joint, place, false, NULL);
    if (result == SN_RESULT_OK) result = sn_document_bind(s->document, &bind, NULL, NULL, NULL);
    if (result == SN_RESULT_OK) return sn_document_end(s->document, NULL);
    sn_document_cancel(s->document);
    return result;
}

static const struct {
    const char* name;
    EditFn* run;
    uint32_t share; // of the rounds: slow ones are measured less often
} edits[] = {{"setting", edit_setting, 1},
             {"weight brush", paint_weights, 1},
             {"softness brush", paint_softness, 1},
             {"joint drag, heat weights", drag_joint, 10}};
enum { EDITS = sizeof edits / sizeof edits[0] };

// --------------------------------------------------------------------------------------------------- scene

static snResult frame(Scene* s) {
    s->time += 1.0f / 60.0f;
    return sn_document_play(s->document, 0, s->time, SN_WRAP_LOOP, NULL);
}

static snResult create(Scene* s) {
    snDocumentDef def = sn_document_def();
    snResult result = sn_document_create(&def, NULL, &s->document, NULL);
    if (result == SN_RESULT_OK) result = sn_document_open(s->document, "builtin:body", NULL, NULL);
    if (result == SN_RESULT_OK) result = sn_document_make_lattice(s->document, NULL, NULL, NULL);
    if (result != SN_RESULT_OK) return result;
    const snModel* model = sn_document_model(s->document);
    s->joint = sn_skeleton_find(model->skeleton, "LeftLowerArm");
    if (s->joint == SN_NONE) s->joint = model->skeleton->joint_count / 2;
    snMat4 world[256];
    if (model->skeleton->joint_count > 256) return SN_RESULT_LIMIT;
    sn_skeleton_world(model->skeleton, NULL, world);
    s->place = sn_mat4_translation(&world[s->joint]);
    const snMesh* mesh = model->parts[0].mesh;
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        if (sn_distance(mesh->positions[v], s->place) < sn_distance(mesh->positions[s->vertex], s->place))
            s->vertex = v;
    return frame(s);
}

static void add_row(BenchReport* report, const char* name, double seconds) {
    if (report->row_count == sizeof report->rows / sizeof report->rows[0]) return;
    report->rows[report->row_count++] = (BenchRow){
        .name = name, .level = "", .workers = 1, .nanoseconds = seconds * 1e9 / (double)report->vertices};
}

static bool measure(Scene* s, uint32_t e, uint32_t rounds, bool quiet, BenchReport* report) {
    static double calls[MOST_ROUNDS], shown[MOST_ROUNDS], undos[MOST_ROUNDS];
    uint32_t count = rounds / edits[e].share > 3 ? rounds / edits[e].share : 3;
    size_t before = sn_document_history_size(s->document), held = 0;
    for (uint32_t r = 0; r < count; r++) {
        double start = bench_seconds();
        if (edits[e].run(s, r) != SN_RESULT_OK) return false;
        calls[r] = bench_seconds() - start;
        if (frame(s) != SN_RESULT_OK) return false;
        shown[r] = bench_seconds() - start;
        held = sn_document_history_size(s->document) - before;
        before += held;
        start = bench_seconds();
        if (sn_document_undo(s->document, NULL) != SN_RESULT_OK || frame(s) != SN_RESULT_OK) return false;
        undos[r] = bench_seconds() - start;
        if (sn_document_redo(s->document, NULL) != SN_RESULT_OK || frame(s) != SN_RESULT_OK) return false;
    }
    double call = bench_best_median(calls, count), with = bench_best_median(shown, count),
           undo = bench_best_median(undos, count);
    if (!quiet)
        printf("  %-26s %9.2f %14.2f %14.2f %12zu\n", edits[e].name, call * 1e3, with * 1e3, undo * 1e3,
               held);
    add_row(report, edits[e].name, with);
    return true;
}

bool bench_documents(uint32_t rounds, bool quiet, BenchReport* report) {
    Scene scene = {0};
    *report = (BenchReport){.scene = "documents", .clock_before = bench_clock_ghz()};
    if (rounds > MOST_ROUNDS) rounds = MOST_ROUNDS;
    bool ready = create(&scene) == SN_RESULT_OK;
    if (ready) {
        const snModel* model = sn_document_model(scene.document);
        report->vertices = model->parts[0].mesh->vertex_count;
        report->joints = model->skeleton->joint_count;
        if (!quiet)
            printf("  %-26s %9s %14s %14s %12s\n", "edit", "call ms", "with frame ms", "undo+frame ms",
                   "bytes");
    }
    for (uint32_t e = 0; e < EDITS && ready; e++) ready = measure(&scene, e, rounds, quiet, report);
    report->clock_after = bench_clock_ghz();
    if (ready && !quiet)
        printf("history: %zu bytes after %u edits\n", sn_document_history_size(scene.document),
               sn_document_undo_count(scene.document));
    sn_document_destroy(scene.document);
    return ready;
}
