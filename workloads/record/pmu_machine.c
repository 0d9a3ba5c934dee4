/* Which processor a machine has, and what its kernel offers: read from files, so that tests can give their own. */
#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/array.h"
#include "sim/base/clean.h"
#include "sim/base/lines.h"
#include "sim/base/number.h"
#include "workloads/record/pmu.h"

/* Which processors are which: MATCH(PMU, maker, family, first model, last model, source). As /proc/cpuinfo has it:
 * x86: vendor_id, cpu family, model; arm: "arm IMPLEMENTER", 0, CPU part; riscv: "riscv MVENDORID", 0, marchid.
 * Linux: what it says of them; "perf": tools/perf/pmu-events/arch/x86/mapfile.csv; the others are below arch/. */
static const struct {
	const char *pmu, *maker;
	uint64_t family, first, last;
} matches[] = {
#define MATCH(pmu, maker, family, first, last, source)                                                                 \
	{                                                                                                              \
#pmu, maker, family, first, last                                                                       \
	}
	MATCH(SPR, "GenuineIntel", 6, 0x8f, 0x8f, "Linux x86/include/asm/intel-family.h"),
	MATCH(SPR, "GenuineIntel", 6, 0xcf, 0xcf, "Linux x86/events/intel/core.c: as Sapphire Rapids to the PMU"),
	MATCH(GLC, "GenuineIntel", 6, 0x97, 0x97, "Linux x86/include/asm/intel-family.h: Alder Lake"),
	MATCH(GLC, "GenuineIntel", 6, 0x9a, 0x9a, "Linux x86/include/asm/intel-family.h: Alder Lake, mobile"),
	MATCH(GLC, "GenuineIntel", 6, 0xb7, 0xb7, "Linux x86/include/asm/intel-family.h: Raptor Lake"),
	MATCH(GLC, "GenuineIntel", 6, 0xba, 0xba, "Linux x86/include/asm/intel-family.h: Raptor Lake, mobile"),
	MATCH(GLC, "GenuineIntel", 6, 0xbf, 0xbf, "Linux x86/include/asm/intel-family.h: Raptor Lake S"),
	MATCH(ICX, "GenuineIntel", 6, 0x6a, 0x6a, "Linux x86/include/asm/intel-family.h"),
	MATCH(ICX, "GenuineIntel", 6, 0x6c, 0x6c, "Linux x86/include/asm/intel-family.h: Ice Lake D"),
	MATCH(ICL, "GenuineIntel", 6, 0x7d, 0x7e, "Linux x86/include/asm/intel-family.h"),
	MATCH(ICL, "GenuineIntel", 6, 0x8c, 0x8d, "Linux x86/include/asm/intel-family.h: Tiger Lake"),
	MATCH(ICL, "GenuineIntel", 6, 0xa7, 0xa7, "Linux x86/include/asm/intel-family.h: Rocket Lake"),
	/* Skylake server, Cascade Lake and Cooper Lake share a model, and these events. */
	MATCH(SKX, "GenuineIntel", 6, 0x55, 0x55, "Linux x86/include/asm/intel-family.h"),
	MATCH(SKL, "GenuineIntel", 6, 0x4e, 0x4e, "perf"),
	MATCH(SKL, "GenuineIntel", 6, 0x5e, 0x5e, "perf"),
	MATCH(SKL, "GenuineIntel", 6, 0x8e, 0x8e, "perf: Kaby Lake, mobile"),
	MATCH(SKL, "GenuineIntel", 6, 0x9e, 0x9e, "perf: Kaby Lake, Coffee Lake"),
	MATCH(SKL, "GenuineIntel", 6, 0xa5, 0xa6, "Linux x86/include/asm/intel-family.h: Comet Lake"),
	MATCH(BDW_EP, "GenuineIntel", 6, 0x4f, 0x4f, "perf"),
	MATCH(BDW_EP, "GenuineIntel", 6, 0x56, 0x56, "perf: Broadwell DE"),
	MATCH(BDW, "GenuineIntel", 6, 0x3d, 0x3d, "perf"),
	MATCH(BDW, "GenuineIntel", 6, 0x47, 0x47, "perf"),
	MATCH(HSW_EP, "GenuineIntel", 6, 0x3f, 0x3f, "perf"),
	MATCH(HSW, "GenuineIntel", 6, 0x3c, 0x3c, "perf"),
	MATCH(HSW, "GenuineIntel", 6, 0x45, 0x46, "perf"),
	MATCH(ZEN1, "AuthenticAMD", 0x17, 0x00, 0x2f, "Linux x86/kernel/cpu/amd.c"),
	MATCH(ZEN1, "AuthenticAMD", 0x17, 0x50, 0x5f, "Linux x86/kernel/cpu/amd.c"),
	MATCH(ZEN2, "AuthenticAMD", 0x17, 0x30, 0x4f, "Linux x86/kernel/cpu/amd.c"),
	MATCH(ZEN2, "AuthenticAMD", 0x17, 0x60, 0x7f, "Linux x86/kernel/cpu/amd.c"),
	MATCH(ZEN2, "AuthenticAMD", 0x17, 0x90, 0x91, "Linux x86/kernel/cpu/amd.c"),
	MATCH(ZEN2, "AuthenticAMD", 0x17, 0xa0, 0xaf, "Linux x86/kernel/cpu/amd.c"),
	MATCH(ZEN3, "AuthenticAMD", 0x19, 0x00, 0x0f, "Linux x86/kernel/cpu/amd.c"),
	MATCH(ZEN3, "AuthenticAMD", 0x19, 0x20, 0x5f, "Linux x86/kernel/cpu/amd.c"),
	MATCH(ZEN4, "AuthenticAMD", 0x19, 0x10, 0x1f, "Linux x86/kernel/cpu/amd.c"),
	MATCH(ZEN4, "AuthenticAMD", 0x19, 0x60, 0xaf, "Linux x86/kernel/cpu/amd.c"),
	MATCH(NEOVERSE_N1, "arm 0x41", 0, 0xd0c, 0xd0c, "Linux arm64/include/asm/cputype.h"),
	MATCH(NEOVERSE_N2, "arm 0x41", 0, 0xd49, 0xd49, "Linux arm64/include/asm/cputype.h"),
	MATCH(NEOVERSE_V1, "arm 0x41", 0, 0xd40, 0xd40, "Linux arm64/include/asm/cputype.h"),
	MATCH(NEOVERSE_V2, "arm 0x41", 0, 0xd4f, 0xd4f, "Linux arm64/include/asm/cputype.h"),
	MATCH(U74, "riscv 0x489", 0, 0x8000000000000007, 0x8000000000000007,
	      "tools/perf/pmu-events/arch/riscv/mapfile.csv"),
#undef MATCH
};

