/* The Linux calls that the flat machine serves, LINUX_CALL(number, function): each is static in flat_linux.c and
 * returns what the program finds in a0. Numbers of riscv32. To add one: its function there, a row here. */
LINUX_CALL(64, write_bytes)
LINUX_CALL(93, exit_program)
LINUX_CALL(94, exit_program) /* exit_group */
LINUX_CALL(113, get_time32)  /* clock_gettime with 32-bit times, of older C libraries */
LINUX_CALL(214, set_break)
LINUX_CALL(403, get_time64) /* clock_gettime64 */
