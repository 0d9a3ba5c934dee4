#!/bin/sh
# README and some documents, or those that are named, show what the program prints: every block after
# `<!-- printed by: COMMAND -->`.
set -eu
shown=$(mktemp) printed=$(mktemp)
trap 'rm -f "$shown" "$printed"' EXIT
for document in ${*:-README.md docs/synthetic.md docs/optimizing.md docs/reproducing.md docs/open-suite.md docs/energy.md docs/policies.md docs/specialization.md docs/top-down.md docs/pics.md docs/critical-path.md docs/simulators.md}; do
	commands=$(sed -n 's/^<!-- printed by: \(.*\) -->$/\1/p' "$document")
	[ -n "$commands" ]
	printf '%s\n' "$commands" | while read -r command; do
		# Some kinds of awk take the backslashes of -v for escapes.
		marker="<!-- printed by: $command -->" awk '
			$0 == ENVIRON["marker"] { found = 1; next }
			found && /^```/ { if (inside) exit; inside = 1; next }
			inside { print }' "$document" >"$shown"
		NO_COLOR=1 sh -c "$command" >"$printed"
		diff -u "$shown" "$printed"
	done
done

# Configurations run, from a folder where their traces are not.
folder=$(mktemp -d)
program=$(pwd)/build/sahm
awk -v folder="$folder" '/^<!-- runs: a configuration -->$/ { found = 1; next }
	found && /^```/ { if (inside) found = 0; else nr++; inside = !inside; next }
	found && inside { print >(folder "/" nr ".cfg") }' docs/configuration.md
[ -s "$folder/1.cfg" ]
for config in "$folder"/*.cfg; do
	(cd "$folder" && "$program" run "$config" --json | grep -q '"speedup_mean"')
done
rm -rf "$folder"
