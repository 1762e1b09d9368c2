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
demo=$(mktemp -d)
trap 'rm -rf "$demo"' EXIT
$sinew demo -o "$demo" --quiet
cp "$demo/demo.png" "$out/demo.png"
ls -l "$out"
