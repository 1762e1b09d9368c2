#!/bin/sh
# Pictures of exact volume and contact: figures 5 and 8 of Rohmer et al. 2009 with a cylinder and the built-in body,
# refinement, a biceps, a breath, bends from inside; and, where the character data is, an elephant that sits and a long
# neck: volume_figures.sh OUT [SHEET...]. Needs build/sinew and build/sinew_sheet, or those of the folder SINEW_BUILD.
set -euf
root=$(cd "$(dirname "$0")/.." && pwd)
out=$1
shift
wanted=" $* "
build=${SINEW_BUILD:-$root/build}
data=${SINEW_DATA_DIR:-$root/../shared/data}
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

# sheet NAME TITLE SUBTITLE ROWS COLUMNS OPTIONS...: a picture of each row in each column. Rows and columns are
# LABEL=OPTIONS of render, with | between them; those of the column come first and begin with the model.
# shellcheck disable=SC2086  # options are meant to split
sheet() {
    name=$1 title=$2 subtitle=$3 rows=$4 columns=$5
    shift 5
    cells="" heads="" sides="" IFS="|"
    for row in $rows; do
        sides="$sides|${row%%=*}" heads=""
        for column in $columns; do
            IFS=" "
            heads="$heads|${column%%=*}" cell="$work/cell_$(echo $cells | wc -w).png"
            "$sinew" render ${column#*=} ${row#*=} --skin linear --flesh off "$@" -o "$cell" --quiet
            cells="$cells $cell" IFS="|"
        done
    done
    IFS=" "
    "$build/sinew_sheet" "$out/$name.png" "$title" "$subtitle" "${heads#|}" "${sides#|}" $cells
    unset IFS
}
asked() { [ "$wanted" = "  " ] || case $wanted in *" $1 "*) ;; *) false ;; esac; }

# pose MODEL MOTION OUT: the model moved by a motion of its own skeleton, with the plain skin.
pose() { "$sinew" animate "$1" "$2" --no-feet --skin linear --volume none --flesh off --target skin -o "$3" --quiet; }

# posed MODEL OUT SECONDS JOINT=Z,Y,X...: the model from its rest to a pose, in degrees about the world's axes.
posed() {
    model=$1 to=$2 seconds=$3
    shift 3
    "$sinew" motion "$model" --clip 0 -o "$work/moves.bvh" --quiet
    awk -v pose="$*" -v seconds="$seconds" '
        BEGIN { for (n = split(pose, turn, /[ =]/); n > 0; n -= 2) at[turn[n - 1]] = turn[n] }
        $1 == "ROOT" || $1 == "JOINT" { name[++joints] = $2 }
        $1 == "OFFSET" { offset = $2 " " $3 " " $4 }
        $1 == "CHANNELS" { place[joints] = $2 == 6 ? " " offset : "" }
        /^MOTION/ { exit }
        { print }
        END {
            print "MOTION\nFrames: 2\nFrame Time: " seconds
            for (frame = 0; frame < 2; frame++) {
                for (j = 1; j <= joints; j++) {
                    turns = frame && name[j] in at ? at[name[j]] : "0,0,0"
                    gsub(",", " ", turns)
                    printf "%s %s", place[j], turns
                }
                print ""
            }
        }' "$work/moves.bvh" >"$work/pose.bvh"
    pose "$model" "$work/pose.bvh" "$to"
}

# tube RADIUS RIM SIDES RINGS: a cylinder of two bones along +Y, 2 m long, its rims rounded over RIM (0: sharp), as OBJ.
tube() {
    awk -v r="$1" -v rim="$2" -v sides="$3" -v rings="$4" -v h=2 'BEGIN {
        pi = atan2(0, -1); steps = rim > 0 ? 4 : 0; rows = rings + 2 * steps + 1
        for (i = 0; i < rows; i++) {
            low = i < steps ? steps - i : 0; high = i > rings + steps ? i - rings - steps : 0
            turn = steps > 0 ? pi / 2 * (low + high) / steps : 0
            y = low + high > 0 ? rim * (1 - cos(pi / 2 - turn)) : rim + (h - 2 * rim) * (i - steps) / rings
            if (high > 0) y = h - y
            q = r - rim + rim * cos(turn)
            for (j = 0; j < sides; j++)
                printf "v %.6f %.6f %.6f\n", q * sin(2 * pi * j / sides), y, q * cos(2 * pi * j / sides)
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
    }'
}

