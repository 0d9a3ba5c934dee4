## What is known of PMUs is the same on every machine.
$ sahm trace events --list
pmu          codes    processors
------------------------------------------------------------------------------------
spr          libpfm4  Intel Sapphire Rapids, Emerald Rapids
glc          table    Intel Golden Cove client cores (Alder Lake, Raptor Lake)
icx          libpfm4  Intel Ice Lake server
icl          libpfm4  Intel Ice Lake, Tiger Lake, Rocket Lake
skx          libpfm4  Intel Skylake server, Cascade Lake, Cooper Lake
skl          libpfm4  Intel Skylake to Comet Lake
bdw_ep       libpfm4  Intel Broadwell server
bdw          libpfm4  Intel Broadwell
hsw_ep       libpfm4  Intel Haswell server
hsw          libpfm4  Intel Haswell
zen4         libpfm4  AMD Zen 4
zen3         libpfm4  AMD Zen 3
zen2         libpfm4  AMD Zen 2
zen1         libpfm4  AMD Zen 1
neoverse-n1  table    Arm Neoverse N1
neoverse-n2  table    Arm Neoverse N2
neoverse-v1  table    Arm Neoverse V1
neoverse-v2  table    Arm Neoverse V2
u74          table    SiFive U74
software     table    the kernel's own events: for trying, none stands for a counter
$ sahm trace events --pmu spr
Intel Sapphire Rapids, Emerald Rapids (spr)

counter        events that stand for it
--------------------------------------------------------------------
instructions   INST_RETIRED:ANY_P
branches       BR_INST_RETIRED:ALL_BRANCHES
branch_misses  BR_MISP_RETIRED:ALL_BRANCHES
l1i_misses     L2_RQSTS:ALL_CODE_RD
l1d_accesses   MEM_INST_RETIRED:ANY
l1d_misses     L2_RQSTS:ALL_DEMAND_REFERENCES - L2_RQSTS:ALL_CODE_RD
l2_accesses    L2_RQSTS:ALL_DEMAND_REFERENCES
l2_misses      L2_RQSTS:ALL_DEMAND_MISS
cycles         CPU_CLK_UNHALTED:THREAD_P

event                           code        code from
-----------------------------------------------------
INST_RETIRED:ANY_P              raw 0xc0    libpfm4
BR_INST_RETIRED:ALL_BRANCHES    raw 0xc4    libpfm4
BR_MISP_RETIRED:ALL_BRANCHES    raw 0xc5    libpfm4
L2_RQSTS:ALL_CODE_RD            raw 0xe424  libpfm4
MEM_INST_RETIRED:ANY            raw 0x83d0  libpfm4
L2_RQSTS:ALL_DEMAND_REFERENCES  raw 0xe724  libpfm4
L2_RQSTS:ALL_DEMAND_MISS        raw 0x2724  libpfm4
CPU_CLK_UNHALTED:THREAD_P       raw 0x3c    libpfm4

how they are recognised:
  instructions: Intel event tables
  branches: Intel event tables
  branch_misses: Intel event tables
  l1i_misses: Linux x86/events/intel/core.c: L1I read miss of Golden Cove
  l1d_accesses: Intel event tables
  l1d_misses: Intel event tables: umask 0xe7 less 0xe4, data reads and RFO
  l2_accesses: Intel event tables
  l2_misses: Intel event tables
  cycles: Intel event tables
$ sahm trace events --pmu zen4
AMD Zen 4 (zen4)

counter        events that stand for it
--------------------------------------------------------------------------------------------------------------------------
instructions   RETIRED_INSTRUCTIONS
branches       RETIRED_BRANCH_INSTRUCTIONS
branch_misses  RETIRED_BRANCH_INSTRUCTIONS_MISPREDICTED
l1i_misses     REQUESTS_TO_L2_GROUP1:CACHEABLE_IC_READ
l1d_accesses   LS_DISPATCH:LD_DISPATCH:STORE_DISPATCH:LD_ST_DISPATCH
l1d_misses     REQUESTS_TO_L2_GROUP1:RD_BLK_L:RD_BLK_X:LS_RD_BLK_C_S:CHANGE_TO_X
l2_accesses    REQUESTS_TO_L2_GROUP1:CACHEABLE_IC_READ + REQUESTS_TO_L2_GROUP1:RD_BLK_L:RD_BLK_X:LS_RD_BLK_C_S:CHANGE_TO_X
l2_misses      CORE_TO_L2_CACHEABLE_REQUEST_ACCESS_STATUS:LS_RD_BLK_C:IC_FILL_MISS
cycles         CYCLES_NOT_IN_HALT

