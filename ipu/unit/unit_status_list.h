/* Values of an IPU's 4-bit STATUS register, as CSR 0x801 and the host see them: STATUS(symbol, value, text).
 * Source: dissertation, section 2.3 (six states); the numbers are ours. */
STATUS(UNDEFINED, 0, "undefined")
STATUS(PAUSED, 1, "paused")
STATUS(ACTIVE_PAUSED, 2, "active, paused")
STATUS(ACTIVE_RUNNING, 3, "active, running")
STATUS(FINALIZE, 4, "finalizing")
STATUS(ERROR, 5, "error")
