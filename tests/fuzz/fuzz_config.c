/* Configuration files: the input is the file, followed by files that it can include as "1" to "8", each after a byte
 * 0x1e. They are in a separate folder, with two traces. A file that passes the schema is loaded like that of a run. */
#include "sim/base/array.h"
#include "tests/fuzz/use_cfg.h"

#define SEPARATOR 0x1e
#define MOST_FILES 8u

static char folder[64];

static const char *const traces[] = {"a.csv", "b.csv"};
static const char trace_text[] = "# sahm trace 1\n# source: %s\n"
				 "instructions,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,"
				 "l2_misses\n9,8,7,6,5,4,3,2\n1,0,0,0,0,0,0,0\n";

static const char *inside(const char *name)
{
	static char path[96];
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static void write_file(const char *name, const void *data, size_t size)
{
	int fd = open(inside(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	MUST(fd >= 0);
	MUST(write(fd, data, size) == (ssize_t)size);
	close(fd);
}

static void remove_folder(void)
{
	static const char *const names[] = {"main", "again", "a.csv", "b.csv"};
	for (char name[2] = "1"; name[0] <= '0' + (int)MOST_FILES; name[0]++)
		unlink(inside(name));
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		unlink(inside(names[i]));
	rmdir(folder);
}

static void make_folder(void)
{
	char text[512];
	snprintf(folder, sizeof(folder), "/tmp/sahm-fuzz-XXXXXX");
	MUST(mkdtemp(folder));
	atexit(remove_folder);
	for (size_t i = 0; i < ARRAY_SIZE(traces); i++) {
		int len = snprintf(text, sizeof(text), trace_text, i ? "synthetic" : "recorded");
		write_file(traces[i], text, (size_t)len);
	}
}

/* Writes the parts after separators; returns the length of the first part. Files of the input before are emptied. */
static size_t split(const uint8_t *data, size_t size)
{
	static unsigned nr_written;
	unsigned nr = 0;
	char name[2] = "0";
	const uint8_t *end = data + size, *part = memchr(data, SEPARATOR, size);
	size_t first = part ? (size_t)(part - data) : size;
	while (part && nr < MOST_FILES) {
		const uint8_t *next = memchr(part + 1, SEPARATOR, (size_t)(end - part - 1));
		name[0] = (char)('0' + ++nr);
		write_file(name, part + 1, (size_t)((next ? next : end) - part - 1));
		part = next;
	}
	for (unsigned i = nr + 1; i <= nr_written; i++) {
		name[0] = (char)('0' + i);
		write_file(name, "", 0);
	}
	nr_written = nr;
	return first;
}

/* Every node of the main file stands on the line that it says: its name does. */
static void must_know_lines(const struct cfg_node *n, const char *file, const char *text, size_t len)
{
	for (const struct cfg_node *c = n->first; c; c = c->next) {
		MUST(c->line >= 1);
		if (c->name && strcmp(c->file, file) == 0) {
			const char *line = text, *end = text + len;
			for (unsigned i = 1; i < c->line; i++) {
				line = memchr(line, '\n', (size_t)(end - line));
				MUST(line++);
			}
			const char *eol = memchr(line, '\n', (size_t)(end - line));
			MUST(memmem(line, (size_t)((eol ? eol : end) - line), c->name, strlen(c->name)));
		}
		must_know_lines(c, file, text, len);
	}
}

static bool has_slash(const struct cfg_node *n)
{
	bool found = n->kind == CFG_STRING && strchr(n->value.string, '/');
	for (const struct cfg_node *c = n->first; c && !found; c = c->next)
		found = has_slash(c);
	return found;
}

/* The start of a run: written in full and read again it is the same. */
static void use_run(const void *text, size_t len)
{
	struct run_config config, again;
	struct textbuf first, second;
	struct sahm_err err;
	uint8_t hash[HASH_BYTES], hash_again[HASH_BYTES];
	write_file("main", text, len);
	enum sahm_status status = run_config_load(&config, inside("main"), NULL, 0, NULL, &err);
	if (status != SAHM_OK) {
		must_explain(&err, status, "");
		return;
	}
	textbuf_init(&first);
	textbuf_init(&second);
	run_config_write(&config, &first);
	run_config_hash(&config, hash);
	write_file("again", first.text, first.len);
	status = run_config_load(&again, inside("again"), NULL, 0, NULL, &err);
	if (status != SAHM_OK)
		fprintf(stderr, "%s:\n%s\n", err.msg, first.text);
	MUST(status == SAHM_OK);
	run_config_write(&again, &second);
	run_config_hash(&again, hash_again);
	MUST(memcmp(hash, hash_again, HASH_BYTES) == 0);
	MUST(strcmp(first.text, second.text) == 0);
	textbuf_release(&first);
	textbuf_release(&second);
	run_config_release(&config);
	run_config_release(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = {0};
	struct cfg_node *root = NULL;
	struct sahm_err err;
	char file[96];
	if (!*folder) {
		make_folder();
		close_stdin();
	}
	if (size == 0 || reaches_out((const char *)data, size))
		return 0;
	size_t len = split(data, size);
	snprintf(file, sizeof(file), "%s", inside("main"));
	enum sahm_status status = cfg_read_text(&a, file, (const char *)data, len, &root, &err);
	if (status != SAHM_OK) {
		MUST(status == SAHM_CONFIG || status == SAHM_IO);
		MUST(!root);
		must_explain(&err, status, folder);
		goto out;
	}
	MUST(!memchr(data, '\0', len));
	MUST(root->kind == CFG_GROUP && !root->name && !root->parent);
	use_links(root);
	must_know_lines(root, file, (const char *)data, len);
	use_writing(root);
	status = cfg_apply_units(root, "", config_keys, NR_CONFIG_KEYS, &err);
	if (status == SAHM_OK)
		status = cfg_check(root, config_keys, NR_CONFIG_KEYS, &err);
	if (status == SAHM_OK) {
		use_checked(root);
		if (!has_slash(root))
			use_run(data, len);
	} else {
		MUST(status == SAHM_CONFIG);
		must_explain(&err, status, folder);
	}
out:
	arena_release(&a);
	return 0;
}
