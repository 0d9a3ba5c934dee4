#!/bin/bash
# Sweeps through Redis, as strangers try them: queue.sh PROGRAM. With real servers, real workers: the same bytes as local
# sweeps in every way of asking, and a clear sentence for whatever cannot be.
set -u
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
for tool in redis-server redis-cli; do
	command -v $tool >/dev/null || { echo "$tool is not installed"; exit 77; }
done
if "$program" collect README.md --redis redis://127.0.0.1:1 2>&1 | grep -q 'without hiredis'; then
	echo "built without hiredis"
	exit 77
fi
T=$(mktemp -d "${TMPDIR:-/tmp}/sahm queue.XXXXXX") || exit 2
children=()
end() {
	kill "${children[@]}" 2>/dev/null
	wait 2>/dev/null
	rm -rf "$T"
}
trap end EXIT
SAHM_DATA=$(pwd) XDG_CACHE_HOME=$T/cache
export SAHM_DATA XDG_CACHE_HOME
. tests/tools/expect.sh

# says WORDS...: what was expected last has said them.
says() {
	for words; do
		grep -qF -e "$words" "$said" || { cat "$said" >&2; fail "does not say '$words'"; }
	done
}

# serve NAME OPTION...: a server on a port that nobody has, into $port.
serve() {
	local name=$1 i server
	shift
	mkdir "$T/$name"
	for i in 1 2 3 4 5 6 7 8; do
		port=$((20000 + RANDOM % 40000))
		redis-server --port $port --bind 127.0.0.1 --dir "$T/$name" --save '' "$@" >"$T/$name/log" 2>&1 &
		server=$!
		sleep 0.05
		while kill -0 $server 2>/dev/null; do
			if grep -q 'Ready to accept' "$T/$name/log"; then
				children+=($server)
				return
			fi
			sleep 0.05
		done
	done
	cat "$T/$name/log" >&2
	fail "no server"
}
serve main
SAHM_REDIS=redis://127.0.0.1:$port main_port=$port
export SAHM_REDIS
keys() { redis-cli -p "$main_port" --raw "$@"; }

# Each scenario has a separate queue, $q. ask_for STORE ARG...: a sweep through it; work ARG...: a worker that ends
# when nothing has come for a second.
ask_for() {
	local store=$1
	shift
	"$program" sweep "$@" --redis "$SAHM_REDIS" --queue "$q" -o "$T/$store.sqlite"
}
work() { "$program" worker --queue "$q" --idle 1 -j 2 "$@"; }
here() { # STORE ARG...: the same only on this machine
	local store=$1
	shift
	expect 0 "$T/said" "$program" sweep "$@" -q -o "$T/$store.sqlite"
}
exports() { # STORE
	"$program" export "$T/$1.sqlite" --force -o "$T/$1.csv" 2>"$T/exported" &&
		"$program" export "$T/$1.sqlite" --threads --force -o "$T/$1.threads" 2>"$T/exported" ||
		{ cat "$T/exported" >&2; fail "$1 cannot be exported"; }
}
alike() { # STORE STORE: every byte of exports and manifest
	exports "$1"
	exports "$2"
	cmp "$T/$1.csv" "$T/$2.csv" && cmp "$T/$1.threads" "$T/$2.threads" &&
		cmp "$T/$1.sqlite.manifest" "$T/$2.sqlite.manifest" || fail "$1 and $2 differ"
}
# empty: of the queue nothing is left but what its workers need.
empty() {
	local left
	left=$(keys keys "sahm:{$q}:*" | grep -v ':meta$\|:workers$\|:worker:\|:jobs:\|:unable:')
	[ -z "$left" ] || fail "queue $q keeps $left"
	left=$(keys keys "sahm:{$q}:jobs:*")
	[ -z "$left" ] || [ "$(keys xlen "$left")" -eq 0 ] || fail "queue $q keeps runs"
}
lines() { tr -d '\n' <"$said"; }

