#!/bin/sh
# Hostile names and files at every door of the program: safety.sh PROGRAM. Whatever would run something leaves a file called
# PWNED, and none may be there at the end. What each row shows stands in docs/security.md.
set -u
. tests/tools/expect.sh
program=$(cd "$(dirname "$1")" && pwd)/${1##*/}
plugins=$(cd "$(dirname "$1")/tests/plugins" 2>/dev/null && pwd)
root=$(pwd)
SAHM_DATA=$root
export SAHM_DATA
made=$(mktemp -d "${TMPDIR:-/tmp}/sahm-safety.XXXXXX") || exit 1
trap 'rm -rf "$made"' EXIT
# Everything happens in a folder whose name runs something wherever a shell, make or gnuplot would read it.
out="$made/\`touch PWNED\` \$(touch PWNED) ';touch PWNED;' \"|touch PWNED #"
mkdir "$out" && cd "$out" || exit 1
said=$made/said

says() { # TEXT...
	for text; do
		grep -qF -e "$text" "$said" || { cat "$said" >&2; fail "it does not say '$text'"; }
	done
}

says_nothing_of() { # TEXT...
	for text; do
		! grep -qF -e "$text" "$said" || { cat "$said" >&2; fail "it says '$text'"; }
	done
}

untouched() { # DOOR
	found=$(find "$made" "$root/PWNED" -name PWNED 2>/dev/null | head -n 1)
	[ -z "$found" ] || fail "$1: something was run: $found"
}

# Names that would run something, or get out of where they stand.
names() {
	cat <<'NAMES'
$(touch PWNED)
`touch PWNED`
';touch PWNED;'
";system("touch PWNED");"
'.system('touch PWNED').'
<script>alert(1)</script>
"><img src=x onerror=alert(1)>
=cmd|'/C touch PWNED'!A0
@PWNED {/Bold x} %s%n
-o PWNED
a');DROP TABLE run;--
NAMES
}

# Figures: names of traces, and of the folder.
mkdir traces
nr=0
names >"$made/names"
while IFS= read -r name; do
	nr=$((nr + 1))
	{
		printf '# sahm trace 1\n# name: %s\n# epoch_ns: 1000000\n# source: synthetic\n' "$name"
		grep -v '^#' "$root/workloads/suites/small/cc1.csv" | head -n 40
	} >"traces/$nr.csv"
done <"$made/names"
if command -v gnuplot >/dev/null 2>&1; then
	expect 0 "$said" "$program" characterize --plot figures traces/*.csv
	[ -s figures/occupancy.svg ] || fail "no figure"
else
	expect 1 "$said" "$program" characterize --force --plot figures traces/*.csv
fi
[ -s figures/occupancy.gp ] || fail "no script"
! grep -q 'system\|`' figures/*.gp || fail "a name got into a script"
untouched figures

# Names of points: through the store to pages, JSON, CSV, figures, and the commands that pages tell people to run.
{
	cat "$root/configs/canonical.cfg"
	printf 'sweep = { axes = ( { name = "%s"; points = ( ' 'a`touch PWNED`<script>'
	separator=
	while IFS= read -r name; do
		printf '%s{ name = "%s"; set = []; }' "$separator" "$(printf %s "$name" | sed 's/\\/\\\\/g; s/"/\\"/g')"
		separator=', '
	done <"$made/names"
	printf ' ); } ); };\n'
} >sweep.cfg
expect 0 "$said" "$program" sweep sweep.cfg -s workload.duration_ms=200 -q -o '$(touch PWNED).sqlite'
expect 0 "$said" "$program" report '$(touch PWNED).sqlite' -o page
page=page/index.html
[ -s $page ] || fail "no page"
! grep -qi '<script>alert\|<img src=x' $page || fail "a name is markup of the page"
grep -q '&lt;script&gt;alert(1)' $page || fail "the page does not show the name"
untouched pages
for form in jsonl csv; do
	expect 0 "$said" "$program" export '$(touch PWNED).sqlite' --$form -o export.$form
done
if command -v python3 >/dev/null 2>&1; then
	python3 - export.jsonl export.csv "$made/names" <<'PY' || fail "exports do not hold the names as they are"
import csv, json, sys
names = set(open(sys.argv[3]).read().splitlines())
rows = [json.loads(line) for line in open(sys.argv[1])]
text = json.dumps(rows, ensure_ascii=False)
assert rows and all(json.dumps(n, ensure_ascii=False)[1:-1] in text for n in names)
cells = {c for r in csv.reader(open(sys.argv[2], newline="")) for c in r}
assert names <= cells, names - cells
PY
fi
# The commands that a point is repeated with, in a shell: a name among them is a word, whatever it holds.
expect 0 "$made/point" "$program" query '$(touch PWNED).sqlite' point 1
grep -q 'sahm run ' "$made/point" || fail "no command"
sed -n 's/^.*\(sahm run .*\)$/\1/p' "$made/point" | while IFS= read -r line; do
	sh -c "sahm() { :; }; $line" >/dev/null 2>&1
done
expect 0 "$made/again" "$program" rerun '$(touch PWNED).sqlite.manifest' -q
untouched "commands to repeat a sweep"

# Questions to a store are no SQL.
before=$(cksum <'$(touch PWNED).sqlite')
for where in "1=1;DROP TABLE run;--=x" "x=' OR '1'='1" 'a`touch PWNED`<script>='"x' UNION SELECT sql FROM sqlite_schema--"; do
	"$program" query '$(touch PWNED).sqlite' best -w "$where" >"$said" 2>&1
	[ $? -eq 2 ] || { cat "$said" >&2; fail "it answers --where '$where'"; }
	says_nothing_of 'CREATE TABLE'
done
[ "$before" = "$(cksum <'$(touch PWNED).sqlite')" ] || fail "a question changed the store"
expect 0 "$said" "$program" query '$(touch PWNED).sqlite' best -w "a\`touch PWNED\`<script>=a');DROP TABLE run;--"
untouched questions

# Scaffolds: names that are no names make nothing; what is made in a folder with such a name builds, and runs nothing.
while IFS= read -r name; do
	for what in policy ipu; do
		expect 2 "$said" "$program" $what new -- "$name"
	done
done <"$made/names"
for name in ../up /abs a/b 'x
all:;touch PWNED' ''; do
	expect 2 "$said" "$program" policy new -- "$name"
done
expect 0 "$said" "$program" policy new mine
(cd mine && make -s CC="${CC:-cc}" >"$said" 2>&1) || { cat "$said" >&2; fail "a new policy does not build"; }
untouched scaffolds

# A plug-in is loaded only by its path, never looked for: neither by the dynamic linker's variables nor in this folder.
cat >evil.c <<'CODE'
#include <fcntl.h>
__attribute__((constructor)) static void run(void) { open("PWNED", O_CREAT | O_WRONLY, 0600); }
CODE
# The linker's variable has no way to quote a ';'.
there=$made/there
mkdir "$there" && ln -s "$there" there && "${CC:-cc}" -shared -fPIC -o there/evil.so evil.c || fail "no plug-in"
cp there/evil.so there/evil && cp there/evil.so there/libevil.so && cp there/evil.so evil && cp there/evil.so libevil.so
mkdir configs && cp "$root/configs/canonical.cfg" configs/c.cfg
for name in evil libevil sahm2; do
	expect 2 "$said" env LD_LIBRARY_PATH="$there" "$program" run configs/c.cfg -s scheduler.policy=$name
	says 'unknown'
done
expect 1 "$said" env LD_LIBRARY_PATH="$there" PATH="$there:$PATH" "$program" run configs/c.cfg -s scheduler.policy=evil.so
untouched "plug-ins by name"
# That it would have been seen; one that is no policy is refused before its code runs.
expect 1 "$said" "$program" run configs/c.cfg -s scheduler.policy=there/evil.so
says 'not a policy'
untouched "a shared object that is no policy"
cat >>evil.c <<'CODE'
#include "sched/ext.h"
static void dispatch(s32 cpu, struct task_struct *prev) { (void)cpu; (void)prev; }
SCX_OPS_DEFINE(evil_ops, .dispatch = (void *)dispatch, .name = "evil");
CODE
"${CC:-cc}" -I"$root" -shared -fPIC -o there/evil.so evil.c 2>"$said" || { cat "$said" >&2; fail "no policy"; }
chmod 777 there/evil.so
expect 1 "$said" "$program" run configs/c.cfg -s scheduler.policy=there/evil.so
says 'anybody can write to it'
untouched "a plug-in that anybody can write to"
chmod 755 there/evil.so
"$program" run configs/c.cfg -s scheduler.policy=there/evil.so -s workload.duration_ms=100 >"$said" 2>&1
[ -e PWNED ] || { cat "$said" >&2; fail "this test would not see a plug-in's code run"; }
rm PWNED

# Includes stay in the folder of the file that was named, for each kind of file that is read so.
mkdir secret inner
printf 'root:x:0:0 SECRET\n' >secret/passwd.cfg
mkfifo inner/fifo
ln -s ../secret/passwd.cfg inner/link.cfg
ln -s /dev/zero inner/zero
refuses() { # COMMAND...: it names inner/i.cfg, which includes what it must not
	timeout 20 "$program" "$@" >"$said" 2>&1
	code=$?
	[ $code -eq 1 ] || [ $code -eq 2 ] || { cat "$said" >&2; fail "exit code $code: $*, of $(cat inner/i.cfg)"; }
	says 'i.cfg:1: '
	says_nothing_of SECRET root: malformed
}
for include in ../secret/passwd.cfg "$(pwd)/secret/passwd.cfg" link.cfg /etc/passwd /dev/zero zero fifo . /proc/self/environ; do
	# A '"' has no way to stand in the name.
	case $include in *\"*) include=$root/tests/tools/expect.sh ;; esac
	printf '@include "%s"\n' "$include" >inner/i.cfg
	refuses run inner/i.cfg
done
for include in link.cfg /etc/passwd; do
	printf '@include "%s"\n' "$include" >inner/i.cfg
	refuses sweep inner/i.cfg -o x.sqlite -a scheduler.inertia=0
	refuses optimize inner/i.cfg --cores 4
	refuses optimize configs/c.cfg --area 9 --costs inner/i.cfg
	refuses compare inner/i.cfg
	refuses limit inner/i.cfg
	refuses rerun inner/i.cfg
	refuses trace list inner/i.cfg
	refuses reproduce --suite inner/i.cfg -o reproduced
	refuses trace record --via qemu --cpu inner/i.cfg -o x.trc true
	refuses ipu verify --trust inner/i.cfg evil.c
	refuses ipu compare inner/i.cfg
	refuses run configs/c.cfg -s introspection.image=classify -s introspection.trust=inner/i.cfg
	refuses run configs/c.cfg -s introspection.image=classify -s introspection.abi=inner/i.cfg
done
[ ! -e x.sqlite ] && [ ! -e x.trc ] || fail "an output of what was refused"
printf '@include "../configs/c.cfg"\n' >inner/i.cfg
expect 1 "$said" "$program" run inner/i.cfg
says "i.cfg:1: 'inner/../configs/c.cfg' is in " 'sahm --allow-includes '
expect 0 "$said" "$program" --allow-includes configs run inner/i.cfg -s workload.duration_ms=100
expect 0 "$said" "$program" --allow-includes=configs run inner/i.cfg -s workload.duration_ms=100
expect 0 "$said" "$program" --allow-includes "$root" --allow-includes . run inner/i.cfg -s workload.duration_ms=100
printf '@include "%s/configs/canonical.cfg"\n' "$root" >inner/i.cfg
expect 0 "$said" "$program" run inner/i.cfg -s workload.duration_ms=100
expect 2 "$said" env SAHM_DATA=/nowhere "$program" --allow-includes
says "option '--allow-includes' needs a value"
expect 1 "$said" "$program" --allow-includes nowhere run inner/i.cfg
says "cannot allow includes from 'nowhere'"
expect 2 "$said" "$program" run inner/i.cfg --allow-includes .
untouched includes

# Outputs: a name that another process could have guessed is not written through.
echo mine >kept
expect 0 "$said" "$program" run configs/c.cfg -s workload.duration_ms=100 --json -o result.json
# The name holds the process, which is known before it begins. It is used where something is replaced.
echo old >again.json
expect 0 "$said" sh -c 'ln -s kept ".sahm-$$-0" && exec "$0" "$@"' "$program" run configs/c.cfg -s workload.duration_ms=100 --json --force -o again.json
[ "$(cat kept)" = mine ] || fail "a temporary file was written through a link"
cmp -s result.json again.json || fail "another result"
rm -f .sahm-*

# The environment: what is in it is no command.
HOME=$(pwd) GNUPLOT_LIB='$(touch PWNED)' TMPDIR='$(touch PWNED)' TERM='$(touch PWNED)' SAHM_REDIS='redis://$(touch PWNED)' \
	XDG_CACHE_HOME='`touch PWNED`' PAGER='touch PWNED' EDITOR='touch PWNED' SHELL="$(pwd)/evil" \
	"$program" run configs/c.cfg -s workload.duration_ms=100 >"$said" 2>&1 || fail "the environment: $(cat "$said")"
SAHM_REDIS='redis://$(touch PWNED)' "$program" queue status >"$said" 2>&1 && fail "a server of that name"
untouched "the environment"

# The recorder in QEMU: a command is a list of words, and a comma in the plug-in's path is no option of QEMU's.
if [ -n "$plugins" ] && command -v qemu-x86_64 >/dev/null 2>&1 && [ -e "${program%/*}/sahm-qemu.so" ] && [ "$(uname -m)" = x86_64 ]; then
	"$program" trace record --via qemu -o recorded.trc -- "$(command -v true)" '$(touch PWNED)' '; touch PWNED' >"$said" 2>&1
	mkdir 'a,share=0,file=x' && cp "$program" "${program%/*}/sahm-qemu.so" 'a,share=0,file=x'
	expect 0 "$said" "./a,share=0,file=x/${program##*/}" trace record --via qemu --epoch-instructions 10000 --force -o recorded.trc -- "$(command -v true)"
	says_nothing_of 'multiple' 'Unknown' "can't"
	untouched QEMU
fi
