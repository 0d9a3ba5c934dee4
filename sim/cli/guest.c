#include "sim/cli/guest.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "ipu/core/commit_log.h"
#include "ipu/core/instruction_histogram.h"
#include "sim/base/array.h"
#include "sim/base/file.h"
#include "sim/cli/output.h"

/* How much of the trace is put together before it is written. */
#define TRACE_CHUNK_BYTES ((size_t)64 << 10)

#define HISTOGRAM_PAIRS 20

/* How many instructions are executed at once, with nobody looking whether a signal has come: some milliseconds. */
#define PIECE_INSTRUCTIONS UINT64_C(1000000)

/* timeout(1) and terminals may send a signal twice: one that follows within this time counts as the same. */
#define SECOND_SIGNAL_NS INT64_C(200000000)

#define SHELL_SIGNAL_CODE 128

/* An access that is wrong and no farther from sp than this has probably to do with the stack. */
#define NEAR_STACK_BYTES 4096

/* The signal that ended the run, or 0. */
static volatile sig_atomic_t signal_seen;

static const int watched_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
#define NR_WATCHED ARRAY_SIZE(watched_signals)

enum sahm_status guest_file_read(struct guest_file *g, const char *path, struct sahm_err *err)
{
	size_t len;
	enum sahm_status status = file_read(path, GUEST_MAX_FILE_BYTES, &g->bytes, &len, err);
	if (status != SAHM_OK)
		return status;
	status = elf_image_new(&g->image, file_label(path), g->bytes, len, err);
	if (status != SAHM_OK)
		free(g->bytes);
	return status;
}

void guest_file_release(struct guest_file *g)
{
	elf_image_free(g->image);
	free(g->bytes);
}

/* Processor time of this process. */
static double seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void note_signal(int number)
{
	static struct timespec first;
	struct timespec now;
	int cause = errno;
	clock_gettime(CLOCK_MONOTONIC, &now);
	if (!signal_seen) {
		signal_seen = number;
		first = now;
	} else if ((now.tv_sec - first.tv_sec) * INT64_C(1000000000) + now.tv_nsec - first.tv_nsec > SECOND_SIGNAL_NS) {
		signal(number, SIG_DFL);
		raise(number); /* once this function has returned */
	}
	errno = cause;
}

/* Calls that block are not restarted: a program that writes to where nobody reads is to end, too. */
static void watch_signals(struct sigaction before[NR_WATCHED])
{
	struct sigaction action = {.sa_handler = note_signal};
	signal_seen = 0;
	for (size_t i = 0; i < NR_WATCHED; i++)
		sigaddset(&action.sa_mask, watched_signals[i]);
	for (size_t i = 0; i < NR_WATCHED; i++) {
		sigaction(watched_signals[i], NULL, &before[i]);
		if (before[i].sa_handler != SIG_IGN)
			sigaction(watched_signals[i], &action, NULL);
	}
}

static void unwatch_signals(const struct sigaction before[NR_WATCHED])
{
	for (size_t i = 0; i < NR_WATCHED; i++)
		sigaction(watched_signals[i], &before[i], NULL);
}

/* Runs up to `budget` instructions, and counts them if there is a histogram. */
static void run_in_pieces(struct hart *h, struct instruction_histogram *g, uint64_t budget)
{
	enum hart_cause cause;
	do {
		uint64_t piece = budget < PIECE_INSTRUCTIONS ? budget : PIECE_INSTRUCTIONS;
		cause = g ? histogram_run(g, h, piece) : hart_run(h, piece);
		budget -= piece;
	} while (cause == HART_BUDGET && budget > 0 && !signal_seen);
}

/* Steps through the program; lines go to `out` when there are `chunk_bytes` of them. SAHM_IO unless a signal is why
 * they cannot be written: `name` is what they go to. */
