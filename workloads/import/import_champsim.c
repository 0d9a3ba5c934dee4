/* ChampSim's text output: statistics at the end of a run, for each CPU
 *
 *     CPU 0 cumulative IPC: 0.543 instructions: 10000001 cycles: 18417731
 *     CPU 0 Branch Prediction Accuracy: 85.77% MPKI: 15.69 Average ROB Occupancy at Mispredict: 36.61
 *
 * and lines of caches, whose CPU is the last one named (until 2021), a part of the cache's name, or in front of it:
 *
 *     L1D LOAD      ACCESS:    2607451  HIT:    2254112  MISS:     353339
 *     cpu0_L1D LOAD        ACCESS:   69773983  HIT:   69392663  MISS:     381320
 *     cpu0->cpu0_L1D LOAD         ACCESS:    2367522 HIT:    2087482 MISS:     280040 MSHR_MERGE:     143482
 *
 * A row is a phase ("=== Simulation ===") or, before there were phases, a run. With several CPUs the same is printed
 * twice: in total, until the last CPU is done, and up to where each is done ("Region of Interest"). Only the second is
 * read: its instructions are those that were asked for. Heartbeats and warm-up lines are no statistics.
 *
 * Only demands are counted (import_event_list.h). L1D: LOAD, and stores, which are RFO until 2021 and WRITE since. L2C:
 * LOAD and RFO, since a WRITE there is a block that L1D writes back. PREFETCH is the simulator's guess, which no other
 * source of traces counts, and TRANSLATION the page walker's access, which no instruction asks for. */
#include <string.h>

#include "workloads/import/import_internal.h"

#define MAX_CPUS MAX_IMPORT_GROUPS
/* Errors of derived counts below this, in %, are of no interest. */
#define WORTH_A_WORD (DECIMAL_ONE / 10)

/* Lines that a CPU has once in a row. */
enum { LINE_CYCLES = 1, LINE_BRANCHES = 2 };

struct reader {
	unsigned groups[MAX_CPUS]; /* 1 + the importer's group; 0: not seen yet */
	unsigned row, row_of[MAX_CPUS];
	uint8_t lines[MAX_CPUS]; /* LINE_..., in the row row_of[] */
	unsigned cpu;		 /* that was named last */
	bool has_cpu, in_total;
	bool has_one_cpu;
	decimal worst; /* of the bounds of what is derived from the accuracy, in %; 0: none */
	unsigned worst_line;
	uint64_t nr_perfect; /* CPUs that mispredicted no branch */
	unsigned first_perfect_line;
	bool has_end; /* statistics of DRAM, which come last, follow the last ones of a CPU */
};

struct word {
	const char *text;
	size_t len;
};

static bool next_word(const char **rest, struct word *w)
{
	*rest += strspn(*rest, " \t\r");
	*w = (struct word){*rest, strcspn(*rest, " \t\r")};
	*rest += w->len;
	return w->len > 0;
}

static bool word_is(const struct word *w, const char *text)
{
	return w->len == strlen(text) && memcmp(w->text, text, w->len) == 0;
}

/* The number with which `*text` begins, and what follows it. */
static bool read_cpu_number(const char **text, unsigned *cpu)
{
	uint64_t n;
	size_t len = strspn(*text, "0123456789");
	if (number_read_u64(*text, len, &n) != NUMBER_OK || n >= MAX_CPUS)
		return false;
	*text += len;
	*cpu = (unsigned)n;
	return true;
}

static enum sahm_status group_of(struct import *im, struct reader *r, unsigned cpu, unsigned *group)
{
	char name[24];
	enum sahm_status status = SAHM_OK;
	if (r->groups[cpu] == 0) {
		snprintf(name, sizeof(name), "CPU%u", cpu);
		status = import_group(im, name, strlen(name), group);
		r->groups[cpu] = *group + 1;
	}
	*group = r->groups[cpu] - 1;
	return status;
}

