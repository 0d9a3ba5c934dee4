#!/bin/bash
# Hostile paths: faults_paths.sh PROGRAM [quick|full]. Files whose names have spaces, quotes, line ends, leading dashes,
# escape sequences, bytes that are no UTF-8, commands for a shell or for gnuplot, as inputs and outputs of every command
# that takes files. All work; what mentions them stays well-formed, and runs nothing. A line per name.
set -u
program=$(cd "$(dirname "$1")" && pwd)/${1##*/}
form=${2:-quick}
T=$(mktemp -d "${TMPDIR:-/tmp}/sahm paths.XXXXXX") || exit 2
trap 'rm -rf "$T"' EXIT
tree=$(pwd)
export LC_ALL=C
command -v python3 >/dev/null 2>&1 || { echo "python3 is not installed, which reads JSON, CSV and pages"; exit 77; }

names=('-o' $'it\'s "a"\nb \377 `touch PWNED`$(touch PWNED);"; system("touch PWNED"); "')
[ "$form" = quick ] || names+=($'\377\376 \303\251' "it's \"a\" b" $'line\nend' $'\377' ' ' '--' '-' 'a\b\n' '%s%n%d' 'a,b;c' '<b onload="x">&amp;]]>' '#x' $'tab\there' $'cr\rx' $'esc\e[31m\e]0;x\a'
	'@macro _{sub}' '~' '$HOME' '{' 'é漢😀' $'\302' 'C:' '?id=1&b=2#f' 'file:x' "$(printf 'x%.0s' $(seq 200))")

# What anybody would read the outputs with: python3 CHECK FILE.
cat >"$T/check.py" <<'PY'
import csv, html.parser, json, os, sys, xml.dom.minidom
may_stay_open = {"td", "th", "tr", "li", "p", "dt", "dd", "thead", "tbody", "option"}
void = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}


class Page(html.parser.HTMLParser):
    """Tags are closed in order; no script, no handler, no address outside of the page's folder."""
    def __init__(self):
        super().__init__()
        self.open = []

    def handle_starttag(self, tag, attrs):
        assert tag != "script", "a script"
        assert not any(k.startswith("on") for k, _ in attrs), attrs
        for k, v in attrs:
            assert k not in ("href", "src") or not (v or "").lower().startswith(("http:", "javascript:")), (k, v)
        if tag not in void:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        while self.open and self.open[-1] != tag and self.open[-1] in may_stay_open:
            self.open.pop()
        assert self.open and self.open.pop() == tag, tag


name = sys.argv[1]
raw = open(name, "rb").read()
if name.endswith((".json", ".jsonl")):
    for part in raw.split(b"\n")[:-1] if name.endswith("l") else [raw]:
        json.loads(part.decode("utf-8"))
elif name.endswith(".csv"):
    # A # begins a comment line of a trace; rows have as many cells as their heading.
    text = raw.decode("utf-8", "surrogateescape")
    if not text.startswith("# sahm "):
        rows = list(csv.reader(text.splitlines(True), strict=True))
        assert len({len(r) for r in rows}) == 1, {len(r) for r in rows}
elif name.endswith(".html"):
    page = Page()
    page.feed(raw.decode("utf-8"))
    page.close()
    assert all(tag in may_stay_open for tag in page.open), page.open
elif name.endswith(".svg"):
    xml.dom.minidom.parseString(raw)
elif name.endswith(".gp"):
    assert b"PWNED" not in raw, "a name got into a script"
PY

fail() {
	echo "faults_paths: $*" >&2
	[ ! -s "$T/said" ] || cat -v "$T/said" | tail -n 5 >&2
	exit 1
}

# does WORD...: the command does it. What it says has no control characters but line ends, whatever the names.
does() {
	timeout 120 "$program" "$@" >"$T/out" 2>"$T/said" </dev/null || fail "$(printf '%q: exit code %d: %q ' "$name" $? "$@")"
	! LC_ALL=C grep -q $'[\001-\010\013-\037]' "$T/said" || fail "$(printf '%q' "$name"): a message with control characters"
}

prints() { # SUFFIX WORD...: what is printed is well-formed, too
	local suffix=$1
	shift
	does "$@"
	cp "$T/out" "$T/out$suffix"
	python3 "$T/check.py" "$T/out$suffix" 2>"$T/said" || fail "$(printf '%q: not well-formed: %q ' "$name" "$@")"
}

# A path as a string of libconfig.
quoted() {
	python3 -c 'import os, sys
print("".join(chr(c) if 32 <= c < 127 and chr(c) not in "\"\\" else "\\x%02x" % c for c in os.fsencode(sys.argv[1])))' "$1"
}

