#!/bin/sh
# Reports of sweeps: report.sh PROGRAM makes some of real sweeps, whole and in part, with names that mean ill, and sees
# effects of a missing or failing gnuplot, and of a full disk.
set -u
program=$(cd "$(dirname "$1")" && pwd)/${1##*/}
plugin=${program%/*}/tests/plugins/gives_up.so
# A name that a shell would stumble over.
out=$(mktemp -d "${TMPDIR:-/tmp}/sahm report '\"\$(x).XXXXXX") || exit 1
trap 'rm -rf "$out"' EXIT

fail() {
	echo "$*" >&2
	[ ! -e "$out/said" ] || cat "$out/said" >&2
	exit 1
}

# expect CODE COMMAND...: its exit code; both its streams go to $out/said.
expect() {
	wanted=$1
	shift
	"$@" >"$out/said" 2>&1
	code=$?
	[ $code -eq "$wanted" ] || fail "exit code $code instead of $wanted: $*"
}

says() { # TEXT...
	for text; do
		grep -qF -e "$text" "$out/said" || fail "it does not say '$text'"
	done
}

page_has() { # PAGE TEXT...
	page=$1/index.html
	shift
	for text; do
		grep -qF -e "$text" "$page" || fail "$page does not say '$text'"
	done
}

page_lacks() { # PAGE TEXT...
	page=$1/index.html
	shift
	for text; do
		! grep -qF -e "$text" "$page" || fail "$page says '$text'"
	done
}

has_data() { # FOLDER FIGURE...
	folder=$1
	shift
	for figure; do
		[ -s "$folder/$figure.csv" ] && [ -s "$folder/$figure.gp" ] || fail "no data or no script of $figure in $folder"
	done
}

# All that a page shows or leads to is there.
links_lead_somewhere() { # FOLDER
	sed -n 's/.*<img src="\([^"]*\)".*/\1/p' "$1/index.html" >"$out/links"
	grep -o 'href="[^"#:]*"' "$1/index.html" | sed 's/href="\(.*\)"/\1/' >>"$out/links"
	[ -s "$out/links" ] || fail "$1 shows nothing"
	while IFS= read -r link; do
		[ -s "$1/$link" ] || fail "$1: there is no $link"
	done <"$out/links"
}

fake() { # COMMANDS: a gnuplot that does just that
	mkdir -p "$out/bin"
	printf '#!/bin/sh\n%s\n' "$1" >"$out/bin/gnuplot"
	chmod +x "$out/bin/gnuplot"
}

sweep() { # STORE [OPTION...]
	store=$1
	shift
	"$program" sweep configs/canonical.cfg -s workload.duration_ms=500 -q -o "$store" "$@"
}

report() { # EXIT_CODE OPERAND...: without gnuplot's pictures, for which there is another test below
	code=$1
	shift
	expect "$code" "$program" report "$@" --no-plots
}

# Two processes or one: the same page, the same figures.
for jobs in 1 2; do
	mkdir "$out/$jobs"
	sweep "$out/$jobs/s.sqlite" -a scheduler.inertia=0..3 -a migration.cost_ms=0..5 -s workload.samples=3 -j $jobs || fail "no sweep"
	report 0 "$out/$jobs/s.sqlite"
	says "s.report/index.html: 24 points, 24 done, 0 failed, 0 missing" 'best speedup_mean +'
done
diff -r "$out/1/s.report" "$out/2/s.report" >"$out/said" || fail "another page with two processes"
has_data "$out/1/s.report" distribution axes axis_1 axis_2 threads
page_has "$out/1/s.report" 'id="threads"' 'intervals of the single points, from the samples' 'sahm rerun s.sqlite.manifest' 'workloads/suites/small/cc1.csv (trace)' \
	'>sahm report s.sqlite<' 'recorded' 'sahm query s.sqlite config &gt; sweep.cfg'
page_lacks "$out/1/s.report" 'synthetic' "$out" 'time of all runs'

# What the page says repeats the sweep, and the repeated one has the same digests.
(
	cd "$out/1" || exit 1
	"$program" query s.sqlite config >sweep.cfg && "$program" sweep sweep.cfg -q -o again.sqlite &&
		"$program" report again.sqlite --no-plots && "$program" rerun s.sqlite.manifest -q
) >"$out/said" 2>&1 || fail "the sweep cannot be repeated"
digest=$(grep -o 'with threads</dt><dd>[0-9a-f]*' "$out/1/s.report/index.html")
[ ${#digest} -eq 85 ] || fail "no digest"
page_has "$out/1/again.report" "$digest"

# Some points, another metric.
report 0 "$out/1/s.sqlite" -o "$out/some" -m migrations_per_s -w inertia=1 --where cost_ms=2 -w cost_ms=3 --top 1
says 'index.html: 2 points, 2 done, 0 failed, 0 missing' 'best migrations_per_s '
page_has "$out/some" 'sahm report s.sqlite --metric migrations_per_s --where inertia=1 --where cost_ms=2 --where cost_ms=3 --top 1' \
	'less is better' 'its effect is not known'

# Points that fail; that are missing; that nobody has; without threads; by the limit; and synthetic ones.
sweep "$out/f.sqlite" -a scheduler.policy=sahm,"$plugin" -a scheduler.inertia=0..2 2>"$out/said" && fail "nothing fails"
report 0 "$out/f.sqlite"
says 'f.report/index.html: 6 points, 3 done, 3 failed, 0 missing'
page_has "$out/f.report" 'id="failed"' 'thread 1 is not to my liking'
sweep "$out/bad.sqlite" -a scheduler.policy="$plugin" 2>"$out/said" && fail "nothing fails"
report 0 "$out/bad.sqlite"
page_has "$out/bad.report" 'No point is finished' 'thread 1 is not to my liking' 'sahm query bad.sqlite config'
[ "$(ls "$out/bad.report")" = index.html ] || fail "figures of nothing: $(ls "$out/bad.report")"
sweep "$out/part.sqlite" -a scheduler.inertia=0..8 --shard 2/3 --no-threads || fail "no shard"
report 0 "$out/part.sqlite"
says 'part.report/index.html: 9 points, 3 done, 0 failed, 6 missing'
page_has "$out/part.report" 'id="missing"' 'not in the results file' 'The results database has no results of single threads'
sweep "$out/limit" -e limit -a chip=study || fail "no limits"
report 0 "$out/limit"
has_data "$out/limit.report" distribution axes axis_1 threads
[ "$(wc -l <"$out/limit.report/axis_1.csv")" -eq 41 ] || fail "not 40 of 256 chips"
page_has "$out/limit.report" 'Of its 256 values the 20 best and, below the line, the 20 worst' 'id="cores"'
"$program" sweep configs/synthetic-39.cfg -s workload.duration_ms=500 -a scheduler.inertia=0,5 -q -o "$out/syn.sqlite" || fail "no sweep"
report 0 "$out/syn.sqlite"
says '2 done, 0 failed, 0 missing (synthetic)'
page_has "$out/syn.report" '(synthetic)</title>' 'The traces are synthetic'
for file in "$out/syn.report"/*.csv "$out/syn.report"/*.gp; do
	grep -q synthetic "$file" || fail "$file does not say that it is synthetic"
done

# Counters that nobody counted; also of a shard that is merged into a store that knows nothing of them.
{
	echo instructions,branches,branch_misses,l1d_accesses,l1d_misses,l2_accesses,l2_misses
	for i in 1 2 3 4 5 6 7 8 9; do echo "100000000,10000000,${i}0000,30000000,300000,300000,30000"; done
} >"$out/counts.csv"
"$program" trace import "$out/counts.csv" --assume l1i_misses=0 --epoch-ms 100 -p source=recorded -o "$out/counts.trc" 2>"$out/said" ||
	fail "no import"
sed "s|\.\./workloads/suites/small/cc1.csv|counts.trc|; s|\.\./workloads|$PWD/workloads|" configs/canonical.cfg >"$out/counts.cfg"
for shard in 1 2; do
	"$program" sweep "$out/counts.cfg" -s workload.duration_ms=500 -a scheduler.inertia=0..3 --shard $shard/2 -q \
		-o "$out/$shard-of-2.sqlite" || fail "no sweep"
done
cp "$out/syn.sqlite" "$out/merged.sqlite"
"$program" merge "$out/merged.sqlite" "$out/1-of-2.sqlite" "$out/2-of-2.sqlite" >"$out/said" 2>&1 || fail "no merge"
for store in 1-of-2 merged; do
	report 0 "$out/$store.sqlite"
	page_has "$out/$store.report" \
		'>Not all counts were measured: 1 of 8 counters assumed: l1i_misses (in one trace or more).<'
done
page_lacks "$out/syn.report" 'measured: '

# One point is no plural.
sweep "$out/point.sqlite" -a scheduler.inertia=5 || fail "no sweep"
report 0 "$out/point.sqlite"
page_has "$out/point.report" 'over 1 point: 1 done' 'Speedup of each thread over 1 point (assumed time base)'
page_lacks "$out/point.report" '1 points'

# Names that mean ill, on axes and on values.
cat >"$out/ill.cfg" <<END
@include "$PWD/configs/canonical.cfg"
sweep : { axes = ( { name = "\`touch PWNED\`<script>"; points = (
	{ name = "\"; system('touch PWNED'); \""; set = []; },
	{ name = "\`touch PWNED\`"; set = ["scheduler.inertia=3"]; },
	{ name = "</td><img src=x onerror=alert(1)>"; set = ["scheduler.inertia=4"]; } ); } ); };
END
if "$program" sweep "$out/ill.cfg" -s workload.duration_ms=500 -q -o "$out/ill.sqlite" >"$out/said" 2>&1; then
	report 0 "$out/ill.sqlite"
	page_lacks "$out/ill.report" '<script' '<img src=x'
	! grep -l 'PWNED\|<script' "$out/ill.report"/*.gp || fail "a name got into a script"
else
	fail "names are refused"
fi

# Without gnuplot: a warning, and all but pictures.
expect 0 env PATH=/nowhere "$program" report "$out/1/s.sqlite" -o "$out/bare"
says 'warning: gnuplot is not installed' '24 done'
has_data "$out/bare" distribution axes axis_1 axis_2 threads
page_has "$out/bare" 'The pictures are missing'
[ -z "$(find "$out/bare" -name '*.svg' -o -name '*.png' -o -name '.sahm*')" ] || fail "pictures without gnuplot"

# A gnuplot that fails: a page without pictures. Figures of a report before, of other points, are gone, and files of others are not.
echo mine >"$out/bare/axis_9.csv"
rm "$out/bare/threads.gp"
expect 0 "$program" report "$out/1/s.sqlite" -o "$out/bare" --no-plots -w inertia=1 -w cost_ms=2
[ ! -e "$out/bare/axis_1.csv" ] && [ ! -e "$out/bare/distribution.gp" ] || fail "figures of before stay"
[ "$(cat "$out/bare/axis_9.csv")" = mine ] || fail "somebody's own file is gone"
fake 'echo "cannot do that" >&2; exit 3'
expect 1 env PATH="$out/bin:$PATH" "$program" report "$out/1/s.sqlite" -o "$out/bare"
says 'gnuplot failed with exit status 3' 'cannot do that'
page_has "$out/bare" 'The pictures are missing'

# Killed while it draws: the page says that it is not finished, and what is beside it is replaced without --force, if it is sahm's.
fake 'echo >"${4%.gp}.svg"; kill -9 $PPID'
expect 137 env PATH="$out/bin:$PATH" "$program" report "$out/1/s.sqlite" -o "$out/bare"
page_has "$out/bare" 'Not finished'
rm -rf "$out/bare"/.sahm-*
cp "$out/bare/axes.csv" "$out/axes.csv"
echo mine >"$out/bare/axes.csv"
report 2 "$out/1/s.sqlite" -o "$out/bare" --force
says "axes.csv' was not written with a page of that folder"
cp "$out/axes.csv" "$out/bare/"
report 0 "$out/1/s.sqlite" -o "$out/bare"
rm "$out/bare/axis_9.csv"
diff -r -x index.html "$out/1/s.report" "$out/bare" >"$out/said" || fail "another page after one that was interrupted"

# Nothing can be written, or read.
touch "$out/file"
report 1 "$out/1/s.sqlite" -o "$out/file"
says "cannot create folder" "a file is called so"
report 1 "$out/1/s.sqlite" -o "$out/not/there"
says "cannot create folder"
if [ -c /dev/full ] && mkdir "$out/late" && ln -s /dev/full "$out/late/index.html"; then
	# A foreign file in the page's place is neither written through nor replaced.
	report 2 "$out/1/s.sqlite" -o "$out/late" --force
	[ -L "$out/late/index.html" ] || fail "somebody's link is replaced"
fi
chmod a-w "$out/1" && mkdir "$out/elsewhere"
report 0 "$out/1/s.sqlite" -o "$out/elsewhere"
chmod u+w "$out/1"
report 1 configs/canonical.cfg -o "$out/none"
[ ! -e "$out/none" ] || fail "a folder for nothing"

command -v gnuplot >/dev/null 2>&1 || { echo "gnuplot is not installed (pages and data were checked)"; exit 77; }
for store in 1/s f syn ill; do
	expect 0 "$program" report "$out/$store.sqlite"
	! grep warning "$out/said" || fail "gnuplot complains"
	links_lead_somewhere "$out/$store.report"
done
[ -z "$(find "$out" . -name PWNED -not -path './build/*')" ] || fail "a name was run"
for store in bad part; do
	expect 0 "$program" report "$out/$store.sqlite"
done
links_lead_somewhere "$out/part.report"
