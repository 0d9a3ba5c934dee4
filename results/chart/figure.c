#include "results/chart/figure.h"

#include "results/chart/plot.h"

void figure_init(struct figure *f, const char *name)
{
	*f = (struct figure){.name = name};
	textbuf_init(&f->data);
	textbuf_init(&f->script);
	textbuf_init(&f->alt);
}

void figure_release(struct figure *f)
{
	textbuf_release(&f->data);
	textbuf_release(&f->script);
	textbuf_release(&f->alt);
}

enum sahm_status figure_write(const struct figure *f, const char *folder, struct sahm_err *err)
{
	return plot_write(folder, f->name, &f->data, &f->script, err);
}
