/* Timelines as files: merged and drawn intervals, and that the totals are those of the result, in both forms; names
 * from outside break nothing. */
#include "results/timeline/timeline.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <unistd.h>

#include "sim/base/array.h"
#include "sim/base/zstd_stream.h"
#include "sim/engine/config/run.h"
#include "tests/unit/made_chip.h"
#include "tests/unit/trace_cases.h"

#define MS(ms) ((uint64_t)(ms)*NS_PER_MS)
#define MANY_THREADS 64
#define MANY_TRACKS 512

/* --- events by hand, on two cores and three threads --- */

struct world {
	struct made_chip made;
	struct run_trace traces[1];
	struct run_thread threads[3];
	struct core_group groups[2];
	struct run_config config;
};

static void make_world(struct world *w)
{
	static const struct way ways[] = {{BASE, 0}, {L2, 30}};
	*w = (struct world){.threads = {{.name = "a"}, {.name = "b"}, {.name = "c"}}};
	make_chip(&w->made, ways, 2);
	w->traces[0] = (struct run_trace){.path = "made", .trace = must_read(HEAD ROW)};
	for (int i = 0; i < 2; i++)
		w->groups[i] = (struct core_group){.type = w->made.types[i], .count = 1};
	w->groups[1].spec = (struct core_spec){.nr_speedups = 1, .speedup_ppm = {300000}};
	w->config = (struct run_config){
		.chip = w->made.chip,
		.groups = w->groups,
		.nr_groups = 2,
		.traces = w->traces,
		.nr_traces = 1,
		.threads = w->threads,
		.nr_threads = 3,
		.nr_samples = 1,
		.policy = sched_policy_find("sahm"),
		.timestep_ns = MS(10),
		.cuts_set = "made",
	};
	cuts_named(DEFAULT_CUTS, &w->config.cuts);
}

#define RUN(at, c, t, s)                                                                                               \
	{                                                                                                              \
		.ns = (at), .kind = TIMELINE_RUN, .core = (c), .thread = (t), .state = (s)                             \
	}
#define STOP(at, c, t, why)                                                                                            \
	{                                                                                                              \
		.ns = (at), .kind = TIMELINE_STOP, .core = (c), .thread = (t), .reason = TIMELINE_##why                \
	}
#define WAKE(at, c, t)                                                                                                 \
	{                                                                                                              \
		.ns = (at), .kind = TIMELINE_WAKE, .core = (c), .thread = (t)                                          \
	}
#define MOVE(at, f, c, t)                                                                                              \
	{                                                                                                              \
		.ns = (at), .kind = TIMELINE_MIGRATE, .from = (f), .core = (c), .thread = (t)                          \
	}

/* What is written of these events, headings left out: after the line that begins with `behind`. */
static char *told(const struct world *w, enum timeline_form form, const struct timeline_event *events, size_t nr,
		  const char *behind)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);
	struct timeline *tl = timeline_new(&w->config, "made.cfg", form, out);
	assert_non_null(tl);
	struct timeline_sink *sink = timeline_listener(tl);
	sink->begin(sink, 0, w->config.nr_threads);
	for (size_t i = 0; i < nr; i++)
		sink->take(sink, &events[i]);
	timeline_free(tl);
	fclose(out);
	char *from = strstr(text, behind);
	assert_non_null(from);
	from = strchr(from, '\n') + 1;
	memmove(text, from, strlen(from) + 1);
	return text;
}

struct told_case {
	const char *name;
	struct timeline_event events[12];
	size_t nr;
	const char *chrome, *ftrace;
};

#define P0 "\"pid\":1,\"tid\":1,"
#define P1 "\"pid\":1,\"tid\":2,"
#define AT(name, pid, core, time) "               " name "-" pid "       [00" core "] d..2     " time "00000: "
#define BY_IDLE(core, time) "          <idle>-0       [00" core "] d..2     " time "00000: "
#define PREV(name, pid, state)                                                                                         \
	"sched_switch: prev_comm=" name " prev_pid=" pid " prev_prio=120 prev_state=" state " ==> "
#define NEXT(name, pid) "next_comm=" name " next_pid=" pid " next_prio=120\n"

