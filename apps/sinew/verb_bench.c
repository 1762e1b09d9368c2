// sinew bench: the benchmark program under the same roof.
#include "bench.h"
#include "verbs.h"

cliExit verb_bench_main(int argc, char** argv) { return (cliExit)sn_bench_main(argc, argv); }

static cliExit run(const cliArguments* arguments) {
    char name[] = "bench";
    char* argv[] = {name, NULL};
    (void)arguments;
    return verb_bench_main(1, argv);
}

const cliVerb verb_bench = {.name = "bench",
                            .summary = "Measure the deformers on this machine (sinew bench --help)",
                            .operands = "",
                            .run = run};
