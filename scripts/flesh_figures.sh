#!/bin/sh
# Figures 8, 9, 10 and 12 of Chen et al. 2012 with our own characters, and what else flesh has to show:
# flesh_figures.sh OUT [DATA]. The built-in body is always drawn; with DATA (a folder with characters/, meshes/ and
# motion/) a horse, a man and others too. BEFORE=PROGRAM, the sinew of an older build: what changed since is drawn
# by both, beside or below one another. Needs build/sinew and build/sinew_sheet (or those in the folder SINEW_BUILD)
# and ffmpeg.
set -eu
out=$1
data=${2:-}
before=${BEFORE:-}
sinew=${SINEW_BUILD:-$(cd "$(dirname "$0")/.." && pwd)/build}/sinew
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# stack WAY OUT IN...: pictures side by side (hstack) or below one another (vstack).
stack() {
    way=$1 to=$2
    shift 2
    inputs="" count=0
    for picture in "$@"; do
        inputs="$inputs -i $picture"
        count=$((count + 1))
    done
    # shellcheck disable=SC2086  # the list is meant to split
    ffmpeg -v error -y $inputs -filter_complex "$way=inputs=$count" -frames:v 1 "$to"
}

$sinew bind builtin:body --keep-weights -o "$work/body.glb" --quiet
scenes="body:bend:1:LeftLowerArm:150,22"
films="body:jump"
if [ -d "$data/characters" ]; then
    $sinew bind "$data/characters/quat_animals_pack_Horse.glb" --keep-weights -o "$work/horse.glb" --quiet
    $sinew bind "$data/characters/quat_modular_men_Casual.glb" --keep-weights -o "$work/man.glb" --quiet
    $sinew animate "$work/man.glb" "$data/motion/cmu_49_06_cartwheel.bvh" --target skin -o "$work/man.glb" --quiet
    scenes="$scenes horse:4:0.25:FrontLowerLeg.L:70,8 man:0:1.3:LowerLeg.R:100,5"
    films="$films horse:4 man:0"
fi

# Figure 8: a joint without volume, how far volume moves it, and with volume.
rows=""
for scene in $scenes; do
    IFS=: read -r model clip time joint camera <<END
$scene
END
    picture() { $sinew render "$work/$model.glb" --clip "$clip" --time "$time" --focus "$joint" --camera "$camera" --flesh off --size 480x480 --quiet "$@"; }
    picture --volume none -o "$work/a.png"
    picture --volume parts --show moves -o "$work/b.png"
    picture --volume parts -o "$work/c.png"
    stack hstack "$work/row_$model.png" "$work/a.png" "$work/b.png" "$work/c.png"
    rows="$rows $work/row_$model.png"
done
# shellcheck disable=SC2086
if [ "$(echo $rows | wc -w)" -gt 1 ]; then stack vstack "$out/figure8.png" $rows; else cp $rows "$out/figure8.png"; fi

# Two seconds in which the built-in tube and bar stand still.
$sinew motion builtin:bar --clip twist -o "$work/bar.bvh" --quiet
awk '/^MOTION/ { exit } { print }' "$work/bar.bvh" >"$work/still.bvh"
awk '/^Frame Time/ { getline; print "MOTION"; print "Frames: 120"; print "Frame Time: 0.016666667"; for (f = 0; f < 120; f++) print }' \
    "$work/bar.bvh" >>"$work/still.bvh"

# Figure 9: a soft tube whose foot is held, pressed down from above, without and with the volume of the flesh. Above
# the pictures: the volume of the surface, of that at rest.
cat >"$work/pressed.json" <<END
{"flesh": {"delta": 1, "width": 8, "limit": 1, "bone_radius": 0, "layers": [{"distance": 0, "softness": 1}],
           "rules": [{"center": [0, 0, 0], "radius": 0.9, "softness": 0}]},
 "forces": {"pushes": [{"joint": "", "place": [0, 3, 0], "radius": 0.9, "move": [0, -0.75, 0], "from": 0.1, "to": 1.2}]}}
