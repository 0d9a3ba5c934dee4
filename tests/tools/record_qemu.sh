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

# record ARGUMENT...: the trace goes to $out/trace.csv, messages to $out/said, the program's output to $out/printed
record() {
	rm -f "$out"/trace*.csv "$out/trace.cfg"
	/usr/bin/env -u _ "$build/sahm" trace record --via qemu -p date=2026-01-01 --force -o "$out/trace.csv" "$@" >"$out/printed" 2>"$out/said"
}
must_record() {
	record "$@" || { cat "$out/said" >&2; fail "exit code $?: sahm trace record --via qemu $*"; }
}
total() { # instructions, as the recorder says
	sed -n 's/.* \([0-9]*\) instructions in all$/\1/p' "$out/said"
}
# The same program again, each instruction counted by QEMU's own code.
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

# Epochs of another length, and only this number: the program is ended.
must_record --epoch-instructions 100000 --epochs 7 --cpu rocket -- "$work" 1000000
[ "$(epochs)" -eq 7 ] || fail "$(epochs) epochs instead of 7"
grep -q '^# machine: model of .*Rocket' "$out/trace.csv" || fail "another processor was modelled"

# Omissions are reported: threads, forks, programs after exec; and the counts of the program's own thread stay the same.
must_record -- "$work" 3
alone=$(total)
must_record --threads main -- "$work" 3 threads
grep -q 'left out: 1 other thread,' "$out/said" || fail "nothing said of a thread"
[ $(($(total) - alone)) -lt 200000 ] || fail "the other thread was counted"
# Each of several threads has a trace, a suite lists them, and their counts are those of another plug-in in the same run.
rm -f "$plain/count"
QEMU_PLUGIN="file=$plain/count.so,out=$plain/count,cpus=on" must_record --epoch-instructions 1000000 -- "$work" 1 four
sed -n 's/.*trace\.t[1-5]\.csv: .* \([0-9]*\) instructions in all$/\1/p' "$out/said" | sort -n >"$out/ours"
tail -n +2 "$plain/count" | sort -n | cmp -s - "$out/ours" ||
	fail "instructions of threads: $(tr '\n' ' ' <"$out/ours"), where the other plug-in counts $(tr '\n' ' ' <"$plain/count")"
grep -q '^# name: work\.t5 worker' "$out/trace.t5.csv" ||
	fail "threads without their names: $(grep -h '^# name' "$out"/trace.t*.csv)"
"$build/sahm" characterize "$out"/trace.t*.csv >/dev/null || fail "traces of threads that cannot be read"
grep -q '"trace.t5.csv"$' "$out/trace.cfg" || fail "a suite without its threads"
printf 'chip : { cores = ( { type = "baseline"; }, { type = "l2"; speedup_pct = 30; } ); };\nworkload : {\n@include "trace.cfg"\n};\n' >"$out/threads.cfg"
"$build/sahm" run "$out/threads.cfg" >"$out/run" || fail "a configuration with a recorded suite"
grep -q 'worker' "$out/run" || fail "a run without the recorded threads: $(cat "$out/run")"
threads=$(total | tail -n 1)
# The main thread alone, which waits for the others.
record --threads main -- "$work" 0 four && fail "a trace of a thread that waits"
grep -q -- "the main thread did not complete an epoch; .*record all with --threads all" "$out/said" || fail "an idle main thread: $(cat "$out/said")"
# A device takes one trace, and nothing is written beside it.
ln -s /dev/null "$out/device"
"$build/sahm" trace record --via qemu --epoch-instructions 1000000 -o "$out/device" -- "$work" 1 four >"$out/printed" 2>"$out/said" &&
	fail "several traces in a device"
