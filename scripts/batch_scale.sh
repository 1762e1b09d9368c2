#!/bin/bash
# What a hundred thousand jobs cost beside their work: 100 characters x 1000 motions, each job a tiny one.
# scripts/batch_scale.sh [SINEW [CHARACTERS MOTIONS]] prints seconds and memory of each step.
set -euo pipefail
sinew=$(realpath "${1:-build/sinew}")
characters=${2:-100} motions=${3:-1000}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir cast mocap
"$sinew" motion builtin:tube --to 0.1 -o move.bvh --quiet 2>/dev/null
for c in $(seq -w "$characters"); do echo "$c" >"cast/c$c.obj"; done
for m in $(seq -w "$motions"); do cp move.bvh "mocap/m$m.bvh"; done
cat >batch.json <<'JSON'
{"characters": "cast/*.obj", "motions": "mocap/*.bvh", "out": "out/{character}/{motion}.bvh",
 "do": {"verb": "motion", "per": "pair", "operands": ["{motion_path}"]}}
JSON
step() { # step NAME COMMAND...
    name=$1
    shift
    /usr/bin/time -f "%e %M" -o time "$@" >said 2>&1 || { cat said; exit 1; }
    awk -v name="$name" '{printf "%-28s %8.1f s %8.0f MB\n", name, $1, $2 / 1024}' time
}
echo "$((characters * motions)) jobs"
step "plan" "$sinew" batch plan batch.json
step "run" "$sinew" batch run batch.json
step "resume, nothing to do" "$sinew" batch run batch.json
step "plan, all up to date" "$sinew" batch plan batch.json
step "status" "$sinew" batch status batch.json
step "report" "$sinew" batch report batch.json
ls -l batch.state/report.html batch.state/report.json | awk '{printf "%-28s %8.1f MB\n", $NF, $5 / 1e6}'
echo "files of the state: $(find batch.state -type f | wc -l), $(du -sm batch.state | cut -f1) MB on the disk"
