#!/bin/bash
# Commands whose libraries have no memory: alloc_libraries.sh PROGRAM [MOST]. Each line says, for a library and a
# command that makes it ask for memory, how the command ended when one of its allocations failed, the first MOST (40) of them one
# after the other (tests/alloc/fail_library.c). docs/reliability.md has the result in words. The library decides what it does; a
# failure is what sahm does about it: that it goes on with other output, ends without an error, or asks GSL for memory at all, whose
# way to fail is abort().
set -u
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1") most=${2:-40} tree=$(pwd)
failures=0
T=$(mktemp -d) || exit 2
trap 'rm -rf "$T"' EXIT
export SAHM_DATA=$tree NO_COLOR=1 LC_ALL=C
"${CC:-gcc}" -std=c17 -D_GNU_SOURCE -O1 -fPIC -shared -o "$T/fail.so" tests/alloc/fail_library.c -ldl || exit 1
cd "$T" || exit 2
short=(--set workload.duration_ms=500)
"$program" sweep "$tree/configs/canonical.cfg" "${short[@]}" --axis scheduler.inertia=0..1 -q -o s.sqlite || exit 1
"$program" trace export "$tree/workloads/suites/small/gzip.csv" -o t.csv.zst || exit 1

try() { # LIBRARY COMMAND...
	local library=$1 nr n ok=0 failed=0 killed=0 other=0 words= code
	shift
	SAHM_TEST_LIBRARY=$library SAHM_TEST_COUNT_ALLOC=$T/count LD_PRELOAD=$T/fail.so "$program" "$@" >good 2>&1 </dev/null
	nr=$(cat "$T/count")
	for ((n = 1; n <= nr && n <= most; n++)); do
		# Messages of bash about signals are ignored.
		{ SAHM_TEST_LIBRARY=$library SAHM_TEST_FAIL_ALLOC=$n LD_PRELOAD=$T/fail.so timeout 60 "$program" "$@" >said 2>&1 </dev/null
		} 2>"$T/signal"
		code=$?
		case $code in
		0) cmp -s said good && ok=$((ok + 1)) || { other=$((other + 1)); wrong "$n: exit code 0, other output"; } ;;
		1)
			failed=$((failed + 1))
			grep -aq '^sahm: error' said || wrong "$n: exit code 1 without an error"
			words="$words$(grep -a '^sahm: error' said | head -n 1 | cut -c1-100)"$'\n'
			;;
		134 | 136 | 139) killed=$((killed + 1)); words="$words(signal $((code - 128))) $(tail -n 1 said | tr -d '\0' | cut -c1-90)"$'\n' ;;
		*) other=$((other + 1)); words="$words(exit code $code) $(tail -n 1 said | cut -c1-90)"$'\n' ;;
		esac
	done
	printf '%s (%d allocations): sahm %s\n  as ever %d, exit code 1 %d, killed by a signal %d, other %d\n' "$library" "$nr" "$*" $ok $failed \
		$killed $other
	printf '%s' "$words" | sort | uniq -c | sort -rn | head -n 6 | sed 's/^/  /'
}
wrong() {
	echo "FAILED $library: $*"
	failures=$((failures + 1))
}
# asks_none LIBRARY COMMAND...: it needs no memory of that library's.
asks_none() {
	try "$@"
	library=$1
	[ "$(cat "$T/count")" -eq 0 ] || wrong "asks for memory"
}
try libconfig run "$tree/configs/canonical.cfg" "${short[@]}"
try libsqlite3 query s.sqlite best
try libsqlite3 export s.sqlite
try libzstd trace export t.csv.zst
try libzstd trace export "$tree/workloads/suites/small/gzip.csv" -o out.csv.zst
try libjansson trace import "$tree/tests/data/import/perf_I100_j.json" -m 'instructions=1000000*task-clock' -m branches=page-faults \
	-m 'branch_misses=zero(context-switches)' -a l1i_misses=0 -a l1d_accesses=0 -a l1d_misses=0 -a l2_accesses=0 -a l2_misses=0 -o out.trc
asks_none libgsl run "$tree/configs/desktop-8.cfg" "${short[@]}"
asks_none libgsl run "$tree/configs/canonical.cfg" "${short[@]}" --set workload.samples=20
asks_none libgsl optimize "$tree/configs/canonical.cfg" --cores 3 --types baseline,l2:30 --evaluator limit --method anneal --restarts 2 \
	--steps 20
try libelf ipu disasm "$tree/ipu/programs/prebuilt/watch.elf"
try libsodium ipu verify --trust demonstration classify
try libcapstone trace record --via qemu --epoch-instructions 20000 -o out.trc -- /bin/true
try libhiredis queue status --redis "${SAHM_REDIS:-redis://127.0.0.1:1}"
[ $failures -eq 0 ]
