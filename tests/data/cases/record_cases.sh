#!/bin/sh
# Builds the programs of this folder and records their streams: record_cases.sh SAHM FOLDER. Streams name the folder.
set -eu
sahm=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
cd "$(dirname "$0")"

record() { # STREAM SOURCE FLAG...
	name=$1 source=$2
	shift 2
	riscv64-linux-gnu-gcc -march=rv64gc -mtune=rocket -ffreestanding -fno-stack-protector -fno-tree-loop-distribute-patterns \
		-fno-pic -static -nostdlib -Wl,--no-relax,--build-id=none,-z,separate-code "$@" "$source" -o "$out/$name"
	(cd "$out" && "$sahm" trace record --via qemu --cpu rocket --epoch-instructions "$epoch" --instructions "$name.stream" --force \
		-o "$name.csv" -- "./$name")
	rm "$out/$name" "$out/$name.csv"
}

epoch=1000
record chain-taken chain.S -DTAKEN
record chain-not-taken chain.S
record chain-taken-warm chain.S -DTAKEN -DRUNS=8
record chain-not-taken-warm chain.S -DRUNS=8
epoch=20000
record search search.c -O2
record copy copy.c -O2
record quicksort quicksort.c -O2
record matrices matrices.c -O1
record matrices-scheduled matrices.c -O1 -fschedule-insns -fschedule-insns2
record gemm gemm.c -O2
record stores stores.c -O2
record coin coin.c -O2
record chase chase.c -O2
epoch=100000
record stencil stencil.c -O2
epoch=1000
record roots roots.c -O2
record roots-fast roots.c -O2 -DFAST
