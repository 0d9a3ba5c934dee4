#!/bin/sh
# limits.sh PROGRAM [quick|full]: sizes and dates at which 32 bits end. Files of 5 GiB, dates after 2038 and 2106, sums above 2^64 ns,
# numbers beyond what a key, an option or a trace can hold: done right, or refused by name. full: 2 GiB of output, too.
# shellcheck disable=SC2086 # rows are split on purpose
set -u
. tests/tools/expect.sh
program=$(cd "$(dirname "$1")" && pwd)/${1##*/}
tier=${2:-quick}
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
left_out=

# refused CODE WORDS ARG...: with these words, and with less than 700 MB of memory, whatever a file says of its size.
refused() {
	code=$1 words=$2
	shift 2
	expect "$code" "$out/said" sh -c "ulimit -v $memory"' && exec "$@"' sh "$program" "$@"
	grep -qF -- "$words" "$out/said" || { cat "$out/said" >&2; fail "'$words' is not said: $*"; }
}
memory=700000
# What is sanitized has addresses for itself.
case $(readlink -f "$program") in *asan*) memory=unlimited ;; esac

# Without the 32 MB that its translation takes, a program of an IPU is interpreted, with the same result.
[ $memory = unlimited ] || memory=30000
"$program" ipu study values --tensors 1 --lines 100 >"$out/roomy" || fail "ipu study"
expect 0 "$out/tight" sh -c "ulimit -v $memory"' && exec "$0" ipu study values --tensors 1 --lines 100' "$program"
cmp "$out/roomy" "$out/tight" || fail "interpreted for lack of memory, a program does something else"
[ $memory = unlimited ] || memory=700000

# Files above 4 GiB: of holes, so that they take no room.
cp workloads/suites/small/gzip.csv "$out/long.csv" && "$program" trace import "$out/long.csv" -o "$out/long.trc" 2>/dev/null || exit 1
bytes=$(stat -c %s "$out/long.trc")
lines=$(wc -l <"$out/long.csv")
if truncate -s 5G "$out/long.csv" "$out/long.trc" "$out/zeros" 2>"$out/said"; then
	for command in "trace info" characterize "trace import -o $out/x.trc"; do
		refused 1 "long.csv:$((lines + 1)): line is longer than" $command "$out/long.csv"
	done
	[ ! -e "$out/x.trc" ] || fail "a trace was made of what was refused"
	# Of a long image only the head is read.
	refused 1 "long.trc: damaged binary trace: more than the $bytes bytes that its header says" trace info "$out/long.trc"
	refused 1 "zeros' is larger than" run "$out/zeros"
	refused 1 "zeros' is larger than" compare "$out/zeros"
	refused 1 "zeros' is larger than" run configs/canonical.cfg --policy "$out/zeros"
	refused 1 "zeros' is larger than 1073741824 bytes" ipu exec "$out/zeros"
	refused 1 "zeros' is larger than 1073741824 bytes" ipu disasm --raw "$out/zeros"
	refused 1 "zeros' is larger than" ipu verify "$out/zeros" --trust demonstration
	refused 1 "zeros: not an instruction stream" stream info "$out/zeros"
	refused 1 "zeros:1: line is longer than" trace bursts "$out/zeros"
	refused 1 "zeros' is not a results database" query "$out/zeros"
	# The same from where it ends, which is not where it begins.
	(
		dd bs=1M skip=5119 count=0 2>/dev/null # it goes there, and reads nothing
		exec "$program" ipu disasm --raw - >"$out/said" 2>&1
	) <"$out/zeros" || { cat "$out/said" >&2; fail "the last MiB of a large file cannot be read"; }
else
	left_out="$left_out files of 5 GiB ($(cat "$out/said"));"
fi

# Numbers beyond 32 and 64 bits.
for row in "2 workload.duration_ms=1000000001 must_be_from_0_to_1000000000_ms" \
	"2 workload.duration_ms=9223372036854.775807 must_be_from_0_to_1000000000_ms" \
	"2 workload.samples=10001 must_be_from_1_to_10000" "2 workload.samples=4294967297L must_be_from_1_to_10000" \
	"2 workload.samples=4294967297 does_not_fit_32_bits" "2 scheduler.inertia=4294967296L must_be_from_0_to_1000000" \
	"2 chip.cores[0].count=4294967297L must_be_from" "2 migration.cost_ms=1e18 must_be_from_0_to_1000000_ms"; do
	set -- $row
	refused "$1" "$(echo "$3" | tr _ ' ')" run configs/realistic-39.cfg --set "$2"
done
trace=workloads/suites/small/gzip.csv # of 107 epochs
"$program" trace offset $trace --epochs 18446744073709551615 -o "$out/far.csv" 2>/dev/null &&
	"$program" trace offset $trace --epochs $(((4294967296 % 107 * (4294967296 % 107) - 1) % 107)) -o "$out/near.csv" 2>/dev/null &&
	cmp "$out/far.csv" "$out/near.csv" || fail "2^64 - 1 epochs later is not as many round a trace of 107"
