/* Symbol tables of ELF files that a stream names: whatever the file is, each pc of its module has a place, in the
 * module, and a function that has a range is found in it. */
#include <sys/mman.h>
#include <unistd.h>

#include "cores/isa/insn.h"
#include "tests/fuzz/fuzz.h"
#include "workloads/stream/function_map.h"

#define BEGIN UINT64_C(0x10000)

/* A stream that has the file mapped at BEGIN. */
static struct stream *stream_of(const char *path, size_t bytes)
{
	char name[] = "/tmp/sahm-fuzz-XXXXXX";
	const struct insn nop = {.pc = BEGIN, .length = 4};
	const struct stream_module module = {BEGIN, bytes, 0, path};
	struct sahm_err err;
	struct stream *s = NULL;
	int fd = mkstemp(name);
	MUST(fd >= 0);
	close(fd);
	struct stream_writer *w = stream_writer_new(name, MACHINE_RV64, "", &err);
	MUST(w);
	stream_writer_enter(w, stream_writer_block(w, &nop, 1));
	stream_writer_module(w, &module);
	MUST(stream_writer_finish(w, &err) == SAHM_OK);
	MUST(stream_open(name, NULL, &s, &err) == SAHM_OK);
	unlink(name);
	return s;
}

static void look_up(struct function_map *m, uint64_t pc)
{
	struct function_place p;
	struct sahm_err err;
	struct pc_range *ranges;
	size_t nr;
	MUST(function_map_place(m, pc, &p, &err) == SAHM_OK);
	MUST(p.module && p.module_offset == pc - BEGIN && (p.function || p.function_offset == 0));
	if (!p.function)
		return;
	MUST(p.function_offset <= p.module_offset);
	MUST(function_map_ranges(m, p.function, &ranges, &nr, &err) == SAHM_OK && nr > 0);
	bool found = false;
	for (size_t i = 0; i < nr; i++)
		found |= pc - p.function_offset == ranges[i].begin && pc < ranges[i].end;
	MUST(found);
	free(ranges);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[64];
	struct function_map *m;
	struct sahm_err err;
	if (size == 0)
		return 0;
	int fd = memfd_create("elf", MFD_CLOEXEC);
	MUST(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	struct stream *s = stream_of(path, size);
	MUST(function_map_new(s, &m, &err) == SAHM_OK);
	stream_free(s);
	for (uint64_t at = 0; at < size; at += 1 + size / 64)
		look_up(m, BEGIN + at);
	function_map_free(m);
	close(fd);
	return 0;
}
