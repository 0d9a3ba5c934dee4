/* sahm ipu signals */
#include <inttypes.h>
#include <string.h>

#include "ipu/unit/signals.h"
#include "sim/base/clean.h"
#include "sim/base/file.h"
#include "sim/base/zstd_stream.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/ipu_request.h"
#include "sim/cli/overwriting.h"

struct request {
	const char *in, *out, *abi;
	bool force;
};

static enum sahm_status take_operand(void *request, struct option_walk *w, struct sahm_err *err)
{
	struct request *r = request;
	if (r->out)
		return sahm_fail(err, SAHM_USAGE, "one file to read and one to write: '%s' is too many", w->value);
	*(r->in ? &r->out : &r->in) = w->value;
	return SAHM_OK;
}

static const struct option_row options[] = {
	{"abi", 0, "SPEC",
	 "check names and values against this ABI spec (a file, or the name of a shipped one), and "
	 "count input sets (not on standard input, which cannot be read twice)",
	 OPTION_STRING, AT(const char *, abi)},
	{FORCE_OPTION},
	{TAKE_OPERANDS(take_operand), .written = true},
};

/* What was seen of the rows. */
struct seen {
	uint64_t nr_rows, first, last;
	uint64_t nr_filled[SIGNALS_MAX_COLUMNS];
};

static void note_row(struct seen *seen, const struct signal_columns *columns, const struct signal_row *row)
{
	if (seen->nr_rows++ == 0)
		seen->first = row->cycle;
	seen->last = row->cycle;
	for (unsigned i = 0; i < columns->nr; i++)
		seen->nr_filled[i] += row->filled >> i & 1;
}

/* Reads all rows, and writes them to `out` unless it is NULL. */
static enum sahm_status copy_rows(struct signal_reader *reader, FILE *out, enum signal_form form, struct seen *seen,
				  struct sahm_err *err)
{
	const struct signal_columns *columns = signal_reader_columns(reader);
	struct signal_row row;
	bool more;
	if (out)
		signals_write_head(out, form, columns);
	for (;;) {
		enum sahm_status status = signal_reader_row(reader, &row, &more, err);
		if (status != SAHM_OK || !more)
			return status;
		note_row(seen, columns, &row);
		if (out)
			signals_write_row(out, form, columns, &row);
	}
}

static enum sahm_status convert(struct signal_reader *reader, const char *path, bool force, struct seen *seen,
				struct sahm_err *err)
{
	struct atomic_file f;
	enum signal_form form = is_csv_path(path) ? SIGNALS_CSV : SIGNALS_BINARY;
	if (strcmp(path, "-") == 0)
		return copy_rows(reader, data_output(), SIGNALS_CSV, seen, err); /* stdout is looked after at the end */
	enum sahm_status status = atomic_file_begin(&f, path, force, err);
	if (status != SAHM_OK)
		return status;
	if (is_compressed_path(path)) {
		struct zstd_writer *w = zstd_writer_new(f.stream, UNKNOWN_SIZE);
		status = w ? copy_rows(reader, zstd_writer_stream(w), form, seen, err) : sahm_fail_nomem(err);
		if (w)
			status = zstd_writer_free(w, path, status, err);
	} else {
		status = copy_rows(reader, f.stream, form, seen, err);
	}
	if (status == SAHM_OK)
		return atomic_file_commit(&f, err);
	atomic_file_abort(&f);
	return status;
}

static bool is_level(const struct abi *abi, const char *name)
{
	const struct abi_signal *s = abi ? abi_find(abi, name) : NULL;
	return s && s->is_level;
}

static void show(const struct signal_reader *reader, const char *path, const struct abi *abi, const struct seen *seen,
		 struct textbuf *out)
{
	const struct signal_columns *c = signal_reader_columns(reader);
	textbuf_puts(out, file_label(path));
	clean_text(out->text);
	textbuf_printf(out, "\n  form: %s, a row per %s%s\n  rows: %" PRIu64 "\n",
		       signal_reader_form(reader) == SIGNALS_CSV ? "CSV" : "binary",
		       c->flags & SIGNALS_HAVE_CYCLE ? "change" : "cycle",
		       c->flags & SIGNALS_HAVE_HIT_MHZ ? ", with the HIT's clock" : "", seen->nr_rows);
	if (seen->nr_rows > 0)
		textbuf_printf(out, "  cycles: %" PRIu64 " to %" PRIu64 "\n", seen->first, seen->last);
	for (unsigned i = 0; i < c->nr; i++)
		textbuf_printf(out, "  %s: %" PRIu64 " value%s%s\n", c->names[i], seen->nr_filled[i],
			       seen->nr_filled[i] == 1 ? "" : "s", is_level(abi, c->names[i]) ? " of a level" : "");
}

