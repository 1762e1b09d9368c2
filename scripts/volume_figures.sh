#!/bin/sh
# Figures 5 and 8 of Rohmer et al. 2009 with a cylinder and the built-in body, refinement, a biceps and a breath: volume_figures.sh OUT.
# Needs build/sinew and build/sinew_sheet, or those of the folder SINEW_BUILD.
set -eu
out=$1
build=${SINEW_BUILD:-$(cd "$(dirname "$0")/.." && pwd)/build}
sinew=$build/sinew
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# error MODEL TIME OPTIONS...: how far the volume is off at a moment, before and after the correction, as text.
error() {
    model=$1 time=$2
    shift 2
    "$sinew" animate "$model" --clip 0 --from "$time" --to "$time" --skin linear --flesh off --volume exact "$@" \
        -o "$work/points.pc2" --json --quiet |
        awk '/^  "volume_error_max":/ { after = $2 + 0 } /^  "volume_error_before_max":/ { before = $2 + 0 }
            END { printf "%.1f %% to %.0e %%", 100 * before, 100 * after }'
}

# picture OUT MODEL TIME OPTIONS...
picture() {
    to=$1 model=$2 time=$3
    shift 3
    "$sinew" render "$model" --clip 0 --time "$time" --skin linear --flesh off "$@" -o "$to" --quiet
}

# pose MODEL MOTION OUT: the model moved by a motion of its own skeleton, with the plain skin.
pose() { "$sinew" animate "$1" "$2" --no-feet --skin linear --volume none --flesh off --target skin -o "$3" --quiet; }

# ------------------------------------------------------------------------------------------------------ figure 5
# A cylinder of two bones along +Y, its rims rounded.
awk -v r=0.22 -v h=2 -v sides=64 -v rings=120 -v rim=0.06 -v steps=4 'BEGIN {
    pi = atan2(0, -1); rows = rings + 2 * steps + 1
    for (i = 0; i < rows; i++) {
        low = i < steps ? steps - i : 0; high = i > rings + steps ? i - rings - steps : 0
        turn = pi / 2 * (low + high) / steps
        y = low + high > 0 ? rim * (1 - cos(pi / 2 - turn)) : rim + (h - 2 * rim) * (i - steps) / rings
        if (high > 0) y = h - y
        q = r - rim + rim * cos(turn)
        for (j = 0; j < sides; j++) printf "v %.6f %.6f %.6f\n", q * sin(2 * pi * j / sides), y, q * cos(2 * pi * j / sides)
    }
    print "v 0 0 0"; print "v 0", h, 0
    for (i = 0; i + 1 < rows; i++) for (j = 0; j < sides; j++) {
        a = i * sides + j + 1; b = i * sides + (j + 1) % sides + 1
        print "f", a, b, b + sides, a + sides
    }
    for (j = 0; j < sides; j++) {
        print "f", rows * sides + 1, (j + 1) % sides + 1, j + 1
        print "f", rows * sides + 2, (rows - 1) * sides + j + 1, (rows - 1) * sides + (j + 1) % sides + 1
    }
}' >"$work/cylinder.obj"
cat >"$work/bend.bvh" <<'END'
HIERARCHY
ROOT Upper { OFFSET 0 0 0 CHANNELS 3 Zrotation Xrotation Yrotation
  JOINT Lower { OFFSET 0 1 0 CHANNELS 3 Zrotation Xrotation Yrotation
    End Site { OFFSET 0 1 0 } } }
MOTION
Frames: 2
Frame Time: 1
0 0 0 0 0 0
0 0 0 -100 0 0
END
"$sinew" bind "$work/cylinder.obj" --skeleton "$work/bend.bvh" --weights geodesic -o "$work/bound.glb" --quiet
pose "$work/bound.glb" "$work/bend.bvh" "$work/cylinder.glb"
labels="reference" pictures="" second=""
picture "$work/side_reference.png" "$work/cylinder.glb" 1 --volume none --camera 25,15 --size 340x360
picture "$work/end_reference.png" "$work/cylinder.glb" 1 --volume none --camera 90,15 --size 340x360
for profile in isotropic rubber muscle folds; do
    labels="$labels|$profile"
    for view in side:25 end:90; do
        picture "$work/${view%:*}_$profile.png" "$work/cylinder.glb" 1 --volume exact --profile "Lower=$profile" \
            --camera "${view#*:},15" --size 340x360
    done
