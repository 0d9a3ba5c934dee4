/* Synthetic activity of a GPU's three units, for the study of overlap: SCENARIO(name, text, simt, tensor, memory). A '#'
 * is a cycle in which the unit is active; patterns repeat, and their lengths divide the window of 256 cycles, so that the
 * counts of any 256 cycles in a row are known. Where the patterns are numbers, the units are active in as many cycles of each
 * 256, at places that the seed draws, one unit at most in each. */
SCENARIO("idle", "nothing is active", ".", ".", ".")
SCENARIO("alternate", "SIMT and tensor cores in turn, cycle by cycle", "#.", ".#", ".")
SCENARIO("turns", "all in turn, the tensor core for the longest", "###.............", "...##########...", ".............###")
SCENARIO("pipelined", "the next tile is loaded while the tensor core works", "........#.......", "########....####", "....############")
SCENARIO("saturated", "memory is always active: 256 does not fit into a byte", ".............###", "#############...", "#")
SCENARIO("together", "all at the same time", "###.", "###.", "###.")
SCENARIO("scattered", "one at a time, at drawn places", "40", "120", "90")
