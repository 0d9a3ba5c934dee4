/* Synthetic applications of the study of values: APPLICATION(symbol, name, text). How each draws a value is in
 * study_values_draw.c. */
APPLICATION(RECTIFIED, "rectified", "bell-shaped, what is below 0 cut off: half of the values are 0")
APPLICATION(BELL, "bell", "bell-shaped around a small offset")
APPLICATION(TAILED, "tailed", "bell-shaped with a heavy tail: each factor of 2 a quarter as often")
