#!/bin/sh
# What docs/signing.md shows works: signing.sh PROGRAM runs its steps, one after the other, in an empty folder.
set -u
. tests/tools/steps.sh
steps_begin docs/signing.md "$1"

step sign
says 'sahm ipu signature 2' 'version: 1.2' 'expires: 2099-12-31' 'classify.elf: its signature is good'
step trust
says 'class = "developer"' 'classify.elf: its signature is good' ", 'lab' (developer)"
step policies
says "it is signed with a developer key, 'lab' (" "), and the policy 'closed' asks for a vendor key" 'confidential mode' 'exit code 1'
step revoke
says 'is revoked: lost with a laptop (revoked.cfg:1)' 'this image is revoked: leaks addresses (revoked.cfg:1)'
step demonstration
says 'classify.elf: its signature is good' "cb6708916848fdad9dcdb80c5883b5c7, 'insecure demonstration key' (developer)"
step refusals
says 'it was altered since' 'a line of it was altered' 'it is unsigned'

# Each sentence of the table is one that the program has.
awk '/^\| reason \| sentence \|$/ { inside = 1; next } inside && !/^\|/ { exit } inside && !/^\| ---/ { print }' docs/signing.md |
	sed 's/^| [^|]* | //; s/ |$//' >"$folder/sentences"
[ "$(wc -l <"$folder/sentences")" -eq 18 ] || { echo "docs/signing.md has other refusals than ipu/trust/trust.c" >&2; exit 1; }
# The sources' sentences, in one line each, with % for what is filled in.
tr -d '\n' <ipu/trust/trust.c | sed 's/"[[:space:]]*"//g' >"$folder/sources"
while read -r sentence; do
	start=$(printf '%s' "$sentence" | sed "s/'.*//; s/ (*\.\.\..*//; s/: leaks.*//; s/\`.*//; s/ a developer key.*//")
	grep -qF -e "$start" "$folder/sources" || { echo "docs/signing.md: '$sentence' is not what is said" >&2; exit 1; }
done <"$folder/sentences"

# Each key of trust files has a row; elements of lists need none.
sed -n 's/^	KEY([A-Z_]*, "\([^"]*\)".*/\1/p' ipu/trust/trust_read.c | grep -v '\[\]$' >"$folder/keys"
[ "$(wc -l <"$folder/keys")" -eq 13 ] || { echo "ipu/trust/trust_read.c is not understood" >&2; exit 1; }
while read -r key; do
	grep -qF "| \`$key\` | " docs/signing.md || { echo "docs/signing.md has no row for '$key'" >&2; exit 1; }
done <"$folder/keys"
