/* Why a hart is not running: CAUSE(symbol, text). Up to EXITED these are the ends that are wanted, behind it are
 * faults.
 */
CAUSE(NONE, "ready to run")
CAUSE(BUDGET, "instruction budget exhausted")
CAUSE(RETURNED, "returned to the caller")
CAUSE(EXITED, "ended by the program")
CAUSE(ILLEGAL_INSTRUCTION, "illegal instruction")
CAUSE(BREAKPOINT, "breakpoint")
CAUSE(ENVIRONMENT_CALL, "environment call that nobody serves")
CAUSE(LOAD_MISALIGNED, "misaligned load")
CAUSE(LOAD_OUTSIDE, "load outside memory")
CAUSE(STORE_MISALIGNED, "misaligned store")
CAUSE(STORE_OUTSIDE, "store outside memory")
CAUSE(JUMP_OUTSIDE, "jump outside instruction memory")
CAUSE(FETCH_OUTSIDE, "instruction beyond the end of instruction memory")