static const struct told_case told_cases[] = {
	{"a thread whose turn comes again goes on",
	 {RUN(0, 0, 0, L2), STOP(MS(10), 0, 0, TURN), RUN(MS(10), 0, 0, L2), STOP(MS(20), 0, 0, END)},
	 4,
	 "{\"ph\":\"B\"," P0 "\"ts\":0,\"cat\":\"thread\",\"name\":\"a\"},\n"
	 "{\"ph\":\"X\"," P0 "\"ts\":0,\"dur\":20000,\"cat\":\"mismatched\",\"name\":\"L2\","
	 "\"cname\":\"thread_state_iowait\",\"args\":{\"thread\":\"a\"}},\n"
	 "{\"ph\":\"E\"," P0 "\"ts\":20000,\"args\":{\"ends\":\"end\"}}\n]}\n",
	 BY_IDLE("0", "0.0000") PREV("swapper/0", "0", "R") NEXT("a", "1") //
	 AT("a", "1", "0", "0.0200") PREV("a", "1", "R+") NEXT("swapper/0", "0")},
	{"a state that changes is another slice of the same thread",
	 {RUN(0, 1, 2, L2), RUN(1500, 1, 2, LOW), RUN(1500, 1, 2, L1D), RUN(2000001, 1, 2, L1D),
	  STOP(MS(4), 1, 2, LEAVE)},
	 5,
	 "{\"ph\":\"B\"," P1 "\"ts\":0,\"cat\":\"thread\",\"name\":\"c\"},\n"
	 "{\"ph\":\"X\"," P1 "\"ts\":0,\"dur\":1.500,\"cat\":\"served\",\"name\":\"L2\","
	 "\"cname\":\"thread_state_iowait\",\"args\":{\"thread\":\"c\"}},\n"
	 "{\"ph\":\"X\"," P1 "\"ts\":1.500,\"dur\":3998.500,\"cat\":\"mismatched\",\"name\":\"L1D\","
	 "\"cname\":\"rail_response\",\"args\":{\"thread\":\"c\"}},\n"
	 "{\"ph\":\"E\"," P1 "\"ts\":4000,\"args\":{\"ends\":\"leave\"}}\n]}\n",
	 BY_IDLE("1", "0.0000") PREV("swapper/1", "0", "R") NEXT("c", "3") //
	 AT("c", "3", "1", "0.0040") PREV("c", "3", "X") NEXT("swapper/1", "0")},
	{"two threads trade places",
	 {RUN(0, 0, 0, LOW), RUN(0, 1, 1, LOW), STOP(MS(10), 0, 0, TURN), STOP(MS(10), 1, 1, TURN),
	  MOVE(MS(10), 0, 1, 0), MOVE(MS(10), 1, 0, 1), RUN(MS(10), 0, 1, LOW), RUN(MS(10), 1, 0, LOW),
	  STOP(MS(20), 0, 1, END), STOP(MS(20), 1, 0, END)},
	 10,
	 "{\"ph\":\"B\"," P0 "\"ts\":0,\"cat\":\"thread\",\"name\":\"a\"},\n"
	 "{\"ph\":\"B\"," P1 "\"ts\":0,\"cat\":\"thread\",\"name\":\"b\"},\n"
	 "{\"ph\":\"X\"," P0 "\"ts\":0,\"dur\":10000,\"cat\":\"matched\",\"name\":\"Low\",\"cname\":\"grey\","
	 "\"args\":{\"thread\":\"a\"}},\n"
	 "{\"ph\":\"E\"," P0 "\"ts\":10000},\n"
	 "{\"ph\":\"X\"," P1 "\"ts\":0,\"dur\":10000,\"cat\":\"mismatched\",\"name\":\"Low\",\"cname\":\"grey\","
	 "\"args\":{\"thread\":\"b\"}},\n"
	 "{\"ph\":\"E\"," P1 "\"ts\":10000},\n"
	 "{\"ph\":\"B\"," P0 "\"ts\":10000,\"cat\":\"thread\",\"name\":\"b\"},\n"
	 "{\"ph\":\"s\"," P1 "\"ts\":9999.999,\"id\":1,\"cat\":\"move\",\"name\":\"move\"},\n"
	 "{\"ph\":\"f\"," P0 "\"ts\":10000,\"bp\":\"e\",\"id\":1,\"cat\":\"move\",\"name\":\"move\"},\n"
	 "{\"ph\":\"B\"," P1 "\"ts\":10000,\"cat\":\"thread\",\"name\":\"a\"},\n"
	 "{\"ph\":\"s\"," P0 "\"ts\":9999.999,\"id\":2,\"cat\":\"move\",\"name\":\"move\"},\n"
	 "{\"ph\":\"f\"," P1 "\"ts\":10000,\"bp\":\"e\",\"id\":2,\"cat\":\"move\",\"name\":\"move\"},\n"
	 "{\"ph\":\"X\"," P0 "\"ts\":10000,\"dur\":10000,\"cat\":\"matched\",\"name\":\"Low\",\"cname\":\"grey\","
	 "\"args\":{\"thread\":\"b\"}},\n"
	 "{\"ph\":\"E\"," P0 "\"ts\":20000,\"args\":{\"ends\":\"end\"}},\n"
	 "{\"ph\":\"X\"," P1 "\"ts\":10000,\"dur\":10000,\"cat\":\"mismatched\",\"name\":\"Low\","
	 "\"cname\":\"grey\",\"args\":{\"thread\":\"a\"}},\n"
	 "{\"ph\":\"E\"," P1 "\"ts\":20000,\"args\":{\"ends\":\"end\"}}\n]}\n",
	 BY_IDLE("0", "0.0000") PREV("swapper/0", "0", "R") NEXT("a", "1")	 //
	 BY_IDLE("1", "0.0000") PREV("swapper/1", "0", "R") NEXT("b", "2")	 //
	 AT("a", "1", "0", "0.0100") PREV("a", "1", "R+") NEXT("swapper/0", "0") //
	 BY_IDLE("0", "0.0100") "sched_migrate_task: comm=a pid=1 prio=120 orig_cpu=0 dest_cpu=1\n" AT(
		 "b", "2", "1", "0.0100") PREV("b", "2", "R+") NEXT("swapper/1", "0") //
	 BY_IDLE("1", "0.0100") "sched_migrate_task: comm=b pid=2 prio=120 orig_cpu=1 dest_cpu=0\n" BY_IDLE(
		 "0", "0.0100") PREV("swapper/0", "0", "R") NEXT("b", "2")	 //
	 BY_IDLE("1", "0.0100") PREV("swapper/1", "0", "R") NEXT("a", "1")	 //
	 AT("b", "2", "0", "0.0200") PREV("b", "2", "R+") NEXT("swapper/0", "0") //
	 AT("a", "1", "1", "0.0200") PREV("a", "1", "R+") NEXT("swapper/1", "0")},
	{"threads sleep, wake and yield",
	 {WAKE(0, 0, 0), RUN(0, 0, 0, LOW), STOP(MS(1), 0, 0, SLEEP), WAKE(MS(3), 0, 0), WAKE(MS(3), 0, 1),
	  RUN(MS(3), 0, 0, LOW), STOP(MS(4), 0, 0, YIELD), RUN(MS(4), 0, 1, LOW), STOP(MS(5), 0, 1, TURN),
	  RUN(MS(5), 0, 0, LOW)},
	 9,
	 "{\"ph\":\"i\"," P0 "\"ts\":0,\"s\":\"t\",\"cat\":\"wake\",\"name\":\"wake\",\"args\":{\"thread\":\"a\"}},\n"
	 "{\"ph\":\"B\"," P0 "\"ts\":0,\"cat\":\"thread\",\"name\":\"a\"},\n"
	 "{\"ph\":\"X\"," P0 "\"ts\":0,\"dur\":1000,\"cat\":\"matched\",\"name\":\"Low\",\"cname\":\"grey\","
	 "\"args\":{\"thread\":\"a\"}},\n"
	 "{\"ph\":\"E\"," P0 "\"ts\":1000,\"args\":{\"ends\":\"sleep\"}},\n"
	 "{\"ph\":\"i\"," P0 "\"ts\":3000,\"s\":\"t\",\"cat\":\"wake\",\"name\":\"wake\","
	 "\"args\":{\"thread\":\"a\"}},\n"
	 "{\"ph\":\"i\"," P0 "\"ts\":3000,\"s\":\"t\",\"cat\":\"wake\",\"name\":\"wake\","
	 "\"args\":{\"thread\":\"b\"}},\n"
	 "{\"ph\":\"B\"," P0 "\"ts\":3000,\"cat\":\"thread\",\"name\":\"a\"},\n"
	 "{\"ph\":\"X\"," P0 "\"ts\":3000,\"dur\":1000,\"cat\":\"matched\",\"name\":\"Low\",\"cname\":\"grey\","
	 "\"args\":{\"thread\":\"a\"}},\n"
	 "{\"ph\":\"E\"," P0 "\"ts\":4000,\"args\":{\"ends\":\"yield\"}},\n"
	 "{\"ph\":\"B\"," P0 "\"ts\":4000,\"cat\":\"thread\",\"name\":\"b\"},\n"
	 "{\"ph\":\"X\"," P0 "\"ts\":4000,\"dur\":1000,\"cat\":\"matched\",\"name\":\"Low\",\"cname\":\"grey\","
	 "\"args\":{\"thread\":\"b\"}},\n"
	 "{\"ph\":\"E\"," P0 "\"ts\":5000}\n]}\n",
	 BY_IDLE("0", "0.0000") "sched_wakeup: comm=a pid=1 prio=120 target_cpu=000\n" BY_IDLE("0", "0.0000")
		 PREV("swapper/0", "0", "R") NEXT("a", "1")			//
	 AT("a", "1", "0", "0.0010") PREV("a", "1", "S") NEXT("swapper/0", "0") //
	 BY_IDLE("0", "0.0030") "sched_wakeup: comm=a pid=1 prio=120 target_cpu=000\n" BY_IDLE(
		 "0", "0.0030") "sched_wakeup: comm=b pid=2 prio=120 target_cpu=000\n" BY_IDLE("0", "0.0030")
		 PREV("swapper/0", "0", "R") NEXT("a", "1")		//
	 AT("a", "1", "0", "0.0040") PREV("a", "1", "R") NEXT("b", "2") //
	 AT("b", "2", "0", "0.0050") PREV("b", "2", "R+") NEXT("swapper/0", "0")},
	{"a thread that is moved on before it runs has one arrow, one that comes back none",
	 {RUN(0, 0, 0, LOW), STOP(MS(1), 0, 0, TURN), MOVE(MS(1), 0, 1, 0), MOVE(MS(2), 1, 0, 0), RUN(MS(2), 0, 0, LOW),
	  STOP(MS(3), 0, 0, END)},
	 6,
	 "{\"ph\":\"B\"," P0 "\"ts\":0,\"cat\":\"thread\",\"name\":\"a\"},\n"
	 "{\"ph\":\"X\"," P0 "\"ts\":0,\"dur\":1000,\"cat\":\"matched\",\"name\":\"Low\",\"cname\":\"grey\","
	 "\"args\":{\"thread\":\"a\"}},\n"
	 "{\"ph\":\"E\"," P0 "\"ts\":1000},\n"
	 "{\"ph\":\"B\"," P0 "\"ts\":2000,\"cat\":\"thread\",\"name\":\"a\"},\n"
	 "{\"ph\":\"X\"," P0 "\"ts\":2000,\"dur\":1000,\"cat\":\"matched\",\"name\":\"Low\",\"cname\":\"grey\","
	 "\"args\":{\"thread\":\"a\"}},\n"
	 "{\"ph\":\"E\"," P0 "\"ts\":3000,\"args\":{\"ends\":\"end\"}}\n]}\n",
	 BY_IDLE("0", "0.0000") PREV("swapper/0", "0", "R") NEXT("a", "1")	 //
	 AT("a", "1", "0", "0.0010") PREV("a", "1", "R+") NEXT("swapper/0", "0") //
	 BY_IDLE("0", "0.0010") "sched_migrate_task: comm=a pid=1 prio=120 orig_cpu=0 dest_cpu=1\n" BY_IDLE(
		 "1", "0.0020") "sched_migrate_task: comm=a pid=1 prio=120 orig_cpu=1 dest_cpu=0\n" BY_IDLE("0",
													    "0.0020")
		 PREV("swapper/0", "0", "R") NEXT("a", "1") //
	 AT("a", "1", "0", "0.0030") PREV("a", "1", "R+") NEXT("swapper/0", "0")},
};

