#!/bin/sh
# The same configuration gives the same bytes whatever built the program: gcc and clang at -O0 and -O3, and the sanitized
# variant, against the release program.
set -u
tier=${1:-full}
commands=usual
[ "$tier" != full ] || commands=full
programs=build/asan/sahm
skipped=
for cc in gcc clang; do
	if ! command -v $cc >/dev/null 2>&1; then
		skipped="$skipped $cc"
		continue
	fi
	# But in full, gcc at the levels of what is there already, and the other compiler at another one.
	levels="O0 O3"
	[ "$tier" = full ] || { [ $cc = gcc ] && levels= || levels=O1; }
	for level in $levels; do
		folder=build/matrix-$cc-$level
		make --no-print-directory -j2 VARIANT=release B=$folder CC=$cc OPT=-$level CFLAGS=-g0 WERROR=1 $folder/sahm >/dev/null || exit 1
		programs="$programs $folder/sahm"
	done
done
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
# The same commands for all of them; programs differ, surroundings do not (determinism.sh has those).
digest() { # PROGRAM
	sh tests/tools/digest.sh "$1" "$out/written" $commands
}
digest build/release/sahm >"$out/expected" || exit 1
[ -s "$out/expected" ] || exit 1
for program in $programs; do
	digest "$program" >"$out/actual" || exit 1
	cmp "$out/expected" "$out/actual" || { echo "$program differs from build/release/sahm" >&2; exit 1; }
	echo "$program: same bytes"
done
[ -z "$skipped" ] || { echo "not installed:$skipped (the others agree)"; exit 77; }
