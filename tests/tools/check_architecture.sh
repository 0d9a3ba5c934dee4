#!/bin/sh
# ARCHITECTURE.md is true: the files that it names exist, every room has a row that names files of that room, and each rule names
# a test or a script.
#   sh tests/tools/check_architecture.sh [DOCUMENT]
set -u
document=${1:-ARCHITECTURE.md}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failures=0

fail() {
	echo "$document: $*" >&2
	failures=$((failures + 1))
}

find . \( -path ./build -o -path ./.git \) -prune -o -type f -print | sed 's|^\./||' >"$work/files"

# exists ROOM NAME: a file of that name, in the room or below it ("" is everywhere).
exists() {
	grep -qE "^$1(.*/)?$(printf '%s' "$2" | sed 's/[.]/\\./g')\$" "$work/files"
}

grep -oE '`[A-Za-z0-9_./-]*\.(c|h|sh|md|list)`' "$document" | tr -d '`' | sed 's|^\(\.\./\)*||' | sort -u >"$work/named"
[ -s "$work/named" ] || fail "names no file"
while read -r name; do exists "" "$name" || fail "there is no '$name'"; done <"$work/named"

# The map: `| room, room | what | start with |`.
sed -n 's/^| \(`[^|]*\) |[^|]*|\([^|]*\)|$/\1|\2/p' "$document" >"$work/rows"
[ -s "$work/rows" ] || fail "has no map"
while IFS='|' read -r rooms first; do
	for name in $(printf '%s' "$first" | grep -oE '`[^`/]*`' | tr -d '`'); do
		found=
		for room in $(printf '%s' "$rooms" | tr -d '`,'); do exists "$room" "$name" && found=yes; done
		[ "$found" ] || fail "the row of $rooms names '$name', which is not there"
	done
done <"$work/rows"
for room in $(grep -E '^(sim|cores|workloads|sched|ipu|results)/.*\.c$' "$work/files" | sed 's|/[^/]*$||' | sort -u); do
	case $room in sched/examples | workloads/record/qemu | workloads/suites/* | */new) continue ;; esac
	cut -d'|' -f1 "$work/rows" | grep -qF "\`$room/\`" || fail "the map lacks $room"
done

# Rules: paragraphs that begin with a number.
awk '/^[0-9]+\. / { if (item) print item; item = "" } /^$/ || /^## / { if (item) print item; item = "" }
	/^## / { inside = $0 == "## What always holds?" } inside && NF && !/^#/ { item = item (item ? " " : "") $0 }
	END { if (item) print item }' "$document" | grep '^[0-9]' >"$work/rules"
[ "$(wc -l <"$work/rules")" -ge 10 ] || fail "has fewer than ten rules"
while read -r item; do
	printf '%s\n' "$item" | grep -qE '`((test|fuzz)_[a-z0-9_]+\.c|[a-z_]+\.sh)`' || fail "no test is named by: $(printf '%s' "$item" | cut -c 1-90)..."
done <"$work/rules"
[ "$failures" -eq 0 ]
