#!/bin/sh
# The source as a tarball, the same bytes for everyone: dist.sh FOLDER writes FOLDER/sahm-VERSION.tar.zst (.tar.xz where there
# is no zstd). In it are the files that git tracks; a tarball has their names in mk/dist.list, for there is no git in it.
set -eu
folder=$1
export LC_ALL=C
version=$(sed -n 's/^#define SAHM_VERSION "\(.*\)"$/\1/p' sim/base/version.h)
[ -n "$version" ] || { echo "dist.sh: sim/base/version.h has no version" >&2; exit 1; }
name=sahm-$version
mkdir -p "$folder"
stage=$(mktemp -d "$folder/.dist.XXXXXX")
trap 'rm -rf "$stage"' EXIT
trap 'exit 1' HUP INT TERM

# A tarball may have been unpacked inside a repository of something else.
if [ "$(git rev-parse --show-toplevel 2>/dev/null)" = "$(pwd -P)" ]; then
	git -c core.quotePath=false ls-files | sort >"$stage/list"
	epoch=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
elif [ -s mk/dist.list ]; then
	grep -vx mk/dist.list mk/dist.list >"$stage/list"
	epoch=${SOURCE_DATE_EPOCH:-$(stat -c %Y mk/dist.list)}
else
	echo "dist.sh: neither the top of a git repository nor a tarball that dist.sh has made" >&2
	exit 1
fi

mkdir "$stage/$name"
tar -cf "$stage/files.tar" --no-recursion --verbatim-files-from -T "$stage/list"
tar -xf "$stage/files.tar" -C "$stage/$name"
{ cat "$stage/list"; echo mk/dist.list; } | sort >"$stage/$name/mk/dist.list"
chmod -R u=rwX,go=rX "$stage/$name"

tar -cf "$stage/$name.tar" -C "$stage" --sort=name --format=gnu --mtime="@$epoch" --owner=0 --group=0 --numeric-owner "$name"
if command -v zstd >/dev/null 2>&1; then
	zstd -q -19 --single-thread -o "$stage/$name.tar.zst" "$stage/$name.tar"
	made=$name.tar.zst
else
	xz -9 -T 1 "$stage/$name.tar"
	made=$name.tar.xz
fi
mv -f "$stage/$made" "$folder/$made"
echo "$folder/$made"
