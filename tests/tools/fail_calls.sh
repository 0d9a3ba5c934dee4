#!/bin/bash
# Every system call of every command fails, or is the last one: fail_calls.sh PROGRAM TOOL [quick|full] [PATTERN]. TOOL is
# tests/torture/fail_calls.c, whose list says which calls fail and how. PATTERN: only scenarios whose names match it, such as
# '@(run|query*)'.
#
# Each scenario (scenario_list.sh) is carried out undisturbed twice, and its calls are counted. Then, case by case, one
# of them fails, or transfers less than asked, or the process is killed right before it; and the same command is called again,
# undisturbed. full takes every call that changes something, and of each other call of a process, however often it is made, up to 5;
# of scenarios that have to be waited for, 2 of any; quick some of each scenario, so that every kind of failure of every call appears.
#
# The disturbed command either does all of its work, with exit code and bytes as if nothing had happened, or it ends with exit code 1
# and an error; its files are as before or as they should become, and nothing else is left. It never crashes or hangs. The second
# call always arrives at the bytes of an undisturbed one. docs/reliability.md has the few exceptions, each of which is tested
# for here by name.
set -u
. tests/tools/expect.sh
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1") tool=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
tier=${3:-quick} pattern=${4:-*} lane=${5:-}
build=$(dirname "$program") tree=$(pwd)
T=$(mktemp -d "${TMPDIR:-/tmp}/sahm calls.XXXXXX") || exit 2
server=
. tests/tools/scenarios.sh
trap 'kill $server "${lanes[@]}" 2>/dev/null; wait; rm -rf "$T"' EXIT
trap 'exit 1' HUP INT TERM
# The number of cases only grows: raise these when it has.
case $tier in
quick) at_least=900 ;;
full) at_least=34000 ;;
*) fail "what is $tier?" ;;
esac

if [ -z "$lane" ]; then
	"$tool" --report "$T/report" "$program" --version >/dev/null 2>"$T/said"
	[ $? -ne 125 ] || { tail -n 1 "$T/said"; exit 77; }
	in_two_lanes bash "$0" "$program" "$tool" "$tier" "$pattern" >"$T/all"
	code=$?
	cat "$T/all"
	nr=$(awk '/^[0-9]* scenarios, / { print $3 }' "$T/all")
	[ -n "$nr" ] && [ "$nr" -gt 0 ] || fail "no case: does '$pattern' match a scenario?"
	# Without a tool that scenarios need there are fewer.
	[ "$pattern" != '*' ] || [ $code -eq 77 ] || [ "${nr:-0}" -ge $at_least ] || fail "fewer than $at_least cases"
	exit $code
fi
# From build/release, the data are found as they are by users: from where the program is.
unset SAHM_DATA
nr_cases=0 nr_failed=0 nr_kills=0 nr_scenarios=0 nr_not_reached=0 nr_without=0 nr_libraries=0
declare -A tried_kinds
shopt -s nullglob dotglob extglob

# ---- What is looked at ----

# run STREAMS COMMAND...: the scenario's command there, under COMMAND; its streams go to $T/STREAMS.out and $T/STREAMS.err.
run() {
	local streams=$T/$1
	shift
	(cd "$T/try" && exec "$@" "$program" "${words[@]}" <"$input" >"$streams.out" 2>"$streams.err")
}
disturbed() { run first "$tool" --report "$T/report" --seconds 60 "$@"; }
again() { run second timeout -k 5 60; }

# Whether a folder is empty; in this process, since there are thousands of cases.
is_empty() {
	local files=("$1"/*)
	[ ${#files[@]} -eq 0 ]
}

# same_bytes A B
same_bytes() {
	local a b
	mapfile -d '' a <"$1"
	mapfile -d '' b <"$2"
	[ "${a[*]}" = "${b[*]}" ]
}

# Temporary files and folders, which may stay after a kill.
is_litter() { # PATH
	case /$1 in
	*/.sahm-* | *.tmp | *-journal) return 0 ;;
	esac
	return 1
}

# The export of a results database; that of an undisturbed run is made once.
exported() { # FILE
	local kept=$T/exports/${1//\//_}
	[[ $1 == "$T/good"* ]] || { "$program" export "$1" 2>/dev/null; return; }
	[ -e "$kept" ] || "$program" export "$1" >"$kept" 2>/dev/null || return
	cat "$kept"
}

# Files that may have several forms are the same if what they hold is.
same_file() { # A B
	cmp -s "$1" "$2" && return
	# shellcheck disable=SC2254 # a pattern
	[ -n "$open" ] && case ${1##*/} in
	*.sqlite) exported "$1" >"$T/exported.1" && exported "$2" >"$T/exported.2" && same_bytes "$T/exported.1" "$T/exported.2" ;;
	*.manifest) false ;;
	$open) true ;;
	*) false ;;
	esac
}

