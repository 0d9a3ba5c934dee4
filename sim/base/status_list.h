/* Every status that a fallible function can return: STATUS(name, exit code of the program, summary).
 * Included wherever a list of them is needed; there is no second one. */
STATUS(SAHM_OK, 0, "success")
STATUS(SAHM_USAGE, 2, "the command line cannot be understood")
STATUS(SAHM_IO, 1, "a file cannot be opened, read or written")
STATUS(SAHM_FORMAT, 1, "a file does not hold what its format demands")
STATUS(SAHM_CHECKSUM, 1, "stored bytes differ from their checksum")
STATUS(SAHM_CONFIG, 1, "a configuration is wrong")
STATUS(SAHM_RANGE, 1, "a value is out of range")
STATUS(SAHM_NOMEM, 1, "out of memory")
STATUS(SAHM_TOOL, 1, "another program that is needed is missing, or failed")
STATUS(SAHM_POLICY, 1, "a scheduling policy broke a rule or gave up")
STATUS(SAHM_GUEST, 1, "a program that was run for the user did not end as it should")
STATUS(SAHM_REFUSED, 1, "a program may not be loaded: it is not trusted")
