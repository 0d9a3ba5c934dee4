#!/bin/sh
# docs/counters.md prints what the program prints, and its example in C can be compiled and run: counters_docs.sh PROGRAM LIBRARY CC
set -u
. tests/tools/steps.sh
steps_begin docs/counters.md "$1"
library=$(cd "$(dirname "$2")" && pwd)/${2##*/}
cp tests/data/streams/sort.stream "$folder/place" || exit 1

step stat
shows
step events
says PAPI_BR_PRC "0x4000 - 0x2001" FETCH_BUBBLE
step multiplex
shows
step kinds
shows
step misses
shows
step intervals
says "sort.trc: 4 epochs of 3 ms"
step signals
command -v gnuplot >/dev/null 2>&1 && {
	step temporal
	says "in doubt" "most frequent"
}

step_text example >"$folder/example.c"
libraries=$(pkg-config --libs libconfig libsodium jansson libzstd gsl libelf sqlite3) || fail "pkg-config finds no libraries"
"${3:-cc}" -std=gnu11 -O1 -Wall -Wextra -Werror -I. -o "$folder/example" "$folder/example.c" "$library" $libraries -lm -ldl ||
	fail "the example does not compile"
name=compile
"$folder/example" configs/cores/u74.cfg configs/cpus tests/data/streams/sort.stream >"$folder/said" 2>&1 || fail "the example fails"
shows
