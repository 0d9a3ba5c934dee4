## Models of cores. The streams are made up (tests/data/streams/README.md).
$ sahm core list
core                    kind          width  ROB  L1I KiB  L1D KiB  L2 KiB  LLC KiB  MSHRs  predictor  name in results
---------------------------------------------------------------------------------------------------------------------------------------
boom-giga               out-of-order      5  130       32       32     512        -      8  tage       BOOM giga (Icicle)
boom-large              out-of-order      3   96       32       32     512        -      4  tage       BOOM large (Icicle)
boom-medium             out-of-order      2   64       32       32     512        -      2  tage       BOOM medium (Icicle)
boom-mega               out-of-order      4  128       32       32     512        -      8  tage       BOOM mega (Icicle)
boom-small              out-of-order      1   32       32       32     512        -      2  tage       BOOM small (Icicle)
gem5-inorder            in-order          2    -       32       32    1024        -      4  gshare     gem5 in-order (Calipers)
gem5-ooo                out-of-order      8  192       32       32    1024        -     16  gshare     gem5 out-of-order (Calipers)
general                 out-of-order      6  512       32       48    1280    30720     16  tage-sc-l  General
golden-cove             out-of-order      6  512       32       48    1280    30720     16  tage       Golden Cove-like
ns-4w-mem               out-of-order      4  192       64      128    8192        -     16  tage       NS 4w-mem
ns-6w-ls                out-of-order      6  192       64       64    8192        -     16  tage       NS 6w-ls
ns-8w                   out-of-order      8  192       64       64    8192        -     16  tage       NS 8w
ns-lsq                  out-of-order      8  192       64       64    8192        -     16  tage       NS lsq
ns-rob                  out-of-order      8  384       64       64    8192        -     16  tage       NS rob
rocket                  in-order          1    -       32       32     512        -      1  gshare     Rocket (Icicle)
special-branch          out-of-order      6  512       32       48    1280    30720     16  tage-sc-l  Special branch: TAGE-SC-L 64 KB
special-branch-256      out-of-order      6  512       32       48    1280    30720     16  tage-sc-l  Special branch: TAGE-SC-L 256 KB
special-l1d             out-of-order      6  512       32       96    1280    30720     16  tage       Special L1D
special-l1d-berti       out-of-order      6  512       32       48    1280    30720     16  tage       Special L1D: Berti
special-l1d-size        out-of-order      6  512       32       96    1280    30720     16  tage       Special L1D: 96 KiB
special-l1i             out-of-order      6  512       64       48    1280    30720     16  tage       Special L1I
special-l1i-entangling  out-of-order      6  512       32       48    1280    30720     16  tage       Special L1I: entangling
special-l1i-size        out-of-order      6  512       64       48    1280    30720     16  tage       Special L1I: 64 KiB
special-l2              out-of-order      6  512       32       48    4096    30720     16  tage       Special L2
special-l2-best-offset  out-of-order      6  512       32       48    1280    30720     16  tage       Special L2: best-offset
special-l2-size         out-of-order      6  512       32       48    4096    30720     16  tage       Special L2: 4 MiB
special-l2-stream       out-of-order      6  512       32       48    1280    30720     16  tage       Special L2: stream
tea                     out-of-order      4  192       32       32    2048        -     16  tage       TEA (BOOM, 4 wide)
u74                     in-order          2    -       32       32    2048        -      4  gshare     SiFive U74-like
$ sahm core show rocket -s rob=1
sahm: error: --set rob=1: 'rob' is a key of out-of-order cores only; kind is in-order
[2]
$ sahm core show rocket -s mshrs=99
sahm: error: --set mshrs=99: 'mshrs' is 99, must be from 1 to 64
[2]
$ sahm core show rocket -s seed=0
sahm: error: --set seed=0: 'seed' is 0, must be from 1 to 2147483647
[2]
$ sahm core show rocket -s l1d.ways=3
sahm: error: --set l1d.ways=3: l1d: its size is no multiple of ways times a line (32 KiB, ways: 3, line of 64 bytes)
[2]
$ sahm core show golden-cove -s cpu=golden-cov
sahm: error: --set cpu=golden-cov: cpu is 'golden-cov', must be the name of a file in configs/cpus; did you mean 'golden-cove'?
[2]
$ sahm core show golden-cove -s l1i.degree=2
sahm: error: --set l1i.degree=2: 'l1i.degree' without a prefetcher that has it: l1i.prefetcher is none
[2]
$ sahm core show golden-cove -s l1d.prefetcher=none | grep ^l1d
l1d = { size_kib = 48; ways = 12; line_bytes = 64; replacement = "lru"; prefetcher = "none"; };
l1d_cycles = 5;
$ sahm core show golden-cove -s btb.entries=100
sahm: error: --set btb.entries=100: btb: 100 entries are not 12 ways times a power of two
[2]
$ sahm core show rockt
sahm: error: no model of a core is called 'rockt'; did you mean 'rocket'? (a path of your own has a / or a . in it)
[2]
$ sahm core show golden-cove -s rob=256 -s cpu=zen4 -s seed=7 >"$T"/a.cfg && sahm core show "$T"/a.cfg | cmp - "$T"/a.cfg && grep -E '^(rob|l1i|kind|seed)' "$T"/a.cfg
kind = "out-of-order";
l1i = { size_kib = 32; ways = 8; line_bytes = 64; replacement = "lru"; prefetcher = "none"; };
seed = 7;
rob = 256;
$ sahm core show golden-cove -s l2.prefetcher=best-offset -s l2.degree=2 -s l2.replacement=pdp -s llc.prefetcher=stream >"$T"/p.cfg && sahm core show "$T"/p.cfg | cmp - "$T"/p.cfg && grep -E '^(l2|llc|#)' "$T"/p.cfg
l2 = { size_kib = 1280; ways = 10; line_bytes = 64; replacement = "pdp"; prefetcher = "best-offset"; degree = 2; };
llc = { size_kib = 30720; ways = 15; line_bytes = 64; replacement = "lru"; prefetcher = "stream"; degree = 1; };
# storage of l1i.data: 32768 bytes
# storage of l1i.tags: 2368 bytes
# storage of l1i.replacement: 192 bytes
# storage of l1d.data: 49152 bytes
# storage of l1d.tags: 3744 bytes
# storage of l1d.replacement: 384 bytes
# storage of l1d.prefetcher: 4672 bytes
# storage of l2.data: 1310720 bytes
# storage of l2.tags: 87040 bytes
# storage of l2.replacement: 18595 bytes
# storage of l2.prefetcher: 452 bytes
# storage of llc.data: 31457280 bytes
# storage of llc.tags: 1843200 bytes
# storage of llc.replacement: 245760 bytes
# storage of llc.prefetcher: 122 bytes
# storage of itlb: 2272 bytes
# storage of dtlb: 864 bytes
# storage of second_tlb: 17920 bytes
# storage of btb: 138240 bytes
# storage of predictor.directions: 34844 bytes
# storage of predictor.targets: 74500 bytes
# storage of predictor.returns: 121 bytes
# storage of the core: 1778848 bytes
# storage with the LLC: 35325210 bytes
$ sahm core show golden-cove -s 'l2.prefetcher=["best-offset", "stream"]' -s 'l2.degree=[1, 4]' >"$T"/two.cfg && sahm core show "$T"/two.cfg | cmp - "$T"/two.cfg && grep -E '^l2' "$T"/two.cfg
l2 = { size_kib = 1280; ways = 10; line_bytes = 64; replacement = "lru"; prefetcher = ["best-offset", "stream"]; degree = [1, 4]; };
$ sahm core show "$T"/two.cfg -s l2.prefetcher=stream
sahm: error: --set l2.prefetcher=stream: @T@/two.cfg:6: 'l2.degree' has 2 numbers for 1 prefetchers
[2]
$ sahm core show golden-cove -s 'l2.prefetcher=["stream", "none"]'
sahm: error: --set l2.prefetcher=["stream", "none"]: 'none' in a list of prefetchers
[2]
$ sahm core show golden-cove -s 'l2.prefetcher=["stream", "stream"]'
sahm: error: --set l2.prefetcher=["stream", "stream"]: 'stream' is in the list twice
[2]
$ sahm core show golden-cove -s 'l2.prefetcher=["stream", "strem"]'
sahm: error: --set l2.prefetcher=["stream", "strem"]: prefetcher is 'strem', must be none, next-line, stride, best-offset or stream; did you mean 'stream'?
[2]
$ sahm core show golden-cove -s 'l2.prefetcher=["stream", "stride", "stream"]'
sahm: error: --set l2.prefetcher=["stream", "stride", "stream"]: a cache has at most 2 prefetchers
[2]
$ sahm core show golden-cove -s l1i.prefetcher=entangling -s l1d.prefetcher=berti -s clock_cpi=700 >"$T"/p.cfg && sahm core show "$T"/p.cfg | cmp - "$T"/p.cfg && grep -E '^(l1. |clock_cpi|# storage of l1..pre)' "$T"/p.cfg
l1i = { size_kib = 32; ways = 8; line_bytes = 64; replacement = "lru"; prefetcher = "entangling"; entries = 3072; };
l1d = { size_kib = 48; ways = 12; line_bytes = 64; replacement = "lru"; prefetcher = "berti"; };
clock_cpi = 700;
# storage of l1i.prefetcher: 41989 bytes
# storage of l1d.prefetcher: 1655 bytes
$ sahm core show golden-cove -s 'l1i.prefetcher=["entangling", "next-line"]' -s l1i.entries=1536 -s 'l1i.degree=[1, 2]' >"$T"/two.cfg && sahm core show "$T"/two.cfg | cmp - "$T"/two.cfg && grep -E '^l1i' "$T"/two.cfg
l1i = { size_kib = 32; ways = 8; line_bytes = 64; replacement = "lru"; prefetcher = ["entangling", "next-line"]; degree = [1, 2]; entries = 1536; };
$ sahm core show golden-cove -s l1i.prefetcher=entangling -s l1i.degree=2
sahm: error: --set l1i.degree=2: 'l1i.degree' without a prefetcher that has it: l1i.prefetcher is entangling
[2]
$ sahm core show golden-cove -s l1i.prefetcher=entangling -s l1i.entries=100
sahm: error: --set l1i.entries=100: 'l1i.entries' is 100, must be a multiple of 16
[2]
$ sahm core show golden-cove -s clock_cpi=700
sahm: error: --set clock_cpi=700: 'clock_cpi' has no effect: no prefetcher of this core needs the clock
[2]
$ sahm core show special-l1d-berti -s clock_cpi=700 -s l1d.prefetcher=stride | grep -c clock
sahm: error: --set clock_cpi=700: 'clock_cpi' has no effect: no prefetcher of this core needs the clock
0
[1]
$ sahm core show golden-cove -s l1i.entries=160
sahm: error: --set l1i.entries=160: 'l1i.entries' without a prefetcher that has it: l1i.prefetcher is none
[2]
$ sahm core show golden-cove -s l2.prefetcher=berti
sahm: error: --set l2.prefetcher=berti: prefetcher is 'berti', must be none, next-line, stride, best-offset or stream
[2]
$ sahm core time --measure-clock -c "$T"/p.cfg -c rocket --csv tests/data/streams/sort.stream >"$T"/a.csv && sahm core time --measure-clock -j1 --lanes 1 -c "$T"/p.cfg -c rocket --csv tests/data/streams/sort.stream | cmp - "$T"/a.csv && cut -d, -f4 "$T"/a.csv
clock_cpi
measured
""
$ sahm core time -c "$T"/p.cfg --csv tests/data/streams/sort.stream | cut -d, -f4; sahm core time -c "$T"/p.cfg --json tests/data/streams/sort.stream | grep clock; sahm core time -c "$T"/p.cfg -c rocket tests/data/streams/sort.stream | tail -n 1
clock_cpi
0.7
      "clock": "nominal",
      "clock_cpi": 0.7,
