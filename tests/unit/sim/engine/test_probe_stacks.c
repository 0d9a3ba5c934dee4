/* The shipped program of cycle stacks on a unit so fast that it misses nothing: each of its samples, compared with the
 * rules of docs/introspection.md and with the exact stacks in the same cycle. Where an IPU cannot know what TEA knows,
 * the reason is named.
 *
 * SAHM_PROBE_CASES=n draws n programs, SAHM_PROBE_SEED=s other ones. SAHM_PROBE_STREAM=FILE, of which the first
 * SAHM_PROBE_UOPS uops are looked at, is a stream to run on the core SAHM_PROBE_CORE; shares are printed. */
#include <inttypes.h>
#include <stdio.h>

#include "tests/helper/environment.h"
#include "tests/reference/refpics.h"
#include "tests/reference/refstacks.h"
#include "tests/unit/sim/engine/observed_core.h"

#define NR_CASES 150u
#define IPU_CYCLES 1000u /* in each of the core */
#define PC_MASK ((UINT64_C(1) << 34) - 1)

static struct arena arena;
static struct abi abi;
static struct core_wiring wiring;

static int set_up(void **state)
{
	struct sahm_err err;
	(void)state;
	read_spec(&arena, "ipu/abi/pics.cfg", &abi);
	assert_int_equal(core_wire(&abi, &wiring, &err), SAHM_OK);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	arena_release(&arena);
	return 0;
}

/* Why a sample is not TEA's. */
enum reason {
	SAME,
	/* Another PC. */
	PC_OLD_FLUSH, /* drained; the last one to commit has the PC of the last flush, which was not in its execution */
	PC_STORE,     /* flushed, but the next uop is a store that has waited in an earlier execution */
	PC_OTHER,     /* flushed, but the signal shows another flush: an older one in the same cycle, or a later one */
	/* Events are missing. */
	SENT_EARLY, /* they came after the sample was sent */
	FORGOTTEN,  /* they were two generations ago */
	LOST,	    /* to those of an older instruction in the same cycle */
	REPLACED,   /* by those of another execution of the PC: in the same stage, or a wait of it as a store */
	DISPLACED,  /* by another instruction whose PC hashes to the place */
	/* There are more. */
	ANOTHER, /* of another execution of the PC */
	ALIASED, /* of another instruction with nearly the same hash */
	UNKNOWN,
	NR_REASONS
};

static const char *const reasons[NR_REASONS] = {
	"same", "PC: old flush", "PC: store", "PC: other flush", "sent early", "forgotten",
	"lost", "replaced",	 "displaced", "another's",	 "aliased",    "unknown",
};

struct shares {
	uint64_t samples, of[NR_REASONS], states[NR_COMMIT_STATES], several, by_event[NR_REASONS][NR_STACK_EVENTS];
};

/* What is compared. */
struct compared {
	const char *what;
	const struct observed *o;
	struct refpics *slow;
	struct refstacks *stacks;
	uint32_t *generation; /* [cycles + 1]: of events in each cycle */
	uint64_t cycles;
};

static uint32_t low(uint64_t pc)
{
	return (uint32_t)pc;
}

static const struct {
	enum pics_signal flag, pc;
} events[NR_STACK_EVENTS] = {
	{PICS_ICACHE, PICS_FETCH},	 {PICS_ITLB, PICS_FETCH},      {PICS_SQ_FULL, PICS_DISPATCH},
	{PICS_MISPREDICTED, PICS_FLUSH}, {PICS_EXCEPTION, PICS_FLUSH}, {PICS_VIOLATION, PICS_FLUSH},
	{PICS_DCACHE, PICS_LSQ},	 {PICS_DTLB, PICS_LSQ},	       {PICS_LLC, PICS_LSQ},
};

/* The cycle of event `bit` of uop i. */
static uint64_t event_cycle(const struct compared *x, size_t i, unsigned bit)
{
	const struct uop *u = &x->o->uops[i];
	const struct uop_stamps *at = &x->o->stamps[i];
	uint64_t empty = i > 0 ? x->o->stamps[i - 1].commit + 1 : 0, decoded = at->fetch + x->o->t.decode_cycles;
	switch (events[bit].pc) {
	case PICS_FETCH:
		return at->fetch;
	case PICS_DISPATCH:
		return empty > decoded ? empty : decoded;
	case PICS_LSQ:
		return at->issue + x->o->t.dtlb_cycles[u->tlb] + x->o->t.l1d_cycles;
	default:
		return events[bit].flag == PICS_EXCEPTION ? at->commit : at->complete;
	}
}