event                                                                code        code from
------------------------------------------------------------------------------------------
RETIRED_INSTRUCTIONS                                                 raw 0xc0    libpfm4
RETIRED_BRANCH_INSTRUCTIONS                                          raw 0xc2    libpfm4
RETIRED_BRANCH_INSTRUCTIONS_MISPREDICTED                             raw 0xc3    libpfm4
REQUESTS_TO_L2_GROUP1:CACHEABLE_IC_READ                              raw 0x1060  libpfm4
LS_DISPATCH:LD_DISPATCH:STORE_DISPATCH:LD_ST_DISPATCH                raw 0x729   libpfm4
REQUESTS_TO_L2_GROUP1:RD_BLK_L:RD_BLK_X:LS_RD_BLK_C_S:CHANGE_TO_X    raw 0xe860  libpfm4
CORE_TO_L2_CACHEABLE_REQUEST_ACCESS_STATUS:LS_RD_BLK_C:IC_FILL_MISS  raw 0x964   libpfm4
CYCLES_NOT_IN_HALT                                                   raw 0x76    libpfm4

how they are recognised:
  instructions: AMD PPR
  branches: AMD PPR
  branch_misses: AMD PPR
  l1i_misses: AMD PPR: L2 accesses from L1I misses, prefetches of the L1I included
  l1d_accesses: AMD PPR: all data cache accesses; dispatched, not retired
  l1d_misses: AMD PPR: L2 accesses from L1D misses, prefetches of the L1D included
  l2_accesses: AMD PPR
  l2_misses: AMD PPR: L2 misses from L1I and L1D misses
  cycles: AMD PPR
$ sahm trace events --pmu u74
SiFive U74 (u74)

counter        events that stand for it
---------------------------------------------------------------------------
instructions   instructions
branches       COND_BRANCH + JAL + JALR
branch_misses  BRANCH_DIRECTION_MISPREDICTION + BRANCH_TARGET_MISPREDICTION
l1i_misses     ICACHE_MISS
l1d_accesses   INTEGER_LOAD + INTEGER_STORE + ATOMIC + FP_LOAD + FP_STORE
l1d_misses     DCACHE_MISS
l2_accesses    ICACHE_MISS + DCACHE_MISS
l2_misses      not supported
cycles         cycles

event                           code          code from
-----------------------------------------------------------------------------------------------------------------------------
instructions                    hardware 0x1  perf_event_open(2): the fixed counter minstret
COND_BRANCH                     raw 0x4000    Lopes Rocha, Performance Monitoring for RISC-V, table I; Linux riscv/sifive/u74
JAL                             raw 0x8000    Lopes Rocha, Performance Monitoring for RISC-V, table I; Linux riscv/sifive/u74
JALR                            raw 0x10000   Lopes Rocha, Performance Monitoring for RISC-V, table I; Linux riscv/sifive/u74
BRANCH_DIRECTION_MISPREDICTION  raw 0x2001    Lopes Rocha, Performance Monitoring for RISC-V, table I; Linux riscv/sifive/u74
BRANCH_TARGET_MISPREDICTION     raw 0x4001    Lopes Rocha, Performance Monitoring for RISC-V, table I; Linux riscv/sifive/u74
ICACHE_MISS                     raw 0x102     Lopes Rocha, Performance Monitoring for RISC-V, table I; Linux riscv/sifive/u74
INTEGER_LOAD                    raw 0x200     Lopes Rocha, Performance Monitoring for RISC-V, table I; Linux riscv/sifive/u74
INTEGER_STORE                   raw 0x400     Lopes Rocha, Performance Monitoring for RISC-V, table I; Linux riscv/sifive/u74
ATOMIC                          raw 0x800     Lopes Rocha, Performance Monitoring for RISC-V, table I; Linux riscv/sifive/u74
FP_LOAD                         raw 0x80000   Lopes Rocha, Performance Monitoring for RISC-V, table I; Linux riscv/sifive/u74
FP_STORE                        raw 0x100000  Lopes Rocha, Performance Monitoring for RISC-V, table I; Linux riscv/sifive/u74
DCACHE_MISS                     raw 0x202     Lopes Rocha, Performance Monitoring for RISC-V, table I; Linux riscv/sifive/u74
cycles                          hardware 0x0  perf_event_open(2): the fixed counter mcycle

