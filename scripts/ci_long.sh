#!/bin/sh
# What .ci/run has no time for: every test under every compiler and sanitizer, hashes of combinations that it computes
# only one by one (clang or SIMD at -O0, gcc without SIMD at -O3, gcc with -march=native, WebAssembly through Emscripten's
# optimiser), clang's analyzer at its full depth, a million random frames, and an hour of fuzzing that watches the
# library too.
set -eu
cd "$(dirname "$0")/.."
.ci/run
NODES=225000 scripts/lint.sh
for preset in debug scalar; do
    scripts/build.sh "$preset"
    ctest --preset "$preset" -j 2
done
# As .ci/run has built it, and every test with all its rounds.
ctest --test-dir build-asan --output-on-failure -j 2 -L unit
make wasm
# Numbers and rules that are not in its list do not compile.
scripts/build.sh tuning
cmake -S . -B build-golden-native -G Ninja -DCMAKE_C_COMPILER=gcc -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS=-march=native \
    -DSINEW_IO=OFF -DSINEW_APPS=OFF -DSINEW_TESTS=OFF -DSINEW_BENCH=OFF -DSINEW_SAMPLES=OFF -DSINEW_GOLDEN=ON >/dev/null
cmake --build build-golden-native --target golden
build-golden-native/tests/golden/golden
scripts/build.sh tsan
ctest --preset tsan -j 2 -L unit
cmake -S . -B build-clang -G Ninja -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Release >/dev/null
cmake --build build-clang
ctest --test-dir build-clang --output-on-failure -j 2
cmake -S . -B build-clang-debug -G Ninja -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Debug -DSINEW_IO=OFF -DSINEW_APPS=OFF \
    -DSINEW_TESTS=OFF -DSINEW_BENCH=OFF -DSINEW_SAMPLES=OFF -DSINEW_GOLDEN=ON >/dev/null
cmake --build build-clang-debug --target golden
build-clang-debug/tests/golden/golden
# A million frames of random characters, poses and settings.
SINEW_FRAMES=1000000 build-clang/tests/document/test_document_random_frames
# The studio with threads and FBX, and 200 rounds of opening and closing.
scripts/deps.sh build fbx node browser
scripts/studio.sh
scripts/studio_test.sh long
# Batches: a node that dies, a runner that is killed, a disk that is full, a hundred thousand jobs.
scripts/deps.sh slurm
scripts/batch_kill.sh build/sinew
scripts/batch_slurm.sh build/sinew
scripts/batch_scale.sh build/sinew
scripts/fuzz.sh 3600
