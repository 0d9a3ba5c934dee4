/* Speed of the models that recorders run in line, per access and per branch, on streams that are made up to be like
 * those of programs: accesses that mostly stay near where they were, branches of which most are predictable. As a ratio
 * against going through the same stream without a model. Medians of several runs. */
#include <stdint.h>
#include <stdio.h>

#include "cores/uarch/cpu.h"
#include "sim/base/array.h"
#include "tests/bench/bench.h"
#include "tests/helper/random.h"

#define NR (1u << 20) /* of a stream */

static const char *const cpus[] = {"golden-cove", "boom-large", "rocket"};

static uint64_t addresses[NR];

static struct branch {
	uint64_t pc, target;
	bool taken;
} branches[NR];

/* The stack and fields of a few objects; a stream; a heap of 4 MiB now and then. */
static void make_addresses(void)
{
	uint64_t rng = 1, stream = 0x10000000;
	for (size_t i = 0; i < NR; i++) {
		switch (between(&rng, 0, 15)) {
		case 0:
			addresses[i] = 0x20000000 + between(&rng, 0, 4 << 20);
			break;
		case 1:
		case 2:
		case 3:
			addresses[i] = stream += 8;
			break;
		default:
			addresses[i] = 0x7ffff000 - between(&rng, 0, 16) * between(&rng, 0, 63) * 8;
		}
	}
}

/* 500 branches: half of them loops of up to 30 iterations, a third that mostly go one way, the others at random. */
static void make_branches(void)
{
	uint64_t rng = 2;
	for (size_t i = 0; i < NR;) {
		uint64_t which = between(&rng, 0, 499), pc = 0x401000 + which * 20, rounds = 1;
		if (which < 250)
			rounds = 2 + which % 29;
		for (uint64_t r = 0; r < rounds && i < NR; r++, i++) {
			bool taken = which < 250 ? r + 1 < rounds : which < 420 ? !one_in(&rng, 50) : one_in(&rng, 2);
			branches[i] = (struct branch){pc, taken ? pc + 40 : pc + 2, taken};
		}
	}
}

static uint64_t go_through(void)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < NR; i++)
		sum += addresses[i] ^ branches[i].pc ^ branches[i].taken;
	return sum;
}

static struct cpu read_cpu(const char *name)
{
	char path[64];
	struct cpu cpu;
	struct sahm_err err;
	snprintf(path, sizeof(path), "configs/cpus/%s.cfg", name);
	if (cpu_read(path, &cpu, &err) != SAHM_OK) {
		fprintf(stderr, "%s\n", err.msg);
		exit(1);
	}
	return cpu;
}

/* An L1D, and an L2 after it. */
static uint64_t run_caches(const struct cpu *cpu, uint64_t *l2_misses)
{
	struct cache l1, l2;
	struct sahm_err err;
	uint64_t misses = 0;
	*l2_misses = 0;
	if (cache_init(&l1, &cpu->l1d, &err) != SAHM_OK || cache_init(&l2, &cpu->l2, &err) != SAHM_OK)
		exit(1);
	for (size_t i = 0; i < NR; i++)
		if (!cache_access(&l1, cache_line(&l1, addresses[i]))) {
			misses++;
			*l2_misses += !cache_access(&l2, cache_line(&l2, addresses[i]));
		}
	cache_release(&l1);
	cache_release(&l2);
	return misses;
}

static uint64_t run_predictor(const struct cpu *cpu)
{
	struct predictor *p = predictor_new(&cpu->predictor);
	uint64_t misses = 0;
	if (!p)
		exit(1);
	for (size_t i = 0; i < NR; i++) {
		const struct branch *b = &branches[i];
		misses += !predictor_branch(p, INSN_BRANCH, b->pc, b->pc + 2, b->taken, b->target);
	}
	predictor_free(p);
	return misses;
}

int main(void)
{
	volatile uint64_t sink;
	double base[RUNS];
	make_addresses();
	make_branches();
	for (int r = 0; r < RUNS; r++) {
		double start = now();
		sink = go_through();
		base[r] = now() - start;
	}
	(void)sink;
	printf("models: %u accesses and branches, %.2f ns each to go through them\n", NR, median(base) / NR * 1e9);
	for (size_t c = 0; c < ARRAY_SIZE(cpus); c++) {
		const struct cpu cpu = read_cpu(cpus[c]);
		double caches[RUNS], predictor[RUNS];
		uint64_t l1 = 0, l2 = 0, missed = 0;
		for (int r = 0; r < RUNS; r++) {
			double start = now();
			l1 = run_caches(&cpu, &l2);
			caches[r] = now() - start;
			start = now();
			missed = run_predictor(&cpu);
			predictor[r] = now() - start;
		}
		double a = median(caches) / NR, b = median(predictor) / NR;
		printf("  %-12s data %5.2f ns an access, %4.0f million/s (%.1f %% miss L1D, %.1f %% of these L2)\n",
		       cpus[c], a * 1e9, 1e-6 / a, 100.0 * (double)l1 / NR, 100.0 * (double)l2 / (double)(l1 ? l1 : 1));
		printf("  %-12s branches %5.2f ns each, %4.0f million/s (%.1f %% missed)\n", "", b * 1e9, 1e-6 / b,
		       100.0 * (double)missed / NR);
	}
	return 0;
}
