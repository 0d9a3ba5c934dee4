/* sahm ipu soft build */
#include <stdlib.h>
#include <string.h>

#include "ipu/soft/verilog.h"
#include "ipu/unit/abi.h"
#include "sim/base/file.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/ipu_request.h"
#include "sim/cli/overwriting.h"

struct request {
	const char *source, *top, *output, *abi, *name, *version;
	struct option_list maps;
	bool force;
};

static const struct option_row options[] = {
	{"top", 't', "NAME", "the top module; required", OPTION_STRING, AT(const char *, top),
	 .missing = "--top is missing: the name of the top module"},
	{"map", 'm', "PORT=SIGNAL,...", "the signals of ports that are not named like them; can be repeated",
	 OPTION_LIST, AT(struct option_list, maps)},
	{"abi", 0, "NAME|FILE", "check that the ABI spec has the signals, with as many bits", OPTION_STRING,
	 AT(const char *, abi)},
	{"name", 0, "NAME", "name of the module (that of its top module)", OPTION_STRING, AT(const char *, name)},
	{"release", 0, "VERSION", "version of the module (1.0.0)", OPTION_STRING, AT(const char *, version),
	 .preset_text = "1.0.0"},
	{"output", 'o', "FILE", "the shared object (MODULE.so, for MODULE.v)", OPTION_STRING, AT(const char *, output)},
	{FORCE_OPTION},
	{ONE_OPERAND(source, "module", "a module is missing: sahm ipu soft build --top NAME MODULE.v")},
};

/* All that a build needs, with room in an arena. */
struct plan {
	struct verilog_build build;
	struct arena arena;
	struct abi abi;
};

/* The source's name with another ending. */
static enum sahm_status choose_output(struct plan *p, const struct request *r, struct sahm_err *err)
{
	size_t len = strlen(r->source) - (text_ends_in(r->source, ".sv") ? 3 : 2);
	char *output = arena_alloc(&p->arena, len + sizeof(".so"), 1);
	if (!output)
		return sahm_fail_nomem(err);
	memcpy(output, r->source, len);
	memcpy(output + len, ".so", sizeof(".so"));
	p->build.output = r->output ? r->output : output;
	enum sahm_status status = r->force || r->output ? SAHM_OK : refuse_existing(output, err);
	return status == SAHM_OK ? refuse_overwriting(p->build.output, r->source, err) : status;
}

/* Takes the next PORT=SIGNAL off a list. */
static enum sahm_status read_map(struct plan *p, const char **list, struct verilog_map *map, struct sahm_err *err)
{
	size_t len = strcspn(*list, ","), port = strcspn(*list, "=,");
	if (port == 0 || port + 1 >= len)
		return sahm_fail(err, SAHM_USAGE, "--map is '%.80s', must be PORT=SIGNAL, with commas between", *list);
	map->port = arena_strndup(&p->arena, *list, port);
	map->signal = arena_strndup(&p->arena, *list + port + 1, len - port - 1);
	*list += len + ((*list)[len] == ',');
	return map->port && map->signal ? SAHM_OK : sahm_fail_nomem(err);
}

static enum sahm_status read_maps(struct plan *p, const struct request *r, struct sahm_err *err)
{
	struct verilog_map *maps = arena_alloc(&p->arena, SOFT_MAX_INPUTS, sizeof(*maps));
	size_t nr = 0;
	enum sahm_status status = maps ? SAHM_OK : sahm_fail_nomem(err);
	for (size_t i = 0; i < r->maps.nr; i++)
		for (const char *list = r->maps.items[i]; *list && status == SAHM_OK; nr++)
			status = nr < SOFT_MAX_INPUTS
					 ? read_map(p, &list, &maps[nr], err)
					 : sahm_fail(err, SAHM_USAGE, "--map has more than %u ports", SOFT_MAX_INPUTS);
	p->build.maps = maps;
	p->build.nr_maps = nr;
	return status;
}

