/* What watching a core costs: the speed of a pass with counters as a ratio to one without, which is `sahm core time` of
 * the same core and stream. Processor time from an opened stream to the counts, functional pass included; medians of
 * several runs, taken in turns. The stream is of perl, recorded in QEMU.
 *
 * Then how long the calls of an event set take while a U74 runs that stream, reading of the clock included. */
#include <string.h>

#include "cores/uarch/hpm_set.h"
#include "cores/uarch/tma_pass.h"
#include "tests/bench/bench_streams.h"
#include "workloads/stream/core_run.h"

#define NR_TIMES 3u
#define PERL 1u /* of program_names[] */
#define PERIOD 10000u
#define MAX_EVENTS 64u
#define NR_SAMPLES 64u
#define ISSUE_PCT 60u
#define NR_CALLS 10000u
#define RUNS_BETWEEN_CALLS 200u /* of cycles */
#define NR_NEW_SETS 1000u

struct watched {
	struct core_timing core;
	enum event_family family;
	struct timing_notes *notes;
	struct tma_pass *slots;
	struct signal_pass *signals;
	struct hpm *hpm;
	uint8_t samples[NR_SAMPLES * PES_SAMPLE_BYTES];
};

/* How a core is watched. */
struct row {
	const char *title;
	double required, wanted; /* 0: nothing is asked for */
	void (*begin)(struct watched *w);
};

static void pass_to_hpm(void *ctx, const struct signal_run *run)
{
	struct watched *w = ctx;
	hpm_run(w->hpm, run);
	signal_pass_want_boundaries(w->signals, hpm_wants_boundaries(w->hpm));
}

static void begin_slots(struct watched *w)
{
	const struct tma_options o = {.family = FAMILY_BOOM, .only_exact = true};
	w->slots = tma_pass_new(&w->core, &o);
	if (!w->slots)
		exit(1);
}

/* wanted: 0 for all. */
static void begin_hpm(struct watched *w, uint64_t wanted, bool has_causes)
{
	const struct hpm_spec spec = {w->family, HPM_ADD, HPM_COUNTERS, &w->core};
	const struct signal_options o = {.wrong_path_issue_pct = ISSUE_PCT,
					 .wanted = wanted,
					 .has_causes = has_causes,
					 .take = pass_to_hpm,
					 .ctx = w};
	w->hpm = hpm_new(&spec);
	w->signals = signal_pass_new(&w->core, &o);
	if (!w->hpm || !w->signals)
		exit(1);
}

static void write_csr(struct watched *w, unsigned csr, uint64_t value)
{
	struct sahm_err err;
	must(hpm_write(w->hpm, HPM_MACHINE, csr, value, &err), &err);
}

/* Each event has a counter, from the last set on; when there are none left, the others join one of their set. */
static void begin_events(struct watched *w)
{
	const struct core_event *events[MAX_EVENTS], *e = NULL;
	uint64_t selectors[HPM_COUNTERS] = {0};
	unsigned nr_events = 0, nr = 0;
	begin_hpm(w, 0, false);
	while ((e = core_event_next(w->family, e)) && nr_events < MAX_EVENTS)
		events[nr_events++] = e;
	while (nr_events-- > 0) {
		unsigned to = nr < HPM_COUNTERS ? nr++ : 0;
		while (!core_event_join(&selectors[to], events[nr_events]))
			if (++to == HPM_COUNTERS)
				exit(1);
	}
	for (unsigned i = 0; i < nr; i++)
		write_csr(w, CSR_MHPMEVENT + i, selectors[i]);
}

static void empty_buffer(void *user, struct hpm *h)
{
	struct sahm_err err;
	(void)user;
	must(hpm_write(h, HPM_MACHINE, CSR_MHPMMOFFSET, 0, &err), &err);
}

static void begin_sampling(struct watched *w, const char *name)
{
	const struct hpm_sampling s = {.memory = w->samples, .bytes = sizeof(w->samples), .full = empty_buffer};
	const struct core_event *e = core_event_find(w->family, name);
	struct sahm_err err;
	begin_hpm(w, e->signals, true);
	must(hpm_sample(w->hpm, &s, &err), &err);
	write_csr(w, CSR_MHPMMSIZE, sizeof(w->samples));
	write_csr(w, CSR_MHPMEVENT, core_event_selector(e));
	write_csr(w, CSR_MHPMMTHRESHOLD, PERIOD);
}

