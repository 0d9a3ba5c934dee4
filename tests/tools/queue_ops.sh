#!/bin/bash
# The commands with which a queue is operated, against a Redis server of the test's own: queue_ops.sh PROGRAM. Skips where there is
# none.
set -u
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
for tool in redis-server redis-cli; do
	command -v $tool >/dev/null 2>&1 || { echo "$tool is not installed"; exit 77; }
done
. tests/tools/expect.sh
T=$(mktemp -d "${TMPDIR:-/tmp}/sahm queue.XXXXXX") || exit 2
server=
stop_server() {
	[ -z "$server" ] || { kill "$server" 2>/dev/null; wait "$server" 2>/dev/null; }
	server=
}
trap 'stop_server; rm -rf "$T"' EXIT
trap 'exit 1' HUP INT TERM
unset SAHM_REDIS SAHM_REDIS_PASSWORD
export NO_COLOR=1

start_server() { # ARGUMENT...
	for attempt in 1 2 3 4 5; do
		port=$((20000 + (RANDOM * 3 + attempt) % 30000))
		redis-server --port $port --bind 127.0.0.1 --save '' --dir "$T" "$@" >"$T/server.log" 2>&1 &
		server=$!
		for _ in $(seq 100); do
			# Somebody else's would go on while ours has ended.
			kill -0 "$server" 2>/dev/null || break
			[ "$(redis-cli -p $port --no-auth-warning -a "${password:-}" ping 2>/dev/null)" = PONG ] && return
			sleep 0.05
		done
		stop_server
	done
	cat "$T/server.log" >&2
	fail "no server starts"
}

cli() { redis-cli -p $port "$@"; }
sahm() { "$program" "$@"; }
says() { # TEXT...: in the output of the last command
	for text; do
		grep -qF -e "$text" "$T/said" || { cat "$T/said" >&2; fail "nothing is said of '$text'"; }
	done
}
says_not() { # TEXT
	! grep -qF -e "$1" "$T/said" || { cat "$T/said" >&2; fail "'$1' is said"; }
}

# Where is the server?
for verb in status drain retry purge; do
	expect 2 "$T/said" sahm queue $verb
	says "no Redis server is named: by --redis URL, or by SAHM_REDIS"
	expect 2 "$T/said" sahm queue $verb --redis http://localhost
	expect 2 "$T/said" sahm queue $verb --redis redis://127.0.0.1 --queue 'a b'
	says "a queue's name"
	expect 2 "$T/said" sahm queue $verb --redis redis://127.0.0.1 default
	says "nothing was expected where 'default' stands"
	expect 1 "$T/said" sahm queue $verb --redis redis://127.0.0.1:1
	says "127.0.0.1:1"
done
expect 2 "$T/said" env SAHM_REDIS=http://localhost "$program" queue status
says "(the server is that of SAHM_REDIS)"
expect 2 "$T/said" env SAHM_REDIS=redis://127.0.0.1 "$program" queue status --queue 'a b'
says "a queue's name"
says_not "SAHM_REDIS"
# A folder that nobody has named, where none can be made; and one that somebody has.
touch "$T/file"
expect 1 "$T/said" env -u XDG_CACHE_HOME HOME="$T/file" "$program" worker --redis redis://127.0.0.1:1
says "'$T/file/.cache/sahm'" "; --cache names another"
expect 1 "$T/said" sahm worker --redis redis://127.0.0.1:1 --cache "$T/file/cache"
says_not "--cache names another"
expect 2 "$T/said" sahm queue status --redis redis://127.0.0.1 --watch 0
says "--watch is a whole number from 1"
expect 2 "$T/said" sahm queue purge --redis redis://127.0.0.1 --dead --all
says "exclude one another"
expect 2 "$T/said" sahm queue purge --redis redis://127.0.0.1 --submission a --submission b
says "one submission at a time"

start_server
export SAHM_REDIS=redis://127.0.0.1:$port
version=$(sahm --version | sed 's/sahm \([^ ]*\) (model \(.*\))/\1-\2/')
fill() { # QUEUE
	cli --eval tests/tools/queue_fill.lua , "$1" "$version" >"$T/said" || { cat "$T/said" >&2; fail "cannot fill the queue"; }
	grep -qx 1 "$T/said" || { cat "$T/said" >&2; fail "cannot fill the queue"; }
}

# Nothing there.
expect 0 "$T/said" sahm queue status
says "queue 'default' on redis://127.0.0.1:$port/0: it is empty and has no workers"
expect 0 "$T/said" sahm queue status --json
says '"waiting": 0' '"left_s": null' '"workers": []'
says_not '"letters"'
[ "$(cli dbsize)" = 0 ] || fail "a look leaves keys"
expect 0 "$T/said" sahm queue retry
says "no run that was given up can be put back"
expect 2 "$T/said" sahm queue purge
says "--dead (0 runs given up), --submission ID (there is none), or --all"

