#!/bin/sh
# Kernel schedulers run unmodified: scx.sh PROGRAM builds those of tests/scx, and the example, with each compiler that is there and runs
# them; they check the answers to their calls. The first gives what the one written by hand does. SCX_SOURCES: a folder with the
# public ones (github.com/sched-ext/scx and Linux's tools/sched_ext), which run as well.
set -u
sahm=$(cd "$(dirname "$1")" && pwd)/${1##*/}
T=$(mktemp -d "${TMPDIR:-/tmp}/sahm scx.XXXXXX") || exit 1
trap 'rm -rf "$T"' EXIT
compilers=
for cc in gcc clang; do
	if command -v $cc >/dev/null 2>&1; then compilers="$compilers $cc"; else echo "without $cc, which is not installed"; fi
done
[ -n "$compilers" ] || {
	echo "skipped: there is no C compiler"
	exit 77
}

fail() {
	echo "$*" >&2
	cat "$T/said" >&2
	exit 1
}

# CONFIG PLUG-IN [OPTION...]: runs without a remark, and the timeline is that of a scheduler which loses no thread; with
# `conserves`, in which no core idles beside a waiting thread that may run there.
runs() {
	config=$1 plugin=$2 name="$1 with ${2##*/}"
	shift 2
	"$sahm" run "configs/$config.cfg" --policy "$plugin" --json --force --timeline "$T/t.trace" "$@" >"$T/result" 2>"$T/said" ||
		fail "$name fails"
	! grep -e 'error' -e 'let thread' "$T/said" || fail "$name: a remark"
	command -v python3 >/dev/null 2>&1 || return 0
	python3 tests/tools/timeline.py "$T/t.trace" "$T/result" dispatches >"$T/said" 2>&1 || fail "$name: the timeline is wrong"
}

conserves() {
	runs "$@"
	! command -v python3 >/dev/null 2>&1 || grep -q 'idle beside waiting  0.000000000 s' "$T/said" ||
		fail "$name: a core idles beside a thread that waits"
}

# Without the changes, every thread may run everywhere.
everywhere="--set=workload.changes=()"

for cc in $compilers; do
	mkdir "$T/$cc"
	$cc -std=gnu17 -shared -fPIC -fvisibility=hidden -O2 -w -I. -o "$T/$cc/hand.so" sched/examples/simple.c >"$T/said" 2>&1 ||
		fail "$cc does not build sched/examples/simple.c"
	for source in sched/examples/simple.bpf.c tests/scx/*.bpf.c; do
		plugin=$T/$cc/$(basename "$source" .bpf.c).so
		"$sahm" policy build --cc $cc "$source" -o "$plugin" >"$T/said" 2>&1 || fail "$source: $cc does not build it"
		conserves desktop-8 "$plugin" "$everywhere"
		runs desktop-8 "$plugin"
		cp "$T/result" "$plugin.json"
	done
	for name in masks groups; do
		runs shared-16 "$T/$cc/$name.so"
	done
	# Several runs in one process: each begins with the variables of the file, which simple.bpf.c checks.
	"$sahm" run configs/desktop-8.cfg --policy "$T/$cc/simple.so" --set workload.samples=3 --set workload.duration_ms=1s \
		>"$T/said" 2>&1 || fail "$cc: several runs fail"
done

# A result, but for the hashes, which cover the plug-in's bytes.
result_of() {
	sed 's/"[a-z_]*hash": "[0-9a-f]*"/hash/g; s/"path": "[^"]*"/path/g; s/"policy_file": "[^"]*"/path/g' "$1"
}

# Compilers make no difference to what a scheduler does.
for source in sched/examples/simple.bpf.c tests/scx/*.bpf.c; do
	first=
	for cc in $compilers; do
		json=$T/$cc/$(basename "$source" .bpf.c).so.json
		result_of "$json" >"$T/said"
		[ -z "$first" ] || cmp -s "$T/said" "$first" || fail "$source: other results with $cc"
		cp "$T/said" "$T/first" && first=$T/first
	done
done

# By hand, and by `policy build`: the same bytes.
for cc in $compilers; do
	for config in desktop-8 shared-16 realistic-39; do
		for plugin in "$T/$cc/hand.so" "$T/$cc/simple.so"; do
			"$sahm" run configs/$config.cfg --policy "$plugin" --set workload.duration_ms=20s --timeline "$T/${plugin##*/}.json" \
				--force 2>"$T/said" >"$T/${plugin##*/}.txt" || fail "$config: ${plugin##*/} fails"
			sed -i '1s/([0-9a-f]*)//; s/(plug-in)//; s/^timeline .*//' "$T/${plugin##*/}.txt"
		done
		diff "$T/hand.so.txt" "$T/simple.so.txt" >"$T/said" || fail "$config: simple by hand and by build differ"
		# The second line has the hash of the configuration.
		for plugin in hand simple; do sed 2d "$T/$plugin.so.json" >"$T/$plugin.events"; done
		cmp "$T/hand.events" "$T/simple.events" >"$T/said" 2>&1 || fail "$config: their timelines differ"
	done
	"$sahm" run configs/desktop-8.cfg --policy "$T/$cc/simple.so" --scx-set fifo=true >"$T/fifo.txt" 2>"$T/said" || fail "fifo"
	! grep -qxF "$(grep '^wake-up latency, p99' "$T/fifo.txt")" "$T/simple.so.txt" || fail "--scx-set fifo=true changes nothing"
done

[ -n "${SCX_SOURCES:-}" ] || {
	echo "without the public schedulers: SCX_SOURCES names no folder"
	exit 0
}
find_source() { # NAME: a scheduler of the kernel's tools or of the collection
	find "$SCX_SOURCES" -name "scx_$1.bpf.c" -o -path "*$1/main.bpf.c" -o -path "*scx_$1/src/bpf/main.bpf.c" | sort | head -n 1
}
for scheduler in simple prev qmap central nest bpfland beerland flatcg pair; do
	source=$(find_source $scheduler)
	: >"$T/said"
	[ -n "$source" ] || fail "$SCX_SOURCES has no scx_$scheduler.bpf.c"
	for cc in $compilers; do
		"$sahm" policy build --cc $cc "$source" -o "$T/$scheduler.so" >"$T/said" 2>&1 || fail "$source: $cc does not build it"
		case $scheduler in
		pair)
			runs shared-16 "$T/pair.so" --scx-set pair_cpu=8,9,10,11,12,13,14,15,0,1,2,3,4,5,6,7 \
				--scx-set pair_id=0,1,2,3,4,5,6,7,0,1,2,3,4,5,6,7 \
				--scx-set in_pair_idx=0,0,0,0,0,0,0,0,1,1,1,1,1,1,1,1 --scx-set pair_batch_dur_ns=20ms
			;;
		flatcg)
			conserves desktop-8 "$T/flatcg.so" "$everywhere"
			runs shared-16 "$T/flatcg.so"
			;;
		bpfland)
			# It keeps threads that are often woken where they are, beside idle cores.
			runs desktop-8 "$T/bpfland.so"
			;;
		*)
			conserves desktop-8 "$T/$scheduler.so" "$everywhere"
			runs desktop-8 "$T/$scheduler.so"
			;;
		esac
		echo "$scheduler ($cc): speedup $(awk -F'[:,]' '/"speedup_system"/ { printf "%+.2f %%", 100 * $2 }' "$T/result")"
	done
done
