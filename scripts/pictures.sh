#!/bin/sh
# Draws every picture of README.md and docs/ from the built-in character, with build/sinew.
set -eu
cd "$(dirname "$0")/.."
sinew=build/sinew
out=docs/images
mkdir -p "$out"

$sinew render builtin:body --clip walk --fps 20 -o "$out/walk.gif" --size 360x480 --quiet
$sinew render builtin:body --clip walk --sheet 6 --size 260x360 -o "$out/walk.png" --quiet
$sinew render builtin:body --clip jump --sheet 6 --size 260x360 -o "$out/jump.png" --quiet
$sinew render builtin:body --show weights:LeftUpperArm --size 640x640 -o "$out/weights.png" --quiet
$sinew render builtin:body --wireframe --camera 25,5 --size 640x640 -o "$out/wireframe.png" --quiet
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
$sinew demo -o "$work" --quiet >/dev/null
cp "$work/demo.png" "$out/demo.png"

# One motion on four skeletons. Needs the real characters (all CC0) and motion; without them the picture stays.
data=${SINEW_DATA_DIR:-../shared/data}
motion=$data/motion/cmu_49_06_cartwheel.bvh
if [ -e "$motion" ]; then
    inputs="" filters="" rows=0
    for character in builtin:body "$data/characters/mh_default.mhskel" "$data/characters/quat_modular_women_Witch.glb" \
        "$data/characters/quat_modular_men_Casual.glb"; do
        $sinew animate "$character" "$motion" --from 0.4 -o "$work/row$rows.glb" --quiet
        $sinew render "$work/row$rows.glb" --clip 0 --sheet 8 --size 200x200 --camera 215,12 -o "$work/row$rows.png" --quiet
        inputs="$inputs -i $work/row$rows.png"
        # The title and the times of every sheet are the same; the pictures are enough.
        filters="$filters[$rows:v]crop=iw:ih-60:0:60[r$rows];"
        rows=$((rows + 1))
    done
    # shellcheck disable=SC2086  # the list is meant to split
    ffmpeg -v error -y $inputs -filter_complex "$filters[r0][r1][r2][r3]vstack=inputs=4" -frames:v 1 "$out/cartwheel.png"
else
    echo "no real characters in $data: cartwheel.png is left as it is"
fi
ls -l "$out"
