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

# measure SINEW CHARACTER MOTION: score, slide, lowest median, lowest, body, jump, its frame, jerk.
measure() {
    "$1" animate "$2" "$3" --skin linear --volume none --flesh off --join -o "$out/points.pc2" --json --quiet \
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
for character in $characters; do
    case $character in
        builtin:*) path=$character ;;
        *) path=$data/characters/$character ;;
    esac
    for motion in $motions; do
        for program in $other "$build/sinew"; do
            [ -n "$program" ] || continue
            set -- $(measure "$program" "$path" "$data/motion/$motion.bvh")
            mark=
            [ "$program" = "$other" ] && mark=' (before)'
            if [ "$1" = refused ]; then
                printf '%-28s %-20s %s%s\n' "$character" "$motion" "$(tail -n 1 "$out/error.txt" | cut -c 1-80)" "$mark"
            else
                printf '%-28s %-20s %6s %7s %8s %8s %6s %7s %6s %6s%s\n' "$character" "$motion" "$@" "$mark"
            fi
        done
    done
done
