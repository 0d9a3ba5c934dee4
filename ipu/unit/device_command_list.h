/* What the host can write to a unit's COMMAND register: COMMAND(symbol, value, help). The numbers are ours. */
COMMAND(PAUSE, 1, "IPU_PAUSE")
COMMAND(RESUME, 2, "IPU_RESUME")
COMMAND(FINALIZE, 3, "IPU_FINALIZE")
COMMAND(NEXT_PACKET, 4,
	"put the oldest packet of the FIFO under the window, in the place of what is left of the one there")