Clock of the prefetchers of @T@/p.cfg: nominal, 0.700 cycles per instruction
$ sahm core show boom-mega -s l2.prefetcher=strem
sahm: error: --set l2.prefetcher=strem: prefetcher is 'strem', must be none, next-line, stride, best-offset or stream; did you mean 'stream'?
[2]
$ sahm core show boom-mega -s ideal=branch,queues >"$T"/i.cfg && sahm core show "$T"/i.cfg | cmp - "$T"/i.cfg && grep -E '^(rob|mshrs|ideal)' "$T"/i.cfg
rob = 1024;
mshrs = 64;
ideal = ["branch", "queues"];
$ sahm core show boom-mega -s 'ideal=["branches"]'
sahm: error: --set ideal=["branches"]: no part 'branches' of a core can be ideal: there are fetch, branch, l1d, l2, llc, tlb, units, queues, widths and value_prediction; did you mean 'branch'?
[2]
$ sahm core show boom-mega -s ideal=llc
sahm: error: --set ideal=llc: 'llc' cannot be ideal: the core has none
[2]
$ sahm core time --csv -c golden-cove -c rocket -s ideal=fetch,branch,l1d tests/data/streams/x86-64.stream | cut -d, -f2,8,11,15
core,cycles,mispredictions,l1d_misses
golden-cove,210,4,3
rocket,706,9,4
$ sed -i 's/kind = "out-of-order"/kind = "out-of-ordr"/' "$T"/a.cfg; sahm core show "$T"/a.cfg
sahm: error: @T@/a.cfg:3: kind is 'out-of-ordr', must be out-of-order or in-order; did you mean 'out-of-order'?
[1]
$ echo 'name = "x"; source = "y"; kind = "in-order"; cpu = "rocket"; units = ( { name = "all"; classes = ["integer", "lod"]; } );' >"$T"/b.cfg; sahm core show "$T"/b.cfg
sahm: error: @T@/b.cfg:1: there is no class 'lod'; did you mean 'load'?
[1]
$ sed -i 's/cpu = "rocket";/cpu = "rockt";/' "$T"/b.cfg; sahm core show "$T"/b.cfg
sahm: error: @T@/b.cfg:1: cpu is 'rockt', must be the name of a file in configs/cpus; did you mean 'rocket'?
[1]
$ echo 'name = "x"; source = "y"; kind = "in-order"; cpu = "rocket"; units = ( { name = "all"; classes = ["integer", "load", "store"]; } ); l1d = { prefetcher = "none"; degree = 2; };' >"$T"/b.cfg; sahm core show "$T"/b.cfg
sahm: error: @T@/b.cfg:1: 'l1d.degree' without a prefetcher that has it: l1d.prefetcher is none
[1]
## Cycles of two cores for two programs, epoch by epoch.
$ sahm core time -c golden-cove -c rocket --per-epoch tests/data/streams/x86-64.stream tests/data/streams/rv64.stream
Cycles:
stream                            core         epoch  instructions  uops  cycles     CPI  branches  violations  prefetches
--------------------------------------------------------------------------------------------------------------------------
tests/data/streams/x86-64.stream  golden-cove      0           100   169     724   7.240         7           1           5
tests/data/streams/x86-64.stream  golden-cove      1            95   110     294   3.095        21           0           2
tests/data/streams/x86-64.stream  golden-cove    all           195   279    1018   5.221        28           1           7
tests/data/streams/x86-64.stream  rocket           0           100   169    1501  15.010         7           0           0
tests/data/streams/x86-64.stream  rocket           1            95   110     888   9.347        21           0           0
tests/data/streams/x86-64.stream  rocket         all           195   279    2389  12.251        28           0           0
tests/data/streams/rv64.stream    golden-cove      0           102   102     886   8.686        21           1           4
tests/data/streams/rv64.stream    golden-cove      1            34    35      20   0.588         7           0           0
tests/data/streams/rv64.stream    golden-cove    all           136   137     906   6.662        28           1           4
tests/data/streams/rv64.stream    rocket           0           102   102    1313  12.873        21           0           0
tests/data/streams/rv64.stream    rocket           1            34    35     117   3.441         7           0           0
tests/data/streams/rv64.stream    rocket         all           136   137    1430  10.515        28           0           0

