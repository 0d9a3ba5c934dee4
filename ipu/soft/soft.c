#include "ipu/soft/soft.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ipu/soft/soft_internal.h"
#include "sim/base/file.h"

/* Packets of a block that wait to be taken, in bytes with their headings. */
#define MAX_WAITING_BYTES ((size_t)64 << 20)

/* A description with its own copy of all that it points to. */
struct description {
	struct soft_facts facts;
	struct soft_input inputs[SOFT_MAX_INPUTS];
	struct soft_register registers[SOFT_MAX_REGISTERS];
	struct soft_module module;
};

struct soft {
	char *file;
	struct description description;
	struct soft_failure failure;
	struct soft_process *process; /* or, in this one: */
	const struct soft_module *module;
	void *object;
	int fd;			    /* of the object; -1: none */
	struct soft_block **blocks; /* by number; NULL where one was freed */
	uint32_t nr_blocks;
};

/* Heading of a packet in a block's queue; its bytes follow. */
struct heading {
	uint64_t cycle;
	uint32_t nr_bytes;
};

struct soft_block {
	struct soft *soft;
	uint32_t number;
	uint64_t next_cycle; /* the next one to step */
	uint64_t sent_cycle; /* of the last packet of a module in its own process */
	struct soft_instance instance;
	/* Packets from `first` on. */
	uint8_t *waiting;
	size_t first, len, room;
	uint8_t taken[SOFT_MAX_PACKET_BYTES];
};

static void describe(struct description *d)
{
	const struct soft_facts *f = &d->facts;
	for (uint32_t i = 0; i < f->nr_inputs; i++)
		d->inputs[i] = (struct soft_input){f->inputs[i].name, f->inputs[i].bits};
	for (uint32_t i = 0; i < f->nr_registers; i++)
		d->registers[i] =
			(struct soft_register){f->registers[i].name, f->registers[i].offset, f->registers[i].access};
	d->module = (struct soft_module){.abi = SOFT_ABI,
					 .bytes = sizeof(d->module),
					 .name = f->name,
					 .version = f->version,
					 .nr_inputs = f->nr_inputs,
					 .nr_registers = f->nr_registers,
					 .inputs = d->inputs,
					 .registers = d->registers,
					 .packet_bytes = f->packet_bytes};
}

static bool reserve(struct soft_block *b, size_t more)
{
	if (b->first > 0 && b->len + more > b->room) {
		memmove(b->waiting, b->waiting + b->first, b->len - b->first);
		b->len -= b->first;
		b->first = 0;
	}
	if (b->len + more <= b->room)
		return true;
	size_t room = 2 * b->room + more;
	uint8_t *grown = realloc(b->waiting, room);
	if (!grown)
		return false;
	b->waiting = grown;
	b->room = room;
	return true;
}

static void keep_packet(struct soft_block *b, uint64_t cycle, const void *bytes, uint32_t nr_bytes)
{
	const struct heading heading = {cycle, nr_bytes};
	size_t more = sizeof(heading) + nr_bytes;
	struct soft_failure *failure = &b->soft->failure;
	if (failure->has_happened)
		return;
	if (b->len - b->first + more > MAX_WAITING_BYTES) {
		soft_failure_set(failure, soft_fault_texts[SOFT_FAULT_PILE]);
		return;
	}
	if (!reserve(b, more)) {
		soft_failure_set(failure, "there is no memory for its packets");
		return;
	}
	memcpy(b->waiting + b->len, &heading, sizeof(heading));
	if (nr_bytes > 0)
		memcpy(b->waiting + b->len + sizeof(heading), bytes, nr_bytes);
	b->len += more;
}

/* Of a module in this process. */
static void deliver_here(void *ctx, enum soft_fault fault, uint64_t cycle, const void *bytes, uint32_t nr_bytes)
{
	struct soft_block *b = ctx;
	if (fault == SOFT_FAULT_NONE)
		keep_packet(b, cycle, bytes, nr_bytes);
	else
		soft_failure_set(&b->soft->failure, soft_fault_texts[fault]);
}

