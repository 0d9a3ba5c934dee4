#!/bin/sh
# Makes the inputs of the open suite in FOLDER: make_inputs.sh FOLDER
# Everything comes from what the packages of `packages` ship or from generators with fixed seeds, so that every run makes the
# same bytes (with the same packages). Missing files are named with the package that has it.
set -u
LC_ALL=C
export LC_ALL
[ $# -eq 1 ] || { echo "usage: make_inputs.sh FOLDER" >&2; exit 2; }
folder=$1
here=$(cd "$(dirname "$0")" && pwd)/inputs

missing=0
needs() { # PACKAGE FILE
	[ -e "$2" ] || { echo "missing: $2 (package $1)" >&2; missing=1; }
}
needs python3.11-minimal /usr/bin/python3.11
needs cpp-12 /usr/bin/cpp-12
needs libc6-dev /usr/include/stdio.h
needs libstb-dev /usr/include/stb/stb_image.h
needs iverilog /usr/bin/iverilog
needs glpk-doc /usr/share/doc/glpk-doc/glpk.pdf
needs docbook-xsl /usr/share/xml/docbook/stylesheet/docbook-xsl/fo/docbook.xsl
[ $missing -eq 0 ] || exit 1

mkdir -p "$folder" && folder=$(cd "$folder" && pwd) || exit 1
failed=0
make_one() { # FILE COMMAND...: the command's output, moved in place when it is whole
	file=$1
	shift
	"$@" >"$folder/$file.part" && mv "$folder/$file.part" "$folder/$file" || { echo "cannot make $folder/$file" >&2; failed=1; }
}
for kind in log corpus video picture scene docbook lp cnf graph pcm circuit antenna points; do
	make_one $kind /usr/bin/python3.11 -I "$here/generate.py" $kind
done
mv "$folder/points" "$folder/points.node" || failed=1
for file in log.pl mixed.py fields.awk shop.sql numbers.gp sudoku.pl lattice.py; do
	cp "$here/$file" "$folder/$file" || failed=1
done
make_one chess printf 'go\n'
make_one stb.i cpp-12 -P "$here/stb.c"
# iverilog names things by where they lay in its memory: number them instead.
chip() {
	(cd "$here" && iverilog -DCYCLES=4000 -o "$folder/chip.part" chip.v) && /usr/bin/python3.11 -I -c 'import re, sys
seen = {}
for line in open(sys.argv[1]):
    print(re.sub("0x[0-9a-f]{9,}", lambda m: "0x%x" % seen.setdefault(m[0], 4096 + len(seen)), line), end="")
' "$folder/chip.part" && rm "$folder/chip.part"
}
make_one chip.vvp chip
[ $failed -eq 0 ]