grep -q 'traces of 5 threads; --threads sum makes one' "$out/said" && [ -z "$(ls "$out" | grep '^device.')" ] || fail "several traces in a device: $(cat "$out/said")"
must_record --threads sum --epoch-instructions 1000000 -- "$work" 1 four
[ $(($(total) - threads)) -lt 100000 ] && [ $((threads - $(total))) -lt 100000 ] && [ "$(epochs)" -ge $((threads / 1100000)) ] || fail "the sum of all threads: $(cat "$out/said")"
# No thread has a whole epoch: what each executed, and what would do.
record --epoch-instructions 1000000000 -- "$work" 0 four
grep -q '^without a whole epoch: thread 1 ([0-9]* instructions), .*, thread 5 worker [1-4] ([0-9]* instructions)$' "$out/said" && grep -q -- '--epoch-instructions 1000000 takes' "$out/said" ||
	fail "no advice for short threads: $(cat "$out/said")"
# Threads that have no trace where others have one.
must_record -- "$work" 0 four
grep -q '^without a whole epoch: thread 1 ([0-9]* .*), thread [2-5] worker [12] (.*), thread [2-5] worker [12] ([0-9]* instructions)$' "$out/said" ||
	fail "threads without a trace are not named: $(cat "$out/said")"
# More than are counted: those that are still have their counts.
must_record -- "$work" 3 many 1100
grep -q 'left out: 77 threads after the first 1024$' "$out/said" && grep -q ' and 1018 others$' "$out/said" &&
	[ $(($(total | head -n 1) - alone)) -lt 15000000 ] || fail "more threads than are counted: $(cat "$out/said")"
must_record -- "$work" 3 forks
grep -q 'left out: 1 process that was forked$' "$out/said" || fail "nothing said of a fork"
[ $(($(total) - alone)) -lt 200000 ] || fail "the child was counted"
must_record -- "$work" 3 exec
grep -q replaced "$out/printed" || fail "what the program became did not run"
! grep -q execve "$out/said" && [ $(($(total) - alone)) -gt 50000 ] || fail "what followed execve() was not counted"
# One that closes files that it does not know, one with faults in the middle of blocks, one that fails.
must_record -- "$work" 3 close
must_record -- "$work" 3 fault
record -- "$work" 3 fails
grep -q 'exit.* 7' "$out/said" || fail "nothing said of an exit code"
# One that is killed in the middle leaves its whole epochs.
must_record -- "$work" 3 killed
grep -q 'ended by signal 9' "$out/said" && [ "$(epochs)" -ge 1 ] || fail "a program that was killed: $(cat "$out/said")"
# One that only waits for a child: that is reported while it waits, and is why there is no trace.
record --epoch-instructions 1000000000 -- "$work" 0 waits && fail "a trace of a program that waits"
grep -q "^the command waits for processes that it forked, which are not recorded ('sleep 4')$" "$out/said" &&
	grep -q 'not counting the processes that it forked' "$out/said" || fail "nothing said of a program that waits: $(cat "$out/said")"

# Files that are there are kept: those that go with a trace that is named, too. What appears meanwhile costs no recording.
named() {
	"$build/sahm" trace record --via qemu --epoch-instructions 1000000 -o "$out/named/y.trc" "$@" >"$out/printed" 2>"$out/said"
}
mkdir "$out/named"
for name in y.cfg y.t1.trc; do
	: >"$out/named/$name"
	named -- "$work" 1
	[ $? -eq 2 ] && grep -q "/$name' exists already" "$out/said" || fail "$name: $(cat "$out/said")"
	named --threads sum -- "$work" 1 || fail "one trace beside $name: $(cat "$out/said")"
	rm -f "$out"/named/*
done
named -- sh -c ': >"$1" && exec "$2" 1' sh "$out/named/y.trc" "$work" &&
	grep -q "/y.trc' exists already: another number is taken$" "$out/said" && [ ! -s "$out/named/y.trc" ] && [ -s "$out/named/y-2.trc" ] ||
	fail "a trace that appeared: $(cat "$out/said")"
rm -f "$out"/named/*
named -- sh -c ': >"$1" && exec "$2" 1 four' sh "$out/named/y.t5.trc" "$work" &&
	grep -q "/y.t5.trc' exists already: another number is taken$" "$out/said" &&
	[ "$(ls "$out/named" | tr '\n' ' ')" = 'y-2.cfg y-2.t1.trc y-2.t2.trc y-2.t3.trc y-2.t4.trc y-2.t5.trc y.t5.trc ' ] ||
	fail "a trace of a thread that appeared: $(ls "$out/named") $(cat "$out/said")"
# Files that --force does not replace are named: traces of threads that are fewer now, and a suite that lists them.
(cd "$out/named" && for file in y-2*; do mv "$file" "y${file#y-2}"; done)
named --force -- "$work" 1 threads
grep -q "^of an earlier recording, and still there: '.*/y.t3.trc', '.*/y.t4.trc', '.*/y.t5.trc'$" "$out/said" || fail "fewer threads: $(cat "$out/said")"
named --force -- "$work" 1
grep -q "^of an earlier recording, and still there: '.*/y.cfg', '.*/y.t1.trc', .* and 1 other$" "$out/said" || fail "one thread: $(cat "$out/said")"
cp configs/cpus/rocket.cfg "$out/named/y.cfg"
named --force --cpu "$out/named/y.cfg" -- "$work" 1
[ $? -eq 2 ] && cmp -s configs/cpus/rocket.cfg "$out/named/y.cfg" || fail "a suite in the place of a processor: $(cat "$out/said")"