/* Of a module in its own process. */
static void deliver_from_process(void *ctx, uint32_t number, uint64_t cycle, const uint8_t *bytes, uint32_t nr_bytes)
{
	struct soft *s = ctx;
	struct soft_block *b = number < s->nr_blocks ? s->blocks[number] : NULL;
	/* The rules that soft_instance.c keeps there; here its process may have broken them. */
	if (!b)
		soft_failure_set(&s->failure, "its process has sent a packet for nobody");
	else if (nr_bytes > s->description.facts.packet_bytes)
		soft_failure_set(&s->failure, soft_fault_texts[SOFT_FAULT_LARGE]);
	else if (cycle >= b->next_cycle)
		soft_failure_set(&s->failure, soft_fault_texts[SOFT_FAULT_LATE]);
	else if (cycle < b->sent_cycle)
		soft_failure_set(&s->failure, soft_fault_texts[SOFT_FAULT_EARLY]);
	else
		keep_packet(b, b->sent_cycle = cycle, bytes, nr_bytes);
}

/* NULL: memory is short. */
static struct soft *soft_new(const char *file)
{
	struct soft *s = calloc(1, sizeof(*s));
	if (!s)
		return NULL;
	s->fd = -1;
	s->file = strdup(file);
	if (s->file)
		return s;
	free(s);
	return NULL;
}

