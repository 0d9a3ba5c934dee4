## EDGE blocks are synthetic. The programs of the first two streams are made up (tests/data/cases/README.md).
$ sahm core study edge tests/data/cases/quicksort.stream tests/data/cases/search.stream tests/data/streams/sort.stream
EDGE blocks, synthetic: made from executed paths, 4 of 32 instructions in flight; statistical costs, seed 1.

Mean block, and committed instructions by kind in % (synthetic):
stream                             instructions  EDGE instructions  bytes  read   mov  null  load  store  compute  branch
-------------------------------------------------------------------------------------------------------------------------
tests/data/cases/quicksort.stream          21.7               30.2  122.3  12.1  16.1   0.0  13.9    7.1     26.4    24.4
tests/data/cases/search.stream             19.9               32.1  121.8  25.5  12.7   0.0  13.1   12.4     28.0     8.3
tests/data/streams/sort.stream             14.0               22.4   97.5  19.7   9.4   0.0  20.1   10.0     27.5    13.3
-------------------------------------------------------------------------------------------------------------------------
mean                                       18.5               28.2  113.9  19.1  12.8   0.0  15.7    9.8     27.3    15.3

Instructions on the critical path by kind in %, 4-segment (synthetic; figure 18a):
stream                             read  mov  null  load  store  compute  branch  read and mov
----------------------------------------------------------------------------------------------
tests/data/cases/quicksort.stream  10.4  5.7   0.0   3.6    0.6     77.2     2.5          16.1
tests/data/cases/search.stream      4.2  7.1   0.0  17.5    2.0     60.3     9.0          11.2
tests/data/streams/sort.stream     18.6  6.3   0.0  22.4   14.2     22.3    16.1          24.9
----------------------------------------------------------------------------------------------
mean                               11.0  6.4   0.0  14.5    5.6     53.3     9.2          17.4
----------------------------------------------------------------------------------------------
paper, SPEC 2006                               0.5                                        13.5

Cycles of the critical path by cause in %, 4-segment (synthetic; figure 18b); "all": with their fetch, decode and waits for units:
stream                             fetch  decode  read  mov  null  load  store  compute  branch  units  partition  commit  all read  all mov  both  all null
------------------------------------------------------------------------------------------------------------------------------------------------------------
tests/data/cases/quicksort.stream   14.9     1.9   6.6  3.7   0.0  11.9    0.4     49.3     1.6    1.1        4.8     3.8      15.5      3.7  19.2       0.0
tests/data/cases/search.stream      20.6     2.7   1.2  2.1   0.0  19.4    0.6     22.5     2.6    5.9        0.8    21.7       3.5      2.1   5.6       0.0
tests/data/streams/sort.stream      18.7     1.9   7.2  2.4   0.0  34.9    5.5      8.6     6.2    2.3        6.0     6.3      12.4      2.4  14.8       0.0
------------------------------------------------------------------------------------------------------------------------------------------------------------
mean                                18.1     2.2   5.0  2.7   0.0  22.1    2.2     26.8     3.5    3.1        3.9    10.6      10.5      2.7  13.2       0.0
------------------------------------------------------------------------------------------------------------------------------------------------------------
paper, SPEC 2006                                                                                                                               9.9          

Cycles per instruction of the stream by block format, and how much more than 4-segment (synthetic; figure 19b).
contiguous_2 has 2 decode cycles instead of 1; "decode": than contiguous_1:
stream                             4-segment  2-segment  contiguous_1  contiguous_2  2-segment %  contiguous_1 %  contiguous_2 %  decode %
------------------------------------------------------------------------------------------------------------------------------------------
tests/data/cases/quicksort.stream      0.359      0.351         0.343         0.350         -2.1            -4.2            -2.5      +1.8
tests/data/cases/search.stream         0.358      0.348         0.331         0.339         -2.7            -7.4            -5.4      +2.2
tests/data/streams/sort.stream         0.469      0.464         0.459         0.466         -0.9            -2.1            -0.5      +1.7
------------------------------------------------------------------------------------------------------------------------------------------
mean                                   0.395      0.388         0.378         0.385         -1.9            -4.6            -2.8      +1.9
------------------------------------------------------------------------------------------------------------------------------------------
paper, SPEC 2006                                                                                            -4.6            +4.6      +9.0

