## A profile of two benchmarks, a trace of each form.
$ printf '%s\n' '# sahm profile 1' '# seed: 1' '# epoch_ms: 10' '# cuts: intuitive' '# digits: 3' '# machine: a made-up one' '# licence: MIT' '# minstr: 10' '# slower_pct: 20' '# branches_pki: 200' '# l1d_accesses_pki: 300' '# l2_per_miss: 1.5' '# single_pct: 20' '# short_epochs: 3' '# long_pct: 30' '# long_epochs: 6' '# branch_low_pct: 0.5' '# branch_high_pct: 3' '# l1i_low_mpki: 0.4' '# l1i_high_mpki: -' '# l1d_low_pct: 1' '# l1d_high_pct: 4' '# l2_low_pct: 5' '# l2_high_pct: 30' '# spread: 2' '# jitter_pct: 5' 'name, epochs, Low, Branch, L2+L1D' 'one, 12, 25, 25, 50' 'two, 8, 1, 1, 0' > "$T/p.profile"; sahm trace synth "$T/p.profile" -o "$T/csv" -f csv && sahm trace synth "$T/p.profile" -o "$T/trc" --form=trc && ls "$T/csv" "$T/trc" && cat "$T/csv/two-synthetic.csv"
@T@/csv/one-synthetic.csv: 12 epochs of 10 ms, synthetic
@T@/csv/two-synthetic.csv: 8 epochs of 10 ms, synthetic
@T@/trc/one-synthetic.trc: 12 epochs of 10 ms, 640 bytes, synthetic
@T@/trc/two-synthetic.trc: 8 epochs of 10 ms, 544 bytes, synthetic
@T@/csv:
one-synthetic.csv
two-synthetic.csv

@T@/trc:
one-synthetic.trc
two-synthetic.trc
# sahm trace 1
# name: two-synthetic
# source: synthetic
# tool: sahm trace synth, seed 1, cuts intuitive
# machine: a made-up one
# licence: MIT
# epoch_ns: 10000000
instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,l2_misses
7870000,1500000,71800,4150,2460000,46300,79100,6320
9530000,1920000,5720,6490,2920000,54000,90500,5660
10200000,2000000,7830,2220,3070000,50500,79000,4530
9960000,2070000,8420,2170,3000000,52800,86500,4960
9970000,2010000,7810,2150,2920000,49500,74500,4160
7610000,1510000,60700,3540,2280000,38600,66000,4880
7660000,1490000,27500,5640,2310000,35900,59300,3930
8380000,1680000,29500,5840,2570000,43300,70400,4840
$ sahm trace info "$T/csv/one-synthetic.csv" "$T/trc/one-synthetic.trc"; sahm characterize "$T/trc/one-synthetic.trc" "$T/csv/two-synthetic.csv"
@T@/csv/one-synthetic.csv
  epochs: 12 of 10 ms (0.12 s)
  cycles: not known
  content hash: 25bcaca7c0a926372035976b4f5bf03a47ae25672531faf9f6914df8a7aa0a48
  size in binary form: 640 bytes, 53.3 per epoch; all blocks intact
  name: one-synthetic
  source: synthetic
  tool: sahm trace synth, seed 1, cuts intuitive
  machine: a made-up one
  licence: MIT
@T@/trc/one-synthetic.trc
  epochs: 12 of 10 ms (0.12 s)
  cycles: not known
  content hash: 25bcaca7c0a926372035976b4f5bf03a47ae25672531faf9f6914df8a7aa0a48
  size in binary form: 640 bytes, 53.3 per epoch; all blocks intact
  name: one-synthetic
  source: synthetic
  tool: sahm trace synth, seed 1, cuts intuitive
  machine: a made-up one
  licence: MIT
states by share of epochs (thresholds: intuitive); same: epochs in the previous one's state
2 traces, synthetic

