#!/bin/sh
# test.sh BUILD JOBS: says what this machine cannot test, then runs ctest, whose summary comes last.
set -eu
cd "$(dirname "$0")/.."
have() { command -v "$1" >/dev/null 2>&1; }
have node || echo "skipped: no Node.js, so the glTF validator and the WASM hash do not run"
if have node; then
    have emcc || echo "skipped: no Emscripten, so the WASM hash does not run"
    [ -d node_modules/gltf-validator ] || echo "skipped: no gltf-validator (npm ci), so written files are not validated"
    [ -d node_modules/three ] || echo "skipped: no three.js (npm ci), so morph targets are not played in a browser"
fi
have chromium || echo "skipped: no Chromium, so morph targets are not played in a browser"
have ffmpeg || echo "skipped: no ffmpeg, so films are not tested"
have blender || echo "skipped: no Blender, so FBX files are not made and point caches are not opened there"
data=$(sed -n 's/^SINEW_DATA_DIR:PATH=//p' "$1/CMakeCache.txt")
[ -d "$data" ] || echo "skipped: no real characters in $data (SINEW_DATA_DIR)"
exec ctest --test-dir "$1" --output-on-failure -j "$2"
