## The traces that came with the program, by suite.
$ sahm trace list real
suite small: 8 traces, assumed time base

trace   epochs   length  source                       program
---------------------------------------------------------------------------------------------
cc1         19   1.90 s  recorded, assumed time base  cc1 (version and input not recorded)
gzip       107  10.70 s  recorded, assumed time base  gzip (version and input not recorded)
perl        35   3.50 s  recorded, assumed time base  perl (version and input not recorded)
python      55   5.50 s  recorded, assumed time base  python (version and input not recorded)
sort        70   7.00 s  recorded, assumed time base  sort (version and input not recorded)
sqlite      31   3.10 s  recorded, assumed time base  sqlite (version and input not recorded)
xz         131  13.10 s  recorded, assumed time base  xz (version and input not recorded)
zstd        49   4.90 s  recorded, assumed time base  zstd (version and input not recorded)
$ sahm trace list synthetic | sed -n '1,6p;$p'
suite synthetic: 39 traces, synthetic

trace                  epochs    length  source     program
-----------------------------------------------------------
perlbench_r-synthetic    1480  148.00 s  synthetic  -
gcc_r-synthetic          1220  122.00 s  synthetic  -
roms_s-synthetic         5000  500.00 s  synthetic  -
$ sahm trace list real --details | sed -n '/^zstd$/,$p'
zstd
  file      workloads/suites/small/zstd.csv
  program   zstd (version and input not recorded)
  tool      valgrind --tool=callgrind --cache-sim=yes --branch-sim=yes --I1=32768,8,64 --D1=49152,12,64 --LL=2097152,16,64 --combine-dumps=yes --dump-every-bb=4000000
  machine   callgrind's cache and branch-predictor model; its LL cache stands for L2
  epoch     interval of 4000000 basic blocks, replayed as 100 ms of baseline time; the last one is shorter
  hash      0af4fdc10011b9a5d94038c1bc8ab110ff8d44d87a1bc01e1e9a1e6955f254e4
