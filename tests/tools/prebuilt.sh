#!/bin/sh
# The introspection programs that come with the source are those that `make programs` builds, byte by byte, wherever it does,
# and their signatures those that the demonstration key makes: prebuilt.sh PROGRAM.
set -u
cc=${RISCV_CC:-riscv64-unknown-elf-gcc}
folder=ipu/programs/prebuilt
command -v "$cc" >/dev/null 2>&1 || { echo "skipped: $cc is not installed"; exit 77; }
built_by=$(sed -n 's/^Compiler: //p' $folder/README.md)
here=$("$cc" --version | head -n 1)
[ "$here" = "$built_by" ] || { echo "skipped: the compiler here is $here, the programs were built by $built_by"; exit 77; }
out=$(mktemp -d "${TMPDIR:-/tmp}/sahm-programs.XXXXXX") || exit 1
trap 'rm -rf "$out"' EXIT
make --no-print-directory -s RISCV_CC="$cc" B="$out" programs-built >"$out/log" 2>&1 || { cat "$out/log" >&2; exit 1; }
failures=0
for source in ipu/programs/*.c; do
	name=$(basename "$source" .c).elf
	if ! cmp -s "$out/ipu/programs/$name" "$folder/$name"; then
		echo "$folder/$name is not what its source makes: refresh it by \`make prebuilt\`" >&2
		failures=$((failures + 1))
	fi
	abi=$(sed -n 's/^abi: //p' "$folder/$name.sig") || failures=$((failures + 1))
	"$1" ipu sign --key ipu/programs/keys/insecure-demonstration.key --abi "$abi" "$out/ipu/programs/$name" 2>"$out/log" ||
		cat "$out/log" >&2
	if ! cmp -s "$out/ipu/programs/$name.sig" "$folder/$name.sig"; then
		echo "$folder/$name.sig is not its signature: refresh it by \`make prebuilt\`" >&2
		failures=$((failures + 1))
	fi
	! grep -qa "$out\|$(pwd)" "$folder/$name" || { echo "$folder/$name holds a path" >&2; failures=$((failures + 1)); }
	[ "$(wc -c <"$folder/$name")" -le 8192 ] || { echo "$folder/$name is large" >&2; failures=$((failures + 1)); }
done
for file in "$folder"/*.elf; do
	[ -e "ipu/programs/$(basename "$file" .elf).c" ] || { echo "$file has no source" >&2; failures=$((failures + 1)); }
done
[ $failures -eq 0 ]
