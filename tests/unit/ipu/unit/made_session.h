/* Sessions in a separate folder, with an ABI spec, a program and signals, for tests of their calls. */
#ifndef SAHM_TESTS_UNIT_IPU_UNIT_MADE_SESSION_H
#define SAHM_TESTS_UNIT_IPU_UNIT_MADE_SESSION_H

#include <stdlib.h>

#include "ipu/unit/session.h"
#include "tests/unit/made_image.h"

static char folder[64];

static inline const char *path_of(const char *name)
{
	static char path[128];
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static inline void put_file(const char *name, const void *bytes, size_t len)
{
	FILE *out = fopen(path_of(name), "wb");
	assert_non_null(out);
	assert_int_equal(fwrite(bytes, 1, len, out), len);
	assert_int_equal(fclose(out), 0);
}

static inline void put_text(const char *name, const char *text)
{
	put_file(name, text, strlen(text));
}

#define SPEC                                                                                                           \
	"name = \"made\"; addr = \"pc\"; signals = (\n"                                                                \
	"{ name = \"level\"; bits = 8; register = 3; rate = 0; semantics = \"a signal\"; },\n"                         \
	"{ name = \"pc\"; bits = 64; register = 0; rate = 0; semantics = \"where\"; } );\n"
#define SIGNALS "cycle,pc,level\n0,1,1\n20,2,2\n40,3,3\n"

static inline int make_folder(void **state)
{
	struct made_elf elf;
	(void)state;
	strcpy(folder, "/tmp/sahm-session-XXXXXX");
	if (!mkdtemp(folder))
		return -1;
	put_text("made.cfg", SPEC);
	made_image(&elf, 5, false, "level");
	put_file("made.elf", elf.bytes, elf.nr_bytes);
	made_elf_free(&elf);
	put_text("signals.csv", SIGNALS);
	return 0;
}

static inline int remove_folder(void **state)
{
	char command[128];
	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	return system(command);
}

/* Makes a call with one argument, or with none where `text` is NULL. */
static inline enum sahm_status make(struct ipu_session *s, enum ipu_call_kind kind, enum ipu_argument argument,
				    const char *text, const struct ipu_packet_sink *sink, struct sahm_err *err)
{
	struct arena a = {0};
	struct ipu_call call = {.kind = kind};
	enum sahm_status status = SAHM_OK;
	if (text)
		status = ipu_call_set(&call, &a, argument, text, "", err);
	if (status == SAHM_OK)
		status = ipu_session_make(s, &call, sink, err);
	arena_release(&a);
	return status;
}

static inline void must_make(struct ipu_session *s, enum ipu_call_kind kind, enum ipu_argument argument,
			     const char *text)
{
	struct sahm_err err;
	if (make(s, kind, argument, text, NULL, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
}

static inline struct ipu_session *read_again(const struct ipu_session *s)
{
	struct ipu_session *again;
	struct sahm_err err;
	const struct textbuf *text = ipu_session_text(s);
	if (ipu_session_read(&again, path_of("session"), text->text, text->len, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	return again;
}

#endif
