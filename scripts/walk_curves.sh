#!/bin/sh
# How the walk and the jump by examples move beside captures of people: walk_curves.sh OUT DATA [BUILD]. Prints the figures of
# each and draws OUT/walk_curves.svg: pelvis, trunk, hip, knee, ankle and arm over a cycle, from heel strike to heel strike,
# at the captures' speed; and OUT/jump_curves.svg: height and acceleration of the center of mass, knee, trunk, hip and arm
# around its highest moment. Needs the tests' program gait_print of the folder BUILD (default: build) and a folder DATA with
# motion/.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
out=$1 data=$2
gait=${3:-$root/build}/tests/document/gait_print
assets=$root/assets/examples
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# tell LABEL FILE
tell() { echo "$1: $(sed -n 's/^# //p;1q' "$2")"; }

# draw OUT LABELS FILE...: curves over the first column, the last file's in front.
draw() {
    picture=$1 labels=$2
    shift 2
    awk -F, -v labels="$labels" -v last=$# '
    FNR == 1 { file++; next }
    FNR == 2 { for (c = 2; c <= NF; c++) name[c] = $c; columns = NF; next }
    { rows[file] = FNR - 2; x[file, FNR - 2] = $1
      if (!started++ || $1 < left) left = $1
      if (started == 1 || $1 > right) right = $1
      for (c = 2; c <= NF; c++) { v = $c; value[file, c, FNR - 2] = v
          if (!((c) in low) || v < low[c]) low[c] = v
          if (!((c) in high) || v > high[c]) high[c] = v } }
    END {
        split(last == 3 ? "#b0b6be #747b84 #0a6c62" : "#747b84 #0a6c62", color, " "); split(labels, label, " ")
        wide = 230; tall = 150; gap = 46
        printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">\n", 4 * (wide + gap) + gap, 2 * (tall + gap) + gap
        print "<rect width=\"100%\" height=\"100%\" fill=\"#f7f8f9\"/>"
        for (f = 1; f <= last; f++) printf "<text x=\"%d\" y=\"18\" fill=\"%s\">%s</text>\n", gap + (f - 1) * 110, color[f], label[f]
        for (c = 2; c <= columns; c++) {
            x0 = gap + (c - 2) % 4 * (wide + gap); y0 = gap + int((c - 2) / 4) * (tall + gap)
            printf "<text x=\"%d\" y=\"%d\">%s</text><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#b0b6be\"/>\n", x0, y0 - 6, name[c], x0, y0, wide, tall
            printf "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%.4g</text><text x=\"%d\" y=\"%d\" text-anchor=\"end\">%.4g</text>\n", x0 - 4, y0 + 10, high[c], x0 - 4, y0 + tall, low[c]
            for (f = 1; f <= last; f++) {
                printf "<polyline fill=\"none\" stroke-width=\"%s\" stroke=\"%s\" points=\"", f == last ? 2.5 : 1.5, color[f]
                for (r = 1; r <= rows[f]; r++) printf "%.1f,%.1f ", x0 + wide * (x[f, r] - left) / (right - left), y0 + tall * (high[c] - value[f, c, r]) / (high[c] - low[c])
                print "\"/>"
            }
        }
        print "</svg>"
    }' "$@" >"$picture"
}

"$gait" 0 60 "$data/motion/cmu_02_01_walk.bvh" >"$work/1"
"$gait" 0 60 "$data/motion/cmu_35_01_walk.bvh" >"$work/2"
"$gait" 1.5 60 "$assets/body.snrig" "$assets/walk" "$assets/speed.json" >"$work/3"
tell cmu_02_01_walk "$work/1"
tell cmu_35_01_walk "$work/2"
tell walk "$work/3"
draw "$out/walk_curves.svg" "cmu_02_01 cmu_35_01 examples" "$work/1" "$work/2" "$work/3"

"$gait" jump 1.2 "$data/motion/cmu_02_04_jump.bvh" >"$work/1"
"$gait" jump 1.2 "$assets/body.snrig" "$assets/jump" "$assets/jump.json" >"$work/2"
tell cmu_02_04_jump "$work/1"
tell jump "$work/2"
draw "$out/jump_curves.svg" "cmu_02_04 examples" "$work/1" "$work/2"
