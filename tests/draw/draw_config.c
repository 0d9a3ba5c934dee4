/* Draws configurations with extreme values: draw_config run|sweep SEED INDEX prints one. Its keys are those of the
 * program's tables (config_keys, space_keys): each is there or not, and its number is often a bound of its row,
 * sometimes beyond one. In half of all configurations every number is within its own bounds, so that what they make
 * together is tried. The first line says how much work a run of it is at most, in threads times timesteps, or that this
 * is not known.
 */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cores/chip/core_spec.h"
#include "cores/chip/cuts.h"
#include "sched/policies/policies.h"
#include "sim/base/number.h"
#include "sim/engine/config/run_config.h"
#include "sim/engine/config/run_words.h"
#include "sim/sweep/space.h"
#include "tests/helper/random.h"

#define MAX_WORK 1e15
/* No shipped trace is shorter. */
#define TRACE_MS 1000.0

struct draw {
	uint64_t rng;
	struct textbuf text;
	uint64_t one_beyond_in; /* numbers of which one is beyond its bounds; 0: none */
	unsigned nr_speedups;	/* that the type of the last group of cores wants */
	uint64_t nr_cores, nr_threads, nr_samples;
	double mhz; /* of the last level */
	double duration_ms, timestep_ms, latest_ms;
};

static const struct words {
	const struct cfg_key *key;
	const char *const *words;
} words_of_keys[] = {
	{&config_keys[KEY_CORE_FIGURE], core_figure_names},
	{&config_keys[KEY_TYPE_FIGURE], core_figure_names},
	{&config_keys[KEY_CORE_SCARCE_STATE], (const char *const[]){"L2", "Low", "branch+l1i", "L3", NULL}},
	{&config_keys[KEY_TYPE_SCARCE_STATE], (const char *const[]){"L2", "L1D+L1I", "low", NULL}},
	{&config_keys[KEY_TYPE_NAME], (const char *const[]){"one", "two", "three", "four", "l1d", NULL}},
	{&config_keys[KEY_WORKLOAD_MODE], workload_mode_names},
	{&config_keys[KEY_BURST_RUN], burst_shape_names},
	{&config_keys[KEY_BURST_SLEEP], burst_shape_names},
	{&config_keys[KEY_CUTS_SET], cut_set_names},
	{&config_keys[KEY_TRACE_FILE], (const char *const[]){"zstd.csv", "sort.csv", "cc1.csv", "xz.csv", NULL}},
	{&config_keys[KEY_TRACE], (const char *const[]){"zstd.csv", "perl.csv", "gzip.csv", NULL}},
	{&config_keys[KEY_TRACE_AFFINITY],
	 (const char *const[]){"0", "0-3", "0-4095", "1,0,1", "0-30:2", "3-1", "4096", "", NULL}},
	{&config_keys[KEY_RTAPP], (const char *const[]){"configs/rtapp-video.json", "gzip.csv", NULL}},
	{&config_keys[KEY_RTAPP_TRACE], (const char *const[]){"gzip.csv", "synthetic/busy-loop", NULL}},
	{&config_keys[KEY_CHANGE_AFFINITY],
	 (const char *const[]){"0", "0-1", "0-4095:4095", "9999999999999999999", NULL}},
	{&config_keys[KEY_TRACE_TENANT], (const char *const[]){"a", "b", NULL}},
	{&config_keys[KEY_TENANT_NAME], (const char *const[]){"a", "b", "c", "", NULL}},
	{&config_keys[KEY_CHANGE_TENANT], (const char *const[]){"a", "b", NULL}},
	{&config_keys[KEY_COSTS], (const char *const[]){"cores", "sm8150", NULL}},
	{&config_keys[KEY_GOVERNOR], (const char *const[]){"schedutil", "performance", NULL}},
	{&config_keys[KEY_MIGRATION_PROFILE], (const char *const[]){"none", "kernel", NULL}},
	{&config_keys[KEY_SHARED_CORES], (const char *const[]){"0", "0-1", "1-2", "0-4095", NULL}},
	{&config_keys[KEY_CORE_TENANT], (const char *const[]){"a", "b", NULL}},
	{&config_keys[KEY_IMAGE], (const char *const[]){"classify", "histogram", "predict", "watch", NULL}},
	{&config_keys[KEY_ABI], (const char *const[]){"core", "pics", "l1d_write", NULL}},
	{&config_keys[KEY_VALUE],
	 (const char *const[]){"cut_branch=5000000", "cut_branch=4294967295", "cut_branch[9999]=1", "=", NULL}},
	{&space_keys[SPACE_EVALUATOR], (const char *const[]){"run", "limit", NULL}},
};

