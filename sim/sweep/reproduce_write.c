/* The folder of a reproduction: tables, figures, studies, and its page. */
#include <string.h>

#include "results/chart/plot.h"
#include "results/page/page_folder.h"
#include "sim/base/array.h"
#include "sim/base/shell.h"
#include "sim/engine/model.h"
#include "sim/sweep/reproduce_internal.h"

#define CLAIMS "claims.csv"

/* Of a hash, as `sahm run` shows it. */
#define SHORT_HASH 16

/* What follows the name of `which` in that of its table's file: a figure's data have a separate file. */
static const char *table_ending(const struct reproduction *r, enum reproduced which)
{
	return r->figures[which].script.len ? "_runs.csv" : ".csv";
}

static struct page_source source_of(const struct trace_suite *suite, const char *speedups, const char *costs)
{
	const char *of = suite->is_shipped ? suite->name : suite->asked;
	return (struct page_source){"reproduce --suite", of, !suite->is_shipped, speedups ? speedups : costs};
}

/* Before the studies are carried out: all files that they may have. */
enum sahm_status reproduction_check_folder(const char *folder, const struct reproduce_request *request, bool force,
					   struct sahm_err *err)
{
	struct page_folder f;
	struct trace_suite suite = {0};
	struct arena a;
	arena_init(&a);
	enum sahm_status status = trace_suite_read(&a, request->suite, request->data_folder, &suite, err);
	page_folder_init(&f, folder, source_of(&suite, request->speedups, request->costs));
	for (unsigned i = 0; i < NR_REPRODUCED; i++) {
		if (!request->wanted[i])
			continue;
		page_folder_add_figure(&f, &(struct figure){.name = reproduced_rows[i].name});
		page_folder_add(&f, NULL, "%s_runs.csv", reproduced_rows[i].name);
	}
	for (unsigned s = 0; s < NR_PAPER_STUDIES; s++)
		page_folder_add(&f, NULL, REPRODUCTION_STUDY, paper_study_names[s]);
	page_folder_add(&f, NULL, CLAIMS);
	if (status == SAHM_OK)
		status = page_folder_check(&f, force, err);
	page_folder_release(&f);
	arena_release(&a);
	return status;
}

static void list_files(const struct reproduction *r, const char *claims, struct page_folder *f)
{
	for (unsigned i = 0; i < NR_REPRODUCED; i++) {
		if (r->figures[i].script.len)
			page_folder_add_figure(f, &r->figures[i]);
		if (r->tables[i].len)
			page_folder_add(f, r->tables[i].text, "%s%s", reproduced_rows[i].name,
					table_ending(r, (enum reproduced)i));
	}
	for (unsigned s = 0; s < NR_PAPER_STUDIES; s++)
		if (r->texts[s])
			page_folder_add(f, r->texts[s], REPRODUCTION_STUDY, paper_study_names[s]);
	page_folder_add(f, claims, CLAIMS);
}

static enum sahm_status draw(struct reproduction *r, const char *folder, struct textbuf *notes, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	if (!plot_is_installed()) {
		textbuf_puts(notes, "gnuplot is not installed: the page has no pictures; data and scripts are beside "
				    "it\n");
		return SAHM_OK;
	}
	for (unsigned i = 0; i < NR_REPRODUCED && status == SAHM_OK; i++) {
		if (!r->figures[i].script.len)
			continue;
		status = plot_draw(folder, r->figures[i].name, notes, err);
		r->drawn[i] = status == SAHM_OK;
	}
	return status;
}

/* ---- The page ---- */

struct writing {
	const struct reproduction *r;
	struct claims_shown claims;
	struct page page;
};

/* "sahm reproduce --suite open 4.7"; `which` NR_REPRODUCED: all that was wanted. */
static void write_command(const struct reproduction *r, enum reproduced which, struct textbuf *out)
{
	bool all = true;
	for (unsigned i = 0; i < NR_REPRODUCED; i++)
		all &= r->wanted[i] || (paper_study_is_measured(reproduced_rows[i].study) && !r->speedups);
	textbuf_puts(out, "sahm reproduce");
	if (strcmp(r->suite.asked, REPRODUCE_SUITE) != 0) {
		textbuf_puts(out, " --suite ");
		shell_write_word(out, r->suite.asked);
	}
	if (r->speedups) {
		textbuf_puts(out, " --speedups ");
		shell_write_file(out, r->speedups);
	}
	if (r->costs && (which == NR_REPRODUCED || which == REPRODUCED_BUDGET)) {
		textbuf_puts(out, " --costs ");
		shell_write_file(out, r->costs);
	}
	for (unsigned i = 0; i < NR_REPRODUCED; i++)
		if (which == NR_REPRODUCED ? r->wanted[i] && !all : i == which)
			textbuf_printf(out, " %s", reproduced_rows[i].id);
}

