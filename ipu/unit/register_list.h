/* Registers of one unit, as the host sees them in the unit's region: REGISTER(symbol, offset, words, access, help), and
 * those that are members of struct ipu_counts: COUNTER(symbol, member, offset, help), two words to be read each. A word
 * has 32 bits. Of two words the lower one comes first: reading it keeps the upper one for when that is read next;
 * writing it changes nothing until the upper one is written, which puts both in place. The layout is ours. */
#ifndef COUNTER
#define COUNTER(symbol, member, offset, help) REGISTER(symbol, offset, 2, READ, help)
#endif
REGISTER(ID, 0x000, 1, READ, "what is there: IPU_DEVICE_ID")
REGISTER(VERSION, 0x004, 1, READ, "of this list: IPU_DEVICE_VERSION")
REGISTER(COMMAND, 0x008, 1, WRITE, "command for the unit, of enum ipu_device_command")
REGISTER(STATUS, 0x00c, 1, READ, "the 4-bit STATUS, of status_list.h")
REGISTER(FAULT_CAUSE, 0x010, 1, READ, "in ERROR: why, by the order of cause_list.h; else 0")
REGISTER(FAULT_PC, 0x014, 1, READ, "in ERROR: the instruction; else 0")
REGISTER(FAULT_ADDRESS, 0x018, 1, READ, "in ERROR: the address that was wrong, or the PC; else 0")
REGISTER(TRIGGERS, 0x01c, 1, READ, "bit 0: TS has been written; bit 1: TE")
REGISTER(TS, 0x020, 2, BOTH, "the value of ADDR at which processing begins")
REGISTER(TE, 0x028, 2, BOTH, "the value of ADDR at which it ends")
REGISTER(HIT_CYCLE, 0x030, 2, READ, "cycles of the HIT that have passed")
REGISTER(IPU_CYCLE, 0x038, 2, READ, "cycles of the unit that have passed")
REGISTER(FIFO_WAITING, 0x040, 1, READ, "bytes in the FIFO, IPU_PACKET_HEADER_BYTES for each packet among them")
REGISTER(FIFO_HEAD, 0x044, 1, READ, "bytes of the packet under the window that have not been read yet, and IPU_FIFO_PACKET; 0: there is none")
REGISTER(FIFO_TIME, 0x048, 2, READ, "when that packet was sent, in cycles of the unit")
REGISTER(FIFO_POP, 0x050, 1, READ, "its next four bytes, the first one lowest; 0 stands for what is missing")
COUNTER(ARRIVED, arrived, 0x080, "input sets")
COUNTER(IGNORED, ignored, 0x088, "of these: the unit was not active")
COUNTER(SKIPPED, skipped, 0x090, "of these: left out by the mode for mismatched clocks")
COUNTER(DROPPED, dropped, 0x098, "of these: the unit was busy")
COUNTER(TAKEN, taken, 0x0a0, "of these: processed")
COUNTER(CALLS_MAIN, calls_main, 0x0a8, "runs of _main")
COUNTER(CALLS_HANDLER, calls_handler, 0x0b0, "runs of the timer's handler")
COUNTER(MISSED_PERIODS, missed_periods, 0x0b8, "of the timer, while the unit was busy or not active")
COUNTER(INSTRUCTIONS, instructions, 0x0c0, "executed")
COUNTER(BUSY_CYCLES, busy_cycles, 0x0c8, "cycles of the unit in routines")
COUNTER(PACKETS, packets, 0x0d0, "packets sent")
COUNTER(BYTES, bytes, 0x0d8, "bytes in them")
COUNTER(LOST_PACKETS, lost_packets, 0x0e0, "packets not sent: the FIFO was full or the bandwidth used up")
COUNTER(LOST_BYTES, lost_bytes, 0x0e8, "bytes in them")
#undef COUNTER
