#!/bin/sh
# Recording in QEMU, end to end: record_qemu.sh BUILD, build/release or another variant. Real programs, their totals against those
# of another count, threads, forks, signals, instruction streams, and what cannot be recorded.
set -u
. tests/tools/expect.sh
build=$(cd "$1" && pwd)
program=$build/sahm
SAHM_DATA=$(pwd)
export SAHM_DATA
out=$(mktemp -d "${TMPDIR:-/tmp}/sahm record, '\"\$(x).XXXXXX") || exit 1
trap 'rm -rf "$out"' EXIT
qemu-x86_64 -h 2>/dev/null | grep -q plugin || {
	echo "qemu-x86_64 is not installed, or takes no plug-ins (Debian: qemu-user)"
	exit 77
}
unset QEMU_RAND_SEED QEMU_CPU QEMU_LD_PREFIX
# The program's stack holds its environment, and code goes other ways with its length.
record() {
	env -i PATH="$PATH" SAHM_DATA="$SAHM_DATA" ${ASAN_OPTIONS:+ASAN_OPTIONS="$ASAN_OPTIONS"} "$program" trace record --via qemu "$@"
}
recorded() { # FILE: instructions, as the recorder tells
	sed -n 's/^instructions  *\([0-9,]*\).*/\1/p' "$1" | tr -d ,
}
# The same program once more, counted by QEMU itself, instruction by instruction.
counted() { # EMULATOR COMMAND...
	emulator=$1
	shift
	env -i PATH="$PATH" SAHM_DATA="$SAHM_DATA" ${ASAN_OPTIONS:+ASAN_OPTIONS="$ASAN_OPTIONS"} "$emulator" -seed 1 -plugin \
		"file=$build/qemu/count.so,out=$out_plain/count" -0 "$1" "$(command -v "$1")" ${2+"${@:2}"} >"$out/counted.out" 2>&1
	cat "$out_plain/count"
}