how they are recognised:
  instructions: table I of the codes' source
  branches: table I of the codes' source
  branch_misses: table I of the codes' source
  l1i_misses: table I of the codes' source
  l1d_accesses: table I of the codes' source
  l1d_misses: table I of the codes' source
  l2_accesses: table I of the codes' source: every miss enters L2
  cycles: table I of the codes' source
$ sahm trace events --pmu neoverse-v2 --json
{
  "pmu": "neoverse-v2",
  "counters": [
    {"counter": "instructions", "supported": true, "expression": "INST_RETIRED", "source": "Arm event tables"},
    {"counter": "branches", "supported": true, "expression": "BR_RETIRED", "source": "Arm event tables"},
    {"counter": "branch_misses", "supported": true, "expression": "BR_MIS_PRED_RETIRED", "source": "Arm event tables"},
    {"counter": "l1i_misses", "supported": true, "expression": "L1I_CACHE_REFILL", "source": "Arm event tables"},
    {"counter": "l1d_accesses", "supported": true, "expression": "L1D_CACHE", "source": "Arm event tables"},
    {"counter": "l1d_misses", "supported": true, "expression": "L1D_CACHE_REFILL", "source": "Arm event tables"},
    {"counter": "l2_accesses", "supported": true, "expression": "L2D_CACHE", "source": "Arm event tables"},
    {"counter": "l2_misses", "supported": true, "expression": "L2D_CACHE_REFILL", "source": "Arm event tables"},
    {"counter": "cycles", "supported": true, "expression": "CPU_CYCLES", "source": "Arm event tables"}
  ],
  "events": [
    {"event": "INST_RETIRED", "type": 4, "config": 8, "config1": 0, "config2": 0, "source": "Linux arm64/common-and-microarch.json (from Arm's manual)"},
    {"event": "BR_RETIRED", "type": 4, "config": 33, "config1": 0, "config2": 0, "source": "Linux arm64/common-and-microarch.json (from Arm's manual)"},
    {"event": "BR_MIS_PRED_RETIRED", "type": 4, "config": 34, "config1": 0, "config2": 0, "source": "Linux arm64/common-and-microarch.json (from Arm's manual)"},
    {"event": "L1I_CACHE_REFILL", "type": 4, "config": 1, "config1": 0, "config2": 0, "source": "Linux arm64/common-and-microarch.json (from Arm's manual)"},
    {"event": "L1D_CACHE", "type": 4, "config": 4, "config1": 0, "config2": 0, "source": "Linux arm64/common-and-microarch.json (from Arm's manual)"},
    {"event": "L1D_CACHE_REFILL", "type": 4, "config": 3, "config1": 0, "config2": 0, "source": "Linux arm64/common-and-microarch.json (from Arm's manual)"},
    {"event": "L2D_CACHE", "type": 4, "config": 22, "config1": 0, "config2": 0, "source": "Linux arm64/common-and-microarch.json (from Arm's manual)"},
    {"event": "L2D_CACHE_REFILL", "type": 4, "config": 23, "config1": 0, "config2": 0, "source": "Linux arm64/common-and-microarch.json (from Arm's manual)"},
    {"event": "CPU_CYCLES", "type": 4, "config": 17, "config1": 0, "config2": 0, "source": "Linux arm64/common-and-microarch.json (from Arm's manual)"}
  ]
}
$ sahm trace events --pmu software
the kernel's own events: for trying, none stands for a counter (software)

counter        events that stand for it
---------------------------------------
instructions   not supported
branches       not supported
branch_misses  not supported
l1i_misses     not supported
l1d_accesses   not supported
l1d_misses     not supported
l2_accesses    not supported
l2_misses      not supported
cycles         not supported