/* A number of a claim, as it was appended to `b`, which is released. */
/* "+-", which is for terminals, becomes one character. */
static void number_cell(struct page *p, struct textbuf *b)
{
	const char *both = strstr(b->text, "+-");
	size_t len = both ? (size_t)(both - b->text) : strlen(b->text);
	page_cell(p, true, PAGE_PHRASE, "%.*s%s%s", (int)len, b->text, both ? "±" : "", both ? both + 2 : "");
	p->failed |= textbuf_failed(b);
	textbuf_release(b);
}

/* What is asked first stands where a narrow screen shows it. */
static void claim_cells(struct writing *w, enum claim c, bool whole)
{
	struct page *p = &w->page;
	struct textbuf b;
	const char *verdict = claims_verdict(&w->claims, c);
	enum page_mark mark = strcmp(verdict, "holds") == 0    ? PAGE_GOOD
			      : strcmp(verdict, "misses") == 0 ? PAGE_BAD
							       : PAGE_MUTED;
	textbuf_init(&b);
	page_row(p);
	if (whole)
		page_cell(p, false, PAGE_PLAIN, "%s", claim_rows[c].id);
	page_cell(p, false, PAGE_PLAIN, "%s", claim_rows[c].text);
	if (w->claims.is_target)
		page_cell(p, false, mark, "%s", verdict);
	claims_write_paper(c, &b);
	number_cell(p, &b);
	claims_write_ours(c, &w->r->results[c], &b);
	number_cell(p, &b);
	if (w->claims.is_target) {
		claims_write_tolerance(c, &b);
		number_cell(p, &b);
		page_cell(p, false, PAGE_PLAIN, "%s", claims_basis_name(c));
	}
	page_cell(p, false, PAGE_MUTED, "%s", claim_rows[c].source);
}

static bool is_about(const struct writing *w, unsigned claim, const char *id)
{
	return w->r->chosen[claim] && (!id || strcmp(claim_rows[claim].id, id) == 0);
}

/* Predicted claims about `id`, or all (NULL), beside their known values; nothing where there are none. */
static void known_table(struct writing *w, const char *id)
{
	static const char *const headings[] = {"predicted", "verdict", "ours", "known", "95 %"};
	struct page *p = &w->page;
	bool begun = false;
	for (unsigned c = 0; c < NR_CLAIMS; c++) {
		struct textbuf b;
		if (!is_about(w, c, id) || !claims_has_known(&w->claims, (enum claim)c))
			continue;
		if (!begun) {
			page_begin_table(p, "Predicted values, compared with those that this version is known to find");
			page_row(p);
			for (size_t i = 0; i < ARRAY_SIZE(headings); i++)
				page_heading(p, i > 1, "%s", headings[i]);
		}
		begun = true;
		textbuf_init(&b);
		page_row(p);
		page_cell(p, false, PAGE_PLAIN, "%s", claim_rows[c].text);
		page_cell(p, false, claim_is_as_known((enum claim)c, w->r->results[c].ours) ? PAGE_GOOD : PAGE_BAD,
			  "%s", claims_known_verdict(&w->claims, (enum claim)c));
		claims_write_ours((enum claim)c, &w->r->results[c], &b);
		number_cell(p, &b);
		claims_write_known((enum claim)c, &b);
		number_cell(p, &b);
		claims_write_interval((enum claim)c, &w->r->results[c], &b);
		number_cell(p, &b);
	}
	if (begun)
		page_end_table(p);
}

