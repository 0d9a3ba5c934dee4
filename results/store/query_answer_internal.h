/* What all writers of an answer for people share. */
#ifndef SAHM_RESULTS_QUERY_ANSWER_INTERNAL_H
#define SAHM_RESULTS_QUERY_ANSWER_INTERNAL_H

#include "results/store/query_answer.h"

/* Appends a cell as people read it, a dash where there is nothing. Text in it is as the store has it: control
 * characters and all. */
void query_cell_write(const struct query_cell *c, struct textbuf *out);

#endif
