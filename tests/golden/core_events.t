## What counters of a core can count: events with their selectors, and PAPI's presets where there are some.
$ sahm core events -c u74 | head -24
Events of u74 (SiFive U74, with the names of libpfm4) on u74; event counters: 2
event                             set  bit   selector  sources  what it counts
--------------------------------------------------------------------------------------------------------------------------------------------------
EXCEPTION_TAKEN                     0    8      0x100        1  exceptions: streams have none (never on this core)
INTEGER_LOAD_RETIRED                0    9      0x200        2  integer loads retired
INTEGER_STORE_RETIRED               0   10      0x400        2  integer stores retired
ATOMIC_MEMORY_RETIRED               0   11      0x800        2  atomic accesses retired
SYSTEM_INSTRUCTION_RETIRED          0   12     0x1000        2  system instructions retired
INTEGER_ARITHMETIC_RETIRED          0   13     0x2000        2  integer arithmetic retired
CONDITIONAL_BRANCH_RETIRED          0   14     0x4000        2  conditional branches retired
JAL_INSTRUCTION_RETIRED             0   15     0x8000        2  jumps and calls to an address in the instruction retired
JALR_INSTRUCTION_RETIRED            0   16    0x10000        2  returns, indirect jumps and calls retired
INTEGER_MULTIPLICATION_RETIRED      0   17    0x20000        2  integer multiplications retired
INTEGER_DIVISION_RETIRED            0   18    0x40000        2  integer divisions retired
FP_LOAD_RETIRED                     0   19    0x80000        2  floating-point and vector loads retired
FP_STORE_RETIRED                    0   20   0x100000        2  floating-point and vector stores retired
FP_ADDITION_RETIRED                 0   21   0x200000        2  floating-point additions retired
FP_MULTIPLICATION_RETIRED           0   22   0x400000        2  floating-point multiplications retired
FP_FUSEDMADD_RETIRED                0   23   0x800000        2  fused multiply-adds retired
FP_DIV_SQRT_RETIRED                 0   24  0x1000000        2  floating-point divisions and square roots retired
OTHER_FP_RETIRED                    0   25  0x2000000        2  other floating-point instructions retired
--------------------------------------------------------------------------------------------------------------------------------------------------
ADDRESSGEN_INTERLOCK                1    8      0x101        1  cycles in which a load or store waits for the result of a load that hits
LONGLAT_INTERLOCK                   1    9      0x201        1  cycles in which issue waits for a load that missed, or for a division or root
$ sahm core events -c u74 | grep -E '^(preset|PAPI_.* yes )'; sahm core events -c u74 | grep -c ' no     -'
preset              code  avail  deriv  counters  counts           meaning
PAPI_L1_DCM   0x80000000  yes    no            1  0x202            misses of L1D
PAPI_L1_ICM   0x80000001  yes    no            1  0x102            misses of L1I
PAPI_L1_TCM   0x80000006  yes    no            1  0x302            misses of L1D and L1I
PAPI_TLB_DM   0x80000014  yes    no            1  0x1002           misses of the data TLB
PAPI_TLB_IM   0x80000015  yes    no            1  0x802            misses of the instruction TLB
PAPI_TLB_TL   0x80000016  yes    no            1  0x1802           misses of both TLBs
PAPI_BR_UCN   0x8000002a  yes    no            1  0x18000          unconditional branches
PAPI_BR_CN    0x8000002b  yes    no            1  0x4000           conditional branches
PAPI_BR_MSP   0x8000002e  yes    no            1  0x2001           conditional branches mispredicted
PAPI_BR_PRC   0x8000002f  yes    yes           2  0x4000 - 0x2001  conditional branches predicted right
PAPI_FMA_INS  0x80000030  yes    no            1  0x800000         fused multiply-adds
PAPI_TOT_INS  0x80000032  yes    no            0  minstret         instructions retired
PAPI_INT_INS  0x80000033  yes    no            1  0x62000          integer instructions
PAPI_FP_INS   0x80000034  yes    no            1  0x3e00000        floating-point instructions
PAPI_LD_INS   0x80000035  yes    no            1  0x80200          loads
PAPI_SR_INS   0x80000036  yes    no            1  0x100400         stores
PAPI_BR_INS   0x80000037  yes    no            1  0x1c000          branches
PAPI_TOT_CYC  0x8000003b  yes    no            0  mcycle           cycles
PAPI_LST_INS  0x8000003c  yes    no            1  0x180600         loads and stores
PAPI_FML_INS  0x80000061  yes    no            1  0x400000         floating-point multiplications
PAPI_FAD_INS  0x80000062  yes    no            1  0x200000         floating-point additions
PAPI_FDV_INS  0x80000063  yes    no            1  0x1000000        floating-point divisions and square roots
PAPI_FP_OPS   0x80000066  yes    no            1  0x3e00000        floating-point operations: as FP_INS
85
## Any core can be seen as one of any family, and may lack what an event counts. A core's own file says which it has.
$ sahm core events --family u74 | grep -E 'core|without'; sahm core events -c rocket -s events=boom | tail -14
EXCEPTION_TAKEN                     0    8      0x100        1  exceptions: streams have none (never on this core)
ADDRESSGEN_INTERLOCK                1    8      0x101        1  cycles in which a load or store waits for the result of a load that hits (never on this core)
LONGLAT_INTERLOCK                   1    9      0x201        1  cycles in which issue waits for a load that missed, or for a division or root (never on this core)
CSR_READ_INTERLOCK                  1   10      0x401        1  cycles in which issue waits for the result of a system instruction (never on this core)
PIPE_FLUSH_OTHER_EVENT              1   16    0x10001        1  flushes by fences and by loads that violated memory order (without flush-fence)
INTEGER_MULTIPLICATION_INTERLOCK    1   17    0x20001        1  cycles in which issue waits for an integer multiplication or division, or its unit (never on this core)
FP_INTERLOCK                        1   18    0x40001        1  cycles in which issue waits for a floating-point result or unit (never on this core)
PAPI_STL_ICY  0x80000025  no     -             -                   cycles without issue
L2_TLB_MISS             2   13    0x2002        1  page walks of data accesses
--------------------------------------------------------------------------------------------------------------------------------------
ICACHE_BLOCKED          3    8     0x103        1  cycles in which dispatch waits for a line of instructions
RECOVERING              3    9     0x203        1  cycles after a flush until the next instruction can be dispatched
--------------------------------------------------------------------------------------------------------------------------------------
FETCH_BUBBLE            4    8     0x104        1  slots of dispatch that the front end leaves empty
--------------------------------------------------------------------------------------------------------------------------------------
UOP_RETIRED             5    8     0x105        1  uops retired
FENCE_RETIRED           5    9     0x205        1  fences retired
DCACHE_BLOCKED          5   10     0x405        1  slots that issue nothing while a data miss is on its way and a dispatched uop waits
--------------------------------------------------------------------------------------------------------------------------------------
UOP_ISSUED              6    8     0x106        1  uops issued, those of the estimated wrong path included

