#!/bin/bash
# The report of six characters times ten motions, as Chromium shows it: docs/images/batch.png.
# scripts/batch_figures.sh [OUT.png [SINEW]]; needs ../shared/data and chromium.
set -euo pipefail
cd "$(dirname "$0")/.."
out=$(realpath -m "${1:-docs/images/batch.png}")
sinew=$(realpath "${2:-build/sinew}")
data=$(realpath ../shared/data)
folder=${FOLDER:-$(mktemp -d)}
mkdir -p "$folder/cast" "$folder/mocap"
cd "$folder"
for c in quat_modular_men_Casual quat_modular_men_King quat_modular_women_Witch kaykit_Knight RobotExpressive m2m_bunny; do
    ln -sf "$data/characters/$c.glb" "cast/${c##*_}.glb"
done
cut() { "$sinew" motion "$data/motion/$1.bvh" --from "$2" --to "$3" -o "mocap/$4.bvh" --clean off --quiet; }
cut cmu_02_01_walk 0.1 2 walk
cut cmu_35_01_walk 0.1 2 stroll
cut cmu_02_04_jump 0.1 2.5 jump
cut cmu_05_02_dance 1 3 dance
cut cmu_05_02_dance 4 6 dance_low
cut cmu_49_06_cartwheel 0.1 3 cartwheel
cut cmu_60_01_salsa 1 3 salsa
cut cmu_60_01_salsa 5 7 salsa_turn
cut mh_zombieWalk1 0.1 1.2 zombie
cut three_pirouette 0.5 2.5 pirouette
cat >batch.json <<'JSON'
{"characters": "cast/*.glb", "motions": "mocap/*.bvh", "out": "out/{character}/{motion}.glb",
 "do": [{"verb": "animate", "options": ["--target", "skin"]}, {"verb": "check", "options": ["--skin", "linear"]}],
 "limits": {"memory": "2G", "seconds": 300}}
JSON
"$sinew" batch run batch.json --quiet
# The same cast in another skin: what that changes.
sed -i 's/"--skin", "linear"/"--skin", "dual"/; s/"--target", "skin"/"--target", "skin", "--volume", "exact"/' batch.json
"$sinew" batch run batch.json --quiet
chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=1500,1250 --screenshot="$out" \
    "file://$folder/batch.state/report.html" >/dev/null 2>&1
echo "wrote $out"
