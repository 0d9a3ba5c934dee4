/* Ways of an image into an IPU, the device's and the loader's: the trust file decides before anything looks into the
 * image, and one that it refuses changes nothing. */
#include <stdlib.h>
#include <unistd.h>

#include "ipu/unit/load.h"
#include "sim/base/array.h"
#include "tests/unit/made_device.h"
#include "tests/unit/made_signed.h"

#define NONSENSE "this is no program"

/* What is sent, and what must come of it. */
struct row {
	const char *name;
	const char *policy, *more; /* of the trust file; NULL: there is none */
	uint8_t seed;		   /* of the key that signs, 0: unsigned */
	const char *abi;	   /* that is signed */
	bool is_nonsense, is_altered;
	enum sahm_status status;
	const char *part; /* of the message */
};

static const struct row rows[] = {
	{"no trust file, unsigned", NULL, NULL, 0, "made", false, false, SAHM_OK, NULL},
	{"no trust file, a signature of another image", NULL, NULL, 1, "made", false, true, SAHM_OK, NULL},
	{"no trust file, no ELF file", NULL, NULL, 0, "made", true, false, SAHM_FORMAT, "not an ELF file"},
	{"signed", "permissive", "", 1, "made", false, false, SAHM_OK, NULL},
	{"signed, no ELF file", "permissive", "", 1, "made", true, false, SAHM_FORMAT, "not an ELF file"},
	{"unsigned", "permissive", "", 0, "made", false, false, SAHM_REFUSED, "it is unsigned"},
	{"unsigned, no ELF file", "permissive", "", 0, "made", true, false, SAHM_REFUSED, "it is unsigned"},
	{"altered", "permissive", "", 1, "made", false, true, SAHM_REFUSED, "it is not the image that was signed"},
	{"altered, no ELF file", "permissive", "", 1, "made", true, true, SAHM_REFUSED,
	 "it is not the image that was signed"},
	{"unknown key", "permissive", "", 2, "made", true, false, SAHM_REFUSED, "a key that is not known here"},
	{"another ABI", "permissive", "", 1, "other", true, false, SAHM_REFUSED, "it is signed for the ABI 'other'"},
	{"closed", "closed", "", 1, "made", true, false, SAHM_REFUSED, "the policy 'closed'"},
	{"confidential, signed", "permissive", "confidential = true;", 1, "made", false, false, SAHM_REFUSED,
	 "confidential mode"},
	{"confidential, unsigned", "permissive", "confidential = true;", 0, "made", true, false, SAHM_REFUSED,
	 "confidential mode"},
};

#define NR_ROWS ARRAY_SIZE(rows)

/* An image as it is sent. */
struct sent {
	struct made_elf elf;
	char *bytes;
	size_t nr_bytes;
	struct textbuf signature;
	struct trust *trust;
};

static void make_sent(const struct row *row, struct sent *s)
{
	const struct abi abi = made_abi("level");
	made_image(&s->elf, 5, false, "level");
	s->bytes = row->is_nonsense ? strdup(NONSENSE) : (char *)s->elf.bytes;
	s->nr_bytes = row->is_nonsense ? sizeof(NONSENSE) : s->elf.nr_bytes;
	textbuf_init(&s->signature);
	if (row->seed)
		made_signature(s->bytes, s->nr_bytes, row->seed, row->abi, &abi, DATE_NEVER, &s->signature);
	if (row->is_altered)
		s->bytes[s->nr_bytes - 1] ^= 1;
	s->trust = row->policy ? made_trust(row->policy, row->more) : NULL;
}

static void free_sent(struct sent *s)
{
	if (s->bytes != (char *)s->elf.bytes)
		free(s->bytes);
	made_elf_free(&s->elf);
	textbuf_release(&s->signature);
	trust_free(s->trust);
}

static void must_be(const struct row *row, enum sahm_status status, const struct sahm_err *err)
{
	if (status != row->status || (status != SAHM_OK && !strstr(err->msg, row->part)))
		fail_msg("%s: %d, %s", row->name, status, status == SAHM_OK ? "" : err->msg);
}

