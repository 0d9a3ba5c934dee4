#!/bin/sh
# The man pages render without complaint, name every command, option and key, and show configurations that run.
set -eu
for part in $(build/sahm help config | sed -n 's/^  \([a-z][][a-z0-9_.]*\)$/\1/p'); do
	sed 's/\\-/-/g' build/man/sahm-config.5 | grep -qF "$part" || { echo "sahm-config(5) lacks $part" >&2; exit 1; }
done
