#!/bin/sh
# Draws docs/images/judges.png: the same moments as Sinew computes them, and as Sinew, three.js and Blender show the
# files it wrote. Needs Blender, Chromium and npm ci.
# scripts/judge_figures.sh [BUILD] [OUT.png]
set -eu
cd "$(dirname "$0")/.."

build=${1:-build}
sheet=${2:-docs/images/judges.png}
data=${SINEW_DATA_DIR:-../shared/data}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

size=300
pictures=
row() { # NAME TARGET SECONDS YAW PITCH INPUT...
    name=$1 target=$2 time=$3 yaw=$4 pitch=$5
    shift 5
    "$build"/sinew animate "$@" --from "$time" --to "$time" --camera "$yaw,$pitch" --size ${size}x${size} \
        -o "$work/$name.0.png" --quiet
    "$build"/sinew animate "$@" --target "$target" -o "$work/$name.glb" --quiet
    "$build"/sinew animate "$work/$name.glb" --clip 0 --skin linear --volume none --flesh off --from "$time" --to "$time" \
        --camera "$yaw,$pitch" --size ${size}x${size} -o "$work/$name.1.png" --quiet
    node scripts/judge_picture.mjs "$work/$name.glb" "$time" "$yaw" "$pitch" $size "$work/$name.2.png"
    blender -b --factory-startup --python-exit-code 1 --python scripts/judge_picture.py -- \
        "$work/$name.glb" "$time" "$yaw" "$pitch" $size "$work/$name.3.png" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
    pictures="$pictures $work/$name.0.png $work/$name.1.png $work/$name.2.png $work/$name.3.png"
}
row body joints 0.4 30 10 builtin:body --clip jump
row stag morph 0.2 60 10 "$data/characters/quat_animals_pack_Stag.glb" --clip 'AnimalArmature|Gallop' --flesh on
row knight joints 0.3 30 10 "$data/characters/kaykit_Knight.glb" --clip Running_A --flesh on
row robot morph 0.4 30 10 "$data/characters/RobotExpressive.glb" --clip Running --style soft

# shellcheck disable=SC2086
"$build"/sinew_sheet "$sheet" "The same moment in three programs" \
    "what sinew animate computes, and what Sinew, three.js and Blender show of the file it writes" \
    "computed|Sinew, from the file|three.js|Blender" \
    "flesh, helper joints|flesh, morph targets|flesh, helper joints|style, morph targets" $pictures
