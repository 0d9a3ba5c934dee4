#!/bin/bash
# Runs a tier of the tests: run_tests.sh check|full|long. Everything has been built, sanitized variants too.
# Prints a line per test, the output of those that fail, and a closing count.
set -u
cd "$(dirname "$0")/../.." || exit 2
tier=${1:-check}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
# A test that hangs is stopped after this long; none takes a tenth of it.
guard=900

# test NAME COMMAND...: exit code 0 passes, 77 skips (its last line says why), anything else fails.
test_() {
	local name=$1 start=$SECONDS log=$work/log.$BASHPID
	shift
	timeout "$guard" "$@" >"$log" 2>&1 </dev/null
	local code=$?
	case $code in
	0) printf 'ok      %s (%d s)\n' "$name" $((SECONDS - start)) ;;
	77) printf 'skipped %s: %s\n' "$name" "$(tail -n 1 "$log")" ;;
	*)
		printf 'FAILED  %s (exit code %d)\n' "$name" $code
		tail -n 60 "$log" | sed 's/^/        /'
		;;
	esac | tee -a "$work/results"
}

# What fuzzing has found and fuzz_keep.sh has kept.
kept() { # PROGRAM TARGET
	local inputs
	inputs=$(mktemp -d "$work/kept.XXXXXX") && tar -xzf "tests/fuzz/kept/$2.tar.gz" -C "$inputs" && "$1" "$2" "$inputs"
}
export -f kept
export work

unit() { # BUILD TEST_FILE
	exec "$1/tests/$(sh tests/tools/room_of.sh "$2")" "$2"
}
export -f unit

