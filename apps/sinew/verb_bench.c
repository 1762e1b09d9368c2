// sinew bench: the benchmark program under the same roof.
#include "bench.h"
#include "verbs.h"

const cliVerb verb_bench = {.name = "bench",
                            .summary = "Measure the deformers on this machine",
                            .operands = "",
                            .run_words = sn_bench_main};
