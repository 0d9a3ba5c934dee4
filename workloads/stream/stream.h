/* Instruction streams: what a program executed, instruction by instruction, for core models.
 *
 * A stream is a file (workloads/FORMAT.md describes it): a header (version, machine, what is known of its origin), an
 * epoch after the other, and an index, so that any epoch can be read without those before it. Within an epoch
 * instructions are those of blocks (straight runs of code), each described once; each execution stores only the block
 * that follows and the addresses of its accesses. Everything is compressed by zstd. A file that ends early (a recorder
 * that was killed) is read up to its last whole epoch; stream_open() then notes it.
 */
#ifndef SAHM_WORKLOADS_STREAM_STREAM_H
#define SAHM_WORKLOADS_STREAM_STREAM_H

#include "cores/isa/insn.h"
#include "sim/base/err.h"
#include "sim/base/textbuf.h"

/* Maximum number of accesses of one execution of an instruction in a stream; further ones are left out and counted.
 */
#define MAX_ACCESSES 16u
/* Instructions of a block, at most. */
#define MAX_BLOCK_INSTRUCTIONS 4096u
/* Bytes of an access, at most. */
#define MAX_ACCESS_BYTES 4096u

struct access {
	uint64_t address;
	uint32_t bytes; /* 1 to MAX_ACCESS_BYTES */
	bool is_store;
};

/* An instruction that was executed. */
struct executed {
	const struct insn *instruction;
	const struct access
		*accesses; /* in program order; those of neighbouring bytes that its machine splits are one */
	unsigned nr_accesses;
	bool taken;	  /* of branches: whether it was; true for those without a condition */
	uint64_t next_pc; /* of the instruction that came after it; 0 after the last one of an epoch whose successor is
			     not known */
};

/* A stretch of a file that the program had mapped: for instructions from `address` on, its bytes from `offset` on. */
struct stream_module {
	uint64_t address, bytes, offset;
	const char *path;
};

/* Writing. The writer calls nothing but the C library, zstd and libsodium's hash, so that it can live in another
 * program's plug-in: stream_writer.c, stream_blocks.c, stream_model.c, stream_layout.c,
 * stream_file.c and cores/isa/insn.c, with what they need of sim/base (mk/qemu.mk). A failure (memory, file) is kept,
 * writing becomes idle, and the end tells. */
struct stream_writer;

/* Begins the file at `path`, which must not be open elsewhere; an existing file is replaced when the stream is
 * finished, not before: until then it is written beside it, as PATH.part. No descriptor stays open between epochs,
 * since the program that is recorded may close those of its process. `program` (what ran) is kept in the header. */
struct stream_writer *stream_writer_new(const char *path, enum machine machine, const char *program,
					struct sahm_err *err);

/* Announces a block: `nr` instructions (1 to MAX_BLOCK_INSTRUCTIONS), copied; what stands for it from now on. One that
 * equals an earlier one is that one. */
uint32_t stream_writer_block(struct stream_writer *w, const struct insn *instructions, unsigned nr);

/* `block` begins to be executed. The accesses that follow are its own. */
void stream_writer_enter(struct stream_writer *w, uint32_t block);

/* Instruction number `i` of the block that is executed accessed memory. Instructions come in order; several accesses of
 * one are allowed, none are required, and a block that is left early just has no further ones. An access that goes on
 * where the last one of its instruction and kind ended is part of it, up to MAX_ACCESS_BYTES; longer ones become
 * several. Beyond MAX_ACCESSES of an instruction, and out of order, they are left out and counted. */
void stream_writer_access(struct stream_writer *w, unsigned i, uint64_t address, uint32_t bytes, bool is_store);

/* An epoch ends before the next stream_writer_enter(), which says what followed it and writes its end; one without
 * instructions is none. */
void stream_writer_end_epoch(struct stream_writer *w);

/* A stream may have some of the program's epochs only, each after instructions that merely warm what remembers: what is
 * entered from now on is of epoch `number`, above the last one's, or warms for it. Without this epochs are counted. */
void stream_writer_begin(struct stream_writer *w, uint64_t number, bool warms);

/* Ends the epoch where `pc` comes next, which need not be entered. Without it, no branch at the end of the last epoch
 * has an outcome. */
void stream_writer_break(struct stream_writer *w, uint64_t pc);

/* Adds a module, which is copied, to those that the file names when it is finished; the path is cut at 4,095 bytes. */
void stream_writer_module(struct stream_writer *w, const struct stream_module *m);

/* Ends the last epoch if it has instructions, completes the file (index, fsync, rename) and frees `w`. SAHM_IO,
 * SAHM_NOMEM, SAHM_RANGE (a block that is none was announced): PATH.part then stays, for stream_recover(). */
enum sahm_status stream_writer_finish(struct stream_writer *w, struct sahm_err *err);

/* Gives up and frees `w`. As after a failure to finish, PATH.part stays, and an existing file at PATH as it is. */
void stream_writer_abandon(struct stream_writer *w);

/* Completes what a writer that was killed left as PATH.part: its whole epochs. SAHM_IO, SAHM_FORMAT. */
enum sahm_status stream_recover(const char *path, struct sahm_err *err);

/* Reading. */
struct stream;

/* SAHM_IO, SAHM_FORMAT, SAHM_CHECKSUM, SAHM_NOMEM. `notes` as with trace_open(). */
enum sahm_status stream_open(const char *path, struct textbuf *notes, struct stream **stream, struct sahm_err *err);
void stream_free(struct stream *s);

enum machine stream_machine(const struct stream *s);
const char *stream_program(const struct stream *s);
uint64_t stream_nr_epochs(const struct stream *s);
uint64_t stream_nr_instructions(const struct stream *s);
/* Of epoch `epoch` of the file: all its instructions, how many of the first ones only warm caches, TLBs and predictors,
 * and its number among the program's epochs. */
uint64_t stream_epoch_instructions(const struct stream *s, uint64_t epoch);
uint64_t stream_epoch_warm(const struct stream *s, uint64_t epoch);
uint64_t stream_epoch_number(const struct stream *s, uint64_t epoch);
bool stream_is_sampled(const struct stream *s); /* epochs are left out between others, or have instructions that warm */
uint64_t stream_nr_omitted(const struct stream *s); /* accesses that were left out */
/* The next module after *at, 0 at first; false after the last one. Paths live as long as `s`. */
bool stream_next_module(const struct stream *s, size_t *at, struct stream_module *out);
unsigned stream_version(const struct stream *s);
uint64_t stream_file_bytes(const struct stream *s);

/* Goes to the beginning of `epoch` (below stream_nr_epochs()). */
enum sahm_status stream_seek(struct stream *s, uint64_t epoch, struct sahm_err *err);

/* The next instruction: *out, valid until the next call. *more is false after the last one. */
enum sahm_status stream_next(struct stream *s, struct executed *out, bool *more, struct sahm_err *err);

#endif
