/* A page with something of everything and hostile text wherever there is text: whole, well-formed, the same each time.
 * SAHM_PAGE_SAMPLE=FOLDER writes the page, its pictures and their data there instead, for tests/tools/page.sh. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/metrics/csv.h"
#include "results/page/page.h"
#include "results/store/query_internal.h"
#include "tests/unit/test.h"

/* What a page must show as it stands. */
static const char hostile[] =
	"</td></style></script><script>alert('1')</script><img src=x onerror=\"alert(2)\"> &lt; "
	"&#60; ]]> --> {{x}} \x01\x1b[31m\x7f\xc2\x85 \xff\xfe\xed\xa0\x80\xef\xbf\xbf \xe2\x80\xae"
	"g\xc3\xb6\xc3\x9f\x65 \xe6\xbc\xa2\xe5\xad\x97 \xf0\x9f\x98\x80 javascript:alert(3)";

static const char unbroken[] =
	"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

/* One pixel. */
static const unsigned char smallest_png[] = {137, 80, 78,  71, 13, 10, 26, 10,	0,   0,	 0,   13, 73,  72,  68,	 82, 0,
					     0,	  0,  1,   0,  0,  0,  1,  8,	0,   0,	 0,   0,  58,  126, 155, 85, 0,
					     0,	  0,  10,  73, 68, 65, 84, 120, 156, 99, 248, 15, 0,   1,   1,	 1,  0,
					     177, 56, 246, 20, 0,  0,  0,  0,	73,  69, 78,  68, 174, 66,  96,	 130};

/* Bars upon white, as gnuplot would draw them. */
static void draw(const struct figure *f, unsigned nr_bars, struct textbuf *svg)
{
	static const char *const colours[] = {"#4477aa", "#ee6677", "#228833", "#ccbb44"};
	textbuf_printf(svg,
		       "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" viewBox=\"0 0 %u %u\">\n",
		       f->width_px, f->height_px, f->width_px, f->height_px);
	textbuf_puts(svg, "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
			  "<g font-family=\"sans-serif\" font-size=\"13\" fill=\"black\">\n");
	unsigned base = f->height_px - 40, step = (f->width_px - 80) / nr_bars;
	for (unsigned i = 0; i <= 4; i++) {
		unsigned y = base - i * (base - 40) / 4;
		textbuf_printf(svg,
			       "<path d=\"M60 %uH%u\" stroke=\"#ccc\"/><text x=\"50\" y=\"%u\" "
			       "text-anchor=\"end\">%u</text>\n",
			       y, f->width_px - 20, y + 4, i * 25);
	}
	for (unsigned i = 0; i < nr_bars; i++) {
		unsigned height = (i * 37 + 20) % 97 * (base - 40) / 100;
		textbuf_printf(svg,
			       "<rect x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\" fill=\"%s\"/><text x=\"%u\" "
			       "y=\"%u\">b%u</text>\n",
			       64 + i * step, base - height, step - 8, height, colours[i % 4], 64 + i * step, base + 18,
			       i);
	}
	textbuf_puts(svg, "</g>\n</svg>\n");
}

struct sample {
	struct page page;
	struct figure bars, wide, absent;
};

static void fill_figure(struct figure *f, const char *name, unsigned width, unsigned height, unsigned nr_rows)
{
	figure_init(f, name);
	f->width_px = width;
	f->height_px = height;
	textbuf_printf(&f->alt, "Bars of %u benchmarks, the highest at 96 %%. %s", nr_rows, hostile);
	csv_string(&f->data, "benchmark");
	csv_string(&f->data, "synthetic_speedup_pct");
	csv_string(&f->data, "nr_epochs");
	csv_string(&f->data, hostile);
	csv_end_row(&f->data);
	for (unsigned i = 0; i < nr_rows; i++) {
		char name_of_row[32];
		snprintf(name_of_row, sizeof(name_of_row), "benchmark \"%u\",\nx", i);
		csv_string(&f->data, name_of_row);
		csv_double(&f->data, i % 7 ? sqrt(i) * 10 : NAN);
		csv_u64(&f->data, i * 1234567u);
		csv_string(&f->data, i % 50 ? "" : hostile);
		csv_end_row(&f->data);
	}
	textbuf_printf(&f->script, "# %s\n", name);
}

