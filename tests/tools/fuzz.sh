#!/bin/sh
# Fuzzes every target with libFuzzer: fuzz.sh SECONDS [TARGET...]. The committed corpus (tests/fuzz/corpus/TARGET) is only
# read; what is found goes to build/fuzz/corpus/TARGET and is built upon by the next run. Exit code 1 when a target crashed,
# leaked, hung (10 s) or took too much memory; the inputs that make it do so are in build/fuzz/found/.
# shellcheck disable=SC2046,SC2086 # lists are split on purpose
set -u
cd "$(dirname "$0")/../.." || exit 1
case ${1:-} in
'' | *[!0-9]*) echo "usage: fuzz.sh SECONDS [TARGET...]" >&2; exit 2 ;;
esac
seconds=$1
shift
clang=${CLANG:-clang}
sanitize=-fsanitize=address,undefined
out=build/fuzz
mkdir -p $out || exit 1

command -v "$clang" >/dev/null 2>&1 || { echo "skipped: clang is not installed"; exit 77; }
printf '%s\n' '#include <stddef.h>' 'int LLVMFuzzerTestOneInput(const void *p, size_t n);' \
	'int LLVMFuzzerTestOneInput(const void *p, size_t n) { return p && n == 0; }' >$out/probe.c
if ! "$clang" -fsanitize=fuzzer,address,undefined -o $out/probe $out/probe.c >$out/probe.log 2>&1; then
	echo "skipped: clang cannot link a fuzzer (is its compiler-rt installed?): $(tail -n 1 $out/probe.log)"
	exit 77
fi

[ $# -gt 0 ] || set -- $(for f in tests/fuzz/fuzz_*.c; do f=${f##*/fuzz_}; echo "${f%.c}"; done)
programs=
for target; do
	[ -f "tests/fuzz/fuzz_$target.c" ] || { echo "no target '$target' in tests/fuzz" >&2; exit 2; }
	programs="$programs $out/fuzz_$target"
done
helpers=$(for f in tests/helper/*.c; do printf "%s " "$out/obj/${f%.c}.o"; done)
# The project's rules with other flags; only how a fuzzer is linked is said here.
unset MAKEFLAGS MFLAGS MAKELEVEL
make --no-print-directory VARIANT=release B=$out FUZZER=1 CC="$clang" OPT=-O1 \
	CFLAGS="-fsanitize=fuzzer-no-link $sanitize -fno-sanitize-recover=all -fno-omit-frame-pointer" \
	LDFLAGS="-fsanitize=fuzzer $sanitize" \
	--eval="$out/fuzz_%: $out/obj/tests/fuzz/fuzz_%.o $helpers $out/libsahm.a ; \$(say) LINK \$@; \$(CC) \$(ALL_LDFLAGS) -o \$@ \$^ \$(pkg_libs) \$(sys_libs)" \
	$programs || exit 1

export ASAN_OPTIONS=detect_leaks=1:abort_on_error=1 UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1 \
	LSAN_OPTIONS=print_suppressions=0${LSAN_OPTIONS:+:$LSAN_OPTIONS}
mkdir -p $out/found $out/log
crashed=0
table=$(printf '%-16s %12s %10s %10s %8s  %s' target executions per_second coverage corpus result)
for target; do
	mkdir -p "$out/corpus/$target"
	committed=tests/fuzz/corpus/$target
	[ -d "$committed" ] || committed=
	log=$out/log/$target
	echo "fuzzing $target for $seconds s ($log)"
	"$out/fuzz_$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=16384 -print_final_stats=1 \
		-artifact_prefix="$out/found/$target-" "$out/corpus/$target" $committed </dev/null >"$log" 2>&1
	code=$?
	result=clean
	if [ $code -ne 0 ]; then
		crashed=1
		found=$(sed -n 's/.*Test unit written to //p' "$log" | tail -n 1)
		result="FAILED: ${found:-exit code $code, see $log}"
		grep -v '^#[0-9]*[[:space:]]' "$log" | tail -n 60
	fi
	executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
	# "#1234 NEW cov: 567 ft: 890 corp: 12/345b ..."
	last=$(grep '^#[0-9]*[[:space:]].* cov: ' "$log" | tail -n 1)
	[ -n "$executions" ] || executions=$(echo "$last" | sed 's/^#\([0-9]*\).*/\1/')
	table="$table
$(printf '%-16s %12s %10s %10s %8s  %s' "$target" "${executions:-?}" \
		"$(sed -n 's/^stat::average_exec_per_sec: *//p' "$log")" \
		"$(echo "$last" | sed -n 's/.* cov: \([0-9]*\).*/\1/p')" \
		"$(echo "$last" | sed -n 's/.* corp: \([0-9]*\).*/\1/p')" "$result")"
done
echo "$table"
exit $crashed
