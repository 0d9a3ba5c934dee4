/* The keys of an ABI spec: KEY(enum suffix, path, kinds, unit, default as written, min, max, help). Checks, suggestions
 * and ipu/abi/README.md's table come from here. */
KEY(NAME, "name", CFG_STRING, "", "", 0, 0, "what the HIT is called; required")
KEY(ADDR, "addr", CFG_STRING, "", "", 0, 0, "the signal that the triggers look at; without it nothing triggers")
KEY(SIGNALS, "signals", CFG_LIST, "", "", 0, 0, "the signals; required")
KEY(SIGNAL, "signals[]", CFG_GROUP, "", "", 0, 0, "one signal")
KEY(SIGNAL_NAME, "signals[].name", CFG_STRING, "", "", 0, 0, "lower-case letters, digits, _; neither cycle nor hit_mhz; required")
KEY(SIGNAL_BITS, "signals[].bits", CFG_INT, "bits", "", 1, 64, "its width; required")
KEY(SIGNAL_REGISTER, "signals[].register", CFG_INT, "", "", 0, NR_IOREGS - 1, "the input register that it is wired to; required")
KEY(SIGNAL_RATE, "signals[].rate", CFG_INT, "HIT cycles", "1", 0, 1e15, "cycles between its data points; 0: they come when they come")
KEY(SIGNAL_SEMANTICS, "signals[].semantics", CFG_STRING, "", "", 0, 0, "what it says, in a sentence; required")
