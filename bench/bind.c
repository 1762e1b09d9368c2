// Binding the built-in body: the lattice alone, the tables on it, and the whole of sn_model_bind by each
// method.
//
// Resolutions are those that come nearest to the two of figure 11 in Chen et al. 2012 (1072 and 1906
// particles), and a fine one. The yardstick is a memcpy of the mesh, run in the same rounds.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

typedef struct Bind {
    snModel* model;
    snLatticeDef def;
    uint32_t* triangles;
    snVec3* points;
    unsigned char* copy; // for memcpy: points and triangles
    size_t copy_size;
    snLattice* lattice; // of the middle resolution, for the tables on it
    uint8_t* widths;
} Bind;

typedef struct Contestant {
    const char* name;
    uint32_t cells; // 0: not a lattice
    snWeightsMethod method;
    snCpuLevel level;
    bool whole; // sn_model_bind
    bool again; // the model has been bound: its lattice is there
    double samples[200];
} Contestant;

static Contestant body[] = {{.name = "memcpy of the mesh"},
                            {.name = "lattice, 27 cells", .cells = 27},
                            {.name = "lattice, 36 cells", .cells = 36},
                            {.name = "lattice, 128 cells", .cells = 128},
                            {.name = "regions, width 2"},
                            {.name = "bind, own weights", 36, SN_WEIGHTS_KEEP, .whole = true},
                            {.name = "bind, heat", 36, SN_WEIGHTS_HEAT, .whole = true},
                            {.name = "bind, geodesic", 36, SN_WEIGHTS_GEODESIC, .whole = true},
                            {.name = "bind, auto", 36, SN_WEIGHTS_AUTO, .whole = true},
                            {.name = "bind again, heat", 36, SN_WEIGHTS_HEAT, .whole = true, .again = true},
                            {.name = "bind again, auto", 36, SN_WEIGHTS_AUTO, .whole = true, .again = true},
                            {.name = "bind, auto", 36, SN_WEIGHTS_AUTO, SN_CPU_SCALAR, .whole = true},
                            {.name = "bind, auto", 36, SN_WEIGHTS_AUTO, SN_CPU_SSE2, .whole = true},
                            {.name = "bind, auto", 36, SN_WEIGHTS_AUTO, SN_CPU_AVX2, .whole = true},
                            {.name = "bind, auto", 36, SN_WEIGHTS_AUTO, SN_CPU_AVX512, .whole = true},
                            {.name = "bind, auto", 36, SN_WEIGHTS_AUTO, SN_CPU_NEON, .whole = true}};
// The large body once: what a scan or a sculpture costs.
static Contestant large[] = {{.name = "memcpy of the mesh"},
                             {.name = "lattice, 128 cells", .cells = 128},
                             {.name = "bind, heat", 128, SN_WEIGHTS_HEAT, .whole = true},
                             {.name = "bind, geodesic", 128, SN_WEIGHTS_GEODESIC, .whole = true},
                             {.name = "bind, auto", 128, SN_WEIGHTS_AUTO, .whole = true}};
static Contestant* contestants;
static uint32_t contestant_count;

// Levels that this machine lacks do not take part.
static void choose(Contestant* all, uint32_t count) {
    contestants = all;
    contestant_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (all[i].level == SN_CPU_AUTO || sn_cpu_level_available(all[i].level))
            contestants[contestant_count++] = all[i];
    }
}

static bool prepare(Bind* bind, uint32_t vertices) {
    snBodyDef def = {.vertex_target = vertices, .quads = true};
    if (sn_builtin_body(&def, NULL, &bind->model, NULL) != SN_RESULT_OK) return false;
    const snMesh* mesh = bind->model->parts[0].mesh;
    const snWeld* weld = bind->model->parts[0].weld;
    uint32_t triangles = sn_mesh_triangle_count(mesh);
    bind->triangles = calloc((size_t)triangles * 3, sizeof *bind->triangles);
    bind->points = calloc(weld->point_count, sizeof *bind->points);
    if (bind->triangles == NULL || bind->points == NULL) return false;
    sn_mesh_triangulate(mesh, bind->triangles);
    for (size_t i = 0; i < (size_t)triangles * 3; i++) {
        bind->triangles[i] = weld->point_of_vertex[bind->triangles[i]];
    }
    for (uint32_t i = 0; i < weld->point_count; i++)
        bind->points[i] = mesh->positions[weld->vertex_of_point[i]];
    bind->def = sn_lattice_def();
    bind->def.point_count = weld->point_count;
    bind->def.points = bind->points;
    bind->def.triangle_count = triangles;
    bind->def.triangles = bind->triangles;
    bind->def.cells = 36;
    bind->copy_size = weld->point_count * sizeof(snVec3) + (size_t)triangles * 3 * sizeof(uint32_t);
    bind->copy = calloc(bind->copy_size, 1);
    if (bind->copy == NULL || sn_lattice_create(&bind->def, NULL, &bind->lattice, NULL) != SN_RESULT_OK) {
        return false;
    }
    bind->widths = calloc(bind->lattice->particle_count, 1);
    if (bind->widths != NULL) memset(bind->widths, 2, bind->lattice->particle_count);
    return bind->widths != NULL;
}