static void expect_text(const char *name, char *text, const char *expected)
{
	if (strcmp(text, expected) != 0)
		fail_msg("%s:\n%s--- should be\n%s", name, text, expected);
	free(text);
}

static void test_told(void **state)
{
	struct world w;
	(void)state;
	make_world(&w);
	for (size_t i = 0; i < ARRAY_SIZE(told_cases); i++) {
		const struct told_case *c = &told_cases[i];
		expect_text(c->name, told(&w, TIMELINE_CHROME, c->events, c->nr, "\"sort_index\":1"), c->chrome);
		expect_text(c->name, told(&w, TIMELINE_FTRACE, c->events, c->nr, "#              |"), c->ftrace);
	}
	trace_free(w.traces[0].trace);
}

/* Names break neither form. */
static void test_names(void **state)
{
	static const struct timeline_event events[] = {RUN(0, 0, 0, LOW), RUN(0, 1, 1, LOW), STOP(MS(1), 0, 0, END),
						       STOP(MS(1), 1, 1, END)};
	struct world w;
	json_error_t where;
	(void)state;
	make_world(&w);
	w.threads[0].name = "a \"quoted\" \\ name\n\t=x ==> y";
	w.threads[1].name = "gr\xc3\xb6\xc3\x9f"
			    "e\xff";
	char *text = told(&w, TIMELINE_CHROME, events, 4, "\"displayTimeUnit\"");
	text = realloc(text, strlen(text) + 3);
	memmove(text + 1, text, strlen(text) + 1);
	text[0] = '{';
	json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &where);
	if (!root)
		fail_msg("line %d: %s: %s", where.line, where.text, text);
	const json_t *all = json_object_get(root, "traceEvents");
	int nr = 0;
	for (size_t i = 0; i < json_array_size(all); i++) {
		const json_t *e = json_array_get(all, i);
		if (strcmp(json_string_value(json_object_get(e, "ph")), "B") != 0)
			continue;
		assert_string_equal(json_string_value(json_object_get(e, "name")), nr++ == 0 ? w.threads[0].name
											     : "gr\xc3\xb6\xc3\x9f"
											       "e\xef\xbf\xbd");
	}
	assert_int_equal(nr, 2);
	json_decref(root);
	free(text);
	text = told(&w, TIMELINE_FTRACE, events, 4, "#              |");
	assert_non_null(strstr(text, "next_comm=a_\"quoted\"_\\_name___x___>_y next_pid=1 next_prio=120\n"));
	assert_non_null(strstr(text, "next_comm=gr\xc3\xb6\xc3\x9f"
				     "e\xff next_pid=2 "));
	free(text);
	trace_free(w.traces[0].trace);
}

