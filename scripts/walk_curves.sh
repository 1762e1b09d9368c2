#!/bin/sh
# How the walk by examples moves beside captures of people: walk_curves.sh OUT DATA [BUILD]. Prints the figures of each and
# draws OUT/walk_curves.svg: pelvis, trunk, hip, knee, ankle and arm over a cycle, from heel strike to heel strike. Needs
# the tests' program gait_print of the folder BUILD (default: build) and a folder DATA with motion/.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
out=$1 data=$2
gait=${3:-$root/build}/tests/document/gait_print
assets=$root/assets/examples
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$gait" 0 60 "$data/motion/cmu_02_01_walk.bvh" >"$work/1"
"$gait" 0 60 "$data/motion/cmu_35_01_walk.bvh" >"$work/2"
"$gait" 1.5 4.6 "$assets/body.snrig" "$assets/walk" "$assets/flat.json" >"$work/3"
for way in 1:cmu_02_01_walk 2:cmu_35_01_walk 3:examples; do echo "${way#*:}: $(sed -n 's/^# //p;1q' "$work/${way%%:*}")"; done

awk -F, '
    FNR == 1 { file++; next }
    FNR == 2 { for (c = 2; c <= NF; c++) name[c] = $c; columns = NF; next }
    { row = FNR - 2; share[row] = $1
      for (c = 2; c <= NF; c++) { v = $c; value[file, c, row] = v
          if (!((c) in low) || v < low[c]) low[c] = v
          if (!((c) in high) || v > high[c]) high[c] = v } }
    END {
        split("#b0b6be #747b84 #0a6c62", colour, " "); split("cmu_02_01 cmu_35_01 examples", label, " ")
        wide = 230; tall = 150; gap = 46
        printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">\n", 4 * (wide + gap) + gap, 2 * (tall + gap) + gap
        print "<rect width=\"100%\" height=\"100%\" fill=\"#f7f8f9\"/>"
        for (f = 1; f <= 3; f++) printf "<text x=\"%d\" y=\"18\" fill=\"%s\">%s</text>\n", gap + (f - 1) * 110, colour[f], label[f]
        for (c = 2; c <= columns; c++) {
            x0 = gap + (c - 2) % 4 * (wide + gap); y0 = gap + int((c - 2) / 4) * (tall + gap)
            printf "<text x=\"%d\" y=\"%d\">%s</text><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#b0b6be\"/>\n", x0, y0 - 6, name[c], x0, y0, wide, tall
            printf "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%.4g</text><text x=\"%d\" y=\"%d\" text-anchor=\"end\">%.4g</text>\n", x0 - 4, y0 + 10, high[c], x0 - 4, y0 + tall, low[c]
            for (f = 1; f <= 3; f++) {
                printf "<polyline fill=\"none\" stroke-width=\"%s\" stroke=\"%s\" points=\"", f == 3 ? 2.5 : 1.5, colour[f]
                for (r = 1; r in share; r++) printf "%.1f,%.1f ", x0 + wide * share[r], y0 + tall * (high[c] - value[f, c, r]) / (high[c] - low[c])
                print "\"/>"
            }
        }
        print "</svg>"
    }' "$work/1" "$work/2" "$work/3" >"$out/walk_curves.svg"
