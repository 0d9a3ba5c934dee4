/* Per-instruction cycle stacks of a core: which instruction each sampled cycle is charged to, and which events that
 * instruction had (dissertation, sections 2.2 and 2.5; paper TEA).
 *
 * A set of inputs is a cycle with an event. _main notes the events of an instruction in the place that its PC hashes
 * to, in a word for each stage: so those of its last execution count. An event takes an older instruction's place.
 * Events belong to a generation, which `recycle` ends: instructions that left the ROB two generations ago are
 * forgotten.
 *
 * Each period the timer's handler picks the instruction to charge. One that commits has had its events. Of any other
 * they may be still to come, so that its sample is sent by the next `recycle`, or at the end of the period.
 *
 * Inputs: ABI spec "pics". Packets: 6 bytes, the lower 32 bits of a PC, then the signature, of which bit 0 is DR-L1,
 * then DR-TLB, DR-SQ, FL-MB, FL-EX, FL-MO, ST-L1, ST-TLB, ST-LLC. finish() sends the sample that waits. Costs: 10 to 15
 * cycles for a set with events of one stage, up to 50 for others, 110 to 250 for a sample.
 * Settable, before power-on: period, in cycles of the core; nr_places, a power of two up to MAX_PLACES.
 */
#include "introspect.h"

IPU_INPUT(rob_empty, 10, 1)
IPU_INPUT(fetch, 11, 34)
IPU_INPUT(dispatch, 12, 34)
IPU_INPUT(lsq, 13, 34)
IPU_INPUT(head, 14, 34)
IPU_INPUT(flush, 15, 34)
IPU_INPUT(commit, 16, 34)

/* Registers of events are bits of ipu_valid(). */
IPU_INPUT(itlb, 0, 1)
IPU_INPUT(icache, 1, 1)
IPU_INPUT(dtlb, 2, 1)
IPU_INPUT(dcache, 3, 1)
IPU_INPUT(llc, 4, 1)
IPU_INPUT(sq_full, 5, 1)
IPU_INPUT(mispredicted, 6, 1)
IPU_INPUT(exception, 7, 1)
IPU_INPUT(violation, 8, 1)
IPU_INPUT(recycle, 9, 1)

#define OF_FETCH 0x003u
#define OF_ACCESS 0x01cu
#define OF_STORE_QUEUE 0x020u
#define OF_FLUSH 0x1c0u
#define RECYCLE 0x200u
#define NR_EVENTS 9
#define ALL_EVENTS 0x1ffu

#define MAX_PLACES 1024
#define NEXT_GENERATION 0x9e377000u /* one instruction makes it */

uint32_t period = 400000;
uint32_t nr_places = MAX_PLACES;

/* A stage shows one PC, and has a word in each place. */
enum { FETCH, DISPATCH, ACCESS, FLUSH, NR_STAGES };

/* Where the events of an instruction are noted: each word is the hash of PC and generation, of which the events change
 * low bits. */
struct place {
	uint32_t words[NR_STAGES];
};

static struct place table[MAX_PLACES];
static uint32_t known_events; /* of the sample that waits */

/* In registers that nothing else uses, which keep their values from run to run: _main has no time to load them. */
register struct place *places __asm__("tp");
register uint32_t generation __asm__("gp");
register uint32_t mask __asm__("s11");	      /* of a hash: the byte offset of a place */
register uint32_t sampled __asm__("s10");     /* PC of the sample that waits; 0: none does */
register uint32_t only_full __asm__("s9");    /* OF_STORE_QUEUE */
register uint32_t only_recycle __asm__("s8"); /* RECYCLE */

IPU_INLINE struct place *place_of(uint32_t key)
{
	return (struct place *)(void *)((char *)places + (key & mask));
}

IPU_INLINE void note(unsigned stage, uint32_t pc, uint32_t events)
{
	uint32_t key = ipu_hash(pc, generation);
	place_of(key)->words[stage] = key ^ events;
}

/* The ROB is empty: events of accesses that are noted are not of this execution of the store. */
IPU_INLINE void note_full(void)
{
	uint32_t key = ipu_hash(dispatch(), generation);
	struct place *p = place_of(key);
	p->words[DISPATCH] = key ^ OF_STORE_QUEUE;
	p->words[ACCESS] = 0;
}

