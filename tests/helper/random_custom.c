/* The items of random programs that are the IPU's own: input reads, hashes, histograms, hardware loops. In programs
 * that others run, too, there is ordinary code instead. */
#include "tests/helper/random_program_internal.h"

#define MOST_BODY_BYTES 2044u

void input_or_hash(struct maker *m)
{
	static const uint32_t hows[] = {2, 2, 2, 3, 6, 7};
	bool reads = m->p->has_inputs || (m->p->kind == RANDOM_WILD && one_in(&m->rng, 16));
	uint32_t rs1 = pick_rs(m), rs2 = pick_rs(m), how = PICK(&m->rng, hows), input = pick_number(m, 0, 63);

	if (m->p->kind == RANDOM_LINUX)
		emit(m, random_computation(m));
	else if (!reads || one_in(&m->rng, 3))
		emit(m, encode_hash(pick_rd(m), rs1, rs2));
	else if (m->p->kind == RANDOM_WILD && one_in(&m->rng, 64))
		emit(m, encode_i(OP_SYSTEM, one_in(&m->rng, 2) ? 1 : how, pick_rd(m), 1, 0xcc0 + input));
	else
		emit(m, encode_i(OP_SYSTEM, how, pick_rd(m), 0, 0xcc0 + input));
}

struct descriptor {
	uint32_t at, counters, nr_bins, nr_lanes, lane_bits, shift, mode, limit;
};

/* One for ipu.hist, or, with an input below 32, for ipu.histin. */
static struct descriptor valid_descriptor(struct maker *m, uint32_t input)
{
	uint32_t room = input < 32 ? 64 : 32, words = RANDOM_DATA_BYTES / 4;
	struct descriptor d = {
		.at = m->p->data_base + 4 * pick_number(m, 0, words - 4),
		.mode = pick_number(m, 0, 1),
		.lane_bits = 1,
		.limit = random_value(&m->rng),
	};

	if (d.mode == 0) {
		d.lane_bits = one_in(&m->rng, 2) ? pick_number(m, 1, 32) : UINT32_C(1) << pick_number(m, 0, 5);
		uint32_t most = room / d.lane_bits;
		d.nr_lanes = one_in(&m->rng, 2) ? (most < 32 ? most : 32) : pick_number(m, 1, most < 32 ? most : 32);
		d.shift = one_in(&m->rng, 2) ? pick_number(m, 0, d.lane_bits - 1)
			  : d.lane_bits > 3  ? d.lane_bits - 3
					     : 0;
		d.nr_bins = one_in(&m->rng, 8) ? pick_number(m, 1, words) : pick_number(m, 1, 9);
	} else {
		uint32_t most = input < 32 ? 32 - input : 32;
		d.nr_lanes = one_in(&m->rng, 2) ? most : pick_number(m, 1, most);
		d.nr_bins = d.nr_lanes + pick_number(m, 0, 2);
	}
	d.counters = m->p->data_base + 4 * pick_number(m, 0, words - d.nr_bins);
	return d;
}

/* Something that must not be, mostly just beyond what may be. */
static void spoil(struct maker *m, struct descriptor *d, uint32_t input)
{
	uint32_t first = m->p->flat ? m->p->base : m->p->data_base, end = m->p->data_base + RANDOM_DATA_BYTES;

	switch (between(&m->rng, 0, 11)) {
	case 0:
		d->nr_bins = one_in(&m->rng, 2) ? 0 : 8193;
		break;
	case 1:
		d->nr_lanes = one_in(&m->rng, 2) ? 0 : 33;
		break;
	case 2:
		d->lane_bits = one_in(&m->rng, 2) ? 0 : 33;
		break;
	case 3:
		d->shift = d->lane_bits;
		break;
	case 4:
		d->mode = pick_number(m, 2, 255);
		break;
	case 5: /* a lane more than there is room for */
		d->nr_lanes = d->mode == 0 ? (input < 32 ? 64 : 32) / d->lane_bits + 1 : 33 - (input & 31);
		d->nr_bins = d->mode == 0 ? d->nr_bins : d->nr_lanes;
		break;
	case 6:
		d->mode = 1;
		d->nr_bins = d->nr_lanes - 1;
		break;
	case 7:
		d->counters = end - 4 * d->nr_bins + pick_number(m, 1, 4);
		break;
	case 8:
		d->counters = first - pick_number(m, 1, 4);
		break;
	case 9:
		d->counters += d->counters + 4 * d->nr_bins < end ? pick_number(m, 1, 3) : 4;
		break;
	case 10: /* one word has to be moved with it: the others are where they are */
		d->at = end - pick_number(m, 1, 12);
		break;
	default:
		d->at = one_in(&m->rng, 2) ? first - pick_number(m, 1, 4) : d->at | pick_number(m, 1, 3);
		break;
	}
}