trace             epochs    same  intervals  epochs/interval  states
------------------------------------------------------------------------------------------------------
one-synthetic         12  45.5 %          7              1.7  L2+L1D 50.0 %, Low 25.0 %, Branch 25.0 %
two-synthetic          8  71.4 %          3              2.7  Low 50.0 %, Branch 50.0 %
------------------------------------------------------------------------------------------------------
mean (synthetic)    10.0  58.4 %        5.0              2.0  Low 37.5 %, Branch 37.5 %, L2+L1D 25.0 %
$ for t in one two; do sahm trace export "$T/trc/$t-synthetic.trc" | cmp - "$T/csv/$t-synthetic.csv" && echo same; done
same
same
## Profiles come from standard input, too; the same profile and seed give the same bytes, another seed does not.
$ sahm trace synth - -o "$T/again" -f trc < "$T/p.profile" && cmp "$T/again/one-synthetic.trc" "$T/trc/one-synthetic.trc" && sahm trace synth "$T/p.profile" --force -o "$T/again" -f trc -s 1 2> /dev/null && cmp "$T/again/one-synthetic.trc" "$T/trc/one-synthetic.trc" && sahm trace synth "$T/p.profile" --force -o "$T/again" -f trc --seed 2 --only one && sahm trace info --json "$T/trc/one-synthetic.trc" "$T/again/one-synthetic.trc" | grep -E 'content_hash|seed'
@T@/again/one-synthetic.trc: 12 epochs of 10 ms, 640 bytes, synthetic
@T@/again/two-synthetic.trc: 8 epochs of 10 ms, 544 bytes, synthetic
@T@/again/one-synthetic.trc: 12 epochs of 10 ms, 664 bytes, synthetic
    "content_hash": "25bcaca7c0a926372035976b4f5bf03a47ae25672531faf9f6914df8a7aa0a48",
      "tool": "sahm trace synth, seed 1, cuts intuitive",
    "content_hash": "d72e0982caf4ed6aeaf412b5de102fbec77633183f25d28004941fd6c2a72a60",
      "tool": "sahm trace synth, seed 2, cuts intuitive",