Branches mispredicted, and misses:
stream                            core         epoch  mispredicted  l1i  l1d  l2  llc  itlb  dtlb  walks  btb
-------------------------------------------------------------------------------------------------------------
tests/data/streams/x86-64.stream  golden-cove      0             1    2    3   4    4     1     2      3    2
tests/data/streams/x86-64.stream  golden-cove      1             3    1    0   0    0     0     0      0    2
tests/data/streams/x86-64.stream  golden-cove    all             4    3    3   4    4     1     2      3    4
tests/data/streams/x86-64.stream  rocket           0             2    2    3   5    -     1     2      3    2
tests/data/streams/x86-64.stream  rocket           1             7    1    1   2    -     0     0      0    2
tests/data/streams/x86-64.stream  rocket         all             9    3    4   7    -     1     2      3    4
tests/data/streams/rv64.stream    golden-cove      0             1    2    3   4    4     1     2      3    2
tests/data/streams/rv64.stream    golden-cove      1             3    0    0   0    0     0     0      0    2
tests/data/streams/rv64.stream    golden-cove    all             4    2    3   4    4     1     2      3    4
tests/data/streams/rv64.stream    rocket           0             7    2    3   5    -     1     2      3    2
tests/data/streams/rv64.stream    rocket           1             2    0    0   0    -     0     0      0    2
tests/data/streams/rv64.stream    rocket         all             9    2    3   5    -     1     2      3    4

