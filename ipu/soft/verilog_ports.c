/* Ports and registers of a design in Verilog. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ipu/soft/soft.h"
#include "ipu/soft/verilog.h"
#include "sim/base/array.h"
#include "sim/base/suggest.h"

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* The name of a signal or register: the message begins with `what`. */
static enum sahm_status check_name(const char *what, const char *name, const char *file, unsigned line,
				   struct sahm_err *err)
{
	if (soft_is_name(name))
		return SAHM_OK;
	return sahm_fail_at(err, SAHM_FORMAT, file, line, "bad %s '%.80s', must be " SOFT_NAME_FORM, what, name);
}

/* ---- Registers ---- */

static const char register_mark[] = "// sahm:";

static bool read_access(const char *word, uint32_t *access)
{
	static const char *const words[] = {[SOFT_READ] = "r", [SOFT_WRITE] = "w", [SOFT_READ | SOFT_WRITE] = "rw"};
	for (uint32_t i = SOFT_READ; i < ARRAY_SIZE(words); i++)
		if (strcmp(words[i], word) == 0) {
			*access = i;
			return true;
		}
	return false;
}

/* Puts the register in its place: they are in the order of offsets. */
static enum sahm_status add_register(struct verilog_ports *p, struct soft_register r, const char *file, unsigned line,
				     struct sahm_err *err)
{
	uint32_t place = p->nr_registers;
	if (p->nr_registers == SOFT_MAX_REGISTERS)
		return sahm_fail_at(err, SAHM_FORMAT, file, line, "there are more than %u registers",
				    SOFT_MAX_REGISTERS);
	for (uint32_t i = 0; i < p->nr_registers; i++)
		if (p->registers[i].offset == r.offset || strcmp(p->registers[i].name, r.name) == 0)
			return sahm_fail_at(err, SAHM_FORMAT, file, line,
					    "register '%s' at 0x%x: register '%s' is at 0x%x already", r.name, r.offset,
					    p->registers[i].name, p->registers[i].offset);
	for (; place > 0 && p->registers[place - 1].offset > r.offset; place--)
		p->registers[place] = p->registers[place - 1];
	p->registers[place] = r;
	p->nr_registers++;
	return SAHM_OK;
}

/* The words after register_mark. */
static enum sahm_status read_register(struct verilog_ports *p, char *words, const char *file, unsigned line,
				      struct sahm_err *err)
{
	static const char blanks[] = " \t\r";
	char *rest, *end;
	const char *kind = strtok_r(words, blanks, &rest);
	const char *name = strtok_r(NULL, blanks, &rest);
	const char *offset = strtok_r(NULL, blanks, &rest);
	const char *access = strtok_r(NULL, blanks, &rest);
	struct soft_register r = {.name = name};
	if (!kind || strcmp(kind, "register") != 0 || !access || strtok_r(NULL, blanks, &rest) ||
	    !read_access(access, &r.access))
		return sahm_fail_at(err, SAHM_FORMAT, file, line,
				    "bad line, must be '// sahm: register NAME OFFSET ACCESS', ACCESS r, w or rw");
	enum sahm_status status = check_name("register", name, file, line, err);
	if (status != SAHM_OK)
		return status;
	unsigned long value = strtoul(offset, &end, 0);
	if (!isdigit((unsigned char)*offset) || *end || value % 4 || value >= SOFT_REGION_BYTES)
		return sahm_fail_at(err, SAHM_FORMAT, file, line,
				    "bad offset '%.40s' of register '%s', must be a multiple of 4 below 0x%x", offset,
				    name, SOFT_REGION_BYTES);
	r.offset = (uint32_t)value;
	return add_register(p, r, file, line, err);
}

