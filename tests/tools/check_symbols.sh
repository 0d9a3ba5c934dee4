#!/bin/sh
# No function of ours may be called like one of a library that the program is linked with: the dynamic linker would hand
# ours to the library.
set -eu
ours=$(nm build/release/libsahm.a | awk '$2 == "T" { print $3 }' | sort -u)
theirs=$(ldd build/release/sahm | awk '$3 ~ /^\// { print $3 }' | while read -r library; do
	nm -D "$library"
done | awk '$2 ~ /^[TWi]$/ { sub(/@.*/, "", $3); print $3 }' | sort -u)
[ -n "$ours" ] && [ -n "$theirs" ] || { echo "no symbols found" >&2; exit 1; }
clashes=$(printf '%s\n%s\n' "$ours" "$theirs" | sort | uniq -d)
[ -z "$clashes" ] || { echo "also in a library: $clashes" >&2; exit 1; }
