// Results as a table, as CSV and as JSON.
#include <stdio.h>
#include <string.h>

#include "bench.h"

void bench_print_table(const BenchReport* report) {
    printf("scene %s: %u vertices, %u joints, positions and normals; clock %.2f GHz before, %.2f after\n",
           report->scene, report->vertices, report->joints, report->clock_before, report->clock_after);
    printf("%-22s %-8s %7s %10s %14s %10s%s\n", "what", "level", "workers", "ns/vertex", "speed-up",
           "memcpys", report->rows[0].instructions ? "  instructions/vertex" : "");
    for (uint32_t i = 0; i < report->row_count; i++) {
        const BenchRow* row = &report->rows[i];
        printf("%-22s %-8s %7u %10.3f %14.2f %10.2f", row->name, row->level, row->workers, row->nanoseconds,
               row->ratio, row->memcpy_ratio);
        if (row->instructions != 0) printf("  %19.1f", (double)row->instructions * 1e-3);
        printf("\n");
    }
}

static FILE* open_output(const char* path) { return strcmp(path, "-") == 0 ? stdout : fopen(path, "w"); }

static bool close_output(FILE* file) {
    if (file == stdout) return fflush(file) == 0;
    return fclose(file) == 0;
}

bool bench_write_csv(const BenchReport* report, const char* path) {
    FILE* file = open_output(path);
    if (file == NULL) return false;
    fprintf(file, "scene,vertices,what,level,workers,ns_per_vertex,speedup_over_scalar_loop,"
                  "cost_in_memcpys,instructions_per_vertex\n");
    for (uint32_t i = 0; i < report->row_count; i++) {
        const BenchRow* row = &report->rows[i];
        fprintf(file, "%s,%u,%s,%s,%u,%.4f,%.3f,%.3f,", report->scene, report->vertices, row->name,
                row->level, row->workers, row->nanoseconds, row->ratio, row->memcpy_ratio);
        if (row->instructions != 0) fprintf(file, "%.3f", (double)row->instructions * 1e-3);
        fprintf(file, "\n");
    }
    return close_output(file);
}

bool bench_write_json(const BenchReport* report, const char* path) {
    FILE* file = open_output(path);
    if (file == NULL) return false;
    fprintf(file,
            "{\n  \"scene\": \"%s\",\n  \"vertices\": %u,\n  \"joints\": %u,\n  \"clock_ghz\": [%.3f, "
            "%.3f],\n  \"rows\": [\n",
            report->scene, report->vertices, report->joints, report->clock_before, report->clock_after);
    for (uint32_t i = 0; i < report->row_count; i++) {
        const BenchRow* row = &report->rows[i];
        fprintf(file,
                "    {\"what\": \"%s\", \"level\": \"%s\", \"workers\": %u, \"ns_per_vertex\": %.4f, "
                "\"speedup_over_scalar_loop\": %.3f, \"cost_in_memcpys\": %.3f",
                row->name, row->level, row->workers, row->nanoseconds, row->ratio, row->memcpy_ratio);
        if (row->instructions != 0) {
            fprintf(file, ", \"instructions_per_vertex\": %.3f", (double)row->instructions * 1e-3);
        }
        fprintf(file, "}%s\n", i + 1 < report->row_count ? "," : "");
    }
    fprintf(file, "  ]\n}\n");
    return close_output(file);
}
