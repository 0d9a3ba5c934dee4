#!/bin/sh
# digest.sh PROGRAM OUT quick|usual|full [JOBS]: prints what all commands print and write that promise the same bytes wherever
# and whenever they run. To be run where configs/, workloads/, ipu/ and tests/ are; commands write into the folder OUT, which is
# made again, and only there. Each stretch begins with a line `### COMMAND`, so that what differs between two runs shows by its
# name. same_bytes.sh runs it with programs of several compilers, determinism.sh in several surroundings.
#
# quick: one of each kind of command, about a second. usual: each form of each command. full: what takes minutes where nothing
# is optimised, too. JOBS goes to commands with -j; without it they have different numbers.
# shellcheck disable=SC2086 # options are split on purpose
set -u
# The order of files in its own lists is no matter of the program.
LC_ALL=C
export LC_ALL
program=$1 out=$2 tier=$3 jobs=${4:-}
rm -rf "$out" && mkdir "$out" || exit 1

# title ARG...: without how many processes there are.
title() {
	case " $* " in
	*" -j "*) printf '### sahm %s\n' "$*" | sed 's/ -j [0-9]*//' ;;
	*) printf '### sahm %s\n' "$*" ;;
	esac
}

# show ARG...: what PROGRAM prints with them. It must come to its end.
show() {
	title "$@"
	"$program" "$@" || { echo "digest: sahm $*: exit code $?" >&2; exit 1; }
}

# show_all ARG...: what it says on standard error belongs to it.
show_all() {
	show "$@" 2>&1
}

# ends CODE ARG...: with this exit code; its messages belong to it.
ends() {
	expected=$1
	shift
	printf '### sahm %s\n' "$*"
	"$program" "$@" 2>&1
	code=$?
	[ $code -eq "$expected" ] || { echo "digest: sahm $*: exit code $code instead of $expected" >&2; exit 1; }
}

# content FILE...: of what was written.
content() {
	for written; do
		printf '### content of %s\n' "$written"
		cat "$written" || { echo "digest: no $written" >&2; exit 1; }
	done
}

in_tier() { # TIER...
	case " $* " in *" $tier "*) return 0 ;; esac
	return 1
}