/* Whether cycle c shows event `bit`, or any of its stage, for this PC. */
static bool shows(const struct compared *x, uint64_t c, unsigned bit, bool any, uint32_t pc)
{
	uint32_t flags = 0;
	for (unsigned b = 0; b < NR_STACK_EVENTS; b++)
		if (b == bit || (any && events[b].pc == events[bit].pc))
			flags |= 1u << events[b].flag;
	return x->slow->cycles[c].flags & flags && low(x->slow->cycles[c].values[events[bit].pc]) == pc;
}

/* Why event `bit` of the instruction of uop i is not in a sample that was sent in cycle `sent`, in a generation. */
static enum reason why_missing(const struct compared *x, size_t i, unsigned bit, uint64_t sent, uint32_t generation)
{
	const struct uop *uops = x->o->uops;
	enum reason reason = UNKNOWN;
	uint32_t pc = low(uops[i].pc);
	while (!(uops[i].flags & UOP_FIRST))
		i--;
	for (bool is_last = false; !is_last; i++) {
		is_last = uops[i].flags & UOP_LAST;
		if (!(x->o->signatures[i] >> bit & 1) || (events[bit].flag == PICS_EXCEPTION && !is_last))
			continue;
		uint64_t c = event_cycle(x, i, bit);
		if (c > sent || c >= x->cycles)
			reason = SENT_EARLY;
		else if (x->generation[c] + 1 < generation)
			reason = FORGOTTEN;
		else if (!shows(x, c, bit, false, pc))
			reason = LOST;
		else {
			reason = DISPLACED;
			for (uint64_t later = c + 1; later <= sent && later < x->cycles; later++)
				if (shows(x, later, bit, true, pc) ||
				    (events[bit].pc == PICS_LSQ && shows(x, later, EVENT_DR_SQ, false, pc)))
					reason = REPLACED;
			for (uint64_t before = c; before-- > 0 && x->generation[before] + 1 >= generation;)
				if (shows(x, before, bit, true, pc))
					reason = REPLACED;
		}
	}
	return reason;
}

static enum reason why_more(const struct compared *x, unsigned bit, uint32_t pc, uint64_t sent, uint32_t generation)
{
	for (uint64_t c = sent < x->cycles ? sent : x->cycles - 1;; c--) {
		if (x->generation[c] + 1 < generation)
			return ALIASED;
		if (shows(x, c, bit, false, pc))
			return ANOTHER;
		if (c == 0)
			return ALIASED;
	}
}

/* Whether a store of this PC has waited in the generation of cycle c or the one before. */
static bool has_waited(const struct compared *x, uint64_t c, uint32_t pc)
{
	for (uint64_t i = c + 1; i-- > 0 && x->generation[i] + 1 >= x->generation[c + 1];)
		if (shows(x, i, EVENT_DR_SQ, false, pc))
			return true;
	return false;
}

/* The next uop to be dispatched, or to be fetched. */
static uint32_t next_pc(const struct compared *x, uint64_t c)
{
	const uint64_t *v = x->slow->cycles[c].values;
	return low(v[PICS_DISPATCH] & PC_MASK ? v[PICS_DISPATCH] : v[PICS_FETCH]);
}

static enum reason why_other_pc(const struct compared *x, uint64_t c, const struct refstacks_cycle *tea)
{
	const uint64_t *values = x->slow->cycles[c].values;
	if (tea->state == STATE_DRAINED && values[PICS_FLUSH] == values[PICS_HEAD])
		return PC_OLD_FLUSH;
	if (tea->state == STATE_FLUSHED && values[PICS_FLUSH] == values[PICS_HEAD] && has_waited(x, c, next_pc(x, c)))
		return PC_STORE;
	if (tea->state == STATE_FLUSHED && values[PICS_FLUSH] != values[PICS_HEAD])
		return PC_OTHER;
	return UNKNOWN;
}

