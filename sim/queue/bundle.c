/* Bundles that come from elsewhere: text that may be anything. */
#include "sim/queue/bundle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ipu/trust/signature.h"
#include "sim/base/array.h"
#include "sim/base/file.h"
#include "sim/base/strtable.h"
#include "sim/queue/bundle_internal.h"

/* The keys of a bundle, the section `bundle` after a sweep's configuration: KEY(symbol, path after "bundle.", kinds,
 * unit, default as written, min, max, help). */
#define BUNDLE_KEYS(KEY)                                                                                               \
	KEY(BUNDLE_KEY_FORMAT, "format", CFG_INT, "", "", 0, INT32_MAX, "version of this list, 1; required")           \
	KEY(BUNDLE_KEY_PROGRAM, "program", CFG_STRING, "", "", 0, 0, "the program that planned the runs; required")    \
	KEY(BUNDLE_KEY_NAME, "name", CFG_STRING, "", "", 0, 0, "name of the sweep; required")                          \
	KEY(BUNDLE_KEY_EVALUATOR, "evaluator", CFG_STRING, "", "", 0, 0,                                               \
	    "what is done with each point: run or limit; required")                                                    \
	KEY(BUNDLE_KEY_TIMEOUT, "timeout_s", CFG_INT, "s", "0", 0, MAX_TIMEOUT_S,                                      \
	    "how long a run can take before it has failed; 0: any time")                                               \
	KEY(BUNDLE_KEY_MEMORY, "memory_bytes", CFG_INT, "bytes", "0", 0, (double)MAX_MEMORY_BYTES,                     \
	    "memory that the process of a run can have before the run has failed; 0: any")                             \
	KEY(BUNDLE_KEY_FILES, "files", CFG_LIST, "", "", 0, 0, "files that the sweep reads")                           \
	KEY(BUNDLE_KEY_FILE, "files[]", CFG_GROUP, "", "", 0, 0, "one file")                                           \
	KEY(BUNDLE_KEY_FILE_NUMBER, "files[].number", CFG_INT, "", "", 0, MAX_BUNDLE_FILES - 1,                        \
	    "the folder that it stands in; required")                                                                  \
	KEY(BUNDLE_KEY_FILE_NAME, "files[].name", CFG_STRING, "", "", 0, 0, "its name there; required")                \
	KEY(BUNDLE_KEY_FILE_KIND, "files[].kind", CFG_STRING, "", "", 0, 0, "data, signature or plugin; required")     \
	KEY(BUNDLE_KEY_FILE_BYTES, "files[].bytes", CFG_INT, "bytes", "", 0, (double)MAX_BUNDLE_FILE_BYTES,            \
	    "its length; required")                                                                                    \
	KEY(BUNDLE_KEY_FILE_HASH, "files[].hash", CFG_STRING, "", "", 0, 0,                                            \
	    "hash of its bytes, in hexadecimal; required")

enum bundle_key { BUNDLE_KEYS(ROW_SYMBOL) NR_BUNDLE_KEYS };

static const struct cfg_key bundle_keys[] = {BUNDLE_KEYS(CFG_KEY_ROW)};

const char *const bundle_kind_names[] = {
	[BUNDLE_DATA] = "data", [BUNDLE_SIGNATURE] = "signature", [BUNDLE_PLUGIN] = "plugin", NULL};

static bool has_control(const char *text)
{
	for (const unsigned char *p = (const unsigned char *)text; *p; p++)
		if (*p < 0x20 || *p == 0x7f)
			return true;
	return false;
}

const char *bundle_name_fault(const char *name)
{
	if (!*name)
		return "it is empty";
	if (strlen(name) > MAX_BUNDLE_NAME)
		return "it is too long";
	if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
		return "it is that of a folder";
	if (strchr(name, '/'))
		return "it has a '/'";
	return has_control(name) ? "it has control characters" : NULL;
}

static enum sahm_status fail_large(const char *path, struct sahm_err *err)
{
	return sahm_fail(err, SAHM_RANGE,
			 "'%s' is larger than %llu MiB and cannot travel: compressed by zstd it may (traces can be "
			 ".zst), and a sweep "
			 "without --redis has no such limit",
			 path, (unsigned long long)(MAX_BUNDLE_FILE_BYTES >> 20));
}

