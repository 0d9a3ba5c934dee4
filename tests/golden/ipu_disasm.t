## Raw images: an instruction a line, by address, word and text; jumps lead to addresses.
$ printf '\027\101\000\000\023\005\365\377\021\105\343\015\265\376\002\220' >"$T/code" && sahm ipu disasm --raw "$T/code"
       0:	00004117          	auipc	sp,0x4
       4:	fff50513          	addi	a0,a0,-1
       8:	4511                	c.li	a0,4
       a:	feb50de3          	beq	a0,a1,0x4
       e:	9002                	c.ebreak
$ sahm ipu disasm --raw --base 0x80000000 "$T/code"
80000000:	00004117          	auipc	sp,0x4
80000004:	fff50513          	addi	a0,a0,-1
80000008:	4511                	c.li	a0,4
8000000a:	feb50de3          	beq	a0,a1,0x80000004
8000000e:	9002                	c.ebreak
$ sahm ipu disasm -r -b 4K - <"$T/code"
    1000:	00004117          	auipc	sp,0x4
    1004:	fff50513          	addi	a0,a0,-1
    1008:	4511                	c.li	a0,4
    100a:	feb50de3          	beq	a0,a1,0x1004
    100e:	9002                	c.ebreak
## What is no instruction is shown as a word, what is cut off as less; zeros are left out.
$ printf '\377\377\377\377\001\000\000\240\163' >"$T/odd" && sahm ipu disasm --raw "$T/odd"
       0:	ffffffff          	.4byte	0xffffffff
       4:	0001                	c.addi	zero,0
       6:	a000                	.2byte	0xa000
       8:	73                  	.byte	0x73
$ printf '\001\000\000\000\000\000\000\000\001\000' >"$T/zeros" && sahm ipu disasm --raw "$T/zeros"
       0:	0001                	c.addi	zero,0
       2:	0000                	.2byte	0x0
       4:	0000                	.2byte	0x0
       6:	0000                	.2byte	0x0
       8:	0001                	c.addi	zero,0
$ printf '\001\000\000\000\000\000\000\000\000\000\001\000\023\005' >"$T/zeros" && sahm ipu disasm --raw "$T/zeros"
       0:	0001                	c.addi	zero,0
	...
       a:	0001                	c.addi	zero,0
       c:	0513                	.2byte	0x513
$ printf '\001\000\000\000\000\000\000\000\000\000\000\001\000' >"$T/zeros" && sahm ipu disasm --raw "$T/zeros"
       0:	0001                	c.addi	zero,0
	...
       a:	0100                	c.addi4spn	s0,sp,128
       c:	00                  	.byte	0x00
$ : >"$T/empty" && sahm ipu disasm --raw "$T/empty"
## The last address is 0xffffffff.
$ sahm ipu disasm --raw --base 0xfffffff0 "$T/code" | tail -n 2
fffffffa:	feb50de3          	beq	a0,a1,0xfffffff4
fffffffe:	9002                	c.ebreak
$ sahm ipu disasm --raw --base 0xfffffff2 "$T/code"
sahm: error: @T@/code: its 16 bytes reach beyond the last address when they begin at 0xfffffff2
[1]
## ELF files: executable segments only, without the memory behind what is in the file.
$ printf '\177\105\114\106\001\001\001\000\000\000\000\000\000\000\000\000\002\000\363\000\001\000\000\000\000\000\000\200\064\000\000\000\000\000\000\000\001\000\000\000\064\000\040\000\002\000\050\000\000\000\000\000' >"$T/elf"
$ printf '\001\000\000\000\164\000\000\000\000\000\000\200\000\000\000\200\014\000\000\000\020\000\000\000\005\000\000\000\004\000\000\000\001\000\000\000\200\000\000\000\000\020\000\200\000\020\000\200\004\000\000\000\004\000\000\000\006\000\000\000\004\000\000\000' >>"$T/elf"
$ printf '\227\002\000\000\157\360\337\377\005\105\002\220\023\000\000\000' >>"$T/elf"
$ sahm ipu disasm "$T/elf"
80000000:	00000297          	auipc	t0,0x0
80000004:	ffdff06f          	jal	zero,0x80000000
80000008:	4505                	c.li	a0,1
8000000a:	9002                	c.ebreak
$ sahm ipu disasm - <"$T/elf"
80000000:	00000297          	auipc	t0,0x0
80000004:	ffdff06f          	jal	zero,0x80000000
80000008:	4505                	c.li	a0,1
8000000a:	9002                	c.ebreak
$ printf '\006' | dd of="$T/elf" bs=1 seek=76 conv=notrunc 2>/dev/null && sahm ipu disasm "$T/elf"
sahm: error: @T@/elf: no segment of it is executable
[1]
## Mistakes.
$ sahm ipu disasm
sahm: error: a file is missing: sahm ipu disasm FILE
[2]
$ sahm ipu disasm "$T/code" "$T/odd"
sahm: error: one file at a time: '@T@/odd' is too many
[2]
$ sahm ipu disasm "$T/code"
sahm: error: @T@/code: not an ELF file
[1]
$ sahm ipu disasm "$T/empty"
sahm: error: @T@/empty: not an ELF file
[1]
$ sahm ipu disasm "$T/none"
sahm: error: cannot open '@T@/none': No such file or directory
[1]
$ sahm ipu disasm --base 0x1000 "$T/code"
sahm: error: --base goes with --raw: an ELF file says itself where it belongs
[2]
$ sahm ipu disasm --raw --base 0x1001 "$T/code"
sahm: error: --base is '0x1001', must be an even address below 4G, like 4096, 0x80000000 or 64K
[2]
$ sahm ipu disasm --raw --base 4G "$T/code"
sahm: error: --base is '4G', must be an even address below 4G, like 4096, 0x80000000 or 64K
[2]
$ sahm ipu disasm --raw --base ten "$T/code"
sahm: error: --base is 'ten', must be an even address below 4G, like 4096, 0x80000000 or 64K
[2]
$ sahm ipu disasm --raw --base
sahm: error: option '--base' needs a value: --base ADDR
[2]
$ sahm ipu disasm --rwa "$T/code"
sahm: error: unknown option '--rwa'; did you mean '--raw'?
[2]
$ sahm ipu
sahm: error: 'ipu' needs a second word: new, run, signals, study, compare, exec, disasm, soft, keygen, sign, verify, attach, config-image, config-start, config-stop, pause, resume, finalize, feed, wait, drain, status (sahm help ipu)
[2]
$ sahm ipu dism
sahm: error: unknown command 'ipu dism'; did you mean 'ipu disasm'? (sahm --help lists them)
[2]
$ sahm help ipu disasm
usage: sahm ipu disasm [OPTION]... FILE

Prints the executable segments of an RV32 ELF file (FILE -: standard input), or
all bytes of a raw image, in the format of `objdump -d -M no-aliases`: one
instruction per line, with address, word and operands, and a line for each
symbol. It knows what the IPU executes: RV32I, M, C, Zicsr and Zifencei. Any
other word is printed as .4byte or .2byte.

Data in an executable segment, such as ELF headers (link with --nmagic to avoid
them), is printed as if it were instructions. Runs of zeros are printed as
`...`. Nothing is executed, and no trust file is needed.

options:
  -r, --raw                   FILE is not an ELF file: all its bytes are code
  -b, --base ADDR             with --raw, the address of the first byte
                              (default: 0)
  -h, --help                  print this
