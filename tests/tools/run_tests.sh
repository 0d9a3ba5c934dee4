#!/bin/bash
# Runs a tier of the tests: run_tests.sh check|ci|full|long. What it needs has been built. Tests run side by side; each prints a line
# when it ends, with its output when it failed. The last line counts them.
set -u
cd "$(dirname "$0")/../.." || exit 2
tier=$1
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
# One more test at a time than there are processors, since some mostly wait. Who waits for a slot starts in the order of this file:
# within a tier, long tests come first.
slots=$(($(nproc) + 1))
# A test that hangs is stopped after `guard` seconds. In the first two tiers none takes a third of it.
case $tier in
check) guard=200 ;;
ci) guard=900 ;;
*) guard=14400 ;;
esac

# run NAME COMMAND...: exit code 0 passes, 77 skips (its last line says why), anything else fails.
run() {
	local name=$1 log=$work/log.$BASHPID code TIMEFORMAT='%0R s, CPU %0U + %0S s'
	shift
	{ time timeout -k 10 "$guard" "$@" >"$log" 2>&1 </dev/null; } 2>"$log.time"
	code=$?
	{
		flock 9
		case $code in
		0) printf 'ok      %s (%s)\n' "$name" "$(cat "$log.time")" ;;
		77) printf 'skipped %s: %s\n' "$name" "$(tail -n 1 "$log")" ;;
		124) printf 'FAILED  %s (not done after %d s)\n' "$name" "$guard" && tail -n 60 "$log" | sed 's/^/        /' ;;
		*) printf 'FAILED  %s (exit code %d)\n' "$name" $code && tail -n 60 "$log" | sed 's/^/        /' ;;
		esac | tee -a "$work/results"
	} 9>"$work/lock"
	rm -f "$log" "$log.time"
}

# test_ NAME COMMAND...: runs it beside others, as soon as there is a slot.
test_() {
	while [ "$(jobs -rp | wc -l)" -ge "$slots" ]; do
		wait -n
	done
	run "$@" &
}

# Each test file is a test. Those that take longest come first.
unit_tests() { # BUILD
	local slow="test_chart_draw test_pool test_ipu_agree test_introspected test_redis_hostile test_agree test_ipu_unit_agree
		test_engines test_decode_rv64_objdump test_reproduce test_ipu_hot test_trace_file test_queue_take test_redis_link
		test_record_perf test_stream test_record_child"
	for file in $(printf '%s\n' $slow $(find tests/unit -name 'test_*.c' | sed 's|.*/||; s|\.c$||' | sort) | awk '!seen[$0]++'); do
		# gnuplot takes its time twice; plot.sh has it draw for the sanitized program.
		[ "$tier:$1:$file" != ci:asan:test_chart_draw ] || continue
		test_ "$1: $file" "build/$1/tests/$(sh tests/tools/room_of.sh "$file")" "$file"
	done
}

# Fewer random systems than in the tests' own right: enough to reach all that they have to reach.
fewer() { # COMMAND...
	SAHM_AGREE_SYSTEMS=${SAHM_AGREE_SYSTEMS:-10000} SAHM_ENGINES_SYSTEMS=${SAHM_ENGINES_SYSTEMS:-200} \
		SAHM_INTROSPECTED_SYSTEMS=${SAHM_INTROSPECTED_SYSTEMS:-1500} SAHM_IPU_PROGRAMS=${SAHM_IPU_PROGRAMS:-1500} \
		SAHM_IPU_PAIRS=${SAHM_IPU_PAIRS:-3} SAHM_IPU_LOOPS=${SAHM_IPU_LOOPS:-1500} \
		SAHM_UNIT_SEQUENCES=${SAHM_UNIT_SEQUENCES:-1000} "$@"
}

# With as many as they have in their own right.
draws() { # BUILD
	for file in test_ipu_agree test_introspected test_agree test_ipu_unit_agree test_engines test_ipu_hot; do
		test_ "$1: $file, all systems" "build/$1/tests/$(sh tests/tools/room_of.sh $file)" $file
	done
}

