#!/bin/sh
# Dependencies point one way: reads the #include lines of every room (a folder with sources) and fails on an arrow that the table
# below does not have. A room may include itself, what its row names, and whatever those may include. Headers that end in
# _internal.h stay in their room; a second table has the exceptions. The rows are in the order of the floors, lowest first: an arrow
# never points to a later row, so there are no cycles between rooms. Tests may include everything but sim/cli and sim/fit.
#   sh tests/tools/check_layers.sh [ROOM HEADER|--allowed]     with arguments: checks that arrow only (for the test of this test);
#                                                              prints the pairs of rooms of which the first may include the second
set -u
rooms='
sim/base
cores/isa: sim/base
cores/chip: sim/base
cores/uarch: cores/isa cores/chip
cores/uarch/graph: cores/isa
sched/host: cores/chip
sched/ordered: sched/host
sched/policies: sched/ordered
sched/examples: sched/host
workloads/trace: cores/chip
workloads/synth: workloads/trace
workloads/bursts: workloads/trace
workloads/import: workloads/trace
workloads/stream: workloads/trace cores/uarch
workloads/record: workloads/import workloads/stream cores/uarch
workloads/record/qemu: workloads/record
ipu/core: cores/isa
ipu/jit: ipu/core
ipu/trust: sim/base
ipu/soft: sim/base
ipu/soft/modules: ipu/soft
ipu/unit: ipu/jit ipu/trust ipu/soft/modules
ipu/studies: ipu/unit
ipu/programs:
sim/engine: sched/policies workloads/bursts ipu/unit ipu/soft/modules cores/uarch
sim/engine/config: sim/engine
results/metrics: sim/engine/config
results/chart: results/metrics
results/timeline: results/metrics
results/cores: results/chart workloads/stream cores/uarch/graph
results/store: results/metrics
results/page: results/chart results/store
results/studies: results/store results/cores workloads/synth cores/uarch/graph
results/report: results/chart results/studies
sim/sweep: results/page results/report results/timeline
sim/queue: sim/sweep
sim/fit: results/studies
sim/cli: sim/queue workloads/record ipu/studies results/cores
'
# Whose internal headers a room may include besides its own.
internals='
workloads/import: workloads/trace
workloads/stream: workloads/trace
workloads/record: workloads/import
ipu/jit: ipu/core
ipu/unit: ipu/core
sim/engine/config: sim/engine
results/page: results/store
'

# "ROOM may include ROOM" pairs, one a line, indirect ones included.
allowed=$(printf '%s' "$rooms" | awk -F': *' 'NF { row[$1] = 1; may[$1, $1] = 1; n = split($2, direct, " ")
	for (i = 1; i <= n; i++) {
		if (!(direct[i] in row)) { print "check_layers: the row of " $1 " names " direct[i] ", which is no earlier row" > "/dev/stderr"; exit 1 }
		for (r in row) if ((direct[i], r) in may) may[$1, r] = 1
	}
	for (r in row) if (($1, r) in may) print $1, r }') || exit 1

has_line() { # LINES LINE
	case "
$1
" in *"
$2
"*) return 0 ;; esac
	return 1
}

may_include() { # ROOM HEADER
	has_line "$allowed" "$1 ${2%/*}" || return 1
	case $2 in *_internal.h) [ "${2%/*}" = "$1" ] || has_line "$internals" "$1: ${2%/*}" ;; esac
}

# For check_objects.sh, which looks at calls.
if [ "${1-}" = --allowed ]; then
	printf '%s\n' "$allowed"
	exit
fi
if [ $# -eq 2 ]; then
	may_include "$1" "$2"
	exit
fi

failures=0 checked=0
for room in $(printf '%s' "$rooms" | cut -d: -f1); do
	[ -n "$(ls "$room"/*.[ch] 2>/dev/null)" ] || { echo "check_layers: there is no $room" >&2; failures=$((failures + 1)); continue; }
	for line in $(sed -n 's|^#include "\([^"]*\)".*|\1|p' "$room"/*.[ch] /dev/null | sort -u); do
		checked=$((checked + 1))
		case $line in
		model_id.h | shipped_file_list.h) continue ;; # made by the build, of no folder
		sched/ext.h) header=sched/host/ext.h ;;       # by its installed name
		*/*) header=$line ;;
		*) header=$room/$line ;;
		esac
		may_include "$room" "$header" && continue
		grep -l "^#include \"$line\"" "$room"/*.[ch] | sed "s|\$|: includes \"$line\", which $room may not|" >&2
		failures=$((failures + 1))
	done
done
# Every folder of sources is a room; what stands apart is named here.
for room in $(find sim cores workloads sched ipu results -name '*.c' | sed 's|/[^/]*$||' | sort -u); do
	case $room in ipu/programs/new | ipu/soft/new | workloads/suites/open/inputs) continue ;; esac
	printf '%s' "$rooms" | grep -q "^$room\(:\|\$\)" || { echo "check_layers: $room has no row" >&2; failures=$((failures + 1)); }
done
# A name leads to one file.
find sim cores workloads sched ipu results tests -name '*.[ch]' ! -path sched/ext.h | sed 's|.*/||' | sort | uniq -d | sed 's|^|check_layers: two files are called |' | grep . >&2 && failures=$((failures + 1))
[ "$checked" -gt 0 ] || { echo "check_layers: found nothing to check" >&2; exit 1; }
[ "$failures" -eq 0 ]
