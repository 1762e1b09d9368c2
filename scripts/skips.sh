#!/bin/sh
# skips.sh BUILD [--names | --strict [--no-data]]: what the last run of ctest in BUILD skipped, counted by reason: whole tests, and
# cases inside programs that ctest calls passed. --names names each. --strict names each that only a lack of Blender
# does not excuse, and fails where there is one; with --no-data, real characters are excused too.
#
# A test that skips prints "skipped: THING" or "skipped: THING: DETAIL"; C tests do so with test_skip().
set -eu
log=$1/Testing/Temporary/LastTest.log
[ -e "$log" ] || { echo "skips.sh: no $log" >&2; exit 2; }
awk -v mode="${2:-}" -v data="${3:-}" '
function count(what, reason,    thing) {
    thing = reason
    sub(/: .*/, "", thing)
    if (mode == "--strict" && thing == "no Blender") return
    if (data == "--no-data" && thing ~ /^no real characters/) return
    total++
    if (!(thing in counts)) things[++kinds] = thing
    counts[thing]++
    names[thing] = names[thing] "        " what (reason == thing ? "" : substr(reason, length(thing) + 1)) "\n"
}
/^[0-9]+\/[0-9]+ Testing: / { test = $3; running = reason = "" }
/^\[ RUN      \] / { running = $4; reason = "" }
/^skipped: / {
    reason = substr($0, 10)
    if (running == "") count(test, reason)
}
/^\[  SKIPPED \] / && $4 == running {
    count(test " " running, reason == "" ? "no reason given" : reason)
}
/^\[ .* \] / && $2 != "RUN" { running = "" }
END {
    if (mode == "--strict" && total == 0) exit 0
    printf "%d skipped%s\n", total, total == 0 ? "" : ":"
    for (i = 1; i <= kinds; i++) {
        printf "%5d %s\n", counts[things[i]], things[i]
        if (mode != "") printf "%s", names[things[i]]
    }
    exit mode == "--strict"
}' "$log"
