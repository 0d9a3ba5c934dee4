/* One line of a recording of a scheduler. */
#include <stdlib.h>
#include <string.h>

#include "sim/base/number.h"
#include "workloads/bursts/import_sched_internal.h"

/* A stretch of the line. */
struct span {
	const char *text;
	size_t len;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static struct span next_word(const char **at)
{
	while (is_blank(**at))
		++*at;
	struct span word = {*at, strcspn(*at, " \t")};
	*at += word.len;
	return word;
}

/* "12.345678:", with one to nine decimals, as ns. */
static bool read_time(struct span word, uint64_t *ns)
{
	uint64_t seconds, part, scale = 1;
	const char *point = memchr(word.text, '.', word.len);
	if (!point || word.len < 4 || word.text[word.len - 1] != ':')
		return false;
	size_t decimals = word.len - 2 - (size_t)(point - word.text);
	if (decimals < 1 || decimals > 9 ||
	    number_read_u64(word.text, (size_t)(point - word.text), &seconds) != NUMBER_OK ||
	    number_read_u64(point + 1, decimals, &part) != NUMBER_OK)
		return false;
	for (size_t i = decimals; i < 9; i++)
		scale *= 10;
	return !__builtin_mul_overflow(seconds, UINT64_C(1000000000), ns) &&
	       !__builtin_add_overflow(*ns, part * scale, ns);
}

static bool is_event_name(struct span word)
{
	if (word.len < 2 || word.text[word.len - 1] != ':')
		return false;
	for (size_t i = 0; i + 1 < word.len; i++) {
		char c = word.text[i];
		if (!is_digit(c) && !(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && !strchr("_:-./", c))
			return false;
	}
	return true;
}

static bool is_number(struct span word)
{
	for (size_t i = 0; i < word.len; i++)
		if (!is_digit(word.text[i]))
			return false;
	return word.len > 0;
}

/* The number before `end`, not before `begin`; *at is where its digits begin. */
static bool number_before(const char *begin, const char *end, const char **at, uint32_t *value)
{
	uint64_t wide;
	const char *digits = end;
	while (digits > begin && is_digit(digits[-1]))
		digits--;
	if (number_read_u64(digits, (size_t)(end - digits), &wide) != NUMBER_OK || wide > INT32_MAX)
		return false;
	*at = digits;
	*value = (uint32_t)wide;
	return true;
}

/* Whose line it is: perf's "comm 12" and "comm 11/12", the kernel's "comm-12" and "comm-12 (11)". */
static void read_owner(const char *begin, const char *end, struct sched_event *e)
{
	const char *at;
	uint32_t process;
	while (end > begin && is_blank(end[-1]))
		end--;
	if (end > begin && end[-1] == ')') {
		bool told = number_before(begin, end - 1, &at, &process);
		while (end > begin && end[-1] != '(')
			end--;
		end -= end > begin;
		while (end > begin && is_blank(end[-1]))
			end--;
		if (told && number_before(begin, end, &at, &e->current))
			e->process = process;
		return;
	}
	if (!number_before(begin, end, &at, &e->current))
		return;
	if (at > begin && at[-1] == '/')
		number_before(begin, at - 1, &at, &e->process);
}

/* What stands before the time: the thread, "[003]", flags of the kernel's. */
static void read_front(const char *begin, const char *end, struct sched_event *e)
{
	const char *at = begin;
	while (at < end) {
		uint64_t cpu;
		struct span word = next_word(&at);
		if (word.len > 2 && word.text[0] == '[' && word.text[word.len - 1] == ']' &&
		    number_read_u64(word.text + 1, word.len - 2, &cpu) == NUMBER_OK && cpu <= INT32_MAX) {
			e->cpu = (int)cpu;
			end = word.text;
			break;
		}
	}
	read_owner(begin, end, e);
}

/* The number preceded by `key`, at or after *at; *at moves past it. */
static bool read_key(const char **at, const char *key, uint32_t *value)
{
	uint64_t wide;
	const char *found = strstr(*at, key);
	if (!found)
		return false;
	const char *digits = found + strlen(key);
	size_t len = strspn(digits, "0123456789");
	if (number_read_u64(digits, len, &wide) != NUMBER_OK || wide > INT32_MAX)
		return false;
	*value = (uint32_t)wide;
	*at = digits + len;
	return true;
}

/* "prev_comm=a b prev_pid=1": the name may hold blanks. */
static bool read_named(const char **at, const char *comm_key, const char *pid_key, struct sched_task *t)
{
	const char *comm = strstr(*at, comm_key), *pid = comm ? strstr(comm, pid_key) : NULL;
	if (!pid)
		return false;
	t->comm = comm + strlen(comm_key);
	if (pid < t->comm)
		return false;
	t->comm_len = (size_t)(pid - t->comm);
	*at = pid;
	return read_key(at, pid_key, &t->tid);
}

/* "a:1 [120]" between `begin` and `end`; *rest is what follows the bracket. */
static bool read_bracketed(const char *begin, const char *end, struct sched_task *t, const char **rest)
{
	const char *bracket = end, *at;
	while (bracket > begin && !(bracket[-1] == ' ' && bracket[0] == '['))
		bracket--;
	const char *close = bracket > begin ? memchr(bracket, ']', (size_t)(end - bracket)) : NULL;
	if (!close || !number_before(begin, bracket - 1, &at, &t->tid) || at == begin || at[-1] != ':')
		return false;
	t->comm = begin;
	t->comm_len = (size_t)(at - 1 - begin);
	*rest = close + 1;
	return true;
}

/* Bits of a state that is printed as a number (kernel, include/linux/sched.h). Those above are of a thread that was
 * preempted; their place depends on the version. */
#define STATE_BITS 0xffu
#define STATE_EXITS 0x30u

/* "1", "0x1": as `trace-cmd report -R` prints a state. */
static bool read_raw_state(const char *at, struct sched_event *e)
{
	char *end;
	unsigned long long state = strtoull(at, &end, at[0] == '0' && at[1] == 'x' ? 16 : 10);
	if (*end && !is_blank(*end))
		return false;
	e->end = (state & STATE_EXITS) ? SCHED_EXITS : (state & STATE_BITS) ? SCHED_SLEEPS : SCHED_PREEMPTED;
	return true;
}

static bool read_state(const char *at, struct sched_event *e)
{
	while (is_blank(*at))
		at++;
	if (is_digit(*at))
		return read_raw_state(at, e);
	if (!strchr("RSDTtXxZPIKWN", *at) || *at == '\0')
		return false;
	e->end = *at == 'R' ? SCHED_PREEMPTED : strchr("XxZ", *at) ? SCHED_EXITS : SCHED_SLEEPS;
	return true;
}

static bool read_switch(const char *at, struct sched_event *e)
{
	const char *begin = at, *arrow = strstr(at, " ==> "), *rest;
	e->kind = SCHED_SWITCH;
	if (strncmp(at, "prev_comm=", 10) == 0) {
		if (!read_named(&at, "prev_comm=", " prev_pid=", &e->prev))
			return false;
		const char *state = strstr(at, " prev_state=");
		if (!state || !read_state(state + strlen(" prev_state="), e))
			return false;
		at = state;
		return read_named(&at, " next_comm=", " next_pid=", &e->next);
	}
	return arrow && read_bracketed(begin, arrow, &e->prev, &rest) && read_state(rest, e) &&
	       read_bracketed(arrow + strlen(" ==> "), arrow + strlen(arrow), &e->next, &rest);
}

static bool read_wake(const char *at, struct sched_event *e)
{
	const char *rest;
	/* Old kernels tell of attempts, too. */
	e->kind = strstr(at, " success=0") ? SCHED_OTHER : SCHED_WAKE;
	if (strncmp(at, "comm=", 5) == 0)
		return read_named(&at, "comm=", " pid=", &e->next);
	return read_bracketed(at, at + strlen(at), &e->next, &rest);
}

static bool is_named(struct span name, const char *word)
{
	return name.len == strlen(word) + 1 && memcmp(name.text, word, name.len - 1) == 0;
}

/* "CPU:3 [LOST 12 EVENTS]", "CPU:3 [12 EVENTS DROPPED]", "... PERF_RECORD_LOST lost 12". */
static bool is_lost(const char *line, struct sched_event *e)
{
	static const char perf[] = "PERF_RECORD_LOST";
	const char *at = strstr(line, perf);
	if (at)
		at += strlen(perf);
	else if (strncmp(line, "CPU:", 4) == 0 && (strstr(line, "EVENTS]") || strstr(line, "EVENTS DROPPED]")))
		at = strchr(line, '[');
	if (!at)
		return false;
	at += strcspn(at, "0123456789");
	if (number_read_u64(at, strspn(at, "0123456789"), &e->nr_lost) != NUMBER_OK)
		e->nr_lost = 0;
	e->kind = SCHED_LOST;
	return true;
}

void sched_line_read(const char *line, struct sched_event *e)
{
	const char *at = line;
	*e = (struct sched_event){.kind = SCHED_NOTHING, .cpu = -1};
	if (line[0] == '#' || is_lost(line, e))
		return;
	for (struct span word = next_word(&at); word.len > 0; word = next_word(&at)) {
		if (!read_time(word, &e->ns))
			continue;
		const char *behind = at;
		struct span name = next_word(&behind);
		/* There perf script prints the period, trace-cmd the time since the event before, if asked to.
		 */
		if (is_number(name) || (name.len > 0 && name.text[0] == '('))
			name = next_word(&behind);
		if (!is_event_name(name))
			continue;
		while (is_blank(*behind))
			behind++;
		e->kind = SCHED_OTHER;
		if (name.len > 6 && memcmp(name.text, "sched:", 6) == 0) {
			e->by_perf = true;
			name = (struct span){name.text + 6, name.len - 6};
		}
		read_front(line, word.text, e);
		bool right = true;
		if (is_named(name, "sched_switch"))
			right = read_switch(behind, e);
		else if (is_named(name, "sched_wakeup") || is_named(name, "sched_waking") ||
			 is_named(name, "sched_wakeup_new"))
			right = read_wake(behind, e);
		if (!right) {
			e->kind = SCHED_WRONG;
			e->rest = name.text;
		}
		return;
	}
}
