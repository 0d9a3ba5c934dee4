/* Tables on pages that come from elsewhere: data of figures, answers. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "results/metrics/csv.h"
#include "results/page/page.h"
#include "results/store/query_internal.h"
#include "tests/unit/test.h"

/* Appends to `out` the texts of the cells of the first table at `html`: "a|b\n", numbers after a '#'. */
static void cells_of(const char *html, struct textbuf *out)
{
	const char *at = strstr(html, "<thead>"), *end = strstr(html, "</table>");
	assert_non_null(at);
	assert_non_null(end);
	for (bool first = true; at < end;) {
		if (strncmp(at, "</tr>", 5) == 0) {
			textbuf_putc(out, '\n');
			first = true;
		}
		bool is_cell = strncmp(at, "<td", 3) == 0 || (strncmp(at, "<th", 3) == 0 && at[3] != 'e');
		const char *behind = strchr(at, '>') + 1;
		if (is_cell) {
			textbuf_puts(out, first ? "" : "|");
			first = false;
			const char *class = strstr(at, "class=\"number");
			textbuf_puts(out, class && class < behind ? "#" : "");
			textbuf_add(out, behind, strcspn(behind, "<"));
		}
		at = behind + strcspn(behind, "<");
	}
}

static void check_csv(const char *name, const char *csv, const char *expected)
{
	struct page p;
	struct textbuf cells;
	page_init(&p, "", NULL);
	textbuf_init(&cells);
	page_csv(&p, "data", true, csv);
	cells_of(p.body.text, &cells);
	if (strcmp(cells.text, expected) != 0)
		fail_msg("%s: %s", name, cells.text);
	assert_null(strstr(p.body.text, "rows of"));
	textbuf_release(&cells);
	page_release(&p);
}

static void test_csv(void **state)
{
	(void)state;
	check_csv("words and numbers", "a,b\nx,1\ny,-2\n", "a|#b\nx|#1\ny|#-2\n");
	check_csv("one word makes words", "a,b\n1,1\n2,x\n", "#a|b\n#1|1\n#2|x\n");
	check_csv("nothing is no word", "a,b\n1,\n2,7\n", "#a|#b\n#1|#\n#2|#7\n");
	check_csv("nothing alone is no number", "a,b\n1,\n2,\"\"\n", "#a|b\n#1|\n#2|\n");
	check_csv("headings that are numbers", "1,2\nx,3\n", "1|#2\nx|#3\n");
	check_csv("headings alone", "a,b\n", "a|b\n");
	check_csv("quoted", "\"a,b\",\"c\"\"d\"\n\"x\ny\",\"\"\"\"\n\"<\",\",\"\n",
		  "a,b|c&quot;d\nx\ny|&quot;\n&lt;|,\n");
	check_csv("a quoted number is one", "a\n\"1.5\"\n", "#a\n#1.5\n");
	check_csv("without a line end", "a,b\n1,x", "#a|b\n#1|x\n");
	check_csv("empty at the end", "a,b\n1,", "#a|b\n#1|\n");
	check_csv("quote left open", "a\n\"x\n", "a\nx\n\n");
	check_csv("nan and inf are words", "a,b\nnan,inf\n", "a|b\nnan|inf\n");
}

static void test_digits(void **state)
{
	(void)state;
	check_csv("fractions", "a\n0.1\n1.23456\n1.234568\n-12.345678901\n123456.78\n0.00012345678\n",
		  "#a\n#0.1\n#1.23456\n#1.23457\n#-12.3457\n#123457\n#0.000123457\n");
	check_csv("exponents", "a\n1.5e-9\n1e22\n1e400\n", "#a\n#1.5e-09\n#1e+22\n#1e400\n");
	check_csv("whole ones stay", "a\n12345678\n9007199254740993\n123456789012345678901234567890\n",
		  "#a\n#12345678\n#9007199254740993\n#123456789012345678901234567890\n");
	check_csv("no exponent where none is due", "a\n999999.5\n1000000.5\n-12345678.9\n9007199254740991.0\n",
		  "#a\n#1000000\n#1000000\n#-12345679\n#9007199254740991\n");
	check_csv("no negative zero", "a\n-0.0\n", "#a\n#0\n");
	check_csv("words that look like some", "a\n1.23456789x\n", "a\n1.23456789x\n");
}

