/* Top-down analysis (docs/top-down.md): classes of slots, and the formulas that estimate them from counts. Formulas are
 * C: what is evaluated is also what is printed. Four kinds of rows; define those that you need. */
#ifndef TMA_KIND
#define TMA_KIND(suffix, name, help)
#endif
#ifndef TMA_CLASS
#define TMA_CLASS(suffix, parent, level, name, help)
#endif
#ifndef TMA_ESTIMATED
#define TMA_ESTIMATED(symbol, suffix, parent, level, name, help) TMA_CLASS(suffix, parent, level, name, help)
#endif
#ifndef TMA_COUNT
#define TMA_COUNT(symbol, value, help)
#endif
#ifndef TMA_METRIC
#define TMA_METRIC(symbol)
#endif
#ifndef TMA_FORMULA
#define TMA_FORMULA(family, kinds, symbol, expression)
#endif

/* Ways to find the classes: TMA_KIND(suffix, name, help). */
TMA_KIND(PUBLISHED, "published", "the formulas as Icicle prints them")
TMA_KIND(RELEASED, "released", "the formulas of its released code as they were meant; values below 0 are printed as 0")
TMA_KIND(AS_RUN, "as-run", "released, with the second definition of a name that the code defines twice")
TMA_KIND(LANE, "approx-lane", "released, with the fetch bubbles of the second lane only")
TMA_KIND(RECOVERY, "approx-recovery", "released, with a constant for each misprediction instead of recovering")
TMA_KIND(ISSUE, "approx-issue", "released, with the uops of the first issue port only")
TMA_KIND(EXACT, "exact", "each slot has the cause that the timing model saw, counted in integers")

/* Classes, parents before children: TMA_CLASS(suffix, parent, level, name, help), known only of exact slots, and
 * TMA_ESTIMATED(symbol, ...), which formulas give as `symbol`. Children of a unit group follow the last row. */
TMA_ESTIMATED(Retiring, RETIRING, NONE, 1, "Retiring", "a uop is dispatched that commits")
TMA_ESTIMATED(BadSpec, BADSPEC, NONE, 1, "BadSpec", "lost to a flush, before it or until the right path is back")
TMA_ESTIMATED(BranchMispredicts, BRANCH, BADSPEC, 2, "BranchMispredicts", "a branch was mispredicted")
TMA_ESTIMATED(Resteers, BRANCH_RESTEER, BRANCH, 3, "Resteer", "until the branch resolves")
TMA_ESTIMATED(RecoveryBubbles, BRANCH_RECOVERY, BRANCH, 3, "RecoveryBubbles", "after the branch has resolved")
TMA_ESTIMATED(MachineClears, CLEAR, BADSPEC, 2, "MachineClears", "any other flush")
TMA_CLASS(CLEAR_RESTEER, CLEAR, 3, "Resteer", "until the flush")
TMA_CLASS(CLEAR_RECOVERY, CLEAR, 3, "RecoveryBubbles", "after the flush")
TMA_ESTIMATED(Frontend, FRONTEND, NONE, 1, "Frontend", "no uop is there, and no resource is missing")
TMA_ESTIMATED(FetchLatency, FETCH_LATENCY, FRONTEND, 2, "FetchLatency", "fetch waits for a line, a page or a target")
TMA_CLASS(FETCH_BTB, FETCH_LATENCY, 3, "BTB", "the BTB did not know the target of a taken branch")
TMA_CLASS(FETCH_TLB, FETCH_LATENCY, 3, "TLB", "the page of an instruction was not in the ITLB")
TMA_CLASS(FETCH_LINE, FETCH_LATENCY, 3, "line", "a line of instructions was not in L1I")
TMA_ESTIMATED(PCResolution, FETCH_BANDWIDTH, FRONTEND, 2, "FetchBandwidth", "fetch is too narrow, or a branch is taken")
TMA_ESTIMATED(Backend, BACKEND, NONE, 1, "Backend", "the next uop lacks a resource")
TMA_ESTIMATED(MemBound, MEM_BOUND, BACKEND, 2, "MemBound", "it waits for a load, or for the store queue")
TMA_CLASS(MEM_L1, MEM_BOUND, 3, "L1", "a hit on a line that is on its way to L1D")
TMA_CLASS(MEM_L2, MEM_BOUND, 3, "L2", "a line from L2")
TMA_CLASS(MEM_LLC, MEM_BOUND, 3, "LLC", "a line from the LLC")
TMA_CLASS(MEM_MEMORY, MEM_BOUND, 3, "memory", "a line from memory")
TMA_CLASS(MEM_TLB, MEM_BOUND, 3, "TLB", "a page that was not in the DTLB, of an access that hits L1D")
TMA_CLASS(MEM_STORE, MEM_BOUND, 3, "store", "the store queue or store buffer is full")
TMA_ESTIMATED(CoreBound, CORE_BOUND, BACKEND, 2, "CoreBound", "it waits for anything else")
TMA_CLASS(CORE_DEPENDENCE, CORE_BOUND, 3, "dependence", "a result that is being computed")
TMA_CLASS(CORE_QUEUE, CORE_BOUND, 3, "queue", "an issue slot, while a unit is free")
TMA_CLASS(CORE_SERIAL, CORE_BOUND, 3, "serial", "older uops to commit before a system call or a fence")

