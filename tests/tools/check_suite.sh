#!/bin/sh
# The synthetic suite: check_suite.sh PROGRAM sees that the shipped traces are what the shipped profile gives, byte for byte, and
# that the study's claims hold for them, and for other seeds within twice the tolerances. check_suite.sh PROGRAM FIT makes the
# profile again from the character table: the claims must hold for that too.
set -u
program=$1 fit=${2-}
room=workloads/suites/synthetic
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT

fail() {
	echo "$*" >&2
	exit 1
}

if [ -n "$fit" ]; then
	"$fit" $room/spec2017.character "$out/spec2017.profile" 2>"$out/said" || { cat "$out/said" >&2; fail "the fit fails"; }
	"$program" trace synth "$out/spec2017.profile" --verify || fail "claims do not hold for a profile that was made anew"
	# Floating point and GSL may come out a little otherwise on another machine; more than that is a profile that is not
	# what the fit gives any more.
	if cmp -s $room/spec2017.profile "$out/spec2017.profile"; then
		echo "the profile made anew is the one that ships"
	else
		paste -d '\n' $room/spec2017.profile "$out/spec2017.profile" | sed 's/ //g' | awk -F, '
			function size(x) { return x < 0 ? -x : x }
			function is_close(a, b,    unit) { # within 5 %, or one in the last place
				if (a !~ /^[0-9.]+$/ || b !~ /^[0-9.]+$/) return a == b
				unit = index(a, ".") ? 10 ^ (index(a, ".") - length(a)) : 1
				return size(a - b) <= 0.05 * a || size(a - b) <= 1.001 * unit
			}
			NR % 2 { nr = split($0, shipped); next }
			NF != nr { bad++; next }
			{ for (i = 1; i <= NF; i++) bad += !is_close(shipped[i], $i) }
			END { exit bad > 0 }' || fail "the profile that ships is not what the fit gives: make suite"
		echo "the profile made anew differs a little from the one that ships, as on another machine it may"
	fi
	exit 0
fi

"$program" trace synth $room/spec2017.profile -o "$out" -f csv 2>"$out/said" || { cat "$out/said" >&2; fail "no traces"; }
nr=0
for shipped in $room/spec2017/*-synthetic.trc.zst; do
	name=${shipped##*/}
	"$program" trace export "$shipped" | cmp - "$out/${name%.trc.zst}.csv" || fail "$shipped is not what the profile gives"
	nr=$((nr + 1))
done
[ $nr -eq 39 ] || fail "$nr traces ship"
[ "$(find "$out" -name '*.csv' | wc -l)" -eq 39 ] || fail "the profile gives other traces than those that ship"
grep -L '^# source: synthetic' "$out"/*.csv | grep . && fail "these do not say that they are synthetic"

# What is known of single programs shows: the order of the traces by their metrics is nearly that of the character table.
# rank COLUMN NUMERATOR DENOMINATOR (fields of the traces): Spearman's coefficient, in hundredths.
rank() {
	for file in "$out"/*-synthetic.csv; do
		name=${file##*/}
		awk -F, -v name="${name%-synthetic.csv}" -v n="$2" -v d="$3" '
			/^[0-9]/ { a += $n; b += $d } END { printf "%s,%.9f\n", name, a / b }' "$file"
	done >"$out/ratios"
	sed 's/ //g' $room/spec2017.character | awk -F, -v column="$1" '
		NR == FNR { ratio[$1] = $2; next }
		/^name,/ { for (i = 1; i <= NF; i++) if ($i == column) c = i; next }
		!/^#/ && NF > 1 { x[++nr] = $c + nr * 1e-9; y[nr] = ratio[$1] }
		END {
			for (i = 1; i <= nr; i++) {
				rx = ry = 0
				for (j = 1; j <= nr; j++) { rx += x[j] < x[i]; ry += y[j] < y[i] }
				sum += (rx - ry) ^ 2
			}
			printf "%d\n", 100 * (1 - 6 * sum / (nr * (nr * nr - 1)))
		}' "$out/ratios" -
}
for row in "branch 3 2" "l1d 6 5" "l2 8 7"; do
	# shellcheck disable=SC2086 # a column and two fields
	coefficient=$(rank $row)
	echo "order of programs by ${row%% *}: rank correlation 0.$coefficient"
	[ "$coefficient" -ge 80 ] || fail "the traces are not in the order of the character table"
done
"$program" trace synth --verify || fail "claims do not hold"
"$program" trace synth --verify --seeds 10 || fail "claims do not hold for other seeds"
for other in server phone; do
	"$program" trace synth $room/$other.profile -o "$out/$other" 2>"$out/said" || { cat "$out/said" >&2; fail "no traces: $other"; }
	"$program" characterize "$out/$other"/*.zst >/dev/null || fail "not characterized: $other"
done
