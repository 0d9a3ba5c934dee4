/* What shells read to complete command lines of sahm. */
#ifndef SAHM_CLI_COMPLETE_SCRIPT_H
#define SAHM_CLI_COMPLETE_SCRIPT_H

struct complete_script {
	const char *shell;	  /* NULL ends the list */
	const char *const *lines; /* NULL at the end */
};

extern const struct complete_script complete_scripts[];

#endif
