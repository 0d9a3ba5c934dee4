#include "workloads/record/perf_set.h"

#include <errno.h>
#include <string.h>

#include "sim/base/units.h"

/* How long a group is tried on ourselves: far longer than a counter needs to begin. */
#define TRIAL_NS (NS_PER_MS / 5)

/* Errors that have nothing to do with the event. */
static bool is_fatal(int error)
{
	return error == EACCES || error == EPERM || error == EMFILE || error == ENFILE || error == ENOMEM ||
	       error == ESRCH || error == ENOSYS;
}

static struct perf_event_attr make_attr(const struct perf_set *s, const struct pmu_event *e, bool leads)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = e->type,
		.config = e->config,
		.config1 = e->config1,
		.config2 = e->config2,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
	};
	if (!s->apart)
		attr.read_format |= PERF_FORMAT_GROUP;
	attr.inherit = 1;
	/* Members run when their leader does. */
	attr.disabled = leads;
	attr.enable_on_exec = leads;
	attr.exclude_kernel = !s->kernel;
	attr.exclude_hv = !s->kernel;
	return attr;
}

static int open_event(const struct perf_set *s, const struct pmu_event *e, pid_t pid, int leader, bool at_once)
{
	struct perf_event_attr attr = make_attr(s, e, leader < 0);
	if (at_once)
		attr.disabled = attr.enable_on_exec = 0;
	return s->ops->open(s->ops->context, &attr, pid, -1, leader, PERF_FLAG_FD_CLOEXEC);
}

static void close_from(struct perf_set *s, unsigned first)
{
	for (unsigned i = first; i < s->nr; i++) {
		if (s->fd[i] >= 0)
			s->ops->close(s->ops->context, s->fd[i]);
		s->fd[i] = -1;
	}
}

/* First event of a group; s->nr when none of it is open. */
static unsigned leader_of(const struct perf_set *s, unsigned group)
{
	unsigned i = 0;
	while (i < s->nr && (s->fd[i] < 0 || s->group[i] != group))
		i++;
	return i;
}

static unsigned size_of(const struct perf_set *s, unsigned group)
{
	unsigned nr = 0;
	for (unsigned i = 0; i < s->nr; i++)
		nr += s->fd[i] >= 0 && s->group[i] == group;
	return nr;
}

/* Opens every event, in as few groups as the kernel allows; the first error that is fatal, or 0. */
static int open_all(struct perf_set *s, pid_t pid)
{
	s->nr_groups = 0;
	for (unsigned i = 0; i < s->nr; i++) {
		int fd = -1;
		bool joins = s->nr_groups > 0 && size_of(s, s->nr_groups - 1) < s->largest;
		if (joins)
			fd = open_event(s, &s->events[i], pid, s->fd[leader_of(s, s->nr_groups - 1)], false);
		if (fd < 0 && (!joins || !is_fatal(errno))) {
			fd = open_event(s, &s->events[i], pid, -1, false);
			s->nr_groups += fd >= 0;
		}
		s->fd[i] = fd;
		s->error[i] = fd < 0 ? errno : 0;
		s->group[i] = s->nr_groups ? s->nr_groups - 1 : 0;
		if (fd < 0 && is_fatal(errno))
			return errno;
	}
	return 0;
}

static bool any_open(const struct perf_set *s)
{
	return s->nr_groups > 0;
}

/* Kernels and PMUs differ in what they take: everything first, then reading one by one, then with the kernel's share.
 */
static int open_somehow(struct perf_set *s, pid_t pid)
{
	for (int way = 0; way < 4; way++) {
		s->apart = way % 2;
		s->kernel = way / 2;
		int error = open_all(s, pid);
		if (error == 0 && any_open(s))
			return 0;
		if (error != 0) {
			close_from(s, 0);
			return error;
		}
	}
	return 0;
}

/* Layout of a group's first event when it is read: nr is not there where events are read one by one. */
struct reading {
	uint64_t nr, enabled_ns, running_ns, values[MAX_PMU_EVENTS];
};

static bool read_group(const struct perf_set *s, int fd, unsigned nr, struct reading *r)
{
	size_t want = (3 + nr) * sizeof(uint64_t);
	ssize_t got = s->ops->read(s->ops->context, fd, r, want);
	if (got >= 0 && (size_t)got != want)
		errno = ENODATA;
	if (got >= 0 && (size_t)got == want && r->nr != nr)
		errno = EPROTO;
	return got >= 0 && (size_t)got == want && r->nr == nr;
}

static bool read_one(const struct perf_set *s, int fd, struct perf_count *c)
{
	uint64_t got[3];
	ssize_t n = s->ops->read(s->ops->context, fd, got, sizeof(got));
	if (n >= 0 && (size_t)n != sizeof(got))
		errno = ENODATA;
	if (n < 0 || (size_t)n != sizeof(got))
		return false;
	*c = (struct perf_count){got[0], got[1], got[2]};
	return true;
}

/* Whether the group runs at all when it has the PMU for itself: the kernel also takes groups that never do, where
 * something else holds a counter. Tried on ourselves. */
