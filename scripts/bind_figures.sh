#!/bin/sh
# Draws docs/images/bind_figures.png: the cast of figures with known answers (tests/bind/test_figures.c), bound and
# posed, a color for each joint. scripts/bind_figures.sh [BUILD]; BEFORE=PROGRAM adds the weights of an older sinew.
set -eu
cd "$(dirname "$0")/.."

build=${1:-build}
before=${BEFORE:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
columns=6

"$build"/tests/bind/test_bind_figures --write "$work"

# What a figure is about is looked at from near by.
view() { # NUMBER
    case $1 in
        03) echo "--focus head --camera 200,12,0.42" ;;
        05) echo "--focus head --camera 20,5,0.22" ;;
        0[1-6]) echo "--focus head --camera 30,5,0.55" ;;
        11) echo "--focus hips --camera 40,8,0.22" ;;
        12) echo "--focus foot.l --camera 60,10,0.45" ;;
        15) echo "--focus chest --camera 215,12,0.5" ;;
        18) echo "--camera 20,8,0.6" ;;
        *) echo "--camera 30,8" ;;
    esac
}

draw() { # PROGRAM NUMBER OUT
    "$1" bind "$work/$2.obj" --skeleton "$work/$2.bvh" --joints "$work/$2.txt" -o "$work/bound.glb" --quiet
    # shellcheck disable=SC2046  # the list is meant to split
    "$build"/sinew render "$work/bound.glb" --clip 0 --time 1 --skin linear --volume none --flesh off --show weights:all \
        $(view "$2") --no-ground --size 220x220 -o "$3" --quiet
}

# One sheet for every six, as each figure has its own label; then one below the other. Only the first has a title.
title="Figures with known answers, bound and posed" subtitle="a color for each joint, blended by the weights"
labels="" now="" then="" number=0 sheets="" filters="" count=0
while IFS= read -r name; do
    number=$((number + 1))
    id=$(printf %02d $number)
    draw "$build/sinew" "$id" "$work/now_$id.png"
    [ -z "$before" ] || draw "$before" "$id" "$work/then_$id.png"
    labels="$labels|$name" now="$now $work/now_$id.png"
    [ -z "$before" ] || then="$then $work/then_$id.png"
    [ $((number % columns)) -eq 0 ] || continue
    # shellcheck disable=SC2086
    "$build"/sinew_sheet "$work/sheet_$count.png" "$title" "$subtitle" "${labels#|}" "${before:+before|}now" $then $now
    sheets="$sheets -i $work/sheet_$count.png"
    cut=0
    [ $count -eq 0 ] || cut=66
    filters="$filters[$count:v]crop=iw:ih-$cut:0:$cut[r$count];"
    labels="" now="" then="" count=$((count + 1))
done <"$work/names.txt"

stack=$(seq -f '[r%g]' 0 $((count - 1)) | tr -d '\n')
# shellcheck disable=SC2086
ffmpeg -v error -y $sheets -filter_complex \
    "$filters${stack}vstack=inputs=$count,split[a][b];[a]palettegen[p];[b][p]paletteuse=dither=bayer:bayer_scale=3" \
    -frames:v 1 docs/images/bind_figures.png