/* Counts in formulas: TMA_COUNT(symbol, value of counts `c` by Rocket's formulas or others, event). A core of
 * Rocket's family may have several lanes: a cycle then has as many slots. */
TMA_COUNT(C_cycle, c->cycles, "cycles")
TMA_COUNT(cycles, c->cycles * c->width, "cycles; on cores with several lanes, times their number")
TMA_COUNT(W_C, c->width, "width of dispatch")
TMA_COUNT(C_ret, is_rocket ? c->instructions : c->uops, "uops retired; on Rocket, instructions retired")
TMA_COUNT(C_instr, c->instructions, "instructions retired")
TMA_COUNT(C_issued, c->issued, "uops issued")
TMA_COUNT(C_issued_0, c->issued_of[0], "uops issued by the first port")
TMA_COUNT(C_fetch, c->bubbles, "fetch bubbles")
TMA_COUNT(C_fetch_1, c->bubbles_of[1], "fetch bubbles of the second lane")
TMA_COUNT(C_rec, is_rocket ? c->recovering * c->width : c->recovering, "recovering; on Rocket's kind, times the lanes")
TMA_COUNT(C_iblk, is_rocket ? c->iblocked * c->width : c->iblocked, "I$ blocked; on Rocket's kind, times the lanes")
TMA_COUNT(C_db, c->dblocked, "D$ blocked")
TMA_COUNT(C_dblk, c->dblocked, "D$ blocked")
TMA_COUNT(C_flush, c->flushes, "flush")
TMA_COUNT(C_bm, c->mispredictions, "branch misprediction")
TMA_COUNT(C_fence, c->fences, "fence retired")

TMA_METRIC(M_total)
TMA_METRIC(M_tf)
TMA_METRIC(M_br_mr)
TMA_METRIC(M_nf_r)
TMA_METRIC(M_fl_r)
TMA_METRIC(M_rl)

/* TMA_FORMULA(family, kinds that have it, symbol, expression), in the order of evaluation, in double precision. Of its
 * oddities none is corrected: children of BadSpec do not sum to it, M_nf_r has the fences and lacks the flushes, and
 * Backend can be below 0. A rate of 0 flushes is 0. */
TMA_FORMULA(BOOM, ANY, M_total, C_cycle * W_C)
TMA_FORMULA(BOOM, ONLY(ISSUE), C_issued, C_issued_0 * 4)
TMA_FORMULA(BOOM, ANY, M_tf, C_flush + C_bm + C_fence)
TMA_FORMULA(BOOM, ANY, M_br_mr, M_tf > 0 ? C_bm / M_tf : 0)
TMA_FORMULA(BOOM, ANY, M_nf_r, M_tf > 0 ? (C_bm + C_fence) / M_tf : 0)
TMA_FORMULA(BOOM, ANY, M_fl_r, M_tf > 0 ? C_flush / M_tf : 0)
TMA_FORMULA(BOOM, ONLY(PUBLISHED), M_rl, 4)
TMA_FORMULA(BOOM, ONLY(PUBLISHED), Retiring, C_ret / M_total)
TMA_FORMULA(BOOM, BUT(PUBLISHED), Retiring, C_instr / M_total)
TMA_FORMULA(BOOM, ONLY(PUBLISHED), BadSpec, ((C_issued - C_ret) * M_nf_r + (C_rec + M_rl * C_bm) * W_C) / M_total)
TMA_FORMULA(BOOM, ONLY(RELEASED) | ONLY(LANE) | ONLY(ISSUE), BadSpec,
	    ((C_issued - C_ret) * M_nf_r + (C_rec * W_C + C_bm * 2 * W_C)) / M_total)
