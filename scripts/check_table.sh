#!/bin/sh
# Checks every character of the data folder with its artist's weights and with automatic ones, and prints a table
# of the worst values: a plain number is fine, w warns, F fails.
#
# With --promise it compares plain skin, exact volume, and exact volume with contact instead (linear, no flesh), and
# fails where one of the two flips more faces, or makes surface cross by more than two points of percent.
#
# usage: scripts/check_table.sh [build folder] [--promise | options of sinew check]
set -u
cd "$(dirname "$0")/.." || exit 1
build=${1:-build}
[ $# -gt 0 ] && shift
data=${SINEW_DATA_DIR:-../shared/data}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
measures="volume joint-volume section stretch flip crossing seam bleed dropped"

if [ ! -d "$data" ]; then
    echo "skipped: there is no data folder $data"
    exit 0
fi

# row NAME WEIGHTS CHECK-ARGUMENTS...
row() {
    name=$1 weights=$2
    shift 2
    "$build/sinew" check "$@" --json --quiet > "$out/report.json" 2> "$out/error.txt"
    if [ $? -gt 1 ]; then
        printf '%-26s %-9s %s\n' "$name" "$weights" "$(head -n 1 "$out/error.txt")"
        return
    fi
    awk -v name="$name" -v weights="$weights" -v list="$measures" '
        /^  "verdict":/ { gsub(/[",]/, "", $2); verdict = $2 }
        /^        "[a-z-]*": \{/ { key = $1; gsub(/[":]/, "", key) }
        /^          "value":/ { gsub(/,/, "", $2); value[key] = $2 }
        /^          "verdict":/ { gsub(/[",]/, "", $2); how[key] = $2 == "fail" ? "F" : ($2 == "warn" ? "w" : " ") }
        END {
            line = sprintf("%-26s %-9s %-5s", name, weights, verdict)
            count = split(list, names, " ")
            for (i = 1; i <= count; i++) {
                percent = 100 * value[names[i]]
                shown = percent == 0 ? "0" : (percent < 1 ? sprintf("%.2f", percent) : sprintf("%.0f", percent))
                line = line sprintf(" %7s%s", shown, how[names[i]])
            }
            print line
        }' "$out/report.json"
}

# values FILE OPTIONS...: worst volume, stretch, flips and crossings, in percent.
values() {
    model=$1
    shift
    "$build/sinew" check "$model" --skin linear --flesh off "$@" --json --quiet > "$out/report.json" 2> "$out/error.txt"
    [ $? -gt 1 ] && return 1
    awk '
        /^        "[a-z-]*": \{/ { key = $1; gsub(/[":]/, "", key) }
        /^          "value":/ { gsub(/,/, "", $2); value[key] = 100 * $2 }
        END { print value["volume"], value["stretch"], value["flip"], value["crossing"] }' "$out/report.json"
}

if [ "${1:-}" = "--promise" ]; then
    elephant="$out/elephant.glb"
    "$build/sinew" bind "$data/meshes/cgal_refined_elephant.off" --skeleton "$data/meshes/elephant_sit.bvh" -o "$elephant" --quiet
    broken=0
    printf '%-36s %24s %24s %24s\n' "character: none, exact, contact" stretch flip crossing
    for file in "$data"/characters/*.glb "$data"/characters/*.gltf "$elephant"; do
        [ -e "$file" ] || continue
        plain=$(values "$file" --volume none) && exact=$(values "$file" --volume exact) &&
            contact=$(values "$file" --volume exact --contact on) || {
            printf '%-36s   refused: %s\n' "$(basename "$file")" "$(head -n 1 "$out/error.txt")"
            continue
        }
        # shellcheck disable=SC2086 # four numbers each
        printf '%s %s %s %s %s %s %s %s %s %s %s %s\n' $plain $exact $contact | awk -v name="$(basename "$file")" '{
            for (i = 4; i <= 8; i += 4) {
                way = i == 4 ? "exact" : "contact"
                if ($(3 + i) > $3 + 0.05) verdict = verdict " " way " flips"
                if ($(4 + i) > $4 + 2) verdict = verdict " " way " crosses"
            }
            printf "%-36s", name
            for (i = 2; i <= 4; i++) printf "   %6.2f %6.2f %6.2f", $i, $(i + 4), $(i + 8)
            print verdict == "" ? "   holds" : "   broken:" verdict
            exit verdict != "" }' || broken=$((broken + 1))
    done
    echo "$broken characters break the promise"
    [ "$broken" -eq 0 ]
    exit
fi

printf '%-26s %-9s %-5s' character weights ""
for measure in $measures; do printf ' %8.8s' "$measure"; done
printf '\n'
for file in "$data"/characters/*.glb "$data"/characters/*.gltf "$data"/characters/*.mhskel; do
    [ -e "$file" ] || continue
    name=$(basename "$file")
    row "$name" own "$file" "$@"
    for weights in auto heat geodesic; do
        if "$build/sinew" bind "$file" --weights $weights -o "$out/bound.glb" --quiet 2> "$out/error.txt"; then
            row "" $weights "$out/bound.glb" "$@"
        else
            printf '%-26s %-9s %s\n' "" $weights "$(head -n 1 "$out/error.txt")"
        fi
    done
done
