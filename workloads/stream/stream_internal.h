/* Instruction streams: layout of the file, and what writer and reader expect next (stream.h, FORMAT.md).
 *
 * Both keep a struct stream_model, which only depends on what has been written or read since it was reset. Expected
 * values are not stored; differences are. A model is reset at the beginning of an epoch, and where a chunk says so.
 */
#ifndef SAHM_WORKLOADS_STREAM_STREAM_INTERNAL_H
#define SAHM_WORKLOADS_STREAM_STREAM_INTERNAL_H

#include "sim/base/hash.h"
#include "workloads/stream/stream.h"
#include "workloads/trace/trace_internal.h"

/* Header: then comes the text of the program. */
#define STREAM_MAGIC "\x89sahmis\n"
#define STREAM_MAGIC_BYTES 8u
#define STREAM_VERSION 2u /* 1: fused multiply-add is of class FP_MULTIPLY; all epochs, and no modules */
#define MAX_PROGRAM_BYTES 65536u
enum {
	STREAM_HEADER_VERSION = 8,	  /* 4 bytes */
	STREAM_HEADER_MACHINE = 12,	  /* 4 */
	STREAM_HEADER_PROGRAM_BYTES = 16, /* 4 */
	STREAM_HEADER_ZERO = 20,	  /* 4 */
	STREAM_HEADER_DIGEST = 24,	  /* of what is in front and the program */
	STREAM_HEADER_BYTES = STREAM_HEADER_DIGEST + DIGEST_BYTES
};

/* What a chunk of a stream consists of, in the order in which its parts are stored; FORMAT.md says how. To add a part:
 * a name here, what writes and reads it, a larger STREAM_VERSION, and FORMAT.md. */
enum stream_part {
	STREAM_BLOCKS,	  /* of each new block, how many instructions it has, and where it begins */
	STREAM_LENGTHS,	  /* of each instruction of new blocks, its length */
	STREAM_CLASSES,	  /* the same, its class */
	STREAM_REGISTERS, /* the same, three sources and the destination */
	STREAM_TARGETS,	  /* of those with a target, where it is */
	STREAM_SEQUENCE,  /* which block follows, where it is not the expected one */
	STREAM_JUMPS,	  /* which block it is, where it is none of the last that followed */
	STREAM_SHAPES,	  /* which instructions access memory, where that changes */
	STREAM_HITS,	  /* which of the expected addresses an access has, where it is not the first */
	STREAM_SIZES,	  /* how many bytes are accessed, where that changes */
	STREAM_STEPS,	  /* how far an access is from its instruction's last */
	STREAM_LEAPS,	  /* how far an access is from the one before it */
	NR_STREAM_PARTS
};

/* A chunk: its header, then the parts. */
#define CHUNK_MAGIC UINT32_C(0x4b4e4843) /* "CHNK" */
enum { CHUNK_FRESH = 1 /* the model is reset */, CHUNK_LAST = 2 /* of its epoch */, CHUNK_WARM = 4 /* only warms */ };
enum {
	CHUNK_HEADER_FLAGS = 4,		/* 4 bytes */
	CHUNK_HEADER_EPOCH = 8,		/* 8: its number */
	CHUNK_HEADER_SUCCESSOR = 16,	/* 8: pc after the epoch, 0 when it is not known */
	CHUNK_HEADER_INSTRUCTIONS = 24, /* 4 */
	CHUNK_HEADER_ENTRIES = 28,	/* 4: executions of blocks */
	CHUNK_HEADER_OMITTED = 32,	/* 8: accesses left out */
	CHUNK_HEADER_PARTS = 40,	/* bytes of each, 4, and as they are stored, 4 */
	CHUNK_HEADER_BODY = CHUNK_HEADER_PARTS + 8 * NR_STREAM_PARTS, /* digest of the parts as they are stored */
	CHUNK_HEADER_DIGEST = CHUNK_HEADER_BODY + DIGEST_BYTES,	      /* of what is in front */
	CHUNK_HEADER_BYTES = CHUNK_HEADER_DIGEST + DIGEST_BYTES
};

/* A chunk ends before the block with which it would have had more instructions or bytes than this already. */
#define CHUNK_INSTRUCTIONS (UINT32_C(1) << 20)
#define CHUNK_RAW_BYTES (UINT32_C(4) << 20)

