#!/bin/sh
# `make dist` makes the same tarball each time, in a repository and from a tarball; what is unpacked from it builds and works,
# in a folder of any name.
set -eu
out=$(mktemp -d "${TMPDIR:-/tmp}/sahm dist it's.XXXXXX")
trap 'rm -rf "$out"' EXIT
fail() {
	echo "$*" >&2
	exit 1
}
first=$(make --no-print-directory dist)
[ -s "$first" ] || fail "there is no '$first'"
cp "$first" "$out/first"
# The umask, the locale and the time of files have no say.
(umask 077 && touch Makefile && LC_ALL=C.UTF-8 make --no-print-directory dist >/dev/null)
cmp "$first" "$out/first" || fail 'two runs differ'
# SOURCE_DATE_EPOCH has.
SOURCE_DATE_EPOCH=1000000000 make --no-print-directory dist >/dev/null
! cmp -s "$first" "$out/first" || fail 'SOURCE_DATE_EPOCH changes nothing'
tar -tvf "$first" --utc | grep -v ' 2001-09-09 01:46 ' && fail 'times that are not SOURCE_DATE_EPOCH'
tar -tvf "$first" --numeric-owner | grep -v '^[-dl][rwx-]* 0/0 ' && fail 'owners that are not 0'
cp "$out/first" "$first"

version=$(sed -n 's/^#define SAHM_VERSION "\(.*\)"$/\1/p' sim/base/version.h)
tar -xf "$out/first" -C "$out"
tree=$out/sahm-$version
[ -d "$tree" ] || fail "it does not unpack into sahm-$version"
# What is tracked, all of it and nothing else, but for the list of it.
if [ "$(git rev-parse --show-toplevel 2>/dev/null)" = "$(pwd -P)" ]; then
	git -c core.quotePath=false ls-files | LC_ALL=C sort >"$out/tracked"
	(cd "$tree" && find . ! -type d | sed 's|^\./||' | grep -vx mk/dist.list | LC_ALL=C sort) | diff "$out/tracked" - || fail 'not what is tracked'
fi
# A tarball makes the same tarball, also inside a repository of something else, whose history is not searched for secrets of ours.
git init -q "$out" 2>/dev/null || :
(cd "$tree" && sh tests/tools/secrets.sh) || fail 'secrets are looked for elsewhere'
made=$(cd "$tree" && make --no-print-directory dist)
cmp "$tree/$made" "$out/first" || fail 'a tarball makes another one'

# It builds, and so would its tests; the model is that of this tree, and so are results. Not optimised, it builds in half the time.
cd "$tree"
make --no-print-directory -j"$(nproc)" OPT=-O0 build/sahm man build/release/tests/cores_chip >"$out/log" 2>&1 || { tail -n 30 "$out/log"; fail 'it does not build'; }
make --no-print-directory -n OPT=-O0 check-built >"$out/log" 2>&1 || { tail -n 30 "$out/log"; fail 'its tests would not build'; }
build/release/tests/cores_chip test_cores >"$out/log" 2>&1 || { cat "$out/log"; fail 'a test fails there'; }
[ "$(build/sahm --version)" = "$("$OLDPWD/build/release/sahm" --version)" ] || fail 'another version or model'
build/sahm doctor program files >"$out/said" || { cat "$out/said"; fail 'files are not whole'; }
# What `make demo` shows first.
build/sahm characterize workloads/suites/open/*.csv.zst >"$out/here"
(cd "$OLDPWD" && build/release/sahm characterize workloads/suites/open/*.csv.zst) | cmp - "$out/here" || fail 'results differ'
build/sahm run configs/canonical.cfg >"$out/here"
(cd "$OLDPWD" && build/release/sahm run configs/canonical.cfg) | cmp - "$out/here" || fail 'results differ'
sh tests/tools/golden.sh build/release tests/golden/canonical.t tests/golden/completion.t