static void test_forms(void **state)
{
	static const struct {
		const char *path;
		int form; /* -1: it does not say */
	} cases[] = {
		{"a.json", TIMELINE_CHROME},
		{"a.json.zst", TIMELINE_CHROME},
		{"a.txt", TIMELINE_FTRACE},
		{"x/a.trace", TIMELINE_FTRACE},
		{"a.ftrace", TIMELINE_FTRACE},
		{"a.trace.zst", TIMELINE_FTRACE},
		{"a.zst", -1},
		{"a", -1},
		{"", -1},
		{".json", -1},
		{"a.JSON", -1},
		{"a.json.gz", -1},
		{"a.json/b", -1},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		enum timeline_form form = NR_TIMELINE_FORMS;
		bool known = timeline_form_of(cases[i].path, &form);
		if (known != (cases[i].form >= 0) || (known && (int)form != cases[i].form))
			fail_msg("'%s' is taken for another form", cases[i].path);
	}
}

/* --- runs --- */

/* How long a thread ran, from its result: all of its timesteps, but the rest of the one in which its trace ended. */
static uint64_t ran_ns(const struct run_config *config, const struct run_thread_result *r)
{
	uint64_t step = config->timestep_ns;
	uint64_t rest = r->counts.left ? (step - r->counts.present_ns % step) % step : 0;
	return r->counts.executed * step - rest;
}

