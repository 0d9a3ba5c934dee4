#!/bin/sh
# Keeps what `make fuzz` has found: fuzz_keep.sh [TARGET...]. Of build/fuzz/corpus/TARGET and of what was kept before, the
# fewest inputs that reach as much as all of them together become tests/fuzz/kept/TARGET.tar.gz. Inputs with names of
# their own, in tests/fuzz/corpus/TARGET, stay as they are; what these reach alone is not kept once more.
# shellcheck disable=SC2046 # lists are split on purpose
set -eu
cd "$(dirname "$0")/../.."
[ $# -gt 0 ] || set -- $(for f in tests/fuzz/fuzz_*.c; do f=${f##*/fuzz_}; echo "${f%.c}"; done)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=halt_on_error=1
mkdir -p tests/fuzz/kept
printf '%-16s %8s %8s %10s\n' target found kept bytes
for target; do
	fuzzer=build/fuzz/fuzz_$target kept=tests/fuzz/kept/$target.tar.gz found=build/fuzz/corpus/$target
	[ -x "$fuzzer" ] && [ -d "$found" ] || { echo "fuzz_keep.sh: nothing is built or found for '$target': make fuzz" >&2; exit 2; }
	rm -rf "${work:?}"/*
	mkdir "$work/before" "$work/named" "$work/all" "$work/out"
	[ ! -f "$kept" ] || tar -xzf "$kept" -C "$work/before"
	[ ! -d "tests/fuzz/corpus/$target" ] || cp tests/fuzz/corpus/"$target"/* "$work/named/"
	# What the named inputs reach comes first, so that the others are those that reach more.
	cp -r "$work/named" "$work/with"
	"$fuzzer" -set_cover_merge=1 -max_len=16384 "$work/with" "$work/before" "$found" >"$work/log" 2>&1 || { tail "$work/log" >&2; exit 1; }
	for input in "$work/with"/*; do
		[ -e "$work/named/${input##*/}" ] || mv "$input" "$work/out/"
	done
	# Sorted, without times or owners: the same inputs make the same file.
	tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -cf - -C "$work/out" . | gzip -9n >"$work/packed"
	mv "$work/packed" "$kept"
	printf '%-16s %8d %8d %10d\n' "$target" $(($(find "$found" -type f | wc -l))) $(($(find "$work/out" -type f | wc -l))) \
		$(($(wc -c <"$kept")))
done