static void release(Bind* bind) {
    sn_lattice_destroy(bind->lattice);
    sn_model_destroy(bind->model);
    free(bind->triangles);
    free(bind->points);
    free(bind->copy);
    free(bind->widths);
}

static void run_once(Bind* bind, uint32_t which) {
    if (which == 0) {
        size_t points = bind->def.point_count * sizeof(snVec3);
        memcpy(bind->copy, bind->points, points);
        memcpy(bind->copy + points, bind->triangles, bind->copy_size - points);
    } else if (contestants[which].whole) {
        snBindDef def = sn_bind_def();
        def.cells = contestants[which].cells;
        def.method = contestants[which].method;
        def.level = contestants[which].level;
        if (!contestants[which].again) sn_model_set_binding(bind->model, NULL);
        sn_model_bind(bind->model, &def, NULL, NULL);
    } else if (contestants[which].cells != 0) {
        snLattice* lattice = NULL;
        bind->def.cells = contestants[which].cells;
        if (sn_lattice_create(&bind->def, NULL, &lattice, NULL) == SN_RESULT_OK) sn_lattice_destroy(lattice);
    } else {
        snRegions* regions = NULL;
        if (sn_regions_create(bind->lattice, bind->widths, NULL, &regions, NULL) == SN_RESULT_OK) {
            sn_regions_destroy(regions);
        }
    }
}

static const char* level_name(const Contestant* contestant) {
    return contestant->level == SN_CPU_AUTO ? "" : sn_cpu_level_name(contestant->level);
}

static int compare_doubles(const void* a, const void* b) {
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static void measure(Bind* bind, uint32_t rounds, bool warm, BenchReport* report) {
    for (uint32_t i = 0; i < contestant_count && warm; i++) run_once(bind, i);
    report->clock_before = bench_clock_ghz();
    for (uint32_t r = 0; r < rounds; r++) {
        for (uint32_t i = 0; i < contestant_count; i++) {
            double start = bench_seconds();
            run_once(bind, i);
            contestants[i].samples[r] = bench_seconds() - start;
        }
    }
    report->clock_after = bench_clock_ghz();
    for (uint32_t i = 0; i < contestant_count; i++) {
        qsort(contestants[i].samples, rounds, sizeof(double), compare_doubles);
        double seconds = contestants[i].samples[(rounds / 3) / 2];
        report->rows[report->row_count++] = (BenchRow){.name = contestants[i].name,
                                                       .level = level_name(&contestants[i]),
                                                       .workers = 1,
                                                       .nanoseconds = seconds * 1e9 / report->vertices};
    }
    for (uint32_t i = 0; i < report->row_count; i++) {
        report->rows[i].ratio = report->rows[0].nanoseconds / report->rows[i].nanoseconds;
        report->rows[i].memcpy_ratio = report->rows[i].nanoseconds / report->rows[0].nanoseconds;
    }
}

static void print_table(Bind* bind, const BenchReport* report) {
    printf("scene %s: %u points, %u triangles; clock %.2f GHz before, %.2f after\n", report->scene,
           report->vertices, bind->def.triangle_count, report->clock_before, report->clock_after);
    printf("%-22s %-7s %10s %12s %10s %10s %10s\n", "what", "level", "ms", "ns/triangle", "memcpys", "cells",
           "particles");
    for (uint32_t i = 0; i < report->row_count; i++) {
        double seconds = report->rows[i].nanoseconds * 1e-9 * report->vertices;
        printf("%-22s %-7s %10.3f %12.1f %10.1f", report->rows[i].name, report->rows[i].level, seconds * 1e3,
               seconds * 1e9 / bind->def.triangle_count, report->rows[i].memcpy_ratio);
        bind->def.cells = contestants[i].cells;
        snLattice* lattice = NULL;
        if (contestants[i].cells != 0 &&
            sn_lattice_create(&bind->def, NULL, &lattice, NULL) == SN_RESULT_OK) {
            printf(" %10u %10u", lattice->cell_count, lattice->particle_count);
            sn_lattice_destroy(lattice);
        }
        printf("\n");
    }
}

bool bench_bind(uint32_t rounds, bool once, bool quiet, BenchReport* report) {
    Bind bind = {0};
    if (once)
        choose(large, sizeof large / sizeof large[0]);
    else
        choose(body, sizeof body / sizeof body[0]);
    bool ready = prepare(&bind, once ? 300000 : 28000);
    if (ready) {
        *report = (BenchReport){
            .scene = once ? "bind-300k" : "bind", .vertices = bind.def.point_count, .joints = 38};
        measure(&bind, once ? 1 : rounds, !once, report);
        if (!quiet) print_table(&bind, report);
    }
    release(&bind);
    return ready;
}