## Benchmarks by name; a trace does not depend on the rows beside it.
$ sahm trace synth "$T/p.profile" -o "$T/some" -f csv --only two --only two && ls "$T/some" && grep -v one, "$T/p.profile" > "$T/less.profile"; sahm trace synth "$T/less.profile" -o "$T/less" -f csv && cmp "$T/less/two-synthetic.csv" "$T/csv/two-synthetic.csv" && sahm trace synth "$T/p.profile" -o "$T/some" -f csv --only tow; sahm trace synth "$T/p.profile" -o "$T/never" -f csv --only three --only one; [ -e "$T/never" ] || echo nothing
@T@/some/two-synthetic.csv: 8 epochs of 10 ms, synthetic
two-synthetic.csv
@T@/less/two-synthetic.csv: 8 epochs of 10 ms, synthetic
sahm: error: '@T@/p.profile' has no benchmark 'tow'; did you mean 'two'?
sahm: error: '@T@/p.profile' has no benchmark 'three'
nothing
## A state that nothing may follow; a name with the suffix already.
$ { sed -e '2a # follow: Low > Branch: 0' -e '2a # follow: Low > L2+L1D: 0' -e '2a # follow: Branch > Low: 0' -e '2a # follow: L2+L1D > Low: 0' -e 's/^one,/one-synthetic,/' -e 's/, 8, 1/, 1, 1/' "$T/p.profile"; } > "$T/f.profile"; sahm trace synth "$T/f.profile" -o "$T/f" -f csv; ls "$T/f"
sahm: warning: @T@/f.profile:32: 3 epochs of 'one-synthetic' are not in the state that the shares say: the '# follow: ... 0' lines leave no place for it
@T@/f/one-synthetic.csv: 12 epochs of 10 ms, synthetic
sahm: warning: @T@/f.profile:33: 'two' is never in Branch: its share is less than one epoch
@T@/f/two-synthetic.csv: 1 epoch of 10 ms, synthetic
one-synthetic.csv
two-synthetic.csv
## Names that are no file's: nothing is written outside the folder, nor at all.
$ for n in ../up /abs . .. .x 'a/b' "$(printf 'a\tb')" "$(printf %300s x | tr ' ' x)" one one-synthetic; do sed "s|^two,|$n,|" "$T/p.profile" > "$T/n.profile"; sahm trace synth "$T/n.profile" -o "$T/names/in" -f csv; done; [ -e "$T/names" ] || echo nothing
sahm: error: @T@/n.profile:29: name '../up' cannot be that of a file: it begins with '.' or a blank, or has '/' or a control character in it
sahm: error: @T@/n.profile:29: name '/abs' cannot be that of a file: it begins with '.' or a blank, or has '/' or a control character in it
sahm: error: @T@/n.profile:29: name '.' cannot be that of a file: it begins with '.' or a blank, or has '/' or a control character in it
sahm: error: @T@/n.profile:29: name '..' cannot be that of a file: it begins with '.' or a blank, or has '/' or a control character in it
sahm: error: @T@/n.profile:29: name '.x' cannot be that of a file: it begins with '.' or a blank, or has '/' or a control character in it
sahm: error: @T@/n.profile:29: name 'a/b' cannot be that of a file: it begins with '.' or a blank, or has '/' or a control character in it
sahm: error: @T@/n.profile:29: name 'a?b' cannot be that of a file: it begins with '.' or a blank, or has '/' or a control character in it
sahm: error: @T@/n.profile:29: name 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...' is longer than 200 bytes
sahm: error: @T@/n.profile:29: 'one' stands twice, first in line 28
sahm: error: @T@/n.profile:29: 'one-synthetic' stands twice, first in line 28
nothing
$ printf '%s\n' 'a b' 'x..y' '-rf' '"q"' "$(printf '\303\251\377')" > "$T/names.txt"; { grep -v '^one\|^two' "$T/p.profile"; sed 's/$/, 3, 1, 0, 0/' "$T/names.txt"; } > "$T/n.profile"; sahm trace synth "$T/n.profile" -o "$T/n" -f csv 2>&1 | wc -l; ls "$T/n" | wc -l; sahm characterize "$T/n/a b-synthetic.csv" "$T/n/-rf-synthetic.csv" "$T/n/q-synthetic.csv" | grep ' Low '
5
5
a b-synthetic          3  100.0 %          1              3.0  Low 100.0 %
-rf-synthetic          3  100.0 %          1              3.0  Low 100.0 %
q-synthetic            3  100.0 %          1              3.0  Low 100.0 %
mean (synthetic)     3.0  100.0 %        1.0              3.0  Low 100.0 %
## Faults of a profile, with file and line; nothing is written.
$ f() { sed "$1" "$T/p.profile" > "$T/bad.profile"; sahm trace synth "$T/bad.profile" -o "$T/bad"; echo "[$?]"; }; f 's/profile 1/profile 2/'; f 1d; f /seed/d; f /spread/d; f 's/spread/spred/'; f 's/intuitive/p51/'; f 's/one, 12/one, 0/'; f 's/one, 12,/one,/'; f 's/L2+L1D/L1D+L3/'; f 's/high_pct: 3$/high_pct: 1/'; f 's/high_pct: 3$/high_pct: -/'; f 's/long_pct: 30/long_pct: 81/'; f '/^[ot]/d'; f 's/^two, 8/two, 4294967296/; s/epoch_ms: 10/epoch_ms: 1000000/'; [ -e "$T/bad" ] || echo nothing
sahm: error: @T@/bad.profile:1: version '2', this program reads version 1
[1]
sahm: error: @T@/bad.profile:1: not a profile: its first line is not '# sahm profile 1'
[1]
sahm: error: @T@/bad.profile:26: missing above the table: '# seed: ...'
[1]
sahm: error: @T@/bad.profile:26: missing in the table or, for all rows, above it: spread (sahm help synth)
[1]
sahm: error: @T@/bad.profile:25: no key or column is called 'spred'; did you mean 'spread'?
[1]
sahm: error: @T@/bad.profile:4: no set of thresholds is called 'p51'; did you mean 'p50'?
[1]
sahm: error: @T@/bad.profile:28: epochs '0' is out of range, must be from 1 to 4294967296
[1]
sahm: error: @T@/bad.profile:28: 4 fields, the head of the table has 5
[1]
sahm: error: @T@/bad.profile:27: no column is called 'L1D+L3'; did you mean 'L1D+L1I'?
[1]
sahm: error: @T@/bad.profile:28: branch_high_pct of 'one' is not above the threshold, which is 1 %
[1]
sahm: error: @T@/bad.profile:28: branch_high_pct is missing: 'one' spends time in Branch
[1]
sahm: error: @T@/bad.profile:28: single_pct and long_pct of 'one' are more than 100 together
[1]
sahm: error: @T@/bad.profile: empty profile: there is no benchmark
[1]
sahm: error: @T@/bad.profile:29: 'two' lasts longer than 9223372036854775807 ns
[1]
nothing
$ sahm trace synth no/such.profile -o "$T/bad"; sahm trace synth configs -o "$T/bad"; sahm trace synth /dev/null -o "$T/bad"; sahm trace synth "$T/p.profile" -o "$T/no/such"; sahm trace synth "$T/p.profile" -f csv -o "$T/p.profile"; echo "[$?]"
sahm: error: cannot open 'no/such.profile': No such file or directory
sahm: error: cannot read 'configs': Is a directory
sahm: error: /dev/null: empty profile: there is no benchmark
sahm: error: cannot create folder '@T@/no/such': No such file or directory
sahm: error: cannot create folder '@T@/p.profile': a file is called so
[1]
## One in the place of another.
$ sahm trace synth "$T/csv/one-synthetic.csv" -o "$T/bad"; sahm trace synth "$T/trc/one-synthetic.trc" -o "$T/bad"; sahm trace synth configs/canonical.cfg -o "$T/bad"
sahm: error: '@T@/csv/one-synthetic.csv' is a trace, not a profile; `sahm help synth` explains profiles
sahm: error: '@T@/trc/one-synthetic.trc' is a trace, not a profile; `sahm help synth` explains profiles
sahm: error: configs/canonical.cfg:1: not a profile: its first line is not '# sahm profile 1'
[1]
$ sahm characterize "$T/p.profile"; sahm trace info "$T/p.profile"; sahm trace export "$T/p.profile"; sahm trace import "$T/p.profile" -o "$T/bad.trc"; sahm run "$T/p.profile"; sahm run configs/canonical.cfg --set "workload.traces=[\"$T/p.profile\"]"
sahm: error: @T@/p.profile:1: a profile, not a trace; `sahm trace synth` makes traces from it
sahm: error: @T@/p.profile:1: a profile, not a trace; `sahm trace synth` makes traces from it
sahm: error: @T@/p.profile:1: a profile, not a trace; `sahm trace synth` makes traces from it
sahm: error: @T@/p.profile:1: a profile, not a trace; `sahm trace synth` makes traces from it
sahm: error: '@T@/p.profile' is a profile, not a configuration; `sahm trace synth` makes traces from it
sahm: error: @T@/p.profile:1: a profile, not a trace; `sahm trace synth` makes traces from it
[1]
## Usage; a fault of it is named before a trace in the wrong place is.
$ u() { sahm trace synth "$@"; echo "[$?]"; }; u; u "$T/p.profile"; u -o "$T/bad"; u "$T/p.profile" "$T/p.profile" -o "$T/bad"; u "$T/p.profile" -o; u "$T/p.profile" -o "$T/bad" -f cvs; u "$T/p.profile" -o "$T/bad" -f zst; u "$T/p.profile" -o "$T/bad" -s -1; u "$T/p.profile" -o "$T/bad" -s 18446744073709551616; u "$T/p.profile" -o "$T/bad" --sed 1; u "$T/p.profile" -o "$T/bad" --csv; u "$T/p.profile" -o "$T/bad" --seeds 2; u "$T/p.profile" --verify -o "$T/bad"; u "$T/p.profile" --verify --only one; u "$T/p.profile" --verify -f csv; u "$T/p.profile" --verify --seeds 0; u --verify --seeds 99999; u "$T/csv/two-synthetic.csv"; [ -e "$T/bad" ] || echo nothing
sahm: error: say what to do: -o DIR writes traces, --verify checks them
[2]
sahm: error: say what to do: -o DIR writes traces, --verify checks them
[2]
sahm: error: a profile is missing: sahm trace synth PROFILE -o DIR
[2]
sahm: error: one profile at a time: '@T@/p.profile' is too many
[2]
sahm: error: option '--output' needs a value: --output DIR
[2]
sahm: error: --form is 'cvs', must be csv, csv.zst, trc or trc.zst; did you mean 'csv'?
[2]
sahm: error: --form is 'zst', must be csv, csv.zst, trc or trc.zst
[2]
sahm: error: --seed is '-1', must be a whole number from 0 to 18446744073709551615
[2]
sahm: error: --seed is '18446744073709551616', must be a whole number from 0 to 18446744073709551615
[2]
sahm: error: unknown option '--sed'; did you mean '--seed'?
[2]
sahm: error: --csv is for --verify
[2]
sahm: error: --seeds is for --verify
[2]
sahm: error: --verify writes no traces, and takes all of them
[2]
sahm: error: --verify writes no traces, and takes all of them
[2]
sahm: error: --verify writes no traces, and takes all of them
[2]
sahm: error: --seeds is '0', must be a whole number from 1 to 16
[2]
sahm: error: --seeds is '99999', must be a whole number from 1 to 16
[2]
sahm: error: say what to do: -o DIR writes traces, --verify checks them
[2]
nothing
## What cannot be written in the end.
$ sahm trace synth "$T/p.profile" --force -o "$T/csv" -f csv --only one > /dev/full && rm "$T/csv/one-synthetic.csv" && mkdir "$T/csv/one-synthetic.csv" && sahm trace synth "$T/p.profile" --force -o "$T/csv" -f csv
@T@/csv/one-synthetic.csv: 12 epochs of 10 ms, synthetic
sahm: error: cannot create '@T@/csv/one-synthetic.csv': Is a directory
[1]
## A few benchmarks of one's own are not the study's.
$ sahm trace synth "$T/p.profile" --verify > "$T/verified"; echo "[$?]"; tail -n 1 "$T/verified"; sahm trace synth "$T/p.profile" --verify --seeds 2 --csv 2> /dev/null | head -n 1
sahm: error: 28 of 34 claims do not hold
[1]
6 of 34 claims hold
id,whose,source,claim,unit,judged,expected,tolerance,ours_1,ours_2,holds,synthetic
## What is explained.
$ sahm help synth
a profile is a table that `sahm trace synth` makes traces from, a row per benchmark:

  # sahm profile 1
  # seed: 1
  # epoch_ms: 100
  # jitter_pct: 4              a column that is the same in all rows
  # (and so on)
  name,      epochs, minstr, Low, Branch, L2+L1D, single_pct, ...
  browser,     3000,    900,  30,     60,     10,         25, ...
  database,    6000,    400,   0,     15,     85,          5, ...