static bool does_run(const struct perf_set *s, unsigned group)
{
	const struct perf_ops *ops = s->ops;
	struct perf_set trial = *s;
	struct reading r = {0};
	struct perf_count c = {0};
	int leader = -1;
	bool opened = true;
	trial.nr = 0;
	for (unsigned i = 0; i < s->nr && opened; i++) {
		if (s->fd[i] < 0 || s->group[i] != group)
			continue;
		int fd = open_event(s, &s->events[i], 0, leader, true);
		opened = fd >= 0;
		leader = leader < 0 ? fd : leader;
		trial.fd[trial.nr++] = fd;
	}
	uint64_t end_ns = ops->now_ns(ops->context) + TRIAL_NS;
	while (opened && ops->now_ns(ops->context) < end_ns)
		;
	bool was_read = opened && (s->apart ? read_one(s, leader, &c) : read_group(s, leader, trial.nr, &r));
	uint64_t enabled_ns = s->apart ? c.enabled_ns : r.enabled_ns;
	uint64_t running_ns = s->apart ? c.running_ns : r.running_ns;
	close_from(&trial, 0);
	/* An event that cannot be tried is assumed to run. */
	return !was_read || enabled_ns == 0 || running_ns > 0;
}

/* Size of the largest group that does not run; 0 when all do. */
static unsigned find_stuck(const struct perf_set *s)
{
	unsigned largest = 0;
	for (unsigned g = 0; g < s->nr_groups; g++) {
		unsigned size = size_of(s, g);
		if (size > 1 && size > largest && !does_run(s, g))
			largest = size;
	}
	return largest;
}

static enum sahm_status fail_open(int error, int32_t paranoia, struct sahm_err *err)
{
	if ((error == EACCES || error == EPERM) && paranoia != PARANOIA_UNKNOWN && paranoia > 2)
		return sahm_fail(err, SAHM_IO,
				 "counting is not permitted: kernel.perf_event_paranoid is %d, and more than 2 keeps "
				 "everybody but root from it (sysctl kernel.perf_event_paranoid=2)",
				 paranoia);
	if (error == EACCES || error == EPERM)
		return sahm_fail(err, SAHM_IO,
				 "counting is not permitted (%s), for another reason than kernel.perf_event_paranoid: "
				 "a container may forbid perf_event_open()",
				 strerror(error));
	if (error == ENOSYS)
		return sahm_fail(err, SAHM_IO, "counting is not possible: the kernel has no perf_event_open()");
	if (error == EMFILE || error == ENFILE)
		return sahm_fail(err, SAHM_IO, "cannot open counters: %s (ulimit -n)", strerror(error));
	return sahm_fail(err, SAHM_IO, "cannot open counters: %s", strerror(error));
}

enum sahm_status perf_set_open(struct perf_set *s, const struct perf_ops *ops, const struct pmu_event *events,
			       unsigned nr, pid_t pid, int32_t paranoia, struct sahm_err *err)
{
	*s = (struct perf_set){.ops = ops, .events = events, .nr = nr, .largest = nr};
	for (unsigned i = 0; i < nr; i++)
		s->fd[i] = -1;
	for (;;) {
		int error = open_somehow(s, pid);
		if (error != 0)
			return fail_open(error, paranoia, err);
		unsigned stuck = find_stuck(s);
		if (stuck == 0)
			return SAHM_OK;
		close_from(s, 0);
		s->largest = stuck - 1;
	}
}

static enum sahm_status fail_read(int error, struct sahm_err *err)
{
	return sahm_fail(err, SAHM_IO, "counters cannot be read any more: %s", strerror(error));
}

enum sahm_status perf_set_read(const struct perf_set *s, struct perf_count *counts, struct sahm_err *err)
{
	memset(counts, 0, s->nr * sizeof(*counts));
	for (unsigned i = 0; i < s->nr && s->apart; i++)
		if (s->fd[i] >= 0 && !read_one(s, s->fd[i], &counts[i]))
			return fail_read(errno, err);
	for (unsigned g = 0; g < s->nr_groups && !s->apart; g++) {
		struct reading r;
		unsigned leader = leader_of(s, g), at = 0;
		if (!read_group(s, s->fd[leader], size_of(s, g), &r))
			return fail_read(errno, err);
		for (unsigned i = leader; i < s->nr; i++)
			if (s->fd[i] >= 0 && s->group[i] == g)
				counts[i] = (struct perf_count){r.values[at++], r.enabled_ns, r.running_ns};
	}
	return SAHM_OK;
}

void perf_set_close(struct perf_set *s)
{
	close_from(s, 0);
}

int perf_event_error(const struct perf_ops *ops, const struct pmu_event *event)
{
	struct perf_set s = {.ops = ops, .nr = 1, .fd = {-1}, .largest = 1, .events = event};
	int error = open_somehow(&s, 0);
	if (error == 0)
		error = s.error[0];
	close_from(&s, 0);
	return error;
}
