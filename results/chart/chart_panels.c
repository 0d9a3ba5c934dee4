/* Box plots that stand in panels one above the other. All panels are one plot: the content of panel p is moved up by
 * up(p), and each has separate tics on the value axis. */
#include <math.h>

#include "results/chart/chart_internal.h"
#include "results/chart/plot.h"
#include "results/metrics/csv.h"
#include "sim/base/array.h"
#include "sim/base/number.h"
#include "sim/base/utf8.h"

#define WIDTH_PX 1400u
#define RIGHT_PX 24u
#define LEFT_PX 92u
#define LEGEND_ROW_PX 34u
/* Height of a panel with its title, where there is room for that. */
#define PANEL_PX 210u
/* What stands between two panels, as a share of a panel: the title of the lower one. */
#define GAP 0.16
/* Of labels: each needs so much width, and so much height per character. */
#define LABEL_PX 13u
#define CHAR_PX 8u
#define NR_TICS 5

static void data_of(const struct chart *c, const struct chart_panels *p, struct textbuf *data)
{
	bool names = chart_needs_names(p->labels, p->nr, data);
	chart_label_heading(c->row_key, names, data);
	chart_box_heading(c, data);
	textbuf_puts(data, ",panel");
	chart_name_heading(c->row_key, names, data);
	csv_end_row(data);
	for (size_t i = 0; i < p->nr_panels * p->nr; i++) {
		chart_label(p->labels[i % p->nr], data);
		chart_box_fields(&p->boxes[i], data);
		chart_name(p->panels[i / p->nr], true, data);
		chart_name(p->labels[i % p->nr], names, data);
		csv_end_row(data);
	}
}

static void alt_of(const struct chart *c, const struct chart_panels *p, struct textbuf *alt)
{
	chart_alt_begin(c, "Box plots in panels", alt);
	size_t nr_boxes = 0;
	for (size_t i = 0; i < p->nr_panels * p->nr; i++)
		nr_boxes += chart_has_box(&p->boxes[i]);
	textbuf_printf(alt, " There are %zu %s in %zu panels of %zu places", nr_boxes, c->row_words, p->nr_panels,
		       p->nr);
	if (p->box_words && *p->box_words)
		textbuf_printf(alt, "; boxes are of %s", p->box_words);
	textbuf_putc(alt, '.');
	for (size_t panel = 0; panel < p->nr_panels; panel++) {
		struct chart_extremes means = {0};
		for (size_t i = 0; i < p->nr; i++)
			if (chart_has_box(&p->boxes[panel * p->nr + i]))
				chart_extremes_add(&means, p->boxes[panel * p->nr + i].mean, p->labels[i]);
		textbuf_putc(alt, ' ');
		chart_add_label(alt, p->panels[panel]);
		textbuf_puts(alt, ": means: ");
		chart_extremes_write(c, &means, alt);
		if (means.nr > 0) {
			textbuf_puts(alt, ", mean of all ");
			chart_value(c, means.sum / (double)means.nr, alt);
		}
		textbuf_putc(alt, '.');
	}
}

static unsigned longest_label(const struct chart_panels *p)
{
	size_t longest = 0;
	for (size_t i = 0; i < p->nr; i++) {
		size_t nr = 0;
		for (const char *at = p->labels[i]; *at && nr < MAX_LABEL; nr++) {
			unsigned len = utf8_len(at);
			at += len ? len : 1;
		}
		longest = nr > longest ? nr : longest;
	}
	return (unsigned)longest;
}

/* Tics of all panels, and lines at each. */
static void value_tics(const struct chart_panels *p, const struct chart_range *drawn, double pitch,
		       struct textbuf *script)
{
	struct chart_step step = chart_step((drawn->most - drawn->least) / NR_TICS);
	int64_t first = (int64_t)ceil(drawn->least / chart_multiple(&step, 1));
	bool any = false;
	textbuf_puts(script, "set ytics scale 0.6 (");
	for (size_t panel = 0; panel < p->nr_panels; panel++) {
		double up = (double)(p->nr_panels - 1 - panel) * pitch;
		for (int64_t n = first; chart_multiple(&step, n) <= drawn->most; n++) {
			textbuf_puts(script, any ? ", " : "");
			chart_tic_text(chart_multiple(&step, n), script);
			number_write_double(script, chart_multiple(&step, n) + up, 0);
			any = true;
		}
	}
	textbuf_puts(script, ")\n");
}