columns, of which none has a default:
  name            name of the benchmark; its trace is called NAME-synthetic
  Low, Branch, ...
                  a column for each state that is visited (sahm help states):
                  its share of the time, in parts of the row's sum, which need
                  not be 100; rounded to whole epochs
  epochs          length of the trace in epochs
  minstr          millions of instructions in an epoch in which nothing is
                  stressed: IPC x GHz x epoch_ms
  slower_pct      fewer instructions for each stressed component, in %
  branches_pki    branches per 1,000 instructions
  l1d_accesses_pki
                  accesses to the L1D per 1,000 instructions
  l2_per_miss     accesses to the L2 per miss of the L1I or L1D; prefetches make
                  it more than 1
  single_pct      share of the time in stays of 1 epoch, in %; a stay in the
                  same state as the one before makes a longer interval
  short_epochs    mean length of short stays, in which the time passes that
                  single_pct and long_pct leave
  long_pct        share of the time in long stays, in %
  long_epochs     mean length of long stays; each lasts from half of it to half
                  more
  branch_low_pct  typical (median) share of branches that are mispredicted where
                  Branch is LOW, in %
  branch_high_pct
                  typical share of branches that are mispredicted where Branch
                  is HIGH
  l1i_low_mpki    typical L1I misses per 1,000 instructions where L1I is LOW
  l1i_high_mpki   typical L1I misses per 1,000 instructions where L1I is HIGH
  l1d_low_pct     typical L1D misses per access where L1D is LOW, in %
  l1d_high_pct    typical L1D misses per access where L1D is HIGH
  l2_low_pct      typical L2 misses per access where L2 is LOW, in %
  l2_high_pct     typical L2 misses per access where L2 is HIGH
  spread          how much stays differ: each has a level of each metric, from
                  typical / spread to typical x spread
  jitter_pct      how much the epochs of a stay differ: up to this many % from
                  its level

A typical value (the eight from branch_low_pct on) that no state of a row needs
is written `-`.

lines `# key: value` above the table:
  seed            whole number; other seeds give other traces of the same kind
  epoch_ms        length of an epoch in ms of baseline time
  cuts            the thresholds between LOW and HIGH: a named set
  digits          significant digits of the counts, 2 to 19: a trace compresses
                  the better, the fewer they are
  follow          FROM > TO: FACTOR, how much likelier TO is after FROM than its
                  share says; 0 is never (FROM > FROM too); any number of lines
  machine         source of the magnitudes
  licence         terms under which the traces may be passed on
  note            anything else

Other comments are ignored, but a misspelt key followed by a colon is an
error. `sahm run` depends on the shares, the lengths of intervals, and on which
side of its threshold a metric is. Examples to copy are server.profile and
phone.profile, in workloads/suites/synthetic of the source, in
share/sahm/workloads/suites/synthetic of an installation.

see also: sahm help trace synth
