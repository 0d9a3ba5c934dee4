#include "tests/reference/refunit.h"

#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

enum routine { NO_ROUTINE, INIT, MAIN, HANDLER, FINISH };

/* What the instruction in the making comes to. */
enum outcome { UNKNOWN, GOES_ON, RETURNS, WAITS, FAULTS };

struct levels {
	uint32_t mask; /* of those that have been named */
	uint64_t values[NR_IOREGS];
};

struct set {
	uint32_t valid;
	uint64_t values[NR_IOREGS];
	struct levels levels; /* of its cycle */
};

struct soft_set {
	uint64_t seen; /* soft cycle */
	uint32_t valid;
	uint64_t values[SOFT_MAX_INPUTS];
};

struct packet {
	struct packet *next;
	uint64_t sent_at;
	uint32_t nr_bytes;
	uint8_t bytes[];
};

struct refunit {
	struct ipu_unit unit;
	struct ipu_unit_config config;
	enum ipu_status status;
	struct ipu processor;
	struct ipu_counts counts;
	struct ipu_fault fault;

	/* Clocks. At HIT cycle `anchor` anchor_cycles + anchor_part / of IPU cycles have passed, and `per` / `of` pass
	 * in each HIT cycle. */
	uint64_t now;
	uint32_t hit_mhz;
	uint64_t anchor, anchor_cycles;
	uint32_t anchor_part, per, of;
	uint64_t start_at; /* IPU cycle that a routine begins with, started by what is happening */

	/* What makes it active. */
	bool has_start, has_stop, inside, held;
	uint64_t start, stop;

	/* What it has been asked for. */
	bool finish_asked;
	const struct ipu_program *program, *sent;

	/* The routine. */
	enum routine routine;
	bool executing, waiting;
	uint64_t cycle; /* that the next instruction is in */
	uint64_t cycles_used;
	enum outcome outcome; /* as of the beginning of `cycle` */
	enum hart_cause cause;

	/* Timer. */
	uint32_t period;			  /* that runs */
	uint32_t written_period, written_handler; /* as the program sees them */
	bool period_written;			  /* by the routine, for its end */
	uint64_t due_at;			  /* HIT cycle, if there is a period */
	bool due;
	struct levels due_levels; /* when the period ended that made it due */

	/* Inputs. */
	struct levels levels; /* the HIT's; `inputs` has those that the routine sees */
	uint32_t valid;
	uint64_t inputs[NR_IOREGS];
	uint64_t nr_active_sets; /* that arrived while it was active */
	uint32_t nr_in_window;	 /* how many this window has taken */
	struct set *buffer;
	uint32_t nr_buffered;

	/* Soft logic, if there is any. Soft cycles before soft_now are over. */
	const struct refsoft *soft;
	void *logic;
	struct soft_outside outside;
	bool soft_started, soft_halted, soft_running, is_access_early;
	bool returns; /* a routine ends, at u->cycle */
	uint64_t soft_now, logic_cycle, nr_soft_sets;
	uint64_t seen_hit; /* HIT cycle that time has come to, for accesses */
	struct soft_set *soft_queue;
	uint32_t nr_soft_queue, nr_soft_window;
	struct ipu_soft_counts soft_counts;
	struct packet *soft_oldest, *soft_newest;
	uint64_t soft_fifo_bytes, soft_account_at;
	wide soft_account;

	/* Output. */
	uint8_t making[IPU_MAX_PACKET_BYTES];
	uint32_t nr_making;
	struct packet *oldest, *newest, *taken;
	uint64_t fifo_bytes;
	wide account;
	uint64_t account_at;
};

static struct refunit *refunit_of(struct ipu_unit *u)
{
	return (struct refunit *)u;
}

static const struct refunit *refunit_of_const(const struct ipu_unit *u)
{
	return (const struct refunit *)u;
}

/* Clocks */

