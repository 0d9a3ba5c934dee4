#!/bin/sh
# Keeps what `make fuzz` has found: fuzz_keep.sh [TARGET...]. Of build/fuzz/corpus/TARGET and of what was kept before, the
# fewest inputs that reach as much as all of them together become tests/fuzz/kept/TARGET.tar.gz. Inputs with
# other names, in tests/fuzz/corpus/TARGET, stay as they are; inputs that reach no more than they do are not kept. Prints the table
# of docs/reliability.md: totals of fuzz.sh, and how many inputs there are.
# shellcheck disable=SC2015,SC2046 # lists are split on purpose
set -eu
cd "$(dirname "$0")/../.."
[ $# -gt 0 ] || set -- $(for f in tests/fuzz/fuzz_*.c; do f=${f##*/fuzz_}; echo "${f%.c}"; done)
work=$(mktemp -d)
trap 'rm -rf "$work" "$work.rows"' EXIT
export ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=halt_on_error=1
mkdir -p tests/fuzz/kept
for target; do
	fuzzer=build/fuzz/fuzz_$target kept=tests/fuzz/kept/$target.tar.gz found=build/fuzz/corpus/$target state=build/fuzz/state/$target
	[ -x "$fuzzer" ] && [ -f "$state" ] || { echo "fuzz_keep.sh: nothing is built or found for '$target': make fuzz" >&2; exit 2; }
	rm -rf "${work:?}"/*
	mkdir "$work/before" "$work/named" "$work/all" "$work/out"
	[ ! -f "$kept" ] || tar -xzf "$kept" -C "$work/before"
	[ ! -d "tests/fuzz/corpus/$target" ] || cp tests/fuzz/corpus/"$target"/* "$work/named/"
	# Named inputs come first, so that only others that reach more are kept.
	cp -r "$work/named" "$work/with"
	"$fuzzer" -set_cover_merge=1 -max_len=16384 "$work/with" "$work/before" "$found" >"$work/log" 2>&1 || { tail "$work/log" >&2; exit 1; }
	for input in "$work/with"/*; do
		[ -e "$work/named/${input##*/}" ] || mv "$input" "$work/out/"
	done
	# Sorted, without times or owners: the same inputs make the same file.
	tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -cf - -C "$work/out" . | gzip -9n >"$work/packed"
	mv "$work/packed" "$kept"
	# Processor time, executions and edges first: see totals() of fuzz.sh.
	printf '%s %d %d %s\n' "$target" $(($(find "tests/fuzz/corpus/$target" -type f 2>/dev/null | wc -l))) \
		$(($(find "$work/out" -type f | wc -l))) "$(cat "$state")" >>"$work.rows"
done
printf '| target | seconds | executions | coverage | named inputs | kept inputs |\n| --- | --- | --- | --- | --- | --- |\n'
awk '
	function grouped(n, text) {
		for (text = sprintf("%.0f", n); text ~ /[0-9][0-9][0-9][0-9]/;)
			sub(/[0-9][0-9][0-9](,|$)/, ",&", text)
		return text
	}
	{
		printf "| %s | %s | %s | %s | %s | %s |\n", $1, grouped($4 / 1000), grouped($5), grouped($6), grouped($2), grouped($3)
		ms += $4; executions += $5; named += $2; kept += $3
	}
	END { printf "| all | %s | %s | | %s | %s |\n", grouped(ms / 1000), grouped(executions), grouped(named), grouped(kept) }' "$work.rows"
