/* Words that operands can be, beside their commands: what completes command lines offers them. */
#ifndef SAHM_SIM_CLI_OPTION_WORDS_H
#define SAHM_SIM_CLI_OPTION_WORDS_H

/* The questions of `sahm query`, by index; ends with NULL. */
const char *query_question_name(unsigned i);

/* What `sahm doctor` looks at, likewise. */
const char *doctor_row_name(unsigned i);

#endif
