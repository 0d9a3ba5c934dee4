#include "cores/uarch/ideal.h"

#include <string.h>

#include "sim/base/cfg.h"
#include "sim/base/suggest.h"

static const char *const names[NR_IDEALS] = {
#define IDEAL(suffix, name, help) [IDEAL_##suffix] = name,
#include "cores/uarch/ideal_list.h"
#undef IDEAL
};

const char *ideal_name(enum ideal part)
{
	return names[part];
}

const char *ideal_help(enum ideal part)
{
	static const char *const helps[NR_IDEALS] = {
#define IDEAL(suffix, name, help) [IDEAL_##suffix] = help,
#include "cores/uarch/ideal_list.h"
#undef IDEAL
	};
	return helps[part];
}

/* ---- What is ideal ---- */

static void idealize_fetch(struct core_timing *t)
{
	memset(t->icache_cycles, 0, sizeof(t->icache_cycles));
	memset(t->itlb_cycles, 0, sizeof(t->itlb_cycles));
	t->btb_miss_cycles = 0;
}

/* Without misses, none blocks. */
static void idealize_l1d(struct core_timing *t)
{
	t->is_blocking = false;
}

/* Lines from beyond `level` come as fast as those that it has. */
static void idealize_level(struct core_timing *t, enum memory_level level)
{
	for (unsigned i = level + 1u; i < NR_MEMORY_LEVELS; i++)
		t->data_cycles[i] = t->data_cycles[level];
	memset(t->row_cycles, 0, sizeof(t->row_cycles));
	t->line_cycles = 0;
}

static void idealize_l2(struct core_timing *t)
{
	idealize_level(t, LEVEL_L2);
}

static void idealize_llc(struct core_timing *t)
{
	idealize_level(t, LEVEL_LLC);
}

static void idealize_tlb(struct core_timing *t)
{
	for (unsigned i = 0; i < NR_TLB_LEVELS; i++) {
		t->itlb_cycles[i] = t->itlb_cycles[TLB_HIT];
		t->dtlb_cycles[i] = t->dtlb_cycles[TLB_HIT];
	}
}

static void idealize_units(struct core_timing *t)
{
	for (unsigned i = 0; i < t->nr_groups; i++) {
		t->groups[i].units = MAX_WIDTH;
		t->groups[i].is_pipelined = true;
	}
}

static void idealize_queues(struct core_timing *t)
{
	t->rob = MAX_ROB;
	t->fetch_buffer = MAX_FETCH_BUFFER;
	t->load_queue = t->store_queue = MAX_QUEUE_ENTRIES;
	t->int_registers = t->fp_registers = 0; /* no limit */
	t->mshrs = MAX_MSHRS;
	for (unsigned i = 0; i < t->nr_queues; i++)
		t->queues[i].entries = MAX_QUEUE_ENTRIES;
}

static void idealize_widths(struct core_timing *t)
{
	t->fetch_width = t->dispatch_width = t->commit_width = t->drain_width = MAX_WIDTH;
	t->issue_width = t->same_cycle_memory = MAX_WIDTH;
	for (unsigned i = 0; i < t->nr_queues; i++)
		t->queues[i].issue = MAX_WIDTH;
}

void ideal_apply(struct core_timing *t, unsigned ideals)
{
	/* NULL: the models look at the bit. */
	static void (*const idealize[NR_IDEALS])(struct core_timing *) = {
		[IDEAL_FETCH] = idealize_fetch,	  [IDEAL_BRANCH] = NULL,
		[IDEAL_L1D] = idealize_l1d,	  [IDEAL_L2] = idealize_l2,
		[IDEAL_LLC] = idealize_llc,	  [IDEAL_TLB] = idealize_tlb,
		[IDEAL_UNITS] = idealize_units,	  [IDEAL_QUEUES] = idealize_queues,
		[IDEAL_WIDTHS] = idealize_widths, [IDEAL_VALUE_PREDICTION] = NULL,
	};
	for (unsigned i = 0; i < NR_IDEALS; i++)
		if (ideals >> i & 1 && idealize[i])
			idealize[i](t);
	t->ideal = (uint16_t)(t->ideal | ideals);
}

/* ---- Names ---- */

static enum sahm_status read_name(const struct cfg_node *node, const char *name, size_t len, unsigned *ideals,
				  struct sahm_err *err)
{
	char word[CORE_PART_NAME_BYTES], near[SUGGEST_BYTES];
	struct textbuf all;
	struct suggest s;
	len = len < sizeof(word) ? len : sizeof(word) - 1;
	memcpy(word, name, len);
	word[len] = '\0';
	suggest_init(&s, word);
	for (unsigned i = 0; i < NR_IDEALS; i++) {
		suggest_offer(&s, names[i]);
		if (strcmp(word, names[i]) == 0) {
			*ideals |= 1u << i;
			return SAHM_OK;
		}
	}
	textbuf_init(&all);
	for (unsigned i = 0; i < NR_IDEALS; i++)
		textbuf_printf(&all, "%s%s", i == 0 ? "" : i + 1 < NR_IDEALS ? ", " : " and ", names[i]);
	enum sahm_status status = cfg_fail(node, err, "no part '%s' of a core can be ideal: there are %s%s", word,
					   textbuf_failed(&all) ? "others" : all.text, suggest_text(&s, near));
	textbuf_release(&all);
	return status;
}

enum sahm_status ideal_read(const struct cfg_node *node, unsigned *ideals, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	*ideals = 0;
	if (node->kind == CFG_STRING) {
		const char *p = node->value.string;
		for (size_t len; status == SAHM_OK; p += len + 1) {
			len = strcspn(p, ",");
			status = read_name(node, p, len, ideals, err);
			if (!p[len])
				return status;
		}
		return status;
	}
	for (const struct cfg_node *n = node->first; n && status == SAHM_OK; n = n->next)
		status = n->kind == CFG_STRING ? read_name(n, n->value.string, strlen(n->value.string), ideals, err)
					       : cfg_fail(n, err, "a part of a core must be a string");
	return status;
}

void ideal_write(unsigned ideals, struct textbuf *out)
{
	const char *separator = "";
	textbuf_putc(out, '[');
	for (unsigned i = 0; i < NR_IDEALS; i++) {
		if (!(ideals >> i & 1))
			continue;
		textbuf_printf(out, "%s\"%s\"", separator, names[i]);
		separator = ", ";
	}
	textbuf_putc(out, ']');
}