END
$sinew animate builtin:tube "$work/still.bvh" --no-feet -o "$work/tube.glb" --quiet
# moment VERB OF_FLESH OUT [OPTIONS...]: the pressed tube.
moment() {
    verb=$1 volume=$2 to=$3
    shift 3
    $sinew "$verb" "$work/tube.glb" --clip still --settings "$work/pressed.json" --flesh on --set volume.of_flesh="$volume" "$@" -o "$to" --quiet
}
enclosed() { $sinew info "$1" --json | awk '/^  "volume":/ { print $2 + 0 }'; }
cells="" below="" columns=""
for time in 0 0.3 0.6 1 1.4; do
    share=""
    for volume in off on; do
        moment animate "$volume" "$work/pressed.obj" --from "$time" --to "$time" # pressed_0001.obj
        now=$(enclosed "$work/pressed_0001.obj")
        [ "$time" != 0 ] || rest=$now
        share="$share${share:+, }$(awk -v now="$now" -v rest="$rest" 'BEGIN { printf "%.1f", 100 * now / rest }')"
        moment render "$volume" "$work/pressed_${volume}_$time.png" --time "$time" --camera 30,8,0.95 --size 250x400
    done
    columns="$columns${columns:+|}$time s: $share %"
    cells="$cells $work/pressed_off_$time.png" below="$below $work/pressed_on_$time.png"
done
# shellcheck disable=SC2086
"${sinew}_sheet" "$out/figure9.png" "A soft tube pressed down by 75 cm from 0.1 to 1.2 s" "volume of its surface, without and with volume.of_flesh" \
    "$columns" "without|with" $cells $below

