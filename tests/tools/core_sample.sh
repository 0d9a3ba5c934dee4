#!/bin/bash
# Samples of a program with symbols: core_sample.sh BUILD. Names of functions, of a stream that a command leaves, and the warnings once
# the program has changed or is missing. Recorded in QEMU.
set -u
. tests/tools/expect.sh
qemu-x86_64 -h 2>/dev/null | grep -q plugin || {
	echo "qemu-x86_64 is not installed, or takes no plug-ins (Debian: qemu-user)"
	exit 77
}
build=$(cd "$1" && pwd)
out=$(mktemp -d "${TMPDIR:-/tmp}/sahm samples.XXXXXX") || exit 1
trap 'rm -rf "$out"' EXIT
tree=$(pwd)
export LC_ALL=C SAHM_DATA=$tree
sample() { expect "$1" "$out/said" "$build/sahm" core sample "${@:2}"; }

cat >"$out/sums.c" <<'C'
#define NR 300
static volatile double sums[2], terms[NR];
__attribute__((noinline)) void add_all(void) { for (int i = 0; i < NR; i++) sums[0] += terms[i]; }
__attribute__((noinline)) void add_few(void) { for (int i = 0; i < NR / 10; i++) sums[1] += terms[i]; }
void _start(void)
{
	add_all();
	add_few();
	__asm__ volatile("syscall" : : "a"(60), "D"(0));
}
C
gcc -O1 -nostdlib -static -o "$out/sums" "$out/sums.c" || fail "sums.c does not compile"

# 330 additions, 300 of them in add_all.
sample 0 --core rocket -e FP_ADD -c 10 --keep "$out/sums.stream" -o "$out/a.pes" -- "$out/sums"
sample 0 --report "$out/a.pes" --csv
printf '%s\n' event,threshold,samples,share,function FP_ADD,10,30,0.9090909090909091,add_all FP_ADD,10,3,0.09090909090909091,add_few >"$out/wanted"
cut -d, -f1-4,6 "$out/said" | cmp -s - "$out/wanted" || { cat "$out/said" >&2; fail "not 30 samples in add_all and 3 in add_few"; }
sample 0 --report "$out/a.pes" --by pc
grep -q ' add_all+0x[0-9a-f]* *sums$' "$out/said" || fail "no pc in add_all"

# Their pcs are those of the function, as nm has it.
address=$(nm -S "$out/sums" | sed -n 's/^0*\([0-9a-f]*\) \([0-9a-f]*\) T add_all$/0x\1 0x\2/p')
sample 0 --report "$out/a.pes" --by pc --csv
awk -F, '$6 == "add_all" { print $5, $7 }' "$out/said" | while read -r pc offset; do
	[ $((pc - offset)) = $((${address% *})) ] && [ $((offset)) -lt $((${address#* })) ] || fail "$pc is not $offset bytes into add_all, $address"
done || exit 1

# A stream that is not kept has no functions, and no other stream stands in for it.
sample 0 --core rocket -e FP_ADD -c 10 -o "$out/b.pes" -- "$out/sums"
sample 0 --report "$out/b.pes"
grep -qF "the stream of command 'sums' was not kept" "$out/said" || { cat "$out/said" >&2; fail "nothing is said of a stream that was not kept"; }
sample 2 --report "$out/b.pes" "$out/sums.stream"

# Counters see a function's own additions, and of all instructions its own.
for region in add_all add_few _start; do
	expect 0 "$out/said" "$build/sahm" core stat -c rocket -x, -e FP_ADD,instructions --region "$region" "$out/sums.stream"
	awk -F, -v region="$region" '{ printf "%s%s ", NR == 1 ? region " " : "", $1 }' "$out/said"
done >"$out/regions"
whole=$("$build/sahm" core stat -c rocket -x, -e instructions "$out/sums.stream" | cut -d, -f1)
awk -v whole="$whole" '{ exit !($2 == 300 && $5 == 30 && $8 == 0 && $3 > 1500 && $9 > 4 && $3 + $6 + $9 == whole) }' "$out/regions" || { cat "$out/regions" >&2; fail "regions are not 300, 30 and 0 additions and all $whole instructions"; }

# A program that is newer than the stream is not looked at, nor one that is gone: its instructions still have a place.
touch -d 2100-01-01 "$out/sums"
sample 0 --report "$out/a.pes"
grep -qF "'$out/sums' has changed since the stream was recorded" "$out/said" || fail "nothing is said of a changed program"
grep -q ' sums+0x[0-9a-f]* *sums$' "$out/said" || fail "a changed program has no places"
rm "$out/sums"
sample 0 --report "$out/a.pes"
grep -qF "cannot open '$out/sums': No such file or directory" "$out/said" || fail "nothing is said of a program that is gone"
grep -q ' sums+0x[0-9a-f]* *sums$' "$out/said" || fail "a program that is gone has no places"
