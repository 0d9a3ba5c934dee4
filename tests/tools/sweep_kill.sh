#!/bin/bash
# A sweep that is killed by SIGKILL at random moments, twenty times, ends with what an undisturbed one ends with:
# sweep_kill.sh PROGRAM [KILLS]. Every kill is reported with its pid and moment; every fourth is of a worker, not of the sweep.
set -u
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
kills=${2:-20}
T=$(mktemp -d "${TMPDIR:-/tmp}/sahm kill.XXXXXX") || exit 2
trap 'rm -rf "$T"' EXIT
fail() {
	echo "sweep_kill: $*" >&2
	exit 1
}

# Traces of real programs, 39 threads; runs long enough that most kills meet some.
sweep() { # STORE
	exec "$program" sweep configs/realistic-39.cfg --set workload.duration_ms=300000 --axis "scheduler.policy=sahm,sahm-strict,keen" \
		--axis "migration.cost_ms=0..9" --axis "scheduler.inertia=0..20..2" -j 2 --quiet -o "$1"
}

(sweep "$T/calm.sqlite") || fail "the undisturbed sweep fails"
"$program" export "$T/calm.sqlite" -o "$T/calm.csv" && "$program" export "$T/calm.sqlite" --threads -o "$T/calm-threads.csv" ||
	fail "it cannot be exported"
points=$(($(wc -l <"$T/calm.csv") - 1))
[ "$points" -eq 330 ] || fail "the undisturbed sweep has $points points"

RANDOM=${SEED:-$(date +%N | sed 's/^0*//')}
killed=0 workers=0 ended=0
while [ "$killed" -lt "$kills" ]; do
	(sweep "$T/killed.sqlite") >>"$T/said" 2>&1 &
	pid=$!
	# From 20 to 420 ms after its beginning.
	ms=$((20 + RANDOM % 400))
	sleep "$(printf '0.%03d' "$ms")"
	victim=$pid whom=sweep
	if [ $((killed % 4)) -eq 3 ]; then
		victim=$(cut -d ' ' -f 1 "/proc/$pid/task/$pid/children" 2>/dev/null)
		whom=worker
		[ -n "$victim" ] || { victim=$pid; whom=sweep; }
	fi
	if kill -9 "$victim" 2>/dev/null; then
		killed=$((killed + 1))
		[ "$whom" = sweep ] || workers=$((workers + 1))
		printf 'kill %d: %s, pid %d, after %d ms (%s)\n' "$killed" "$whom" "$victim" "$ms" "$(date +%H:%M:%S.%3N)"
		# A sweep that has lost a worker goes on; it is stopped, so that there is something left to kill.
		[ "$whom" = sweep ] || { sleep 0.05; kill -INT "$pid" 2>/dev/null; }
	fi
	if wait "$pid" 2>>"$T/said"; then
		# Done before the kill: from the beginning, in a new store.
		ended=$((ended + 1))
		rm -f "$T/killed.sqlite"*
	fi
	# Whatever was going on, the store can be read.
	[ ! -e "$T/killed.sqlite" ] || "$program" export "$T/killed.sqlite" >"$T/part.csv" 2>"$T/said" ||
		grep -q 'no sweep' "$T/said" || [ ! -s "$T/killed.sqlite" ] || { cat "$T/said"; fail "the store cannot be read after kill $killed"; }
done
sleep 0.2
cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\0' ' ' | grep -q -- "[-]o $T/killed.sqlite" && fail "processes are left"
(sweep "$T/killed.sqlite") || fail "the sweep cannot be resumed"
"$program" export "$T/killed.sqlite" -o "$T/killed.csv" && "$program" export "$T/killed.sqlite" --threads -o "$T/killed-threads.csv" ||
	fail "the resumed sweep cannot be exported"
cmp "$T/calm.csv" "$T/killed.csv" || fail "the resumed sweep has other results"
cmp "$T/calm-threads.csv" "$T/killed-threads.csv" || fail "the resumed sweep has other results of threads"
cmp "$T/calm.sqlite.manifest" "$T/killed.sqlite.manifest" || fail "the resumed sweep has another manifest"
[ "$workers" -gt 0 ] || echo "no worker was there to be killed" >&2
echo "$killed kills, $workers of them of workers, $ended sweeps that ended before theirs; $points points, the same bytes"