enum sahm_status verilog_read_registers(struct verilog_ports *p, struct arena *a, const char *file, const char *text,
					struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	p->nr_registers = 0;
	for (unsigned line = 1; *text && status == SAHM_OK; line++) {
		size_t len = strcspn(text, "\n"), blanks = strspn(text, " \t");
		if (strncmp(text + blanks, register_mark, sizeof(register_mark) - 1) == 0) {
			size_t before = blanks + sizeof(register_mark) - 1;
			char *words = arena_strndup(a, text + before, len - before);
			status = words ? read_register(p, words, file, line, err) : sahm_fail_nomem(err);
		}
		text += len + (text[len] == '\n');
	}
	return status;
}

/* ---- Ports ---- */

enum direction { INPUT, OUTPUT };

struct port {
	const char *name;
	enum direction direction;
	uint32_t bits;
	bool is_signal; /* none of fixed_ports, and no valid bit */
	bool has_valid; /* another port is its valid bit */
	unsigned line, column;
};

#define MAX_PORTS (2 * SOFT_MAX_INPUTS + 16u)

struct design {
	const struct verilog_build *build;
	const char *text;
	struct port ports[MAX_PORTS];
	unsigned nr_ports;
};

/* The line that declares port `name`: the first one with it after `input` or `output`, outside of // comments; 0: none
 * does, it is in another file. `*column` is where in the line. */
static unsigned place_of(const char *text, const char *name, unsigned *column)
{
	size_t name_len = strlen(name);
	for (unsigned line = 1; *text; line++) {
		size_t len = strcspn(text, "\n");
		const char *end = text + len, *is_port = NULL;
		for (const char *at = text; at < end && strncmp(at, "//", 2) != 0;) {
			size_t word = 0;
			while (is_word(at[word]))
				word++;
			if ((word == 5 && memcmp(at, "input", 5) == 0) || (word == 6 && memcmp(at, "output", 6) == 0))
				is_port = at;
			else if (is_port && word == name_len && memcmp(at, name, word) == 0) {
				*column = (unsigned)(at - text);
				return line;
			}
			at += word > 0 ? word : 1;
		}
		text = end + (*end == '\n');
	}
	return 0;
}

static unsigned line_of(const char *text, const char *name)
{
	unsigned column;
	return place_of(text, name, &column);
}

/* Verilator's order is by width, this one is that of the source. */
static int compare_ports(const void *a, const void *b)
{
	const struct port *p = a, *q = b;
	if (p->line != q->line)
		return p->line < q->line ? -1 : 1;
	return p->column < q->column ? -1 : p->column > q->column;
}

#define FAIL_AT_PORT(d, port, ...)                                                                                     \
	sahm_fail_at(err, SAHM_FORMAT, (d)->build->source, line_of((d)->text, port), __VA_ARGS__)

/* Reads a line such as "VL_IN8(&clk,0,0);", from after "VL_". */
static enum sahm_status read_port(struct design *d, struct arena *a, const char *text, struct sahm_err *err)
{
	bool is_inout = strncmp(text, "INOUT", 5) == 0, is_output = strncmp(text, "OUT", 3) == 0;
	const char *name = text + strcspn(text, "&\n");
	if ((!is_output && strncmp(text, "IN", 2) != 0) || *name != '&')
		return SAHM_OK;
	size_t len = strcspn(++name, ",)\n");
	char *end, *copy = arena_strndup(a, name, len);
	if (!copy)
		return sahm_fail_nomem(err);
	long high = strtol(name + len + 1, &end, 10), low = *end == ',' ? strtol(end + 1, &end, 10) : -1;
	/* A wide one has the number of its words as well. */
	if (low >= 0 && high - low >= 64)
		return FAIL_AT_PORT(d, copy, "port '%s' has %ld bits, at most 64 are possible", copy, high - low + 1);
	if (is_inout || name[len] != ',' || *end != ')' || low < 0 || high < low || strstr(copy, "__"))
		return FAIL_AT_PORT(d, copy, "port '%s' must be an input or output with a plain name, [high:low] bits",
				    copy);
	struct port p = {.name = copy,
			 .direction = is_output ? OUTPUT : INPUT,
			 .bits = (uint32_t)(high - low + 1),
			 .is_signal = true,
			 .column = 0};
	p.line = place_of(d->text, copy, &p.column);
	if (d->nr_ports == MAX_PORTS)
		return FAIL_AT_PORT(d, copy, "there are more than %u ports", MAX_PORTS);
	d->ports[d->nr_ports++] = p;
	return SAHM_OK;
}

