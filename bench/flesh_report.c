// Figures of flesh as tables and as JSON.
#include <stdio.h>
#include <string.h>

#include "flesh.h"

static const char* const STAGE_NAMES[FLESH_STAGES] = {"skin of the particles",
                                                      "volume of the parts",
                                                      "points of the regions",
                                                      "region sums, rotations",
                                                      "goals",
                                                      "integration",
                                                      "show",
                                                      "surface"};
static const char* const STAGE_KEYS[FLESH_STAGES] = {"skin",  "volume",    "points", "fit",
                                                     "goals", "integrate", "show",   "surface"};
static const char* const PLAIN_NAMES[PLAIN_COUNT] = {
    "memcpy of the output", "linear, scalar loop", "linear, by vertex",
    "linear, by joint set", "dual, by vertex",     "dual, by joint set",
    "displaced by lattice", "displaced, smooth",   "hung, smooth"};
static const char* const PLAIN_KEYS[PLAIN_COUNT] = {
    "memcpy",   "scalar_loop",     "linear",     "linear_by_joint_set", "dual", "dual_by_joint_set",
    "displace", "displace_smooth", "hang_smooth"};

static const char* rest_name(int run) { return flesh_rests[run] == SN_FLESH_INITIAL ? "initial" : "primary"; }

static double matching(const FleshFigures* f, int run) {
    double sum = 0.0;
    for (int s = FLESH_POINTS; s <= FLESH_INTEGRATE; s++) sum += f->stages[run][s];
    return sum;
}

// ------------------------------------------------------------------------------------------------ one body

static void print_plain(const FleshFigures* f) {
    printf("%-24s %9s %14s %9s %9s\n", "what", "us", "ns/item", "x linear", "x by set");
    for (int i = 0; i < PLAIN_COUNT; i++) {
        printf("%-24s %9.1f %7.2f vertex %9.2f %9.2f\n", PLAIN_NAMES[i], f->plain[i] * 1e6,
               f->plain[i] * 1e9 / f->vertices, f->plain[i] / f->plain[PLAIN_LINEAR],
               f->plain[i] / f->plain[PLAIN_PLAN]);
    }
}

static void print_run(const FleshFigures* f, int run) {
    printf("rest %s, %u sweep%s:\n", rest_name(run), flesh_sweeps[run], flesh_sweeps[run] > 1 ? "s" : "");
    for (int s = 0; s < FLESH_STAGES; s++) {
        bool by_vertex = s == FLESH_SURFACE;
        uint64_t counted = run == FLESH_RUNS - 1 ? f->instructions[s] : 0;
        printf("  %-22s %9.1f %7.2f %-8s", STAGE_NAMES[s], f->stages[run][s] * 1e6,
               f->stages[run][s] * 1e9 / (by_vertex ? f->vertices : f->particles),
               by_vertex ? "vertex" : "particle");
        if (counted != 0)
            printf("%16.1f instructions", (double)counted / (by_vertex ? f->vertices : f->particles));
        printf("\n");
    }
    printf("  %-22s %9.1f %7.2f %-8s\n", "shape matching, all", matching(f, run) * 1e6,
           matching(f, run) * 1e9 / f->particles, "particle");
    printf("  %-22s %9.1f %7.2f %-7s %8.2f %9.2f\n", "whole frame", f->frames[run] * 1e6,
           f->frames[run] * 1e9 / f->vertices, "vertex", f->frames[run] / f->plain[PLAIN_LINEAR],
           f->frames[run] / f->plain[PLAIN_PLAN]);
}

static void print_body(const FleshFigures* f) {
    printf("%u vertices, %u joints, %u cells, %u particles, width %u (%.1f particles a region)\n",
           f->vertices, f->joints, f->cells, f->particles, f->width, f->region_mean);
    print_plain(f);
    for (int run = 0; run < FLESH_RUNS; run++) print_run(f, run);
    printf("moving state %.1f KB a character, static tables %.2f MB a mesh\n",
           (double)f->state_bytes / 1024.0, (double)f->static_bytes / (1024.0 * 1024.0));
    if (f->instructions[FLESH_POINTS] != 0) {
        printf(
            "instructions by callgrind, which has no AVX-512; all of shape matching under its first pass\n");
    }
}

static void print_crowd(const FleshCrowd* c) {
    printf("characters, clip to surface: linear %.1f us, lattice skin with everything on %.1f us, dual skin "
           "with "
           "everything on %.1f us a frame\n",
           c->linear * 1e6, c->lattice * 1e6, c->dual * 1e6);
    printf("%u characters on %u workers: %.2f ms a frame, %.0f characters at 60 Hz\n", c->count, c->workers,
           c->crowd * 1e3, c->count / (c->crowd * 60.0));
    printf("the first character holds %.2f MB with its tables, each further one %.2f MB; %llu allocations "
           "in all frames\n",
           (double)c->first_bytes / (1024.0 * 1024.0), (double)c->next_bytes / (1024.0 * 1024.0),
           (unsigned long long)c->allocations);
}

// -------------------------------------------------------------------------------------------------- sizes

// Frames a second in table 1 of Chen et al. 2012, drawing included: a laptop and a desktop of its time.
static const struct {
    uint32_t particles;
    double laptop, desktop;
} PAPER[] = {{1072, 148.6, 215.3}, {1906, 92.7, 134.2}, {2451, 61.7, 99.4}, {3058, 42.4, 81.6}};

static void print_paper(const FleshFigures* f) {
    for (size_t i = 0; i < sizeof PAPER / sizeof PAPER[0]; i++) {
        double ratio = (double)f->particles / PAPER[i].particles;
        if (f->width != 2 || f->vertices > 50000 || ratio < 0.93 || ratio > 1.07) continue;
        printf("   (table 1: %u particles, %.0f and %.0f)", PAPER[i].particles, PAPER[i].laptop,
               PAPER[i].desktop);
    }
    printf("\n");
}

