#!/bin/sh
# sahm ipu exec: ipu_exec.sh PROGRAM runs programs of tests/ipu, which the bare-metal RISC-V compiler makes. Tests
# without a compiler are in tests/golden/ipu.t.
set -u
program=$(cd "$(dirname "$1")" && pwd)/${1##*/}
cd "$(dirname "$0")/../ipu" || exit 1
gcc=riscv64-unknown-elf-gcc
command -v $gcc >/dev/null 2>&1 || { echo "$gcc is not installed"; exit 77; }
out=$(mktemp -d "${TMPDIR:-/tmp}/sahm ipu.XXXXXX") || exit 1
trap 'rm -rf "$out"' EXIT

fail() {
	echo "$*" >&2
	exit 1
}

# build ISA FILE OPTION...: $out/FILE, less its suffix, a program from 0x10000 on.
build() {
	isa=$1 source=$2
	shift 2
	$gcc -march="$isa" -mabi=ilp32 -nostdlib -nostartfiles -static -ffreestanding -Wl,-Ttext=0x10000,--no-relax "$@" \
		-o "$out/${source%.*}" "$source" -lgcc 2>"$out/said" || { cat "$out/said" >&2; fail "cannot build $source"; }
}

# expect CODE ARGUMENT...: runs `sahm ipu exec --flat ARGUMENT...` into $out/stdout and $out/stderr.
expect() {
	wanted=$1
	shift
	"$program" ipu exec --flat "$@" >"$out/stdout" 2>"$out/stderr"
	code=$?
	[ $code -eq "$wanted" ] || { cat "$out/stdout" "$out/stderr" >&2; fail "exit code $code instead of $wanted: $*"; }
}

says() { # TEXT: as a line of standard error
	grep -qxF "$1" "$out/stderr" || { cat "$out/stderr" >&2; fail "not said: $1"; }
}

begins() { # TEXT: how a line of standard error begins
	awk -v text="$1" 'index($0, text) == 1 { found = 1 } END { exit !found }' "$out/stderr" ||
		{ cat "$out/stderr" >&2; fail "not said: $1"; }
}

speed='^executed [0-9]* instructions* in [0-9]*\.[0-9]\{3\} s\(, [0-9.]* MIPS\)\{0,1\}$'

# The Linux calls, whatever the program is made of.
cat >"$out/expected" <<'END'
stack is aligned: 1
one

two words
end of arguments: 0
hello
written: 6
to no file: -9
from nowhere: -14
no such call: -38
heap grows: 1
heap is empty: 1
heap holds: 12742320
heap shrinks: 1
heap stays: 1
clock: 0
clock goes on: 1
no such clock: -22
clock nowhere: -14
END
for flags in "rv32i -O2" "rv32im -Os" "rv32imc -O2" "rv32imc -O0"; do
	# shellcheck disable=SC2086
	build ${flags% *} calls.c ${flags#* }
	expect 4 "$out/calls" -- one "" "two words"
	cmp -s "$out/expected" "$out/stdout" || { diff "$out/expected" "$out/stdout" >&2; fail "calls.c, $flags"; }
	says "to error"
	says "sahm: warning: $out/calls: 1 environment call was answered with ENOSYS, the first of number 4000"
	grep -q "$speed" "$out/stderr" || fail "no line with the speed"
	[ "$(wc -l <"$out/stderr")" -eq 3 ] || fail "more than three lines on standard error"
done
if command -v qemu-riscv32 >/dev/null 2>&1; then
	qemu-riscv32 "$out/calls" one "" "two words" >"$out/stdout" 2>/dev/null
	[ $? -eq 4 ] && cmp "$out/expected" "$out/stdout" || fail "qemu-riscv32 sees calls.c otherwise"
fi
expect 1 "$out/calls" --ram 64K --base 0x10000
expect 1 "$out/calls"
nr=$(sed -n 's/^executed \([0-9]*\) .*/\1/p' "$out/stderr")
expect 1 "$out/calls" --max-instructions "$nr"
expect 1 "$out/calls" --max-instructions $((nr - 1))
begins "sahm: error: $out/calls: not at its end after $((nr - 1)) instructions at pc 0x"

# Lost output is an error of ours when the program does not care.
if [ -c /dev/full ]; then
	"$program" ipu exec --flat "$out/calls" >/dev/full 2>"$out/stderr"
	[ $? -eq 1 ] || fail "a full disk goes unnoticed"
	says "sahm: error: cannot write standard output: No space left on device"
fi
(trap '' PIPE; "$program" ipu exec --flat "$out/calls" 2>"$out/stderr"; echo $? >"$out/code") | :
# Whether the reader is gone in time is chance.
case $(cat "$out/code") in
1) grep -q "executed" "$out/stderr" || fail "nothing said about a broken pipe" ;;
*) fail "exit code $(cat "$out/code") with a broken pipe" ;;
esac

