#!/bin/sh
# Faults that `sahm reproduce` must notice: reproduce_faults.sh PROGRAM. Each is planted into a copy of the studies or of the
# source; prints a table of faults, rows that differ from their known values, and rows that miss the paper's bound.
set -u
. tests/tools/expect.sh
program=$(cd "$(dirname "$1")" && pwd)/${1##*/}
tree=$(pwd)
out=$(mktemp -d "${TMPDIR:-/tmp}/sahm-faults.XXXXXX") || exit 1
trap 'rm -rf "$out"' EXIT

# try NAME EXIT-CODE PROGRAM: figure 4.10 as PROGRAM and the studies in $out/data have it.
try() {
	SAHM_DATA=$out/data timeout 60 "$3" reproduce 4.10 --csv --no-plots --force -o "$out/page" >"$out/said" 2>"$out/err"
	code=$?
	printf '%-36s differ %2d  miss %2d  exit %d\n' "$1" "$(grep -c ',differs,' "$out/said")" "$(grep -c ',misses,' "$out/said")" $code
	[ "$code" -eq "$2" ] || { cat "$out/err"; fail "'$1': exit code $code, must be $2"; }
}

# plant NAME EXIT-CODE SED: into the studies.
plant() {
	rm -rf "$out/data"
	mkdir "$out/data" && cp -r "$tree/configs" "$out/data/" && ln -s "$tree/workloads" "$out/data/workloads"
	for study in realistic cores_32 cores_64; do
		sed "$3" "$tree/configs/studies/paper/$study.cfg" >"$out/data/configs/studies/paper/$study.cfg"
	done
	[ "$2" -eq 0 ] || ! diff -r "$tree/configs" "$out/data/configs" >/dev/null || fail "'$1' changes nothing"
	try "$1" "$2" "$program"
}

# plant_source NAME FILE SED: into a copy of the source, of which only FILE is compiled again.
plant_source() {
	if [ ! -d "$out/source" ]; then
		mkdir -p "$out/source/build/release"
		for part in *; do
			[ "$part" = build ] || cp -Rp "$part" "$out/source/" || exit 1
		done
		for part in obj flags objects model_id.h libsahm.a; do
			cp -Rp "build/release/$part" "$out/source/build/release/" || exit 1
		done
	fi
	sed "$3" "$2" >"$out/source/$2"
	! cmp -s "$2" "$out/source/$2" || fail "'$1' changes nothing"
	(cd "$out/source" && make -s VARIANT=release V= FLAGS_TEXT="$(cat build/release/flags)" CFLAGS='-O1 -g0 -w' build/release/sahm) \
		>"$out/err" 2>&1 || { cat "$out/err"; fail "'$1' does not compile"; }
	try "$1" 1 "$out/source/build/release/sahm"
	cp "$2" "$out/source/$2"
}

unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES
plant 'no fault' 0 ''
plant 'thresholds moved' 1 's/cuts : { set = "intuitive"; }/cuts : { set = "intuitive"; l2_pct = 12.0; }/'
plant 'costs doubled' 1 's/cost_ms=9/cost_ms=18/; s/cost_ms=5/cost_ms=10/; s/cost_ms=1"/cost_ms=2"/'
plant 'listing policy everywhere' 1 's/policy = "sahm"/policy = "sahm-listing"/'
plant 'oracle everywhere' 1 's/oracle=false/oracle=true/'
plant 'no fault' 0 '' >/dev/null # the studies as they are
plant_source 'migrations never charged' sim/engine/event_pass.c 's/debt_after_move_ns(th->debt_ns, cost_ns)/th->debt_ns/'
plant_source 'smallest speedup of several' cores/chip/core.c 's/speedup_ppm\[c\] > type->speedup_ppm\[s\]/speedup_ppm[c] < type->speedup_ppm[s]/'
