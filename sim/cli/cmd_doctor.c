/* sahm doctor: checks what is installed. */
#include <stdio.h>

#include "results/metrics/json.h"
#include "sim/base/array.h"
#include "sim/cli/command.h"
#include "sim/cli/common_options.h"
#include "sim/cli/doctor.h"
#include "sim/cli/help.h"
#include "sim/cli/option_words.h"
#include "sim/cli/output.h"

static const char *const state_names[] = {[DOCTOR_OK] = "ok", [DOCTOR_MISSING] = "missing", [DOCTOR_BROKEN] = "broken"};

static const struct row {
	const char *name;
	bool required;
	const char *used_for, *without, *install;
	doctor_check *check;
} rows[] = {
#define CHECK(symbol, name, required, used_for, without, install)                                                      \
	{name, required, used_for, without, install, doctor_##symbol},
#include "sim/cli/doctor_list.h"
#undef CHECK
};

#define NR_ROWS ARRAY_SIZE(rows)

/* State and name, then what was found; below, what that means. */
#define TEXT_COLUMN 27

static void print_note(const char *what, const char *text)
{
	if (!*text)
		return;
	unsigned column = (unsigned)printf("%*s%s:", TEXT_COLUMN, "", what);
	print_wrapped(stdout, text, column, TEXT_COLUMN + 2);
}

static const char *how_to_have(const struct row *row, const struct doctor_finding *f)
{
	return f->to_have ? f->to_have : row->install;
}

static void print_row(const struct row *row, const struct doctor_finding *f, bool details)
{
	printf("%-*s%-*s", 9, state_names[f->state], TEXT_COLUMN - 9, row->name);
	print_wrapped(stdout, f->text.text, TEXT_COLUMN, TEXT_COLUMN);
	if (f->state == DOCTOR_OK && !details)
		return;
	print_note("for", row->used_for);
	print_note("without it", row->without);
	if (f->state != DOCTOR_OK)
		print_note("to have it", how_to_have(row, f));
}

static void write_row(struct jwriter *j, const struct row *row, const struct doctor_finding *f)
{
	jwrite_begin_object(j, NULL);
	jwrite_string(j, "name", row->name);
	jwrite_string(j, "state", state_names[f->state]);
	jwrite_bool(j, "required", row->required);
	jwrite_string(j, "found", f->text.text);
	jwrite_string(j, "used_for", row->used_for);
	jwrite_string(j, "without", row->without);
	jwrite_string(j, "install", how_to_have(row, f));
	jwrite_end_object(j);
}

struct request {
	enum output_form form;
	bool details;
	bool chosen[NR_ROWS], any_chosen;
};

static enum sahm_status take_thing(void *request, struct option_walk *w, struct sahm_err *err)
{
	struct request *r = request;
	const char *names[NR_ROWS + 1] = {0};
	unsigned which = 0;
	for (size_t i = 0; i < NR_ROWS; i++)
		names[i] = rows[i].name;
	enum sahm_status status = read_choice("thing to look at", w->value, names, &which, err);
	r->chosen[which] = r->any_chosen = true;
	return status;
}

static const struct option_row options[] = {
	{"details", 0, NULL, "for things that are ok, also say what they are for and what works without them",
	 OPTION_FLAG, AT(bool, details)},
	{JSON_OPTION("print one JSON object")},
	{TAKE_OPERANDS(take_thing)},
};

static enum sahm_status run_program(char **args, int *exit_code, struct sahm_err *err)
{
	struct request r = {0};
	struct textbuf out;
	struct jwriter j;
	unsigned nr_missing = 0, nr_looked = 0;
	bool is_healthy = true, failed = false;
	enum sahm_status status = options_parse(options, args, &r, err);
	if (status != SAHM_OK)
		return status;
	const bool json = r.form == OUTPUT_JSON;
	textbuf_init(&out);
	jwrite_init(&j, &out);
	jwrite_begin_object(&j, NULL);
	jwrite_begin_array(&j, "checks", false);
	for (size_t i = 0; i < NR_ROWS && !failed; i++) {
		struct doctor_finding f = {.state = DOCTOR_OK};
		if (r.any_chosen && !r.chosen[i])
			continue;
		textbuf_init(&f.text);
		rows[i].check(&f);
		failed = f.lacks_memory || textbuf_failed(&f.text);
		is_healthy &= f.state == DOCTOR_OK || !rows[i].required;
		nr_missing += f.state != DOCTOR_OK;
		nr_looked++;
		if (json)
			write_row(&j, &rows[i], &f);
		else if (!failed)
			print_row(&rows[i], &f, r.details);
		textbuf_release(&f.text);
	}
	jwrite_end_array(&j);
	jwrite_bool(&j, "healthy", is_healthy);
	jwrite_end_object(&j);
	jwrite_finish(&j);
	status = failed || textbuf_failed(&out) ? sahm_fail_nomem(err) : SAHM_OK;
	if (status == SAHM_OK && json)
		status = print_output(OUTPUT_JSON, &out, err);
	else if (status == SAHM_OK)
		printf("\n%u of %u are there; %s\n", nr_looked - nr_missing, nr_looked,
		       is_healthy ? "sahm has what it needs" : "sahm lacks what it needs");
	textbuf_release(&out);
	*exit_code = status == SAHM_OK && !is_healthy;
	return status;
}

extern const struct command command_doctor;
const struct command command_doctor = {
	.name = "doctor",
	.operands = "[THING...]",
	.summary = "check what is installed, what is missing, and what works without it",
	.details = "Checks the program, its shipped files, the machine, and the programs that some commands "
		   "use: gnuplot draws a picture, QEMU counts a program. Each THING is ok, missing or broken. "
		   "If it is not ok, the report says what needs it, what works without it, and how to install "
		   "it on Debian. A Redis server is asked only if $SAHM_REDIS names one. Nothing is changed.\n"
		   "The exit code is 1 if sahm cannot work without something that is missing or broken.",
	.options = options,
	.run_program = run_program,
};

const char *doctor_row_name(unsigned i)
{
	return i < NR_ROWS ? rows[i].name : NULL;
}
