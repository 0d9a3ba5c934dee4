/* What the host can do to the units of a session, a block each: the command's name, its operand and options, its help.
 * Parsing, journals, commands and their help come from here.
 *
 *	CALL(symbol, id, name, operand as the help has it, summary, details)
 *	OPERAND(call, argument, name, value, kind, min, max, help)
 *	OPTION(call, argument, needed, name, value, kind, min, max, help)
 *	END(call)
 *
 * Kinds of values: UNIT, a unit's number or `all`; WHOLE, a decimal number from min to max; SIZE, one that can be
 * hexadecimal (0x) or followed by K, M or G; ADDRESS, one of 64 bits; FILE; TRUST, a trust file, besides the
 * call's FILE; SOFT, a module of soft logic; SETTING, which can be given several times; MODE, of mode_list.h; FLAG, none. */
#define UNIT_OPTION(call)                                                                                              \
	OPTION(call, UNIT, 0, "unit", "I", UNIT, 0, IPU_MAX_UNITS - 1,                                                 \
	       "the unit, counted from 0, or 'all' of them; else unit 0")

CALL(ATTACH, attach, "attach", " --abi SPEC", "begin a session with a device of one or more IPUs",
     "A session is a device as it is after the calls that have been made so far. SESSION is a file that this command "
     "makes: a journal with a line per call, which every further command replays before it adds its own. It "
     "can be read, copied to branch off, and cut back to undo. Files that calls name must be regular files. A "
     "session cannot continue after one of them has changed, even by a comment.\n"
     "Each unit has separate registers and memory, at a separate address range (sahm ipu status), and sees the "
     "signals that the ABI spec names. It has its own time, too: cycles of its HIT, the block that it sits beside, "
     "from 0 on. Time passes by `sahm ipu feed`, which plays recorded signals, and by `sahm ipu wait`; it ends where a "
     "clock comes to 2^62 cycles.\n"
     "A whole life: attach, config-image, config-start, config-stop, feed, finalize, wait, drain. Without "
     "config-start, resume says when to begin.")
OPTION(ATTACH, ABI, 1, "abi", "SPEC", FILE, 0, 0,
       "the ABI spec of the units, which says what signals they see in which input registers: a path, or the name of "
       "one that comes with the program")
OPTION(ATTACH, ADD, 0, "add", NULL, FLAG, 0, 0,
       "give a session that is there more units, with the numbers after the existing ones")
OPTION(ATTACH, UNITS, 0, "units", "N", WHOLE, 1, IPU_MAX_UNITS,
       "how many units, all alike; else 1. A device can have 4096")
OPTION(ATTACH, HIT_MHZ, 0, "hit-mhz", "MHZ", WHOLE, IPU_MIN_MHZ, IPU_MAX_MHZ,
       "clock of the HIT; else that of the units")
OPTION(ATTACH, IPU_MHZ, 0, "ipu-mhz", "MHZ", WHOLE, IPU_MIN_MHZ, IPU_MAX_MHZ, "clock of the units; else 2000")
OPTION(ATTACH, MODE, 0, "mode", "MODE", MODE, 0, 0,
       "handling of a faster HIT: every (as many as possible; the default), sub-sample=K (the "
       "first of every K), window=N (N in a row, by way of a fast buffer), phases=MHZ (while the HIT's clock is at "
       "most this)")
OPTION(ATTACH, MAX_CYCLES, 0, "max-cycles", "N", WHOLE, 1, IPU_MOST_ROUTINE_CYCLES,
       "a routine that takes longer is a fault, N being 1 to 10^15; else 100000000")
OPTION(ATTACH, FIFO, 0, "fifo", "SIZE", SIZE, IPU_PACKET_HEADER_BYTES, INT32_MAX,
       "size of the FIFO for packets, each of which takes 16 bytes more than it has; else 128K")
OPTION(ATTACH, LIMIT, 0, "limit", "BYTES_PER_S", SIZE, 1, IPU_MOST_BYTES_PER_S,
       "bandwidth of a unit to the host, 1 to 10^15; else there is no limit")
OPTION(ATTACH, TRUST, 0, "trust", "FILE", TRUST, 0, 0,
       "the trust file that says which programs the units take, for as long as the session lives: a path, or the name "
       "of one that comes with the program; else they take any")
OPTION(ATTACH, SOFT, 0, "soft", "FILE", SOFT, 0, 0,
       "soft logic beside the processor of each unit (IPU_pro): the file of a module, which runs in a sandboxed process"
       " (docs/soft-logic.md)")
