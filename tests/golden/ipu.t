## Command lines that cannot be understood.
$ sahm ipu
sahm: error: 'ipu' needs a second word: new, run, signals, study, compare, exec, disasm, soft, keygen, sign, verify, attach, config-image, config-start, config-stop, pause, resume, finalize, feed, wait, drain, status (sahm help ipu)
[2]
$ sahm ipu exec
sahm: error: a program is missing: sahm ipu exec ELF
[2]
$ sahm ipu exce
sahm: error: unknown command 'ipu exce'; did you mean 'ipu exec'? (sahm --help lists them)
[2]
$ sahm ipu exec --flat
sahm: error: a program is missing: sahm ipu exec ELF
[2]
$ sahm ipu exec tests/fuzz/corpus/ipu_elf/hello
sahm: error: tests/fuzz/corpus/ipu_elf/hello: executable segment of 44 bytes at 0x00010000 does not fit into the instruction memory, 0x00000000 to 0x00001fff; link it with ipu.ld, or let --flat run it in one RAM
[1]
$ sahm ipu exec --flat a.elf b.elf
sahm: error: one program at a time: 'b.elf' is too many (write its own arguments after --)
[2]
$ sahm ipu exec --flat a.elf --rom 16M
sahm: error: unknown option '--rom'; did you mean '--ram'?
[2]
$ sahm ipu exec --flat a.elf --ram
sahm: error: option '--ram' needs a value: --ram SIZE
[2]
$ for ram in 0 4095 4097 6K 2G 3G 2049M x 16m -4096 1.5M 18446744073709551616; do sahm ipu exec --flat a.elf --ram $ram; done
sahm: error: --ram is '0', must be a multiple of 4K from 4K to 2G, such as 16M
sahm: error: --ram is '4095', must be a multiple of 4K from 4K to 2G, such as 16M
sahm: error: --ram is '4097', must be a multiple of 4K from 4K to 2G, such as 16M
sahm: error: --ram is '6K', must be a multiple of 4K from 4K to 2G, such as 16M
sahm: error: cannot open 'a.elf': No such file or directory
sahm: error: --ram is '3G', must be a multiple of 4K from 4K to 2G, such as 16M
sahm: error: --ram is '2049M', must be a multiple of 4K from 4K to 2G, such as 16M
sahm: error: --ram is 'x', must be a multiple of 4K from 4K to 2G, such as 16M
sahm: error: --ram is '16m', must be a multiple of 4K from 4K to 2G, such as 16M
sahm: error: --ram is '-4096', must be a multiple of 4K from 4K to 2G, such as 16M
sahm: error: --ram is '1.5M', must be a multiple of 4K from 4K to 2G, such as 16M
sahm: error: --ram is '18446744073709551616', must be a multiple of 4K from 4K to 2G, such as 16M
[2]
$ for base in 0x80000001 0xfffff000 0x100000000 4G -1 0x; do sahm ipu exec --flat a.elf --base $base; done
sahm: error: --base is '0x80000001', must be a multiple of 4K below 2^32, such as 0x80000000
sahm: error: cannot open 'a.elf': No such file or directory
sahm: error: --base is '0x100000000', must be a multiple of 4K below 2^32, such as 0x80000000
sahm: error: --base is '4G', must be a multiple of 4K below 2^32, such as 0x80000000
sahm: error: --base is '-1', must be a multiple of 4K below 2^32, such as 0x80000000
sahm: error: --base is '0x', must be a multiple of 4K below 2^32, such as 0x80000000
[2]
$ sahm ipu exec --flat a.elf --max-instructions 0; sahm ipu exec --flat a.elf --max-instructions 1e9
sahm: error: --max-instructions is '0', must be a whole number above 0
sahm: error: --max-instructions is '1e9', must be a whole number above 0
[2]
$ sahm ipu exec --flat a.elf --trace - --histogram
sahm: error: --trace and --histogram exclude each other
[2]
## Files that are no programs.
$ sahm ipu exec --flat no/such.elf
sahm: error: cannot open 'no/such.elf': No such file or directory
[1]
$ sahm ipu exec --flat tests
sahm: error: cannot read 'tests': Is a directory
[1]
$ sahm ipu exec --flat README.md; : | sahm ipu exec --flat -; printf '\177ELF\1\1\1' | sahm ipu exec --flat -
sahm: error: README.md: not an ELF file
sahm: error: <stdin>: not an ELF file
sahm: error: <stdin>: cut short: it ends within the ELF header
[1]
## A program of nine instructions that says hello and ends with 3.
$ sahm ipu exec --flat tests/fuzz/corpus/ipu_elf/hello 2>&1 | sed 's/ in .*/ in .../'
hello
executed 9 instructions in ...
$ sahm ipu exec --flat tests/fuzz/corpus/ipu_elf/hello 2> "$T/err"
hello
[3]
$ sahm ipu exec --flat --max-instructions 9 tests/fuzz/corpus/ipu_elf/hello 2> /dev/null
hello
[3]
$ sahm ipu exec --flat --max-instructions 8 tests/fuzz/corpus/ipu_elf/hello 2>&1 | sed 's/ in .*/ in .../'
hello
executed 8 instructions in ...
sahm: error: tests/fuzz/corpus/ipu_elf/hello: not at its end after 8 instructions at pc 0x00010020
$ sahm ipu exec --flat --trace - tests/fuzz/corpus/ipu_elf/hello 2>&1 >/dev/null | sed 's/ in .*/ in .../'
core   0: 3 0x00010000 (0x00100513) x10 0x00000001
core   0: 3 0x00010004 (0x00000597) x11 0x00010004
core   0: 3 0x00010008 (0x02058593) x11 0x00010024
core   0: 3 0x0001000c (0x00600613) x12 0x00000006
core   0: 3 0x00010010 (0x04000893) x17 0x00000040
core   0: 3 0x00010014 (0x00000073) x10 0x00000006
core   0: 3 0x00010018 (0x00300513) x10 0x00000003
core   0: 3 0x0001001c (0x05d00893) x17 0x0000005d
core   0: 3 0x00010020 (0x00000073)
executed 9 instructions in ...
$ sahm ipu exec --flat --signature "$T/signature" tests/fuzz/corpus/ipu_elf/hello; ls "$T"
sahm: error: tests/fuzz/corpus/ipu_elf/hello: it has no symbol 'begin_signature', which --signature needs
err
## It is at 0x10000: other places and sizes of the RAM.
$ sahm ipu exec --flat --base 0x11000 tests/fuzz/corpus/ipu_elf/hello
sahm: error: tests/fuzz/corpus/ipu_elf/hello: its segment of 44 bytes at 0x00010000 begins below the RAM at 0x00011000: it needs --base 0x00010000
[1]
$ sahm ipu exec --flat --base 0 --ram 64K tests/fuzz/corpus/ipu_elf/hello
sahm: error: tests/fuzz/corpus/ipu_elf/hello: its segment of 44 bytes at 0x00010000 ends beyond the RAM of 64K at 0x00000000: it needs --ram 2M
[1]
$ sahm ipu exec --flat --base 0 --ram 1M tests/fuzz/corpus/ipu_elf/hello 2>/dev/null
hello
[3]
$ sahm ipu exec --flat --base 0x10000 --ram 4K tests/fuzz/corpus/ipu_elf/hello 2>/dev/null
hello
[3]
## One that stores 11 to tohost, which means 5.
$ sahm ipu exec --flat tests/fuzz/corpus/ipu_elf/tohost 2>&1 | sed 's/ in .*/ in .../'; sahm ipu exec --flat tests/fuzz/corpus/ipu_elf/tohost 2> /dev/null
executed 10 instructions in ...
[5]
