#!/bin/sh
# One set of examples on many bodies: roles_table.sh OUT [BUILD]. The shipped walk, jump and poses on models with a rig of
# one command each (sinew rig MODEL -o): prints a table, and lays moments of all side by side in OUT/roles.png. Meshes come
# from SINEW_DATA_DIR; those that are not there are left out. Needs sinew and sinew_sheet of the folder BUILD (default: build).
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

# most KEY FILE: the largest number of that key.
most() { sed -n "s/.*\"$1\": *\([-0-9.e]*\).*/\1/p" "$2" | awk 'NR == 1 || $1 > most { most = $1 } END { printf "%.4g", most }'; }
# at SHARE FILE: seconds of a share of what was played.
at() { awk -v share="$1" '/"fps"/ { fps = $2 + 0 } /"frames"/ && !frames { frames = $2 + 0 } END { printf "%.3f", share * (frames - 1) / fps }' "$2"; }

# play NAME MODEL FOLDER PATH SHARE...: a path on a model, and pictures of some of its moments.
play() {
    name=$1 model=$2 folder=$3 path=$4
    shift 4
    # shellcheck disable=SC2086  # units are two words
    "$sinew" animate "$model" $unit --rig "$work/$name.snrig" --examples "$examples/$folder" --path "$examples/$path.json" \
        -o "$work/played.pc2" --json --quiet >"$work/$name.$folder"
    for share in "$@"; do
        picture=$work/$name.$folder.$share.png
        # shellcheck disable=SC2086
        "$sinew" animate "$model" $unit --rig "$work/$name.snrig" --examples "$examples/$folder" --path "$examples/$path.json" \
            --to "$(at "$share" "$work/$name.$folder")" -o "$picture" --camera 60,6 --size 260x260 --quiet
        pictures="$pictures $picture"
    done
}

# row NAME MODEL [UNIT]
row() {
    name=$1 model=$2 unit=${3:+--unit $3}
    case $model in builtin:*) ;; *) [ -e "$model" ] || { echo "left out: $model is not there"; return 0; } ;; esac
    # shellcheck disable=SC2086
    "$sinew" rig "$model" $unit -o "$work/$name.snrig" --quiet
    play "$name" "$model" walk speed 0.22 0.27
    play "$name" "$model" jump jump 0.27 0.35 0.44 0.61
    : >"$work/notes"
    for pose in run throw crouch; do
        # shellcheck disable=SC2086
        "$sinew" pose "$model" $unit --rig "$work/$name.snrig" --pose "$root/assets/poses/body/$pose.snpose" \
            -o "$work/$name.$pose.png" --camera 30,8 --size 260x260 2>>"$work/notes" >/dev/null
        pictures="$pictures $work/$name.$pose.png"
    done
    handles=$(grep -c '"name"' "$work/$name.snrig")
    elsewhere=$(sed -n 's/.*note: \([A-Za-z]*\) is no handle here.*/\1/p' "$work/notes" | sort -u | tr '\n' ' ')
    echo "| $name | $handles | $(most slide_max_mm "$work/$name.walk"), $(most stretch_max_mm "$work/$name.walk") |" \
        "$(most slide_max_mm "$work/$name.jump"), $(most stretch_max_mm "$work/$name.jump") | ${elsewhere:-none} |"
    rows="$rows${rows:+|}$name"
}

echo "| model | handles | walk: slide, out of reach (mm) | jump: slide, out of reach (mm) | parts of the poses that others stand for |"
echo "|---|---|---|---|---|"
row body builtin:body
row smpl_man "$data/meshes/human_man_smpl.obj"
row smpl_woman "$data/meshes/os_human_woman.obj"
# MakeHuman's file has clothes, hair and markers beside the body.
[ ! -e "$data/characters/mh_base.obj" ] ||
    awk '/^g / { body = $2 !~ /^(helper|joint)-/ } !/^f / || body' "$data/characters/mh_base.obj" >"$work/mh_body.obj"
row MakeHuman "$work/mh_body.obj" 0.1
row Casual "$data/characters/quat_modular_men_Casual.glb"
row Witch "$data/characters/quat_modular_women_Witch.glb"
row King "$data/characters/quat_modular_men_King.glb"
row RiggedFigure "$data/characters/RiggedFigure.glb"
row Knight "$data/characters/kaykit_Knight.glb"
# shellcheck disable=SC2086  # the lists are meant to split
"$build/sinew_sheet" "$out/roles.png" "One set of examples, many bodies" "rigs of one command each; walk at the speed of people, jump, three poses" \
    "walk|walk|crouch|take-off|air|landing|run|throw|crouch" "$rows" $pictures
