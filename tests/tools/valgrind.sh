#!/bin/sh
# valgrind finds nothing: quick looks at the program on real input and on errors, full at every unit test too.
set -u
command -v valgrind >/dev/null 2>&1 || { echo "valgrind is not installed"; exit 77; }
check() {
	valgrind -q --suppressions=tests/tools/valgrind.supp --error-exitcode=99 --leak-check=full \
		--errors-for-leak-kinds=definite,indirect,possible "$@" >/dev/null 2>"$log"
	[ $? -ne 99 ] || { cat "$log"; exit 1; }
}
log=$(mktemp) || exit 1
trap 'rm -f "$log" "$log.trc"' EXIT
check build/release/sahm run configs/canonical.cfg
check build/release/sahm run configs/realistic-39.cfg --json --set workload.duration_ms=2000
check build/release/sahm run configs/canonical.cfg --print-config
check build/release/sahm run configs/canonical.cfg --set scheduler.polcy=x
check build/release/sahm run configs/canonical.cfg --set 'scheduler={policy="sahm" 5;}'
check build/release/sahm characterize --csv workloads/traces/*.csv
check build/release/sahm trace import workloads/traces/gzip.csv -o "$log.trc"
check build/release/sahm trace export "$log.trc"
check build/release/sahm trace info --json "$log.trc"
check build/release/sahm help config
[ "${1:-quick}" = full ] || exit 0
for program in build/release/tests/test_* build/release/tests/replay_fuzz_*; do
	case $program in
	*.d) ;;
	*replay_fuzz_*) check "$program" "tests/fuzz/corpus/${program##*replay_fuzz_}" ;;
	*) SAHM_AGREE_SYSTEMS=1000 check "$program" ;;
	esac
	echo "$program: clean"
done