/* A panel's frame and its title. */
static void frames(const struct chart_panels *p, const struct chart_range *drawn, double pitch, struct textbuf *script)
{
	for (size_t panel = 0; panel < p->nr_panels; panel++) {
		struct textbuf title;
		double up = (double)(p->nr_panels - 1 - panel) * pitch;
		textbuf_puts(script, "set object rectangle from graph 0, first ");
		number_write_double(script, drawn->least + up, 0);
		textbuf_puts(script, " to graph 1, first ");
		number_write_double(script, drawn->most + up, 0);
		textbuf_puts(script, " front fillstyle empty border lc rgb '#404040' lw 1\nset label ");
		textbuf_init(&title);
		chart_add_label(&title, p->panels[panel]);
		chart_string(script, title.text);
		textbuf_release_part(&title, script);
		textbuf_puts(script, " at graph 0, first ");
		number_write_double(script, drawn->most + up, 0);
		textbuf_puts(script, " left offset 0.3,0.6 front font ',13'\n");
		if (drawn->least < 0) {
			textbuf_puts(script, "set arrow from graph 0, first ");
			number_write_double(script, up, 0);
			textbuf_puts(script, " to graph 1, first ");
			number_write_double(script, up, 0);
			textbuf_puts(script, " nohead lw 1 lc rgb '#404040'\n");
		}
	}
}

/* One line below the title, since figures are as wide as a page. */
static void legend(const struct chart_panels *p, struct textbuf *script)
{
	static const struct {
		const char *text;
		unsigned x_px;
	} parts[] = {{"25th to 75th percentile", 0}, {"median", 230}, {"mean", 340}, {"entire range", 440}};
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		textbuf_printf(script, "set label '%s' at screen %u.0/width_px, 1-%u.0/height_px left font ',12'\n",
			       parts[i].text, LEFT_PX + 30 + parts[i].x_px, CHART_ABOVE_PX);
	textbuf_printf(script,
		       "set object rectangle from screen %u.0/width_px, 1-%u.0/height_px to screen %u.0/width_px, "
		       "1-%u.0/height_px front fillcolor rgb '" CHART_FILL
		       "' fillstyle solid 1.0 border lc rgb '" CHART_INK "' lw 0.8\n",
		       LEFT_PX, CHART_ABOVE_PX + 8, LEFT_PX + 24, CHART_ABOVE_PX - 8);
	textbuf_printf(script,
		       "set arrow from screen %u.0/width_px, 1-%u.0/height_px to screen %u.0/width_px, "
		       "1-%u.0/height_px nohead front " CHART_MEDIAN_LINE "\n",
		       LEFT_PX + 230, CHART_ABOVE_PX, LEFT_PX + 254, CHART_ABOVE_PX);
	textbuf_printf(script,
		       "set label '' at screen %u.0/width_px, 1-%u.0/height_px point " CHART_MEAN_POINT " front\n",
		       LEFT_PX + 358, CHART_ABOVE_PX);
	textbuf_printf(script,
		       "set arrow from screen %u.0/width_px, 1-%u.0/height_px to screen %u.0/width_px, "
		       "1-%u.0/height_px nohead front lw 1 lc rgb '" CHART_INK "'\n",
		       LEFT_PX + 460, CHART_ABOVE_PX + 9, LEFT_PX + 460, CHART_ABOVE_PX - 9);
	if (p->box_words && *p->box_words) {
		textbuf_puts(script, "set label 'boxes: '.");
		chart_string(script, p->box_words);
		textbuf_printf(script, " at screen %u.0/width_px, 1-%u.0/height_px right font ',12'\n",
			       WIDTH_PX - RIGHT_PX, CHART_ABOVE_PX);
	}
}

/* Elements of boxes that stand: as in chart_boxes.c, turned. Columns: minimum 2, p25 3, median 4, p75 5, maximum 6,
 * mean 7.
 */
