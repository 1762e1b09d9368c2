#include "bench.h"

int main(int argc, char** argv) { return sn_bench_main(argc - 1, argv + 1); }