corpora() { # BUILD
	for target in tests/fuzz/fuzz_*.c; do
		target=${target##*/fuzz_} target=${target%.c}
		test_ "$1: corpus $target" "build/$1/tests/replay" "$target" "tests/fuzz/corpus/$target"
	done
}

# What fuzzing has found and fuzz_keep.sh has kept.
kept() { # BUILD
	for target in tests/fuzz/fuzz_*.c; do
		target=${target##*/fuzz_} target=${target%.c}
		test_ "$1: kept of $target" sh -c 'mkdir "$3" && tar -xzf "tests/fuzz/kept/$2.tar.gz" -C "$3" && "$1" "$2" "$3"' \
			kept "build/$1/tests/replay" "$target" "$work/kept.$1.$target"
	done
}

transcripts() { # BUILD
	for transcript in $(ls tests/golden/policy_broken.t tests/golden/ipu_engine.t tests/golden/compare.t tests/golden/*.t | awk '!seen[$0]++'); do
		case $1:$transcript in
		tsan:tests/golden/policy_broken.t)
			test_ "$1: $transcript" sh -c 'echo "the thread sanitizer holds signals back from code that hangs"; exit 77'
			continue ;;
		esac
		test_ "$1: $transcript" sh tests/tools/golden.sh "build/$1" "$transcript"
	done
}

static_checks() {
	test_ "each header compiles alone" sh tests/tools/check_headers.sh
	test_ "layout of the code" sh tests/tools/check_format.sh
	test_ "rules to break are where the list says" sh tests/tools/mutants.sh --check
	test_ "calls of the system" sh tests/tools/check_calls.sh
	test_ "code in other languages" sh tests/tools/check_languages.sh
	test_ "plain English" sh tests/tools/check_language.sh
	test_ "ARCHITECTURE.md speaks of what is there" sh tests/tools/check_architecture.sh
	test_ "no secret key in the source" sh tests/tools/secrets.sh
	test_ "what objects ask for" sh tests/tools/check_objects.sh
	test_ "check of objects can fail" sh -c '! sh tests/tools/check_objects.sh build/release build/release/obj/tests/unit/sim/sweep/test_sweep.o'
	test_ "no symbol clashes with a library" sh tests/tools/check_symbols.sh
	test_ "dependency direction" sh tests/tools/check_layers.sh
	test_ "dependency check can fail" sh -c '! sh tests/tools/check_layers.sh sched/host workloads/trace/trace.h &&
		! sh tests/tools/check_layers.sh sim/cli sim/engine/sim_internal.h'
}

# The program's commands, documents and limits, whatever else they need; how much of what would take too long is tried: quick, full.
commands() { # EXTENT
	local sahm=build/release/sahm sanitized=build/asan/sahm
	test_ "same bytes from every compiler and -O level" sh tests/tools/same_bytes.sh "$tier"
	test_ "system calls that fail" bash tests/tools/fail_calls.sh $sahm build/release/tests/fail_calls "$1"
	test_ "memory that runs out" bash tests/tools/alloc.sh build/asan/sahm-alloc "$1"
	test_ "sweeps through Redis, sanitized" bash tests/tools/queue.sh $sanitized
	test_ "queues are operated, sanitized" bash tests/tools/queue_ops.sh $sanitized
	test_ "sweeps through Redis servers that forget or lie" bash tests/tools/queue_servers.sh $sahm "$1"
	test_ "faults" bash tests/tools/faults.sh $sahm "$1"
	test_ "hostile paths" bash tests/tools/faults_paths.sh $sahm "$1"
	test_ "power failures" bash tests/tools/power.sh $sahm "$1"
	test_ "valgrind" sh tests/tools/valgrind.sh
	test_ "pages in a browser" sh tests/tools/page.sh $sahm
	test_ "tutorial of the queue" sh tests/tools/queue_docs.sh $sahm
	test_ "same bytes in any surroundings" sh tests/tools/determinism.sh $sahm "$1"
	test_ "programs on the IPU's processor, sanitized" sh tests/tools/ipu_exec.sh $sanitized
	test_ "programs on the IPU's processor" sh tests/tools/ipu_exec.sh $sahm
	test_ "figures, sanitized" sh tests/tools/plot.sh $sanitized
	test_ "figures" sh tests/tools/plot.sh $sahm
	test_ "reports of sweeps, sanitized" sh tests/tools/report.sh $sanitized
	test_ "reports of sweeps" sh tests/tools/report.sh $sahm
	test_ "recording in QEMU" bash tests/tools/record_qemu.sh build/release
	test_ "samples of a program with symbols" bash tests/tools/core_sample.sh build/release
	test_ "the slow line of a program" sh tests/tools/slow_line.sh $sahm
	test_ "the slow loop of a program" sh tests/tools/slow_loop.sh $sahm
	test_ "cycle stacks of programs with one slow instruction" sh tests/tools/micro_stacks.sh $sahm
	test_ "lanes on other processors" sh tests/tools/lanes.sh $sahm
	# All processors only in the full tier.
	test_ "recordings against callgrind" sh tests/tools/record_callgrind.sh $sahm $([ "$1" = full ] || echo golden-cove)
	test_ "synthetic suite" sh tests/tools/check_suite.sh $sahm
	test_ "memory of the 39-thread study below 64 MB" sh -c "ulimit -v 65536 && $sahm run configs/synthetic-39.cfg >/dev/null"
	test_ "installation" sh tests/tools/install.sh
	test_ "tutorial of reproducing" sh tests/tools/reproduce_docs.sh $sahm
	test_ "reproductions" sh tests/tools/reproduce.sh $sahm
	test_ "faults that a reproduction notices" sh tests/tools/reproduce_faults.sh $sahm
	test_ "tutorial of sweeps" sh tests/tools/sweeps.sh $sahm
	test_ "examples for clusters" sh tests/tools/cluster_examples.sh $sahm
	test_ "tutorial of reports" sh tests/tools/reports.sh $sahm
	test_ "damaged plug-ins" sh tests/tools/hostile.sh plugins "$1"
	test_ "hostile results databases" sh tests/tools/hostile.sh stores "$1"
	test_ "configurations of extreme values" sh tests/tools/hostile.sh configs "$1"
	test_ "fuzzing in turns" bash tests/tools/fuzz_turns.sh
	test_ "sweeps that are killed" bash tests/tools/sweep_kill.sh $sahm 20
	test_ "stores without room" bash tests/tools/sweep_store.sh $sahm
	test_ "disassembly as by objdump" sh tests/tools/objdump.sh $sahm
	test_ "header and linker script for the IPU" sh tests/tools/ipu_header.sh $sahm
	test_ "a new program for the IPU" sh tests/tools/ipu_new.sh $sahm
	test_ "man pages" sh tests/tools/check_man.sh
	test_ "completion" bash tests/tools/completion.sh $sahm
	test_ "memory of libraries" bash tests/tools/alloc_libraries.sh $sahm
	test_ "sizes and dates beyond 32 bits" sh tests/tools/limits.sh $sahm "$1"
	test_ "hostile names and files" sh tests/tools/safety.sh $sahm
	test_ "README shows what is printed" sh tests/tools/check_readme.sh
	test_ "examples of README" sh tests/tools/readme.sh $sahm
	test_ "counters as documented" sh tests/tools/counters_docs.sh $sahm build/release/libsahm.a
	test_ "tutorials" sh tests/tools/tutorial.sh $sahm
	test_ "tutorial of the IPU's processor" sh tests/tools/ipu_tutorial.sh $sahm
	test_ "tutorial of introspection" sh tests/tools/introspection.sh $sahm
	test_ "a module beside a core, from an empty folder" sh tests/tools/soft_logic.sh $sahm
	test_ "tutorial of signing" sh tests/tools/signing.sh $sahm
	test_ "timelines" sh tests/tools/timeline.sh $sahm
	test_ "tutorial of policies" sh tests/tools/policies.sh $sahm
	test_ "a new policy" sh tests/tools/policy_new.sh $sahm
	test_ "schedulers of the kernel" sh tests/tools/scx.sh $sahm
}

# What the full tier tries besides.
at_length() {
	local sahm=build/release/sahm sanitized=build/asan/sahm
	MUTANTS_JOBS=1 test_ "broken rules are caught" sh tests/tools/mutants.sh
	test_ "sweeps through Redis whose workers and server are killed" bash tests/tools/queue_soak.sh $sahm 1000
	test_ "synthetic suite, fitted anew" sh tests/tools/check_suite.sh $sahm build/release/sahm-fit
	test_ "ten million rows" sh tests/tools/huge.sh $sahm
	test_ "claims of the comparison of policies" sh -c "$sahm compare --claims -q >/dev/null 2>&1"
	test_ "keen and sahm on published mechanisms" sh -c "$sahm compare --claims -q configs/studies/table-4.4.cfg >/dev/null 2>&1"
	test_ "comparing.md and budget.md show what is printed" sh tests/tools/check_readme.sh docs/comparing.md docs/budget.md
	test_ "sweeps through Redis" bash tests/tools/queue.sh $sahm
	test_ "queues are operated" bash tests/tools/queue_ops.sh $sahm
	test_ "recording in QEMU, sanitized" bash tests/tools/record_qemu.sh build/asan
	test_ "reproductions, sanitized" sh tests/tools/reproduce.sh $sanitized
	test_ "hostile names and files, sanitized" sh tests/tools/safety.sh $sanitized
	test_ "built programs for the IPU" sh tests/tools/prebuilt.sh $sahm
	test_ "built without hiredis" sh tests/tools/no_hiredis.sh
	for file in $(find tests/unit -name 'test_*.c' | sed 's|.*/||; s|\.c$||' | sort) corpora; do
		test_ "valgrind: $file" sh tests/tools/valgrind.sh "$file"
	done
}

export ASAN_OPTIONS=detect_leaks=1:abort_on_error=1 UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1 \
	LSAN_OPTIONS=print_suppressions=0

case $tier in
check)
	static_checks
	fewer unit_tests release
	transcripts release
	corpora release
	;;
ci)
	commands quick
	MUTANTS_JOBS=1 MUTANTS_EVERY=10 test_ "broken rules are caught, every tenth" sh tests/tools/mutants.sh
	draws release
	SAHM_LANES_CASES=${SAHM_LANES_CASES:-100} SAHM_PATH_CASES=${SAHM_PATH_CASES:-60} fewer unit_tests asan
	transcripts asan
	corpora asan
	;;
full)
	variants="tsan debug"
	for variant in $variants; do
		run "build $variant" make --no-print-directory -j"$(nproc)" VARIANT="$variant" tests-built
	done
	if command -v clang >/dev/null 2>&1; then
		run "build clang" make --no-print-directory -j"$(nproc)" VARIANT=release B=build/clang CC=clang tests-built
		variants="$variants clang"
	else
		run "tests built by clang" sh -c 'echo "clang is not installed"; exit 77'
	fi
	at_length
	commands full
	unit_tests release
	for variant in asan $variants; do
		fewer unit_tests $variant
	done
	for variant in release asan $variants; do
		transcripts $variant
	done
	static_checks
	corpora release
	corpora asan
	kept asan
	wait
	# They build the program again.
	run "source tarball" sh tests/tools/check_dist.sh
	run "Debian package" bash tests/tools/check_deb.sh
	;;
