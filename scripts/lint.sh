#!/bin/sh
# Formatting, gcc and clang warnings, clang-tidy, cppcheck. Any finding fails.
set -eu
cd "$(dirname "$0")/.."

echo "clang-format"
scripts/format.sh --check

echo "warnings: gcc and clang"
for compiler in gcc clang; do
    CC=$compiler cmake -S . -B build-lint-$compiler -G Ninja -DSINEW_WERROR=ON -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >/dev/null
    cmake --build build-lint-$compiler >build-lint-$compiler/log 2>&1 || { cat build-lint-$compiler/log; exit 1; }
done

echo "clang-tidy"
sources=$(git ls-files 'src/*.c' 'io/*.c' 'apps/*.c' 'bench/*.c' 'samples/*.c')
# The kernels appear once per instruction set in the database; one of them is enough.
# shellcheck disable=SC2086  # the list is meant to split
printf '%s\n' $sources | xargs -P 2 -n 8 clang-tidy -p build-lint-clang --quiet --warnings-as-errors='*' \
    >build-lint-clang/tidy 2>build-lint-clang/tidy.err || { grep -E 'error|warning' build-lint-clang/tidy; exit 1; }

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
