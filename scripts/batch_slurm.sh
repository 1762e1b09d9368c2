#!/bin/bash
# 200 jobs on a Slurm of two nodes on this host, one of which dies in the middle: nothing is lost, and the files are
# those of a local run, byte for byte. scripts/batch_slurm.sh [SINEW]
set -euo pipefail
sinew=$(realpath "${1:-build/sinew}")
host=$(dirname "$(realpath "$0")")/slurm_host.sh
folder=$(mktemp -d)
trap '"$host" stop "$folder/slurm" >/dev/null 2>&1 || true; rm -rf "$folder"' EXIT

mkdir -p "$folder/local/cast" "$folder/local/mocap"
cd "$folder/local"
for c in $(seq -w 10); do "$sinew" convert builtin:tube -o "cast/tube_$c.glb" --quiet; done
for m in $(seq -w 20); do
    "$sinew" motion builtin:tube --clip $((10#$m % 2)) --to "1.$m" -o "mocap/move_$m.bvh" --quiet 2>/dev/null
done
cat >batch.json <<'JSON'
{"characters": "cast/*.glb", "motions": "mocap/*.bvh", "out": "out/{character}/{motion}.glb", "thumbnails": false,
 "do": {"verb": "animate", "options": ["--skin", "spline", "--style", "cloth", "--volume", "exact", "--fps", 90]}}
JSON
cp -r "$folder/local" "$folder/farm"
echo "== local"
"$sinew" batch run batch.json --quiet
(cd out && find . -type f | sort | xargs sha256sum) >"$folder/local.txt"

echo "== Slurm, two nodes"
"$host" start "$folder/slurm"
export SLURM_CONF="$folder/slurm/slurm.conf"
cd "$folder/farm"
"$sinew" batch run batch.json --slurm --partition farm --per-task 5
done_now() { "$sinew" batch status batch.json --json | sed -n 's/^  "up_to_date": \([0-9]*\),*/\1/p'; }
while [ "$(done_now)" -lt 40 ]; do sleep 0.2; done
echo "node 2 dies after $(done_now) jobs"
"$host" kill "$folder/slurm" 2
"$sinew" batch status batch.json
for i in $(seq 600); do
    [ "$(done_now)" = 200 ] && break
    if [ $((i % 30)) = 0 ]; then "$sinew" batch status batch.json; sinfo --noheader --Node --format='%N %T'; fi
    # It comes back when the controller has noticed that it was away.
    if [ "${back:-no}" = no ] && sinfo --noheader --Node --format='%N %T' | grep -q 'n2 down'; then
        back=yes
        echo "node 2 is noticed to be down, and comes back"
        "$host" node "$folder/slurm" 2
    fi
    sleep 0.5
done
"$sinew" batch status batch.json
grep -h -i requeue "$folder/slurm/log/slurmctld.log" | head -3 || true
(cd out && find . -type f | sort | xargs sha256sum) >"$folder/farm.txt"
cmp "$folder/local.txt" "$folder/farm.txt"
[ "$(wc -l <"$folder/farm.txt")" = 200 ]
left=$(find . -name '*.tmp' | wc -l)
[ "$left" = 0 ] || { echo "left behind: $left"; exit 1; }
echo "200 jobs over two nodes, one of which died: nothing lost, the same bytes as the local run"
