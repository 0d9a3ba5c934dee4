#!/bin/sh
# The same configuration gives the same bytes whatever built the program: gcc and clang at -O0 and -O3, and the sanitized
# variant, against the release program.
# shellcheck disable=SC2086 # options are split on purpose
set -u
programs=build/asan/sahm
skipped=
for cc in gcc clang; do
	if ! command -v $cc >/dev/null 2>&1; then
		skipped="$skipped $cc"
		continue
	fi
	# But in full, gcc at the levels of what is there already, and the other compiler at another one.
	levels="O0 O3"
	[ "${1:-full}" = full ] || { [ $cc = gcc ] && levels= || levels=O3; }
	for level in $levels; do
		folder=build/matrix-$cc-$level
		make --no-print-directory -j2 VARIANT=release B=$folder CC=$cc OPT=-$level CFLAGS=-g0 WERROR=1 $folder/sahm >/dev/null || exit 1
		programs="$programs $folder/sahm"
	done
done
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
digest() { # PROGRAM
	for config in configs/*.cfg; do
		for form in "" --json --csv --print-config; do
			"$1" run "$config" $form || exit 1
		done
		for policy in sahm sahm-strict sahm-listing static; do
			"$1" run "$config" --json --set scheduler.policy=$policy --set scheduler.oracle=true \
				--set scheduler.inertia=0 --set migration.cost_ms=9.5 --set scheduler.timestep_ms=7.3 || exit 1
		done
	done
	for engine in event plain; do
		"$1" run configs/realistic-39.cfg --details --engine=$engine --set workload.samples=7 || exit 1
		"$1" run configs/shared-16.cfg --json --engine=$engine || exit 1
	done
	for policy in sahm random rotate affinity fair assign keen; do
		for config in desktop-8 shared-16 realistic-39; do
			"$1" run configs/$config.cfg --json --policy $policy --set workload.duration_ms=3000 || exit 1
		done
	done
	"$1" run configs/desktop-8.cfg --json --policy keen --set introspection.image=classify --set workload.samples=2 || exit 1
	"$1" run configs/desktop-8.cfg --policy fair --timeline "$out/timeline" --timeline-form=ftrace && cat "$out/timeline" || exit 1
	for form in chrome ftrace; do
		"$1" run configs/shared-16.cfg --timeline "$out/timeline" --timeline-form=$form && cat "$out/timeline" || exit 1
	done
	rm -f "$out"/s.sqlite*
	"$1" sweep configs/realistic-39.cfg -s workload.duration_ms=1000 -s workload.samples=3 -a scheduler.policy=sahm,keen,fair \
		-a migration.cost_ms=0..1..0.25 -j 3 -q -o "$out/s.sqlite" || exit 1
	"$1" export "$out/s.sqlite" && "$1" export "$out/s.sqlite" --threads --jsonl || exit 1
	for question in best axes pareto threads "point 7"; do
		"$1" query "$out/s.sqlite" $question --json || exit 1
	done
	"$1" report "$out/s.sqlite" -o "$out/report" --no-plots && (cd "$out/report" && cat index.html *.csv *.gp) || exit 1
	cat "$out/s.sqlite.manifest"
	for suite in synthetic real; do
		"$1" reproduce --suite $suite --no-plots -o "$out/$suite" 2>/dev/null && (cd "$out/$suite" && cat index.html *.csv *.gp *.cfg) || exit 1
	done
	"$1" limit workloads/traces/*.csv --json && "$1" limit configs/canonical.cfg --simulate 100,10,1 --json || exit 1
	"$1" optimize configs/canonical.cfg --cores 4 --evaluator limit --json -j 2 || exit 1
	"$1" optimize configs/realistic-39.cfg --cores 3 --set workload.duration_ms=500 --metric stp --csv || exit 1
	"$1" characterize --json workloads/traces/*.csv || exit 1
	"$1" characterize --csv --cuts p50,l2_pct=5.5 workloads/traces/*.csv || exit 1
	"$1" characterize --details --cuts percentile:37.5 workloads/traces/*.csv || exit 1
	PATH=/nowhere "$1" characterize --plot "$out/figures" workloads/traces/*.csv 2>/dev/null
	cat "$out/figures"/*.csv "$out/figures"/*.gp || exit 1
	for trace in workloads/traces/*.csv; do
		"$1" trace import "$trace" -o "$out/t.trc" 2>/dev/null && cat "$out/t.trc" && "$1" trace export "$out/t.trc" || exit 1
	done
	import() { # FILE... OPTION...: what is said of it belongs to the result
		"$program" trace import "$@" -o "$out/t.csv" 2>&1 && cat "$out/t.csv" || exit 1
	}
	program=$1 data=tests/data/import
	map="-m instructions=1000000*task-clock -m branches=zero(page-faults)+zero(context-switches) -a branch_misses=0
		-a l1i_misses=0 -m l1d_accesses=page-faults -a l1d_misses=0 -a l2_accesses=0 -a l2_misses=0"
	for file in $data/perf_I100_[hjsx]* $data/perf-modes/*; do
		import "$file" $map
		import "$file" $map --by-time --epoch-ms 7.3
	done
	import $data/callgrind.combined.out
	for file in $data/opteron-*.csv; do
		import "$file" -m time_s=timestamp -m 'l2_accesses=0.3 * REQUESTS_TO_L2 + L2_CACHE_MISS' -m l2_misses=L2_CACHE_MISS
		import --join "$file" "$file" -m l2_accesses=REQUESTS_TO_L2 -m l2_misses=L2_CACHE_MISS
	done
	for profile in workloads/synthetic/*.profile; do
		rm -rf "$out/synth"
		"$1" trace synth "$profile" -f csv -o "$out/synth" 2>/dev/null && cat "$out/synth"/*.csv || exit 1
	done
	"$1" trace synth --verify --csv --seeds 2 workloads/synthetic/spec2017.profile || exit 1
	"$1" trace resample workloads/traces/xz.csv --epoch-ms 33.3 -o "$out/t.csv" 2>&1 && cat "$out/t.csv" || exit 1
	"$1" trace resample workloads/traces/xz.csv --epoch-instructions 12345678 -o "$out/t.csv" 2>&1 && cat "$out/t.csv" || exit 1
	for elf in tests/fuzz/corpus/ipu_elf/*; do
		"$1" ipu exec --flat --max-instructions 100000 --trace "$out/t.log" "$elf" 2>/dev/null
		echo "exit code $?"
		cat "$out/t.log" || exit 1
		"$1" ipu exec --flat --max-instructions 100000 --histogram "$elf" 2>&1 | sed 's/ in [0-9.]* s.*//'
		"$1" ipu disasm "$elf" || exit 1
	done
	"$1" ipu disasm --raw build/release/sahm || exit 1
	"$1" ipu study overlap --json && "$1" ipu study values --json && "$1" ipu compare configs/canonical.cfg || exit 1
	"$1" run configs/shared-16.cfg --json --set introspection.image=predict --set introspection.latency_us=25000 || exit 1
	awk 'BEGIN { print "cycle,address,is_write"; for (i = 1; i <= 3000; i++) print i * 7 + i % 5 "," 4096 + i * i % 9001 "," i % 3 % 2 }' \
		>"$out/accesses.csv"
	for mode in every sub-sample=3 window=4; do
		"$1" ipu run watch --abi memory_access --signals "$out/accesses.csv" --set watch_first=0x1000 --set watch_end=0x2000 \
			--mode $mode --hit-mhz 3100 --ipu-mhz 700 --packets - 2>&1 || exit 1
	done
	"$1" ipu signals "$out/accesses.csv" "$out/accesses.sig" 2>&1 && cat "$out/accesses.sig" || exit 1
}
digest build/release/sahm >"$out/expected" || exit 1
[ -s "$out/expected" ] || exit 1
for program in $programs; do
	digest "$program" >"$out/actual" || exit 1
	cmp "$out/expected" "$out/actual" || { echo "$program differs from build/release/sahm" >&2; exit 1; }
	echo "$program: same bytes"
done
[ -z "$skipped" ] || { echo "not installed:$skipped (the others agree)"; exit 77; }