Paper: contiguous_1 is up to 8.9 % better than 4-segment, but 5.2 % worse in hmmer; 2-segment is like 4-segment.
Its programs were compiled for EDGE, these were not.
## One block at a time, if-converted: tests instead of branches.
$ sahm core study edge --blocks one --hammocks --decode-cycles 2 --seed 7 tests/data/cases/coin.stream
EDGE blocks, synthetic: made from executed paths, 1 of 128 instructions in flight, if-converted hammocks; statistical costs, seed 7.

Mean block, and committed instructions by kind in % (synthetic):
stream                        instructions  EDGE instructions  bytes  read   mov  null  load  store  compute  branch
--------------------------------------------------------------------------------------------------------------------
tests/data/cases/coin.stream         127.7              170.4  626.1   3.3  21.7   0.0   0.0    0.0     59.0    15.9

Instructions on the critical path by kind in %, 4-segment (synthetic; figure 18a):
stream                        read  mov  null  load  store  compute  branch  read and mov
-----------------------------------------------------------------------------------------
tests/data/cases/coin.stream   3.3  5.2   0.0   0.0    0.0     90.3     1.3           8.4
-----------------------------------------------------------------------------------------
paper, SPEC 2006                          0.5                                        13.5

Cycles of the critical path by cause in %, 4-segment (synthetic; figure 18b); "all": with their fetch, decode and waits for units:
stream                        fetch  decode  read  mov  null  load  store  compute  branch  units  partition  commit  all read  all mov  both  all null
-------------------------------------------------------------------------------------------------------------------------------------------------------
tests/data/cases/coin.stream   28.8     3.6   1.8  2.8   0.0   0.0    0.0     48.7     0.7    2.2        8.2     3.2      33.4      2.8  36.2       0.0
-------------------------------------------------------------------------------------------------------------------------------------------------------
paper, SPEC 2006                                                                                                                          9.9          

Cycles per instruction of the stream by block format, and how much more than 4-segment (synthetic; figure 19b).
contiguous_2 has 3 decode cycles instead of 2; "decode": than contiguous_1:
stream                        4-segment  2-segment  contiguous_1  contiguous_2  2-segment %  contiguous_1 %  contiguous_2 %  decode %
-------------------------------------------------------------------------------------------------------------------------------------
tests/data/cases/coin.stream      0.436      0.403         0.339         0.347         -7.7           -22.3           -20.5      +2.3
-------------------------------------------------------------------------------------------------------------------------------------
paper, SPEC 2006                                                                                       -4.6            +4.6      +9.0