void histogram_update(struct maker *m)
{
	bool is_input = m->p->has_inputs && one_in(&m->rng, 2),
	     is_bad = m->p->kind == RANDOM_WILD && one_in(&m->rng, 2);
	uint32_t input = is_input ? pick_number(m, 0, 31) : 32, t = pick_scratch(m, 0), value = pick_scratch(m, t);
	struct descriptor d = valid_descriptor(m, input);
	uint32_t place = d.at;

	if (m->p->kind == RANDOM_LINUX)
		return;
	if (is_bad)
		spoil(m, &d, input);
	const uint32_t words[] = {d.counters, d.nr_bins, d.nr_lanes | d.lane_bits << 8 | d.shift << 16 | d.mode << 24,
				  d.limit};
	m->whole++;
	emit_li(m, t, place);
	for (uint32_t i = 0; i < 4; i++) {
		emit_li(m, value, words[i]);
		emit(m, encode_s(OP_STORE, 2, t, value, 4 * i));
	}
	if (d.at != place)
		emit_li(m, t, d.at);
	m->whole--;
	/* Counters that are also the descriptor may make nonsense of it. */
	bool overlaps = d.counters - place < 16 || place - d.counters < 4 * d.nr_bins;
	m->reserved |= UINT32_C(1) << t;
	for (unsigned i = overlaps ? 1 : pick_number(m, 1, 3); i > 0; i--) {
		emit(m, is_input ? encode_histin(t, input) : encode_hist(t, pick_rs(m)));
		if (one_in(&m->rng, 4))
			emit(m, random_computation(m));
	}
	m->reserved &= ~(UINT32_C(1) << t);
}

/* A body that is done a few times, or not at all; it ends by falling out of it, by jumps to its end, now and then by a
 * jump or a call to somewhere else, and sometimes within what belongs together, or within an instruction. */
void hardware_loop(struct maker *m)
{
	bool is_nested = m->in_hardware_loop, may_fault = m->p->kind == RANDOM_WILD;
	uint64_t times = between(&m->rng, 0, 5);
	uint32_t t = pick_scratch(m, 0);

	if (m->p->kind == RANDOM_LINUX || (is_nested && (!may_fault || !one_in(&m->rng, 4))))
		return;
	if (m->weight * (times + 1) * 16 > MOST_LOOP_STEPS)
		return;
	if (one_in(&m->rng, 2))
		bind_all(m); /* else they may lead into the body */
	m->whole++;
	emit_li(m, t, (uint32_t)times);
	uint32_t at = m->at;
	emit(m, encode_loop(t, 4));
	m->whole--;
	m->in_hardware_loop = true;
	m->weight *= times + 1;
	for (unsigned i = pick_number(m, 1, one_in(&m->rng, 2) ? 2 : 6); i > 0; i--)
		emit_item(m);
	if (m->at == at + 4)
		emit(m, random_computation(m)); /* later values, such as counters, may not be repeated */
	if ((m->at - at) % 4 != 0)
		emit(m, ENCODED_C_NOP);
	if (one_in(&m->rng, 2))
		bind_all(m); /* to its end exactly */
	m->weight /= times + 1;
	m->in_hardware_loop = is_nested;
	uint32_t nr_bytes = m->at - at - 4;
	bool is_long = nr_bytes > MOST_BODY_BYTES;
	/* A jump past the body must not lead into it. */
	if (times > 0 && (is_long || one_in(&m->rng, 6)))
		nr_bytes = 4 * pick_number(m, 1, (is_long ? MOST_BODY_BYTES : nr_bytes) / 4);
	put(m, at, times == 0 && is_long ? encode_addi(0, 0, 0) : encode_loop(t, nr_bytes));
}
