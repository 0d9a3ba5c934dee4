/* What each part of a page becomes. */
#include <stdio.h>
#include <string.h>

#include "results/page/page_internal.h"
#include "tests/unit/test.h"

#define ODD "\xef\xbf\xbd" /* U+FFFD */

static struct page begin(void)
{
	struct page p;
	page_init(&p, "title", NULL);
	return p;
}

/* The body is `expected`; the page is released. */
static void end(struct page *p, const char *expected)
{
	assert_false(p->failed || textbuf_failed(&p->body));
	assert_string_equal(p->body.text, expected);
	page_release(p);
}

static void test_escape(void **state)
{
	static const struct {
		const char *name, *text, *expected;
	} rows[] = {
		{"nothing", "", ""},
		{"plain", "plain, +-2 % {of} [it] \\n `x`", "plain, +-2 % {of} [it] \\n `x`"},
		{"what HTML acts on", "<a href=\"x\" id='y'>&amp;</a>",
		 "&lt;a href=&quot;x&quot; id=&#39;y&#39;&gt;&amp;amp;&lt;/a&gt;"},
		{"tabs and line ends stay", "a\tb\nc", "a\tb\nc"},
		{"other control characters go", "\x01\x08\x0b\x0c\x0d\x1b[31m\x1f|\x7f|", "[31m||"},
		{"0x20 is none", "\x1f\x20\x7e", " ~"},
		{"C1 go, U+00A0 stays", "\xc2\x80\xc2\x9f\xc2\xa0", "\xc2\xa0"},
		{"two to four bytes", "\xc3\xb6\xe6\xbc\xa2\xf0\x9f\x98\x80", "\xc3\xb6\xe6\xbc\xa2\xf0\x9f\x98\x80"},
		{"no UTF-8", "a\xff\x80z", "a" ODD ODD "z"},
		{"surrogate", "\xed\xa0\x80", ODD ODD ODD},
		{"overlong <",
		 "\xc0\xbc"
		 "b",
		 ODD ODD "b"},
		{"cut at the end", "\xf0\x9f\x98", ODD ODD ODD},
		{"a quote behind half a character", "\xe6\"", ODD "&quot;"},
		{"noncharacter", "\xef\xbf\xbf!", ODD "!"},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct textbuf out;
		textbuf_init(&out);
		page_escape(&out, rows[i].text);
		if (strcmp(out.text, rows[i].expected) != 0)
			fail_msg("%s: %s", rows[i].name, out.text);
		textbuf_release(&out);
	}
}

/* Longer than what is on the stack, and just as long. */
static void test_length(void **state)
{
	(void)state;
	for (size_t len = 509; len < 516; len++) {
		struct page p = begin();
		char text[520], expected[540];
		memset(text, 'x', len);
		text[len] = '\0';
		snprintf(expected, sizeof(expected), "<p>%s&lt;</p>\n", text);
		page_paragraph(&p, "%s%c", text, '<');
		end(&p, expected);
	}
}

static void test_paragraphs(void **state)
{
	struct page p = begin();
	(void)state;
	page_paragraph(&p, "%d < %s", 1, "<2>");
	page_notice(&p, "%s", "a & b");
	page_verbatim(&p, "\n<x>\n");
	page_begin_details(&p, "\"more\"");
	page_paragraph(&p, "in it");
	page_end_details(&p);
	page_begin_facts(&p);
	page_fact(&p, "a<", "%d>", 3);
	page_end_facts(&p);
	end(&p,
	    "<p>1 &lt; &lt;2&gt;</p>\n"
	    "<p class=\"notice\" role=\"note\">a &amp; b</p>\n"
	    "<div class=\"scroll verbatim\" role=\"region\" tabindex=\"0\" aria-label=\"text as it stands\"><pre><code>"
	    "\n&lt;x&gt;\n</code></pre></div>\n"
	    "<details>\n<summary>&quot;more&quot;</summary>\n<p>in it</p>\n</details>\n"
	    "<dl>\n<div><dt>a&lt;</dt><dd>3&gt;</dd></div>\n</dl>\n");
}