The same, per 1000 instructions (MPKI):
stream                            core         epoch  mispredicted    l1i    l1d     l2    llc   itlb   dtlb  walks    btb
--------------------------------------------------------------------------------------------------------------------------
tests/data/streams/x86-64.stream  golden-cove      0         10.00  20.00  30.00  40.00  40.00  10.00  20.00  30.00  20.00
tests/data/streams/x86-64.stream  golden-cove      1         31.58  10.53   0.00   0.00   0.00   0.00   0.00   0.00  21.05
tests/data/streams/x86-64.stream  golden-cove    all         20.51  15.38  15.38  20.51  20.51   5.13  10.26  15.38  20.51
tests/data/streams/x86-64.stream  rocket           0         20.00  20.00  30.00  50.00      -  10.00  20.00  30.00  20.00
tests/data/streams/x86-64.stream  rocket           1         73.68  10.53  10.53  21.05      -   0.00   0.00   0.00  21.05
tests/data/streams/x86-64.stream  rocket         all         46.15  15.38  20.51  35.90      -   5.13  10.26  15.38  20.51
tests/data/streams/rv64.stream    golden-cove      0          9.80  19.61  29.41  39.22  39.22   9.80  19.61  29.41  19.61
tests/data/streams/rv64.stream    golden-cove      1         88.24   0.00   0.00   0.00   0.00   0.00   0.00   0.00  58.82
tests/data/streams/rv64.stream    golden-cove    all         29.41  14.71  22.06  29.41  29.41   7.35  14.71  22.06  29.41
tests/data/streams/rv64.stream    rocket           0         68.63  19.61  29.41  49.02      -   9.80  19.61  29.41  19.61
tests/data/streams/rv64.stream    rocket           1         58.82   0.00   0.00   0.00      -   0.00   0.00   0.00  58.82
tests/data/streams/rv64.stream    rocket         all         66.18  14.71  22.06  36.76      -   7.35  14.71  22.06  29.41

