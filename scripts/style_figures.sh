#!/bin/sh
# Splines and styles in pictures: style_figures.sh OUT [BUILD]. Stiffness on an arm, every style that ships on three unlike
# characters, and styles together with flesh and exact volume. MakeHuman comes from SINEW_DATA_DIR, where it is there.
# Needs sinew and sinew_sheet of the folder BUILD (default: build).
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
out=$1
build=${2:-$root/build}
data=${SINEW_DATA_DIR:-$root/../shared/data}
sinew=$build/sinew
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# pose OUT JOINT:CHANNEL:DEGREES...: the built-in body at rest, a second later in this pose.
pose() {
    to=$1
    shift
    awk -v wants="$*" '
        $1 == "ROOT" || $1 == "JOINT" { name = $2 }
        $1 == "CHANNELS" { for (i = 3; i < $2 + 3; i++) column[name ":" $i] = ++count }
        /^MOTION/ {
            over = 1
            for (n = split(wants, list, " "); n > 0; n--) {
                split(list[n], want, ":")
                turn[column[want[1] ":" want[2]]] = want[3]
            }
        }
        !over { print }
        /^Frame Time/ {
            getline
            print "MOTION\nFrames: 2\nFrame Time: 1"
            for (frame = 0; frame < 2; frame++) {
                line = ""
                for (i = 1; i <= count; i++) line = line " " (i <= 3 ? $i : frame ? turn[i] + 0 : 0)
                print line
            }
            exit
        }' "$work/walk.bvh" >"$to"
}

# move CHARACTER MOTION OUT: the character with the motion, its skin as it came.
move() { "$sinew" animate "$1" "$2" --no-feet --skin linear --volume none --flesh off --target skin -o "$3" --quiet; }

# picture OUT MODEL OPTIONS...: at the end of the motion, bent.
picture() {
    to=$1 model=$2
    shift 2
    "$sinew" render "$model" --clip 0 --time 1 --flesh off --volume none --no-ground --quiet -o "$to" "$@"
}

"$sinew" motion builtin:body --clip walk -o "$work/walk.bvh" --quiet
pose "$work/elbow.bvh" LeftLowerArm:Zrotation:120
pose "$work/knee.bvh" LeftUpperLeg:Xrotation:-60 LeftLowerLeg:Xrotation:105
move builtin:body "$work/elbow.bvh" "$work/arm.glb"
arm="--focus LeftLowerArm --camera 165,30,2.1 --size 340x240"

# ----------------------------------------------------------------------------------------------------- stiffness
labels="linear skin" pictures="$work/linear.png"
# shellcheck disable=SC2086  # the lists are meant to split
picture "$work/linear.png" "$work/arm.glb" --skin linear $arm
for a in 2 3 5 10; do
    labels="$labels|a = $a" pictures="$pictures $work/stiff_$a.png"
    # shellcheck disable=SC2086
    picture "$work/stiff_$a.png" "$work/arm.glb" --stiffness $a $arm
done
# shellcheck disable=SC2086
"$build/sinew_sheet" "$out/stiffness.png" "How sharply a joint bends" "an elbow at 120°, the same weights; a is the stiffness of the spline" \
    "$labels" "" $pictures

# -------------------------------------------------------------------------------------------------------- styles
# A tentacle of six bones along +Y that becomes thinner, and winds.
awk -v bones=6 -v bone=0.5 -v sides=64 -v rings=480 'BEGIN {
    pi = atan2(0, -1); tall = bones * bone
    for (i = 0; i <= rings; i++) for (j = 0; j < sides; j++) {
        t = i / rings; r = 0.13 - 0.07 * t; cap = t < 0.02 ? t / 0.02 : t > 0.98 ? (1 - t) / 0.02 : 1
        r *= sqrt(1 - (1 - cap) * (1 - cap)) + 0.001
        printf "v %.6f %.6f %.6f\n", r * sin(2 * pi * j / sides), tall * t, r * cos(2 * pi * j / sides)
    }
    for (i = 0; i < rings; i++) for (j = 0; j < sides; j++) {
        a = i * sides + j + 1; b = i * sides + (j + 1) % sides + 1
        print "f", a, b, b + sides, a + sides
    }
    for (side = 0; side < 2; side++) {
        printf "f"
        for (j = 0; j < sides; j++) printf " %d", (side ? rings * sides + j : sides - 1 - j) + 1
        print ""
    }
}' >"$work/tentacle.obj"
awk -v bones=6 -v bone=0.5 'BEGIN {
    print "HIERARCHY"
    for (i = 0; i < bones; i++)
        printf "%s Bone%d { OFFSET 0 %g 0 CHANNELS 3 Zrotation Xrotation Yrotation\n", i ? "JOINT" : "ROOT", i, i ? bone : 0
    printf "End Site { OFFSET 0 %g 0 }", bone
    for (i = 0; i < bones; i++) printf " }"
    print "\nMOTION\nFrames: 2\nFrame Time: 1"
    for (i = 0; i < 3 * bones; i++) printf " 0"
    printf "\n 40 0 0"
    for (i = 1; i < bones; i++) printf " %d 0 0", i % 2 ? -85 : 85
    print ""
}' >"$work/wind.bvh"
"$sinew" bind "$work/tentacle.obj" --skeleton "$work/wind.bvh" --weights geodesic -o "$work/bound.glb" --quiet
move "$work/bound.glb" "$work/wind.bvh" "$work/tentacle.glb"

