#include "sched/host/bpf_image.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sim/base/array.h"
#include "sim/base/number.h"
#include "sim/base/quantity.h"
#include "sim/base/suggest.h"
#include "sim/base/units.h"

/* Ranges of writable memory that a shared object may have. */
#define MAX_RANGES 8u

struct range {
	char *at, *copy;
	size_t nr_bytes;
};

struct bpf_image {
	struct range ranges[MAX_RANGES];
	u32 nr;
	struct range *constants; /* [nr_constants] */
	u32 nr_constants;
};

/* A search for the memory of an object. */
struct search {
	ElfW(Addr) base;
	struct bpf_image *image;
	bool has_failed;
};

static bool keep_range(struct range *range, char *at, size_t nr_bytes)
{
	*range = (struct range){.at = at, .nr_bytes = nr_bytes, .copy = malloc(nr_bytes ? nr_bytes : 1)};
	if (range->copy && nr_bytes)
		memcpy(range->copy, at, nr_bytes);
	return range->copy != NULL;
}

/* Writable segments, without what the dynamic linker makes read-only once it is done. */
static int visit(struct dl_phdr_info *info, size_t size, void *ctx)
{
	struct search *s = ctx;
	ElfW(Addr) from, to, relro_to = 0;
	(void)size;
	if (info->dlpi_addr != s->base)
		return 0;
	for (unsigned i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_GNU_RELRO)
			relro_to = info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		if (p->p_type != PT_LOAD || !(p->p_flags & PF_W))
			continue;
		from = p->p_vaddr;
		to = from + p->p_memsz;
		if (relro_to > from && relro_to <= to)
			from = relro_to;
		if (s->image->nr == MAX_RANGES ||
		    !keep_range(&s->image->ranges[s->image->nr], (char *)(s->base + from), to - from))
			s->has_failed = true;
		else
			s->image->nr++;
	}
	return 1;
}

static bool is_kept(const struct bpf_image *image, const void *at)
{
	for (u32 i = 0; i < image->nr; i++)
		if ((const char *)at >= image->ranges[i].at &&
		    (const char *)at < image->ranges[i].at + image->ranges[i].nr_bytes)
			return true;
	return false;
}

/* Lets constants be set: their pages hold no code, which the linker keeps separate. */
static enum sahm_status open_constant(const struct sahm_bpf_variable *v, struct sahm_err *err)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), from = (uintptr_t)v->at / page * page;
	if (mprotect((void *)from, (uintptr_t)v->at + v->nr_bytes - from, PROT_READ | PROT_WRITE) == 0)
		return SAHM_OK;
	return sahm_fail(err, SAHM_IO, "cannot make the constant '%s' of a policy writable: %s", v->name,
			 strerror(errno));
}

static enum sahm_status keep_constants(struct bpf_image *image, const struct sahm_bpf_program *program,
				       struct sahm_err *err)
{
	image->constants = calloc(program->nr_variables + 1, sizeof(*image->constants));
	if (!image->constants)
		return sahm_fail_nomem(err);
	for (u32 i = 0; i < program->nr_variables; i++) {
		const struct sahm_bpf_variable *v = &program->variables[i];
		if (is_kept(image, v->at))
			continue;
		if (!keep_range(&image->constants[image->nr_constants], v->at, v->nr_bytes))
			return sahm_fail_nomem(err);
		image->nr_constants++;
		enum sahm_status status = open_constant(v, err);
		if (status != SAHM_OK)
			return status;
	}
	return SAHM_OK;
}

static void release(struct bpf_image *image)
{
	for (u32 i = 0; image && i < image->nr; i++)
		free(image->ranges[i].copy);
	for (u32 i = 0; image && i < image->nr_constants; i++)
		free(image->constants[i].copy);
	if (image)
		free(image->constants);
	free(image);
}

enum sahm_status bpf_image_keep(const struct sahm_bpf_program *program, void *object, struct sahm_err *err)
{
	struct link_map *map = NULL;
	struct bpf_image *image = calloc(1, sizeof(*image));
	if (!image)
		return sahm_fail_nomem(err);
	/* The copy is to lead to itself when it is restored. */
	*program->image = image;
	if (dlinfo(object, RTLD_DI_LINKMAP, &map) != 0) {
		*program->image = NULL;
		release(image);
		return sahm_fail(err, SAHM_IO, "cannot find the memory of a policy: %s", dlerror());
	}
	struct search s = {.base = map->l_addr, .image = image};
	dl_iterate_phdr(visit, &s);
	enum sahm_status status = s.has_failed ? sahm_fail_nomem(err) : keep_constants(image, program, err);
	if (status != SAHM_OK) {
		*program->image = NULL;
		release(image);
	}
	return status;
}

