#!/bin/bash
# Recording in QEMU, end to end: record_qemu.sh BUILD, build/release or another variant. Real programs, their totals against those
# of another count, threads, forks, signals, instruction streams, and what cannot be recorded.
set -u
. tests/tools/expect.sh
qemu-x86_64 -h 2>/dev/null | grep -q plugin || {
	echo "qemu-x86_64 is not installed, or takes no plug-ins (Debian: qemu-user)"
	exit 77
}
build=$(cd "$1" && pwd)
tree=$(pwd)
out=$(mktemp -d "${TMPDIR:-/tmp}/sahm record, '\"\$(x).XXXXXX") || exit 1
trap 'rm -rf "$out"' EXIT
# What a program does depends on its environment, which lies on its stack.
export LC_ALL=C SAHM_DATA=$tree
unset $(env | sed -n 's/^\(QEMU_[A-Z_]*\)=.*/\1/p')
work=$build/qemu/work

# record ARGUMENT...: the trace goes to $out/trace.csv, what is said to $out/said, what the program prints to $out/printed
record() {
	rm -f "$out/trace.csv"
	/usr/bin/env -u _ "$build/sahm" trace record --via qemu -p date=2026-01-01 -o "$out/trace.csv" "$@" >"$out/printed" 2>"$out/said"
}
must_record() {
	record "$@" || { cat "$out/said" >&2; fail "exit code $?: sahm trace record --via qemu $*"; }
}
total() { # instructions, as the recorder says
	sed -n 's/.* \([0-9]*\) instructions in all$/\1/p' "$out/said"
}
# The same program once more, each instruction counted by QEMU's own code.
counted() { # EMULATOR COMMAND...
	emulator=$1
	shift
	# The plug-in's options take no comma: it is given a folder that has none.
	(rm -f "$plain/count"; env -u _ "$emulator" -seed 1 -plugin "file=$plain/count.so,out=$plain/count" -0 "$1" "$(command -v "$1")" "${@:2}" \
		>"$out/counted" 2>&1) && cat "$plain/count"
}
plain=$(mktemp -d /tmp/sahm-count.XXXXXX) || exit 1
trap 'rm -rf "$out" "$plain"' EXIT
cp "$build/qemu/count.so" "$plain/"
same_total() { # EMULATOR COMMAND...
	must_record -- "${@:2}"
	cp "$out/printed" "$out/ours"
	theirs=$(counted "$@")
	[ -n "$theirs" ] && [ "$(total)" = "$theirs" ] || fail "$(total) instructions, where QEMU counts $theirs: ${*:2}"
	cmp -s "$out/ours" "$out/counted" || fail "the program prints something else: ${*:2}"
}
epochs() { grep -vc '^#\|^instructions' "$out/trace.csv"; }

