#!/bin/sh
# Posing by handles in pictures: handle_figures.sh OUT [BUILD]. Walks on level ground, over hills, up a stair and round a
# corner, and a jump, from the examples in assets/examples: a film each, and one picture with many of its frames. Prints how
# far feet slide. Needs sinew of the folder BUILD (default: build) and ffmpeg.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
out=$1
build=${2:-$root/build}
sinew=$build/sinew
assets=$root/assets/examples
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# strobe FILM EVERY OUT: every so many frames of a film laid over each other: skin, which is redder than ground and sky,
# over what was before it, and of the rest the darker, which keeps all shadows.
strobe() {
    ffmpeg -v error -y -i "$1" -vf "select='not(mod(n\,$2))'" -vsync 0 "$work/strobe_%03d.png"
    set -- "$3" "$work"/strobe_*.png
    to=$1
    shift
    cp "$1" "$work/sum.png"
    shift
    skin="colorchannelmixer=1:0:-1:0:1:0:-1:0:1:0:-1,lutrgb=255*gt(val\,30):255*gt(val\,30):255*gt(val\,30),format=gray"
    for frame in "$@"; do
        ffmpeg -v error -y -i "$work/sum.png" -i "$frame" -filter_complex "
            [0]format=gbrp,split=3[a][b][c];[1]format=gbrp,split=3[d][e][f];[a][d]blend=all_mode=darken[dark];
            [c]$skin[old];[b][old]alphamerge[before];[f]$skin[new];[e][new]alphamerge[now];
            [dark][before]overlay=format=gbrp[both];[both][now]overlay=format=gbrp" -frames:v 1 "$work/next.png"
        mv "$work/next.png" "$work/sum.png"
    done
    cp "$work/sum.png" "$to"
    rm -f "$work"/strobe_*.png
}

# row FILM CROP OUT FRAME...: frames of a film side by side.
row() {
    film=$1 crop=$2 to=$3 expression=0
    shift 3
    for frame in "$@"; do expression="$expression+eq(n,$frame)"; done
    ffmpeg -v error -y -i "$film" -vf "select='$expression',crop=$crop,tile=${#}x1" -frames:v 1 "$to"
}

# move NAME EXAMPLES EVERY OPTIONS...: NAME.json played with a folder of examples.
move() {
    name=$1 examples=$2 every=$3
    shift 3
    echo "$name:"
    "$sinew" animate builtin:body --rig "$assets/body.snrig" --examples "$assets/$examples" --path "$assets/$name.json" \
        -o "$out/$name.mp4" --follow off "$@"
    strobe "$out/$name.mp4" "$every" "$out/$name.png"
}

move flat walk 13 --camera 90,5 --size 1600x560
move hills walk 19 --camera 78,8 --size 1600x560
move stairs walk 24 --camera 70,10 --size 1600x720
move corner walk 24 --camera 40,25 --size 1200x720
move jump jump 6 --camera 80,5 --size 1200x720
row "$out/jump.mp4" 780:720:210:0 "$out/jump.png" 8 18 25 28 35 42 49