small=(configs/canonical.cfg --set workload.duration_ms=2000 --axis scheduler.inertia=0..4 --axis migration.cost_ms=0..3)

# ---- The same as here ----

q=alike
"$program" worker --queue $q -j 1 >"$T/worker1" 2>&1 &
children+=($!) first=$!
here small "${small[@]}"
expect 0 "$T/said" ask_for one "${small[@]}"
says 'one.sqlite: 20 done' 'one.sqlite.manifest'
alike small one
empty
"$program" worker --queue $q -j 2 --quiet >"$T/worker2" 2>&1 &
children+=($!)
compare() { # NAME ARG...
	local name=$1
	shift
	here "here-$name" "$@"
	expect 0 "$T/said" ask_for "there-$name" -q "$@"
	[ ! -s "$T/said" ] || { cat "$T/said" >&2; fail "$name: --quiet says something"; }
	alike "here-$name" "there-$name"
	empty
}
compare two "${small[@]}"
compare shipped configs/canonical.cfg --set introspection.image=classify --axis scheduler.inertia=0,5
compare image configs/canonical.cfg --axis introspection.image=ipu/programs/prebuilt/classify.elf,classify-ewma
compare sleeping configs/desktop-8.cfg --axis scheduler.inertia=0..2 --set workload.duration_ms=20000
compare limit configs/canonical.cfg --axis chip=study -e limit
compare synthetic configs/synthetic-39.cfg --axis scheduler.policy=sahm,keen,fair --zip migration.cost_ms=1,2,3

# Parts, put together.
for i in 1 2; do
	here part$i "${small[@]}" --shard $i/2
	expect 0 "$T/said" ask_for shard$i -q "${small[@]}" --shard $i/2
	alike part$i shard$i
done
expect 0 "$T/said" "$program" merge "$T/merged.sqlite" "$T/shard1.sqlite" "$T/shard2.sqlite"
exports merged
cmp "$T/merged.csv" "$T/small.csv" && cmp "$T/merged.threads" "$T/small.threads" || fail "merged shards differ"

# Rows per thread later: at once, not after a pause.
expect 0 "$T/said" ask_for late -q "${small[@]}" --no-threads
SECONDS=0
expect 0 "$T/said" ask_for late -q "${small[@]}"
[ $SECONDS -lt 4 ] || fail "rows per thread take $SECONDS s"
alike small late
# A second sweep into a store, which has some of its runs.
here both "${small[@]}"
here both "${small[@]}" --axis scheduler.policy=sahm,fair
expect 0 "$T/said" ask_for one -q "${small[@]}" --axis scheduler.policy=sahm,fair
alike both one
# Two at once want the same.
ask_for x -q "${small[@]}" --set workload.seed=3 >"$T/x.said" 2>&1 &
x=$!
expect 0 "$T/said" ask_for y -q "${small[@]}" --set workload.seed=3
wait $x || { cat "$T/x.said" >&2; fail "the other submitter fails"; }
here seed3 "${small[@]}" --set workload.seed=3
alike seed3 x
alike seed3 y
empty
kill -TERM $first
wait $first || fail "SIGTERM ends an idle worker with exit code $?"
grep -q ' runs done in ' "$T/worker1" || { cat "$T/worker1" >&2; fail "the worker does not say what it did"; }
[ ! -s "$T/worker2" ] || { cat "$T/worker2" >&2; fail "a quiet worker says something"; }
echo "the same as local sweeps"

# ---- Detached ----