/* The data of a figure as csv.h writes them come back as they were. */
static void test_round_trip(void **state)
{
	static const char *const texts[] = {"", "a", "a,b", "\"", "a\"b\"", "\n", "a\nb,\"c\"\n", ",", " a ", "1"};
	enum { NR = ARRAY_SIZE(texts) };
	(void)state;
	for (unsigned i = 0; i < NR; i++)
		for (unsigned k = 0; k < NR; k++) {
			struct textbuf csv, expected, cells;
			struct page p;
			textbuf_init(&csv);
			textbuf_init(&expected);
			textbuf_init(&cells);
			page_init(&p, "", NULL);
			csv_string(&csv, "x");
			csv_string(&csv, texts[i]);
			csv_string(&csv, texts[k]);
			csv_string(&csv, "y");
			csv_end_row(&csv);
			textbuf_puts(&expected, "x|");
			for (unsigned c = 0; c < 2; c++) {
				for (const char *s = texts[c ? k : i]; *s; s++)
					if (*s == '"')
						textbuf_puts(&expected, "&quot;");
					else
						textbuf_putc(&expected, *s);
				textbuf_putc(&expected, '|');
			}
			textbuf_puts(&expected, "y\n");
			page_csv(&p, "data", true, csv.text);
			cells_of(p.body.text, &cells);
			assert_string_equal(cells.text, expected.text);
			textbuf_release(&csv);
			textbuf_release(&expected);
			textbuf_release(&cells);
			page_release(&p);
		}
}

static unsigned count(const char *text, const char *what)
{
	unsigned nr = 0;
	for (const char *s = text; (s = strstr(s, what)); s += strlen(what))
		nr++;
	return nr;
}

static void test_many_rows(void **state)
{
	(void)state;
	for (unsigned nr = MAX_PAGE_ROWS - 1; nr <= MAX_PAGE_ROWS + 2; nr++) {
		struct page p;
		struct textbuf csv;
		char words[80];
		page_init(&p, "", NULL);
		textbuf_init(&csv);
		textbuf_puts(&csv, "name,value\n");
		for (unsigned i = 0; i < nr; i++)
			/* Hidden values do not decide which columns are numbers. */
			textbuf_printf(&csv, "\"a\nb %u\",%s\n", i, i < MAX_PAGE_ROWS ? "1" : "x");
		page_csv(&p, "data", true, csv.text);
		unsigned shown = nr < MAX_PAGE_ROWS ? nr : MAX_PAGE_ROWS;
		assert_int_equal(count(p.body.text, "<th scope=\"row\">"), shown);
		assert_int_equal(count(p.body.text, "<td class=\"number\">1</td>"), shown);
		snprintf(words, sizeof(words), "<p>The first %u rows of %u are shown; the file has the other %u.</p>",
			 MAX_PAGE_ROWS, nr, nr - shown);
		assert_int_equal(count(p.body.text, words), nr > shown);
		assert_int_equal(count(p.body.text, "rows of"), nr > shown);
		textbuf_release(&csv);
		page_release(&p);
	}
}

/* Columns beyond the recognised ones are shown as they are. */
static void test_many_columns(void **state)
{
	struct page p;
	struct textbuf csv;
	(void)state;
	page_init(&p, "", NULL);
	textbuf_init(&csv);
	for (unsigned row = 0; row < 2; row++) {
		for (unsigned c = 0; c < 300; c++)
			csv_u64(&csv, 7);
		csv_end_row(&csv);
	}
	page_csv(&p, "data", true, csv.text);
	assert_int_equal(count(p.body.text, ">7<"), 600);
	assert_int_equal(count(p.body.text, "class=\"number\""), 512);
	textbuf_release(&csv);
	page_release(&p);
}

static void test_no_data(void **state)
{
	struct page p;
	(void)state;
	page_init(&p, "", NULL);
	page_csv(&p, "a & b", true, "");
	assert_string_equal(p.body.text,
			    "<details class=\"data\">\n<summary>a &amp; b</summary>\n<p>No data.</p>\n</details>\n");
	page_release(&p);
}

