/* sahm ipu attach, config-image, config-start, config-stop, pause, resume, finalize, feed, wait, drain: a session's
 * calls, a command each (ipu/unit/session_call_list.h); sahm ipu status. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ipu/unit/session.h"
#include "sim/base/array.h"
#include "sim/base/file.h"
#include "sim/base/lock.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/ipu_packets.h"
#include "sim/cli/ipu_request.h"
#include "sim/cli/output.h"

/* The operand after SESSION, if any. */
static const struct operand {
	const char *value; /* "ADDR" or NULL */
	enum ipu_argument argument;
} operands[NR_IPU_CALLS] = {
#define CALL(symbol, id, name, operand, summary, details)
#define OPTION(call, argument, needed, name, value, kind, min, max, help)
#define OPERAND(call, argument, name, value, kind, min, max, help) [IPU_CALL_##call] = {value, IPU_ARG_##argument},
#define END(call)
#include "ipu/unit/session_call_list.h"
#undef CALL
#undef OPERAND
#undef OPTION
#undef END
};

struct request {
	struct arena arena;
	const char *session;
	struct ipu_call call;
	struct packet_writer packets;
};

static enum sahm_status set_argument(struct request *r, enum ipu_argument argument, const char *text,
				     const char *prefix, struct sahm_err *err)
{
	char path[IPU_PATH_BYTES];
	enum sahm_status status = SAHM_OK;
	if (argument == IPU_ARG_ABI || argument == IPU_ARG_IMAGE || argument == IPU_ARG_TRUST) {
		status = (argument == IPU_ARG_ABI     ? find_ipu_abi
			  : argument == IPU_ARG_IMAGE ? find_ipu_program
						      : find_ipu_trust)(text, path, err);
		text = path;
	}
	return status == SAHM_OK ? ipu_call_set(&r->call, &r->arena, argument, text, prefix, err) : status;
}

static enum sahm_status take_operand(void *request, struct option_walk *w, struct sahm_err *err)
{
	struct request *r = request;
	const struct operand *o = &operands[r->call.kind];
	if (!r->session) {
		r->session = w->value;
		return SAHM_OK;
	}
	if (!o->value || r->call.given >> o->argument & 1)
		return sahm_fail(err, SAHM_USAGE, "'%s' is too many: sahm ipu %s SESSION%s%s", w->value,
				 ipu_call_name(r->call.kind), o->value ? " " : "", o->value ? o->value : "");
	return set_argument(r, o->argument, w->value, "", err);
}

static enum sahm_status take_argument(void *request, struct option_walk *w, struct sahm_err *err)
{
	return set_argument(request, (enum ipu_argument)w->row->value_is, w->value ? w->value : "", "--", err);
}

/* The options of all calls, concatenated. */
enum {
#define CALL(symbol, id, name, operand, summary, details) FIRST_##symbol, BACK_##symbol = FIRST_##symbol - 1,
#define OPERAND(call, argument, name, value, kind, min, max, help)
#define OPTION(call, argument, needed, name, value, kind, min, max, help) ROW_##call##_##argument,
#define END(call) ROW_##call##_END,
#include "ipu/unit/session_call_list.h"
#undef CALL
#undef OPTION
#undef END
	NR_ROWS
};