# Progress is drawn on a terminal where the command does not print there.
if script --version 2>/dev/null | grep -q util-linux; then
	on_terminal() { # REDIRECTION
		SAHM=$build/sahm TRACE=$out/trace.csv script -qec '"$SAHM" trace record --via qemu --force -o "$TRACE" -- sleep 0.8 '"$1" \
			/dev/null </dev/null >"$out/said"
		grep -q 'not one whole epoch' "$out/said" || fail "a recording on a terminal: $(cat -v "$out/said")"
	}
	on_terminal '>/dev/null'
	grep -q 'epochs, .* million instructions a second' "$out/said" || fail "no progress on a terminal: $(cat -v "$out/said")"
	on_terminal ''
	grep -qF "$(printf '\033[K')" "$out/said" && fail "progress is drawn over what the command prints: $(cat -v "$out/said")"
else
	echo "script of util-linux is not installed: progress on a terminal was left out"
fi

# Interrupted: what was recorded is a trace.
for signal in INT TERM; do
	rm -f "$out/trace.csv"
	# What the shell runs in the background ignores interrupts otherwise.
	setsid env --default-signal=INT "$build/sahm" trace record --via qemu --force -o "$out/trace.csv" -- "$work" 1 loop >"$out/printed" 2>"$out/said" &
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

