/* Synthetic traces as a whole: occupancy, names, what a trace depends on. */
#include "sim/base/array.h"
#include "tests/unit/workloads/synth/synth_cases.h"

static void test_occupancy(void **state)
{
	(void)state;
	struct profile p;
	begin(&p);
	for (unsigned row = ALL; row <= SMALL; row++) {
		uint64_t expected[NR_STATES];
		apportion((uint64_t)(p.rows[row].value[PROFILE_EPOCHS] / DECIMAL_ONE), p.rows[row].share, NR_STATES,
			  expected);
		for (uint64_t seed = 0; seed < 12; seed++) {
			struct made m = make(p.rows[row].name, &p, row, seed * UINT64_C(0x1122334455667788));
			assert_true(m.displaced == 0);
			assert_memory_equal(m.in_state, expected, sizeof(expected));
			unmake(&m);
		}
	}
	profile_release(&p);
}

static void test_small(void **state)
{
	(void)state;
	struct profile p;
	begin(&p);
	for (unsigned s = 0; s < NR_STATES; s++) {
		const unsigned one = 1;
		for (unsigned nr = 1; nr <= 3; nr++) {
			set(&p, SMALL, PROFILE_EPOCHS, nr);
			set_shares(&p, SMALL, 1, &s, &one);
			struct made m = make("one state", &p, SMALL, nr);
			assert_true(m.nr == nr && m.in_state[s] == nr && m.displaced == 0);
			unmake(&m);
		}
	}
	profile_release(&p);
}

static void test_names(void **state)
{
	(void)state;
	static const struct {
		const char *row, *trace;
	} cases[] = {
		{"gcc", "gcc-synthetic"},
		{"gcc-synthetic", "gcc-synthetic"},
		{"synthetic", "synthetic-synthetic"},
		{"synthetic-gcc", "synthetic-gcc-synthetic"},
		{"a b \xff\xfe", "a b \xff\xfe-synthetic"},
	};
	struct profile p;
	begin(&p);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		p.rows[SMALL].name = cases[i].row;
		struct made m = make(cases[i].row, &p, SMALL, UINT64_MAX);
		assert_string_equal(trace_name(m.trace), cases[i].trace);
		const struct provenance *o = trace_provenance(m.trace);
		assert_string_equal(o->text[PROVENANCE_NAME], cases[i].trace);
		assert_string_equal(o->text[PROVENANCE_SOURCE], "synthetic");
		assert_string_equal(o->text[PROVENANCE_TOOL],
				    "sahm trace synth, seed 18446744073709551615, cuts intuitive");
		assert_string_equal(o->text[PROVENANCE_MACHINE], "made up");
		assert_string_equal(o->text[PROVENANCE_LICENCE], "MIT");
		assert_null(o->text[PROVENANCE_NOTE]);
		assert_true(provenance_is_synthetic(o));
		assert_true(trace_epoch_ns(m.trace) == p.epoch_ns);
		assert_false(trace_has_cycles(m.trace));
		unmake(&m);
	}
	profile_release(&p);
}

static uint8_t *image_made(const struct profile *p, size_t row, uint64_t seed, size_t *len)
{
	struct made m = make("image", p, row, seed);
	uint8_t *image = image_of(m.trace, len);
	unmake(&m);
	return image;
}

/* A trace depends on its own row, not on which rows stand beside it or where. */
static void test_independence(void **state)
{
	(void)state;
	struct profile p, q;
	size_t len, other_len;
	begin(&p);
	uint8_t *image = image_made(&p, SMALL, 1, &len);
	const char *small = strstr(base, "small,"), *all = strstr(base, "all,");
	struct textbuf text;
	textbuf_init(&text);
	textbuf_printf(&text, "%.*s%sother%.*s", (int)(all - base), base, small, (int)(small - all) - 3, all + 3);
	must_read_profile("other rows", text.text, &q);
	assert_int_equal(q.nr_rows, 3);
	uint8_t *first = image_made(&q, 0, 1, &other_len);
	assert_true(len == other_len);
	assert_memory_equal(image, first, len);
	free(first);

	/* Everything else does change it. */
	struct made m = make("it", &p, SMALL, 1), seed = make("seed", &p, SMALL, 2);
	p.rows[SMALL].name = "smell";
	struct made name = make("name", &p, SMALL, 1);
	p.rows[SMALL].name = "small";
	set(&p, SMALL, PROFILE_JITTER_PCT, 6);
	struct made jitter = make("jitter", &p, SMALL, 1);
	assert_memory_not_equal(trace_hash(m.trace), trace_hash(seed.trace), HASH_BYTES);
	assert_memory_not_equal(trace_hash(m.trace), trace_hash(name.trace), HASH_BYTES);
	assert_memory_not_equal(trace_hash(m.trace), trace_hash(jitter.trace), HASH_BYTES);
	/* States are drawn apart from counts. */
	assert_memory_equal(m.states, jitter.states, m.nr);
	assert_memory_not_equal(m.states, seed.states, m.nr);
	unmake(&m);
	unmake(&seed);
	unmake(&name);
	unmake(&jitter);
	free(image);
	textbuf_release(&text);
	profile_release(&p);
	profile_release(&q);
}

/* The same bytes on any machine and with any compiler. Another hash means that profiles no longer give the traces that
 * they gave: say so in CHANGELOG.md. */
static void test_same_everywhere(void **state)
{
	(void)state;
	static const struct {
		unsigned row;
		uint64_t seed;
		const char *hash;
	} cases[] = {
		{SMALL, 1, "d65fdc34ea7cf5af7d751931351cd88b98ab2d66e8f72aa1a693896919caf6e6"},
		{ALL, UINT64_C(0x123456789abcdef0), "7b762370ae44e0307a41d1dbd9a33c65a4e5e0c329ac7338c315b82bfa71096c"},
	};
	struct profile p;
	begin(&p);
	p.follow[LOW][L2 | BRANCH] = 1500000;
	for (size_t c = 0; c < ARRAY_SIZE(cases); c++) {
		char hex[HASH_HEX_BYTES];
		struct made m = make("hash", &p, cases[c].row, cases[c].seed);
		hash_hex(trace_hash(m.trace), hex);
		assert_string_equal(hex, cases[c].hash);
		unmake(&m);
	}
	profile_release(&p);
}

static void test_long(void **state)
{
	(void)state;
	uint64_t expected[NR_STATES];
	struct profile p;
	begin(&p);
	set(&p, ALL, PROFILE_EPOCHS, 1000000);
	struct made m = make("long", &p, ALL, 1);
	apportion(1000000, p.rows[ALL].share, NR_STATES, expected);
	assert_true(m.displaced == 0);
	assert_memory_equal(m.in_state, expected, sizeof(expected));
	unmake(&m);
	profile_release(&p);
}

/* A profile that is put together by hand may ask for more than there is room for in time. */
static void test_too_long(void **state)
{
	(void)state;
	struct profile p;
	struct trace *trace = NULL;
	struct sahm_err err;
	begin(&p);
	p.epoch_ns = MAX_TRACE_NS / 149;
	assert_int_equal(synth_trace(&p, SMALL, 1, &trace, NULL, &err), SAHM_FORMAT);
	assert_null(trace);
	profile_release(&p);
}

TEST_FILE(test_synth)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_occupancy),	cmocka_unit_test(test_small),
		cmocka_unit_test(test_names),		cmocka_unit_test(test_independence),
		cmocka_unit_test(test_same_everywhere), cmocka_unit_test(test_long),
		cmocka_unit_test(test_too_long),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