/* Puts a number into the row, if anyone wants it. `adds`: lines of this name are parts of one sum. */
static enum sahm_status count(struct import *im, struct reader *r, unsigned cpu, const char *name,
			      const struct word *number, bool adds)
{
	unsigned group, column;
	decimal value;
	if (!import_is_wanted(im, name, strlen(name)))
		return SAHM_OK;
	/* The last number of a line that was cut short can be any. */
	if (!im->lines.ended) {
		import_skip(im, SKIP_CUT_SHORT, im->lines.line, NULL);
		return SAHM_OK;
	}
	enum sahm_status status = group_of(im, r, cpu, &group);
	if (status == SAHM_OK)
		status = import_column(im, name, strlen(name), &column);
	if (status != SAHM_OK)
		return status;
	struct cell *cell = &im->groups[group].cells[column];
	if (!adds || !cell->is_there || decimal_read(number->text, number->len, &value) != NUMBER_OK) {
		import_text(im, group, column, number->text, number->len, -1);
		return SAHM_OK;
	}
	cell->value += value;
	if (cell->value >= DECIMAL_END || cell->value <= -DECIMAL_END) {
		cell->is_there = false;
		cell->skip = SKIP_TOO_LARGE;
	}
	return SAHM_OK;
}

/* What follows `key` in the line. */
static bool value_of(const char *text, const char *key, struct word *w)
{
	const char *at = strstr(text, key);
	if (!at)
		return false;
	at += strlen(key);
	if (!next_word(&at, w))
		return false;
	if (w->text[w->len - 1] == '%')
		w->len--;
	return true;
}

/* A second line of its kind begins a new row. */
static enum sahm_status begin_line(struct import *im, struct reader *r, unsigned cpu, unsigned line)
{
	enum sahm_status status = SAHM_OK;
	bool is_in_row = r->row_of[cpu] == r->row;
	if (is_in_row && r->lines[cpu] & line) {
		status = import_end_row(im, false, 0);
		r->row++;
		is_in_row = false;
	}
	r->lines[cpu] = (uint8_t)((is_in_row ? r->lines[cpu] : 0) | line);
	r->row_of[cpu] = r->row;
	return status;
}

static enum sahm_status end_row(struct import *im, struct reader *r)
{
	r->row++;
	r->has_cpu = r->in_total = false;
	return import_end_row(im, false, 0);
}

/* How far branches = misses / (1 - accuracy) may be off: the accuracy is rounded to its last digit, which is the second
 * decimal (since 2023) or a later one. */
static void note_precision(struct import *im, struct reader *r, const struct word *accuracy, decimal missed)
{
	decimal half = 5 * DECIMAL_ONE / 1000;
	const char *point = memchr(accuracy->text, '.', accuracy->len);
	size_t decimals = point ? (size_t)(accuracy->text + accuracy->len - point) - 1 : 0;
	for (; decimals > 2; decimals--)
		half /= 10;
	if (missed <= half)
		return;
	decimal bound = 100 * half * DECIMAL_ONE / (missed - half);
	if (bound > r->worst) {
		r->worst = bound;
		r->worst_line = im->lines.line;
	}
}

/* ChampSim prints no number of branches. An accuracy of 100 % leaves it open, so it is no count; without any branches
 * there is no accuracy ("-", "nan"). */
static enum sahm_status count_accuracy(struct import *im, struct reader *r, unsigned cpu, const struct word *accuracy)
{
	const decimal all = 100 * (decimal)DECIMAL_ONE;
	decimal value;
	if (word_is(accuracy, "-") || word_is(accuracy, "nan") || word_is(accuracy, "-nan"))
		return count(im, r, cpu, "Branch types %", &(struct word){"0", 1}, false);
	if (decimal_read(accuracy->text, accuracy->len, &value) != NUMBER_OK)
		return count(im, r, cpu, "Branch Prediction Accuracy", accuracy, false);
	if (value == all) {
		if (r->nr_perfect++ == 0)
			r->first_perfect_line = im->lines.line;
		return SAHM_OK;
	}
	if (value >= 0 && value < all)
		note_precision(im, r, accuracy, all - value);
	return count(im, r, cpu, "Branch Prediction Accuracy", accuracy, false);
}

static enum sahm_status read_cycles(struct import *im, struct reader *r, const char *text, unsigned cpu)
{
	static const char *const names[] = {"instructions", "cycles"};
	enum sahm_status status = begin_line(im, r, cpu, LINE_CYCLES);
	r->cpu = cpu;
	r->has_cpu = true;
	for (unsigned i = 0; i < 2 && status == SAHM_OK; i++) {
		char key[24];
		struct word w;
		snprintf(key, sizeof(key), " %s: ", names[i]);
		if (value_of(text, key, &w))
			status = count(im, r, cpu, names[i], &w, false);
	}
	return status;
}