# Files that are closed: no other file gets what was meant for them, nor is anything lost without a word.
"$program" ipu exec --flat --trace "$out/trace" "$out/calls" >&- 2>"$out/stderr"
[ $? -eq 1 ] || fail "closed standard output goes unnoticed"
says "sahm: error: cannot write standard output: Bad file descriptor"
! grep -qv '^core   0: ' "$out/trace" || fail "standard output in the trace: $(grep -v '^core   0: ' "$out/trace" | head -n 1)"
"$program" ipu exec --flat --force --trace "$out/trace" "$out/calls" >/dev/null 2>&-
[ $? -eq 1 ] || fail "closed standard error goes unnoticed"
! grep -qv '^core   0: ' "$out/trace" || fail "standard error in the trace: $(grep -v '^core   0: ' "$out/trace" | head -n 1)"
"$program" ipu exec --flat --force --trace "$out/trace" - <&- 2>"$out/stderr"
[ $? -eq 1 ] || fail "closed standard input goes unnoticed"
says "sahm: error: cannot read '-': Bad file descriptor"
rm "$out/trace"

# tohost: codes, the signature.
for told in 0 1 255 256 1000000; do
	build rv32i tohost.S -DCODE=$told -DSIZE=12
	[ $told -gt 255 ] && wanted=255 || wanted=$told
	expect $wanted "$out/tohost" --signature "$out/signature"
	printf '%s\n' 01234567 000000fe deadbeef | cmp -s - "$out/signature" || fail "signature of a program that ends with $told"
	rm "$out/signature"
	if [ $told -gt 255 ]; then
		says "sahm: warning: $out/tohost: the code $told is above 255, which stands for it"
	else
		! grep -q warning "$out/stderr" || fail "a warning for code $told"
	fi
done
build rv32i tohost.S -DCODE=0 -DSIZE=0
expect 0 "$out/tohost" --signature "$out/signature"
[ -f "$out/signature" ] && [ ! -s "$out/signature" ] || fail "an empty signature"
rm "$out/signature"
build rv32i tohost.S -DCODE=5 -DSIZE=8
expect 5 "$out/tohost" --signature -
printf '%s\n' 01234567 000000fe | cmp -s - "$out/stdout" || fail "a signature on standard output"
[ ! -e ./- ] || fail "a file called -"
"$program" ipu exec --flat "$out/tohost" --signature /dev/stdout 2>"$out/stderr" | cat >"$out/stdout"
printf '%s\n' 01234567 000000fe | cmp -s - "$out/stdout" || { cat "$out/stderr" >&2; fail "a signature in a pipe"; }
expect 1 "$out/tohost" --signature "$out/no such/folder"
grep -q "^sahm: error: cannot create '$out/no such/folder': No such file" "$out/stderr" || fail "no folder for the signature"
expect 1 "$out/tohost" --signature "$out/signature" --max-instructions 3
for wrong in "6 is not of whole words" "-4 below its beginning at 0x[0-9a-f]*"; do
	build rv32i tohost.S -DCODE=0 "-DSIZE=${wrong%% *}"
	expect 1 "$out/tohost" --signature "$out/signature"
	grep -q "its signature.*, ${wrong#* }$" "$out/stderr" || grep -q "its signature.* ${wrong#* }$" "$out/stderr" ||
		fail "a signature of ${wrong%% *} bytes"
	! grep -q executed "$out/stderr" || fail "it was run for nothing"
