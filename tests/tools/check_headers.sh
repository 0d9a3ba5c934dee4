#!/bin/sh
# A header needs nothing included before it: each compiles separately, without warnings. Its include guard is its path. Tables (*_list.h)
# are no headers of that kind, nor are those of programs for the IPU, which are for another machine. Those of sched/scx
# have the kernel's guards, which schedulers look at, and are found as there.
set -u
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
headers=$(find sim cores workloads sched ipu results tests -name '*.h' ! -name '*_list.h' ! -path 'ipu/programs/*' ! -path 'tests/ipu/*' \
	! -path '*/new/*' ! -path 'workloads/suites/open/*' | sort)
[ -n "$headers" ] || { echo "no headers found" >&2; exit 1; }
failures=0
for header in $headers; do
	guard=SAHM_$(echo "$header" | tr 'a-z/.' 'A-Z__')
	flags=
	case $header in
	sched/scx/*) guard=$(sed -n 's/^#ifndef //p;' "$header" | head -n 1) flags='-std=gnu17 -Isched/scx -Wno-format' ;;
	esac
	[ "$(grep -m 2 '^#' "$header")" = "#ifndef $guard
#define $guard" ] || {
		echo "$header: its include guard is not $guard" >&2
		failures=$((failures + 1))
	}
	# Templates say what has to be defined before them.
	! grep -q 'before it includes this file' "$header" || continue
	echo "#include \"$header\"" >"$work/alone.c"
	# Shared code of tests is static, and no single test needs all of it.
	# shellcheck disable=SC2086 # several flags
	${CC:-gcc} -std=c17 -D_GNU_SOURCE -I. -Wall -Wextra $flags -Wmissing-prototypes -Wno-unused-function -Werror -fsyntax-only \
		"$work/alone.c" 2>"$work/log" || {
		echo "$header does not compile alone:" >&2
		grep -m 3 error "$work/log" >&2
		failures=$((failures + 1))
	}
done
[ "$failures" -eq 0 ]
