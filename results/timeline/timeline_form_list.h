/* Forms of timelines: TIMELINE_FORM(suffix, name of the form, names of files that are of this form end in).
 * Behind the ending may stand that of compressed files. */
TIMELINE_FORM(CHROME, "chrome", ".json")
TIMELINE_FORM(FTRACE, "ftrace", ".txt", ".trace", ".ftrace")
