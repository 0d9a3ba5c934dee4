#!/bin/sh
# Proof that the property tests can fail: breaks one rule at a time, as tests/mutants.list says, in a copy of the source
# and expects the named test program to notice. Prints a line per broken rule and a closing count; exit code 1 when one
# goes unnoticed, a row is out of date, or the tests fail on the unbroken copy.
#   sh tests/tools/mutants.sh [NAME...]     CC and TMPDIR are honoured; MUTANTS_JOBS: how many at a time;
#                                           MUTANTS_EVERY=n: the first of every n rows only
set -u

# A mutant that makes the program hang is stopped after this many seconds, and has been noticed.
guard=60

unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES SAHM_AGREE_SYSTEMS SAHM_AGREE_SEED SAHM_AGREE_INDEX SAHM_AGREE_COVERAGE \
	SAHM_ENGINES_SYSTEMS SAHM_ENGINES_SEED SAHM_ENGINES_INDEX SAHM_ENGINES_COVERAGE SAHM_IPU_PROGRAMS SAHM_IPU_PAIRS \
	SAHM_IPU_LOOPS SAHM_IPU_SEED SAHM_IPU_INDEX SAHM_IPU_PAIR SAHM_IPU_COVERAGE SAHM_UNIT_SEQUENCES SAHM_UNIT_SEED SAHM_UNIT_INDEX \
	SAHM_UNIT_COVERAGE

# build DIR TARGET...: in the copy at DIR.
build() {
	(cd "$1" && shift && make -s CC="${CC:-gcc}" VARIANT=release B=build/mutant OPT=-O1 WERROR= V= "$@")
}

# row DIR NUMBER: tries one row of DIR/rows and writes a line to DIR/result.NUMBER.
row() {
	work=$1
	sed -n "${2}p" "$work/rows" >"$work/row.$2"
	read -r name file program expression <"$work/row.$2"
	copy=$work/copy.$2
	verdict=$(try) || verdict="ERROR     $name: $verdict"
	printf '%s\n' "$verdict" >"$work/result.$2"
	rm -rf "$copy"
}

# Tries $expression on $file in a fresh copy; prints the line to report, or on failure what is wrong with the row.
try() {
	log=$copy/log
	cp -Rp "$work/base" "$copy" || { echo "cannot copy"; return 1; }
	[ -f "$copy/$file" ] || { echo "there is no '$file'"; return 1; }
	sed "$expression" "$work/base/$file" >"$copy/$file" 2>"$log" || { echo "sed: $(cat "$log")"; return 1; }
	if cmp -s "$work/base/$file" "$copy/$file"; then
		echo "its expression no longer changes '$file'"
		return 1
	fi
	room=$(sh tests/tools/room_of.sh "$program") || return 1
	if ! build "$copy" "build/mutant/tests/$room" >"$log" 2>&1; then
		echo "the broken '$file' does not compile: $(grep -m 1 error "$log")"
		return 1
	fi
	(cd "$copy" && timeout "$guard" "build/mutant/tests/$room" "$program") >"$log" 2>&1 </dev/null
	case $? in
	0) echo "SURVIVED  $name ($file, $program)" ;;
	124) echo "caught    $name (never ends)" ;;
	1 | 2) echo "caught    $name" ;;
	*) echo "caught    $name (crashes)" ;;
	esac
}

if [ "${1-}" = --row ]; then
	row "$2" "$3"
	exit
fi

self=$(cd "$(dirname "$0")" && pwd)/$(basename "$0")
cd "$(dirname "$self")/../.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

grep -v '^#' tests/mutants.list | grep . >"$work/all"
awk -v every="${MUTANTS_EVERY:-1}" 'NR % every == 1 % every' "$work/all" >"$work/rows"
if [ $# -gt 0 ]; then
	for name in "$@"; do
		grep "^$name " "$work/all" || echo "no mutant is called '$name'" >&2
	done >"$work/chosen"
	mv "$work/chosen" "$work/rows"
fi
awk 'seen[$1]++ { print "two mutants are called " $1; bad = 1 } END { exit bad }' "$work/all" >&2 || exit 1
nr=$(wc -l <"$work/rows")
[ "$nr" -gt 0 ] || exit 1

# What the test programs are made of, and the objects, which every mutant starts from.
mkdir "$work/base" || exit 1
for part in Makefile mk cores sched workloads ipu sim/base sim/engine results sim/sweep sim/queue configs tests/helper tests/reference tests/unit; do
	[ -e "$part" ] || continue
	mkdir -p "$work/base/$(dirname "$part")" && cp -Rp "$part" "$work/base/$part" || exit 1
done
programs=$(awk '{ print $3 }' "$work/rows" | sort -u)
for program in $programs; do
	room=$(sh tests/tools/room_of.sh "$program") || exit 1
	if ! build "$work/base" -j2 "build/mutant/tests/$room" >"$work/log" 2>&1; then
		cat "$work/log"
		echo "cannot build $program"
		exit 1
	fi
	if ! (cd "$work/base" && timeout "$guard" "build/mutant/tests/$room" "$program") >"$work/log" 2>&1 </dev/null; then
		cat "$work/log"
		echo "$program fails on the unbroken source"
		exit 1
	fi
	echo "passes    $program, nothing broken"
done

seq 1 "$nr" | xargs -n 1 -P "${MUTANTS_JOBS:-2}" sh "$self" --row "$work"
for i in $(seq 1 "$nr"); do
	cat "$work/result.$i" 2>/dev/null || echo "ERROR     row $i has no result"
done >"$work/results"
cat "$work/results"
caught=$(grep -c '^caught' "$work/results")
[ "$nr" -eq "$(wc -l <"$work/all")" ] || echo "of $(wc -l <"$work/all") rows in the list, these were tried:"
echo "$caught of $nr broken rules caught"
[ "$caught" -eq "$nr" ]