/* Makes a file of the bytes that nobody can change. */
static enum sahm_status make_object_file(struct soft *s, const void *bytes, size_t nr_bytes, struct sahm_err *err)
{
	s->fd = memfd_create("sahm-soft", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	bool is_good = s->fd >= 0;
	for (size_t at = 0; is_good && at < nr_bytes;) {
		ssize_t nr = write(s->fd, (const char *)bytes + at, nr_bytes - at);
		is_good = nr > 0 || (nr < 0 && errno == EINTR);
		at += nr > 0 ? (size_t)nr : 0;
	}
	if (is_good && fcntl(s->fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
		return SAHM_OK;
	return sahm_fail_at(err, SAHM_IO, s->file, 0, "cannot keep it in memory: %s", strerror(errno));
}

static enum sahm_status load_here(struct soft *s, struct sahm_err *err)
{
	enum sahm_status status = soft_object_open(&s->object, &s->module, s->fd, s->file, err);
	return status == SAHM_OK ? soft_facts_copy(&s->description.facts, s->module, s->file, err) : status;
}

static enum sahm_status load_in_process(struct soft *s, unsigned patience_ms, struct sahm_err *err)
{
	const struct soft_process_options options = {.fd = s->fd,
						     .file = s->file,
						     .patience_ms = patience_ms,
						     .failure = &s->failure,
						     .deliver = deliver_from_process,
						     .ctx = s};
	return soft_process_start(&s->process, &options, &s->description.facts, err);
}

enum sahm_status soft_open_bytes(struct soft **soft, const void *bytes, size_t nr_bytes, const char *file,
				 enum soft_place place, unsigned patience_ms, struct sahm_err *err)
{
	static const char elf[] = "\177ELF";
	if (nr_bytes < sizeof(elf) - 1 || memcmp(bytes, elf, sizeof(elf) - 1) != 0)
		return sahm_fail_at(err, SAHM_FORMAT, file, 0, "not a shared object");
	struct soft *s = soft_new(file);
	if (!s)
		return sahm_fail_nomem(err);
	enum sahm_status status = make_object_file(s, bytes, nr_bytes, err);
	if (status == SAHM_OK)
		status = place == SOFT_IN_PROCESS ? load_here(s, err) : load_in_process(s, patience_ms, err);
	if (status == SAHM_OK) {
		describe(&s->description);
		*soft = s;
	} else {
		soft_close(s);
	}
	return status;
}

enum sahm_status soft_open(struct soft **soft, const char *path, const char *file, enum soft_place place,
			   struct sahm_err *err)
{
	char *bytes;
	size_t nr_bytes;
	enum sahm_status status = file_read_regular(path, SOFT_MAX_OBJECT_BYTES, &bytes, &nr_bytes, err);
	if (status != SAHM_OK)
		return status;
	status = soft_open_bytes(soft, bytes, nr_bytes, file, place, SOFT_PATIENCE_MS, err);
	free(bytes);
	return status;
}

enum sahm_status soft_of_module(struct soft **soft, const struct soft_module *m, const char *file, struct sahm_err *err)
{
	struct soft *s = soft_new(file);
	if (!s)
		return sahm_fail_nomem(err);
	s->module = m;
	enum sahm_status status = soft_facts_copy(&s->description.facts, m, file, err);
	if (status == SAHM_OK) {
		describe(&s->description);
		*soft = s;
	} else {
		soft_close(s);
	}
	return status;
}

void soft_close(struct soft *s)
{
	if (!s)
		return;
	soft_process_end(s->process);
	if (s->fd >= 0)
		soft_object_close(s->object, s->fd);
	free(s->blocks);
	free(s->file);
	free(s);
}

const struct soft_module *soft_description(const struct soft *s)
{
	return &s->description.module;
}

const char *soft_file(const struct soft *s)
{
	return s->file;
}

enum sahm_status soft_check(const struct soft *s, struct sahm_err *err)
{
	const struct soft_facts *f = &s->description.facts;
	if (s->process)
		soft_process_wait(s->process);
	if (!s->failure.has_happened)
		return SAHM_OK;
	return sahm_fail(err, SAHM_TOOL, "soft logic '%s' (%s %s) has failed: %s", s->file, f->name, f->version,
			 s->failure.why);
}

/* A number for `b`: the lowest that is free. */
static enum sahm_status enter(struct soft_block *b, struct sahm_err *err)
{
	struct soft *s = b->soft;
	uint32_t number = 0;
	while (number < s->nr_blocks && s->blocks[number])
		number++;
	if (number == s->nr_blocks) {
		struct soft_block **grown = number < SOFT_MAX_BLOCKS
						    ? realloc(s->blocks, (number + 1) * sizeof(struct soft_block *))
						    : NULL;
		if (!grown)
			return sahm_fail_nomem(err);
		s->blocks = grown;
		s->nr_blocks++;
	}
	s->blocks[number] = b;
	b->number = number;
	return SAHM_OK;
}

static bool make_instance(struct soft_block *b)
{
	if (b->soft->process)
		return soft_process_ask(b->soft->process, SOFT_COMMAND_MAKE, b->number, 0);
	b->instance.deliver = deliver_here;
	b->instance.ctx = b;
	return soft_instance_make(&b->instance, b->soft->module);
}

enum sahm_status soft_block_new(struct soft_block **block, struct soft *s, struct sahm_err *err)
{
	struct soft_block *b = calloc(1, sizeof(*b));
	if (!b)
		return sahm_fail_nomem(err);
	b->soft = s;
	enum sahm_status status = enter(b, err);
	if (status != SAHM_OK) {
		free(b);
		return status;
	}
	bool is_made = make_instance(b);
	status = soft_check(s, err);
	if (status == SAHM_OK && !is_made)
		status = sahm_fail_nomem(err);
	if (status == SAHM_OK) {
		*block = b;
		return status;
	}
	s->blocks[b->number] = NULL;
	if (is_made && !s->process)
		s->module->release(b->instance.state);
	free(b);
	return status;
}

void soft_block_free(struct soft_block *b)
{
	if (!b)
		return;
	struct soft *s = b->soft;
	if (s->process) {
		soft_process_command(s->process, SOFT_COMMAND_RELEASE, b->number);
		/* No packet of its may come to a later block of this number. */
		soft_process_wait(s->process);
	} else {
		s->module->release(b->instance.state);
	}
	s->blocks[b->number] = NULL;
	free(b->waiting);
	free(b);
}

static void step(struct soft_block *b, uint64_t cycle, uint32_t valid, const uint64_t *values)
{
	b->next_cycle = cycle + 1;
	if (b->soft->process)
		soft_process_step(b->soft->process, b->number, cycle, valid, values);
	else
		soft_instance_step(&b->instance, cycle, valid, values);
}

#define IDLE_PARTS 1000u
#define LEAST_IDLE_PART (UINT64_C(1) << 20)

/* Lets the idle cycles before `cycle` pass. Many go in parts: a design may be clocked in each of them, and a call that
 * takes long counts as one that hangs. */
static void idle(struct soft_block *b, uint64_t cycle)
{
	uint64_t part = (cycle - b->next_cycle) / IDLE_PARTS;
	part = part > LEAST_IDLE_PART ? part : LEAST_IDLE_PART;
	while (cycle - b->next_cycle > part && !b->soft->failure.has_happened)
		step(b, b->next_cycle + part - 1, 0, NULL);
}

void soft_block_step(struct soft_block *b, uint64_t cycle, uint32_t valid, const uint64_t *values)
{
	idle(b, cycle);
	if (!b->soft->failure.has_happened)
		step(b, cycle, valid, values);
}

/* Lets time pass to the beginning of `cycle`. False: after a failure. */
static bool pass(struct soft_block *b, uint64_t cycle)
{
	if (cycle > b->next_cycle)
		idle(b, cycle - 1);
	if (cycle > b->next_cycle && !b->soft->failure.has_happened)
		step(b, cycle - 1, 0, NULL);
	return !b->soft->failure.has_happened;
}

uint32_t soft_block_read(struct soft_block *b, uint64_t cycle, uint32_t offset)
{
	if (!pass(b, cycle))
		return 0;
	if (b->soft->process)
		return soft_process_ask(b->soft->process, SOFT_COMMAND_READ, b->number, offset);
	return b->instance.module->read(b->instance.state, offset);
}

void soft_block_write(struct soft_block *b, uint64_t cycle, uint32_t offset, uint32_t value)
{
	if (!pass(b, cycle))
		return;
	if (b->soft->process)
		soft_process_write(b->soft->process, b->number, offset, value);
	else
		b->instance.module->write(b->instance.state, offset, value);
}

void soft_block_reset(struct soft_block *b, uint64_t cycle)
{
	if (!pass(b, cycle))
		return;
	if (b->soft->process)
		soft_process_command(b->soft->process, SOFT_COMMAND_RESET, b->number);
	else
		b->instance.module->reset(b->instance.state);
}

bool soft_block_take(struct soft_block *b, uint64_t cycle, struct soft_packet *packet)
{
	struct heading heading;
	if (b->soft->description.facts.packet_bytes == 0 || !pass(b, cycle))
		return false;
	if (b->soft->process)
		soft_process_wait(b->soft->process);
	if (b->soft->failure.has_happened || b->first == b->len)
		return false;
	memcpy(&heading, b->waiting + b->first, sizeof(heading));
	if (heading.cycle >= cycle)
		return false;
	memcpy(b->taken, b->waiting + b->first + sizeof(heading), heading.nr_bytes);
	b->first += sizeof(heading) + heading.nr_bytes;
	if (b->first == b->len)
		b->first = b->len = 0;
	*packet = (struct soft_packet){heading.cycle, heading.nr_bytes, b->taken};
	return true;
}

int soft_find_register(const struct soft_module *m, uint32_t offset)
{
	for (uint32_t low = 0, high = m->nr_registers; low < high;) {
		uint32_t middle = low + (high - low) / 2;
		if (m->registers[middle].offset == offset)
			return (int)middle;
		if (m->registers[middle].offset < offset)
			low = middle + 1;
		else
			high = middle;
	}
	return -1;
}
