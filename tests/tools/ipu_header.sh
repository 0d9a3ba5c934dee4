#!/bin/sh
# introspect.h and ipu.ld with the real compiler: where routines stand, what a program declares, what does not fit.
#   ipu_header.sh PROGRAM
set -u
cc=${RISCV_CC:-riscv64-unknown-elf-gcc}
command -v "$cc" >/dev/null 2>&1 || { echo "skipped: $cc is not installed"; exit 77; }
program=$(cd "$(dirname "$1")" && pwd)/${1##*/}
programs=$(pwd)/ipu/programs
out=$(mktemp -d "${TMPDIR:-/tmp}/sahm-header.XXXXXX") || exit 1
trap 'rm -rf "$out"' EXIT
cd "$out" || exit 1

fail() {
	echo "$*" >&2
	exit 1
}

build() { # COMPILER OPTION...: p.c becomes p.elf
	$cc -march=rv32im_zicsr -mabi=ilp32 -std=c17 -ffreestanding -Wall -Wextra -Werror -I"$programs" "$@" -c -o p.o p.c &&
		$cc -march=rv32im -mabi=ilp32 -nostdlib -static -T "$programs/ipu.ld" -Wl,-z,max-page-size=4 -o p.elf p.o -lgcc
}

listed() { # ADDRESS NAME
	"$program" ipu disasm p.elf >listing || exit 1
	grep -q "^$1 <$2>:" listing || { cat listing >&2; fail "$2 does not stand at $1"; }
}

# All of the header, at every level of optimisation.
cat >p.c <<'END'
#include "introspect.h"
#define R 5
IPU_INPUT(values, R, 64)
IPU_INPUT(flag, 31, 1);
static uint32_t counters[4];
static const struct ipu_histogram h = {counters, 4, IPU_SHAPE(2, 16, 9, IPU_VALUES), 1000};
uint32_t setting = 3;
static void handler(void)
{
	setting += ipu_valid() + ipu_status();
}
void init(void)
{
	ipu_set_timer(400000, handler);
}
void _main(void)
{
	ipu_histogram(&h, values());
	ipu_histogram_input(&h, R);
	ipu_loop_histogram_input(100, &h, R);
	IPU_LOOP(values_high(), "lw t0, 0(%[at])\nbeqz t0, 1f\naddi t0, t0, -1\nsw t0, 0(%[at])\n1:", [at] "r"(counters));
	ipu_put8(flag());
	ipu_put16(ipu_hash(setting, flag_high()));
	ipu_put32((uint32_t)(values_64() >> 16));
	ipu_send();
}
void finish(void)
{
	ipu_send();
}
END
for level in -O0 -O1 -O2 -O3 -Os "-O2 -ffunction-sections"; do
	# shellcheck disable=SC2086
	build $level || fail "$level"
	listed 00000000 init
	listed 00001fc0 finish
	grep -q '<_main>:' listing || fail "$level: no _main"
	! grep -q 'ipu\.input' listing || fail "$level: declarations of inputs are taken for code"
done
# The loops: their bodies have 4 and 16 bytes.
build -O2 || fail "-O2"
for length in 004 010; do
	grep -q "	$length[0-9a-f][3b]00b " listing || { cat listing >&2; fail "no loop with a body of 0x$length bytes"; }
done

# finish() has room for 16 instructions, and nothing may run into it.
cat >p.c <<'END'
#include "introspect.h"
void _main(void) {}
void finish(void) { __asm__ volatile(".rept " IPU_STRING(COUNT) "\nnop\n.endr"); }
END
build -O2 -DCOUNT=15 || fail "16 instructions do not fit"
! build -O2 -DCOUNT=16 2>said || fail "17 instructions fit"
grep -q 'finish() has more than 16 instructions: let it call another function' said || { cat said >&2; fail "why finish() is refused"; }
cat >p.c <<'END'
#include "introspect.h"
void _main(void) { __asm__ volatile(".rept " IPU_STRING(COUNT) "\nnop\n.endr"); }
#ifdef FINISH
void finish(void) {}
#endif
END
build -O2 -DFINISH -DCOUNT=2031 || fail "8128 bytes do not fit in front of finish()"
listed 00001fc0 finish
! build -O2 -DFINISH -DCOUNT=2032 2>said || fail "code runs into finish()"
grep -q 'the code does not fit into 8 KB' said || { cat said >&2; fail "why code that runs into finish() is refused"; }
build -O2 -DCOUNT=2047 || fail "8 KB do not fit"
! build -O2 -DCOUNT=2048 2>said || fail "more than 8 KB fit"
grep -q 'the code does not fit into 8 KB' said || { cat said >&2; fail "why too much code is refused"; }

# Inputs that cannot be.
for wrong in 'x, 32, 1' 'x, 0, 65' 'x, 0, 0' 'x, -1, 1'; do
	printf '#include "introspect.h"\nIPU_INPUT(%s)\nvoid _main(void) {}\n' "$wrong" >p.c
	! build -O2 2>said || fail "IPU_INPUT($wrong) is accepted"
	grep -q 'input x' said || { cat said >&2; fail "why IPU_INPUT($wrong) is refused"; }
done

# Data by its address, though nobody sets gp.
cat >p.c <<'END'
int counter = 5;
static int table[100];
int sum(void)
{
	int s = 0;
	for (int i = 0; i < 100; i++)
		table[i] = i + counter;
	for (int i = 0; i < 100; i++)
		s += ((volatile int *)table)[i];
	return s;
}
END
$cc -march=rv32im -mabi=ilp32 -O1 -nostdlib -static -T "$programs/ipu.ld" -Wl,-e,sum -o p.elf p.c || fail "a routine of one's own"
[ "$("$program" ipu exec p.elf 2>/dev/null)" = "a0 = 0x0000154a" ] || fail "$("$program" ipu exec p.elf 2>&1)"
