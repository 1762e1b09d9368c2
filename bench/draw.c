// Frames of a viewport: what moved goes to the GPU, and is drawn, until the last pixel is there.
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "render/viewport.h"

#define VERTICES 50000
#define WIDTH 1440
#define HEIGHT 900
#define MOST_ROUNDS 200
#define WARM_UP 8
#define CLOSE 0.15f // of the distance that shows all of it

typedef struct Scene {
    snModel* model;
    snCharacter *dual, *lattice;
    snViewport* viewport;
    snViewDef view;
    float time;
} Scene;

// What differs from frame to frame.
typedef struct Case {
    const char* name;
    snSplit split; // both side by side
    bool lattice;  // else dual
    bool moving;   // it is posed and updated each time
    bool turning;  // the camera goes around it: light and shadow go along
    bool over;     // wireframe, joints, an outline and the axes as well
    bool close;    // the body goes beyond the view on all sides
} Case;
static const Case cases[] = {{"dual skin moves", .moving = true},
                             {"lattice skin moves", .lattice = true, .moving = true},
                             {"camera turns", .turning = true},
                             {.name = "nothing moves"},
                             {"dual skin, close-up", .moving = true, .close = true},
                             {"both side by side move", SN_SPLIT_SIDES, .moving = true},
                             {"dual with all overlays", .moving = true, .over = true}};

static snResult make_character(Scene* s, snSkinMethod skin, snCharacter** out) {
    snCharacterDef def = sn_character_def();
    def.model = s->model;
    def.skin = skin;
    return sn_character_create(&def, NULL, out, NULL);
}

static snResult create(Scene* s, snError* error) {
    snBodyDef body = sn_body_def();
    body.vertex_target = VERTICES;
    snResult result = sn_builtin_body(&body, NULL, &s->model, error);
    snBindDef bind = sn_bind_def();
    bind.method = SN_WEIGHTS_KEEP;
    if (result == SN_RESULT_OK) result = sn_model_bind(s->model, &bind, NULL, error);
    if (result == SN_RESULT_OK) result = make_character(s, SN_SKIN_DUAL, &s->dual);
    if (result == SN_RESULT_OK) result = make_character(s, SN_SKIN_LATTICE, &s->lattice);
    snViewportDef def = sn_viewport_def();
    if (result == SN_RESULT_OK) result = sn_viewport_create(&def, NULL, &s->viewport, error);
    return result;
}

static snResult begin(Scene* s, const Case* c) {
    sn_character_pose_clip(s->dual, 0, 0.0f, SN_WRAP_LOOP);
    sn_character_pose_clip(s->lattice, 0, 0.0f, SN_WRAP_LOOP);
    s->time = 0.0f;
    snResult result =
        sn_viewport_set_model(s->viewport, 0, s->model, c->lattice ? s->lattice : s->dual, NULL);
    if (result == SN_RESULT_OK && c->split != SN_SPLIT_OFF)
        result = sn_viewport_set_model(s->viewport, 1, s->model, s->lattice, NULL);
    s->view = sn_view_def();
    s->view.width = WIDTH;
    s->view.height = HEIGHT;
    s->view.split = c->split;
    s->view.backdrop = SN_BACKDROP_DARK;
    s->view.axes = c->over;
    s->view.looks[0].wireframe = s->view.looks[0].joints = c->over;
    s->view.looks[0].selected_part = c->over ? 0 : SN_NONE;
    s->view.orbit =
        sn_orbit_frame(s->view.orbit, sn_viewport_bounds(s->viewport, 0), (float)WIDTH / (float)HEIGHT);
    if (c->close) s->view.orbit.distance *= CLOSE;
    return result;
}

typedef struct Times {
    double update, draw, frame; // seconds; `draw` until the call returns, `frame` until the pixels are there
} Times;