void bpf_image_forget(const struct sahm_bpf_program *program)
{
	struct bpf_image *image = *program->image;
	*program->image = NULL;
	release(image);
}

/* Settings */

static const struct sahm_bpf_variable *find_variable(const struct sahm_bpf_program *program, const char *name,
						     size_t len)
{
	for (u32 i = 0; i < program->nr_variables; i++)
		if (strncmp(program->variables[i].name, name, len) == 0 && !program->variables[i].name[len])
			return &program->variables[i];
	return NULL;
}

static void store(const struct sahm_bpf_variable *v, u64 index, u64 value)
{
	char *at = (char *)v->at + index * v->element_bytes;
	const u8 u8_value = (u8)value;
	const u16 u16_value = (u16)value;
	const u32 u32_value = (u32)value;
	switch (v->element_bytes) {
	case 1:
		memcpy(at, &u8_value, sizeof(u8_value));
		break;
	case 2:
		memcpy(at, &u16_value, sizeof(u16_value));
		break;
	case 4:
		memcpy(at, &u32_value, sizeof(u32_value));
		break;
	default:
		memcpy(at, &value, sizeof(value));
	}
}

/* Times may have a unit. */
static bool is_time(const struct sahm_bpf_variable *v)
{
	size_t len = strlen(v->name);
	return len > 3 && strcmp(v->name + len - 3, "_ns") == 0;
}

/* Reads one value; false: it is none, or does not fit. */
static bool read_value(const struct sahm_bpf_variable *v, const char *text, size_t len, u64 *value)
{
	char copy[64];
	unsigned bits = 8 * v->element_bytes;
	bool is_negative = v->kind == SAHM_BPF_SIGNED && len > 1 && *text == '-';
	if (len == 4 && strncmp(text, "true", len) == 0) {
		*value = 1;
		return true;
	}
	if (len == 5 && strncmp(text, "false", len) == 0) {
		*value = 0;
		return true;
	}
	text += is_negative;
	len -= is_negative;
	if (len == 0 || len >= sizeof(copy))
		return false;
	memcpy(copy, text, len);
	copy[len] = '\0';
	decimal quantity;
	if (is_time(v) && quantity_is_one(copy) && strncmp(copy, "0x", 2) != 0) {
		struct sahm_err ignored;
		if (quantity_read(copy, len, "ns", false, &quantity, &ignored) != SAHM_OK ||
		    quantity % DECIMAL_ONE != 0 || quantity < 0 || quantity / DECIMAL_ONE > UINT64_MAX)
			return false;
		*value = (u64)(quantity / DECIMAL_ONE);
	} else if (strncmp(copy, "0x", 2) == 0) {
		if (number_read_size(copy, value) != NUMBER_OK)
			return false;
	} else if (number_read_u64(copy, len, value) != NUMBER_OK) {
		return false;
	}
	u64 most = v->kind == SAHM_BPF_BOOL	? 1
		   : v->kind == SAHM_BPF_SIGNED ? (UINT64_C(1) << (bits - 1)) - !is_negative
		   : bits < 64			? (UINT64_C(1) << bits) - 1
						: UINT64_MAX;
	if (*value > most)
		return false;
	if (is_negative)
		*value = -*value;
	return true;
}

static const char *range_of(const struct sahm_bpf_variable *v)
{
	static const char *const is_signed[] = {"-128 to 127", "-32768 to 32767", "-2147483648 to 2147483647",
						"-2^63 to 2^63-1"};
	static const char *const is_unsigned[] = {"0 to 255", "0 to 65535", "0 to 4294967295", "0 to 2^64-1"};
	u32 row = v->element_bytes == 1 ? 0 : v->element_bytes == 2 ? 1 : v->element_bytes == 4 ? 2 : 3;
	return v->kind == SAHM_BPF_BOOL	    ? "true or false"
	       : v->kind == SAHM_BPF_SIGNED ? is_signed[row]
					    : is_unsigned[row];
}

