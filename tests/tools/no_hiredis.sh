#!/bin/sh
# A program that was built without hiredis and libdw says so where it would need hiredis, and does everything else: no_hiredis.sh.
set -u
T=$(mktemp -d "${TMPDIR:-/tmp}/sahm without.XXXXXX") || exit 2
trap 'rm -rf "$T"' EXIT
fail() {
	echo "no_hiredis: $*" >&2
	cat "$T/said" >&2
	exit 1
}
# make has no names with blanks.
B=$(mktemp -d "${TMPDIR:-/tmp}/sahm-without.XXXXXX") || exit 2
trap 'rm -rf "$T" "$B"' EXIT
make -j2 --no-print-directory HIREDIS=0 LIBDW=0 OPT=-O0 B="$B" "$B/sahm" >"$T/said" 2>&1 || fail "it cannot be built"
for library in hiredis libdw; do
	if command -v ldd >/dev/null && ldd "$B/sahm" | grep -q $library; then fail "it is linked with $library all the same"; fi
done
"$B/sahm" sweep configs/realistic-39.cfg --axis scheduler.inertia=0..3 -o "$T/local.sqlite" >"$T/said" 2>&1 || fail "a local sweep fails"
for command in "sweep configs/realistic-39.cfg --redis redis://127.0.0.1:1 -o $B/x.sqlite" "worker --redis redis://127.0.0.1:1" \
	"queue status --redis redis://127.0.0.1:1" "collect $B/none --redis redis://127.0.0.1:1"; do
	[ "${command%% *}" != collect ] || cp "$T/local.sqlite" "$B/none"
	# shellcheck disable=SC2086
	"$B/sahm" $command >"$T/said" 2>&1
	[ $? -eq 1 ] || fail "'$command' does not end with exit code 1"
	grep -q 'built without hiredis' "$T/said" || fail "'$command' does not say why"
done
[ ! -e "$B/x.sqlite" ] || fail "a sweep that could not begin leaves a store"