struct track {
	char thread[64];	     /* that runs; empty: none */
	uint64_t since_ns, until_ns; /* of it, and up to where its states reach */
	char last[64];		     /* who ran before */
	uint64_t last_ns;	     /* until then */
	char state[STATE_NAME_BYTES];
};

struct seen {
	struct track tracks[MANY_TRACKS];
	struct {
		char name[64];
		uint64_t ran_ns, last_ns;
		uint32_t last_track;
	} threads[MANY_THREADS];
	uint32_t arrow_track;
	uint64_t arrow_id, arrow_ns; /* that has begun and not ended */
	uint64_t nr_arrows;
};

static uint64_t ns_at(const json_t *event, const char *key)
{
	const json_t *us = json_object_get(event, key);
	assert_true(json_is_number(us));
	return (uint64_t)llround(json_number_value(us) * 1000.0);
}

static const char *text_at(const json_t *event, const char *key)
{
	const char *text = json_string_value(json_object_get(event, key));
	assert_non_null(text);
	return text;
}

static uint32_t find_thread(const struct run_config *config, const char *name)
{
	for (uint32_t t = 0; t < config->nr_threads; t++)
		if (strcmp(config->threads[t].name, name) == 0)
			return t;
	fail_msg("no thread is called '%s'", name);
	return 0;
}

static void see_begin(const struct run_config *config, const json_t *e, struct track *track)
{
	const char *name = text_at(e, "name");
	uint64_t ns = ns_at(e, "ts");
	(void)find_thread(config, name);
	assert_string_equal(track->thread, "");
	assert_true(ns >= track->last_ns);
	if (strcmp(track->last, name) == 0 && track->last_ns == ns)
		fail_msg("'%s' goes on, in another slice", name);
	snprintf(track->thread, sizeof(track->thread), "%s", name);
	track->since_ns = track->until_ns = ns;
	track->state[0] = '\0';
}