# The contents of the queue.
fill mine
fill other
expect 0 "$T/said" sahm queue status --queue mine --dead
says "'mine' on redis://127.0.0.1:$port/0" "7 waiting, 2 claimed, 3 given up" "3 packets not collected, 2.5 MB" "over 1 worker, of the time worked" \
	"this program does not take them" "first ?[31msweep" "cannot read a ?]0;trace" "after 3 tries, of 0.0.1-other: something else"
says_not "$(printf '\033')"
grep -Eq "^program +waiting +claimed +given up +whose$" "$T/said" || fail "the heading of programs is another"
! grep -q ' $' "$T/said" || fail "a line ends with blanks"
grep -Eq "^$version +6 +2 +2  this program$" "$T/said" || fail "the row of this program is another"
grep -Eq "^ab02 +second +desk +7 +[0-9]+ days [0-9]+ h +3$" "$T/said" || fail "the row of a submission is another"
grep -Eq "^w1 +node1 +4 +5,000 +2 +5\.0/s +2 +" "$T/said" || fail "the row of a worker is another"
grep -Eq "^w2 +- .* lost +0 +2 h 1 min$" "$T/said" || fail "the row of a lost worker is another"
grep -Eq "^rate +5\.0/s" "$T/said" && grep -Eq "^left +1\.8 s$" "$T/said" || fail "the rate is another"
expect 0 "$T/said" sahm queue status --queue mine
says_not "something else"
expect 0 "$T/said" sahm queue status --queue mine --dead --json
if command -v python3 >/dev/null 2>&1; then
	python3 - "$T/said" "$version" <<'END' || fail "the JSON is another"
import json, sys
it = json.load(open(sys.argv[1]))
assert it["queue"] == "mine" and it["draining"] is False and it["claim_ms"] == 3600000
assert it["runs"] == {"waiting": 7, "claimed": 2, "abandoned": 0, "dead": 3}, it["runs"]
assert it["results"] == {"packets": 3, "bytes": 2500000}
assert [p["program"] for p in it["programs"] if p["this"]] == [sys.argv[2]]
assert [(s["id"], s["uncollected"]) for s in it["submissions"]] == [("aa01", 3), ("ab02", 3)]
assert [(w["name"], w["lives"], w["done"]) for w in it["workers"]] == [("w1", True, 5000), ("w2", False, 0)]
assert it["rate_per_s"] == 5 and it["left_s"] == 9 / 5 and it["rate_over"] == "time worked", it["rate_per_s"]
assert it["evicts"] is False
assert [(w["held"], w["claimed"]) for w in it["workers"]] == [(2, 2), (0, 0)]
for what in "waiting", "claimed", "dead":
    assert it["runs"][what] == sum(p[what] for p in it["programs"]), what
assert [x["position"] for x in it["letters"]] == [20, 21, 22] and it["letters"][0]["run"] == "30" * 30 + "3230"
END
fi

# For programs a line each.
"$program" queue status --queue mine --dead --watch 1 --json >"$T/lines" &
watcher=$!
for _ in $(seq 100); do
	[ "$(wc -l <"$T/lines")" -ge 2 ] && break
	sleep 0.1
done
kill "$watcher"
wait "$watcher" || fail "watching does not end well"
if command -v python3 >/dev/null 2>&1; then
	python3 - "$T/lines" <<'END' || fail "a line is no object"
import json, sys
looks = [json.loads(line) for line in open(sys.argv[1])]
assert len(looks) >= 2
for it in looks:
    assert it["runs"]["waiting"] == 7 and it["submissions"][0]["sweep"] == "first ?[31msweep"
    assert len(it["letters"]) == 3 and it["letters"][2]["error"] == "something else"
END
fi

# A server that throws away what it has no room for.
expect 0 "$T/said" sahm queue status --queue mine
says_not "noeviction"
cli config set maxmemory 100mb >/dev/null
expect 0 "$T/said" sahm queue status --queue mine
says_not "noeviction"
cli config set maxmemory-policy allkeys-lru >/dev/null
expect 0 "$T/said" sahm queue status --queue mine
grep -q '^warning .*maxmemory-policy has to be noeviction$' "$T/said" || fail "nothing is said of a server that removes keys"
expect 0 "$T/said" sahm queue status --queue nobodys
says "it is empty and has no workers" "noeviction"
expect 0 "$T/said" sahm queue status --queue mine --json
says '"evicts": true'
cli config set maxmemory 0 >/dev/null
cli config set maxmemory-policy noeviction >/dev/null

