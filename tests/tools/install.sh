#!/bin/sh
# Installs into a staging folder with a space in its name and runs what was installed.
set -eu
out=$(mktemp -d "${TMPDIR:-/tmp}/sahm install.XXXXXX")
trap 'rm -rf "$out"' EXIT
# The path of the data folder is compiled into the program that is installed; the one of the tree stays as it is.
make --no-print-directory -s build/sahm >/dev/null
tree=$(sha256sum <build/sahm)
make --no-print-directory -s install DESTDIR="$out/stage" prefix=/opt/sahm >/dev/null
root=$out/stage/opt/sahm
for file in bin/sahm lib/libsahm.a include/sahm/sim/engine/sim.h share/man/man1/sahm.1 share/man/man5/sahm-config.5 \
	share/sahm/configs/canonical.cfg share/sahm/configs/studies/policies.cfg share/sahm/workloads/suites/small/gzip.csv \
	share/sahm/ipu/programs/ipu.ld share/sahm/ipu/programs/introspect.h share/sahm/ipu/programs/prebuilt/classify.elf \
	share/sahm/ipu/abi/core.cfg share/sahm/ipu/programs/prebuilt/classify.elf.sig share/sahm/configs/trust/demonstration.cfg \
	share/sahm/ipu/programs/keys/insecure-demonstration.key share/sahm/workloads/suites/synthetic/phone.profile share/sahm/workloads/suites/synthetic/spec2017/xz_s-synthetic.trc.zst; do
	[ -s "$root/$file" ] || { echo "not installed: $file" >&2; exit 1; }
done
[ -z "$(find "$root/include" -name '*_internal.h')" ]
# So are completions, as the program prints them, where shells look for them.
"$root/bin/sahm" completion bash | cmp - "$root/share/bash-completion/completions/sahm"
"$root/bin/sahm" completion zsh | cmp - "$root/share/zsh/site-functions/_sahm"
"$root/bin/sahm" completion fish | cmp - "$root/share/fish/vendor_completions.d/sahm.fish"
bash -c '. "$1" && complete -p sahm' - "$root/share/bash-completion/completions/sahm" >/dev/null
"$root/bin/sahm" doctor program files >/dev/null
# The library can be found, compiled against and linked.
cat >"$out/use.c" <<'END'
#include "cores/chip/state.h"
#include <stdio.h>
int main(void) { puts(state_name(13)); }
END
case $(PKG_CONFIG_PATH=$root/lib/pkgconfig pkg-config --cflags --libs sahm) in
*-I/opt/sahm/include/sahm*-L/opt/sahm/lib*-lsahm*) ;;
*) echo "sahm.pc does not point at the installation" >&2; exit 1 ;;
esac
# A document leads only to what is installed beside it.
for f in $(cd "$root/share/doc/sahm" && find . -name '*.md'); do
	grep -o '](\([^):#]*\))' "$root/share/doc/sahm/$f" | sed 's/^](\(.*\))$/\1/' | while read -r link; do
		[ -e "$root/share/doc/sahm/$(dirname "$f")/$link" ] || { echo "$f: no '$link' beside it" >&2; exit 1; }
	done || exit 1