static void fill_claims(struct page *p)
{
	page_section(p, "claims", "Claims");
	page_paragraph(p,
		       "Each row is a number that the paper states, held against the same number from %s traces. What "
		       "is beyond its tolerance is said to miss.",
		       "synthetic");
	page_notice(p, "All traces are synthetic: they have the statistics of the paper, not its programs.");
	page_begin_table(p, "Claims of the paper and what became of them");
	page_row(p);
	page_heading(p, false, "id");
	page_heading(p, false, "claim");
	page_heading(p, true, "paper");
	page_heading(p, true, "ours");
	page_heading(p, false, "verdict");
	page_heading(p, true, "tolerance");
	for (int i = 0; i < 8; i++) {
		page_row(p);
		page_cell(p, false, PAGE_PLAIN, "C%d", i + 1);
		page_cell(p, false, PAGE_PLAIN,
			  "mean speedup of %d benchmarks on a chip of their own over the big core", i + 8);
		page_cell(p, true, PAGE_PHRASE, "%d %%", 8 + i);
		page_cell(p, true, PAGE_PHRASE, "%.2f %%", 8.13 + i * 1.07);
		page_cell(p, false, i == 5 ? PAGE_BAD : PAGE_GOOD, i == 5 ? "misses" : "holds");
		page_cell(p, true, i % 3 ? PAGE_PLAIN : PAGE_MUTED, i % 3 ? "+-2" : "none");
	}
	page_end_table(p);
}

static void fill_figures(struct sample *s)
{
	static const char command[] =
		"sahm reproduce --only bars --suite workloads/suites/synthetic --seed 1 -o results";
	static const char hash[] = "5d41402abc4b2a76b9719d911017c592d2f0c2a1b7d8e0f3a4c5b6d7e8f90a1b";
	struct page *p = &s->page;
	page_section(p, "figures", "Figures");
	page_subheading(p, "Speedup by benchmark");
	fill_figure(&s->bars, "bars", 900, 420, 24);
	page_figure(p, &(struct page_figure){&s->bars, "Speedup over the big core (%), 24 benchmarks, synthetic",
					     command, "sweep", hash, true});
	page_subheading(p, "Many rows");
	fill_figure(&s->wide, "wide", 2400, 500, 620);
	page_figure(p, &(struct page_figure){&s->wide, hostile, hostile, hostile, NULL, true});
	page_subheading(p, "Without gnuplot");
	fill_figure(&s->absent, "absent", 900, 420, 3);
	page_figure(p, &(struct page_figure){&s->absent, "Speedup by state", command, "sweep", hash, false});
}

static void fill_answer(struct page *p)
{
	struct query_answer a;
	query_answer_init(&a);
	textbuf_printf(&a.heading, "sweep 'space-255', best points by speedup_mean, 255 of 255 points, synthetic\n");
	answer_fact(&a, "best", "best speedup", metric_cell(RUN_SPEEDUP, 0.1825));
	answer_fact(&a, "sweep", "sweep", text_cell(hostile));
	answer_fact(&a, "unseen", NULL, count_cell(1));
	struct query_table *t = answer_table(&a, "best", "Best points", IN_ALL);
	answer_column(t, "rank", "rank", false, IN_ALL);
	answer_column(t, "chip", "chip", true, IN_ALL);
	answer_column(t, "unseen", "unseen", true, IN_JSON);
	answer_column(t, "speedup", "speedup (mean)", false, IN_ALL);
	answer_column(t, "there", "complete", true, IN_ALL);
	for (uint64_t i = 0; i < 6; i++) {
		answer_cell(&a, t, count_cell(i + 1));
		answer_cell(&a, t,
			    text_cell(i == 4   ? hostile
				      : i == 3 ? unbroken
					       : "2 x big + 3 x little + branch + fp + simd + memory + l2"));
		answer_cell(&a, t, text_cell("unseen"));
		answer_cell(&a, t, i == 5 ? plain_cell(NAN) : metric_cell(RUN_SPEEDUP, 0.1825 - (double)i / 128));
		answer_cell(&a, t, flag_cell(i % 2));
	}
	answer_note(&a, "3 points have no value of speedup_mean: their runs failed");
	answer_note(&a, "%s", hostile);
	page_section(p, "answer", "Best points");
	page_answer(p, &a);
	query_answer_release(&a);
}

