#!/bin/sh
# Posing by handles in pictures: pose_figures.sh OUT [BUILD]. Four models with their handles and three poses each, joints
# from close by, a spiked bar, bands, weights and the detail layer. Meshes come from SINEW_DATA_DIR; those that are not
# there are left out. Needs sinew and sinew_sheet of the folder BUILD (default: build).
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
out=$1
build=${2:-$root/build}
data=${SINEW_DATA_DIR:-$root/../shared/data}
sinew=$build/sinew
poses=$root/assets/poses
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# pose OUT MODEL RIG POSE OPTIONS...
pose() {
    picture=$1 posed=$2 rig=$3 steps=$4
    shift 4
    "$sinew" pose "$posed" --rig "$rig" --pose "$steps" --quiet -o "$picture" "$@"
}
script() { # script OUT STEP...: a pose of these steps
    to=$1
    shift
    printf '{"sinew_pose": 1, "name": "%s", "steps": [%s' "$(basename "$to" .snpose)" "$1" >"$to"
    shift
    for step in "$@"; do printf ', %s' "$step" >>"$to"; done
    printf ']}\n' >>"$to"
}

# ----------------------------------------------------------------------------------------------------- four models
rows="" pictures="" closeups="" labels=""
# model NAME PATH CAMERA SIZE POSES: one row
model() {
    name=$1 path=$2 camera=$3
    shift 3
    case $path in builtin:*) ;; *) [ -e "$path" ] || { echo "left out: $path is not there"; return 0; } ;; esac
    "$sinew" rig "$path" -o "$work/$name.snrig" --quiet
    "$sinew" rig "$path" --show "$work/$name.snrig" --camera "$camera" --size 400x400 --quiet -o "$work/$name.png"
    rows="$rows${rows:+|}$name" pictures="$pictures $work/$name.png"
    for what in "$@"; do
        pose "$work/${name}_$what.png" "$path" "$work/$name.snrig" "$poses/$name/$what.snpose" --camera "$camera" --size 400x400
        pictures="$pictures $work/${name}_$what.png"
    done
}
human=$data/meshes/human_man_smpl.obj
model human "$human" three-quarter run crouch throw
model body builtin:body three-quarter run crouch throw
model spot "$data/meshes/spot_triangulated.obj" 215,15 look step nod
model scorpion "$data/meshes/scorpion_low.obj" three-quarter strike rear sway
# shellcheck disable=SC2086  # the lists are meant to split
"$build/sinew_sheet" "$out/handles.png" "Posed without a skeleton" "handles found by shape (the body's come from its skeleton), and three poses each" \
    "handles|pose 1|pose 2|pose 3" "$rows" $pictures

# close NAME PATH POSE HANDLE CAMERA LABEL
close() {
    [ -e "$work/$1.snrig" ] || return 0
    pose "$work/close_$1_$4.png" "$2" "$work/$1.snrig" "$poses/$1/$3.snpose" --focus "$4" --camera "$5" --size 340x300
    closeups="$closeups $work/close_$1_$4.png" labels="$labels${labels:+|}$6"
}
close human "$human" run right_lower_arm 300,10,0.55 "elbow"
close human "$human" run left_lower_leg 70,5,0.5 "knee"
close human "$human" throw right_upper_arm 10,5,0.6 "shoulder"
close human "$human" run left_upper_leg 40,10,0.5 "hip"
close body builtin:body run LeftLowerLeg 70,5,0.5 "the body's knee"
close scorpion "$data/meshes/scorpion_low.obj" strike tail_4 70,15,0.3 "tail"
# shellcheck disable=SC2086
[ -z "$closeups" ] || "$build/sinew_sheet" "$out/handle_joints.png" "Joints from close by" "the fast method, cotangent Laplacian, band of 2" "$labels" "" $closeups

