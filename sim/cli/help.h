/* What the pages of `sahm help` are printed with, and those that stand in files of their own. */
#ifndef SAHM_CLI_HELP_H
#define SAHM_CLI_HELP_H

#include <stdio.h>

#include "sim/base/cfg.h"

/* Prints `text` wrapped, its first line beginning at `column`, the others at `indent`. */
void print_wrapped(FILE *out, const char *text, unsigned column, unsigned indent);

/* Prints a term and what it means, aligned at `indent`. */
void print_item(FILE *out, const char *term, const char *text, unsigned indent);

/* The same as an item of a man page, to standard output. */
void roff_item(const char *term, const char *text);

/* The topic `import`, and its parts of the man page. */
/* Those that return something tell whether there was memory for everything. */
bool help_import(void);
void roff_formats(void);
void roff_events(void);

/* The topic `policy-interface`, and its parts of the man page. */
void help_policy_interface(void);
void roff_operations(void);
void roff_calls(void);

/* The topic `synth`, and its parts of the man page. */
void help_synth(void);
void roff_profile_columns(void);
void roff_profile_keys(void);

/* All that there is to say of a key: its help, default and range; as an item, and as one of a man page. */
bool help_key(const struct cfg_key *key);
bool roff_key(const struct cfg_key *key);

/* The topic `sweeps`, and its part of the man page. */
bool help_sweeps(void);
bool roff_sweep_keys(void);

#endif
