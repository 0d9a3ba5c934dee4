#!/bin/sh
# What `sahm ipu new` makes can be built by the real compiler, and run: ipu_new.sh PROGRAM
set -u
cc=${RISCV_CC:-riscv64-unknown-elf-gcc}
command -v "$cc" >/dev/null 2>&1 || { echo "skipped: $cc is not installed"; exit 77; }
program=$(cd "$(dirname "$1")" && pwd)/${1##*/}
out=$(mktemp -d "${TMPDIR:-/tmp}/sahm new.XXXXXX") || exit 1
trap 'rm -rf "$out"' EXIT
SAHM_DATA=$(pwd)
export SAHM_DATA
cd "$out" || exit 1

fail() {
	echo "$*" >&2
	exit 1
}

"$program" ipu new my-counter 2>said || { cat said >&2; fail "sahm ipu new"; }
cd my-counter || exit 1
make -s RISCV_CC="$cc" CFLAGS='-O2 -Wall -Wextra -Werror' || fail "it cannot be built"
[ -s my-counter.elf ] || fail "no program"
make -s SAHM="$program" disasm >listing || fail "make disasm"
grep -q '^00001fc0 <finish>:' listing || { cat listing >&2; fail "no finish() at its place"; }
grep -q '<_main>:' listing || { cat listing >&2; fail "no _main"; }
make -s SAHM="$program" run >said 2>&1 || { cat said >&2; fail "make run"; }
grep -q '^packets  *2$' said || { cat said >&2; fail "make run does not send two packets"; }
make -s clean
[ ! -e my-counter.elf ] || fail "make clean"