/* Claims only about `id`, or all (NULL). */
static void claims_table(struct writing *w, const char *id)
{
	static const struct {
		const char *words;
		bool is_number, is_of_check;
	} headings[] = {{"claim", false, false}, {"verdict", false, true},  {"paper", true, false},
			{"ours", true, false},	 {"tolerance", true, true}, {"basis", false, true},
			{"source", false, false}};
	struct page *p = &w->page;
	page_begin_table(p, id ? "Claims" : "All claims, in the order of figures");
	page_row(p);
	if (!id)
		page_heading(p, false, "id");
	for (size_t i = 0; i < ARRAY_SIZE(headings); i++)
		if (w->claims.is_target || !headings[i].is_of_check)
			page_heading(p, headings[i].is_number, "%s", headings[i].words);
	for (unsigned c = 0; c < NR_CLAIMS; c++)
		if (is_about(w, c, id))
			claim_cells(w, (enum claim)c, !id);
	page_end_table(p);
	for (unsigned c = 0; c < NR_CLAIMS; c++) {
		struct textbuf why;
		textbuf_init(&why);
		if (is_about(w, c, id))
			claims_write_why(&w->claims, (enum claim)c, &why);
		if (why.len > 0)
			page_paragraph(p, "Misses: %s", why.text);
		p->failed |= textbuf_failed(&why);
		textbuf_release(&why);
	}
	known_table(w, id);
}

/* The heading of the page: the source of the numbers. */
static void write_source_notice(struct writing *w)
{
	const struct reproduction *r = w->r;
	struct page *p = &w->page;
	struct textbuf count;
	textbuf_init(&count);
	claims_write_count(&w->claims, &count);
	if (r->is_target)
		page_notice(
			p,
			"All traces are synthetic: they were generated to agree with what the paper published about its "
			"own traces (claims that are fitted or implied). Nothing was fitted to results of schedulers. Neither the traces nor "
			"these results are measurements of any program.");
	else if (r->nr_synthetic)
		page_notice(p,
			    "%zu of %zu traces %s synthetic: made by a generator. Results from them are "
			    "no measurement.",
			    r->nr_synthetic, r->nr_traces, r->nr_synthetic == 1 ? "is" : "are");
	if (r->nr_nominal)
		page_notice(
			p,
			"%zu of %zu traces %s an assumed time base: an epoch is not a stretch of measured time but, say, a "
			"count of instructions, replayed as if it lasted so long.",
			r->nr_nominal, r->nr_traces, r->nr_nominal == 1 ? "has" : "have");
	if (r->origins && *r->origins)
		page_notice(p, "Not all counts were measured: %s.", r->origins);
	if (!r->is_target)
		page_notice(p,
			    "The paper's values are about the paper's traces and stand beside ours as context; nothing "
			    "is checked.");
	if (r->is_target) {
		page_paragraph(p, "%s", count.text);
		page_paragraph(
			p,
			"Differences and tolerances of percentages are in percentage points, those in %% of "
			"what is expected say so. Required claims decide whether the command fails; reported "
			"ones depend on traces that are not public. Fitted claims are those that the traces were made to "
			"meet, implied ones follow from them, and predicted ones are neither: they also have a known value, "
			"and the command fails where this version finds another one.");
	}
	p->failed |= textbuf_failed(&count);
	textbuf_release(&count);
}

/* What the name of the suite leaves unsaid. */
static void write_traces(const struct reproduction *r, struct textbuf *out)
{
	if (r->nr_synthetic > 0 && !strstr(r->suite.name, "synthetic"))
		textbuf_puts(out, r->nr_synthetic == r->nr_traces ? ", synthetic" : ", some traces synthetic");
	if (r->nr_nominal > 0 && !strstr(r->suite.name, "nominal"))
		textbuf_puts(out, r->nr_nominal == r->nr_traces ? ", assumed time base"
								: ", some traces with an assumed time base");
}

/* About `id`, or any (NULL). */
static bool has_claims(const struct reproduction *r, const char *id)
{
	bool has = false;
	for (unsigned c = 0; c < NR_CLAIMS; c++)
		has |= r->chosen[c] && (!id || strcmp(claim_rows[c].id, id) == 0);
	return has;
}