/* In the order of pmus[]. */
static const char *const symbols[] = {
#define PMU(symbol, name, libpfm, set, devices, title) #symbol,
#include "workloads/record/pmu_list.h"
#undef PMU
};

const struct pmu *pmu_of(const char *maker, uint64_t family, uint64_t number)
{
	for (size_t i = 0; i < ARRAY_SIZE(matches); i++) {
		if (strcmp(matches[i].maker, maker) != 0 || matches[i].family != family || number < matches[i].first ||
		    number > matches[i].last)
			continue;
		for (size_t p = 0; p < ARRAY_SIZE(symbols); p++)
			if (strcmp(symbols[p], matches[i].pmu) == 0)
				return &pmus[p];
	}
	return NULL;
}

static void take_text(const char *value, char out[MACHINE_TEXT_BYTES])
{
	snprintf(out, MACHINE_TEXT_BYTES, "%s", value);
	clean_text(out);
}

/* Decimal, or hexadecimal with 0x in front; 0 where it is neither. */
static uint64_t read_number(const char *text)
{
	char *end;
	uint64_t n = strtoull(text, &end, 0);
	return end == text ? 0 : n;
}

/* One "key : value" of /proc/cpuinfo. */
static void take_line(struct pmu_machine *m, const char *key, const char *value)
{
	if (strcmp(key, "model name") == 0 || (strcmp(key, "uarch") == 0 && !m->model[0]))
		take_text(value, m->model);
	else if (strcmp(key, "vendor_id") == 0)
		take_text(value, m->maker);
	else if (strcmp(key, "CPU implementer") == 0)
		snprintf(m->maker, sizeof(m->maker), "arm 0x%02" PRIx64, read_number(value));
	else if (strcmp(key, "mvendorid") == 0)
		snprintf(m->maker, sizeof(m->maker), "riscv 0x%" PRIx64, read_number(value));
	else if (strcmp(key, "cpu family") == 0)
		m->family = read_number(value);
	else if (strcmp(key, "model") == 0 || strcmp(key, "CPU part") == 0 || strcmp(key, "marchid") == 0)
		m->number = read_number(value);
}

