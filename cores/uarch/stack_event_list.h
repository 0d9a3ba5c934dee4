/* Events of an instruction's signature, in the order of its bits (paper TEA, table 1):
 * STACK_EVENT(suffix, name, schemes that record it, help). */
STACK_EVENT(DR_L1, "DR-L1", OF_TEA | OF_IBS | OF_RIS, "missed L1I with a new line")
STACK_EVENT(DR_TLB, "DR-TLB", OF_TEA | OF_IBS | OF_RIS, "missed the instruction TLB with a new line")
STACK_EVENT(DR_SQ, "DR-SQ", OF_TEA | OF_RIS, "store that waited for the store queue while the ROB was empty")
STACK_EVENT(FL_MB, "FL-MB", OF_TEA | OF_IBS | OF_SPE | OF_RIS, "mispredicted branch")
STACK_EVENT(FL_EX, "FL-EX", OF_TEA | OF_SPE, "system instruction, or a fence that flushes")
STACK_EVENT(FL_MO, "FL-MO", OF_TEA, "load that had overtaken a store to its address")
STACK_EVENT(ST_L1, "ST-L1", OF_TEA | OF_IBS | OF_SPE | OF_RIS, "load or atomic that missed L1D")
STACK_EVENT(ST_TLB, "ST-TLB", OF_TEA | OF_IBS | OF_SPE | OF_RIS, "missed the first data TLB")
STACK_EVENT(ST_LLC, "ST-LLC", OF_TEA | OF_IBS | OF_SPE | OF_RIS, "load that went to memory")
