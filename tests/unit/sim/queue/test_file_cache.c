/* Files by their hashes: complete or not there, verified, no more than there is room for. */
#include "sim/base/array.h"
#include "sim/queue/file_cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/sim/queue/made_bundle.h"

#define DAY_S (24 * 3600)

/* A folder of each test's own. */
static char root[600];

static int begin(void **state)
{
	static unsigned nr;
	(void)state;
	snprintf(root, sizeof(root), "%s/%u/deeper/cache", own_folder, nr++);
	return 0;
}

static const char *in_root(const char *name)
{
	static char paths[8][800];
	static unsigned next;
	char *path = paths[next++ % 8];
	snprintf(path, sizeof(paths[0]), "%s/%s", root, name);
	return path;
}

static struct file_cache *open_root(uint64_t most)
{
	struct file_cache *cache = NULL;
	struct sahm_err err;
	must(file_cache_open(&cache, root, most, &err), &err);
	return cache;
}

static const char *path_of(const uint8_t hash[HASH_BYTES])
{
	char name[80], text[HASH_HEX_BYTES];
	hash_hex(hash, text);
	snprintf(name, sizeof(name), "files/%s", text);
	return in_root(name);
}

static bool exists(const char *path)
{
	struct stat st;
	return lstat(path, &st) == 0;
}

