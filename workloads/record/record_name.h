/* Name of a recording by default: as its program, or as the script where that is an interpreter. */
#ifndef SAHM_WORKLOADS_RECORD_RECORD_NAME_H
#define SAHM_WORKLOADS_RECORD_RECORD_NAME_H

/* Longest name, with its closing NUL; longer ones are cut. */
#define RECORD_NAME_BYTES 201

/* Writes the name of `command` (words, NULL at the end, at least one) into `name`: `b` for `python3 b.py`, `./b.py` and
 * `env python3 -u b.py`; `bash` for `bash -c 'make'`, which has no script. Never empty unless the first word is. */
void record_name(char *const *command, char name[RECORD_NAME_BYTES]);

#endif
