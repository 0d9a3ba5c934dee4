#!/bin/sh
# What `sahm policy new` makes can be built by every compiler at hand without a warning, and runs: policy_new.sh PROGRAM
set -u
program=$(cd "$(dirname "$1")" && pwd)/${1##*/}
out=$(mktemp -d "${TMPDIR:-/tmp}/sahm \$new#it's.XXXXXX") || exit 1
trap 'rm -rf "$out"' EXIT

fail() {
	echo "$*" >&2
	exit 1
}

# The headers lie in a folder whose name means something to make and to the shell.
mkdir "$out/data"
cp -R "$(pwd)/sched" "$(pwd)/cores" "$(pwd)/configs" "$(pwd)/workloads" "$out/data" || exit 1
SAHM_DATA=$out/data
export SAHM_DATA
cd "$out" || exit 1
for cc in gcc clang; do
	command -v "$cc" >/dev/null 2>&1 || continue
	rm -rf my-first
	"$program" policy new my-first 2>said || { cat said >&2; fail "sahm policy new"; }
	make -s -C my-first CC="$cc" CFLAGS='-O2 -Wall -Wextra -Wno-unused-parameter -Werror' || fail "$cc cannot build it"
	make -s -C my-first SAHM="$program" check >said || { cat said >&2; fail "make check"; }
	grep -q '^policy  *my-first$' said || { cat said >&2; fail "make check does not know it"; }
	make -s -C my-first SAHM="$program" run >said 2>&1 || { cat said >&2; fail "make run"; }
	grep -q '^scheduler  *my-first (plug-in)' said || { cat said >&2; fail "make run does not use it"; }
	make -s -C my-first clean
	[ ! -e my-first/my-first.so ] || fail "make clean"
done
