/* Folders of pages: a page, PAGE_FILE, and the files that are written beside it.
 *
 * The head of a page has a hash of what it was made from, and a list of the files beside it, each with a hash of its
 * contents. A page of sahm's is replaced by one that is made from the same, or by force; a file beside it, if the page
 * lists it and it has not been changed since. Everything else in the folder is somebody's own, and never replaced.
 *
 * While files are written, a page that says so stands in the place of the page. It lists old and new files, so that
 * the same command can be given again whenever it was interrupted, and no page shows what is not there.
 */
#ifndef SAHM_RESULTS_PAGE_PAGE_FOLDER_H
#define SAHM_RESULTS_PAGE_PAGE_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

#include "results/page/page.h"

/* Name of the page in its folder. */
#define PAGE_FILE "index.html"

/* Source of a page: "report" and a store. A path stands for its place as seen from the page's folder. */
struct page_source {
	const char *command, *of; /* the caller's */
	bool is_path;		  /* `of` is that of a file or folder */
	const char *with;	  /* the path of another file, or NULL */
};

struct page_folder {
	const char *path; /* the caller's */
	struct page_source source;
	struct page_file *files; /* [nr_files] */
	size_t nr_files, room;
	bool failed; /* memory was short, here or in what was added */
};

/* Begins a folder without files; release it with page_folder_release(). */
void page_folder_init(struct page_folder *f, const char *path, struct page_source source);
void page_folder_release(struct page_folder *f);

#define PAGE_NAME_BYTES 64u

/* Adds a file, called as `fmt` says (letters, digits, _ and ., fewer than PAGE_NAME_BYTES). `text` stays the caller's,
 * and as it is; NULL: somebody else writes the file between begin and save, or not. */
void page_folder_add(struct page_folder *f, const char *text, const char *fmt, ...) SAHM_PRINTF(3, 4);

/* Adds data, script and pictures of a figure, which plot_draw() draws between begin and save. */
void page_folder_add_figure(struct page_folder *f, const struct figure *figure);

/* Refuses where the folder has a page of somebody else, one of sahm's that was made from something else, unless
 * `force`, or a file that has the name of one that was added and may not be replaced. SAHM_USAGE, SAHM_IO,
 * SAHM_NOMEM. */
enum sahm_status page_folder_check(const struct page_folder *f, bool force, struct sahm_err *err);

/* The same; then makes the folder unless it is there, puts the unfinished page in place, removes the files of the page
 * of before, and writes those that were added. */
enum sahm_status page_folder_begin(const struct page_folder *f, bool force, struct sahm_err *err);

/* Writes the page: last, when all that it shows is there. SAHM_IO, SAHM_NOMEM. */
enum sahm_status page_folder_save(const struct page_folder *f, struct page *p, struct sahm_err *err);

#endif