static void see_state(const json_t *e, struct track *track)
{
	unsigned state;
	const char *name = text_at(e, "name");
	assert_string_equal(text_at(json_object_get(e, "args"), "thread"), track->thread);
	assert_true(state_find(name, strlen(name), &state));
	assert_int_equal(ns_at(e, "ts"), track->until_ns);
	assert_true(ns_at(e, "dur") > 0);
	assert_string_not_equal(name, track->state);
	assert_non_null(json_object_get(e, "cname"));
	track->until_ns += ns_at(e, "dur");
	snprintf(track->state, sizeof(track->state), "%s", name);
}

static void see_end(struct seen *s, const struct run_config *config, const json_t *e, struct track *track)
{
	uint64_t ns = ns_at(e, "ts");
	uint32_t t = find_thread(config, track->thread);
	assert_int_equal(ns, track->until_ns);
	assert_true(ns > track->since_ns);
	s->threads[t].ran_ns += ns - track->since_ns;
	s->threads[t].last_ns = ns;
	s->threads[t].last_track = (uint32_t)(track - s->tracks);
	memcpy(track->last, track->thread, sizeof(track->last));
	track->last_ns = ns;
	track->thread[0] = '\0';
}

/* An arrow goes from the last ns of a thread's slice to the beginning of its next one. */
static void see_arrow(struct seen *s, const struct run_config *config, const json_t *e, const struct track *track)
{
	uint64_t id = (uint64_t)json_integer_value(json_object_get(e, "id"));
	if (strcmp(text_at(e, "ph"), "s") == 0) {
		assert_int_equal(s->arrow_id, 0);
		s->arrow_id = id;
		s->arrow_ns = ns_at(e, "ts") + 1;
		assert_int_equal(id, ++s->nr_arrows);
		s->arrow_track = (uint32_t)(track - s->tracks);
		return;
	}
	assert_int_equal(id, s->arrow_id);
	s->arrow_id = 0;
	uint32_t t = find_thread(config, track->thread);
	assert_int_equal(ns_at(e, "ts"), track->since_ns);
	assert_int_equal(s->arrow_ns, s->threads[t].last_ns);
	assert_int_equal(s->arrow_track, s->threads[t].last_track);
	assert_true((uint32_t)(track - s->tracks) != s->threads[t].last_track);
}

/* Reads Chrome's form of a run and holds it against the result; true if threads moved. */
static bool expect_chrome(const struct run_config *config, const struct run_result *result, const char *text)
{
	static struct seen s;
	json_error_t where;
	json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &where);
	uint64_t nr_moves = 0;
	memset(&s, 0, sizeof(s));
	if (!root)
		fail_msg("line %d: %s", where.line, where.text);
	const json_t *events = json_object_get(root, "traceEvents");
	for (size_t i = 0; i < json_array_size(events); i++) {
		const json_t *e = json_array_get(events, i);
		const char *ph = text_at(e, "ph");
		json_int_t tid = json_integer_value(json_object_get(e, "tid"));
		json_int_t pid = json_integer_value(json_object_get(e, "pid"));
		assert_true(tid >= 1 && tid < MANY_TRACKS);
		/* No two processes share a number. */
		assert_int_equal((tid - 1) / config->chip.nr_cores, (pid - 1) / config->chip.nr_cores);
		struct track *track = &s.tracks[tid];
		switch (*ph) {
		case 'B':
			see_begin(config, e, track);
			break;
		case 'X':
			see_state(e, track);
			break;
		case 'E':
			see_end(&s, config, e, track);
			break;
		case 's':
		case 'f':
			see_arrow(&s, config, e, track);
			break;
		default:
			assert_true(*ph == 'M' || *ph == 'i');
		}
	}
	for (uint32_t i = 0; i < MANY_TRACKS; i++)
		assert_string_equal(s.tracks[i].thread, "");
	for (uint32_t t = 0; t < config->nr_threads; t++) {
		if (s.threads[t].ran_ns != ran_ns(config, &result->threads[t]))
			fail_msg("'%s' ran %" PRIu64 " ns, its slices last %" PRIu64, config->threads[t].name,
				 ran_ns(config, &result->threads[t]), s.threads[t].ran_ns);
		nr_moves += result->threads[t].counts.migrations;
	}
	assert_int_equal(s.arrow_id, 0);
	assert_true(s.nr_arrows <= nr_moves);
	json_decref(root);
	return s.nr_arrows > 0;
}

