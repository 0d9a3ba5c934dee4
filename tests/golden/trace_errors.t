$ sahm characterize no/such.csv
sahm: error: cannot open 'no/such.csv': No such file or directory
[1]
$ sahm characterize configs
sahm: error: no trace is in the folder 'configs' (.csv, .trc, either with .zst)
[1]
$ h=instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,l2_misses; t() { printf '%s\n' "$@" > "$T/t.csv"; sahm trace import "$T/t.csv" -o "$T/t.trc"; }; t "$h" 100,20,2,3,40,5,6,7; t "$h" 100,20,2,3,40,5,6; t "$h" 100,20,2,3,40,5,6,x; t "$h" 100,20,2,3,40,5,6,-7; t "$h" 100,20,2,3,40,5,6,1.5; t "$h" 100,20,2,3,40,5,6,99999999999999999999; t "$h" 100,20,2,3,40,5,6,; t "$h" 100,20,21,3,40,5,6,6; t "$h" 100,20,2,3,40,41,6,6; t '# sahm trace 1' "${h%,l2_misses}" 100,20,2,3,40,5,6; t '# sahm trace 1' "${h%es},x" 1,1,1,1,1,1,1,1,1; t "$h,branches" 1,1,1,1,1,1,1,1,1; t "$h"; t '# nothing'; t ''; t '# sahm trace 2' "$h" 1,1,1,1,1,1,1,1; t '# sahm trace 1' '# nmae: x' "$h" 1,1,1,1,1,1,1,1; t '# sahm trace 1' '# source = synthetic' "$h" 1,1,1,1,1,1,1,1; t '# sahm trace 1' '# epoch_ns : 5' "$h" 1,1,1,1,1,1,1,1; t '# sahm trace 1' '# epoch_ns: 5' "$h" 1,1,1,1,1,1,1,1; ls "$T"
sahm: error: @T@/t.csv:2: l2_misses (7) above l2_accesses (6)
sahm: error: @T@/t.csv:2: 7 fields, the header has 8
sahm: error: @T@/t.csv:2: 'x' in column 'l2_misses' is not a number
sahm: error: @T@/t.csv:2: negative count '-7' in column 'l2_misses'
sahm: error: @T@/t.csv:2: count '1.5' in column 'l2_misses' is not whole
sahm: error: @T@/t.csv:2: count '99999999999999999999' in column 'l2_misses' overflows: it does not fit 64 bits
sahm: error: @T@/t.csv:2: column 'l2_misses' is empty
sahm: error: @T@/t.csv:2: branch_misses (21) above branches (20)
sahm: error: @T@/t.csv:2: l1d_misses (41) above l1d_accesses (40)
sahm: error: @T@/t.csv:2: column 'l2_misses' is missing
sahm: error: @T@/t.csv:2: column 'l2_misses' is missing; is it 'l2_miss'?
sahm: error: @T@/t.csv:1: column 'branches' stands twice
sahm: warning: @T@/t.csv: no epoch length is given, taken as 100 ms
sahm: error: @T@/t.csv: empty trace: there are no epochs
@T@/t.csv is read as csv (-f chooses another)
sahm: error: @T@/t.csv: there is no header row in it
@T@/t.csv is read as csv (-f chooses another)
sahm: error: @T@/t.csv: there is no header row in it
sahm: error: @T@/t.csv:1: version '2', this program reads version 1
sahm: error: @T@/t.csv:2: unknown provenance key 'nmae'; did you mean 'name'?
sahm: error: @T@/t.csv:2: 'source' is written as '# source: value'
sahm: error: @T@/t.csv:2: 'epoch_ns' is written as '# epoch_ns: value'
sahm: error: @T@/t.csv:2: epoch_ns '5', must be a whole number from 1000 to 1000000000000
t.csv
$ h=instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,l2_misses; { echo $h; head -c 100000 /dev/zero | tr '\0' 1; echo; } > "$T/long.csv"; sahm characterize "$T/long.csv"
sahm: error: @T@/long.csv:2: line is longer than 65535 characters
[1]
$ printf 'instructions\0x\n' > "$T/nul.csv"; sahm characterize "$T/nul.csv"
sahm: error: @T@/nul.csv:1: byte 0x00 does not belong in text
[1]
## Binary traces: cut short, with a bit flipped, of another version.
$ sahm trace import workloads/suites/small/xz.csv -o "$T/a.trc" 2>/dev/null; head -c 3000 "$T/a.trc" > "$T/cut.trc"; sahm characterize "$T/cut.trc"; head -c 30 "$T/a.trc" > "$T/stub.trc"; sahm characterize "$T/stub.trc"; { head -c 3000 "$T/a.trc"; printf '\377'; tail -c +3002 "$T/a.trc"; } > "$T/flip.trc"; sahm characterize "$T/flip.trc"; sahm trace export "$T/flip.trc"; sahm trace info "$T/flip.trc"; { head -c 100 "$T/a.trc"; printf 'Z'; tail -c +102 "$T/a.trc"; } > "$T/head.trc"; sahm characterize "$T/head.trc"; { head -c 8 "$T/a.trc"; printf '\7'; tail -c +10 "$T/a.trc"; } > "$T/new.trc"; sahm characterize "$T/new.trc"; { cat "$T/a.trc"; echo; } > "$T/more.trc"; sahm characterize "$T/more.trc"
sahm: error: @T@/cut.trc: damaged binary trace: 3000 bytes, its header says 4872
sahm: error: @T@/stub.trc: damaged binary trace: it ends within the header
sahm: error: @T@/flip.trc: damaged binary trace: epochs 0 to 130 differ from their checksum
sahm: error: @T@/flip.trc: damaged binary trace: epochs 0 to 130 differ from their checksum
sahm: error: @T@/flip.trc: damaged binary trace: epochs 0 to 130 differ from their checksum
sahm: error: @T@/head.trc: damaged binary trace: header or index differ from their checksum
sahm: error: @T@/new.trc: binary trace of version 7, this program reads version 1
sahm: error: @T@/more.trc: damaged binary trace: more than the 4872 bytes that its header says
[1]
## Compressed traces: cut short, damaged, with something behind them; on a full disk.
$ sahm trace export "$T/a.trc" -o "$T/a.csv.zst"; sahm trace export "$T/a.trc" -o "$T/b.zst"; head -c 2000 "$T/a.csv.zst" > "$T/cut.zst"; sahm characterize "$T/cut.zst"; sahm trace import "$T/cut.zst"; { cat "$T/b.zst"; echo; } > "$T/more.zst"; sahm trace info "$T/more.zst"; { head -c 2 "$T/b.zst"; } > "$T/stub.zst"; sahm trace info "$T/stub.zst"; n=$(wc -c < "$T/b.zst"); { head -c $((n - 1)) "$T/b.zst"; printf '\1'; } > "$T/sum.zst"; cmp -s "$T/b.zst" "$T/sum.zst" || sahm trace info - < "$T/sum.zst"; sahm trace import "$T/b.zst"
sahm: error: @T@/cut.zst: compressed data is cut short
sahm: error: @T@/cut.zst: compressed data is cut short
sahm: error: @T@/more.zst: compressed data is damaged: other bytes follow it
sahm: error: @T@/stub.zst:1: neither a CSV trace nor a binary one that is whole (sahm trace import takes only CSV)
sahm: error: <stdin>: compressed data is damaged: it differs from its checksum
@T@/b.zst is a trace already: `sahm run`, `sahm characterize` and `sahm trace info` take it as it is
sahm: error: @T@/b.zst:1: neither a CSV trace nor a binary one that is whole (sahm trace import takes only CSV)
[1]
$ sahm trace export "$T/a.trc" -o no/such.csv.zst; ln -s /dev/full "$T/full.zst"; sahm trace export "$T/a.trc" -o "$T/full.zst"; sahm trace export "$T/flip.trc" -o "$T/flip.csv.zst"; ls "$T" | grep flip
sahm: error: cannot create 'no/such.csv.zst': No such file or directory
sahm: error: cannot write '@T@/full.zst': No space left on device
sahm: error: @T@/flip.trc: damaged binary trace: epochs 0 to 130 differ from their checksum
flip.trc
$ for f in csv trc; do ln -s /dev/full "$T/full.$f"; sahm trace slice workloads/suites/small/gzip.csv --to-epoch 107 -o "$T/full.$f"; rm "$T/full.$f"; done
sahm: error: cannot write '@T@/full.csv': No space left on device
sahm: error: cannot write '@T@/full.trc': No space left on device
## Two traces, one behind the other.
$ cat workloads/suites/small/gzip.csv workloads/suites/small/xz.csv >"$T/two.csv"; sahm trace info "$T/two.csv"; sahm characterize "$T/two.csv"
sahm: error: @T@/two.csv:143: a second header is here: two traces one after the other are no trace
sahm: error: @T@/two.csv:143: a second header is here: two traces one after the other are no trace
[1]