columns="elbow of the body|tentacle"
knee=$data/characters/mh_default.mhskel
if [ -e "$knee" ]; then
    columns="elbow of the body|knee of MakeHuman|tentacle"
    move "$knee" "$work/knee.bvh" "$work/knee.glb"
fi
styles=$("$sinew" style list --quiet | awk '{ print $1 }')
rows="plain spline" pictures=""
for style in none $styles; do
    [ "$style" = none ] || rows="$rows|$style"
    # shellcheck disable=SC2086
    picture "$work/arm_$style.png" "$work/arm.glb" --style "LeftElbow=$style" $arm
    pictures="$pictures $work/arm_$style.png"
    if [ -e "$work/knee.glb" ]; then
        picture "$work/knee_$style.png" "$work/knee.glb" --style "LeftKnee=$style" --focus lowerleg01.L --camera 78,4,1.1 --size 340x240
        pictures="$pictures $work/knee_$style.png"
    fi
    picture "$work/tentacle_$style.png" "$work/tentacle.glb" --style "$style" --focus Bone3 --camera=-20,12,0.62 --size 340x240
    pictures="$pictures $work/tentacle_$style.png"
done
# shellcheck disable=SC2086
"$build/sinew_sheet" "$out/styles.png" "Styles know no character" "the same files on three of them, and no edits between" "$columns" "$rows" $pictures

# ------------------------------------------------------------------------------------------------- all together
"$sinew" bind builtin:body --keep-weights -o "$work/body.glb" --quiet
styles="--style *Elbow=muscle --style *Knee=cloth --style Spine=soft"
whole="$styles --volume exact --flesh on"
set -f # the joints of the styles are no file names
# shellcheck disable=SC2086
error=$("$sinew" animate "$work/body.glb" --clip jump $whole -o "$work/points.pc2" --json --quiet |
    awk '/^  "volume_error_max":/ { after = $2 + 0 } /^  "volume_error_before_max":/ { before = $2 + 0 }
        END { printf "%.1f %% to %.0e %%", 100 * before, 100 * after }')
labels="" rows="" pictures=""
for way in "linear skin:--skin linear --volume none --flesh off" "splines and styles:$styles --volume none --flesh off" \
    "with flesh and exact volume:$whole"; do
    for view in "--camera 60,5" "--camera 70,12,0.6 --focus LeftLowerLeg"; do
        row=""
        for time in 0.2 0.4 0.6 0.9 1.1; do
            to="$work/jump_$(echo "$way$view" | cksum | cut -d ' ' -f 1)_$time.png"
            # shellcheck disable=SC2086
            "$sinew" render "$work/body.glb" --clip jump --time $time ${way#*:} $view --size 300x340 --quiet -o "$to"
            row="$row $to"
        done
        [ "$view" = "--camera 60,5" ] && rows="$rows|${way%%:*}" || rows="$rows|its knees"
        pictures="$pictures $row"
    done
done
for time in 0.2 0.4 0.6 0.9 1.1; do labels="$labels|$time s"; done
# shellcheck disable=SC2086
"$build/sinew_sheet" "$out/together.png" "Styles, flesh and exact volume" \
    "one jump: muscles at the elbows, cloth at the knees, a soft waist; exact volume takes the error from $error" \
    "${labels#|}" "${rows#|}" $pictures
