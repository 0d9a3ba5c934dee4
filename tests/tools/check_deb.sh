#!/bin/bash
# `make deb` makes packages that install into a clean system, work there, and leave nothing when they are purged: check_deb.sh
# The system is a folder: made by mmdebstrap or debootstrap, or, where no mirror can be reached (or SAHM_DEB_ROOT=host), of the
# files of this one's packages. Installed files are never changed.
set -u
# A guard against what never ends; all of it takes a minute where build/release is built.
[ -n "${SAHM_DEB_GUARDED:-}" ] || SAHM_DEB_GUARDED=1 exec timeout --foreground -k 10 700 bash "$0" "$@"
[ "$(id -u)" = 0 ] || { echo 'needs root, for chroot'; exit 77; }
for tool in dpkg-deb dpkg-shlibdeps chroot; do
	command -v $tool >/dev/null 2>&1 || { echo "$tool is not installed"; exit 77; }
done
work=$(mktemp -d "${TMPDIR:-/tmp}/sahm-deb.XXXXXX") || exit 2
root=$work/root
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
host_before=$(sha256sum </var/lib/dpkg/status)

fail() {
	echo "$*" >&2
	exit 1
}

step() {
	printf '%4s s  %s\n' "$SECONDS" "$*"
}

step 'make deb'
make --no-print-directory build/sahm >"$work/log" 2>&1 || { cat "$work/log"; fail 'sahm does not build'; }
tree_before=$(sha256sum <build/sahm)
make --no-print-directory deb >"$work/log" 2>&1 || { cat "$work/log"; fail 'make deb fails'; }
version=$(sed -n 's/^#define SAHM_VERSION "\(.*\)"$/\1/p' sim/base/version.h)
arch=$(dpkg --print-architecture)
deb=build/deb/sahm_$version-1_$arch.deb dev=build/deb/sahm-dev_$version-1_$arch.deb
[ -s "$deb" ] && [ -s "$dev" ] || fail 'there are no packages'

step 'make deb again: the same bytes'
cp "$deb" "$work/first.deb"
cp "$dev" "$work/first-dev.deb"
# Who makes it, where and when has no say.
(umask 077 && TZ=Asia/Tokyo LC_ALL=C.UTF-8 HOME=/nowhere make --no-print-directory deb >"$work/log" 2>&1) || { cat "$work/log"; fail 'make deb fails'; }
cmp "$deb" "$work/first.deb" && cmp "$dev" "$work/first-dev.deb" || fail 'two runs differ'
[ "$tree_before" = "$(sha256sum <build/sahm)" ] || fail 'build/sahm is another one meanwhile'

step 'what is in them'
dpkg-deb -c "$deb" >"$work/contents"
dpkg-deb -c "$dev" >"$work/contents-dev"
# All of it belongs to root, in folders of Debian; what is compiled against is apart.
! awk '{ print $2 }' "$work/contents" | grep -vx root/root || fail 'files of somebody else'
for file in usr/bin/sahm usr/share/man/man1/sahm.1.gz usr/share/man/man5/sahm-config.5.gz usr/share/doc/sahm/copyright \
	usr/share/doc/sahm/changelog.Debian.gz usr/share/bash-completion/completions/sahm usr/share/zsh/site-functions/_sahm \
	usr/share/fish/vendor_completions.d/sahm.fish usr/share/sahm/configs/canonical.cfg; do
	grep -q " \./$file$" "$work/contents" || fail "$file is not in the package"
done
! grep -E 'usr/include|libsahm\.a|usr/local' "$work/contents" || fail 'what belongs elsewhere is in the package'
grep -q 'libsahm\.a$' "$work/contents-dev" || fail 'no library for compiling'
dpkg-deb -f "$deb" Depends | grep -q 'libconfig.*libzstd' || fail 'it depends on no libraries'

depends=$(dpkg-deb -f "$deb" Depends | sed 's/ ([^)]*)//g; s/ *| *[^,]*//g; s/, */ /g')
from_mirror() {
	local suite sources=
	[ "${SAHM_DEB_ROOT:-}" != host ] || return 1
	# shellcheck disable=SC1091
	suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-stable}")
	for file in /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list; do
		[ -s "$file" ] && sources=$file && break
	done
	if command -v mmdebstrap >/dev/null 2>&1; then
		timeout 200 mmdebstrap --variant=minbase --include="man-db,${depends// /,}" "$suite" "$root" $sources >"$work/log" 2>&1
	elif command -v debootstrap >/dev/null 2>&1; then
		timeout 200 debootstrap --variant=minbase --include="man-db,${depends// /,}" "$suite" "$root" >"$work/log" 2>&1
	else
		return 1
	fi
}