static struct port *find_port(struct design *d, const char *name, size_t len)
{
	for (unsigned i = 0; i < d->nr_ports; i++)
		if (strlen(d->ports[i].name) == len && memcmp(d->ports[i].name, name, len) == 0)
			return &d->ports[i];
	return NULL;
}

/* The ports that are the same in each design. Those of a group are there together. */
enum group { GROUP_CLOCK, GROUP_BUS, GROUP_CYCLE, GROUP_PACKETS, NR_GROUPS };

static const struct fixed_port {
	const char *name;
	enum group group;
	enum direction direction;
	uint32_t bits; /* 0: any number */
} fixed_ports[] = {
	{"clk", GROUP_CLOCK, INPUT, 1},		 {"rst", GROUP_CLOCK, INPUT, 1},
	{"reg_addr", GROUP_BUS, INPUT, 12},	 {"reg_write", GROUP_BUS, INPUT, 1},
	{"reg_wdata", GROUP_BUS, INPUT, 32},	 {"reg_rdata", GROUP_BUS, OUTPUT, 32},
	{"cycle", GROUP_CYCLE, INPUT, 0},	 {"out_valid", GROUP_PACKETS, OUTPUT, 1},
	{"out_data", GROUP_PACKETS, OUTPUT, 32},
};

static enum sahm_status check_fixed(struct design *d, bool has[NR_GROUPS], struct sahm_err *err)
{
	const char *missing[NR_GROUPS] = {NULL};
	has[GROUP_CLOCK] = true;
	for (size_t i = 0; i < ARRAY_SIZE(fixed_ports); i++) {
		const struct fixed_port *f = &fixed_ports[i];
		struct port *p = find_port(d, f->name, strlen(f->name));
		if (!p) {
			missing[f->group] = f->name;
			continue;
		}
		if (p->direction != f->direction || (f->bits > 0 && p->bits != f->bits))
			return FAIL_AT_PORT(d, p->name, "port '%s' has %u bits as an %s, must have %u as an %s",
					    p->name, p->bits, p->direction == INPUT ? "input" : "output",
					    f->bits > 0 ? f->bits : p->bits,
					    f->direction == INPUT ? "input" : "output");
		p->is_signal = false;
		has[f->group] = true;
	}
	for (unsigned i = 0; i < NR_GROUPS; i++)
		if (has[i] && missing[i])
			return sahm_fail_at(err, SAHM_FORMAT, d->build->source, 0, "module '%s' has no port '%s'",
					    d->build->top, missing[i]);
	return SAHM_OK;
}

static const char *signal_of(const struct verilog_build *b, const char *port)
{
	for (size_t i = 0; i < b->nr_maps; i++)
		if (strcmp(b->maps[i].port, port) == 0)
			return b->maps[i].signal;
	return port;
}

/* Whether the ABI spec has the signal, with as many bits. */
static enum sahm_status check_signal(const struct design *d, const struct port *p, const char *signal,
				     struct sahm_err *err)
{
	const struct verilog_build *b = d->build;
	size_t i = 0;
	if (!b->spec)
		return SAHM_OK;
	while (i < b->nr_signals && strcmp(b->signals[i].name, signal) != 0)
		i++;
	if (i == b->nr_signals) {
		char near[SUGGEST_BYTES];
		struct suggest s;
		suggest_init(&s, signal);
		for (size_t k = 0; k < b->nr_signals; k++)
			suggest_offer(&s, b->signals[k].name);
		return FAIL_AT_PORT(d, p->name, "port '%s': %s has no signal '%s'%s (--map %s=SIGNAL names another)",
				    p->name, b->spec, signal, suggest_text(&s, near), p->name);
	}
	if (b->signals[i].bits != p->bits)
		return FAIL_AT_PORT(d, p->name, "port '%s' has %u bits, but signal '%s' of %s has %u", p->name, p->bits,
				    signal, b->spec, b->signals[i].bits);
	return SAHM_OK;
}

