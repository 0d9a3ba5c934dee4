#include "sim/cli/common_options.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/cfg.h"

enum sahm_status take_policy(void *to, struct option_walk *w, struct sahm_err *err)
{
	struct settings *s = to;
	struct textbuf setting;
	if (s->policy)
		return sahm_fail(err, SAHM_USAGE, "--policy is given twice");
	textbuf_init(&setting);
	textbuf_puts(&setting, "scheduler.policy=");
	cfg_write_string(&setting, w->value);
	s->policy = textbuf_detach(&setting);
	return s->policy ? option_list_add(&s->list, s->policy, err) : sahm_fail_nomem(err);
}

/* Settings end where a ';' is: it must not be in a value. */
enum sahm_status take_scx_set(void *to, struct option_walk *w, struct sahm_err *err)
{
	static const char key[] = "scheduler.scx_set=";
	struct settings *s = to;
	struct textbuf all, setting;
	if (!strchr(w->value, '=') || strchr(w->value, ';'))
		return sahm_fail(err, SAHM_USAGE, "--scx-set '%s': written as NAME=VALUE", w->value);
	textbuf_init(&all);
	textbuf_init(&setting);
	if (s->scx_values)
		textbuf_printf(&all, "%s; ", s->scx_values);
	textbuf_puts(&all, w->value);
	textbuf_puts(&setting, key);
	if (!textbuf_failed(&all))
		cfg_write_string(&setting, all.text);
	free(s->scx);
	free(s->scx_values);
	s->scx_values = textbuf_detach(&all);
	s->scx = textbuf_detach(&setting);
	if (!s->scx_values || !s->scx)
		return sahm_fail_nomem(err);
	if (s->scx_at > 0) {
		s->list.items[s->scx_at - 1] = s->scx;
		return SAHM_OK;
	}
	enum sahm_status status = option_list_add(&s->list, s->scx, err);
	s->scx_at = s->list.nr;
	return status;
}

void settings_release(struct settings *s)
{
	free(s->list.items);
	free(s->policy);
	free(s->scx);
	free(s->scx_values);
}

enum sahm_status set_provenance(const char *option, const char *key, size_t len, const char *value,
				struct provenance *p, struct arena *a, struct sahm_err *err)
{
	struct sahm_err cause;
	if (provenance_set(p, a, key, len, value, &cause) == SAHM_OK)
		return SAHM_OK;
	return sahm_fail(err, cause.status == SAHM_NOMEM ? SAHM_NOMEM : SAHM_USAGE, "--%s: %s", option, cause.msg);
}

enum sahm_status take_provenance(void *to, struct option_walk *w, struct sahm_err *err)
{
	const struct provenance_place *place = to;
	const char *eq = strchr(w->value, '=');
	if (!eq)
		return sahm_fail(err, SAHM_USAGE, "--provenance '%s': written as KEY=VALUE", w->value);
	return set_provenance("provenance", w->value, (size_t)(eq - w->value), eq + 1, place->keys, place->arena, err);
}