# Files and records of packages that are installed here, and of those that they need.
from_host() {
	local package list
	rm -rf "$root"
	mkdir -p "$root"/{proc,dev,tmp,etc,usr/{bin,sbin,lib,lib64},var/lib/dpkg/{info,updates,triggers}}
	[ -L /bin ] || return 1
	cp -a /bin /lib /sbin "$root" # links into /usr
	[ ! -L /lib64 ] || cp -a /lib64 "$root"
	# shellcheck disable=SC2086
	apt-cache depends --recurse --installed --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces --no-enhances \
		$depends man-db dpkg dash bash coreutils sed grep tar findutils diffutils base-files base-passwd perl-base libc-bin 2>/dev/null |
		grep '^[a-z]' | sort -u >"$work/named"
	# shellcheck disable=SC2046
	dpkg-query -W -f '${Status}\t${Package}\n' $(cat "$work/named") 2>/dev/null | sed -n 's/^install ok installed\t//p' >"$work/closure"
	# shellcheck disable=SC2046
	dpkg-query -s $(cat "$work/closure") >"$root/var/lib/dpkg/status"
	while read -r package; do
		for list in "/var/lib/dpkg/info/$package.list" "/var/lib/dpkg/info/$package:$arch.list"; do
			[ ! -e "$list" ] || cp "$list" "$root/var/lib/dpkg/info"
		done
	done <"$work/closure"
	# Files that administrators change are left out, and those that containers do not unpack.
	cat "$root"/var/lib/dpkg/info/*.list | grep -v '^/etc/\|^/\.$' | sort -u | sed 's|^/||' >"$work/files"
	tar -C / -cf - --no-recursion --ignore-failed-read -T "$work/files" 2>/dev/null | tar -C "$root" -xf - --keep-directory-symlink || return 1
	printf 'root:x:0:0:root:/root:/bin/sh\nman:x:6:12:man:/var/cache/man:/bin/sh\n' >"$root/etc/passwd"
	printf 'root:x:0:\nman:x:12:\n' >"$root/etc/group"
	cp -a /etc/ld.so.conf /etc/ld.so.conf.d /etc/alternatives /etc/manpath.config /etc/groff "$root/etc"
	chroot "$root" ldconfig
}

step 'a clean system'
kind=mirror
from_mirror || { kind="this system's own packages"; from_host || { tail -n 5 "$work/log"; echo 'no clean system can be made: no mirror, and this one has no packages that make one'; exit 77; }; }
step "it is there, from: $kind"

inside() {
	env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 TERM=dumb DEBIAN_FRONTEND=noninteractive chroot "$root" "$@"
}

list() { # all that is there, but for what dpkg writes down itself, and caches
	(cd "$root" && find . \( -path ./proc -o -path ./dev -o -path ./var/cache -o -path ./tmp -o -path ./root \) -prune -o -print | grep -v '^\./var/lib/dpkg\|^\./var/log' | sort)
}
[ -e "$root/dev/null" ] || mknod -m 666 "$root/dev/null" c 1 3 || { echo 'no device can be made here'; exit 77; }
[ ! -e "$root/usr/bin/sahm" ] || fail 'the clean system is not clean'
# Systems for containers leave manuals out.
rm -f "$root"/etc/dpkg/dpkg.cfg.d/*
list >"$work/before"
step 'dpkg installs it there'
cp "$deb" "$root/tmp/sahm.deb"
inside dpkg --force-depends-version -i /tmp/sahm.deb >"$work/log" 2>&1 || { cat "$work/log"; fail 'it does not install'; }
inside dpkg -s sahm | grep -q '^Status: install ok installed' || fail 'it is not installed'
inside dpkg --verify sahm | grep . && fail 'files are not as their sums say'
step 'it runs there'
inside sahm --version | grep -q "^sahm $version (model " || fail 'no version'
inside sahm run /usr/share/sahm/configs/canonical.cfg >"$work/inside" || fail 'a shipped configuration does not run'
build/release/sahm run configs/canonical.cfg | diff - "$work/inside" || fail 'a run has another result there'
inside sahm doctor files | grep -q '^ok .*/usr/share/sahm: .*all whole' || { inside sahm doctor; fail 'shipped files are not whole'; }
inside sahm doctor >/dev/null || fail 'the doctor finds it ill'
step 'it reproduces the study there'
inside sh -c 'cd /tmp && sahm reproduce --no-plots -o reproduced >/dev/null && test -s reproduced/index.html' || fail 'nothing is reproduced'
step 'manuals and completions there'
inside sh -c 'man sahm | grep -q "threads on chips of specialised cores"' || fail 'no man page'
inside sh -c 'man 5 sahm-config | grep -q scheduler.policy' || fail 'no man page of configurations'
inside bash -c '. /usr/share/bash-completion/completions/sahm && COMP_WORDS=(sahm repro) COMP_CWORD=1 COMP_LINE="sahm repro" COMP_POINT=10 &&
	_sahm && [ "${COMPREPLY[*]}" = reproduce ]' || fail 'bash completes nothing'
step 'dpkg purges it'
inside dpkg --purge sahm >"$work/log" 2>&1 || { cat "$work/log"; fail 'it cannot be purged'; }
list | diff "$work/before" - || fail 'purging leaves something, or takes too much'
[ "$host_before" = "$(sha256sum </var/lib/dpkg/status)" ] || fail 'packages of this system have changed meanwhile'
command -v lintian >/dev/null 2>&1 || { step 'lintian is not installed: not asked'; exit 0; }
step 'lintian'
# The maintainer of a package that anybody builds has no address on the net, and Debian does not know of it: no bug is closed.
lintian --no-cfg --allow-root --fail-on error,warning --suppress-tags \
	bogus-mail-host,bogus-mail-host-in-debian-changelog,mail-address-loops-or-bounces,initial-upload-closes-no-bugs "$deb" "$dev" || fail 'lintian is not content'
step 'all is well'
