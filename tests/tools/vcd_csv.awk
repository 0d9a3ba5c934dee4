# From a value change dump (IEEE 1364) of scalars and vectors, which $dumpvars sets, to CSV: a row per time at which something changes,
# and one of the last cycle. Complains of all else.
#   awk -f tests/tools/vcd_csv.awk FILE.vcd
function fail(what) { print "vcd_csv: " what ": " $0 > "/dev/stderr"; failed = 1; exit 1 }
function number(bits, i, n) { for (i = 1; i <= length(bits); i++) n = 2 * n + substr(bits, i, 1); return n + 0 }
function row(time, i) { printf "%d", time; for (i = 1; i <= nr; i++) printf ",%d", value[codes[i]]; print ""; written = time }
function set(code, bits) {
	if (!(code in width)) fail("unknown code")
	if (bits !~ /^[01]+$/ || length(bits) > width[code]) fail("bad value")
	value[code] = number(bits); is_set[code] = 1; changed = 1
}
!defined && $1 == "$var" {
	if ($2 != "wire" || $NF != "$end" || ($3 > 1) != (NF == 7) || ($3 > 1 && $6 != "[" $3 - 1 ":0]")) fail("bad variable")
	if ($4 in width) fail("code used twice")
	width[$4] = $3; codes[++nr] = $4; names = names "," $5
	next
}
!defined && $1 == "$enddefinitions" { defined = 1; print "cycle" names; next }
!defined && $1 ~ /^[$](comment|timescale|scope|upscope)$/ && $NF == "$end" { next }
$1 ~ /^#[0-9]+$/ {
	if (changed) row(time)
	if (is_timed && substr($1, 2) + 0 <= time) fail("time does not rise")
	time = substr($1, 2) + 0; is_timed = 1; changed = 0
	next
}
defined && ($1 == "$dumpvars" || $1 == "$end") { next }
defined && is_timed && /^b[01]+ [!-~]+$/ { set($2, substr($1, 2)); next }
defined && is_timed && /^[01][!-~]+$/ { set(substr($1, 2), substr($1, 1, 1)); next }
{ fail("bad line") }
END {
	if (failed) exit 1
	for (i = 1; i <= nr; i++) if (!(codes[i] in is_set)) fail("not set: " codes[i])
	if (changed) fail("the dump does not end after its last value")
	if (written != time - 1) row(time - 1)
}