static void put(struct draw *d, const char *fmt, ...) SAHM_PRINTF(2, 3);
static void put(struct draw *d, const char *fmt, ...)
{
	char line[512];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	textbuf_puts(&d->text, line);
}

static double real_between(struct draw *d, double low, double high)
{
	return low + (double)(next_random(&d->rng) >> 11) * 0x1p-53 * (high - low);
}

/* A value of a number, near a bound of its key, at it or beyond it. */
static double draw_value(struct draw *d, const struct cfg_key *key)
{
	static const double beyond[] = {-1,   -0x1p31, -0x1p63, 0x1p31, 0x1p32, 0x1p62,
					1e18, 1e300,   -1e300,	5e-324, 1e-9};
	double width = key->max - key->min;
	if (d->one_beyond_in && one_in(&d->rng, d->one_beyond_in))
		return one_in(&d->rng, 3) ? PICK(&d->rng, beyond) : one_in(&d->rng, 2) ? key->max + 1 : key->min - 1;
	switch (next_random(&d->rng) % 8) {
	case 0:
	case 1:
		return key->min;
	case 2:
		return key->max;
	case 3:
		return fmin(key->max, key->min + 1);
	case 4:
		return fmax(key->min, key->max - 1);
	case 5:
		return *key->default_value ? strtod(key->default_value, NULL) : key->min;
	case 6:
		/* As likely small as large. */
		return key->min + width * pow(2, -real_between(d, 0, 60));
	default:
		return real_between(d, key->min, fmin(key->max, key->min + 100));
	}
}

/* Most runs are small, whatever else is extreme: what would not end shows nothing. */
static double tame(struct draw *d, const struct cfg_key *key, double value)
{
	bool is_wild = d->one_beyond_in || one_in(&d->rng, 16);
	if (key == &config_keys[KEY_DURATION] && !is_wild)
		value = fmod(fabs(value), 2000);
	if (key == &config_keys[KEY_SAMPLES] && !is_wild)
		value = 1 + fmod(fabs(value), 3);
	if (key == &config_keys[KEY_CORE_COUNT] && !is_wild && value > 64)
		value = 64;
	if (key == &config_keys[KEY_TRACE_OFFSET] && !is_wild)
		value = fmod(fabs(value), TRACE_MS);
	/* Levels are in order, and cores stay at one that there is. */
	if ((key == &config_keys[KEY_CORE_LEVEL_MHZ] || key == &config_keys[KEY_TYPE_LEVEL_MHZ]) && !is_wild)
		value = d->mhz += (double)between(&d->rng, 1, 500);
	if (key == &config_keys[KEY_CORE_FIXED_MHZ] && !is_wild)
		value = d->mhz;
	if (key == &config_keys[KEY_TIMESTEP] && !is_wild && value < 0.05)
		value = 0.05;
	return value;
}

static void note(struct draw *d, const struct cfg_key *key, double value)
{
	if (key == &config_keys[KEY_DURATION])
		d->duration_ms = value;
	else if (key == &config_keys[KEY_SAMPLES] && value >= 1)
		d->nr_samples = (uint64_t)fmin(value, 1e6);
	else if (key == &config_keys[KEY_TIMESTEP])
		d->timestep_ms = value;
	else if (key == &config_keys[KEY_CORE_COUNT])
		d->nr_cores += (uint64_t)fmax(0, fmin(value, 1e6));
	else if (key == &config_keys[KEY_TRACE_ARRIVE])
		d->latest_ms = fmax(d->latest_ms, value);
}

