#!/bin/sh
# Pages are for all readers: page.sh PROGRAM [FOLDER...] opens the pages of folders (index.html), or those that the program makes
# and one with something of everything, in a browser, as page.py says; and a broken one, of which page.py must complain.
set -u
folder=$(cd "$(dirname "$0")" && pwd)
program=$(cd "$(dirname "$1")" && pwd)/${1##*/}
SAHM_DATA=$folder/../..
export SAHM_DATA
tests=$(cd "$(dirname "$1")" && pwd)/tests
shift

fail() {
	echo "$*" >&2
	exit 1
}

command -v python3 >/dev/null 2>&1 || { echo "python3 is not installed"; exit 77; }
browser=
for name in chromium chromium-browser google-chrome; do
	[ -n "$browser" ] || browser=$(command -v $name)
done
[ -n "$browser" ] || { echo "chromium is not installed"; exit 77; }

# A name that must be escaped in addresses.
out=$(mktemp -d "${TMPDIR:-/tmp}/sahm page #1 %41 ö?.XXXXXX") || exit 1
trap 'rm -rf "$out"' EXIT
trap 'exit 1' HUP INT TERM

if [ $# -eq 0 ]; then
	mkdir "$out/sample"
	SAHM_PAGE_SAMPLE="$out/sample" "$tests/results_page" test_page_sample || fail "no sample"
	"$program" reproduce -o "$out/reproduced" >"$out/said" 2>&1 || { cat "$out/said" >&2; fail "no reproduction"; }
	"$program" reproduce --suite small --no-plots -o "$out/small" >"$out/said" 2>&1 || { cat "$out/said" >&2; fail "nothing of real traces"; }
	"$program" sweep "$SAHM_DATA/configs/studies/paper/realistic.cfg" -q -o "$out/sweep.sqlite" >"$out/said" 2>&1 &&
		"$program" report "$out/sweep.sqlite" >"$out/said" 2>&1 || { cat "$out/said" >&2; fail "no report"; }
	# Many axes: many columns, with long names.
	"$program" sweep "$SAHM_DATA/configs/canonical.cfg" -s workload.duration_ms=100 -a scheduler.inertia=0,5 -a migration.cost_ms=0,1 \
		-a scheduler.policy=sahm,sahm-strict -a scheduler.timestep_ms=5,10 -a scheduler.oracle=false,true -a workload.samples=1,3 \
		-q -o "$out/axes.sqlite" >"$out/said" 2>&1 &&
		"$program" report "$out/axes.sqlite" --no-plots >"$out/said" 2>&1 || { cat "$out/said" >&2; fail "no report of many axes"; }
	set -- "$out/sample" "$out/reproduced" "$out/small" "$out/sweep.report" "$out/axes.report"
fi
python3 "$folder/page.py" "$browser" "$@" || fail "the pages are not as they should be"

mkdir "$out/broken"
cat >"$out/broken/index.html" <<'PAGE'
<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>broken</title>
<meta http-equiv="Content-Security-Policy" content="script-src 'none'"><link rel="icon" href="data:,">
<style>a{outline:none!important} :root{color-scheme:light dark} @media print{:root{background:#000}}</style></head>
<body><main><h1>One</h1><h3 id="x">Three</h3><p id="x" style="color:#999">pale</p>
<p><a href="#nowhere">nowhere</a> <a href="absent.csv">absent</a></p>
<img src="absent.svg" alt="" width="10"><img src="http://elsewhere.invalid/x.png" alt="elsewhere" width="1">
<div class="scroll" style="overflow:auto;max-width:100%" tabindex="-1"><div tabindex="-1" style="width:3000px">wide</div></div>
<table style="width:2000px;background:#fff"><tr><th>a</th><td class="bad">b</td></tr><tr><td>c</td></tr></table>
<details><summary>more</summary>more</details>
</main><script>console.log('x')</script></body></html>
PAGE
python3 "$folder/page.py" "$browser" "$out/broken" >"$out/said" && fail "a broken page passes"
while IFS= read -r words; do
	grep -q -- "$words" "$out/said" || { cat "$out/said" >&2; fail "no complaint of '$words'"; }
done <<'WORDS'
leaves out a level
id "x" is there twice
attribute style
scripts
absent.svg has no text
absent.svg is no picture
#nowhere
absent.csv leads nowhere
a heading of a table has no scope
a table has no name
a table has no headings
a row has 1 cells
360 px, light, details closed: the page is 20[0-9]* px wide: <table
1280 px, dark, details open: the page
360 px, light, details closed: a verdict is out of sight
360 px, light, details closed: contrast 2
360 px, dark, details closed: contrast 1
the focus cannot be seen
does not reach the skip link first
does not reach <div class="scroll"
print: the page is
print: on dark paper
print: 1 regions are clipped
fetches http://elsewhere.invalid/x.png
not loaded: file:.*absent.svg
log: .*Content Security Policy
WORDS