/* The first processor's lines; others may differ from it, but which of them a program runs on nobody knows before. */
static void read_cpuinfo(FILE *in, struct pmu_machine *m)
{
	char line[4096];
	bool any = false;
	while (fgets(line, sizeof(line), in)) {
		char *colon = strchr(line, ':');
		line[strcspn(line, "\n")] = '\0';
		if (!line[0] && any)
			break;
		if (!colon || !*colon)
			continue;
		char *end = colon;
		while (end > line && (end[-1] == ' ' || end[-1] == '\t'))
			end--;
		*end = '\0';
		colon++;
		colon += strspn(colon, " \t");
		take_line(m, line, colon);
		any = true;
	}
}

static FILE *open_below(const char *root, const char *path, struct pmu_machine *m)
{
	char whole[PATH_MAX];
	int n = snprintf(whole, sizeof(whole), "%s/%s", root, path);
	if (n <= 0 || (size_t)n >= sizeof(whole))
		return NULL;
	FILE *in = fopen(whole, "re");
	m->lacks_memory |= !in && errno == ENOMEM;
	return in;
}

/* The first line of a file, without its end; false when there is none. */
static bool read_line(const char *root, const char *path, struct pmu_machine *m, char out[MACHINE_TEXT_BYTES])
{
	FILE *in = open_below(root, path, m);
	if (!in)
		return false;
	bool ok = fgets(out, MACHINE_TEXT_BYTES, in) != NULL;
	fclose(in);
	out[ok ? strcspn(out, "\n") : 0] = '\0';
	return ok;
}

#define DEVICES "sys/bus/event_source/devices"

/* The device called as `pattern`, the first in the order of names. */
static bool find_device(const char *root, const char *pattern, struct pmu_machine *m, char out[MACHINE_TEXT_BYTES])
{
	char folder[PATH_MAX];
	bool found = false;
	int n = snprintf(folder, sizeof(folder), "%s/" DEVICES, root);
	if (n <= 0 || (size_t)n >= sizeof(folder))
		return false;
	DIR *dir = opendir(folder);
	m->lacks_memory |= !dir && errno == ENOMEM;
	if (!dir)
		return false;
	for (const struct dirent *d; (d = readdir(dir));) {
		if (fnmatch(pattern, d->d_name, 0) != 0 || (found && strcmp(d->d_name, out) >= 0))
			continue;
		found = snprintf(out, MACHINE_TEXT_BYTES, "%s", d->d_name) < MACHINE_TEXT_BYTES;
	}
	closedir(dir);
	return found;
}

