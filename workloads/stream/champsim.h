/* ChampSim's traces: records of 64 bytes, one for each instruction that was executed, as its tracer for Pin writes them
 * (struct input_instr of inc/trace_instruction.h in github.com/ChampSim/ChampSim, little endian).
 *
 * A record has the address, registers and addresses of memory. Our streams have more, which is filled in, and counted:
 * - Length: the distance to the next record, if that goes on in memory; else what it was found to be before, for calls
 *   when they return. Until then: of a call 5 bytes, of a return 1, of a jump or branch 2 or, where 1 byte does not
 * hold its distance, 5 or 6, of an indirect jump or call 2, or 6 if it reads memory, of anything else 4.
 * - Target of a branch, jump or call: the next record's address if it is taken; else where it led when it last was.
 *   Until then: the instruction after it.
 * - Sizes: each access is of CHAMPSIM_ACCESS_BYTES.
 * - Class: of branches by ChampSim's rules (inc/instruction.h), of others by registers and accesses (docs/cores.md).
 */
#ifndef SAHM_WORKLOADS_STREAM_CHAMPSIM_H
#define SAHM_WORKLOADS_STREAM_CHAMPSIM_H

#include <stdio.h>

#include "workloads/stream/stream.h"

#define CHAMPSIM_RECORD_BYTES 64u
#define CHAMPSIM_ACCESS_BYTES 8u

/* Kinds of branches, by ChampSim's rules. */
enum champsim_branch {
	CHAMPSIM_NO_BRANCH,
#define BRANCH(symbol, class, name) CHAMPSIM_##symbol,
#include "workloads/stream/champsim_branch_list.h"
#undef BRANCH
	NR_CHAMPSIM_BRANCHES
};

/* Name of a kind; constant storage. */
const char *champsim_branch_name(enum champsim_branch kind);

/* What was read and filled in so far. */
struct champsim_counts {
	uint64_t records, branches[NR_CHAMPSIM_BRANCHES];
	uint64_t next_lengths, known_lengths, assumed_lengths; /* of instructions, by where they are from */
	uint64_t assumed_targets;
	uint64_t loads, stores;
	uint64_t repeated;    /* records that the same instruction follows, as with a REP prefix */
	uint64_t interrupted; /* records that neither lead to the next one, nor go on there */
	uint64_t left_out;    /* sources beyond MAX_SOURCES */
	uint64_t nameless;    /* registers that cores do not rename, but for the instruction pointer */
	uint64_t alien;	      /* registers that Pin does not have */
};

struct champsim_reader;

/* Reads `in`, which stays the caller's; `file` stands in messages and must outlive the reader. NULL: no memory. */
struct champsim_reader *champsim_reader_new(FILE *in, const char *file);
void champsim_reader_free(struct champsim_reader *r);

/* The next instruction: *out, valid until the next call. *more is false after the last one. SAHM_FORMAT names file,
 * record (from 1) and offset in bytes: a record that is cut short, or none of this form; a register beyond the table; a
 * file without records. SAHM_IO, SAHM_NOMEM. */
enum sahm_status champsim_next(struct champsim_reader *r, struct executed *out, bool *more, struct sahm_err *err);

const struct champsim_counts *champsim_counts(const struct champsim_reader *r);

/* Makes a stream of x86-64 of the records in `file` ("-": standard input), compressed by gzip, xz or zstd or not, with
 * epochs of `epoch_instructions`, and writes it to `output`. On failure nothing is left. Fails as champsim_next(),
 * unpacked_open() and stream_writer_finish() do. */
enum sahm_status champsim_import(const char *file, uint64_t epoch_instructions, const char *output,
				 struct champsim_counts *counts, struct sahm_err *err);

#endif
