#!/bin/sh
# What docs/results.md shows works: reports.sh PROGRAM runs its steps, one after the other, in an empty folder.
set -u
. tests/tools/steps.sh
steps_begin docs/results.md "$1"

step first
awk '$0 == "<!-- prints -->" { found = 1; next } found && /^```/ { if (nr++) exit; next } found { print }' docs/results.md >"$folder/shown"
[ -s "$folder/shown" ] && grep -v '^sahm: warning: gnuplot' "$folder/said" | cmp -s - "$folder/shown" ||
	fail "docs/results.md shows another answer"
[ -s "$folder/place/first.report/index.html" ] && [ -s "$folder/place/first.report/axes.csv" ] || fail "there is no report"
step part
says 'cheap/index.html: 22 points' 'best migrations_per_s'
step again
says 'the same'
digests() {
	grep -o 'Digest of the results</dt><dd>[0-9a-f]*' "$1"
}
[ "$(digests "$folder/place/first.report/index.html")" = "$(digests "$folder/place/again/first.report/index.html")" ] ||
	fail "done again, it has another digest"
