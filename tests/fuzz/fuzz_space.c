/* Spaces of sweeps: the input is a configuration's section `sweep`, then, after a line "--", arguments of the command
 * line, one a line, those that begin with '+' zipped. Files that it names are looked for, none but a table of costs is
 * read. */
#include "sim/sweep/space.h"
#include "tests/fuzz/use_cfg.h"

#define MAX_FUZZ_ARGS 32u

/* What is written reads back as the same. */
static void use_written(const struct space *s)
{
	struct arena a = {0};
	struct textbuf text, again;
	struct cfg_node *root = NULL;
	struct space other;
	struct sahm_err err;
	textbuf_init(&text);
	textbuf_init(&again);
	space_write(s, &text);
	MUST(!textbuf_failed(&text));
	if (text.len <= MAX_CFG_BYTES) {
		enum sahm_status status = cfg_read_text(&a, "again", text.text, text.len, &root, &err);
		if (status == SAHM_OK)
			status = space_read(&other, cfg_child(root, "sweep"), NULL, 0, ".", &err);
		if (status != SAHM_OK)
			fprintf(stderr, "%s:\n%s\n", err.msg, text.text);
		MUST(status == SAHM_OK);
		MUST(other.nr_points == s->nr_points && other.max_settings == s->max_settings);
		space_write(&other, &again);
		MUST(strcmp(text.text, again.text) == 0);
		space_release(&other);
	}
	textbuf_release(&text);
	textbuf_release(&again);
	arena_release(&a);
}

static void use_points(const struct space *s)
{
	const char **settings = calloc(s->max_settings + 1, sizeof(*settings));
	uint64_t stride = 1;
	MUST(settings && s->nr_points >= 1 && s->nr_points <= MAX_SPACE_POINTS && s->nr_axes <= MAX_SPACE_AXES);
	for (uint32_t i = s->nr_axes; i-- > 0; stride *= s->axes[i].nr_values)
		MUST(s->axes[i].stride == stride);
	MUST(stride == s->nr_points);
	for (uint64_t p = 0; p < s->nr_points; p += 1 + s->nr_points / 16) {
		struct textbuf words;
		size_t nr = space_settings(s, p, settings);
		MUST(nr <= s->max_settings);
		for (size_t i = 0; i < nr; i++) {
			char pattern[CFG_PATH_BYTES], path[CFG_PATH_BYTES];
			size_t len = strcspn(settings[i], "=");
			MUST(len < sizeof(path) && settings[i][len] == '=');
			memcpy(path, settings[i], len);
			path[len] = '\0';
			MUST(cfg_pattern(path, pattern));
		}
		textbuf_init(&words);
		space_write_point(s, p, &words);
		textbuf_release(&words);
	}
	free(settings);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = {0};
	struct cfg_node *root = NULL;
	struct space s;
	struct sahm_err err;
	struct space_argument args[MAX_FUZZ_ARGS];
	size_t nr_args = 0, len = size;
	const char *text = (const char *)data, *mark = memmem(text, size, "\n--\n", 4);
	if (reaches_out(text, size))
		return 0;
	close_stdin();
	if (mark) {
		len = (size_t)(mark - text) + 1;
		char *rest = arena_strndup(&a, mark + 4, size - len - 3), *line;
		while (nr_args < MAX_FUZZ_ARGS && (line = strsep(&rest, "\n")))
			if (*line)
				args[nr_args++] = (struct space_argument){line + (*line == '+'), *line == '+'};
	}
	if (cfg_read_text(&a, "in.cfg", text, len, &root, &err) == SAHM_OK) {
		enum sahm_status status = space_read(&s, cfg_child(root, "sweep"), args, nr_args, ".", &err);
		arena_release(&a);
		if (status != SAHM_OK) {
			must_explain(&err, status, "");
			return 0;
		}
		use_points(&s);
		use_written(&s);
		space_release(&s);
	}
	arena_release(&a);
	return 0;
}
