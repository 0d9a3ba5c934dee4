#include "results/cores/waves.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ipu/unit/signals.h"
#include "results/metrics/json.h"
#include "sim/base/suggest.h"

/* ---- Columns ---- */

static void put_name(char name[WAVE_NAME_BYTES], const char *text, size_t len)
{
	size_t i = 0;
	for (; i < len && i + 1 < WAVE_NAME_BYTES; i++)
		name[i] = text[i] == '-' ? '_' : (char)tolower((unsigned char)text[i]);
	name[i] = '\0';
}

static void append_signal(struct waves *w, enum signal signal, const struct core_timing *t)
{
	struct wave *x = &w->of[w->nr++];
	*x = (struct wave){
		.help = signal_help(signal), .signals = UINT64_C(1) << signal, .nr_lanes = signal_nr_lanes(t, signal)};
	put_name(x->name, signal_name(signal), strlen(signal_name(signal)));
}

/* Those of one class each: INSTRUCTION has them all. */
static bool is_of_class(enum signal signal)
{
	return signal > SIGNAL_INSTRUCTION && signal <= SIGNAL_FENCE;
}

static void append_signals(struct waves *w, const struct core_timing *t, bool has_classes)
{
	for (enum signal i = 0; i < NR_SIGNALS; i++)
		if (!(signals_lacked(t) >> i & 1) && (has_classes || !is_of_class(i)))
			append_signal(w, i, t);
}

void waves_usual(struct waves *w, const struct core_timing *t)
{
	w->nr = 0;
	append_signals(w, t, false);
}

/* `name` is a signal's. */
static bool is_called(const char *name, const char *text, size_t len)
{
	size_t i = 0;
	while (i < len && (text[i] == name[i] || (text[i] == '_' && name[i] == '-')))
		i++;
	return i == len && name[i] == '\0';
}

/* A signal has its name as it is in the list, or with _; an event's name in upper case is the event's, where a signal
 * is called the same. */
static bool append_named(struct waves *w, const char *text, size_t len, const struct core_timing *t,
			 enum event_family family)
{
	char own[WAVE_NAME_BYTES];
	for (enum signal i = 0; i < NR_SIGNALS; i++)
		if (is_called(signal_name(i), text, len)) {
			append_signal(w, i, t);
			return true;
		}
	snprintf(own, sizeof(own), "%.*s", (int)len, text);
	const struct core_event *e = len < sizeof(own) ? core_event_find(family, own) : NULL;
	if (!e)
		return false;
	struct wave *x = &w->of[w->nr++];
	*x = (struct wave){.help = e->help,
			   .signals = e->signals,
			   .nr_lanes = core_event_nr_lanes(e, t),
			   .is_any = e->sources == EVENT_ONE};
	put_name(x->name, e->name, strlen(e->name));
	return true;
}

static enum sahm_status fail_unknown(const char *names, const char *text, size_t len, enum event_family family,
				     struct sahm_err *err)
{
	struct suggest s;
	char word[WAVE_NAME_BYTES], near[SUGGEST_BYTES];
	snprintf(word, sizeof(word), "%.*s", (int)(len < sizeof(word) ? len : sizeof(word) - 1), text);
	if (core_event_refuse_other(family, word, "", err) != SAHM_OK)
		return SAHM_USAGE;
	if (len == 0)
		return sahm_fail(err, SAHM_USAGE, "--events: a name is missing in '%.60s'", names);
	suggest_init(&s, word);
	for (enum signal i = 0; i < NR_SIGNALS; i++)
		suggest_offer(&s, signal_name(i));
	for (const struct core_event *e = NULL; (e = core_event_next(family, e));)
		suggest_offer(&s, e->name);
	suggest_offer(&s, "all");
	const char *nearest = suggest_text(&s, near);
	return sahm_fail(err, SAHM_USAGE, "'%s' is neither a signal nor an event of %s%s", word,
			 event_family_name(family),
			 *nearest ? nearest : "; --events all writes the signals, sahm core events lists the events");
}

static enum sahm_status refuse_doubles(const struct waves *w, struct sahm_err *err)
{
	for (unsigned i = 0; i < w->nr; i++)
		for (unsigned k = 0; k < i; k++)
			if (strcmp(w->of[i].name, w->of[k].name) == 0)
				return sahm_fail(err, SAHM_USAGE, "'%s' is named twice", w->of[i].name);
	return SAHM_OK;
}

