/* What the readers of perf stat's three forms share. */
#ifndef SAHM_WORKLOADS_IMPORT_IMPORT_PERF_INTERNAL_H
#define SAHM_WORKLOADS_IMPORT_IMPORT_PERF_INTERNAL_H

#include "workloads/import/import_internal.h"

/* One field of a line. */
struct field {
	const char *text;
	size_t len;
};

bool field_is(const struct field *f, const char *word);
void field_trim(struct field *f);

/* The next field of a line, untrimmed, from *rest on, which moves beyond its separator; false at the end of the line.
 * An empty field after the last separator is none. */
bool field_next(char **rest, char separator, struct field *f);

/* What one line of a recording says. */
struct perf_line {
	bool has_stamp;	     /* false: it counts the whole recording, without -I */
	bool is_mean;	     /* over the runs of -r */
	uint64_t stamp_ns;   /* when its interval ended */
	struct field group;  /* CPU, thread, ...; empty: none */
	struct field cgroup; /* beside it; empty: none */
	struct field event;
	struct field value;
	int running_pct100; /* -1: not known */
};

/* Bytes by which names are compared where a recording begins without saying so. */
#define PERF_FIRST_BYTES 256u

/* State of the recording in the making: a reader's state, or its first member. */
struct perf_recording {
	const char *form;	      /* " -x": the output's form, as an option */
	bool has_intervals;	      /* lines without stamp are their summary */
	bool is_whole;		      /* the row in the making is all of it, counted without -I */
	bool is_headed;		      /* a comment or a heading began it, and will the next one */
	bool is_fresh;		      /* a comment began it: a heading that follows is of the same */
	uint64_t stamp_ns;	      /* of the interval in the making */
	uint64_t elapsed_ns;	      /* how long the whole lasted; 0: not known */
	uint64_t on_cpu_ns;	      /* its time on CPUs; 0: not known */
	char first[PERF_FIRST_BYTES]; /* event and group of its first line */
	bool is_mixed;		      /* the file has intervals, too */
	/* Of all recordings of the file: whole ones timed by task-clock, lines that are means over several runs. */
	uint64_t nr_on_cpu, nr_means;
};

/* Reads "0.107810946" seconds as ns; false when it is not a stamp. */
bool perf_stamp(const struct field *f, uint64_t *ns);

/* Length of blanks and stamp at the start of a line, "   0.107810946,..."; 0 where there is none. */
size_t perf_stamp_len(const char *line, size_t len);

/* Reads "99.97" (per cent) as hundredths; -1 when it is no percentage. */
int perf_percentage(const struct field *f);

/* Whether text names a CPU, core, die, socket, node or thread: "CPU0", "S0-D0-C1", "N0", "comm-1234". */
bool perf_is_group(const struct field *f);

/* Takes a line into the row of its stamp, or of the recording that it counts as a whole; closes the row before it when
 * time went on or another recording begins. */
enum sahm_status perf_take(struct import *im, struct perf_recording *rec, const struct perf_line *line);

/* Another recording begins, with a comment that has a date or with a heading (NULL). */
enum sahm_status perf_begin(struct import *im, struct perf_recording *rec, const char *date);

/* Reads a file of recordings into `rec`, all zero but its form: `read_line` gets each line that is not blank and no
 * comment. */
enum sahm_status perf_read(struct import *im, struct perf_recording *rec,
			   enum sahm_status (*read_line)(struct import *im));

#endif