static void elements(struct textbuf *script)
{
	textbuf_puts(script,
		     " data skip 1 using (x($0)):($2+up($0)):(0):($6-$2) notitle with vectors nohead "
		     "lw 0.8 lc rgb '" CHART_INK "', \\\n"
		     " data skip 1 using (x($0)-half/2):($2+up($0)):(half):(0) notitle with vectors nohead "
		     "lw 0.8 lc rgb '" CHART_INK "', \\\n"
		     " data skip 1 using (x($0)-half/2):($6+up($0)):(half):(0) notitle with vectors nohead "
		     "lw 0.8 lc rgb '" CHART_INK "', \\\n"
		     " data skip 1 using (x($0)):($4+up($0)):(x($0)-half):(x($0)+half):($3+up($0)):($5+up($0)) "
		     "with boxxyerror notitle fillcolor rgb '" CHART_FILL
		     "' fillstyle solid 1.0 border lc rgb '" CHART_INK "' lw 0.6, \\\n"
		     " data skip 1 using (x($0)-half):($4+up($0)):(2*half):(0) notitle with vectors "
		     "nohead " CHART_MEDIAN_LINE ", \\\n"
		     " data skip 1 using (x($0)):($7+up($0)) notitle with points pt 9 ps 0.7 lc rgb '" CHART_MEAN
		     "', \\\n");
}

void chart_panels(const struct chart *c, const struct chart_panels *p, struct figure *f)
{
	struct chart_range range = {0};
	size_t nr_boxes = p->nr_panels * p->nr;
	for (size_t i = 0; i < nr_boxes; i++) {
		if (chart_has_box(&p->boxes[i])) {
			chart_range_add(&range, p->boxes[i].least);
			chart_range_add(&range, p->boxes[i].most);
		}
	}
	struct chart_range drawn = chart_range_drawn(&range, true, 0.05);
	data_of(c, p, &f->data);
	alt_of(c, p, &f->alt);

	unsigned below = longest_label(p) * CHAR_PX + 24, above = CHART_ABOVE_PX + LEGEND_ROW_PX + 16;
	size_t nr_panels = p->nr_panels > 0 ? p->nr_panels : 1;
	unsigned most = MAX_PLOT_PX - above - below;
	unsigned panels = nr_panels < most / PANEL_PX ? (unsigned)nr_panels * PANEL_PX : most;
	unsigned inner = WIDTH_PX - LEFT_PX - RIGHT_PX;
	/* Labels that would overlap are left out. */
	size_t step = p->nr * LABEL_PX / inner + 1;
	double pitch = (drawn.most - drawn.least) * (1 + GAP);
	struct chart_range all = {drawn.least, drawn.most + (double)(nr_panels - 1) * pitch, true};
	f->width_px = WIDTH_PX;
	f->height_px = above + panels + below;
	plot_begin_script(&f->script, f->name, f->width_px, f->height_px);
	chart_title(c, &f->script);
	textbuf_printf(&f->script,
		       "set datafile commentschars ''\n"
		       "set lmargin at screen %u.0/width_px\n"
		       "set rmargin at screen (width_px-%u.0)/width_px\n"
		       "set tmargin at screen (height_px-%u.0)/height_px\n"
		       "set bmargin at screen %u.0/height_px\n",
		       LEFT_PX, RIGHT_PX, above, below);
	textbuf_puts(&f->script, "set label ");
	chart_string(&f->script, c->value_axis);
	textbuf_printf(&f->script, " at screen 14.0/width_px, graph 0.5 center rotate by 90\n");
	legend(p, &f->script);
	chart_range_set("y", &all, &f->script);
	textbuf_printf(&f->script,
		       "unset border\n"
		       "set xrange [0.3:%zu.7] noextend\n"
		       "set xtics scale 0 rotate by 90 right font ',10'\n"
		       "set grid xtics ytics lt 1 lw 0.5 lc rgb '#d8d8d8'\n"
		       "set grid back\n"
		       "half = 0.34\n"
		       "nr = %zu\n"
		       "x(n) = int(n) %% nr + 1\n"
		       "up(n) = (%zu - int(n) / nr) * ",
		       p->nr, p->nr > 0 ? p->nr : 1, nr_panels - 1);
	number_write_double(&f->script, pitch, 1);
	textbuf_putc(&f->script, '\n');
	value_tics(p, &drawn, pitch, &f->script);
	frames(p, &drawn, pitch, &f->script);
	if (nr_boxes == 0) {
		textbuf_puts(&f->script, "unset xtics\n");
		chart_nothing(c, &f->script);
	} else {
		textbuf_printf(&f->script, "plot data skip 1 every %zu::0::%zu using ($0*%zu+1):(", step, p->nr - 1,
			       step);
		number_write_double(&f->script, all.least, 0);
		textbuf_puts(&f->script, "):xtic(1) with dots lc rgb '#404040' notitle, \\\n");
	}
	if (range.any)
		elements(&f->script);
	chart_end_elements(&f->script);
	plot_end_script(&f->script);
}
