#include "sched/policies/transport.h"

/* Inside, "nowhere" is one more class, after the others, with seats for everybody. A value is multiplied by the number
 * of threads + 1, and one is added at home: so homes decide between equal totals and nothing else.
 *
 * Bounds: sums along a way are below 2 (k + 1) times the largest value inside, k classes with "nowhere". */
#define LARGEST_SUM (INT64_C(1) << 60)
#define INSIDE_FORBIDDEN (-2 * LARGEST_SUM)
#define NO_WAY INT64_MAX

/* Edges out of a class with more seats than this are kept; out of others they are worked out when needed. */
#define FEW_SEATS 2u

/* The thread that goes along an edge: a thread, or nobody, which is a free seat that comes the other way. */
#define NOBODY UINT32_MAX
#define NO_ROW UINT32_MAX
#define EVERY_PART UINT32_MAX

/* From a class to another: how much its best mover gains. */
struct edge {
	int64_t gain; /* below -LARGEST_SUM: there is no edge */
	uint32_t mover;
};

struct seat_class {
	uint32_t capacity, nr_members, part;
	uint32_t *members; /* threads, in no order */
	int64_t price;
	struct edge *edges; /* [nr_nodes], NULL: not kept */
	bool stale;	    /* they must be recomputed */
	/* Of the search under way: */
	int64_t distance;
	uint32_t before, mover; /* from which class, TRANSPORT_NOWHERE: the source, and who comes */
	bool done;
};

struct thread {
	uint32_t row; /* NO_ROW: not active */
	uint32_t class, place, home;
};

struct transport {
	uint32_t nr_classes, nr_nodes; /* nodes: classes with "nowhere" */
	uint32_t nr_rows, nr_threads;
	uint32_t part; /* of the search under way; EVERY_PART */
	uint32_t nr_away;
	int64_t scale;
	int64_t *values; /* [nr_rows][nr_nodes] */
	uint32_t *free_rows, nr_free_rows;
	struct thread *threads;
	struct seat_class *classes; /* [nr_nodes] */
	struct edge *scratch;	    /* [nr_nodes] */
	/* What classes get their share of: */
	uint32_t *members;
	struct edge *edges;
};

static void deactivate_all(struct transport *tp)
{
	tp->nr_away = 0;
	tp->nr_free_rows = tp->nr_rows;
	for (uint32_t r = 0; r < tp->nr_rows; r++)
		tp->free_rows[r] = tp->nr_rows - 1 - r;
	for (uint32_t t = 0; t < tp->nr_threads; t++)
		tp->threads[t].row = NO_ROW;
}

/* Memory, in objects. */
struct room {
	size_t nodes, members, edges;
};

static struct transport *make(struct arena *a, uint32_t nr_threads, uint32_t max_active, const struct room *room)
{
	struct transport *tp = arena_alloc(a, 1, sizeof(*tp));
	if (!tp)
		return NULL;
	*tp = (struct transport){
		.nr_rows = max_active,
		.nr_threads = nr_threads,
		.scale = (int64_t)max_active + 1,
		.values = arena_alloc(a, max_active * room->nodes, sizeof(*tp->values)),
		.free_rows = arena_alloc(a, max_active, sizeof(*tp->free_rows)),
		.threads = arena_alloc(a, nr_threads, sizeof(*tp->threads)),
		.classes = arena_alloc(a, room->nodes, sizeof(*tp->classes)),
		.scratch = arena_alloc(a, room->nodes, sizeof(*tp->scratch)),
		.members = arena_alloc(a, room->members, sizeof(*tp->members)),
		.edges = arena_alloc(a, room->edges, sizeof(*tp->edges)),
	};
	if (!tp->values || !tp->free_rows || !tp->threads || !tp->classes || !tp->scratch || !tp->members || !tp->edges)
		return NULL;
	deactivate_all(tp);
	return tp;
}

static uint32_t seats_of(uint32_t capacity, uint32_t max_active)
{
	return capacity < max_active ? capacity : max_active;
}