enum sahm_status waves_add(struct waves *w, const char *names, const struct core_timing *t, enum event_family family,
			   struct sahm_err *err)
{
	for (const char *at = names; at;) {
		size_t len = strcspn(at, ",");
		if (w->nr + NR_SIGNALS > MAX_WAVES)
			return sahm_fail(err, SAHM_USAGE, "more signals than %u", MAX_WAVES - NR_SIGNALS);
		if (len == 3 && strncmp(at, "all", 3) == 0)
			append_signals(w, t, true);
		else if (!append_named(w, at, len, t, family))
			return fail_unknown(names, at, len, family, err);
		at = at[len] ? at + len + 1 : NULL;
	}
	return refuse_doubles(w, err);
}

enum sahm_status waves_check(const struct waves *w, enum waves_form form, struct sahm_err *err)
{
	if ((form == WAVES_CSV || form == WAVES_BINARY) && w->nr > SIGNALS_MAX_COLUMNS)
		return sahm_fail(err, SAHM_USAGE,
				 "%u signals: CSV and .sig have room for %u; name fewer, or use -o FILE.vcd or --json",
				 w->nr, SIGNALS_MAX_COLUMNS);
	return SAHM_OK;
}

/* ---- Writing ---- */

struct waves_writer {
	FILE *out;
	enum waves_form form;
	const struct waves *waves;
	struct waves_window window;
	uint64_t next, last_row; /* cycle that comes next; of the last row */
	bool has_begun;
	uint64_t values[MAX_WAVES];
	struct signal_columns columns; /* of the forms that IPUs read */
	struct textbuf head;	       /* of JSON */
};

/* All of the object before its rows. */
static void head_json(const struct waves_writer *w, struct textbuf *out)
{
	struct jwriter j;
	jwrite_init(&j, out);
	jwrite_begin_object(&j, NULL);
	jwrite_string(&j, "schema", WAVES_SCHEMA);
	jwrite_string(&j, "stream", w->window.stream);
	jwrite_string(&j, "core", w->window.core);
	jwrite_u64(&j, "from", w->window.from);
	jwrite_begin_array(&j, "signals", false);
	for (unsigned i = 0; i < w->waves->nr; i++) {
		jwrite_begin_flat_object(&j, NULL);
		jwrite_string(&j, "name", w->waves->of[i].name);
		jwrite_u64(&j, "lanes", w->waves->of[i].nr_lanes);
		jwrite_string(&j, "help", w->waves->of[i].help);
		jwrite_end_object(&j);
	}
	jwrite_end_array(&j);
	textbuf_puts(out, ",\n  \"rows\": [");
}

struct waves_writer *waves_writer_new(FILE *out, enum waves_form form, const struct waves *w,
				      const struct waves_window *window)
{
	struct waves_writer *x = calloc(1, sizeof(*x));
	if (!x)
		return NULL;
	x->out = out;
	x->form = form;
	x->waves = w;
	x->window = *window;
	x->next = window->from;
	x->columns.flags = SIGNALS_HAVE_CYCLE;
	x->columns.nr = w->nr < SIGNALS_MAX_COLUMNS ? w->nr : SIGNALS_MAX_COLUMNS;
	for (unsigned i = 0; i < x->columns.nr; i++)
		memcpy(x->columns.names[i], w->of[i].name, strnlen(w->of[i].name, SIGNALS_NAME_BYTES));
	textbuf_init(&x->head);
	if (form == WAVES_JSON)
		head_json(x, &x->head);
	if (!textbuf_failed(&x->head))
		return x;
	waves_writer_free(x);
	return NULL;
}

void waves_writer_free(struct waves_writer *w)
{
	if (w)
		textbuf_release(&w->head);
	free(w);
}

static enum signal_form ipu_form(const struct waves_writer *w)
{
	return w->form == WAVES_CSV ? SIGNALS_CSV : SIGNALS_BINARY;
}

/* What stands for column `i` in a value change dump: its number in the printable characters. */
static void put_code(FILE *out, unsigned i)
{
	const unsigned first = '!', nr = '~' - '!' + 1;
	for (; i >= nr; i = i / nr - 1)
		putc((int)(first + i % nr), out);
	putc((int)(first + i), out);
}

/* Text from outside ends no section: those that begin with $ do. */
static void put_comment(FILE *out, const char *text)
{
	for (; *text; text++)
		putc(*text == '$' || !isprint((unsigned char)*text) ? '_' : *text, out);
}