done
# shellcheck disable=SC2046
gcc -o "$out/use" "$out/use.c" -I"$root/include/sahm" -L"$root/lib" -lsahm $(pkg-config --libs libconfig libsodium jansson libzstd gsl libelf)
[ "$("$out/use")" = L2+L1D+Branch ]
cd "$out"
"$root/bin/sahm" --version
"$root/bin/sahm" run "$root/share/sahm/configs/canonical.cfg" --json >from-config
# A configuration of the user's own finds the installed traces by the data folder.
cat >mine.cfg <<'END'
chip : { cores = ( { type = "baseline"; }, { type = "l2"; speedup_pct = 30; } ); };
workload : { traces = [ "workloads/suites/small/zstd.csv" ]; };
END
SAHM_DATA="$root/share/sahm" "$root/bin/sahm" run mine.cfg --json >from-data
[ -s from-config ] && [ -s from-data ]
# Every example runs where it was installed.
for config in "$root"/share/sahm/configs/*.cfg; do
	"$root/bin/sahm" run "$config" --set workload.duration_ms=500 >/dev/null
done
# So does the study that came with it; its runs are listed.
"$root/bin/sahm" compare --dry-run >/dev/null
# A program for the IPU begins with what was installed.
SAHM_DATA="$root/share/sahm" "$root/bin/sahm" ipu new begun
cmp begun/introspect.h "$root/share/sahm/ipu/programs/introspect.h"
# The programs that were installed are signed.
SAHM_DATA="$root/share/sahm" "$root/bin/sahm" ipu verify --trust demonstration classify >/dev/null
# So does a policy, be it by the Makefile's own headers or by those that pkg-config names.
SAHM_DATA="$root/share/sahm" "$root/bin/sahm" policy new started
make -s -C started SAHM="$root/bin/sahm" CONFIG="$root/share/sahm/configs/canonical.cfg" check run >/dev/null
cmp "$root/share/sahm/sched/ext.h" "$root/include/sahm/sched/ext.h"
[ -s "$root/share/sahm/sched/examples/vtime.c" ]
# The synthetic suite is there too: its configuration, its traces by their names, its profile.
"$root/bin/sahm" run "$root/share/sahm/configs/synthetic-39.cfg" --set workload.duration_ms=1000 >/dev/null
sed 's|workloads/suites/small/zstd.csv|xz_s-synthetic.trc.zst|' mine.cfg >suite.cfg
grep -q xz_s-synthetic.trc.zst suite.cfg
SAHM_DATA="$root/share/sahm" "$root/bin/sahm" run suite.cfg >/dev/null
SAHM_DATA="$root/share/sahm" "$root/bin/sahm" trace synth --verify >/dev/null
# A program that stands apart from its installation still knows where that is.
(cd "$OLDPWD" && make --no-print-directory -s install prefix="$out/real prefix" >/dev/null)
cp "$out/real prefix/bin/sahm" "$out/apart"
eval "set -- $(PKG_CONFIG_PATH="$out/real prefix/lib/pkgconfig" pkg-config --cflags --libs sahm)"
gcc -o "$out/use" "$out/use.c" "$@"
[ "$("$out/use")" = L2+L1D+Branch ]
eval "set -- $(PKG_CONFIG_PATH="$out/real prefix/lib/pkgconfig" pkg-config --cflags sahm)"
gcc -shared -fPIC "$@" -o "$out/vtime.so" "$root/share/sahm/sched/examples/vtime.c"
"$root/bin/sahm" policy build "$root/share/sahm/sched/examples/simple.bpf.c" -o "$out/simple.so" 2>/dev/null
"$root/bin/sahm" run desktop-8 --set workload.duration_ms=100 --policy "$out/simple.so" >/dev/null 2>&1
"$out/apart" policy check "$out/vtime.so" >/dev/null
"$out/apart" run mine.cfg --json | cmp - from-data
# Headers are found at the paths that they had before there were rooms; one that is no header any more says where its table went.
(cd "$out/real prefix/include/sahm" && find . -name '*.h' ! -name '*_list.h' | LC_ALL=C sort | sed 's|^\./|#include "|; s|$|"|') >"$out/all.c"
grep -qx '#include "cores/state.h"' "$out/all.c"
gcc -std=gnu17 -fsyntax-only "$@" "$out/all.c"
echo '#include "cores/cpu_key_list.h"' >"$out/gone.c"
if gcc -fsyntax-only "$@" "$out/gone.c" 2>"$out/gone"; then exit 1; fi
grep -q 'cores/cpu_key_list.h is part of cores/uarch/cpu.c now, and no header of its own' "$out/gone"
# Copies of the shipped configurations find the installed traces.
cp "$root/share/sahm/configs/canonical.cfg" copy.cfg
"$out/apart" run copy.cfg --json | cmp - from-config
# Uninstalling leaves nothing, and touches nothing else.
cd "$OLDPWD"
touch "$root/share/sahm/mine"
make --no-print-directory -s uninstall DESTDIR="$out/stage" prefix=/opt/sahm >/dev/null
[ "$(find "$root" -type f)" = "$root/share/sahm/mine" ] || { find "$root" -type f >&2; exit 1; }
# Nor are folders left that were made for it, but for those of the system that others use, too.
make --no-print-directory -s install DESTDIR="$out/bare" prefix=/opt/sahm >/dev/null
make --no-print-directory -s uninstall DESTDIR="$out/bare" prefix=/opt/sahm >/dev/null
left=$(cd "$out/bare/opt/sahm" && find . -mindepth 1 | LC_ALL=C sort | tr '\n' ' ')
[ "$left" = './bin ./include ./lib ./lib/pkgconfig ./share ./share/doc ./share/man ./share/man/man1 ./share/man/man5 ' ] || { echo "left: $left" >&2; exit 1; }
[ "$tree" = "$(sha256sum <build/sahm)" ] || { echo 'build/sahm is another one meanwhile' >&2; exit 1; }
