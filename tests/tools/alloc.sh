#!/bin/bash
# Memory runs out, at one allocation after the other, in every command: alloc.sh PROGRAM [quick|full|every] [PATTERN]. PROGRAM
# is sahm-alloc of the sanitized build (mk/test.mk), whose own allocations fail as tests/alloc/fail_alloc.c is configured.
#
# Each scenario is carried out once with all the memory that it wants, and its allocations are counted. Then one of them
# fails, and everything is looked at; then another one. quick takes one or two of each scenario; full the first and the last
# of every way through the program to an allocation; every takes them all, however alike they are; some fail along with all
# that come after.
# Whatever fails: either the program does without, and all it says and writes is as before, or it ends with exit code 1 and
# says in its error that memory is short. Nothing leaks, nothing crashes, no temporary file stays; a file is as it was, as it should
# become, or not there, and what can be gone on with is gone on with. PATTERN: only scenarios whose names match it.
set -u
. tests/tools/expect.sh
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1") tier=${2:-quick} pattern=${3:-*} lane=${4:-}
build=$(dirname "$program") tree=$(pwd)
[ -x "$program" ] || fail "there is no $program: make VARIANT=asan build/asan/sahm-alloc"
T=$(mktemp -d "${TMPDIR:-/tmp}/sahm alloc.XXXXXX") || exit 2
server=
. tests/tools/scenarios.sh
trap 'kill $server "${lanes[@]}" 2>/dev/null; wait; rm -rf "$T"' EXIT
trap 'exit 1' HUP INT TERM

if [ -z "$lane" ]; then
	# Whatever takes memory can fail: no way to it has been forgotten.
	calls=$(sed -n 's/^ALLOC_CALLS := / /p' mk/test.mk)" "
	for call in $(nm -u "$build/libsahm.a" "$build"/obj/sim/cli/*.o 2>/dev/null | awk '{ print $NF }' | sort -u | grep -Ex \
		'(m|c|re|v|aligned_|reallocarr)alloc|reallocarray|(posix_)?memalign|strn?dup|v?asprintf|get(line|delim)|open_memstream|f(re|d|mem)?open(64)?|fopencookie|tmpfile(64)?|(fd)?opendir|scandir(64)?|realpath|mmap(64)?|mremap|get_current_dir_name|glob(64)?'); do
		case $calls in *" $call "*) ;; *) fail "$call() is called, and never fails: ALLOC_CALLS in mk/test.mk" ;; esac
	done
	in_two_lanes bash "$0" "$program" "$tier" "$pattern"
	exit
fi
export ASAN_OPTIONS=detect_leaks=1:exitcode=99 UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1:exitcode=99 LSAN_OPTIONS=print_suppressions=0
short_of_memory='^sahm: error: .*\(out of memory\|Cannot allocate memory\|no more memory\)'
nr_points=0 nr_without=0 nr_scenarios=0

# ---- What is looked at ----

# Is every file of folder $T/try as it was ($T/start) or as it becomes ($T/good)? carries_on() checks `open` files.
files_are_whole() {
	local file
	diff -rq "$T/start" "$T/try" >/dev/null 2>&1 && return
	diff -rq "$T/good" "$T/try" >/dev/null 2>&1 && return
	if [ "$folder" = whole ]; then
		complaint="neither all files nor none: $(cd "$T/try" && find . -type f | tr '\n' ' ')"
		return 1
	fi
	while IFS= read -r file; do
		# shellcheck disable=SC2254 # a pattern
		case ${file##*/} in
		.sahm-* | *.sahm-*-* | *.tmp) ;;
		$open) continue ;;
		*)
			cmp -s "$T/start/$file" "$T/try/$file" && continue
			cmp -s "$T/good/$file" "$T/try/$file" && continue
			is_unfinished_page "$T/try/$file" && continue
			;;
		esac
		complaint="$file is neither as before nor as it should be"
		return 1
	done < <(cd "$T/try" && find . -type f)
	while IFS= read -r file; do
		[ -e "$T/try/$file" ] || [ ! -e "$T/good/$file" ] || { complaint="$file is gone"; return 1; }
	done < <(cd "$T/start" && find . -type f)
}

run() { # FOLDER VARIABLE=VALUE...: the scenario's command there; its streams go to $T/out and $T/err
	begin_try
	(cd "$T/try" && exec env "$@" timeout -k 5 120 "$program" "${words[@]}" <"$input" >"$T/out" 2>"$T/err")
}