# Figure 10: delta 0.7 above, 0.9 below.
for film in $films; do
    model=${film%%:*} clip=${film##*:}
    for delta in 0.7 0.9; do
        $sinew render "$work/$model.glb" --clip "$clip" --sheet 8 --set flesh.delta=$delta --set flesh.limit=0.2 --camera 70,5 --size 300x300 -o "$work/delta_$delta.png" --quiet
    done
    stack vstack "$out/figure10_$model.png" "$work/delta_0.7.png" "$work/delta_0.9.png"
done

# Figure 12: the whole body without and with volume, linear skin, which loses the most.
for film in $films; do
    model=${film%%:*} clip=${film##*:}
    for volume in none parts; do
        $sinew render "$work/$model.glb" --clip "$clip" --time 0.4 --skin linear --volume $volume --flesh off --camera 60,8 --size 560x560 -o "$work/volume_$volume.png" --quiet
    done
    stack hstack "$out/figure12_$model.png" "$work/volume_none.png" "$work/volume_parts.png"
done

# A film: the body glides at 2 m/s and stops dead, for delta 0, 0.7 and 0.9. The motion is a BVH of the body's own
# skeleton in which the first pose of the walk slides.
$sinew motion builtin:body --clip walk -o "$work/walk.bvh" --quiet
awk '/^MOTION/ { exit } { print }' "$work/walk.bvh" >"$work/stop.bvh"
awk '/^Frame Time/ { getline; for (f = 0; f < 120; f++) { $3 = -0.005 + (f < 30 ? f : 30) * 2 / 60; frames[f] = $0 } }
    END { print "MOTION"; print "Frames: 120"; print "Frame Time: 0.016666667"; for (f = 0; f < 120; f++) print frames[f] }' \
    "$work/walk.bvh" >>"$work/stop.bvh"
inputs=""
for delta in 0 0.7 0.9; do
    $sinew animate builtin:body "$work/stop.bvh" --no-feet --flesh on --set flesh.delta=$delta --fps 60 --camera 75,4 --size 360x480 -o "$work/stop_$delta.mp4" --quiet
    inputs="$inputs -i $work/stop_$delta.mp4"
done
# shellcheck disable=SC2086
ffmpeg -v error -y $inputs -filter_complex hstack=inputs=3 "$out/stop.mp4"

# sheet NAME LAYOUT NEEDS DRAW [ARGUMENT]: draws $out/NAME.png by `DRAW PICTURE [ARGUMENT]`, a function that calls
# $program and binds below $files. With BEFORE it is drawn by both programs, in `columns` or `rows`; where the older
# one lacks the option NEEDS, if any, ours is left alone.
sheet() {
    name=$1 layout=$2 needs=$3 draw=$4 argument=${5:-}
    program=$sinew files=$work/after
    mkdir -p "$work/after" "$work/before"
    "$draw" "$out/$name.png" "$argument"
    [ -n "$before" ] || return 0
    if [ -n "$needs" ] && ! "$before" render --help | grep -q -e "$needs"; then
        echo "$name: no picture of before, as $before knows no $needs" >&2
        return 0
    fi
    program=$before files=$work/before
    "$draw" "$work/before/$name.png" "$argument"
    cp "$out/$name.png" "$work/after/$name.png"
    columns="before|after" rows=""
    [ "$layout" = columns ] || columns="" rows="before|after"
    "${sinew}_sheet" "$out/$name.png" "$name" "" "$columns" "$rows" "$work/before/$name.png" "$work/after/$name.png"
}

# Cells: elbow and knee of a body whose skin is the lattice alone, smooth across cells or not (0.1.0 had no choice).
draw_cells() { # PICTURE [SMOOTH]
    "$program" bind builtin:body --keep-weights -o "$files/body.glb" --quiet
    pictures=""
    for scene in bend:1:LeftLowerArm:150,22 jump:0.45:LeftLowerLeg:60,8; do
        IFS=: read -r clip time joint camera <<END
$scene
END
        "$program" render "$files/body.glb" --clip "$clip" --time "$time" --focus "$joint" --camera "$camera" --skin lattice --flesh off \
            ${2:+--set lattice.smooth=$2} --size 480x480 -o "$files/cells_$clip.png" --quiet
        pictures="$pictures $files/cells_$clip.png"
    done
    # shellcheck disable=SC2086
    stack vstack "$1" $pictures
}
if [ -n "$before" ]; then
    sheet cells columns "" draw_cells
else
    sheet cells_off columns "" draw_cells off
    sheet cells_on columns "" draw_cells on
    stack hstack "$out/cells.png" "$out/cells_off.png" "$out/cells_on.png"
    rm "$out/cells_off.png" "$out/cells_on.png"
fi

# A push of the belly.
draw_push() { # PICTURE
    "$program" bind builtin:body --keep-weights -o "$files/body.glb" --quiet
    "$program" render "$files/body.glb" --clip walk --push Spine=0,0,-0.06@0.3-0.7 --show moves --sheet 8 --camera 60,5 --size 240x300 -o "$1" --quiet
}
sheet push rows --push draw_push

# How far regions of several widths carry a push: of a soft bar that stands still.
draw_widths() { # PICTURE
    "$program" animate builtin:bar "$work/still.bvh" --no-feet -o "$files/bar.glb" --quiet
    pictures=""
    for width in 1 2 4 8; do
        "$program" render "$files/bar.glb" --time 0.6 --push 0.35,1.5,0=-0.25,0,0@0.1-0.9 --set flesh.width=$width --flesh on --set flesh.delta=0.9 \
            --set flesh.limit=0.3 --set flesh.bone_radius=0 --show moves --size 240x400 -o "$work/width_$width.png" --quiet
        pictures="$pictures $work/width_$width.png"
    done
    # shellcheck disable=SC2086
    stack hstack "$1" $pictures
}
sheet widths rows --push draw_widths

[ -d "$data/characters" ] || exit 0

# The belly of a dancing body, with volume of parts alone.
draw_belly() { # PICTURE
    "$program" bind builtin:body --keep-weights -o "$files/body.glb" --quiet
    "$program" animate "$files/body.glb" "$data/motion/cmu_05_02_dance.bvh" --target skin -o "$files/dance.glb" --quiet
    "$program" render "$files/dance.glb" --clip cmu_05_02_dance --time 5.07 --flesh off --focus Hips --camera 20,0,0.6 --size 480x480 -o "$1" --quiet
}
sheet belly columns "" draw_belly
if [ -n "$before" ]; then
    pictures=""
    for files in "$work/before" "$work/after"; do pictures="$pictures $files/belly.png $files/cells_bend.png $files/cells_jump.png"; done
    # shellcheck disable=SC2086
    "${sinew}_sheet" "$out/before.png" "Flesh, before and after" "volume of parts in a dance; skin of the lattice alone" "belly|elbow|knee" \
        "before|after" $pictures
fi

# A crouch of a woman with heat weights, from behind: her lower back.
draw_crouch() { # PICTURE
    "$program" animate "$data/meshes/os_human_woman.obj" "$data/motion/cmu_02_04_jump.bvh" --target skin --weights heat -o "$files/woman.glb" --quiet
    "$program" render "$files/woman.glb" --time 0.6 --camera 150,5 --size 480x600 -o "$1" --quiet
}
sheet crouch columns "" draw_crouch

# A fat animal that waves and hops.
draw_penguin() { # PICTURE MOTION
    "$program" animate "$data/meshes/os_penguin.obj" "$data/meshes/penguin_$2.bvh" --target skin -o "$files/penguin.glb" --quiet
    "$program" render "$files/penguin.glb" --clip "penguin_$2" --sheet 8 --show moves --camera 60,5 --size 250x250 -o "$1" --quiet
}
sheet penguin_wave rows "" draw_penguin wave
sheet penguin_hop rows "" draw_penguin hop

# Antlers, a helmet and shells that stay hard.
draw_hard() { # PICTURE CHARACTER
    "$program" bind "$data/characters/$2.glb" --keep-weights -o "$files/hard.glb" --quiet
    "$program" render "$files/hard.glb" --clip 4 --time 0.4 --show moves --camera 30,8 --size 480x480 -o "$1" --quiet
}
for character in quat_animals_pack_Stag kaykit_Knight RobotExpressive; do
    sheet "hard_$character" columns "" draw_hard "$character"
done
