// What a page waits for: the scenes "edits", "documents" and "slices", for machines without threads and
// processes. WebAssembly in Node.
//
// usage: sinew_bench_page [ROUNDS]
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"

int main(int argc, char** argv) {
    static BenchReport report;
    unsigned long given = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
    uint32_t rounds = given >= 3 && given <= 200 ? (uint32_t)given : 40;
    bool done = bench_edits(rounds, false, &report);
    printf("a document with its history\n");
    done = done && bench_documents(rounds, false, &report);
    done = done && bench_slices("builtin:body", rounds, false, &report);
    if (!done) fprintf(stderr, "sinew_bench_page: out of memory\n");
    return done ? 0 : 4;
}