static void test_tables(void **state)
{
	struct page p = begin();
	(void)state;
	page_begin_table(&p, "a \"table\"");
	page_row(&p);
	page_heading(&p, false, "na<me");
	page_heading(&p, true, "%s", "value");
	page_row(&p);
	page_cell(&p, false, PAGE_PLAIN, "%s", "x&y");
	page_cell(&p, true, PAGE_GOOD, "%d", 1);
	page_row(&p);
	page_cell(&p, true, PAGE_MUTED, "7");
	page_cell(&p, false, PAGE_BAD, "misses");
	page_end_table(&p);
	/* The next one is new; one with only headings has no body. */
	page_begin_table(&p, NULL);
	page_row(&p);
	page_heading(&p, false, "alone");
	page_end_table(&p);
	end(&p, "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"a &quot;table&quot;\"><table>\n"
		"<caption><span>a &quot;table&quot;</span></caption>\n"
		"<thead><tr><th scope=\"col\">na&lt;me</th><th scope=\"col\" class=\"number\">value</th></tr></thead>\n"
		"<tbody>\n<tr><th scope=\"row\">x&amp;y</th><td class=\"number good\">1</td></tr>\n"
		"<tr><th scope=\"row\" class=\"number muted\">7</th><td class=\"bad\">misses</td></tr>\n"
		"</tbody>\n</table></div>\n"
		"<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"table 2\"><table>\n"
		"<thead><tr><th scope=\"col\">alone</th></tr></thead>\n</table></div>\n");
}

static void test_sections(void **state)
{
	static const char ending[] =
		"<nav aria-labelledby=\":contents\">\n<p id=\":contents\">Contents</p>\n<ul>\n"
		"<li><a href=\"#one\">1 &lt; 2</a></li>\n<li><a href=\"#two.2_a-b\">Two</a></li>\n</ul>\n</nav>\n"
		"<main id=\":main\" tabindex=\"-1\">\n"
		"<h2>Before all</h2>\n"
		"<section id=\"one\" aria-labelledby=\"one:heading\">\n<h2 id=\"one:heading\">1 &lt; 2</h2>\n"
		"<h3>a &amp; b</h3>\n</section>\n"
		"<section id=\"two.2_a-b\" aria-labelledby=\"two.2_a-b:heading\">\n"
		"<h2 id=\"two.2_a-b:heading\">Two</h2>\n</section>\n</main>\n</body>\n</html>\n";
	struct page p;
	struct textbuf out;
	(void)state;
	page_init(&p, "a & b", "the <lead>");
	textbuf_init(&out);
	page_subheading(&p, "Before all");
	page_section(&p, "one", "1 < 2");
	page_subheading(&p, "a & b");
	page_section(&p, "two.2_a-b", "Two");
	assert_true(page_write(&p, &out));
	assert_non_null(strstr(out.text, "<title>a &amp; b</title>"));
	assert_non_null(strstr(
		out.text, "</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#:main\">Skip to the content</a>\n"
			  "<header>\n<h1>a &amp; b</h1>\n<p class=\"lead\">the &lt;lead&gt;</p>\n</header>\n<nav "));
	assert_true(out.len > strlen(ending));
	assert_string_equal(out.text + out.len - strlen(ending), ending);
	textbuf_release(&out);
	page_release(&p);
}

/* Neither lead nor contents; and the promises of its head: language, widths of screens, colours, nothing from outside.
 */
static void test_bare(void **state)
{
	static const char *const wanted[] = {
		"<html lang=\"en\">",
		"<meta charset=\"utf-8\">",
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">",
		"<meta name=\"color-scheme\" content=\"light dark\">",
		"\"default-src 'none'; img-src 'self' file: data:; style-src 'unsafe-inline'; ",
		"; base-uri 'none'; form-action 'none'\"",
		"<link rel=\"icon\" href=\"data:,\">",
		"@media print{",
		"@media (prefers-color-scheme:dark){",
		"</header>\n<main id=\":main\" tabindex=\"-1\">\n</main>\n",
	};
	struct page p = begin();
	struct textbuf out;
	(void)state;
	textbuf_init(&out);
	assert_true(page_write(&p, &out));
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++)
		if (!strstr(out.text, wanted[i]))
			fail_msg("there is no %s", wanted[i]);
	assert_null(strstr(out.text, "<nav"));
	assert_null(strstr(out.text, "class=\"lead\""));
	assert_null(strstr(out.text, "<section"));
	assert_null(strstr(out.text, "http:"));
	assert_null(strstr(out.text, "url("));
	textbuf_release(&out);
	page_release(&p);
}