Paper: contiguous_1 is up to 8.9 % better than 4-segment, but 5.2 % worse in hmmer; 2-segment is like 4-segment.
Its programs were compiled for EDGE, these were not.
$ sahm core study edge --csv --skip 100 tests/data/streams/rv64.stream
stream,synthetic,machine,sampled_epochs,blocks_in_flight,block_size,hammocks,seed,instructions,blocks,bytes,format,decode_cycles,cycles,cpi,mispredictions,icache_misses,dcache_misses,committed_read,committed_mov,committed_null,committed_load,committed_store,committed_compute,committed_branch,critical_read,critical_mov,critical_null,critical_load,critical_store,critical_compute,critical_branch,critical_fetch_cycles,critical_decode_cycles,critical_read_cycles,critical_mov_cycles,critical_null_cycles,critical_load_cycles,critical_store_cycles,critical_compute_cycles,critical_branch_cycles,critical_units_cycles,critical_partition_cycles,critical_commit_cycles,all_read_pct,all_mov_pct,all_null_pct
tests/data/streams/rv64.stream,true,riscv64,"",4,32,false,1,36,6,217,4-segment,1,50,1.3888888888888888,0,1,0,12,3,0,6,3,21,8,3,0,0,2,1,7,0,1,1,3,0,0,4,1,33,0,0,2,5,10,0,0
tests/data/streams/rv64.stream,true,riscv64,"",4,32,false,1,36,6,217,2-segment,1,50,1.3888888888888888,0,1,0,12,3,0,6,3,21,8,3,0,0,2,1,7,0,1,1,3,0,0,4,1,33,0,0,2,5,10,0,0
tests/data/streams/rv64.stream,true,riscv64,"",4,32,false,1,36,6,217,contiguous,1,50,1.3888888888888888,0,1,0,12,3,0,6,3,21,8,3,0,0,2,1,7,0,1,1,3,0,0,4,1,33,0,0,2,5,10,0,0
tests/data/streams/rv64.stream,true,riscv64,"",4,32,false,1,36,6,217,contiguous,2,51,1.4166666666666667,0,1,0,12,3,0,6,3,21,8,3,0,0,2,1,7,0,1,2,3,0,0,4,1,33,0,0,2,5,11.764705882352942,0,0
$ sahm core study edge --json tests/data/streams/rv64.stream | head -n 30
{
  "synthetic": true,
  "schema": "sahm-edge-study/1",
  "blocks_in_flight": 4,
  "block_size": 32,
  "hammocks": false,
  "seed": 1,
  "runs": [
    {
      "synthetic": true,
      "stream": "tests/data/streams/rv64.stream",
      "machine": "riscv64",
      "instructions": 136,
      "blocks": 20,
      "bytes": 768,
      "mispredictions": 1,
      "icache_misses": 1,
      "dcache_misses": 1,
      "committed_instructions": {"synthetic": true, "read": 52, "mov": 10, "null": 0, "load": 21, "store": 10, "compute": 79, "branch": 28},
      "formats": [
        {
          "synthetic": true,
          "format": "4-segment",
          "decode_cycles": 1,
          "cycles": 136,
          "cpi": 1.0,
          "critical_instructions": {"synthetic": true, "read": 6, "mov": 0, "null": 0, "load": 6, "store": 1, "compute": 15, "branch": 0},
          "critical_cycles": {"synthetic": true, "fetch": 7, "decode": 4, "read": 6, "mov": 0, "null": 0, "load": 20, "store": 1, "compute": 83, "branch": 0, "units": 1, "partition": 3, "commit": 11},
          "all_cycles_pct": {"synthetic": true, "read": 11.029411764705882, "mov": 0.0, "null": 0.0}
        },
## The same bytes with any number of threads; the cycles of all causes add up; another seed gives other cycles.
$ for j in 1 3; do sahm core study edge -j $j --csv tests/data/cases/*.stream | md5sum; done | uniq | wc -l
1
$ sahm core study edge --hammocks --csv tests/data/cases/*.stream tests/data/streams/*.stream | awk -F, 'NR > 1 { sum = 0; for (i = 33; i <= 44; i++) sum += $i; n++; if (sum != $14) print "wrong:", $0 } END { print n }'
76
$ for s in 1 2; do sahm core study edge --seed $s --csv tests/data/cases/coin.stream | cut -d, -f14,16-18; done
cycles,mispredictions,icache_misses,dcache_misses
40283,242,113,0
40044,242,113,0
39065,242,113,0
39605,242,113,0
cycles,mispredictions,icache_misses,dcache_misses
40283,236,97,0
40012,236,97,0
39020,236,97,0
39588,236,97,0
$ sahm core study edge --plot "$T"/p tests/data/cases/quicksort.stream tests/data/cases/search.stream >/dev/null 2>&1; for f in "$T"/p/*.csv; do basename "$f"; cat "$f"; done; grep -l -i synthetic "$T"/p/*.gp | wc -l
study_edge_cycles.csv
stream,synthetic_fetch_cycles_pct,synthetic_decode_cycles_pct,synthetic_read_cycles_pct,synthetic_mov_cycles_pct,synthetic_null_cycles_pct,synthetic_load_cycles_pct,synthetic_store_cycles_pct,synthetic_compute_cycles_pct,synthetic_branch_cycles_pct,synthetic_units_cycles_pct,synthetic_partition_cycles_pct,synthetic_commit_cycles_pct
quicksort,14.888572783309625,1.922165080059817,6.62727504832768,3.6546668125615493,0,11.948790896159316,0.3939161833898676,49.250465039938724,1.6011963380384433,1.0796221322537112,4.8291206185943025,3.804209067366962
search,20.633320263634495,2.6774211617095167,1.2173490916559309,2.066879516047723,0,19.36182527679755,0.5993390466588249,22.4798819992905,2.6251423663623292,5.8757631770570775,0.7860490300416363,21.677029070744414
mean,17.76094652347206,2.299793120884667,3.922312069991805,2.860773164304636,0,15.655308086478433,0.49662761502434627,35.865173519614615,2.1131693522003863,3.477692654655394,2.8075848243179693,12.740619069055688
study_edge_formats.csv
stream,synthetic_4_segment_cpi,synthetic_2_segment_cpi,synthetic_contiguous_1_cpi,synthetic_contiguous_2_cpi
quicksort,0.3585937193455145,0.3508900427691382,0.3434479511359326,0.34951672181749216
search,0.3578974801034421,0.3483618333567214,0.33126181932388454,0.33858562369277445
mean,0.3582455997244783,0.3496259380629298,0.3373548852299086,0.3440511727551333
study_edge_instructions.csv
stream,synthetic_read_critical_pct,synthetic_mov_critical_pct,synthetic_null_critical_pct,synthetic_load_critical_pct,synthetic_store_critical_pct,synthetic_compute_critical_pct,synthetic_branch_critical_pct
quicksort,10.383450482884736,5.726041488085033,0,3.600205726041488,0.6171781244642551,77.16440939482256,2.508714783701926
search,4.154189232239567,7.053201656578528,0,17.48964638419879,2.045237336731443,60.299458426250396,8.958266964001274
mean,7.268819857562152,6.38962157233178,0,10.544926055120138,1.331207730597849,68.73193391053647,5.7334908738516
3
$ sahm core study edge --plot "$T"/p tests/data/cases/search.stream
sahm: error: '@T@/p/study_edge_instructions.csv' exists already; --force replaces it
[2]
$ sahm core study edge
sahm: error: a stream is missing: sahm core study edge STREAM..., sahm core study edge --suite open, or sahm core study edge -- COMMAND
[2]
$ sahm core study edge --core rocket tests/data/cases/search.stream
sahm: error: --core: the study edge has no core of configs/cores
[2]
$ sahm core study edge -s rob=64 tests/data/cases/search.stream
sahm: error: --set: the study edge has no core of configs/cores
[2]
$ sahm core study edge --in-order rocket tests/data/cases/search.stream
sahm: error: --in-order: the study edge has no core of configs/cores
[2]
$ sahm core study edge --lanes 1 tests/data/cases/search.stream
sahm: error: --lanes is of the studies of two cores, not of edge
[2]
$ sahm core study edge --blocks two tests/data/cases/search.stream
sahm: error: unknown --blocks 'two', must be four or one
[2]
$ sahm core study edge --decode-cycles 65 tests/data/cases/search.stream
sahm: error: --decode-cycles is '65', must be a whole number from 0 to 64
[2]
$ sahm core study tea --hammocks tests/data/cases/search.stream
sahm: error: --hammocks is of the study edge
[2]
