/* What can happen to an IPU: EVENT(symbol, text). Of events in one cycle of the HIT, those that stand first come first.
 */
EVENT(RETURN, "the running routine returns")
EVENT(WAIT, "the running routine's loop wants an input set")
EVENT(FAULT, "the running routine faults")
EVENT(CONFIGURE, "host: IPU_CONFIG_IMAGE")
EVENT(PAUSE, "host: IPU_PAUSE")
EVENT(RESUME, "host: IPU_RESUME")
EVENT(FINALIZE, "host: IPU_FINALIZE")
EVENT(START, "ADDR equals TS")
EVENT(STOP, "ADDR equals TE")
EVENT(INPUT, "an input set arrives")
EVENT(TIMER, "the timer's period is over")