static const struct option_row option_rows[NR_ROWS] = {
#define CALL(symbol, id, name, operand, summary, details)
#define OPTION(call, argument, needed, name, value, kind, min, max, help)                                              \
	[ROW_##call##_##argument] = {                                                                                  \
		name, 0, value, help, OPTION_TAKE, .value_is = IPU_ARG_##argument, .take = take_argument},
#define END(call) [ROW_##call##_END] = {TAKE_OPERANDS(take_operand), .written = true},
#include "ipu/unit/session_call_list.h"
#undef CALL
#undef OPERAND
#undef OPTION
#undef END
};

static enum sahm_status check(const struct request *r, struct sahm_err *err)
{
	const struct operand *o = &operands[r->call.kind];
	if (!r->session || (o->value && !(r->call.given >> o->argument & 1)))
		return sahm_fail(err, SAHM_USAGE, "%s is missing: sahm ipu %s SESSION%s%s",
				 r->session ? o->value : "SESSION", ipu_call_name(r->call.kind), o->value ? " " : "",
				 o->value ? o->value : "");
	if (r->call.kind == IPU_CALL_ATTACH && !(r->call.given >> IPU_ARG_ABI & 1))
		return sahm_fail(err, SAHM_USAGE, "--abi is missing: sahm ipu attach SESSION --abi SPEC");
	return ipu_call_check(&r->call, "--", err);
}

/* Reads the session and does again what was done. An empty file is one where nothing has been done yet. */
static enum sahm_status open_session(struct ipu_session **s, const char *path, bool may_be_new, struct sahm_err *err)
{
	char *text;
	size_t len;
	enum sahm_status status = file_read_regular(path, IPU_MAX_SESSION_BYTES, &text, &len, err);
	if (status != SAHM_OK)
		return status;
	if (len == 0 && may_be_new)
		status = ipu_session_new(s, path, err);
	else
		status = ipu_session_read(s, path, text, len, err);
	free(text);
	return status;
}

static enum sahm_status write_session(const struct ipu_session *s, const char *path, struct sahm_err *err)
{
	struct atomic_file f;
	const struct textbuf *text = ipu_session_text(s);
	enum sahm_status status = atomic_file_open(&f, path, err);
	if (status != SAHM_OK)
		return status;
	fwrite(text->text, 1, text->len, f.stream);
	return atomic_file_commit(&f, err);
}

static void write_status(struct ipu_session *s, unsigned unit, struct textbuf *out)
{
	const struct ipu_unit *u = ipu_device_unit(ipu_session_device(s), unit);
	enum ipu_status status = ipu_unit_status(u);
	textbuf_puts(out, ipu_status_text(status));
	if (status == IPU_ERROR) {
		struct ipu_fault f = ipu_unit_fault(u);
		textbuf_printf(out, ": %s in %s at pc 0x%04" PRIx32, hart_cause_text(f.cause), f.routine, f.pc);
		if (hart_cause_has_address(f.cause))
			textbuf_printf(out, ", address 0x%08" PRIx32, f.address);
	}
	textbuf_putc(out, '\n');
}

static void print_new_units(unsigned first, unsigned end)
{
	uint32_t base = first * IPU_REGION_BYTES, behind = end * IPU_REGION_BYTES;
	if (end - first == 1)
		print_line("unit %u at addresses 0x%08" PRIx32 " to 0x%08" PRIx32, first, base, behind - 1);
	else
		print_line("units %u to %u at addresses 0x%08" PRIx32 " to 0x%08" PRIx32, first, end - 1, base,
			   behind - 1);
}

/* The units that a call was about. */
static void print_units(struct ipu_session *s, const struct ipu_call *call)
{
	struct ipu_device *d = ipu_session_device(s);
	unsigned nr = ipu_device_nr_units(d);
	uint64_t unit = ipu_call_number(call, IPU_ARG_UNIT, 0);
	bool is_all = unit == IPU_ALL_UNITS;
	unsigned first = is_all ? 0 : (unsigned)unit, end = is_all ? nr : first + 1;
	if (call->kind == IPU_CALL_ATTACH) {
		print_new_units(nr - (unsigned)ipu_call_number(call, IPU_ARG_UNITS, 1), nr);
		return;
	}
	struct textbuf out;
	textbuf_init(&out);
	for (; first < end; first++) {
		textbuf_printf(&out, "unit %u at cycle %" PRIu64 ": ", first,
			       ipu_unit_hit_cycle(ipu_device_unit(d, first)));
		write_status(s, first, &out);
	}
	print_text(&out);
	textbuf_release(&out);
}

static enum sahm_status take_packet(void *context, unsigned unit, const struct ipu_packet *packet, struct sahm_err *err)
{
	struct request *r = context;
	(void)unit;
	(void)err;
	packet_writer_put(&r->packets, packet);
	return SAHM_OK;
}

static enum sahm_status begin_packets(struct request *r, struct ipu_session *s, struct sahm_err *err)
{
	struct ipu_device *d = ipu_session_device(s);
	uint64_t unit = ipu_call_number(&r->call, IPU_ARG_UNIT, 0);
	uint32_t mhz = unit < ipu_device_nr_units(d) ? ipu_device_config(d, (unsigned)unit)->ipu_mhz : IPU_DEFAULT_MHZ;
	return packet_writer_open(&r->packets, "-", false, PACKETS_CSV, mhz, err);
}

static enum sahm_status drain(struct request *r, struct ipu_session *s, struct sahm_err *err)
{
	const struct ipu_packet_sink sink = {take_packet, r};
	enum sahm_status status = begin_packets(r, s, err);
	return status == SAHM_OK ? packet_writer_close(&r->packets, ipu_session_make(s, &r->call, &sink, err), err)
				 : status;
}

static enum sahm_status make_call(struct request *r, struct sahm_err *err)
{
	struct ipu_session *s;
	struct file_lock lock;
	bool attaches = r->call.kind == IPU_CALL_ATTACH && !(r->call.given >> IPU_ARG_ADD & 1);
	bool drains = r->call.kind == IPU_CALL_DRAIN;
	enum sahm_status status = file_lock_take(&lock, r->session, attaches, err);
	if (status != SAHM_OK)
		return status;
	status = open_session(&s, r->session, attaches, err);
	if (status == SAHM_OK) {
		if (attaches && ipu_device_nr_units(ipu_session_device(s)) > 0)
			status = sahm_fail(err, SAHM_USAGE,
					   "the session '%s' is there already; --add gives it more units", r->session);
		else
			status = drains ? drain(r, s, err) : ipu_session_make(s, &r->call, NULL, err);
		if (status == SAHM_OK && !drains)
			print_units(s, &r->call);
		/* Prints before the session is saved: a call that fails, even while printing, has not happened and
		 * can be repeated. Packets leave a session only once they are printed. */
		if (status == SAHM_OK)
			status = flush_output(err);
		if (status == SAHM_OK)
			status = write_session(s, r->session, err);
		ipu_session_free(s);
	}
	file_lock_release(&lock);
	return status;
}

static enum sahm_status run_call(enum ipu_call_kind kind, const struct option_row *options, char **args,
				 struct sahm_err *err)
{
	struct request r = {.call.kind = kind};
	arena_init(&r.arena);
	enum sahm_status status = options_parse(options, args, &r, err);
	if (status == SAHM_OK)
		status = check(&r, err);
	if (status == SAHM_OK)
		status = make_call(&r, err);
	arena_release(&r.arena);
	return status;
}

#define OPERAND(call, argument, name, value, kind, min, max, help)
#define OPTION(call, argument, needed, name, value, kind, min, max, help)
#define END(call)
#define CALL(symbol, id, name, operand, summary, details)                                                              \
	static enum sahm_status run_##id(char **args, struct sahm_err *err)                                            \
	{                                                                                                              \
		return run_call(IPU_CALL_##symbol, &option_rows[FIRST_##symbol], args, err);                           \
	}
#include "ipu/unit/session_call_list.h"
#undef CALL

#define CALL(symbol, id, name, operand, summary, details) extern const struct command command_ipu_##id;
#include "ipu/unit/session_call_list.h"
#undef CALL

#define CALL(symbol, id, call_name, operand, call_summary, call_details)                                               \
	const struct command command_ipu_##id = {                                                                      \
		.name = "ipu " call_name,                                                                              \
		.operands = "SESSION" operand,                                                                         \
		.summary = call_summary,                                                                               \
		.details = call_details,                                                                               \
		.options = &option_rows[FIRST_##symbol],                                                               \
		.run = run_##id,                                                                                       \
	};
#include "ipu/unit/session_call_list.h"
#undef CALL

/* sahm ipu status */

static enum sahm_status take_session(void *session, struct option_walk *w, struct sahm_err *err)
{
	const char **path = session;
	if (*path)
		return sahm_fail(err, SAHM_USAGE, "'%s' is too many: sahm ipu status SESSION", w->value);
	*path = w->value;
	return SAHM_OK;
}

static const struct option_row status_options[] = {{TAKE_OPERANDS(take_session)}};

/* A walk over registers that remembers the first failure. */
struct registers {
	struct ipu_device *d;
	unsigned unit;
	enum sahm_status status;
	struct sahm_err *err;
};

static uint32_t read_word(struct registers *r, uint32_t offset)
{
	uint32_t value = 0;
	if (r->status == SAHM_OK)
		r->status = ipu_device_read32(r->d, ipu_unit_hit_cycle(ipu_device_unit(r->d, r->unit)),
					      (uint64_t)r->unit * IPU_REGION_BYTES + offset, &value, r->err);
	return value;
}

static uint64_t read_pair(struct registers *r, uint32_t offset)
{
	uint32_t low = read_word(r, offset);
	return (uint64_t)read_word(r, offset + 4) << 32 | low;
}

static void write_trigger(struct registers *r, uint32_t offset, bool is_set, struct textbuf *out)
{
	char text[24] = "-";
	if (is_set)
		snprintf(text, sizeof(text), "0x%" PRIx64, read_pair(r, offset));
	textbuf_printf(out, "  %10s", text);
}

/* A unit's row; all of it but the fault comes over the bus. */
static enum sahm_status write_row(struct ipu_session *s, unsigned unit, struct textbuf *out, struct sahm_err *err)
{
	struct registers r = {ipu_session_device(s), unit, SAHM_OK, err};
	static const uint32_t counters[] = {IPU_REG_ARRIVED, IPU_REG_TAKEN, IPU_REG_DROPPED, IPU_REG_PACKETS,
					    IPU_REG_LOST_PACKETS};
	uint32_t base = unit * IPU_REGION_BYTES, triggers = read_word(&r, IPU_REG_TRIGGERS);
	textbuf_printf(out, "%4u  0x%08" PRIx32 " to 0x%08" PRIx32 "  %10" PRIu64, unit, base,
		       base + IPU_REGION_BYTES - 1, read_pair(&r, IPU_REG_HIT_CYCLE));
	write_trigger(&r, IPU_REG_TS, triggers & IPU_HAS_TS, out);
	write_trigger(&r, IPU_REG_TE, triggers & IPU_HAS_TE, out);
	for (size_t i = 0; i < ARRAY_SIZE(counters); i++)
		textbuf_printf(out, "  %8" PRIu64, read_pair(&r, counters[i]));
	textbuf_printf(out, "  %7" PRIu32 "  ", read_word(&r, IPU_REG_FIFO_WAITING));
	if (r.status == SAHM_OK)
		write_status(s, unit, out);
	return r.status;
}

static enum sahm_status run_status(char **args, struct sahm_err *err)
{
	struct ipu_session *s;
	const char *path = NULL;
	enum sahm_status status = options_parse(status_options, args, &path, err);
	if (status == SAHM_OK && !path)
		status = sahm_fail(err, SAHM_USAGE, "SESSION is missing: sahm ipu status SESSION");
	/* Without its lock: a session that is being changed is there as it was, or as it will be. */
	if (status == SAHM_OK)
		status = open_session(&s, path, false, err);
	if (status != SAHM_OK)
		return status;
	struct textbuf out;
	textbuf_init(&out);
	textbuf_printf(&out, "%4s  %-24s  %10s  %10s  %10s  %8s  %8s  %8s  %8s  %8s  %7s  %s\n", "unit", "addresses",
		       "cycle", "TS", "TE", "arrived", "taken", "dropped", "packets", "lost", "waiting", "status");
	for (unsigned i = 0; status == SAHM_OK && i < ipu_device_nr_units(ipu_session_device(s)); i++)
		status = write_row(s, i, &out, err);
	if (textbuf_failed(&out))
		status = sahm_fail_nomem(err);
	print_text(&out);
	textbuf_release(&out);
	ipu_session_free(s);
	return status;
}

extern const struct command command_ipu_status;
const struct command command_ipu_status = {
	.name = "ipu status",
	.operands = "SESSION",
	.summary = "show the IPUs of a session: addresses, triggers, counts, status",
	.details = "Prints one row per unit: the addresses of its registers and memory in the device's address "
		   "space; the current cycle of its HIT; the addresses at which processing begins (TS) and ends "
		   "(TE); the input sets that arrived since its image was loaded, and how many of them were "
		   "processed or dropped; packets sent, and packets lost because the FIFO was full or the "
		   "bandwidth was used up; bytes that wait for `sahm ipu drain` (16 of them per packet are its "
		   "header); its status, and the reason if that is ERROR.",
	.options = status_options,
	.run = run_status,
};
