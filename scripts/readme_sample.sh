#!/bin/sh
# readme_sample.sh [--check]: keeps the program in README.md equal to samples/01_hello/hello.c. --check also wants a speed
# table and every picture that the page shows.
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
    grep -q '^| linear by joint set' README.md || { echo "README.md has no speed table: run scripts/speed_table.sh"; exit 1; }
    for picture in $(grep -ho '(docs/images/[^)]*)' README.md | tr -d '()'); do
        [ -s "$picture" ] || { echo "README.md shows $picture, which is not there: run make pictures, or make studio-pictures"; exit 1; }
    done
else
    cp "$fresh" README.md
fi
