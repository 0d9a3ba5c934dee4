/* Ways to sample cycle stacks: STACK_SCHEME(suffix, name, events that it records, help). IBS, SPE and RIS are the
 * abstractions of paper TEA, section 5. */
STACK_SCHEME(TEA, "tea", OF_TEA, "the instructions that the cycle is charged to, with all events")
STACK_SCHEME(NCI, "nci", OF_TEA, "the next instruction to commit, with all events")
STACK_SCHEME(IBS, "ibs", OF_IBS, "the next uop to be dispatched")
STACK_SCHEME(SPE, "spe", OF_SPE, "the next uop to be dispatched, with fewer events")
STACK_SCHEME(RIS, "ris", OF_RIS, "the next instruction to be fetched")
