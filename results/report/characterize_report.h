/* Characterisations of traces as text: tables for people, JSON and CSV for programs. */
#ifndef SAHM_RESULTS_REPORT_CHARACTERIZE_REPORT_H
#define SAHM_RESULTS_REPORT_CHARACTERIZE_REPORT_H

#include "results/metrics/characterize_means.h"
#include "sim/base/textbuf.h"

/* Each appends what is known of the study's traces and their mean over traces, every trace weighing the same; false
 * when memory was short. `bold` sets headings in bold. */
bool characterize_report_text(const struct characterize_study *study, bool bold, struct textbuf *out);
bool characterize_report_json(const struct characterize_study *study, struct textbuf *out);
bool characterize_report_csv(const struct characterize_study *study, struct textbuf *out);

/* Tables below the main one, for details: occupancy by set of cuts, transitions, lengths of intervals. */
bool characterize_details_text(const struct characterize_study *study, bool bold, struct textbuf *out);

/* Appends a time as people write it: "100 ms", "10 s", "0.5 us". */
void characterize_write_time(struct textbuf *out, uint64_t ns);

/* Appends the lengths in a bin of intervals: "1", "2-4", "100-199". */
void characterize_write_bin(struct textbuf *out, unsigned bin);

#endif
