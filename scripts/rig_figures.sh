#!/bin/sh
# Draws docs/images/rigs.png: the handles that sinew rig guesses. scripts/rig_figures.sh [BUILD]
set -eu
cd "$(dirname "$0")/.."

build=${1:-build}
data=${SINEW_DATA_DIR:-../shared/data}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

draw() { # NAME MODEL VIEW MORE-VIEW
    "$build"/sinew rig "$2" --from auto -o "$work/$1.snrig" --quiet
    "$build"/sinew rig "$2" --show "$work/$1.snrig" --camera "$3" --size 400x400 -o "$work/$1_1.png" --quiet
    "$build"/sinew rig "$2" --show "$work/$1.snrig" --camera "$4" --size 400x400 -o "$work/$1_2.png" --quiet
}
draw body builtin:body 20,8 200,12
draw man "$data/meshes/human_man_smpl.obj" 20,8 200,12
draw casual "$data/characters/quat_modular_men_Casual.glb" 20,8 200,12
draw robot "$data/characters/RobotExpressive.glb" 25,8 205,12
draw spot "$data/meshes/spot_quadrangulated.obj" 215,15 35,15
draw scorpion "$data/meshes/scorpion_low.obj" 35,25 -145,30

"$build"/sinew_sheet docs/images/rigs.png "Rigid parts, guessed by the shape" \
    "sinew rig MODEL --from auto: a color for each handle, grey is free, dots are what they turn about" \
    "built-in body|human_man_smpl|Casual: 4 parts|RobotExpressive: 14 parts|spot|scorpion_low" "one side|the other" \
    "$work"/body_1.png "$work"/man_1.png "$work"/casual_1.png "$work"/robot_1.png "$work"/spot_1.png "$work"/scorpion_1.png \
    "$work"/body_2.png "$work"/man_2.png "$work"/casual_2.png "$work"/robot_2.png "$work"/spot_2.png "$work"/scorpion_2.png