done
# When output was lost, the run has failed, and there is no signature.
if [ -c /dev/full ]; then
	build rv32i tohost.S -DCODE=0 -DSIZE=4 "-DFIRST=li a7, 64; li a0, 1; la a1, _start; li a2, 1; ecall"
	"$program" ipu exec --flat "$out/tohost" --signature "$out/signature" >/dev/full 2>"$out/stderr"
	[ $? -eq 1 ] && [ ! -e "$out/signature" ] || fail "a signature in spite of a full disk"
fi
build rv32i tohost.S -DCODE=0 -DSIZE=0x10000000
expect 1 "$out/tohost" --signature "$out/signature"
grep -q "lies outside the RAM$" "$out/stderr" || fail "a signature beyond the RAM"
build rv32i calls.c
expect 1 "$out/calls" --signature "$out/signature"
says "sahm: error: $out/calls: it has no symbol 'begin_signature', which --signature needs"
[ ! -e "$out/signature" ] || fail "a signature of a program that did not end"

# Faults: cause, place, address. A word as it stands in the code; a0 is 0x1001, a1 is 0x20000001.
fault() { # INSTRUCTION MESSAGE OPTION...
	build rv32imc_zicsr fault.S "-DFAULT=$1"
	message=$2
	shift 2
	expect 1 "$out/fault" "$@"
	says "sahm: error: $out/fault: $message"
	[ "$(wc -l <"$out/stderr")" -eq 2 ] || fail "more than two lines: $message"
}
at="at pc 0x00010102 <main+0x2>"
fault ".word 0xffffffff" "illegal instruction $at (word 0xffffffff)"
fault ".half 0" "illegal instruction $at (half-word 0x0000)"
fault "csrr a0, mhartid" "illegal instruction $at (word 0xf1402573)"
fault "ebreak" "breakpoint $at"
fault "lw a0, 0(a0)" "load outside memory $at, address 0x00001001"
fault "sb a0, -1(a1)" "store outside memory $at, address 0x20000000"
fault "jr a1" "jump outside instruction memory $at, address 0x20000000"
fault "sw a0, 2(s0)" "misaligned store $at, address 0x00010002" --trap-misaligned
fault "lh a0, 1(s0)" "misaligned load $at, address 0x00010001" --trap-misaligned
fault "lw a0, 2(s0); ebreak" "breakpoint at pc 0x00010106 <main+0x6>"
fault "jr zero" "jump outside instruction memory $at, address 0x00000000"
fault "li sp, 0x1008; sw a0, -16(sp)" "store outside memory at pc 0x00010108 <main+0x8>, address 0x00000ff8, near sp 0x00001008"
fault ".insn i 0x0b, 3, x0, a1, 4" \
	"waits for inputs in a hardware loop at pc 0x00010106 <main+0x6>; only a device gives them: use 'sahm ipu run'"
fault ".insn r 0x0b, 1, 0, x0, s0, a0" "histogram whose descriptor makes no sense $at, address 0x00010000"
fault "li ra, -16; ret" "its entry point returned; a program ends by the call exit or by a store to tohost"
build rv32imc fault.S "-DFAULT=.half 0" -s
expect 1 "$out/fault"
says "sahm: error: $out/fault: illegal instruction at pc 0x00010102 (half-word 0x0000)"

# The trace: a line per instruction, also of a program that faults; whole files only.
expect 1 "$out/fault" --trace "$out/trace"
[ "$(wc -l <"$out/trace")" -eq "$(sed -n 's/^executed \([0-9]*\) .*/\1/p' "$out/stderr")" ] || fail "lines of the trace"
head -n 1 "$out/trace" | grep -qx 'core   0: 3 0x00010000 (0x00000417) x8  0x00010000' || fail "$(head -n 1 "$out/trace")"
expect 1 "$out/fault" --trace -
head -n -2 "$out/stderr" | cmp -s - "$out/trace" || fail "the trace on standard error is another one"
rm "$out/trace"
expect 1 "$out/calls" --trace -
grep -A 1 -x 'to error' "$out/stderr" | tail -n 1 | grep -q '(0x00000073)' || fail "the trace is not in order with standard error"
expect 1 "$out/fault" --trace "$out/no such/folder"
! grep -q executed "$out/stderr" || fail "it was run without its trace"
build rv32im calls.c -O2
expect 2 "$out/calls" --trace "$out/trace" -- one
[ "$(wc -l <"$out/trace")" -eq "$(sed -n 's/^executed \([0-9]*\) .*/\1/p' "$out/stderr")" ] || fail "lines of a long trace"
if [ -c /dev/full ]; then
	expect 1 "$out/calls" --trace /dev/full
	says "sahm: error: cannot write '/dev/full': No space left on device"
