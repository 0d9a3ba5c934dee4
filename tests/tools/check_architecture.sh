#!/bin/sh
# ARCHITECTURE.md speaks of what is there: files, folders, functions and types that it names exist, those in a row of the map in the
# row's folder; every folder with code has a row; and behind each thing that always holds stands a test or a script.
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

find . \( -path ./build -o -path ./.git \) -prune -o -print | sed 's|^\./||' >"$work/files"
grep -E '\.([ch]|sh|mk|lua|py|tsv)$|(^|/)Makefile$' "$work/files" | grep -vxF "$document" >"$work/sources"

# exists FOLDER PATH: a file or folder of that name, which may stand deeper; <name>, * and NAME stand for anything.
exists() {
	pattern=$(printf '%s' "${2%/}" | sed 's/<[^>]*>/*/g; s/NAME/*/g; s/[.]/\\./g; s/\*/[^\/]*/g')
	grep -qE "^$1(.*/)?$pattern\$" "$work/files"
}

# is_known TOKEN: whatever stands between backticks.
is_known() {
	case $1 in
	"make "*) grep -qE "^([a-z-]+ )*${1#make }( |:)" Makefile mk/*.mk ;;
	"sahm "*) name=${1#sahm } && grep -q "^COMMAND(${name%% *})" sim/cli/command_list.h ;;
	*.sh\ *) exists "" "${1%% *}" ;;
	*/ | */*.* | *.c | *.h | *.sh | *.mk | *.md | *.cfg | *.tsv | *.t) exists "" "$1" ;;
	"enum "* | "struct "*) xargs grep -qwF "$1" <"$work/sources" ;;
	*"<"*) xargs grep -qF -e "${1%%<*}" <"$work/sources" ;;
	*) word=$(printf '%s' "$1" | sed 's/(.*//; s/\[.*//; s/ .*//')
		xargs grep -qwF -e "$word" <"$work/sources" || exists "" "$word" ;;
	esac
}

grep -o '`[^`]*`' "$document" | tr -d '`' | sort -u >"$work/tokens"
[ -s "$work/tokens" ] || fail "names nothing"
while read -r token; do
	is_known "$token" || fail "there is no '$token'"
done <"$work/tokens"

# The map: `| folder | what | where to look first |`.
sed -n 's/^| \(`[^|]*\) |\([^|]*\)|\([^|]*\)|$/\1|\2|\3/p' "$document" >"$work/rows"
[ -s "$work/rows" ] || fail "has no map"
while IFS='|' read -r folders what first; do
	folder=$(printf '%s' "$folders" | sed 's/^`\([^`]*\)`.*/\1/')
	for name in $(printf '%s' "$first" | grep -o '`[^`]*`' | tr -d '`') $(printf '%s' "$what" | grep -oE '`[a-z/]*/`' | tr -d '`'); do
		exists "$folder" "$name" || fail "the row of $folder names '$name', which is not there"
	done
done <"$work/rows"
grep -E '^(sim|cores|workloads|sched|ipu|results)/.*\.c$' "$work/files" | sed 's|/[^/]*$||' | sort -u |
	grep -vE '^(ipu/programs|sched/(examples|new)|workloads/(qemu|open))(/|$)' | while read -r folder; do
	cut -d'|' -f1 "$work/rows" | grep -qF "\`$folder/\`" || echo "$folder"
done >"$work/missing"
while read -r folder; do fail "the map lacks $folder"; done <"$work/missing"

# What always holds: paragraphs that begin with "- ".
awk '/^## / { inside = $0 == "## What always holds"; next }
	inside && /^- / { if (item ~ /^- /) print item; item = "" }
	inside { item = item (item ? " " : "") $0 }
	END { if (item ~ /^- /) print item }' "$document" >"$work/rules"
[ -s "$work/rules" ] || fail "nothing always holds"
while read -r item; do
	printf '%s\n' "$item" | grep -qE '`(tests/[a-z/]*)?((test|fuzz)_[a-z0-9_]+\.c|[a-z_]+\.sh)`' || fail "no test is named behind: $(printf '%s' "$item" | cut -c 1-90)..."
done <"$work/rules"
[ "$failures" -eq 0 ]
