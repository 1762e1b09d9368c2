#!/bin/sh
# Draws docs/images/retarget.png: moments of captures on characters of the data folder, and
# docs/images/retarget_animals.png: clips of animals on animals of other rigs.
# scripts/retarget_figures.sh [BUILD] [OUT.png] [ANIMALS.png]
set -eu
cd "$(dirname "$0")/.."

build=${1:-build}
sheet=${2:-docs/images/retarget.png}
animals=${3:-docs/images/retarget_animals.png}
data=${SINEW_DATA_DIR:-../shared/data}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

characters="RobotExpressive quat_modular_men_Casual quat_modular_women_Witch kaykit_Knight RiggedFigure bjs_HVGirl m2m_sintel vrm_Godette"
pictures=
# Who is upside down faces nowhere: there the view is the file's.
row() { # MOTION SECONDS VIEW
    for character in $characters; do
        picture=$work/$(printf '%s_%s_%s' "$1" "$2" "$character" | tr . _).png
        "$build"/sinew animate "$data/characters/$character.glb" "$data/motion/$1.bvh" --from "$2" --size 240x240 \
            --camera "$3" -o "$picture" --quiet
        pictures="$pictures $picture"
    done
}
row cmu_02_01_walk 1.2 three-quarter
row cmu_05_02_dance 4.0 three-quarter
row cmu_49_06_cartwheel 1.7 30,6
row cmu_49_06_cartwheel 2.2 30,6
row mh_zombieWalk1 0.6 three-quarter

# shellcheck disable=SC2086
"$build"/sinew_sheet "$sheet" "Captures on eight characters, with nothing but the file names given" \
    "sinew animate CHARACTER MOTION: names matched, rests taken from bind matrices, glitches cleaned, all on the floor" \
    "RobotExpressive|Casual|Witch|Knight|RiggedFigure|HVGirl|Sintel|Godette" \
    "walk|dance|cartwheel 1.7 s|cartwheel 2.2 s|zombie walk" $pictures

# Six moments of a clip on another animal: CHARACTER WHOSE CLIP
pictures=
film() {
    for moment in 0 1 2 3 4 5; do
        picture=$work/$(printf '%s_%s_%s_%s' "$1" "$2" "$3" "$moment" | tr '.|' __).png
        from=$(awk "BEGIN { print $moment * $4 / 6 }")
        "$build"/sinew animate "$data/characters/$1.glb" "$data/characters/$2.glb" --clip "$3" --from "$from" \
            --size 240x240 --camera side -o "$picture" --quiet
        pictures="$pictures $picture"
    done
}
film Fox quat_animals_pack_Horse 'AnimalArmature|Walk' 1.16
film pm_MountainLion quat_animals_pack_Horse 'AnimalArmature|Walk' 1.16
film quat_animals_pack_Alpaca quat_animals_pack_Horse 'AnimalArmature|Walk' 1.16
film pm_Deer quat_animals_pack_Stag 'AnimalArmature|Gallop' 0.5
film quat_animals_pack_Stag Fox Walk 0.7
film quat_dinosaurs_pack_Apatosaurus m2m_dragon Walk 1.3
film quat_dinosaurs_pack_Trex m2m_dragon Walk 1.3
film Fox quat_animals_pack_Horse 'AnimalArmature|Death' 1.0
film m2m_dragon quat_animals_pack_Stag 'AnimalArmature|Death' 1.0

# shellcheck disable=SC2086
"$build"/sinew_sheet "$animals" "Clips of animals on animals of other rigs" \
    "sinew animate CHARACTER ANIMAL --clip NAME: the ends of legs go the source's way, legs bend about their own joints" \
    "0|1/6|2/6|3/6|4/6|5/6" \
    "horse on fox|horse on lion|horse on alpaca|stag on deer|fox on stag|dragon on Apatosaurus|dragon on T-rex|horse dies on fox|stag dies on dragon" $pictures