Share of cycles in %: with a dispatch, and by the reason why nothing was dispatched:
stream                            core         epoch  dispatching  fetch  rob  int-registers  fp-registers  load-queue  store-queue  serialize  queue  operands  blocked  units  end
------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------
tests/data/streams/x86-64.stream  golden-cove      0          5.2   52.6  0.0            0.0           0.0         0.0          0.0        0.0   42.2       0.0      0.0    0.0  0.0
tests/data/streams/x86-64.stream  golden-cove      1          7.8   44.2  0.0            0.0           0.0         0.0          0.0       46.4    0.0       0.0      0.0    0.0  1.6
tests/data/streams/x86-64.stream  golden-cove    all          6.0   50.0  0.0            0.0           0.0         0.0          0.0       14.5   29.0       0.0      0.0    0.0  0.5
tests/data/streams/x86-64.stream  rocket           0         11.3   21.3  0.0            0.0           0.0         0.0          0.0        0.0    0.0       8.1     59.3    0.0  0.0
tests/data/streams/x86-64.stream  rocket           1         12.4   34.0  0.0            0.0           0.0         0.0          0.0        0.2    0.0      27.9     25.4    0.0  0.1
tests/data/streams/x86-64.stream  rocket         all         11.7   26.0  0.0            0.0           0.0         0.0          0.0        0.1    0.0      15.4     46.7    0.0  0.0
tests/data/streams/rv64.stream    golden-cove      0          7.2   92.8  0.0            0.0           0.0         0.0          0.0        0.0    0.0       0.0      0.0    0.0  0.0
tests/data/streams/rv64.stream    golden-cove      1          2.2   41.3  0.0            0.0           0.0         0.0          0.0       55.6    0.0       0.0      0.0    0.0  1.0
tests/data/streams/rv64.stream    golden-cove    all          4.4   64.1  0.0            0.0           0.0         0.0          0.0       30.9    0.0       0.0      0.0    0.0  0.6
tests/data/streams/rv64.stream    rocket           0          7.9   26.4  0.0            0.0           0.0         0.0          0.0        0.0    0.0       2.1     62.2    1.4  0.0
tests/data/streams/rv64.stream    rocket           1         24.6   15.5  0.0            0.0           0.0         0.0          0.0        1.4    0.0      55.6      0.0    2.1  0.7
tests/data/streams/rv64.stream    rocket         all          9.6   25.3  0.0            0.0           0.0         0.0          0.0        0.1    0.0       7.4     56.0    1.5  0.1

