// How finely the long calls can be cut: the longest stretch of each in which it tells no progress, because
// that is where a job cannot pause. On the built-in body with 28,060 vertices, or on a model of one's own.
// One thread. Time of the processor, and of every stretch the shortest of all rounds: a busy machine adds to
// neither.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench.h"
#include "sinew/document.h"

enum { MOST_TELLS = 1 << 16, CLIP_FRAMES = 30 };

typedef struct Scene {
    snDocument* document;
    snBytes glb, obj, bvh, project;
} Scene;

typedef struct Track {
    double last;
    uint32_t count; // of tells in this round
    uint32_t rounds;
    float share;
    bool falls; // a share that was less than the one before
    float shares[MOST_TELLS + 1];
    double gaps[MOST_TELLS + 1];
} Track;

typedef snResult CallFn(Scene* s, const snProgress* progress, snError* error);

// ---------------------------------------------------------------------------------------------------- calls

static snResult read_bytes(const char* name, const snBytes* bytes, const snProgress* progress,
                           snError* error) {
    snReadDef def = sn_read_def();
    snModel* model = NULL;
    def.images = SN_IMAGES_ALL;
    def.progress = *progress;
    snResult result = sn_model_read_memory(name, bytes->data, bytes->size, &def, &model, error);
    sn_model_destroy(model);
    return result;
}

static snResult read_glb(Scene* s, const snProgress* progress, snError* error) {
    return read_bytes("a.glb", &s->glb, progress, error);
}
static snResult read_obj(Scene* s, const snProgress* progress, snError* error) {
    return read_bytes("a.obj", &s->obj, progress, error);
}
static snResult read_bvh(Scene* s, const snProgress* progress, snError* error) {
    return read_bytes("a.bvh", &s->bvh, progress, error);
}

static snResult open_project(Scene* s, const snProgress* progress, snError* error) {
    snDocumentDef def = sn_document_def();
    snOpenDef open = sn_open_def();
    snDocument* document = NULL;
    open.progress = *progress;
    snResult result = sn_document_create(&def, NULL, &document, error);
    if (result == SN_RESULT_OK)
        result =
            sn_document_open_memory(document, "a.snproject", s->project.data, s->project.size, &open, error);
    sn_document_destroy(document);
    return result;
}

static snResult fit(Scene* s, const snProgress* progress, snError* error) {
    return sn_document_refit(s->document, progress, NULL, error);
}

static snResult bind(Scene* s, snWeightsMethod method, const snProgress* progress, snError* error) {
    snBindDef def = sn_bind_def();
    def.method = method;
    return sn_document_bind(s->document, &def, progress, NULL, error);
}
static snResult bind_auto(Scene* s, const snProgress* progress, snError* error) {
    return bind(s, SN_WEIGHTS_AUTO, progress, error);
}
static snResult bind_heat(Scene* s, const snProgress* progress, snError* error) {
    return bind(s, SN_WEIGHTS_HEAT, progress, error);
}
static snResult bind_geodesic(Scene* s, const snProgress* progress, snError* error) {
    return bind(s, SN_WEIGHTS_GEODESIC, progress, error);
}

static snResult add_motion(Scene* s, const snProgress* progress, snError* error) {
    snMotionDef def = sn_motion_def();
    snSource* source = NULL;
    def.progress = *progress;
    snResult result =
        sn_source_open_memory(s->document, "a.bvh", s->bvh.data, s->bvh.size, NULL, &source, error);
    if (result == SN_RESULT_OK) result = sn_document_add_motion(s->document, source, &def, NULL, error);
    sn_source_close(source);
    return result;
}

static snResult make_rig(Scene* s, snHandlesFrom from, const snProgress* progress, snError* error) {
    snMakeHandlesDef def = sn_make_handles_def();
    def.from = from;
    def.progress = *progress;
    return sn_document_make_handles(s->document, &def, NULL, error);
}
static snResult segment(Scene* s, const snProgress* progress, snError* error) {
    return make_rig(s, SN_HANDLES_FROM_SHAPE, progress, error);
}
static snResult handles(Scene* s, const snProgress* progress, snError* error) {
    return make_rig(s, SN_HANDLES_FROM_SKELETON, progress, error);
}