/* The ABI's rates define the input sets, and rows do not show them: the file is read a second time. */
static enum sahm_status count_sets(const char *path, const struct abi *abi, uint64_t *nr, struct sahm_err *err)
{
	struct signal_reader *reader;
	struct signal_set set;
	bool more;
	enum sahm_status status = signal_reader_open(&reader, path, abi, err);
	if (status != SAHM_OK)
		return status;
	while ((status = signal_reader_set(reader, &set, &more, err)) == SAHM_OK && more)
		*nr += set.valid != 0;
	return signal_reader_free(reader, status, err);
}

static enum sahm_status show_file(const struct signal_reader *reader, const char *path, const struct abi *abi,
				  const struct seen *seen, struct sahm_err *err)
{
	struct textbuf out;
	uint64_t nr_sets = 0;
	bool counts = abi && strcmp(path, "-") != 0; /* standard input cannot be read twice */
	enum sahm_status status = counts ? count_sets(path, abi, &nr_sets, err) : SAHM_OK;
	textbuf_init(&out);
	show(reader, path, abi, seen, &out);
	if (counts)
		textbuf_printf(&out, "  input sets by '%s': %" PRIu64 "\n", abi->name, nr_sets);
	if (status == SAHM_OK)
		status = textbuf_failed(&out) ? sahm_fail_nomem(err) : print_output(OUTPUT_TEXT, &out, err);
	textbuf_release(&out);
	return status;
}

static enum sahm_status run_with(const struct request *r, const struct abi *abi, struct sahm_err *err)
{
	struct signal_reader *reader;
	struct seen seen = {0};
	enum sahm_status status = signal_reader_open(&reader, r->in, abi, err);
	if (status != SAHM_OK)
		return status;
	status = r->out ? convert(reader, r->out, r->force, &seen, err)
			: copy_rows(reader, NULL, SIGNALS_CSV, &seen, err);
	if (status == SAHM_OK && !r->out)
		status = show_file(reader, r->in, abi, &seen, err);
	else if (status == SAHM_OK)
		print_remark("%s: %" PRIu64 " row%s", r->out, seen.nr_rows, seen.nr_rows == 1 ? "" : "s");
	return signal_reader_free(reader, status, err);
}

static enum sahm_status run(char **args, struct sahm_err *err)
{
	struct request r = {0};
	struct arena arena;
	struct abi abi;
	char path[IPU_PATH_BYTES];
	arena_init(&arena);
	enum sahm_status status = options_parse(options, args, &r, err);
	if (status == SAHM_OK && !r.in)
		status = sahm_fail(err, SAHM_USAGE, "a file is missing: sahm ipu signals IN [OUT]");
	if (status == SAHM_OK)
		status = refuse_overwriting(r.out, r.in, err);
	if (status == SAHM_OK && r.abi)
		status = find_ipu_abi(r.abi, path, err);
	if (status == SAHM_OK && r.abi)
		status = refuse_overwriting(r.out, path, err);
	if (status == SAHM_OK && !r.force)
		status = refuse_existing(r.out, err);
	if (status == SAHM_OK && r.abi)
		status = abi_read(&arena, path, &abi, err);
	if (status == SAHM_OK)
		status = run_with(&r, r.abi ? &abi : NULL, err);
	arena_release(&arena);
	return status;
}

extern const struct command command_ipu_signals;
const struct command command_ipu_signals = {
	.name = "ipu signals",
	.operands = "IN [OUT]",
	.summary = "show or convert recorded signals for `ipu run`",
	.details =
		"Shows what the signals in the file IN are ('-': standard input), or writes them to OUT: as "
		"CSV if OUT ends in .csv, else in binary form, and compressed by zstd if .zst follows. '-' "
		"is standard output, in CSV. IN may have any of these forms.\n"
		"CSV: a header row with the names of the signals in any order, then one row of values per "
		"cycle of the HIT, from 0, decimal or hexadecimal with 0x. A signal with an empty cell has "
		"no value in that cycle. Blank lines and lines that begin with # are ignored. If the first "
		"column is `cycle`, there is one row per change, with rising cycles, and the rates of the "
		"ABI spec define when signals are valid: rate 0 in the rows that have them, rate r in every "
		"multiple of r, with the last value. A level of the spec makes no input set and keeps its value from "
		"row to row. A column `hit_mhz` gives the clock of the HIT from that "
		"row on. More than 10^10 valid cycles of one rate between two rows are refused, because "
		"every valid cycle takes time to process.\n"
		"Binary, little-endian: \"SAHMSIG1\"; 32 bits of flags (1: rows have a cycle, 2: rows have a "
		"clock); the number of columns in 32 bits; each column's name in 32 bytes, padded with "
		"zeros; then rows: cycle in 64 bits and clock in MHz in 32 (0: unchanged), each only if "
		"flagged, a 32-bit mask of the filled cells, and 64 bits per column.",
	.options = options,
	.run = run,
};
