/* Origin of a trace, in the order in which it is written: PROVENANCE(enum suffix, key, help).
 * Beside these, `event.<counter>` names the event that stands for a counter. */
PROVENANCE(NAME, "name", "name of the program in results")
PROVENANCE(SOURCE, "source", "recorded (from a program that ran), modelled (by QEMU, callgrind or a model of a core) or synthetic (generated)")
PROVENANCE(PROGRAM, "program", "program and input that ran")
PROVENANCE(TOOL, "tool", "tool that counted, with its options")
PROVENANCE(MACHINE, "machine", "machine that it ran on, or model that stood in for one")
PROVENANCE(DATE, "date", "date of the recording")
PROVENANCE(EPOCH, "epoch", "meaning of an epoch, where it is not a stretch of measured time: the time base is assumed")
PROVENANCE(LICENCE, "licence", "terms under which the data may be passed on")
PROVENANCE(NOTE, "note", "anything else")
