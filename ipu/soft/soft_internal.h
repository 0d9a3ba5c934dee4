/* Parts of ipu/soft/soft.c. soft_process.c and soft_child.c are the two sides of a module's process; both sides of a
 * shared page see the other as a stranger: the caller checks everything that it reads there.
 */
#ifndef SAHM_IPU_SOFT_SOFT_INTERNAL_H
#define SAHM_IPU_SOFT_SOFT_INTERNAL_H

#include <stdalign.h>
#include <stdatomic.h>
#include <sys/types.h>

#include "ipu/soft/soft.h"

/* Copied content of a description, without pointers: it comes from another process. */
struct soft_facts {
	char name[SOFT_NAME_BYTES], version[SOFT_NAME_BYTES];
	uint32_t nr_inputs, nr_registers, packet_bytes;
	struct {
		char name[SOFT_NAME_BYTES];
		uint32_t bits;
	} inputs[SOFT_MAX_INPUTS];
	struct {
		char name[SOFT_NAME_BYTES];
		uint32_t offset, access;
	} registers[SOFT_MAX_REGISTERS];
};

/* Copies the description `m`, and checks what the copy does not show. SAHM_FORMAT. */
enum sahm_status soft_facts_copy(struct soft_facts *f, const struct soft_module *m, const char *file,
				 struct sahm_err *err);
/* Checks a copy, whatever it holds. SAHM_FORMAT. */
enum sahm_status soft_facts_check(const struct soft_facts *f, const char *file, struct sahm_err *err);

/* Rules that a module breaks while it runs: FAULT(symbol, what it did). */
#define SOFT_FAULTS(FAULT)                                                                                             \
	FAULT(NONE, "")                                                                                                \
	FAULT(OUTSIDE_STEP, "it sent a packet outside of step()")                                                      \
	FAULT(LATE, "it sent a packet for a cycle after that of the step")                                             \
	FAULT(EARLY, "it sent a packet for a cycle before that of the last packet")                                    \
	FAULT(LARGE, "it sent a packet that is too large")                                                             \
	FAULT(PILE, "it sent more packets than can be kept until they are taken")

enum soft_fault {
#define FAULT(symbol, text) SOFT_FAULT_##symbol,
	SOFT_FAULTS(FAULT)
#undef FAULT
		NR_SOFT_FAULTS
};

extern const char *const soft_fault_texts[NR_SOFT_FAULTS];

/* An instance with the rules of struct soft_outside. It stays where it is made. */
struct soft_instance {
	const struct soft_module *module;
	void *state;
	struct soft_outside outside;
	/* Gets each packet, or a fault with no packet. */
	void (*deliver)(void *ctx, enum soft_fault fault, uint64_t cycle, const void *bytes, uint32_t nr_bytes);
	void *ctx;
	uint64_t cycle, sent_cycle; /* of the step, of the last packet */
	bool is_in_step;
};

/* `deliver` and `ctx` are set. False: memory is short. */
bool soft_instance_make(struct soft_instance *i, const struct soft_module *m);

static inline void soft_instance_step(struct soft_instance *i, uint64_t cycle, uint32_t valid, const uint64_t *values)
{
	i->cycle = cycle;
	i->is_in_step = true;
	i->module->step(i->state, cycle, valid, values);
	i->is_in_step = false;
}

/* Loads the shared object that `fd` is open for, and finds its description. `fd` must stay open as long as the object
 * is loaded: the dynamic linker takes another one with the same number for the same object. SAHM_FORMAT. */
enum sahm_status soft_object_open(void **object, const struct soft_module **m, int fd, const char *file,
				  struct sahm_err *err);
/* Unloads the object and closes `fd`, except where the linker keeps the object. */
void soft_object_close(void *object, int fd);

/* Confines this process for good: what the dynamic linker needs remains. NULL, or what cannot be had. */
const char *soft_sandbox_enter(void);
/* Takes that away as well. */
const char *soft_sandbox_seal(void);

/* Rings of 64-bit words; positions count words and never wrap. */
#define SOFT_RING_WORDS ((uint64_t)1 << 17)
/* After this number of words the other side gets to know. */
#define SOFT_PUBLISHED_WORDS 512u