static void fill_rest(struct page *p)
{
	page_section(p, "a.b_c-2", hostile);
	page_paragraph(p, "%s", hostile);
	page_notice(p, "%s", hostile);
	page_begin_facts(p);
	page_fact(p, "program", "sahm %s", "0.1.0");
	page_fact(p, hostile, "%s", hostile);
	page_fact(p, "aWordWithoutAnyPlaceToBreakItThatIsLongerThanAnyScreenOfAPhoneIsWide_and_then_some", "%s",
		  unbroken);
	page_end_facts(p);
	page_verbatim(
		p, "\n# a configuration\nscheduler = {\n\tpolicy = \"sahm\";\n\tinertia = 3; # with a remark that is "
		   "longer than the screen is wide, which goes on and on, and then some more of it\n};\n");
	page_verbatim(p, hostile);
	page_begin_details(p, "A table that is wider than the screen");
	page_begin_table(p, NULL);
	for (int i = 0; i < 12; i++) {
		page_row(p);
		for (int c = 0; c < 40; c++) {
			if (i == 0)
				page_heading(p, c > 0, "column %d", c);
			else
				page_cell(p, c > 0, PAGE_PLAIN, c ? "%.2f" : "row %.0f", 1000.0 * i + c);
		}
	}
	page_end_table(p);
	page_begin_details(p, "And more");
	page_paragraph(p, "Details in details.");
	page_end_details(p);
	page_end_details(p);
}

static void make_sample(struct sample *s, struct textbuf *html)
{
	page_init(&s->page, "Sample of a page & what may be on it <b>",
		  "With hostile text, wide tables, pictures that are there and one that is not.");
	fill_claims(&s->page);
	fill_figures(s);
	fill_answer(&s->page);
	fill_rest(&s->page);
	textbuf_init(html);
	assert_true(page_write(&s->page, html));
}

static void end_sample(struct sample *s)
{
	page_release(&s->page);
	figure_release(&s->bars);
	figure_release(&s->wide);
	figure_release(&s->absent);
}

/* Names of open elements. */
struct open {
	char names[32][16];
	unsigned nr;
};

static const char *const voids[] = {"meta", "link", "img", "wbr", NULL};
static const char *const unwanted[] = {"script", "iframe", "object", "embed", "form", "base", NULL};

static bool is_one_of(const char *name, const char *const *names)
{
	while (*names && strcmp(*names, name) != 0)
		names++;
	return *names;
}

/* Follows one tag, which begins after its '<'; returns the text after its '>'. */
static const char *follow_tag(struct open *open, const char *s)
{
	char name[16];
	bool ends = *s == '/';
	size_t len = strspn(s + ends, "abcdefghijklmnopqrstuvwxyz123");
	assert_in_range(len, 1, sizeof(name) - 1);
	snprintf(name, sizeof(name), "%.*s", (int)len, s + ends);
	assert_false(is_one_of(name, unwanted));
	for (s += ends + len; *s != '>';) {
		assert_int_equal(*s++, ' ');
		size_t key = strspn(s, "abcdefghijklmnopqrstuvwxyz-");
		assert_in_range(key, 2, 20);
		assert_int_not_equal(strncmp(s, "on", 2), 0);
		s += key;
		assert_int_equal(strncmp(s, "=\"", 2), 0);
		s += 2 + strcspn(s + 2, "\"") + 1;
	}
	if (ends) {
		assert_int_not_equal(open->nr, 0);
		assert_string_equal(open->names[--open->nr], name);
	} else if (!is_one_of(name, voids)) {
		assert_in_range(open->nr, 0, 31);
		snprintf(open->names[open->nr++], sizeof(name), "%s", name);
	}
	return s + 1;
}

