#!/bin/sh
# The synthetic suite: suite.sh PROGRAM sees that the shipped traces are what the shipped profile gives, byte for byte, and
# that the study's claims hold for them, and for other seeds within twice the tolerances. suite.sh PROGRAM FIT makes the
# profile anew from the character table: the claims must hold for that too.
set -u
program=$1 fit=${2-}
room=workloads/synthetic
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT

fail() {
	echo "$*" >&2
	exit 1
}

if [ -n "$fit" ]; then
	"$fit" $room/spec2017.character "$out/spec2017.profile" 2>"$out/said" || { cat "$out/said" >&2; fail "the fit fails"; }
	"$program" trace synth "$out/spec2017.profile" --verify || fail "claims do not hold for a profile that was made anew"
	# Its floating point may come out otherwise on another machine; what ships is the profile.
	if cmp -s $room/spec2017.profile "$out/spec2017.profile"; then
		echo "the profile made anew is the one that ships"
	else
		diff $room/spec2017.profile "$out/spec2017.profile" | grep -c '^>' | sed 's/$/ rows differ from the profile that ships/'
	fi
	exit 0
fi

"$program" trace synth $room/spec2017.profile -o "$out" -f csv 2>"$out/said" || { cat "$out/said" >&2; fail "no traces"; }
nr=0
for shipped in $room/spec2017/*-synthetic.csv.zst; do
	name=${shipped##*/}
	"$program" trace export "$shipped" | cmp - "$out/${name%.zst}" || fail "$shipped is not what the profile gives"
	nr=$((nr + 1))
done
[ $nr -eq 39 ] || fail "$nr traces ship"
[ "$(find "$out" -name '*.csv' | wc -l)" -eq 39 ] || fail "the profile gives other traces than those that ship"
grep -L '^# source: synthetic' "$out"/*.csv | grep . && fail "these do not say that they are synthetic"
"$program" trace synth --verify || fail "claims do not hold"
"$program" trace synth --verify --seeds 10 || fail "claims do not hold for other seeds"
for other in server phone; do
	"$program" trace synth $room/$other.profile -o "$out/$other" 2>"$out/said" || { cat "$out/said" >&2; fail "no traces: $other"; }
	"$program" characterize "$out/$other"/*.zst >/dev/null || fail "not characterized: $other"
done