# Again and again: what was done meanwhile makes the rate; a server that goes away for a while is waited for.
cli hset 'sahm:{mine}:meta' claim_ms 1000 >/dev/null
"$program" queue status --queue mine --watch 1 >"$T/watched" 2>"$T/warned" &
watcher=$!
sleep 2.5
cli zadd 'sahm:{mine}:workers' "$(cli time | head -n 1)000" w1 >/dev/null
cli hset 'sahm:{mine}:worker:w1' done 5900 >/dev/null
for _ in $(seq 100); do
	grep -q 'in the last' "$T/watched" && break
	sleep 0.1
done
kill "$watcher"
wait "$watcher" || { cat "$T/warned" >&2; fail "watching does not end well"; }
[ -s "$T/warned" ] && { cat "$T/warned" >&2; fail "watching warns"; }
[ "$(grep -c '^queue ' "$T/watched")" -ge 3 ] || fail "there are not several looks"
grep -Eq "^rate +(no workers|[0-9.]+/s over 1 worker, in the last [23] s)$" "$T/watched" || fail "no rate between looks"
cli hset 'sahm:{mine}:meta' claim_ms 3600000 >/dev/null

# Draining waits for what is under way, and not for what was left.
expect 0 "$T/said" sahm queue drain --queue mine --no-wait
says "queue 'mine' is drained: 7 runs wait, 2 runs are under way"
[ "$(cli hexists 'sahm:{mine}:meta' drain)" = 1 ] || fail "the queue is not drained"
"$program" queue drain --queue mine >"$T/drained" 2>&1 &
drainer=$!
sleep 1
kill -0 "$drainer" 2>/dev/null || fail "draining does not wait"
for id in $(cli xpending "sahm:{mine}:jobs:$version" workers - + 10 | grep -e '^[0-9]*-[0-9]*$'); do
	cli xdel "sahm:{mine}:jobs:$version" "$id" >/dev/null
	cli xack "sahm:{mine}:jobs:$version" workers "$id" >/dev/null
done
wait "$drainer" || { cat "$T/drained" >&2; fail "draining does not end well"; }
grep -qF "queue 'mine' is drained: 7 runs wait, 0 runs are under way" "$T/drained" || { cat "$T/drained" >&2; fail "draining says something else"; }
expect 0 "$T/said" sahm queue status --queue mine
says "drained: nothing is handed out"
# A worker without runs has no rate: what it did yesterday says nothing of now. Its last report is old.
[ "$(cli hget 'sahm:{mine}:worker:w1' held)" = 2 ] || fail "the worker tells something else"
says "7 waiting, 0 claimed" "not known yet, of 1 worker"
grep -Eq "^w1 +node1 +4 +5,900 +2 +idle +0 +" "$T/said" || fail "the row of an idle worker is another"
cli hdel 'sahm:{other}:meta' drain >/dev/null
"$program" queue drain --queue other >"$T/drained" 2>&1 &
drainer=$!
for _ in $(seq 100); do
	[ "$(cli hexists 'sahm:{other}:meta' drain)" = 0 ] || break
	sleep 0.1
done
sleep 0.5
kill "$drainer"
wait "$drainer"
code=$?
[ $code -eq 143 ] || fail "draining that is interrupted ends with exit code $code"
grep -qF "the queue stays drained" "$T/drained" || fail "draining says nothing of its end"
# Somebody else lets workers take runs again.
"$program" queue drain --queue other >"$T/drained" 2>&1 &
drainer=$!
sleep 0.5
expect 0 "$T/said" sahm queue drain --queue other --off
says "queue 'other' hands out runs"
[ "$(cli hexists 'sahm:{other}:meta' drain)" = 0 ] || fail "the queue is still drained"
wait "$drainer"
code=$?
[ $code -eq 1 ] && grep -qF "no longer drains" "$T/drained" || fail "draining that others end, ends with exit code $code"
for id in $(cli xpending "sahm:{other}:jobs:$version" workers - + 10 | grep -e '^[0-9]*-[0-9]*$'); do
	cli xclaim "sahm:{other}:jobs:$version" workers w1 0 "$id" idle 3600000 justid >/dev/null
done
expect 0 "$T/said" timeout 20 "$program" queue drain --queue other
says "queue 'other' is drained: 9 runs wait, 0 runs are under way"
expect 0 "$T/said" sahm queue drain --queue other --off

# Dead letters back.
expect 0 "$T/said" sahm queue retry --queue mine
says "3 runs are put back, with 3 tries each" "nothing is handed out before"
expect 0 "$T/said" sahm queue status --queue mine
says "10 waiting, 0 claimed, 0 given up"

# Nothing is left to do.
expect 0 "$T/said" sahm queue status --queue nobodys
says_not "none now"
cli zadd 'sahm:{nobodys}:workers' "$(cli time | head -n 1)000" w1 >/dev/null
expect 0 "$T/said" sahm queue status --queue nobodys
says "none wait to be collected" "none now, of 1 worker"
cli del 'sahm:{nobodys}:workers' >/dev/null