/* Elements of an array are all written as floats, where they may be. */
static void put_number(struct draw *d, const struct cfg_key *key, bool is_element)
{
	double value = tame(d, key, draw_value(d, key));
	bool is_whole = value == floor(value) && fabs(value) < 0x1p62;
	if (!(key->kinds & CFG_FLOAT) || (is_whole && !is_element && one_in(&d->rng, 2))) {
		int64_t whole = value >= 0x1p63 ? INT64_MAX : value < -0x1p63 ? INT64_MIN : (int64_t)value;
		note(d, key, (double)whole);
		put(d, "%" PRId64 "%s", whole, whole > INT32_MAX || whole < INT32_MIN ? "L" : "");
	} else {
		note(d, key, value);
		number_write_double(&d->text, value, 1);
	}
}

static const char *draw_work(struct draw *d, enum component component)
{
	const char *found = component_name(component);
	for (const struct literature_row *row = literature_rows; row->name; row++)
		if (row->component == component && one_in(&d->rng, 4))
			found = row->name;
	return found;
}

static void put_type(struct draw *d)
{
	static const char *const plain[] = {"baseline", "general", "table"};
	if (one_in(&d->rng, 2)) {
		const char *type = PICK(&d->rng, plain);
		d->nr_speedups = *type == 't' ? 16 : *type == 'g';
		put(d, "\"%s\"", type);
		return;
	}
	uint64_t components = between(&d->rng, 1, (1u << NR_COMPONENTS) - 1);
	d->nr_speedups = 0;
	put(d, "\"");
	for (unsigned c = 0; c < NR_COMPONENTS; c++)
		if (components >> c & 1)
			put(d, "%s%s", d->nr_speedups++ ? "+" : "", draw_work(d, (enum component)c));
	put(d, one_in(&d->rng, 50) ? "+l1d\"" : "\"");
}

static void put_string(struct draw *d, const struct cfg_key *key)
{
	if (one_in(&d->rng, 200)) {
		/* As a text, anything: too long, or of control characters. */
		textbuf_putc(&d->text, '"');
		for (uint64_t n = one_in(&d->rng, 2) ? 70000 : 3; n > 0; n--)
			put(d, "%s", n % 3 ? "y" : "\\x1b");
		textbuf_putc(&d->text, '"');
		return;
	}
	if (key == &config_keys[KEY_CORE_TYPE] || key == &config_keys[KEY_TYPE_TYPE] ||
	    key == &space_keys[SPACE_TYPE_TYPE]) {
		put_type(d);
		return;
	}
	if (key == &config_keys[KEY_POLICY]) {
		unsigned nr = 0;
		while (sched_policies[nr])
			nr++;
		put(d, "\"%s\"", sched_policies[next_random(&d->rng) % nr]->name);
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(words_of_keys); i++) {
		const char *const *words = words_of_keys[i].words;
		unsigned nr = 0;
		while (words[nr])
			nr++;
		if (words_of_keys[i].key == key) {
			put(d, "\"%s\"", words[next_random(&d->rng) % nr]);
			return;
		}
	}
	put(d, "\"%s\"", *key->default_value ? key->default_value : "x");
}

static bool is_speedups(const struct cfg_key *key)
{
	return key == &config_keys[KEY_CORE_SPEEDUP] || key == &config_keys[KEY_TYPE_SPEEDUP] ||
	       key == &space_keys[SPACE_TYPE_SPEEDUP];
}

