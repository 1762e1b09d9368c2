#!/bin/sh
# test.sh WORKER PLAY FOLDER [HOSTILE]: the worker on a good upload and on bad ones. PLAY is the sample that
# writes body.glb; HOSTILE is a file that asks for too much memory.
set -eu
worker=$1 play=$2 folder=$3 hostile=${4:-}
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
"$play" >/dev/null

# expect CODE INPUT ARGUMENTS...: no answer where it fails, and never a word of it on standard output.
expect() {
    code=$1 input=$2
    shift 2
    status=0
    "$worker" "$@" <"$input" 2>words | cat >answer.glb || true
    "$worker" "$@" <"$input" >/dev/null 2>&1 || status=$?
    [ "$status" = "$code" ] || { echo "$input: exit $status, expected $code: $(cat words)"; exit 1; }
    if [ "$code" = 0 ]; then
        [ "$(head -c 4 answer.glb)" = glTF ] || { echo "$input: the answer is no GLB"; exit 1; }
    else
        [ ! -s answer.glb ] || { echo "$input: failed, with an answer"; exit 1; }
    fi
    echo "$input: exit $status"
}

printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >triangle.obj
printf 'garbage' >garbage.glb
: >empty.glb
head -c 1000 body.glb >half.glb
head -c 40000000 /dev/zero >large.glb
printf '{"asset":{"version":"2.0"},"buffers":[{"byteLength":9,"uri":"/etc/passwd"}]}' >thief.gltf
printf '{"asset":{"version":"2.0"},"buffers":[{"byteLength":9,"uri":"body.glb"}]}' >neighbour.gltf

expect 0 body.glb
expect 0 triangle.obj obj,glb
expect 2 triangle.obj
expect 2 garbage.glb
expect 2 empty.glb
expect 2 half.glb
expect 2 thief.gltf gltf
expect 2 neighbour.gltf gltf
expect 4 large.glb
expect 3 body.glb ""
[ -z "$hostile" ] || [ ! -e "$hostile" ] || expect 4 "$hostile" gltf
