/* Settings for a core that is faster than the unit beside it (dissertation, section 2.2):
 * IPU_PICS_SETTING(suffix, name, MHz of the core, MHz of the unit, mode, its argument, levels come late, help). */
IPU_PICS_SETTING(SUB_SAMPLE, "sub-sample", 3200, 2000, IPU_SUB_SAMPLE, 1, false, "cycles with events between the unit's clocks are lost")
IPU_PICS_SETTING(WINDOW, "window", 3200, 2000, IPU_WINDOW, 64, false, "64 cycles with events in a row go into a fast buffer")
IPU_PICS_SETTING(PHASES, "phases", 2000, 2000, IPU_PHASES, 2000, false, "the core runs at the unit's clock")
IPU_PICS_SETTING(LATE, "late", 3200, 2000, IPU_SUB_SAMPLE, 1, true, "sub-sample, but the timer does not keep PCs for its handler, which may have to wait")