static const uint16_t of_stage[NR_STAGES] = {
	[FETCH] = OF_FETCH, [DISPATCH] = OF_STORE_QUEUE, [ACCESS] = OF_ACCESS, [FLUSH] = OF_FLUSH};

/* The events of an instruction: by stage those that are known, or else those that are noted in this generation or in
 * the one before. */
static __attribute__((noinline)) uint32_t find_events(uint32_t pc, uint32_t known)
{
	uint32_t key = ipu_hash(pc, generation), key_before = ipu_hash(pc, generation - NEXT_GENERATION);
	const struct place *now = place_of(key), *before = place_of(key_before);
	for (unsigned i = 0; i < NR_STAGES; i++) {
		/* A word of another instruction differs in high bits, too. */
		uint32_t found = now->words[i] ^ key;
		if (known & of_stage[i])
			continue;
		if (found == 0 || found > ALL_EVENTS)
			found = before->words[i] ^ key_before;
		known |= found <= ALL_EVENTS ? found : 0;
	}
	return known;
}

/* Bit numbers of events in a signature, by register. */
static const uint8_t bits[NR_EVENTS] = {1, 0, 7, 6, 8, 2, 3, 4, 5};

static __attribute__((noinline)) void send(uint32_t pc, uint32_t known)
{
	uint32_t signature = 0;
	for (uint32_t events = find_events(pc, known), i = 0; events; events >>= 1, i++)
		signature |= (events & 1) << bits[i];
	ipu_put32(pc);
	ipu_put16(signature);
	ipu_send();
}

static __attribute__((noinline)) void send_sampled(void)
{
	send(sampled, known_events);
	sampled = 0;
}

static void sample(void)
{
	if (sampled)
		send_sampled();
	if (commit() | commit_high()) {
		send(commit(), 0);
		return;
	}
	sampled = head();
	if (rob_empty()) {
		uint32_t next = dispatch() | dispatch_high() ? dispatch() : fetch();
		/* The flush PC stays that of the last flush: a branch at the end of a loop need not have flushed this
		 * time, if the store after it waits. Before the first commit there is no head. */
		if (flush() != sampled || !sampled || find_events(next, 0) & OF_STORE_QUEUE)
			sampled = next;
	}
	/* Later executions of it must not hide what this one has had. */
	known_events = find_events(sampled, 0);
}

static __attribute__((noinline)) void recycle_waiting(void)
{
	send_sampled();
	generation += NEXT_GENERATION;
}

/* Of a set with events of several stages. */
static __attribute__((noinline)) void note_all(uint32_t events)
{
	if (events & OF_FETCH)
		note(FETCH, fetch(), events & OF_FETCH);
	if (events & OF_STORE_QUEUE)
		note_full();
	if (events & OF_ACCESS)
		note(ACCESS, lsq(), events & OF_ACCESS);
	if (events & OF_FLUSH)
		note(FLUSH, flush(), events & OF_FLUSH);
	if (events & RECYCLE) {
		if (sampled)
			send_sampled();
		generation += NEXT_GENERATION;
	}
}

/* Nearly every set has events of one stage. The most frequent ones come first. */
void _main(void)
{
	uint32_t events = ipu_valid();
	if (!(events & ~OF_ACCESS)) {
		note(ACCESS, lsq(), events);
	} else if (events == only_full) {
		note_full();
	} else if (!(events & ~OF_FETCH)) {
		note(FETCH, fetch(), events);
	} else if (!(events & ~OF_FLUSH)) {
		note(FLUSH, flush(), events);
	} else if (events == only_recycle) {
		if (sampled)
			recycle_waiting();
		else
			generation += NEXT_GENERATION;
	} else {
		note_all(events);
	}
}

void init(void)
{
	uint32_t nr = MAX_PLACES;
	while (nr > 1 && nr > nr_places)
		nr /= 2;
	places = table;
	only_full = OF_STORE_QUEUE;
	only_recycle = RECYCLE;
	mask = (nr - 1) * sizeof(struct place);
	ipu_set_timer(period, sample);
}

static __attribute__((noinline)) void send_rest(void)
{
	if (sampled)
		send_sampled();
}

void finish(void)
{
	send_rest();
}