/* Carries a setting out where `is_set`, and checks it. */
static enum sahm_status read_setting(const struct sahm_bpf_program *program, const char *setting, bool is_set,
				     struct sahm_err *err)
{
	size_t name_len = strcspn(setting, "=");
	if (!setting[name_len] || name_len == 0)
		return sahm_fail(err, SAHM_CONFIG, "'%s' sets nothing, must be NAME=VALUE", setting);
	const struct sahm_bpf_variable *v = find_variable(program, setting, name_len);
	if (!v) {
		char name[128], near[SUGGEST_BYTES];
		struct suggest s;
		size_t len = name_len < sizeof(name) ? name_len : sizeof(name) - 1;
		memcpy(name, setting, len);
		name[len] = '\0';
		suggest_init(&s, name);
		for (u32 i = 0; i < program->nr_variables; i++)
			suggest_offer(&s, program->variables[i].name);
		return sahm_fail(err, SAHM_CONFIG, "the policy has no variable '%s'%s", name,
				 suggest_or(&s, "`sahm policy check` lists them", near));
	}
	const char *at = setting + name_len + 1;
	u64 nr = v->nr_bytes / v->element_bytes;
	for (u64 i = 0;; i++) {
		size_t len = strcspn(at, ",");
		u64 value;
		if (i == nr)
			return sahm_fail(err, SAHM_CONFIG, "'%s' has more values than '%s' holds (%llu)", setting,
					 v->name, (unsigned long long)nr);
		if (!read_value(v, at, len, &value))
			return sahm_fail(err, SAHM_CONFIG, "bad value '%.*s' of '%s', must be %s%s",
					 (int)(len < 40 ? len : 40), at, v->name, range_of(v),
					 is_time(v)	       ? ", or a time in ns, us, ms or s"
					 : quantity_is_one(at) ? "; units are for names that end in _ns"
							       : "");
		if (is_set)
			store(v, i, value);
		if (!at[len])
			return SAHM_OK;
		at += len + 1;
	}
}

enum sahm_status bpf_setting_check(const struct sahm_bpf_program *program, const char *setting, struct sahm_err *err)
{
	return read_setting(program, setting, false, err);
}

/* The loader */

enum loader_value { CORES, SLICE, NO, YES, CAPACITY, HZ };

/* Constants that loaders in user space set, as docs/policies.md lists them. */
static const struct {
	const char *name;
	enum loader_value value;
} loader_rows[] = {
	{"nr_cpu_ids", CORES},	  {"nr_cpus", CORES},	      {"slice_ns", SLICE},
	{"cgrp_slice_ns", SLICE}, {"smt_enabled", NO},	      {"numa_enabled", NO},
	{"primary_all", YES},	  {"cpu_capacity", CAPACITY}, {"CONFIG_HZ", HZ},
};

static void set_as_loader(const struct sahm_bpf_variable *v, enum loader_value what, const struct bpf_machine *machine)
{
	const u64 zero = 0;
	u64 nr = v->nr_bytes / v->element_bytes;
	switch (what) {
	case CORES:
		store(v, 0, machine->nr_cpus);
		break;
	case SLICE:
		if (memcmp(v->at, &zero, v->element_bytes) == 0)
			store(v, 0, SCX_SLICE_DFL);
		break;
	case CAPACITY:
		for (u32 cpu = 0; cpu < nr && cpu < machine->nr_cpus; cpu++)
			store(v, cpu, machine->capacity(machine->ctx, cpu));
		break;
	case HZ:
		store(v, 0, machine->timestep_ns < NS_PER_S ? NS_PER_S / machine->timestep_ns : 1);
		break;
	default:
		store(v, 0, what == YES);
	}
}

void bpf_image_begin(const struct sahm_bpf_program *program, const struct bpf_machine *machine,
		     const char *const *settings, u32 nr_settings)
{
	const struct bpf_image *image = *program->image;
	struct sahm_err ignored;
	for (u32 i = 0; image && i < image->nr; i++)
		memcpy(image->ranges[i].at, image->ranges[i].copy, image->ranges[i].nr_bytes);
	for (u32 i = 0; image && i < image->nr_constants; i++)
		memcpy(image->constants[i].at, image->constants[i].copy, image->constants[i].nr_bytes);
	for (size_t i = 0; i < ARRAY_SIZE(loader_rows); i++) {
		const char *name = loader_rows[i].name;
		const struct sahm_bpf_variable *v = find_variable(program, name, strlen(name));
		if (v && (v->is_constant || loader_rows[i].value == HZ))
			set_as_loader(v, loader_rows[i].value, machine);
	}
	for (u32 i = 0; i < nr_settings; i++)
		read_setting(program, settings[i], true, &ignored);
}