/* A table that is what its section is about is seen at once. */
static void test_open(void **state)
{
	struct page p;
	(void)state;
	page_init(&p, "", NULL);
	page_csv(&p, "percentiles", false, "a\n1\n");
	assert_int_equal(count(p.body.text, "<details"), 0);
	assert_int_equal(count(p.body.text, "<caption><span>percentiles</span>"), 1);
	page_release(&p);
}

static void test_answer(void **state)
{
	struct page p;
	struct query_answer a;
	(void)state;
	page_init(&p, "", NULL);
	query_answer_init(&a);
	textbuf_puts(&a.heading, "first <line>\n\nsecond line\n");
	answer_fact(&a, "key", NULL, count_cell(1));
	answer_fact(&a, NULL, "best & most", metric_cell(RUN_SPEEDUP, 0.1825));
	answer_fact(&a, NULL, "text", text_cell("<b>\x1b[1m"));
	struct query_table *t = answer_table(&a, "all", "All", IN_ALL);
	answer_column(t, "a", "name", true, IN_ALL);
	answer_column(t, "b", "unseen", false, IN_CSV | IN_JSON);
	answer_column(t, "c", "gain", false, IN_TEXT);
	answer_column(t, "d", NULL, true, IN_ALL);
	answer_fit(t, FIT_LEAVE_OUT);
	answer_cell(&a, t, text_cell("x>"));
	answer_cell(&a, t, text_cell("unseen"));
	answer_cell(&a, t, difference_cell(RUN_SPEEDUP, -0.01));
	answer_cell(&a, t, flag_cell(true));
	answer_cell(&a, t, text_cell(NULL));
	answer_cell(&a, t, text_cell("unseen"));
	answer_cell(&a, t, plain_cell(1.0 / 3));
	answer_cell(&a, t, flag_cell(false));
	t = answer_table(&a, "unseen", "unseen", IN_CSV | IN_JSON);
	answer_column(t, "a", "unseen", true, IN_ALL);
	answer_cell(&a, t, text_cell("unseen"));
	/* Without rows it is left out, as on a terminal. */
	t = answer_table(&a, "empty", "unseen", IN_ALL);
	answer_column(t, "a", "unseen", true, IN_ALL);
	answer_note(&a, "a note & more");
	answer_note(&a, "another");
	page_answer(&p, &a);
	assert_false(p.failed);
	assert_string_equal(
		p.body.text,
		"<p>first &lt;line&gt;</p>\n<p>second line</p>\n"
		"<dl>\n<div><dt>best &amp; most</dt><dd>+18.25 "
		"%</dd></div>\n<div><dt>text</dt><dd>&lt;b&gt;[1m</dd></div>\n</dl>\n"
		"<div class=\"scroll\" role=\"region\" tabindex=\"0\" "
		"aria-label=\"All\"><table>\n<caption><span>All</span></caption>\n"
		"<thead><tr><th scope=\"col\">name</th><th scope=\"col\" class=\"number\">gain</th><th "
		"scope=\"col\">-</th></tr></thead>\n"
		"<tbody>\n<tr><th scope=\"row\">x&gt;</th><td class=\"number\">-1.00</td><td>yes</td></tr>\n"
		"<tr><th scope=\"row\" class=\"muted\">-</th><td class=\"number\">0.333333</td><td>no</td></tr>\n"
		"</tbody>\n</table></div>\n<p>a note &amp; more</p>\n<p>another</p>\n");
	query_answer_release(&a);
	page_release(&p);
}

static void test_empty_answer(void **state)
{
	struct page p;
	struct query_answer a;
	(void)state;
	page_init(&p, "", NULL);
	query_answer_init(&a);
	answer_fact(&a, "key", NULL, count_cell(1));
	page_answer(&p, &a);
	assert_string_equal(p.body.text, "");
	query_answer_release(&a);
	page_release(&p);
}

TEST_FILE(test_page_tables)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_csv),	     cmocka_unit_test(test_digits),
		cmocka_unit_test(test_round_trip),   cmocka_unit_test(test_many_rows),
		cmocka_unit_test(test_many_columns), cmocka_unit_test(test_no_data),
		cmocka_unit_test(test_open),	     cmocka_unit_test(test_answer),
		cmocka_unit_test(test_empty_answer),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
