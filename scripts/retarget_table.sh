#!/bin/sh
# Motions on characters of the data folder, in numbers: score of the map, slide of planted feet, the lowest vertex
# (median and least of all frames), the lowest of the body without what hands hold, the largest jump of a vertex
# into a frame, and the mean jerk; lengths in % of the height, jerk in heights a second cubed. The surface that sinew
# animate writes is measured, but for slide and body, which it says itself.
#
# usage: scripts/retarget_table.sh [build folder] [another sinew to compare with]
set -u
cd "$(dirname "$0")/.." || exit 1
build=${1:-build}
other=${2:-}
data=${SINEW_DATA_DIR:-../shared/data}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

characters="builtin:body RobotExpressive.glb quat_modular_men_Casual.glb quat_modular_women_Witch.glb kaykit_Knight.glb
    RiggedFigure.glb bjs_HVGirl.glb m2m_sintel.glb vrm_Godette.glb m2m_bunny.glb"
motions="cmu_02_01_walk cmu_05_02_dance cmu_49_06_cartwheel cmu_60_01_salsa three_pirouette mh_zombieWalk1"

# Clips of animals on animals of other rigs: character, whose clip, its name.
animals="Fox.glb quat_animals_pack_Horse.glb AnimalArmature|Walk
pm_MountainLion.glb quat_animals_pack_Horse.glb AnimalArmature|Walk
quat_animals_pack_Alpaca.glb quat_animals_pack_Horse.glb AnimalArmature|Walk
quat_dinosaurs_pack_Apatosaurus.glb quat_animals_pack_Horse.glb AnimalArmature|Walk
pm_Deer.glb quat_animals_pack_Stag.glb AnimalArmature|Gallop
pm_Trihound.glb quat_animals_pack_Stag.glb AnimalArmature|Walk
quat_animals_pack_Stag.glb Fox.glb Walk
quat_dinosaurs_pack_Apatosaurus.glb m2m_dragon.glb Walk
quat_dinosaurs_pack_Trex.glb m2m_dragon.glb Walk
hackmit_beaver.glb quat_animals_pack_Horse.glb AnimalArmature|Walk
Fox.glb quat_animals_pack_Horse.glb AnimalArmature|Death
pm_MountainLion.glb quat_animals_pack_Horse.glb AnimalArmature|Death
pm_Deer.glb quat_animals_pack_Stag.glb AnimalArmature|Death
m2m_dragon.glb quat_animals_pack_Stag.glb AnimalArmature|Death"

# measure SINEW CHARACTER MOTION CLIP: score, slide, lowest median, lowest, body, jump, its frame, jerk.
measure() {
    "$1" animate "$2" "$3" --clip "$4" --skin linear --volume none --flesh off --join -o "$out/points.pc2" --json --quiet \
        > "$out/report.json" 2> "$out/error.txt" || { echo "refused"; return; }
    python3 - "$out/points.pc2" "$out/report.json" <<'PYTHON'
import array, json, math, struct, sys
data = open(sys.argv[1], "rb").read()
count, = struct.unpack("<i", data[16:20])
frames, = struct.unpack("<i", data[28:32])
points = array.array("f", data[32:32 + 12 * count * frames])
report = json.load(open(sys.argv[2]))
lows, heights = [], []
for f in range(frames):
    y = points[3 * count * f + 1:3 * count * (f + 1):3]
    lows.append(min(y))
    heights.append(max(y) - lows[-1])
size = sorted(heights)[frames // 2]
some = range(0, count, max(1, count // 800))  # every so many vertices
jumps, jerk, terms = [0.0], 0.0, 0
def place(f, v):
    at = 3 * (count * f + v)
    return points[at], points[at + 1], points[at + 2]
for f in range(1, frames):
    most = 0.0
    for v in some:
        a, b = place(f, v), place(f - 1, v)
        most = max(most, (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2)
        if f >= 3:
            c, d = place(f - 2, v), place(f - 3, v)
            jerk += math.sqrt(sum((a[i] - 3 * b[i] + 3 * c[i] - d[i]) ** 2 for i in range(3)))
            terms += 1
    jumps.append(math.sqrt(most))
worst = max(range(frames), key=lambda f: jumps[f])
rate = report["fps"] ** 3
print("%.2f %.2f %.2f %.2f %.2f %.1f %d %.0f" % (
    report["map_score"], 100 * report["foot_slide_max"] / report["height"], 100 * sorted(lows)[frames // 2] / size,
    100 * min(lows) / size, 100 * report.get("lowest", 0) / size, 100 * jumps[worst] / size, worst, jerk * rate / max(terms, 1) / size))
PYTHON
}

printf '%-28s %-20s %6s %7s %8s %8s %6s %7s %6s %6s\n' character motion score slide 'low mid' lowest body jump frame jerk
# show CHARACTER MOTION NAME CLIP: a line for each program
show() {
    for program in $other "$build/sinew"; do
        [ -n "$program" ] || continue
        figures=$(measure "$program" "$1" "$2" "$4")
        mark=
        [ "$program" = "$other" ] && mark=' (before)'
        if [ "$figures" = refused ]; then
            printf '%-28s %-20s %s%s\n' "$(basename "$1" | cut -c 1-28)" "$3" \
                "$(tail -n 1 "$out/error.txt" | cut -c 1-80)" "$mark"
        else
            # shellcheck disable=SC2086
            printf '%-28s %-20s %6s %7s %8s %8s %6s %7s %6s %6s%s\n' "$(basename "$1" | cut -c 1-28)" "$3" \
                $figures "$mark"
        fi
    done
}

for character in $characters; do
    case $character in
        builtin:*) path=$character ;;
        *) path=$data/characters/$character ;;
    esac
    for motion in $motions; do
        show "$path" "$data/motion/$motion.bvh" "$motion" 0
    done
done
# What has no feet.
for character in kenney_mini_female boxman; do
    for motion in $motions; do
        show "$data/characters/$character.glb" "$data/motion/$motion.bvh" "$motion" 0
    done
done
echo "$animals" | while read -r character source clip; do
    name=$(echo "$source" | sed 's/.*_//; s/\.glb//')-${clip#*|}
    show "$data/characters/$character" "$data/characters/$source" "$name" "$clip" < /dev/null
done
