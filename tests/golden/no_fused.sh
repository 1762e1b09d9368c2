#!/bin/sh
# no_fused.sh LIBRARY: fails when the library contains an instruction that rounds differently from plain arithmetic.
# -ffp-contract=off should keep them out, but a compiler's vectoriser may form them all the same.
set -eu
command -v objdump >/dev/null 2>&1 || { echo "skipped: no objdump"; exit 77; }
listing=$(mktemp)
trap 'rm -f "$listing"' EXIT
objdump -d "$1" >"$listing"
# x86: fused multiply-add and the estimates; ARM: fmla, fmls and the estimates.
if grep -E '[[:space:]](vfn?m(add|sub)[a-z0-9]*|v?rsqrt[a-z0-9]*|v?rcp[a-z0-9]*|fml[as]|fn?madd|frsqrte|frecpe)[[:space:]]' "$listing" | head -n 5 | grep .; then
    echo "the instructions above break the promise of equal bits"
    exit 1
fi
echo "no fused or estimated arithmetic in $(basename "$1")"
