#include "sim/cli/scaffold.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/base/file.h"
#include "sim/base/hold.h"
#include "sim/cli/output.h"

#define MAX_TEMPLATE_BYTES ((size_t)1 << 20)

enum sahm_status scaffold_check_name(const char *name, struct sahm_err *err)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
	static const char all[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
	size_t len = strspn(name, all);
	if (name[len] || len == 0 || len > MAX_SCAFFOLD_NAME_BYTES || !strchr(letters, *name))
		return sahm_fail(err, SAHM_USAGE,
				 "bad name '%.80s', must be up to %d letters, digits, - and _, a letter first", name,
				 MAX_SCAFFOLD_NAME_BYTES);
	return SAHM_OK;
}

void scaffold_write_path(struct textbuf *out, const char *path)
{
	for (const char *p = path; *p; p++) {
		if (*p == '$' || *p == '#')
			textbuf_putc(out, *p == '$' ? '$' : '\\');
		textbuf_putc(out, *p);
	}
}

enum sahm_status scaffold_write_self(struct textbuf *out, struct sahm_err *err)
{
	char *self = realpath("/proc/self/exe", NULL);
	int cause = self ? 0 : errno;
	scaffold_write_path(out, self ? self : "sahm");
	free(self);
	if (cause == ENOMEM || textbuf_failed(out))
		return sahm_fail_nomem(err);
	/* Without /proc the shell finds it. */
	if (cause && !file_is_absent(cause))
		return sahm_fail(err, SAHM_IO, "cannot find out where the program is: %s", strerror(cause));
	return SAHM_OK;
}

static const struct scaffold_word *word_at(const char *text, const struct scaffold_word *words, size_t nr_words)
{
	for (size_t i = 0; i < nr_words; i++)
		if (strncmp(text, words[i].placeholder, strlen(words[i].placeholder)) == 0)
			return &words[i];
	return NULL;
}

/* Reads a template, with the words in their places. */
static enum sahm_status read_template(const struct scaffold_file *file, const struct scaffold_word *words,
				      size_t nr_words, struct textbuf *out, struct sahm_err *err)
{
	char path[DATA_FOLDER_BYTES + 64];
	char *text;
	size_t len;
	snprintf(path, sizeof(path), "%s/%s", data_folder(), file->from);
	enum sahm_status status = file_read(path, MAX_TEMPLATE_BYTES, &text, &len, err);
	if (status != SAHM_OK)
		return status;
	for (const char *p = text; *p;) {
		const struct scaffold_word *word = word_at(p, words, nr_words);
		if (word)
			textbuf_puts(out, word->text);
		else
			textbuf_putc(out, *p);
		p += word ? strlen(word->placeholder) : 1;
	}
	free(text);
	return textbuf_failed(out) ? sahm_fail_nomem(err) : SAHM_OK;
}

static void write_path(const char *folder, const char *name, const struct scaffold_file *file, struct textbuf *path)
{
	textbuf_printf(path, "%s/%s%s", folder, file->name ? file->name : name, file->name ? "" : ".c");
}

/* The folder is made beside its place, and renamed when it is complete: `temporary` is the name that it has until then.
 */
static enum sahm_status write_folder(const char *folder, const char *temporary, size_t nr_files,
				     const struct textbuf *paths, const struct textbuf *texts, struct sahm_err *err)
{
	struct stat st;
	size_t nr = 0;
	if (lstat(folder, &st) == 0)
		return sahm_fail(err, SAHM_USAGE, "'%s' is there already; choose another name", folder);
	if (mkdir(temporary, 0777) != 0)
		return sahm_fail(err, SAHM_IO, "cannot create '%s': %s", folder, strerror(errno));
	enum sahm_status status = SAHM_OK;
	struct sahm_err why;
	for (; nr < nr_files && status == SAHM_OK; nr++)
		status = file_write(paths[nr].text, texts[nr].text, texts[nr].len, &why);
	int cause = status == SAHM_OK && rename(temporary, folder) != 0 ? errno : 0;
	if (status == SAHM_OK && !cause) {
		cause = file_sync_name(folder);
		return cause ? sahm_fail(err, SAHM_IO, "cannot write '%s': %s", folder, strerror(cause)) : SAHM_OK;
	}
	/* The last file may not have been written. */
	for (size_t i = 0; i < nr; i++)
		unlink(paths[i].text);
	rmdir(temporary);
	return cause ? sahm_fail(err, SAHM_IO, "cannot create '%s': %s", folder, strerror(cause))
		     : sahm_fail(err, status, "cannot create '%s': %s", folder, why.msg);
}

/* A name beside `folder`, whose end may be written as '/'. */
static void name_beside(const char *folder, struct textbuf *out)
{
	size_t len = strlen(folder);
	while (len > 1 && folder[len - 1] == '/')
		len--;
	while (len > 0 && folder[len - 1] != '/')
		len--;
	textbuf_printf(out, "%.*s.sahm-%ld", (int)len, folder, (long)getpid());
}

enum sahm_status scaffold_make(const char *folder, const char *name, const struct scaffold_file *files, size_t nr_files,
			       const struct scaffold_word *words, size_t nr_words, struct sahm_err *err)
{
	struct textbuf paths[MAX_SCAFFOLD_FILES], texts[MAX_SCAFFOLD_FILES];
	struct textbuf temporary;
	textbuf_init(&temporary);
	name_beside(folder, &temporary);
	enum sahm_status status = textbuf_failed(&temporary) ? sahm_fail_nomem(err) : SAHM_OK;
	for (size_t i = 0; i < nr_files; i++) {
		textbuf_init(&paths[i]);
		textbuf_init(&texts[i]);
	}
	/* All that needs memory comes first: what has been written can be removed without. */
	for (size_t i = 0; i < nr_files && status == SAHM_OK; i++) {
		write_path(temporary.text, name, &files[i], &paths[i]);
		status = textbuf_failed(&paths[i]) ? sahm_fail_nomem(err)
						   : read_template(&files[i], words, nr_words, &texts[i], err);
	}
	if (status == SAHM_OK) {
		struct signal_hold hold;
		signal_hold_begin(&hold);
		status = write_folder(folder, temporary.text, nr_files, paths, texts, err);
		signal_hold_end(&hold);
	}
	for (size_t i = 0; i < nr_files; i++) {
		textbuf_release(&paths[i]);
		textbuf_release(&texts[i]);
	}
	textbuf_release(&temporary);
	return status;
}