struct replay {
	uint32_t on_core[MANY_TRACKS]; /* pid, 0: idle */
	uint64_t since_ns[MANY_TRACKS];
	uint32_t where[MANY_THREADS + 1]; /* core + 1, 0: it has not woken */
	uint64_t ran_ns[MANY_THREADS + 1], nr_moves[MANY_THREADS + 1];
	uint64_t last_ns;
};

static void replay_switch(struct replay *r, uint32_t cpu, uint64_t ns, const char *args)
{
	char prev_comm[64], prev_state[8], next_comm[64];
	unsigned prev, next;
	assert_int_equal(sscanf(args,
				"prev_comm=%63s prev_pid=%u prev_prio=120 prev_state=%7s ==> next_comm=%63s "
				"next_pid=%u next_prio=120",
				prev_comm, &prev, prev_state, next_comm, &next),
			 5);
	assert_int_equal(prev, r->on_core[cpu]);
	assert_int_not_equal(prev, next);
	r->ran_ns[prev] += ns - r->since_ns[cpu];
	for (uint32_t c = 0; c < MANY_TRACKS && next; c++)
		assert_int_not_equal(r->on_core[c], next);
	if (next)
		assert_int_equal(r->where[next], cpu + 1);
	r->on_core[cpu] = next;
	r->since_ns[cpu] = ns;
}

static void replay_line(struct replay *r, const char *line)
{
	char comm[64], event[32];
	unsigned pid, cpu, target;
	uint64_t s, ns;
	int at = 0;
	const char *dash = strchr(line, '[');
	assert_non_null(dash);
	while (*dash != '-')
		dash--;
	assert_int_equal(
		sscanf(dash, "-%u [%u] d..2 %" SCNu64 ".%" SCNu64 ": %31[a-z_]: %n", &pid, &cpu, &s, &ns, event, &at),
		5);
	ns += s * NS_PER_S;
	assert_true(ns >= r->last_ns);
	assert_int_equal(pid, r->on_core[cpu]);
	r->last_ns = ns;
	const char *args = dash + at;
	if (strcmp(event, "sched_switch") == 0) {
		replay_switch(r, cpu, ns, args);
	} else if (strcmp(event, "sched_wakeup") == 0) {
		assert_int_equal(sscanf(args, "comm=%63s pid=%u prio=120 target_cpu=%u", comm, &pid, &target), 3);
		assert_int_equal(r->where[pid], 0);
		r->where[pid] = target + 1;
	} else {
		assert_string_equal(event, "sched_migrate_task");
		assert_int_equal(
			sscanf(args, "comm=%63s pid=%u prio=120 orig_cpu=%u dest_cpu=%u", comm, &pid, &cpu, &target),
			4);
		assert_int_equal(r->where[pid], cpu + 1);
		r->where[pid] = target + 1;
		r->nr_moves[pid]++;
	}
}

static void expect_ftrace(const struct run_config *config, const struct run_result *result, char *text)
{
	static struct replay r;
	char *rest = NULL;
	memset(&r, 0, sizeof(r));
	for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		if (*line != '#')
			replay_line(&r, line);
	for (uint32_t t = 0; t < config->nr_threads; t++) {
		assert_int_equal(r.ran_ns[t + 1], ran_ns(config, &result->threads[t]));
		assert_int_equal(r.nr_moves[t + 1], result->threads[t].counts.migrations);
	}
}