/* No execution of a block takes more bytes than these, over all parts: itself, each access, and each instruction of a
 * new block. */
#define MAX_ENTRY_BYTES 50
#define MAX_ENCODED_ACCESS_BYTES 30
#define MAX_ENCODED_INSTRUCTION_BYTES 40

/* What one more block can add. */
#define MAX_CHUNK_INSTRUCTIONS (CHUNK_INSTRUCTIONS + MAX_BLOCK_INSTRUCTIONS)
#define MAX_CHUNK_RAW_BYTES                                                                                            \
	(CHUNK_RAW_BYTES + MAX_ENTRY_BYTES +                                                                           \
	 MAX_BLOCK_INSTRUCTIONS * (MAX_ENCODED_INSTRUCTION_BYTES + MAX_ACCESSES * MAX_ENCODED_ACCESS_BYTES))

/* A model that has got larger than this is reset with the next chunk. */
#define MAX_MODEL_INSTRUCTIONS (UINT64_C(1) << 21)
#define MAX_MODEL_SLOTS (UINT64_C(1) << 21)

/* Index: these, an entry an epoch, the modules, the digest; and the end of the file. */
#define INDEX_MAGIC UINT32_C(0x58444e49) /* "INDX" */
#define END_MAGIC "sahmend\n"
enum {
	STREAM_INDEX_MODULES = 4,  /* 4 bytes: how many */
	STREAM_INDEX_EPOCHS = 8,   /* 8 */
	STREAM_INDEX_OMITTED = 16, /* 8 */
	STREAM_INDEX_HEADER_BYTES = 24,
	/* of an entry */
	STREAM_ENTRY_OFFSET = 0,				   /* 8 */
	STREAM_ENTRY_INSTRUCTIONS = 8,				   /* 8 */
	STREAM_ENTRY_DIGEST = 16,				   /* of the headers of its chunks */
	STREAM_ENTRY_BYTES_1 = STREAM_ENTRY_DIGEST + DIGEST_BYTES, /* in version 1 */
	STREAM_ENTRY_NUMBER = STREAM_ENTRY_BYTES_1,		   /* 8 */
	STREAM_ENTRY_WARM = STREAM_ENTRY_NUMBER + 8,		   /* 8: of the instructions */
	STREAM_ENTRY_BYTES = STREAM_ENTRY_WARM + 8,
	/* of a module: then comes its path, with a NUL */
	STREAM_MODULE_ADDRESS = 0,     /* 8 */
	STREAM_MODULE_BYTES = 8,       /* 8 */
	STREAM_MODULE_OFFSET = 16,     /* 8 */
	STREAM_MODULE_PATH_BYTES = 24, /* 4, with the NUL */
	STREAM_MODULE_HEADER_BYTES = 28,
	/* after the digest of header, program and index: where the index is (8), END_MAGIC */
	STREAM_END_BYTES = 16
};

#define MAX_STREAM_MODULES 65536u
#define MAX_MODULE_PATH_BYTES 4096u

struct stream_epoch {
	uint64_t offset, instructions;
	uint64_t number; /* among all of the program */
	uint64_t warm;	 /* of its instructions, the first ones, which only warm */
	uint8_t digest[DIGEST_BYTES];
};

/* What an index says. */
struct stream_index {
	struct stream_epoch *epochs; /* [nr] */
	uint64_t nr, omitted;
	uint8_t *modules; /* as they stand in the file, [modules_bytes] */
	uint32_t nr_modules;
	size_t modules_bytes;
};

/* Bytes of an index, with its digest and the end of the file. */
uint64_t stream_index_bytes(unsigned version, uint64_t nr_epochs, uint64_t modules_bytes);

/* Writes header and program into out[STREAM_HEADER_BYTES + len]. */
void stream_put_header(unsigned version, enum machine machine, const char *program, size_t len, uint8_t *out);

/* Writes the index and the end of the file, which stand at `offset`, into out[stream_index_bytes()]. `header` is as
 * stream_put_header() left it. */
void stream_put_index(const uint8_t *header, const struct stream_index *index, uint64_t offset, uint8_t *out);

/* The module at *at of `len` bytes; *at is what follows it. False where there is none. */
bool stream_get_module(const uint8_t *modules, size_t len, size_t *at, struct stream_module *out);

