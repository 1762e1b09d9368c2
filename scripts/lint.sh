#!/bin/sh
# Formatting, clang's warnings, clang-tidy, cppcheck. Any finding fails. gcc's warnings are seen by building.
set -eu
cd "$(dirname "$0")/.."

echo "clang-format"
scripts/format.sh --check

# Tests say why they are skipped; scripts/skips.sh counts by it.
if grep -rnE '(^|[^_[:alnum:]])skip\(\)' tests --include='*.c' --include='*.h'; then
    echo "skip() without a reason: use test_skip(\"no ...\")"
    exit 1
fi

build=build-lint
CC=clang cmake -S . -B $build -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >/dev/null

tidy() { # SOURCES OPTIONS...: nothing is compiled for it
    list=$1
    shift
    # The kernels appear once per instruction set in the database; one of them is enough.
    # shellcheck disable=SC2086  # the list is meant to split
    printf '%s\n' $list | xargs -P 2 -n 8 clang-tidy -p $build --quiet --warnings-as-errors='*' "$@" \
        >$build/tidy 2>$build/tidy.err || { grep -E 'error|warning' $build/tidy; exit 1; }
}

echo "clang: warnings and clang-tidy"
sources=$(git ls-files 'src/*.c' 'io/*.c' 'apps/*.c' 'bench/*.c' 'samples/*.c')
tidy "$sources"
tidy "$(git ls-files 'tests/*.c')" --checks='-*,clang-diagnostic-*,readability-duplicate-include'

echo "cppcheck"
check() {
    cppcheck --quiet --error-exitcode=1 --std=c11 --enable=warning,performance,portability --inline-suppr \
        --suppress=missingIncludeSystem --suppress=normalCheckLevelMaxBranches -I include -I src -I io -I apps/render -I apps/sinew -I bench \
        -D SNI_LEVEL_SCALAR -j 2 "$@"
}
# Jansson's loop is no macro it knows; defined here it would break the macros of all other files, so it is defined for one.
# shellcheck disable=SC2046  # the list is meant to split
check $(printf '%s\n' $sources | grep -v '^io/json.c$')
check -D 'json_object_foreach(o,k,v)=for(k=0,v=0;;)' io/json.c
echo "lint: clean"
