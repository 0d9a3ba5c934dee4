#include "sim/cli/pics_ipu.h"

#include <inttypes.h>

#include "ipu/unit/mode.h"
#include "sim/base/array.h"
#include "sim/cli/command.h"
#include "sim/cli/ipu_summary.h"

#define PERIOD_SYMBOL "period"
/* One missed sample for this many is no reason to warn. */
#define FEW_MISSED 20u

static enum sahm_status check(const struct pics_ipu_request *r, struct sahm_err *err)
{
	const char *const given[] = {r->of_hit_mhz,
				     r->of_ipu_mhz,
				     r->of_mode,
				     r->of_start,
				     r->of_stop,
				     r->of_engine,
				     r->settings.nr > 0 ? "ipu-set" : NULL,
				     r->packets ? "packets" : NULL,
				     r->abi ? "abi" : NULL,
				     r->trust ? "trust" : NULL};
	for (size_t i = 0; i < ARRAY_SIZE(given) && !r->program; i++)
		if (given[i])
			return sahm_fail(err, SAHM_USAGE, "--%s has no effect without --ipu", given[i]);
	return SAHM_OK;
}

enum sahm_status pics_ipu_read(struct pics_ipu *x, const struct pics_ipu_request *r, struct sahm_err *err)
{
	const char *const outputs[] = {r->packets};
	const struct ipu_load_request load = {.program = r->program,
					      .abi = r->abi ? r->abi : DEFAULT_PICS_ABI,
					      .trust = r->trust,
					      .settings = &r->settings,
					      .engine = r->engine,
					      .outputs = outputs,
					      .nr_outputs = ARRAY_SIZE(outputs)};
	x->request = r;
	textbuf_init(&x->mode);
	enum sahm_status status = check(r, err);
	if (status != SAHM_OK || !r->program)
		return status;
	status = ipu_loaded_read_abi(&x->loaded, &load, err);
	if (status == SAHM_OK)
		status = core_wire(&x->loaded.abi, &x->wiring, err);
	if (status == SAHM_OK && (r->of_start || r->of_stop) && x->wiring.addr < 0)
		status = sahm_fail(err, SAHM_USAGE,
				   "--%s needs a signal that ADDR is wired to, which '%s' does not have",
				   r->of_start ? "start" : "stop", x->loaded.abi.name);
	return status == SAHM_OK ? ipu_loaded_read(&x->loaded, &load, err) : status;
}

void pics_ipu_release(struct pics_ipu *x)
{
	struct sahm_err err;
	packet_writer_close(&x->writer, SAHM_GUEST, &err);
	core_probe_free(x->probe);
	ipu_loaded_release(&x->loaded);
	ipu_samples_release(&x->stacks.samples);
	textbuf_release(&x->mode);
}

static void drain(void *ctx, struct ipu_unit *u)
{
	struct pics_ipu *x = ctx;
	struct ipu_packet packet;
	while (ipu_unit_take(u, &packet)) {
		ipu_samples_add(&x->stacks.samples, &packet);
		if (x->writer.out)
			packet_writer_put(&x->writer, &packet);
	}
}

/* A variable of the program as it is at power-on; 0: it has none. */
static uint32_t variable(const struct ipu_loaded *x, const char *name)
{
	const struct elf_symbol *s = elf_image_find(x->image, name);
	const uint8_t *data = ipu_program_scratchpad(x->program);
	if (!s || s->is_function || s->address < IPU_SCRATCHPAD_BASE ||
	    s->address - IPU_SCRATCHPAD_BASE > IPU_SCRATCHPAD_BYTES - 4)
		return 0;
	data += s->address - IPU_SCRATCHPAD_BASE;
	return data[0] | (uint32_t)data[1] << 8 | (uint32_t)data[2] << 16 | (uint32_t)data[3] << 24;
}

enum sahm_status pics_ipu_begin(struct pics_ipu *x, const struct core_timing *t, bool force, struct sahm_err *err)
{
	const struct pics_ipu_request *r = x->request;
	const struct core_ipu ipu = {.config = &r->config,
				     .program = x->loaded.program,
				     .has_start = r->of_start != NULL,
				     .has_stop = r->of_stop != NULL,
				     .start = r->start,
				     .stop = r->stop,
				     .drain = drain,
				     .ctx = x};
	const struct ipu_mode mode = {.mismatch = r->config.mismatch, .arg = r->config.mismatch_arg};
	ipu_mode_write(&mode, &x->mode);
	x->stacks.program = r->program;
	x->stacks.hit_mhz = r->config.hit_mhz;
	x->stacks.ipu_mhz = r->config.ipu_mhz;
	x->stacks.period = variable(&x->loaded, PERIOD_SYMBOL);
	enum sahm_status status = core_probe_new(&x->probe, t, &x->wiring, &ipu, 1, err);
	return status == SAHM_OK
		       ? packet_writer_open(&x->writer, r->packets, force, PACKETS_CSV, r->config.ipu_mhz, err)
		       : status;
}

enum sahm_status pics_ipu_end(struct pics_ipu *x, struct sahm_err *err)
{
	struct ipu_summary summary;
	enum sahm_status status = core_probe_end(x->probe, err);
	if (status == SAHM_OK && (!ipu_samples_end(&x->stacks.samples) || textbuf_failed(&x->mode)))
		status = sahm_fail_nomem(err);
	status = packet_writer_close(&x->writer, status, err);
	const struct ipu_unit *u = core_probe_unit(x->probe, 0);
	x->stacks.mode = x->mode.text;
	x->stacks.counts = ipu_unit_counts(u);
	x->stacks.core = core_probe_counts(x->probe);
	if (status != SAHM_OK)
		return status;
	if (x->stacks.counts.missed_periods > x->stacks.samples.total / FEW_MISSED && x->stacks.counts.ignored == 0)
		print_warning("the IPU misses %" PRIu64 " of its samples: one takes longer than a period",
			      x->stacks.counts.missed_periods);
	if (x->stacks.counts.skipped > 0 && x->stacks.counts.skipped == x->stacks.counts.arrived)
		print_warning("the mode %s skips all input sets: no events are seen", x->mode.text);
	ipu_summary_take(&summary, u, x->request->config.ipu_mhz, x->loaded.image);
	return ipu_summary_check(&summary, err);
}
