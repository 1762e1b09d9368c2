#!/bin/sh
# Runs the benchmark and writes its table between the speed markers: all of it into docs/bench.md, what one uses on what
# most have into README.md.
set -eu
cd "$(dirname "$0")/.."
csv=$(mktemp)
trap 'rm -f "$csv" "$csv.md"' EXIT
build/bench/sinew_bench --scene "${1:-body}" --csv "$csv" --quiet
fill() { # fill PAGE PATTERN WHOLE: rows whose "what,level" matches; WHOLE 1: with the cost in memcpys
    awk -F, -v wanted="$2" -v whole="$3" '
NR == 1 { printf "| what | instruction set | ns/vertex | times the scalar loop |%s\n", whole ? " times a memcpy |" : ""
          print "|---|---|---|---|" (whole ? "---|" : ""); next }
$3 "," $4 ~ wanted { printf "| %s | %s | %.2f | %.1f |%s\n", $3, $4, $6, $7, whole ? sprintf(" %.1f |", $8) : "" }' "$csv" >"$csv.md"
    awk -v table="$csv.md" '
/<!-- speed begin/ { print; while ((getline line < table) > 0) print line; skip = 1; next }
/<!-- speed end/ { skip = 0 }
!skip { print }' "$1" >"$1.tmp"
    mv "$1.tmp" "$1"
}
fill docs/bench.md . 1
fill README.md '^scalar loop|by joint set,avx' 0