static void begin_vcd(const struct waves_writer *w)
{
	fputs("$comment ", w->out);
	put_comment(w->out, w->window.stream);
	fputs(" on ", w->out);
	put_comment(w->out, w->window.core);
	fputs(", a cycle of the core in each ns $end\n$timescale 1 ns $end\n$scope module core $end\n", w->out);
	for (unsigned i = 0; i < w->waves->nr; i++) {
		const struct wave *x = &w->waves->of[i];
		fprintf(w->out, "$var wire %u ", x->nr_lanes);
		put_code(w->out, i);
		fprintf(w->out, " %s", x->name);
		if (x->nr_lanes > 1)
			fprintf(w->out, " [%u:0]", x->nr_lanes - 1);
		fputs(" $end\n", w->out);
	}
	fputs("$upscope $end\n$enddefinitions $end\n", w->out);
}

static void put_change(const struct waves_writer *w, unsigned i, uint64_t value)
{
	unsigned nr = w->waves->of[i].nr_lanes;
	if (nr == 1) {
		putc(value ? '1' : '0', w->out);
	} else {
		putc('b', w->out);
		while (nr > 1 && !(value >> (nr - 1) & 1))
			nr--;
		while (nr-- > 0)
			putc(value >> nr & 1 ? '1' : '0', w->out);
		putc(' ', w->out);
	}
	put_code(w->out, i);
	putc('\n', w->out);
}

static void write_vcd(struct waves_writer *w, uint64_t cycle, const uint64_t *values)
{
	fprintf(w->out, "#%" PRIu64 "\n%s", cycle, w->has_begun ? "" : "$dumpvars\n");
	for (unsigned i = 0; i < w->waves->nr; i++)
		if (!w->has_begun || values[i] != w->values[i])
			put_change(w, i, values[i]);
	if (!w->has_begun)
		fputs("$end\n", w->out);
}

static void write_json(struct waves_writer *w, uint64_t cycle, const uint64_t *values)
{
	fprintf(w->out, "%s\n    [%" PRIu64, w->has_begun ? "," : "", cycle);
	for (unsigned i = 0; i < w->waves->nr; i++)
		fprintf(w->out, ", %" PRIu64, values[i]);
	putc(']', w->out);
}

static void write_as_ipus(struct waves_writer *w, uint64_t cycle, const uint64_t *values)
{
	struct signal_row row = {.cycle = cycle, .filled = UINT32_MAX >> (32 - w->columns.nr)};
	memcpy(row.values, values, w->columns.nr * sizeof(*values));
	signals_write_row(w->out, ipu_form(w), &w->columns, &row);
}

static void begin(struct waves_writer *w)
{
	if (w->form == WAVES_VCD)
		begin_vcd(w);
	else if (w->form == WAVES_JSON)
		fputs(w->head.text, w->out);
	else
		signals_write_head(w->out, ipu_form(w), &w->columns);
}

static void write_row(struct waves_writer *w, uint64_t cycle, const uint64_t *values)
{
	if (!w->has_begun)
		begin(w);
	if (w->form == WAVES_VCD)
		write_vcd(w, cycle, values);
	else if (w->form == WAVES_JSON)
		write_json(w, cycle, values);
	else
		write_as_ipus(w, cycle, values);
	w->has_begun = true;
	w->last_row = cycle;
	memmove(w->values, values, w->waves->nr * sizeof(*values));
}

static uint64_t value_of(const struct wave *x, const struct signal_run *run)
{
	uint64_t lanes = 0;
	for (uint64_t signals = x->signals; signals; signals &= signals - 1)
		lanes |= run->lanes[__builtin_ctzll(signals)];
	return x->is_any ? lanes != 0 : lanes;
}

void waves_take(struct waves_writer *w, const struct signal_run *run)
{
	uint64_t values[MAX_WAVES];
	if (run->first + run->nr <= w->window.from || waves_is_done(w))
		return;
	for (unsigned i = 0; i < w->waves->nr; i++)
		values[i] = value_of(&w->waves->of[i], run);
	if (!w->has_begun || memcmp(values, w->values, w->waves->nr * sizeof(*values)) != 0)
		write_row(w, w->next, values);
	uint64_t end = w->window.from + w->window.cycles;
	w->next = run->first + run->nr < end ? run->first + run->nr : end;
}

bool waves_is_done(const struct waves_writer *w)
{
	return w->next - w->window.from == w->window.cycles;
}

uint64_t waves_end(struct waves_writer *w)
{
	uint64_t cycles = w->next - w->window.from;
	if (!w->has_begun)
		return 0;
	/* A dump ends where its last values do. */
	if (w->form == WAVES_VCD)
		fprintf(w->out, "#%" PRIu64 "\n", w->next);
	else if (w->last_row != w->next - 1)
		write_row(w, w->next - 1, w->values);
	if (w->form == WAVES_JSON)
		fprintf(w->out, "\n  ],\n  \"cycles\": %" PRIu64 "\n}\n", cycles);
	return cycles;
}
