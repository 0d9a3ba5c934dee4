$ sahm ipu study
sahm: error: a study is missing: sahm ipu study overlap|values|cost
[2]
$ sahm ipu study overlop
sahm: error: unknown study 'overlop'; did you mean 'overlap'? (there are overlap, values and cost)
[2]
$ sahm ipu study overlap values
sahm: error: one study at a time: 'values' is too many
[2]
$ sahm ipu study values --tensors 0
sahm: error: --tensors is '0', must be a whole number from 1 to 1000000
[2]
$ sahm ipu study overlap --ipu-mhz 1 --hit-mhz 1001
sahm: error: --hit-mhz is '1001', must be at most 1000 times --ipu-mhz, which is 1
[2]
$ sahm ipu study overlap --windows 1 --ipu-mhz 1 --hit-mhz 1000 --json | grep -c '"wrong": 0'
7
## Where the clocks are the same, all can be foreseen: a set drops for every cycle that is not the loop's.
$ sahm ipu study overlap --hit-mhz 2000 --windows 100
scenario      expected     measured  windows  wrong  drop %    MB/s  GPU GB/s  0 high  1 high  2 high  3 high  synthetic activity
idle             0/0/0        0/0/0      100      0   8.162  21.441     1.621     100       0       0       0  nothing is active
alternate    128/128/0    128/128/0      100      0   8.162  21.441     1.621       0       0     100       0  SIMT and tensor cores in turn, cycle by cycle
turns        48/160/48    48/160/48      100      0   8.162  21.441     1.621       0     100       0       0  all in turn, the tensor core for the longest
pipelined   16/192/192   16/192/192      100      0   8.162  21.441     1.621       0       0     100       0  the next tile is loaded while the tensor core works
saturated   48/208/255   48/208/255      100      0   8.162  21.441     1.621       0       0     100       0  memory is always active: 256 does not fit into a byte
together   192/192/192  192/192/192      100      0   8.162  21.441     1.621       0       0       0     100  all at the same time
scattered    40/120/90    40/120/90      100      0   8.162  21.441     1.621       0       0     100       0  one at a time, at drawn places

All signals are synthetic. Expected: cycles of any 256 in a row in which SIMT cores, tensor core and memory are
active; 255 stands for 256, too. Measured: the same by the packets, each for 256 input sets,
in a row where the IPU keeps up. Wrong: packets that are not the counts of the sets that were taken for them.
High: more than 64. GPU: 108 IPUs at 1.4 GHz; the dissertation has 1.7 GB/s.
$ sahm ipu study overlap --hit-mhz 2000 --windows 100 --seed 2 --json | tail -n 27
      "windows": 100,
      "wrong": 0,
      "taken": 25700,
      "dropped": 2284,
      "drop_rate_pct": 8.161806746712408,
      "bytes": 300,
      "bytes_per_s": 21440823.32761578,
      "gpu_bytes_per_s": 1620926243.567753,
      "windows_by_units_high": [0, 0, 0, 100]
    },
    {
      "name": "scattered",
      "expected": [40, 120, 90],
      "least": [40, 120, 90],
      "most": [40, 120, 90],
      "windows": 100,
      "wrong": 0,
      "taken": 25700,
      "dropped": 2284,
      "drop_rate_pct": 8.161806746712408,
      "bytes": 300,
      "bytes_per_s": 21440823.32761578,
      "gpu_bytes_per_s": 1620926243.567753,
      "windows_by_units_high": [0, 0, 100, 0]
    }
  ]
}
## As the dissertation has it: no packet is wrong, and all windows are in the bin that the scenario says.
$ sahm ipu study overlap --json | grep -E '"(name|wrong|windows_by_units_high)"'
      "name": "idle",
      "wrong": 0,
      "windows_by_units_high": [1000, 0, 0, 0]
      "name": "alternate",
      "wrong": 0,
      "windows_by_units_high": [0, 0, 1000, 0]
      "name": "turns",
      "wrong": 0,
      "windows_by_units_high": [0, 1000, 0, 0]
      "name": "pipelined",
      "wrong": 0,
      "windows_by_units_high": [0, 0, 1000, 0]
      "name": "saturated",
      "wrong": 0,
      "windows_by_units_high": [0, 0, 1000, 0]
      "name": "together",
      "wrong": 0,
      "windows_by_units_high": [0, 0, 0, 1000]
      "name": "scattered",
      "wrong": 0,
      "windows_by_units_high": [0, 0, 1000, 0]