static enum sahm_status run_traced(struct hart *h, uint64_t budget, FILE *out, size_t chunk_bytes, const char *name,
				   struct sahm_err *err)
{
	struct textbuf lines;
	bool is_done = false;
	enum sahm_status status = SAHM_OK;
	textbuf_init(&lines);
	for (uint64_t i = 0; !is_done; i++) {
		is_done = i == budget || commit_log_step(h, &lines) != HART_BUDGET || signal_seen;
		if (textbuf_failed(&lines)) {
			status = sahm_fail_nomem(err);
			break;
		}
		if (lines.len < chunk_bytes && !is_done)
			continue;
		if (fwrite(lines.text, 1, lines.len, out) != lines.len) {
			if (!signal_seen)
				status = sahm_fail(err, SAHM_IO, "cannot write '%s': %s", name, strerror(errno));
			break;
		}
		textbuf_release(&lines);
		textbuf_init(&lines);
	}
	textbuf_release(&lines);
	return status;
}

/* `file` is open unless the trace goes to standard error. */
static enum sahm_status run_with_trace(struct hart *h, const struct guest_watch *watch, struct atomic_file *file,
				       struct sahm_err *err)
{
	/* By the line, so that they stand in order with what the program writes there itself. */
	if (!file->stream)
		return run_traced(h, watch->max_instructions, stderr, 1, "standard error", err);
	/* Writes whole lines, so that output of the program to the same file does not split them. */
	setvbuf(file->stream, NULL, _IONBF, 0);
	enum sahm_status status =
		run_traced(h, watch->max_instructions, file->stream, TRACE_CHUNK_BYTES, watch->trace, err);
	if (status == SAHM_OK && !ferror(file->stream))
		return atomic_file_commit(file, err);
	atomic_file_abort(file);
	return status;
}

static enum sahm_status run_with_histogram(struct hart *h, const struct guest_watch *watch, struct textbuf *table,
					   struct sahm_err *err)
{
	struct instruction_histogram *g = malloc(sizeof(*g));
	if (!g)
		return sahm_fail_nomem(err);
	histogram_init(g);
	run_in_pieces(h, g, watch->max_instructions);
	histogram_write(g, HISTOGRAM_PAIRS, table);
	free(g);
	return textbuf_failed(table) ? sahm_fail_nomem(err) : SAHM_OK;
}

enum sahm_status guest_run(struct hart *h, const struct guest_watch *watch, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	struct textbuf table;
	struct atomic_file file = {0};
	struct sigaction before[NR_WATCHED];
	if (watch->trace && strcmp(watch->trace, "-") != 0)
		status = atomic_file_begin(&file, watch->trace, watch->force, err);
	if (status != SAHM_OK)
		return status;
	textbuf_init(&table);
	watch_signals(before);
	double begin = seconds();
	if (watch->trace)
		status = run_with_trace(h, watch, &file, err);
	else if (watch->has_histogram)
		status = run_with_histogram(h, watch, &table, err);
	else
		run_in_pieces(h, NULL, watch->max_instructions);
	double took = seconds() - begin;
	/* After a signal the process is about to end: a second one is treated as the same. */
	if (!signal_seen)
		unwatch_signals(before);
	if (status == SAHM_OK && signal_seen != SIGPIPE) {
		textbuf_printf(&table, "executed %" PRIu64 " instruction%s in %.3f s", h->nr_retired,
			       h->nr_retired == 1 ? "" : "s", took);
		if (took > 0)
			textbuf_printf(&table, ", %.1f MIPS", (double)h->nr_retired / took / 1e6);
		textbuf_putc(&table, '\n');
		print_aside(&table);
	}
	textbuf_release(&table);
	return status;
}

void guest_end_by_pipe(void)
{
	if (signal_seen != SIGPIPE)
		return;
	signal(SIGPIPE, SIG_DFL);
	raise(SIGPIPE);
}

/* " <main+0x10>", or nothing when no symbol is near. */
static void add_symbol(struct textbuf *b, const struct elf_image *image, uint32_t address)
{
	const struct elf_symbol *s = elf_image_symbol_at(image, address);
	if (s && s->address == address)
		textbuf_printf(b, " <%s>", s->name);
	else if (s)
		textbuf_printf(b, " <%s+0x%" PRIx32 ">", s->name, address - s->address);
}

/* The instruction at `pc`, as in listings. */
static void add_word(struct textbuf *b, const struct hart *h)
{
	uint32_t word = code_word(h->code, h->pc);
	if (riscv_is_wide(word))
		textbuf_printf(b, " (word 0x%08" PRIx32 ")", word);
	else
		textbuf_printf(b, " (half-word 0x%04" PRIx32 ")", word & 0xffff);
}

