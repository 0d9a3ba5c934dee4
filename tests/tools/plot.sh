#!/bin/sh
# Figures: plot.sh PROGRAM draws those of the shipped traces and of traces with hostile names, and sees what happens when
# gnuplot is missing or fails. Data and scripts are checked without gnuplot too.
set -u
. tests/tools/expect.sh
program=$(cd "$(dirname "$1")" && pwd)/${1##*/}
figures="occupancy_by_cuts occupancy occupancy_by_trace transitions intervals"
# A name that a shell and gnuplot would both stumble over.
out=$(mktemp -d "${TMPDIR:-/tmp}/sahm plot '\"\$(x).XXXXXX") || exit 1
trap 'rm -rf "$out"' EXIT

has_data() { # FOLDER
	for figure in $figures; do
		[ -s "$1/$figure.csv" ] && [ -s "$1/$figure.gp" ] || fail "no data or no script of $figure in $1"
	done
}

has_no_pictures() { # FOLDER
	for file in "$1"/*.svg "$1"/*.png "$1"/.sahm*; do
		[ ! -e "$file" ] || fail "left behind: $file"
	done
}

well_formed() { # FILE.svg
	if command -v xmllint >/dev/null 2>&1; then
		xmllint --noout "$1"
	elif command -v python3 >/dev/null 2>&1; then
		python3 -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' "$1"
	else
		tail -n 1 "$1" | grep -q '^</svg>'
	fi
}

has_pictures() { # FOLDER
	for figure in $figures; do
		well_formed "$1/$figure.svg" || fail "not well-formed: $1/$figure.svg"
		[ "$(head -c 8 "$1/$figure.png" | od -An -tx1 | tr -d ' ')" = 89504e470d0a1a0a ] || fail "no PNG: $1/$figure.png"
	done
	[ "$(find "$1" -mindepth 1 | wc -l)" -eq 20 ] || fail "too much in $1: $(ls -A "$1")"
}

fake() { # COMMANDS: a gnuplot that does just that
	mkdir -p "$out/bin"
	printf '#!/bin/sh\n%s\n' "$1" >"$out/bin/gnuplot"
	chmod +x "$out/bin/gnuplot"
}

# Traces whose names try to get into the script or out of their column.
hostile_names() {
	cat <<'NAMES'
"; system("touch PWNED"); "
`touch PWNED`
'.system('touch PWNED').'
$(touch PWNED) | sh
a,b,"c",d
"
@macro _{sub}^{sup} {/Bold x} &{y}
back\slash\n\t\
<svg onload="x"> & ]]> </text>
100% %s %n %d %%
größe 漢字 😀
# comment
NaN
NAMES
	printf 'x%.0s' $(seq 200)
	printf '\n'
}
mkdir "$out/hostile"
nr=0
hostile_names >"$out/names"
while IFS= read -r name; do
	nr=$((nr + 1))
	{
		printf '# sahm trace 1\n# name: %s\n# epoch_ns: 1000000\n# source: synthetic\n' "$name"
		grep -v '^#' workloads/suites/small/cc1.csv
	} >"$out/hostile/$nr.csv"
done <"$out/names"

# Without gnuplot: the report, data, scripts, and what to do.
expect 1 "$out/said" env PATH=/nowhere "$program" characterize --plot "$out/it's" workloads/suites/small/*.csv
has_data "$out/it's"
has_no_pictures "$out/it's"
grep -q '^mean ' "$out/said" || fail "no report without gnuplot"
grep -q 'error: gnuplot is not installed; data and scripts are in' "$out/said" || fail "no message: $(cat "$out/said")"
expect 1 "$out/said" env PATH=/nowhere "$program" characterize --plot "$out/wild" "$out"/hostile/*.csv
has_data "$out/wild"
grep -q synthetic "$out/wild/occupancy.gp" || fail "no figure says that it is synthetic"
head -n 1 "$out/wild/occupancy.csv" | grep -q synthetic_occupancy_pct || fail "no column says that it is synthetic"
! grep -l 'PWNED\|macro\|slash' "$out/wild"/*.gp || fail "a name got into a script"

# A gnuplot that fails, in several ways; pictures of before are gone.
fake 'echo "cannot do that" >&2; exit 3'
for picture in "$out/it's/occupancy.svg" "$out/it's/intervals.png"; do echo old >"$picture"; done
expect 1 "$out/said" env PATH="$out/bin:$PATH" "$program" characterize --force --plot "$out/it's" workloads/suites/small/*.csv
grep -q "error: gnuplot failed with exit status 3 on .*occupancy_by_cuts.gp': cannot do that" "$out/said" || fail "$(cat "$out/said")"
has_data "$out/it's"
has_no_pictures "$out/it's"
fake 'kill -9 $$'
expect 1 "$out/said" env PATH="$out/bin:$PATH" "$program" characterize --force --plot "$out/it's" workloads/suites/small/*.csv
grep -q 'error: gnuplot was ended by signal 9' "$out/said" || fail "$(cat "$out/said")"
fake 'printf "<svg>" > "$(echo .sahm-*)/occupancy_by_cuts.svg"'
expect 1 "$out/said" env PATH="$out/bin:$PATH" "$program" characterize --force --plot "$out/it's" workloads/suites/small/*.csv
grep -q "error: gnuplot did not finish '.*occupancy_by_cuts.svg'" "$out/said" || fail "$(cat "$out/said")"
has_no_pictures "$out/it's"
# One picture of a figure without the other is none.
fake 'echo "</svg>" > "$(echo .sahm-*)/occupancy_by_cuts.svg"'
expect 1 "$out/said" env PATH="$out/bin:$PATH" "$program" characterize --force --plot "$out/it's" workloads/suites/small/*.csv
grep -q "error: gnuplot did not finish '.*occupancy_by_cuts.png'" "$out/said" || fail "$(cat "$out/said")"
has_data "$out/it's"
has_no_pictures "$out/it's"

command -v gnuplot >/dev/null 2>&1 || { echo "gnuplot is not installed (data and scripts were checked)"; exit 77; }

# Somebody's own settings have no say.
mkdir "$out/home"
echo 'exit status 5' >"$out/home/.gnuplot"
expect 0 "$out/said" env HOME="$out/home" "$program" characterize --force --plot "$out/it's" workloads/suites/small/*.csv
has_pictures "$out/it's"
# Started with SIGCHLD ignored, as some services do, it hears no exit status.
if command -v python3 >/dev/null 2>&1; then
	expect 0 "$out/said" python3 -c 'import os, signal, sys
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
os.execv(sys.argv[1], sys.argv[1:])' "$program" characterize --force --plot "$out/it's" workloads/suites/small/*.csv
	has_pictures "$out/it's"
fi
expect 0 "$out/said" "$program" characterize --force --plot "$out/wild" "$out"/hostile/*.csv
has_pictures "$out/wild"
[ -z "$(find "$out" . -name PWNED -not -path './build/*')" ] || fail "a name was run"
grep -q warning "$out/said" && fail "gnuplot complains: $(cat "$out/said")"

# A gnuplot that has little memory: all figures, or an error that names it, with whole pictures, and both of a figure.
real=$(command -v gnuplot)
for kilobytes in 10000 60000 120000 150000 200000 250000; do
	fake "ulimit -v $kilobytes && exec '$real' \"\$@\""
	rm -rf "$out/short"
	env PATH="$out/bin:$PATH" "$program" characterize --plot "$out/short" workloads/suites/small/gzip.csv >"$out/said" 2>&1
	code=$?
	has_data "$out/short"
	for figure in $figures; do
		[ ! -e "$out/short/$figure.svg" ] || well_formed "$out/short/$figure.svg" || fail "cut: $figure.svg"
		[ -e "$out/short/$figure.svg" ] || [ ! -e "$out/short/$figure.png" ] || fail "$figure.png without $figure.svg"
		[ -e "$out/short/$figure.png" ] || [ ! -e "$out/short/$figure.svg" ] || fail "$figure.svg without $figure.png"
	done
	for file in "$out/short"/.sahm*; do
		[ ! -e "$file" ] || fail "left behind: $file"
	done
	case $code in
	0) has_pictures "$out/short" ;;
	1) grep -q "^sahm: error: gnuplot .* '$out/short/" "$out/said" || fail "$kilobytes KB: $(cat "$out/said")" ;;
	*) fail "exit code $code where gnuplot has $kilobytes KB: $(cat "$out/said")" ;;
	esac
done

# One epoch: no transition, one interval.
{ grep '^#' workloads/suites/small/cc1.csv; grep -v '^#' workloads/suites/small/cc1.csv | head -n 2; } >"$out/one.csv"
expect 0 "$out/said" "$program" characterize --plot "$out/one" "$out/one.csv"
has_pictures "$out/one"

# By hand and elsewhere, all scripts at once, the same pictures come about.
mv "$out/it's" "$out/moved"
mkdir "$out/drawn"
mv "$out/moved"/*.svg "$out/moved"/*.png "$out/drawn"
(cd "$out/moved" && gnuplot *.gp) >"$out/said" 2>&1 || fail "by hand: $(cat "$out/said")"
has_pictures "$out/moved"
for figure in $figures; do
	cmp "$out/moved/$figure.svg" "$out/drawn/$figure.svg" || fail "drawn by hand, $figure.svg is another"
done
