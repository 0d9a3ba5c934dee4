/* How figures tell 16 states apart: STATE_COLOUR(L1I stressed, L1D stressed, L2 stressed, fill, ink that shows on it).
 *
 * Nobody tells 16 colours apart, so there are 8, one per set of stressed caches, and a state that stresses Branch too
 * is its neighbour's colour with hatching. Low is light grey; one cache is light (CIE lightness 65 to 81), two are dark
 * (34 to 48), all three nearly black, so that a print without colour still shows how much is stressed; L1I is sand, L1D
 * blue, L2 orange, and mixtures lean towards what is mixed (sand and blue: green). Chosen by search within these hues:
 * any two differ by a CIE 1976 colour distance of at least 42 in full sight, 27 with protanopia or deuteranopia and 21
 * with tritanopia (Machado et al. 2009). Segments have thin dark outlines and stand in the same order as the legend. */
STATE_COLOUR(0, 0, 0, "#E0E0E0", "#000000")
STATE_COLOUR(1, 0, 0, "#DFC978", "#000000")
STATE_COLOUR(0, 1, 0, "#45BCED", "#000000")
STATE_COLOUR(1, 1, 0, "#407E67", "#FFFFFF")
STATE_COLOUR(0, 0, 1, "#FE7816", "#000000")
STATE_COLOUR(1, 0, 1, "#855617", "#FFFFFF")
STATE_COLOUR(0, 1, 1, "#8C1691", "#FFFFFF")
STATE_COLOUR(1, 1, 1, "#1E1444", "#FFFFFF")
