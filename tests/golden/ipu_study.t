$ sahm ipu study
sahm: error: a study is missing: sahm ipu study overlap|values
[2]
$ sahm ipu study overlop
sahm: error: unknown study 'overlop'; did you mean 'overlap'? (there are overlap and values)
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

All tensors are synthetic. Every packet is compared with the histogram of the lines that were taken for it.
Error: of one value in four against all, |H_all - H_sampled| / H_all, over tensors and 128 buckets; H_sampled is scaled
to the total of H_all, and buckets with H_all = 0 count 0. For context: the dissertation has 5.9, 2.4 and 4.8 % for
ResNet, BERT and Llama 2. GPU: 108 IPUs at 1.4 GHz. Rates are of packets for whole windows of 32,768 lines; the rest of a tensor has one more.
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
      "gpu_bytes_per_s": null
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
      "gpu_bytes_per_s": null
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
      "gpu_bytes_per_s": null
    }
  ]
}
$ sahm ipu study overlap --tensors 3
sahm: error: --tensors does not apply to the study 'overlap'
[2]
$ sahm ipu study values --windows 3
sahm: error: --windows does not apply to the study 'values'
[2]
## The result in a file, which is tried before the study
$ sahm ipu study overlap --windows 10 --json >"$T/printed" && sahm ipu study overlap --windows 10 --json -o "$T/written" && cmp "$T/printed" "$T/written"
$ sahm ipu study overlap --windows 10 -o "$T/no/such"
sahm: error: cannot create '@T@/no/such': No such file or directory
[1]
$ cp configs/trust/demonstration.cfg "$T/trust.cfg"; sahm ipu study overlap --trust "$T/trust.cfg" -o "$T/trust.cfg"
sahm: error: the result would overwrite '@T@/trust.cfg', which it is made from
[2]