static enum sahm_status read_signals(struct plan *p, const struct request *r, struct sahm_err *err)
{
	char path[IPU_PATH_BYTES];
	if (!r->abi)
		return SAHM_OK;
	enum sahm_status status = find_ipu_abi(r->abi, path, err);
	if (status == SAHM_OK)
		status = abi_read(&p->arena, path, &p->abi, err);
	if (status != SAHM_OK)
		return status;
	struct verilog_signal *signals = arena_alloc(&p->arena, p->abi.nr_signals, sizeof(*signals));
	size_t room = strlen(p->abi.name) + sizeof("the ABI spec ''");
	char *spec = arena_alloc(&p->arena, room, 1);
	if (!signals || !spec)
		return sahm_fail_nomem(err);
	for (unsigned i = 0; i < p->abi.nr_signals; i++)
		signals[i] = (struct verilog_signal){p->abi.signals[i].name, p->abi.signals[i].bits};
	snprintf(spec, room, "the ABI spec '%s'", p->abi.name);
	p->build.spec = spec;
	p->build.signals = signals;
	p->build.nr_signals = p->abi.nr_signals;
	return SAHM_OK;
}

static enum sahm_status build(struct plan *p, const struct request *r, struct sahm_err *err)
{
	struct textbuf said;
	p->build = (struct verilog_build){.source = r->source,
					  .top = r->top,
					  .replaces = r->force,
					  .name = r->name ? r->name : r->top,
					  .version = r->version,
					  .data = data_folder()};
	enum sahm_status status = choose_output(p, r, err);
	if (status == SAHM_OK)
		status = read_maps(p, r, err);
	if (status == SAHM_OK)
		status = read_signals(p, r, err);
	if (status != SAHM_OK)
		return status;
	textbuf_init(&said);
	status = verilog_build(&p->build, &said, err);
	print_aside(&said);
	textbuf_release(&said);
	if (status == SAHM_OK)
		print_remark("%s: '%s' %s, for `sahm ipu run --soft`", p->build.output, p->build.name,
			     p->build.version);
	return status;
}

static enum sahm_status run(char **args, struct sahm_err *err)
{
	struct request r = {0};
	struct plan p;
	arena_init(&p.arena);
	enum sahm_status status = options_parse(options, args, &r, err);
	if (status == SAHM_OK && strcmp(r.source, "-") == 0)
		status = sahm_fail(err, SAHM_USAGE, "a module comes from a file, not from standard input");
	if (status == SAHM_OK && !text_ends_in(r.source, ".v") && !text_ends_in(r.source, ".sv"))
		status = sahm_fail(err, SAHM_USAGE,
				   "'%s' is not Verilog (.v, .sv); C modules are built with cc (docs/soft-logic.md)",
				   r.source);
	if (status == SAHM_OK)
		status = build(&p, &r, err);
	free(r.maps.items);
	arena_release(&p.arena);
	return status;
}

extern const struct command command_ipu_soft_build;
const struct command command_ipu_soft_build = {
	.name = "ipu soft build",
	.operands = "MODULE.v",
	.summary = "make a soft-logic module of a design in Verilog",
	.details =
		"Verilator (Debian: verilator) and a C++ compiler make a shared object, which `sahm ipu run --soft` "
		"takes. The design is known by the names of its ports; docs/soft-logic.md explains them.\n"
		"clk, rst: clock and synchronous reset, always there.\n"
		"P, P_valid: a signal, with all its bits, and whether it has a value in this cycle; P_valid may be missing. "
		"P is the signal's name unless --map gives another.\n"
		"reg_addr[11:0], reg_write, reg_wdata[31:0], reg_rdata[31:0]: registers, if there are any. A line of "
		"the source, `// sahm: register NAME OFFSET ACCESS`, names each; ACCESS is r, w or rw.\n"
		"cycle[n:0]: the number of the cycle, if the design wants it. It then has no cycles without a set.\n"
		"out_valid, out_data[31:0]: a packet of four bytes at the end of the cycle, if it sends any. The edge of "
		"a register's write sends none.",
	.options = options,
	.run = run,
};
