#!/bin/sh
# Walks and jumps of three bodies, moment by moment: path_sheet.sh OUT [BUILD]. Level ground from standing to standing, hills,
# a stair, a corner and the jump, on the built-in body, a bare mesh and a cartoon: lays moments of all side by side in
# OUT/paths_sheet.png, a row a scene and body. Meshes come from SINEW_DATA_DIR; those that are not there are left out. Needs
# sinew and sinew_sheet of the folder BUILD (default: build), and ffmpeg.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
out=$1
build=${2:-$root/build}
data=${SINEW_DATA_DIR:-$root/../shared/data}
sinew=$build/sinew
examples=$root/assets/examples
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rows="" pictures=""

# scene NAME MODEL EXAMPLES PATH VIEW SHARE...: moments of a film of a path, as shares of its time.
scene() {
    name=$1 model=$2 folder=$3 path=$4 view=$5
    shift 5
    film=$work/$name.$path.mp4
    "$sinew" animate "$model" --rig "$work/$name.snrig" --examples "$examples/$folder" --path "$examples/$path.json" \
        -o "$film" --camera "$view" --size 200x220 --json --quiet >"$work/played"
    for share in "$@"; do
        picture=$work/$name.$path.$share.png
        frame=$(awk -v share="$share" '/"frames"/ && !n { n = $2 + 0 } END { printf "%.0f", share * (n - 1) }' "$work/played")
        ffmpeg -v error -y -i "$film" -vf "select=eq(n\\,$frame)" -frames:v 1 "$picture"
        pictures="$pictures $picture"
    done
    rows="$rows${rows:+|}$name, $path"
}

# body NAME MODEL
body() {
    case $2 in builtin:*) ;; *) [ -e "$2" ] || { echo "left out: $2 is not there"; return 0; } ;; esac
    "$sinew" rig "$2" -o "$work/$1.snrig" --quiet
    scene "$1" "$2" walk flat 70,5 0 0.1 0.2 0.42 0.48 0.54 0.6 0.88 0.94 1
    scene "$1" "$2" walk hills 70,8 0.1 0.2 0.3 0.38 0.44 0.5 0.56 0.64 0.72 0.8
    scene "$1" "$2" walk stairs 70,8 0.12 0.2 0.26 0.32 0.38 0.44 0.5 0.56 0.62 0.7
    scene "$1" "$2" walk corner 30,12 0.3 0.36 0.42 0.46 0.5 0.54 0.58 0.62 0.68 0.74
    scene "$1" "$2" jump jump 70,5 0 0.2 0.28 0.34 0.38 0.46 0.54 0.62 0.74 1
}

body body builtin:body
body human_man_smpl "$data/meshes/human_man_smpl.obj"
body King "$data/characters/quat_modular_men_King.glb"
# shellcheck disable=SC2086  # the list is meant to split
"$build/sinew_sheet" "$out/paths_sheet.png" "Walks and a jump, moment by moment" "from left to right; level ground from standing to standing" \
    "1|2|3|4|5|6|7|8|9|10" "$rows" $pictures
