/* Rows of options that several commands have: one name, letter and meaning everywhere.
 *
 * Each goes to the member of `struct request`, as every command calls what it was asked for, that is named like it.
 * A command that runs something takes those that make sense for it:
 *
 *	-s, --set, -p, --policy	it reads a configuration		struct settings settings
 *	-j, --jobs		its runs are carried out side by side	uint32_t
 *	-q, --quiet		it shows how many of its runs are done	bool quiet
 *	-o, --output		it prints a result			const char *output; NULL: standard output
 *	--force			it writes files that options name	bool force: replaces them
 *	--stall-timeout		it runs policies			uint32_t stall_timeout_s, for
 *policy_guard_limit()
 *	--json, --csv		it has the result in this form		enum output_form form
 */
#ifndef SAHM_SIM_CLI_COMMON_OPTIONS_H
#define SAHM_SIM_CLI_COMMON_OPTIONS_H

#include "sim/base/options.h"
#include "sim/cli/output.h"
#include "workloads/trace/provenance.h"

/* Places in struct request. */
#define AT(type, member) OPTION_AT(type, struct request, member)
#define NOTE(member) OPTION_NOTE(struct request, member)

/* The last row of a table: of operands, how many there are, and where they go. `none` is the message where there is
 * none, NULL: there need not be. */
#define NO_OPERANDS(command) NULL, 0, NULL, NULL, OPTION_NONE, .what = command
#define ONE_OPERAND(member, name, none)                                                                                \
	NULL, 0, NULL, NULL, OPTION_STRING, AT(const char *, member), .what = name, .missing = none
#define OPERANDS(member, none) NULL, 0, NULL, NULL, OPTION_LIST, AT(struct option_list, member), .missing = none
#define TAKE_OPERANDS(function) NULL, 0, NULL, NULL, OPTION_TAKE, .take = function

/* Options, to stand in the braces of a row. */
#define JSON_OPTION(help) "json", 0, NULL, help, OPTION_ONE_OF, AT(enum output_form, form), .value_is = OUTPUT_JSON
#define CSV_OPTION(help) "csv", 0, NULL, help, OPTION_ONE_OF, AT(enum output_form, form), .value_is = OUTPUT_CSV
#define OUTPUT_OPTION                                                                                                  \
	"output", 'o', "FILE", "write the result to FILE instead of standard output", OPTION_STRING,                   \
		AT(const char *, output)
#define FORCE_OPTION "force", 0, NULL, "replace an output file that exists already", OPTION_FORCE, AT(bool, force)
#define JOBS_OPTION(help, member)                                                                                      \
	"jobs", 'j', "N", help, OPTION_WHOLE, AT(uint32_t, member), .least = 1, .most = MAX_POOL_WORKERS
#define MEMORY_OPTION(without, member)                                                                                 \
	"memory", 0, "BYTES", "fail a run whose process needs more memory (address space; 512M, 16G); " without,       \
		OPTION_SIZE, AT(uint64_t, member), .least = MIN_MEMORY_BYTES, .most = MAX_MEMORY_BYTES
#define STALL_TIMEOUT_OPTION                                                                                           \
	"stall-timeout", 0, "SECONDS",                                                                                 \
		"end the run if the policy makes no progress in simulated time for this long (60)", OPTION_WHOLE,      \
		AT(uint32_t, stall_timeout_s), .least = 1, .most = 1000000, .preset = 60
#define QUIET_OPTION(help) "quiet", 'q', NULL, help, OPTION_FLAG, AT(bool, quiet)

/* Restrictions of a sweep, up to as many as anybody types. */
#define WHERE_OPTION                                                                                                   \
	"where", 'w', "AXIS=VALUE",                                                                                    \
		"leave out points that have another value on this axis; can be repeated, for one axis to allow "       \
		"several values",                                                                                      \
		OPTION_LIST, AT(struct option_list, where), .most = 64

/* Changes of a configuration, in the order in which they were given. All zeros: none. */
struct settings {
	struct option_list list;
	char *policy;		/* the setting that --policy makes, or NULL */
	char *scx_values, *scx; /* of all --scx-set, and the setting that they make, or NULL */
	size_t scx_at;		/* that is item scx_at - 1 of the list; 0: there is none */
};

/* What --policy does: to a struct settings. SAHM_USAGE: it is given twice; SAHM_NOMEM. */
option_take take_policy;
/* What --scx-set does, likewise. */
option_take take_scx_set;

void settings_release(struct settings *s);

#define SET_OPTION(help) "set", 's', "KEY.PATH=VALUE", help, OPTION_LIST, AT(struct option_list, settings.list)
#define POLICY_OPTION                                                                                                  \
	"policy", 'p', "NAME|FILE",                                                                                    \
		"the scheduling policy (sahm policy list), or a plug-in: like --set scheduler.policy=", OPTION_TAKE,   \
		AT(struct settings, settings), .take = take_policy

#define SCX_SET_OPTION                                                                                                 \
	"scx-set", 0, "NAME=VALUE",                                                                                    \
		"set a variable of a policy that `sahm policy build` made; can be repeated: like --set "               \
		"scheduler.scx_set=",                                                                                  \
		OPTION_TAKE, AT(struct settings, settings), .take = take_scx_set

/* Where --provenance KEY=VALUE goes: sets a key of `keys`, whose texts `arena` keeps. The command fills it in before it
 * parses its options. */
struct provenance_place {
	struct provenance *keys;
	struct arena *arena;
};

/* What it does: to a struct provenance_place. SAHM_USAGE, SAHM_NOMEM. */
option_take take_provenance;

#define PROVENANCE_OPTION(help)                                                                                        \
	"provenance", 'p', "KEY=VALUE", help, OPTION_TAKE, AT(struct provenance_place, provenance),                    \
		.take = take_provenance

/* Sets one key of `p`, of `len` bytes, as --`option` asks for. */
enum sahm_status set_provenance(const char *option, const char *key, size_t len, const char *value,
				struct provenance *p, struct arena *a, struct sahm_err *err);

#endif