/* The timeline of a run; the result too. */
static char *written(const struct run_config *config, enum sim_engine engine, enum timeline_form form,
		     struct run_result *result)
{
	char *text = NULL;
	size_t len;
	struct sahm_err err;
	FILE *out = open_memstream(&text, &len);
	struct timeline *tl = timeline_new(config, "a.cfg", form, out);
	assert_non_null(tl);
	if (run_execute_with_listeners(config, engine, timeline_listener(tl), NULL, result, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	timeline_free(tl);
	fclose(out);
	return text;
}

static void test_runs(void **state)
{
	static const struct {
		const char *path, *settings[4];
	} cases[] = {
		{"configs/canonical.cfg", {NULL}},
		{"configs/shared-16.cfg", {NULL}},
		{"configs/shared-16.cfg", {"scheduler.timestep_ms=7.3", "scheduler.inertia=0"}},
		{"configs/shared-16.cfg", {"scheduler.oracle=true", "migration.cost_ms=25"}},
		{"configs/shared-16.cfg", {"introspection.image=classify"}},
		{"configs/realistic-39.cfg", {"workload.duration_ms=20000"}},
		{"configs/realistic-39.cfg",
		 {"chip.cores[1].count=1", "chip.cores[2].count=1", "chip.cores[3].count=1",
		  "workload.duration_ms=9999"}},
	};
	(void)state;
	bool have_moved = false;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct run_config config;
		struct run_result result;
		struct sahm_err err = {0};
		size_t nr = 0;
		while (nr < 4 && cases[i].settings[nr])
			nr++;
		if (run_config_load(&config, cases[i].path, cases[i].settings, nr, ".", &err) != SAHM_OK)
			fail_msg("%s: %s", cases[i].path, err.msg);
		char *chrome = written(&config, SIM_EVENT, TIMELINE_CHROME, &result);
		run_result_release(&result);
		char *again = written(&config, SIM_PLAIN, TIMELINE_CHROME, &result);
		assert_string_equal(chrome, again);
		have_moved |= expect_chrome(&config, &result, chrome);
		run_result_release(&result);
		char *ftrace = written(&config, SIM_EVENT, TIMELINE_FTRACE, &result);
		expect_ftrace(&config, &result, ftrace);
		free(ftrace);
		free(chrome);
		free(again);
		run_result_release(&result);
		run_config_release(&config);
	}
	assert_true(have_moved);
}

/* Compressed or not, the same is written. */
static void test_compressed(void **state)
{
	static const struct timeline_event events[] = {RUN(0, 0, 0, LOW), STOP(MS(1), 0, 0, END)};
	char folder[] = "/tmp/sahm-timeline-XXXXXX", text[2][4096] = {{0}};
	struct sahm_err err;
	struct world w;
	(void)state;
	make_world(&w);
	assert_non_null(mkdtemp(folder));
	for (int i = 0; i < 2; i++) {
		struct timeline_file *file;
		char path[64];
		snprintf(path, sizeof(path), "%s/a.json%s", folder, i ? COMPRESSED_SUFFIX : "");
		assert_int_equal(timeline_file_open(&file, path, true, TIMELINE_CHROME, &w.config, "made.cfg", &err),
				 SAHM_OK);
		struct timeline_sink *sink = timeline_file_listener(file);
		sink->begin(sink, 0, 3);
		for (int e = 0; e < 2; e++)
			sink->take(sink, &events[e]);
		assert_int_equal(timeline_file_close(file, SAHM_OK, &err), SAHM_OK);
		FILE *in = fopen(path, "rb");
		assert_non_null(in);
		struct zstd_reader *r = zstd_reader_new(in, path);
		assert_non_null(r);
		assert_true(fread(text[i], 1, sizeof(text[i]) - 1, zstd_reader_stream(r)) > 500);
		assert_int_equal(zstd_reader_free(r, SAHM_OK, &err), SAHM_OK);
		rewind(in);
		assert_int_equal(fgetc(in), i ? 0x28 : '{');
		fclose(in);
		unlink(path);
	}
	assert_string_equal(text[0], text[1]);
	assert_int_equal(rmdir(folder), 0);
	trace_free(w.traces[0].trace);
}

/* A run that fails leaves no file; neither does a place where none can be. */
static void test_file(void **state)
{
	char folder[] = "/tmp/sahm-timeline-XXXXXX", path[64];
	struct timeline_file *file = NULL;
	struct sahm_err err = {.msg = "as it was"};
	struct world w;
	(void)state;
	make_world(&w);
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/a.json.zst", folder);
	assert_int_equal(timeline_file_open(&file, path, true, TIMELINE_CHROME, &w.config, "made.cfg", &err), SAHM_OK);
	struct timeline_sink *sink = timeline_file_listener(file);
	sink->begin(sink, 0, 3);
	sink->take(sink, &(struct timeline_event)RUN(0, 0, 0, LOW));
	assert_int_equal(timeline_file_close(file, SAHM_RANGE, &err), SAHM_RANGE);
	assert_string_equal(err.msg, "as it was");
	assert_int_equal(rmdir(folder), 0);
	assert_int_equal(timeline_file_open(&file, path, true, TIMELINE_CHROME, &w.config, "made.cfg", &err), SAHM_IO);
	assert_non_null(strstr(err.msg, "cannot create '"));
	trace_free(w.traces[0].trace);
}

TEST_FILE(test_timeline)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_told), cmocka_unit_test(test_names),	cmocka_unit_test(test_forms),
		cmocka_unit_test(test_runs), cmocka_unit_test(test_compressed), cmocka_unit_test(test_file),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
