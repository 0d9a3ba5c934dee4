/* The engine in continuous time: the demands and paces of threads whose cores share (cores/chip/level.h). */
#include "cores/chip/state.h"
#include "sim/engine/ext_internal.h"

bool ext_shared_init(struct ext *sim, struct arena *a)
{
	const struct sim_config *config = sim->config;
	sim->shared = arena_alloc(a, config->nr_shared, sizeof(*sim->shared));
	for (uint32_t g = 0; g < config->nr_shared && sim->shared; g++) {
		struct ext_shared *shared = &sim->shared[g];
		uint32_t nr = 0;
		for (uint32_t c = 0; c < config->chip->nr_cores; c++)
			nr += config->shared_of[c] == g;
		shared->paces = arena_alloc(a, nr, sizeof(*shared->paces));
		shared->own_rates = arena_alloc(a, nr, sizeof(struct ext_thread *));
		if (!shared->paces || !shared->own_rates)
			return false;
		shared->capacity = config->capacity[g];
	}
	return sim->shared;
}

/* A demand of `misses` per s at baseline speed, on a core that makes `rate` of progress per ns. */
static uint64_t demand_at(uint64_t misses, uint64_t rate)
{
	uint64_t product;
	if (!__builtin_mul_overflow(misses, rate, &product))
		return product / PROGRESS_PER_NS;
	__extension__ unsigned __int128 wide = (unsigned __int128)misses * rate;
	return (uint64_t)(wide / PROGRESS_PER_NS);
}

static void set_demand(struct ext *sim, struct ext_thread *th, uint32_t cpu, uint64_t demand)
{
	uint32_t g = sim->config->shared_of[cpu];
	if (g >= sim->config->nr_shared || demand == th->demand)
		return;
	sim->shared[g].demand += demand - th->demand;
	th->demand = demand;
	sim->shared[g].is_changed = sim->is_shared_changed = true;
}

void ext_demand_begin(struct ext *sim, struct ext_thread *th, uint32_t cpu)
{
	set_demand(sim, th, cpu, demand_at(th->from->demand[th->state], sim->rates[cpu][th->state].per_ns.by));
}

void ext_demand_end(struct ext *sim, struct ext_thread *th, uint32_t cpu)
{
	ext_leave_shared(sim, th);
	set_demand(sim, th, cpu, 0);
}

void ext_shared_count_over(struct ext *sim, struct ext_shared *shared)
{
	if (sim->config->over_ns && shared->charged > shared->capacity)
		sim->config->over_ns[shared - sim->shared] += sim->host.now - shared->over_since;
	shared->over_since = sim->host.now;
}

/* A rate, slower by the others. */
static int64_t slowed(const struct ext_shared *shared, int64_t full)
{
	if (shared->charged <= shared->capacity)
		return full;
	__extension__ unsigned __int128 product = (unsigned __int128)(uint64_t)full * shared->capacity;
	int64_t rate =
		product >> 64 ? (int64_t)(product / shared->charged) : (int64_t)((uint64_t)product / shared->charged);
	return rate > 0 ? rate : 1;
}

static uint64_t pace_sum(const struct ext_shared *shared, const struct ext_pace *pace, uint64_t now)
{
	return pace->sum + (now - shared->paced_to_ns) * (uint64_t)pace->rate;
}

static void set_paces(struct ext_shared *shared, uint64_t now)
{
	for (uint32_t i = 0; i < shared->nr_paces; i++) {
		struct ext_pace *pace = &shared->paces[i];
		pace->sum = pace_sum(shared, pace, now);
		pace->rate = slowed(shared, pace->full);
	}
	shared->paced_to_ns = now;
}

static struct ext_pace *find_pace(struct ext_shared *shared, int64_t full)
{
	struct ext_pace *unused = NULL;
	for (uint32_t i = 0; i < shared->nr_paces; i++) {
		if (shared->paces[i].full == full)
			return &shared->paces[i];
		if (shared->paces[i].nr == 0)
			unused = &shared->paces[i];
	}
	if (!unused)
		unused = &shared->paces[shared->nr_paces++];
	*unused = (struct ext_pace){.full = full, .rate = slowed(shared, full)};
	return unused;
}

static struct ext_shared *shared_by(const struct ext *sim, const struct ext_thread *th)
{
	uint32_t g = sim->config->shared_of[th->task.cpu];
	return g < sim->config->nr_shared ? &sim->shared[g] : NULL;
}

void ext_leave_shared(struct ext *sim, struct ext_thread *th)
{
	struct ext_shared *shared = shared_by(sim, th);
	if (th->pace)
		th->pace->nr--;
	th->pace = NULL;
	if (th->own_rate_at == NO_PLACE)
		return;
	struct ext_thread *last = shared->own_rates[--shared->nr_own_rates];
	shared->own_rates[th->own_rate_at] = last;
	last->own_rate_at = th->own_rate_at;
	th->own_rate_at = NO_PLACE;
}

uint64_t ext_share_piece(struct ext *sim, struct ext_thread *th, int64_t left, uint64_t piece_ns, uint64_t longest_ns)
{
	struct ext_shared *shared = shared_by(sim, th);
	ext_leave_shared(sim, th);
	if (!shared || th->cursor.ended || !(cursor_state(&th->cursor) >> COMPONENT_L2 & 1))
		return piece_ns;
	if (th->task.debt_ns == 0 && th->task.cold_ns == 0 && !th->from->bursts && piece_ns > sim->timestep_ns) {
		th->pace = find_pace(shared, th->rate);
		th->pace->nr++;
		th->mark = pace_sum(shared, th->pace, th->at);
		return piece_ns;
	}
	th->own_rate_at = shared->nr_own_rates;
	shared->own_rates[shared->nr_own_rates++] = th;
	int64_t rate = slowed(shared, th->rate);
	if (rate == th->rate)
		return piece_ns;
	th->rate = rate;
	uint64_t ns = left <= 0 ? 0 : ((uint64_t)left - 1) / (uint64_t)rate + 1;
	return least(ns, longest_ns);
}

void ext_follow_pace(struct ext *sim, struct ext_thread *th)
{
	uint64_t sum = pace_sum(shared_by(sim, th), th->pace, sim->host.now);
	int64_t over = th->cursor.progress + (int64_t)(sum - th->mark) - th->stay_length;
	/* Past the end, which it has reached at the present rate. */
	uint64_t late_ns = over > 0 ? (uint64_t)(over / th->pace->rate) : 0;
	sum -= late_ns * (uint64_t)th->pace->rate;
	th->cursor.progress += (int64_t)(sum - th->mark);
	th->mark = sum;
	th->at = sim->host.now - late_ns;
}

void ext_shared_charge(struct ext *sim, struct ext_shared *shared)
{
	ext_shared_count_over(sim, shared);
	shared->charged = shared->demand;
	set_paces(shared, sim->host.now);
}
