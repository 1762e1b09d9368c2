#!/bin/sh
# wasm.sh SOURCE: the golden hashes as WebAssembly in Node, those of files and of calls in slices too. Skipped where Node.js or Emscripten is absent.
set -eu
cd "$1"
command -v node >/dev/null 2>&1 || { echo "skipped: no Node.js"; exit 77; }
command -v emcc >/dev/null 2>&1 || { echo "skipped: no Emscripten"; exit 77; }
mkdir -p build-wasm
scripts/suitesparse.sh build-suitesparse || echo "without the sources of SuiteSparse handles are left out"
scripts/wasm_libraries.sh build-wasm-libraries || echo "without the sources of jansson, zlib and libpng files are left out"
sources=
[ -e build-suitesparse ] && sources=$PWD/build-suitesparse
libraries=
[ -e build-wasm-libraries/ready ] && libraries=$PWD/build-wasm-libraries
io=${libraries:+ON}
# Emscripten's own optimiser, at the end, takes half a minute and gains nothing here; `make wasm` has it.
{ cmake --preset wasm -DSINEW_SUITESPARSE="$sources" -DSINEW_IO="${io:-OFF}" -DSINEW_IO_SOURCES="$libraries" \
    -DCMAKE_EXE_LINKER_FLAGS_RELEASE="${LINK--O1}" && cmake --build --preset wasm; } >build-wasm/log 2>&1 || { cat build-wasm/log; exit 1; }
node build-wasm/tests/golden/golden.js
if [ -n "$libraries" ]; then
    node build-wasm/tests/golden/golden_files.js
    node build-wasm/tests/golden/golden_slices.js
fi
