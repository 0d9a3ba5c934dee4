#include "results/page/page_folder.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "results/page/page_internal.h"
#include "sim/base/array.h"
#include "sim/base/file.h"
#include "sim/base/hash.h"

/* Largest page or file beside one that is looked at. */
#define MAX_FILE_BYTES ((size_t)256 << 20)

#define SOURCE_MARK "<meta name=\"sahm-source\" content=\""
#define FILES_MARK "<meta name=\"sahm-files\" content=\"\n"
#define END_MARK "\">\n"

/* In the place of the hash of a picture that is still to be drawn. */
#define ANY_CONTENTS "-"

struct page_file {
	char name[PAGE_NAME_BYTES];
	const char *text; /* NULL: a picture */
};

void page_folder_init(struct page_folder *f, const char *path, struct page_source source)
{
	*f = (struct page_folder){.path = path, .source = source};
}

void page_folder_release(struct page_folder *f)
{
	free(f->files);
}

void page_folder_add(struct page_folder *f, const char *text, const char *fmt, ...)
{
	va_list ap;
	if (f->nr_files == f->room) {
		size_t room = f->room ? 2 * f->room : 64;
		struct page_file *files = realloc(f->files, room * sizeof(*files));
		if (!files) {
			f->failed = true;
			return;
		}
		f->files = files;
		f->room = room;
	}
	struct page_file *file = &f->files[f->nr_files++];
	file->text = text;
	va_start(ap, fmt);
	vsnprintf(file->name, sizeof(file->name), fmt, ap);
	va_end(ap);
}

void page_folder_add_figure(struct page_folder *f, const struct figure *figure)
{
	page_folder_add(f, figure->data.text, "%s.csv", figure->name);
	page_folder_add(f, figure->script.text, "%s.gp", figure->name);
	page_folder_add(f, NULL, "%s.svg", figure->name);
	page_folder_add(f, NULL, "%s.png", figure->name);
	f->failed |= textbuf_failed(&figure->data) || textbuf_failed(&figure->script) || textbuf_failed(&figure->alt);
}

/* The file `name` of the folder, malloc'ed; NULL when memory is short. */
static char *path_of(const struct page_folder *f, const char *name)
{
	size_t room = strlen(f->path) + strlen(name) + 2;
	char *path = malloc(room);
	if (path)
		snprintf(path, room, "%s/%s", f->path, name);
	return path;
}

static void end_hash(struct hash *h, char hex[HASH_HEX_BYTES])
{
	uint8_t hash[HASH_BYTES];
	hash_end(h, hash);
	hash_hex(hash, hex);
	hex[PAGE_HASH_DIGITS] = '\0';
}

static void hash_text(const char *text, size_t len, char hex[HASH_HEX_BYTES])
{
	struct hash h;
	hash_init(&h);
	hash_add(&h, text, len);
	end_hash(&h, hex);
}

/* Adds the path `to` as seen from the folder `from`, both absolute: how far up, and what follows. */
static void hash_way(struct hash *h, const char *from, const char *to)
{
	size_t same = 0;
	for (size_t i = 0; from[i] == to[i] || (!from[i] && to[i] == '/'); i++) {
		if (to[i] == '/')
			same = i + 1;
		if (!from[i] || !to[i])
			break;
	}
	const char *rest = same < strlen(from) ? from + same : "";
	size_t nr_up = *rest != '\0';
	for (; *rest; rest++)
		nr_up += *rest == '/';
	hash_add_u64(h, nr_up);
	hash_add_string(h, to + same);
}

/* The place of `path` as seen from `folder`. */
static enum sahm_status hash_path(struct hash *h, const char *folder, const char *path, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	char *from = realpath(folder, NULL), *to = from ? realpath(path, NULL) : NULL;
	if (to)
		hash_way(h, from, to);
	else
		status = sahm_fail(err, errno == ENOMEM ? SAHM_NOMEM : SAHM_IO, "cannot find '%s': %s",
				   from ? path : folder, strerror(errno));
	free(from);
	free(to);
	return status;
}

/* The folder is there. */
static enum sahm_status hash_source(const struct page_folder *f, char hex[HASH_HEX_BYTES], struct sahm_err *err)
{
	const struct page_source *source = &f->source;
	enum sahm_status status = SAHM_OK;
	struct hash h;
	hash_init(&h);
	hash_add_string(&h, source->command);
	hash_add_u64(&h, source->is_path);
	if (source->is_path)
		status = hash_path(&h, f->path, source->of, err);
	else
		hash_add_string(&h, source->of);
	if (status == SAHM_OK && source->with)
		status = hash_path(&h, f->path, source->with, err);
	end_hash(&h, hex);
	return status;
}