long)
	SAHM_AGREE_SYSTEMS=5000000 test_ "millions of random systems" build/release/tests/sim_engine test_agree
	SAHM_ENGINES_SYSTEMS=100000 test_ "many larger systems" build/release/tests/sim_engine test_engines
	SAHM_IPU_PROGRAMS=1000000 SAHM_IPU_PAIRS=300 test_ "a million random RV32 programs" build/release/tests/ipu_core test_ipu_agree
	SAHM_IPU_LOOPS=1000000 test_ "a million hot loops" build/release/tests/ipu_jit test_ipu_hot
	SAHM_UNIT_SEQUENCES=1000000 test_ "a million random histories of an IPU" build/release/tests/ipu_unit test_ipu_unit_agree
	SAHM_TIMING_CASES=1000000 test_ "a million random cores" build/release/tests/cores_uarch test_timing_reference
	SAHM_PATH_CASES=100000 test_ "many random critical paths" build/release/tests/cores_uarch test_critical_path_lanes
	SAHM_IPU_QEMU_PROGRAMS=10000 test_ "many random RV32 programs in qemu-riscv32" build/release/tests/ipu_core test_ipu_qemu
	test_ "sweeps under Slurm" bash tests/tools/slurm.sh build/release/sahm
	test_ "a long sweep through Redis whose workers and server are killed" bash tests/tools/queue_soak.sh build/release/sahm 10000
	test_ "fuzzing" sh tests/tools/fuzz.sh "${FUZZ_SECONDS:-300}"
	;;
esac
wait
count() {
	grep -c "^$1" "$work/results"
}
grep '^FAILED' "$work/results" | sort
printf '%d passed, %d failed, %d skipped\n' "$(count ok)" "$(count FAILED)" "$(count skipped)"
[ "$(count FAILED)" -eq 0 ]
