#!/bin/sh
# readme_sample.sh [--check]: keeps the program in README.md equal to samples/01_hello/hello.c.
set -eu
cd "$(dirname "$0")/.."
fresh=$(mktemp)
trap 'rm -f "$fresh"' EXIT
awk -v sample=samples/01_hello/hello.c '
/^```c$/ && !done { print; while ((getline line < sample) > 0) print line; skip = 1; done = 1; next }
/^```$/ { skip = 0 }
!skip { print }' README.md >"$fresh"
if [ "${1:-}" = "--check" ]; then
    cmp -s README.md "$fresh" || { echo "README.md and samples/01_hello/hello.c differ: run scripts/readme_sample.sh"; exit 1; }
else
    cp "$fresh" README.md
fi