judge() { # CODE: of the last command
	complaint=
	local err
	err=$(tr -d '\0' <"$T/err")
	if [ "$1" -eq 99 ] || [ "$1" -gt 123 ] || [[ $err == *Sanitizer* || $err == *"runtime error:"* ]]; then
		complaint="exit code $1"
	elif [ "$1" -eq "$wanted" ] && { [ "$printed" = any ] || cmp -s "$T/out" "$T/good.out"; }; then
		[ -n "$open" ] || diff -rq "$T/good" "$T/try" >/dev/null 2>&1 || complaint="exit code $1, but other files than with all memory"
		without=1
	elif [ "$1" -ne 1 ]; then
		complaint="exit code $1, and other output than with all memory"
	elif ! grep -q "$short_of_memory" "$T/err"; then
		complaint="no error says that memory is short"
	fi
	[ -n "$complaint" ] || files_are_whole
	[ -n "$complaint" ] || [ -z "$after" ] || $after || complaint=${complaint:-"it does not go on afterwards"}
	[ -z "$complaint" ]
}

point() { # NUMBER VARIABLE=VALUE...
	local code struck without=0
	run SAHM_TEST_COUNT_ALLOC="$T/count" SAHM_TEST_FAIL_ALLOC="$@"
	code=$?
	read -r _ _ struck <"$T/count"
	nr_points=$((nr_points + (${struck:-1} > 0)))
	if judge $code; then
		nr_without=$((nr_without + (without && ${struck:-1} > 0)))
		return
	fi
	nr_bad=$((nr_bad + 1))
	printf 'FAILED %s: %s\n  SAHM_TEST_FAIL_ALLOC=%s %s\n' "$name" "$complaint" "$*" "${words[*]}"
	tail -n 12 "$T/err" | cut -c1-200 | sed 's/^/    /'
}

# Of all allocations, 1 to $1, those that are tried: every one, the first and the last of every way ($2), or $3 of these.
numbers() {
	if [ "$tier" = every ]; then
		seq "$1"
		return
	fi
	sort -n <<<"${2// /$'\n'}" | awk -v some="$3" -v from="$from" 'NF { n[++nr] = $0 } END {
		if (some == 0 || some > nr) some = nr
		for (i = 0; i < some; i++) print n[int((i + from / 1000) * nr / some) + 1] }'
}

try_scenario() {
	local own most_forked ways forked_ways n some=1 all=1 began=$SECONDS before=$nr_points bad=$nr_bad
	# Whether that leaks is seen by others.
	run SAHM_TEST_COUNT_ALLOC="$T/count" ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=0"
	local code=$?
	if [ $code -ne "$wanted" ]; then
		nr_bad=$((nr_bad + 1))
		printf 'FAILED %s: exit code %d with all memory\n' "$name" $code
		tail -n 30 "$T/err" | sed 's/^/    /'
		return
	fi
	cp -a "$T/try" "$T/good"
	cp "$T/out" "$T/good.out"
	{ read -r own most_forked _ && read -r ways && read -r forked_ways; } <"$T/count"
	# In quick, another part of each scenario; and of every fourth, all that comes after it as well.
	from=$((nr_named * 618 % 1000))
	[ "$tier" = quick ] || some=$most all=12 from=500
	for n in $(numbers "$own" "$ways" "$some"); do
		point "$n"
	done
	if [ "$tier" != quick ] || [ $((nr_named % 4)) -eq 0 ]; then
		for n in $(tier=some numbers "$own" "$ways" $all); do
			point "$n" SAHM_TEST_FAIL_ALL=1
		done
	fi
	if [ -n "$forked" ]; then
		[ "$most_forked" -gt 0 ] || fail "scenario $name: nothing is forked"
		for n in $(numbers "$most_forked" "$forked_ways" "$some"); do
			point "$n" SAHM_TEST_FAIL_FORKED=1
		done
	fi
	nr_scenarios=$((nr_scenarios + 1))
	printf '%-28s %5d own, %5d forked: %5d failed, %d complaints (%d s)\n' "$name" "$own" "$most_forked" $((nr_points - before)) \
		$((nr_bad - bad)) $((SECONDS - began))
}

. tests/tools/scenario_list.sh
printf '%d scenarios, %d failed allocations, %d of them without consequence, %d complaints\n' $nr_scenarios $nr_points \
	$nr_without $nr_bad
[ $nr_bad -eq 0 ] || exit 1
[ -z "$missing" ] || { echo "not there:$missing (all else holds)"; exit 77; }
