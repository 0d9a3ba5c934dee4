#!/bin/sh
# Dependencies point one way: reads the #include lines of every folder and fails on an arrow the other way.
#   sim/cli -> sim/sweep -> results -> sim/engine -> sched, workloads, ipu -> cores -> sim/base   (ipu -> sim/base only)
#   sim/fit -> results
# A folder may include itself and any folder further down its arrows. Tests may include anything but sim/cli and sim/fit.
# With arguments: checks `FOLDER HEADER` alone (for the test of this test).
set -u

allowed() {
	case $1 in
	sim/base) echo "sim/base" ;;
	cores) echo "cores sim/base" ;;
	workloads) echo "workloads cores sim/base" ;;
	sched) echo "sched cores sim/base" ;;
	ipu) echo "ipu sim/base" ;;
	sim/engine) echo "sim/engine sched workloads ipu cores sim/base" ;;
	results) echo "results sim/engine sched workloads ipu cores sim/base" ;;
	sim/sweep) echo "sim/sweep results sim/engine sched workloads ipu cores sim/base" ;;
	sim/fit) echo "sim/fit results workloads cores sim/base" ;;
	sim/cli) echo "sim/cli sim/sweep results sim/engine sched workloads ipu cores sim/base" ;;
	*) echo "" ;;
	esac
}

may_include() { # FOLDER HEADER
	header_folder=${2%/*}
	for ok in $(allowed "$1"); do
		[ "$ok" = "$header_folder" ] && return 0
	done
	return 1
}

if [ $# -eq 2 ]; then
	may_include "$1" "$2"
	exit
fi

failures=0 checked=0
for folder in sim/base cores workloads sched ipu sim/engine results sim/sweep sim/cli sim/fit; do
	for file in "$folder"/*.[ch]; do
		[ -e "$file" ] || continue
		for header in $(sed -n 's/^#include "\([^"]*\)".*/\1/p' "$file"); do
			checked=$((checked + 1))
			# Made by the build, of no folder.
			case $header in model_id.h | shipped_file_list.h) continue ;; esac
			if ! may_include "$folder" "$header"; then
				echo "$file: includes \"$header\", which $folder may not" >&2
				failures=$((failures + 1))
			fi
			case $header in
			*_internal.h) [ "${header%/*}" = "$folder" ] || {
				echo "$file: includes \"$header\", internal to ${header%/*}" >&2
				failures=$((failures + 1))
			} ;;
			esac
		done
	done
done
[ "$checked" -gt 0 ] || { echo "check_layers: found nothing to check" >&2; exit 1; }
[ "$failures" -eq 0 ]