static uint64_t draw_length(struct draw *d, const struct cfg_key *key)
{
	if (key == &config_keys[KEY_CORE_LEVEL_SPEEDUP] || key == &config_keys[KEY_TYPE_LEVEL_SPEEDUP])
		return NR_STATES + (uint64_t)one_in(&d->rng, 20);
	if (is_speedups(key))
		return d->nr_speedups + (uint64_t)one_in(&d->rng, 20);
	if (key == &config_keys[KEY_MATRIX] || key == &config_keys[KEY_MATRIX_ROW])
		return clamp(d->nr_cores, 1, 40);
	if (d->one_beyond_in && one_in(&d->rng, 40))
		return between(&d->rng, 0, 1) * between(&d->rng, 100, 5000);
	return between(&d->rng, 1, 4);
}

/* A table of keys; its paths begin after `base`. */
struct schema {
	const struct cfg_key *keys;
	unsigned nr;
};

static const struct schema config_schema = {config_keys, NR_CONFIG_KEYS}, space_schema = {space_keys, NR_SPACE_KEYS};

static void put_members(struct draw *d, const struct schema *schema, const char *group);

static const struct cfg_key *find(const struct schema *schema, const char *path)
{
	for (unsigned k = 0; k < schema->nr; k++)
		if (strcmp(schema->keys[k].path, path) == 0)
			return &schema->keys[k];
	return NULL;
}

static void put_value(struct draw *d, const struct schema *schema, const struct cfg_key *key)
{
	char element[CFG_PATH_BYTES];
	unsigned kinds = key->kinds;
	snprintf(element, sizeof(element), "%s[]", key->path);
	const struct cfg_key *member = find(schema, element);
	bool is_many = key == &config_keys[KEY_MATRIX_ROW] ||
		       (kinds & (CFG_LIST | CFG_ARRAY) && (!(kinds & (CFG_NUMBER | CFG_STRING)) || one_in(&d->rng, 3)));
	if (d->nr_speedups > 1 && is_speedups(key))
		is_many = true;
	if (is_many) {
		uint64_t nr = draw_length(d, key);
		bool is_array = !(kinds & CFG_LIST);
		put(d, is_array ? "[ " : "( ");
		for (uint64_t i = 0; i < nr; i++) {
			put(d, i ? ",\n " : "");
			if (member)
				put_value(d, schema, member);
			else
				put_number(d, key, is_array);
			d->nr_threads += key == &config_keys[KEY_TRACE_OFFSET] || key == &config_keys[KEY_TRACE_ARRIVE];
		}
		put(d, is_array ? " ]" : " )");
	} else if (kinds & CFG_GROUP && (!(kinds & CFG_STRING) || one_in(&d->rng, 2))) {
		d->nr_threads += key == &config_keys[KEY_TRACE];
		d->nr_cores += key == &config_keys[KEY_CORE];
		put(d, "{\n");
		put_members(d, schema, key->path);
		put(d, "}");
	} else if (kinds & CFG_STRING) {
		d->nr_threads += key == &config_keys[KEY_TRACE];
		put_string(d, key);
	} else if (kinds & CFG_BOOL) {
		put(d, one_in(&d->rng, 2) ? "true" : "false");
	} else {
		put_number(d, key, false);
	}
}