/* Events of an instruction, and events of cycles. */
static void begin_misses(struct watched *w)
{
	begin_sampling(w, "DCACHE_MISS");
}

static void begin_recovering(struct watched *w)
{
	begin_sampling(w, "RECOVERING");
}

static const struct row rows[] = {
	{"core time", 0, 0, NULL},
	{"top-down, slot-exact", 0.85, 0.95, begin_slots},
	{"all events, add wires", 0.35, 0.6, begin_events},
	{"samples of misses", 0.7, 0.9, begin_misses},
	{"samples of recovering", 0.7, 0.9, begin_recovering},
};

static const struct {
	const char *name;
	enum event_family family;
} cores[] = {{"rocket", FAMILY_ROCKET}, {"golden-cove", FAMILY_BOOM}, {"boom-large", FAMILY_BOOM}};

static enum sahm_status take_batch(void *ctx, unsigned core, const struct uop_batch *batch,
				   const struct uop_stamps *stamps, struct sahm_err *err)
{
	struct watched *w = ctx;
	(void)core;
	return signal_pass_run(w->signals, batch, stamps, w->notes) ? SAHM_OK : sahm_fail_nomem(err);
}

static void end(struct watched *w)
{
	if (w->slots && !tma_pass_end(w->slots))
		exit(1);
	if (w->signals && !signal_pass_end(w->signals))
		exit(1);
	tma_pass_free(w->slots);
	signal_pass_free(w->signals);
	hpm_free(w->hpm);
}

static double seconds(const char *path, const struct core_model *m, enum event_family family, const struct row *r)
{
	static struct timing_notes notes;
	static const struct stream_sampling all;
	struct watched w = {.core = m->timing, .family = family, .notes = &notes};
	struct core_observer o = {.ctx = &w, .notes = &notes};
	struct core_watch watch = {0};
	struct core_counts counts;
	struct sahm_err err;
	struct stream *s;
	double began = now();
	must(stream_open(path, NULL, &s, &err), &err);
	if (r->begin)
		r->begin(&w);
	if (w.slots) {
		watch.slots = tma_pass_slots(w.slots);
		o.watches = &watch;
	} else if (r->begin)
		o.batch = take_batch;
}
must(core_run(s, &m, 1, LANES_BEST, &all, &o, &counts, &err), &err);
end(&w);
stream_free(s);
return now() - began;
}

static void measure(const char *path, size_t core)
{
	double times[ARRAY_SIZE(rows)][NR_TIMES];
	static struct core_model m;
	read_core(cores[core].name, &m);
	for (unsigned k = 0; k < NR_TIMES; k++)
		for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
			times[i][k] = seconds(path, &m, cores[core].family, &rows[i]);
	double alone = median_of(times[0], NR_TIMES);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct row *r = &rows[i];
		double time = median_of(times[i], NR_TIMES);
		printf("%-24s %-12s %8.2f %8.2f", r->title, cores[core].name,
		       NR_EPOCHS * EPOCH_INSTRUCTIONS * 1e-6 / time, alone / time);
		if (r->required > 0)
			printf(" %9.2f %7.2f", r->required, r->wanted);
		printf("\n");
	}
	fflush(stdout);
}

/* ---- Event sets ---- */

enum call { CALL_NEW, CALL_START, CALL_READ, CALL_STOP, NR_CALL_KINDS };

/* Microseconds of perf_event and of PAPI on a U74: paper 003, table II. Its stop also reads, as ours does. */
static const struct {
	const char *title;
	bool has_requirement;
	double perf_us, papi_us;
} call_rows[NR_CALL_KINDS] = {
	[CALL_NEW] = {"initialisation", false, 57.98, 81200},
	[CALL_START] = {"start", true, 11.67, 947.11},
	[CALL_READ] = {"read", true, 7.76, 13.95},
	[CALL_STOP] = {"stop", true, 15.89, 19.41},
};

struct set_bench {
	struct watched w;
	struct hpm_set *set;
	unsigned runs;
	size_t nr[NR_CALL_KINDS];
	double ns[NR_CALL_KINDS][NR_CALLS];
};

static double clock_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

