#!/bin/sh
# Exact volume of simple shapes and of every character of the data folder: how far volumes are off at most over
# all frames, before and after the correction, and what at most was held back of a piece, which is no error. Exits
# with 1 when an error is above 1e-6.
#
# usage: scripts/volume_table.sh [build folder] [options of sinew animate]
set -u
cd "$(dirname "$0")/.." || exit 1
build=${1:-build}
[ $# -gt 0 ] && shift
data=${SINEW_DATA_DIR:-../shared/data}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
failed=0

# measure ANIMATE-ARGUMENTS...: the frames, pieces and errors of one motion as a line in $out/rows.
measure() {
    "$build/sinew" animate "$@" --volume exact -o "$out/points.pc2" --json --quiet \
        > "$out/report.json" 2> "$out/error.txt" || return 1
    awk '/^  "frames":/ { frames = $2 + 0 }
        /^  "volume_error_max":/ { after = $2 + 0 }
        /^  "volume_error_before_max":/ { before = $2 + 0 }
        /^  "volume_held_max":/ { held = $2 + 0 }
        /^      "kind": "kept"/ { kept++ }
        /^      "kind": "(rigid|flat|unoriented)"/ { left++ }
        END { print frames, kept + 0, left + 0, before, after, held }' "$out/report.json" >> "$out/rows"
}

# show NAME MOTION: the worst of the rows, which are then forgotten.
show() {
    awk -v name="$1" -v motion="$2" '
        {
            frames += $1; kept = $2; left = $3
            before = $4 > before ? $4 : before; after = $5 > after ? $5 : after; held = $6 > held ? $6 : held
        }
        END {
            large = after > 1e-6
            printf "%-28s %-12s %6d %6d %6d %9.3f %% %8.3f %%  %9.2e%s\n", name, motion, frames, kept, left,
                   100 * before, 100 * held, after, large ? "  TOO LARGE" : ""
            exit large
        }' "$out/rows" || failed=1
    : > "$out/rows"
}

# row NAME MOTION ANIMATE-ARGUMENTS...
row() {
    name=$1 motion=$2
    shift 2
    if measure "$@"; then
        show "$name" "$motion"
    else
        printf '%-28s %-12s %s\n' "$name" "$motion" "$(tail -n 1 "$out/error.txt")"
        failed=1
    fi
}

# clips NAME FILE OPTIONS...: all clips of the file as one row.
clips() {
    name=$1 file=$2 clip=0
    shift 2
    while measure "$file" --clip $clip "$@"; do clip=$((clip + 1)); done
    if [ $clip -gt 0 ]; then
        show "$name" "$clip clips"
    else
        printf '%-28s %-12s %s\n' "$name" clips "none, and no motion of people fits"
    fi
}

# A chain of four joints along the longest side of a mesh that bends by 70 degrees at each, as BVH.
chain() {
    "$build/sinew" info "$1" --json 2> /dev/null | tr -d '\n' | sed 's/.*"bounds": *{\([^}]*\)}.*/\1/' |
        sed 's/[^-0-9.e+]/ /g' | awk '{
            best = 1
            for (a = 1; a <= 3; a++) { low[a] = $a; size[a] = $(a + 3) - $a; if (size[a] > size[best]) best = a }
            for (a = 1; a <= 3; a++) start[a] = low[a] + size[a] * (a == best ? 0.05 : 0.5)
            for (a = 1; a <= 3; a++) step[a] = a == best ? size[a] * 0.225 : 0
            print "HIERARCHY"
            for (j = 0; j < 4; j++) {
                print (j == 0 ? "ROOT" : "JOINT") " bone" j " {"
                if (j == 0) print "OFFSET", start[1], start[2], start[3]
                else print "OFFSET", step[1], step[2], step[3]
                print "CHANNELS 3 Zrotation Xrotation Yrotation"
            }
            print "End Site {\nOFFSET", step[1], step[2], step[3], "\n}"
            print "}}}}\nMOTION\nFrames: 31\nFrame Time: 0.033333"
            for (f = 0; f <= 30; f++) {
                bend = 70 * f / 30
                print "0 0 0", bend, bend / 2, 0, bend, 0, bend / 3, bend, 0, 0
            }
        }' > "$out/chain.bvh"
}

# bent NAME MESH: bound to the chain and bent by it.
bent() {
    chain "$2"
    if "$build/sinew" bind "$2" --skeleton "$out/chain.bvh" -o "$out/bent.glb" --quiet 2> "$out/error.txt"; then
        row "$1" bend "$out/bent.glb" "$out/chain.bvh" --flesh off --from 0
    else
        printf '%-28s %-12s %s\n' "$1" bend "$(head -n 1 "$out/error.txt")"
        failed=1
    fi
}

# A sphere of quads, with triangles at its poles.
sphere() {
    awk 'BEGIN {
        pi = atan2(0, -1); n = 32; m = 16
        print "v 0 0.5 0"
        for (i = 1; i < m; i++) for (j = 0; j < n; j++)
            print "v", 0.5 * sin(pi * i / m) * sin(2 * pi * j / n), 0.5 * cos(pi * i / m), \
                  0.5 * sin(pi * i / m) * cos(2 * pi * j / n)
        print "v 0 -0.5 0"
        for (j = 0; j < n; j++) print "f 1", 2 + j, 2 + (j + 1) % n
        for (i = 0; i < m - 2; i++) for (j = 0; j < n; j++) {
            a = 2 + i * n + j; b = 2 + i * n + (j + 1) % n
            print "f", a, a + n, b + n, b
        }
        last = 2 + (m - 2) * n
        for (j = 0; j < n; j++) print "f", last + n, last + (j + 1) % n, last + j
    }' > "$out/sphere.obj"
}

printf '%-28s %-12s %6s %6s %6s %11s %10s  %9s\n' character motion frames kept alone before held after
: > "$out/rows"
bent "cube of quads" builtin:cube
sphere
bent sphere "$out/sphere.obj"
clips "cylinder of quads" builtin:tube "$@"
clips "square bar" builtin:bar "$@"
clips "builtin body" builtin:body "$@"
if [ ! -d "$data" ]; then
    echo "the rest is skipped: there is no data folder $data"
    exit $failed
fi
for mesh in "$data"/meshes/*.obj; do bent "$(basename "$mesh" .obj)" "$mesh"; done
for file in "$data"/characters/*.glb "$data"/characters/*.gltf "$data"/characters/*.mhskel builtin:body; do
    name=$(basename "$file")
    person=no
    for motion in 02_01_walk 49_06_cartwheel; do
        if measure "$file" "$data/motion/cmu_$motion.bvh" "$@"; then
            show "$name" "${motion##*_}"
            person=yes
        fi
    done
    # Animals do not walk like people: they have clips of their own.
    [ $person = yes ] || clips "$name" "$file" "$@"
done
exit $failed
