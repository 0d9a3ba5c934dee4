#include "ipu/unit/signals.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ipu/unit/signals_internal.h"
#include "sim/base/file.h"
#include "sim/base/suggest.h"
#include "sim/base/units.h"

#define NO_GROUP 0xffu

static bool is_name(const char *name, size_t len)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
	return len > 0 && strspn(name, allowed) == len;
}

static enum sahm_status fail_unknown(const struct signal_reader *r, const char *name, struct sahm_err *err)
{
	struct suggest s;
	char hint[SUGGEST_BYTES];
	suggest_init(&s, name);
	for (unsigned i = 0; i < r->abi->nr_signals; i++)
		suggest_offer(&s, r->abi->signals[i].name);
	suggest_offer(&s, HIT_MHZ_COLUMN);
	return sahm_fail(err, SAHM_FORMAT, "'%.40s' is no signal of '%s'%s", name, r->abi->name,
			 suggest_text(&s, hint));
}

enum sahm_status signals_add_column(struct signal_reader *r, const char *name, size_t len, struct sahm_err *err)
{
	struct signal_columns *c = &r->columns;
	if (c->nr == SIGNALS_MAX_COLUMNS)
		return sahm_fail(err, SAHM_FORMAT, "more than %d signals", SIGNALS_MAX_COLUMNS);
	for (unsigned i = 0; i < c->nr; i++)
		if (strcmp(c->names[i], name) == 0)
			return sahm_fail(err, SAHM_FORMAT, "column '%.40s' stands twice", name);
	if (!r->abi && !is_name(name, len))
		return sahm_fail(err, SAHM_FORMAT, "'%.40s' is no name of a signal: lower-case letters, digits, _",
				 name);
	if (r->abi && !(r->signals[c->nr] = abi_find(r->abi, name)))
		return fail_unknown(r, name, err);
	if (len > SIGNALS_NAME_BYTES)
		return sahm_fail(err, SAHM_FORMAT, "the name '%.40s' has more than %u characters", name,
				 SIGNALS_NAME_BYTES);
	memcpy(c->names[c->nr++], name, len + 1);
	return SAHM_OK;
}

enum sahm_status signals_check_value(const struct signal_reader *r, unsigned column, uint64_t value,
				     struct sahm_err *err)
{
	unsigned bits = r->signals[column] ? r->signals[column]->bits : 64;
	if (bits >= 64 || value >> bits == 0)
		return SAHM_OK;
	return sahm_fail(err, SAHM_FORMAT, "%" PRIu64 " in column '%s' does not fit its %u bit%s", value,
			 r->columns.names[column], bits, bits == 1 ? "" : "s");
}

enum sahm_status signals_check_mhz(uint64_t mhz, struct sahm_err *err)
{
	if (mhz >= IPU_MIN_MHZ && mhz <= IPU_MAX_MHZ)
		return SAHM_OK;
	return sahm_fail(err, SAHM_FORMAT, "%" PRIu64 " in column '" HIT_MHZ_COLUMN "', must be from %u to %u", mhz,
			 IPU_MIN_MHZ, IPU_MAX_MHZ);
}

/* Groups are due behind the last row: a reader of rows alone has none that holds anything. */
static enum sahm_status check_between(const struct signal_reader *r, uint64_t cycle, struct sahm_err *err)
{
	for (const struct rate_group *g = r->groups; g < r->groups + r->nr_groups; g++) {
		if (!g->held || cycle <= g->due)
			continue;
		uint64_t nr = (cycle - g->due - 1) / g->rate + 1;
		if (nr > SIGNALS_MAX_BETWEEN)
			return sahm_fail(err, SAHM_FORMAT,
					 "signals of rate %" PRIu64 " are valid %" PRIu64
					 " times between cycles %" PRIu64 " and %" PRIu64 ", at most %" PRIu64
					 " are possible between two rows",
					 g->rate, nr, r->last_cycle, cycle, SIGNALS_MAX_BETWEEN);
	}
	return SAHM_OK;
}