static enum sahm_status read_branches(struct import *im, struct reader *r, const char *text, unsigned cpu)
{
	struct word accuracy, mpki;
	enum sahm_status status = begin_line(im, r, cpu, LINE_BRANCHES);
	r->cpu = cpu;
	r->has_cpu = true;
	if (status == SAHM_OK && value_of(text, " Accuracy: ", &accuracy))
		status = count_accuracy(im, r, cpu, &accuracy);
	if (status == SAHM_OK && value_of(text, " MPKI: ", &mpki))
		status = count(im, r, cpu, "Branch MPKI", &mpki, false);
	return status;
}

/* "CPU 0 ...": `text` follows "CPU ". */
static enum sahm_status read_cpu(struct import *im, struct reader *r, const char *text)
{
	unsigned cpu;
	if (!read_cpu_number(&text, &cpu))
		return SAHM_OK;
	if (strncmp(text, " cumulative IPC: ", 17) == 0)
		return read_cycles(im, r, text, cpu);
	if (strncmp(text, " Branch Prediction Accuracy: ", 29) == 0)
		return read_branches(im, r, text, cpu);
	if (strncmp(text, " runs ", 6) == 0 && r->has_one_cpu)
		return import_say(im, PROVENANCE_PROGRAM, text + 6);
	return SAHM_OK;
}

/* "BRANCH_RETURN: 8949 0.17898%", of 2019 and 2020: how many there were, until all CPUs were done, and how many of a
 * hundred instructions they are. Later versions print MPKI there. */
static enum sahm_status read_branch_type(struct import *im, struct reader *r, const char *text)
{
	struct word name, number, percent;
	if (!r->has_cpu || !next_word(&text, &name) || !next_word(&text, &number) || !next_word(&text, &percent) ||
	    percent.text[percent.len - 1] != '%')
		return SAHM_OK;
	percent.len--;
	return count(im, r, r->cpu, "Branch types %", &percent, true);
}

/* Takes "cpuN" and `end` off the front of a name. */
static bool take_cpu(const char **text, const char *end, unsigned *cpu)
{
	const char *at = *text + 3;
	if (strncmp(*text, "cpu", 3) != 0 || !read_cpu_number(&at, cpu) || strncmp(at, end, strlen(end)) != 0)
		return false;
	*text = at + strlen(end);
	return true;
}

static enum sahm_status read_cache(struct import *im, struct reader *r, const char *text)
{
	struct word cache, type, key, number;
	enum sahm_status status = SAHM_OK;
	unsigned cpu = r->cpu;
	bool is_of_cpu = take_cpu(&text, "->", &cpu);
	bool has_name = take_cpu(&text, "_", &cpu);
	if ((!is_of_cpu && !has_name && !r->has_cpu) || !next_word(&text, &cache) || !next_word(&text, &type) ||
	    cache.len > 16 || type.len > 16)
		return SAHM_OK;
	for (unsigned i = 0; status == SAHM_OK && next_word(&text, &key) && key.len > 1 && key.len <= 16; i++) {
		char name[64];
		/* "L2C LOAD TRANSLATION ACCESS:" is another type. */
		if ((i == 0 && !word_is(&key, "ACCESS:")) || !next_word(&text, &number) || number.text[0] == '%')
			break;
		snprintf(name, sizeof(name), "%.*s %.*s %.*s", (int)cache.len, cache.text, (int)type.len, type.text,
			 (int)key.len - 1, key.text);
		/* Versions of 2022 to 2024 print a private cache once for each CPU, with zeros for all but one. */
		status = count(im, r, cpu, name, &number, has_name && !is_of_cpu);
	}
	return status;
}

