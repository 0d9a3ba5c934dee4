/* A PMU that a test makes: it counts at known rates in its own time, and misbehaves on demand. The command
 * is a real one and long over when time passes here. */
#ifndef SAHM_TESTS_UNIT_WORKLOADS_RECORD_MADE_PMU_H
#define SAHM_TESTS_UNIT_WORKLOADS_RECORD_MADE_PMU_H

#include <errno.h>
#include <string.h>

#include "sim/base/units.h"
#include "workloads/record/record_perf.h"

#define MADE_FDS 64
#define MADE_FIRST_FD 1000
#define MADE_MS NS_PER_MS

struct made_event {
	struct perf_event_attr attr;
	bool open, member, on_self;
	int leader; /* itself, when it is none's member */
};

struct made_pmu {
	/* How it behaves. */
	unsigned capacity;	 /* events of a group; 0: any number */
	unsigned never_runs;	 /* groups of at least this number of events are taken, and never run; 0: none */
	bool no_group_reads;	 /* PERF_FORMAT_GROUP is refused for inherited events */
	bool no_exclude;	 /* exclude_kernel is refused */
	int all_fail;		 /* errno of every open */
	uint64_t missing_config; /* ENOENT */
	unsigned max_files;	 /* EMFILE beyond; 0: any number */
	double run_ms;		 /* the command's life */
	double late_ms[16];	 /* how late waits return, by their number */
	double idle_from_ms, idle_to_ms;
	double stops_ms;    /* counters run no more; 0: never */
	unsigned fail_read; /* number of the read that fails (the first is 1), and all later ones; 0: none */
	double back_ms;	    /* counts fall once at that time; 0: never */
	/* What it has seen. */
	struct made_event events[MADE_FDS];
	unsigned nr_open, nr_reads, nr_waits, nr_opened;
	uint64_t now_ns, exec_ns;
	bool began;
	uint64_t deadlines_ns[32];
	struct perf_ops ops;
};

/* Counts in 100 ms, by config. */
static inline uint64_t made_rate(uint64_t config)
{
	switch (config) {
	case 0xc0:
		return 1000000;
	case 0xc4:
		return 200000;
	case 0xc5:
		return 5000;
	case 0xe424:
		return 3000;
	case 0x83d0:
		return 400000;
	case 0xe724:
		return 13000;
	case 0x2724:
		return 2000;
	default:
		return 1500000;
	}
}

static inline unsigned made_group_size(const struct made_pmu *m, int leader)
{
	unsigned nr = 0;
	for (int i = 0; i < MADE_FDS; i++)
		nr += m->events[i].open && m->events[i].leader == leader;
	return nr;
}

static inline int made_open(void *context, struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd,
			    unsigned long flags)
{
	struct made_pmu *m = context;
	int fd = 0, error = m->all_fail;
	m->nr_opened++;
	if (cpu != -1 || !(flags & PERF_FLAG_FD_CLOEXEC) || !attr->inherit)
		error = EBADR;
	if (error == 0 && m->max_files && m->nr_open >= m->max_files)
		error = EMFILE;
	if (error == 0 && m->missing_config && attr->config == m->missing_config)
		error = ENOENT;
	if (error == 0 && m->no_group_reads && attr->read_format & PERF_FORMAT_GROUP)
		error = EINVAL;
	if (error == 0 && m->no_exclude && attr->exclude_kernel)
		error = EINVAL;
	if (error == 0 && group_fd >= 0 && m->capacity && made_group_size(m, group_fd - MADE_FIRST_FD) >= m->capacity)
		error = EINVAL;
	while (fd < MADE_FDS && m->events[fd].open)
		fd++;
	if (error != 0) {
		errno = error;
		return -1;
	}
	m->nr_open++;
	m->events[fd] = (struct made_event){.attr = *attr,
					    .open = true,
					    .member = group_fd >= 0,
					    .on_self = pid == 0,
					    .leader = group_fd >= 0 ? group_fd - MADE_FIRST_FD : fd};
	return fd + MADE_FIRST_FD;
}

static inline int made_ioctl(void *context, int fd, unsigned long request, unsigned long argument)
{
	(void)context, (void)fd, (void)request, (void)argument;
	return 0;
}

static inline int made_close(void *context, int fd)
{
	struct made_pmu *m = context;
	m->events[fd - MADE_FIRST_FD].open = false;
	m->nr_open--;
	return 0;
}