Entries held, on average over cycles:
stream                            core         epoch    ROB  loads  stores  MSHRs  issue queues
-----------------------------------------------------------------------------------------------------------------
tests/data/streams/x86-64.stream  golden-cove      0   37.3   18.5    20.9   0.86  math 0.3, load 0.3, store 17.7
tests/data/streams/x86-64.stream  golden-cove      1   18.4    3.5    11.8   0.03  math 4.2, load 0.9, store 0.4
tests/data/streams/x86-64.stream  golden-cove    all   31.3   13.8    18.0   0.60  math 1.5, load 0.5, store 12.3
tests/data/streams/x86-64.stream  rocket           0      -      -     1.3   0.54  -
tests/data/streams/x86-64.stream  rocket           1      -      -     0.4   0.25  -
tests/data/streams/x86-64.stream  rocket         all      -      -     1.0   0.43  -
tests/data/streams/rv64.stream    golden-cove      0  113.3   16.9     7.6   1.80  math 30.2, load 3.5, store 0.1
tests/data/streams/rv64.stream    golden-cove      1   29.7    5.4     2.5   0.00  math 6.2, load 1.2, store 1.4
tests/data/streams/rv64.stream    golden-cove    all   66.8   10.5     4.8   0.80  math 16.8, load 2.2, store 0.8
tests/data/streams/rv64.stream    rocket           0      -      -     0.4   0.56  -
tests/data/streams/rv64.stream    rocket           1      -      -     0.8   0.00  -
tests/data/streams/rv64.stream    rocket         all      -      -     0.4   0.51  -
$ sahm core time -c rocket -j 3 --csv tests/data/streams/rv64.stream
stream,core,config_hash,sampled_epochs,epoch,instructions,uops,cycles,cpi,branches,mispredictions,violations,prefetches,l1i_misses,l1d_misses,l2_misses,llc_misses,itlb_misses,dtlb_misses,page_walks,btb_misses,l1d_write_backs,l2_write_backs,llc_write_backs,dispatch_cycles,stall_fetch,stall_rob,stall_int_registers,stall_fp_registers,stall_load_queue,stall_store_queue,stall_serialize,stall_queue,stall_operands,stall_blocked,stall_units,stall_end,rob_mean,load_queue_mean,store_queue_mean,mshrs_mean
tests/data/streams/rv64.stream,rocket,4ff4b80ff7a821a2a7f8a36c708b0dfa5f64fd38845259964e4dae1a766ef3ab,"","",136,137,1430,10.514705882352942,28,9,0,0,2,3,5,"",1,2,3,4,0,0,"",137,362,0,0,0,0,0,2,0,106,801,21,1,"","",0.3979020979020979,0.5055944055944056
$ sahm core time -c rocket -c u74 -c golden-cove -j 1 --json tests/data/streams/rv64.stream tests/data/streams/rv64.stream >"$T"/one.json
$ sahm core time -c rocket -c u74 -c golden-cove -j 5 --json tests/data/streams/rv64.stream tests/data/streams/rv64.stream >"$T"/five.json
$ cmp "$T"/one.json "$T"/five.json
$ for f in avx512 avx2 c 1; do sahm core time -c rocket -c u74 -c golden-cove -j 1 --lanes $f --json tests/data/streams/rv64.stream tests/data/streams/rv64.stream | cmp - "$T"/one.json; done
$ sahm core time -c u74 -j 1 --json tests/data/streams/rv64.stream
{
  "schema": "sahm-core/1",
  "runs": [
    {
      "stream": "tests/data/streams/rv64.stream",
      "core": "u74",
      "core_name": "SiFive U74-like",
      "config_hash": "6e020b82c9ce631470854241c19964ddb45fe5a53ad2e07cd8fdd72f9ba5d788",
      "instructions": 136,
      "uops": 137,
      "cycles": 955,
      "cpi": 7.022058823529412,
      "misses": {"l1i": 2, "l1d": 3, "l2": 5, "llc": null, "itlb": 1, "dtlb": 2, "walks": 3, "btb": 4},
      "write_backs": {"l1d": 0, "l2": 0, "llc": null},
      "branches": 28,
      "mispredictions": 9,
      "violations": 0,
      "prefetches": 0,
      "dispatch_cycles": 106,
      "stalls": {"fetch": 220, "rob": 0, "int-registers": 0, "fp-registers": 0, "load-queue": 0, "store-queue": 0, "serialize": 15, "queue": 0, "operands": 397, "blocked": 0, "units": 216, "end": 1},
      "occupancy": {"rob": null, "load_queue": null, "store_queue": 0.6471204188481675, "mshrs": 0.38010471204188484},
      "queue_occupancy": null
    }
  ]
}
$ cores=$(sahm core list | awk '/out-of-order|in-order/ { print "-c " $1 }'); for form in 1 c best; do sahm core time $cores --lanes $form --per-epoch --json tests/data/streams/sort.stream >"$T"/$form.json; done; cmp "$T"/1.json "$T"/c.json; cmp "$T"/1.json "$T"/best.json; grep -c core_name "$T"/best.json
29
## Axes: several values of keys.
$ sahm core time -c rocket -c u74 -a mshrs=1,2 -a blocking=true,false tests/data/streams/rv64.stream | head -n 11
Cycles:
stream                          core    mshrs  blocking  instructions  uops  cycles     CPI  branches  violations  prefetches
-----------------------------------------------------------------------------------------------------------------------------
tests/data/streams/rv64.stream  rocket      1      true           136   137    1430  10.515        28           0           0
tests/data/streams/rv64.stream  rocket      1     false           136   137    1429  10.507        28           0           0
tests/data/streams/rv64.stream  rocket      2      true           136   137    1430  10.515        28           0           0
tests/data/streams/rv64.stream  rocket      2     false           136   137    1171   8.610        28           0           0
tests/data/streams/rv64.stream  u74         1      true           136   137    1115   8.199        28           0           0
tests/data/streams/rv64.stream  u74         1     false           136   137    1112   8.176        28           0           0
tests/data/streams/rv64.stream  u74         2      true           136   137    1115   8.199        28           0           0
tests/data/streams/rv64.stream  u74         2     false           136   137     955   7.022        28           0           0
$ sahm core time -c golden-cove -a rob=64..128..32 -a memory_order=perfect,conservative --csv tests/data/streams/rv64.stream | cut -d, -f1-3,8-9
stream,core,settings,uops,cycles
tests/data/streams/rv64.stream,golden-cove,rob=64 memory_order=perfect,137,930
tests/data/streams/rv64.stream,golden-cove,rob=64 memory_order=conservative,137,954
tests/data/streams/rv64.stream,golden-cove,rob=96 memory_order=perfect,137,908
tests/data/streams/rv64.stream,golden-cove,rob=96 memory_order=conservative,137,932
tests/data/streams/rv64.stream,golden-cove,rob=128 memory_order=perfect,137,906
tests/data/streams/rv64.stream,golden-cove,rob=128 memory_order=conservative,137,921
$ sahm core time -c golden-cove -a mshrs=1 -a 'ideal=["branch"],"fetch,l1d"' --json tests/data/streams/rv64.stream | grep -E 'settings|"cycles"'
      "settings": {"mshrs": 1, "ideal": "[\"branch\"]"},
      "cycles": 1172,
      "settings": {"mshrs": 1, "ideal": "fetch,l1d"},
      "cycles": 161,
$ sahm core time -c tea -c u74 -a mshrs=1..20 -a l1d.ways=4,8 --csv tests/data/streams/x86-64.stream | cut -d, -f2- >"$T"/all.csv; wc -l <"$T"/all.csv; for m in 1 7 20; do for w in 4 8; do sahm core time -c tea -c u74 -s mshrs=$m -s l1d.ways=$w --csv tests/data/streams/x86-64.stream | tail -n 2 | cut -d, -f3- ; done; done | while read -r row; do grep -cF "$row" "$T"/all.csv; done | sort | uniq -c
81
     12 1