# bent NAME DEGREES RADIUS RIM SIDES RINGS BIND-OPTIONS...: such a cylinder, bent in a second.
bent() {
    name=$1
    cat >"$work/bend.bvh" <<END
HIERARCHY
ROOT Upper { OFFSET 0 0 0 CHANNELS 3 Zrotation Xrotation Yrotation
  JOINT Lower { OFFSET 0 1 0 CHANNELS 3 Zrotation Xrotation Yrotation
    End Site { OFFSET 0 1 0 } } }
MOTION
Frames: 2
Frame Time: 1
0 0 0 0 0 0
0 0 0 -$2 0 0
END
    tube "$3" "$4" "$5" "$6" >"$work/tube.obj"
    shift 6
    "$sinew" bind "$work/tube.obj" --skeleton "$work/bend.bvh" "$@" -o "$work/bound.glb" --quiet
    pose "$work/bound.glb" "$work/bend.bvh" "$work/$name.glb"
}
# part DEGREES MOST: when a pose that takes a second to MOST is at DEGREES.
part() { awk -v a="$1" -v most="$2" 'BEGIN { print a / most }'; }

exact="--volume exact"

# ------------------------------------------------------------------------------------------------------ figure 5
if asked figure5; then
    bent cylinder 100 0.22 0.06 64 120 --weights geodesic
    of="$work/cylinder.glb --clip 0 --time 1"
    columns="reference=$of --volume none"
    for profile in isotropic rubber muscle folds; do columns="$columns|$profile=$of $exact --profile Lower=$profile"; done
    sheet figure5 "One bend, one volume, four profiles" \
        "exact volume takes the error from $(error "$work/cylinder.glb" 1 --profile isotropic)" \
        "from the side=--camera 25,15|from the end=--camera 90,15" "$columns" --size 340x360
fi

# ------------------------------------------------------------------------------------------------------ figure 8
# The body curls up: each part of the spine forward, the hips as far back, so that the belly stays in sight.
if asked figure8; then
    posed builtin:body "$work/curl.glb" 1 Hips=0,0,-50 Spine=0,0,45 Chest=0,0,30 UpperChest=0,0,15
    columns="" belly="--profile Spine=belly --profile Chest=belly"
    for degrees in 30 50 70 90; do
        time=$(part $degrees 90)
        # shellcheck disable=SC2086
        columns="$columns|$degrees°: $(error "$work/curl.glb" "$time" $belly)=$work/curl.glb --clip 0 --time $time"
    done
    figure8() {
        sheet "$1" "Belly folds that grow with the bend" \
            "how far the spine is bent, and the error of the volume, before to after" "$2" "${columns#|}" \
            --camera 60,5,0.7 --focus Spine --no-ground --size 340x320
    }
    figure8 figure8 "plain skin=--volume none|belly=$exact $belly"
    figure8 figure8_refined "belly=$exact $belly|refined once=$exact $belly --refine 1"
fi

# ------------------------------------------------------------------------------------------------------ refinement
# Folds on a coarse tube, and on the same tube refined once and twice.
if asked refined; then
    of="builtin:tube --clip bend --time 0.6 $exact --profile folds --set volume.refine"
    sheet refined "Folds want a fine mesh" "split only where the profile is large" "surface=|mesh=--wireframe" \
        "as it is=$of=0|refined once=$of=1|refined twice=$of=2" --camera 20,12 --size 340x320
fi

# ------------------------------------------------------------------------------------------------- elbow, breathing
# A biceps on the arm of the body.
if asked elbow; then
    of="builtin:body --clip bend --time 1"
    sheet elbow "An elbow bent by 130°" "the same weights and pose" "=" \
        "plain skin=$of --volume none|isotropic=$of $exact|muscle=$of $exact --profile LeftElbow=muscle" \
        --focus LeftLowerArm --camera 150,15 --size 340x340
fi

