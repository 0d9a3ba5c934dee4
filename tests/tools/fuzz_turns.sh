#!/bin/bash
# Tests fuzz.sh --continuous on two small targets in a scratch tree: after SIGKILL it continues with what it had counted; SIGTERM ends
# it at once; an input that crashes is minimised and kept as a named one, and its target rests until it is mended.
set -u
command -v clang >/dev/null 2>&1 || { echo "clang is not installed"; exit 77; }
root=$(cd "$(dirname "$0")/../.." && pwd)
T=$(mktemp -d "${TMPDIR:-/tmp}/sahm turns.XXXXXX") || exit 2
running=''
cleanup() {
	[ -z "$running" ] || kill -KILL "$running" 2>/dev/null
	# The fuzzer of a script that was killed ends within its turn.
	flock -w 5 "$T/build/fuzz/lock" true
	rm -rf "$T"
}
trap cleanup EXIT
trap 'exit 1' INT TERM HUP
fail() {
	echo "fuzz_turns: $*" >&2
	cat said build/fuzz/log/* 2>/dev/null | tail -n 30 >&2
	exit 1
}

mkdir -p "$T/tests/tools" "$T/tests/helper" "$T/results/page" "$T/tests/fuzz/corpus/fragile" && cd "$T" || exit 2
cp "$root/tests/tools/fuzz.sh" tests/tools/
cp "$root/tests/fuzz/fuzz.h" tests/fuzz/
cp "$root/results/page/page.css" results/page/
ln -s "$root/sim" sim
cat >Makefile <<'END'
ALL_LDFLAGS = $(LDFLAGS)
build/fuzz/obj/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -I. -c -o $@ $<
build/fuzz/libsahm.a:
	ar cr $@
END
echo 'extern int helper; int helper;' >tests/helper/helper.c
cat >tests/fuzz/fuzz_steady.c <<'END'
#include "tests/fuzz/fuzz.h"
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return size && data[0] ? 0 : 0;
}
END
fragile() { # MOST: more bytes than these that begin with "no" crash it
	cat >tests/fuzz/fuzz_fragile.c <<-END
		#include "tests/fuzz/fuzz.h"
		int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
		{
			MUST(size <= $1 || data[0] != 'n' || data[1] != 'o');
			return 0;
		}
	END
}
head -c 300 /dev/zero | tr '\0' n >tests/fuzz/corpus/fragile/seed

start() { # SECONDS: of each turn
	FUZZ_SLICE=$1 sh tests/tools/fuzz.sh --continuous >said 2>&1 &
	running=$!
}
wait_for() { # WHAT COMMAND...
	for _ in $(seq 200); do
		"${@:2}" && return
		sleep 0.05
	done
	fail "$1: not within 10 s"
}
ended() { # CODE
	wait "$running"
	local code=$?
	running=
	[ $code -eq "$1" ] || fail "exit code $code, not $1"
}
field() { # TARGET NUMBER
	cut -d ' ' -f "$2" "build/fuzz/state/$1"
}

# Of two new targets the one that is first by name begins. The other one's turn is cut short.
fragile 100000
start 1
wait_for "the first turn" test -s build/fuzz/state/fragile
wait_for "the second turn" grep -qs 'INFO: Seed' build/fuzz/log/steady
kill -KILL $running
ended 137 2>/dev/null
[ ! -e build/fuzz/state/steady ] || fail "a turn that did not end is counted"
counted=$(field fragile 2)
[ "$counted" -gt 0 ] || fail "the first turn is not counted"

# It goes on with the target that has none, which SIGTERM ends long before its turn is over.
rm build/fuzz/log/steady
start 100
wait_for "the turn that was cut short" grep -q 'waiting for a fuzzer' said
wait_for "its repetition" grep -qs INITED build/fuzz/log/steady
kill -TERM $running
ended 143
[ "$(field steady 2)" -gt 0 ] || fail "a turn that SIGTERM ended is not counted"
[ "$(field fragile 2)" -eq "$counted" ] || fail "the target with more time had a turn"
echo "killed and ended: continued with $counted executions"

# An input that crashes is made small and kept. Its target rests, and with it the only one that was asked for.
fragile 20
{ printf no; head -c 300 /dev/zero; } >build/fuzz/corpus/fragile/planted
FUZZ_SLICE=1 sh tests/tools/fuzz.sh --continuous fragile >said 2>&1 && fail "exit code 0 after a crash"
set -- tests/fuzz/corpus/fragile/fragile-crash-*
[ "$(cat "$@" | wc -c)" -eq 21 ] || fail "it is not kept as 21 bytes: $*"
grep -q "FAILED: $1 (21 bytes)" said || fail "it is not named"
grep -q "<code>.* $1</code>" build/fuzz/index.html || fail "the page does not name it"
[ -z "$(ls build/fuzz/found)" ] || fail "what was found is still there"
grep -q "every target rests" said || fail "it does not rest"

# It still does in the next call, and is fuzzed again when it is mended.
turns=$(field fragile 5)
FUZZ_SLICE=1 sh tests/tools/fuzz.sh --continuous fragile >said 2>&1 || fail "exit code $? with a target at rest"
[ "$(field fragile 5)" -eq "$turns" ] || fail "it does not rest in another call"
fragile 100000
FUZZ_SLICE=1 FUZZ_HOURS=0.0003 sh tests/tools/fuzz.sh --continuous fragile >said 2>&1 || fail "exit code $? when it is mended"
[ "$(field fragile 5)" -gt "$turns" ] || fail "it rests after it was mended"
[ "$(field fragile 2)" -gt "$counted" ] || fail "its executions begin anew"
set -- tests/fuzz/corpus/fragile/*
[ $# -eq 2 ] || fail "named inputs are lost or more: $*"
echo "crashed: minimised, kept, at rest until mended"