$ sahm core time -a mshr=1 tests/data/streams/rv64.stream
sahm: error: --axis mshr=1: unknown key 'mshr'; did you mean 'mshrs'?
[2]
$ sahm core time -a mshrs=1..2,3 tests/data/streams/rv64.stream
sahm: error: --axis mshrs=1..2,3: a range cannot be combined with other values
[2]
$ sahm core time -a mshrs=8,99 tests/data/streams/rv64.stream
sahm: error: --axis mshrs=99: 'mshrs' is 99, must be from 1 to 64
[2]
$ sahm core time -a mshrs=1..4..0 tests/data/streams/rv64.stream
sahm: error: --axis mshrs=1..4..0: the range has a step that is not above 0
[2]
$ sahm core time -a mshrs=1..5000 tests/data/streams/rv64.stream
sahm: error: --axis mshrs=1..5000: more than 4096 values
[2]
$ sahm core time -a mshrs=1,1 tests/data/streams/rv64.stream
sahm: error: --axis mshrs=1,1: the value '1' is there twice
[2]
$ sahm core time -a mshrs=1, tests/data/streams/rv64.stream
sahm: error: --axis mshrs=1,: an empty value
[2]
$ sahm core time -a rob=1..1024 -a load_queue=1..5 tests/data/streams/rv64.stream
sahm: error: 1 core with 5120 combinations of values are more than 4096 configurations
[2]
$ sahm core time -a mshrs=1 -a mshrs=2 tests/data/streams/rv64.stream
sahm: error: --axis mshrs=2: an axis before it has the same key
[2]
$ sahm core time -a rob=100 -c golden-cove -c rocket tests/data/streams/rv64.stream
sahm: error: --axis rob=100: 'rob' is a key of out-of-order cores only; kind is in-order (core rocket)
[2]
$ sahm core time -a mshrs=1,2 --stamps "$T"/no.csv tests/data/streams/rv64.stream
sahm: error: --stamps and --uops take one core and one stream
[2]
## The times of uops, and what they follow from.
$ sahm core time -c boom-small --stamps "$T"/s.csv --uops "$T"/u.json tests/data/streams/rv64.stream >/dev/null && head -n 4 "$T"/s.csv && head -n 3 "$T"/u.json && cat "$T"/s.csv "$T"/u.json | wc -l
seq,pc,fetch,dispatch,ready,issue,complete,commit,drain
0,0x10144,310,316,317,317,318,319,
1,0x10148,310,317,318,318,587,588,
2,0x1014c,310,318,319,319,320,589,
{"seq":0,"pc":"0x10144","class":"integer","sources":[],"destination":8,"queue":"integer","units":"alu","first":true,"last":true,"fetch":{"lines":1,"level":"memory","tlb":"walk","fills":1,"fill":0}}
{"seq":1,"pc":"0x10148","class":"load","sources":[8],"destination":8,"queue":"memory","units":"agu","first":true,"last":true,"address":"0x11220","bytes":8,"level":"memory","tlb":"walk","fills":1,"fill":0,"row":"hit","release":false,"forward":0,"covers":false}
{"seq":2,"pc":"0x1014c","class":"integer","sources":[],"destination":9,"queue":"integer","units":"alu","first":true,"last":true}
275
$ sahm core time -c boom-small --stamps "$T"/s.csv tests/data/streams/rv64.stream
sahm: error: '@T@/s.csv' exists already; --force replaces it, --stamps names another
[2]
## Samples.
$ sahm core time -c rocket --per-epoch --skip 34 --every 34 --take 10 tests/data/streams/rv64.stream | tail -n 2

Timed: the last 10 of every 34 instructions, after 24 that only warm; not counting the first 34 instructions
$ sahm core time -c rocket --skip 34 tests/data/streams/rv64.stream | tail -n 1
Timed: all after the first 34 instructions
$ sahm core time -c rocket --json --skip 34 --every 34 --take 10 tests/data/streams/rv64.stream | grep sampling
      "sampling": {"skip": 34, "every": 34, "take": 10, "warm": 24},