enum soft_command {
	SOFT_COMMAND_STEP,  /* `operand` is `valid`; then the cycle, and values of valid inputs */
	SOFT_COMMAND_READ,  /* `operand` is the offset; answered in `value` */
	SOFT_COMMAND_WRITE, /* the same; then the value */
	SOFT_COMMAND_RESET,
	SOFT_COMMAND_MAKE, /* answered: 1, or 0 when memory is short */
	SOFT_COMMAND_RELEASE,
	SOFT_COMMAND_WAIT, /* nothing to do: the packets so far are there */
};

/* First word of a command, and of a packet: its `kind` is 0 and its `operand` the number of bytes. Then a packet has
 * its cycle and its bytes, filled up to whole words. */
static inline uint64_t soft_head_word(unsigned kind, uint32_t block, uint32_t operand)
{
	return (uint64_t)operand << 32 | (uint64_t)block << 4 | kind;
}

static inline unsigned soft_word_kind(uint64_t word)
{
	return word & 15;
}

static inline uint32_t soft_word_block(uint64_t word)
{
	return (uint32_t)word >> 4;
}

static inline uint32_t soft_word_operand(uint64_t word)
{
	return (uint32_t)(word >> 32);
}

#define SOFT_MAX_BLOCKS (1u << 16)

/* What a module's process found when it loaded it. */
struct soft_loading {
	enum sahm_status status;
	char msg[SAHM_ERR_BYTES];
	struct soft_facts facts;
};

struct soft_shared {
	/* The caller writes. */
	alignas(64) _Atomic uint64_t commands_head;
	_Atomic uint64_t awaited; /* commands_tail for which it sleeps */
	alignas(64) _Atomic uint64_t packets_tail;
	alignas(64) _Atomic uint32_t caller_sleeps;
	/* The module's process writes. commands_tail is at 1 when the module has been loaded. */
	alignas(64) _Atomic uint64_t commands_tail;
	_Atomic uint32_t value, fault;
	alignas(64) _Atomic uint64_t packets_head;
	alignas(64) _Atomic uint32_t process_sleeps;
	struct soft_loading loading;
	uint64_t commands[SOFT_RING_WORDS], packets[SOFT_RING_WORDS];
};

/* Rounds that one side looks for the other before it sleeps. */
#define SOFT_SPINS 500u

static inline void soft_spin(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield");
#endif
}

/* Sleeps while *word is 1, at most `timeout_ns` (0: for ever); and wakes who sleeps so. Both may be for nothing. */
void soft_sleep(_Atomic uint32_t *word, uint64_t timeout_ns);
void soft_wake(_Atomic uint32_t *word);

/* Being the module's process: `fd` is open for its shared object. Does not return. */
_Noreturn void soft_child_run(struct soft_shared *shared, int fd, const char *file, pid_t parent);

/* First failure of a module. */
struct soft_failure {
	bool has_happened;
	char why[256];
};

/* Keeps the first one. */
void soft_failure_set(struct soft_failure *f, const char *why);

/* A module's process, as its caller sees it. */
struct soft_process;

/* Starts one and loads the module. `deliver` gets packets, of any block number below SOFT_MAX_BLOCKS. `failure`
 * outlives it. As soft_open(). */
struct soft_process_options {
	int fd;
	const char *file;
	unsigned patience_ms;
	struct soft_failure *failure;
	void (*deliver)(void *ctx, uint32_t block, uint64_t cycle, const uint8_t *bytes, uint32_t nr_bytes);
	void *ctx;
};
enum sahm_status soft_process_start(struct soft_process **process, const struct soft_process_options *options,
				    struct soft_facts *facts, struct sahm_err *err);
void soft_process_end(struct soft_process *p);

void soft_process_step(struct soft_process *p, uint32_t block, uint64_t cycle, uint32_t valid, const uint64_t *values);
void soft_process_write(struct soft_process *p, uint32_t block, uint32_t offset, uint32_t value);
/* One without an answer. */
void soft_process_command(struct soft_process *p, enum soft_command command, uint32_t block);
/* One with an answer, before which all packets of earlier commands are delivered. 0 after a failure. */
uint32_t soft_process_ask(struct soft_process *p, enum soft_command command, uint32_t block, uint32_t operand);
/* Waits until all commands are carried out, and their packets delivered. */
void soft_process_wait(struct soft_process *p);

#endif