q=detached
expect 0 "$T/said" ask_for later "${small[@]}" --detach
says 'submitted 20 runs' "later.sqlite' --redis $SAHM_REDIS/0 --queue $q\`"
expect 0 "$T/said" "$program" collect "$T/later.sqlite" --queue $q --now
says '0 collected' '20 are left'
work >"$T/said" 2>&1 || fail "the worker fails"
says '20 runs done'
expect 1 "$T/said" sh -c '"$@" >/dev/full' sh "$program" collect "$T/later.sqlite" --queue $q --now
says 'No space left'
empty
expect 0 "$T/said" "$program" collect "$T/later.sqlite" --queue $q
says 'nothing of it is in a queue'
expect 0 "$T/said" ask_for later "${small[@]}"
says '20 the results file has already'
alike small later
# Collected in part, by whichever command.
expect 0 "$T/said" ask_for parts "${small[@]}" --detach
work >"$T/said" 2>&1 &
waited=$!
expect 0 "$T/said" "$program" collect "$T/parts.sqlite" --queue $q
says '20 collected'
wait $waited || fail "the worker fails"
expect 0 "$T/said" ask_for parts -q "${small[@]}"
alike small parts
# Removed by somebody between: the sweep puts it there again.
expect 0 "$T/said" ask_for gone "${small[@]}" --detach
keys eval "for _, k in ipairs(redis.call('KEYS', 'sahm:{$q}:*')) do redis.call('DEL', k) end" 0 >/dev/null
expect 1 "$T/said" "$program" collect "$T/gone.sqlite" --queue $q
says "queue 'detached' does not know this sweep, which has 20 runs left"
work >"$T/worker.said" 2>&1 &
waited=$!
expect 0 "$T/said" ask_for gone -q "${small[@]}"
wait $waited || fail "the worker fails"
alike small gone
echo "detached and collected"

# ---- What fails, and what takes too long ----

q=failing
plugins=$(dirname "$program")/tests/plugins
if [ -e "$plugins/gives_up.so" ]; then
	broken=("${small[@]}" --axis "scheduler.policy=sahm,$plugins/gives_up.so")
	expect 1 "$T/said" "$program" sweep "${broken[@]}" -o "$T/broken-here.sqlite"
	work --plugin "$plugins/gives_up.so" >"$T/worker.said" 2>&1 &
	waited=$!
	expect 1 "$T/said" ask_for broken "${broken[@]}"
	says '20 runs failed' 'sahm query'
	wait $waited || fail "the worker fails"
	# Failures are results: not one was tried again.
	grep -q '40 runs done in' "$T/worker.said" || { cat "$T/worker.said" >&2; fail "tried again"; }
	alike broken-here broken
	"$program" query "$T/broken-here.sqlite" failed >"$T/failed-here" && "$program" query "$T/broken.sqlite" failed >"$T/failed" ||
		fail "query failed"
	cmp "$T/failed-here" "$T/failed" || fail "failures differ"
	empty
fi
echo "failing runs"

# A policy of the machine's own: the same where the worker has it, else a letter that names it.
q=plugin
own=$(dirname "$program")/examples/lottery.so
[ -e "$own" ] || own=$(find "$(dirname "$program")/examples" -name '*.so' 2>/dev/null | sort | head -n 1)
if [ -n "$own" ]; then
	with_own=("${small[@]}" --axis "scheduler.policy=$own,sahm")
	here own "${with_own[@]}"
	expect 0 "$T/said" ask_for own-there -q "${with_own[@]}" --detach
	work >"$T/said" 2>&1 || fail "a worker without the plug-in fails"
	says 'run ' 'delivery 3 of 3' "$(basename "$own")"
	expect 1 "$T/said" "$program" collect "$T/own-there.sqlite" --queue $q
	says '40 failed' 'given up'
	expect 0 "$T/said" "$program" query "$T/own-there.sqlite" failed
	says 'given up by the queue after 3 deliveries' "$(basename "$own")"
	expect 0 "$T/said" "$program" queue retry --queue $q
	says '40 runs are put back'
	work --plugin "$own" >"$T/worker.said" 2>&1 &
	waited=$!
	expect 0 "$T/said" ask_for own-there -q "${with_own[@]}"
	wait $waited || fail "a worker with the plug-in fails"
	alike own own-there
	empty
fi

