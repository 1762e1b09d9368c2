#!/bin/sh
# quality.sh [METHOD...]: how close automatic weights come to those of artists, character by character.
#
# Takes the weights off nine rigged characters, binds them anew and measures how far the surface moves from
# the artist's over clips and ranges of motion. The tools and the characters are not part of this repository:
# they lie in SINEW_DATA_DIR and in tools/bind-quality beside it; without them there is nothing to measure.
set -eu
cd "$(dirname "$0")/.."
data=${SINEW_DATA_DIR:-../shared/data}
tools=$data/../tools/bind-quality
out=build/quality
sinew=build/sinew
if [ ! -d "$data/characters" ] || [ ! -f "$tools/score.py" ]; then
    echo "skipped: no characters and tools in $data (SINEW_DATA_DIR)"
    exit 0
fi
python=python3
/usr/bin/python3 -c 'import numpy' 2>/dev/null && python=/usr/bin/python3 # Debian's numpy belongs to Debian's python
if ! "$python" -c 'import numpy' 2>/dev/null; then
    echo "skipped: python3 has no numpy"
    exit 0
fi
mkdir -p "$out"
# A tools folder may be read-only: no caches there.
export PYTHONDONTWRITEBYTECODE=1

# NAME SOURCE [arguments of extract.py]
characters() {
    c=$data/characters
    echo "RiggedFigure $c/RiggedFigure.glb"
    echo "Fox $c/Fox.glb"
    echo "Knight $c/kaykit_Knight.glb"
    echo "Robot $c/RobotExpressive.glb --rigid"
    echo "MakeHuman $c/mh_base.obj --mhskel $c/mh_default.mhskel --mhw $c/mh_default_weights.mhw"
    echo "Casual $c/quat_modular_men_Casual.glb"
    echo "Witch $c/quat_modular_women_Witch.glb"
    echo "Horse $c/quat_animals_pack_Horse.glb"
    echo "Trex $c/quat_dinosaurs_pack_Trex.glb"
}

# Mesh, skeleton and the list of deforming joints of every character, without weights.
prepare() {
    characters | while read -r name source arguments; do
        [ -f "$out/$name.deform.txt" ] && continue
        # shellcheck disable=SC2086  # the arguments are meant to split
        "$python" "$tools/extract.py" "$source" "$out/$name.npz" --name "$name" $arguments >/dev/null
        "$python" "$tools/unskin.py" "$out/$name.npz" "$out" >/dev/null
    done
}

# One row: the score, and what the program itself reports.
row() { # row METHOD NAME
    bound=$out/$1-$2
    if ! "$sinew" bind "$out/$2.obj" --skeleton "$out/$2.bvh" --joints "$out/$2.deform.txt" --weights "$1" \
        --json -o "$bound.glb" >"$bound.json" 2>"$bound.log"; then
        cat "$bound.log" >&2
        exit 1
    fi
    "$python" "$tools/score.py" "$out/$2.npz" "$bound.glb" >"$bound.txt"
    tr -d ' \n' <"$bound.json" | awk -v name="$2" -v method="$1" -v score="$(cat "$bound.txt")" '
    function after(label,   i) { for (i = 1; i < n; i++) if (f[i] == label) return f[i + 1]; return "-" }
    function value(key,   s) { s = $0; sub(".*\"" key "\":", "", s); sub(",\".*", "", s); return s }
    {
        n = split(score, f, " ")
        list = $0
        sub(".*\"joints_without_weight\":\\[", "", list)
        sub("\\].*", "", list)
        without = list == "" ? 0 : split(list, parts, ",")
        printf "| %s | %s | %.2f | %.3f | %.4f | %.2f %% | %d | %.3f s |\n", name, method, after("rms"),
            after("jrel"), after("bleed"), after("unw%"), without, value("bind_seconds")
    }'
}

table() { # table METHOD
    characters | while read -r name rest; do row "$1" "$name"; done | tee "$out/$1.md"
    awk -F'|' -v method="$1" '{ sum += log($4); count++; split($9, t, " "); seconds += t[1] }
    END { printf "| **geometric mean** | %s | **%.2f** | | | | | %.2f s in all |\n", method, exp(sum / count), seconds }' \
        "$out/$1.md"
}

prepare
[ $# -gt 0 ] || set -- auto heat geodesic
echo "rms: distance to the artist's surface in 1/1000 of the diagonal; jrel: the same for every joint alike, 0 to 1;"
echo "bleed: weight on joints the artist does not use nearby; then vertices and joints without weight, and seconds."
echo
echo "| character | weights | rms | jrel | bleed | unweighted | idle joints | time |"
echo "|---|---|---|---|---|---|---|---|"
for method in "$@"; do table "$method"; done