static enum sahm_status add_input(struct verilog_ports *ports, const struct design *d, const struct port *p,
				  struct sahm_err *err)
{
	const char *signal = signal_of(d->build, p->name);
	enum sahm_status status = check_name("signal", signal, d->build->source, line_of(d->text, p->name), err);
	for (uint32_t i = 0; i < ports->nr_inputs && status == SAHM_OK; i++)
		if (strcmp(ports->inputs[i].name, signal) == 0)
			status = FAIL_AT_PORT(d, p->name, "ports '%s' and '%s' have one signal, '%s'",
					      ports->input_ports[i], p->name, signal);
	if (status == SAHM_OK && ports->nr_inputs == SOFT_MAX_INPUTS)
		status = FAIL_AT_PORT(d, p->name, "there are more than %u inputs", SOFT_MAX_INPUTS);
	if (status == SAHM_OK)
		status = check_signal(d, p, signal, err);
	if (status != SAHM_OK)
		return status;
	ports->has_valid[ports->nr_inputs] = p->has_valid;
	ports->input_ports[ports->nr_inputs] = p->name;
	ports->inputs[ports->nr_inputs++] = (struct soft_input){.name = signal, .bits = p->bits};
	return SAHM_OK;
}

static const char valid_ending[] = "_valid";

/* Finds the inputs that are another one's valid bit. */
static enum sahm_status find_valids(struct design *d, struct sahm_err *err)
{
	size_t ending = sizeof(valid_ending) - 1;
	for (unsigned i = 0; i < d->nr_ports; i++) {
		struct port *p = &d->ports[i], *of;
		size_t len = strlen(p->name);
		if (!p->is_signal || p->direction != INPUT || len <= ending ||
		    strcmp(p->name + len - ending, valid_ending) != 0)
			continue;
		of = find_port(d, p->name, len - ending);
		if (!of || !of->is_signal || of->direction != INPUT)
			continue;
		if (p->bits != 1)
			return FAIL_AT_PORT(d, p->name, "port '%s' has %u bits, must have 1 bit", p->name, p->bits);
		p->is_signal = false;
		of->has_valid = true;
	}
	return SAHM_OK;
}

static enum sahm_status add_inputs(struct verilog_ports *ports, const struct design *d, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	for (unsigned i = 0; i < d->nr_ports && status == SAHM_OK; i++) {
		const struct port *p = &d->ports[i];
		if (!p->is_signal)
			continue;
		if (p->direction == OUTPUT)
			return FAIL_AT_PORT(d, p->name,
					    "nothing reads the output '%s' (outputs: reg_rdata, out_valid, out_data)",
					    p->name);
		status = add_input(ports, d, p, err);
	}
	return status;
}

static enum sahm_status check_maps(struct design *d, struct sahm_err *err)
{
	for (size_t i = 0; i < d->build->nr_maps; i++) {
		const char *name = d->build->maps[i].port;
		const struct port *p = find_port(d, name, strlen(name));
		if (!p || !p->is_signal)
			return sahm_fail(err, SAHM_USAGE, "--map: module '%s' of '%s' has no input '%s' for a signal",
					 d->build->top, d->build->source, name);
		for (size_t k = 0; k < i; k++)
			if (strcmp(d->build->maps[k].port, name) == 0)
				return sahm_fail(err, SAHM_USAGE, "--map names the port '%s' twice", name);
	}
	return SAHM_OK;
}