# Too long: three deliveries, then it is given up; the others are done.
q=timeout
slow=(configs/desktop-8.cfg --axis workload.duration_ms=1000,1000000000)
work >"$T/worker.said" 2>&1 &
waited=$!
expect 1 "$T/said" ask_for slow --timeout 1 "${slow[@]}"
says '1 run failed' '1 run; `sahm queue status --dead` says why' 'slow.sqlite: 1 done, 1 failed'
wait $waited || fail "the worker fails"
expect 0 "$T/said" "$program" query "$T/slow.sqlite" failed
says 'given up by the queue after 3 deliveries: it took longer than 1 s'
expect 0 "$T/said" "$program" queue status --dead --queue $q
says 'it took longer than 1 s'

# beyond WORKER'S_OPTIONS SWEEP'S_OPTIONS WHY ARG...: a run that is beyond the lower limit fails, with a message that says whose it is.
beyond() {
	local of_worker=$1 of_sweep=$2 why=$3
	shift 3
	q=limits-$((++nr_limits))
	# shellcheck disable=SC2086
	work $of_worker >"$T/worker.said" 2>&1 &
	waited=$!
	# shellcheck disable=SC2086
	expect 1 "$T/said" ask_for $q $of_sweep "$@"
	wait $waited || fail "the worker fails"
	expect 0 "$T/said" "$program" query "$T/$q.sqlite" failed
	grep -q "given up by the queue after 3 deliveries: $why *\$" "$T/said" || { cat "$T/said" >&2; fail "does not say '$why'"; }
}
nr_limits=0
slow=(configs/desktop-8.cfg --axis workload.duration_ms=1000000000)
beyond '--timeout 1' '--timeout 1000' 'it took longer than 1 s, the limit of this worker' "${slow[@]}"
if nm "$program" 2>/dev/null | grep -q ' __[at]san_init$'; then
	echo "limits of memory: not tried, a sanitizer reserves far more"
else
	few=(configs/desktop-8.cfg --set workload.duration_ms=1000 --axis scheduler.inertia=5)
	beyond '--memory 16M' '--memory 1G' 'its process needed more than 16777216 bytes of memory, the limit of this worker' "${few[@]}"
	beyond '--memory 1G' '--memory 16M' 'its process needed more than 16777216 bytes of memory' "${few[@]}"
fi
echo "timeouts, limits of memory, plug-ins"

# ---- Versions ----

q=versions
expect 0 "$T/said" ask_for versions -q "${small[@]}" --detach
version=$(keys smembers "sahm:{$q}:programs")
other=${version%????????????}0123456789ab
LC_ALL=C sed "s/$version/$other/g" "$program" >"$T/other-sahm" && chmod +x "$T/other-sahm" || exit 2
expect 1 "$T/said" "$T/other-sahm" worker --queue $q --idle 1
says "20 runs in queue '$q' were planned by program '$version', this is '$other'"
expect 0 "$T/said" "$T/other-sahm" worker --queue $q --idle 1 --any-program -j 2
says '20 runs done'
expect 0 "$T/said" ask_for versions -q "${small[@]}"
alike small versions
# Beside runs of its own it stays, and says so.
expect 0 "$T/said" ask_for versions -q "${small[@]}" --set scheduler.timestep_ms=5 --detach
expect 0 "$T/said" "$T/other-sahm" sweep "${small[@]}" --redis "$SAHM_REDIS" --queue $q -o "$T/of-other.sqlite" --detach
expect 0 "$T/said" "$T/other-sahm" worker --queue $q --idle 1 -j 2
says 'it does not take them' '20 runs done'
expect 0 "$T/said" work
says '20 runs done'
echo "versions"

# ---- Where the server is ----