/* All that the bus shows of a unit but for its memory, in its present. */
static void look(struct ipu_device *d, unsigned unit, uint32_t words[64])
{
	static const uint32_t offsets[] = {
#define REGISTER(symbol, offset, words, access, help) offset,
#include "ipu/unit/register_list.h"
#undef REGISTER
	};
	uint64_t now = ipu_unit_hit_cycle(ipu_device_unit(d, unit));
	struct sahm_err err;
	memset(words, 0, 64 * sizeof(*words));
	for (size_t i = 0; i < ARRAY_SIZE(offsets); i++)
		/* Some can only be written. */
		if (offsets[i] != IPU_REG_FIFO_POP)
			(void)ipu_device_read32(d, now, (uint64_t)unit * IPU_REGION_BYTES + offsets[i], &words[i],
						&err);
}

/* Both units of a device, one with a program that runs and one without. */
static void test_device(void **state)
{
	(void)state;
	for (size_t i = 0; i < NR_ROWS; i++) {
		struct abi abi = made_abi("level");
		struct ipu_device *d = device_of(2, &plain, &abi);
		struct sent s;
		struct sahm_err err = {.msg = ""};
		uint32_t before[64], after[64];
		start(d, 0, 1, false);
		feed(d, 0, 10);
		/* After its routine: an image waits for the end of one. */
		ipu_unit_advance(ipu_device_unit(d, 0), 50);
		make_sent(&rows[i], &s);
		ipu_device_set_trust(d, s.trust);
		const struct ipu_image image = {.file = "made.elf",
						.bytes = s.bytes,
						.nr_bytes = s.nr_bytes,
						.signature = rows[i].seed ? s.signature.text : NULL,
						.nr_signature = s.signature.len};
		for (unsigned unit = 0; unit < 2; unit++) {
			uint64_t now = ipu_unit_hit_cycle(ipu_device_unit(d, unit));
			look(d, unit, before);
			must_be(&rows[i], ipu_config_image(d, unit, now, &image, &err), &err);
			look(d, unit, after);
			if ((memcmp(before, after, sizeof(before)) == 0) != (rows[i].status != SAHM_OK))
				fail_msg("%s: unit %u", rows[i].name, unit);
		}
		/* Without it all is as it was before. */
		if (rows[i].status == SAHM_REFUSED) {
			ipu_device_set_trust(d, NULL);
			enum sahm_status status = ipu_config_image(d, 0, 50, &image, &err);
			assert_int_equal(status, rows[i].is_nonsense ? SAHM_FORMAT : SAHM_OK);
		}
		ipu_device_free(d);
		free_sent(&s);
	}
}

static void put(const char *path, const void *bytes, size_t nr_bytes)
{
	FILE *f = fopen(path, "wb");
	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, nr_bytes, f), nr_bytes);
	assert_int_equal(fclose(f), 0);
}

static void test_load_file(void **state)
{
	(void)state;
	char folder[] = "/tmp/sahm-trusted-XXXXXX", path[64], beside[64];
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/made.elf", folder);
	snprintf(beside, sizeof(beside), "%s/made.elf.sig", folder);
	for (size_t i = 0; i < NR_ROWS; i++) {
		struct abi abi = made_abi("level");
		struct ipu_program *program = NULL;
		struct sent s;
		struct sahm_err err = {.msg = ""};
		make_sent(&rows[i], &s);
		put(path, s.bytes, s.nr_bytes);
		if (rows[i].seed)
			put(beside, s.signature.text, s.signature.len);
		must_be(&rows[i], ipu_load_file(&program, path, &abi, NULL, 0, s.trust, &err), &err);
		assert_true((program != NULL) == (rows[i].status == SAHM_OK));
		ipu_program_free(program);
		remove(path);
		remove(beside);
		free_sent(&s);
	}
	rmdir(folder);
}

static void swap_signals(struct abi *abi)
{
	struct abi_signal first = abi->signals[0];
	abi->signals[0] = abi->signals[1];
	abi->signals[1] = first;
}

static void add_signal(struct abi *abi)
{
	abi->signals[abi->nr_signals++] = (struct abi_signal){.name = "more", .semantics = "more", .bits = 1, .reg = 9};
}

static void drop_signal(struct abi *abi)
{
	abi->nr_signals--;
}

static void rename_spec(struct abi *abi)
{
	abi->name = "mode";
}

static void rename_signal(struct abi *abi)
{
	abi->signals[1].name = "at";
}