/* ns of work that the command had done by now. */
static inline uint64_t made_work_ns(const struct made_pmu *m)
{
	double ms = ms_of_ns(m->now_ns - m->exec_ns), end = ms < m->run_ms ? ms : m->run_ms, idle = 0;
	if (end > m->idle_from_ms)
		idle = (end < m->idle_to_ms ? end : m->idle_to_ms) - m->idle_from_ms;
	return ns_of_ms(end - (idle > 0 ? idle : 0));
}

static inline unsigned made_nr_groups(const struct made_pmu *m, bool on_self)
{
	unsigned nr = 0;
	for (int i = 0; i < MADE_FDS; i++)
		nr += m->events[i].open && !m->events[i].member && m->events[i].on_self == on_self;
	return nr;
}

static inline void made_times(const struct made_pmu *m, int leader, uint64_t *enabled_ns, uint64_t *running_ns)
{
	bool never = m->never_runs && made_group_size(m, leader) >= m->never_runs;
	*enabled_ns = m->events[leader].on_self ? 1000 : made_work_ns(m);
	*running_ns = never ? 0 : *enabled_ns / made_nr_groups(m, m->events[leader].on_self);
	if (m->stops_ms > 0 && !m->events[leader].on_self && *running_ns > ns_of_ms(m->stops_ms))
		*running_ns = ns_of_ms(m->stops_ms);
}

static inline uint64_t made_value(const struct made_pmu *m, int fd)
{
	uint64_t enabled_ns, running_ns;
	made_times(m, m->events[fd].leader, &enabled_ns, &running_ns);
	uint64_t value = (uint64_t)((double)made_rate(m->events[fd].attr.config) * (double)running_ns / 1e8);
	bool falls = m->back_ms > 0 && m->began && ms_of_ns(m->now_ns - m->exec_ns) >= m->back_ms;
	return falls && value > 100 ? value - 100 - made_rate(m->events[fd].attr.config) : value;
}

static inline ssize_t made_read(void *context, int fd, void *buffer, size_t len)
{
	struct made_pmu *m = context;
	uint64_t out[3 + MADE_FDS], nr = 0;
	fd -= MADE_FIRST_FD;
	if (!m->events[fd].on_self && m->fail_read && ++m->nr_reads >= m->fail_read) {
		errno = ENODEV;
		return -1;
	}
	if (!(m->events[fd].attr.read_format & PERF_FORMAT_GROUP)) {
		out[0] = made_value(m, fd);
		made_times(m, m->events[fd].leader, &out[1], &out[2]);
	} else {
		made_times(m, fd, &out[1], &out[2]);
		for (int i = 0; i < MADE_FDS; i++)
			if (m->events[i].open && m->events[i].leader == fd)
				out[3 + nr++] = made_value(m, i);
		out[0] = nr;
	}
	size_t have = (3 + nr) * sizeof(uint64_t);
	if (len < have) {
		errno = ENOSPC;
		return -1;
	}
	memcpy(buffer, out, have);
	return (ssize_t)have;
}

/* Time passes while a group is tried, and then when the recorder waits. */
static inline uint64_t made_now_ns(void *context)
{
	struct made_pmu *m = context;
	m->now_ns += m->began ? 0 : 50000;
	return m->now_ns;
}

static inline enum child_state made_wait(void *context, struct record_child *child, uint64_t deadline_ns,
					 const volatile sig_atomic_t *stop)
{
	struct made_pmu *m = context;
	if (!m->began) {
		m->began = true;
		m->exec_ns = m->now_ns;
	}
	uint64_t end_ns = m->exec_ns + ns_of_ms(m->run_ms);
	bool ends = deadline_ns > end_ns || (stop && *stop > 0);
	if (m->nr_waits < 32)
		m->deadlines_ns[m->nr_waits] = deadline_ns - m->exec_ns;
	double late = m->nr_waits < 16 ? m->late_ms[m->nr_waits] : 0;
	m->nr_waits++;
	if (!ends) {
		m->now_ns = deadline_ns + ns_of_ms(late);
		return CHILD_RUNS;
	}
	m->now_ns = end_ns > m->now_ns ? end_ns : m->now_ns;
	while (record_child_wait(child, UINT64_MAX, stop) == CHILD_RUNS)
		;
	return CHILD_HAS_ENDED;
}

/* Of a command that runs for run_ms; nothing to release. */
static inline void made_pmu_init(struct made_pmu *m, double run_ms)
{
	*m = (struct made_pmu){.run_ms = run_ms, .now_ns = 1000 * NS_PER_S, .idle_from_ms = 1e9};
	m->ops = (struct perf_ops){m, made_open, made_ioctl, made_read, made_close, made_now_ns, made_wait};
}

#endif