serve locked --requirepass 'p@ss/w:rd'
locked=127.0.0.1:$port
redis-cli -p "$port" -a 'p@ss/w:rd' --no-auth-warning acl setuser sweeper on '>s3cret' '~sahm:*' +@all >/dev/null
tiny=(configs/canonical.cfg --set workload.duration_ms=2000 --axis scheduler.inertia=1,2)
here tiny "${tiny[@]}"
nr=0
reach() { # PASSWORD URL: everything works from there
	nr=$((nr + 1))
	SAHM_REDIS_PASSWORD=$1 SAHM_REDIS=$2 q=reach expect 0 "$T/said" ask_for reach$nr -q "${tiny[@]}" --detach
	SAHM_REDIS_PASSWORD=$1 expect 0 "$T/said" "$program" worker --redis "$2" --queue reach -j 1 --idle 1
	says '2 runs done'
	SAHM_REDIS_PASSWORD=$1 SAHM_REDIS=$2 q=reach expect 0 "$T/said" ask_for reach$nr -q "${tiny[@]}"
	alike tiny reach$nr
}
SAHM_REDIS_SAVED=$SAHM_REDIS
refuses() { # PASSWORD URL CODE WORDS...
	local password=$1 url=$2 wanted=$3
	shift 3
	SAHM_REDIS_PASSWORD=$password expect "$wanted" "$T/said" "$program" worker --redis "$url" --idle 1
	says "$@"
	grep -q 's3cre\|p@ss\|p%40ss\|wr0ng' "$T/said" && fail "a password is shown: $(cat "$T/said")"
	SAHM_REDIS_PASSWORD=$password expect "$wanted" "$T/said" "$program" sweep "${tiny[@]}" --redis "$url" -o "$T/none.sqlite"
	says "$@"
	[ ! -e "$T/none.sqlite" ] || fail "a store is made without a server"
}
reach '' "redis://:p%40ss%2fw%3Ard@$locked"
reach 'p@ss/w:rd' "redis://$locked"
reach '' "redis://sweeper:s3cret@$locked"
reach s3cret "redis://sweeper@$locked/0"
reach '' "redis://localhost:$main_port/3"
[ "$(keys -n 3 exists 'sahm:{reach}:meta')$(keys -n 0 exists 'sahm:{reach}:meta')" = 10 ] || fail "not in database 3"
refuses '' "redis://$locked" 1 "$locked"
refuses wr0ng "redis://$locked" 1 "$locked"
refuses '' "redis://:wr0ng@$locked" 1 "$locked"
refuses '' "redis://nobody:s3cret@$locked" 1 "$locked"
refuses '' "redis://127.0.0.1:1" 1 "127.0.0.1:1"
refuses '' "redis://127.0.0.1:$main_port/99" 1 'database'
refuses '' "rediss://127.0.0.1:$main_port" 2 "TLS"
refuses '' "http://127.0.0.1:$main_port" 2 "http"
expect 2 "$T/said" env -u SAHM_REDIS "$program" worker --idle 1
says '--redis URL'
SAHM_REDIS=rediss://h expect 2 "$T/said" "$program" collect "$T/tiny.sqlite"
says 'TLS' 'SAHM_REDIS'
echo "servers, passwords"

# ---- Workers that are asked to end ----