OPTION(ATTACH, SOFT_MHZ, 0, "soft-mhz", "MHZ", WHOLE, IPU_MIN_MHZ, IPU_MAX_MHZ, "clock of the soft logic; else 1300")
END(ATTACH)

CALL(IMAGE, config_image, "config-image", " IMAGE", "IPU_CONFIG_IMAGE: send an introspection program to an IPU",
     "IMAGE is an executable for the IPU's memories, linked with ipu.ld, whose function _main runs for each input "
     "set: a path, or the name of one that comes with the program. The inputs that it declares must be in the unit's "
     "ABI spec. The unit is reset, but for the addresses where processing begins and ends, and runs the program's "
     "init. Where the session has a trust file (sahm ipu attach --trust), this decides first, by the signature "
     "IMAGE.sig, and a unit that refuses an image goes on with what it has.")
OPERAND(IMAGE, IMAGE, "image", "IMAGE", FILE, 0, 0, "the program")
UNIT_OPTION(IMAGE)
OPTION(IMAGE, SET, 0, "set", "SYMBOL=VALUE", SETTING, 0, 0,
       "put a number into a variable of the program, or an element (SYMBOL[I]=VALUE), before it runs; can be given "
       "several times")
END(IMAGE)

CALL(START, config_start, "config-start", " ADDR", "IPU_CONFIG_START: say at which address processing begins",
     "From the moment on at which the signal that the ABI spec calls `addr` has the value ADDR (hexadecimal after "
     "0x), a program counter say, the unit processes input sets. Replaces the address that was set before.")
OPERAND(START, ADDRESS, "address", "ADDR", ADDRESS, 0, 0, "the value of the signal")
UNIT_OPTION(START)
END(START)

CALL(STOP, config_stop, "config-stop", " ADDR", "IPU_CONFIG_STOP: say at which address processing ends",
     "From the moment on at which the signal that the ABI spec calls `addr` has the value ADDR (hexadecimal after "
     "0x), the unit no longer processes input sets, until it restarts. Replaces the address that was set before.")
OPERAND(STOP, ADDRESS, "address", "ADDR", ADDRESS, 0, 0, "the value of the signal")
UNIT_OPTION(STOP)
END(STOP)

CALL(PAUSE, pause, "pause", "", "IPU_PAUSE: hold an IPU",
     "The unit processes no input sets until it is resumed. A routine that is running comes to its end first.")
UNIT_OPTION(PAUSE)
END(PAUSE)

CALL(RESUME, resume, "resume", "", "IPU_RESUME: release an IPU that was held",
     "The unit goes on where it was: it processes input sets when it is between the addresses of config-start and "
     "config-stop. One for which config-start was never called begins here.")
UNIT_OPTION(RESUME)
END(RESUME)

CALL(FINALIZE, finalize, "finalize", "", "IPU_FINALIZE: let an IPU clean up",
     "The unit runs the program's finish, after a running routine, and is held then. `sahm ipu wait` lets it "
     "come to its end, `sahm ipu drain` reads what it has sent.")
UNIT_OPTION(FINALIZE)
END(FINALIZE)

CALL(FEED, feed, "feed", " SIGNALS", "let time pass for an IPU while recorded signals of its HIT arrive",
     "SIGNALS is a file of signals, CSV or binary. Its cycles count from the unit's present one; afterwards the "
     "present is the cycle after its last one. A file without rows takes no time. Other units wait.")
OPERAND(FEED, SIGNALS, "signals", "SIGNALS", FILE, 0, 0, "the recorded signals")
UNIT_OPTION(FEED)
END(FEED)

CALL(WAIT, wait, "wait", "", "let time pass for an IPU without signals",
     "Time passes until no routine is running, or for a number of cycles. A loop that waits for input sets is not "
     "running.")
UNIT_OPTION(WAIT)
OPTION(WAIT, CYCLES, 0, "cycles", "N", WHOLE, 1, IPU_MAX_FEED_CYCLES, "for N cycles of the HIT, 1 to 10^15")
END(WAIT)

CALL(DRAIN, drain, "drain", "", "print and remove the packets that an IPU has sent",
     "A line of CSV per packet that is complete by now, the oldest first: when it was sent, in cycles of the unit and "
     "in ns, how many bytes it has, and these in hexadecimal.")
OPTION(DRAIN, UNIT, 0, "unit", "I", WHOLE, 0, IPU_MAX_UNITS - 1, "the unit, counted from 0; else unit 0")
END(DRAIN)

#undef UNIT_OPTION