for name in "${names[@]}"; do
	rm -rf "$T/place"
	# Folders have such names, too; relative names may begin with a dash, after --.
	mkdir -p "$T/place/$name" && cd "$T/place/$name" || exit 2
	n=$name
	{ sed 's/^# name: .*//' "$tree/workloads/suites/small/gzip.csv" | grep -v '^$'; } >"./$n.csv"
	does trace import -o "./$n.trc" -- "$n.csv"
	does trace import --output="$n.csv.zst" -- "$n.csv"
	does trace export -o "./$n e.csv" -- "$n.trc"
	does trace resample --epoch-ms 50 -o "./$n r.trc" -- "$n.csv"
	does trace slice --to-epoch 20 -o "./$n s.csv" -- "$n.csv.zst"
	does trace concat -o "./$n c.trc" -- "$n.csv" "$n.trc"
	does trace bursts --tid 101 -p source=synthetic -o "./$n b.csv" "$tree/tests/data/sched/synthetic-perf.txt"
	prints .json trace info --json -- "$n.csv" "$n.trc"
	prints .json characterize --json -- "$n.csv"
	prints .csv characterize --csv --plot "./$n plot" -- "$n.csv" "$n.trc"
	prints .json limit --json -- "$n.csv"
	prints .csv limit --csv -- "$n.csv"
	printf 'chip : { cores = ( { type = "baseline"; }, { type = "l1d"; speedup_pct = 30.0; } ); };\nworkload : { mode = "together"; duration_ms = 1000; traces = [ "%s" ]; };\n' \
		"$(quoted "$n.csv")" >"./$n.cfg"
	does run --json -o "./$n.json" --timeline "./$n t.json" -- "$n.cfg"
	does run --csv -o "./$n run.csv" --timeline "./$n t.ftrace" -- "$n.cfg"
	# The resolved configuration does the same again.
	does run --print-config -- "$n.cfg"
	cp "$T/out" "./$n again.cfg"
	does run --json -- "$n again.cfg"
	grep -v '"configuration"\|"config"' "$T/out" >"$T/again.json"
	grep -v '"configuration"\|"config"' "./$n.json" | cmp -s - "$T/again.json" || fail "$(printf '%q' "$name"): --print-config leads elsewhere"
	does sweep -q --axis scheduler.inertia=0,1 -o "./$n.db" -- "$n.cfg"
	does export -o "./$n x.csv" -- "$n.db"
	does export --jsonl -o "./$n x.jsonl" -- "$n.db"
	does query -- "$n.db"
	does query -- "$n.db" best
	does report -o "./$n report" -- "$n.db"
	does rerun -q -o "./$n re.db" -- "$n.db.manifest"
	does merge -- "$n m.db" "$n.db"
	cmp -s "./$n x.csv" <("$program" export -- "$n m.db") || fail "$(printf '%q' "$name"): a merged store has other results"
	does optimize --cores 2 --json -o "./$n o.json" -- "$n.cfg"
	printf 'costs_ms = [0.0, 1.0];\nsuites = ( { name = "one"; config = "%s"; } );\npolicies = ( { policy = "static"; }, { policy = "sahm"; } );\nsubject = "sahm";\nreference = "static";\n' \
		"$(quoted "$n.cfg")" >"./$n.study"
	does compare --json -o "./$n compare.json" -- "$n.study"
	does compare --csv -o "./$n compare.rows" -- "$n.study"
	does reproduce --suite "$tree/workloads/suites/small" -o "./$n paper" $([ "$form" = full ] || echo --no-plots) 4.3
	does trace synth --only app_launch -o "./$n synth" -f csv "$tree/workloads/suites/synthetic/phone.profile"
	does policy new mine -o "./$n policy"
	does ipu keygen "./key"
	cp "$tree/ipu/programs/prebuilt/watch.elf" "./$n.elf"
	does ipu sign -k key.key --abi memory_access --name watch -- "./$n.elf"
	printf 'address,is_write\n1,0\n2,1\n' >"./$n in"
	does ipu run "./$n.elf" --abi memory_access --signals "./$n in" --packets "./$n packets.csv"
	prints .json ipu run "./$n.elf" --abi memory_access --signals "./$n in" --json
	nr=0
	while IFS= read -r -d '' file; do
		python3 "$T/check.py" "$file" 2>"$T/said" || fail "$(printf '%q: %q is not well-formed' "$name" "$file")"
		nr=$((nr + 1))
	done < <(find . \( -name '*.json' -o -name '*.jsonl' -o -name '*.csv' -o -name '*.html' -o -name '*.svg' -o -name '*.gp' \) -type f -print0)
	[ "$nr" -gt 15 ] || fail "only $nr files were looked at"
	# Drawn again by hand, from a folder of such a name.
	if command -v gnuplot >/dev/null 2>&1; then
		(cd "./$n plot" && gnuplot occupancy.gp) >"$T/said" 2>&1 || fail "$(printf '%q' "$name"): gnuplot fails by hand"
	fi
	# A message about a file that is not there shows its name, without what would act on a terminal.
	timeout 20 "$program" run -- "$n none.cfg" >"$T/out" 2>"$T/said"
	[ $? -eq 1 ] && [ "$(wc -l <"$T/said")" -eq 1 ] && ! grep -q $'[\001-\010\013-\037]' "$T/said" ||
		fail "$(printf '%q' "$name"): a message of several lines, or with control characters"
	[ -z "$(find "$T" "$tree" -maxdepth 3 -name PWNED -not -path '*/build/*')" ] || fail "$(printf '%q' "$name"): a name was run"
	cd "$T" || exit 2
	printf '%-50q %d files\n' "${name:0:40}" "$nr"
done