static void test_well_formed(void **state)
{
	static const char doctype[] = "<!DOCTYPE html>\n";
	struct sample s;
	struct textbuf html;
	struct open open = {.nr = 0};
	(void)state;
	make_sample(&s, &html);
	const char *at = html.text + strlen(doctype);
	assert_int_equal(strncmp(html.text, doctype, strlen(doctype)), 0);
	while (*at) {
		/* Nothing of what was hostile is left: control characters, ends of attributes, bytes that are not
		 * UTF-8. */
		assert_true((unsigned char)*at >= 0x20 || *at == '\n' || *at == '\t');
		at = *at == '<' ? follow_tag(&open, at + 1) : at + 1;
	}
	assert_int_equal(open.nr, 0);
	assert_null(strstr(html.text, "\xff"));
	assert_null(strstr(html.text, "\xed\xa0"));
	assert_null(strstr(html.text, "\x7f"));
	assert_null(strstr(html.text, "\xc2\x85"));
	assert_non_null(strstr(html.text, "\xe6\xbc\xa2\xe5\xad\x97 \xf0\x9f\x98\x80"));
	assert_null(strstr(html.text, "unseen"));
	textbuf_release(&html);
	end_sample(&s);
}

static void test_same_each_time(void **state)
{
	struct sample a, b;
	struct textbuf x, y, again;
	(void)state;
	make_sample(&a, &x);
	make_sample(&b, &y);
	textbuf_init(&again);
	assert_true(page_write(&a.page, &again));
	assert_string_equal(x.text, y.text);
	assert_string_equal(x.text, again.text);
	textbuf_release(&again);
	textbuf_release(&x);
	textbuf_release(&y);
	end_sample(&a);
	end_sample(&b);
}

static void put(const char *folder, const char *name, const char *ending, const void *bytes, size_t len)
{
	char path[4096];
	snprintf(path, sizeof(path), "%s/%s.%s", folder, name, ending);
	FILE *f = fopen(path, "wb");
	if (!f || fwrite(bytes, 1, len, f) != len || fclose(f) != 0) {
		fprintf(stderr, "cannot write '%s': %s\n", path, strerror(errno));
		exit(1);
	}
}

static void put_figure(const char *folder, const struct figure *f, unsigned nr_bars)
{
	struct textbuf svg;
	put(folder, f->name, "csv", f->data.text, f->data.len);
	put(folder, f->name, "gp", f->script.text, f->script.len);
	if (!nr_bars)
		return;
	textbuf_init(&svg);
	draw(f, nr_bars, &svg);
	put(folder, f->name, "svg", svg.text, svg.len);
	put(folder, f->name, "png", smallest_png, sizeof(smallest_png));
	textbuf_release(&svg);
}

static int write_sample(const char *folder)
{
	struct sample s;
	struct textbuf html;
	make_sample(&s, &html);
	put(folder, "index", "html", html.text, html.len);
	put_figure(folder, &s.bars, 24);
	put_figure(folder, &s.wide, 62);
	put_figure(folder, &s.absent, 0);
	textbuf_release(&html);
	end_sample(&s);
	return 0;
}

TEST_FILE(test_page_sample)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_well_formed),
		cmocka_unit_test(test_same_each_time),
	};
	const char *folder = getenv("SAHM_PAGE_SAMPLE");
	return folder ? write_sample(folder) : cmocka_run_group_tests(tests, NULL, NULL);
}