# The engine: each configuration in each form, under each policy, with threads that sleep, come and go.
runs() {
	for config in canonical shared-16; do
		for form in "" --json; do
			show run configs/$config.cfg $form --set workload.duration_ms=2000
		done
	done
	show run configs/realistic-39.cfg --details --set workload.duration_ms=2000 --set workload.samples=3
	show run configs/desktop-8.cfg --csv --policy keen --set workload.duration_ms=2000 --set introspection.image=classify
	show run configs/shared-16.cfg --print-config
	show run configs/desktop-8.cfg --policy fair --set workload.duration_ms=500 --force --timeline "$out/timeline" --timeline-form=chrome
	content "$out/timeline"
	in_tier usual full || return 0
	for config in configs/*.cfg; do
		for form in "" --json --csv --print-config; do
			show run "$config" $form
		done
		for policy in sahm sahm-strict sahm-listing static; do
			show run "$config" --json --set scheduler.policy=$policy --set scheduler.oracle=true --set scheduler.inertia=0 \
				--set migration.cost_ms=9.5 --set scheduler.timestep_ms=7.3
		done
	done
	for engine in event plain; do
		show run configs/realistic-39.cfg --details --engine=$engine --set workload.samples=7
		show run configs/shared-16.cfg --json --engine=$engine
	done
	for policy in sahm random rotate affinity fair assign keen; do
		for config in desktop-8 shared-16 realistic-39; do
			show run configs/$config.cfg --json --policy $policy --set workload.duration_ms=3000
		done
	done
	show run configs/desktop-8.cfg --json --policy keen --set introspection.image=classify --set workload.samples=2
	show run configs/shared-16.cfg --json --set introspection.image=predict --set introspection.latency_us=25000
	show run configs/desktop-8.cfg --policy fair --force --timeline "$out/timeline" --timeline-form=ftrace
	content "$out/timeline"
	for form in chrome ftrace; do
		show run configs/shared-16.cfg --force --timeline "$out/timeline" --timeline-form=$form
		content "$out/timeline"
	done
}

# A sweep, all that is made of its store, and the same sweep again from its manifest.
sweeps() {
	size="-s workload.duration_ms=200 -a scheduler.policy=sahm,keen -a migration.cost_ms=0,9"
	if in_tier usual full; then
		size="-s workload.duration_ms=1000 -s workload.samples=3 -a scheduler.policy=sahm,keen,fair -a migration.cost_ms=0..1..0.25"
	fi
	show sweep configs/realistic-39.cfg $size -j ${jobs:-3} -q -o "$out/s.sqlite"
	show export "$out/s.sqlite"
	show export "$out/s.sqlite" --threads --jsonl
	for question in best axes pareto threads config failed missing "point 3"; do
		show query "$out/s.sqlite" $question
		[ "$question" = config ] || show query "$out/s.sqlite" $question --json
	done
	show report "$out/s.sqlite" -o "$out/report" --no-plots
	content "$out/report"/*
	content "$out/s.sqlite.manifest"
	in_tier usual full || return 0
	# Parts of it, put together in either order, are the whole.
	for part in 1 2; do
		show sweep configs/realistic-39.cfg $size --shard $part/2 -j ${jobs:-2} -q -o "$out/s$part.sqlite"
	done
	for order in "1 2" "2 1"; do
		set -- $order
		rm -f "$out"/merged.sqlite*
		"$program" merge "$out/merged.sqlite" "$out/s$1.sqlite" "$out/s$2.sqlite" >/dev/null 2>&1 || exit 1
		show export "$out/merged.sqlite"
	done
	show rerun "$out/s.sqlite.manifest" -j ${jobs:-2} -q -o "$out/again.sqlite"
	show sweep configs/canonical.cfg --evaluator limit -a 'chip.cores[1].speedup_pct=0..50..5' -j ${jobs:-4} -q -o "$out/l.sqlite"
	show export "$out/l.sqlite"
}

# Table 4.3, figures 4.2 to 4.10 and A.3, their page, data, scripts and configurations. Pictures are gnuplot's.
reproductions() {
	suites=real
	! in_tier usual full || suites="synthetic real"
	for suite in $suites; do
		for form in "" --json --csv; do
			[ -z "$form" ] || in_tier full || continue
			rm -rf "${out:?}/$suite"
			show reproduce --suite $suite --no-plots -o "$out/$suite" $form 2>/dev/null
		done
		content "$out/$suite"/*
	done
}

# A study of policies that takes a moment instead of minutes.
comparisons() {
	cat >"$out/study.cfg" <<-'END' || exit 1
		costs_ms = [0.0, 1.5, 9.0];
		suites = (
			{ name = "desktop"; config = "configs/desktop-8.cfg"; set = ["workload.duration_ms=500"]; },
			{ name = "shared"; config = "configs/shared-16.cfg"; set = ["workload.duration_ms=500"]; }
		);
		policies = ( { policy = "static"; }, { policy = "random"; }, { policy = "sahm"; }, { policy = "keen"; },
			{ policy = "assign"; name = "assign-oracle"; oracle = true; } );
		subject = "keen";
		reference = "assign-oracle";
		claims = ( { suite = "desktop"; above = "static"; required = false; } );
	END
	show compare "$out/study.cfg"
	in_tier usual full || return 0
	show compare "$out/study.cfg" --json
	show compare "$out/study.cfg" --csv
	show compare --dry-run
}

# What needs no simulation, and the search for chips.
chips() {
	show limit workloads/suites/small/*.csv --json
	show limit configs/canonical.cfg --simulate 100,10 --json
	show optimize configs/canonical.cfg --cores 3 --evaluator limit --json -j ${jobs:-2}
	in_tier usual full || return 0
	show limit workloads/suites/small/*.csv --configs --sort p25
	show limit configs/canonical.cfg --simulate 1
	show optimize configs/canonical.cfg --cores 4 --evaluator limit --json -j ${jobs:-2}
	show optimize configs/realistic-39.cfg --cores 3 --set workload.duration_ms=500 --metric stp --csv -j ${jobs:-3}
	show optimize configs/canonical.cfg --cores 3 -j ${jobs:-3}
}

# From files of other tools, and from one trace to another.
traces() {
	data=tests/data/import
	show trace list --json
	show trace list workloads/suites/small
	show characterize --json workloads/suites/small/*.csv
	show characterize --csv --cuts p50,l2_pct=5.5 workloads/suites/small/*.csv
	show characterize --details --cuts percentile:37.5 workloads/suites/small/*.csv
	show trace resample workloads/suites/small/xz.csv --epoch-ms 33.3 -o "$out/t.csv.zst" 2>&1
	content "$out/t.csv.zst"
	imports $data/callgrind-parts/* -a l2_accesses=0 -a l2_misses=0
	in_tier usual full || return 0
	show trace resample workloads/suites/small/xz.csv --epoch-instructions 12345678 --force -o "$out/t.csv" 2>&1
	content "$out/t.csv"
	for operation in "slice --from-epoch 3 --to-epoch 99" "offset --epochs 12345" "concat workloads/suites/small/perl.csv"; do
		show_all trace $operation workloads/suites/small/xz.csv --force -o "$out/t.trc.zst"
		content "$out/t.trc.zst"
	done
	# Without gnuplot, which is no matter of these bytes; the exit code says that it is not there.
	env PATH=/nowhere "$program" characterize --force --plot "$out/figures" workloads/suites/small/*.csv 2>/dev/null
	content "$out/figures"/*
	for trace in workloads/suites/small/*.csv; do
		show trace import "$trace" --force -o "$out/t.trc" 2>/dev/null
		content "$out/t.trc"
		show trace export "$out/t.trc"
		show trace info "$out/t.trc" --json
	done
	map="-m instructions=1000000*task-clock -m branches=zero(page-faults)+zero(context-switches) -a branch_misses=0
		-a l1i_misses=0 -m l1d_accesses=page-faults -a l1d_misses=0 -a l2_accesses=0 -a l2_misses=0"
	for file in $data/perf_I100_[hjsx]* $data/perf-modes/*; do
		imports "$file" $map
		imports "$file" $map --by-time --epoch-ms 7.3
	done
	imports $data/callgrind.combined.out
	for file in $data/opteron-*.csv; do
		imports "$file" -m time_s=timestamp -m 'l2_accesses=0.3 * REQUESTS_TO_L2 + L2_CACHE_MISS' -m l2_misses=L2_CACHE_MISS
		imports --join "$file" "$file" -m time_s=timestamp -m l2_accesses=REQUESTS_TO_L2 -m l2_misses=L2_CACHE_MISS
	done
	rest="-a branches=0 -a branch_misses=0 -a l1i_misses=0 -a l1d_accesses=0 -a l1d_misses=0 -a l2_accesses=0 -a l2_misses=0"
	for file in $data/gem5/[sv]*.txt $data/champsim/*.txt $data/sniper/synthetic.* $data/pcm/*.csv $data/toplev/*.csv \
		$data/emon/*.dat $data/likwid/[rt]*; do
		imports "$file" $rest
		imports "$file" $rest --rotate
	done
	imports --rotate $data/likwid/groups-synthetic.txt -a l1d_accesses=0 -a l1d_misses=0
	imports --rotate $data/perf/window?-synthetic.csv
	for file in $data/perf/stat[-.][aAprjt]*; do
		imports "$file" $map
	done
	imports $data/perf/script.txt -m instructions=cpu-clock $rest
	for file in tests/data/sched/*.txt; do
		show_all trace bursts "$file"
	done
	for stream in tests/data/streams/*.stream; do
		show stream info "$stream" --json
		show stream head "$stream" --csv -n 1000
	done
}
imports() { # FILE... OPTION...
	show_all trace import "$@" --force -o "$out/t.csv"
	content "$out/t.csv"
}

# Synthetic traces from a profile and a seed.
synthetics() {
	show trace synth workloads/suites/synthetic/phone.profile --only voice_assistant -f csv.zst -o "$out/synth" 2>/dev/null
	content "$out/synth"/*
	in_tier usual full || return 0
	for profile in workloads/suites/synthetic/*.profile; do
		rm -rf "${out:?}/synth"
		show trace synth "$profile" -f csv -o "$out/synth" 2>/dev/null
		content "$out/synth"/*
	done
	show trace synth --verify --csv --seeds 2 workloads/suites/synthetic/spec2017.profile
}

# The processor, programs for it on recorded signals, the studies of the dissertation, signatures.
introspections() {
	prebuilt=ipu/programs/prebuilt
	awk 'BEGIN { print "cycle,address,is_write"; for (i = 1; i <= 3000; i++) print i * 7 + i % 5 "," 4096 + i * i % 9001 "," i % 3 % 2 }' \
		>"$out/accesses.csv"
	for engine in interp jit; do
		show_all ipu run watch --abi memory_access --signals "$out/accesses.csv" --set watch_first=0x1000 --set watch_end=0x2000 \
			--mode window=4 --hit-mhz 3100 --ipu-mhz 700 --packets - --engine $engine
		show ipu study overlap --windows 50 --json --engine $engine
		show ipu study values --tensors 2 --lines 2000 --json --engine $engine
	done
	show ipu compare configs/canonical.cfg
	show_all ipu signals "$out/accesses.csv" "$out/accesses.sig"
	content "$out/accesses.sig"
	show_all ipu verify classify --trust demonstration
	cp $prebuilt/classify.elf "$out/" || exit 1
	cp ipu/programs/keys/insecure-demonstration.key "$out/key" && chmod 600 "$out/key" || exit 1
	show_all ipu sign "$out/classify.elf" --key "$out/key" --abi core --expires 9999-12-31
	content "$out/classify.elf.sig"
	show_all ipu verify "$out/classify.elf" --trust demonstration
	in_tier usual full || return 0
	for form in "" --json --csv; do
		show ipu study cost $form
		show ipu study overlap --seed 7 --windows 300 --hit-mhz 900 --ipu-mhz 1700 $form
		show ipu study values --seed 7 --tensors 3 --lines 3000 --hit-mhz 900 --ipu-mhz 1700 $form
		! in_tier full || { show ipu study overlap $form; show ipu study values $form; }
	done
	for form in text csv json; do
		show ipu compare configs/canonical.cfg --format $form
	done
	! in_tier full || show ipu compare
	for mode in every sub-sample=3 window=4; do
		show_all ipu run watch --abi memory_access --signals "$out/accesses.csv" --set watch_first=0x1000 --set watch_end=0x2000 \
			--mode $mode --hit-mhz 3100 --ipu-mhz 700 --packets -
	done
	awk -v OFS=, 'BEGIN { print "simt_active,tensor_active,memory_active"
		for (i = 1; i <= 5000; i++) print i * i % 3 % 2, i % 3 % 2, i % 7 % 2 }' >"$out/units.csv"
	awk 'BEGIN { print "v0"; for (i = 1; i <= 2000; i++) print i * 7919 % 65521 * 32749 }' >"$out/lines.csv"
	{
		echo instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,l2_misses,thread
		awk -v OFS=, 'BEGIN { for (i = 1; i <= 2000; i++) print 10000000 + i, 2000000, i * i % 90001, i % 90001 * 7, 4000000,
			i % 13 * 9999, i % 17 * 30000, i % 17 * 3000 + i % 5, i % 4 }'
	} >"$out/counters.csv"
	for row in "overlap gpu_activity units" "histogram l1d_write lines" "classify core counters" "classify-ewma core counters" \
		"predict core counters"; do
		set -- $row
		for form in csv binary; do
			show_all ipu run $1 --abi $2 --signals "$out/$3.csv" --force --packets "$out/packets" --packet-format $form --json
			content "$out/packets"
		done
	done
	for elf in $prebuilt/*.elf; do
		show ipu disasm "$elf"
		show_all ipu verify "$elf" --trust demonstration
	done
	for elf in tests/fuzz/corpus/ipu_elf/*; do
		printf '### sahm ipu exec %s\n' "$elf"
		"$program" ipu exec --flat --max-instructions 100000 --force --trace "$out/t.log" "$elf" 2>/dev/null
		echo "exit code $?"
		content "$out/t.log"
		# It prints its speed, too.
		"$program" ipu exec --flat --max-instructions 100000 --histogram "$elf" 2>&1 | sed 's/ in [0-9.]* s.*//'
		show ipu disasm "$elf"
	done
	head -c 300000 workloads/suites/small/xz.csv >"$out/raw"
	show ipu disasm --raw "$out/raw"
}

# Messages for users: help, lists, and that something is wrong.
words() {
	for topic in "" config cores policies states traces import synth results studies sweeps run optimize; do
		show help $topic
	done
	show policy list
	ends 2 rum
	ends 1 run nowhere.cfg
	ends 2 run configs/canonical.cfg --set chip.cores=7
	ends 1 trace export workloads/FORMAT.md
}

for part in words runs sweeps reproductions comparisons chips traces synthetics introspections; do
	$part
done