/* Whether a key is there; its group is. */
static bool has(struct draw *d, const struct cfg_key *key)
{
	static const enum config_key rare[] = {KEY_CORE_FIGURE,
					       KEY_TYPES,
					       KEY_TYPE_FIGURE,
					       KEY_CORE_NAME,
					       KEY_MATRIX,
					       KEY_TRUST,
					       KEY_BURST_FILE,
					       KEY_BURST_FIRST,
					       KEY_INTROSPECTION,
					       KEY_CORE_TENANT,
					       KEY_TRACE_TENANT,
					       KEY_TENANTS,
					       KEY_CHANGE_TENANT,
					       KEY_CHANGES,
					       KEY_TRACE_AFFINITY,
					       KEY_LEVELS,
					       KEY_VALUES,
					       KEY_BURSTS,
					       KEY_TRACE_NICE,
					       KEY_CHANGE_NICE,
					       KEY_CORE_SCARCE,
					       KEY_TYPE_SCARCE,
					       KEY_CORE_LEVELS,
					       KEY_TYPE_LEVELS,
					       KEY_CORE_LEVEL_SPEEDUP,
					       KEY_TYPE_LEVEL_SPEEDUP,
					       KEY_CORE_TRANSITION,
					       KEY_TYPE_TRANSITION,
					       KEY_CORE_FIXED_MHZ,
					       KEY_GOVERNOR,
					       KEY_COSTS,
					       KEY_SHARED};
	static const enum config_key needed[] = {KEY_CHIP, KEY_CORES, KEY_WORKLOAD, KEY_TRACES, KEY_DURATION};
	if (key == &config_keys[KEY_SWEEP])
		return false;
	if (is_speedups(key))
		return d->nr_speedups > 0 || one_in(&d->rng, 20);
	for (size_t i = 0; i < ARRAY_SIZE(needed); i++)
		if (key == &config_keys[needed[i]])
			return !one_in(&d->rng, 200);
	if (strstr(key->help, "required"))
		return !one_in(&d->rng, 50);
	if (key == &space_keys[SPACE_TYPE_AREA] || key == &space_keys[SPACE_TYPE_POWER])
		return one_in(&d->rng, 20);
	/* Refused beside what most configurations have. */
	if (key == &config_keys[KEY_SCX_SET] || key == &config_keys[KEY_RTAPP] || key == &config_keys[KEY_RTAPP_TRACE])
		return one_in(&d->rng, 100);
	for (size_t i = 0; i < ARRAY_SIZE(rare); i++)
		if (key == &config_keys[rare[i]])
			return one_in(&d->rng, 20);
	return one_in(&d->rng, key->kinds & CFG_GROUP ? 2 : 3);
}

static void put_members(struct draw *d, const struct schema *schema, const char *group)
{
	size_t len = strlen(group);
	for (unsigned k = 0; k < schema->nr; k++) {
		const struct cfg_key *key = &schema->keys[k];
		const char *name = key->path + len + (len > 0);
		if (strncmp(key->path, group, len) != 0 || (len && key->path[len] != '.') || strpbrk(name, ".[") ||
		    !has(d, key))
			continue;
		put(d, "%s = ", name);
		put_value(d, schema, key);
		put(d, ";\n");
	}
}

/* A key that an axis can set; mostly one that every configuration has a place for. */
static const struct cfg_key *draw_key(struct draw *d)
{
	for (;;) {
		const struct cfg_key *key = &config_keys[next_random(&d->rng) % NR_CONFIG_KEYS];
		bool has_place = !strchr(key->path, '[') && !strstr(key->path, "introspection");
		if (!(key->kinds & (CFG_GROUP | CFG_LIST)) && (has_place || one_in(&d->rng, 20)))
			return key;
	}
}

static void put_path(struct draw *d, const struct cfg_key *key)
{
	for (const char *p = key->path; *p; p++)
		put(d, p[0] == '[' && p[1] == ']' ? "[0" : "%c", *p);
}

static void put_keyed(struct draw *d)
{
	const struct cfg_key *key = draw_key(d);
	put(d, "key = \"");
	put_path(d, key);
	put(d, "\"; values = ");
	if (one_in(&d->rng, 4)) {
		static const char *const ranges[] = {
			"0..3",	      "1..64..21",	   "0..1000000000", "3..0",
			"-1..1..0.5", "0..1..0.000000001", "0..1048575",    "9223372036854775806..9223372036854775807"};
		put(d, "\"%s\";\n", PICK(&d->rng, ranges));
		return;
	}
	put(d, "( ");
	for (uint64_t i = 0, nr = key->kinds & CFG_NUMBER ? between(&d->rng, 1, 2) : 1; i < nr; i++) {
		put(d, i ? ", " : "");
		put_value(d, &config_schema, key);
	}
	put(d, " );\n");
}

