/* Speed of soft-logic modules, as functions that are called for each set: the Verilog module of an L1I with a
 * prefetcher, and its C twin. */
#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

#include "ipu/soft/modules/shipped_modules.h"
#include "ipu/soft/verilog.h"
#include "tests/bench/bench.h"
#include "tests/helper/random.h"
#include "workloads/stream/stream_uops.h"

#define NR_FETCHES 2000000u
#define STREAM "tests/data/streams/sort.stream"

/* Millions of fetches a second. */
struct goal {
	double required, wanted;
};

static const struct goal verilog_goal = {10, 20}, twin_goal = {60, 150};

static void must(enum sahm_status status, const struct sahm_err *err)
{
	if (status == SAHM_OK)
		return;
	fprintf(stderr, "%s\n", err->msg);
	exit(1);
}

static void check(bool ok, const char *problem)
{
	if (ok)
		return;
	fprintf(stderr, "bench_soft: %s\n", problem);
	exit(1);
}

/* ---- Fetches ---- */

struct fetches {
	const char *what;
	uint64_t *pcs; /* [NR_FETCHES] */
};

static struct fetches make_fetches(const char *what)
{
	struct fetches f = {what, calloc(NR_FETCHES, sizeof(*f.pcs))};
	check(f.pcs, "memory is short");
	return f;
}

/* A recorded program, again and again: all instructions, or those in another line than the one before. */
static struct fetches recorded_fetches(bool all)
{
	struct fetches f =
		make_fetches(all ? "each instruction of sort.lua, recorded" : "each line of sort.lua, recorded");
	struct uop_batch *batch = calloc(1, sizeof(*batch));
	struct sahm_err err;
	check(batch, "memory is short");
	for (size_t n = 0; n < NR_FETCHES;) {
		struct stream *s;
		must(stream_open(STREAM, NULL, &s, &err), &err);
		do {
			must(stream_uops_read(s, UINT64_MAX, batch, &err), &err);
			for (uint32_t i = 0; i < batch->nr && n < NR_FETCHES; i++) {
				uint64_t pc = batch->uops[i].pc & UINT64_C(0xffffffffffff);
				if (all || n == 0 || f.pcs[n - 1] >> 6 != pc >> 6)
					f.pcs[n++] = pc;
			}
		} while (batch->nr > 0 && n < NR_FETCHES);
		stream_free(s);
	}
	free(batch);
	return f;
}

/* 600 functions of 1 to 5 lines, four times the L1I, called in the same order but for one call in 20. */
static struct fetches made_fetches(void)
{
	struct fetches f = make_fetches("calls of 600 functions, synthetic");
	uint64_t rng = 1, functions[600];
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++)
		functions[i] = UINT64_C(0x400000) + 64 * between(&rng, 0, 1 << 14);
	for (size_t n = 0, call = 0; n < NR_FETCHES; call++) {
		uint64_t pc = functions[one_in(&rng, 20) ? between(&rng, 0, ARRAY_SIZE(functions) - 1)
							 : call % ARRAY_SIZE(functions)];
		for (uint64_t left = 1 + (pc >> 6) % 5; left > 0 && n < NR_FETCHES; left--, pc += 64)
			f.pcs[n++] = pc;
	}
	return f;
}

/* ---- Modules ---- */

/* Millions of fetches a second, the median of RUNS. */
static double speed_of(const struct soft_module *module, const struct fetches *f, uint32_t *misses)
{
	double seconds[RUNS];
	for (int run = 0; run < RUNS; run++) {
		void *m = module->make(NULL);
		uint64_t values[2] = {0, 0};
		check(m, "memory is short");
		double start = now();
		for (uint32_t i = 0; i < NR_FETCHES; i++) {
			values[0] = f->pcs[i];
			module->step(m, 3 * (uint64_t)i, 1, values);
		}
		seconds[run] = now() - start;
		*misses = module->read(m, 0x50);
		module->release(m);
	}
	return 1e-6 * NR_FETCHES / median(seconds);
}

/* NULL: Verilator is not there, which a line says. */
static const struct soft_module *build_verilog(void **handle)
{
	char folder[] = "/tmp/sahm-bench-XXXXXX", path[64];
	struct textbuf said;
	struct sahm_err err;
	check(mkdtemp(folder), "cannot make a folder in /tmp");
	snprintf(path, sizeof(path), "%s/l1i.so", folder);
	const struct verilog_build b = {.source = "ipu/soft/modules/l1i_entangling.v",
					.top = "l1i_entangling",
					.output = path,
					.name = "l1i-entangling",
					.version = "1.0.0",
					.data = "."};
	textbuf_init(&said);
	enum sahm_status status = verilog_build(&b, &said, &err);
	textbuf_release(&said);
	if (status == SAHM_OK)
		*handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	unlink(path);
	rmdir(folder);
	if (status == SAHM_TOOL) {
		printf("no Verilog module: %s\n", err.msg);
		return NULL;
	}
	must(status, &err);
	check(*handle, "the module cannot be loaded");
	const struct soft_module *(*describe)(void);
	*(void **)&describe = dlsym(*handle, "sahm_soft_module");
	check(describe, "the module has no description");
	return describe();
}

static void measure_modules(const struct fetches *fetches, size_t nr)
{
	void *handle = NULL;
	const struct soft_module *verilog = build_verilog(&handle), *twin = soft_module_l1i_entangling();
	for (size_t i = 0; i < nr; i++) {
		uint32_t misses, misses_verilog;
		double c = speed_of(twin, &fetches[i], &misses);
		printf("C twin, %s (%.0f %% miss): %.1f million fetches a second (required %.0f, wanted %.0f)\n",
		       fetches[i].what, 100.0 * misses / NR_FETCHES, c, twin_goal.required, twin_goal.wanted);
		if (!verilog)
			continue;
		double v = speed_of(verilog, &fetches[i], &misses_verilog);
		check(misses == misses_verilog, "the Verilog module and its twin differ");
		printf("Verilog module, the same: %.1f million cycles a second (required %.0f, wanted %.0f), %.2f of the "
		       "C twin's\n",
		       v, verilog_goal.required, verilog_goal.wanted, v / c);
	}
	if (handle)
		dlclose(handle);
}

int main(void)
{
	struct fetches fetches[] = {recorded_fetches(true), recorded_fetches(false), made_fetches()};
	measure_modules(fetches, ARRAY_SIZE(fetches));
	for (size_t i = 0; i < ARRAY_SIZE(fetches); i++)
		free(fetches[i].pcs);
	return 0;
}