static void change_register(struct abi *abi)
{
	abi->signals[1].reg = 1;
}

static void change_bits(struct abi *abi)
{
	abi->signals[1].bits = 32;
}

static void change_rate(struct abi *abi)
{
	abi->signals[0].rate = 1;
}

static void wire_address(struct abi *abi)
{
	abi->addr = &abi->signals[1];
}

static void change_words(struct abi *abi)
{
	abi->file = "other.cfg";
	abi->signals[0].semantics = "in other words";
}

/* Of an ABI spec, a signature binds its name and all that a program can notice, and nothing else. */
static void test_bound_spec(void **state)
{
	static const struct {
		void (*change)(struct abi *abi);
		enum sahm_status status;
	} changes[] = {
		{rename_spec, SAHM_REFUSED}, {rename_signal, SAHM_REFUSED}, {change_register, SAHM_REFUSED},
		{change_bits, SAHM_REFUSED}, {change_rate, SAHM_REFUSED},   {add_signal, SAHM_REFUSED},
		{drop_signal, SAHM_REFUSED}, {wire_address, SAHM_REFUSED},  {swap_signals, SAHM_OK},
		{change_words, SAHM_OK},
	};
	static const struct row good = {"good", "permissive", "", 1, "made", false, false, SAHM_OK, ""};
	struct sent s;
	(void)state;
	make_sent(&good, &s);
	for (size_t i = 0; i < ARRAY_SIZE(changes); i++) {
		struct abi abi = made_abi("level");
		struct sahm_err err = {.msg = ""};
		changes[i].change(&abi);
		const struct trust_abi trusted = abi_to_trust(&abi);
		enum sahm_status status = trust_check(s.trust, "i", s.bytes, s.nr_bytes, s.signature.text,
						      s.signature.len, &trusted, &err);
		if (status != changes[i].status)
			fail_msg("change %zu: %d, %s", i, status, err.msg);
	}
	free_sent(&s);
}

/* What a signature does not bind: names and places of the files, and settings of the program's variables. */
static void test_not_bound(void **state)
{
	static const struct row good = {"good", "permissive", "", 1, "made", false, false, SAHM_OK, ""};
	const char *const settings[] = {"number=9"};
	char folder[] = "/tmp/sahm-trusted-XXXXXX", path[64], beside[64];
	struct abi abi = made_abi("level");
	struct ipu_program *program = NULL;
	struct sent s;
	struct sahm_err err = {.msg = ""};
	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/another.name", folder);
	snprintf(beside, sizeof(beside), "%s/another.name.sig", folder);
	make_sent(&good, &s);
	put(path, s.bytes, s.nr_bytes);
	put(beside, s.signature.text, s.signature.len);
	must_be(&good, ipu_load_file(&program, path, &abi, settings, 1, s.trust, &err), &err);
	ipu_program_free(program);
	remove(path);
	remove(beside);
	rmdir(folder);
	free_sent(&s);
}

/* Programs that were taken before somebody looked stay. */
static void test_programs_stay(void **state)
{
	(void)state;
	struct abi abi = made_abi("level");
	struct ipu_device *d = device_of(1, &plain, &abi);
	struct trust *t = made_trust("permissive", "confidential = true;");
	struct ipu_packet packet;
	struct sahm_err err;
	bool more;
	start(d, 0, 7, false);
	ipu_device_set_trust(d, t);
	feed(d, 0, 1);
	assert_int_equal(ipu_drain(d, 0, 100, &packet, &more, &err), SAHM_OK);
	assert_true(more && packet.nr_bytes == 4 && packet.bytes[0] == 7);
	assert_int_equal(send_image(d, 0, 100, 0, false, "level", &err), SAHM_REFUSED);
	feed(d, 0, 101);
	assert_int_equal(ipu_drain(d, 0, 200, &packet, &more, &err), SAHM_OK);
	assert_true(more && packet.nr_bytes == 4 && packet.bytes[0] == 8);
	ipu_device_free(d);
	trust_free(t);
}

TEST_FILE(test_ipu_trusted)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_device),	      cmocka_unit_test(test_load_file),
		cmocka_unit_test(test_bound_spec),    cmocka_unit_test(test_not_bound),
		cmocka_unit_test(test_programs_stay),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