enum sahm_status bundle_hash_file(const char *path, uint8_t hash[HASH_BYTES], uint64_t *bytes, struct sahm_err *err)
{
	enum sahm_status status = file_hash_regular(path, MAX_BUNDLE_FILE_BYTES, hash, bytes, err);
	return status == SAHM_RANGE ? fail_large(path, err) : status;
}

enum sahm_status bundle_check_spec(const char *path, enum sahm_status status, struct sahm_err *err)
{
	struct arena a = {0};
	struct cfg_node *root;
	struct sahm_err cause;
	char *text;
	size_t len;
	enum sahm_status read = file_read_regular(path, MAX_CFG_BYTES, &text, &len, err);
	if (read != SAHM_OK)
		return read;
	/* Without a file's name nothing can be included. */
	read = cfg_read_text(&a, NULL, text, len, &root, &cause);
	free(text);
	arena_release(&a);
	if (read == SAHM_NOMEM)
		return sahm_fail_nomem(err);
	return read == SAHM_OK ? SAHM_OK : sahm_fail(err, status, "ABI spec '%s' cannot travel: %s", path, cause.msg);
}

struct bundle_reading {
	struct bundle *b;
	struct cfg_node *section;
	struct strtable names; /* "NUMBER/NAME" of files: 1 + index in files */
	struct arena scratch;
	struct sahm_err *err;
};

#define FORMAT_FAIL(r, ...) sahm_fail((r)->err, SAHM_FORMAT, "this is no good bundle: " __VA_ARGS__)

/* The reader's complaint about the text; running out of memory is a different error. */
static enum sahm_status fail_of(struct bundle_reading *r, enum sahm_status status, const struct sahm_err *cause)
{
	return status == SAHM_NOMEM ? sahm_fail_nomem(r->err) : FORMAT_FAIL(r, "%s", cause->msg);
}

static enum sahm_status fail_missing(struct bundle_reading *r, enum bundle_key key)
{
	return FORMAT_FAIL(r, "missing key 'bundle.%s'", bundle_keys[key].path);
}

static enum sahm_status read_string(struct bundle_reading *r, const struct cfg_node *group, enum bundle_key key,
				    const char **value)
{
	const struct cfg_node *node = cfg_member(group, &bundle_keys[key]);
	if (!node)
		return fail_missing(r, key);
	*value = node->value.string;
	if (strlen(*value) > MAX_BUNDLE_NAME || has_control(*value))
		return FORMAT_FAIL(r, "'bundle.%s' is longer than %u bytes, or has control characters",
				   bundle_keys[key].path, MAX_BUNDLE_NAME);
	return SAHM_OK;
}

static enum sahm_status read_number(struct bundle_reading *r, const struct cfg_node *group, enum bundle_key key,
				    uint64_t *value)
{
	struct sahm_err cause;
	double number;
	if (!*bundle_keys[key].default_value && !cfg_member(group, &bundle_keys[key]))
		return fail_missing(r, key);
	enum sahm_status status = cfg_number(group, &bundle_keys[key], &number, &cause);
	if (status != SAHM_OK)
		return fail_of(r, status, &cause);
	*value = (uint64_t)number;
	return SAHM_OK;
}

/* Index of a word in `names` (NULL at the end). */
static enum sahm_status read_word(struct bundle_reading *r, const struct cfg_node *group, enum bundle_key key,
				  const char *const *names, unsigned *index)
{
	const char *word;
	enum sahm_status status = read_string(r, group, key, &word);
	if (status != SAHM_OK)
		return status;
	for (*index = 0; names[*index]; (*index)++)
		if (strcmp(names[*index], word) == 0)
			return SAHM_OK;
	return FORMAT_FAIL(r, "unknown %s '%.60s'", bundle_keys[key].path, word);
}

/* Only lower-case hexadecimal, so that a hash has one spelling. */
static bool hash_of_hex(const char *text, uint8_t hash[HASH_BYTES])
{
	if (strlen(text) != 2 * HASH_BYTES || strspn(text, "0123456789abcdef") != 2 * HASH_BYTES)
		return false;
	for (size_t i = 0; i < HASH_BYTES; i++) {
		const char pair[3] = {text[2 * i], text[2 * i + 1], '\0'};
		hash[i] = (uint8_t)strtoul(pair, NULL, 16);
	}
	return true;
}

