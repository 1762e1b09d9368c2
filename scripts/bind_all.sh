#!/bin/sh
# Binds every character of the data folder to its own skeleton and every mesh to a simple one, and prints a
# table; then two hundred meshes made ugly. Exits with 1 when anything fails or a vertex is left without weight.
#
# usage: scripts/bind_all.sh [build folder]
set -u
cd "$(dirname "$0")/.." || exit 1
build=${1:-build}
data=${SINEW_DATA_DIR:-../shared/data}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
failed=0

if [ ! -d "$data" ]; then
    echo "skipped: there is no data folder $data"
    exit 0
fi

value() { sed -n "s/^ *\"$1\": \([^,]*\),*$/\1/p" "$out/report.json" | head -n 1; }

# bind NAME ARGUMENTS...
bind() {
    name=$1
    shift
    if ! "$build/sinew" bind "$@" -o "$out/bound.glb" --json --quiet > "$out/report.json" 2> "$out/error.txt"; then
        printf '%-32s FAILED %s\n' "$name" "$(cat "$out/error.txt")"
        failed=1
        return
    fi
    [ "$(value unweighted_vertices)" = 0 ] || failed=1
    printf '%-32s %8s %8s %8s %8s %8.0f %6s\n' "$name" "$(value vertices)" "$(value cells)" \
        "$(value duplicated_cells)" "$(value particles)" \
        "$(echo "$(value bind_seconds)" | awk '{print $1 * 1000}')" "$(value unweighted_vertices)"
}

# A chain of four joints along the longest side of a mesh, as BVH.
simple_skeleton() {
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
            print "End Site {\nOFFSET", step[1], step[2], step[3], "\n}\n}\n}\n}\n}"
            print "MOTION\nFrames: 1\nFrame Time: 0.033\n0 0 0 0 0 0 0 0 0 0 0 0"
        }'
}

printf '%-32s %8s %8s %8s %8s %8s %6s\n' "" vertices cells copies particles ms unwgt.
for file in "$data"/characters/*.glb "$data"/characters/*.gltf "$data"/characters/*.mhskel; do
    [ -e "$file" ] && bind "$(basename "$file")" "$file"
done
for file in "$data"/meshes/*.obj "$data"/ugly/*.o* "$data"/characters/*.obj "$data"/characters/*.glb; do
    [ -e "$file" ] || continue
    simple_skeleton "$file" > "$out/simple.bvh"
    bind "$(basename "$file") + chain" "$file" --skeleton "$out/simple.bvh"
done
if [ -x "$build/tests/bind/test_bind_ugly" ]; then
    "$build/tests/bind/test_bind_ugly" > "$out/ugly.txt" 2>&1 || failed=1
    grep "bound," "$out/ugly.txt"
fi
exit $failed