/* The PC to be charged for cycle c. */
static uint32_t choose_pc(const struct compared *x, uint64_t c)
{
	const uint64_t *v = x->slow->cycles[c].values;
	if (v[PICS_COMMIT] & PC_MASK)
		return low(v[PICS_COMMIT]);
	if (!v[PICS_ROB_EMPTY])
		return low(v[PICS_HEAD]);
	bool is_flushed = low(v[PICS_HEAD]) && low(v[PICS_FLUSH]) == low(v[PICS_HEAD]);
	return is_flushed && !has_waited(x, c, next_pc(x, c)) ? low(v[PICS_HEAD]) : next_pc(x, c);
}

/* When the sample of cycle c is sent, and in which generation. */
static uint64_t sending(const struct compared *x, uint64_t c, uint64_t period, uint32_t *generation)
{
	uint64_t sent = c;
	bool is_sent = x->slow->cycles[c].values[PICS_COMMIT] != 0;
	while (!is_sent && sent < c + period && sent < x->cycles) {
		sent++;
		if (sent < x->cycles && x->slow->cycles[sent].flags >> PICS_RECYCLE & 1) {
			*generation = x->generation[sent];
			return sent;
		}
	}
	*generation = x->generation[sent < x->cycles ? sent + 1 : x->cycles];
	return sent;
}

static void compare_sample(const struct compared *x, uint64_t c, uint64_t period, const struct packet *p,
			   struct shares *shares)
{
	const struct refstacks_cycle *tea = &x->stacks->cycles[c];
	const struct uop *u = &x->o->uops[tea->first];
	enum reason reason = SAME;
	uint32_t generation, signature = x->stacks->signatures[tea->first];
	uint64_t sent = sending(x, c, period, &generation);
	if (p->pc != choose_pc(x, c))
		fail_msg("%s: the sample of cycle %" PRIu64 " is of %#x, not %#x", x->what, c, p->pc, choose_pc(x, c));
	if (p->sent_at / IPU_CYCLES != sent)
		fail_msg("%s: the sample of cycle %" PRIu64 " is sent in %" PRIu64 ", not %" PRIu64, x->what, c,
			 p->sent_at / IPU_CYCLES, sent);
	if (p->pc != low(u->pc))
		reason = why_other_pc(x, c, tea);
	for (unsigned bit = 0; bit < NR_STACK_EVENTS && reason == SAME; bit++)
		if ((signature & ~p->signature) >> bit & 1)
			reason = why_missing(x, tea->first, bit, sent, generation);
		else if ((p->signature & ~signature) >> bit & 1)
			reason = why_more(x, bit, p->pc, sent, generation);
	unsigned differ = (p->signature ^ signature) & (NR_SIGNATURES - 1);
	if (differ)
		shares->by_event[reason][__builtin_ctz(differ)]++;
	if (reason == UNKNOWN)
		fail_msg("%s: the sample of cycle %" PRIu64 " is of %#x with %#x, TEA's of %#" PRIx64
			 " with %#x, state %s",
			 x->what, c, p->pc, p->signature, u->pc, signature, commit_state_name(tea->state));
	shares->samples++;
	shares->of[reason]++;
	shares->states[tea->state]++;
	shares->several += tea->nr > 1 && x->o->uops[tea->first + tea->nr - 1].pc != u->pc;
}

