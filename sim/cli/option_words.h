/* Words that options take, NULL at the end of each list, beside their commands: what completes command lines offers
 * them. */
#ifndef SAHM_CLI_OPTION_WORDS_H
#define SAHM_CLI_OPTION_WORDS_H

extern const char *const sim_engine_words[];  /* run --engine */
extern const char *const record_way_words[];  /* trace record --via */
extern const char *const packet_form_words[]; /* ipu run --packet-format */
extern const char *const output_form_words[]; /* ipu compare --format */
extern const char *const trace_form_words[];  /* trace synth --form */

/* The topics of `sahm help`, and the parts that it prints for the man pages, by index; NULL behind the last. */
const char *help_topic_name(unsigned i);
const char *help_part_name(unsigned i);

/* The questions of `sahm query`, likewise. */
const char *query_question_name(unsigned i);

/* What `sahm doctor` looks at, likewise. */
const char *doctor_row_name(unsigned i);

#endif
