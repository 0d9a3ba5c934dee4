/* Soft logic beside the IPUs of a command: its options, and the module as they ask for it. */
#ifndef SAHM_SIM_CLI_IPU_SOFT_H
#define SAHM_SIM_CLI_IPU_SOFT_H

#include "ipu/unit/pro.h"
#include "ipu/unit/soft_source.h"
#include "sim/cli/common_options.h"

struct soft_request {
	const char *file; /* NULL: the IPU is an IPU_lite */
	uint32_t mhz;
	const char *given_mhz; /* NULL: it is not */
	bool in_process;
};

/* Rows of an option table, for a request with a struct soft_request `member`. */
#define SOFT_OPTIONS(member)                                                                                           \
	{"soft",	0,                                                                                             \
	 "MODULE",	"soft logic beside the processor (IPU_pro): a shared object, or the name of a shipped module", \
	 OPTION_STRING, AT(const char *, member.file)},                                                                \
		{"soft-mhz",                                                                                           \
		 0,                                                                                                    \
		 "MHZ",                                                                                                \
		 "clock of the soft logic (1300)",                                                                     \
		 OPTION_SIZE,                                                                                          \
		 AT(uint32_t, member.mhz),                                                                             \
		 .least = IPU_MIN_MHZ,                                                                                 \
		 .most = IPU_MAX_MHZ,                                                                                  \
		 .preset = IPU_DEFAULT_SOFT_MHZ,                                                                       \
		 NOTE(member.given_mhz)},                                                                              \
	{                                                                                                              \
		"soft-in-process", 0, NULL, "load the module into this process, not into a sandboxed one",             \
			OPTION_FLAG, AT(bool, member.in_process)                                                       \
	}

/* SAHM_USAGE: an option has no effect without --soft. */
enum sahm_status soft_request_check(const struct soft_request *r, struct sahm_err *err);

/* All zeros: there is none. */
struct soft_loaded {
	struct soft_source source;
	struct soft *soft;
	struct ipu_pro pro;
};

/* Reads the module, if one is asked for. Fails as soft_source_read() does. */
enum sahm_status soft_loaded_read(struct soft_loaded *x, const struct soft_request *r, struct sahm_err *err);

/* Loads it, if there is one, and wires it to the signals of `abi`: then x->pro.maker makes units with it. Fails as
 * soft_source_open() and ipu_pro_init() do. */
enum sahm_status soft_loaded_open(struct soft_loaded *x, const struct soft_request *r, const struct abi *abi,
				  struct sahm_err *err);

/* In any case, after the units. */
void soft_loaded_release(struct soft_loaded *x);

#endif
