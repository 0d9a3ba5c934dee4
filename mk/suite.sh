#!/bin/sh
# From the character table to the suite: suite.sh FIT PROGRAM FOLDER makes FOLDER/spec2017.profile and the traces in
# FOLDER/spec2017 from FOLDER/spec2017.character. Existing files are replaced at the end, when all of it is made and the
# study's claims hold.
set -eu
fit=$1 program=$2 folder=$3
new=$folder/.spec2017-new old=$folder/.spec2017-old
rm -rf "$new" "$old"
trap 'rm -rf "$new"' EXIT
trap 'exit 1' HUP INT TERM
mkdir "$new"
"$fit" "$folder/spec2017.character" "$new/spec2017.profile"
"$program" trace synth "$new/spec2017.profile" --form trc.zst -o "$new/spec2017" 2>"$new/said" || { cat "$new/said" >&2; exit 1; }
grep warning "$new/said" >&2 || :
"$program" trace synth "$new/spec2017.profile" --verify
# From here on nothing is lost whatever fails, and no signal comes in between.
trap '' HUP INT TERM
trap - EXIT
[ ! -e "$folder/spec2017" ] || mv "$folder/spec2017" "$old"
mv "$new/spec2017" "$folder/spec2017"
mv "$new/spec2017.profile" "$folder/spec2017.profile"
rm -rf "$new" "$old"
