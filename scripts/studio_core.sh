#!/bin/sh
# studio_core.sh [threads] [handles]: builds the package @sinew/core into studio/core/dist: the library as WebAssembly, the
# functions and types of its headers. With `threads` also the build for pages that are cross-origin isolated, with `handles`
# also those with CHOLMOD, for posing by handles. Needs Emscripten and Node.js (scripts/deps.sh wasm).
set -eu
cd "$(dirname "$0")/.."
command -v node >/dev/null 2>&1 || { echo "skipped: no Node.js"; exit 77; }
command -v emcc >/dev/null 2>&1 || { echo "skipped: no Emscripten"; exit 77; }
export NODE_PATH="${NODE_PATH:-/usr/share/nodejs}"
jobs=${JOBS:-$(nproc)}
dist=studio/core/dist
mkdir -p "$dist"
scripts/wasm_libraries.sh build-wasm-libraries

quiet() { # quiet LOG COMMAND...
    log=$1
    shift
    "$@" >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
}
# build PRESET FOLDER OPTION...
build() {
    preset=$1
    folder=$2
    shift 2
    mkdir -p "$folder"
    quiet "$folder/configure.log" cmake --preset "$preset" -B "$folder" "$@"
    quiet "$folder/build.log" cmake --build "$folder" -j "$jobs" --target sinew_core
    cp "$folder"/studio/core/sinew*.mjs "$folder"/studio/core/sinew*.wasm "$dist/"
}

# Its workers are made by src/index.js, as modules that bundlers find.
use_own_workers() {
    glue=$1
    sed -i 's|new Worker(new URL("[a-z.-]*",import.meta.url))|Module["sinewWorker"]()|' "$glue"
    grep -q 'Module\["sinewWorker"\]()' "$glue" || { echo "studio_core.sh: the glue makes workers in another way" >&2; exit 1; }
}

# What is not asked for now would be of other sources.
rm -f "$dist"/sinew-*.wasm
build studio build-studio
for extra in "$@"; do
    case $extra in
    threads)
        build studio-threads build-studio-threads
        use_own_workers "$dist/sinew-threads.mjs"
        ;;
    handles)
        scripts/suitesparse.sh build-suitesparse
        build studio build-studio-handles -DSINEW_SUITESPARSE="$PWD/build-suitesparse"
        ;;
    *) echo "studio_core.sh: $extra is neither threads nor handles" >&2; exit 2 ;;
    esac
done
# What was never built says so, and bundlers find all that is named.
for glue in sinew-threads sinew-handles; do
    [ -e "$dist/$glue.wasm" ] || echo "export default () => Promise.reject(new Error(\"$glue is not in this build\"));" >"$dist/$glue.mjs"
done
cp studio/core/src/*.js studio/core/src/*.d.ts "$dist/"
cp build-studio/studio/core/generated/*.js build-studio/studio/core/generated/headers.d.ts "$dist/"