static uint32_t divisor(uint32_t a, uint32_t b)
{
	while (b) {
		uint32_t rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

/* Parts of IPU cycles, `of` of which make one, that have passed by the beginning of a HIT cycle. */
static wide parts_at(const struct refunit *u, uint64_t hit_cycle)
{
	return (wide)u->anchor_cycles * u->of + u->anchor_part + (wide)(hit_cycle - u->anchor) * u->per;
}

static uint64_t passed_at(const struct refunit *u, uint64_t hit_cycle)
{
	return (uint64_t)(parts_at(u, hit_cycle) / u->of);
}

static uint64_t next_whole_at(const struct refunit *u, uint64_t hit_cycle)
{
	return (uint64_t)((parts_at(u, hit_cycle) + u->of - 1) / u->of);
}

/* The first HIT cycle that is seen in this IPU cycle or later. */
static uint64_t hit_cycle_of(const struct refunit *u, uint64_t ipu_cycle)
{
	uint64_t hit_cycle = u->anchor;
	wide parts = (wide)ipu_cycle * u->of, have = parts_at(u, u->anchor);
	if (parts > have)
		hit_cycle += (uint64_t)((parts - have) / u->per);
	while (hit_cycle > u->anchor && next_whole_at(u, hit_cycle - 1) >= ipu_cycle)
		hit_cycle--;
	while (next_whole_at(u, hit_cycle) < ipu_cycle)
		hit_cycle++;
	return hit_cycle;
}

static void set_ratio(struct refunit *u, uint32_t hit_mhz)
{
	uint32_t common = divisor(hit_mhz, u->config.ipu_mhz), old_of = u->of;
	wide parts = old_of ? parts_at(u, u->now) : 0;
	u->hit_mhz = hit_mhz;
	u->per = u->config.ipu_mhz / common;
	u->of = hit_mhz / common;
	/* Parts of the new size, a begun one counted as a whole one. */
	wide now = old_of ? (parts * u->of + old_of - 1) / old_of : 0;
	u->anchor_cycles = (uint64_t)(now / u->of);
	u->anchor_part = (uint32_t)(now % u->of);
	u->anchor = u->now;
}

/* The first HIT cycle that begins with this IPU cycle or later. */
static uint64_t hit_cycle_from(const struct refunit *u, uint64_t ipu_cycle)
{
	wide parts = (wide)ipu_cycle * u->of, have = parts_at(u, u->anchor);
	return parts > have ? u->anchor + (uint64_t)((parts - have + u->per - 1) / u->per) : u->anchor;
}

/* The first soft cycle that begins `parts` / u->of IPU cycles after the beginning of time, or later. */
static uint64_t soft_cycle_of_parts(const struct refunit *u, wide parts)
{
	uint32_t common = divisor(u->soft->soft_mhz, u->config.ipu_mhz);
	wide of = (wide)u->of * (u->config.ipu_mhz / common);
	return (uint64_t)((parts * (u->soft->soft_mhz / common) + of - 1) / of);
}

static uint64_t soft_cycle_of_ipu(const struct refunit *u, uint64_t ipu_cycle)
{
	return soft_cycle_of_parts(u, (wide)ipu_cycle * u->of);
}

static uint64_t soft_cycle_of_now(const struct refunit *u)
{
	uint64_t cycle = soft_cycle_of_parts(u, parts_at(u, u->now));
	return cycle > u->soft_now ? cycle : u->soft_now;
}

/* Output */

/* Whether the account has `nr` bytes at the end of a cycle: it fills with time, up to a largest packet, which is also
 * what it begins with. Counted in bytes / Hz. */
static bool account_has(struct refunit *u, uint64_t cycle, uint32_t nr)
{
	wide hz = (wide)u->config.ipu_mhz * 1000000, full = hz * IPU_MAX_PACKET_BYTES;
	u->account += (wide)(cycle - u->account_at) * u->config.max_bytes_per_s;
	u->account = u->account < full ? u->account : full;
	u->account_at = cycle;
	return u->config.max_bytes_per_s == 0 || u->account >= hz * nr;
}

static struct packet *make_packet(uint64_t sent_at, const void *bytes, uint32_t nr)
{
	struct packet *p = malloc(sizeof(*p) + nr);
	if (!p)
		abort();
	p->next = NULL;
	p->sent_at = sent_at;
	p->nr_bytes = nr;
	memcpy(p->bytes, bytes, nr);
	return p;
}

static void send_packet(struct refunit *u)
{
	uint32_t nr = u->nr_making;
	u->nr_making = 0;
	if (u->fifo_bytes + nr + IPU_PACKET_HEADER_BYTES > u->config.fifo_bytes || !account_has(u, u->cycle + 1, nr)) {
		u->counts.lost_packets++;
		u->counts.lost_bytes += nr;
		return;
	}
	if (u->config.max_bytes_per_s)
		u->account -= (wide)nr * u->config.ipu_mhz * 1000000;
	u->fifo_bytes += nr + IPU_PACKET_HEADER_BYTES;
	u->counts.packets++;
	u->counts.bytes += nr;
	struct packet *p = make_packet(u->cycle + 1, u->making, nr);
	if (u->newest)
		u->newest->next = p;
	else
		u->oldest = p;
	u->newest = p;
}

/* Soft logic */

/* The same for a packet of the module's: sent when its soft cycle is over. */
static void send_soft_packet(void *ctx, uint64_t cycle, const void *bytes, uint32_t nr)
{
	struct refunit *u = ctx;
	uint32_t common = divisor(u->soft->soft_mhz, u->config.ipu_mhz), soft = u->soft->soft_mhz / common;
	uint64_t over = cycle + (u->soft_now - u->logic_cycle) + 1;
	uint64_t sent_at = (uint64_t)(((wide)over * (u->config.ipu_mhz / common) + soft - 1) / soft);
	wide hz = (wide)u->config.ipu_mhz * 1000000, full = hz * IPU_MAX_PACKET_BYTES;
	u->soft_account += (wide)(sent_at - u->soft_account_at) * u->config.max_bytes_per_s;
	u->soft_account = u->soft_account < full ? u->soft_account : full;
	u->soft_account_at = sent_at;
	if (u->soft_fifo_bytes + nr + IPU_PACKET_HEADER_BYTES > u->config.fifo_bytes ||
	    (u->config.max_bytes_per_s > 0 && u->soft_account < hz * nr)) {
		u->soft_counts.lost_packets++;
		u->soft_counts.lost_bytes += nr;
		return;
	}
	if (u->config.max_bytes_per_s)
		u->soft_account -= hz * nr;
	u->soft_fifo_bytes += nr + IPU_PACKET_HEADER_BYTES;
	u->soft_counts.packets++;
	u->soft_counts.bytes += nr;
	struct packet *p = make_packet(sent_at, bytes, nr);
	if (u->soft_newest)
		u->soft_newest->next = p;
	else
		u->soft_oldest = p;
	u->soft_newest = p;
}

/* Soft cycles before `cycle`, one by one; of a long time in which nothing comes the rest at once. */
static void pass_soft(struct refunit *u, uint64_t cycle)
{
	const struct soft_module *m = u->soft->module;
	while (u->soft_now < cycle && u->soft_running) {
		bool has_set = u->nr_soft_queue > 0 && u->soft_queue[0].seen <= u->soft_now;
		if (has_set) {
			m->step(u->logic, u->logic_cycle, u->soft_queue[0].valid, u->soft_queue[0].values);
			u->nr_soft_queue--;
			memmove(u->soft_queue, u->soft_queue + 1, u->nr_soft_queue * sizeof(*u->soft_queue));
			u->soft_counts.taken++;
		} else if (u->nr_soft_queue == 0 && cycle - u->soft_now > 3000) {
			/* Packets need the relation of both counts. */
			uint64_t nr = cycle - u->soft_now - 1;
			u->soft_now += nr;
			u->logic_cycle += nr;
			m->step(u->logic, u->logic_cycle, 0, NULL);
		} else {
			m->step(u->logic, u->logic_cycle, 0, NULL);
		}
		u->soft_now++;
		u->logic_cycle++;
	}
	u->soft_now = cycle > u->soft_now ? cycle : u->soft_now;
}

static bool is_active(const struct refunit *u);

/* What decides whether the logic runs has changed, from soft cycle `cycle` on. */
static void decide_soft(struct refunit *u, uint64_t cycle)
{
	bool runs = u->soft_started && !u->soft_halted && is_active(u);
	if (runs == u->soft_running)
		return;
	pass_soft(u, cycle);
	u->soft_counts.dropped += u->nr_soft_queue;
	u->nr_soft_queue = u->nr_soft_window = 0;
	u->soft_running = runs;
}

/* The same, by a call or by the end of a routine. */
static void follow(struct refunit *u)
{
	if (u->soft)
		decide_soft(u, u->returns ? soft_cycle_of_ipu(u, u->cycle) : soft_cycle_of_now(u));
}

static void halt_soft(struct refunit *u, bool halted)
{
	u->soft_halted = halted;
	follow(u);
}

static void load_soft(struct refunit *u)
{
	if (!u->soft)
		return;
	u->soft_started = u->soft_halted = false;
	follow(u);
	u->soft->module->release(u->logic);
	u->logic = u->soft->module->make(&u->outside);
	u->soft_counts = (struct ipu_soft_counts){0};
	u->logic_cycle = 0;
	u->nr_soft_sets = 0;
}

/* A set arrives for the logic. */
static void soft_input(struct refunit *u, uint32_t valid, const uint64_t *values)
{
	const struct soft_module *m = u->soft->module;
	struct soft_set set = {.seen = soft_cycle_of_now(u)};
	uint32_t nr_levels = 0, nr_data = 0, most = u->config.mismatch_arg;
	for (uint32_t i = 0; i < m->nr_inputs; i++) {
		unsigned reg = u->soft->regs[i];
		bool is_level = u->levels.mask >> reg & 1;
		nr_levels += is_level;
		if (!is_level && !(valid >> reg & 1))
			continue;
		nr_data += !is_level;
		set.valid |= UINT32_C(1) << i;
		set.values[i] = is_level ? u->levels.values[reg] : values[reg];
	}
	if (nr_data == 0 && nr_levels < m->nr_inputs)
		return;
	u->soft_counts.arrived++;
	if (!u->soft_running) {
		u->soft_counts.ignored++;
		return;
	}
	pass_soft(u, set.seen);
	if (u->nr_soft_queue == 0)
		u->nr_soft_window = 0;
	if ((u->config.mismatch == IPU_SUB_SAMPLE && u->nr_soft_sets++ % most != 0) ||
	    (u->config.mismatch == IPU_PHASES && u->hit_mhz > most)) {
		u->soft_counts.skipped++;
	} else if (u->config.mismatch == IPU_WINDOW ? u->nr_soft_window == most : u->nr_soft_queue > 0) {
		u->soft_counts.dropped++;
	} else {
		u->nr_soft_window++;
		u->soft_queue[u->nr_soft_queue++] = set;
	}
}

/* An access to the window of the soft logic by the instruction of u->cycle. */
static bool access_soft(struct refunit *u, uint32_t address, unsigned nr_bytes, bool is_store, uint32_t *value)
{
	const struct soft_module *m = u->soft->module;
	const struct soft_register *reg = NULL;
	uint32_t control = address - IPU_SOFT_BASE;
	bool is_control = is_store ? control == 0 : control >= 4 && control <= 0x1c && control % 4 == 0;
	for (uint32_t i = 0; i < m->nr_registers; i++)
		if (address == IPU_SOFT_BASE + 0x1000 + m->registers[i].offset)
			reg = &m->registers[i];
	bool is_module = reg && reg->access & (is_store ? SOFT_WRITE : SOFT_READ);
	if (nr_bytes != 4 || (!is_control && !is_module))
		return false;
	if (passed_at(u, u->seen_hit) < u->cycle) {
		u->is_access_early = true;
		return false;
	}
	uint64_t cycle = soft_cycle_of_ipu(u, u->cycle);
	pass_soft(u, cycle);
	u->processor.hart.nr_extra += IPU_SOFT_CYCLES - 1;
	uint64_t words[] = {0, 0, u->logic_cycle, u->soft_counts.taken, u->soft_counts.dropped};
	if (is_module && is_store)
		m->write(u->logic, reg->offset, *value);
	else if (is_module)
		*value = m->read(u->logic, reg->offset);
	else if (!is_store && control == 4)
		*value = (uint32_t)u->soft_started | (uint32_t)u->soft_running << 1;
	else if (!is_store)
		*value = (uint32_t)(words[control / 8 + 1] >> (control % 8 == 4 ? 32 : 0));
	if (is_module || !is_store)
		return true;
	if (*value & 4)
		m->reset(u->logic);
	for (unsigned bit = 2; bit > 0; bit--) {
		if (!(*value & bit))
			continue;
		u->soft_started = bit == 1;
		decide_soft(u, cycle);
	}
	return true;
}

static bool load_word(struct hart *h, uint32_t address, unsigned nr_bytes, uint32_t *value)
{
	struct refunit *u = h->context;
	return u->soft && access_soft(u, address, nr_bytes, false, value);
}

static bool store(struct hart *h, uint32_t address, unsigned nr_bytes, uint32_t value)
{
	struct refunit *u = h->context;
	if (address < IPU_WINDOW_BASE || address - IPU_WINDOW_BASE >= IPU_WINDOW_BYTES)
		return u->soft && access_soft(u, address, nr_bytes, true, &value);
	if (address >= IPU_WINDOW_SEND) {
		send_packet(u);
		return true;
	}
	if (u->nr_making + nr_bytes > IPU_MAX_PACKET_BYTES)
		return false;
	for (unsigned i = 0; i < nr_bytes; i++)
		u->making[u->nr_making++] = (uint8_t)(value >> 8 * i);
	return true;
}

static bool op_take(struct ipu_unit *unit, struct ipu_packet *packet)
{
	struct refunit *u = refunit_of(unit);
	if (u->soft)
		pass_soft(u, soft_cycle_of_now(u));
	bool is_soft = u->soft_oldest && (!u->oldest || u->soft_oldest->sent_at < u->oldest->sent_at);
	struct packet **oldest = is_soft ? &u->soft_oldest : &u->oldest, *p = *oldest;
	if (!p)
		return false;
	free(u->taken);
	u->taken = p;
	*oldest = p->next;
	if (!p->next)
		*(is_soft ? &u->soft_newest : &u->newest) = NULL;
	*(is_soft ? &u->soft_fifo_bytes : &u->fifo_bytes) -= p->nr_bytes + IPU_PACKET_HEADER_BYTES;
	*packet = (struct ipu_packet){.sent_at = p->sent_at, .nr_bytes = p->nr_bytes, .bytes = p->bytes};
	return true;
}

/* CSRs */

static bool read_csr(struct hart *h, uint32_t csr, uint32_t *value)
{
	const struct refunit *u = h->context;
	if (csr >= 0xcc0 && csr < 0xcc0 + NR_IOREGS)
		*value = (uint32_t)u->inputs[csr - 0xcc0];
	else if (csr >= 0xce0 && csr < 0xce0 + NR_IOREGS)
		*value = (uint32_t)(u->inputs[csr - 0xce0] >> 32);
	else if (csr == 0x800)
		*value = u->valid;
	else if (csr == 0x801)
		*value = (uint32_t)u->status;
	else if (csr == 0x802)
		*value = u->written_period;
	else if (csr == 0x803)
		*value = u->written_handler;
	else
		return false;
	return true;
}

static bool write_csr(struct hart *h, uint32_t csr, uint32_t value)
{
	struct refunit *u = h->context;
	if (csr == 0x802) {
		u->period_written = true;
		u->written_period = value;
	} else if (csr == 0x803) {
		u->written_handler = value;
	} else {
		return false;
	}
	return true;
}

static const struct hart_host host = {.load = load_word, .store = store, .csr_read = read_csr, .csr_write = write_csr};

/* Routines */

static void rest(struct refunit *u);

static void show_levels(struct refunit *u, const struct levels *levels)
{
	for (unsigned i = 0; i < NR_IOREGS; i++) {
		if (u->levels.mask >> i & 1)
			u->inputs[i] = levels->values[i]; /* 0 before it was named */
	}
}

static void latch(struct refunit *u, const struct set *set)
{
	show_levels(u, &set->levels);
	for (unsigned i = 0; i < NR_IOREGS; i++) {
		if (set->valid >> i & 1)
			u->inputs[i] = set->values[i];
	}
	u->valid = set->valid;
	u->counts.taken++;
}

static struct set from_buffer(struct refunit *u)
{
	struct set first = u->buffer[0];
	u->nr_buffered--;
	memmove(u->buffer, u->buffer + 1, u->nr_buffered * sizeof(first));
	return first;
}

static void go_on(struct refunit *u)
{
	u->executing = true;
	u->waiting = false;
	u->cycle = u->start_at;
	u->outcome = UNKNOWN;
	u->status = u->routine == FINISH ? IPU_FINALIZE : IPU_ACTIVE_RUNNING;
}

/* A routine that the program does not have takes no cycle. */
static void run(struct refunit *u, enum routine routine, uint32_t entry)
{
	bool is_missing = (routine == INIT && !ipu_program_has_init(u->program)) ||
			  (routine == FINISH && !ipu_program_has_finish(u->program));
	u->routine = routine;
	u->cycles_used = 0;
	if (routine == INIT || routine == FINISH)
		show_levels(u, &u->levels);
	if (!is_missing) {
		hart_set_register(&u->processor.hart, HART_SP, IPU_STACK_TOP);
		hart_enter(&u->processor.hart, entry);
	}
	go_on(u);
	if (is_missing)
		u->outcome = RETURNS;
}

static void run_main(struct refunit *u, const struct set *set)
{
	uint32_t entry;
	ipu_program_main(u->program, &entry);
	latch(u, set);
	u->counts.calls_main++;
	run(u, MAIN, entry);
}

static void run_handler(struct refunit *u)
{
	u->due = false;
	u->counts.calls_handler++;
	show_levels(u, u->config.has_late_levels ? &u->levels : &u->due_levels);
	run(u, HANDLER, u->written_handler);
}

static void drop_buffer(struct refunit *u)
{
	u->counts.dropped += u->nr_buffered;
	u->nr_buffered = 0;
	u->nr_in_window = 0;
}

static void run_finish(struct refunit *u)
{
	u->finish_asked = false;
	u->waiting = false;
	drop_buffer(u);
	halt_soft(u, true);
	run(u, FINISH, IPU_FINISH);
}

/* A program as at power-on, but the clocks go on, and the host has its triggers, packets and bandwidth. */
static void load(struct refunit *u, const struct ipu_program *program)
{
	u->program = program;
	u->sent = NULL;
	ipu_init(&u->processor, program);
	u->processor.hart.host = &host;
	u->processor.hart.context = u;
	u->processor.hart.inputs = u->inputs;
	u->counts = (struct ipu_counts){0};
	u->fault = (struct ipu_fault){0};
	u->finish_asked = u->waiting = u->due = false;
	u->period = u->written_period = u->written_handler = 0;
	u->period_written = false;
	u->valid = 0;
	memset(u->inputs, 0, sizeof(u->inputs));
	u->nr_active_sets = 0;
	u->nr_in_window = u->nr_buffered = 0;
	u->nr_making = 0;
	load_soft(u);
	run(u, INIT, IPU_INIT);
}

static bool is_active(const struct refunit *u)
{
	return u->inside && !u->held;
}

static void rest(struct refunit *u)
{
	if (u->executing) {
		u->status = IPU_ACTIVE_RUNNING;
	} else if (u->finish_asked) {
		run_finish(u);
	} else if (u->sent) {
		load(u, u->sent);
	} else if (!is_active(u)) {
		u->status = IPU_PAUSED;
	} else if (u->nr_buffered == 0 && u->nr_in_window > 0) {
		u->nr_in_window = 0; /* all of it has been worked off */
		rest(u);
	} else if (u->waiting) {
		u->status = IPU_ACTIVE_RUNNING;
		if (u->nr_buffered > 0) {
			struct set set = from_buffer(u);
			latch(u, &set);
			go_on(u);
		}
	} else if (u->due) {
		run_handler(u);
	} else if (u->nr_buffered > 0) {
		struct set set = from_buffer(u);
		run_main(u, &set);
	} else {
		u->status = IPU_ACTIVE_PAUSED;
	}
}

static void stop_for_good(struct refunit *u)
{
	static const char *const names[] = {"", "init", "_main", "timer handler", "finish"};
	const struct hart *h = &u->processor.hart;
	u->fault.cause = u->cause;
	u->fault.pc = h->pc;
	u->fault.address = hart_cause_is_fault(u->cause) ? h->address : h->pc;
	u->fault.routine = names[u->routine];
	u->nr_making = 0;
	drop_buffer(u);
	halt_soft(u, true);
	u->status = IPU_ERROR;
	if (u->sent)
		load(u, u->sent);
}

/* Executes the instruction of u->cycle; what it comes to holds from the beginning of the then u->cycle on. */
static void step(struct refunit *u)
{
	struct hart *h = &u->processor.hart;
	u->cause = HART_BUDGET;
	u->outcome = FAULTS;
	if (u->cycles_used >= u->config.max_cycles)
		return;
	uint64_t retired = h->nr_retired;
	h->nr_extra = u->cycle - retired;
	u->cause = hart_interpret(h, 1);
	if (u->is_access_early) {
		u->is_access_early = false;
		h->cause = HART_NONE;
		u->outcome = UNKNOWN;
		return;
	}
	uint64_t nr_cycles = h->nr_retired + h->nr_extra - u->cycle;
	u->counts.instructions += h->nr_retired - retired;
	u->counts.busy_cycles += nr_cycles;
	u->cycles_used += nr_cycles;
	u->cycle += nr_cycles;
	/* The last instruction may have taken it past the limit. */
	if (u->cycles_used > u->config.max_cycles && !hart_cause_is_fault(u->cause))
		u->cause = HART_BUDGET;
	else if (u->cause == HART_BUDGET)
		u->outcome = GOES_ON;
	else if (u->cause == HART_RETURNED)
		u->outcome = RETURNS;
	else if (u->cause == HART_INPUT)
		u->outcome = WAITS;
}

/* The end of a routine that has written the period. */
static void start_timer(struct refunit *u)
{
	u->period_written = false;
	u->period = u->written_period;
	u->due_at = hit_cycle_of(u, u->cycle) + u->period;
	u->due = false;
}

static void end_routine(struct refunit *u, enum outcome outcome)
{
	if (outcome == FAULTS || (outcome == WAITS && u->routine != MAIN)) { /* only _main has inputs to wait for */
		stop_for_good(u);
		return;
	}
	u->waiting = outcome == WAITS;
	if (u->routine == FINISH) {
		u->held = u->held || !u->sent;
		halt_soft(u, false);
	}
	rest(u);
}

/* The beginning of u->cycle: what the instruction before has come to. */
static void take_effect(struct refunit *u)
{
	enum outcome outcome = u->outcome;
	u->outcome = UNKNOWN;
	if (outcome == GOES_ON)
		return;
	if (u->period_written)
		start_timer(u);
	u->start_at = u->cycle;
	u->executing = false;
	u->returns = true;
	end_routine(u, outcome);
	u->returns = false;
}

static void timer_event(struct refunit *u)
{
	u->start_at = next_whole_at(u, u->due_at);
	u->due_at += u->period;
	if (!u->due)
		u->due_levels = u->levels;
	if (u->status == IPU_ACTIVE_PAUSED) {
		run_handler(u);
	} else if (u->status == IPU_ACTIVE_RUNNING && !u->due) {
		u->due = true;
		rest(u);
	} else {
		u->counts.missed_periods++;
	}
}

/* All that happens before the calls of a HIT cycle, up to the beginning of the IPU cycle `last`. */
static void pass_to(struct refunit *u, uint64_t hit_cycle, uint64_t last)
{
	for (;;) {
		bool rings = u->period > 0 && u->due_at < hit_cycle;
		uint64_t until = rings ? next_whole_at(u, u->due_at) : last;
		u->seen_hit = rings ? u->due_at : hit_cycle;
		if (u->executing && u->outcome == UNKNOWN && u->cycle <= until)
			step(u);
		if (u->executing && u->outcome != UNKNOWN && u->cycle <= until)
			take_effect(u);
		else if (rings)
			timer_event(u);
		else
			break;
	}
	u->now = hit_cycle;
	u->start_at = next_whole_at(u, hit_cycle);
	if (u->soft)
		pass_soft(u, soft_cycle_of_now(u));
}

static void pass(struct refunit *u, uint64_t hit_cycle)
{
	pass_to(u, hit_cycle, next_whole_at(u, hit_cycle));
}

/* Lets what takes no time be over. */
static void conclude(struct refunit *u)
{
	pass(u, u->now);
}

/* Host and HIT */

static void op_configure(struct ipu_unit *unit, uint64_t hit_cycle, const struct ipu_program *program)
{
	struct refunit *u = refunit_of(unit);
	pass(u, hit_cycle);
	u->held = false;
	u->inside = u->inside && u->has_start;
	follow(u);
	switch (u->status) {
	case IPU_ACTIVE_RUNNING:
		u->sent = program;
		rest(u);
		break;
	case IPU_FINALIZE:
		u->sent = program;
		break;
	default:
		load(u, program);
		break;
	}
	conclude(u);
}

static void op_set_start(struct ipu_unit *unit, uint64_t hit_cycle, uint64_t address)
{
	struct refunit *u = refunit_of(unit);
	pass(u, hit_cycle);
	u->has_start = true;
	u->start = address;
}

static void op_set_stop(struct ipu_unit *unit, uint64_t hit_cycle, uint64_t address)
{
	struct refunit *u = refunit_of(unit);
	pass(u, hit_cycle);
	u->has_stop = true;
	u->stop = address;
}

static bool is_at_rest_or_running(const struct refunit *u)
{
	return u->status == IPU_PAUSED || u->status == IPU_ACTIVE_PAUSED || u->status == IPU_ACTIVE_RUNNING;
}

static void op_pause(struct ipu_unit *unit, uint64_t hit_cycle)
{
	struct refunit *u = refunit_of(unit);
	pass(u, hit_cycle);
	if (is_at_rest_or_running(u)) {
		u->held = true;
		follow(u);
		rest(u);
	} else if (u->status == IPU_FINALIZE) {
		u->held = true;
		follow(u);
	}
	conclude(u);
}

static void op_resume(struct ipu_unit *unit, uint64_t hit_cycle)
{
	struct refunit *u = refunit_of(unit);
	pass(u, hit_cycle);
	if (is_at_rest_or_running(u)) {
		u->held = false;
		if (!u->has_start)
			u->inside = true;
		follow(u);
		rest(u);
	} else if (u->status == IPU_FINALIZE) {
		u->held = false;
		u->inside = u->inside || !u->has_start;
		follow(u);
	}
	conclude(u);
}

static void op_finalize(struct ipu_unit *unit, uint64_t hit_cycle)
{
	struct refunit *u = refunit_of(unit);
	pass(u, hit_cycle);
	if (u->status == IPU_PAUSED || u->status == IPU_ACTIVE_PAUSED) {
		run_finish(u);
	} else if (u->status == IPU_ACTIVE_RUNNING) {
		u->finish_asked = true;
		rest(u);
	}
	conclude(u);
}

static void op_address(struct ipu_unit *unit, uint64_t hit_cycle, uint64_t address)
{
	struct refunit *u = refunit_of(unit);
	pass(u, hit_cycle);
	bool was_inside = u->inside;
	if (u->has_start && address == u->start && !was_inside) {
		u->inside = true;
		follow(u);
		if (is_at_rest_or_running(u))
			rest(u);
		conclude(u);
	}
	if (u->has_stop && address == u->stop && was_inside) {
		u->inside = false;
		follow(u);
		if (is_at_rest_or_running(u))
			rest(u);
		conclude(u);
	}
	conclude(u);
}

static void op_input(struct ipu_unit *unit, uint64_t hit_cycle, uint32_t valid, const uint64_t values[NR_IOREGS])
{
	struct refunit *u = refunit_of(unit);
	struct set set = {.valid = valid};
	pass(u, hit_cycle);
	if (u->soft)
		soft_input(u, valid, values);
	for (unsigned i = 0; i < NR_IOREGS; i++)
		set.values[i] = valid >> i & 1 ? values[i] : 0;
	set.levels = u->levels;
	u->counts.arrived++;
	if (u->status != IPU_ACTIVE_PAUSED && u->status != IPU_ACTIVE_RUNNING) {
		u->counts.ignored++;
		return;
	}
	if (!is_active(u)) { /* but it runs */
		u->counts.dropped++;
		return;
	}
	uint64_t index = u->nr_active_sets++;
	bool is_window = u->config.mismatch == IPU_WINDOW;
	if ((u->config.mismatch == IPU_SUB_SAMPLE && index % u->config.mismatch_arg != 0) ||
	    (u->config.mismatch == IPU_PHASES && u->hit_mhz > u->config.mismatch_arg)) {
		u->counts.skipped++;
		return;
	}
	if (is_window && u->nr_in_window == u->config.mismatch_arg) {
		u->counts.dropped++;
		return;
	}
	if (is_window)
		u->nr_in_window++;
	if (u->status == IPU_ACTIVE_PAUSED) {
		run_main(u, &set);
	} else if (u->waiting) {
		latch(u, &set);
		go_on(u);
	} else if (is_window) {
		u->buffer[u->nr_buffered++] = set;
	} else {
		u->counts.dropped++;
	}
}

/* A routine that began in an IPU cycle before this HIT cycle, or one in which an earlier HIT cycle was seen, saw the
 * levels from before. */
static void op_levels(struct ipu_unit *unit, uint64_t hit_cycle, uint32_t mask, const uint64_t values[NR_IOREGS])
{
	struct refunit *u = refunit_of(unit);
	if (hit_cycle > u->now) {
		uint64_t seen_before = next_whole_at(u, hit_cycle - 1), last = next_whole_at(u, hit_cycle) - 1;
		pass_to(u, hit_cycle, last > seen_before ? last : seen_before);
	}
	u->levels.mask |= mask;
	for (unsigned i = 0; i < NR_IOREGS; i++) {
		if (mask >> i & 1)
			u->levels.values[i] = values[i];
	}
	pass(u, hit_cycle);
}

static void op_set_hit_mhz(struct ipu_unit *unit, uint64_t hit_cycle, uint32_t mhz)
{
	struct refunit *u = refunit_of(unit);
	pass(u, hit_cycle);
	set_ratio(u, mhz);
	u->start_at = next_whole_at(u, hit_cycle);
	if (u->soft)
		pass_soft(u, soft_cycle_of_now(u));
}

static void op_advance(struct ipu_unit *unit, uint64_t hit_cycle)
{
	struct refunit *u = refunit_of(unit);
	pass(u, hit_cycle);
}

static void op_settle(struct ipu_unit *unit)
{
	struct refunit *u = refunit_of(unit);
	while (u->executing) {
		u->seen_hit = u->now;
		if (u->outcome == UNKNOWN)
			step(u);
		/* Before an access that came too early? */
		uint64_t then = u->outcome == UNKNOWN ? hit_cycle_from(u, u->cycle) : hit_cycle_of(u, u->cycle);
		pass(u, then > u->now ? then : u->now);
	}
}

/* Looking at it */

static enum ipu_status op_status(const struct ipu_unit *unit)
{
	const struct refunit *u = refunit_of_const(unit);
	return u->status;
}

static struct ipu_counts op_counts(const struct ipu_unit *unit)
{
	const struct refunit *u = refunit_of_const(unit);
	return u->counts;
}

static struct ipu_fault op_fault(const struct ipu_unit *unit)
{
	const struct refunit *u = refunit_of_const(unit);
	return u->fault;
}

static uint64_t op_hit_cycle(const struct ipu_unit *unit)
{
	const struct refunit *u = refunit_of_const(unit);
	return u->now;
}

static uint64_t op_ipu_cycle(const struct ipu_unit *unit)
{
	const struct refunit *u = refunit_of_const(unit);
	return passed_at(u, u->now);
}

static uint64_t op_free_at(const struct ipu_unit *unit)
{
	const struct refunit *u = refunit_of_const(unit);
	return passed_at(u, u->now);
}

static uint32_t op_buffered(const struct ipu_unit *unit)
{
	const struct refunit *u = refunit_of_const(unit);
	return u->nr_buffered;
}

static const struct ipu *op_processor(const struct ipu_unit *unit)
{
	const struct refunit *u = refunit_of_const(unit);
	return &u->processor;
}

/* It is not for who waits for something to happen. */
static uint64_t op_last_cycle(const struct ipu_unit *unit)
{
	(void)unit;
	return IPU_MAX_CYCLE;
}

static uint64_t op_next_look(const struct ipu_unit *unit)
{
	return refunit_of_const(unit)->now;
}

static bool op_acts_alone(const struct ipu_unit *unit)
{
	(void)unit;
	return true;
}

static uint32_t op_waiting(struct ipu_unit *unit)
{
	const struct refunit *u = refunit_of(unit);
	return (uint32_t)(u->fifo_bytes + u->soft_fifo_bytes);
}

static bool op_soft_counts(const struct ipu_unit *unit, struct ipu_soft_counts *counts)
{
	const struct refunit *u = refunit_of_const(unit);
	*counts = u->soft_counts;
	counts->cycles = u->logic_cycle;
	return u->soft;
}

static enum sahm_status op_check(const struct ipu_unit *unit, struct sahm_err *err)
{
	(void)unit;
	(void)err;
	return SAHM_OK;
}

const uint64_t *refunit_inputs(const struct ipu_unit *unit)
{
	return refunit_of_const(unit)->inputs;
}

bool refunit_is_executing(const struct ipu_unit *unit)
{
	return refunit_of_const(unit)->executing;
}

static void free_packets(struct packet *p)
{
	while (p) {
		struct packet *next = p->next;
		free(p);
		p = next;
	}
}

static void op_free(struct ipu_unit *unit)
{
	struct refunit *u = refunit_of(unit);
	free_packets(u->oldest);
	free_packets(u->soft_oldest);
	if (u->soft)
		u->soft->module->release(u->logic);
	free(u->soft_queue);
	free(u->taken);
	free(u->buffer);
	free(u);
}

static const struct ipu_unit_ops ops = {
	.free = op_free,
	.configure = op_configure,
	.set_start = op_set_start,
	.set_stop = op_set_stop,
	.pause = op_pause,
	.resume = op_resume,
	.finalize = op_finalize,
	.address = op_address,
	.input = op_input,
	.levels = op_levels,
	.next_look = op_next_look,
	.set_hit_mhz = op_set_hit_mhz,
	.advance = op_advance,
	.settle = op_settle,
	.acts_alone = op_acts_alone,
	.last_cycle = op_last_cycle,
	.status = op_status,
	.counts = op_counts,
	.fault = op_fault,
	.hit_cycle = op_hit_cycle,
	.ipu_cycle = op_ipu_cycle,
	.free_at = op_free_at,
	.buffered = op_buffered,
	.waiting = op_waiting,
	.processor = op_processor,
	.take = op_take,
	.soft_counts = op_soft_counts,
	.check = op_check,
};

static enum sahm_status make(const struct ipu_unit_maker *m, struct ipu_unit **unit,
			     const struct ipu_unit_config *config, struct sahm_err *err)
{
	(void)m;
	(void)err;
	*unit = refunit_new(config, NULL);
	return SAHM_OK;
}

const struct ipu_unit_maker refunit_maker = {make};

struct ipu_unit *refunit_new(const struct ipu_unit_config *config, const struct refsoft *soft)
{
	struct refunit *u = calloc(1, sizeof(*u));
	uint32_t most = config->mismatch == IPU_WINDOW ? config->mismatch_arg : 1;
	if (!u)
		abort();
	u->unit.ops = &ops;
	u->config = *config;
	u->buffer = malloc(most * sizeof(*u->buffer));
	u->soft_queue = malloc(most * sizeof(*u->soft_queue));
	if (!u->buffer || !u->soft_queue)
		abort();
	u->soft_account = u->account = (wide)config->ipu_mhz * 1000000 * IPU_MAX_PACKET_BYTES;
	u->soft = soft;
	u->outside = (struct soft_outside){u, send_soft_packet};
	if (soft)
		u->logic = soft->module->make(&u->outside);
	set_ratio(u, config->hit_mhz);
	return &u->unit;
}