/* The address that was wrong, and what it may mean. */
static void add_address(struct textbuf *b, const struct hart *h)
{
	uint32_t from_stack = h->address - hart_register(h, HART_SP) + NEAR_STACK_BYTES;
	textbuf_printf(b, ", address 0x%08" PRIx32, h->address);
	if (h->cause == HART_JUMP_OUTSIDE)
		return;
	if (code_holds(h->code, h->address & ~UINT32_C(1)) && !hart_bytes(h, h->address, 1))
		textbuf_puts(b, ", which is instruction memory and can only be fetched from");
	else if (from_stack < 2 * NEAR_STACK_BYTES && !hart_bytes(h, h->address, 1))
		textbuf_printf(b, ", near sp 0x%08" PRIx32, hart_register(h, HART_SP));
}

enum sahm_status guest_check_end(const struct hart *h, const struct elf_image *image, const struct guest_watch *watch,
				 const struct guest_output *output, int *exit_code, struct sahm_err *err)
{
	struct textbuf b;
	const char *file = elf_image_file(image);
	/* A program that could not write any more because of the signal may have ended on that error. */
	bool is_interrupted = signal_seen && ((h->cause == HART_BUDGET && h->nr_retired < watch->max_instructions) ||
					      (h->cause == HART_EXITED && output && output->error));
	if (h->cause == HART_RETURNED)
		return sahm_fail_at(
			err, SAHM_GUEST, file, 0,
			"its entry point returned; a program ends by the call exit or by a store to tohost");
	bool is_stopped = h->cause == HART_BUDGET || h->cause == HART_INPUT || hart_cause_is_fault(h->cause);
	if (!is_stopped && !is_interrupted)
		return SAHM_OK;
	if (is_interrupted)
		*exit_code = SHELL_SIGNAL_CODE + signal_seen;
	textbuf_init(&b);
	if (hart_cause_is_fault(h->cause) || h->cause == HART_INPUT) {
		textbuf_puts(&b, hart_cause_text(h->cause));
	} else {
		textbuf_printf(&b, "%s after %" PRIu64 " instruction%s",
			       is_interrupted ? "interrupted" : "not at its end", h->nr_retired,
			       h->nr_retired == 1 ? "" : "s");
	}
	textbuf_printf(&b, " at pc 0x%08" PRIx32, h->pc);
	add_symbol(&b, image, h->pc);
	if (h->cause == HART_ILLEGAL_INSTRUCTION)
		add_word(&b, h);
	if (hart_cause_has_address(h->cause))
		add_address(&b, h);
	if (h->cause == HART_INPUT)
		textbuf_puts(&b, "; only a device gives them: use 'sahm ipu run'");
	enum sahm_status status =
		textbuf_failed(&b) ? sahm_fail_nomem(err) : sahm_fail_at(err, SAHM_GUEST, file, 0, "%s", b.text);
	textbuf_release(&b);
	return status;
}

bool guest_write(void *context, int fd, const uint8_t *bytes, size_t nr_bytes)
{
	struct guest_output *out = context;
	while (nr_bytes > 0) {
		/* Writes nothing that might block after a signal: the run is about to end. */
		ssize_t done = signal_seen ? -1 : write(fd, bytes, nr_bytes);
		struct pollfd ready = {.fd = fd, .events = POLLOUT};
		if (done > 0) {
			bytes += done;
			nr_bytes -= (size_t)done;
			continue;
		}
		int cause = signal_seen ? EINTR : done < 0 ? errno : EIO;
		if (cause == EAGAIN)
			cause = poll(&ready, 1, -1) < 0 ? errno : 0;
		if (cause != 0 && (cause != EINTR || signal_seen)) {
			if (out->error == 0)
				*out = (struct guest_output){.fd = fd, .error = cause};
			return false;
		}
	}
	return true;
}

enum sahm_status guest_check_output(const struct guest_output *out, struct sahm_err *err)
{
	if (out->error == 0)
		return SAHM_OK;
	return sahm_fail(err, SAHM_IO, "cannot write standard %s: %s", out->fd == STDOUT_FILENO ? "output" : "error",
			 strerror(out->error));
}
