#!/bin/sh
# studio_fbx.sh: builds studio/core/dist/fbx.wasm, the importer of FBX that the package @sinew/core loads when it needs it. assimp
# is compiled from Debian's sources (scripts/deps.sh fbx has the headers that it needs). Exit code 77 where they cannot be had.
set -eu
cd "$(dirname "$0")/.."
command -v emcc >/dev/null 2>&1 || { echo "skipped: no Emscripten"; exit 77; }
export NODE_PATH="${NODE_PATH:-/usr/share/nodejs}"
[ -e build-assimp/assimp/code/AssetLib/FBX ] || scripts/debian_sources.sh build-assimp assimp
scripts/wasm_libraries.sh build-wasm-libraries
mkdir -p build-studio studio/core/dist
log=build-studio/fbx.log
{ cmake --preset studio -DSINEW_ASSIMP_SOURCES="$PWD/build-assimp/assimp" &&
    cmake --build build-studio -j "${JOBS:-$(nproc)}" --target sinew_fbx; } >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
cp build-studio/studio/core/fbx/fbx.wasm studio/core/dist/