static struct figure made_figure(void)
{
	struct figure f;
	figure_init(&f, "a_1");
	f.width_px = 640;
	f.height_px = 480;
	textbuf_puts(&f.alt, "One \"bar\" <high>.");
	textbuf_puts(&f.data, "x\n1\n");
	return f;
}

#define DATA_TABLE                                                                                                     \
	"<details class=\"data\">\n<summary>Data: a_1.csv as a table</summary>\n"                                      \
	"<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"Data: a_1.csv as a table\"><table>\n"       \
	"<caption><span>Data: a_1.csv as a table</span></caption>\n"                                                   \
	"<thead><tr><th scope=\"col\" class=\"number\">x</th></tr></thead>\n"                                          \
	"<tbody>\n<tr><th scope=\"row\" class=\"number\">1</th></tr>\n</tbody>\n</table></div>\n</details>\n"          \
	"</figure>\n"

static void test_figure(void **state)
{
	struct page p = begin();
	struct figure f = made_figure();
	(void)state;
	page_figure(&p, &(struct page_figure){&f, "A <caption>", "sahm x > y", "configuration", "0123&", true});
	figure_release(&f);
	end(&p,
	    "<figure>\n<div class=\"scroll picture\" role=\"region\" tabindex=\"0\" aria-label=\"picture a_1\">"
	    "<img src=\"a_1.svg\" width=\"640\" height=\"480\" alt=\"One &quot;bar&quot; &lt;high&gt;.\"></div>\n"
	    "<figcaption>\n<p>A &lt;caption&gt;</p>\n"
	    "<p class=\"origin\">Made by <code>sahm x &gt; y</code></p>\n"
	    "<p class=\"origin\">Hash of the configuration: <code>0123&amp;</code></p>\n"
	    "<p class=\"origin\">Files: <a href=\"a_1.svg\">picture (SVG)</a>, <a href=\"a_1.png\">picture (PNG)</a>, "
	    "<a href=\"a_1.csv\">data (CSV)</a>, <a href=\"a_1.gp\">script for "
	    "gnuplot</a></p>\n</figcaption>\n" DATA_TABLE);
}

static void test_figure_not_drawn(void **state)
{
	struct page p = begin();
	struct figure f = made_figure();
	(void)state;
	page_figure(&p, &(struct page_figure){.figure = &f});
	figure_release(&f);
	end(&p,
	    "<figure>\n<p class=\"notice\" role=\"note\">The pictures are missing: <code>gnuplot a_1.gp</code> in this "
	    "folder draws them.</p>\n<p>One &quot;bar&quot; &lt;high&gt;.</p>\n<figcaption>\n"
	    "<p class=\"origin\">Files: <a href=\"a_1.csv\">data (CSV)</a>, <a href=\"a_1.gp\">script for "
	    "gnuplot</a></p>\n"
	    "</figcaption>\n" DATA_TABLE);
}

/* A lack of memory anywhere is reported at the end, however much was appended since. */
static void check_failed(struct page *p, bool expected)
{
	struct textbuf out;
	textbuf_init(&out);
	page_section(p, "x", "x");
	page_paragraph(p, "more");
	assert_int_equal(page_write(p, &out), !expected);
	assert_int_equal(textbuf_failed(&out), expected);
	textbuf_release(&out);
	page_release(p);
}

static void test_memory(void **state)
{
	(void)state;
	for (int i = 0; i < 8; i++) {
		struct page p = begin();
		struct figure f = made_figure();
		struct query_answer a;
		query_answer_init(&a);
		p.failed = i == 1;
		p.body.failed = i == 2;
		p.contents.failed = i == 3;
		f.alt.failed = i == 4;
		f.data.failed = i == 5;
		a.failed = i == 6;
		a.notes.failed = i == 7;
		page_figure(&p, &(struct page_figure){.figure = &f});
		page_answer(&p, &a);
		query_answer_release(&a);
		figure_release(&f);
		check_failed(&p, i > 0);
	}
}

TEST_FILE(test_page)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_escape),	   cmocka_unit_test(test_length),
		cmocka_unit_test(test_paragraphs), cmocka_unit_test(test_tables),
		cmocka_unit_test(test_sections),   cmocka_unit_test(test_bare),
		cmocka_unit_test(test_figure),	   cmocka_unit_test(test_figure_not_drawn),
		cmocka_unit_test(test_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
