#!/bin/sh
# Runs the benchmark and writes its table between the speed markers: all of it into docs/bench.md, what one uses on what
# most have into README.md.
set -eu
cd "$(dirname "$0")/.."
csv=$(mktemp)
trap 'rm -f "$csv" "$csv.md"' EXIT
build/bench/sinew_bench --scene "${1:-body}" --csv "$csv" --quiet
fill() { # fill PAGE PATTERN: rows whose "what,level" matches
    awk -F, -v wanted="$2" '
NR == 1 { print "| what | instruction set | ns/vertex | times as fast as the scalar loop | cost in memcpys of the output |"; print "|---|---|---|---|---|"; next }
$3 "," $4 ~ wanted { printf "| %s | %s | %.2f | %.1f | %.1f |\n", $3, $4, $6, $7, $8 }' "$csv" >"$csv.md"
    awk -v table="$csv.md" '
/<!-- speed begin/ { print; while ((getline line < table) > 0) print line; skip = 1; next }
/<!-- speed end/ { skip = 0 }
!skip { print }' "$1" >"$1.tmp"
    mv "$1.tmp" "$1"
}
fill docs/bench.md .
fill README.md '^memcpy|^scalar loop|by joint set,avx'
