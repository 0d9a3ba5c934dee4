/* The front of an out-of-order graph: edges that follow from program order, registers and addresses. Both algorithms
 * add to them the edges of slots, queues and units. */
#ifndef SAHM_CORES_UARCH_GRAPH_GRAPH_FRONT_INTERNAL_H
#define SAHM_CORES_UARCH_GRAPH_GRAPH_FRONT_INTERNAL_H

#include "cores/uarch/graph/graph_internal.h"
#include "cores/uarch/graph/graph_models.h"

/* Loads and stores together that a queue of accesses can have. */
#define FRONT_MAX_ACCESSES 800u

/* Edges to M of an access: from the access that issued earlier, and from one to the same bytes. */
#define FRONT_ACCESS_EDGES 2u

struct front_access {
	uint64_t address;
	uint32_t bytes;
	bool is_load;
};

struct front {
	const struct graph_config *c;
	struct graph_cache icache, dcache;
	struct rng predictor;
	uint64_t number;	     /* of the next instruction */
	uint64_t line;		     /* of the instruction before + 1 */
	uint64_t last_access;	     /* number + 1 */
	uint64_t last_misprediction; /* the same, of those whose successor is older than the next instruction */
	bool previous_mispredicted, previous_was_branch;
	uint64_t writers[NR_GRAPH_REGISTERS]; /* numbers + 1 of the last ones; 0: none that is waited for */
	struct front_access accesses[FRONT_MAX_ACCESSES];
	uint32_t next_access;
	uint64_t nr_accesses;
};

/* An instruction and its edges. */
struct front_step {
	uint64_t number;
	uint8_t class;
	bool is_access, is_load, after_misprediction;
	uint32_t latency, memory_cycles;
	uint32_t fetch_cycles; /* of the edge to F: from F before it, or after a misprediction beyond the branch's
				  latency */
	uint32_t fetch_back, dispatch_back, commit_back,
		access_commit_back;	       /* edges of 1 over that distance; 0: none */
	bool follows_dispatch, follows_commit; /* edges of 0 from the instruction before */
	unsigned nr_producers;
	uint64_t producers[GRAPH_MAX_READS]; /* numbers */
	unsigned nr_accesses;
	uint64_t accesses[FRONT_ACCESS_EDGES]; /* numbers of accesses, from 0 on */
};

/* False: no memory, and nothing to release. */
bool front_init(struct front *f, const struct graph_config *c, uint64_t seed);
void front_release(struct front *f);
void front_step(struct front *f, const struct graph_insn *insn, struct front_step *s);

/* ---- Edges that both algorithms have; of vertices that are NULL there is no edge ---- */

/* F: `back` is F of the instruction `fetch_back` before, `before` F of the one before, or E of it after a
 * misprediction, and `buffer` C of the one whose place in the buffer is taken. */
struct graph_vertex front_settle_fetch(struct graph_path *p, const struct front_step *s,
				       const struct graph_vertex *back, const struct graph_vertex *before,
				       const struct graph_vertex *buffer);

/* D: `back` and `before` are D of the instructions `dispatch_back` and one before. */
struct graph_vertex front_settle_dispatch(struct graph_path *p, const struct graph_config *c, struct graph_vertex f,
					  const struct graph_vertex *back, const struct graph_vertex *before);

/* The edge from the instruction that writes a register to E of one that reads it, and that from E or M to C: `m` and
 * `e` are vertices of the instruction of `s`. */
void front_raise_by_producer(const struct front_step *s, struct graph_vertex m, struct graph_vertex e,
			     struct graph_best *best);
void front_raise_commit(const struct graph_config *c, const struct front_step *s, struct graph_vertex m,
			struct graph_vertex e, struct graph_best *best);

/* C: that edge, and those from C of the instructions `commit_back`, `access_commit_back` and one before. */
struct graph_vertex front_settle_commit(struct graph_path *p, const struct graph_config *c, const struct front_step *s,
					struct graph_vertex m, struct graph_vertex e, const struct graph_vertex *back,
					const struct graph_vertex *access_back, const struct graph_vertex *before);

/* ---- What instructions take in the order of their schedule ---- */

/* Units of a kind, taken in turn. */
enum ooo_kind { OOO_INT, OOO_MUL_DIV, OOO_FP, OOO_FP_MUL_DIV, OOO_LSU, NR_OOO_KINDS };
#define OOO_MAX_UNITS 256u
#define OOO_MAX_SLOTS 400u

struct ooo_slot {
	struct graph_vertex e; /* of the last user */
	uint64_t user;	       /* number + 1; 0: none */
	uint32_t cycles;       /* of the edge from it */
	uint8_t class;
};

struct ooo_ring {
	uint32_t nr, next;
	struct ooo_slot *slots;
};

struct ooo_board {
	const struct graph_config *c;
	struct ooo_ring issue, queue, units[NR_OOO_KINDS];
	struct ooo_slot issue_slots[OOO_MAX_UNITS], queue_slots[OOO_MAX_SLOTS], unit_slots[NR_OOO_KINDS][OOO_MAX_UNITS];
	struct {
		uint32_t nr, next;
		uint64_t users[OOO_MAX_SLOTS], accesses[OOO_MAX_SLOTS]; /* numbers + 1 */
	} access_queues[NR_GRAPH_ACCESSES];
};

void ooo_board_init(struct ooo_board *b, const struct graph_config *c);

/* Takes issue slot, queue entry and unit for an instruction, and applies the edges from their last users to `e`.
 * Returns the slots, whose users' vertices the caller sets when E is known: slots[0 to *nr - 1]. */
void ooo_board_take(struct ooo_board *b, const struct front_step *s, bool has_unit, struct graph_best *e,
		    struct ooo_slot *slots[3], unsigned *nr);

/* Takes an entry of the load or store queue for access `access` of instruction s->number. Returns the number + 1 of the
 * access from which an edge leads to M, 0: none. */
uint64_t ooo_board_take_access(struct ooo_board *b, const struct front_step *s, uint64_t access);

/* Lists the vertices of the slots; returns their number. */
size_t ooo_board_vertices(struct ooo_board *b, struct graph_vertex **list);

/* Whether the class has a unit: system calls, atomic and other instructions have none. */
bool ooo_has_unit(enum graph_class class);

/* ---- Instructions by length, then by number ---- */

/* The length above the number, so that they are compared at once. */
__extension__ typedef unsigned __int128 ooo_ready;

static inline ooo_ready ooo_ready_of(int64_t length, uint64_t number)
{
	return (ooo_ready)(uint64_t)length << 64 | number;
}

static inline int64_t ooo_ready_length(ooo_ready r)
{
	return (int64_t)(uint64_t)(r >> 64);
}

static inline uint64_t ooo_ready_number(ooo_ready r)
{
	return (uint64_t)r;
}

/* A binary heap; the caller's array has room for all, and one more. */
void ooo_heap_push(ooo_ready *heap, size_t *nr, ooo_ready r);
ooo_ready ooo_heap_pop(ooo_ready *heap, size_t *nr);

#endif