# Workers that have not reported work, or are lost.
cli hdel 'sahm:{mine}:worker:w1' done >/dev/null
cli zadd 'sahm:{mine}:workers' "$(cli time | head -n 1)000" w1 >/dev/null
expect 0 "$T/said" sahm queue status --queue mine
says "not known yet, of 1 worker"
cli zadd 'sahm:{mine}:workers' 1000 w1 >/dev/null
expect 0 "$T/said" sahm queue status --queue mine
says "no workers"

# Nothing is removed without a confirmation.
before=$(cli dbsize)
expect 2 "$T/said" sahm queue purge --queue other
says "--dead (3 runs given up), --submission ID (aa01, ab02), or --all"
expect 2 "$T/said" sahm queue purge --queue other --dead
says "would remove 3 runs that were given up" "nothing is removed without --yes"
expect 2 "$T/said" sahm queue purge --queue other --submission aa
says "would remove submission aa01 ('first ?[31msweep' of 'desk', 7 runs, "
expect 2 "$T/said" sahm queue purge --queue other --all
says "would remove everything: 7 runs waiting, 2 claimed, 3 given up; 3 packets of results; 2 submissions" "1 worker may be at work"
[ "$(cli dbsize)" = "$before" ] && [ "$(cli xlen 'sahm:{other}:dead')" = 3 ] || fail "something was removed"
for id in a '' b aa011; do
	expect 2 "$T/said" sahm queue purge --queue other --submission "$id" --yes
done
[ "$(cli dbsize)" = "$before" ] || fail "something was removed"
expect 0 "$T/said" sahm queue purge --queue other --dead --yes
says "removed 3 runs that were given up"
expect 0 "$T/said" sahm queue purge --queue other --submission aa --yes
says "removed submission aa01 and 5 runs"
expect 0 "$T/said" sahm queue status --queue other
says "4 waiting, 0 claimed, 0 given up" "ab02"
! grep -q "^aa01 " "$T/said" || fail "the submission is still there"
expect 0 "$T/said" sahm queue purge --queue other --all --yes
[ -z "$(cli keys 'sahm:{other}:*')" ] || fail "keys are left"
expect 0 "$T/said" sahm queue status --queue mine
says "10 waiting"
expect 0 "$T/said" sahm queue purge --queue mine --all --yes
[ "$(cli dbsize)" = 0 ] || fail "keys are left"

# A queue of another layout is not touched; keys of other kinds are reported.
cli hset 'sahm:{default}:meta' format 99 >/dev/null
for verb in status drain retry 'purge --all --yes'; do
	# shellcheck disable=SC2086
	expect 1 "$T/said" sahm queue $verb
	says "its layout is '99'"
done
cli del 'sahm:{default}:meta' >/dev/null
cli set 'sahm:{default}:workers' x >/dev/null
expect 1 "$T/said" sahm queue status
says WRONGTYPE

# Whatever it is, it can be removed.
for key in meta results workers programs submissions dead "jobs:$version" submission:aa01 worker:w1; do
	fill odd
	cli set "sahm:{odd}:$key" x >/dev/null
	expect 2 "$T/said" sahm queue purge --queue odd --all
	says "queue 'odd' cannot be looked at, and nothing is removed without --yes: " WRONGTYPE
	[ "$(cli exists 'sahm:{odd}:runs')" = 1 ] || fail "something was removed"
	expect 1 "$T/said" sahm queue purge --queue odd --dead --yes
	says WRONGTYPE
	expect 0 "$T/said" sahm queue purge --queue odd --all --yes
	says "queue 'odd' cannot be looked at, and goes as it is: " "queue 'odd': removed "
	[ -z "$(cli keys 'sahm:{odd}:*')" ] || fail "keys are left, of a queue whose '$key' is of another type"
done
fill odd
cli hset 'sahm:{odd}:meta' claim_ms soon >/dev/null
expect 1 "$T/said" sahm queue status --queue odd
expect 0 "$T/said" sahm queue purge --queue odd --all --yes
[ -z "$(cli keys 'sahm:{odd}:*')" ] || fail "keys are left"
[ "$(cli exists 'sahm:{default}:workers')" = 1 ] || fail "another queue has lost something"
stop_server

# With a password, which nobody gets to see.
password='s3cr:t' start_server --requirepass 's3cr:t'
expect 1 "$T/said" env SAHM_REDIS=redis://127.0.0.1:$port "$program" queue status
expect 0 "$T/said" env SAHM_REDIS=redis://127.0.0.1:$port SAHM_REDIS_PASSWORD=s3cr:t "$program" queue status
expect 0 "$T/said" sahm queue status --redis "redis://:s3cr%3At@127.0.0.1:$port/3"
says "127.0.0.1:$port/3"
says_not s3cr
echo "queues can be operated"