struct transport *transport_new(struct arena *a, uint32_t nr_threads, uint32_t max_active, uint32_t nr_classes,
				const uint32_t *capacity)
{
	uint32_t nr_nodes = nr_classes + 1;
	struct room room = {.nodes = nr_nodes, .members = max_active, .edges = nr_nodes};
	for (uint32_t k = 0; k < nr_classes; k++) {
		room.members += seats_of(capacity[k], max_active);
		room.edges += capacity[k] > FEW_SEATS ? nr_nodes : 0;
	}
	struct transport *tp = make(a, nr_threads, max_active, &room);
	if (tp)
		transport_restart(tp, nr_classes, capacity, NULL);
	return tp;
}

/* The most edges are kept when some classes have just as many seats as it takes, and all others one. */
static size_t most_edges(uint32_t max_classes, uint32_t nr_seats)
{
	size_t most = 0;
	for (uint32_t nr = 0; nr <= nr_seats / (FEW_SEATS + 1) && nr <= max_classes; nr++) {
		size_t nr_classes = nr_seats - (size_t)nr * FEW_SEATS, nodes;
		nodes = (nr_classes < max_classes ? nr_classes : max_classes) + 1;
		most = (nr + 1) * nodes > most ? (nr + 1) * nodes : most;
	}
	return most;
}

struct transport *transport_new_for(struct arena *a, uint32_t nr_threads, uint32_t max_active, uint32_t max_classes,
				    uint32_t nr_seats)
{
	const struct room room = {
		.nodes = (size_t)max_classes + 1,
		.members = (size_t)nr_seats + max_active,
		.edges = most_edges(max_classes, nr_seats),
	};
	return make(a, nr_threads, max_active, &room);
}

void transport_restart(struct transport *tp, uint32_t nr_classes, const uint32_t *capacity, const uint32_t *part)
{
	uint32_t *members = tp->members;
	struct edge *edges = tp->edges;
	tp->nr_classes = nr_classes;
	tp->nr_nodes = nr_classes + 1;
	for (uint32_t k = 0; k < tp->nr_nodes; k++) {
		uint32_t seats = k < nr_classes ? capacity[k] : tp->nr_rows;
		bool keeps = seats > FEW_SEATS;
		tp->classes[k] = (struct seat_class){.capacity = seats,
						     .part = part && k < nr_classes ? part[k] : 0,
						     .members = members,
						     .edges = keeps ? edges : NULL,
						     .stale = true};
		members += seats_of(seats, tp->nr_rows);
		edges += keeps ? tp->nr_nodes : 0;
	}
	deactivate_all(tp);
}

int64_t transport_max_value(const struct transport *tp)
{
	return LARGEST_SUM / (2 * (int64_t)(tp->nr_nodes + 1)) / tp->scale - 1;
}

static const int64_t *row_of(const struct transport *tp, uint32_t t)
{
	return tp->values + (size_t)tp->threads[t].row * tp->nr_nodes;
}

/* Lets thread `t` of class `from` offer to go along its edges; the lowest index wins a tie, a free seat any. */
static inline void offer(struct edge *edges, const struct transport *tp, uint32_t t, uint32_t from)
{
	const int64_t *value = row_of(tp, t);
	for (uint32_t k = 0; k < tp->nr_nodes; k++) {
		int64_t gain = value[k] - value[from];
		bool better = gain > edges[k].gain ||
			      (gain == edges[k].gain && t < edges[k].mover && edges[k].mover != NOBODY);
		edges[k].gain = better ? gain : edges[k].gain;
		edges[k].mover = better ? t : edges[k].mover;
	}
}

static const struct edge *edges_of(struct transport *tp, uint32_t k)
{
	struct seat_class *class = &tp->classes[k];
	struct edge *edges = class->edges ? class->edges : tp->scratch;
	if (class->edges && !class->stale)
		return edges;
	class->stale = false;
	bool has_free = class->nr_members < class->capacity;
	for (uint32_t to = 0; to < tp->nr_nodes; to++)
		edges[to] = (struct edge){has_free ? 0 : INSIDE_FORBIDDEN, NOBODY};
	for (uint32_t i = 0; i < class->nr_members; i++)
		offer(edges, tp, class->members[i], k);
	return edges;
}

static bool is_mover(const struct transport *tp, const struct seat_class *class, uint32_t t)
{
	for (uint32_t to = 0; to < tp->nr_nodes; to++)
		if (class->edges[to].mover == t)
			return true;
	return false;
}

