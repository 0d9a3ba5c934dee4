/* Pages: HTML that is read from a file, on any screen and on paper.
 *
 * A page is one file without scripts, beside pictures in the same folder; it fetches nothing from anywhere else. Text
 * is escaped by what appends it, made valid UTF-8 and rid of control characters. What is wider than the screen (tables,
 * pictures with many rows) moves sideways in a region of its own that the keyboard reaches. All is headed by sections
 * in order, listed on top.
 */
#ifndef SAHM_RESULTS_PAGE_PAGE_H
#define SAHM_RESULTS_PAGE_PAGE_H

#include <stdbool.h>

#include "results/chart/plot.h"
#include "results/store/query_answer.h"
#include "sim/base/textbuf.h"

struct page {
	struct textbuf body, contents; /* sections, and the list of them */
	const char *title, *lead;      /* the caller's */
	const char *mark;	       /* the caller's: elements for the page's head; NULL: none */
	bool in_section, in_row;
	unsigned row, column, nr_regions; /* of the table; of the page */
	bool failed;			  /* memory was short, here or in what was appended */
};

/* Begins a page; release it with page_release(). `lead` is a sentence below the title, NULL: none. */
void page_init(struct page *p, const char *title, const char *lead);
void page_release(struct page *p);

/* Appends the whole page, from its doctype on, to `out`; false when memory was short. */
bool page_write(const struct page *p, struct textbuf *out);

/* Begins a section, which ends where the next one begins. `id` (letters, digits, _ . and -) is what links lead to. */
void page_section(struct page *p, const char *id, const char *heading);
void page_subheading(struct page *p, const char *heading);

/* A paragraph; one that warns, set apart. */
void page_paragraph(struct page *p, const char *fmt, ...) SAHM_PRINTF(2, 3);
void page_notice(struct page *p, const char *fmt, ...) SAHM_PRINTF(2, 3);

/* Text as it stands, line ends and all: commands, configurations. */
void page_verbatim(struct page *p, const char *text);

/* A list of facts: name and value. */
void page_begin_facts(struct page *p);
void page_fact(struct page *p, const char *name, const char *fmt, ...) SAHM_PRINTF(3, 4);
void page_end_facts(struct page *p);

/* Content shown when it is opened. */
void page_begin_details(struct page *p, const char *summary);
void page_end_details(struct page *p);

/* Tables. Numbers stand to the right. The first row is that of headings; the first cell of each other one heads its
 * row. A cell can have a mark, by which it is coloured beside what it says; PAGE_PHRASE is for a number with words
 * around it, which narrow screens break into lines. */
enum page_mark { PAGE_PLAIN, PAGE_GOOD, PAGE_BAD, PAGE_MUTED, PAGE_PHRASE };
void page_begin_table(struct page *p, const char *caption); /* NULL: none */
void page_row(struct page *p);
void page_heading(struct page *p, bool is_number, const char *fmt, ...) SAHM_PRINTF(3, 4);
void page_cell(struct page *p, bool is_number, enum page_mark mark, const char *fmt, ...) SAHM_PRINTF(4, 5);
void page_end_table(struct page *p);

/* Rows of page_csv() that are shown; the page says how many more there are. */
#define MAX_PAGE_ROWS 500u

/* The data of a figure (CSV, as results/metrics/csv.h writes it and struct figure has it) as a table called `summary`;
 * with `opens`, in details that can be opened. Numbers with a fraction are shown with six significant digits. */
void page_csv(struct page *p, const char *summary, bool opens, const char *csv);

/* Facts and tables of an answer, those that are for people. */
void page_answer(struct page *p, const struct query_answer *a);

/* A paragraph with a link to the file `fmt` of the page's folder, called `words`. */
void page_link(struct page *p, const char *words, const char *fmt, ...) SAHM_PRINTF(3, 4);

/* Maker and source of something: a command, and the hash of `hash_of`; command and hash may be NULL. */
void page_origin(struct page *p, const char *command, const char *hash_of, const char *hash);

/* What stands with a picture. */
struct page_figure {
	const struct figure *figure;
	const char *caption;
	const char *command; /* that makes it again */
	const char *hash_of; /* its source, of which this is the hash: "configuration" */
	const char *hash;
	bool drawn; /* its pictures are there; else the page says how they are made */
};

/* A picture with its caption, command, hash, links to its files and its data as a table. */
void page_figure(struct page *p, const struct page_figure *f);

#endif