/* Runs the program with this period, and compares all its samples. */
static void compare_run(const char *what, const struct observed *o, unsigned period, bool interprets,
			struct shares *shares)
{
	char setting[32];
	struct caught caught = {0};
	struct sahm_err err;
	uint64_t ready;
	struct compared x = {.what = what, .o = o};
	const struct ipu_unit_config config = {.hit_mhz = IPU_MAX_MHZ / IPU_CYCLES,
					       .ipu_mhz = IPU_MAX_MHZ,
					       .mismatch_arg = 1,
					       .max_cycles = IPU_DEFAULT_MAX_CYCLES,
					       .fifo_bytes = IPU_DEFAULT_FIFO_BYTES};
	snprintf(setting, sizeof(setting), "period=%u", period);
	const struct core_ipu ipu = {.config = &config,
				     .program = load_pics(&abi, setting, interprets),
				     .drain = caught_drain,
				     .ctx = &caught};
	x.slow = refpics_new(&o->t, o->uops, o->nr, o->prefetches, o->stamps);
	x.stacks = refstacks_new(&o->t, o->uops, o->nr, o->prefetches, o->stamps);
	assert_true(x.slow && x.stacks);
	x.cycles = x.slow->counts.cycles;
	x.generation = calloc(x.cycles + 1, sizeof(*x.generation));
	assert_true(x.generation);
	for (uint64_t c = 0; c < x.cycles; c++)
		x.generation[c + 1] = x.generation[c] + (x.slow->cycles[c].flags >> PICS_RECYCLE & 1);
	assert_int_equal(core_ipu_ready_at(&ipu, &ready, &err), SAHM_OK);
	struct core_probe *p = observed_probe(o, &wiring, &ipu, 1, 1000);
	size_t k = 0;
	for (uint64_t c = ready + period; c < x.cycles; c += period, k++) {
		if (k == caught.nr)
			fail_msg("%s: no sample of cycle %" PRIu64, what, c);
		compare_sample(&x, c, period, &caught.list[k], shares);
	}
	if (caught.nr != k)
		fail_msg("%s: %zu samples, not %zu, of a run of %" PRIu64 " cycles, period %u, ready in %" PRIu64, what,
			 caught.nr, k, x.cycles, period, ready);
	/* One may come while the program begins. */
	assert_true(ipu_unit_counts(core_probe_unit(p, 0)).dropped <= 1);
	core_probe_free(p);
	caught_free(&caught);
	free(x.generation);
	refpics_free(x.slow);
	refstacks_free(x.stacks);
	ipu_program_free((struct ipu_program *)ipu.program);
}

/* Some hashes differ in events only: about one in 2^18 of those of one place. */
static void check_shares(const struct shares *s)
{
	assert_true(s->of[ALIASED] <= 1 + s->samples / 5000);
}

static void print_shares(const char *what, const struct shares *s)
{
	printf("%s: %" PRIu64 " samples; several PCs commit in %.3f %%\n", what, s->samples,
	       100.0 * (double)s->several / (double)s->samples);
	for (unsigned i = 0; i < NR_COMMIT_STATES; i++)
		printf("  %-16s %7.3f %%\n", commit_state_name((enum commit_state)i),
		       100.0 * (double)s->states[i] / (double)s->samples);
	for (unsigned i = 0; i < NR_REASONS; i++) {
		printf("  %-16s %7.3f %% ", reasons[i], 100.0 * (double)s->of[i] / (double)s->samples);
		for (unsigned bit = 0; i >= SENT_EARLY && bit < NR_STACK_EVENTS; bit++)
			if (s->by_event[i][bit] > 0)
				printf(" %s %.3f", pics_signal_name(events[bit].flag),
				       100.0 * (double)s->by_event[i][bit] / (double)s->samples);
		printf("\n");
	}
}

static void test_random(void **state)
{
	(void)state;
	uint64_t nr_cases = environment_number("SAHM_PROBE_CASES", NR_CASES);
	uint64_t seed = environment_number("SAHM_PROBE_SEED", 0);
	struct shares shares = {0};
	for (unsigned i = 0; i < nr_cases; i++) {
		char what[32];
		rng = random_of_index(seed, i);
		snprintf(what, sizeof(what), "case %u", i);
		struct observed *o = observed_random();
		compare_run(what, o, pick(2, one_in(&rng, 2) ? 20 : 400), i % 2, &shares);
		observed_free(o);
	}
	check_shares(&shares);
	if (getenv("SAHM_PROBE_PRINT"))
		print_shares("random", &shares);
}

static void test_stream(void **state)
{
	(void)state;
	const char *stream = getenv("SAHM_PROBE_STREAM"), *core = getenv("SAHM_PROBE_CORE");
	uint64_t most = environment_number("SAHM_PROBE_UOPS", 40000);
	struct shares shares = {0};
	struct observed *o =
		observed_stream(stream ? stream : "tests/data/cases/quicksort.stream", core ? core : "tea", most);
	compare_run("stream", o, 97, false, &shares);
	check_shares(&shares);
	if (getenv("SAHM_PROBE_PRINT"))
		print_shares(stream ? stream : "quicksort", &shares);
	observed_free(o);
}

TEST_FILE(test_probe_stacks)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_random), cmocka_unit_test(test_stream)};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