# A real program: what it writes is right, its epochs are whole, and its total is what QEMU itself counts.
if command -v xz >/dev/null 2>&1; then
	cat docs/*.md >"$out/input"
	must_record -- xz -T1 -k "$out/input"
	xz -dc "$out/input.xz" | cmp -s - "$out/input" || fail "xz did not compress what it was given"
	[ "$(epochs)" -ge 15 ] || fail "$(epochs) epochs of xz"
	rm -f "$out/input.xz"
	same_total qemu-x86_64 xz -T1 -k -c "$out/input"
	awk -F, '!/^#/ && !/^i/ && ($1 < 10000000 || $1 > 10010000) { exit 1 }' "$out/trace.csv" || fail "epochs of other lengths"
	grep -q '^# epoch: 10000000 instructions, replayed as 100 ms of baseline time$' "$out/trace.csv" || fail "time is not said to be nominal"
	grep -q '^# machine: model of Intel Golden Cove' "$out/trace.csv" || fail "the trace does not say what was modelled"
	# The same again, byte for byte, whatever the folder.
	cp "$out/trace.csv" "$out/first.csv"
	must_record -- xz -T1 -k -c "$out/input"
	cmp -s "$out/first.csv" "$out/trace.csv" || fail "another recording of the same program"
else
	echo "xz is not installed: it was left out"
fi
same_total qemu-x86_64 "$work" 3
[ "$(cat "$out/printed")" = "$("$work" 3)" ] || fail "work printed something else in QEMU"

# Epochs of another length, and only so many: the program is ended.
must_record --epoch-instructions 100000 --epochs 7 --cpu rocket -- "$work" 1000000
[ "$(epochs)" -eq 7 ] || fail "$(epochs) epochs instead of 7"
grep -q '^# machine: model of .*Rocket' "$out/trace.csv" || fail "another processor was modelled"

# What is left out is said: threads, forks, what follows exec; and what the program's own thread did is the same.
must_record -- "$work" 3
alone=$(total)
must_record -- "$work" 3 threads
grep -q 'left out: .*1 other thread' "$out/said" || fail "nothing said of a thread"
[ $(($(total) - alone)) -lt 200000 ] || fail "the other thread was counted"
must_record -- "$work" 3 forks
grep -q 'left out: .*1 process' "$out/said" || fail "nothing said of a fork"
[ $(($(total) - alone)) -lt 200000 ] || fail "the child was counted"
must_record -- "$work" 3 exec
grep -q 'execve' "$out/said" || fail "nothing said of exec"
grep -q replaced "$out/printed" || fail "what the program became did not run"
# One that closes files that it does not know, one with faults in the middle of blocks, one that fails.
must_record -- "$work" 3 close
must_record -- "$work" 3 fault
record -- "$work" 3 fails
grep -q 'exit.* 7' "$out/said" || fail "nothing said of an exit code"

# Interrupted: what was recorded is a trace.
for signal in INT TERM; do
	rm -f "$out/trace.csv"
	# What the shell runs in the background ignores interrupts otherwise.
	setsid env --default-signal=INT "$build/sahm" trace record --via qemu -o "$out/trace.csv" -- "$work" 1 loop >"$out/printed" 2>"$out/said" &
	recorder=$!
	sleep 1.5
	if [ $signal = INT ]; then kill -INT -$recorder; else kill -TERM $recorder; fi
	wait $recorder
	[ "$(epochs)" -ge 1 ] || { cat "$out/said" >&2; fail "no trace after SIG$signal"; }
	"$build/sahm" trace info "$out/trace.csv" >/dev/null || fail "the trace is damaged after SIG$signal"
	pgrep -f "$work 1 loop" >/dev/null && fail "the program lives on after SIG$signal"
done

# Instruction streams: all that was counted is in them.
must_record --instructions "$out/x.stream" -- "$work" 3
"$build/sahm" stream info --json "$out/x.stream" >"$out/info" || fail "a stream that cannot be read"
grep -q "\"instructions\": $(total)[,]*$" "$out/info" || { cat "$out/info" >&2; fail "the stream does not hold $(total) instructions"; }
"$build/sahm" stream head -n 3 "$out/x.stream" >/dev/null || fail "a stream without a head"
[ ! -e "$out/x.stream.part" ] || fail "a part of a stream is left behind"
# Of a program that was ended, those of whole epochs.
must_record --instructions "$out/y.stream" --epochs 2 -- "$work" 1000
"$build/sahm" stream info "$out/y.stream" >/dev/null || fail "the stream of a program that was ended"
# The counts are those without a stream.
cp "$out/trace.csv" "$out/first.csv"
must_record --epochs 2 -- "$work" 1000
cmp -s "$out/first.csv" "$out/trace.csv" || fail "writing a stream changes the counts"

# One that fails while the program runs costs neither the program nor its trace.
record --epoch-instructions 1000000 --instructions "$out/lost.stream" -- "$work" 3 remove "$out/lost.stream.part" &&
	fail "a stream that is lost is no failure"
grep -q 'the trace is written, the stream is not' "$out/said" || { cat "$out/said" >&2; fail "nothing said of a lost stream"; }
[ "$(cat "$out/printed")" = "$("$work" 3)" ] && [ "$(epochs)" -ge 20 ] || fail "a lost stream cost the recording"
# A device or pipe is not replaced, and a link is followed.
mkfifo "$out/pipe"
record --instructions "$out/pipe" -- "$work" 3 && fail "a pipe was replaced"
[ -p "$out/pipe" ] || fail "a pipe was replaced"
ln -s linked.stream "$out/link" && : >"$out/linked.stream"
must_record --instructions "$out/link" -- "$work" 3
[ -L "$out/link" ] && "$build/sahm" stream info "$out/linked.stream" >/dev/null || fail "a link was replaced"
record --instructions "$out/trace.csv" -- "$work" 3 && fail "trace and stream in one file"
# What a command holds does not have to be fit for a line of a trace.
must_record --epoch-instructions 1000000 -- "$work" 3 "$(printf 'two\nlines\001')"
# RISC-V.
if [ -x "$work-riscv64" ] && command -v qemu-riscv64 >/dev/null 2>&1; then
	same_total qemu-riscv64 "$work-riscv64" 3
	[ "$(cat "$out/printed")" = "$("$work" 3)" ] || fail "work printed something else on RISC-V"
	must_record --cpu boom-large --instructions "$out/z.stream" -- "$work-riscv64" 3
	"$build/sahm" stream info --json "$out/z.stream" >"$out/info" || fail "a stream of RISC-V that cannot be read"
	grep -q "\"instructions\": $(total)[,]*$" "$out/info" || fail "the stream of RISC-V does not hold $(total) instructions"
	grep -q riscv64 "$out/info" || fail "the stream does not say riscv64"
else
	echo "no program for RISC-V: it was left out"
fi

# A script is what its first line says.
# Its line ends at blanks, of which our folder may have some.
cp "$work" "$plain/work"
printf '#!%s 2\n' "$plain/work" >"$out/script" && chmod +x "$out/script"
must_record -- "$out/script"
[ "$(cat "$out/printed")" = "$("$work" 2)" ] || fail "a script ran something else"

# What cannot be recorded.
printf 'no program\n' >"$out/text" && chmod +x "$out/text"
record -- "$out/text" && fail "a text was recorded"
grep -q 'neither an ELF program nor a script' "$out/said" || fail "a text as a program: $(cat "$out/said")"
record -- /nowhere/at/all && fail "nothing was recorded"
grep -q "cannot run '/nowhere/at/all': No such file or directory" "$out/said" || fail "a program that is not there"
record -- "$work" 0 && fail "less than an epoch is a trace"
grep -q 'not one whole epoch' "$out/said" || fail "less than an epoch: $(cat "$out/said")"
mkdir "$out/bin"
PATH=$out/bin record -- "$work" 1 && fail "recorded without QEMU"
grep -q 'qemu-user' "$out/said" || fail "nothing said of QEMU that is missing"
record --cpu nothing -- "$work" 1
[ $? -eq 2 ] || fail "a processor that is not there"
grep -q 'golden-cove\|nothing' "$out/said" || fail "nothing said of a processor that is not there"
[ ! -e "$out/trace.csv" ] || fail "a trace of nothing"
exit 0
