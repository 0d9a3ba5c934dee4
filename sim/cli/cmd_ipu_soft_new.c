/* sahm ipu soft new: a folder to begin a soft-logic module in. */
#include <stdio.h>
#include <string.h>

#include "sim/base/array.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/scaffold.h"

struct request {
	const char *name;
};

static const struct option_row options[] = {
	{ONE_OPERAND(name, "module", "a name is missing: sahm ipu soft new NAME"), .written = true},
};

/* Whether SystemVerilog, which Verilator reads, has the word for itself. */
static bool is_keyword(const char *word)
{
	static const char keywords[] =
		" accept_on alias always always_comb always_ff always_latch and assert assign assume automatic "
		"before begin bind bins binsof bit break buf bufif0 bufif1 byte case casex casez cell chandle "
		"checker class clocking cmos config const constraint context continue cover covergroup coverpoint "
		"cross deassign default defparam design disable dist do edge else end endcase endchecker endclass "
		"endclocking endconfig endfunction endgenerate endgroup endinterface endmodule endpackage "
		"endprimitive endprogram endproperty endsequence endspecify endtable endtask enum event "
		"eventually expect export extends extern final first_match for force foreach forever fork "
		"forkjoin function generate genvar global highz0 highz1 if iff ifnone ignore_bins illegal_bins "
		"implements implies import incdir include initial inout input inside instance int integer "
		"interconnect interface intersect join join_any join_none large let liblist library local "
		"localparam logic longint macromodule matches medium modport module nand negedge nettype new "
		"nexttime nmos nor noshowcancelled not notif0 notif1 null or output package packed parameter pmos "
		"posedge primitive priority program property protected pull0 pull1 pulldown pullup "
		"pulsestyle_ondetect pulsestyle_onevent pure rand randc randcase randsequence rcmos real realtime "
		"ref reg reject_on release repeat restrict return rnmos rpmos rtran rtranif0 rtranif1 s_always "
		"s_eventually s_nexttime s_until s_until_with scalared sequence shortint shortreal showcancelled "
		"signed small soft solve specify specparam static string strong strong0 strong1 struct super "
		"supply0 supply1 sync_accept_on sync_reject_on table tagged task this throughout time "
		"timeprecision timeunit tran tranif0 tranif1 tri tri0 tri1 triand trior trireg type typedef union "
		"unique unique0 unsigned until until_with untyped use uwire var vectored virtual void wait "
		"wait_order wand weak weak0 weak1 while wildcard wire with within wor xnor xor ";
	char padded[MAX_SCAFFOLD_NAME_BYTES + sizeof("  ")];
	snprintf(padded, sizeof(padded), " %s ", word);
	return strstr(keywords, padded);
}

static enum sahm_status run(char **args, struct sahm_err *err)
{
	struct request r = {0};
	struct textbuf program;
	/* Its extension is Verilog's, and a module has no '-' in its name there. */
	char source[MAX_SCAFFOLD_NAME_BYTES + sizeof(".v")], top[MAX_SCAFFOLD_NAME_BYTES + 1];
	enum sahm_status status = options_parse(options, args, &r, err);
	if (status == SAHM_OK)
		status = scaffold_check_name(r.name, err);
	if (status != SAHM_OK)
		return status;
	snprintf(source, sizeof(source), "%s.v", r.name);
	snprintf(top, sizeof(top), "%s", r.name);
	for (char *p = top; *p; p++)
		*p = *p == '-' ? '_' : *p;
	if (is_keyword(top))
		return sahm_fail(err, SAHM_USAGE, "bad name '%s', '%s' is a keyword of Verilog", r.name, top);
	const struct scaffold_file files[] = {
		{NULL, "ipu/soft/new/reader.c"},
		{source, "ipu/soft/new/module.v"},
		{"Makefile", "ipu/soft/new/Makefile"},
		{"signals.csv", "ipu/programs/new/signals.csv"},
		{"introspect.h", "ipu/programs/introspect.h"},
		{"ipu.ld", "ipu/programs/ipu.ld"},
		{"core.cfg", "ipu/abi/core.cfg"},
	};
	textbuf_init(&program);
	status = scaffold_write_self(&program, err);
	const struct scaffold_word words[] = {{"@NAME@", r.name}, {"@TOP@", top}, {"@SAHM@", program.text}};
	if (status == SAHM_OK)
		status = scaffold_make(r.name, r.name, files, ARRAY_SIZE(files), words, ARRAY_SIZE(words), err);
	textbuf_release(&program);
	if (status == SAHM_OK)
		print_remark("%s: a module to begin with; try `make -C %s run`", r.name, r.name);
	return status;
}

extern const struct command command_ipu_soft_new;
const struct command command_ipu_soft_new = {
	.name = "ipu soft new",
	.operands = "NAME",
	.summary = "start a soft-logic module in a new folder",
	.details = "Makes the new folder NAME with a small counter in Verilog (NAME.v), a program for the IPU that "
		   "starts and reads it (NAME.c), a Makefile, and invented signals to try both on (signals.csv). The "
		   "header introspect.h, the linker script ipu.ld and the ABI spec core.cfg are copied into it. There, "
		   "`make` builds both with Verilator (Debian: verilator) and riscv64-unknown-elf-gcc (Debian: "
		   "gcc-riscv64-unknown-elf; RISCV_CC= names another compiler), and `make run` runs them on the "
		   "signals.\n"
		   "NAME has up to 63 letters, digits, - and _, and begins with a letter.",
	.options = options,
	.run = run,
};
