#!/bin/sh
# determinism.sh PROGRAM [quick|full]: one program prints and writes the same bytes in any surroundings. What digest.sh shows of it
# under the plainest ones is compared with the same under others: locales, time zones, clocks, environments, folders, memory, order
# of folders, number of processes. quick: two runs in which all of that is different at once, and, if bytes differ, one more for each
# separately, to name the cause. full: each of them separately as well, and more commands in the two.
# shellcheck disable=SC2086 # lists are split on purpose
set -u
LC_ALL=C
export LC_ALL
. tests/tools/expect.sh
real=$(cd "$(dirname "$1")" && pwd)/${1##*/}
tier=${2:-quick}
tree=$(pwd -P)
# A word for another shell, whatever is in it.
in_quotes() {
	printf "'%s'" "$(printf '%s' "$1" | sed "s/'/'\\\\''/g")"
}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
left_out='' preload=''

# Locales with commas as decimal points, and, in the Turkish one, a dotless i.
mkdir "$work/locales"
for locale in de_DE tr_TR; do
	localedef -i $locale -f UTF-8 "$work/locales/$locale.UTF-8" >/dev/null 2>&1
done
# A clock that has jumped, and folders backwards.
if ${CC:-cc} -shared -fPIC -o "$work/surrounding.so" tests/tools/surrounding.c -ldl >"$work/said" 2>&1; then
	year=$(LD_PRELOAD=$work/surrounding.so SURROUNDING_AHEAD=4000000000 date +%Y)
	[ "$year" -gt 2106 ] || fail "the clock has not jumped: $year"
	mkdir "$work/order" && : >"$work/order/1" && : >"$work/order/2"
	[ "$(ls -U "$work/order" | tac)" = "$(LD_PRELOAD=$work/surrounding.so SURROUNDING_REVERSED=1 ls -U "$work/order")" ] ||
		fail "folders are not read backwards"
	preload="LD_PRELOAD=$work/surrounding.so"
fi
# The same files at another place, with another program file, and another data folder.
copy="$work/another place, with blanks"
mkdir -p "$copy/build" "$copy/tests/fuzz/corpus" "$work/here" "$work/nobody" "$work/temporary"
cp -r configs workloads ipu "$copy/" && cp -r tests/data "$copy/tests/" && cp -r tests/fuzz/corpus/ipu_elf "$copy/tests/fuzz/corpus/" || exit 1
cp "$real" "$copy/build/sahm" || exit 1
for folder in configs workloads ipu tests; do
	ln -s "$tree/$folder" "$work/here/$folder"
done
many=$(awk 'BEGIN { for (i = 0; i < 1000; i++) printf "SAHM_VARIABLE_%d=%0100d ", i, i }')

processor=$(taskset -cp $$ 2>/dev/null | sed 's/.*: *//; s/[-,].*//')

# give NAME=VALUE...: to the program's environment.
give() {
	for variable; do
		variables="$variables '$variable'"
	done
}

# surround PART: one thing that is different.
surround() {
	case $1 in
	plain | C) give LC_ALL=C ;;
	C.UTF-8) give LC_ALL=C.UTF-8 ;;
	de_DE | tr_TR) give LC_ALL=$1.UTF-8 LANGUAGE=de LOCPATH="$work/locales" ;;
	utc) give TZ=UTC ;;
	kathmandu) give "TZ=<+0545>-5:45" ;;
	summer) give TZ=EST5EDT,M3.2.0,M11.1.0 ;;
	2040 | 2107 | 9000) give "$preload" SURROUNDING_AHEAD=$((($1 - 1970) * 31556952 + 15000000 - $(date +%s))) ;;
	backwards) give "$preload" SURROUNDING_REVERSED=1 ;;
	settings)
		give HOME="$work/nobody" XDG_CACHE_HOME="$work/nobody" TMPDIR="$work/temporary" COLUMNS=20 LINES=3 TERM=xterm-256color
		give USER=nobody GSL_RNG_SEED=7 GSL_RNG_TYPE=taus GSL_IEEE_MODE=round-up POSIXLY_CORRECT=1 SOURCE_DATE_EPOCH=1
		;;
	dumb) give TERM=dumb NO_COLOR=1 COLUMNS=400 ;;
	many) give $many ;;
	data) give SAHM_DATA="$copy" ;;
	copy) place=$copy program=$copy/build/sahm ;;
	umask) before="umask 077" ;;
	stack) before="ulimit -s 512" ;;
	dirty) give MALLOC_PERTURB_=165 ;;
	scattered) give MALLOC_PERTURB_=90 MALLOC_TOP_PAD_=0 MALLOC_MMAP_THRESHOLD_=4096 ;;
	unmoved) command="$(command -v setarch) -R" ;;
	alone) command="$(command -v taskset) -c $processor" ;;
	j1 | j8) jobs=${1#j} ;;
	terminal) terminal=1 ;;
	*) fail "no surrounding '$1'" ;;
	esac
}

