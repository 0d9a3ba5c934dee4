#!/bin/bash
# A sweep through Redis with four workers, in which workers, their processes, the server and the submitter are killed,
# stopped and restarted, ends with what an undisturbed one ends with: queue_soak.sh PROGRAM [RUNS]. Each action is reported with
# its moment, pid and signal; at the end a table says what each kind of fault came to (queue_soak.py). From 5,000 runs on
# the faults come again and again, and the server is stopped for 30 s; with fewer each comes once, and it is stopped for 5 s.
set -u
for needed in redis-server redis-cli python3 sqlite3; do
	command -v $needed >/dev/null || { echo "$needed is not installed"; exit 77; }
done
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
runs=${2:-1000}
folder=$(cd "$(dirname "$0")" && pwd)
# Runs of some 30 and 15 ms. Where all of them take less than `least_ms` they are made longer: faults need something to hit.
if [ "$runs" -lt 5000 ]; then duration_ms=170000 silence=5; else duration_ms=85000 silence=30; fi
least_ms=$((10000 + runs * 3))
claim=2
T=$(mktemp -d "${TMPDIR:-/tmp}/sahm soak.XXXXXX") || exit 2
redis='' submitter='' workers=('' '' '' '')
cleanup() {
	local pid
	for pid in "$submitter" "${workers[@]}" "$redis"; do
		[ -z "$pid" ] || kill -KILL "$pid" 2>/dev/null
	done
	wait 2>/dev/null
	rm -rf "$T"
}
trap cleanup EXIT
trap 'exit 1' INT TERM HUP
fail() {
	echo "queue_soak: $*" >&2
	tail -n 8 "$T"/*.log >&2
	exit 1
}
say() {
	printf '%s  %s\n' "$(date +%H:%M:%S.%3N)" "$*"
}
now_ms() {
	date +%s%3N
}

# ---- The server ----

port=$(python3 -c 'import socket
end = socket.socket()
end.bind(("127.0.0.1", 0))
print(end.getsockname()[1])')
url=redis://127.0.0.1:$port
ask() {
	redis-cli -p "$port" "$@" 2>/dev/null
}
# The whole file is kept: it tells what happened.
start_redis() {
	redis-server --port "$port" --bind 127.0.0.1 --dir "$T" --save '' --appendonly yes --appendfsync everysec \
		--auto-aof-rewrite-percentage 0 >>"$T/redis.log" 2>&1 &
	redis=$!
	for _ in $(seq 1200); do
		[ "$(ask info server | tr -d '\r' | sed -n 's/^process_id://p')" = "$redis" ] && [ "$(ask ping)" = PONG ] && return
		sleep 0.05
	done
	fail "redis-server does not answer at port $port"
}
program_key=
jobs_left() {
	ask xlen "$program_key"
}
# Runs that the worker has of which the pid is $1.
in_hand() {
	ask eval "local sum = 0
		for _, c in ipairs(redis.call('XPENDING', KEYS[1], 'workers')[4] or {}) do
			if string.find(c[1], ':' .. ARGV[1] .. ':', 1, true) then sum = sum + c[2] end
		end
		return sum" 1 "$program_key" "$1"
}
# Runs that were handed out more than once, or that a worker has that is gone.
unsettled() {
	ask eval "local sum = 0
		for _, p in ipairs(redis.call('XPENDING', KEYS[1], 'workers', '-', '+', 100000)) do
			local pid, lives = string.match(p[2], ':(%d+):%x+\$'), false
			for _, known in ipairs(ARGV) do lives = lives or known == pid end
			if p[4] > 1 or not lives then sum = sum + 1 end
		end
		return sum" 1 "$program_key" "${workers[@]}"
}
# The victim holds its runs from here to the end of the fault (queue_soak.py).
mark() { # KIND PID [SECONDS]
	ask xadd soak:faults '*' kind "$1" pid "$2" seconds "${3:-}" >/dev/null
}
# After each fault every run is in one place. A server that was killed can have lost its last second (--lost).
snapshots=0
loss=()
over() {
	mark over 0
	python3 "$folder/queue_conserved.py" "$port" soak "$T/queue.sqlite" "${loss[@]}" >/dev/null || fail "runs are not conserved"
	snapshots=$((snapshots + 1))
}

# ---- Who works ----

# Traces of real programs, 39 threads, and a policy with which all runs are about as long as one another.
set_sweep() {
	of_sweep=(configs/realistic-39.cfg --set "workload.duration_ms=$duration_ms" --set scheduler.policy=keen
		--axis "migration.cost_ms=0..$(((runs / 25 - 1) / 10)).$(((runs / 25 - 1) % 10))..0.1"
		--axis "scheduler.inertia=0..24")
}
start_worker() { # PLACE
	"$program" worker --redis "$url" --queue soak -j 1 --claim $claim --cache "$T/cache" >>"$T/worker $1.log" 2>&1 &
	workers[$1]=$!
}
start_sweep() { # STORE
	"$program" sweep "${of_sweep[@]}" --redis "$url" --queue soak --claim $claim -o "$1" >>"$T/sweep.log" 2>&1 &
	submitter=$!
}
start_collect() { # STORE
	"$program" collect --redis "$url" --queue soak "$1" >>"$T/sweep.log" 2>&1 &
	submitter=$!
}
with_children() {
	echo "$1" $(cat "/proc/$1/task/$1/children" 2>/dev/null)
}
reap() {
	wait "$1" 2>/dev/null
}
# A worker with runs in hand: its place. They take turns.
turn=0
pick_worker() {
	for _ in $(seq 200); do
		turn=$(((turn + 1) % 4))
		[ "$(in_hand "${workers[$turn]}")" -gt 0 ] 2>/dev/null && return
		sleep 0.02
	done
	fail "no worker has a run in hand"
}

# ---- Faults ----

kill_worker() {
	pick_worker
	local pid=${workers[$turn]}
	kill -KILL "$pid"
	reap "$pid"
	mark kill-worker "$pid"
	over
	say "SIGKILL to worker $pid"
	start_worker $turn
	say "worker ${workers[$turn]} in its place"
}
kill_process() {
	local child='' pid
	for _ in $(seq 100); do
		pick_worker
		pid=${workers[$turn]}
		child=$(cut -d ' ' -f 1 "/proc/$pid/task/$pid/children" 2>/dev/null)
		[ -z "$child" ] || break
	done
	kill -KILL "$child" || fail "worker $pid has no process"
	mark kill-process "$pid"
	over
	say "SIGKILL to process $child of worker $pid"
}
stop_worker() {
	local pid all
	# What it had in hand may have been done at that moment.
	for _ in $(seq 20); do
		pick_worker
		pid=${workers[$turn]}
		all=$(with_children "$pid")
		kill -STOP $all
		sleep 0.1
		[ "$(in_hand "$pid")" = 0 ] || break
		kill -CONT $all
	done
	mark stop-worker "$pid"
	over
	say "SIGSTOP to worker $pid and its process: $all"
	# Until others have what it has, which is its claim and a little.
	for _ in $(seq 200); do
		sleep 0.1
		[ "$(in_hand "$pid")" != 0 ] || break
	done
	kill -CONT $all
	[ "$(in_hand "$pid")" = 0 ] || fail "worker $pid was stopped past its claim, and still has its runs"
	say "SIGCONT to $all, whose runs others have taken"
}
end_worker() {
	pick_worker
	local pid=${workers[$turn]}
	mark end-worker "$pid"
	kill -TERM "$pid"
	say "SIGTERM to worker $pid"
	wait "$pid" || fail "worker $pid does not end well"
	over
	say "worker $pid has ended: $(tail -n 1 "$T/worker $turn.log")"
	start_worker $turn
	say "worker ${workers[$turn]} in its place"
}
restart_redis() {
	local pid=$redis
	mark restart-redis "$pid"
	ask shutdown
	reap "$pid"
	say "SHUTDOWN to redis $pid, which has ended"
	start_redis
	over
	say "redis $redis in its place"
}
kill_redis() {
	local pid=$redis
	mark kill-redis "$pid"
	kill -KILL "$pid"
	reap "$pid"
	loss=(--lost)
	say "SIGKILL to redis $pid"
	start_redis
	over
	say "redis $redis in its place"
}
stop_redis() {
	mark stop-redis "$redis" $silence
	kill -STOP "$redis"
	say "SIGSTOP to redis $redis"
	sleep $silence
	kill -CONT "$redis"
	over
	say "SIGCONT to redis $redis after $silence s"
}
end_submitter() { # KIND WHAT
	local pid=$submitter
	kill -KILL "$pid" || fail "the $2 has ended before its fault"
	reap "$pid"
	mark "$1" "$pid"
	over
	say "SIGKILL to $2 $pid"
}
kill_submitter() {
	end_submitter kill-submitter "sweep"
	start_sweep "$T/queue.sqlite"
	say "the same command again: sweep $submitter"
}
collect() {
	end_submitter collect "sweep"
	start_collect "$T/queue.sqlite"
	say "collect $submitter takes over"
}
kill_collect() {
	end_submitter kill-collect "collect"
	start_sweep "$T/queue.sqlite"
	say "the sweep again: $submitter"
}

# Waits until this number of further runs is done. False: few are left.
enough=$((runs / 40)) few=$((runs / 15))
go_on() {
	local from left
	from=$(jobs_left)
	for _ in $(seq 3000); do
		left=$(jobs_left)
		[ "${left:-0}" -ge $few ] || return 1
		[ $((from - left)) -lt $enough ] || return 0
		sleep 0.05
	done
	fail "nothing goes on"
}
# Faults that take runs from a worker come when those of the last one are done: three would be the run's fault.
settle() {
	for _ in $(seq 1200); do
		[ "$(unsettled)" = 0 ] && return
		sleep 0.05
	done
	fail "runs of lost workers are not done"
}

# ---- The soak ----

sweep_locally() {
	local start
	set_sweep
	start=$(now_ms)
	"$program" sweep "${of_sweep[@]}" -j 4 --quiet -o "$T/local.sqlite" 2>"$T/sweep.log" || fail "the local sweep fails"
	local_ms=$(($(now_ms) - start))
}
sweep_locally
if [ "$local_ms" -lt $least_ms ]; then
	duration_ms=$((duration_ms * least_ms / local_ms))
	rm "$T"/local.sqlite*
	sweep_locally
fi
points=$(sqlite3 "$T/local.sqlite" 'SELECT count(*) FROM run WHERE state = 1')
[ "$points" -eq "$runs" ] || fail "the local sweep has $points runs"

start_redis
say "redis $redis at port $port, append-only file on"
for place in 0 1 2 3; do start_worker $place; done
say "workers ${workers[*]}, a claim of $claim s"
start=$(now_ms)
start_sweep "$T/calm.sqlite"
wait $submitter || fail "the undisturbed sweep fails"
calm_ms=$(($(now_ms) - start))
submitter=
cmp "$T/local.sqlite.manifest" "$T/calm.sqlite.manifest" || fail "the undisturbed sweep has another manifest"

mark begin 0
start=$(now_ms)
: >"$T/sweep.log"
start_sweep "$T/queue.sqlite"
say "sweep $submitter: $runs runs"
# Planning comes first.
for _ in $(seq 4000); do
	program_key=sahm:{soak}:jobs:$(ask smembers 'sahm:{soak}:programs')
	[ "$(jobs_left)" -gt 0 ] 2>/dev/null && break
	sleep 0.05
done
round=0
while :; do
	round=$((round + 1)) whole=no
	go_on && settle && kill_worker && go_on && kill_submitter && go_on && settle && stop_worker && go_on &&
		restart_redis && go_on && kill_process && go_on && collect && go_on && settle &&
		{ [ $round -gt 1 ] || stop_redis; } && go_on && end_worker && go_on && kill_collect && go_on &&
		kill_redis && go_on && settle && kill_worker && whole=yes
	[ $whole = yes ] || [ $round -gt 1 ] || fail "the sweep was done before every fault had come"
	[ $whole = yes ] && [ "$runs" -ge 5000 ] || break
done
wait $submitter || fail "what collects at the end fails"
soak_ms=$(($(now_ms) - start))
submitter=
say "all is collected"

# ---- What it came to ----

# When collect came last, the manifest is still to be written.
[ -e "$T/queue.sqlite.manifest" ] || "$program" sweep "${of_sweep[@]}" --quiet -o "$T/queue.sqlite" ||
	fail "the sweep has no end"
left=$(ask keys 'sahm:{soak}:*' | grep -v -e ':workers$' -e ':worker:' -e ':meta$')
for place in 0 1 2 3; do
	kill -TERM "${workers[$place]}"
	wait "${workers[$place]}" || fail "worker ${workers[$place]} does not end well"
	workers[$place]=
done
[ -z "$left" ] || [ "$(ask xlen "$left")" = 0 ] || fail "something is left in redis: $left"
ask shutdown
reap "$redis"
redis=
# Lost and repeated runs are reported first.
lost=0
python3 "$folder/queue_soak.py" "$T/appendonlydir" soak "$T/queue.sqlite" || lost=1
for which in local queue; do
	"$program" export "$T/$which.sqlite" -o "$T/$which.csv" &&
		"$program" export "$T/$which.sqlite" --threads -o "$T/$which-threads.csv" ||
		fail "the results cannot be exported"
done
cmp "$T/local.csv" "$T/queue.csv" || fail "the sweep through redis has other results"
cmp "$T/local-threads.csv" "$T/queue-threads.csv" || fail "the sweep through redis has other results of threads"
cmp "$T/local.sqlite.manifest" "$T/queue.sqlite.manifest" || fail "the sweep through redis has another manifest"
[ "$(sqlite3 "$T/queue.sqlite" 'SELECT count(*), sum(state = 1) FROM run')" = "$runs|$runs" ] ||
	fail "not every run has one result"
# Stores get the table with the first of them.
[ "$(sqlite3 "$T/queue.sqlite" "SELECT count(*) FROM sqlite_master WHERE name = 'second_result'")" = 0 ] ||
	[ "$(sqlite3 "$T/queue.sqlite" 'SELECT count(*) FROM second_result')" = 0 ] || fail "there are second results"
[ $lost = 0 ] || fail "something was lost"
sed -n -E 's/^(repeated|again) /told by those who collected, as far as they lived: \1 /p' "$T/sweep.log"
python3 -c 'import sys
local, calm, soak = (int(ms) / 1000 for ms in sys.argv[1:])
print(f"{local:.1f} s locally, {calm:.1f} s through redis undisturbed, {soak:.1f} s with the faults: {soak - calm:.1f} s lost")
' $local_ms $calm_ms $soak_ms
echo "$snapshots snapshots of server and store, in which every run is in one place"
echo "$runs runs, each with one result; the same bytes as from the local sweep"
