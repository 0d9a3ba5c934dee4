/* Bundles: the input is the text of one, with the right hash; readable bundles are opened in an empty folder. */
#include <stdlib.h>

#include "sim/base/file.h"
#include "sim/queue/bundle.h"
#include "tests/fuzz/fuzz.h"

static void use_files(const struct bundle *b)
{
	for (uint32_t i = 0; i < b->nr_files; i++) {
		const struct bundle_file *f = &b->files[i];
		MUST(f->kind == BUNDLE_DATA || f->kind == BUNDLE_SIGNATURE || f->kind == BUNDLE_PLUGIN);
		MUST(f->number < MAX_BUNDLE_FILES && f->bytes <= MAX_BUNDLE_FILE_BYTES && !f->path);
		MUST(*f->name && strlen(f->name) <= MAX_BUNDLE_NAME && !strchr(f->name, '/'));
		MUST(strcmp(f->name, ".") != 0 && strcmp(f->name, "..") != 0);
		for (const unsigned char *p = (const unsigned char *)f->name; *p; p++)
			MUST(*p >= 0x20 && *p != 0x7f);
		bool has_image = false;
		for (uint32_t k = 0; k < b->nr_files; k++) {
			const struct bundle_file *g = &b->files[k];
			MUST(i == k || f->number != g->number || strcmp(f->name, g->name) != 0);
			has_image |= g->kind == BUNDLE_DATA && g->number == f->number &&
				     strncmp(f->name, g->name, strlen(g->name)) == 0 &&
				     strcmp(f->name + strlen(g->name), ".sig") == 0;
		}
		MUST(has_image || f->kind != BUNDLE_SIGNATURE);
	}
}

/* A configuration can name only files of the folder, which is empty. */
static bool names_other_file(const struct cfg_node *n)
{
	if (n->kind == CFG_STRING && n->value.string[0] == '/')
		return true;
	for (const struct cfg_node *c = n->first; c; c = c->next)
		if (names_other_file(c))
			return true;
	return false;
}

static void open_in_folder(const struct bundle *b)
{
	char folder[] = "/tmp/sahm-fuzz-XXXXXX", config[64];
	const struct bundle_host host = {.trust = "/nowhere/trust.cfg"};
	struct sweep sweep;
	struct sahm_err err;
	MUST(mkdtemp(folder));
	snprintf(config, sizeof(config), "%s/" BUNDLE_CONFIG, folder);
	MUST(file_write(config, b->text, b->len, &err) == SAHM_OK);
	enum sahm_status status = bundle_open(&sweep, b, folder, &host, &err);
	if (status == SAHM_OK) {
		const struct cfg_node *traces = cfg_child(cfg_child(sweep.base, "workload"), "traces");
		MUST(sweep.evaluator == b->evaluator && strcmp(sweep.name, b->name) == 0);
		MUST(!traces || !names_other_file(traces));
		sweep_release(&sweep);
	} else {
		must_explain(&err, status, "");
	}
	MUST(remove(config) == 0 && remove(folder) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t hash[HASH_BYTES];
	struct sahm_err err;
	struct bundle b;
	struct hash h;
	hash_init(&h);
	hash_add(&h, data, size);
	hash_end(&h, hash);
	enum sahm_status status = bundle_read(&b, (const char *)data, size, hash, &err);
	if (status == SAHM_OK) {
		MUST(b.len == size && memcmp(b.text, data, size) == 0);
		MUST(strlen(b.program) <= MAX_BUNDLE_NAME && strlen(b.name) <= MAX_BUNDLE_NAME);
		MUST(evaluator_names[b.evaluator] && b.timeout_s <= MAX_TIMEOUT_S);
		if (b.nr_files <= 64)
			use_files(&b);
		open_in_folder(&b);
		bundle_release(&b);
	} else {
		MUST(status == SAHM_FORMAT);
		must_explain(&err, status, "");
	}
	hash[0] ^= 1;
	MUST(bundle_read(&b, (const char *)data, size, hash, &err) ==
	     (size > MAX_BUNDLE_BYTES ? SAHM_FORMAT : SAHM_CHECKSUM));
	return 0;
}