enum sahm_status signals_check_cycle(const struct signal_reader *r, uint64_t cycle, struct sahm_err *err)
{
	if (cycle > SIGNALS_MAX_CYCLE)
		return sahm_fail(err, SAHM_FORMAT, "cycle %" PRIu64 " is above %" PRIu64, cycle, SIGNALS_MAX_CYCLE);
	if (r->nr_rows > 0 && cycle <= r->last_cycle)
		return sahm_fail(err, SAHM_FORMAT, "cycle %" PRIu64 " stands behind cycle %" PRIu64 ": they must rise",
				 cycle, r->last_cycle);
	return check_between(r, cycle, err);
}

static void group_columns(struct signal_reader *r)
{
	for (unsigned c = 0; c < r->columns.nr; c++) {
		uint64_t rate = r->signals[c] ? r->signals[c]->rate : 0;
		unsigned g = 0;
		while (g < r->nr_groups && r->groups[g].rate != rate)
			g++;
		if (rate > 0 && g == r->nr_groups)
			r->groups[r->nr_groups++].rate = rate;
		r->group_of[c] = rate > 0 ? (uint8_t)g : NO_GROUP;
	}
}

static enum sahm_status begin(struct signal_reader *r, struct sahm_err *err)
{
	const char *head;
	size_t len;
	enum sahm_status status = line_reader_init(&r->lines, zstd_reader_stream(r->zstd), r->file, err);
	if (status == SAHM_OK)
		status = line_reader_head(&r->lines, &head, &len, err);
	if (status != SAHM_OK)
		return status;
	bool is_binary = len >= strlen(SIGNALS_MAGIC) && memcmp(head, SIGNALS_MAGIC, strlen(SIGNALS_MAGIC)) == 0;
	r->form = is_binary ? SIGNALS_BINARY : SIGNALS_CSV;
	return is_binary ? signals_binary_begin(r, head, len, err) : signals_csv_begin(r, err);
}

enum sahm_status signal_reader_new(struct signal_reader **reader, FILE *in, const char *file, const struct abi *abi,
				   struct sahm_err *err)
{
	*reader = NULL;
	struct signal_reader *r = calloc(1, sizeof(*r));
	if (!r)
		return sahm_fail_nomem(err);
	r->file = file;
	r->abi = abi;
	r->zstd = zstd_reader_new(in, file);
	enum sahm_status status = r->zstd ? begin(r, err) : sahm_fail_nomem(err);
	if (status != SAHM_OK)
		return signal_reader_free(r, status, err);
	group_columns(r);
	*reader = r;
	return SAHM_OK;
}

enum sahm_status signal_reader_open(struct signal_reader **reader, const char *path, const struct abi *abi,
				    struct sahm_err *err)
{
	FILE *in = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
	*reader = NULL;
	if (!in)
		return sahm_fail(err, SAHM_IO, "cannot open '%s': %s", file_label(path), strerror(errno));
	enum sahm_status status = signal_reader_new(reader, in, file_label(path), abi, err);
	if (in == stdin)
		return status;
	if (status == SAHM_OK)
		(*reader)->opened = in;
	else
		fclose(in);
	return status;
}

enum sahm_status signal_reader_free(struct signal_reader *r, enum sahm_status status, struct sahm_err *err)
{
	if (!r)
		return status;
	line_reader_release(&r->lines);
	free(r->bytes);
	if (r->zstd)
		status = zstd_reader_free(r->zstd, status, err);
	if (r->opened)
		fclose(r->opened);
	free(r);
	return status;
}

const struct signal_columns *signal_reader_columns(const struct signal_reader *r)
{
	return &r->columns;
}

enum signal_form signal_reader_form(const struct signal_reader *r)
{
	return r->form;
}