$ sahm trace list real synthetic --json | sed -n '1,18p'; sahm trace list synthetic real --json | grep -c content_hash
{
  "schema": "sahm-trace-list/1",
  "suites": [
    {
      "suite": "small",
      "traces": [
        {
          "name": "cc1",
          "file": "workloads/suites/small/cc1.csv",
          "epochs": 19,
          "epoch_ns": 100000000,
          "length_s": 1.9,
          "synthetic": false,
          "nominal_time": true,
          "source": "recorded",
          "program": "cc1 (version and input not recorded)",
          "tool": "valgrind --tool=callgrind --cache-sim=yes --branch-sim=yes --I1=32768,8,64 --D1=49152,12,64 --LL=2097152,16,64 --combine-dumps=yes --dump-every-bb=4000000",
          "machine": "callgrind's cache and branch-predictor model; its LL cache stands for L2",
47
$ sahm trace list --csv small | head -n 3; sahm trace list --csv synthetic | sed -n 2p
suite,name,file,epochs,epoch_ns,length_s,synthetic,nominal_time,source,program,tool,machine,epoch,content_hash
small,cc1,workloads/suites/small/cc1.csv,19,100000000,1.9,no,yes,recorded,cc1 (version and input not recorded),"valgrind --tool=callgrind --cache-sim=yes --branch-sim=yes --I1=32768,8,64 --D1=49152,12,64 --LL=2097152,16,64 --combine-dumps=yes --dump-every-bb=4000000",callgrind's cache and branch-predictor model; its LL cache stands for L2,"interval of 4000000 basic blocks, replayed as 100 ms of baseline time; the last one is shorter",fa59524f0825bb59e594212c15fd555e4829a4221b6bf241ce296fed5ee764e1
small,gzip,workloads/suites/small/gzip.csv,107,100000000,10.7,no,yes,recorded,gzip (version and input not recorded),"valgrind --tool=callgrind --cache-sim=yes --branch-sim=yes --I1=32768,8,64 --D1=49152,12,64 --LL=2097152,16,64 --combine-dumps=yes --dump-every-bb=4000000",callgrind's cache and branch-predictor model; its LL cache stands for L2,"interval of 4000000 basic blocks, replayed as 100 ms of baseline time; the last one is shorter",cddf08ee0d4b8483bf95f57633c7cf911ab25987911635257e267e1a219a2ea4
synthetic,perlbench_r-synthetic,workloads/suites/synthetic/spec2017/perlbench_r-synthetic.trc.zst,1480,100000000,148,yes,no,synthetic,"","sahm trace synth, seed 2048, cuts intuitive",none; magnitudes after SPEC CPU 2017 on a Golden Cove core at 5 GHz,"",932759583780318a0580ed4c235e70023720158a46b603297d1dd6a162412f42
## Without a name all of them, in the order of their names.
$ mkdir -p "$T/data/configs/suites" "$T/more"; head='instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,l2_misses'; row='1000,200,20,3,300,30,33,4'; printf '%s\n' '# sahm trace 1' '# source: recorded' '# program: ÄÖÜäöü 7890123456789012345678901234567890123' "# epoch_ns: 1000000" $head $row >"$T/more/fits.csv"; printf '%s\n' '# sahm trace 1' '# program: ÄÖÜäöü 78901234567890123456789012345678901234' $head $row $row >"$T/more/long.csv"; printf '%s\n' '# sahm trace 1' '# source: synthetic' '# epoch: 10 instructions' $head $row >"$T/more/both.csv"; echo 'traces = [ "../../../more/long.csv", "../../../more/fits.csv", "../../../more/long.csv" ];' >"$T/data/configs/suites/b.cfg"; echo 'traces = [ "../../../more/fits.csv" ];' >"$T/data/configs/suites/a.cfg"; SAHM_DATA=$T/data sahm trace list
sahm: warning: @T@/more/long.csv: no epoch length is given, taken as 100 ms
sahm: warning: @T@/more/long.csv: no epoch length is given, taken as 100 ms
suite a: 1 trace

trace  epochs   length  source    program
------------------------------------------------------------------------------
fits        1  0.001 s  recorded  ÄÖÜäöü 7890123456789012345678901234567890123

suite b: 3 traces

trace  epochs   length  source     program
-------------------------------------------------------------------------------
long        2   0.20 s  not known  ÄÖÜäöü 7890123456789012345678901234567890...
fits        1  0.001 s  recorded   ÄÖÜäöü 7890123456789012345678901234567890123
long        2   0.20 s  not known  ÄÖÜäöü 7890123456789012345678901234567890...
$ SAHM_DATA=$T/data sahm trace list --json a | grep -v hash; SAHM_DATA=$T/data sahm trace list --csv b | cut -d, -f1-13
{
  "schema": "sahm-trace-list/1",
  "suites": [
    {
      "suite": "a",
      "traces": [
        {
          "name": "fits",
          "file": "@T@/more/fits.csv",
          "epochs": 1,
          "epoch_ns": 1000000,
          "length_s": 0.001,
          "synthetic": false,
          "nominal_time": false,
          "source": "recorded",
          "program": "ÄÖÜäöü 7890123456789012345678901234567890123",
        }
      ]
    }
  ]
}
sahm: warning: @T@/more/long.csv: no epoch length is given, taken as 100 ms
sahm: warning: @T@/more/long.csv: no epoch length is given, taken as 100 ms
suite,name,file,epochs,epoch_ns,length_s,synthetic,nominal_time,source,program,tool,machine,epoch
b,long,@T@/more/long.csv,2,100000000,0.2,no,no,"",ÄÖÜäöü 78901234567890123456789012345678901234,"","",""
b,fits,@T@/more/fits.csv,1,1000000,0.001,no,no,recorded,ÄÖÜäöü 7890123456789012345678901234567890123,"","",""
b,long,@T@/more/long.csv,2,100000000,0.2,no,no,"",ÄÖÜäöü 78901234567890123456789012345678901234,"","",""
## A file or a folder is a suite, too; what is in it can be of several kinds.
$ sahm trace list "$T/data/configs/suites/a.cfg"; sahm trace list --details "$T/more" | sed 's/^\(  hash  *\)[0-9a-f]\{64\}/\1HASH/'
suite a: 1 trace

trace  epochs   length  source    program
------------------------------------------------------------------------------
fits        1  0.001 s  recorded  ÄÖÜäöü 7890123456789012345678901234567890123
sahm: warning: @T@/more/both.csv: no epoch length is given, taken as 100 ms
sahm: warning: @T@/more/long.csv: no epoch length is given, taken as 100 ms
suite more: 3 traces, 1 of them synthetic, 1 of them with an assumed time base

trace           epochs   length  source                        program
-----------------------------------------------------------------------------------------------------------
both-synthetic       1   0.10 s  synthetic, assumed time base  -
fits                 1  0.001 s  recorded                      ÄÖÜäöü 7890123456789012345678901234567890123
long                 2   0.20 s  not known                     ÄÖÜäöü 7890123456789012345678901234567890...

both-synthetic
  file      @T@/more/both.csv
  epoch     10 instructions
  hash      HASH

fits
  file      @T@/more/fits.csv
  program   ÄÖÜäöü 7890123456789012345678901234567890123
  hash      HASH

long
  file      @T@/more/long.csv
  program   ÄÖÜäöü 78901234567890123456789012345678901234
  hash      HASH
## What is no suite, and what is in none.
$ sahm trace list smal
sahm: error: no suite is called 'smal' (open, small, synthetic), and there is no such file or folder; did you mean 'small'?
[2]
$ sahm trace list workloads/suites/small/xz.csv
sahm: error: 'workloads/suites/small/xz.csv' is a trace, not a suite, which is a list of some or a folder
[1]
$ sahm trace list configs/canonical.cfg
sahm: error: configs/canonical.cfg:5: unknown key 'chip'
[1]
$ mkdir "$T/empty"; sahm trace list "$T/empty"; SAHM_DATA=$T/empty sahm trace list; mkdir -p "$T/empty/configs/suites"; SAHM_DATA=$T/empty sahm trace list; SAHM_DATA=$T/empty sahm trace list --json; SAHM_DATA=$T/empty sahm trace list --csv
sahm: error: no trace is in the folder '@T@/empty' (.csv, .trc, either with .zst)
sahm: error: cannot open '@T@/empty/configs/suites': No such file or directory
{
  "schema": "sahm-trace-list/1",
  "suites": []
}
suite,name,file,epochs,epoch_ns,length_s,synthetic,nominal_time,source,program,tool,machine,epoch,content_hash
$ echo 'traces = [ "../more/fits.csv", "none.csv" ];' >"$T/empty/none.cfg"; sahm trace list "$T/empty/none.cfg"
sahm: error: @T@/empty/none.cfg:1: cannot open trace 'none.csv': No such file or directory (nor is it in '@ROOT@')
[1]
## Names of shipped traces are found in the data folder.
$ echo 'traces = [ "gzip.csv", "gcc_r-synthetic" ];' >"$T/empty/names.cfg"; sahm trace list "$T/empty/names.cfg" --csv | cut -d, -f1-4; sed -i s/gcc_r/gcc_q/ "$T/empty/names.cfg"; sahm trace list "$T/empty/names.cfg"
suite,name,file,epochs
names,gzip,workloads/suites/small/gzip.csv,107
names,gcc_r-synthetic,workloads/suites/synthetic/spec2017/gcc_r-synthetic.trc.zst,1220
sahm: error: @T@/empty/names.cfg:1: cannot open trace 'gcc_q-synthetic': No such file or directory (nor is it in '@ROOT@'); did you mean 'gcc_r-synthetic'?
[1]
$ for t in gcc_r-synthetic.trc gcc_r gcc_q-synthetic; do sahm run $t; sahm run canonical --set "workload.traces[0]=$t"; done
sahm: error: 'gcc_r-synthetic.trc' is neither a file nor the name of a shipped configuration, suite or trace; did you mean 'gcc_r-synthetic'?
sahm: error: --set workload.traces[0]=gcc_r-synthetic.trc: cannot open trace 'gcc_r-synthetic.trc': No such file or directory (nor is it in '@ROOT@'); did you mean 'gcc_r-synthetic'?
sahm: error: 'gcc_r' is neither a file nor the name of a shipped configuration, suite or trace; did you mean 'gcc_r-synthetic'?
sahm: error: --set workload.traces[0]=gcc_r: cannot open trace 'gcc_r': No such file or directory (nor is it in '@ROOT@'); did you mean 'gcc_r-synthetic'?
sahm: error: 'gcc_q-synthetic' is neither a file nor the name of a shipped configuration, suite or trace; did you mean 'gcc_r-synthetic'?
sahm: error: --set workload.traces[0]=gcc_q-synthetic: cannot open trace 'gcc_q-synthetic': No such file or directory (nor is it in '@ROOT@'); did you mean 'gcc_r-synthetic'?
[1]
## A trace that is damaged, be it in its last block, leaves no list behind.
$ mkdir "$T/damaged"; sahm trace import workloads/suites/small/xz.csv -o "$T/damaged/xz.trc" && printf x | dd of="$T/damaged/xz.trc" bs=1 seek=4000 conv=notrunc 2>/dev/null; sahm trace list "$T/damaged"; sahm trace list real "$T/damaged" --csv
@T@/damaged/xz.trc: 131 epochs of 100 ms, 4872 bytes, assumed time base
sahm: error: @T@/damaged/xz.trc: damaged binary trace: epochs 0 to 130 differ from their checksum
sahm: error: @T@/damaged/xz.trc: damaged binary trace: epochs 0 to 130 differ from their checksum
[1]
$ cp workloads/suites/synthetic/spec2017/xz_r-synthetic.trc.zst "$T/damaged/xz.trc"; truncate -s 1000 "$T/damaged/xz.trc"; sahm trace list "$T/damaged" --json
sahm: error: @T@/damaged/xz.trc: compressed data is cut short
[1]
$ sahm trace list --json --csv
sahm: error: --json and --csv exclude each other
[2]
$ sahm trace list --all
sahm: error: unknown option '--all' (--help lists them)
[2]
$ cd "$T" && sahm trace list real | tail -n 1 | cut -c1-20
zstd        49   4.9