/* In class `k` thread `out`, which sits at `place`, gives its seat to thread `in`; either may be NOBODY, and both may
 * be the same thread, with other values than before. */
static void replace(struct transport *tp, uint32_t k, uint32_t out, uint32_t place, uint32_t in)
{
	struct seat_class *class = &tp->classes[k];
	if (out == NOBODY && in == NOBODY)
		return;
	if (out == NOBODY) {
		place = class->nr_members++;
		class->stale |= class->nr_members == class->capacity;
	} else if (in == NOBODY) {
		class->stale = true;
		in = class->members[--class->nr_members];
		if (in == out)
			return;
	} else if (class->edges && is_mover(tp, class, out)) {
		class->stale = true;
	}
	struct thread *th = &tp->threads[in];
	class->members[place] = in;
	tp->nr_away += (k != th->home) - (uint32_t)(th->class != th->home);
	th->class = k;
	th->place = place;
	if (class->edges && !class->stale)
		offer(class->edges, tp, in, k);
}

/* Whether somebody with the values `value`, NULL: nobody, may be in class `k`; its value there beyond the price.
 */
static bool is_allowed(const int64_t *value, uint32_t k)
{
	return !value || value[k] > -LARGEST_SUM;
}

static int64_t surplus(const struct transport *tp, const int64_t *value, uint32_t k)
{
	return (value ? value[k] : 0) - tp->classes[k].price;
}

/* Whether class `k` belongs to another part of the problem than the search; "nowhere" belongs to all. */
static bool is_outside(const struct transport *tp, uint32_t k)
{
	return tp->classes[k].part != tp->part && tp->part != EVERY_PART && k < tp->nr_classes;
}

/* Looks for the way from somebody with the values `value`, whose largest surplus is `best`, to the free seat in class
 * `hole`: each class on it says from which class, `before`, who comes. Prices are such afterwards that everybody is
 * where the surplus is largest. */
static void find_way(struct transport *tp, const int64_t *value, int64_t best, uint32_t hole)
{
	struct seat_class *classes = tp->classes;
	for (uint32_t k = 0; k < tp->nr_nodes; k++) {
		classes[k].distance = is_allowed(value, k) ? best - surplus(tp, value, k) : NO_WAY;
		classes[k].before = TRANSPORT_NOWHERE;
		classes[k].done = is_outside(tp, k);
	}
	for (;;) {
		uint32_t at = 0;
		int64_t nearest = NO_WAY;
		/* Of equally near ones the hole comes first: so the way is short. */
		for (uint32_t k = 0; k < tp->nr_nodes; k++) {
			if (classes[k].done || classes[k].distance > nearest)
				continue;
			if (classes[k].distance < nearest || k == hole) {
				nearest = classes[k].distance;
				at = k;
			}
		}
		if (at == hole)
			break;
		classes[at].done = true;
		const struct edge *edges = edges_of(tp, at);
		for (uint32_t k = 0; k < tp->nr_nodes; k++) {
			if (classes[k].done || edges[k].gain < -LARGEST_SUM)
				continue;
			int64_t distance = nearest + classes[k].price - classes[at].price - edges[k].gain;
			if (distance >= classes[k].distance)
				continue;
			classes[k].distance = distance;
			classes[k].before = at;
			classes[k].mover = edges[k].mover;
		}
	}
	int64_t length = classes[hole].distance;
	for (uint32_t k = 0; k < tp->nr_nodes; k++)
		if (classes[k].done && !is_outside(tp, k))
			classes[k].price += length - classes[k].distance;
	/* Free seats cost nothing. */
	int64_t nothing = classes[tp->nr_classes].price;
	for (uint32_t k = 0; k < tp->nr_nodes && nothing; k++)
		if (!is_outside(tp, k))
			classes[k].price -= nothing;
}

/* Thread `in` with the values `value` (NOBODY, NULL: a free seat) looks for a place; in class `hole` thread `out`
 * (NOBODY: a free seat) makes room for that. */
