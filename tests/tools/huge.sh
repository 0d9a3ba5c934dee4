#!/bin/sh
# Ten million rows: huge.sh PROGRAM imports them, synthetic, from a pipe under a limit of memory: what workloads/FORMAT.md
# promises, 73 bytes for each epoch that is made and 4 MB, with 24 MB of room for the program itself.
set -eu
program=$1
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
assume="-a branch_misses=0 -a l1i_misses=0 -a l1d_misses=0 -a l2_misses=0"

# under KIB COMMAND...: with so much address space.
under() {
	limit=$1
	shift
	(ulimit -v "$limit"; exec "$@") 2>"$out/said" || { cat "$out/said"; exit 1; }
	tail -n 1 "$out/said"
}

has() { # EPOCHS FILE
	"$program" trace info "$2" | grep -q "epochs: $1 of" || { echo "$2 has not $1 epochs"; exit 1; }
}

# Five events in two million intervals.
awk 'BEGIN { for (t = 1; t <= 2000000; t++) { i = 100000000 + t * 7919 % 100000000
	printf "%u.%09u,%u,,instructions,1,100.00,,\n", t / 10, t % 10 * 100000000, i
	printf "%u.%09u,%u,,branches,1,100.00,,\n", t / 10, t % 10 * 100000000, i / 5
	printf "%u.%09u,%u,,branch-misses,1,100.00,,\n", t / 10, t % 10 * 100000000, t % 7 * 1000
	printf "%u.%09u,%u,,L1-dcache-loads,1,100.00,,\n", t / 10, t % 10 * 100000000, i / 3
	printf "%u.%09u,%u,,l2_rqsts.references,1,100.00,,\n", t / 10, t % 10 * 100000000, i / 50 } }' |
	under 172000 "$program" trace import - -a l1i_misses=0 -a l1d_misses=0 -a l2_misses=0 -o "$out/perf.trc"
has 2000000 "$out/perf.trc"
# A table of ten million rows.
awk 'BEGIN { print "i,b,d,l"; for (t = 1; t <= 10000000; t++) { i = 100000000 + t * 7919 % 100000000
	printf "%u,%u,%u,%u\n", i, i / 5, i / 3, i / 50 } }' |
	under 742000 "$program" trace import - -m instructions=i -m branches=b -m l1d_accesses=d -m l2_accesses=l $assume \
		-o "$out/table.trc"
has 10000000 "$out/table.trc"
# What is as long can be used.
under 742000 "$program" trace resample "$out/table.trc" --epoch-ms 1000 -o "$out/second.trc"
has 1000000 "$out/second.trc"
"$program" characterize "$out/second.trc" >/dev/null