static void print_sizes(const FleshReport* report) {
    printf("%8s %9s %5s %7s %10s %11s %9s %9s %9s %10s\n", "vertices", "particles", "width", "region",
           "frame us", "ns/particle", "ns/vertex", "x linear", "x by set", "frames/s");
    printf("%40s %10s %11s %9s   rest primary, one sweep\n", "", "", "matching", "surface");
    for (uint32_t i = 0; i < report->figure_count; i++) {
        const FleshFigures* f = &report->figures[i];
        const int run = 2;
        printf("%8u %9u %5u %7.1f %10.1f %11.1f %9.2f %9.2f %9.2f %10.0f", f->vertices, f->particles,
               f->width, f->region_mean, f->frames[run] * 1e6, matching(f, run) * 1e9 / f->particles,
               f->stages[run][FLESH_SURFACE] * 1e9 / f->vertices, f->frames[run] / f->plain[PLAIN_LINEAR],
               f->frames[run] / f->plain[PLAIN_PLAN], 1.0 / f->frames[run]);
        print_paper(f);
    }
}

void flesh_print(const FleshReport* report) {
    printf("scene %s: the walk, positions and normals, one core; clock %.2f GHz before, %.2f after\n",
           report->scene, report->clock_before, report->clock_after);
    if (!report->has_crowd) {
        print_sizes(report);
        return;
    }
    print_body(&report->figures[0]);
    print_crowd(&report->crowd);
}

// --------------------------------------------------------------------------------------------------- JSON

static void write_run(FILE* file, const FleshFigures* f, int run) {
    fprintf(file,
            "        {\"rest\": \"%s\", \"sweeps\": %u, \"frame_us\": %.3f, \"over_linear\": %.4f, "
            "\"over_linear_by_joint_set\": %.4f, \"matching_ns_per_particle\": %.3f, \"stages_us\": {",
            rest_name(run), flesh_sweeps[run], f->frames[run] * 1e6, f->frames[run] / f->plain[PLAIN_LINEAR],
            f->frames[run] / f->plain[PLAIN_PLAN], matching(f, run) * 1e9 / f->particles);
    for (int s = 0; s < FLESH_STAGES; s++) {
        fprintf(file, "%s\"%s\": %.3f", s > 0 ? ", " : "", STAGE_KEYS[s], f->stages[run][s] * 1e6);
    }
    fprintf(file, "}}%s\n", run + 1 < FLESH_RUNS ? "," : "");
}

static void write_body(FILE* file, const FleshFigures* f, bool last) {
    fprintf(file,
            "    {\"vertices\": %u, \"joints\": %u, \"cells\": %u, \"particles\": %u, \"width\": %u, "
            "\"region_mean\": %.2f,\n      \"state_bytes\": %zu, \"static_bytes\": %zu, \"plain_us\": {",
            f->vertices, f->joints, f->cells, f->particles, f->width, f->region_mean, f->state_bytes,
            f->static_bytes);
    for (int i = 0; i < PLAIN_COUNT; i++) {
        fprintf(file, "%s\"%s\": %.3f", i > 0 ? ", " : "", PLAIN_KEYS[i], f->plain[i] * 1e6);
    }
    fprintf(file, "},\n");
    if (f->instructions[FLESH_POINTS] != 0) {
        fprintf(file,
                "      \"instructions\": {\"skin\": %llu, \"volume\": %llu, \"matching\": %llu, "
                "\"show\": %llu, \"surface\": %llu},\n",
                (unsigned long long)f->instructions[FLESH_SKIN],
                (unsigned long long)f->instructions[FLESH_VOLUME],
                (unsigned long long)f->instructions[FLESH_POINTS],
                (unsigned long long)f->instructions[FLESH_SHOW],
                (unsigned long long)f->instructions[FLESH_SURFACE]);
    }
    fprintf(file, "      \"runs\": [\n");
    for (int run = 0; run < FLESH_RUNS; run++) write_run(file, f, run);
    fprintf(file, "      ]}%s\n", last ? "" : ",");
}

static void write_crowd(FILE* file, const FleshCrowd* c) {
    fprintf(file,
            "  \"characters\": {\"linear_us\": %.3f, \"lattice_us\": %.3f, \"dual_us\": %.3f, "
            "\"first_bytes\": %zu, \"next_bytes\": %zu, \"allocations\": %llu},\n"
            "  \"crowd\": {\"characters\": %u, \"workers\": %u, \"frame_ms\": %.4f},\n",
            c->linear * 1e6, c->lattice * 1e6, c->dual * 1e6, c->first_bytes, c->next_bytes,
            (unsigned long long)c->allocations, c->count, c->workers, c->crowd * 1e3);
}

bool flesh_write_json(const FleshReport* report, const char* path) {
    bool to_stdout = strcmp(path, "-") == 0;
    FILE* file = to_stdout ? stdout : fopen(path, "w");
    if (file == NULL) return false;
    fprintf(file, "{\n  \"scene\": \"%s\",\n  \"clock_ghz\": [%.3f, %.3f],\n", report->scene,
            report->clock_before, report->clock_after);
    if (report->has_crowd) write_crowd(file, &report->crowd);
    fprintf(file, "  \"bodies\": [\n");
    for (uint32_t i = 0; i < report->figure_count; i++) {
        write_body(file, &report->figures[i], i + 1 == report->figure_count);
    }
    fprintf(file, "  ]\n}\n");
    return to_stdout ? fflush(file) == 0 : fclose(file) == 0;
}
