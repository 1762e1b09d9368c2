#!/bin/sh
# Prints how much of the surface crosses itself, in percent (sinew check), where one joint is bent alone, without
# contact and with it: tubes whose radius is a fifth of their length, elbow and knee of the built-in body, and
# neck, spine and legs of an elephant. No volume, no flesh. Angles that no trial of a plane uses stand between
# those that do.
#
# usage: scripts/contact_table.sh [build folder] [words that names of rows have to hold]
set -u
cd "$(dirname "$0")/.." || exit 1
sinew=${1:-build}/sinew
only=${2:-}
data=${SINEW_DATA_DIR:-../shared/data}
angles="60 75 90 105 120 135 150"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
broken=0

# tube OUT WIDE: a closed tube along +Y, and how wide it is against its depth.
tube() {
    awk -v r=0.4 -v h=2 -v sides=48 -v rings=80 -v wide="$2" 'BEGIN {
        pi = atan2(0, -1)
        for (i = 0; i <= rings; i++) for (j = 0; j < sides; j++)
            printf "v %.6f %.6f %.6f\n", wide * r * sin(2 * pi * j / sides), h * i / rings, r * cos(2 * pi * j / sides)
        print "v 0 0 0"; print "v 0", h, 0
        for (i = 0; i < rings; i++) for (j = 0; j < sides; j++) {
            a = i * sides + j + 1; b = i * sides + (j + 1) % sides + 1
            print "f", a, b, b + sides, a + sides
        }
        for (j = 0; j < sides; j++) {
            print "f", (rings + 1) * sides + 1, (j + 1) % sides + 1, j + 1
            print "f", (rings + 1) * sides + 2, rings * sides + j + 1, rings * sides + (j + 1) % sides + 1
        }
    }' >"$work/tube.obj"
    "$sinew" bind "$work/tube.obj" --skeleton "$work/tube.bvh" -o "$1" --quiet
}

# bend SKELETON JOINT AXIS SIGN OUT: at rest, bent by each angle, and at rest, one frame each.
bend() {
    tr '{}' '\n\n' <"$1" | awk -v joint="$2" -v axis="$3rotation" -v sign="$4" -v angles="$angles" '
        $1 == "MOTION" { exit }
        $1 == "OFFSET" && $5 == "CHANNELS" { for (i = 5; i <= NF; i++) $(i - 4) = $i; NF -= 4 }
        ($1 == "ROOT" || $1 == "JOINT") { name = $2 }
        $1 == "CHANNELS" { for (i = 3; i <= $2 + 2; i++) { count++; if (name == joint && $i == axis) at = count } }
        END {
            n = split("0 " angles " 0", list, " ")
            print "MOTION"; print "Frames:", n; print "Frame Time: 0.125"
            for (f = 1; f <= n; f++) { for (i = 1; i <= count; i++) printf "%s ", i == at ? sign * list[f] : 0; print "" }
            exit at == 0
        }' >"$work/frames.txt" || echo "no joint $2 with $3" >&2
    sed '/^MOTION/,$d' "$1" | cat - "$work/frames.txt" >"$5"
}

# crossings MODEL MOTION OPTIONS...: of each frame but the first and the last, in percent.
crossings() {
    model=$1 motion=$2
    shift 2
    "$sinew" check "$model" "$motion" --no-feet --ground off --clean off --volume none --flesh off "$@" \
        --json --quiet >"$work/report.json" 2>"$work/error.txt"
    [ $? -gt 1 ] && cat "$work/error.txt" >&2 && return 1
    awk '/^        "[a-z-]*": \{/ { key = $1; gsub(/[":]/, "", key) }
        key == "crossing" && /^          "frames": \[/ { on = 1; line = $0; sub(/.*\[/, "", line); text = line }
        on && !/"frames"/ { text = text $0 }
        on && /\]/ { sub(/\].*/, "", text); n = split(text, list, ","); for (i = 2; i < n; i++) printf "%.2f ", 100 * list[i]; print ""; exit }' \
        "$work/report.json"
}

# row NAME MODEL SKELETON JOINT AXIS SIGN OPTIONS...
row() {
    name=$1 model=$2 skeleton=$3 joint=$4 axis=$5 sign=$6
    shift 6
    case $name in *"$only"*) ;; *) return ;; esac
    bend "$skeleton" "$joint" "$axis" "$sign" "$work/bend.bvh"
    off=$(crossings "$model" "$work/bend.bvh" --contact off "$@") && on=$(crossings "$model" "$work/bend.bvh" --contact on "$@") || return
    echo "$off $on" | awk -v name="$name" '{
        printf "| %-34s", name
        for (i = 1; i <= NF / 2; i++) {
            same = $i == $(i + NF / 2)
            rises = rises || $(i + NF / 2) > $i + 0.05
            printf same ? "| %5.1f         " : "| %5.1f -> %4.1f ", $i, $(i + NF / 2)
        }
        print rises ? "| rises" : "|"
        exit rises }' || broken=$((broken + 1))
}

cat >"$work/tube.bvh" <<'END'
HIERARCHY
ROOT Upper
{
OFFSET 0 0 0
CHANNELS 3 Zrotation Xrotation Yrotation
JOINT Lower
{
OFFSET 0 1 0
CHANNELS 3 Zrotation Xrotation Yrotation
End Site
{
OFFSET 0 1 0
}
}
}
MOTION
Frames: 1
Frame Time: 1
0 0 0 0 0 0
END
tube "$work/tube.glb" 1
tube "$work/oval.glb" 0.7
"$sinew" check builtin:body --save-range "$work/body.bvh" --from 0 --to 0 --quiet >"$work/ignored.txt"

printf '| %-34s' "crossings in percent, bent by"
for angle in $angles; do printf '| %-14s' "$angle"; done
printf '|\n'
for skin in linear dual spline; do
    row "tube, $skin" "$work/tube.glb" "$work/tube.bvh" Lower Z -1 --skin $skin
    row "oval tube, $skin" "$work/oval.glb" "$work/tube.bvh" Lower Z -1 --skin $skin
    row "oval tube across, $skin" "$work/oval.glb" "$work/tube.bvh" Lower X -1 --skin $skin
    row "elbow, $skin" builtin:body "$work/body.bvh" LeftLowerArm Y -1 --skin $skin
    row "knee, $skin" builtin:body "$work/body.bvh" LeftLowerLeg X 1 --skin $skin
done
row "tube, spline, style soft" "$work/tube.glb" "$work/tube.bvh" Lower Z -1 --style soft
row "oval tube, spline, style soft" "$work/oval.glb" "$work/tube.bvh" Lower Z -1 --style soft
if [ -d "$data/meshes" ]; then
    "$sinew" bind "$data/meshes/cgal_refined_elephant.off" --skeleton "$data/meshes/elephant_sit.bvh" \
        -o "$work/elephant.glb" --quiet
    for skin in linear spline; do
        for joint in Neck Spine FrontLegA BackLegA; do
            for way in "X 1" "X -1" "Z 1" "Z -1"; do
                # shellcheck disable=SC2086 # an axis and a sign
                row "elephant, $joint about $way, $skin" "$work/elephant.glb" "$data/meshes/elephant_sit.bvh" $joint $way \
                    --skin $skin
            done
        done
    done
fi
echo "$broken rows rise with contact"
[ "$broken" -eq 0 ]