enum sahm_status signal_reader_row(struct signal_reader *r, struct signal_row *row, bool *more, struct sahm_err *err)
{
	enum sahm_status status =
		r->form == SIGNALS_BINARY ? signals_binary_row(r, row, more, err) : signals_csv_row(r, row, more, err);
	if (status == SAHM_OK && *more) {
		if (!(r->columns.flags & SIGNALS_HAVE_CYCLE))
			row->cycle = r->nr_rows;
		r->last_cycle = row->cycle;
		r->nr_rows++;
	}
	return status;
}

bool signal_reader_last_cycle(const struct signal_reader *r, uint64_t *cycle)
{
	*cycle = r->last_cycle;
	return r->nr_rows > 0;
}

static void put(struct signal_reader *r, struct signal_set *set, uint64_t cycle, uint32_t mhz, uint32_t valid)
{
	const struct abi_signal *addr = r->abi->addr;
	*set = (struct signal_set){.cycle = cycle, .hit_mhz = mhz, .valid = valid, .values = r->values};
	if (addr && (valid >> addr->reg & 1)) {
		set->has_address = true;
		set->address = r->values[addr->reg];
	}
}

/* Takes the values of the row over; returns the IORegs of those that are valid now for that reason alone. */
static uint32_t take_row(struct signal_reader *r)
{
	bool keeps_values = r->columns.flags & SIGNALS_HAVE_CYCLE;
	uint32_t valid = 0;
	for (unsigned c = 0; c < r->columns.nr; c++) {
		if (!(r->row.filled >> c & 1))
			continue;
		unsigned reg = r->signals[c]->reg;
		r->values[reg] = r->row.values[c];
		if (!keeps_values || r->group_of[c] == NO_GROUP) {
			valid |= UINT32_C(1) << reg;
			continue;
		}
		struct rate_group *g = &r->groups[r->group_of[c]];
		if (!g->held)
			g->due = r->row.cycle + (g->rate - r->row.cycle % g->rate) % g->rate;
		g->held |= UINT32_C(1) << reg;
	}
	r->has_row = false;
	return valid;
}

/* The IORegs that are valid in `cycle` because of their rate. */
static uint32_t take_due(struct signal_reader *r, uint64_t cycle)
{
	uint32_t valid = 0;
	for (struct rate_group *g = r->groups; g < r->groups + r->nr_groups; g++) {
		if (!g->held || g->due != cycle)
			continue;
		valid |= g->held;
		g->due += g->rate;
	}
	return valid;
}

static uint64_t first_due(const struct signal_reader *r)
{
	uint64_t due = NEVER;
	for (unsigned g = 0; g < r->nr_groups; g++)
		if (r->groups[g].held && r->groups[g].due < due)
			due = r->groups[g].due;
	return due;
}

enum sahm_status signal_reader_set(struct signal_reader *r, struct signal_set *set, bool *more, struct sahm_err *err)
{
	for (;;) {
		if (!r->has_row) {
			enum sahm_status status = signal_reader_row(r, &r->row, &r->has_row, err);
			*more = r->has_row;
			if (status != SAHM_OK || !*more)
				return status;
		}
		*more = true;
		uint64_t due = first_due(r);
		if (due < r->row.cycle) {
			put(r, set, due, 0, take_due(r, due));
			return SAHM_OK;
		}
		uint32_t valid = take_row(r);
		valid |= take_due(r, r->row.cycle);
		if (valid == 0 && r->row.hit_mhz == 0)
			continue;
		put(r, set, r->row.cycle, r->row.hit_mhz, valid);
		return SAHM_OK;
	}
}

void signal_set_apply(const struct signal_set *set, struct ipu_unit *u)
{
	if (set->hit_mhz > 0)
		ipu_unit_set_hit_mhz(u, set->cycle, set->hit_mhz);
	if (set->has_address)
		ipu_unit_address(u, set->cycle, set->address);
	if (set->valid != 0)
		ipu_unit_input(u, set->cycle, set->valid, set->values);
}