q=signals
long=(configs/desktop-8.cfg --set workload.duration_ms=1500000 --axis scheduler.inertia=0..5)
here long "${long[@]}" --set workload.duration_ms=1000
expect 0 "$T/said" ask_for told -q "${long[@]}" --detach
busy() { # until a worker has runs in hand, of which some are under way
	for i in $(seq 100); do
		[ "$(keys xpending "sahm:{$q}:jobs:$version" workers | head -n 1)" -gt 0 ] && break
		sleep 0.1
	done
	sleep 0.3
}
"$program" worker --queue $q -j 1 >"$T/said" 2>&1 &
worker=$! said=$T/said
busy
kill -TERM $worker
wait $worker || fail "SIGTERM: exit code $?"
says '1 run done' 'handed back'
"$program" worker --queue $q -j 2 >"$T/said" 2>&1 &
worker=$!
busy
SECONDS=0
kill -INT $worker
sleep 0.1
kill -INT $worker
wait $worker || fail "SIGINT twice: exit code $?"
[ $SECONDS -lt 2 ] || fail "the second SIGINT takes $SECONDS s"
says '0 runs done' 'handed back'
"$program" worker --queue $q -j 2 --grace 0 >"$T/said" 2>&1 &
worker=$!
busy
kill -TERM $worker
wait $worker || fail "SIGTERM without grace: exit code $?"
says '0 runs done' 'handed back'
# Runs handed back are there at once, with all their tries.
keys xpending "sahm:{$q}:jobs:$version" workers - + 10 >"$T/pending"
[ "$(awk 'NR % 4 == 0 && $1 != 0' "$T/pending" | wc -l)" -eq 0 ] || { cat "$T/pending" >&2; fail "tries are lost"; }
keys del "sahm:{$q}:jobs:$version" >/dev/null
expect 0 "$T/said" "$program" worker --queue nothing --idle 1
says '0 runs done'
# Neither a server that is silent nor one that is gone holds a worker beyond its grace period.
for fault in STOP KILL; do
	serve $fault
	own=(--redis "redis://127.0.0.1:$port")
	"$program" worker "${own[@]}" -j 1 --grace 4 >"$T/said" 2>&1 &
	worker=$!
	expect 0 "$T/submitted" "$program" sweep "${long[@]}" "${own[@]}" --detach -q -o "$T/$fault.sqlite"
	sleep 2
	kill -$fault "${children[-1]}"
	began=$(date +%s%N)
	kill -TERM $worker
	wait $worker || fail "SIGTERM, server after SIG$fault: exit code $?"
	took=$((($(date +%s%N) - began) / 1000000))
	[ $took -gt 1500 ] || fail "SIGTERM, server after SIG$fault: the run has no time to end: $took ms"
	[ $took -lt 5500 ] || fail "SIGTERM, server after SIG$fault: $took ms, with a grace period of 4 s"
	kill -KILL "${children[-1]}" 2>/dev/null
done
mkdir "$T/away"
expect 0 "$T/said" sh -c 'cd "$1" && rmdir "$1" && shift && "$@"' sh "$T/away" "$program" worker --queue nothing --idle 1
echo "signals"

# ---- Files ----