static void make_older(const char *path, time_t by)
{
	struct stat st;
	assert_int_equal(stat(path, &st), 0);
	const struct timespec times[2] = {st.st_atim, {st.st_mtim.tv_sec - by, st.st_mtim.tv_nsec}};
	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

/* Puts `len` times the letter. */
static void put_letters(struct file_cache *cache, char letter, size_t len, uint8_t hash[HASH_BYTES])
{
	char *bytes = malloc(len + 1);
	struct sahm_err err;
	assert_non_null(bytes);
	memset(bytes, letter, len);
	hash_of(bytes, len, hash);
	must(put_bytes(cache, hash, bytes, len, &err), &err);
	free(bytes);
}

static unsigned count_in(const char *folder)
{
	DIR *dir = opendir(folder);
	unsigned nr = 0;
	assert_non_null(dir);
	while (readdir(dir))
		nr++;
	closedir(dir);
	return nr - 2;
}

static void test_arrival(void **state)
{
	struct file_cache *cache = open_root(1000);
	struct arriving_file *file;
	struct sahm_err err = {0};
	struct stat st;
	uint8_t hash[HASH_BYTES], other[HASH_BYTES];
	(void)state;
	assert_int_equal(stat(root, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
	hash_of("twelve bytes", 12, hash);
	hash_of("", 0, other);
	assert_false(file_cache_has(cache, hash, 12));
	must(file_cache_begin(cache, hash, 12, &file, &err), &err);
	must(arriving_file_add(file, "twelve", 6, &err), &err);
	assert_false(file_cache_has(cache, hash, 12));
	assert_false(exists(path_of(hash)));
	must(arriving_file_add(file, " bytes", 6, &err), &err);
	must(arriving_file_end(file, &err), &err);
	assert_true(file_cache_has(cache, hash, 12));
	/* Who announces another length does not cost anybody the file. */
	assert_false(file_cache_has(cache, hash, 11));
	assert_true(file_cache_has(cache, hash, 12));
	must(put_bytes(cache, other, "", 0, &err), &err);
	assert_true(file_cache_has(cache, other, 0));
	assert_int_equal(count_in(in_root("files")), 2);
	file_cache_free(cache);
}

static void test_other_than_announced(void **state)
{
	struct file_cache *cache = open_root(1000);
	struct arriving_file *file;
	struct sahm_err err = {0};
	uint8_t hash[HASH_BYTES];
	(void)state;
	hash_of("abc", 3, hash);
	assert_int_equal(put_bytes(cache, hash, "abd", 3, &err), SAHM_CHECKSUM);
	assert_non_null(strstr(err.msg, "is not the one that was announced"));
	must(file_cache_begin(cache, hash, 4, &file, &err), &err);
	must(arriving_file_add(file, "abc", 3, &err), &err);
	assert_int_equal(arriving_file_end(file, &err), SAHM_CHECKSUM);
	must(file_cache_begin(cache, hash, 2, &file, &err), &err);
	assert_int_equal(arriving_file_add(file, "abc", 3, &err), SAHM_CHECKSUM);
	arriving_file_abort(file);
	arriving_file_abort(NULL);
	assert_int_equal(count_in(in_root("files")), 0);
	file_cache_free(cache);
}

/* Files on disk are verified again by every process; what is wrong, or no file, goes. */
static void test_verified(void **state)
{
	struct file_cache *cache = open_root(1000);
	uint8_t hash[HASH_BYTES];
	struct stat st;
	(void)state;
	put_letters(cache, 'x', 10, hash);
	const char *path = path_of(hash);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0400);
	file_cache_free(cache);
	assert_int_equal(unlink(path), 0);
	put_text(path, "xxxxxxxxxy");
	cache = open_root(1000);
	assert_false(file_cache_has(cache, hash, 10));
	assert_false(exists(path));
	put_letters(cache, 'x', 10, hash);
	assert_true(file_cache_has(cache, hash, 10));
	/* A link, even to the right bytes. */
	assert_int_equal(unlink(path), 0);
	put_text(in_own("planted"), "xxxxxxxxxx");
	assert_int_equal(symlink(in_own("planted"), path), 0);
	assert_false(file_cache_has(cache, hash, 10));
	assert_false(exists(path));
	assert_true(exists(in_own("planted")));
	assert_int_equal(mkdir(path, 0700), 0);
	assert_false(file_cache_has(cache, hash, 10));
	assert_int_equal(mkfifo(path, 0600) == 0 || exists(path), 1);
	assert_false(file_cache_has(cache, hash, 10));
	put_letters(cache, 'x', 10, hash);
	assert_true(file_cache_has(cache, hash, 10));
	file_cache_free(cache);
}

static void test_room(void **state)
{
	struct file_cache *cache = open_root(1000);
	struct arriving_file *file;
	struct sahm_err err = {0};
	uint8_t a[HASH_BYTES], b[HASH_BYTES], c[HASH_BYTES], d[HASH_BYTES];
	(void)state;
	put_letters(cache, 'a', 400, a);
	put_letters(cache, 'b', 400, b);
	put_letters(cache, 'c', 200, c);
	/* One byte is one too many while all are in use. */
	hash_of("d", 1, d);
	assert_int_equal(put_bytes(cache, d, "d", 1, &err), SAHM_RANGE);
	assert_non_null(strstr(err.msg, "no room for 1 bytes"));
	assert_non_null(strstr(err.msg, "1000 of 1000 are used"));
	assert_int_equal(file_cache_begin(cache, a, 1001, &file, &err), SAHM_RANGE);
	assert_int_equal(file_cache_begin(cache, a, MAX_BUNDLE_FILE_BYTES + 1, &file, &err), SAHM_RANGE);
	/* A day is not over yet. */
	make_older(path_of(a), DAY_S - 100);
	make_older(path_of(b), DAY_S - 200);
	assert_int_equal(put_bytes(cache, d, "d", 1, &err), SAHM_RANGE);
	assert_true(exists(path_of(a)) && exists(path_of(b)));
	/* The least recently used go first, and no more than needed. */
	make_older(path_of(a), 200);
	make_older(path_of(b), 400);
	put_letters(cache, 'd', 1, d);
	assert_true(exists(path_of(a)) && !exists(path_of(b)) && exists(path_of(c)) && exists(path_of(d)));
	/* A use makes it recent again. */
	assert_true(file_cache_has(cache, a, 400));
	make_older(path_of(c), DAY_S + 100);
	put_letters(cache, 'e', 450, b);
	assert_true(exists(path_of(a)) && !exists(path_of(c)));
	file_cache_free(cache);
	/* Another process counts what is there. */
	cache = open_root(852);
	assert_int_equal(put_bytes(cache, c, "cc", 2, &err), SAHM_RANGE);
	file_cache_free(cache);
}

/* Remains of a dead process are removed after an hour; what is being made counts. */
static void test_left_behind(void **state)
{
	struct file_cache *cache = open_root(1000);
	struct arriving_file *file;
	struct sahm_err err = {0};
	uint8_t hash[HASH_BYTES];
	char name[64];
	(void)state;
	hash_of("x", 1, hash);
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		if (file_cache_begin(cache, hash, 700, &file, NULL) == SAHM_OK)
			_exit(mkdir(in_root("bundles/.making-1-1"), 0700) == 0 &&
					      mkdir(in_root("bundles/.making-1-1/0"), 0700) == 0 &&
					      mkfifo(in_root("bundles/.making-1-1/0/f"), 0600) == 0
				      ? 0
				      : 1);
		_exit(1);
	}
	int status;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	file_cache_free(cache);
	cache = open_root(1000);
	assert_int_equal(count_in(in_root("files")), 1);
	assert_int_equal(file_cache_begin(cache, hash, 301, &file, &err), SAHM_RANGE);
	file_cache_free(cache);
	snprintf(name, sizeof(name), "files/.making-%ld-0", (long)pid);
	make_older(in_root(name), 3700);
	make_older(in_root("bundles/.making-1-1"), 3500);
	cache = open_root(1000);
	assert_int_equal(count_in(in_root("files")), 0);
	assert_int_equal(count_in(in_root("bundles")), 1);
	make_older(in_root("bundles/.making-1-1"), 200);
	file_cache_free(cache);
	cache = open_root(1000);
	assert_int_equal(count_in(in_root("bundles")), 0);
	must(file_cache_begin(cache, hash, 1000, &file, &err), &err);
	arriving_file_abort(file);
	assert_int_equal(count_in(in_root("files")), 0);
	/* What was given up leaves its room. */
	must(file_cache_begin(cache, hash, 1000, &file, &err), &err);
	arriving_file_abort(file);
	file_cache_free(cache);
}

/* A bundle of two files, the second of which comes twice, and a plug-in if that is wanted. */
static void make_small_bundle(struct bundle *b, const char *text, bool plugin)
{
	static const struct {
		enum bundle_file_kind kind;
		uint32_t number;
		const char *name, *bytes;
	} rows[] = {{BUNDLE_DATA, 0, "one", "first"},
		    {BUNDLE_DATA, 7, "two", "second"},
		    {BUNDLE_SIGNATURE, 7, "two.sig", "second"},
		    {BUNDLE_PLUGIN, 8, "p.so", "code"}};
	const uint32_t nr = plugin ? 4 : 3;
	*b = (struct bundle){.text = text, .len = strlen(text), .nr_files = nr};
	hash_of(text, strlen(text), b->hash);
	b->files = arena_alloc(&b->arena, nr, sizeof(*b->files));
	assert_non_null(b->files);
	for (uint32_t i = 0; i < nr; i++) {
		struct bundle_file *f = &b->files[i];
		*f = (struct bundle_file){.kind = rows[i].kind,
					  .number = rows[i].number,
					  .name = rows[i].name,
					  .bytes = strlen(rows[i].bytes)};
		hash_of(rows[i].bytes, strlen(rows[i].bytes), f->hash);
	}
}

static void put_small_files(struct file_cache *cache, const struct bundle *b)
{
	struct sahm_err err;
	must(put_bytes(cache, b->files[0].hash, "first", 5, &err), &err);
	must(put_bytes(cache, b->files[1].hash, "second", 6, &err), &err);
}

static void assert_holds(const char *folder, const char *name, const char *bytes)
{
	char path[1000];
	struct stat st;
	struct sahm_err err;
	char *text;
	size_t len;
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	assert_int_equal(lstat(path, &st), 0);
	assert_true(S_ISREG(st.st_mode));
	must(file_read(path, 1000, &text, &len, &err), &err);
	assert_string_equal(text, bytes);
	free(text);
}

static void assert_placed(const char *folder)
{
	char *real = realpath(folder, NULL);
	assert_non_null(real);
	assert_string_equal(real, folder);
	free(real);
	assert_holds(folder, "sweep.cfg", "the text");
	assert_holds(folder, "0/one", "first");
	assert_holds(folder, "7/two", "second");
	assert_holds(folder, "7/two.sig", "second");
}

static char *place(struct file_cache *cache, const struct bundle *b)
{
	struct textbuf folder;
	struct sahm_err err = {0};
	textbuf_init(&folder);
	must(file_cache_place(cache, b, &folder, &err), &err);
	return textbuf_detach(&folder);
}

static void test_place(void **state)
{
	struct file_cache *cache = open_root(1000), *other;
	struct textbuf folder;
	struct sahm_err err = {0};
	struct bundle b;
	(void)state;
	textbuf_init(&folder);
	make_small_bundle(&b, "the text", false);
	assert_int_equal(file_cache_place(cache, &b, &folder, &err), SAHM_IO);
	assert_non_null(strstr(err.msg, "file 'one' of a bundle is not in"));
	assert_int_equal(folder.len, 0);
	assert_int_equal(count_in(in_root("bundles")), 0);
	put_small_files(cache, &b);
	char *first = place(cache, &b), *second = place(cache, &b);
	assert_string_equal(first, second);
	assert_placed(first);
	assert_int_equal(count_in(in_root("bundles")), 1);
	other = open_root(1000);
	char *third = place(other, &b);
	assert_string_equal(first, third);
	/* Changes to the folder are undone by the next process. */
	static const struct {
		const char *name, *remove, *make;
	} rows[] = {
		{"another text", "sweep.cfg", "printf 'the test' > sweep.cfg"},
		{"no text", "sweep.cfg", "true"},
		{"a link to the text", "sweep.cfg", "printf 'the text' > ../../t && ln -s ../../t sweep.cfg"},
		{"other bytes", "0/one", "printf 'First' > 0/one"},
		{"a link to a file", "0/one", "printf first > ../../f && ln -s ../../../f 0/one"},
		{"a link to a folder", "7", "mkdir ../../7 && printf second > ../../7/two && ln -s ../../7 7"},
		{"no file", "7/two.sig", "true"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char command[2000];
		snprintf(command, sizeof(command), "cd '%s' && rm -r %s && %s", first, rows[i].remove, rows[i].make);
		assert_int_equal(system(command), 0);
		file_cache_free(other);
		other = open_root(1000);
		char *again = place(other, &b);
		assert_placed(again);
		free(again);
	}
	file_cache_free(other);
	file_cache_free(cache);
	bundle_release(&b);
	textbuf_release(&folder);
	free(first);
	free(second);
	free(third);
}

static void test_plugin(void **state)
{
	struct file_cache *cache = open_root(1000);
	struct textbuf folder;
	struct sahm_err err = {0};
	uint8_t hash[HASH_BYTES];
	struct bundle b;
	char hex[HASH_HEX_BYTES];
	(void)state;
	textbuf_init(&folder);
	make_small_bundle(&b, "the text", true);
	put_small_files(cache, &b);
	put_text(in_own("own.so"), "code");
	assert_int_equal(file_cache_place(cache, &b, &folder, &err), SAHM_CONFIG);
	hash_hex(b.files[3].hash, hex);
	assert_non_null(strstr(err.msg, "needs the plug-in 'p.so' with the hash"));
	assert_non_null(strstr(err.msg, hex));
	assert_int_equal(file_cache_add_plugin(cache, in_own("nowhere.so"), hash, &err), SAHM_IO);
	must(file_cache_add_plugin(cache, in_own("own.so"), hash, &err), &err);
	assert_memory_equal(hash, b.files[3].hash, HASH_BYTES);
	char *first = place(cache, &b);
	assert_placed(first);
	assert_holds(first, "8/p.so", "code");
	/* It is a copy: rebuilding the plug-in changes nothing there. */
	put_text(in_own("own.so"), "edoc");
	assert_holds(first, "8/p.so", "code");
	file_cache_free(cache);
	/* A process that does not know of it does not use files that others have put there. */
	cache = open_root(1000);
	assert_int_equal(file_cache_place(cache, &b, &folder, &err), SAHM_CONFIG);
	must(file_cache_add_plugin(cache, in_own("own.so"), hash, &err), &err);
	assert_int_equal(file_cache_place(cache, &b, &folder, &err), SAHM_CONFIG);
	file_cache_free(cache);
	bundle_release(&b);
	textbuf_release(&folder);
	free(first);
}

/* One that was changed after it was announced. */
static void test_changed_plugin(void **state)
{
	struct file_cache *cache = open_root(1000);
	struct textbuf folder;
	struct sahm_err err = {0};
	uint8_t hash[HASH_BYTES];
	struct bundle b;
	(void)state;
	textbuf_init(&folder);
	make_small_bundle(&b, "the text", true);
	put_small_files(cache, &b);
	put_text(in_own("own.so"), "code");
	must(file_cache_add_plugin(cache, in_own("own.so"), hash, &err), &err);
	put_text(in_own("own.so"), "cods");
	assert_int_equal(file_cache_place(cache, &b, &folder, &err), SAHM_IO);
	assert_non_null(strstr(err.msg, "own.so' is not what it was"));
	assert_int_equal(count_in(in_root("bundles")), 0);
	file_cache_free(cache);
	bundle_release(&b);
	textbuf_release(&folder);
}

/* The folder of a bundle stays while anybody has it, and its files with it. */
static void test_old_bundles(void **state)
{
	struct file_cache *user = open_root(1000), *cache;
	struct sahm_err err = {0};
	uint8_t hash[HASH_BYTES];
	struct bundle b;
	(void)state;
	make_small_bundle(&b, "the text", false);
	put_small_files(user, &b);
	char *folder = place(user, &b);
	make_older(folder, DAY_S + 100);
	make_older(path_of(b.files[0].hash), DAY_S + 100);
	make_older(path_of(b.files[1].hash), DAY_S + 100);
	cache = open_root(1000);
	hash_of("x", 1, hash);
	struct arriving_file *file;
	assert_int_equal(file_cache_begin(cache, hash, 990, &file, &err), SAHM_RANGE);
	assert_placed(folder);
	/* 8 bytes of text, 5 and 6 of files: 981 are left. */
	assert_int_equal(file_cache_begin(cache, hash, 982, &file, &err), SAHM_RANGE);
	must(file_cache_begin(cache, hash, 981, &file, &err), &err);
	arriving_file_abort(file);
	file_cache_free(user);
	must(file_cache_begin(cache, hash, 990, &file, &err), &err);
	arriving_file_abort(file);
	assert_false(exists(folder));
	assert_int_equal(count_in(in_root("bundles")), 0);
	file_cache_free(cache);
	bundle_release(&b);
	free(folder);
}

/* Several processes at once put the same files and place the same bundle. */
static void test_together(void **state)
{
	pid_t pids[6];
	const unsigned nr = ARRAY_SIZE(pids);
	struct bundle b;
	(void)state;
	make_small_bundle(&b, "the text", false);
	for (unsigned i = 0; i < nr; i++) {
		pids[i] = fork();
		assert_true(pids[i] >= 0);
		if (pids[i] != 0)
			continue;
		struct file_cache *cache = NULL;
		struct textbuf folder;
		bool fine = file_cache_open(&cache, root, 1000, NULL) == SAHM_OK;
		textbuf_init(&folder);
		for (unsigned round = 0; round < 50 && fine; round++) {
			fine = put_bytes(cache, b.files[0].hash, "first", 5, NULL) == SAHM_OK &&
			       put_bytes(cache, b.files[1].hash, "second", 6, NULL) == SAHM_OK &&
			       file_cache_place(cache, &b, &folder, NULL) == SAHM_OK;
		}
		textbuf_release(&folder);
		file_cache_free(cache);
		bundle_release(&b);
		_exit(fine ? 0 : 1);
	}
	for (unsigned i = 0; i < nr; i++) {
		int status;
		assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
		assert_int_equal(status, 0);
	}
	struct file_cache *cache = open_root(1000);
	char *folder = place(cache, &b);
	assert_placed(folder);
	assert_int_equal(count_in(in_root("files")), 2);
	assert_int_equal(count_in(in_root("bundles")), 1);
	free(folder);
	file_cache_free(cache);
	bundle_release(&b);
}

static void test_folders(void **state)
{
	struct file_cache *cache = NULL;
	struct sahm_err err = {0};
	struct textbuf b;
	(void)state;
	put_text(in_own("plain"), "x");
	assert_int_equal(file_cache_open(&cache, in_own("plain/cache"), 1000, &err), SAHM_IO);
	assert_int_equal(file_cache_open(&cache, in_own("plain"), 1000, &err), SAHM_IO);
	assert_null(cache);
	/* A link in the place of what has the files leads elsewhere. */
	cache = open_root(1000);
	file_cache_free(cache);
	assert_int_equal(rmdir(in_root("files")), 0);
	assert_int_equal(symlink(own_folder, in_root("files")), 0);
	cache = NULL;
	assert_int_equal(file_cache_open(&cache, root, 1000, &err), SAHM_IO);
	assert_null(cache);
	file_cache_free(NULL);
	static const struct {
		const char *name, *xdg, *home, *folder;
	} rows[] = {
		{"a folder for caches", "/x/y", "/home/me", "/x/y/sahm"},
		{"none", NULL, "/home/me", "/home/me/.cache/sahm"},
		{"an empty one", "", "/home/me", "/home/me/.cache/sahm"},
		{"a relative one", "x", "/home/me", "/home/me/.cache/sahm"},
		{"neither", NULL, NULL, ""},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		assert_int_equal(rows[i].xdg ? setenv("XDG_CACHE_HOME", rows[i].xdg, 1) : unsetenv("XDG_CACHE_HOME"),
				 0);
		assert_int_equal(rows[i].home ? setenv("HOME", rows[i].home, 1) : unsetenv("HOME"), 0);
		textbuf_init(&b);
		file_cache_default(&b);
		if (strcmp(b.text, rows[i].folder) != 0)
			fail_msg("%s: '%s'", rows[i].name, b.text);
		textbuf_release(&b);
	}
}

/* Folders of others, or that they can write to: folders are refused, what is in them is made again. */
static void test_owners(void **state)
{
	static const struct {
		const char *name, *path;
		mode_t mode;
		const char *why;
	} rows[] = {
		{"the folder, for everybody", "", 0777, "others can write to the folder"},
		{"the folder, for its group", "", 0770, "others can write to the folder"},
		{"its files", "/files", 0702, "others can write to the folder"},
		{"its bundles", "/bundles", 01777, "others can write to the folder"},
		{"another user's folder", "", 0, "belongs to another user (UID 4321)"},
		{"another user's files", "/files", 0, "belongs to another user (UID 4321)"},
		{"another user's bundles", "/bundles", 0, "belongs to another user (UID 4321)"},
	};
	char path[700];
	struct sahm_err err = {0};
	(void)state;
	file_cache_free(open_root(1000));
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct file_cache *cache = NULL;
		snprintf(path, sizeof(path), "%s%s", root, rows[i].path);
		if (!rows[i].mode && geteuid() != 0) {
			print_message("%s: not tried, only root can give folders away\n", rows[i].name);
			continue;
		}
		assert_int_equal(rows[i].mode ? chmod(path, rows[i].mode) : chown(path, 4321, (gid_t)-1), 0);
		if (file_cache_open(&cache, root, 1000, &err) != SAHM_IO || !strstr(err.msg, rows[i].why) ||
		    !strstr(err.msg, path))
			fail_msg("%s: %s", rows[i].name, cache ? "it is taken" : err.msg);
		assert_int_equal(chmod(path, 0700), 0);
		assert_int_equal(chown(path, geteuid(), (gid_t)-1), 0);
	}
	struct file_cache *cache = open_root(1000);
	uint8_t hash[HASH_BYTES];
	put_letters(cache, 'a', 10, hash);
	assert_true(file_cache_has(cache, hash, 10));
	assert_int_equal(chmod(path_of(hash), 0622), 0);
	assert_false(file_cache_has(cache, hash, 10));
	assert_false(exists(path_of(hash)));
	static const char *const parts[] = {"", "/0", "/sweep.cfg", "/0/one"};
	struct bundle b;
	make_small_bundle(&b, "the text", false);
	put_small_files(cache, &b);
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		struct stat st;
		char *folder = place(cache, &b);
		snprintf(path, sizeof(path), "%s%s", folder, parts[i]);
		assert_int_equal(chmod(path, 0722), 0);
		file_cache_free(cache);
		cache = open_root(1000);
		put_small_files(cache, &b);
		free(folder);
		folder = place(cache, &b);
		assert_placed(folder);
		assert_int_equal(stat(path, &st), 0);
		if (st.st_mode & 022)
			fail_msg("'%s' is taken", path);
		free(folder);
	}
	file_cache_free(cache);
	bundle_release(&b);
}

TEST_FILE(test_file_cache)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_arrival, begin),
		cmocka_unit_test_setup(test_other_than_announced, begin),
		cmocka_unit_test_setup(test_verified, begin),
		cmocka_unit_test_setup(test_room, begin),
		cmocka_unit_test_setup(test_left_behind, begin),
		cmocka_unit_test_setup(test_place, begin),
		cmocka_unit_test_setup(test_plugin, begin),
		cmocka_unit_test_setup(test_changed_plugin, begin),
		cmocka_unit_test_setup(test_old_bundles, begin),
		cmocka_unit_test_setup(test_together, begin),
		cmocka_unit_test_setup(test_folders, begin),
		cmocka_unit_test_setup(test_owners, begin),
	};
	return cmocka_run_group_tests(tests, make_own_folder, remove_own_folder);
}
