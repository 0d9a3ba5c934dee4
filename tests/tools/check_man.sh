#!/bin/sh
# The man pages render without complaint, name every command, option and key, and show configurations that run.
set -eu
for part in $({ build/sahm help config; build/sahm help core-models; } | sed -n 's/^  \([a-z][][a-z0-9_.]*\)$/\1/p'); do
	sed 's/\\-/-/g' build/man/sahm-config.5 | grep -qF "$part" || { echo "sahm-config(5) lacks $part" >&2; exit 1; }
done
for command in run sweep rerun worker collect "queue status" "queue drain" "queue retry" "queue purge" query report reproduce export merge optimize compare characterize limit "trace import" "trace list" "trace record" "trace events" "trace export" "trace info" "trace resample" "trace slice" "trace concat" \
	"trace offset" "trace bursts" "trace synth" "stream import" "stream info" "stream head" "core time" "core path" "core tma" "core pics" "core events" "core stat" "core sample" "core signals" "core whatif" "core graph" "core study" "core specialize" "core epochs" "core list" "core show" "ipu exec" "ipu disasm" \
	"policy list" "policy new" "policy build" "policy check" "ipu new" "ipu run" "ipu signals" "ipu study" "ipu compare" "ipu keygen" "ipu sign" "ipu verify" "ipu soft build" "ipu soft new" "ipu soft show" "ipu attach" "ipu config-image" "ipu config-start" "ipu config-stop" \
	"ipu pause" "ipu resume" "ipu finalize" "ipu feed" "ipu wait" "ipu drain" "ipu status" doctor completion help; do
	grep -qF "sahm $command" build/man/sahm.1 || { echo "sahm(1) lacks $command" >&2; exit 1; }
done
! grep -n '@[A-Z]*@' build/man/*.[15] || exit 1
examples=$(mktemp -d)
trap 'rm -rf "$examples"' EXIT
awk -v to="$examples/" '/^\.nf$/ { n++; inside = 1; next } /^\.fi$/ { inside = 0 } inside { print > (to n ".cfg") }' \
	build/man/sahm-config.5
for example in "$examples"/*.cfg; do
	sed 's/\\(dq/"/g; s/\\-/-/g' "$example" >"$example.plain"
	SAHM_DATA=. build/sahm run "$example.plain" --set workload.duration_ms=500 >/dev/null
done
command -v mandoc >/dev/null 2>&1 || { echo "mandoc is not installed (contents were checked)"; exit 77; }
mandoc -T lint -W warning build/man/sahm.1 build/man/sahm-config.5