static void reassign(struct transport *tp, uint32_t in, const int64_t *value, uint32_t out, uint32_t hole)
{
	uint32_t place = out == NOBODY ? 0 : tp->threads[out].place;
	int64_t best = INT64_MIN;
	for (uint32_t k = 0; k < tp->nr_nodes; k++) {
		int64_t here = surplus(tp, value, k);
		best = is_allowed(value, k) && here > best && !is_outside(tp, k) ? here : best;
	}
	bool stays = is_allowed(value, hole) && surplus(tp, value, hole) == best;
	if (!stays)
		find_way(tp, value, best, hole);
	/* From its end: each thread that enters a class takes the seat of the one that goes on from there. */
	while (!stays && tp->classes[hole].before != TRANSPORT_NOWHERE) {
		uint32_t mover = tp->classes[hole].mover, from = mover == NOBODY ? 0 : tp->threads[mover].place;
		replace(tp, hole, out, place, mover);
		hole = tp->classes[hole].before;
		out = mover;
		place = from;
	}
	replace(tp, hole, out, place, in);
}

/* The part in which somebody with the values `value` may be, and which has `class`, or all where these differ. */
static uint32_t part_of(const struct transport *tp, const int64_t *value, uint32_t class)
{
	uint32_t part = class < tp->nr_classes ? tp->classes[class].part : EVERY_PART;
	for (uint32_t k = 0; k < tp->nr_classes; k++) {
		if (!is_allowed(value, k))
			continue;
		if (part != EVERY_PART && tp->classes[k].part != part)
			return EVERY_PART;
		part = tp->classes[k].part;
	}
	return part;
}

void transport_set(struct transport *tp, uint32_t t, const int64_t *values, uint32_t home)
{
	struct thread *th = &tp->threads[t];
	bool is_new = th->row == NO_ROW;
	if (is_new) {
		th->row = tp->free_rows[--tp->nr_free_rows];
		th->class = th->home = tp->nr_classes;
	}
	uint32_t new_home = home == TRANSPORT_NOWHERE ? tp->nr_classes : home;
	tp->nr_away += (th->class != new_home) - (uint32_t)(th->class != th->home);
	th->home = new_home;
	int64_t *row = tp->values + (size_t)th->row * tp->nr_nodes;
	for (uint32_t k = 0; k < tp->nr_classes; k++)
		row[k] = values[k] == TRANSPORT_FORBIDDEN ? INSIDE_FORBIDDEN : values[k] * tp->scale + (k == home);
	row[tp->nr_classes] = home == TRANSPORT_NOWHERE;
	tp->part = part_of(tp, row, th->class);
	reassign(tp, t, row, is_new ? NOBODY : t, th->class);
}

void transport_drop(struct transport *tp, uint32_t t)
{
	struct thread *th = &tp->threads[t];
	if (th->row == NO_ROW)
		return;
	tp->part = th->class < tp->nr_classes ? tp->classes[th->class].part : EVERY_PART;
	tp->nr_away -= th->class != th->home;
	reassign(tp, NOBODY, NULL, t, th->class);
	tp->free_rows[tp->nr_free_rows++] = th->row;
	th->row = NO_ROW;
}

bool transport_is_active(const struct transport *tp, uint32_t t)
{
	return tp->threads[t].row != NO_ROW;
}

uint32_t transport_nr_away(const struct transport *tp)
{
	return tp->nr_away;
}

uint32_t transport_class(const struct transport *tp, uint32_t t)
{
	const struct thread *th = &tp->threads[t];
	return th->row == NO_ROW || th->class == tp->nr_classes ? TRANSPORT_NOWHERE : th->class;
}

/* Values inside hold a home beside the value proper. */
static int64_t value_of(const struct transport *tp, int64_t inside)
{
	int64_t rest = inside % tp->scale;
	return (inside - (rest < 0 ? rest + tp->scale : rest)) / tp->scale;
}

int64_t transport_price(const struct transport *tp, uint32_t class)
{
	return value_of(tp, tp->classes[class].price + tp->scale / 2);
}

int64_t transport_total(const struct transport *tp)
{
	int64_t total = 0;
	for (uint32_t k = 0; k < tp->nr_classes; k++)
		for (uint32_t i = 0; i < tp->classes[k].nr_members; i++)
			total += value_of(tp, row_of(tp, tp->classes[k].members[i])[k]);
	return total;
}