# in_surrounding NAME COMMANDS FILE: what digest.sh shows goes to FILE. NAME is one thing, or several with blanks between.
in_surrounding() {
	variables='' place=$work/here program=$real jobs='' before=: command='' terminal=''
	for part in $1; do
		surround "$part"
	done
	# Only the program gets the surroundings: their effect on the shell and its tools does not matter here.
	{
		echo '#!/bin/sh'
		echo "$before"
		echo "exec $(command -v env) -i PATH=\"\$PATH\" $variables $command $(in_quotes "$program") \"\$@\""
	} >"$work/sahm"
	chmod +x "$work/sahm"
	(
		cd "$place" || exit 1
		if [ -n "$terminal" ]; then
			script -qefc "sh $(in_quotes "$tree/tests/tools/digest.sh") '$work/sahm' out $2 $jobs >'$3' 2>'$work/said'" /dev/null >/dev/null
		else
			sh "$tree/tests/tools/digest.sh" "$work/sahm" out "$2" $jobs >"$3" 2>"$work/said" </dev/null
		fi
	) || { tail -n 3 "$3" >&2; cat "$work/said" >&2; fail "commands fail: $1"; }
	rm -rf "${place:?}/out"
	# Configurations that are written name the files that they take, wherever these are.
	# On pages a quote is written otherwise.
	on_pages=$(printf '%s' "$tree" | sed "s/'/\\&#39;/g")
	sed "s|$tree/||g; s|$on_pages/||g; s|$copy/||g" "$3" >"$3.new" && mv "$3.new" "$3" || exit 1
	[ "$(grep -ac '^### ' "$3")" -gt 50 ] || fail "next to nothing was shown: $1"
}

# differs NAME COMMANDS: from what is shown plainly; says with which command that begins.
differs() {
	in_surrounding "$1" "$2" "$work/other"
	cmp "$work/plain.$2" "$work/other" >"$work/said" 2>&1 && return 1
	at=$(sed -n 's/.*: \(char\|byte\) \([0-9]*\),.*/\2/p' "$work/said")
	head -c "${at:-1000000000}" "$work/plain.$2" | grep -a '^### ' | tail -n 1
	diff -a "$work/plain.$2" "$work/other" | head -n 6 | cut -c 1-200
	echo "other bytes from that command on: $1"
}

# What can be had here.
one="tr_TR kathmandu 2107 backwards settings many copy umask scattered unmoved alone j8"
other="de_DE summer 2040 dumb data stack dirty terminal j1"
all="C.UTF-8 utc 9000 $one $other"
for part in $all; do
	case $part in
	de_DE | tr_TR) [ -d "$work/locales/$part.UTF-8" ] || left_out="$left_out $part" ;;
	2040 | 2107 | 9000 | backwards) [ -n "$preload" ] || left_out="$left_out $part" ;;
	unmoved) setarch -R true 2>/dev/null || left_out="$left_out $part" ;;
	alone) taskset -c "$processor" true 2>/dev/null || left_out="$left_out $part" ;;
	terminal) script -qefc true /dev/null >/dev/null 2>&1 || left_out="$left_out $part" ;;
	esac
done
here() { # PART...: those that can be had
	for part; do
		case " $left_out " in *" $part "*) ;; *) printf '%s ' "$part" ;; esac
	done
}

commands=quick
[ "$tier" = quick ] || commands=usual
in_surrounding plain quick "$work/plain.quick"
[ $commands = quick ] || in_surrounding plain $commands "$work/plain.$commands"
found=
for together in "$(here $one)" "$(here $other)"; do
	if differs "$together" $commands >"$work/difference"; then
		cat "$work/difference" >&2
		found=1
	fi
done
if [ -n "$found" ] || [ "$tier" != quick ]; then
	for part in $(here $all); do
		if differs "$part" quick >"$work/difference"; then
			cat "$work/difference" >&2
			found=1
		else
			echo "$part: same bytes"
		fi
	done
fi
[ -z "$found" ] || exit 1
echo "same bytes from $(grep -ac '^### sahm' "$work/plain.$commands") commands"
[ -z "$left_out" ] || { echo "not to be had here:$left_out (all else makes no difference)"; exit 77; }