boom has no PAPI presets
$ sahm core events -c boom-small --csv | tail -8; sahm core events -c u74 --csv | grep -E 'TLB_IM|BR_PRC|VEC_INS|MMIO'
L2_TLB_MISS,event,2,13,0x2002,1,0,1,0x2002,1,,page walks of data accesses
ICACHE_BLOCKED,event,3,8,0x103,1,0,1,0x103,1,,cycles in which dispatch waits for a line of instructions
RECOVERING,event,3,9,0x203,1,0,1,0x203,1,,cycles after a flush until the next instruction can be dispatched
FETCH_BUBBLE,event,4,8,0x104,1,0,1,0x104,1,,slots of dispatch that the front end leaves empty
UOP_RETIRED,event,5,8,0x105,1,0,1,0x105,1,,uops retired
FENCE_RETIRED,event,5,9,0x205,1,0,1,0x205,1,,fences retired
DCACHE_BLOCKED,event,5,10,0x405,1,0,1,0x405,1,,slots that issue nothing while a data miss is on its way and a dispatched uop waits
UOP_ISSUED,event,6,8,0x106,1,0,1,0x106,3,,"uops issued, those of the estimated wrong path included"
DCACHE_MISS_MMIO_ACCESSES,event,2,9,0x202,1,0,1,0x202,1,,misses of L1D
PAPI_TLB_IM,preset,,,0x80000015,1,0,1,0x802,,,misses of the instruction TLB
PAPI_BR_PRC,preset,,,0x8000002f,1,1,2,0x4000 - 0x2001,,,conditional branches predicted right
PAPI_VEC_INS,preset,,,0x80000038,0,0,0,,,,vector instructions
$ sahm core events -c u74 --json | sed -n '1,6p;37,42p;85,92p'
{
  "schema": "sahm-core-events/1",
  "core": "u74",
  "family": "u74",
  "event_counters": 2,
  "events": [
    {"name": "DCACHE_MISS_MMIO_ACCESSES", "set": 2, "bit": 9, "selector": 514, "sources": 1, "available": true, "lacks": [], "help": "misses of L1D"},
    {"name": "DCACHE_WRITEBACK", "set": 2, "bit": 10, "selector": 1026, "sources": 1, "available": true, "lacks": [], "help": "dirty lines that leave L1D"},
    {"name": "INST_TLB_MISS", "set": 2, "bit": 11, "selector": 2050, "sources": 1, "available": true, "lacks": [], "help": "misses of the ITLB"},
    {"name": "DATA_TLB_MISS", "set": 2, "bit": 12, "selector": 4098, "sources": 1, "available": true, "lacks": [], "help": "misses of the DTLB"},
    {"name": "UTLB_MISS", "set": 2, "bit": 13, "selector": 8194, "sources": 1, "available": true, "lacks": [], "help": "page walks of data accesses"}
  ],
    {"name": "PAPI_HW_INT", "code": 2147483689, "available": false, "derived": false, "counters": 0, "counts": [], "less": [], "help": "hardware interrupts"},
    {"name": "PAPI_BR_UCN", "code": 2147483690, "available": true, "derived": false, "counters": 1, "counts": [98304], "less": [], "help": "unconditional branches"},
    {"name": "PAPI_BR_CN", "code": 2147483691, "available": true, "derived": false, "counters": 1, "counts": [16384], "less": [], "help": "conditional branches"},
    {"name": "PAPI_BR_TKN", "code": 2147483692, "available": false, "derived": false, "counters": 0, "counts": [], "less": [], "help": "conditional branches taken"},
    {"name": "PAPI_BR_NTK", "code": 2147483693, "available": false, "derived": false, "counters": 0, "counts": [], "less": [], "help": "conditional branches not taken"},
    {"name": "PAPI_BR_MSP", "code": 2147483694, "available": true, "derived": false, "counters": 1, "counts": [8193], "less": [], "help": "conditional branches mispredicted"},
    {"name": "PAPI_BR_PRC", "code": 2147483695, "available": true, "derived": true, "counters": 2, "counts": [16384], "less": [8193], "help": "conditional branches predicted right"},
    {"name": "PAPI_FMA_INS", "code": 2147483696, "available": true, "derived": false, "counters": 1, "counts": [8388608], "less": [], "help": "fused multiply-adds"},
## Mistakes.
$ sahm core events -c u74 -c rocket
sahm: error: one core at a time: 'rocket' is too many
[2]
$ sahm core events u74
sahm: error: 'u74' is too many: sahm core events
[2]
$ sahm core events --family boon
sahm: error: unknown --family 'boon', must be rocket, boom or u74; did you mean 'boom'?
[2]
$ sahm core events -s events=u47
sahm: error: --set events=u47: events is 'u47', must be rocket, boom or u74; did you mean 'u74'?
[2]
