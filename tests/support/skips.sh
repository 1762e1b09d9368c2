#!/bin/sh
# skips.sh SOURCE WORK: scripts/skips.sh on the log of a made-up run: cases and whole tests, with and without reasons.
set -eu
source=$1 work=$2
mkdir -p "$work/Testing/Temporary"
log=$work/Testing/Temporary/LastTest.log

expect() { # expect CODE MODE: the output comes on stdin
    code=0
    "$source/scripts/skips.sh" "$work" "$2" >"$work/got" || code=$?
    cat >"$work/wanted"
    diff "$work/wanted" "$work/got"
    [ "$code" = "$1" ] || { echo "exit code $code, not $1"; exit 1; }
}

cat >"$log" <<'END'
1/4 Testing: io.blender
skipped: no Blender
Test Passed.
2/4 Testing: io.good
[==========] Running 1 test(s).
[ RUN      ] works
[       OK ] works
END
expect 0 "" <<'END'
1 skipped:
    1 no Blender
END
expect 0 --strict </dev/null

cat >>"$log" <<'END'
3/4 Testing: io.some
[ RUN      ] needs_a_file
skipped: no characters: Fox.glb
[  SKIPPED ] needs_a_file
[ RUN      ] says_nothing
[  SKIPPED ] says_nothing
[ RUN      ] needs_another
skipped: no characters: Cow.obj
[  SKIPPED ] needs_another
[==========] 3 test(s) run.
[  SKIPPED ] 3 test(s), listed below:
[  SKIPPED ] needs_a_file
[  SKIPPED ] says_nothing
[  SKIPPED ] needs_another
4/4 Testing: io.node
skipped: no Node.js
END
expect 0 "" <<'END'
5 skipped:
    1 no Blender
    2 no characters
    1 no reason given
    1 no Node.js
END
expect 1 --strict <<'END'
4 skipped:
    2 no characters
        io.some needs_a_file: Fox.glb
        io.some needs_another: Cow.obj
    1 no reason given
        io.some says_nothing
    1 no Node.js
        io.node
END

: >"$log"
expect 0 "" <<'END'
0 skipped
END
echo "skips.sh counts"
