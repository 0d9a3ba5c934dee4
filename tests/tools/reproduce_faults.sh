#!/bin/sh
# Faults that `sahm reproduce` must notice: reproduce_faults.sh PROGRAM. Each is planted into a copy of the studies; prints a
# table of faults, rows that differ from their known values, and rows that miss the paper's bound.
set -u
. tests/tools/expect.sh
program=$(cd "$(dirname "$1")" && pwd)/${1##*/}
tree=$(pwd)
out=$(mktemp -d "${TMPDIR:-/tmp}/sahm-faults.XXXXXX") || exit 1
trap 'rm -rf "$out"' EXIT

plant() { # NAME EXIT-CODE SED
	rm -rf "$out/data"
	mkdir "$out/data" && cp -r "$tree/configs" "$out/data/" && ln -s "$tree/workloads" "$out/data/workloads"
	for study in realistic cores_32 cores_64; do
		sed "$3" "$tree/configs/studies/paper/$study.cfg" >"$out/data/configs/studies/paper/$study.cfg"
	done
	[ "$2" -eq 0 ] || ! diff -r "$tree/configs" "$out/data/configs" >/dev/null || fail "'$1' changes nothing"
	SAHM_DATA=$out/data timeout 60 "$program" reproduce 4.10 --csv --no-plots --force -o "$out/page" >"$out/said" 2>"$out/err"
	code=$?
	printf '%-28s differ %2d  miss %2d  exit %d\n' "$1" "$(grep -c ',differs,' "$out/said")" "$(grep -c ',misses,' "$out/said")" $code
	[ "$code" -eq "$2" ] || { cat "$out/err"; fail "'$1': exit code $code, must be $2"; }
}

plant 'no fault' 0 ''
plant 'costs doubled' 1 's/cost_ms=9/cost_ms=18/; s/cost_ms=5/cost_ms=10/; s/cost_ms=1"/cost_ms=2"/'
plant 'migrations never charged' 1 's/cost_ms=[159]"/cost_ms=0"/'
plant 'listing policy everywhere' 1 's/policy = "sahm"/policy = "sahm-listing"/'
plant 'oracle everywhere' 1 's/oracle=false/oracle=true/'