bool page_next_file(const char **list, struct page_listed *file)
{
	for (const char *line = *list; *line && *line != '"';) {
		size_t len = strcspn(line, "\n\""), name_len = strcspn(line, " \n\"");
		size_t hash_len = len > name_len ? len - name_len - 1 : 0;
		*list = line + len + (line[len] == '\n');
		/* No file of another folder is looked at, even if the list names it. */
		if (name_len > 0 && name_len < sizeof(file->name) && !memchr(line, '/', name_len) && hash_len > 0 &&
		    hash_len < sizeof(file->hash)) {
			snprintf(file->name, sizeof(file->name), "%.*s", (int)name_len, line);
			snprintf(file->hash, sizeof(file->hash), "%.*s", (int)hash_len, line + name_len + 1);
			return true;
		}
		line = *list;
	}
	return false;
}

/* Whether there is a file, and a regular one: of another kind none of ours is. */
static enum sahm_status look_for(const char *path, bool *is_there, bool *is_regular, struct sahm_err *err)
{
	struct stat st;
	*is_there = lstat(path, &st) == 0;
	*is_regular = *is_there && S_ISREG(st.st_mode);
	return *is_there || file_is_absent(errno)
		       ? SAHM_OK
		       : sahm_fail(err, SAHM_IO, "cannot look for '%s': %s", path, strerror(errno));
}

/* Hash of the contents of the file `name`; "": there is none, or none of ours. */
static enum sahm_status hash_file(const struct page_folder *f, const char *name, bool *is_there,
				  char hex[HASH_HEX_BYTES], struct sahm_err *err)
{
	struct sahm_err why;
	bool is_regular = false;
	size_t len;
	char *text, *path = path_of(f, name);
	enum sahm_status status = path ? look_for(path, is_there, &is_regular, err) : sahm_fail_nomem(err);
	*hex = '\0';
	if (status == SAHM_OK && is_regular) {
		status = file_read_regular(path, MAX_FILE_BYTES, &text, &len, &why);
		if (status == SAHM_OK) {
			hash_text(text, len, hex);
			free(text);
		} else if (status == SAHM_FORMAT) {
			status = SAHM_OK;
		} else {
			sahm_fail(err, status, "%s", why.msg);
		}
	}
	free(path);
	return status;
}

static bool has_listed_contents(const struct page_listed *file, const char *hex)
{
	return *hex && (strcmp(file->hash, hex) == 0 || strcmp(file->hash, ANY_CONTENTS) == 0);
}

/* The page in place and its list of files; NULL and "" where there is none. The caller frees *text. */
static enum sahm_status read_page(const struct page_folder *f, bool force, char **text, const char **list,
				  struct sahm_err *err)
{
	bool is_there, is_regular = false;
	size_t len;
	char source[sizeof(SOURCE_MARK) + HASH_HEX_BYTES + sizeof(END_MARK)], hex[HASH_HEX_BYTES];
	char *path = path_of(f, PAGE_FILE);
	*text = NULL;
	*list = "";
	enum sahm_status status = path ? look_for(path, &is_there, &is_regular, err) : sahm_fail_nomem(err);
	if (status != SAHM_OK || !is_there)
		goto out;
	if (is_regular)
		status = file_read_regular(path, MAX_FILE_BYTES, text, &len, err);
	if (status == SAHM_OK && (!*text || !strstr(*text, PAGE_MARK)))
		status = sahm_fail(err, SAHM_USAGE,
				   "'%s' is not a page that sahm made, and is not replaced; -o names another folder",
				   path);
	if (status == SAHM_OK)
		status = hash_source(f, hex, err);
	if (status != SAHM_OK)
		goto out;
	snprintf(source, sizeof(source), SOURCE_MARK "%s" END_MARK, hex);
	const char *found = strstr(*text, FILES_MARK);
	*list = found ? found + strlen(FILES_MARK) : "";
	if (!force && !strstr(*text, source))
		status = sahm_fail(err, SAHM_USAGE,
				   "'%s' holds a page made from something else; --force replaces it, -o names another "
				   "folder",
				   f->path);
out:
	free(path);
	return status;
}

static enum sahm_status check_file(const struct page_folder *f, const char *name, const char *list,
				   struct sahm_err *err)
{
	struct page_listed file;
	char hex[HASH_HEX_BYTES];
	bool is_there, is_listed = false;
	enum sahm_status status = hash_file(f, name, &is_there, hex, err);
	while (status == SAHM_OK && is_there && !is_listed && page_next_file(&list, &file))
		is_listed = strcmp(file.name, name) == 0 && has_listed_contents(&file, hex);
	if (status != SAHM_OK || !is_there || is_listed)
		return status;
	return sahm_fail(err, SAHM_USAGE,
			 "'%s/%s' was not written with a page of that folder, or was changed since, and is not "
			 "replaced: move or remove it; -o names another folder",
			 f->path, name);
}

static enum sahm_status check(const struct page_folder *f, bool force, char **text, const char **list,
			      struct sahm_err *err)
{
	enum sahm_status status = read_page(f, force, text, list, err);
	if (status == SAHM_OK && f->failed)
		status = sahm_fail_nomem(err);
	for (size_t i = 0; i < f->nr_files && status == SAHM_OK; i++)
		status = check_file(f, f->files[i].name, *list, err);
	return status;
}

