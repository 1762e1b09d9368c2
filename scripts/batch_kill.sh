#!/bin/bash
# Kills the runner of a batch at 20 random moments and lets it go on: the files are those of a run that nobody
# disturbed. Then a disk that is full: said, and gone on with when there is room. scripts/batch_kill.sh [SINEW]
set -euo pipefail
sinew=$(realpath "${1:-build/sinew}")
folder=$(mktemp -d)
trap 'mountpoint -q "$folder/disk" && umount -l "$folder/disk"; rm -rf "$folder"' EXIT
RANDOM=${SEED:-1}

make_batch() { # make_batch FOLDER
    mkdir -p "$1/cast" "$1/mocap"
    for c in 1 2 3 4; do "$sinew" convert builtin:tube -o "$1/cast/tube_$c.glb" --quiet; done
    for m in $(seq -w 10); do
        "$sinew" motion builtin:tube --clip $((10#$m % 2)) --to "1.$m" -o "$1/mocap/move_$m.bvh" --quiet 2>/dev/null
    done
    cat >"$1/batch.json" <<'JSON'
{"characters": "cast/*.glb", "motions": "mocap/*.bvh", "out": "out/{character}/{motion}.glb", "thumbnails": false,
 "do": [{"verb": "animate", "options": ["--volume", "exact", "--target", "skin"]},
        {"verb": "animate", "name": "points", "out": "out/{character}/{motion}.pc2", "options": ["--volume", "exact", "--fps", 60]}]}
JSON
}
hashes() { (cd "$1/out" && find . -type f | sort | xargs sha256sum); }

make_batch "$folder/whole"
make_batch "$folder/killed"
(cd "$folder/whole" && "$sinew" batch run batch.json --quiet)
hashes "$folder/whole" >"$folder/whole.txt"
cd "$folder/killed"
for i in $(seq 20); do
    "$sinew" batch run batch.json --quiet >/dev/null 2>&1 &
    runner=$!
    sleep "$((RANDOM % 2)).$(printf %03d $((RANDOM % 1000)))"
    kill -KILL $runner 2>/dev/null || true
    wait $runner 2>/dev/null || true
    # Whatever has its name is whole.
    if [ -d out ]; then
        while read -r hash name; do
            grep -q "^$hash  $name\$" "$folder/whole.txt" || { echo "kill $i: $name is not whole"; exit 1; }
        done < <(cd out && find . -type f -not -path '*.tmp/*' | sort | xargs -r sha256sum)
    fi
    printf 'kill %2d: %s\n' "$i" "$("$sinew" batch status batch.json | head -1)"
    # The last ones find everything done; begin again now and then.
    if [ "$("$sinew" batch plan batch.json --json | sed -n 's/^  "to_do": \([0-9]*\),*/\1/p')" = 0 ]; then rm -rf out; fi
done
"$sinew" batch run batch.json --quiet
hashes "$folder/killed" | cmp - "$folder/whole.txt"
left=$(find . -name '*.tmp' | wc -l)
[ "$left" = 0 ] || { echo "left behind: $left"; exit 1; }
echo "killed 20 times: the same bytes, nothing left behind"

mkdir "$folder/disk"
if ! mount -t tmpfs -o size=3m tmpfs "$folder/disk" 2>/dev/null; then
    echo "skipped: a full disk (this user may not mount one)"
    exit 0
fi
make_batch "$folder/disk"
cd "$folder/disk"
if "$sinew" batch run batch.json --quiet; then echo "a full disk was not noticed"; exit 1; fi
mount -o remount,size=200m "$folder/disk"
"$sinew" batch run batch.json --quiet
hashes "$folder/disk" | cmp - "$folder/whole.txt"
echo "a full disk: said, and gone on with; the same bytes"