$ sahm ipu study values --tensors 4 --json | grep -E '"(name|wrong|lines)"'
      "name": "rectified",
      "lines": 160000,
      "wrong": 0,
      "name": "bell",
      "lines": 160000,
      "wrong": 0,
      "name": "tailed",
      "lines": 160000,
      "wrong": 0,
$ sahm ipu study values --hit-mhz 2000 --tensors 2 --lines 70000
application   lines   taken  drop %  packets  wrong  error %    MB/s  GPU GB/s  synthetic values
rectified    140000  137384   1.869        6      0    0.243  23.205     1.754  bell-shaped, what is below 0 cut off: half of the values are 0
bell         140000  137384   1.869        6      0    2.999  23.205     1.754  bell-shaped around a small offset
tailed       140000  137384   1.869        6      0   10.401  23.205     1.754  bell-shaped with a heavy tail: each factor of 2 a quarter as often

cosine similarity  rectified   bell  tailed
rectified              1.000  0.198   0.098
bell                   0.198  1.000   0.481
tailed                 0.098  0.481   1.000

All tensors are synthetic. Every packet is compared with the histogram of the lines that were taken for it.
Error: of one value in four against all, |H_all - H_sampled| / H_all, over tensors and 128 buckets; H_sampled is scaled
to the total of H_all, and buckets with H_all = 0 count 0. For context: the dissertation has 5.9, 2.4 and 4.8 % for
ResNet, BERT and Llama 2. GPU: 108 IPUs at 1.4 GHz. Rates are of packets for whole windows of 32,768 lines; the rest of a tensor has one more.
Cosine similarity: of the packets' histograms, averaged over an application's tensors (figure 2.8(d)); 1 is the same shape.
$ sahm ipu study values --hit-mhz 2000 --tensors 1 --lines 1 --seed 5 --json
{
  "study": "values",
  "synthetic": true,
  "seed": 5,
  "hit_mhz": 2000,
  "ipu_mhz": 2000,
  "applications": [
    {
      "name": "rectified",
      "lines": 1,
      "taken": 1,
      "dropped": 0,
      "drop_rate_pct": 0.0,
      "packets": 1,
      "wrong": 0,
      "used_buckets": 8,
      "error_pct": 6.25,
      "bytes": 384,
      "bytes_per_s": null,
      "gpu_bytes_per_s": null,
      "cosine_similarity": {"rectified": 1.0, "bell": 0.0, "tailed": 0.0}
    },
    {
      "name": "bell",
      "lines": 1,
      "taken": 1,
      "dropped": 0,
      "drop_rate_pct": 0.0,
      "packets": 1,
      "wrong": 0,
      "used_buckets": 11,
      "error_pct": 10.9375,
      "bytes": 384,
      "bytes_per_s": null,
      "gpu_bytes_per_s": null,
      "cosine_similarity": {"rectified": 0.0, "bell": 1.0, "tailed": 0.25}
    },
    {
      "name": "tailed",
      "lines": 1,
      "taken": 1,
      "dropped": 0,
      "drop_rate_pct": 0.0,
      "packets": 1,
      "wrong": 0,
      "used_buckets": 12,
      "error_pct": 12.5,
      "bytes": 384,
      "bytes_per_s": null,
      "gpu_bytes_per_s": null,
      "cosine_similarity": {"rectified": 0.0, "bell": 0.25, "tailed": 1.0}
    }
  ]
}
$ sahm ipu study overlap --tensors 3
sahm: error: --tensors does not apply to the study 'overlap'
[2]
$ sahm ipu study values --windows 3
sahm: error: --windows does not apply to the study 'values'
[2]
## Figure 2.8(c): windows over time, and sorted by the SIMT cores with the mean up to each
$ sahm ipu study overlap --windows 1 --csv
window,scenario,synthetic_simt_pct,synthetic_tensor_pct,synthetic_memory_pct,sorted_scenario,sorted_window,synthetic_mean_simt_pct,synthetic_mean_tensor_pct,synthetic_mean_memory_pct
0,idle,0,0,0,idle,0,0,0,0
1,alternate,50,50,0,pipelined,0,3.125,37.5,37.5
2,turns,18.75,62.5,18.75,scattered,0,7.291666666666667,40.625,36.71875
3,pipelined,6.25,75,75,turns,0,10.15625,46.09375,32.2265625
4,saturated,18.75,81.25,99.609375,saturated,0,11.875,53.125,45.703125
5,together,75,75,75,alternate,0,18.229166666666668,52.604166666666664,38.0859375
6,scattered,15.625,46.875,35.15625,together,0,26.339285714285715,55.80357142857143,43.359375
$ sahm ipu study overlap --csv | wc -l
701
## Figure 2.8(d): applications, then pairs of tensors
$ sahm ipu study values --hit-mhz 1 --tensors 1 --lines 100 --csv
application,tensor,other_application,other_tensor,synthetic_cosine_similarity
rectified,"",rectified,"",1
rectified,"",bell,"",0.011612953401017964
rectified,"",tailed,"",0.036384040488390834
bell,"",rectified,"",0.011612953401017964
bell,"",bell,"",1
bell,"",tailed,"",0.5654916121141345
tailed,"",rectified,"",0.036384040488390834
tailed,"",bell,"",0.5654916121141345
tailed,"",tailed,"",1
rectified,1,rectified,1,1
rectified,1,bell,1,0.011612953401017964
rectified,1,tailed,1,0.036384040488390834
bell,1,rectified,1,0.011612953401017964
bell,1,bell,1,1
bell,1,tailed,1,0.5654916121141345
tailed,1,rectified,1,0.036384040488390834
tailed,1,bell,1,0.5654916121141345
tailed,1,tailed,1,1
$ sahm ipu study values --tensors 9 --lines 100 --csv | wc -l
586
## Figures, whether gnuplot is there or not; what they show is in JSON, too.
$ sahm ipu study overlap --windows 2 --plot "$T/figures" >/dev/null 2>&1; ls "$T/figures"/*.csv; head -n 3 "$T/figures/study_overlap_sorted.csv"
@T@/figures/study_overlap_sorted.csv
@T@/figures/study_overlap_windows.csv
unit,window,synthetic_mean_active_pct
SIMT cores,0,0
SIMT cores,1,0
$ sahm ipu study values --tensors 2 --lines 100 --plot "$T/figures" --json 2>/dev/null | grep -m 1 cosine; cat "$T/figures/study_values_applications.csv"; wc -l <"$T/figures/study_values_tensors.csv"
      "cosine_similarity": {"rectified": 1.0, "bell": 0.20357744550834475, "tailed": 0.0938566042023691}
row,column,synthetic_cosine_similarity
rectified,rectified,1
rectified,bell,0.20357744550834475
rectified,tailed,0.0938566042023691
bell,rectified,0.20357744550834475
bell,bell,1
bell,tailed,0.504441861665519
tailed,rectified,0.0938566042023691
tailed,bell,0.504441861665519
tailed,tailed,1
37
$ sahm ipu study overlap --plot "$T" -o "$T/./study_overlap_sorted.svg"
sahm: error: --output and --plot would both write '@T@/./study_overlap_sorted.svg'
[2]
$ sahm ipu study overlap --plot "$T/figures"
sahm: error: '@T@/figures/study_overlap_windows.csv' exists already; --force replaces it
[2]
## What IPUs cost, quoted
$ sahm ipu study cost
cost       figure                                  parts                                             computed    published         agrees  dissertation
------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------
area       IPU_pro, of a core complex              0.22 mm2 / 31 mm2                                 0.7097 %    0.7 %             yes     section 2.5, A/B testing
           one IPU_pro, of a CPU                   0.22 mm2 / (31 mm2 x 4)                           0.1774 %    0.175 %           no      section 2.5, A/B testing
           IPU_lite, of a core complex             0.019 mm2 / 31 mm2                                0.06129 %   0.06 %            yes     section 2.5, obfuscated hardware
           one IPU_lite, of a CPU                  0.019 mm2 / (31 mm2 x 4)                          0.01532 %   0.015 %           yes     section 2.5, obfuscated hardware
           IPU_lite, of a multiprocessor           0.019 mm2 / 3.475 mm2                             0.5468 %    0.6 %             no      section 2.5, obfuscated software and value histograms
           one IPU_lite, of a GPU                  0.019 mm2 / (3.475 mm2 x 108)                     0.005063 %  0.003 %           no      section 2.5, obfuscated software and value histograms
           5 IPU_pro and 10 IPU_lite, of a die     (5 x 0.22 mm2 + 10 x 0.019 mm2) / 200 mm2         0.645 %     0.65 %            yes     section 2.3
           an IPU_lite in each multiprocessor      0.019 mm2 / 3.475 mm2                             0.5468 %    below 1 %         yes     section 2.3
           largest share of an IPU                 0.22 mm2 / 31 mm2                                 0.7097 %    below 1 %         yes     chapter 2, introduction and section 2.7
------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------
power      IPU_pro, of a core complex              20.8 mW / 4 W                                     0.52 %      around 0.5 %      yes     section 2.5, A/B testing
           one IPU_pro, of a CPU                   20.8 mW / (4 W x 4)                               0.13 %      0.125 %           no      section 2.5, A/B testing
           IPU_lite (PICS), of a core complex      15.0 mW / 4 W                                     0.375 %     0.38 %            yes     section 2.5, obfuscated hardware
           one IPU_lite (PICS), of a CPU           15.0 mW / (4 W x 4)                               0.09375 %   0.095 %           no      section 2.5, obfuscated hardware
           IPU_lite (GPU), of a multiprocessor     24.1 mW / 1 W                                     2.41 %      around 3 %        no      section 2.5, obfuscated software
           one IPU_lite (GPU), of a GPU            24.1 mW / (1 W x 108)                             0.02231 %   0.024 %           no      section 2.5, obfuscated software
           IPU_lite (values), of a multiprocessor  4.7 mW / 1 W                                      0.47 %      around 0.5 %      yes     section 2.5, value histograms
           one IPU_lite (values), of a GPU         4.7 mW / (1 W x 108)                              0.004352 %  0.004 %           yes     section 2.5, value histograms
           most power of an IPU                    24.1 mW                                           24.1 mW     below 25 mW       yes     chapter 2, introduction
           largest share of an IPU                 24.1 mW / 1 W                                     2.41 %      below 1 %         no      chapter 2, introduction and section 2.7
------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------
bandwidth  input, A/B testing                      64 bits x 1 GHz                                   8 GB/s      26.88 GB/s        no      table 2.3
           input, PICS                             215 bits x 1 GHz                                  26.88 GB/s  8 GB/s            no      table 2.3
           input, GPU utilization                  4 bits x 1 GHz                                    0.5 GB/s    0.5 GB/s          yes     table 2.3
           input, value histograms                 64 bits x 1 GHz                                   8 GB/s      8 GB/s            yes     table 2.3
           output, PICS                            6 B x 1 GHz / 400000 cycles                       15 KB/s     15 KB/s           yes     table 2.3
           output, GPU utilization                 4 B x 1 GHz / 256 cycles                          15.62 MB/s  15.6 MB/s         yes     table 2.3
           output, value histograms                384 B x 1.4 GHz / 32768 cycles                    16.41 MB/s  8 MB/s            no      table 2.3
           histogram of values                     128 x 18 bits                                     288 B       384 B             no      table 2.3
           output, GPU utilization, of a GPU       3 B x 108 x 1.4 GHz / 256 cycles                  1.772 GB/s  1.7 GB/s          no      section 2.5, obfuscated software
           output, value histograms, of a GPU      384 B x 108 x 1.4 GHz / 32768 cycles              1.772 GB/s  1.7 GB/s          no      section 2.5, value histograms
           output, value histograms, of PCIe       384 B x 108 x 1.4 GHz / (32768 cycles x 32 GB/s)  5.537 %     around 5 %        no      section 2.5, value histograms
           largest output of a GPU                 3 B x 108 x 1.4 GHz / 256 cycles                  1.772 GB/s  at most 2.0 GB/s  yes     section 2.5
           largest output of a GPU, by table 2.3   4 B x 108 x 1.4 GHz / 256 cycles                  2.362 GB/s  at most 2.0 GB/s  no      section 2.5

16 of 32 published figures are not what their parts give:
- area, one IPU_pro, of a CPU: 0.1774 %, not 0.175 %; 0.175 % is a quarter of the rounded 0.7 %
- area, IPU_lite, of a multiprocessor: 0.5468 %, not 0.6 %; 0.6 % is rounded up
- area, one IPU_lite, of a GPU: 0.005063 %, not 0.003 %; 0.003 % needs some 180 multiprocessors
- power, one IPU_pro, of a CPU: 0.13 %, not 0.125 %; 0.125 % is a quarter of the rounded 0.5 %
- power, one IPU_lite (PICS), of a CPU: 0.09375 %, not 0.095 %; 0.095 % is a quarter of the rounded 0.38 %
- power, IPU_lite (GPU), of a multiprocessor: 2.41 %, not around 3 %; 2.41 % rounds to 2 %
- power, one IPU_lite (GPU), of a GPU: 0.02231 %, not 0.024 %; 0.024 % is 2.4 %, not 3 %, divided by 100 multiprocessors
- power, largest share of an IPU: 2.41 %, not below 1 %; the GPU study takes 24.1 mW of 1 W
- bandwidth, input, A/B testing: 8 GB/s, not 26.88 GB/s; 26.88 GB/s are the 215 bits of PICS: the columns are exchanged
- bandwidth, input, PICS: 26.88 GB/s, not 8 GB/s; 8 GB/s are the 64 bits of A/B testing: the columns are exchanged
- bandwidth, output, value histograms: 16.41 MB/s, not 8 MB/s; at the table's 1 GHz 384 B would be 11.7 MB/s, and 288 B (18 bits a bucket) 8.8
- bandwidth, histogram of values: 288 B, not 384 B; 384 B hold 24 bits a bucket
- bandwidth, output, GPU utilization, of a GPU: 1.772 GB/s, not 1.7 GB/s; 1.7 GB/s is cut, not rounded
- bandwidth, output, value histograms, of a GPU: 1.772 GB/s, not 1.7 GB/s; 1.7 GB/s is cut, not rounded
- bandwidth, output, value histograms, of PCIe: 5.537 %, not around 5 %; 1.7 GB/s would be 5.3 %
- bandwidth, largest output of a GPU, by table 2.3: 2.362 GB/s, not at most 2.0 GB/s; the text has 3 B per window, the table 4

The text leaves out these parts; its own figures imply them:
- IPU_pro on that die: 5 (section 2.3 has "multiple")
- complexes on a CPU: 4 (section 2.5, A/B testing)
- clock of table 2.3: 1 GHz (table 2.3)

All figures and parts are quoted from the dissertation, chapter 2; "computed" is arithmetic on the parts, not a
synthesis or a measurement.
$ sahm ipu study cost --csv | head -n 3; sahm ipu study cost --csv | wc -l
cost,figure,parts,computed,unit,relation,published,agrees,place,note
area,"IPU_pro, of a core complex",0.22 mm2 / 31 mm2,0.7096774193548387,%,"",0.7,yes,"section 2.5, A/B testing",""
area,"one IPU_pro, of a CPU",0.22 mm2 / (31 mm2 x 4),0.1774193548387097,%,"",0.175,no,"section 2.5, A/B testing",0.175 % is a quarter of the rounded 0.7 %
33
$ sahm ipu study cost --json | grep -E 'study|slips|IPU_pro, power'
  "study": "cost",
    {"part": "IPU_pro, power (entangling prefetcher)", "value": 20.8, "unit": "mW", "inferred": false, "place": "section 2.5, A/B testing"},
  "slips": 16,
      "note": "the GPU study takes 24.1 mW of 1 W"
$ sahm ipu study cost --windows 3; sahm ipu study cost --lines 3; sahm ipu study cost --plot "$T/figures"; sahm ipu study cost --engine=jit
sahm: error: --windows does not apply to the study 'cost'
sahm: error: --lines does not apply to the study 'cost'
sahm: error: --plot does not apply to the study 'cost'
sahm: error: --engine does not apply to the study 'cost'
[2]
## The result in a file, which is tried before the study
$ sahm ipu study overlap --windows 10 --json >"$T/printed" && sahm ipu study overlap --windows 10 --json -o "$T/written" && cmp "$T/printed" "$T/written"
$ sahm ipu study overlap --windows 10 -o "$T/no/such"
sahm: error: cannot create '@T@/no/such': No such file or directory
[1]
$ cp configs/trust/demonstration.cfg "$T/trust.cfg"; sahm ipu study overlap --trust "$T/trust.cfg" -o "$T/trust.cfg"
sahm: error: the result would overwrite '@T@/trust.cfg', which it is made from
[2]