event             code          code from
--------------------------------------------------
task-clock        software 0x1  perf_event_open(2)
page-faults       software 0x2  perf_event_open(2)
minor-faults      software 0x5  perf_event_open(2)
context-switches  software 0x3  perf_event_open(2)
cpu-migrations    software 0x4  perf_event_open(2)
## Machines whose files were copied; nothing is opened.
$ mkdir -p "$T/m/proc" "$T/m/sys/bus/event_source/devices/cpu_core"; printf 'vendor_id : GenuineIntel\ncpu family : 6\nmodel : 183\nmodel name : 13th Gen Intel(R) Core(TM) i9-13900K\n' > "$T/m/proc/cpuinfo"; sahm trace events --root "$T/m" | head -n 4
13th Gen Intel(R) Core(TM) i9-13900K (GenuineIntel, family 6, model 183)
no hardware counters: the kernel offers none of the processor, as in many virtual machines; `sahm trace record --via qemu -- COMMAND` needs no counters

Intel Golden Cove client cores (Alder Lake, Raptor Lake) (glc)
$ echo 4 > "$T/m/sys/bus/event_source/devices/cpu_core/type"; sahm trace events --root "$T/m" | head -n 4; sahm trace events --root "$T/m" --json | head -n 8
13th Gen Intel(R) Core(TM) i9-13900K (GenuineIntel, family 6, model 183), counters: cpu_core

Intel Golden Cove client cores (Alder Lake, Raptor Lake) (glc)

{
  "machine": "13th Gen Intel(R) Core(TM) i9-13900K",
  "device": "cpu_core",
  "problem": "",
  "pmu": "glc",
  "counters": [
    {"counter": "instructions", "supported": true, "expression": "INST_RETIRED.ANY_P", "source": "Intel event tables"},
    {"counter": "branches", "supported": true, "expression": "BR_INST_RETIRED.ALL_BRANCHES", "source": "Intel event tables"},
$ echo 'model : 200' >> "$T/m/proc/cpuinfo"; sahm trace events --root "$T/m"
13th Gen Intel(R) Core(TM) i9-13900K (GenuineIntel, family 6, model 200), counters: cpu_core
which events count what on this processor is not known (GenuineIntel, family 6, model 200): perf stat -I and sahm trace import --map take any; `sahm trace record --via qemu -- COMMAND` needs no counters
$ sahm trace events --root "$T/nowhere"
a processor that is not described
no hardware counters: the kernel offers none of the processor, as in many virtual machines; `sahm trace record --via qemu -- COMMAND` needs no counters
$ sahm trace events --pmu sprr; sahm trace events --pmu spr --root /; sahm trace events spr
sahm: error: unknown PMU 'sprr'; did you mean 'spr'?
sahm: error: --pmu and --root exclude each other
sahm: error: 'spr' is too many: sahm trace events
[2]
## Recording: what is wrong with the command line shows before anything runs.
$ sahm trace record
sahm: error: a command is missing: sahm trace record -- COMMAND
[2]
$ sahm trace record -I 0 -- true; sahm trace record -I 1e9 -- true; sahm trace record --epochs 0 -- true
sahm: error: --interval-ms is '0', must be a number from 1 to 1000000
sahm: error: --interval-ms is '1e9', must be a number from 1 to 1000000
sahm: error: --epochs is a whole number from 1 to 4294967296, not '0'
[2]
$ sahm trace record --cpu x.cfg -- true; sahm trace record --instructions i.zst true; sahm trace record --epoch-instructions 5000 true
sahm: error: --cpu needs --via qemu
sahm: error: --instructions needs --via qemu
sahm: error: --epoch-instructions needs --via qemu
[2]
$ sahm trace record --via qemu -I 10 -- true; sahm trace record --via qemu --assume l2_misses=0 -- true; sahm trace record --via vtune -- true
sahm: error: --interval-ms is of hardware counters, not of --via qemu
sahm: error: --assume is of hardware counters, not of --via qemu
sahm: error: unknown --via 'vtune', must be perf or qemu
[2]
$ sahm trace record -o - -- true; sahm trace record -o "$T/no/where.trc" -- true; sahm trace record -p colour=red -- true; sahm trace record -p colour -- true
sahm: error: --output: standard output is the command's
sahm: error: cannot create '@T@/no/where.trc': No such file or directory
sahm: error: --provenance: unknown provenance key 'colour' (sahm help traces lists them)
sahm: error: --provenance 'colour': written as KEY=VALUE
[2]
$ sahm trace record ''
sahm: error: the command's name is empty
[2]
