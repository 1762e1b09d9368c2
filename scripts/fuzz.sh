#!/bin/sh
# Fuzzes the parsers and the stages: scripts/fuzz.sh SECONDS [TARGET]. Seconds are shared out over the targets; two run at a
# time. Prints executions and crashes per target; exit code 1 when anything was found.
# Corpora grow in build-fuzz/corpus and are kept for the next run; inputs that found something are in fuzz/corpus.
# SEED=1 scripts/fuzz.sh ... goes the same way every time. BUILD=FOLDER takes the targets of a build with sanitizers and
# SINEW_FUZZ that is there already.
set -eu
cd "$(dirname "$0")/.."

seconds=${1:?usage: scripts/fuzz.sh SECONDS [TARGET]}
targets=${2:-gltf glb obj png bvh asf amc off ply stl cache mhskel import settings path pose profile rig style zip project stages}
build=${BUILD:-build-fuzz}
# Where the build counts lines, these runs do not count.
export LLVM_PROFILE_FILE=/dev/null

# Parsers need no instruction sets.
[ -n "${BUILD:-}" ] || CC=${CC:-clang} cmake -S . -B $build -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_C_FLAGS_RELWITHDEBINFO="-O1 -g" \
  -DSINEW_SIMD=OFF -DSINEW_FUZZ=ON -DSINEW_IO=ON -DSINEW_APPS=OFF -DSINEW_TESTS=OFF -DSINEW_BENCH=OFF -DSINEW_SAMPLES=OFF \
  -DCMAKE_C_FLAGS="-fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=all -fno-omit-frame-pointer" \
  >$build.log 2>&1 || { cat $build.log; rm -f $build.log; exit 2; }
rm -f $build.log
cmake --build $build -j2 --target make_seeds $(for t in $targets; do echo fuzz_"$t"; done) >$build/build.log ||
  { cat $build/build.log; exit 2; }
mkdir -p $build/seeds $build/crashes
$build/fuzz/make_seeds $build/seeds

count=$(echo "$targets" | wc -w)
jobs=2
[ "$count" -lt $jobs ] && jobs=$count
each=$((seconds * jobs / count))
[ $each -ge 1 ] || each=1

run() { # TARGET
  mkdir -p $build/corpus/"$1"
  dictionary=""
  if [ -e fuzz/"$1".dict ]; then dictionary="-dict=fuzz/$1.dict"; fi
  # What was found once is tried first.
  found=""
  if [ -d fuzz/corpus/"$1" ]; then found="fuzz/corpus/$1"; fi
  # shellcheck disable=SC2086  # no dictionary is no word
  $build/fuzz/fuzz_"$1" $build/corpus/"$1" $build/seeds/"$1" $found $dictionary -max_total_time=$each \
    -max_len=65536 -seed="${SEED:-0}" -timeout=20 -rss_limit_mb=1024 -print_final_stats=1 \
    -artifact_prefix=$build/crashes/"$1"- >$build/"$1".log 2>&1 || echo found >$build/"$1".bad
}

set -- $targets
while [ $# -gt 0 ]; do
  rm -f $build/"$1".bad
  run "$1" &
  shift
  if [ $# -gt 0 ]; then
    rm -f $build/"$1".bad
    run "$1" &
    shift
  fi
  wait
done

failed=0
for t in $targets; do
  runs=$(sed -n 's/^stat::number_of_executed_units: *//p' $build/"$t".log)
  if [ -e $build/"$t".bad ]; then
    failed=1
    echo "fuzz_$t: ${runs:-?} executions, CRASH (see $build/$t.log and $build/crashes)"
    grep -m3 -E 'ERROR|SUMMARY|runtime error' $build/"$t".log || true
  else
    echo "fuzz_$t: ${runs:-?} executions in ${each} s, no crash"
  fi
done
exit $failed