static enum sahm_status check_ports(struct verilog_ports *p, struct design *d, struct sahm_err *err)
{
	const struct verilog_build *b = d->build;
	bool has[NR_GROUPS] = {false};
	enum sahm_status status = check_fixed(d, has, err);
	p->has_bus = has[GROUP_BUS];
	const struct port *cycle = find_port(d, "cycle", strlen("cycle"));
	p->cycle_bits = cycle ? cycle->bits : 0;
	p->has_packets = has[GROUP_PACKETS];
	p->nr_inputs = 0;
	if (status == SAHM_OK)
		status = find_valids(d, err);
	if (status == SAHM_OK)
		status = check_maps(d, err);
	if (status == SAHM_OK)
		status = add_inputs(p, d, err);
	if (status == SAHM_OK && p->nr_inputs == 0)
		status = sahm_fail_at(err, SAHM_FORMAT, b->source, 0, "module '%s' has no input for a signal", b->top);
	if (status == SAHM_OK && p->nr_registers > 0 && !p->has_bus)
		status = sahm_fail_at(err, SAHM_FORMAT, b->source, 0,
				      "there are registers, but module '%s' has no port 'reg_rdata'", b->top);
	if (status == SAHM_OK && p->nr_registers == 0 && p->has_bus)
		status = sahm_fail_at(err, SAHM_FORMAT, b->source, line_of(d->text, "reg_rdata"),
				      "no line '// sahm: register NAME OFFSET ACCESS' says which registers there are");
	return status;
}

enum sahm_status verilog_read_ports(struct verilog_ports *p, struct arena *a, const struct verilog_build *b,
				    const char *text, const char *header, struct sahm_err *err)
{
	struct design *d = arena_alloc(a, 1, sizeof(*d));
	enum sahm_status status = SAHM_OK;
	if (!d)
		return sahm_fail_nomem(err);
	*d = (struct design){.build = b, .text = text};
	for (const char *at = header; status == SAHM_OK && (at = strstr(at, "VL_")); at++) {
		/* Nothing but blanks precedes a port. */
		const char *line = at;
		while (line > header && (line[-1] == ' ' || line[-1] == '\t'))
			line--;
		if (line == header || line[-1] == '\n')
			status = read_port(d, a, at + 3, err);
	}
	qsort(d->ports, d->nr_ports, sizeof(*d->ports), compare_ports);
	return status == SAHM_OK ? check_ports(p, d, err) : status;
}

void verilog_write_ports(const struct verilog_ports *p, const struct verilog_build *b, struct textbuf *out)
{
	textbuf_printf(out, "#define SOFT_NAME \"%s\"\n#define SOFT_VERSION \"%s\"\n", b->name, b->version);
	textbuf_puts(out, "#define SOFT_INPUTS");
	for (uint32_t i = 0; i < p->nr_inputs; i++)
		textbuf_printf(out, " \\\n\tINPUT(%u, %s, \"%s\", %u)", i, p->input_ports[i], p->inputs[i].name,
			       p->inputs[i].bits);
	textbuf_puts(out, "\n#define SOFT_VALIDS");
	for (uint32_t i = 0; i < p->nr_inputs; i++)
		if (p->has_valid[i])
			textbuf_printf(out, " \\\n\tVALID(%u, %s%s)", i, p->input_ports[i], valid_ending);
	textbuf_puts(out, "\n#define SOFT_REGISTERS");
	for (uint32_t i = 0; i < p->nr_registers; i++)
		textbuf_printf(out, " \\\n\tREGISTER(\"%s\", 0x%x, %u)", p->registers[i].name, p->registers[i].offset,
			       p->registers[i].access);
	textbuf_printf(out, "\n%s%s", p->has_bus ? "#define HAS_BUS\n" : "",
		       p->has_packets ? "#define HAS_PACKETS\n" : "");
	if (p->cycle_bits > 0)
		textbuf_printf(out, "#define CYCLE_MASK UINT64_C(0x%" PRIx64 ")\n", UINT64_MAX >> (64 - p->cycle_bits));
}
