#!/bin/sh
# Timelines are what others can read: timeline.sh PROGRAM runs the steps of docs/timeline.md, checks size and memory, and lets a
# separate reader (timeline.py) play ftrace's text again, against the result.
set -u
. tests/tools/steps.sh
skipped=
steps_begin docs/timeline.md "$1"
ln -s "$tree/configs" "$tree/workloads" "$folder/place"
step write
says "scheduler      sahm"
if command -v jq >/dev/null 2>&1; then
	step ask
	says "L1D"
else
	skipped="$skipped jq"
fi
if command -v zstd >/dev/null 2>&1; then
	step thread
	shows
	step awk
	says "pid 20: "
else
	skipped="$skipped zstd"
fi

# The study of 600 s: below 50 MB, in memory that does not depend on it.
(ulimit -v 65536 && sahm run configs/synthetic-39.cfg --timeline "$folder/study.json" >/dev/null) || fail "study: too much memory"
bytes=$(wc -c <"$folder/study.json")
[ "$bytes" -gt 1000000 ] && [ "$bytes" -lt 50000000 ] || fail "study: $bytes bytes"
(ulimit -v 65536 && sahm run configs/synthetic-39.cfg --timeline "$folder/study.json.zst" >/dev/null) ||
	fail "study, compressed: too much memory"
bytes=$(wc -c <"$folder/study.json.zst")
[ "$bytes" -lt 5000000 ] || fail "study, compressed: $bytes bytes"

if command -v python3 >/dev/null 2>&1; then
	for config in configs/*.cfg; do
		for options in "" "--set scheduler.inertia=0 --set scheduler.timestep_ms=7.3 --set migration.cost_ms=25 --set workload.duration_ms=5000"; do
			sahm run "$config" $options --json --force --timeline "$folder/t.trace" >"$folder/result" || fail "$config fails"
			python3 tests/tools/timeline.py "$folder/t.trace" "$folder/result" >"$folder/said" 2>&1 ||
				fail "$config: the text is not as it should be"
		done
	done
	# It can tell: a line that is missing, moves that are, somebody else. In this one threads move.
	sahm run configs/synthetic-39.cfg --set workload.duration_ms=5000 --json --force --timeline "$folder/t.trace" >"$folder/result" ||
		fail "synthetic-39 fails"
	for change in '!(/sched_switch/ && ++nr == 9)' '!/sched_migrate/' '{ sub(/prev_pid=3 /, "prev_pid=4 "); print }'; do
		awk "$change" "$folder/t.trace" >"$folder/broken"
		! cmp -s "$folder/t.trace" "$folder/broken" || fail "nothing was changed by $change"
		! python3 tests/tools/timeline.py "$folder/broken" "$folder/result" >"$folder/said" 2>&1 || fail "not seen: $change"
	done
else
	skipped="$skipped python3"
fi
[ -z "$skipped" ] || { echo "not installed:$skipped (the rest was checked)"; exit 77; }
