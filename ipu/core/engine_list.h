/* Who executes a hart's instructions: ENGINE(symbol, name, help). The first one is there on every host. */
ENGINE(INTERP, "interp", "interpreter, on any host")
ENGINE(JIT, "jit", "translated to the host's code at run time, interpreted where that cannot be (the default)")
