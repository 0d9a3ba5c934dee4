#!/bin/sh
# The disassembler against that of the GNU tools: objdump.sh PROGRAM. Equal texts for every half-word that is an
# instruction (and no others left out), for random words of each wide instruction (DISASM_WORDS of each), and for a
# program with symbols.
set -eu
program=$1 words=${DISASM_WORDS:-2000} tools=riscv64-unknown-elf
for tool in objdump as ld objcopy; do
	command -v $tools-$tool >/dev/null 2>&1 || { echo "$tools-$tool is not installed"; exit 77; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export LC_ALL=C

assemble() { # NAME: from .s to an object
	$tools-as -march=rv32imc_zicsr_zifencei -mabi=ilp32 -o "$folder/$1.o" "$folder/$1.s"
}

# The comments after '#' are objdump's guesses at addresses.
plain() { sed -e 's/ # .*//' -e 's/^ *//' -e 's/[[:blank:]]*$//'; }

# What both say about the image NAME.o as lines `ADDRESS|WORD|OURS|THEIRS`, without blanks for filling.
both() { # NAME BASE
	$tools-objcopy -O binary "$folder/$1.o" "$folder/$1.bin"
	"$program" ipu disasm --raw --base "$2" "$folder/$1.bin" | plain >"$folder/ours"
	$tools-objdump -D -z -b binary -m riscv:rv32 -M no-aliases --adjust-vma="$2" "$folder/$1.bin" |
		sed '1,/^[0-9a-f]* <.data>:$/d' | plain >"$folder/theirs"
	[ "$(wc -l <"$folder/ours")" -eq "$(wc -l <"$folder/theirs")" ] || { echo "$1: other lines"; exit 1; }
	paste -d '|' "$folder/ours" "$folder/theirs"
}

# Of 16 bits: those that are no instruction here are none for objdump, or of an extension that is not here: floating
# point, shifts by 32 and more; or reserved, which objdump does not mind. The specification leaves this number.
awk 'BEGIN { for (i = 0; i < 65536; i++) if (i % 4 != 3) printf ".2byte 0x%04x\n", i }' >"$folder/short.s"
assemble short
both short 0x1000 | awk -F '|' '
	$1 == $2 { same += $1 !~ /\.2byte/; next }
	$1 ~ /\t\.2byte\t/ && $2 ~ /\tc\.(unimp$|f(lw|ld|sw|sd)(sp)?\t|s(ll|rl|ra)i\t[a-z0-9]+,0x[23].|addi16sp\tsp,0$)/ { next }
	{ print "differs: " $0; differ++ }
	END {
		if (differ || same != 28823) { print differ + 0 " half-words differ, " same + 0 " are the same"; exit 1 }
		print same " half-words are the same"
	}'

# Of 32 bits: match and mask of each row, the other bits at random. Reserved bits of a fence are left 0, and CSRs are
# those of user level or without a name, for objdump has names for others that are not here. It knows nothing of the
# IPU's own instructions.
sed -n '/(IPU_/d; s/^\(RISCV\|RV32\)(\([A-Z_]*\), "[a-z.]*", 0x\([0-9a-f]\{8\}\), 0x\([0-9a-f]\{8\}\),.*/\2 \3 \4/p' \
	cores/isa/riscv_list.h >"$folder/rows"
awk -v words="$words" '
	function digit(text, i) { return index("0123456789abcdef", substr(text, i, 1)) - 1 }
	function bit(value, b) { return int(value / b) % 2 }
	BEGIN {
		srand(1)
		nr_csrs = split("000 001 002 003 5c0 800 801 802 803 8ff c00 c01 c02 c80 c81 c82 cc0 cdf ce0 cff fff", csrs, " ")
	}
	{
		mask = $1 == "FENCE" ? "f00fffff" : $1 == "FENCE_I" ? "ffffffff" : $3
		for (n = 0; n < words; n++) {
			text = ""
			for (i = 1; i <= 8; i++) {
				random = int(rand() * 16)
				value = 0
				for (b = 1; b < 16; b *= 2)
					value += b * bit(bit(digit(mask, i), b) ? digit($2, i) : random, b)
				text = text sprintf("%x", value)
			}
			if ($1 ~ /^CSR/)
				text = csrs[1 + int(rand() * nr_csrs)] substr(text, 4)
			print ".4byte 0x" text
		}
	}
	END { print ".4byte 0xc0001073, 0x8330000f, 0x0ff0000f, 0x0000000f" }' "$folder/rows" >"$folder/wide.s"
assemble wide
both wide 0x80000000 | awk -F '|' -v rows="$(wc -l <"$folder/rows")" -v words="$words" '
	$1 != $2 { print "differs: " $0; differ++; next }
	{ same++ }
	END {
		if (differ || same != rows * words + 4) { print differ + 0 " words differ, " same + 0 " are the same"; exit 1 }
		print same " words of " rows " instructions are the same"
	}'

# A program: headings, names of targets, several names for a place, an address in front of all of them.
cat >"$folder/program.s" <<'END'
	.globl _start
	addi a0,zero,1
	beqz a0,1f
_start:	auipc gp,0x1
	lui t0,0x80000
	jal ra,work
	j . + 2
1:	bne a0,a1,_start
	ecall
	.type work, @function
also_work:
work:	c.lwsp a0,12(sp)
	fence rw,w
	csrr a1,instret
.Lloop:	sw a0,-4(sp)
	div a0,a0,a1
	bgeu a0,a1,.Lloop
	c.j work + 4
	ret
last:	ebreak
	.section .data
between: .word 0
	.section .more, "ax"
more:	j more
	.type also_more, @function
also_more:
	ret
END
assemble program
$tools-ld -m elf32lriscv --nmagic -Ttext=0x80000000 -Tdata=0x80010000 --section-start=.more=0x80020000 -o "$folder/program" "$folder/program.o"
"$program" ipu disasm "$folder/program" | plain >"$folder/ours"
$tools-objdump -d -M no-aliases "$folder/program" | plain >"$folder/listing"
# Code in front of the first symbol gets a heading by objdump, with a name that it does not have.
sed -e '1,/^Disassembly of section/d' "$folder/listing" | sed -e 1d -e '/ <_start-0x4>:$/d' -e '/^Disassembly of /,+1d' >"$folder/theirs"
grep -q '<work+0x4>$' "$folder/ours"
diff -u "$folder/theirs" "$folder/ours"
grep -q '<also_more>:$' "$folder/ours"
echo "a program is the same"

# Very many symbols and jumps take a second, not minutes.
awk 'BEGIN { for (i = 0; i < 200000; i++) printf "f%d: .4byte 0x0040006f\n", i; print "ebreak" }' >"$folder/many.s"
assemble many
$tools-ld -m elf32lriscv --nmagic -Ttext=0 -e 0 -o "$folder/many" "$folder/many.o"
timeout 30 "$program" ipu disasm "$folder/many" >"$folder/ours" || { echo "200000 symbols take too long"; exit 1; }
[ "$(grep -c '<f[0-9]*>$' "$folder/ours")" -eq 199999 ]
echo "200000 symbols are no trouble"
