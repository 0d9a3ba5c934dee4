#!/bin/sh
# Proof that the tests can fail: breaks one rule at a time, as tests/mutants.list says, in a copy of the source and expects
# the named test to notice. Prints a line per broken rule and a closing count; exit code 1 when one goes unnoticed, a row
# is out of date, or the tests fail on the unbroken copy.
#   sh tests/tools/mutants.sh [NAME...]     CC, WERROR and TMPDIR are honoured; MUTANTS_JOBS: how many at a time;
#                                           MUTANTS_EVERY=n: the first of every n rows only
#   sh tests/tools/mutants.sh --check       only finds rows that are out of date; compiles nothing
# Objects of build/release are not compiled again.
set -u

# A test that the broken rule makes hang is stopped after this many seconds, and has noticed.
guard=60
# Where rules are.
sources="cores sched workloads ipu results sim"

unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES SAHM_AGREE_SEED SAHM_AGREE_INDEX SAHM_AGREE_COVERAGE SAHM_ENGINES_SEED \
	SAHM_ENGINES_INDEX SAHM_ENGINES_COVERAGE SAHM_IPU_SEED SAHM_IPU_INDEX SAHM_IPU_PAIR SAHM_IPU_COVERAGE SAHM_UNIT_SEED \
	SAHM_UNIT_INDEX SAHM_UNIT_COVERAGE SAHM_TIMING_CASES SAHM_TIMING_SEED SAHM_TIMING_COVERAGE SAHM_LANES_CASES SAHM_LANES_SEED \
	SAHM_PATH_CASES SAHM_PATH_SEED
# How many random systems and programs are tried: each broken rule is noticed with these.
export SAHM_AGREE_SYSTEMS=8000 SAHM_ENGINES_SYSTEMS=200 SAHM_IPU_PROGRAMS=1500 SAHM_IPU_PAIRS=3 SAHM_IPU_LOOPS=1500 \
	SAHM_UNIT_SEQUENCES=1000

# build DIR ARGUMENT...: runs make in the copy at DIR.
build() {
	(cd "$1" && shift && make -s CC="${CC:-gcc}" VARIANT=release V= "$@")
}

# Prints the program that a test file, or one of its tests (FILE:TEST), is part of.
program_of() { # TEST
	room=$(sh tests/tools/room_of.sh "${1%%:*}") && echo "build/release/tests/$room"
}

# run_test DIR TEST: in the copy at DIR.
run_test() {
	export TMPDIR="$work/tmp.$SLOT"
	mkdir -p "$TMPDIR"
	(cd "$1" && timeout "$guard" "$(program_of "$2")" "$2" || exit $?) </dev/null 2>&1
}

# Prints a line for each function, macro and table of the files that it reads the names of: name, file, first and last line.
definitions() {
	xargs awk '
		# Its name stands before the first bracket or =.
		function define(last) {
			gsub(/__attribute__\(\([^)]*\)+/, "", text)
			if (match(text, /[A-Za-z_0-9]+ ?[[(=]/)) {
				name = substr(text, RSTART, RLENGTH - 1)
				sub(/ $/, "", name)
				print name, FILENAME, first, last
			}
			within = ""
		}
		FNR == 1 { within = "" }
		within == "macro" { if (!/\\$/) define(FNR); next }
		within == "body" { if (/^}/) define(FNR); next }
		within == "table" { if (/};$/) define(FNR); next }
		/^#define [A-Za-z]/ { first = FNR; text = $2 "="; within = "macro"; if (!/\\$/) define(FNR); next }
		/^#/ || /^$/ || /^\/[*\/]/ { within = ""; next }
		within == "" && /^[A-Za-z_]/ { first = FNR; text = ""; within = "head" }
		within == "head" {
			text = text $0 " "
			if (/{$/) within = text ~ /=/ ? "table" : "body"
			else if (/;$/ && text ~ /=/) define(FNR)
			else if (/;$/) within = ""
		}'
}

# Prints file, first and last line of PLACE: a function, macro or table; FILE:NAME where two files have one of that
# name; a file, by its basename. On failure, what is wrong with it.
place() { # WORK PLACE
	case $2 in
	*:*) awk -v name="${2#*:}" '$1 == name { print $2, $3, $4 }' "$1/definitions" | grep "/${2%%:*} " ;;
	*.*) (cd "$1/base" && find $sources -name "$2" -exec echo '{}' 1 '$' ';') ;;
	*) awk -v name="$2" '$1 == name { print $2, $3, $4 }' "$1/definitions" ;;
	esac >"$1/place.$SLOT"
	case $(wc -l <"$1/place.$SLOT") in
	1) cat "$1/place.$SLOT" ;;
	0) echo "there is no '$2'"; return 1 ;;
	*) echo "there are several '$2': $(cut -d ' ' -f 1 "$1/place.$SLOT" | tr '\n' ' ')"; return 1 ;;
	esac
}

# row WORK NUMBER: tries one row of WORK/rows and writes a line to WORK/result.NUMBER.
row() {
	work=$1
	copy=$work/copy.$SLOT
	sed -n "${2}p" "$work/rows" >"$work/row.$SLOT"
	read -r name place test expression <"$work/row.$SLOT"
	[ -d "$copy" ] || cp -Rp "$work/base" "$copy" || exit 1
	begin=$(date +%s)
	verdict=$(try) || verdict="ERROR     $name: $verdict"
	printf '%s, %d s\n' "$verdict" $(($(date +%s) - begin)) >"$work/result.$2"
	restore
}