# ------------------------------------------------------------------------------------------------- sets of examples
# The same four targets with poses of a walk and with extremes of limbs, and how the second search went.
examples=$root/assets/examples
pictures=""
for what in low high; do
    for set in walk limits; do
        case $what in
        low) targets="--target LeftFoot=0.1,0.25,0.45 --target RightHand=-0.3,0.9,0.3" ;;
        *) targets="--target LeftHand=0.3,1.7,0.4 --target RightHand=-0.45,1.0,0.35 --target RightFoot=-0.12,0.45,0.4
            --target LeftFoot=0.12,0.03,0.03" ;;
        esac
        # shellcheck disable=SC2086
        "$sinew" pose builtin:body --rig "$examples/body.snrig" --examples "$examples/$set" $targets --size 400x400 --quiet \
            --trace "$work/$set.svg" -o "$work/set_${what}_$set.png"
        pictures="$pictures $work/set_${what}_$set.png"
        [ $what = high ] || cp "$work/$set.svg" "$work/low_$set.svg"
    done
done
# shellcheck disable=SC2086
"$build/sinew_sheet" "$out/example_sets.png" "Two sets of examples" "the same targets with poses of a walk and with extremes of limbs" \
    "a walk|extremes of limbs" "a foot and a hand|hands and feet" $pictures
cp "$work/low_walk.svg" "$out/pose_trace.svg"
# The extremes themselves.
pictures=""
for side in left right; do
    for what in arm_up arm_down arm_forward arm_bent leg_forward leg_back leg_side leg_bent; do
        pose "$work/limit.$side.$what.png" builtin:body "$examples/body.snrig" "$examples/limits/${side}_$what.snpose" --size 220x240
        pictures="$pictures $work/limit.$side.$what.png"
    done
done
# shellcheck disable=SC2086
"$build/sinew_sheet" "$out/limits.png" "Extremes of limbs" "assets/examples/limits, without those of the trunk" \
    "arm up|down|forward|bent|leg forward|back|to the side|bent" "left|right" $pictures

# ------------------------------------------------------------------------------------------------------- spiked bar
"$sinew" convert builtin:tube -o "$work/tube.obj" --quiet
"$sinew" info "$work/tube.obj" >/dev/null
# Spikes at every fourth side of every fourth ring of the middle, 14 cm long.
awk '$1 == "v" { r = sqrt($2 * $2 + $4 * $4); side = int(atan2($4, $2) * 16 / 3.14159265 + 16.5); ring = int($3 * 16 + 0.5)
        if (r > 0.3 && $3 > 0.7 && $3 < 2.3 && side % 4 == 0 && ring % 4 == 0) {
            k = 1 + 0.14 / r; print "v", $2 * k, $3, $4 * k; next } }
    { print }' "$work/tube.obj" >"$work/bar.obj"
"$sinew" rig "$work/bar.obj" --handle below=box:-2,-1,-2,2,0.9,2 --handle above=box:-2,2.1,-2,2,4,2 \
    --center above=0,1.5,0 -o "$work/bar.snrig" --quiet
script "$work/rest.snpose" '{"turn": "above", "axis": [0, 0, 1], "degrees": 0}'
script "$work/bend.snpose" '{"turn": "above", "axis": [0, 0, 1], "degrees": 90}'
script "$work/move.snpose" '{"move": "above", "by": [0.9, 0, 0]}'
script "$work/twist.snpose" '{"turn": "above", "axis": [0, 1, 0], "degrees": 170}'
pictures=""
for method in fast rigid; do
    for what in rest bend move twist; do
        pose "$work/bar_${method}_$what.png" "$work/bar.obj" "$work/bar.snrig" "$work/$what.snpose" --method $method \
            --camera 0,8 --size 320x360
        pictures="$pictures $work/bar_${method}_$what.png"
    done
done
# shellcheck disable=SC2086
"$build/sinew_sheet" "$out/spikes.png" "A spiked bar between two handles" "details turn with the surface, also where a handle was only moved; twist is spread" \
    "rest|turned by 90°|moved|twisted by 170°" "fast|rigid" $pictures