/* Completes the file of `fd`, whose chunks end at `offset`, and renames `part` to `path`. */
enum sahm_status stream_complete(int fd, const char *part, const char *path, const uint8_t *header,
				 const struct stream_index *index, uint64_t offset, struct sahm_err *err);

/* Writes all of it at the file's position; false with errno. */
bool stream_write_all(int fd, const uint8_t *bytes, size_t len);

/* Names of PATH.part and PATH that hold wherever the process goes: malloc'ed. SAHM_NOMEM, SAHM_IO. */
enum sahm_status stream_names(const char *path, char **whole, char **part, struct sahm_err *err);

/* Removes PATH.part: nothing will be recovered. */
void stream_discard(const char *path);

/* ---- What is expected ---- */

#define NO_BLOCK UINT32_MAX

/* An access that an instruction of a block had when the block was last executed. */
struct stream_slot {
	uint64_t last;		/* address */
	uint64_t stride, delta; /* between the last two; the stride is one that came twice */
	uint64_t relative;	/* how far it was from the access before it */
	uint16_t instruction;	/* number in its block */
	uint16_t bytes;
	bool is_store;
	bool prefers_relative; /* that predicted the last address */
};

enum { END_PLAIN, END_INDIRECT, END_CALL, END_RETURN };

struct stream_block {
	const struct insn *instructions;
	struct stream_slot *slots; /* malloc'ed; freed by who made the block */
	uint32_t nr_slots, room;
	uint32_t id;	  /* in the order in which the blocks of the model were first executed */
	uint32_t next[2]; /* the last two different ones that followed */
	uint32_t after;	  /* of a call: which one followed the return from it */
	uint16_t nr;
	uint8_t end;
};

#define NR_GUESSES 65536u
#define NR_CALLS 64u

struct stream_model {
	struct stream_block **blocks; /* by id */
	uint32_t nr, room;
	uint64_t nr_instructions, nr_slots; /* of all blocks */
	struct stream_block *current;
	uint64_t previous; /* address of the last access */
	uint64_t code;	   /* after the last instruction of the block that was added last */
	uint32_t history;
	uint32_t nr_calls, calls[NR_CALLS];
	struct stream_slot *scratch;
	uint32_t scratch_room;
	uint32_t guesses[NR_GUESSES]; /* by what was executed before */
};

void stream_model_reset(struct stream_model *m);
/* Not the blocks themselves. */
void stream_model_release(struct stream_model *m);

/* Adds a block, whose instructions are known: it gets the next id and no slots. False when memory is short. */
bool stream_model_add(struct stream_model *m, struct stream_block *b);

/* What is expected to follow: an id, or NO_BLOCK. */
uint32_t stream_model_next(const struct stream_model *m);

/* `b` follows. */
void stream_model_follow(struct stream_model *m, struct stream_block *b);

/* An access of a block: which instruction, which kind. */
struct stream_shape {
	uint16_t instruction;
	bool is_store;
};

/* The accesses of `b` change to `nr` others, in order. Facts about an existing one are kept; the bytes
 * of a new one become 0, which the caller replaces. False when memory is short. */
bool stream_model_reshape(struct stream_model *m, struct stream_block *b, const struct stream_shape *shape,
			  uint32_t nr);

/* The access of `s` had this address. */
static inline void stream_model_touch(struct stream_model *m, struct stream_slot *s, uint64_t address)
{
	uint64_t delta = address - s->last;
	if (delta == s->delta)
		s->stride = delta;
	s->delta = delta;
	s->relative = address - m->previous;
	s->last = address;
	m->previous = address;
}

/* Symbols where something is not as expected; 0 is not written. */
enum { NEXT_FIRST = 1, NEXT_SECOND, NEXT_KNOWN, NEXT_NEW };
enum { HIT_OTHER = 1, HIT_SIZE, HIT_STEP, HIT_LEAP };
#define SYMBOL_BITS 2u /* each less 1, below how many were as expected */

static inline uint64_t zigzag(uint64_t difference)
{
	return difference << 1 ^ (difference >> 63 ? UINT64_MAX : 0);
}

static inline uint64_t unzigzag(uint64_t v)
{
	return v >> 1 ^ (v & 1 ? UINT64_MAX : 0);
}

#define MAX_VARINT_BYTES 10u

#endif
