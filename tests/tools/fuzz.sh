#!/bin/sh
# Fuzzes with libFuzzer.
#
#   fuzz.sh SECONDS [TARGET...]        each target once
#   fuzz.sh --continuous [TARGET...]   in turns of $FUZZ_SLICE seconds (120), the target with the lowest processor time first, until
#                                      $FUZZ_HOURS (endless) are over or a signal comes
#
# build/fuzz/ keeps everything, so that the next call continues wherever this one stops, even by SIGKILL: corpus/TARGET has the inputs
# (at first those of tests/fuzz/kept; tests/fuzz/corpus/TARGET is read, too), state/TARGET the totals, index.html a page of them. An
# input that crashes, leaks, hangs (10 s) or takes too much memory is minimised and becomes tests/fuzz/corpus/TARGET/TARGET-KIND-HASH.
# In turns, its target then rests until its program is another one. Exit code 1 when any such input was found.
# shellcheck disable=SC2046,SC2086,SC2317 # lists are split on purpose; a trap calls stop()
set -u
cd "$(dirname "$0")/../.." || exit 1
continuous='' seconds=${FUZZ_SLICE:-120} hours=${FUZZ_HOURS:-}
usage() {
	echo "usage: fuzz.sh SECONDS|--continuous [TARGET...], \$FUZZ_SLICE whole seconds, \$FUZZ_HOURS a number" >&2
	exit 2
}
if [ "${1:-}" = --continuous ]; then continuous=1; else seconds=${1:-}; fi
case $seconds in '' | *[!0-9]* | 0*) usage ;; esac
case $hours in *[!0-9.]* | *.*.* | .) usage ;; esac
shift
clang=${CLANG:-clang}
sanitize=-fsanitize=address,undefined
out=build/fuzz
limits="-timeout=10 -rss_limit_mb=2048 -max_len=16384"
mkdir -p $out/corpus $out/found $out/log $out/state $out/resting || exit 1

[ $# -gt 0 ] || set -- $(for f in tests/fuzz/fuzz_*.c; do f=${f##*/fuzz_}; echo "${f%.c}"; done)
programs=
for target; do
	[ -f "tests/fuzz/fuzz_$target.c" ] || { echo "no target '$target' in tests/fuzz" >&2; exit 2; }
	programs="$programs $out/fuzz_$target"
done

command -v "$clang" >/dev/null 2>&1 || { echo "skipped: clang is not installed"; exit 77; }
# A fuzzer inherits the lock: when only this script was killed, the next call waits for the end of the fuzzer's turn.
exec 9>$out/lock
flock -n 9 || { echo "waiting for a fuzzer that runs in $out"; flock 9; }
printf '%s\n' '#include <stddef.h>' 'int LLVMFuzzerTestOneInput(const void *p, size_t n);' \
	'int LLVMFuzzerTestOneInput(const void *p, size_t n) { return p && n == 0; }' >$out/probe.c
if ! "$clang" -fsanitize=fuzzer,address,undefined -o $out/probe $out/probe.c >$out/probe.log 2>&1; then
	echo "skipped: clang cannot link a fuzzer (is its compiler-rt installed?): $(tail -n 1 $out/probe.log)"
	exit 77
fi
helpers=$(for f in tests/helper/*.c; do printf "%s " "$out/obj/${f%.c}.o"; done)
# The project's rules with other flags; only linking a fuzzer is defined here.
unset MAKEFLAGS MFLAGS MAKELEVEL
make -j"$(nproc)" --no-print-directory VARIANT=release B=$out FUZZER=1 CC="$clang" OPT=-O1 \
	CFLAGS="-fsanitize=fuzzer-no-link $sanitize -fno-sanitize-recover=all -fno-omit-frame-pointer" \
	LDFLAGS="-fsanitize=fuzzer $sanitize" \
	--eval="$out/fuzz_%: $out/obj/tests/fuzz/fuzz_%.o $helpers $out/libsahm.a ; \$(say) LINK \$@; \$(CC) \$(ALL_LDFLAGS) -o \$@ \$^ \$(pkg_libs) \$(sys_libs)" \
	$programs || exit 1
export ASAN_OPTIONS=detect_leaks=1:abort_on_error=1 UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1 \
	LSAN_OPTIONS=print_suppressions=0${LSAN_OPTIONS:+:$LSAN_OPTIONS}

child='' stopped=''
stop() {
	stopped=$1
	[ -z "$child" ] || kill -TERM "$child" 2>/dev/null
}
trap 'stop 130' INT
trap 'stop 143' TERM
trap 'stop 129' HUP

# attend LOG SECONDS COMMAND...: runs it in a separate process group, which a signal to this script ends. Sets `code`.
attend() {
	log=$1 most=$2
	shift 2
	timeout -k 10 "$most" "$@" </dev/null >"$log" 2>&1 &
	child=$!
	while wait "$child"; code=$?; kill -0 "$child" 2>/dev/null; do :; done
	child=
}

# Sets `used_ms`, the processor time of the children that have ended. (A subshell would count its own.)
count_time() {
	times >$out/times
	used_ms=$(awk -F '[ms ]+' 'NR == 2 { printf "%.0f", ($1 * 60 + $2 + $3 * 60 + $4) * 1000 }' $out/times)
}

replace() { # FILE: by standard input, at once
	cat >"$1.new" && mv "$1.new" "$1"
}

totals() { # TARGET: sets what is known of it
	used=0 executions=0 edges=0 inputs=0 turns=0 first=-
	[ ! -f "$out/state/$1" ] || read -r used executions edges inputs turns first _ <"$out/state/$1"
}

# Makes named inputs of a target's inputs that fail, those of a call that was killed included. Sets `result`.
keep_failures() { # TARGET
	target=$1
	for found in "$out/found/$target"-*; do
		kind=${found##*/"$target"-} kind=${kind%-*}
		[ -f "$found" ] || continue
		[ "$kind" != slow-unit ] || continue
		# The same name if it is cut short and begins again.
		name=$target-$kind-$(sha1sum "$found" | cut -c 1-12) named=tests/fuzz/corpus/$target
		mkdir -p "$named"
		if sha1sum "$named"/* 2>/dev/null | grep -q "^${found##*-} "; then
			result="FAILED as before: $(sha1sum "$named"/* | sed -n "s/^${found##*-}  //p" | head -n 1)"
			rm "$found"
			continue
		fi
		attend "$out/log/$target.again" 60 "$out/fuzz_$target" $limits "$found"
		[ -z "$stopped" ] || return
		if [ "$code" -eq 0 ]; then
			mkdir -p $out/found/once
			mv "$found" $out/found/once/
			result="FAILED once, not again: $out/found/once/${found##*/}"
			continue
		fi
		cp "$found" $out/least
		case $kind in crash | leak)
			# Tries so long for each smaller one that it finds.
			attend "$out/log/$target.minimise" 120 "$out/fuzz_$target" $limits -minimize_crash=1 \
				-max_total_time=$((seconds < 20 ? seconds : 20)) -exact_artifact_path=$out/least "$found"
			[ -z "$stopped" ] || return
			attend "$out/log/$target.minimised" 60 "$out/fuzz_$target" $limits "$out/least"
			[ "$code" -ne 0 ] || cp "$found" $out/least ;;
		esac
		mv $out/least "$named/$name"
		printf '%s %s\n' "$(date -u +%F)" "$named/$name" >>$out/failures
		rm "$found"
		result="FAILED: $named/$name ($(($(wc -c <"$named/$name"))) bytes)"
		cksum <"$out/fuzz_$target" | replace "$out/resting/$target"
	done
}