unit_tests() { # VARIANT
	for file in $(find tests/unit -name 'test_*.c' | sort); do
		file=${file##*/} file=${file%.c}
		# gnuplot takes its time twice; plot.sh has it draw for the sanitized program.
		[ "$tier:$1:$file" != check:asan:test_chart_draw ] || continue
		test_ "$1: $file" bash -c 'unit "$@"' unit "build/$1" "$file"
	done
	[ "$tier $1" != "check release" ] || return 0
	for target in tests/fuzz/fuzz_*.c; do
		target=${target##*/fuzz_} target=${target%.c}
		test_ "$1: corpus $target" "build/$1/tests/replay" "$target" "tests/fuzz/corpus/$target"
		[ $tier = check ] || test_ "$1: kept of $target" bash -c 'kept "$@"' kept "build/$1/tests/replay" "$target"
	done
}

transcripts() { # VARIANT
	for transcript in tests/golden/*.t; do
		case $1:$transcript in
		tsan:tests/golden/policy_broken.t)
			test_ "$1: $transcript" sh -c 'echo "the thread sanitizer holds signals back from code that hangs"; exit 77'
			continue ;;
		esac
		test_ "$1: $transcript" sh tests/tools/golden.sh "build/$1" "$transcript"
	done
}

export ASAN_OPTIONS=detect_leaks=1:abort_on_error=1 UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1 \
	LSAN_OPTIONS=print_suppressions=0

case $tier in
check | full)
	test_ "dependency direction" sh tests/tools/check_layers.sh
	test_ "dependency check can fail" sh -c '! sh tests/tools/check_layers.sh sched/host workloads/trace/trace.h'
	test_ "layout of the code" sh tests/tools/check_format.sh
	test_ "what objects ask for" sh tests/tools/check_objects.sh
	test_ "check of objects can fail" sh -c '! sh tests/tools/check_objects.sh build/release build/release/obj/tests/unit/sim/sweep/test_sweep.o'
	test_ "ARCHITECTURE.md speaks of what is there" sh tests/tools/check_architecture.sh
	test_ "no secret key in the source" sh tests/tools/secrets.sh
	test_ "calls of the system" sh tests/tools/check_calls.sh
	test_ "code in other languages" sh tests/tools/check_languages.sh
	test_ "no symbol clashes with a library" sh tests/tools/check_symbols.sh
	# Servers, and workers that go on when they have been idle for a while: mostly waited for.
	{
		test_ "each header compiles alone" sh tests/tools/check_headers.sh
		test_ "tutorial of the queue" sh tests/tools/queue_docs.sh build/release/sahm
		[ $tier = check ] || test_ "sweeps through Redis" bash tests/tools/queue.sh build/release/sahm
		test_ "sweeps through Redis, sanitized" bash tests/tools/queue.sh build/asan/sahm
		[ $tier = check ] || test_ "queues are operated" bash tests/tools/queue_ops.sh build/release/sahm
		test_ "queues are operated, sanitized" bash tests/tools/queue_ops.sh build/asan/sahm
	} >"$work/queues" &
	# Most tests take one processor: two lanes, about as long as one another.
	{
		unit_tests release
		transcripts release
		transcripts asan
	} >"$work/release" &
	SAHM_AGREE_SYSTEMS=${SAHM_AGREE_SYSTEMS:-10000} SAHM_ENGINES_SYSTEMS=${SAHM_ENGINES_SYSTEMS:-200} \
		SAHM_IPU_PROGRAMS=${SAHM_IPU_PROGRAMS:-1500} SAHM_IPU_PAIRS=${SAHM_IPU_PAIRS:-3} \
		SAHM_IPU_LOOPS=${SAHM_IPU_LOOPS:-1500} SAHM_UNIT_SEQUENCES=${SAHM_UNIT_SEQUENCES:-1000} unit_tests asan
	wait
	cat "$work/release" "$work/queues"
	# How much of what would take too long is tried.
	extent=quick
	[ $tier = check ] || extent=full
	# The browser is mostly waited for.
	{
		test_ "pages in a browser" sh tests/tools/page.sh build/release/sahm
	} >"$work/pages" &
	{
		test_ "valgrind" sh tests/tools/valgrind.sh quick
		test_ "memory that runs out" bash tests/tools/alloc.sh build/asan/sahm-alloc $extent
		test_ "faults" bash tests/tools/faults.sh build/release/sahm $extent
		test_ "hostile paths" bash tests/tools/faults_paths.sh build/release/sahm $extent
	} >"$work/faults" &
	# All of them take longer than the rest together, and a few as long as building all that they are tried on.
	[ $tier = check ] || test_ "broken rules are caught" sh tests/tools/mutants.sh
	test_ "same bytes from every compiler and -O level" sh tests/tools/same_bytes.sh "$tier"
	wait
	cat "$work/pages" "$work/faults"
	# It builds the program anew, for other folders.
	test_ "installation" sh tests/tools/install.sh
	# Two lanes: each test takes one processor.
	{
		test_ "memory of the 39-thread study below 64 MB" \
			sh -c 'ulimit -v 65536 && build/release/sahm run configs/synthetic-39.cfg >/dev/null'
		test_ "figures" sh tests/tools/plot.sh build/release/sahm
		test_ "figures, sanitized" sh tests/tools/plot.sh build/asan/sahm
		test_ "reports of sweeps" sh tests/tools/report.sh build/release/sahm
		test_ "reports of sweeps, sanitized" sh tests/tools/report.sh build/asan/sahm
		test_ "recording in QEMU" bash tests/tools/record_qemu.sh build/release
		[ $tier = check ] || test_ "recording in QEMU, sanitized" bash tests/tools/record_qemu.sh build/asan
		test_ "tutorial of reproducing" sh tests/tools/reproduce_docs.sh build/release/sahm
		test_ "reproductions" sh tests/tools/reproduce.sh build/release/sahm
		[ $tier = check ] || test_ "reproductions, sanitized" sh tests/tools/reproduce.sh build/asan/sahm
		test_ "tutorial of sweeps" sh tests/tools/sweeps.sh build/release/sahm
		test_ "examples for clusters" sh tests/tools/cluster_examples.sh build/release/sahm
		test_ "tutorial of reports" sh tests/tools/reports.sh build/release/sahm
		test_ "sweeps that are killed" bash tests/tools/sweep_kill.sh build/release/sahm 20
		test_ "stores without room" bash tests/tools/sweep_store.sh build/release/sahm
	} >"$work/lane" &
	test_ "disassembly as by objdump" sh tests/tools/objdump.sh build/release/sahm
	test_ "programs on the IPU's processor" sh tests/tools/ipu_exec.sh build/release/sahm
	test_ "programs on the IPU's processor, sanitized" sh tests/tools/ipu_exec.sh build/asan/sahm
	test_ "header and linker script for the IPU" sh tests/tools/ipu_header.sh build/release/sahm
	test_ "a new program for the IPU" sh tests/tools/ipu_new.sh build/release/sahm
	test_ "man pages" sh tests/tools/check_man.sh
	test_ "completion" bash tests/tools/completion.sh build/release/sahm
	test_ "same bytes in any surroundings" sh tests/tools/determinism.sh build/release/sahm $extent
	test_ "memory of libraries" bash tests/tools/alloc_libraries.sh build/release/sahm
	test_ "sizes and dates beyond 32 bits" sh tests/tools/limits.sh build/release/sahm $extent
	test_ "hostile names and files" sh tests/tools/safety.sh build/release/sahm
	[ $tier = check ] || test_ "hostile names and files, sanitized" sh tests/tools/safety.sh build/asan/sahm
	test_ "README shows what is printed" sh tests/tools/check_readme.sh
	test_ "examples of README" sh tests/tools/readme.sh build/release/sahm
	test_ "tutorials" sh tests/tools/tutorial.sh build/release/sahm
	test_ "tutorial of the IPU's processor" sh tests/tools/ipu_tutorial.sh build/release/sahm
	test_ "tutorial of introspection" sh tests/tools/introspection.sh build/release/sahm
	test_ "tutorial of signing" sh tests/tools/signing.sh build/release/sahm
	test_ "timelines" sh tests/tools/timeline.sh build/release/sahm
	test_ "tutorial of policies" sh tests/tools/policies.sh build/release/sahm
	test_ "a new policy" sh tests/tools/policy_new.sh build/release/sahm
	# All processors in the full tier alone.
	test_ "recordings against callgrind" sh tests/tools/record_callgrind.sh build/release/sahm $([ $tier = full ] || echo golden-cove)
	test_ "synthetic suite" sh tests/tools/suite.sh build/release/sahm
	if [ $tier = full ]; then
		test_ "build the fit" make --no-print-directory VARIANT=release B=build/release build/release/sahm-fit
		test_ "synthetic suite, fitted anew" sh tests/tools/suite.sh build/release/sahm build/release/sahm-fit
	fi
	wait
	cat "$work/lane"
	;;
esac
case $tier in
full)
	for variant in ubsan tsan debug; do
		test_ "build $variant" make --no-print-directory VARIANT=$variant tests-built
		unit_tests $variant
		transcripts $variant
	done
	if command -v clang >/dev/null 2>&1; then
		test_ "build with clang" make --no-print-directory VARIANT=release B=build/clang CC=clang tests-built
		unit_tests clang
		transcripts clang
	else
		test_ "tests built by clang" sh -c 'echo "clang is not installed"; exit 77'
	fi
	test_ "valgrind, everything" sh tests/tools/valgrind.sh full
	test_ "sweeps through Redis whose workers and server are killed" bash tests/tools/queue_soak.sh build/release/sahm 1000
	test_ "built programs for the IPU" sh tests/tools/prebuilt.sh build/release/sahm
	test_ "ten million rows" sh tests/tools/huge.sh build/release/sahm
	test_ "built without hiredis" sh tests/tools/no_hiredis.sh
	# They build the program anew.
	test_ "source tarball" sh tests/tools/dist.sh
	test_ "Debian package" bash tests/tools/deb.sh
	;;
long)
	SAHM_AGREE_SYSTEMS=5000000 test_ "millions of random systems" build/release/tests/sim_engine test_agree
	SAHM_ENGINES_SYSTEMS=100000 test_ "many larger systems" build/release/tests/sim_engine test_engines
	SAHM_IPU_PROGRAMS=1000000 SAHM_IPU_PAIRS=300 test_ "a million random RV32 programs" build/release/tests/ipu_core test_ipu_agree
	SAHM_IPU_LOOPS=1000000 test_ "a million hot loops" build/release/tests/ipu_jit test_ipu_hot
	SAHM_UNIT_SEQUENCES=1000000 test_ "a million random histories of an IPU" build/release/tests/ipu_unit test_ipu_unit_agree
	SAHM_IPU_QEMU_PROGRAMS=10000 test_ "many random RV32 programs in qemu-riscv32" build/release/tests/ipu_core test_ipu_qemu
	test_ "sweeps under Slurm" bash tests/tools/slurm.sh build/release/sahm
	test_ "a long sweep through Redis whose workers and server are killed" bash tests/tools/queue_soak.sh build/release/sahm 10000
	test_ "fuzzing" sh tests/tools/fuzz.sh "${FUZZ_SECONDS:-300}"
	;;
esac
count() {
	grep -c "^$1" "$work/results"
}
printf '%d passed, %d failed, %d skipped\n' "$(count ok)" "$(count FAILED)" "$(count skipped)"
[ "$(count FAILED)" -eq 0 ]
