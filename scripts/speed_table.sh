#!/bin/sh
# Runs the benchmark and writes its table into README.md between the two speed markers.
set -eu
cd "$(dirname "$0")/.."
csv=$(mktemp)
trap 'rm -f "$csv" "$csv.md"' EXIT
build/bench/sinew_bench --scene "${1:-body}" --csv "$csv" --quiet
awk -F, '
NR == 1 { print "| what | instruction set | ns/vertex | times as fast as the scalar loop | cost in memcpys of the output |"; print "|---|---|---|---|---|"; next }
{ printf "| %s | %s | %.2f | %.1f | %.1f |\n", $3, $4, $6, $7, $8 }' "$csv" >"$csv.md"
awk -v table="$csv.md" '
/<!-- speed begin/ { print; while ((getline line < table) > 0) print line; skip = 1; next }
/<!-- speed end/ { skip = 0 }
!skip { print }' README.md >README.md.tmp
mv README.md.tmp README.md