# ------------------------------------------------------------------------------------------------------------- bands
"$sinew" rig "$work/tube.obj" --handle below=box:-2,-1,-2,2,0.9,2 --handle above=box:-2,2.1,-2,2,4,2 \
    --center above=0,1.5,0 -o "$work/tube.snrig" --quiet
pictures=""
for what in move bend; do
    for band in 1 2 3; do
        pose "$work/band_$what$band.png" "$work/tube.obj" "$work/tube.snrig" "$work/$what.snpose" --band $band \
            --camera 0,8 --size 340x320
        pictures="$pictures $work/band_$what$band.png"
    done
done
# shellcheck disable=SC2086
"$build/sinew_sheet" "$out/bands.png" "How wide the band is" "rings of a handle whose details count: with one, the surface meets its handle at an angle" \
    "band 1|band 2|band 3" "moved|turned" $pictures

# --------------------------------------------------------------------------------------------------- weights, detail
[ -e "$work/human.snrig" ] || exit 0
script "$work/wrong.snpose" '{"turn": "left_lower_arm", "axis": [0, 0, 1], "degrees": 75}'
pictures=""
for weight in 1 0.667 0.333 0; do
    "$sinew" rig "$human" --from auto --weight left_lower_arm=$weight --weight left_upper_arm=$weight \
        -o "$work/weight.snrig" --quiet
    pose "$work/weight_$weight.png" "$human" "$work/weight.snrig" "$work/wrong.snpose" --focus left_lower_arm \
        --camera 20,10,0.4 --size 340x280
    pictures="$pictures $work/weight_$weight.png"
done
# shellcheck disable=SC2086
"$build/sinew_sheet" "$out/handle_weights.png" "Weights of a handle" "an arm bent the wrong way; its two handles from rigid to free" \
    "1|2/3|1/3|0" "" $pictures

# A biceps: an offset along the normal in a pose, heaviest in the middle of the upper arm's top.
mesh=$(sed -n '/"mesh"/,/}/p' "$work/human.snrig" | tr -d '\n' | sed 's/.*"mesh": *\({[^}]*}\).*/\1/')
awk -v mesh="$mesh" '$1 == "v" { x = ($2 - 0.36) / 0.07; y = ($3 - 1.48) / 0.05; z = ($4 + 0.02) / 0.06; k = exp(-x * x - y * y - z * z)
        if (k > 0.02) text = text sprintf(" %d:%.4f", n, 0.05 * k); n++ }
    END { printf "{\"sinew_pose\": 1, \"name\": \"flex\", \"mesh\": %s, \"steps\": [{\"turn\": \"left_lower_arm\", ", mesh
        printf "\"axis\": [0, 0, 1], \"degrees\": 100}], \"details\": [\"%s\"]}\n", substr(text, 2) }' "$human" >"$work/flex.snpose"
pictures="" labels=""
for weight in 0 0.5 1; do
    pose "$work/flex_$weight.png" "$human" "$work/human.snrig" "$work/flex.snpose:$weight" --focus left_upper_arm \
        --camera 20,5,0.4 --size 340x280
    pictures="$pictures $work/flex_$weight.png" labels="$labels${labels:+|}weight $weight"
done
sed 's/, "details".*/}/; s/"mesh": {[^}]*}, //' "$work/flex.snpose" >"$work/plain.snpose"
pose "$work/plain.png" "$human" "$work/human.snrig" "$work/plain.snpose" --focus left_upper_arm --camera 20,5,0.4 --size 340x280
# shellcheck disable=SC2086
"$build/sinew_sheet" "$out/detail_layer.png" "The detail layer of a pose" "offsets along the normal, blended with the pose" \
    "$labels|1, without the layer" "" $pictures "$work/plain.png"
