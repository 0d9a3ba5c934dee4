/* A view per sweep, so that who asks in SQL needs no joins. */
#include <string.h>
#include <strings.h>

#include "results/store/store_internal.h"
#include "sim/base/array.h"

/* What a point, a run, a thread and a timing have; axes are called otherwise. */
static const char *const columns[] = {
	"position",	   "run",      "hash",	     "state",	     "message",	     "program",
	"made_of",	   "nr_cores", "nr_threads", "synthetic",    "nominal_time",
#define RUN_METRIC(member, form, words) #member, #member "_low", #member "_high",
#include "results/metrics/run_metric_list.h"
#undef RUN_METRIC
	"thread",	   "name",     "speedup",    "completed_ns", "present_ns",   "migrations",
	"started_unix_ms", "wall_ns",  "cpu_ns",     "worker",
};

void store_axis_column(const char *axis, struct textbuf *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(columns); i++)
		if (strcasecmp(columns[i], axis) == 0)
			textbuf_puts(name, "axis.");
	textbuf_puts(name, axis);
}

static void quote(struct textbuf *out, const char *name)
{
	textbuf_putc(out, '"');
	for (; *name; name++) {
		if (*name == '"')
			textbuf_putc(out, '"');
		textbuf_putc(out, *name);
	}
	textbuf_putc(out, '"');
}

static enum sahm_status write_axes(struct store *store, int64_t sweep, struct textbuf *sql, struct sahm_err *err)
{
	int code;
	sqlite3_stmt *s =
		store_prepare(store, "SELECT axis, name, nr_values, stride FROM axis WHERE sweep = ? ORDER BY axis");
	if (!s)
		return store_fail(store, err);
	sqlite3_bind_int64(s, 1, sweep);
	while ((code = sqlite3_step(s)) == SQLITE_ROW) {
		const char *axis = (const char *)sqlite3_column_text(s, 1);
		struct textbuf name;
		textbuf_init(&name);
		store_axis_column(axis ? axis : "", &name);
		textbuf_printf(sql,
			       ",\n  (SELECT label FROM axis_value WHERE sweep = %lld AND axis = %lld"
			       " AND value = p.position / %lld %% %lld) AS ",
			       (long long)sweep, (long long)sqlite3_column_int64(s, 0),
			       (long long)sqlite3_column_int64(s, 3), (long long)sqlite3_column_int64(s, 2));
		quote(sql, name.text);
		if (textbuf_failed(&name))
			sql->failed = true;
		textbuf_release(&name);
	}
	enum sahm_status status = code == SQLITE_DONE ? SAHM_OK : store_fail(store, err);
	sqlite3_finalize(s);
	return status;
}

enum sahm_status store_make_view(struct store *store, int64_t sweep, struct sahm_err *err)
{
	struct textbuf sql;
	textbuf_init(&sql);
	textbuf_printf(&sql, "CREATE VIEW sweep_%lld AS\nSELECT p.position", (long long)sweep);
	enum sahm_status status = write_axes(store, sweep, &sql, err);
	textbuf_puts(&sql, ",\n  CASE r.state WHEN 0 THEN 'planned' WHEN 1 THEN 'done' ELSE 'failed' END AS state,\n"
			   "  r.message, lower(hex(r.hash)) AS hash,\n"
			   "  (SELECT version FROM program WHERE id = r.program) AS program,\n"
			   "  (SELECT name FROM chip WHERE id = r.chip) AS made_of,\n"
			   "  r.nr_cores, r.nr_threads, r.synthetic, r.nominal_time");
#define RUN_METRIC(member, form, words) textbuf_puts(&sql, ",\n  r." #member);
#include "results/metrics/run_metric_list.h"
#undef RUN_METRIC
	textbuf_printf(&sql, ",\n  r.id AS run\nFROM point AS p JOIN run AS r ON r.id = p.run WHERE p.sweep = %lld",
		       (long long)sweep);
	if (status == SAHM_OK)
		status = textbuf_failed(&sql) ? sahm_fail_nomem(err) : store_exec(store, sql.text, err);
	textbuf_release(&sql);
	return status;
}