#ifdef SINEW_HAVE_SPARSE
static snResult factor(Scene* s, const snProgress* progress, snError* error) {
    snPuppetDef def = sn_puppet_def();
    snPuppet* puppet = NULL;
    def.model = sn_document_model(s->document);
    def.sparse = sn_sparse_cholmod();
    def.progress = *progress;
    snResult result = sn_puppet_create(&def, NULL, &puppet, error);
    sn_puppet_destroy(puppet);
    return result;
}
#endif

static snResult make_take(Scene* s, const snProgress* progress, snTake** out, snError* error) {
    snTakeDef def = sn_take_def();
    def.clip = 0;
    def.to = (float)CLIP_FRAMES / def.fps;
    def.progress = *progress;
    return sn_take_create(s->document, &def, NULL, out, error);
}

static snResult take(Scene* s, const snProgress* progress, snError* error) {
    snTake* made = NULL;
    snResult result = make_take(s, progress, &made, error);
    if (result == SN_RESULT_OK) result = sn_take_pose_all(made, error);
    sn_take_destroy(made);
    return result;
}

static snResult take_frame(void* user, uint32_t frame, snSurface* out_surfaces) {
    Scene* s = ((void**)user)[0];
    snTake* made = ((void**)user)[1];
    snResult result = sn_take_pose(made, frame, NULL);
    for (uint32_t p = 0; p < sn_document_model(s->document)->part_count && result == SN_RESULT_OK; p++)
        out_surfaces[p] = sn_take_surface(made, p);
    return result;
}

static snResult bake(Scene* s, const snProgress* progress, snError* error) {
    const snProgress nobody = {0};
    snTake* made = NULL;
    snMorphBake* morphs = NULL;
    snMorphBakeDef def = sn_morph_bake_def();
    snResult result = make_take(s, &nobody, &made, error);
    void* user[] = {s, made};
    if (result == SN_RESULT_OK) {
        def.model = sn_document_model(s->document);
        def.clip = 0;
        def.frame_count = sn_take_report(made)->frames;
        def.frames = take_frame;
        def.user = user;
        def.progress = *progress;
        result = sn_morph_bake_create(&def, NULL, &morphs, error);
    }
    sn_morph_bake_destroy(morphs);
    sn_take_destroy(made);
    return result;
}

static snResult check(Scene* s, const snProgress* progress, snError* error) {
    snCheckDef def = sn_check_def();
    snCheck* made = NULL;
    def.model = sn_document_model(s->document);
    def.settings = sn_document_settings(s->document);
    def.clip = 0;
    def.progress = *progress;
    snResult result = sn_check_create(&def, NULL, &made, error);
    sn_check_destroy(made);
    return result;
}

static const struct {
    const char* name;
    CallFn* run;
} calls[] = {{"read .glb", read_glb},
             {"read .obj", read_obj},
             {"read .bvh", read_bvh},
             {"open .snproject", open_project},
             {"fit", fit},
             {"bind", bind_auto},
             {"bind, heat", bind_heat},
             {"bind, geodesic", bind_geodesic},
             {"add motion", add_motion},
             {"handles of the shape", segment},
             {"handles of the skin", handles},
#ifdef SINEW_HAVE_SPARSE
             {"factor", factor},
#endif
             {"take, 31 frames", take},
             {"bake, 31 frames", bake},
             {"check a clip", check}};
enum { CALLS = sizeof calls / sizeof calls[0] };

// ---------------------------------------------------------------------------------------------------- gaps

static double seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

static void add_gap(Track* track, float share) {
    double now = seconds(), gap = now - track->last;
    uint32_t i = track->count < MOST_TELLS ? track->count : MOST_TELLS;
    if (track->rounds == 0 || gap < track->gaps[i]) track->gaps[i] = gap;
    track->shares[i] = track->share;
    if (share < track->share) track->falls = true;
    track->share = share;
    track->count++;
    track->last = seconds();
}

static bool tell(void* user, const char* stage, float share) {
    (void)stage;
    add_gap(user, share);
    return true;
}

