#include "sim/cli/sweep_summary.h"

#include "sim/base/shell.h"
#include "sim/base/units.h"
#include "sim/cli/sweep_progress.h"

void summary_row(struct textbuf *out, const char *what)
{
	textbuf_printf(out, "%-10s", what);
}

/* "2,048 points: chip (256) x setting (8)". */
void summary_space(const struct sweep *sweep, const struct sweep_plan *plan, const struct sweep_shard *shard,
		   struct textbuf *out)
{
	const struct space *space = &sweep->space;
	summary_row(out, "space");
	write_count(space->nr_points, out);
	textbuf_puts(out, space->nr_points == 1 ? " point" : " points");
	for (uint32_t i = 0; i < space->nr_axes; i++) {
		textbuf_puts(out, i ? " x " : ": ");
		textbuf_label(out, space->axes[i].name);
		textbuf_puts(out, " (");
		write_count(space->axes[i].nr_values, out);
		textbuf_putc(out, ')');
	}
	if (shard->nr > 1)
		textbuf_printf(out, "; shard %llu of %llu", (unsigned long long)shard->index + 1,
			       (unsigned long long)shard->nr);
	if (sweep_shard_points(sweep, shard) == 0) {
		textbuf_puts(out, " has no points");
	} else if (shard->nr > 1) {
		textbuf_puts(out, ": ");
		write_count(sweep_shard_points(sweep, shard), out);
		textbuf_puts(out, " of them");
	}
	textbuf_putc(out, '\n');
	summary_row(out, "runs");
	write_count(sweep_nr_left(plan) + plan->counts.done + plan->counts.failed, out);
	textbuf_puts(out, " different");
	if (plan->counts.done || plan->counts.failed) {
		textbuf_puts(out, ", of which ");
		write_count(plan->counts.done + plan->counts.failed, out);
		textbuf_puts(out, " the results file has already");
	}
	if (plan->counts.threadless) {
		textbuf_puts(out, "; ");
		write_count(plan->counts.threadless, out);
		textbuf_puts(out, plan->counts.threadless == 1 ? " was kept without its threads, and is run again"
							       : " were kept without their threads, and are run again");
	}
	textbuf_putc(out, '\n');
}

static void write_bytes(double bytes, struct textbuf *out)
{
	static const char *const units[] = {"bytes", "KB", "MB", "GB", "TB"};
	unsigned unit = 0;
	for (; bytes >= 1000 && unit < 4; unit++)
		bytes /= 1000;
	textbuf_printf(out, bytes < 9.95 && unit ? "%.1f %s" : "%.0f %s", bytes, units[unit]);
}

void summary_estimate(const struct sweep_plan *plan, const struct sweep_estimate *e, uint32_t nr_workers, bool is_new,
		      struct textbuf *out)
{
	summary_row(out, "estimate");
	if (sweep_nr_left(plan) == 0) {
		textbuf_puts(out, "nothing is left to do\n");
	} else if (e->nr_tried == 0) {
		textbuf_puts(out, "none: the runs that were tried did not end well, or not in time\n");
	} else {
		textbuf_puts(out, "about ");
		write_duration(e->seconds, out);
		textbuf_printf(out, " with -j %u, and ", nr_workers);
		write_bytes(e->bytes + (is_new ? e->new_bytes : 0), out);
		textbuf_printf(out, " in the results file; from %llu run%s\n", (unsigned long long)e->nr_tried,
			       e->nr_tried == 1 ? "" : "s");
	}
}

void summary_outcome(const char *path, const struct sweep_plan *plan, const struct sweep_outcome *outcome,
		     struct textbuf *out)
{
	double seconds = (double)outcome->elapsed_ns / (double)NS_PER_S;
	uint64_t nr = outcome->done + outcome->failed;
	uint64_t nr_failed = plan->counts.failed + outcome->failed - outcome->mended;
	summary_row(out, "result");
	textbuf_label(out, path);
	textbuf_puts(out, ": ");
	write_count(plan->counts.done + outcome->done, out);
	textbuf_puts(out, " done");
	if (nr_failed) {
		textbuf_puts(out, ", ");
		write_count(nr_failed, out);
		textbuf_puts(out, " failed");
	}
	if (nr > 0) {
		textbuf_puts(out, "; ");
		write_count(nr, out);
		textbuf_puts(out, " in ");
		write_duration(seconds, out);
		if (seconds > 0)
			textbuf_printf(out, (double)nr / seconds < 9.95 ? " (%.1f/s)" : " (%.0f/s)",
				       (double)nr / seconds);
	}
	textbuf_putc(out, '\n');
}

enum sahm_status summary_failed(uint64_t nr, const char *path, const char *rest, struct sahm_err *err)
{
	struct textbuf word;
	textbuf_init(&word);
	shell_write_file(&word, path);
	enum sahm_status status =
		textbuf_failed(&word)
			? sahm_fail_nomem(err)
			: sahm_fail(err, SAHM_POLICY, "%llu run%s failed: `sahm query %s failed` says why%s",
				    (unsigned long long)nr, nr == 1 ? "" : "s", word.text, rest);
	textbuf_release(&word);
	return status;
}

void summary_seconds(uint64_t nr, struct textbuf *out)
{
	if (nr == 0)
		return;
	summary_row(out, "DIFFERING");
	write_count(nr, out);
	textbuf_printf(out, " run%s once gave another result than the one that counts: table second_result\n",
		       nr == 1 ? "" : "s");
}