static void show(struct writing *w, enum reproduced which)
{
	const struct reproduction *r = w->r;
	const struct reproduced_row *row = &reproduced_rows[which];
	struct page *p = &w->page;
	struct textbuf command, caption;
	char hash[HASH_HEX_BYTES];
	textbuf_init(&command);
	textbuf_init(&caption);
	write_command(r, which, &command);
	textbuf_printf(&caption, "%s; suite %s", row->heading, r->suite.name);
	write_traces(r, &caption);
	textbuf_puts(&caption, r->has_paper[which] ? "; magenta lines and frames are values of the paper." : ".");
	hash_hex(r->hashes[row->study], hash);
	hash[SHORT_HASH] = '\0';
	page_section(p, row->name, row->heading);
	page_paragraph(p, "%s", row->says);
	if (r->scarce && paper_study_is_measured(row->study)) {
		struct textbuf scarce;
		textbuf_init(&scarce);
		reproduction_write_scarce(r, &scarce);
		page_paragraph(p, "%s", scarce.text);
		p->failed |= textbuf_failed(&scarce);
		textbuf_release(&scarce);
	}
	if (has_claims(r, row->id))
		claims_table(w, row->id);
	if (r->tables[which].len && !r->figures[which].script.len) {
		page_csv(p, row->heading, false, r->tables[which].text);
		page_origin(p, command.text, "configuration", hash);
		page_link(p, "data (CSV)", "%s%s", row->name, table_ending(r, which));
	} else if (r->figures[which].script.len) {
		const struct page_figure f = {.figure = &r->figures[which],
					      .caption = caption.text,
					      .command = command.text,
					      .hash_of = "configuration",
					      .hash = hash,
					      .drawn = r->drawn[which]};
		page_figure(p, &f);
	}
	if (which == REPRODUCED_BUDGET)
		page_verbatim(p, r->budget.text);
	if (r->tables[which].len && r->figures[which].script.len) {
		page_csv(p, "All runs", true, r->tables[which].text);
		page_link(p, "all runs (CSV)", "%s%s", row->name, table_ending(r, which));
	}
	p->failed |= textbuf_failed(&command) || textbuf_failed(&caption);
	textbuf_release(&command);
	textbuf_release(&caption);
}

static void studies_table(struct writing *w)
{
	const struct reproduction *r = w->r;
	struct page *p = &w->page;
	page_begin_table(p, "Configurations");
	page_row(p);
	page_heading(p, false, "configuration");
	page_heading(p, true, "points");
	page_heading(p, false, "hash");
	page_heading(p, false, "figures");
	for (unsigned s = 0; s < NR_PAPER_STUDIES; s++) {
		struct textbuf ids;
		char hash[HASH_HEX_BYTES];
		if (!r->texts[s])
			continue;
		textbuf_init(&ids);
		for (unsigned i = 0; i < NR_REPRODUCED; i++)
			if (r->wanted[i] && reproduced_rows[i].study == s)
				textbuf_printf(&ids, "%s%s", ids.len ? ", " : "", reproduced_rows[i].id);
		hash_hex(r->hashes[s], hash);
		page_row(p);
		page_cell(p, false, PAGE_PLAIN, REPRODUCTION_STUDY, paper_study_names[s]);
		page_cell(p, true, PAGE_PLAIN, "%llu", (unsigned long long)r->nr_points[s]);
		page_cell(p, false, PAGE_PLAIN, "%s", hash);
		page_cell(p, false, PAGE_PLAIN, "%s", ids.len ? ids.text : "(claims)");
		p->failed |= textbuf_failed(&ids);
		textbuf_release(&ids);
	}
	page_end_table(p);
}

static void traces_table(struct writing *w)
{
	const struct reproduction *r = w->r;
	struct page *p = &w->page;
	page_begin_details(p, "Traces");
	page_begin_table(p, "Traces of the suite");
	page_row(p);
	page_heading(p, false, "trace");
	page_heading(p, false, "file");
	page_heading(p, false, "hash of its contents");
	for (size_t i = 0; i < r->nr_traces; i++) {
		char hash[HASH_HEX_BYTES];
		hash_hex(r->traces[i].hash, hash);
		page_row(p);
		page_cell(p, false, PAGE_PLAIN, "%s", r->traces[i].name);
		page_cell(p, false, PAGE_PLAIN, "%s", r->traces[i].path);
		page_cell(p, false, PAGE_PLAIN, "%s", hash);
	}
	page_end_table(p);
	page_end_details(p);
}