done
for profile in reference isotropic rubber muscle folds; do
    pictures="$pictures $work/side_$profile.png" second="$second $work/end_$profile.png"
done
# shellcheck disable=SC2086  # the lists are meant to split
"$build/sinew_sheet" "$out/figure5.png" "One bend, one volume, four profiles" \
    "exact volume takes the error from $(error "$work/cylinder.glb" 1 --profile isotropic)" "$labels" \
    "from the side|from the end" $pictures $second

# ------------------------------------------------------------------------------------------------------ figure 8
# The body curls up: each part of the spine forward, the hips as far back, so that the belly stays in sight.
"$sinew" motion builtin:body --clip walk -o "$work/walk.bvh" --quiet
awk '/^MOTION/ { exit } { print }' "$work/walk.bvh" >"$work/curl.bvh"
awk '/^Frame Time/ {
        getline
        for (i = 4; i <= NF; i++) $i = 0
        straight = $0
        $6 = -50; $9 = 45; $12 = 30; $15 = 15
        print "MOTION\nFrames: 2\nFrame Time: 1"; print straight; print
    }' "$work/walk.bvh" >>"$work/curl.bvh"
pose builtin:body "$work/curl.bvh" "$work/curl.glb"
labels="" plain="" pictures="" refined=""
view="--camera 60,5,0.7 --focus Spine --no-ground --size 340x320"
belly="--profile Spine=belly --profile Chest=belly"
for degrees in 30 50 70 90; do
    time=$(awk -v a=$degrees 'BEGIN { print a / 90 }')
    # shellcheck disable=SC2086  # the lists are meant to split
    {
        labels="$labels|$degrees°: $(error "$work/curl.glb" "$time" $belly)"
        picture "$work/none_$degrees.png" "$work/curl.glb" "$time" --volume none $view
        picture "$work/belly_$degrees.png" "$work/curl.glb" "$time" --volume exact $belly $view
        picture "$work/refined_$degrees.png" "$work/curl.glb" "$time" --volume exact $belly --refine 1 $view
    }
    plain="$plain $work/none_$degrees.png" pictures="$pictures $work/belly_$degrees.png"
    refined="$refined $work/refined_$degrees.png"
done
title="Belly folds that grow with the bend"
subtitle="how far the spine is bent, and the error of the volume, before to after"
# shellcheck disable=SC2086
{
    "$build/sinew_sheet" "$out/figure8.png" "$title" "$subtitle" "${labels#|}" "plain skin|belly" $plain $pictures
    "$build/sinew_sheet" "$out/figure8_refined.png" "$title" "$subtitle" "${labels#|}" "belly|refined once" $pictures $refined
}

# ------------------------------------------------------------------------------------------------------ refinement
# Folds on a coarse tube, and on the same tube refined once and twice.
smooth="" wires=""
for times in 0 1 2; do
    # shellcheck disable=SC2086
    for wire in "" --wireframe; do
        to="$work/refined_$times$wire.png"
        "$sinew" render builtin:tube --clip bend --time 0.6 --skin linear --flesh off --volume exact --profile folds \
            --set volume.refine=$times --camera 20,12 --size 340x320 $wire -o "$to" --quiet
        [ -n "$wire" ] && wires="$wires $to" || smooth="$smooth $to"
    done
done
# shellcheck disable=SC2086
"$build/sinew_sheet" "$out/refined.png" "Folds want a fine mesh" "split only where the profile is large" \
    "as it is|refined once|refined twice" "surface|mesh" $smooth $wires

# ------------------------------------------------------------------------------------------------- elbow, breathing
# A biceps on the arm of the body.
labels="plain skin|isotropic|muscle" pictures=""
for way in none isotropic muscle; do
    volume="--volume exact --profile LeftElbow=$way"
    [ $way = none ] && volume="--volume none"
    # shellcheck disable=SC2086
    "$sinew" render builtin:body --clip bend --time 1 --skin linear --flesh off $volume --focus LeftLowerArm \
        --camera 150,15 --size 340x340 -o "$work/arm_$way.png" --quiet
    pictures="$pictures $work/arm_$way.png"
