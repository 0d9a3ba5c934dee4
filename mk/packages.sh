#!/bin/sh
# Makes sure that the Debian packages for the given purposes (build, test, optional) are there: installs what is missing
# when run as root on a Debian-like system, else prints the one line that does and fails.
set -u

# As make has it: `make HIREDIS=0` does without.
hiredis=" libhiredis-dev|:hiredis"
[ "${HIREDIS:-1}" != 0 ] || hiredis=

# package|how to tell that it is there: a command, or pkg-config's name for it
list() {
	case $1 in
	build) echo "gcc|gcc make|make pkg-config|pkg-config libc6-dev|/usr/include/stdio.h libconfig-dev|:libconfig libsodium-dev|:libsodium libjansson-dev|:jansson libzstd-dev|:libzstd libgsl-dev|:gsl libelf-dev|:libelf libsqlite3-dev|:sqlite3 libcapstone-dev|:capstone libpfm4-dev|/usr/include/perfmon/pfmlib.h$hiredis" ;;
	test) echo "libcmocka-dev|:cmocka xz-utils|xz" ;;
	optional) echo "libdw-dev|:libdw clang|clang libclang-rt-dev|/usr/share/doc/libclang-rt-dev valgrind|valgrind mandoc|mandoc clang-format|clang-format gnuplot-nox|gnuplot gcc-riscv64-unknown-elf|riscv64-unknown-elf-gcc qemu-user|qemu-x86_64 gcc-riscv64-linux-gnu|riscv64-linux-gnu-gcc libc6-dev-riscv64-cross|/usr/riscv64-linux-gnu/lib/libc.a chromium|chromium redis-server|redis-server sqlite3|sqlite3 zsh|zsh fish|fish lua-check|luacheck shellcheck|shellcheck verilator|verilator g++|g++ python3-tinycss2|/usr/lib/python3/dist-packages/tinycss2 locales|/usr/share/i18n/locales/de_DE" ;;
	*) echo "packages.sh: unknown purpose '$1'" >&2; exit 2 ;;
	esac
}

is_there() {
	case $1 in
	:*) pkg-config --exists "${1#:}" 2>/dev/null ;;
	/*) [ -e "$1" ] ;;
	*) command -v "$1" >/dev/null 2>&1 ;;
	esac
}

missing=
for purpose in "$@"; do
	for entry in $(list "$purpose"); do
		is_there "${entry#*|}" || missing="$missing ${entry%%|*}"
	done
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
	echo "installing:$missing" >&2
	export DEBIAN_FRONTEND=noninteractive
	# shellcheck disable=SC2086
	apt-get install -y --no-install-recommends $missing >/dev/null 2>&1 && exit 0
	# A fresh machine has no lists of packages yet.
	{ apt-get update && apt-get install -y --no-install-recommends $missing; } >/dev/null && exit 0
	echo "error: apt-get could not install:$missing" >&2
	exit 1
fi
echo "error: packages are missing; as root, install them with" >&2
echo "    apt-get install -y$missing" >&2
exit 1
