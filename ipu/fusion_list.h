/* Neighbours that are executed together, PAIR(first, second): both 4 bytes long, the first no control transfer. There
 * are two executors for each: one for when the second's rs1 is the first's rd, which hands the value on, and one for
 * all else. The most frequent pairs of compiled code, by the histograms of programs of all kinds; any two operations
 * would do. */
PAIR(addi, addi)
