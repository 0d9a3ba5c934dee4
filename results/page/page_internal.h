/* What files of pages share. */
#ifndef SAHM_RESULTS_PAGE_PAGE_INTERNAL_H
#define SAHM_RESULTS_PAGE_PAGE_INTERNAL_H

#include "results/page/page_folder.h"

/* In the head of each page: by this sahm knows its own. */
#define PAGE_MARK "<meta name=\"generator\" content=\"sahm\">\n"

/* A line of a page's list of files: a name, and the beginning of the hash of the contents. */
#define PAGE_HASH_DIGITS 16u
struct page_listed {
	char name[PAGE_NAME_BYTES], hash[PAGE_HASH_DIGITS + 1];
};

/* The next file of *list, which moves on; false at the end of the list. Malformed lines are left out. */
bool page_next_file(const char **list, struct page_listed *file);

/* How a page looks. */
extern const char page_css[];

/* Appends `text` so that it stands for itself between tags and in attributes in double quotes. What is not UTF-8
 * becomes U+FFFD, as do noncharacters; control characters other than tabs and line ends are left out. */
void page_escape(struct textbuf *out, const char *text);

/* The same of what `fmt` comes to, at the end of the page. */
void page_escape_formatted(struct page *p, const char *fmt, va_list ap);

/* Begins what can be wider than the screen, called `label` (NULL: numbered); ends with </div>. */
void page_begin_region(struct page *p, const char *class, const char *label);

/* As page_begin_details(), for the style `class`; "": none. */
void page_begin_details_of(struct page *p, const char *class, const char *summary);

#endif
