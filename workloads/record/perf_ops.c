#include "workloads/record/perf_ops.h"

#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sim/base/clock.h"

static int kernel_open(void *context, struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd,
		       unsigned long flags)
{
	(void)context;
	return (int)syscall(SYS_perf_event_open, attr, pid, cpu, group_fd, flags);
}

static int kernel_ioctl(void *context, int fd, unsigned long request, unsigned long argument)
{
	(void)context;
	return ioctl(fd, request, argument);
}

static ssize_t kernel_read(void *context, int fd, void *buffer, size_t len)
{
	(void)context;
	return read(fd, buffer, len);
}

static int kernel_close(void *context, int fd)
{
	(void)context;
	return close(fd);
}

static uint64_t kernel_now_ns(void *context)
{
	(void)context;
	return clock_ns(CLOCK_MONOTONIC);
}

static enum child_state kernel_wait(void *context, struct record_child *child, uint64_t deadline_ns,
				    const volatile sig_atomic_t *stop)
{
	(void)context;
	return record_child_wait(child, deadline_ns, stop);
}

const struct perf_ops perf_kernel = {
	.open = kernel_open,
	.ioctl = kernel_ioctl,
	.read = kernel_read,
	.close = kernel_close,
	.now_ns = kernel_now_ns,
	.wait = kernel_wait,
};
