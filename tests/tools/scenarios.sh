# Sourced by tests that carry out every command under some disturbance (alloc.sh, fail_calls.sh). They set $program, $build (its
# folder), $tree (of the sources), $T (a separate folder), $pattern (of names) and $lane (0 or 1), define try_scenario, and source
# scenario_list.sh.
# Lanes take scenarios by turns, two at a time; what waits in one, for a queue, does not hold up the other.

unset SAHM_REDIS SAHM_REDIS_PASSWORD
export NO_COLOR=1 LC_ALL=C SAHM_DATA=$tree XDG_CACHE_HOME=$T/cache

sahm() { "$program" "$@"; }

# in_two_lanes COMMAND...: runs it with an argument more, 0 and 1, at the same time; the caller's trap kills ${lanes[@]}. Prints what
# both said, and the sums of their closing lines, which begin `N scenarios, `. Returns the worse exit code of both: 77, to skip, is
# better than a failure.
lanes=()
in_two_lanes() {
	local lane code worst=0
	for lane in 0 1; do
		"$@" $lane >"$T/lane.$lane" 2>&1 &
		lanes+=($!)
	done
	for lane in 0 1; do
		wait "${lanes[lane]}"
		code=$?
		[ $code -eq 0 ] || { [ $code -eq 77 ] && [ $worst -ne 0 ]; } || worst=$code
		grep -v '^[0-9]* scenarios, \|^not there:' "$T/lane.$lane"
	done
	lanes=()
	[ "$(cat "$T"/lane.? | grep -c '^[0-9]* scenarios, ')" -eq 2 ] || { echo "a lane came to no end"; return 1; }
	grep -h '^[0-9]* scenarios, ' "$T"/lane.? | awk '{ for (i = 1; i <= NF; i++) $i ~ /^[0-9]+$/ ? sum[i] += $i : word[i] = $i }
		END { for (i = 1; i <= NF; i++) printf "%s%s", i in sum ? sum[i] : word[i], i < NF ? " " : "\n" }'
	grep -h '^not there:' "$T/lane.0"
	return $worst
}

# Makes a folder $T/try as the scenario begins, and what is outside of it.
begin_try() {
	rm -rf "$T/try"
	cp -a "$T/start" "$T/try" || exit 2
	[ -z "$reset" ] || $reset
}

# A page whose command did not get to its end says so, and is whole itself.
is_unfinished_page() { # FILE
	case $1 in
	*/index.html) grep -q '<title>Not finished</title>' "$1" && tail -n 1 "$1" | grep -q '^</html>$' ;;
	*) false ;;
	esac
}

# scenario NAME [WORD=VALUE]... -- COMMAND [ARGUMENT]...: calls try_scenario with these variables, and $name, $words and $T/start.
#   code=N: what it ends with (0); printed=any: times or draws are in what it prints; folder=whole: all of its files or none;
#   open=PATTERN: files that grow, which `after` checks; begin=F: makes $T/start, there; reset=F: before each try;
#   after=F: after each; forked=1: processes that it forks are disturbed, too; input=FILE;
#   reports=1: its output names failures, and it does not fail itself;
#   most=N: of each kind of disturbance in full, where each has to be waited for
missing= nr_named=0 tried_commands= nr_bad=0
scenario() {
	name=$1 wanted=0 printed=same folder=files open= begin= reset= after= forked= input=/dev/null reports= most=0
	shift
	while [ "$1" != -- ]; do
		case $1 in
		code=*) wanted=${1#*=} ;;
		printed=*) printed=${1#*=} ;;
		folder=*) folder=${1#*=} ;;
		open=*) open=${1#*=} ;;
		begin=*) begin=${1#*=} ;;
		reset=*) reset=${1#*=} ;;
		after=*) after=${1#*=} ;;
		forked=*) forked=${1#*=} ;;
		input=*) input=${1#*=} ;;
		reports=*) reports=${1#*=} ;;
		most=*) most=${1#*=} ;;
		*) fail "scenario $name: what is $1?" ;;
		esac
		shift
	done
	shift
	words=("$@")
	tried_commands="$tried_commands|$1|$1 ${2:-}|"
	# shellcheck disable=SC2254
	case $name in
	$pattern) ;;
	*) return ;;
	esac
	nr_named=$((nr_named + 1))
	[ $((nr_named % 2)) -eq "$lane" ] || return
	rm -rf "$T/start" "$T/good"
	mkdir "$T/start"
	[ -z "$begin" ] || (cd "$T/start" && $begin) >"$T/said" 2>&1 || { cat "$T/said" >&2; fail "scenario $name cannot begin"; }
	try_scenario
}