enum sahm_status page_folder_check(const struct page_folder *f, bool force, struct sahm_err *err)
{
	const char *list;
	char *text;
	enum sahm_status status = check(f, force, &text, &list, err);
	free(text);
	return status;
}

/* Writes `p` with what it is made from and `list`. */
static enum sahm_status write_page(const struct page_folder *f, struct page *p, const struct textbuf *list,
				   struct sahm_err *err)
{
	struct textbuf mark, out;
	char hex[HASH_HEX_BYTES], *path = path_of(f, PAGE_FILE);
	textbuf_init(&mark);
	textbuf_init(&out);
	enum sahm_status status = path ? hash_source(f, hex, err) : sahm_fail_nomem(err);
	if (status == SAHM_OK) {
		textbuf_printf(&mark, SOURCE_MARK "%s" END_MARK FILES_MARK "%s" END_MARK, hex, list->text);
		p->mark = mark.text;
		status = page_write(p, &out) && !textbuf_failed(&mark) && !textbuf_failed(list)
				 ? file_write(path, out.text, out.len, err)
				 : sahm_fail_nomem(err);
		p->mark = NULL;
	}
	textbuf_release(&mark);
	textbuf_release(&out);
	free(path);
	return status;
}

/* Adds what is or will be in the folder: of pictures, unless they are `drawn`, nobody knows what. */
static enum sahm_status list_files(const struct page_folder *f, bool drawn, struct textbuf *list, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	for (size_t i = 0; i < f->nr_files && status == SAHM_OK; i++) {
		const struct page_file *file = &f->files[i];
		char hex[HASH_HEX_BYTES] = ANY_CONTENTS;
		bool is_there = true;
		if (file->text)
			hash_text(file->text, strlen(file->text), hex);
		else if (drawn)
			status = hash_file(f, file->name, &is_there, hex, err);
		if (is_there)
			textbuf_printf(list, "%s %s\n", file->name, hex);
	}
	return status;
}

static enum sahm_status write_unfinished(const struct page_folder *f, const struct textbuf *old, struct sahm_err *err)
{
	struct textbuf list;
	struct page p;
	textbuf_init(&list);
	textbuf_puts(&list, old->text);
	page_init(&p, "Not finished", NULL);
	page_paragraph(&p, "The files of this page are being written, or that was interrupted. The same command "
			   "writes them again.");
	enum sahm_status status = list_files(f, false, &list, err);
	if (status == SAHM_OK)
		status = textbuf_failed(old) ? sahm_fail_nomem(err) : write_page(f, &p, &list, err);
	page_release(&p);
	textbuf_release(&list);
	return status;
}

static enum sahm_status write_files(const struct page_folder *f, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	for (size_t i = 0; i < f->nr_files && status == SAHM_OK; i++) {
		const char *text = f->files[i].text;
		char *path = text ? path_of(f, f->files[i].name) : NULL;
		if (text)
			status = path ? file_put(path, false, text, strlen(text), err) : sahm_fail_nomem(err);
		free(path);
	}
	return status;
}

/* Adds to `old` what is in the folder as `list` has it. */
static enum sahm_status keep_listed(const struct page_folder *f, const char *list, struct textbuf *old,
				    struct sahm_err *err)
{
	struct page_listed file;
	enum sahm_status status = SAHM_OK;
	while (status == SAHM_OK && page_next_file(&list, &file)) {
		char hex[HASH_HEX_BYTES];
		bool is_there;
		status = hash_file(f, file.name, &is_there, hex, err);
		if (status == SAHM_OK && has_listed_contents(&file, hex))
			textbuf_printf(old, "%s %s\n", file.name, hex);
	}
	return status;
}

static enum sahm_status remove_listed(const struct page_folder *f, const char *list, struct sahm_err *err)
{
	struct page_listed file;
	enum sahm_status status = SAHM_OK;
	while (status == SAHM_OK && page_next_file(&list, &file)) {
		char *path = path_of(f, file.name);
		status = path ? file_remove(path, err) : sahm_fail_nomem(err);
		free(path);
	}
	return status;
}

enum sahm_status page_folder_begin(const struct page_folder *f, bool force, struct sahm_err *err)
{
	struct textbuf old;
	const char *list;
	char *text;
	textbuf_init(&old);
	enum sahm_status status = check(f, force, &text, &list, err);
	if (status == SAHM_OK)
		status = file_make_folder(f->path, err);
	if (status == SAHM_OK)
		status = keep_listed(f, list, &old, err);
	if (status == SAHM_OK)
		status = write_unfinished(f, &old, err);
	if (status == SAHM_OK)
		status = remove_listed(f, old.text, err);
	if (status == SAHM_OK)
		status = write_files(f, err);
	textbuf_release(&old);
	free(text);
	return status;
}

enum sahm_status page_folder_save(const struct page_folder *f, struct page *p, struct sahm_err *err)
{
	struct textbuf list;
	textbuf_init(&list);
	enum sahm_status status = list_files(f, true, &list, err);
	if (status == SAHM_OK)
		status = write_page(f, p, &list, err);
	textbuf_release(&list);
	return status;
}