# Runs a target. Sets `result` and, of this run, `run_executions`.
fuzz() { # TARGET SECONDS
	target=$1 committed=tests/fuzz/corpus/$1 log=$out/log/$1
	if [ ! -d "$out/corpus/$target" ]; then
		rm -rf $out/unpacked && mkdir $out/unpacked || exit 1
		[ ! -f "tests/fuzz/kept/$target.tar.gz" ] || tar -xzf "tests/fuzz/kept/$target.tar.gz" -C $out/unpacked || exit 1
		mv $out/unpacked "$out/corpus/$target" || exit 1
	fi
	[ -d "$committed" ] || committed=
	count_time
	before_ms=$used_ms
	attend "$log" $(($2 + 60)) "$out/fuzz_$target" -max_total_time="$2" $limits -print_final_stats=1 \
		-artifact_prefix="$out/found/$target-" "$out/corpus/$target" $committed
	run_code=$code
	count_time
	# "#1234 NEW cov: 567 ft: 890 corp: 12/345b ..."
	progress=$(grep '^#[0-9]*[[:space:]].* cov: ' "$log" | tail -n 1)
	# A fuzzer that gets a signal twice prints them twice.
	run_executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | tail -n 1)
	[ -n "$run_executions" ] || run_executions=$(echo "$progress" | sed 's/^#\([0-9]*\).*/\1/')
	run_edges=$(echo "$progress" | sed -n 's/.* cov: \([0-9]*\).*/\1/p')
	run_inputs=$(echo "$progress" | sed -n 's/.* corp: \([0-9]*\).*/\1/p')
	totals "$target"
	today=$(date -u +%F)
	[ "$first" != - ] || first=$today
	echo $((used + used_ms - before_ms)) $((executions + ${run_executions:-0})) "${run_edges:-$edges}" "${run_inputs:-$inputs}" \
		$((turns + 1)) "$first" "$today" | replace "$out/state/$target"
	result=clean
	# libFuzzer's code for a signal is 72.
	if [ $run_code -ne 0 ] && { [ -z "$stopped" ] || [ $run_code -ne 72 ]; }; then
		failed=1
		result="FAILED: exit code $run_code, see $log"
		cksum <"$out/fuzz_$target" | replace "$out/resting/$target"
		grep -v '^#[0-9]*[[:space:]]' "$log" | tail -n 60
	fi
	keep_failures "$target"
}

