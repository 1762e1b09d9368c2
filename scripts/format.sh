#!/bin/sh
# format.sh [--check]: every C file of the repository in the house style.
set -eu
cd "$(dirname "$0")/.."
mode=-i
[ "${1:-}" = "--check" ] && mode="--dry-run -Werror"
# shellcheck disable=SC2046,SC2086  # the lists are meant to split
clang-format $mode $(git ls-files --cached --others --exclude-standard '*.c' '*.h')
