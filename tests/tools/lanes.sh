#!/bin/sh
# One program for every x86-64 processor: under QEMU's model of one without AVX2, vectors are refused that it lacks, and the
# results of all cores are those that this processor gives. QEMU's own AVX2 is not used: release 7.2 gives other results than
# processors do.
#   sh tests/tools/lanes.sh SAHM
set -u
sahm=$1
export LC_ALL=C
[ "$(uname -m)" = x86_64 ] || { echo "not x86-64: there are only lanes of portable C"; exit 77; }
command -v qemu-x86_64 >/dev/null 2>&1 || { echo "no qemu-x86_64 (Debian: qemu-user)"; exit 77; }
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
stream=tests/data/streams/sort.stream
cores=$("$sahm" core list | awk '/out-of-order|in-order/ { print "-c " $1 }')

fail() {
	echo "$*" >&2
	exit 1
}

# shellcheck disable=SC2086  # a list of options
"$sahm" core time $cores --json $stream >"$out/here" || fail "no results here"
old="qemu-x86_64 -cpu Nehalem"
# shellcheck disable=SC2086
$old "$sahm" core time $cores --json $stream >"$out/there" || fail "no results on a processor without AVX2"
cmp "$out/here" "$out/there" || fail "other results on a processor without AVX2"
for form in avx2 avx512; do
	$old "$sahm" core time --lanes $form $stream >/dev/null 2>"$out/said"
	status=$?
	[ $status = 2 ] && grep -q 'this processor has no such vectors' "$out/said" || fail "$form on a processor without it: $status"
done
# All lanes in vectors.
# shellcheck disable=SC2086
$old "$sahm" core time $cores --lanes c --json $stream | cmp "$out/here" - || fail "other results in portable C"