# same_files WANTED: are the files of $T/try those of folder WANTED? But for litter, if $1 is -l.
same_files() {
	local litter='' file wanted
	[ "$1" != -l ] || { litter=1 && shift; }
	difference=
	is_empty "$1" && is_empty "$T/try" && return
	diff -rq "$1" "$T/try" >"$T/differences" 2>&1 && return
	while IFS= read -r file; do
		file=${file#./} wanted=$1/$file
		[ -e "$wanted" ] && continue
		[ -z "$litter" ] || ! is_litter "$file" || continue
		# shellcheck disable=SC2254 # a pattern
		case ${file##*/} in
		*-wal | *-shm | *.lock) [ -n "$open" ] && continue ;;
		$open) [ "$open" = '*' ] && continue ;;
		esac
		difference="there is $file"
		return 1
	done < <(cd "$T/try" && find . -mindepth 1)
	while IFS= read -r file; do
		[ -e "$T/try/$file" ] || { [ "$open" = '*' ] && continue; } || { difference="$file is not there"; return 1; }
		[ -d "$1/$file" ] || same_file "$1/$file" "$T/try/$file" || { difference="$file is different"; return 1; }
	done < <(cd "$1" && find . -mindepth 1)
}

same_output() { # STREAMS FILE
	[ "$printed" = any ] || same_bytes "$T/$1.out" "$T/$2"
}

# Is every file that is there as before or as it becomes?
files_are_whole() { # of a process that was killed, of which temporary files may stay, if $1 is set
	local file
	is_empty "$T/start" && is_empty "$T/try" && return
	while IFS= read -r file; do
		# shellcheck disable=SC2254 # a pattern
		case ${file##*/} in
		$open) continue ;;
		esac
		[ -z "$1" ] || ! is_litter "$file" || continue
		cmp -s "$T/start/$file" "$T/try/$file" || cmp -s "$T/good/$file" "$T/try/$file" || is_unfinished_page "$T/try/$file" || {
			# A lock is taken on a file before there is anything in it.
			[ -z "$1" ] || [ -s "$T/try/$file" ] || continue
			complaint="$file is neither as before nor as it should be"
			return
		}
	done < <(cd "$T/try" && find . -type f)
	while IFS= read -r file; do
		[ -e "$T/try/$file" ] || [ ! -e "$T/good/$file" ] || { complaint="$file is gone"; return; }
	done < <(cd "$T/start" && find . -type f)
}

# The disturbed command: what its exit code promises.
judge() { # CODE PROCESS CALL ACTION DESCRIPTOR
	local code=$1 process=$2 call=$3 action=$4 fd=$5 litter='' err
	[ "$action" != kill ] || litter=1
	case $call in unlink* | rmdir) litter=1 ;; esac
	if [ "$code" -eq 124 ]; then
		complaint="does not end"
	elif [ "$action:$process" = kill:0 ]; then
		[ "$code" -eq 137 ] || complaint="exit code $code of a process that was killed"
		[ -n "$complaint" ] || files_are_whole litter
	elif [[ $name:$call:$code == trace-events*:read.file:139 ]]; then
		nr_libraries=$((nr_libraries + 1)) # libpfm uses a line of /proc/cpuinfo that it could not read
	elif [ "$code" -gt 123 ]; then
		complaint="exit code $code"
	elif [ "$code" -eq "$wanted" ] && same_output first good.out && same_files ${litter:+-l} "$T/good"; then
		nr_without=$((nr_without + 1))
	elif [ -n "$reports" ] && [ "$code" -le 1 ] && [ -s "$T/first.out" ]; then
		files_are_whole "$litter"
	elif [ "$code" -eq 1 ]; then
		# No message arrives where standard error fails.
		mapfile err <"$T/first.err"
		[[ ${err[*]} == *"sahm: error: "* || $fd == 2 ]] || complaint="exit code 1 without an error"
		[ -n "$complaint" ] || files_are_whole "$litter"
	else
		complaint="exit code $code${difference:+, but $difference}"
		[ -n "$difference" ] || complaint="exit code $code, but other output"
	fi
}

# The same command, undisturbed: it does what it did the first time or the second.
judge_again() { # CODE
	if [ "$1" -eq "$wanted" ] && same_output second good.out && same_files -l "$T/good"; then
		return
	fi
	local first=$difference
	if [ "$1" -eq "$wanted_2" ] && same_output second good_2.out && same_files -l "$T/good_2"; then
		return
	fi
	complaint="called again, exit code $1${first:+, $first}"
	[ -n "$first" ] || complaint="$complaint, other output"
}

