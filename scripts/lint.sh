#!/bin/sh
# Formatting, rooms, documentation, clang's warnings, clang-tidy, cppcheck. Any finding fails. gcc's warnings are seen by building.
# NODES=225000 scripts/lint.sh lets clang's analyzer follow each function three times as far, which is its default and
# takes three times as long.
set -eu
cd "$(dirname "$0")/.."

echo "clang-format"
scripts/format.sh --check

echo "rooms"
scripts/rooms.py

echo "documentation"
scripts/api_page.py --check
scripts/wrap_docs.py --check
mkdir -p out
doxygen docs/Doxyfile

# Tests say why they are skipped; scripts/skips.sh counts by it.
if grep -rnE '(^|[^_[:alnum:]])skip\(\)' tests --include='*.c' --include='*.h'; then
    echo "skip() without a reason: use test_skip(\"no ...\")"
    exit 1
fi

# clang-tidy reads a source once for every command that compiles it. Kernels are compiled once per instruction set, and
# some sources of the program once more for tests: so the sources are listed without either.
configure() { # FOLDER OPTIONS...: nothing is compiled in it
    folder=$1
    shift
    CC=clang cmake -S . -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_EXPORT_COMPILE_COMMANDS=ON "$@" >/dev/null
}

tidy() { # FOLDER SOURCES OPTIONS...
    build=$1 list=$2
    shift 2
    # shellcheck disable=SC2086  # the list is meant to split
    printf '%s\n' $list | xargs -P 2 -n 4 clang-tidy -p "$build" --quiet --warnings-as-errors='*' --extra-arg=-Xclang \
        --extra-arg=-analyzer-config --extra-arg=-Xclang --extra-arg=max-nodes="${NODES:-75000}" "$@" \
        >"$build/tidy" 2>"$build/tidy.err" || { grep -E 'error|warning' "$build/tidy" || cat "$build/tidy.err"; exit 1; }
}

echo "clang: warnings and clang-tidy"
# All but what Emscripten alone can compile, and what a build of its own and a test have.
sources=$(git ls-files 'src/*.c' ':!src/bind/tuning.c' 'job/*.c' ':!job/context_emscripten.c' 'io/*.c' 'document/*.c' 'render/*.c' ':!render/*_web.c' 'apps/*.c' 'bench/*.c' 'samples/*.c')
configure build-lint -DSINEW_SIMD=OFF -DSINEW_TESTS=OFF
tidy build-lint "$sources"
configure build-lint-tests
tidy build-lint-tests src/bind/tuning.c
tidy build-lint-tests "$(git ls-files 'tests/*.c')" --checks='-*,clang-diagnostic-*,readability-duplicate-include'

echo "cppcheck"
check() {
    cppcheck --quiet --error-exitcode=1 --std=c11 --enable=warning,performance,portability --inline-suppr \
        --suppress=missingIncludeSystem --suppress=normalCheckLevelMaxBranches -I include -I src -I job -I io -I document -I . -I render -I apps/batch -I apps/sinew -I bench \
        -D SNI_LEVEL_SCALAR -j 2 "$@"
}
# Jansson's loop is no macro it knows; defined here it would break the macros of all other files, so it is defined for one.
# shellcheck disable=SC2046  # the list is meant to split
check $(printf '%s\n' $sources | grep -v '^io/json.c$')
check -D SNI_TUNING src/bind/tuning.c
check -D 'json_object_foreach(o,k,v)=for(k=0,v=0;;)' io/json.c
echo "lint: clean"
