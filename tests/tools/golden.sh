#!/bin/sh
# Replays command transcripts: golden.sh [--update] FOLDER_OF_PROGRAM FILE.t...
# In a transcript a line `$ COMMAND` is run by sh from the top of the tree; what it prints (both streams) and, unless 0, its
# exit code as `[N]` must follow it exactly. Lines `## ...` are comments. $T is an empty scratch folder, written @T@ in
# output; the top of the tree is written @ROOT@.
set -u
update=
[ "${1:-}" = --update ] && { update=1; shift; }
program_folder=$(cd "$1" && pwd) || exit 2
shift
PATH=$program_folder:$PATH
export PATH NO_COLOR=1 LC_ALL=C
root=$(pwd)
failures=0
for transcript in "$@"; do
	T=$(mktemp -d "${TMPDIR:-/tmp}/sahm golden.XXXXXX") || exit 2
	export T
	actual=$T/.actual
	while IFS= read -r line; do
		case $line in
		'$ '*)
			printf '%s\n' "$line"
			(eval "${line#??}") >"$T/.out" 2>&1 </dev/null
			code=$?
			sed -e "s|$T|@T@|g" -e "s|$root|@ROOT@|g" "$T/.out"
			[ $code -eq 0 ] || echo "[$code]"
			;;
		'## '*) printf '%s\n' "$line" ;;
		esac
	done <"$transcript" >"$actual"
	if [ -n "$update" ]; then
		cp "$actual" "$transcript"
	elif ! diff -u "$transcript" "$actual"; then
		failures=$((failures + 1))
	fi
	rm -rf "$T"
done
[ $failures -eq 0 ]
