#!/bin/sh
# Line coverage of the library and its files by their own tests, without those of the program and golden hashes. Fails below
# 85 %. BUILD=FOLDER takes what the tests of a build with SINEW_COVERAGE have counted already.
set -eu
cd "$(dirname "$0")/.."
build=${BUILD:-build-coverage}

# With SIMD: without it the tests take far longer than its kernels to compile.
if [ -z "${BUILD:-}" ]; then
    CC=clang cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O2 -DSINEW_COVERAGE=ON \
        -DSINEW_APPS=OFF -DSINEW_BENCH=OFF -DSINEW_SAMPLES=OFF -DSINEW_IO=ON >/dev/null
    cmake --build "$build" >"$build/log" 2>&1 || { cat "$build/log"; exit 1; }
    rm -rf "$build/profiles"
    ctest --test-dir "$build" -j 2 --timeout 900 -L unit >"$build/ctest" 2>&1 || { cat "$build/ctest"; exit 1; }
fi

# The shared library has every line of the library; what else there is depends on what is installed. Object by object:
# llvm-cov 14 stumbles over archives whose members are not aligned. Only in a build with sanitizers may sinew-import open a
# file to count into.
objects=
for object in "$build"/src/CMakeFiles/sinew_pool.dir/base/*.o "$build"/src/CMakeFiles/sinew_sparse.dir/base/*.o \
    "$build"/job/CMakeFiles/sinew_job.dir/*.o "$build"/io/CMakeFiles/sinew_io.dir/*.o "$build"/document/CMakeFiles/sinew_document.dir/*.o ${BUILD:+"$build/sinew-import"}; do
    [ ! -e "$object" ] || objects="$objects -object $object"
done
llvm-profdata merge -sparse "$build"/profiles/*.profraw -o "$build/profile"
# shellcheck disable=SC2086  # the list is meant to split
llvm-cov report "$build/src/libsinew.so" $objects -instr-profile="$build/profile" -show-region-summary=false -show-branch-summary=false \
    -ignore-filename-regex=src/base/simd src job io document >"$build/coverage.txt"
awk '$1 == "TOTAL" { print "lines: " $7 " of " $5; cover = $7 } END { exit cover + 0 < 85 }' "$build/coverage.txt"