escape() {
	sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g; s/"/\&quot;/g'
}

# The totals of all targets that ever ran here.
page() {
	{
		cat <<-'END'
			<!DOCTYPE html>
			<html lang="en">
			<head>
			<meta charset="utf-8">
			<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
			<meta name="viewport" content="width=device-width, initial-scale=1">
			<title>Fuzzing</title>
			<style>
		END
		cat results/page/page.css
		printf '</style>\n</head>\n<body>\n<header>\n<h1>Fuzzing</h1>\n<p class="lead">Updated on %s</p>\n</header>\n<main>\n' \
			"$(date -u '+%F %H:%M UTC')"
		printf '<div class="scroll" role="region" tabindex="0" aria-label="Targets">\n<table>\n<thead><tr><th scope="col">target</th>'
		printf '<th scope="col" class="number">%s</th>' executions 'edges covered' inputs turns 'processor time (s)' 'processor days'
		printf '<th scope="col">first day</th><th scope="col">last day</th></tr></thead>\n<tbody>\n'
		for state in "$out"/state/*; do
			case $state in *.new | *\*) continue ;; esac
			printf '%s %s\n' "${state##*/}" "$(cat "$state")"
		done | escape | awk '
			function row(name, executions, edges, inputs, turns, ms, first, last) {
				printf "<tr><th scope=\"row\">%s</th>", name
				printf "<td class=\"number\">%s</td>", executions
				printf "<td class=\"number\">%s</td><td class=\"number\">%s</td><td class=\"number\">%d</td>", edges, inputs, turns
				printf "<td class=\"number\">%.1f</td><td class=\"number\">%.4f</td>", ms / 1000, ms / 86400000
				printf "<td>%s</td><td>%s</td></tr>\n", first, last
			}
			{
				row($1, $3, $4, $5, $6, $2, $7, $8)
				ms += $2; executions += $3; inputs += $5; turns += $6
				if (first == "" || $7 < first) first = $7
				if ($8 > last) last = $8
			}
			END { row("all", sprintf("%.0f", executions), "", inputs, turns, ms, first, last) }'
		printf '</tbody>\n</table>\n</div>\n<h2>Inputs that failed</h2>\n'
		if [ -s $out/failures ]; then
			printf '<ul>\n'
			escape <$out/failures | sed 's|.*|<li><code>&</code></li>|'
			printf '</ul>\n'
		else
			printf '<p>None.</p>\n'
		fi
		printf '</main>\n</body>\n</html>\n'
	} | replace $out/index.html
}

failed=0
if [ -z "$continuous" ]; then
	table=$(printf '%-16s %12s %10s %10s %8s  %s' target executions per_second coverage corpus result)
	for target; do
		[ -z "$stopped" ] || break
		echo "fuzzing $target for $seconds s ($out/log/$target)"
		fuzz "$target" "$seconds"
		table="$table
$(printf '%-16s %12s %10s %10s %8s  %s' "$target" "${run_executions:-?}" \
			"$(sed -n 's/^stat::average_exec_per_sec: *//p' "$out/log/$target" | tail -n 1)" "$run_edges" "$run_inputs" "$result")"
	done
	page
	echo "$table"
	exit "${stopped:-$failed}"
fi

# The target whose turn it is: the one with the lowest processor time of those that do not rest.
next() {
	for target; do
		if [ -f "$out/resting/$target" ]; then
			[ "$(cat "$out/resting/$target")" != "$(cksum <"$out/fuzz_$target")" ] || continue
			rm "$out/resting/$target"
		fi
		totals "$target"
		echo "$used $target"
	done | sort -n | sed -n '1s/.* //p'
}

end=
[ -z "$hours" ] || end=$(awk "BEGIN { printf \"%.0f\", $(date +%s) + $hours * 3600 }")
for target; do
	result=
	keep_failures "$target"
	[ -z "$result" ] || { failed=1; echo "$target: $result"; }
done
while [ -z "$stopped" ]; do
	left=$seconds
	if [ -n "$end" ]; then
		left=$((end - $(date +%s)))
		[ $left -gt 0 ] || break
		[ $left -lt "$seconds" ] || left=$seconds
	fi
	target=$(next "$@")
	[ -n "$target" ] || { echo "every target rests: its program fails on an input of tests/fuzz/corpus"; break; }
	fuzz "$target" "$left"
	page
	totals "$target"
	echo "$target: ${run_executions:-0} executions of $executions, $edges edges, $inputs inputs, $((used / 1000)) s in all: $result"
done
page
echo "$out/index.html"
exit "${stopped:-$failed}"