static uint32_t *row_of(struct bundle_reading *r, uint32_t number, const char *name, size_t len)
{
	char key[16 + MAX_BUNDLE_NAME + 1];
	snprintf(key, sizeof(key), "%u/%.*s", number, (int)len, name);
	return strtable_at(&r->names, key);
}

static enum sahm_status read_file(struct bundle_reading *r, const struct cfg_node *node)
{
	struct bundle_file *file = &r->b->files[r->b->nr_files];
	const char *hex = NULL;
	uint64_t number = 0;
	unsigned kind = 0;
	enum sahm_status status = read_number(r, node, BUNDLE_KEY_FILE_NUMBER, &number);
	if (status == SAHM_OK)
		status = read_number(r, node, BUNDLE_KEY_FILE_BYTES, &file->bytes);
	if (status == SAHM_OK)
		status = read_word(r, node, BUNDLE_KEY_FILE_KIND, bundle_kind_names, &kind);
	if (status == SAHM_OK)
		status = read_string(r, node, BUNDLE_KEY_FILE_NAME, &file->name);
	if (status == SAHM_OK)
		status = read_string(r, node, BUNDLE_KEY_FILE_HASH, &hex);
	if (status != SAHM_OK)
		return status;
	const char *fault = bundle_name_fault(file->name);
	if (fault)
		return FORMAT_FAIL(r, "file name '%.60s': %s", file->name, fault);
	if (!hash_of_hex(hex, file->hash))
		return FORMAT_FAIL(r, "hash '%.70s' of file '%.60s' is not %u lower-case hexadecimal digits", hex,
				   file->name, 2 * HASH_BYTES);
	file->number = (uint32_t)number;
	file->kind = (enum bundle_file_kind)kind;
	uint32_t *row = row_of(r, file->number, file->name, strlen(file->name));
	if (!row)
		return sahm_fail_nomem(r->err);
	if (*row)
		return FORMAT_FAIL(r, "file '%u/%.60s' is there twice", file->number, file->name);
	*row = ++r->b->nr_files;
	return SAHM_OK;
}

/* A signature without its image would be a file that nothing names. */
static enum sahm_status check_partner(struct bundle_reading *r, const struct bundle_file *file)
{
	const size_t len = strlen(file->name), ending = strlen(SIGNATURE_ENDING);
	if (file->kind != BUNDLE_SIGNATURE)
		return SAHM_OK;
	bool ends_so = len > ending && strcmp(file->name + len - ending, SIGNATURE_ENDING) == 0;
	const uint32_t *row = ends_so ? row_of(r, file->number, file->name, len - ending) : NULL;
	if (ends_so && !row)
		return sahm_fail_nomem(r->err);
	if (row && *row && r->b->files[*row - 1].kind == BUNDLE_DATA)
		return SAHM_OK;
	return FORMAT_FAIL(r, "signature '%u/%.60s' has no image", file->number, file->name);
}

static enum sahm_status read_files(struct bundle_reading *r)
{
	const struct cfg_node *files = cfg_member(r->section, &bundle_keys[BUNDLE_KEY_FILES]);
	const uint32_t nr = files ? files->nr_children : 0;
	enum sahm_status status = SAHM_OK;
	if (nr > MAX_BUNDLE_FILES)
		return FORMAT_FAIL(r, "it has %u files, must be at most %u", nr, MAX_BUNDLE_FILES);
	r->b->files = arena_alloc(&r->b->arena, nr, sizeof(*r->b->files));
	if (!r->b->files)
		return sahm_fail_nomem(r->err);
	for (const struct cfg_node *n = files ? files->first : NULL; n && status == SAHM_OK; n = n->next)
		status = read_file(r, n);
	for (uint32_t i = 0; i < nr && status == SAHM_OK; i++)
		status = check_partner(r, &r->b->files[i]);
	return status;
}

