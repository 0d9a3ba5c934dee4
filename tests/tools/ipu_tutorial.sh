#!/bin/sh
# What ipu/README.md shows works: ipu_tutorial.sh PROGRAM runs its steps, one after the other, in an empty folder.
set -eu
command -v riscv64-unknown-elf-gcc >/dev/null 2>&1 || { echo "skipped: riscv64-unknown-elf-gcc is not installed"; exit 77; }
source=$(pwd)
ipu=$source/ipu
folder=$(mktemp -d "${TMPDIR:-/tmp}/sahm-ipu.XXXXXX")
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bin"
ln -s "$(cd "$(dirname "$1")" && pwd)/${1##*/}" "$folder/bin/sahm"
PATH=$folder/bin:$PATH
export PATH ipu

step() { # NAME TEXT...: what the step must print
	awk -v marker="<!-- step: $1 -->" '
		$0 == marker { found = 1; next }
		found && /^```/ { if (inside) exit; inside = 1; next }
		inside { print }' "$source/ipu/README.md" >"$folder/step"
	[ -s "$folder/step" ] || { echo "ipu/README.md has no step '$1'" >&2; exit 1; }
	(cd "$folder" && sh -e ./step) >"$folder/said" 2>&1 || { cat "$folder/said"; echo "step '$1' fails" >&2; exit 1; }
	shift
	for text; do
		grep -qF -e "$text" "$folder/said" || { cat "$folder/said"; echo "nothing is said of '$text'" >&2; exit 1; }
	done
}

step hello 'hello from RV32' 'exit code 7' '(0x00000073) x10 0x00000010' 'ecall'
step ipu 'a0 = 0x000030d4'
step embed 12500