/* The call that began then has returned. */
static void take_time(struct set_bench *b, enum call call, double began)
{
	double time = clock_ns() - began;
	if (b->nr[call] < NR_CALLS)
		b->ns[call][b->nr[call]++] = time;
}

static void make_set(struct set_bench *b)
{
	const struct hpm_spec spec = {FAMILY_U74, HPM_PLAIN, (uint8_t)event_family_counters(FAMILY_U74), &b->w.core};
	struct sahm_err err;
	double began = clock_ns();
	b->w.hpm = hpm_new(&spec);
	b->set = b->w.hpm ? hpm_set_new(b->w.hpm) : NULL;
	if (!b->set)
		exit(1);
	must(hpm_set_add(b->set, "PAPI_L1_DCM", &err), &err);
	must(hpm_set_add(b->set, "PAPI_LD_INS", &err), &err);
	take_time(b, CALL_NEW, began);
}

/* Between two runs of cycles, as a program would at a boundary. */
static void call_set(struct set_bench *b)
{
	int64_t values[2];
	struct sahm_err err;
	double began = clock_ns();
	hpm_set_read(b->set, values);
	take_time(b, CALL_READ, began);
	began = clock_ns();
	must(hpm_set_stop(b->set, values, &err), &err);
	take_time(b, CALL_STOP, began);
	began = clock_ns();
	must(hpm_set_start(b->set, &err), &err);
	take_time(b, CALL_START, began);
}

static void pass_to_set(void *ctx, const struct signal_run *run)
{
	struct set_bench *b = ctx;
	hpm_set_run(b->set, run);
	if (++b->runs % RUNS_BETWEEN_CALLS == 0)
		call_set(b);
}

static void measure_calls(const char *path)
{
	static struct set_bench b;
	static struct core_model m;
	static const struct stream_sampling all;
	static struct timing_notes notes;
	const struct core_model *const models[] = {&m};
	const struct core_observer o = {.ctx = &b.w, .batch = take_batch, .notes = &notes};
	struct core_counts counts;
	struct stream *s;
	struct sahm_err err;
	read_core("u74", &m);
	b.w = (struct watched){.core = m.timing, .family = FAMILY_U74, .notes = &notes};
	for (unsigned i = 1; i < NR_NEW_SETS; i++) {
		make_set(&b);
		hpm_set_free(b.set);
		hpm_free(b.w.hpm);
	}
	make_set(&b);
	const struct signal_options signals = {.wanted = hpm_set_signals(b.set), .take = pass_to_set, .ctx = &b};
	b.w.signals = signal_pass_new(&m.timing, &signals);
	if (!b.w.signals)
		exit(1);
	must(hpm_set_start(b.set, &err), &err);
	must(stream_open(path, NULL, &s, &err), &err);
	must(core_run(s, models, 1, LANES_BEST, &all, &o, &counts, &err), &err);
	if (!signal_pass_end(b.w.signals))
		exit(1);
	stream_free(s);
	signal_pass_free(b.w.signals);
	hpm_set_free(b.set);
	hpm_free(b.w.hpm);
	printf("\nevent set of 2 events on u74, medians of %zu calls in a running program (Lopes Rocha, table II, us)\n"
	       "%-24s %8s %9s %11s %9s\n",
	       b.nr[CALL_READ], "", "ns", "required", "perf_event", "PAPI");
	for (unsigned i = 0; i < NR_CALL_KINDS; i++)
		printf("%-24s %8.0f %9s %11.2f %9.2f\n", call_rows[i].title, median_of(b.ns[i], b.nr[i]),
		       call_rows[i].has_requirement ? "< 1000" : "", call_rows[i].perf_us, call_rows[i].papi_us);
}

int main(void)
{
	char path[] = "/tmp/sahm-bench-counters-XXXXXX";
	if (!has_recorder("counters"))
		return 0;
	int fd = mkstemp(path);
	if (fd < 0)
		return 1;
	close(fd);
	record_program(PERL, path);
	printf("counters, medians of %u runs, M instructions a second of processor time\n%-24s %-12s %8s %8s %9s %7s\n",
	       NR_TIMES, "", "core", "MIPS", "ratio", "required", "wanted");
	for (size_t i = 0; i < ARRAY_SIZE(cores); i++)
		measure(path, i);
	measure_calls(path);
	unlink(path);
	return 0;
}