fi

# Outputs that cannot be, or must not be, are refused before anything runs; names of descriptors are those descriptors.
for file in "" "$out" "$out/no such/folder"; do
	expect 1 "$out/fault" --trace "$file"
	! grep -q executed "$out/stderr" || fail "it was run without its trace '$file'"
done
cp "$out/calls" "$out/kept"
expect 2 "$out/kept" --trace "$out/kept"
says "sahm: error: the result would overwrite '$out/kept', which it is made from"
expect 2 "$out/kept" --trace "$out/./new" --signature "$out/new"
says "sahm: error: --trace and --signature are one file, '$out/new'"
"$program" ipu exec --flat --force - --signature "$out/kept" <"$out/kept" 2>"$out/stderr" && fail "the program on standard input was replaced"
cmp -s "$out/calls" "$out/kept" || fail "the program was replaced"
(echo before; "$program" ipu exec --flat --trace /dev/stdout "$out/fault" 2>/dev/null; echo after) >"$out/mixed"
{ head -n 1 "$out/mixed" | grep -qx before && tail -n 1 "$out/mixed" | grep -qx after &&
	grep -q '^core   0: 3 ' "$out/mixed"; } || { cat "$out/mixed" >&2; fail "/dev/stdout is not standard output"; }

# The histogram goes in front of the speed; both count the same.
expect 1 "$out/calls" --histogram
grep -q '\becall\b' "$out/stderr" && tail -n 1 "$out/stderr" | grep -q ENOSYS || fail "no histogram"
expect 2 "$out/calls" --histogram --trace -
says "sahm: error: --trace and --histogram exclude each other"

# Signals end a run as its end does: what was written down is kept. The program says something, so that it is known to
# run. A shell lets what it starts in the background ignore SIGINT.
build rv32i fault.S "-DFAULT=li a7, 64; li a0, 1; mv a1, s0; li a2, 1; ecall; 1: j 1b"
interrupted() { # SIGNAL CODE ARGUMENT...
	signal=$1 wanted=$2
	shift 2
	rm -f "$out/stdout"
	env --default-signal="$signal" "$program" ipu exec --flat "$@" "$out/fault" >"$out/stdout" 2>"$out/stderr" &
	while ! [ -s "$out/stdout" ]; do
		kill -0 $! || fail "it ended too soon"
		sleep 0.05
	done
	kill -s "$signal" $!
	wait $!
	code=$?
	[ $code -eq "$wanted" ] || { cat "$out/stderr" >&2; fail "exit code $code instead of $wanted: SIG$signal $*"; }
	nr=$(sed -n 's/^executed \([0-9]*\) .*/\1/p' "$out/stderr")
	begins "sahm: error: $out/fault: interrupted after $nr instructions at pc 0x"
}
if env --default-signal=INT true 2>/dev/null; then
	interrupted INT 130 --force --trace "$out/trace"
	[ "$(wc -l <"$out/trace")" -eq "$nr" ] || fail "$(wc -l <"$out/trace") lines of trace for $nr instructions"
	[ -z "$(find "$out" -name '.sahm-*')" ] || fail "a temporary file is left"
	rm "$out/trace"
	interrupted TERM 143 --histogram
	grep -q '^ *addi\b\|\baddi\b' "$out/stderr" || fail "no histogram of what was interrupted"
	interrupted INT 130
	interrupted TERM 143
fi
# Also while it waits for a reader that has enough.
build rv32i fault.S "-DFAULT=1: li a7, 64; li a0, 1; mv a1, s0; li a2, 200; ecall; j 1b"
mkfifo "$out/pipe"
exec 3<>"$out/pipe"
"$program" ipu exec --flat "$out/fault" >"$out/pipe" 2>"$out/stderr" 3<&- &
dd bs=1 count=1 of=/dev/null <&3 2>/dev/null
sleep 0.3
kill $!
for i in 1 2 3 4 5 6 7 8 9 10; do
	kill -0 $! 2>/dev/null && sleep 0.2