TMA_FORMULA(BOOM, ONLY(AS_RUN), BadSpec, ((C_issued - C_ret) * M_nf_r + C_rec / M_total) / M_total)
TMA_FORMULA(BOOM, ONLY(RECOVERY), BadSpec, ((C_issued - C_ret) * M_nf_r + C_bm * 5) / M_total)
TMA_FORMULA(BOOM, BUT(LANE), Frontend, C_fetch / M_total)
TMA_FORMULA(BOOM, ONLY(LANE), Frontend, C_fetch_1 * W_C / M_total)
TMA_FORMULA(BOOM, ONLY(PUBLISHED), Backend, 1 - Frontend - BadSpec - Retiring)
TMA_FORMULA(BOOM, BUT(PUBLISHED), Backend, 1 - Retiring - Frontend - BadSpec)
TMA_FORMULA(BOOM, ANY, MachineClears, (C_issued - C_ret) * M_fl_r / M_total)
TMA_FORMULA(BOOM, ANY, BranchMispredicts, ((C_issued - C_ret) * M_br_mr + C_rec) / M_total)
TMA_FORMULA(BOOM, ANY, Resteers, (C_issued - C_ret) * M_br_mr / M_total)
TMA_FORMULA(BOOM, ANY, RecoveryBubbles, C_rec / M_total)
TMA_FORMULA(BOOM, ANY, FetchLatency, C_iblk * W_C / M_total)
TMA_FORMULA(BOOM, ANY, PCResolution, Frontend - FetchLatency)
TMA_FORMULA(BOOM, ANY, MemBound, C_db / M_total)
TMA_FORMULA(BOOM, ANY, CoreBound, Backend - MemBound)

/* Icicle prints none for Rocket: those of the code are both. */
TMA_FORMULA(ROCKET, ANY, Retiring, C_ret / cycles)
TMA_FORMULA(ROCKET, ANY, M_tf, C_flush + C_bm)
TMA_FORMULA(ROCKET, ANY, M_nf_r, M_tf > 0 ? (C_bm + C_flush) / M_tf : 0)
TMA_FORMULA(ROCKET, ANY, M_fl_r, M_tf > 0 ? C_flush / M_tf : 0)
TMA_FORMULA(ROCKET, ANY, M_br_mr, M_tf > 0 ? C_bm / M_tf : 0)
TMA_FORMULA(ROCKET, ANY, BadSpec, ((C_issued - C_ret) * M_nf_r + C_rec) / cycles)
TMA_FORMULA(ROCKET, ANY, MachineClears, (C_issued - C_ret) * M_fl_r / cycles)
TMA_FORMULA(ROCKET, ANY, BranchMispredicts, ((C_issued - C_ret) * M_br_mr + C_rec) / cycles)
TMA_FORMULA(ROCKET, ANY, Frontend, C_fetch / cycles)
TMA_FORMULA(ROCKET, ANY, FetchLatency, C_iblk / cycles)
TMA_FORMULA(ROCKET, ANY, PCResolution, Frontend - FetchLatency)
TMA_FORMULA(ROCKET, ANY, MemBound, C_dblk / cycles)
TMA_FORMULA(ROCKET, ANY, Backend, 1 - Retiring - Frontend - BadSpec)
TMA_FORMULA(ROCKET, ANY, CoreBound, Backend - MemBound)

#undef TMA_KIND
#undef TMA_CLASS
#undef TMA_ESTIMATED
#undef TMA_COUNT
#undef TMA_METRIC
#undef TMA_FORMULA
