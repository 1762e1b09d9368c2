// The benchmark program. `sinew bench` and `sinew_bench` are the same.
#ifndef SINEW_BENCH_H
#define SINEW_BENCH_H

#include <stdint.h>

#include "sinew/sinew.h"

// Runs with the arguments after the program or verb name; returns the exit code.
int sn_bench_main(int argc, char** argv);

// ------------------------------------------------------------------------------------------------- clock

double bench_seconds(void);
// Clock rate in GHz from a chain of dependent register additions; the honest figure to print beside times.
double bench_clock_ghz(void);
// Median of the best third of the samples, which are sorted.
double bench_best_median(double* samples, uint32_t count);

// ------------------------------------------------------------------------------------------------ scenes

// A skinned mesh in a pose, as arrays. Made by scenes.c, shared by all contestants.
typedef struct BenchScene {
    const char* name;
    snModel* model;
    snCharacter* linear; // whole frames
    snCharacter* dual;
    uint32_t vertices;
    uint32_t joints;
    uint32_t influences;
    const snVec3* points;
    snVec3* normals;
    const uint16_t* skin_joints;
    const float* weights;
    snMat4* matrices;
    snSkinPlan* plan;
    snVec3* out_points;
    snVec3* out_normals;
    snVec3* copy; // for memcpy
    void* scratch;
    snPool* pool;
    snTasks tasks;
} BenchScene;

// Room for arrays that SIMD reads, beyond their end too; free() it.
void* bench_room(size_t bytes);
// Names: "body", "body-112k", "tube".
snResult bench_scene_create(const char* name, uint32_t workers, BenchScene* out);
void bench_scene_destroy(BenchScene* scene);

// ---------------------------------------------------------------------------------------------- baseline

// Linear skinning as one writes it first: a loop over vertices, four influences, scalar arithmetic, positions
// and normals by cofactors. Every ratio is against this.
void bench_baseline_linear(const BenchScene* scene);

// ---------------------------------------------------------------------------------------------- results

typedef struct BenchRow {
    const char* name;
    const char* level; // instruction set, or "" where it does not apply
    uint32_t workers;
    double nanoseconds;    // per vertex, best median
    double ratio;          // baseline / this: above 1 is faster than the scalar loop
    double memcpy_ratio;   // this / memcpy of the output
    uint64_t instructions; // per vertex times 1000; 0 when not counted
} BenchRow;

typedef struct BenchReport {
    const char* scene;
    uint32_t vertices;
    uint32_t joints;
    double clock_before, clock_after; // GHz
    uint32_t row_count;
    BenchRow rows[64];
} BenchReport;

// Binds the built-in body instead of skinning it, or once a body of 300,000 vertices; fills the report and,
// unless quiet, prints its own table. False when there is no memory for it. Rounds: at most 200.
bool bench_bind(uint32_t rounds, bool once, bool quiet, BenchReport* report);

// Frames with flesh, "flesh", or of many sizes, "flesh-sizes"; prints and writes its own tables. Returns the
// exit code.
typedef struct BenchFleshOptions {
    const char* scene;
    uint32_t rounds;  // 3 to 200
    uint32_t workers; // of the crowd
    snCpuLevel level;
    const char* json; // or NULL
    bool quiet;
    bool instructions;
    int count_one; // stage to run for callgrind, or -1
} BenchFleshOptions;
int bench_flesh(const BenchFleshOptions* options);

// Exact volume, at the sizes of the paper and on the body; ratios of its rows are those of plain linear
// skinning to it. False when there is no memory for it. Rounds: at most 200.
bool bench_volume(uint32_t rounds, bool quiet, BenchReport* report);

// Baking to helper joints: seconds and memory against vertices and frames. One round.
bool bench_bake(uint32_t rounds, bool quiet, BenchReport* report);

// Spline skinning, plain and with styles; ratios as above.
bool bench_spline(uint32_t rounds, bool quiet, BenchReport* report);

// Edits of a character that plays, up to the next frame, against a new character. Rounds: at most 200.
bool bench_edits(uint32_t rounds, bool quiet, BenchReport* report);

// Edits of a document with its history, up to the next frame; where the build has files. Rounds: at most 200.
bool bench_documents(uint32_t rounds, bool quiet, BenchReport* report);

// Where long calls on a model cannot be cut; where the build has files. Rounds: a tenth of them.
bool bench_slices(const char* path, uint32_t rounds, bool quiet, BenchReport* report);

// Frames of a viewport; where the build has the renderer. Rounds: at most 200.
bool bench_draw(uint32_t rounds, bool quiet, BenchReport* report);

// Posing by handles; where the build has CHOLMOD.
bool bench_handles(uint32_t rounds, bool quiet, BenchReport* report);

// Everything that has kernels, on every instruction set. Rounds: at most 200.
bool bench_levels(uint32_t rounds, bool instructions, bool quiet, BenchReport* report);
// Its contestants by number; NULL beyond the last.
const char* bench_level_contestant(uint32_t contestant);
// What one of them needs on a level, as bench_count_instructions counts it.
uint64_t bench_level_instructions(uint32_t contestant, snCpuLevel level);
// Runs the one that is counted; false when there is none, or no memory for it.
bool bench_level_run(uint32_t index);

// This program under callgrind, running one contestant of a scene once; counts what happens inside the
// function named. Returns the instructions, 0 when valgrind is absent.
uint64_t bench_count_instructions(const char* scene, uint32_t index, const char* function);

void bench_print_table(const BenchReport* report);
// Path "-" writes to standard output. Returns false when the file cannot be written.
bool bench_write_csv(const BenchReport* report, const char* path);
bool bench_write_json(const BenchReport* report, const char* path);

#endif