static void say_how_to_repeat(struct writing *w)
{
	const struct reproduction *r = w->r;
	struct page *p = &w->page;
	struct textbuf command, nominal;
	textbuf_init(&command);
	textbuf_init(&nominal);
	write_command(r, NR_REPRODUCED, &command);
	page_section(p, "repeat", "How to repeat this");
	page_verbatim(p, command.text);
	page_begin_facts(p);
	page_fact(p, "program", "sahm %s", model_version());
	if (r->nr_nominal)
		textbuf_printf(&nominal, ", %zu with an assumed time base", r->nr_nominal);
	page_fact(p, "suite", "%s: %zu trace%s, %zu synthetic%s", r->suite.name, r->nr_traces,
		  r->nr_traces == 1 ? "" : "s", r->nr_synthetic, nominal.text);
	p->failed |= textbuf_failed(&nominal);
	textbuf_release(&nominal);
	page_end_facts(p);
	page_paragraph(
		p,
		"The same program, configurations and traces give the same data, byte for byte. Each configuration "
		"is in this folder; the command sahm sweep runs it into a results database. A hash covers everything "
		"in the configuration that can change the result, including the contents of traces; for several "
		"points it is the hash of their hashes.");
	studies_table(w);
	for (unsigned s = 0; s < NR_PAPER_STUDIES; s++)
		if (r->texts[s])
			page_link(p, paper_study_names[s], REPRODUCTION_STUDY, paper_study_names[s]);
	traces_table(w);
	p->failed |= textbuf_failed(&command);
	textbuf_release(&command);
}

static enum sahm_status write_page(const struct reproduction *r, const struct page_folder *folder, struct sahm_err *err)
{
	struct writing w = {.r = r, .claims = reproduction_claims(r)};
	struct textbuf title;
	textbuf_init(&title);
	textbuf_printf(&title, "The figures of the SAHM paper on suite %s", r->suite.name);
	write_traces(r, &title);
	page_init(&w.page, title.text,
		  "Figures of \xe2\x80\x9cLeveraging Heterogeneous Multicore for Single-Thread Performance\xe2\x80\x9d "
		  "(S. M. Wadle, PhD dissertation, University of Wisconsin\xe2\x80\x93Madison, 2026, chapter 4), "
		  "beside what this program finds.");
	if (has_claims(r, NULL))
		page_section(&w.page, "claims", "Claims");
	write_source_notice(&w);
	if (has_claims(r, NULL)) {
		claims_table(&w, NULL);
		page_link(&w.page, "claims (CSV)", CLAIMS);
	}
	for (unsigned i = 0; i < NR_REPRODUCED; i++)
		if (r->wanted[i])
			show(&w, (enum reproduced)i);
	say_how_to_repeat(&w);
	enum sahm_status status =
		textbuf_failed(&title) ? sahm_fail_nomem(err) : page_folder_save(folder, &w.page, err);
	page_release(&w.page);
	textbuf_release(&title);
	return status;
}

enum sahm_status reproduction_write(struct reproduction *r, const char *folder, bool force, bool draws,
				    struct textbuf *notes, struct sahm_err *err)
{
	const struct claims_shown shown = reproduction_claims(r);
	struct sahm_err why;
	struct page_folder f;
	struct textbuf claims;
	enum sahm_status drawn = SAHM_OK;
	textbuf_init(&claims);
	page_folder_init(&f, folder, source_of(&r->suite, r->speedups, r->costs));
	enum sahm_status status = claims_table_csv(&shown, &claims) ? SAHM_OK : sahm_fail_nomem(err);
	list_files(r, claims.text, &f);
	if (status == SAHM_OK)
		status = page_folder_begin(&f, force, err);
	if (status == SAHM_OK && draws)
		drawn = draw(r, folder, notes, &why);
	if (sahm_is_environment(drawn))
		status = sahm_fail(err, drawn, "%s", why.msg);
	if (status == SAHM_OK)
		status = write_page(r, &f, err);
	page_folder_release(&f);
	textbuf_release(&claims);
	return status == SAHM_OK && drawn != SAHM_OK
		       ? sahm_fail(err, drawn, "the page does not have all pictures: %s", why.msg)
		       : status;
}