static enum sahm_status read_line(struct import *im, struct reader *r)
{
	const char *text = im->lines.text;
	size_t len = strlen(text);
	if (import_line_begins(text, len, "*** ChampSim ")) {
		enum sahm_status status = end_row(im, r);
		return status == SAHM_OK ? import_begin_recording(im, NULL) : status;
	}
	if (!import_recording_is_chosen(im)) {
		import_skip(im, SKIP_OTHER_RECORDING, im->lines.line, NULL);
		return SAHM_OK;
	}
	if (import_line_begins(text, len, "=== "))
		return end_row(im, r);
	if (import_line_begins(text, len, "Number of CPUs: "))
		r->has_one_cpu = strcmp(text + 16, "1") == 0;
	r->in_total |= import_line_begins(text, len, "Total Simulation Statistics");
	r->in_total &= !import_line_begins(text, len, "Region of Interest Statistics");
	if (r->in_total || len == 0)
		return SAHM_OK;
	if (import_line_begins(text, len, "DRAM Statistics") || import_line_holds(text, len, "ROW_BUFFER"))
		r->has_end = true;
	if (import_line_begins(text, len, "CPU ")) {
		r->has_end = false;
		return read_cpu(im, r, text + 4);
	}
	if (import_line_begins(text, len, "BRANCH_"))
		return read_branch_type(im, r, text);
	return read_cache(im, r, text);
}

static void report(struct import *im, const struct reader *r)
{
	const struct import_map *map = im->options->map;
	bool is_derived = r->worst > 0 && !(map && map->expression[COUNTER_BRANCHES]);
	for (unsigned c = 0; c < im->nr_columns; c++)
		is_derived &= strcmp(im->columns[c].name, "Branch types %") != 0;
	if (im->nr_columns > 0 && !r->has_end)
		textbuf_printf(im->notes,
			       "%s: the last statistics are not followed by those of DRAM: was the output cut short? "
			       "Counts of caches may be too low\n",
			       im->file);
	if (is_derived && r->worst >= WORTH_A_WORD)
		textbuf_printf(im->notes,
			       "%s:%u: branches are derived from MPKI and accuracy, whose digits leave them up to "
			       "%.3g %% too high or too low\n",
			       im->file, r->worst_line, (double)r->worst / (double)DECIMAL_ONE);
	if (is_derived && r->nr_perfect > 0)
		textbuf_printf(im->notes,
			       "%s:%u: an accuracy of 100 %% leaves the number of branches open (--map "
			       "branches=\"0.15 * instructions\" says what to take)\n",
			       im->file, r->first_perfect_line);
	if (im->nr_columns > 0 && im->options->epoch_ns == 0 && !(map && map->expression[TARGET_DURATION]))
		textbuf_printf(im->notes,
			       "%s: ChampSim knows cycles, but no time: --epoch-ms MS, or --map "
			       "duration_ns=\"0.25 * cycles\" (for 4 GHz), says how long a row lasts\n",
			       im->file);
}

static enum sahm_status read(struct import *im)
{
	struct reader *r = arena_alloc(&im->arena, 1, sizeof(*r));
	bool more = true;
	enum sahm_status status = r ? import_say(im, PROVENANCE_TOOL, "ChampSim") : sahm_fail_nomem(im->err);
	if (status == SAHM_OK)
		r->row = 1;
	while (status == SAHM_OK) {
		status = import_next_line(im, &more);
		if (status != SAHM_OK || !more)
			break;
		status = read_line(im, r);
	}
	if (status == SAHM_OK && im->nr_columns == 0 && im->skipped[SKIP_OTHER_RECORDING] == 0)
		status = sahm_fail_at(im->err, SAHM_FORMAT, im->file, 0,
				      "no statistics are in it: ChampSim prints them when it has completed all CPUs, "
				      "was it stopped before?");
	if (status == SAHM_OK && im->notes)
		report(im, r);
	return status;
}

static bool owns_line(const char *line, size_t len)
{
	bool is_cpu = import_line_begins(line, len, "CPU ") || import_line_begins(line, len, "Heartbeat CPU ") ||
		      import_line_begins(line, len, "Warmup ") || import_line_begins(line, len, "Simulation ") ||
		      import_line_begins(line, len, "Finished CPU ");
	return import_line_begins(line, len, "*** ChampSim ") ||
	       (is_cpu && (import_line_holds(line, len, " cumulative IPC: ") ||
			   import_line_holds(line, len, " Branch Prediction Accuracy: ")));
}

const struct import_format import_format_champsim = {
	.owns_line = owns_line,
	.is_counted_by_tool = true,
	.is_model = true,
	.how = "ChampSim run to its end",
	.lacks = "; was the output cut short? (of branches ChampSim prints no number, and an accuracy of "
		 "100 % leaves it open)",
	.read = read};
