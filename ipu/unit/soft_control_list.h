/* The registers by which a program controls the soft logic of an IPU_pro, each a word of 32 bits:
 * SOFT_CONTROL(symbol, offset, access, help); access is r, w. Counts are since the image was loaded. */
SOFT_CONTROL(CONTROL, 0x00, "w", "1: start, 2: stop, 4: reset the module; what the bits say happens in the order reset, stop, start")
SOFT_CONTROL(STATUS, 0x04, "r", "bit 0: started; bit 1: its clock runs")
SOFT_CONTROL(CYCLES_LOW, 0x08, "r", "soft cycles in which its clock ran, bits 0 to 31")
SOFT_CONTROL(CYCLES_HIGH, 0x0c, "r", "bits 32 to 63")
SOFT_CONTROL(TAKEN_LOW, 0x10, "r", "input sets that the module has taken, bits 0 to 31")
SOFT_CONTROL(TAKEN_HIGH, 0x14, "r", "bits 32 to 63")
SOFT_CONTROL(DROPPED_LOW, 0x18, "r", "input sets that were dropped, bits 0 to 31")
SOFT_CONTROL(DROPPED_HIGH, 0x1c, "r", "bits 32 to 63")