# A sample has one epoch in K and the instructions before it; the trace stays the same.
must_record --epoch-instructions 100000 --instructions "$out/all.stream" -- "$work" 20
cp "$out/trace.csv" "$out/first.csv"
must_record --epoch-instructions 100000 --instructions "$out/some.stream" --every-epochs 5 --warm 250000 --seed 3 -- "$work" 20
cmp -s "$out/first.csv" "$out/trace.csv" || fail "a sampled stream changes the counts"
"$build/sahm" stream info --json "$out/some.stream" >"$out/info" || fail "a sample that cannot be read"
first=$(sed -n 's/.*"epoch_numbers": \[\([0-9]*\),.*/\1/p' "$out/info")
grep -q "\"epoch_numbers\": \[$first, $((first + 5)), $((first + 10))," "$out/info" || { cat "$out/info" >&2; fail "the sample has other epochs"; }
grep -q '"path": ".*/work"' "$out/info" || { cat "$out/info" >&2; fail "the program is no module of its stream"; }
# Its epochs are those of the whole stream.
"$build/sahm" stream slice --from-epoch "$((first + 5))" --to-epoch "$((first + 6))" --force -o "$out/one.stream" "$out/all.stream" 2>/dev/null
"$build/sahm" stream slice --from-epoch 1 --to-epoch 2 --force -o "$out/two.stream" "$out/some.stream" 2>/dev/null
warm=$("$build/sahm" stream info --json "$out/two.stream" | sed -n 's/.*"epoch_warm": \[\([0-9]*\)\].*/\1/p')
[ "$warm" -ge 249000 ] && [ "$warm" -le 250100 ] || fail "$warm instructions warm, not 250,000"
"$build/sahm" stream head --csv -n 1000000 "$out/one.stream" | tail -n +2 >"$out/one"
"$build/sahm" stream head --csv -n 1000000 "$out/two.stream" | tail -n +$((warm + 2)) >"$out/two"
[ -s "$out/one" ] && cmp -s "$out/one" "$out/two" || fail "an epoch of a sample is not that of the whole stream"
# A long command is sampled without being asked.
(cd "$out" && "$build/sahm" core time --csv -c rocket --keep long.stream --force -- "$work" 50 >long.csv 2>said) || fail "core time of a long command: $(cat "$out/said")"
grep -q 'the command is long: one of [0-9]* epochs' "$out/said" || fail "nothing said of a sample: $(cat "$out/said")"
instructions=$("$build/sahm" stream info --json "$out/long.stream" | awk -F '[][]' '
	/epoch_numbers/ { nr = split($2, number, ", "); for (i = 3; i <= nr; i++) if (number[i] - number[i - 1] != number[2] - number[1]) exit 1 }
	/epoch_instructions/ { split($2, all, ", ") }
	/epoch_warm/ { for (i = split($2, warm, ", "); i > 0; i--) { sum += all[i] - warm[i]; if (number[i] > 0 && warm[i] < 4990000) exit 1 } }
	END { if (nr >= 16) print sum }')
[ "$(awk -F, 'NR == 2 { print $6 }' "$out/long.csv")" = "$instructions" ] ||
	fail "the sample is not timed, or not evenly spaced: $instructions; $(cat "$out/long.csv")"

# On a terminal, progress is shown.
P=$build/sahm S=$out/long.stream script -qec '"$P" core time -c golden-cove "$S"' /dev/null </dev/null >"$out/printed" 2>&1
grep -q ' of [0-9]* million instructions, [0-9.]* million a second, [0-9]* s left' "$out/printed" || { cat "$out/printed" >&2; fail "no progress on a terminal"; }

# Nobody keeps the stream of core epochs; its last epoch, in which the program ended, is left out.
"$build/sahm" core epochs -c rocket --force -o "$out/core.csv" -- "$work" 50 >"$out/printed" 2>"$out/said" || fail "core epochs of a command: $(cat "$out/said")"
"$build/sahm" trace info "$out/core.csv" | grep -q '^  name: work$' || fail "the trace has another name than the command"
# A signal ends the command. The instructions recorded so far are timed, and neither file nor process is left.
mkdir "$out/tmp"
TMPDIR=$out/tmp setsid env --default-signal=INT "$build/sahm" core time --csv -c rocket -- "$work" 1 loop >"$out/core.csv" 2>"$out/said" &
recorder=$!
sleep 1.5
kill -INT -$recorder
wait $recorder || fail "core time that is interrupted: $(cat "$out/said")"
[ "$(awk -F, 'NR == 2 { print ($6 > 0) }' "$out/core.csv")" = 1 ] || fail "nothing timed after an interrupt: $(cat "$out/core.csv")"
[ -z "$(ls -A "$out/tmp")" ] || fail "left behind after an interrupt: $(ls -A "$out/tmp")"
pgrep -f "$work 1 loop" >/dev/null && fail "the program lives on after core time"
# Nor is anything left where nobody reads what the command prints.
TMPDIR=$out/tmp "$build/sahm" core time -c rocket -- sh -c 'i=0; while [ $i -lt 3000 ]; do echo $i; i=$((i + 1)); done' 2>&1 | head -n 1 >/dev/null
for i in 1 2 3 4 5 6 7 8 9 10; do [ -z "$(ls -A "$out/tmp")" ] && break || sleep 1; done
[ -z "$(ls -A "$out/tmp")" ] || fail "left behind by a broken pipe: $(ls -A "$out/tmp")"

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
	must_record -- "$work-riscv64" 3 exec
	grep -q 'became by execve().*another machine' "$out/said" || fail "nothing said of a program for another machine"
else
	echo "no program for RISC-V: it was left out"
fi

# A script is what its first line says.
# Its line ends at blanks, of which our folder may have some.
cp "$work" "$plain/work"
printf '#!%s 2\n' "$plain/work" >"$out/script" && chmod +x "$out/script"
must_record -- "$out/script"
[ "$(cat "$out/printed")" = "$("$work" 2)" ] || fail "a script ran something else"

# Programs after execve() are counted: of a script that env starts, and of wrappers that change environment and folder.
cp "$work" "$plain/counted work"
printf '#!/usr/bin/env sh\ncd /\nexec env -i "%s" "$1"\n' "$plain/counted work" >"$plain/wrapper" && chmod +x "$plain/wrapper"
must_record -- "$plain/wrapper" 3
[ "$(cat "$out/printed")" = "$("$work" 3)" ] || fail "a wrapper ran something else"
[ $(($(total) - alone)) -gt 0 ] && [ $(($(total) - alone)) -lt 3000000 ] || fail "$(total) instructions of a wrapper, $alone of its program"
must_record --instructions "$out/w.stream" -- "$plain/wrapper" 3
grep -q 'left out of the stream' "$out/said" || fail "nothing said of the start of a stream"
"$build/sahm" stream info "$out/w.stream" >/dev/null || fail "the stream of a wrapper"
if command -v python3 >/dev/null 2>&1; then
	printf '#!/usr/bin/env python3\nprint(sum(range(300000)))\n' >"$plain/script.py" && chmod +x "$plain/script.py"
	must_record -- "$plain/script.py"
	[ "$(cat "$out/printed")" = 44999850000 ] && [ "$(epochs)" -ge 2 ] || fail "a script of Python: $(cat "$out/said")"
fi
# Of helpers it says only how many; what works in children says what they are, as a shell in this folder takes it.
printf '#!/bin/sh\n/bin/true\nexec "%s" 3\n' "$plain/counted work" >"$plain/wrapper"
must_record -- "$plain/wrapper"
grep -q 'left out: 1 process that was forked$' "$out/said" || fail "advice to record a helper: $(cat "$out/said")"
if command -v make >/dev/null 2>&1; then
	printf 'all:\n\t@%s 3\n' "$plain/work" >"$plain/Makefile"
	record -- make -C "$plain"
	sed -n 's/.*left out: 1 process .*name its command: //p' "$out/said" >"$out/advice"
	PATH=$build:$PATH bash "$out/advice" >"$out/printed" 2>&1
	"$build/sahm" trace info "$plain/work.trc" >/dev/null || fail "the advice does not work: $(cat "$out/said" "$out/printed")"
	# Also where it has epochs.
	printf 'all:\n\t@%s 100\n' "$plain/work" >"$plain/Makefile"
	must_record --epoch-instructions 100000 -- make -C "$plain"
	grep -q "left out: 1 process .*qemu -- .*/work 100$" "$out/said" || fail "nothing said of a child: $(cat "$out/said")"
fi

# What cannot be recorded.
printf 'no program\n' >"$out/text" && chmod +x "$out/text"
record -- "$out/text" && fail "a text was recorded"
grep -q 'neither an ELF program nor a script' "$out/said" || fail "a text as a program: $(cat "$out/said")"
record -- /nowhere/at/all && fail "nothing was recorded"
grep -q "cannot run '/nowhere/at/all': No such file or directory" "$out/said" || fail "a program that is not there"
record -- "$work" 0 && fail "less than an epoch is a trace"
grep -q 'not one whole epoch' "$out/said" || fail "less than an epoch: $(cat "$out/said")"
# The shorter epochs that it names make a trace of it.
must_record --epoch-instructions "$(sed -n 's/.*: --epoch-instructions \([0-9]*\) takes.*/\1/p' "$out/said")" -- "$work" 0
[ "$(epochs)" -ge 10 ] || fail "$(epochs) epochs of a short program"
rm -f "$out/trace.csv"
mkdir "$out/bin"
PATH=$out/bin record -- "$work" 1 && fail "recorded without QEMU"
grep -q 'qemu-user' "$out/said" || fail "nothing said of QEMU that is missing"
record --cpu nothing -- "$work" 1
[ $? -eq 2 ] || fail "a processor that is not there"
grep -q 'golden-cove\|nothing' "$out/said" || fail "nothing said of a processor that is not there"
[ ! -e "$out/trace.csv" ] || fail "a trace of nothing"
exit 0
