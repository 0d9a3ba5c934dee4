/* Direct jumps and branches whose target lies outside the code, OUTWARD(operation, sizes): they have separate executors,
 * so that the others need no check. Sizes as in operation_list.h. */
OUTWARD(jal, BOTH)
OUTWARD(beq, BOTH)
OUTWARD(bne, BOTH)
OUTWARD(blt, WIDE)
OUTWARD(bge, WIDE)
OUTWARD(bltu, WIDE)
OUTWARD(bgeu, WIDE)
