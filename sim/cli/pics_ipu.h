/* `sahm core pics --ipu`: a core and the IPU beside it, cycle by cycle. */
#ifndef SAHM_SIM_CLI_PICS_IPU_H
#define SAHM_SIM_CLI_PICS_IPU_H

#include "results/cores/ipu_samples.h"
#include "sim/cli/ipu_loaded.h"
#include "sim/cli/ipu_packets.h"
#include "sim/engine/core_probe.h"

#define DEFAULT_PICS_ABI "pics"
#define DEFAULT_HIT_MHZ 3200u

/* As it was given; `program` NULL: there is no IPU, and the rest is not looked at. */
struct pics_ipu_request {
	const char *program, *abi, *trust, *packets;
	struct option_list settings;
	struct ipu_unit_config config;
	uint64_t start, stop;
	enum hart_engine engine;
	/* Options that were given. */
	const char *of_hit_mhz, *of_ipu_mhz, *of_mode, *of_start, *of_stop, *of_engine;
};

/* A run. All zeros: none. */
struct pics_ipu {
	const struct pics_ipu_request *request;
	struct ipu_loaded loaded;
	struct core_wiring wiring;
	struct core_probe *probe;
	struct packet_writer writer;
	struct textbuf mode;
	struct ipu_stacks stacks; /* after pics_ipu_end(); `stacks` and `names` are the caller's to fill in */
};

/* Refuses options that have no effect without --ipu; loads what is needed. Release it in any case. */
enum sahm_status pics_ipu_read(struct pics_ipu *x, const struct pics_ipu_request *r, struct sahm_err *err);
void pics_ipu_release(struct pics_ipu *x);

/* The core `t` is about to run; `force` as of --force. */
enum sahm_status pics_ipu_begin(struct pics_ipu *x, const struct core_timing *t, bool force, struct sahm_err *err);

/* The run has ended: completes the packets' file. An IPU that has ended in ERROR is SAHM_GUEST. */
enum sahm_status pics_ipu_end(struct pics_ipu *x, struct sahm_err *err);

#define PICS_IPU_OPTIONS(member)                                                                                          \
	{"ipu",                                                                                                           \
	 0,                                                                                                               \
	 "PROGRAM",                                                                                                       \
	 "also run this introspection program on an IPU beside the core, and print the stacks that it reports: pics, or " \
	 "a file",                                                                                                        \
	 OPTION_STRING,                                                                                                   \
	 AT(const char *, member.program)},                                                                               \
		{"hit-mhz",                                                                                               \
		 0,                                                                                                       \
		 "MHZ",                                                                                                   \
		 "with --ipu: clock of the core (3200)",                                                                  \
		 OPTION_SIZE,                                                                                             \
		 AT(uint32_t, member.config.hit_mhz),                                                                     \
		 .least = IPU_MIN_MHZ,                                                                                    \
		 .most = IPU_MAX_MHZ,                                                                                     \
		 .preset = DEFAULT_HIT_MHZ,                                                                               \
		 NOTE(member.of_hit_mhz)},                                                                                \
		{"ipu-mhz",                                                                                               \
		 0,                                                                                                       \
		 "MHZ",                                                                                                   \
		 "with --ipu: clock of the IPU (2000)",                                                                   \
		 OPTION_SIZE,                                                                                             \
		 AT(uint32_t, member.config.ipu_mhz),                                                                     \
		 .least = IPU_MIN_MHZ,                                                                                    \
		 .most = IPU_MAX_MHZ,                                                                                     \
		 .preset = IPU_DEFAULT_MHZ,                                                                               \
		 NOTE(member.of_ipu_mhz)},                                                                                \
		{"mode",                                                                                                  \
		 0,                                                                                                       \
		 "MODE",                                                                                                  \
		 "with --ipu: which cycles with events it takes if the core is faster: every (the default), "             \
		 "sub-sample=K, window=N or phases=MHZ",                                                                  \
		 OPTION_TAKE,                                                                                             \
		 AT(struct ipu_unit_config, member.config),                                                               \
		 .take = take_ipu_mode,                                                                                   \
		 NOTE(member.of_mode)},                                                                                   \
		{"ipu-set",                                                                                               \
		 0,                                                                                                       \
		 "SYMBOL=VALUE",                                                                                          \
		 "with --ipu: set data of the program before power-on, such as period=50000; can be repeated",            \
		 OPTION_LIST,                                                                                             \
		 AT(struct option_list, member.settings)},                                                                \
		{"start",                                                                                                 \
		 0,                                                                                                       \
		 "ADDRESS",                                                                                               \
		 "with --ipu: begin when ADDRESS is fetched (TS); by default at once",                                    \
		 OPTION_SIZE,                                                                                             \
		 AT(uint64_t, member.start),                                                                              \
		 .most = UINT64_MAX,                                                                                      \
		 NOTE(member.of_start)},                                                                                  \
		{"stop",                                                                                                  \
		 0,                                                                                                       \
		 "ADDRESS",                                                                                               \
		 "with --ipu: end when ADDRESS is fetched (TE)",                                                          \
		 OPTION_SIZE,                                                                                             \
		 AT(uint64_t, member.stop),                                                                               \
		 .most = UINT64_MAX,                                                                                      \
		 NOTE(member.of_stop)},                                                                                   \
		{"packets",	 0,                                                                                       \
		 "FILE",	 "with --ipu: also write the program's packets to FILE, as `sahm ipu run` does",          \
		 OPTION_STRING,	 AT(const char *, member.packets),                                                        \
		 .written = true},                                                                                        \
		{"abi",		0,                                                                                        \
		 "SPEC",	"with --ipu: ABI spec of the core: a file, or a shipped one (pics)",                      \
		 OPTION_STRING, AT(const char *, member.abi)},                                                            \
		{"trust", 0, "FILE", ipu_trust_help, OPTION_STRING, AT(const char *, member.trust)},                      \
	{                                                                                                                 \
		HART_ENGINE_OPTION("engine", member.engine), NOTE(member.of_engine)                                       \
	}

#endif
