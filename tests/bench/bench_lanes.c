/* Several cores in one pass: millions of configurations times instructions a second of processor time (config-MIPS),
 * from an opened stream to the cycles of all cores, reading and functional passes included. Geometric means over
 * streams of xz, perl and cc1; medians of several runs. */
#include <math.h>
#include <string.h>

#include "tests/bench/bench_streams.h"
#include "workloads/stream/core_run.h"

static struct core_model models[MAX_LANES];

/* 32 cores that differ in sizes and latencies and, in `nr_geometries` ways, in L1D. */
static void make_cores(const char *core, unsigned nr_geometries)
{
	for (unsigned i = 0; i < MAX_LANES; i++) {
		struct core_timing *t = &models[i].timing;
		read_core(core, &models[i]);
		models[i].geometry.l1d.bytes >>= i % nr_geometries;
		t->mshrs = (uint16_t)(t->mshrs > i % 4 ? t->mshrs - i % 4 : 1);
		t->l1d_cycles = (uint16_t)(t->l1d_cycles + i / 4 % 4);
		t->rob = (uint16_t)(t->rob - t->rob / 64 * i);
		t->mispredict_cycles = (uint16_t)(t->mispredict_cycles + i / 16);
	}
}

static double seconds(const char *path, unsigned nr, enum lane_form form, enum path_detail detail,
		      uint64_t *nr_instructions)
{
	const struct core_observer o = {.path = detail};
	static const struct stream_sampling all;
	const struct core_model *list[MAX_LANES];
	struct core_counts counts[MAX_LANES];
	struct sahm_err err;
	struct stream *s;
	double times[3]; /* as many runs */
	for (unsigned i = 0; i < nr; i++)
		list[i] = &models[i];
	for (unsigned run = 0; run < ARRAY_SIZE(times); run++) {
		double begin = now();
		must(stream_open(path, NULL, &s, &err), &err);
		must(core_run(s, list, nr, form, &all, &o, counts, &err), &err);
		*nr_instructions = stream_nr_instructions(s);
		stream_free(s);
		times[run] = now() - begin;
	}
	return median_of(times, ARRAY_SIZE(times));
}

/* A row of the table: cores of `nr` lanes. */
struct row {
	const char *title, *core;
	unsigned nr_geometries, nr;
	enum lane_form form;
	double required, wanted; /* 0: nothing is asked for */
	enum path_detail detail;
};

static const struct row rows[] = {
	{"one after another", "golden-cove", 1, 32, LANES_SCALAR, 0, 0, PATH_NOT},
	{"portable C", "golden-cove", 1, 32, LANES_C, 40, 80, PATH_NOT},
	{"AVX2", "golden-cove", 1, 32, LANES_AVX2, 60, 130, PATH_NOT},
	{"AVX-512", "golden-cove", 1, 32, LANES_AVX512, 150, 300, PATH_NOT},
	{"AVX-512, critical path", "golden-cove", 1, 32, LANES_AVX512, 110, 220, PATH_CAUSES},
	{"AVX-512, path, edges", "golden-cove", 1, 32, LANES_AVX512, 0, 0, PATH_EDGES},
	{"best form, 4 geometries", "golden-cove", 4, 32, LANES_BEST, 90, 180, PATH_NOT},
	{"AVX-512, small queues", "boom-small", 1, 32, LANES_AVX512, 0, 0, PATH_NOT},
	{"in-order, AVX-512", "rocket", 1, 32, LANES_AVX512, 350, 700, PATH_NOT},
	{"best form, 1 lane", "golden-cove", 1, 1, LANES_BEST, 0, 0, PATH_NOT},
	{"best form, 2 lanes", "golden-cove", 1, 2, LANES_BEST, 0, 0, PATH_NOT},
	{"best form, 4 lanes", "golden-cove", 1, 4, LANES_BEST, 0, 0, PATH_NOT},
	{"best form, 8 lanes", "golden-cove", 1, 8, LANES_BEST, 0, 0, PATH_NOT},
	{"best form, 16 lanes", "golden-cove", 1, 16, LANES_BEST, 0, 0, PATH_NOT},
	{"best form, 32 lanes", "golden-cove", 1, 32, LANES_BEST, 0, 0, PATH_NOT},
};

static void print_row(const struct row *r, double mips, double alone)
{
	printf("%-24s %-12s %6u %12.1f %9.2f", r->title, r->core, r->nr, mips, mips / alone);
	if (r->required > 0)
		printf(" %9.0f %9.0f", r->required, r->wanted);
	printf("\n");
	fflush(stdout);
}

int main(void)
{
	char paths[NR_PROGRAMS + 1][32];
	double alone = 0;
	if (!has_recorder("lanes"))
		return 0;
	for (size_t i = 0; i <= NR_PROGRAMS; i++) {
		strcpy(paths[i], "/tmp/sahm-bench-lanes-XXXXXX");
		int fd = mkstemp(paths[i]);
		if (fd < 0)
			return 1;
		close(fd);
		if (i < NR_PROGRAMS)
			record_program(i, paths[i]);
		else
			write_chase(paths[i]);
	}
	printf("cores in one pass, medians of 3 runs, config-MIPS of processor time\n%-24s %-12s %6s %12s %9s %9s %9s\n",
	       "form", "core", "lanes", "config-MIPS", "ratio", "required", "wanted");
	for (size_t k = 0; k < ARRAY_SIZE(rows); k++) {
		const struct row *r = &rows[k];
		double sum = 0;
		uint64_t nr;
		if (!lane_form_is_there(r->form))
			continue;
		make_cores(r->core, r->nr_geometries);
		for (size_t i = 0; i < NR_PROGRAMS; i++) {
			double time = seconds(paths[i], r->nr, r->form, r->detail, &nr);
			sum += log(1e-6 * (double)nr * r->nr / time);
		}
		alone = alone > 0 ? alone : exp(sum / NR_PROGRAMS);
		print_row(r, exp(sum / NR_PROGRAMS), alone);
	}
	uint64_t nr;
	const struct row chase = {
		"pointer chase, best form", "golden-cove", 1, MAX_LANES, LANES_BEST, 20, 80, PATH_NOT};
	make_cores(chase.core, 1);
	double time = seconds(paths[NR_PROGRAMS], chase.nr, chase.form, chase.detail, &nr);
	print_row(&chase, 1e-6 * (double)nr * chase.nr / time, alone);
	for (size_t i = 0; i <= NR_PROGRAMS; i++)
		unlink(paths[i]);
	return 0;
}
