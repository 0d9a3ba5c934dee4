/* Families of cores whose events and counters a modelled core can have (core_event.h):
 * EVENT_FAMILY(suffix, name, event counters that its cores have, help). */
EVENT_FAMILY(ROCKET, "rocket", 29, "Rocket, with Icicle's events")
EVENT_FAMILY(BOOM, "boom", 29, "BOOM v3, with Icicle's events")
EVENT_FAMILY(U74, "u74", 2, "SiFive U74, with the names of libpfm4")
