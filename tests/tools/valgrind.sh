#!/bin/sh
# valgrind finds nothing, in the program on real input and on errors; or in what is named: valgrind.sh [TEST_FILE|corpora].
set -u
command -v valgrind >/dev/null 2>&1 || { echo "valgrind is not installed"; exit 77; }
kinds=definite,indirect,possible
check() {
	valgrind -q --suppressions=tests/tools/valgrind.supp --error-exitcode=99 --leak-check=full \
		--errors-for-leak-kinds=$kinds "$@" >/dev/null 2>"$log"
	[ $? -ne 99 ] || { cat "$log"; exit 1; }
}
log=$(mktemp) || exit 1
trap 'rm -rf "$log" "$log.trc" "$log.csv.zst" "$log.json.zst" "$log.trace" "$log.d" "$log".*.sqlite*' EXIT
case ${1:-} in
'') ;;
corpora)
	for corpus in tests/fuzz/corpus/*; do
		check build/release/tests/replay "${corpus##*/}" "$corpus"
	done
	exit ;;
*)
	# Children of tests end without freeing what their parents hold, of which SQLite has pointers to the middle only.
	kinds=definite,indirect
	export SAHM_AGREE_SYSTEMS=1000 SAHM_ENGINES_SYSTEMS=10 SAHM_INTROSPECTED_SYSTEMS=100 SAHM_IPU_PROGRAMS=300 SAHM_IPU_PAIRS=1 \
		SAHM_IPU_QEMU_PROGRAMS=10 SAHM_IPU_INTERP=1 SAHM_UNIT_SEQUENCES=30 SAHM_TIMING_CASES=200 SAHM_LANES_CASES=20 SAHM_PATH_CASES=20
	check "build/release/tests/$(sh tests/tools/room_of.sh "$1")" "$1"
	exit ;;
esac
check build/release/sahm run configs/canonical.cfg
check build/release/sahm run configs/realistic-39.cfg --json --set workload.duration_ms=2000
check build/release/sahm run configs/realistic-39.cfg --details --set workload.duration_ms=2000 --set workload.samples=3
check build/release/sahm run configs/shared-16.cfg --csv --details
check build/release/sahm run configs/shared-16.cfg --engine=plain
check build/release/sahm run configs/shared-16.cfg --timeline "$log.json.zst"
for policy in sahm random rotate affinity fair assign keen; do
	check build/release/sahm run configs/desktop-8.cfg --policy $policy --set workload.duration_ms=500
done
check build/release/sahm run configs/canonical.cfg --timeline "$log.trace"
check build/release/sahm run configs/canonical.cfg --print-config
check build/release/sahm run configs/canonical.cfg --set scheduler.polcy=x
check build/release/sahm run configs/canonical.cfg --set 'scheduler={policy="sahm" 5;}'
check build/release/sahm characterize --csv workloads/suites/small/*.csv
check build/release/sahm trace import workloads/suites/small/gzip.csv --force -o "$log.trc"
check build/release/sahm trace export "$log.trc"
check build/release/sahm trace export "$log.trc" --force -o "$log.csv.zst"
check build/release/sahm trace import "$log.csv.zst" --force -o "$log.trc"
data=tests/data/import
for file in $data/perf_I100_x_comma_append.csv $data/perf_I100_j.json $data/perf-modes/thread.txt; do
	check build/release/sahm trace import "$file" -m instructions=1000000*task-clock -m branches=page-faults \
		-m 'branch_misses=zero(context-switches)' -a l1i_misses=0 -a l1d_accesses=0 -a l1d_misses=0 -a l2_accesses=0 \
		-a l2_misses=0 --by-time --epoch-ms 40 --force -o "$log.trc"
	check build/release/sahm trace import "$file" --force -o "$log.trc"
done
check build/release/sahm trace import $data/callgrind-parts/* --force -o "$log.trc"
for options in "" --join; do
	check build/release/sahm trace import $options $data/opteron-*.csv -m time_s=timestamp -m l2_accesses=REQUESTS_TO_L2 -m l2_misses=L2_CACHE_MISS \
		--force -o "$log.trc"
done
check build/release/sahm trace resample workloads/suites/small/xz.csv --epoch-instructions 5000000 --force -o "$log.trc"
check build/release/sahm trace concat workloads/suites/small/xz.csv workloads/suites/small/cc1.csv --force -o "$log.trc"
check build/release/sahm trace info --json "$log.trc"
check build/release/sahm help config
check build/release/sahm help policy-interface
check build/release/sahm policy check --json build/release/examples/specialist.so
check build/release/sahm run configs/realistic-39.cfg --set workload.duration_ms=500 --policy build/release/examples/specialist.so
check build/release/sahm run configs/canonical.cfg --policy build/release/tests/plugins/unknown_call.so
check build/release/sahm run configs/canonical.cfg --policy build/release/tests/plugins/loses_a_thread.so
check build/release/sahm ipu exec --flat --ram 1M --trace - tests/fuzz/corpus/ipu_elf/hello -- an argument
check build/release/sahm ipu exec --flat --ram 1M --histogram tests/fuzz/corpus/ipu_elf/tohost
check build/release/sahm trace synth workloads/suites/synthetic/phone.profile --only app_launch --only mail_sync -o "$log.d"
check build/release/sahm trace synth workloads/suites/synthetic/server.profile --verify
check build/release/sahm limit workloads/suites/small/*.csv --configs
check build/release/sahm limit configs/canonical.cfg --simulate 100,10
check build/release/sahm optimize configs/canonical.cfg --cores 2 --set workload.duration_ms=500 -j 1
check build/release/sahm optimize configs/canonical.cfg --cores 4 --evaluator limit --method anneal --restarts 1
check build/release/sahm optimize configs/canonical.cfg --cores 2 --area 5
for part in 1 2; do
	check build/release/sahm sweep configs/canonical.cfg -s workload.duration_ms=500 -s workload.samples=2 \
		-a scheduler.inertia=0..3 -a chip=mixes:'cores=2,types=({type="baseline";},{type="l2";speedup_pct=30;})' \
		-j 2 --shard $part/2 -o "$log.$part.sqlite"
done
check build/release/sahm merge "$log.all.sqlite" "$log".[12].sqlite
check build/release/sahm sweep configs/canonical.cfg -a scheduler.inertia=0,x -o "$log.1.sqlite"
for question in "" best axes pareto "point 2" failed missing threads config; do
	# shellcheck disable=SC2086 # two words
	check build/release/sahm query "$log.all.sqlite" $question
done
check build/release/sahm reproduce --suite small --no-plots -o "$log.reproduced"
check build/release/sahm report "$log.all.sqlite" -o "$log.report" --no-plots
check build/release/sahm export "$log.all.sqlite" --threads --jsonl
check build/release/sahm rerun "$log.1.sqlite.manifest"