static void read_device(const char *root, const char *name, struct pmu_machine *m)
{
	char path[PATH_MAX], text[MACHINE_TEXT_BYTES];
	uint64_t type;
	snprintf(path, sizeof(path), DEVICES "/%s/type", name);
	if (!read_line(root, path, m, text) || number_read_u64(text, strlen(text), &type) != NUMBER_OK ||
	    type > UINT32_MAX)
		return;
	m->device_type = (uint32_t)type;
	memmove(m->device, name, strlen(name) + 1);
	snprintf(path, sizeof(path), DEVICES "/%s/cpus", name);
	if (!read_line(root, path, m, m->cpus))
		m->cpus[0] = '\0';
	clean_text(m->cpus);
}

/* The processor's PMU; of one that is not known any that looks like one, which messages name. */
static void find_devices(const char *root, struct pmu_machine *m)
{
	char patterns[256], name[MACHINE_TEXT_BYTES], *rest = patterns;
	snprintf(patterns, sizeof(patterns), "%s", m->pmu ? m->pmu->devices : "cpu cpu_core armv[0-9]* riscv*");
	for (const char *pattern; !m->device[0] && (pattern = strsep(&rest, " "));)
		if (find_device(root, pattern, m, name))
			read_device(root, name, m);
}

void machine_read(const char *root, struct pmu_machine *m)
{
	char text[MACHINE_TEXT_BYTES], *end;
	*m = (struct pmu_machine){.paranoia = PARANOIA_UNKNOWN, .device_type = PERF_TYPE_RAW};
	FILE *in = open_below(root, "proc/cpuinfo", m);
	if (in) {
		read_cpuinfo(in, m);
		fclose(in);
	}
	m->pmu = pmu_of(m->maker, m->family, m->number);
	find_devices(root, m);
	if (read_line(root, "proc/sys/kernel/perf_event_paranoid", m, text)) {
		long n = strtol(text, &end, 10);
		m->paranoia = end == text || *end || n < -1000 || n > 1000 ? PARANOIA_UNKNOWN : (int32_t)n;
	}
}

void machine_write_identity(const struct pmu_machine *m, struct textbuf *out)
{
	if (strncmp(m->maker, "arm ", 4) == 0)
		textbuf_printf(out, "Arm implementer %s, part 0x%" PRIx64, m->maker + 4, m->number);
	else if (strncmp(m->maker, "riscv ", 6) == 0)
		textbuf_printf(out, "RISC-V vendor %s, marchid 0x%" PRIx64, m->maker + 6, m->number);
	else if (m->maker[0])
		textbuf_printf(out, "%s, family %" PRIu64 ", model %" PRIu64, m->maker, m->family, m->number);
}

void machine_write(const struct pmu_machine *m, struct textbuf *out)
{
	if (m->model[0])
		textbuf_puts(out, m->model);
	else if (m->pmu)
		textbuf_puts(out, m->pmu->title);
	else
		machine_write_identity(m, out);
}

/* What counts where nothing else does. */
#define WAY_OUT "`sahm trace record --via qemu -- COMMAND` needs no counters"

enum sahm_status machine_check(const struct pmu_machine *m, struct sahm_err *err)
{
	struct textbuf identity;
	if (m->lacks_memory)
		return sahm_fail_nomem(err);
	if (!m->device[0])
		return sahm_fail(err, SAHM_IO,
				 "no hardware counters: the kernel offers none of the processor, as in many virtual "
				 "machines; " WAY_OUT);
	if (m->pmu)
		return SAHM_OK;
	textbuf_init(&identity);
	machine_write_identity(m, &identity);
	enum sahm_status status =
		textbuf_failed(&identity)
			? sahm_fail_nomem(err)
			: sahm_fail(err, SAHM_IO,
				    "which events count what on this processor is not known (%s): perf stat -I and "
				    "sahm trace import --map take any; " WAY_OUT,
				    identity.len ? identity.text : "/proc/cpuinfo does not describe it");
	textbuf_release(&identity);
	return status;
}
