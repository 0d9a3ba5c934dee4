#!/bin/sh
# README's examples run as they are written, and print what it shows: readme.sh PROGRAM, in a folder that looks like the
# source tree. Its picture is the one that the command below it draws.
set -u
. tests/tools/steps.sh
steps_begin README.md "$1"
mkdir "$folder/place/build"
ln -s "$folder/bin/sahm" "$folder/place/build/sahm"
ln -s "$tree/configs" "$tree/workloads" "$folder/place/"

for example in chip inertia policy; do
	step $example
	shows
done

picture=docs/pictures/states.svg
grep -qF "]($picture)" README.md || fail "README shows no $picture"
command -v gnuplot >/dev/null || { echo "the examples are right; the picture: gnuplot is not installed"; exit 77; }
command=$(sed -n 's/^(`\(build\/sahm characterize --plot figures .*\)`).*/\1/p' README.md)
[ -n "$command" ] || fail "README does not say how its picture is made"
(cd "$folder/place" && sh -ec "$command") >"$folder/said" 2>&1 || fail "README's picture cannot be drawn"
drawn=$folder/place/figures/occupancy_by_trace.svg
# Another gnuplot draws another text of the same picture.
made_by() {
	sed -n 's/.*\(Produced by GNUPLOT [^<]*\).*/\1/p' "$1"
}
if [ "$(made_by $picture)" != "$(made_by "$drawn")" ]; then
	echo "the examples are right; the picture was $(made_by $picture), and here is another gnuplot"
	exit 77
fi
cmp $picture "$drawn" >"$folder/said" 2>&1 || fail "README's picture is not what is drawn; it is made by: $command"
