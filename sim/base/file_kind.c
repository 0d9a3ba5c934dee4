#include "sim/base/file_kind.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/base/array.h"
#include "sim/base/file.h"
#include "sim/base/shell.h"
#include "sim/base/textbuf.h"

/* Of a kind, how files begin or end, and the message; its second %s is the path as a shell takes it. */
static const struct file_kind {
	const char *begins, *ends, *message;
} kinds[] = {
	{"\x7f"
	 "ELF",
	 NULL, "'%s' is a program: `sahm trace record -- %s` makes a trace of it"},
	{"#!", NULL, "'%s' is a script: `sahm trace record -- %s` makes a trace of it"},
	{"SQLite format 3", NULL, "'%s' is a results database: `sahm query %s`, or `sahm report %s`"},
	{"PERFILE2", NULL,
	 "'%s' is a recording of perf record, which has no counts per epoch: use perf stat -I, then sahm trace import; or "
	 "sahm trace record"},
	{"\x89PNG", NULL, "'%s' is a picture; a trace or a configuration is needed"},
	{"\xff\xd8\xff", NULL, "'%s' is a picture; a trace or a configuration is needed"},
	{"<svg", NULL, "'%s' is a picture; a trace or a configuration is needed"},
	{"%PDF", NULL, "'%s' is a document; a trace or a configuration is needed"},
	{"{\"", NULL, "'%s' is JSON, which sahm writes for other programs and does not read"},
	{"{\n", NULL, "'%s' is JSON, which sahm writes for other programs and does not read"},
	{NULL, ".c",
	 "'%s' is C source: compile it; a policy is named by -p, an introspection program by introspection.image"},
	{NULL, ".py", "'%s' is a script: `sahm trace record -- python3 %s` makes a trace of it"},
	{NULL, ".so", "'%s' is a shared object: name a policy by -p %s"},
};

enum sahm_status file_refuse_foreign(const char *path, struct sahm_err *err)
{
	char first[16] = "";
	struct sahm_err unreadable;
	struct textbuf word;
	struct stat st;
	/* Opening a pipe, if only to look, would wake its writer and leave it without a reader. */
	bool is_regular = strcmp(path, "-") != 0 && stat(path, &st) == 0 && S_ISREG(st.st_mode);
	int fd = is_regular ? file_open_regular(path, &unreadable) : -1;
	if (fd < 0)
		return SAHM_OK;
	ssize_t len = read(fd, first, sizeof(first) - 1);
	close(fd);
	if (len == 0)
		return sahm_fail(err, SAHM_USAGE, "the file '%s' is empty", path);
	for (size_t i = 0; i < ARRAY_SIZE(kinds) && len > 0; i++) {
		const struct file_kind *k = &kinds[i];
		bool is_one =
			k->begins ? strncmp(first, k->begins, strlen(k->begins)) == 0 : text_ends_in(path, k->ends);
		if (!is_one)
			continue;
		textbuf_init(&word);
		if (!strchr(path, '/') && (k == &kinds[0] || k == &kinds[1]))
			textbuf_puts(&word, "./");
		shell_write_word(&word, path);
		enum sahm_status status = textbuf_failed(&word)
						  ? sahm_fail_nomem(err)
						  : sahm_fail(err, SAHM_USAGE, k->message, path, word.text, word.text);
		textbuf_release(&word);
		return status;
	}
	return SAHM_OK;
}
