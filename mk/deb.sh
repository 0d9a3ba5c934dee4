#!/bin/sh
# Debian packages of what `make install` installs: deb.sh FOLDER writes FOLDER/sahm_VERSION-1_ARCH.deb and sahm-dev_..., without
# debhelper. DEBFULLNAME and DEBEMAIL are the maintainer, SOURCE_DATE_EPOCH is the time in them. Nothing of the system is changed.
set -eu
folder=$1 make=${MAKE:-make}
export LC_ALL=C
for tool in dpkg-deb dpkg-shlibdeps dpkg-architecture; do
	command -v $tool >/dev/null 2>&1 || { echo "error: $tool is not installed (Debian: dpkg-dev)" >&2; exit 1; }
done
version=$(sed -n 's/^#define SAHM_VERSION "\(.*\)"$/\1/p' sim/base/version.h)-1
arch=$(dpkg --print-architecture) triplet=$(dpkg-architecture -qDEB_HOST_MULTIARCH)
if [ "$(git rev-parse --show-toplevel 2>/dev/null)" = "$(pwd -P)" ]; then
	epoch=$(git log -1 --format=%ct)
else
	epoch=$(stat -c %Y sim/base/version.h)
fi
export SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$epoch}"
maintainer="${DEBFULLNAME:-The sahm developers} <${DEBEMAIL:-sahm@localhost}>"
umask 022

mkdir -p "$folder"
stage=$(mktemp -d "$folder/.deb.XXXXXX")
trap 'rm -rf "$stage"' EXIT
trap 'exit 1' HUP INT TERM
top=$(pwd)
run=$stage/sahm dev=$stage/sahm-dev
$make --no-print-directory VARIANT=release B=build/release PLACE="$stage/placed" install DESTDIR="$top/$run" prefix=/usr \
	libdir="/usr/lib/$triplet" >"$stage/log" 2>&1 ||
	{ tail -n 20 "$stage/log" >&2; exit 1; }

# Files to compile against are a separate package.
mkdir -p "$dev/usr/lib/$triplet" "$run/DEBIAN" "$dev/DEBIAN"
mv "$run/usr/include" "$dev/usr/include"
mv "$run/usr/lib/$triplet/libsahm.a" "$run/usr/lib/$triplet/pkgconfig" "$dev/usr/lib/$triplet/"
strip --strip-unneeded --remove-section=.comment --remove-section=.note "$run/usr/bin/sahm" "$run/usr/lib/$triplet/sahm/sahm-qemu.so"
chmod 644 "$run/usr/lib/$triplet/sahm/sahm-qemu.so"
strip --strip-debug --enable-deterministic-archives "$dev/usr/lib/$triplet/libsahm.a"
gzip -9n "$run"/usr/share/man/man?/*
# The licence stands in the copyright file, to which links lead.
rm "$run/usr/share/doc/sahm/LICENSE"
ln -s copyright "$run/usr/share/doc/sahm/LICENSE"

for root in "$run" "$dev"; do
	doc=$root/usr/share/doc/${root##*/}
	mkdir -p "$doc"
	{
		printf 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: sahm\n\nFiles: *\n'
		printf 'Copyright: %s\nLicense: Expat\n' "$(sed -n 's/^Copyright (c) //p' LICENSE)"
		sed '1,/^Copyright/d; 1,/^$/{/^$/d;}; s/^$/./; s/^/ /' LICENSE
	} >"$doc/copyright"
	printf 'sahm (%s) unstable; urgency=medium\n\n  * Built from the source of this version.\n\n -- %s  %s\n' "$version" \
		"$maintainer" "$(date -u -R -d "@$SOURCE_DATE_EPOCH")" | gzip -9n >"$doc/changelog.Debian.gz"
	gzip -9nc CHANGELOG.md >"$doc/changelog.gz"
done
mkdir -p "$run/usr/share/lintian/overrides"
cat >"$run/usr/share/lintian/overrides/sahm" <<-'END'
	# Programs for IPUs, a processor that sahm simulates: data for all architectures.
	sahm: arch-dependent-file-in-usr-share *
	sahm: statically-linked-binary *ipu/programs/prebuilt/*
	sahm: unstripped-binary-or-object *ipu/programs/prebuilt/*
	sahm: elf-error *ipu/programs/prebuilt/*
	sahm: binary-from-other-architecture *ipu/programs/prebuilt/*
	# A key that everybody has, for demonstrations.
	sahm: package-contains-documentation-outside-usr-share-doc *ipu/*
END

# Libraries of the programs, also those that they load when they need them; the plug-in's calls of QEMU are QEMU's.
mkdir "$stage/debian"
printf 'Source: sahm\n\nPackage: sahm\nArchitecture: any\n' >"$stage/debian/control"
"${CC:-cc}" -shared -nostdlib -Wl,--no-as-needed -o "$stage/late.so" -lcapstone -lpfm
depends=$(cd "$stage" && dpkg-shlibdeps -O -xsahm "sahm/usr/bin/sahm" "sahm/usr/lib/$triplet/sahm/sahm-qemu.so" late.so 2>log |
	sed -n 's/^shlibs:Depends=//p')
[ -n "$depends" ] || { cat "$stage/log" >&2; exit 1; }

control() { # ROOT, the fields that are its own on standard input
	(cd "$1" && find usr -type f | sort | xargs -d '\n' md5sum) >"$1/DEBIAN/md5sums"
	{
		printf 'Package: %s\nSource: sahm\nVersion: %s\nArchitecture: %s\nMaintainer: %s\n' "${1##*/}" "$version" "$arch" "$maintainer"
		printf 'Installed-Size: %s\nPriority: optional\n' "$(cd "$1" && find usr -printf '%y %s\n' | awk '{ sum += $1 == "f" ? int(($2 + 1023) / 1024) : 1 } END { print sum }')"
		cat
	} >"$1/DEBIAN/control"
	chmod -R u=rwX,go=rX "$1"
	find "$1" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
	dpkg-deb --root-owner-group -Zxz --build "$1" "$stage/made.deb" >/dev/null
	mv -f "$stage/made.deb" "$folder/${1##*/}_${version}_$arch.deb"
	echo "$folder/${1##*/}_${version}_$arch.deb"
}
dw=$(! grep -q 'Requires:.* libdw' "$dev/usr/lib/$triplet/pkgconfig/sahm.pc" || echo ", libdw-dev")
redis=$([ "${HIREDIS:-1}" = 0 ] || echo ", libhiredis-dev")
control "$run" <<END
Section: science
Depends: $depends
Recommends: gnuplot-nox | gnuplot, qemu-user
Suggests: xz-utils, gcc, make, gcc-riscv64-unknown-elf, verilator, g++, redis-server, sahm-dev
Description: simulator of threads on chips of specialised cores
 sahm replays hardware-counter traces of programs, classifies each epoch into
 one of 16 behavioural states, and moves threads over a chip whose cores are
 specialised for these, under a scheduling policy with migration costs. It
 records and imports traces, runs sweeps on one machine or many, compares
 policies, and simulates introspection processors beside the cores.
END
control "$dev" <<END
Section: libdevel
Depends: sahm (= $version), libconfig-dev, libsodium-dev, libjansson-dev, libzstd-dev, libgsl-dev, libelf-dev, libsqlite3-dev$redis$dw
Description: simulator of threads on chips of specialised cores (library)
 The library that sahm is made of, with its headers, as a static library, and
 what pkg-config needs to find it. Policies as plug-ins need sahm alone.
END
