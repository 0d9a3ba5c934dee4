/* Who executes a hart's instructions: ENGINE(symbol, name, help). The first one is there on every host. */
ENGINE(INTERP, "interp", "interpreter, on any host")
ENGINE(JIT, "jit", "translated to host code at run time, interpreted where that fails (the default)")