# Breathing: the target of the volume changes over time. The other rows show how far the surface moved.
if asked breath; then
    echo '{"targets": [{"joint": "Chest", "loop": true, "keys": [[0, 1], [1, 1.15], [2, 1]]}]}' >"$work/breath.json"
    posed builtin:body "$work/still.glb" 2
    columns=""
    for time in 0 0.5 1 1.5 2; do columns="$columns|$time s=$work/still.glb --clip 0 --time $time"; done
    sheet breath "Breathing" "a target volume of the chest that changes over time" \
        "surface=--camera 60,5,0.6|moved by=--camera 60,5,0.6 --show moves|from the front=--camera 0,5,0.6 --show moves" \
        "${columns#|}" --volume exact --target-volume "$work/breath.json" --focus Chest --no-ground --size 300x320
fi

# -------------------------------------------------------------------------------------------------------- contact
# A tube whose radius is a fifth of its length, and elbow and knee of the body from inside of their bends.
contacts="without=$exact --contact off|with contact=$exact --contact on"
if asked contact; then
    bent thick 150 0.4 0 48 80
    columns=""
    for degrees in 60 90 120 150; do
        columns="$columns|$degrees°=$work/thick.glb --clip 0 --time $(part $degrees 150) --camera 25,15"
    done
    sheet contact "Skin that meets itself" "exact volume, without contact and with it" "$contacts" \
        "${columns#|}|elbow, 130°=builtin:body --clip bend --time 1 --focus LeftLowerArm --camera 150,30" --size 340x320
fi
if asked inside; then
    posed builtin:body "$work/knee.glb" 1 LeftUpperLeg=0,0,-60 LeftLowerLeg=0,0,140
    elbow="builtin:body --clip bend --time 1 --focus LeftLowerArm" knee="$work/knee.glb --clip 0 --time 1 --focus LeftLowerLeg"
    sheet inside "Bends from inside" "elbow 130°, knee 140°; exact volume, without contact and with it" \
        "plain skin=--volume none|$contacts" \
        "elbow=$elbow --camera 150,30|from above=$elbow --camera 180,70|knee=$knee --camera 60,-10|from behind=$knee --camera 170,-5" \
        --size 340x320
fi

# ----------------------------------------------------------------------------------------------------- characters
# Those of the data folder; their pictures are for looking, none is part of the documentation.
if asked elephant && [ -d "$data/meshes" ]; then
    "$sinew" bind "$data/meshes/cgal_refined_elephant.off" --skeleton "$data/meshes/elephant_sit.bvh" -o "$work/e.glb" --quiet
    "$sinew" animate "$work/e.glb" "$data/meshes/elephant_sit.bvh" --target skin -o "$work/sit.glb" --quiet
    of="$work/sit.glb --clip 0 --time 0.45"
    sheet elephant "An elephant that sits down" "the volume is off by $(error "$work/sit.glb" 0.45)" \
        "plain skin=--volume none|exact=$exact|moved by=$exact --show moves|belly=$exact --profile Spine=belly --show moves" \
        "whole=$of --camera=-30,15,1|back=$of --camera=-30,15,0.5 --focus Spine|belly=$of --camera=30,-20,0.6 --focus Spine|tail=$of --camera=-120,10,0.5 --focus Hips|feet=$of --camera=-60,5,0.5 --focus BackLegA" \
        --size 360x320
fi
apatosaurus=$data/characters/quat_dinosaurs_pack_Apatosaurus.glb
if asked neck && [ -f "$apatosaurus" ]; then
    posed "$apatosaurus" "$work/neck.glb" 1 Shoulders=0,15,0 Neck=0,70,0 Head=0,30,0
    columns=""
    for degrees in 25 50 70; do
        columns="$columns|$degrees°=$work/neck.glb --clip 0 --time $(part $degrees 70) --camera 60,50,0.3 --focus Neck"
    done
    sheet neck "A long neck" "bent sideways" \
        "plain skin=--volume none|isotropic=$exact|rubber=$exact --profile rubber|moved by=$exact --profile rubber --show moves" \
        "${columns#|}|from the other side=$work/neck.glb --clip 0 --time 1 --camera=-60,30,0.4 --focus Neck" --size 360x300
fi