static enum sahm_status read_section(struct bundle_reading *r)
{
	struct bundle *b = r->b;
	uint64_t format = 0, timeout_s = 0;
	unsigned evaluator = 0;
	enum sahm_status status = read_number(r, r->section, BUNDLE_KEY_FORMAT, &format);
	if (status == SAHM_OK && format != BUNDLE_FORMAT)
		return FORMAT_FAIL(r, "its format is %llu, this program has %u", (unsigned long long)format,
				   BUNDLE_FORMAT);
	if (status == SAHM_OK)
		status = read_string(r, r->section, BUNDLE_KEY_PROGRAM, &b->program);
	if (status == SAHM_OK)
		status = read_string(r, r->section, BUNDLE_KEY_NAME, &b->name);
	if (status == SAHM_OK)
		status = read_word(r, r->section, BUNDLE_KEY_EVALUATOR, evaluator_names, &evaluator);
	if (status == SAHM_OK)
		status = read_number(r, r->section, BUNDLE_KEY_TIMEOUT, &timeout_s);
	if (status == SAHM_OK)
		status = read_number(r, r->section, BUNDLE_KEY_MEMORY, &b->memory_bytes);
	b->evaluator = (enum evaluator)evaluator;
	b->timeout_s = (unsigned)timeout_s;
	return status == SAHM_OK ? read_files(r) : status;
}

/* Axes are read when the bundle is opened, which opens nothing but, unless it is refused here, tables of costs. */
static enum sahm_status check_axes(struct bundle_reading *r, const struct cfg_node *sweep)
{
	const struct cfg_node *axes = cfg_member(sweep, &space_keys[SPACE_AXES]);
	for (const struct cfg_node *n = axes ? axes->first : NULL; n; n = n->next)
		if (cfg_member(n, &space_keys[SPACE_COSTS]))
			return FORMAT_FAIL(r, "an axis names a table of costs");
	return SAHM_OK;
}

static enum sahm_status read_text(struct bundle_reading *r)
{
	struct cfg_node *root = NULL;
	struct sahm_err cause;
	/* Without a file's name nothing can be included. */
	enum sahm_status status = cfg_read_text(&r->b->arena, NULL, r->b->text, r->b->len, &root, &cause);
	if (status != SAHM_OK)
		return fail_of(r, status, &cause);
	r->section = cfg_take(root, BUNDLE_SECTION);
	const struct cfg_node *sweep = cfg_take(root, config_keys[KEY_SWEEP].path);
	if (!r->section || r->section->kind != CFG_GROUP)
		return FORMAT_FAIL(r, "it has no section 'bundle'");
	if (!sweep || sweep->kind != CFG_GROUP)
		return FORMAT_FAIL(r, "it has no section 'sweep'");
	status = cfg_check(root, config_keys, NR_CONFIG_KEYS, &cause);
	if (status == SAHM_OK)
		status = cfg_check(r->section, bundle_keys, NR_BUNDLE_KEYS, &cause);
	if (status != SAHM_OK)
		return fail_of(r, status, &cause);
	status = read_section(r);
	return status == SAHM_OK ? check_axes(r, sweep) : status;
}

enum sahm_status bundle_read(struct bundle *b, const char *text, size_t len, const uint8_t hash[HASH_BYTES],
			     struct sahm_err *err)
{
	struct bundle_reading r = {.b = b, .err = err};
	struct hash h;
	if (len > MAX_BUNDLE_BYTES)
		return FORMAT_FAIL(&r, "it has %zu bytes, must be at most %llu", len,
				   (unsigned long long)MAX_BUNDLE_BYTES);
	*b = (struct bundle){.len = len};
	hash_init(&h);
	hash_add(&h, text, len);
	hash_end(&h, b->hash);
	if (memcmp(b->hash, hash, HASH_BYTES) != 0)
		return sahm_fail(err, SAHM_CHECKSUM, "a bundle does not have the hash that it is known by");
	if (memchr(text, '\0', len))
		return FORMAT_FAIL(&r, "it has a NUL");
	b->text = arena_strndup(&b->arena, text, len);
	strtable_init(&r.names, &r.scratch);
	enum sahm_status status = b->text ? read_text(&r) : sahm_fail_nomem(err);
	arena_release(&r.scratch);
	if (status != SAHM_OK)
		bundle_release(b);
	return status;
}

void bundle_release(struct bundle *b)
{
	arena_release(&b->arena);
	*b = (struct bundle){0};
}