q=cache
cp workloads/suites/small/gzip.csv "$T/own.csv"
printf '@include "%s/configs/canonical.cfg"\n' "$SAHM_DATA" >"$T/own.cfg"
own=("$T/own.cfg" --set "workload.traces=[\"$T/own.csv\"]" --axis scheduler.inertia=1,2)
here own-file "${own[@]}"
expect 0 "$T/said" ask_for own-file-there -q "${own[@]}" --detach
# The planned contents are sent, even if the file changes.
cp workloads/suites/small/perl.csv "$T/own.csv"
expect 0 "$T/said" work --cache "$T/cache1"
says '2 runs done'
expect 0 "$T/said" "$program" collect "$T/own-file-there.sqlite" --queue $q
exports own-file
exports own-file-there
cmp "$T/own-file.csv" "$T/own-file-there.csv" || fail "a file that was changed later gives other results"
# Damaged in the cache: fetched again.
cp workloads/suites/small/gzip.csv "$T/own.csv"
for file in "$T"/cache1/sahm/files/* "$T"/cache1/files/*; do
	[ ! -f "$file" ] || printf 'x' | dd of="$file" bs=1 seek=7 conv=notrunc 2>/dev/null || fail "cannot damage $file"
done
expect 0 "$T/said" ask_for repaired -q "${own[@]}" --detach
expect 0 "$T/said" work --cache "$T/cache1"
says '2 runs done'
expect 0 "$T/said" ask_for repaired -q "${own[@]}"
alike own-file repaired
# Damaged on the server: refused and named.
expect 0 "$T/said" ask_for damaged -q "${own[@]}" --set workload.seed=8 --detach
keys keys "sahm:{$q}:file:*" | while read -r key; do keys setrange "$key" 7 x; done >/dev/null
expect 0 "$T/said" work --cache "$T/cache2"
says 'delivery 3 of 3' '0 runs done' '6 failed deliveries'
expect 1 "$T/said" "$program" collect "$T/damaged.sqlite" --queue $q
says 'given up'
# Folders that cannot be one, and one that is too small.
: >"$T/nofolder"
expect 1 "$T/said" work --cache "$T/nofolder"
says "nofolder"
expect 1 "$T/said" work --cache /proc/sahm
says "/proc/sahm"
q=room
awk '/^#/ || !heading++ { print; next } { rows[++nr] = $0 }
	END { for (i = 0; i < 300; i++) for (r = 1; r <= nr; r++) print rows[r] }' workloads/suites/small/gzip.csv >"$T/own.csv"
[ "$(wc -c <"$T/own.csv")" -gt 1048576 ] || fail "the trace is too short to be too large"
expect 0 "$T/said" ask_for large -q "${own[@]}" --detach
expect 0 "$T/said" work --cache "$T/cache3" --cache-mb 1
says 'delivery 3 of 3' '0 runs done'
expect 1 "$T/said" "$program" collect "$T/large.sqlite" --queue $q
expect 0 "$T/said" ask_for large -q "${own[@]}" --retry-failed --detach
expect 0 "$T/said" work --cache "$T/cache3"
says '2 runs done'
expect 0 "$T/said" "$program" collect "$T/large.sqlite" --queue $q
echo "files"

# ---- Programs for IPUs ----

q=trust
printf 'policy = "closed";\n' >"$T/closed.cfg"
image=(configs/canonical.cfg --axis introspection.image=ipu/programs/prebuilt/classify.elf --axis scheduler.inertia=1,2)
here image "${image[@]}"
expect 0 "$T/said" ask_for image-there -q "${image[@]}" --detach
expect 0 "$T/said" work --trust "$T/closed.cfg"
says '0 runs done' 'delivery 3 of 3' 'signed'
expect 1 "$T/said" "$program" collect "$T/image-there.sqlite" --queue $q
says '2 failed' 'given up'
expect 0 "$T/said" ask_for image-there -q "${image[@]}" --retry-failed --detach
expect 0 "$T/said" work --trust configs/trust/demonstration.cfg
says '2 runs done'
expect 0 "$T/said" ask_for image-there -q "${image[@]}"
alike image image-there
echo "programs for IPUs"

# ---- Not deterministic ----

q=twice
differ=(configs/canonical.cfg --axis migration.cost_ms=0,9)
expect 0 "$T/said" ask_for twice -q "${differ[@]}" --detach
expect 0 "$T/said" work -j 1
# Somebody's results come again: the same, and then with the runs exchanged.
again='for _, e in ipairs(redis.call("XRANGE", KEYS[1], "-", "+")) do
	local b, r, z = e[2][4], e[2][6], e[2][8]
	redis.call("XADD", KEYS[1], "*", "w", "again", "b", b, "r", r, "z", z)
	redis.call("XADD", KEYS[1], "*", "w", "wrong", "r", string.sub(r, 33) .. string.sub(r, 1, 32), "z", z)
end'
keys eval "$again" 1 "sahm:{$q}:results" >/dev/null
expect 1 "$T/said" "$program" collect "$T/twice.sqlite" --queue $q
says 'DIFFERING 2 results arrived twice, not equal: both are kept' 'not deterministic' \
	'2 results arrived twice, both equal'
expect 0 "$T/said" "$program" query "$T/twice.sqlite"
says '2 runs have given different results at different times: table second_result'
here differ "${differ[@]}"
exports differ
exports twice
cmp "$T/differ.csv" "$T/twice.csv" || fail "the first results are not those that stay"
empty
echo "not deterministic"