done
# shellcheck disable=SC2086
"$build/sinew_sheet" "$out/elbow.png" "An elbow bent by 130°" "the same weights and pose" "$labels" "" $pictures

# Breathing: the target of the volume changes over time. The second row shows how far the surface moved.
cat >"$work/breath.json" <<'END'
{"targets": [{"joint": "UpperChest", "loop": true, "keys": [[0, 1], [1, 1.15], [2, 1]]},
             {"joint": "Chest", "loop": true, "keys": [[0, 1], [1, 1.15], [2, 1]]}]}
END
awk '/^MOTION/ { exit } { print }' "$work/walk.bvh" >"$work/still.bvh"
awk '/^Frame Time/ {
        getline
        for (i = 4; i <= NF; i++) $i = 0
        print "MOTION\nFrames: 2\nFrame Time: 2"; print; print
    }' "$work/walk.bvh" >>"$work/still.bvh"
pose builtin:body "$work/still.bvh" "$work/still.glb"
labels="" pictures="" moves=""
for time in 0 0.5 1 1.5 2; do
    labels="$labels|$time s"
    breath() {
        picture "$1" "$work/still.glb" "$time" --volume exact --target-volume "$work/breath.json" --focus Chest \
            --camera 60,5,0.6 --no-ground --size 300x320 --show "$2"
    }
    breath "$work/breath_$time.png" surface
    breath "$work/moves_$time.png" moves
    pictures="$pictures $work/breath_$time.png" moves="$moves $work/moves_$time.png"
done
# shellcheck disable=SC2086
"$build/sinew_sheet" "$out/breath.png" "Breathing" "a target volume that changes over time" "${labels#|}" "surface|moved by" $pictures $moves

# -------------------------------------------------------------------------------------------------------- contact
# A tube whose radius is a fifth of its length, and the elbow of the body, with contact and without.
awk -v r=0.4 -v h=2 -v sides=48 -v rings=80 'BEGIN {
    pi = atan2(0, -1)
    for (i = 0; i <= rings; i++) for (j = 0; j < sides; j++)
        printf "v %.6f %.6f %.6f\n", r * sin(2 * pi * j / sides), h * i / rings, r * cos(2 * pi * j / sides)
    print "v 0 0 0"; print "v 0", h, 0
    for (i = 0; i < rings; i++) for (j = 0; j < sides; j++) {
        a = i * sides + j + 1; b = i * sides + (j + 1) % sides + 1
        print "f", a, b, b + sides, a + sides
    }
    for (j = 0; j < sides; j++) {
        print "f", (rings + 1) * sides + 1, (j + 1) % sides + 1, j + 1
        print "f", (rings + 1) * sides + 2, rings * sides + j + 1, rings * sides + (j + 1) % sides + 1
    }
}' >"$work/thick.obj"
sed 's/ -100 0 0$/ -150 0 0/' "$work/bend.bvh" >"$work/fold.bvh"
"$sinew" bind "$work/thick.obj" --skeleton "$work/fold.bvh" -o "$work/thick_bound.glb" --quiet
pose "$work/thick_bound.glb" "$work/fold.bvh" "$work/thick.glb"
labels="" off="" on=""
for degrees in 60 90 120 150; do
    labels="$labels|$degrees°"
    for contact in off on; do
        picture "$work/thick_${contact}_$degrees.png" "$work/thick.glb" "$(awk -v a=$degrees 'BEGIN { print a / 150 }')" \
            --volume exact --contact $contact --camera 25,15 --size 340x320
    done
    off="$off $work/thick_off_$degrees.png" on="$on $work/thick_on_$degrees.png"
done
for contact in off on; do
    "$sinew" render builtin:body --clip bend --time 1 --skin linear --flesh off --quiet -o "$work/inner_elbow_$contact.png" --volume exact --contact $contact --focus LeftLowerArm \
        --camera 150,30 --size 340x320
done
# shellcheck disable=SC2086
"$build/sinew_sheet" "$out/contact.png" "Skin that meets itself" "exact volume, without contact and with it" \
    "${labels#|}|elbow, 130°" "without|with contact" $off "$work/inner_elbow_off.png" $on "$work/inner_elbow_on.png"
