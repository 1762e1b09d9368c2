#!/bin/sh
# Draws every picture of README.md and docs/ from the built-in character, with build/sinew.
set -eu
cd "$(dirname "$0")/.."
sinew=build/sinew
out=docs/images
mkdir -p "$out"

$sinew render builtin:body --clip walk --fps 20 -o "$out/walk.gif" --size 360x480 --quiet
$sinew render builtin:body --clip walk --sheet 6 --size 260x360 -o "$out/walk.png" --quiet
$sinew render builtin:body --clip jump --sheet 6 --size 260x360 -o "$out/jump.png" --quiet
$sinew render builtin:body --show weights:LeftUpperArm --size 640x640 -o "$out/weights.png" --quiet
$sinew render builtin:body --wireframe --camera 25,5 --size 640x640 -o "$out/wireframe.png" --quiet
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
$sinew demo -o "$work" --quiet >/dev/null
cp "$work/demo.png" "$out/demo.png"

# beside OUT IN...: pictures side by side.
beside() {
    to=$1
    shift
    inputs="" count=0
    for picture in "$@"; do
        inputs="$inputs -i $picture"
        count=$((count + 1))
    done
    # shellcheck disable=SC2086  # the list is meant to split
    ffmpeg -v error -y $inputs -filter_complex "hstack=inputs=$count" -frames:v 1 "$to"
}

# Flesh: a jump in the plain skin and in flesh, how far volume and flesh move the surface, and a belly after a stop.
$sinew bind builtin:body --keep-weights -o "$work/flesh.glb" --quiet
jump() { $sinew render "$work/flesh.glb" --clip jump --fps 20 --camera 55,6 --size 300x360 --quiet "$@"; }
jump --skin linear --volume none --flesh off -o "$work/plain.mp4"
jump -o "$work/soft.mp4"
jump --show moves -o "$work/moved.mp4"
ffmpeg -v error -y -i "$work/plain.mp4" -i "$work/soft.mp4" -i "$work/moved.mp4" -filter_complex \
    "hstack=inputs=3,split[a][b];[a]palettegen=max_colors=200[p];[b][p]paletteuse=dither=bayer:bayer_scale=4" "$out/flesh.gif"
$sinew render "$work/flesh.glb" --show moves --flesh off --clip bend --time 1 --camera 150,22 --size 560x560 -o "$work/bent.png" --quiet
$sinew render "$work/flesh.glb" --show moves --clip jump --time 1.1 --size 560x560 -o "$work/landed.png" --quiet
beside "$out/moves.png" "$work/bent.png" "$work/landed.png"
build/samples/sample_02_flesh "$out/stop.svg" >/dev/null
scripts/flesh_figures.sh "$work/figures"
cp "$work/figures/figure12_body.png" "$out/volume.png"
cp "$work/figures/widths.png" "$out/widths.png"
ffmpeg -v error -y -i "$work/figures/figure9.png" -vf \
    "scale=1400:-1:flags=lanczos,split[a][b];[a]palettegen=max_colors=255[p];[b][p]paletteuse=dither=none" "$out/flesh_volume.png"
ffmpeg -v error -y -i "$work/figures/cells.png" -vf scale=600:-1 "$out/cells.png"

# Exact volume: profiles on a bent cylinder, a belly, a biceps, a breath.
scripts/volume_figures.sh "$work/exact"
cp "$work/exact/contact.png" "$out/contact.png"
cp "$work/exact/figure5.png" "$out/profiles.png"
cp "$work/exact/figure8.png" "$out/belly.png"
cp "$work/exact/elbow.png" "$out/elbow.png"
cp "$work/exact/breath.png" "$out/breath.png"
cp "$work/exact/refined.png" "$out/refined.png"

# Splines and styles. The picture of all styles needs the real characters; without them it has a column less.
scripts/style_figures.sh "$work/styles"
for picture in stiffness styles together; do cp "$work/styles/$picture.png" "$out/$picture.png"; done
$sinew style show cloth -o "$out/style_sheet.png" --quiet

# The report of the check as a browser shows it; the verdict is not of interest here.
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [ -n "$browser" ]; then
    $sinew check builtin:body --compare linear,dual,exact --html "$work/check.html" --quiet >/dev/null || true
    "$browser" --headless --no-sandbox --hide-scrollbars --window-size=1100,1470 --screenshot="$out/check.png" \
        "file://$work/check.html" >/dev/null 2>&1
