/* What measuring specialised cores takes: millions of instructions a second of processor time. First the functional
 * pass of a core with TAGE-SC-L of 64 KB and the prefetcher Berti at L1D; then golden-cove and the specialised cores of
 * configs/cores, from an opened stream, read once, to the cycles of all. Streams of xz, perl and cc1 are recorded in
 * QEMU; medians of several runs. */
#include <glob.h>
#include <math.h>
#include <string.h>

#include "tests/bench/bench_streams.h"
#include "workloads/stream/core_run.h"
#include "workloads/stream/stream_uops.h"

#define NR_MEASURED 13u /* the baseline and twelve others */
#define NR_TIMES 3u

static const char *const berti[] = {"l1d.prefetcher=berti"};

struct row {
	const char *title;
	double required, wanted;
	double (*seconds)(const char *path, uint64_t *nr_instructions);
};

static struct core_model functional, models[NR_MEASURED];
static unsigned nr_models;

static double run_functional(const char *path, uint64_t *nr_instructions)
{
	struct sahm_err err;
	struct stream *s;
	double began = now();
	struct functional_pass *p = functional_pass_new(&functional.geometry, &err);
	struct uop_batch *b = malloc(sizeof(*b));
	if (!p || !b)
		exit(1);
	must(stream_open(path, NULL, &s, &err), &err);
	*nr_instructions = 0;
	do {
		must(stream_uops_read(s, UINT64_MAX, b, &err), &err);
		functional_pass_run(p, b);
		*nr_instructions += b->nr_instructions;
	} while (b->nr_instructions > 0);
	stream_free(s);
	functional_pass_free(p);
	free(b);
	return now() - began;
}

static double run_all(const char *path, uint64_t *nr_instructions)
{
	static const struct stream_sampling all;
	const struct core_model *list[NR_MEASURED];
	struct core_counts counts[NR_MEASURED];
	struct sahm_err err;
	struct stream *s;
	double began = now();
	for (unsigned k = 0; k < nr_models; k++)
		list[k] = &models[k];
	must(stream_open(path, NULL, &s, &err), &err);
	must(core_run(s, list, nr_models, LANES_BEST, &all, NULL, counts, &err), &err);
	*nr_instructions = stream_nr_instructions(s);
	stream_free(s);
	return now() - began;
}

static void read_functional(void)
{
	struct sahm_err err;
	must(core_model_read("configs/cores/special-branch.cfg", berti, ARRAY_SIZE(berti), "configs/cpus", &functional,
			     &err),
	     &err);
}

static void read_models(void)
{
	struct sahm_err err;
	glob_t found;
	read_core("golden-cove", &models[nr_models++]);
	if (glob("configs/cores/special-*.cfg", 0, NULL, &found) != 0)
		return;
	for (size_t i = 0; i < found.gl_pathc && nr_models < NR_MEASURED; i++)
		must(core_model_read(found.gl_pathv[i], NULL, 0, "configs/cpus", &models[nr_models++], &err), &err);
	globfree(&found);
}

static void measure(const struct row *r, char paths[NR_PROGRAMS][40])
{
	double sum = 0;
	printf("%-40s", r->title);
	for (size_t i = 0; i < NR_PROGRAMS; i++) {
		double times[NR_TIMES];
		uint64_t nr = 0;
		for (unsigned k = 0; k < NR_TIMES; k++)
			times[k] = r->seconds(paths[i], &nr);
		double mips = 1e-6 * (double)nr / median_of(times, NR_TIMES);
		printf(" %8.2f", mips);
		sum += log(mips);
	}
	printf(" %8.2f %9.1f %7.1f\n", exp(sum / NR_PROGRAMS), r->required, r->wanted);
	fflush(stdout);
}

int main(void)
{
	static char paths[NR_PROGRAMS][40];
	char title[64];
	if (!has_recorder("specialize"))
		return 0;
	read_functional();
	read_models();
	snprintf(title, sizeof(title), "golden-cove and %u others, read once", nr_models - 1);
	const struct row rows[] = {
		{"functional pass, TAGE-SC-L 64 KB, Berti", 10, 20, run_functional},
		{title, 1.2, 2, run_all},
	};
	for (size_t i = 0; i < NR_PROGRAMS; i++) {
		strcpy(paths[i], "/tmp/sahm-bench-specialize-XXXXXX");
		int fd = mkstemp(paths[i]);
		if (fd < 0)
			return 1;
		close(fd);
		record_program(i, paths[i]);
	}
	printf("specialised cores, medians of %u runs, M instructions a second of processor time\n%-40s", NR_TIMES, "");
	for (size_t i = 0; i < NR_PROGRAMS; i++)
		printf(" %8s", program_names[i]);
	printf(" %8s %9s %7s\n", "mean", "required", "wanted");
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		measure(&rows[i], paths);
	for (size_t i = 0; i < NR_PROGRAMS; i++)
		unlink(paths[i]);
	return 0;
}