# Writes the file of $place, called $file from now on, with $expression applied, to $work/broken.$SLOT. On failure prints
# what is wrong with the row.
break_rule() {
	found=$(place "$work" "$place") || { echo "$found"; return 1; }
	read -r file first last <<-END
	$found
	END
	{ sed -e "$first,${last}{" -e "$expression" -e '}' "$work/base/$file" >"$work/broken.$SLOT"; } 2>&1 || return 1
	if cmp -s "$work/base/$file" "$work/broken.$SLOT"; then
		echo "its expression changes nothing in '$place' ($file)"
		return 1
	fi
}

# Tries $expression on $place in $copy; prints the line to report, or on failure what is wrong with the row.
try() {
	log=$work/log.$SLOT
	break_rule || return 1
	cat "$work/broken.$SLOT" >"$copy/$file"
	# The stamp of the flags stays as it is: nothing else is compiled again.
	if ! build "$copy" FLAGS_TEXT="$(cat "$copy/build/release/flags")" CFLAGS='-O1 -g0 -w' "$(program_of "$test")" >"$log" 2>&1; then
		echo "the broken '$file' does not compile: $(grep -m 1 error "$log")"
		return 1
	fi
	# The first test that fails is enough.
	CMOCKA_TEST_ABORT=1 run_test "$copy" "$test" >"$log"
	case $? in
	0) echo "SURVIVED  $name ($file, $test)" ;;
	124) echo "caught    $name (never ends)" ;;
	*) echo "caught    $name" ;;
	esac
}

# Prints what is wrong with the rows, nothing of which is compiled: places that are gone, expressions that change nothing.
check_rows() {
	nr_wrong=0 SLOT=0
	ln -s "$PWD" "$work/base"
	while read -r name place test expression; do
		problem=$(break_rule && program_of "$test" 2>&1) && continue
		echo "$name: $problem"
		nr_wrong=$((nr_wrong + 1))
	done <"$work/rows"
	[ $nr_wrong -eq 0 ]
}

# Makes the copy what the base is, and removes what a test left.
restore() {
	rm -rf "$work/tmp.$SLOT"
	(cd "$copy" && find . -type f -newer "$work/stamp") | while read -r changed; do
		cp -p "$work/base/$changed" "$copy/$changed" 2>/dev/null || rm -f "$copy/$changed"
	done
}

# unbroken WORK TEST: tries a test with nothing broken.
unbroken() {
	work=$1
	log=$work/log.$SLOT
	if ! run_test "$work/base" "$2" >"$log"; then
		cat "$log"
		echo "$2 fails on the unbroken source"
		return 1
	fi
	echo "passes    $2, nothing broken"
}

case ${1-} in
--row) row "$2" "$3"; exit ;;
--unbroken) unbroken "$2" "$3"; exit ;;
esac

self=$(cd "$(dirname "$0")" && pwd)/$(basename "$0")
cd "$(dirname "$self")/../.." || exit 1
jobs=${MUTANTS_JOBS:-2}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

grep -v '^#' tests/mutants.list | grep . >"$work/all"
awk -v every="${MUTANTS_EVERY:-1}" 'NR % every == 1 % every' "$work/all" >"$work/rows"
find $sources -name '*.[ch]' | definitions >"$work/definitions"
if [ "${1-}" = --check ]; then
	check_rows
	exit
elif [ $# -gt 0 ]; then
	for name in "$@"; do
		grep "^$name " "$work/all" || echo "no mutant is called '$name'" >&2
	done >"$work/chosen"
	mv "$work/chosen" "$work/rows"
fi
awk 'seen[$1]++ { print "two mutants are called " $1; bad = 1 } END { exit bad }' "$work/all" >&2 || exit 1
nr=$(wc -l <"$work/rows")
[ "$nr" -gt 0 ] || exit 1

# The tests' sources, built; every broken rule starts from a copy of them.
mkdir -p "$work/base/build/release" || exit 1
for part in *; do
	[ "$part" = build ] || cp -Rp "$part" "$work/base/" || exit 1
done
for part in obj flags objects model_id.h libsahm.a; do
	[ ! -e "build/release/$part" ] || cp -Rp "build/release/$part" "$work/base/build/release/" || exit 1
done
tests=$(awk '{ print $3 }' "$work/rows" | sort -u)
programs=$(for test in $tests; do program_of "$test"; done | sort -u)
# shellcheck disable=SC2086 # each program is a word
if ! build "$work/base" -j"$(nproc)" $programs >"$work/log" 2>&1; then
	cat "$work/log"
	echo "cannot build the tests"
	exit 1
fi
if ! echo "$tests" | xargs -n 1 -P "$jobs" --process-slot-var=SLOT sh "$self" --unbroken "$work"; then
	exit 1
fi
touch "$work/stamp"

seq 1 "$nr" | xargs -n 1 -P "$jobs" --process-slot-var=SLOT sh "$self" --row "$work"
for i in $(seq 1 "$nr"); do
	cat "$work/result.$i" 2>/dev/null || echo "ERROR     row $i has no result"
done >"$work/results"
cat "$work/results"
caught=$(grep -c '^caught' "$work/results")
[ "$nr" -eq "$(wc -l <"$work/all")" ] || echo "of $(wc -l <"$work/all") rows in the list, these were tried:"
echo "$caught of $nr broken rules caught"
[ "$caught" -eq "$nr" ]
