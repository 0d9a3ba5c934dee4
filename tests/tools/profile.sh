#!/bin/sh
# Where the time of the event-driven engine goes on the study's realistic system: instructions by source file, as callgrind
# counts them, which is repeatable where a clock is not. Usage: profile.sh BENCH_ENGINE [SIZE]
set -eu
bench=$1 size=${2:-0}
command -v valgrind > /dev/null || { echo "skipped: valgrind is not installed"; exit 77; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
valgrind -q --tool=callgrind --callgrind-out-file="$tmp/out" --toggle-collect=sim_run "$bench" "$size" 1 > /dev/null
callgrind_annotate --show=Ir --threshold=100 --auto=no "$tmp/out" 2> /dev/null |
	awk '
	/PROGRAM TOTALS/ { gsub(",", "", $1); total = $1 }
	/^ *[0-9,]+ *\( *[0-9.]+%\) / {
		line = $0
		sub(/^ *[0-9,]+ *\( *[0-9.]+%\) */, "", line)
		if (line !~ /:/) next
		gsub(",", "", $1)
		sub(/:.*/, "", line)
		sub(/^.*\/(sim|sched|workloads|cores)\//, "&", line)
		if (match(line, /(sim|sched|workloads|cores)\/[a-z_\/]*\.[ch]$/)) line = substr(line, RSTART)
		else line = "the C library"
		part[line] += $1
	}
	END {
		printf "%.1f million instructions\n", total / 1e6
		for (p in part) if (part[p] >= total / 1000) printf "%6.1f %%  %s\n", 100 * part[p] / total, p | "sort -rn"
	}'