$ sahm core time -c rocket --csv --skip 34 --every 34 --take 10 tests/data/streams/rv64.stream | cut -d, -f6
instructions
30
$ sahm core time --take 5 tests/data/streams/rv64.stream
sahm: error: --take and --warm need --every
[2]
$ sahm core time --every 10 --take 5 --warm 6 tests/data/streams/rv64.stream
sahm: error: --warm is 6, but of 10 instructions 5 are timed: at most 5 can be before them
[2]
## A trace of a core.
$ sahm core epochs -c rocket --time measured --mhz 1000 tests/data/streams/rv64.stream -o "$T"/t.csv && grep -A9 ^instructions "$T"/t.csv
@T@/t.csv: 1 epoch of 0.001 ms
sahm: warning: left out at the end: 59 instructions, which do not fill an epoch
instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,l2_misses,cycles
77,15,5,1,16,2,3,3,1000
## The last epoch, of 6077 instructions, is left out where it has fewer than 99 % of another's.
$ sahm stream slice --from-epoch 2 tests/data/streams/sort.stream -o "$T"/end.stream 2>/dev/null; for n in 3869 3868; do sahm stream slice --skip $n --force "$T"/end.stream -o "$T"/cut.stream 2>/dev/null; sahm core epochs -c rocket --force "$T"/cut.stream -o "$T"/cut.csv; done
@T@/cut.csv: 2 epochs of 100 ms, assumed time base
assumed time: an epoch of the stream, 6077 to 6138 instructions, counts as 100 ms
@T@/cut.csv: 1 epoch of 100 ms, assumed time base
assumed time: an epoch of the stream, 6139 instructions, counts as 100 ms
sahm: warning: left out at the end: 6077 instructions, which do not fill an epoch
## Rounded counts have no more misses than accesses: a trace with more is refused.
$ sahm stream slice --every 50 --take 25 tests/data/streams/sort.stream -o "$T"/parts.stream 2>/dev/null; sahm core epochs -c rocket --time measured --mhz 100 "$T"/parts.stream -o "$T"/parts.csv
@T@/parts.csv: 722 epochs of 0.00146 ms
@T@/parts.stream is a sample: epochs between these were left out
sahm: warning: left out at the end: 3 instructions, which do not fill an epoch
$ sahm core epochs tests/data/streams/rv64.stream -o "$T"/t.csv
sahm: error: '@T@/t.csv' exists already; --force replaces it, -o names another
[2]
$ sahm core epochs --mhz 1000 tests/data/streams/rv64.stream -o "$T"/u.csv
sahm: error: --mhz needs --time measured
[2]
## Mistakes.
$ sahm core time
sahm: error: a stream is missing: sahm core time STREAM..., sahm core time --suite open, or sahm core time -- COMMAND
[2]
$ sahm core time nothing.stream
sahm: error: cannot open 'nothing.stream': No such file or directory
[1]
$ sahm core time tests/golden/core.t
sahm: error: tests/golden/core.t: not an instruction stream
[1]
$ sahm core time tests/data/streams/rv64.stream -- true
sahm: error: 'tests/data/streams/rv64.stream' precedes --: give streams or a command, not both
[2]
$ sahm core time --keep "$T"/s tests/data/streams/rv64.stream
sahm: error: --keep is of a command: sahm core time --keep FILE -- COMMAND
[2]
$ sahm core time --skip 136 tests/data/streams/rv64.stream
sahm: error: --skip is 136, 'tests/data/streams/rv64.stream' has 136 instructions
[2]
$ sahm core time --every 200 tests/data/streams/rv64.stream
sahm: error: --every is 200, 'tests/data/streams/rv64.stream' has 136 instructions after --skip
[2]
$ sahm core time --stamps "$T"/both --uops "$T"/both tests/data/streams/rv64.stream
sahm: error: two outputs are the same file, '@T@/both'
[2]
$ cp tests/data/streams/rv64.stream "$T"/own.stream; sahm core time --stamps "$T"/own.stream --force "$T"/own.stream; sahm core epochs -o "$T"/own.stream --force "$T"/own.stream; cmp "$T"/own.stream tests/data/streams/rv64.stream
sahm: error: the result would overwrite '@T@/own.stream', which it is made from
sahm: error: the result would overwrite '@T@/own.stream', which it is made from
$ sahm core time --keep "$T"/nowhere/s -- true
sahm: error: cannot create '@T@/nowhere/s': No such file or directory
[1]
$ sahm core time -c rockt -- false
sahm: error: no model of a core is called 'rockt'; did you mean 'rocket'? (a path of your own has a / or a . in it)
[2]
$ sahm core epochs -o - --keep "$T"/s tests/data/streams/rv64.stream
sahm: error: --keep is of a command: sahm core epochs --keep FILE -o TRACE -- COMMAND
[2]
$ sahm core time --stamps - tests/data/streams/rv64.stream
sahm: error: --stamps and --uops need the name of a file: standard output has the tables
[2]
$ sahm core show golden-cove >"$T"/o.cfg; sahm core show "$T"/o.cfg -s kind=in-order
sahm: error: --set kind=in-order: @T@/o.cfg:39: 'dispatch_width' is a key of out-of-order cores only; kind is in-order
[2]
$ sahm core time -c golden-cove -c rocket -s rob=100 tests/data/streams/rv64.stream
sahm: error: --set rob=100: 'rob' is a key of out-of-order cores only; kind is in-order (core rocket)
[2]
$ sahm core show golden-cove -s blocking=true; sahm core show rocket -s memory_order=perfect
sahm: error: --set blocking=true: 'blocking' is a key of in-order cores only; kind is out-of-order
sahm: error: --set memory_order=perfect: 'memory_order' is a key of out-of-order cores only; kind is in-order
[2]
$ : >"$T"/empty.cfg; sahm core show "$T"/empty.cfg; echo '{"rob": 5}' >"$T"/x.cfg; sahm core show "$T"/x.cfg
sahm: error: the file '@T@/empty.cfg' is empty
sahm: error: '@T@/x.cfg' is JSON, which sahm writes for other programs and does not read
[2]
