#!/bin/sh
# The tutorials work: tutorial.sh PROGRAM runs the commands of docs/tutorial.md, docs/cores.md and docs/synthetic.md one after the other, in
# an empty folder and in one with the shipped data.
# Where perf counts no instructions (virtual machines), a stand-in writes what it would have: synthetic counts.
set -u
. tests/tools/steps.sh
steps_begin docs/tutorial.md "$1"

if ! perf stat -x , -e instructions:u true 2>&1 | grep -q '^[0-9]'; then
	cat >"$folder/bin/perf" <<'END'
#!/bin/sh
# stands in for perf stat -I 100 -x , -o FILE -e EVENTS: synthetic counts
while [ "$1" != -- ]; do
	[ "$1" = -o ] && file=$2
	[ "$1" = -e ] && events=$2
	shift
done
awk -v events="$events" 'BEGIN {
	nr = split(events, event, ",")
	print "# started on a day that never was (synthetic)\n"
	for (t = 1; t <= 40; t++)
		for (e = 1; e <= nr; e++)
			printf "%16.9f,%d,,%s,100000000,100.00,,\n", t / 10, 200000000 / (event[e] == "instructions" ? 1 : e * e * (1 + t % 7)), event[e]
}' >"$file"
END
	chmod +x "$folder/bin/perf"
fi

if command -v qemu-x86_64 >/dev/null 2>&1; then
	step record
	says "xz.trc: " "in all"
else
	cp "$tree/workloads/suites/small/xz.csv" "$folder/place/xz.trc"
fi
step look
says "intervals"
if command -v gnuplot >/dev/null 2>&1; then
	step plot
	[ -s "$folder/place/figures/transitions.svg" ] || fail "there is no figure of transitions"
fi
step quick
says "speedup of the system" "rank  policy"
step run
says "speedup of the system" "my.cfg: the 3 points"
step perf
step import
says "gzip.trc: "
says "name: gzip"
says "event.l2_misses: l2_rqsts.miss"
if command -v valgrind >/dev/null 2>&1; then
	step callgrind
	says "small.trc: "
fi

if command -v qemu-x86_64 >/dev/null 2>&1; then
	document=docs/cores.md
	step time
	says "golden-cove" "rocket" "CPI"
	step change
	says "boom-mega" "Share of cycles"
	step epochs
	says "core.trc: " "epochs/interval"
fi

document=docs/synthetic.md
ln -s "$tree/configs" "$tree/workloads" "$folder/place"
step suite
says "speedup of the system"
says "claims hold"
step profile
says "database-synthetic.csv.zst: 1800 epochs of 100 ms, synthetic"
says "3 traces, synthetic"
step shop
says "6 threads together; 3 traces, 3 synthetic"

for tool in qemu-x86_64 gnuplot valgrind; do
	command -v $tool >/dev/null 2>&1 || { echo "$tool is not installed: its step was left out"; exit 77; }
done
