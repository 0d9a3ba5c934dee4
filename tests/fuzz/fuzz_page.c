/* Pages of hostile text: the input is data of a figure, and all other text on the page; and the list of files of a page
 * that is replaced. */
#include "results/page/page_internal.h"
#include "sim/base/utf8.h"
#include "tests/fuzz/fuzz.h"

/* The page's own tags, in pairs; nothing of the input acts as one. */
static void must_be_clean(const char *html)
{
	int depth = 0;
	bool in_tag = false;
	for (const char *s = html; *s; s += utf8_len(s)) {
		unsigned char c = (unsigned char)*s;
		MUST(utf8_len(s) && !utf8_is_noncharacter(s));
		MUST((c >= 0x20 && c != 0x7f) || c == '\n' || c == '\t');
		MUST(c != 0xc2 || (unsigned char)s[1] >= 0xa0);
		MUST(c != '\'' && (in_tag ? c != '<' : c != '>' && c != '"'));
		if (c == '<')
			depth += s[1] == '/' ? -1 : strncmp(s, "<img ", 5) == 0 || strncmp(s, "<wbr>", 5) == 0 ? 0 : 1;
		in_tag = c == '<' || (in_tag && c != '>');
		MUST(depth >= 0);
	}
	MUST(depth == 0 && !in_tag);
}

/* No file of another folder is on a list. */
static void read_list(const char *list)
{
	const char *end = list + strlen(list);
	struct page_listed file;
	while (page_next_file(&list, &file)) {
		MUST(list <= end && *file.name && *file.hash);
		MUST(!strpbrk(file.name, "/ \n\"") && !strpbrk(file.hash, "\n\""));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct page p;
	struct figure f;
	char *text = malloc(size + 1);
	MUST(text);
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	read_list(text);
	page_init(&p, text, text);
	figure_init(&f, "figure");
	textbuf_puts(&f.data, text);
	textbuf_puts(&f.alt, text);
	page_subheading(&p, text);
	page_paragraph(&p, "%s", text);
	page_verbatim(&p, text);
	page_begin_table(&p, text);
	page_row(&p);
	page_heading(&p, false, "%s", text);
	page_row(&p);
	page_cell(&p, false, PAGE_PLAIN, "%s", text);
	page_end_table(&p);
	page_figure(&p, &(struct page_figure){&f, text, text, text, text, size % 2});
	MUST(!p.failed && !textbuf_failed(&p.body));
	must_be_clean(p.body.text);
	figure_release(&f);
	page_release(&p);
	free(text);
	return 0;
}
