#!/bin/sh
# Line coverage of the library and its files by their own tests, without those of the program and golden hashes. Fails below
# 85 %. With SIMD: without it the tests take far longer than its kernels to compile.
set -eu
cd "$(dirname "$0")/.."
cmake -S . -B build-coverage -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O1 -DSINEW_COVERAGE=ON \
    -DSINEW_APPS=OFF -DSINEW_BENCH=OFF -DSINEW_SAMPLES=OFF -DSINEW_IO=ON >/dev/null
cmake --build build-coverage >build-coverage/log 2>&1 || { cat build-coverage/log; exit 1; }
find build-coverage -name '*.gcda' -delete
ctest --test-dir build-coverage -j 2 --timeout 900 -LE "golden|node|blender|docs" >build-coverage/ctest 2>&1 || { cat build-coverage/ctest; exit 1; }
gcovr --root . --object-directory build-coverage -j 2 --filter 'src/' --filter 'io/' --exclude-throw-branches --exclude 'src/base/simd' \
    --print-summary --fail-under-line 85 --txt build-coverage/coverage.txt
