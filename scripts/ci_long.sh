#!/bin/sh
# What .ci/run has no time for: every test under every compiler and sanitizer, and an hour of fuzzing.
set -eu
cd "$(dirname "$0")/.."
.ci/run
for preset in debug scalar; do
    scripts/build.sh "$preset"
    ctest --preset "$preset" -j 2
done
scripts/build.sh tsan
ctest --preset tsan -j 2 -L unit
cmake -S . -B build-clang -G Ninja -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Release >/dev/null
cmake --build build-clang
ctest --test-dir build-clang --output-on-failure -j 2
scripts/fuzz.sh 3600
