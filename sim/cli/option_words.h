/* Words that operands can be, and parts of help, beside their commands: what completes command lines offers them. */
#ifndef SAHM_CLI_OPTION_WORDS_H
#define SAHM_CLI_OPTION_WORDS_H

/* The topics of `sahm help`, and the parts that it prints for the man pages, by index; NULL behind the last. */
const char *help_topic_name(unsigned i);
const char *help_part_name(unsigned i);

/* The questions of `sahm query`, likewise. */
const char *query_question_name(unsigned i);

/* What `sahm doctor` looks at, likewise. */
const char *doctor_row_name(unsigned i);

#endif
