#!/bin/sh
# Draws docs/images/retarget.png: moments of captures on characters of the data folder.
# scripts/retarget_figures.sh [BUILD] [OUT.png]
set -eu
cd "$(dirname "$0")/.."

build=${1:-build}
sheet=${2:-docs/images/retarget.png}
data=${SINEW_DATA_DIR:-../shared/data}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

characters="RobotExpressive quat_modular_men_Casual quat_modular_women_Witch kaykit_Knight RiggedFigure bjs_HVGirl m2m_sintel vrm_Godette"
pictures=
row() { # MOTION SECONDS
    for character in $characters; do
        picture=$work/$(printf '%s_%s_%s' "$1" "$2" "$character" | tr . _).png
        "$build"/sinew animate "$data/characters/$character.glb" "$data/motion/$1.bvh" --from "$2" --size 240x240 \
            --camera 30,6 -o "$picture" --quiet
        pictures="$pictures $picture"
    done
}
row cmu_02_01_walk 1.2
row cmu_05_02_dance 4.0
row cmu_49_06_cartwheel 1.7
row cmu_49_06_cartwheel 2.2
row mh_zombieWalk1 0.6

# shellcheck disable=SC2086
"$build"/sinew_sheet "$sheet" "Captures on eight characters, with nothing but the file names given" \
    "sinew animate CHARACTER MOTION: names matched, rests taken from bind matrices, glitches cleaned, all on the floor" \
    "RobotExpressive|Casual|Witch|Knight|RiggedFigure|HVGirl|Sintel|Godette" \
    "walk|dance|cartwheel 1.7 s|cartwheel 2.2 s|zombie walk" $pictures