/* An axis is one of four things; its other keys belong to a generator. */
static void put_axis(struct draw *d, uint64_t index)
{
	static const char *const generator_keys[] = {"baseline", "each",	"fill",		"speedups_pct", "types",
						     "cores",	 "least_cores", "max_area_mm2", "max_power_w"};
	bool is_study = one_in(&d->rng, 2);
	put(d, "{\nname = \"axis%" PRIu64 "\";\n", index);
	switch (next_random(&d->rng) % 4) {
	case 0:
	case 1:
		put_keyed(d);
		break;
	case 2:
		put(d, "points = ( ");
		for (uint64_t i = 0, nr = between(&d->rng, 1, 4); i < nr; i++) {
			put(d, "%s{ name = \"p%" PRIu64 "\"; set = [ ", i ? ",\n " : "", i);
			for (uint64_t s = 0, most = between(&d->rng, 0, 3); s < most; s++) {
				const struct cfg_key *key = draw_key(d);
				put(d, s ? ", \"" : "\"");
				put_path(d, key);
				put(d, "=");
				if (key->kinds & CFG_STRING)
					put(d, "x");
				else
					put_value(d, &config_schema, key);
				put(d, "\"");
			}
			put(d, " ]; }");
		}
		put(d, " );\n");
		break;
	default:
		put(d, "generator = \"%s\";\n", is_study ? "study" : "mixes");
		for (size_t i = is_study ? 0 : 4; i < (is_study ? 4 : ARRAY_SIZE(generator_keys)); i++) {
			char path[CFG_PATH_BYTES];
			snprintf(path, sizeof(path), "axes[].%s", generator_keys[i]);
			const struct cfg_key *key = find(&space_schema, path);
			if (key && has(d, key)) {
				put(d, "%s = ", generator_keys[i]);
				put_value(d, &space_schema, key);
				put(d, ";\n");
			}
		}
	}
	put(d, "}");
}

static void put_sweep(struct draw *d)
{
	put(d, "sweep = {\n");
	if (one_in(&d->rng, 4)) {
		put(d, "evaluator = ");
		put_string(d, &space_keys[SPACE_EVALUATOR]);
		put(d, ";\n");
	}
	put(d, "axes = ( ");
	for (uint64_t i = 0, nr = between(&d->rng, 1, 3); i < nr; i++) {
		put(d, i ? ",\n" : "");
		put_axis(d, i);
	}
	put(d, " );\n};\n");
}

static double most_work(const struct draw *d)
{
	double ms = d->duration_ms > 0 ? d->duration_ms : MAX_WORK;
	double timesteps = ms / d->timestep_ms + 1;
	return fmin(MAX_WORK, timesteps * (double)d->nr_samples * (double)(d->nr_threads + d->nr_cores));
}

int main(int argc, char **argv)
{
	if (argc != 4 || (strcmp(argv[1], "run") != 0 && strcmp(argv[1], "sweep") != 0)) {
		fprintf(stderr, "usage: draw_config run|sweep SEED INDEX\n");
		return 2;
	}
	bool is_sweep = *argv[1] == 's';
	struct draw d = {.rng = random_of_index(strtoull(argv[2], NULL, 10), strtoull(argv[3], NULL, 10)),
			 .nr_samples = 1,
			 .timestep_ms = 10};
	textbuf_init(&d.text);
	d.one_beyond_in = one_in(&d.rng, 2) ? 0 : between(&d.rng, 10, 100);
	put_members(&d, &config_schema, "");
	if (is_sweep)
		put_sweep(&d);
	if (textbuf_failed(&d.text))
		return 1;
	if (is_sweep || d.duration_ms <= 0)
		printf("# work: unknown\n");
	else
		printf("# work: %.0f\n", most_work(&d));
	fwrite(d.text.text, 1, d.text.len, stdout);
	textbuf_release(&d.text);
	return fflush(stdout) != 0;
}