refused 2 "must be a whole number from 0 to 18446744073709551615" trace offset $trace --epochs 18446744073709551616 -o "$out/x.csv"
refused 1 "has 107 epochs" trace slice $trace --from-epoch 4294967296 -o "$out/x.csv"
refused 2 "must be a number from 0 to 1000000000" trace slice $trace --to-ms 1000000001 -o "$out/x.csv"
# Epochs of 1000 s, of which 9.3 million would be 2^63 ns, and 4,295 in epochs of a microsecond 2^32 of them.
{
	printf '# sahm trace 1\n# epoch_ns: 1000000000000\n'
	echo instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,l2_misses
	awk 'BEGIN { for (i = 0; i < 4295; i++) print "1000,1,0,0,1,0,0,0" }'
} >"$out/slow.csv"
refused 1 "more than 4294967296 epochs" trace resample "$out/slow.csv" --epoch-ms 0.001 -o "$out/x.csv"
refused 2 "a run 1e+06 s at most" run configs/canonical.cfg --set "workload.traces=[\"$out/slow.csv\"]"
# A count of 2^64.
echo "# sahm trace 1
instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,l2_misses
18446744073709551616,1,0,0,1,0,0,0" >"$out/more.csv"
refused 1 "more.csv:3: count '18446744073709551616' in column 'instructions' overflows: it does not fit 64 bits" trace info "$out/more.csv"

# 16,384 threads for 10^15 ns, the most there can be of both, are 1.6 x 10^19 ns of presence; three times that is beyond 64 bits.
head -n 8 "$out/slow.csv" >"$out/few.csv"
{
	echo 'chip : { cores = ( { type = "baseline"; count = 4096; } ); };'
	printf 'workload : { traces = ( { file = "few.csv"; offset_ms = [0.0'
	awk 'BEGIN { for (i = 1; i < 16384; i++) printf ", 0.0" }'
	echo ']; } ); duration_ms = 1000000000; mode = "together"; };'
	echo 'scheduler : { policy = "static"; timestep_ms = 1000000; };'
} >"$out/most.cfg"
for row in "1 4.096e+18 1.6384e+19" "3 1.2288e+19 4.9152e+19"; do
	set -- $row
	"$program" run "$out/most.cfg" --csv --set workload.samples="$1" >"$out/said" || exit 1
	[ "$(sed -n 's/^system,//p' "$out/said" | cut -d, -f 8,10)" = "$2,$3" ] || { tail -n 1 "$out/said" >&2; fail "sums of $1 samples"; }
done

# The last day of a signature, where seconds no longer fit 31 and 32 bits, and years four digits.
cp ipu/programs/prebuilt/classify.elf "$out/" && cp ipu/programs/keys/insecure-demonstration.key "$out/key" && chmod 600 "$out/key" || exit 1
if ${CC:-cc} -shared -fPIC -o "$out/surrounding.so" tests/tools/surrounding.c -ldl >"$out/said" 2>&1 &&
	! readelf -d "$program" | grep -q libasan; then
	for row in "2038-01-19 2038-01-20" "2106-02-07 2106-02-08" "2200-12-31 2201-01-01" "9999-12-31 -"; do
		set -- $row
		expect 0 "$out/said" "$program" ipu sign "$out/classify.elf" --key "$out/key" --abi core --expires "$1"
		for day in "$1" "$2"; do
			[ "$day" != - ] || continue
			ahead=$(($(date -u -d "$day 23:00" +%s) - $(date +%s)))
			[ "$day" = "$1" ] && code=0 || code=1
			expect $code "$out/said" env LD_PRELOAD="$out/surrounding.so" SURROUNDING_AHEAD=$ahead \
				"$program" ipu verify "$out/classify.elf" --trust demonstration
			[ $code -eq 0 ] || grep -qF "its last day was $1, and it is $day" "$out/said" || fail "nothing said of $day"
		done
	done
	# Validity to the last of days cannot be checked by a clock beyond.
	expect 1 "$out/said" env LD_PRELOAD="$out/surrounding.so" SURROUNDING_AHEAD=$((253402300800 - $(date +%s))) \
		"$program" ipu verify "$out/classify.elf" --trust demonstration
	grep -qF "the system's clock shows no day of the years 1 to 9999" "$out/said" || { cat "$out/said" >&2; fail "the year 10000"; }
else
	left_out="$left_out a clock that jumps (no compiler, or sanitized);"
fi

# More than 2 GiB through a pipe: an instruction, and so a line, for each two bytes.
if [ "$tier" = full ]; then
	truncate -s 128M "$out/nothing" && tr '\0' '\1' <"$out/nothing" >"$out/ones" || exit 1
	set -- $("$program" ipu disasm --raw "$out/ones" | wc -lc)
	[ "$1" -eq 67108864 ] && [ "$2" -gt 2147483648 ] || fail "$1 lines of 67108864, $2 bytes"
fi
[ -z "$left_out" ] || { echo "left out:$left_out all else is right"; exit 77; }