else
    echo "no browser: check.png is left as it is"
fi

# Binding: weights, lattice and parts of the body; then the lattice at the two resolutions of figure 11 in Chen et al. 2012.
$sinew bind builtin:body --cells 48 -o "$work/body.glb" --quiet
for show in weights:all lattice parts; do
    $sinew render "$work/body.glb" --show $show --size 460x520 -o "$work/body_${show#weights:}.png" --quiet
done
beside "$out/bind.png" "$work/body_all.png" "$work/body_lattice.png" "$work/body_parts.png"
for cells in 27 36; do
    $sinew bind builtin:body --weights heat --cells $cells -o "$work/figure.glb" --quiet
    $sinew render "$work/figure.glb" --show lattice --size 400x440 -o "$work/lattice$cells.png" --quiet
    $sinew render "$work/figure.glb" --skin lattice --flesh off --clip bend --time 1 --size 400x440 --camera front -o "$work/bend$cells.png" --quiet
done
beside "$out/resolution.png" "$work/lattice27.png" "$work/bend27.png" "$work/lattice36.png" "$work/bend36.png"

# One motion on four skeletons. Needs the real characters (all CC0) and motion; without them the picture stays.
data=${SINEW_DATA_DIR:-../shared/data}
motion=$data/motion/cmu_49_06_cartwheel.bvh
if [ -e "$motion" ]; then
    inputs="" filters="" rows=0
    for character in builtin:body "$data/characters/mh_default.mhskel" "$data/characters/quat_modular_women_Witch.glb" \
        "$data/characters/quat_modular_men_Casual.glb"; do
        $sinew animate "$character" "$motion" --from 0.4 -o "$work/row$rows.glb" --quiet
        $sinew render "$work/row$rows.glb" --clip 0 --sheet 8 --size 200x200 --camera 215,12 -o "$work/row$rows.png" --quiet
        inputs="$inputs -i $work/row$rows.png"
        # The title and the times of every sheet are the same; the pictures are enough.
        filters="$filters[$rows:v]crop=iw:ih-60:0:60[r$rows];"
        rows=$((rows + 1))
    done
    # shellcheck disable=SC2086  # the list is meant to split
    ffmpeg -v error -y $inputs -filter_complex "$filters[r0][r1][r2][r3]vstack=inputs=4" -frames:v 1 "$out/cartwheel.png"
    # Weights of characters that know nothing of each other, and a bare body that takes a skeleton and walks.
    pictures=""
    for character in quat_modular_men_Casual.glb kaykit_Knight.glb quat_animals_pack_Horse.glb quat_dinosaurs_pack_Trex.glb mh_default.mhskel; do
        $sinew bind "$data/characters/$character" -o "$work/bound.glb" --quiet
        $sinew render "$work/bound.glb" --show weights:all --size 300x400 -o "$work/$character.png" --quiet
        pictures="$pictures $work/$character.png"
    done
    # shellcheck disable=SC2086
    beside "$out/bound.png" $pictures
    # Where the ways of binding disagree.
    pictures=""
    for character in quat_modular_men_Casual.glb Fox.glb kaykit_Knight.glb pm_Deer.glb hackmit_penguin.gltf; do
        $sinew render "$data/characters/$character" --show doubt --size 320x380 -o "$work/$character.png" --quiet
        pictures="$pictures $work/$character.png"
    done
    # shellcheck disable=SC2086
    beside "$out/doubt.png" $pictures
    $sinew convert "$data/characters/mh_default.mhskel" -o "$work/bare.obj" --quiet
    $sinew animate "$work/bare.obj" "$data/motion/cmu_02_01_walk.bvh" --in-place -o "$work/fitted.glb" --quiet
    $sinew render "$work/fitted.glb" --clip 0 --sheet 6 --size 260x360 -o "$out/fit.png" --quiet
else
    echo "no real characters in $data: their pictures are left as they are"
fi
# Posing by handles, and the gallery by its own commands.
scripts/pose_figures.sh "$work/poses" build
for picture in example_sets limits handles handle_joints handle_weights detail_layer bands spikes; do
    [ ! -e "$work/poses/$picture.png" ] || cp "$work/poses/$picture.png" "$out/$picture.png"
done
cp "$work/poses/pose_trace.svg" "$out/pose_trace.svg"
scripts/gallery.sh
ls -l "$out"
