#!/bin/sh
# Sizes of what animations leave as, and how far off they are, as the table of docs/bake.md: one row a case,
# kilobytes. "bare" is the file with a single helper: a plain file without the lattice that only Sinew reads.
# Cases from shared/data beside the checkout are left out where it is not there.
#
# usage: scripts/bake_sizes.sh [SINEW] [NAME...]
set -eu
cd "$(dirname "$0")/.."
sinew=${1:-build/sinew}
[ $# -gt 0 ] && shift
only=" $* "
data=../shared/data
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT INT TERM

kilobytes() {
    if [ -e "$1" ]; then du -bc "$@" | awk 'END { printf "%d", ($1 + 500) / 1000 }'; else printf -- '-'; fi
}

# write NAME OPTIONS...: prints its size and, of baked ones, the largest error.
write() {
    file=$out/$1
    shift
    if ! "$sinew" animate "$@" -o "$file" >"$out/said" 2>&1; then
        printf ' failed |'
        return
    fi
    case $file in
        *.pc2) printf ' %s |' "$(kilobytes "$out"/*.pc2)" ;;
        *) printf ' %s |' "$(kilobytes "$file")" ;;
    esac
}

row() {
    name=$1
    input=$2
    shift 2
    case $only in "  " | *" $name "*) ;; *) return 0 ;; esac
    case $1 in
        builtin:*) ;;
        *) [ -e "$1" ] || { echo "$name: $1 is not there" >&2; return 0; } ;;
    esac
    rm -f "$out"/*
    printf '| %s | %s |' "$name" "$(kilobytes "$input")"
    write plain.glb "$@" --target skin
    write bare.glb "$@" --helpers 1
    write joints.glb "$@" --helpers 64
    errors=$(sed -n 's/^64 helper joints: \([0-9.]*\) mm rms.*at most \([0-9.]*\) mm.*/\1 \/ \2/p' "$out/said")
    write packed.glb "$@" --helpers 64 --compress
    write morphs.glb "$@" --target morph
    write thin.glb "$@" --target morph --no-normals
    write morphs_packed.glb "$@" --target morph --compress
    write points.pc2 "$@"
    printf ' %s |\n' "$errors"
}

echo '| what | input | plain | bare | 64 helpers | packed | morphs | without normals | packed | pc2 | helpers off by, rms / largest mm |'
echo '|---|---|---|---|---|---|---|---|---|---|---|'
characters=$data/characters
motion=$data/motion
row body_walk none builtin:body --clip walk --flesh on
row body_exact none builtin:body --clip bend --volume exact
row body_style none builtin:body --clip bend --style '*Elbow=cloth'
row king_walk $characters/quat_modular_men_King.glb $characters/quat_modular_men_King.glb $motion/cmu_02_01_walk.bvh --flesh on
row stag $characters/quat_animals_pack_Stag.glb $characters/quat_animals_pack_Stag.glb --flesh on
row casual_dance $characters/quat_modular_men_Casual.glb $characters/quat_modular_men_Casual.glb $motion/cmu_05_02_dance.bvh --flesh on