done
kill -9 $! 2>/dev/null && fail "a program that waits for its reader does not end"
wait $!
[ $? -eq 143 ] || { cat "$out/stderr" >&2; fail "exit code of a program that waits for its reader"; }
grep -q "interrupted after [0-9]* instructions at pc 0x" "$out/stderr" || fail "it waited for its reader to the end"
exec 3<&-

# A reader that has enough ends the run as it ends other programs: without a word, the trace kept.
if env --default-signal=PIPE true 2>/dev/null; then
	build rv32i fault.S "-DFAULT=1: li a7, 64; li a0, 1; mv a1, s0; li a2, 200; ecall; j 1b"
	{ env --default-signal=PIPE "$program" ipu exec --flat --force --trace "$out/trace" "$out/fault" 2>"$out/stderr"; echo $? >"$out/code"; } |
		dd bs=1 count=1 of=/dev/null 2>/dev/null
	[ "$(cat "$out/code")" -eq 141 ] && [ ! -s "$out/stderr" ] || { cat "$out/code" "$out/stderr" >&2; fail "a closed pipe"; }
	[ -s "$out/trace" ] && [ -z "$(find "$out" -name '.sahm-*')" ] || fail "the trace is lost with the reader"
fi

# In the IPU's memories: what it returns, functions by name, and what cannot be read there.
printf '%s\n' '.globl main, other, reads' 'main: li a0, 55' 'ret' 'other: li a0, -1' 'ret' 'reads: lw a0, 4(zero)' 'ret' |
	$gcc -march=rv32i -mabi=ilp32 -nostdlib -static -T ../../ipu/programs/ipu.ld -Wl,-e,main -x assembler -o "$out/routine" -
in_ipu() { # CODE ARGUMENT...
	wanted=$1
	shift
	"$program" ipu exec "$out/routine" "$@" >"$out/stdout" 2>"$out/stderr"
	code=$?
	[ $code -eq "$wanted" ] || { cat "$out/stderr" >&2; fail "exit code $code instead of $wanted: $*"; }
}
in_ipu 0
[ "$(cat "$out/stdout")" = "a0 = 0x00000037" ] || fail "$(cat "$out/stdout")"
in_ipu 0 --call other
[ "$(cat "$out/stdout")" = "a0 = 0xffffffff" ] || fail "$(cat "$out/stdout")"
in_ipu 1 --call reads
says "sahm: error: $out/routine: load outside memory at pc 0x00000010 <reads>, address 0x00000004, which is instruction memory and can only be fetched from"
in_ipu 1 --call nobody
says "sahm: error: $out/routine: it has no symbol 'nobody'"
in_ipu 2 --call other --flat
says "sahm: error: --call and --flat exclude each other"
in_ipu 2 --ram 16M
says "sahm: error: --ram is for the flat machine, which --flat asks for"

# What is no executable at fixed addresses.
$gcc -march=rv32i -mabi=ilp32 -DFAULT=nop -c -o "$out/fault.o" fault.S
expect 1 "$out/fault.o"
says "sahm: error: $out/fault.o: an object file, must be an executable: link it"
$gcc -march=rv64i -mabi=lp64 -DFAULT=nop -nostdlib -static -o "$out/fault" fault.S 2>/dev/null
expect 1 "$out/fault"
says "sahm: error: $out/fault: a 64-bit ELF file, must be for 32-bit RISC-V (-march=rv32imc -mabi=ilp32)"
build rv32i fault.S -DFAULT=nop
expect 0 "$out/fault"
"$program" ipu exec --flat - <"$out/fault" 2>"$out/stderr" || fail "a program from standard input"
size=$(wc -c <"$out/fault")
head -c $((size - 1)) "$out/fault" >"$out/cut"
expect 1 "$out/cut"
grep -q "^sahm: error: $out/cut: cut short: " "$out/stderr" || fail "a file that was cut short"