static snResult run_frame(Scene* s, const Case* c, Times* out) {
    s->time += 1.0f / 60.0f;
    if (c->turning) s->view.orbit = sn_orbit_turn(s->view.orbit, 0.02f, 0.0f);
    if (c->moving) {
        sn_character_pose_clip(s->dual, 0, s->time, SN_WRAP_LOOP);
        sn_character_pose_clip(s->lattice, 0, s->time, SN_WRAP_LOOP);
    }
    double start = bench_seconds();
    snResult result = SN_RESULT_OK;
    if (c->moving) result = sn_viewport_update(s->viewport, 0, NULL);
    if (c->moving && c->split != SN_SPLIT_OFF && result == SN_RESULT_OK)
        result = sn_viewport_update(s->viewport, 1, NULL);
    out->update = bench_seconds() - start;
    if (result == SN_RESULT_OK) result = sn_viewport_draw(s->viewport, &s->view, NULL);
    out->draw = bench_seconds() - start - out->update;
    sn_viewport_finish(s->viewport);
    out->frame = bench_seconds() - start;
    return result;
}

static bool measure(Scene* s, const Case* c, uint32_t rounds, bool quiet, BenchReport* report) {
    static double updates[MOST_ROUNDS], draws[MOST_ROUNDS], frames[MOST_ROUNDS];
    if (begin(s, c) != SN_RESULT_OK) return false;
    snViewportStats before, after;
    Times times = {0};
    for (uint32_t i = 0; i < WARM_UP; i++)
        if (run_frame(s, c, &times) != SN_RESULT_OK) return false;
    sn_viewport_stats(s->viewport, &before);
    for (uint32_t i = 0; i < rounds; i++) {
        if (run_frame(s, c, &times) != SN_RESULT_OK) return false;
        updates[i] = times.update;
        draws[i] = times.draw;
        frames[i] = times.frame;
    }
    sn_viewport_stats(s->viewport, &after);
    double worst = 0.0;
    for (uint32_t i = 0; i < rounds; i++) worst = frames[i] > worst ? frames[i] : worst;
    double update = bench_best_median(updates, rounds), draw = bench_best_median(draws, rounds);
    double frame = bench_best_median(frames, rounds);
    if (!quiet)
        printf("  %-24s %10.3f %10.3f %10.3f %10.3f %10llu %8llu %8llu\n", c->name, update * 1e3, draw * 1e3,
               frame * 1e3, worst * 1e3,
               (unsigned long long)((after.bytes_streamed - before.bytes_streamed) / rounds),
               (unsigned long long)((after.draw_calls - before.draw_calls) / rounds),
               (unsigned long long)((after.allocations - before.allocations) / rounds));
    report->rows[report->row_count++] = (BenchRow){
        .name = c->name, .level = "", .workers = 1, .nanoseconds = frame * 1e9 / (double)report->vertices};
    return true;
}

bool bench_draw(uint32_t rounds, bool quiet, BenchReport* report) {
    Scene scene = {0};
    snError error = sn_error_none();
    *report = (BenchReport){.scene = "draw", .clock_before = bench_clock_ghz()};
    if (rounds > MOST_ROUNDS) rounds = MOST_ROUNDS;
    bool ready = create(&scene, &error) == SN_RESULT_OK;
    if (!ready) fprintf(stderr, "sinew bench: %s\n", error.text);
    if (ready) {
        report->vertices = scene.model->parts[0].mesh->vertex_count;
        report->joints = scene.model->skeleton->joint_count;
        if (!quiet) {
            printf("%u vertices, %d x %d, supersampled, by %s\n", report->vertices, WIDTH, HEIGHT,
                   sn_viewport_renderer(scene.viewport));
            printf("  %-24s %10s %10s %10s %10s %10s %8s %8s\n", "each frame", "update ms", "draw ms",
                   "frame ms", "worst ms", "bytes", "draws", "allocs");
        }
    }
    for (size_t i = 0; i < sizeof cases / sizeof cases[0] && ready; i++)
        ready = measure(&scene, &cases[i], rounds, quiet, report);
    report->clock_after = bench_clock_ghz();
    sn_viewport_destroy(scene.viewport);
    sn_character_destroy(scene.dual);
    sn_character_destroy(scene.lattice);
    sn_model_destroy(scene.model);
    return ready;
}
