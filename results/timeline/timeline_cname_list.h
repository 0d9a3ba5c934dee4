/* How chrome://tracing tells states apart, which knows colours by names alone:
 * TIMELINE_CNAME(L2 stressed, L1D stressed, L1I stressed, Branch stressed, name of the colour).
 * Nearest to those of figures (state_colour_list.h): greys for Low, yellows for L1I, blues for L1D, greens for both,
 * orange and red for L2, browns, purples and black for its mixtures. Perfetto takes no notice: it makes a colour of a
 * slice's name, which is the state's. */
TIMELINE_CNAME(0, 0, 0, 0, "grey")
TIMELINE_CNAME(0, 0, 0, 1, "generic_work")
TIMELINE_CNAME(0, 0, 1, 0, "cq_build_running")
TIMELINE_CNAME(0, 0, 1, 1, "yellow")
TIMELINE_CNAME(0, 1, 0, 0, "rail_response")
TIMELINE_CNAME(0, 1, 0, 1, "vsync_highlight_color")
TIMELINE_CNAME(0, 1, 1, 0, "rail_load")
TIMELINE_CNAME(0, 1, 1, 1, "good")
TIMELINE_CNAME(1, 0, 0, 0, "thread_state_iowait")
TIMELINE_CNAME(1, 0, 0, 1, "rail_animation")
TIMELINE_CNAME(1, 0, 1, 0, "bad")
TIMELINE_CNAME(1, 0, 1, 1, "olive")
TIMELINE_CNAME(1, 1, 0, 0, "detailed_memory_dump")
TIMELINE_CNAME(1, 1, 0, 1, "thread_state_uninterruptible")
TIMELINE_CNAME(1, 1, 1, 0, "light_memory_dump")
TIMELINE_CNAME(1, 1, 1, 1, "black")