# case_ PROCESS CALL N ACTION
case_() {
	local process=$1 call=$2 n=$3 action=$4 code what fd='' complaint='' difference=''
	# Commands that would make the folder that is there already.
	is_empty "$T/start" && is_empty "$T/try" && [ -z "$reset" ] || begin_try
	disturbed --at "$process:$call:$n" --do "$action"
	code=$?
	read -r what _ _ _ fd <"$T/report"
	if [ "$what" != struck ]; then
		nr_not_reached=$((nr_not_reached + 1))
		return
	fi
	nr_cases=$((nr_cases + 1))
	[ "$action" = kill ] && nr_kills=$((nr_kills + 1)) || nr_failed=$((nr_failed + 1))
	judge $code "$process" "$call" "$action" "$fd"
	# A worker and a submission are called again by what comes after, too; each waits for seconds.
	if [ -z "$complaint" ] && [ "$tier:$after" != quick:ends_well ]; then
		again
		judge_again $?
	fi
	[ -n "$complaint" ] || [ -z "$after" ] || $after || complaint=${complaint:-"it does not go on afterwards"}
	[ -n "$complaint" ] || return
	nr_bad=$((nr_bad + 1))
	printf 'FAILED %s: %s\n  --at %s:%s:%s --do %s: %s\n' "$name" "$complaint" "$process" "$call" "$n" "$action" "${words[*]}"
	sed 's/^/    /' "$T/first.err" | tail -n 4 | cut -c1-200
	[[ $complaint != "called again"* ]] || { echo "  then:" && sed 's/^/    /' "$T/second.err" | tail -n 4 | cut -c1-200; }
}

# Which cases are tried, one a line, from the report of an undisturbed run.
cases() {
	local waits=0
	[ "$most" -eq 0 ] && [ "$after" != ends_well ] || waits=1
	awk -v tier="$tier" -v waits="$waits" -v forked="$forked" -v name="$nr_named" '
		function cases_of(process, call, count, changes, action,   nr, i, limit) {
			limit = tier == "quick" ? 1 : waits ? 2 : changes ? count : 5
			nr = count < limit ? count : limit
			# In quick, another one of each scenario.
			for (i = 0; i < nr; i++)
				print process, call, int((i + (tier == "quick" ? (name * 618 + length(call action) * 97) % 1000 / 1000 : 0.5)) * count / nr) + 1, action
		}
		$1 ~ /^[0-9]+$/ && ($1 == 0 || forked) && $1 <= 2 {
			for (i = 5; i <= NF; i++) cases_of($1, $2, $3, $4, $i)
			cases_of($1, $2, $3, $4, "kill")
		}' "$T/calls"
}

# Of these, those of quick: kinds that were not there yet, and some others.
chosen() {
	[ "$tier" = quick ] || { cat; return; }
	local process call n action nr=0
	while read -r process call n action; do
		nr=$((nr + 1))
		[ -n "${tried_kinds[$call $action]:-}" ] && [ $(((nr * 7 + nr_named) % 24)) -ne 0 ] && continue
		echo "$process $call $n $action"
	done
}

try_scenario() {
	local process call n action began=$SECONDS before=$nr_cases bad=$nr_bad difference=
	# The command is called again in any case.
	case $after in goes_on | merges_again | whole_store) after= ;; esac
	begin_try
	disturbed
	local code=$?
	cp "$T/report" "$T/calls"
	if [ $code -ne "$wanted" ]; then
		nr_bad=$((nr_bad + 1))
		printf 'FAILED %s: exit code %d undisturbed\n' "$name" $code
		tail -n 30 "$T/first.err" | sed 's/^/    /'
		return
	fi
	if grep '^unlisted' "$T/calls" >"$T/said"; then
		nr_bad=$((nr_bad + 1))
		printf 'FAILED %s: calls that tests/torture/fail_call_list.h does not have: %s\n' "$name" "$(sort -u "$T/said" | tr '\n' ' ')"
	fi
	rm -rf "$T/good" "$T/good_2" "$T/exports"
	mkdir "$T/exports"
	cp -a "$T/try" "$T/good"
	cp "$T/first.out" "$T/good.out"
	again
	wanted_2=$?
	cp -a "$T/try" "$T/good_2"
	cp "$T/second.out" "$T/good_2.out"
	while read -r process call n action; do
		tried_kinds[$call $action]=1
		case_ "$process" "$call" "$n" "$action" </dev/null
	done < <(cases | chosen)
	nr_scenarios=$((nr_scenarios + 1))
	printf '%-28s %5d cases, %d complaints (%d s)\n' "$name" $((nr_cases - before)) $((nr_bad - bad)) $((SECONDS - began))
}

. tests/tools/scenario_list.sh
printf '%d scenarios, %d cases: %d calls failed, %d kills; %d of them without consequence, %d crashes of libraries, %d not reached, %d complaints\n' \
	$nr_scenarios $nr_cases $nr_failed $nr_kills $nr_without $nr_libraries $nr_not_reached $nr_bad
[ $nr_bad -eq 0 ] || exit 1
[ -z "$missing" ] || { echo "not there:$missing (all else holds)"; exit 77; }