static bool measure(Scene* s, uint32_t c, uint32_t rounds, bool quiet, BenchReport* report) {
    static Track track;
    snError error = sn_error_none();
    track.rounds = 0;
    track.falls = false;
    double best = 1e9;
    for (; track.rounds < rounds; track.rounds++) {
        snProgress progress = {tell, &track};
        uint32_t undos = sn_document_undo_count(s->document);
        track.count = 0;
        track.share = 0.0f;
        double start = track.last = seconds();
        snResult result = calls[c].run(s, &progress, &error);
        add_gap(&track, 1.0f);
        if (track.last - start < best) best = track.last - start;
        if (result != SN_RESULT_OK) {
            if (!quiet) printf("  %-22s %s\n", calls[c].name, error.text);
            return result != SN_RESULT_OUT_OF_MEMORY;
        }
        while (sn_document_undo_count(s->document) > undos) sn_document_undo(s->document, NULL);
    }
    uint32_t worst = 0;
    for (uint32_t i = 0; i < track.count && i <= MOST_TELLS; i++)
        if (track.gaps[i] > track.gaps[worst]) worst = i;
    if (!quiet)
        printf("  %-22s %9.1f %7u %12.1f %7.0f%% %9.2f%s\n", calls[c].name, best * 1e3, track.count - 1,
               track.gaps[worst] * 1e3, 100.0 * track.gaps[worst] / best, (double)track.shares[worst],
               track.falls ? " SHARE FALLS" : "");
    if (report->row_count < sizeof report->rows / sizeof report->rows[0])
        report->rows[report->row_count++] =
            (BenchRow){.name = calls[c].name,
                       .level = "",
                       .workers = 1,
                       .nanoseconds = track.gaps[worst] * 1e9 / (double)report->vertices};
    return true;
}

static snResult create(const char* path, Scene* s) {
    snDocumentDef def = sn_document_def();
    snError error = sn_error_none();
    snOpenDef open = sn_open_def();
    open.images = SN_IMAGES_ALL;
    snResult result = sn_document_create(&def, NULL, &s->document, &error);
    if (result == SN_RESULT_OK) result = sn_document_open(s->document, path, &open, &error);
    if (result == SN_RESULT_OK) result = sn_document_make_lattice(s->document, NULL, NULL, &error);
    if (result != SN_RESULT_OK) {
        fprintf(stderr, "sinew bench: %s\n", error.text);
        return result;
    }
    const snModel* model = sn_document_model(s->document);
    result = sn_model_write_memory(model, "a.glb", NULL, NULL, &s->glb, &error);
    if (result == SN_RESULT_OK) result = sn_model_write_memory(model, "a.obj", NULL, NULL, &s->obj, &error);
    if (result == SN_RESULT_OK && model->clip_count > 0)
        result = sn_model_write_memory(model, "a.bvh", NULL, NULL, &s->bvh, &error);
    if (result == SN_RESULT_OK) result = sn_document_save_memory(s->document, &s->project, &error);
    if (result != SN_RESULT_OK) fprintf(stderr, "sinew bench: %s\n", error.text);
    return result;
}

bool bench_slices(const char* path, uint32_t rounds, bool quiet, BenchReport* report) {
    Scene scene = {0};
    *report = (BenchReport){.scene = "slices", .clock_before = bench_clock_ghz()};
    bool ready = create(path, &scene) == SN_RESULT_OK;
    if (ready) {
        const snModel* model = sn_document_model(scene.document);
        for (uint32_t p = 0; p < model->part_count; p++)
            report->vertices += model->parts[p].mesh->vertex_count;
        report->joints = model->skeleton->joint_count;
        if (!quiet)
            printf("%s, %u vertices\n  %-22s %9s %7s %12s %8s %9s\n", path, report->vertices, "call", "ms",
                   "tells", "longest ms", "of all", "behind");
    }
    uint32_t fewer = rounds / 10 > 3 ? rounds / 10 : 3;
    for (uint32_t c = 0; c < CALLS && ready; c++) ready = measure(&scene, c, fewer, quiet, report);
    report->clock_after = bench_clock_ghz();
    sn_document_destroy(scene.document);
    sn_bytes_free(&scene.glb);
    sn_bytes_free(&scene.obj);
    sn_bytes_free(&scene.bvh);
    sn_bytes_free(&scene.project);
    return ready;
}
