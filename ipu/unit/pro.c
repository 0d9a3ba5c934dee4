/* IPU_pro: the operations of a unit that has soft logic. */
#include "ipu/unit/pro.h"

#include <inttypes.h>
#include <stdlib.h>

#include "ipu/unit/unit_soft_internal.h"
#include "sim/base/suggest.h"

struct ipu_pro_unit {
	struct ipu_lite lite;
	struct unit_soft soft;
};

static struct ipu_pro_unit *pro_of(struct ipu_unit *u)
{
	return (struct ipu_pro_unit *)u;
}

static const struct ipu_pro_unit *pro_of_const(const struct ipu_unit *u)
{
	return (const struct ipu_pro_unit *)u;
}

static void pro_free(struct ipu_unit *unit)
{
	struct ipu_pro_unit *p = pro_of(unit);
	ipu_lite_release(&p->lite);
	unit_soft_release(&p->soft);
	free(p);
}

static void pro_input(struct ipu_unit *unit, uint64_t hit_cycle, uint32_t valid, const uint64_t values[NR_IOREGS])
{
	ipu_lite_ops.advance(unit, hit_cycle);
	unit_soft_arrive(lite_of(unit), valid, values);
	ipu_lite_ops.input(unit, hit_cycle, valid, values);
}

static uint32_t pro_waiting(struct ipu_unit *unit)
{
	struct ipu_pro_unit *p = pro_of(unit);
	unit_soft_take_packets(&p->lite);
	return p->lite.fifo.used + p->soft.fifo.used;
}

static bool pro_take(struct ipu_unit *unit, struct ipu_packet *packet)
{
	struct ipu_pro_unit *p = pro_of(unit);
	uint64_t sent_at = 0, soft_sent_at = 0;
	unit_soft_take_packets(&p->lite);
	bool has = unit_fifo_peek(&p->lite.fifo, &sent_at), has_soft = unit_fifo_peek(&p->soft.fifo, &soft_sent_at);
	bool is_soft = has_soft && (!has || soft_sent_at < sent_at);
	return unit_fifo_take(is_soft ? &p->soft.fifo : &p->lite.fifo, packet);
}

/* The module may send packets in any cycle. */
static bool pro_acts_alone(const struct ipu_unit *unit)
{
	(void)unit;
	return true;
}

static bool pro_soft_counts(const struct ipu_unit *unit, struct ipu_soft_counts *counts)
{
	*counts = unit_soft_counts(lite_of_const(unit));
	return true;
}

static enum sahm_status pro_check(const struct ipu_unit *unit, struct sahm_err *err)
{
	const struct unit_soft *s = &pro_of_const(unit)->soft;
	enum sahm_status status = soft_check(s->pro->soft, err);
	return status == SAHM_OK && s->failed != SAHM_OK ? sahm_fail_nomem(err) : status;
}

static enum sahm_status make_pro(const struct ipu_unit_maker *m, struct ipu_unit **unit,
				 const struct ipu_unit_config *config, struct sahm_err *err)
{
	const struct ipu_pro *pro = (const struct ipu_pro *)m;
	struct ipu_pro_unit *p = calloc(1, sizeof(*p));
	if (!p)
		return sahm_fail_nomem(err);
	enum sahm_status status = ipu_lite_init(&p->lite, config, err);
	if (status == SAHM_OK)
		status = unit_soft_init(&p->soft, pro, config, err);
	p->lite.unit.ops = &pro->ops;
	p->lite.soft = &p->soft;
	/* The soft clock ends there, too. */
	if (status == SAHM_OK && p->soft.soft > p->soft.ipu.by)
		p->lite.last_whole = (uint64_t)((wide)IPU_MAX_CYCLE * p->soft.ipu.by / p->soft.soft);
	if (status == SAHM_OK)
		*unit = &p->lite.unit;
	else
		pro_free(&p->lite.unit);
	return status;
}

static enum sahm_status fail_signal(const struct soft *soft, const struct soft_input *in, const struct abi *abi,
				    struct sahm_err *err)
{
	char near[SUGGEST_BYTES];
	struct suggest s;
	suggest_init(&s, in->name);
	for (unsigned i = 0; i < abi->nr_signals; i++)
		suggest_offer(&s, abi->signals[i].name);
	return sahm_fail(err, SAHM_CONFIG, "%s: soft logic '%s' has an input '%s', which is no signal of '%s'%s",
			 soft_file(soft), soft_description(soft)->name, in->name, abi->name, suggest_text(&s, near));
}

enum sahm_status ipu_pro_init(struct ipu_pro *pro, struct soft *soft, const struct abi *abi, uint32_t soft_mhz,
			      struct sahm_err *err)
{
	const struct soft_module *m = soft_description(soft);
	*pro = (struct ipu_pro){.maker = {make_pro}, .ops = ipu_lite_ops, .soft = soft, .soft_mhz = soft_mhz};
	pro->ops.free = pro_free;
	pro->ops.input = pro_input;
	pro->ops.waiting = pro_waiting;
	pro->ops.take = pro_take;
	pro->ops.acts_alone = pro_acts_alone;
	pro->ops.soft_counts = pro_soft_counts;
	pro->ops.check = pro_check;
	if (soft_mhz < IPU_MIN_MHZ || soft_mhz > IPU_MAX_MHZ)
		return sahm_fail(err, SAHM_RANGE, "a soft clock of %" PRIu32 " MHz, must be from %u to %u", soft_mhz,
				 IPU_MIN_MHZ, IPU_MAX_MHZ);
	for (uint32_t i = 0; i < m->nr_inputs; i++) {
		const struct soft_input *in = &m->inputs[i];
		const struct abi_signal *signal = abi_find(abi, in->name);
		if (!signal)
			return fail_signal(soft, in, abi, err);
		if (signal->bits != in->bits)
			return sahm_fail(
				err, SAHM_CONFIG,
				"%s: input '%s' of soft logic '%s' has %" PRIu32 " bits, signal '%s' of '%s' has %u",
				soft_file(soft), in->name, m->name, in->bits, signal->name, abi->name, signal->bits);
		pro->regs[i] = (uint8_t)signal->reg;
	}
	return SAHM_OK;
}
