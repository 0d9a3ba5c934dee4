/* Why a scheduler ended, as it keeps it for its half in user space, which there is none of here. */
#ifndef SAHM_SCHED_SCX_USER_EXIT_INFO_BPF_H
#define SAHM_SCHED_SCX_USER_EXIT_INFO_BPF_H

#include "bpf/bpf_core_read.h"

enum uei_sizes {
	UEI_REASON_LEN = 128,
	UEI_MSG_LEN = 1024,
};

struct user_exit_info {
	int kind;
	s64 exit_code;
	char reason[UEI_REASON_LEN];
	char msg[UEI_MSG_LEN];
};

#define UEI_DEFINE(name) struct user_exit_info name
#define UEI_RECORD(name, info)                                                                                         \
	({                                                                                                             \
		bpf_probe_read_kernel_str((name).reason, sizeof((name).reason), (info)->reason);                       \
		bpf_probe_read_kernel_str((name).msg, sizeof((name).msg), (info)->msg);                                \
		(name).exit_code = (info)->exit_code;                                                                  \
		(name).kind = (info)->kind;                                                                            \
	})

#endif
