/* IPUs beside the cores: the group `introspection`. */
#include <string.h>

#include "ipu/unit/load.h"
#include "sim/base/file.h"
#include "sim/base/number.h"
#include "sim/base/units.h"
#include "sim/engine/config/run_config_internal.h"

#define NS_PER_US 1000

/* Settings of the program's data. */
static enum sahm_status read_values(struct reading *r, const struct cfg_node *group, struct run_introspection *in)
{
	const struct cfg_node *values = cfg_member(group, &config_keys[KEY_VALUES]);
	if (!values)
		return SAHM_OK;
	in->values = arena_alloc(&r->config->arena, values->nr_children, sizeof(*in->values));
	if (!in->values)
		return sahm_fail_nomem(r->err);
	for (const struct cfg_node *n = values->first; n; n = n->next)
		in->values[in->nr_values++] = n->value.string;
	return SAHM_OK;
}

static enum sahm_status read_numbers(struct reading *r, const struct cfg_node *group, struct run_introspection *in)
{
	double us;
	struct probe_config *probe = &in->probe;
	enum sahm_status status = reading_count(r, group, KEY_HIT_MHZ, &probe->hit_mhz);
	if (status == SAHM_OK)
		status = reading_count(r, group, KEY_IPU_MHZ, &probe->ipu_mhz);
	if (status == SAHM_OK)
		status = reading_count(r, group, KEY_SAMPLING, &probe->sampling);
	if (status == SAHM_OK)
		status = reading_u64(r, group, KEY_MAX_CYCLES, &probe->max_cycles);
	if (status == SAHM_OK)
		status = reading_number(r, group, KEY_LATENCY, &us);
	if (status == SAHM_OK)
		probe->latency_ns = (uint64_t)llround(us * NS_PER_US);
	return status;
}

/* A cause that was found outside the configuration, with the place in it that led there. */
static enum sahm_status fail_at(struct reading *r, const struct cfg_node *node, enum sahm_status status,
				const struct sahm_err *cause)
{
	struct sahm_err message;
	char path[CFG_PATH_BYTES];
	bool is_refused = status == SAHM_REFUSED;
	enum sahm_status configured = cfg_fail(node, &message, "%s%s%s", is_refused ? cfg_path(node, path) : "",
					       is_refused ? " is refused: " : "", cause->msg);
	bool is_choice = status == SAHM_USAGE || status == SAHM_CONFIG;
	return sahm_fail(r->err, is_choice ? configured : status, "%s", message.msg);
}

static enum sahm_status read_spec(struct reading *r, const struct cfg_node *group, struct run_introspection *in)
{
	const struct cfg_node *node = cfg_member(group, &config_keys[KEY_ABI]);
	const char *name = cfg_string(group, &config_keys[KEY_ABI]);
	struct sahm_err cause;
	enum sahm_status status = reading_find_shipped(r, node ? node : group, &shipped_specs, name, &in->abi_path);
	if (status != SAHM_OK)
		return status;
	status = abi_read(&r->config->arena, in->abi_path, &in->abi, &cause);
	if (status == SAHM_OK)
		status = probe_wire(&in->abi, &in->probe.wiring, &cause);
	return status == SAHM_OK ? SAHM_OK : fail_at(r, node ? node : group, status, &cause);
}

/* The name of the file at `path`, without its folder and the ending of programs. */
static const char *name_of(struct arena *a, const char *path)
{
	const char *name = base_name(path);
	size_t len = strlen(name), ending = strlen(shipped_programs.ending);
	bool ends_so = len > ending && strcmp(name + len - ending, shipped_programs.ending) == 0;
	return arena_strndup(a, name, len - (ends_so ? ending : 0));
}

/* Where there is a trust file, *trust is the caller's; else NULL. */
static enum sahm_status read_trust(struct reading *r, const struct cfg_node *group, struct run_introspection *in,
				   struct trust **trust)
{
	const struct cfg_node *node = cfg_member(group, &config_keys[KEY_TRUST]);
	struct sahm_err cause;
	*trust = NULL;
	if (!node)
		return SAHM_OK;
	enum sahm_status status = reading_find_shipped(r, node, &shipped_trusts, node->value.string, &in->trust);
	if (status != SAHM_OK)
		return status;
	status = trust_read(trust, in->trust, &cause);
	if (status == SAHM_OK)
		return SAHM_OK;
	/* The setting that names it is as it should be: the error is in the file. */
	fail_at(r, node, status, &cause);
	r->err->status = status;
	return status;
}

enum sahm_status run_soft_open(struct run_soft *s, const struct run_introspection *in, struct sahm_err *err)
{
	enum soft_place place = in->soft_in_process ? SOFT_IN_PROCESS : SOFT_IN_OWN_PROCESS;
	s->soft = NULL;
	enum sahm_status status = soft_source_open(&in->soft_source, place, &s->soft, err);
	return status == SAHM_OK ? ipu_pro_init(&s->pro, s->soft, &in->abi, in->soft_mhz, err) : status;
}

void run_soft_close(struct run_soft *s)
{
	soft_close(s->soft);
}

/* The module's file. */
static enum sahm_status read_soft(struct reading *r, const struct cfg_node *group, struct run_introspection *in)
{
	const struct cfg_node *node = cfg_member(group, &config_keys[KEY_SOFT]);
	struct sahm_err cause;
	enum sahm_status status = reading_count(r, group, KEY_SOFT_MHZ, &in->soft_mhz);
	in->soft_in_process = cfg_bool(group, &config_keys[KEY_SOFT_IN_PROCESS]);
	if (!node || status != SAHM_OK)
		return status;
	in->soft = node->value.string;
	if (soft_is_path(in->soft))
		status = reading_find_beside(r, node, "module", node->value.string, &in->soft);
	if (status != SAHM_OK)
		return status;
	status = soft_source_read(&in->soft_source, in->soft, in->soft, &cause);
	return status == SAHM_OK ? SAHM_OK : fail_at(r, node, status, &cause);
}

/* Whether the module, which the trust file lets pass, fits the ABI spec. It is loaded for that, and again for each run.
 */
static enum sahm_status check_soft(struct reading *r, const struct cfg_node *group, const struct run_introspection *in)
{
	struct run_soft soft;
	struct sahm_err cause;
	enum sahm_status status = in->soft ? run_soft_open(&soft, in, &cause) : SAHM_OK;
	if (in->soft)
		run_soft_close(&soft);
	return status == SAHM_OK ? SAHM_OK : fail_at(r, cfg_member(group, &config_keys[KEY_SOFT]), status, &cause);
}

static enum sahm_status read_image(struct reading *r, const struct cfg_node *node, struct run_introspection *in)
{
	const struct cfg_node *values = cfg_member(node->parent, &config_keys[KEY_VALUES]);
	struct trust *trust;
	struct sahm_err cause;
	enum sahm_status status = reading_find_shipped(r, node, &shipped_programs, node->value.string, &in->image);
	if (status != SAHM_OK)
		return status;
	in->name = name_of(&r->config->arena, in->image);
	if (!in->name)
		return sahm_fail_nomem(r->err);
	status = read_soft(r, node->parent, in);
	if (status == SAHM_OK)
		status = read_trust(r, node->parent, in, &trust);
	if (status != SAHM_OK)
		return status;
	status = ipu_load_bundle(&in->program, in->image, &in->abi, in->values, in->nr_values, trust,
				 soft_source_image(&in->soft_source), &cause);
	trust_free(trust);
	if (status != SAHM_OK)
		return fail_at(r, status == SAHM_USAGE ? values : node, status, &cause);
	in->probe.program = in->program;
	return SAHM_OK;
}

enum sahm_status reading_introspection(struct reading *r)
{
	const struct cfg_node *group = cfg_member(r->root, &config_keys[KEY_INTROSPECTION]);
	const struct cfg_node *image = cfg_member(group, &config_keys[KEY_IMAGE]);
	if (!group)
		return SAHM_OK;
	if (!image)
		return reading_fail_missing(r, group, KEY_IMAGE);
	if (r->config->oracle)
		return cfg_fail(image, r->err,
				"introspection together with scheduler.oracle: IPUs tell what was, not what comes");
	struct run_introspection *in = arena_alloc(&r->config->arena, 1, sizeof(*in));
	if (!in)
		return sahm_fail_nomem(r->err);
	r->config->introspection = in;
	enum sahm_status status = read_numbers(r, group, in);
	if (status == SAHM_OK)
		status = read_values(r, group, in);
	if (status == SAHM_OK)
		status = read_spec(r, group, in);
	if (status == SAHM_OK)
		status = read_image(r, image, in);
	return status == SAHM_OK ? check_soft(r, group, in) : status;
}

/* Only cycles can be missing of a trace. */
enum sahm_status reading_inputs(struct reading *r)
{
	const struct run_introspection *in = r->config->introspection;
	const struct cfg_node *group = cfg_member(r->root, &config_keys[KEY_INTROSPECTION]);
	const struct cfg_node *node = cfg_member(group, &config_keys[KEY_ABI]);
	if (!in || in->probe.wiring.valid != in->probe.wiring.cycles)
		return SAHM_OK;
	for (uint32_t i = 0; i < r->config->nr_traces; i++)
		if (!trace_has_cycles(r->config->traces[i].trace))
			return cfg_fail(node ? node : group, r->err,
					"ABI spec %s has no signal but '%s', which trace %s does not have",
					in->abi_path, in->abi.signals[0].name, r->config->traces[i].path);
	return SAHM_OK;
}

void config_write_introspection(const struct run_introspection *in, struct textbuf *b)
{
	if (!in)
		return;
	textbuf_printf(b, "%s :\n{\n", config_key_leaf(KEY_INTROSPECTION));
	config_write_string(b, "\t", KEY_IMAGE, in->image);
	config_write_string(b, "\t", KEY_ABI, in->abi_path);
	if (in->trust)
		config_write_string(b, "\t", KEY_TRUST, in->trust);
	if (in->soft) {
		config_write_string(b, "\t", KEY_SOFT, in->soft);
		config_write_u64(b, "\t", KEY_SOFT_MHZ, in->soft_mhz);
		textbuf_printf(b, "\t%s = %s;\n", config_key_leaf(KEY_SOFT_IN_PROCESS),
			       in->soft_in_process ? "true" : "false");
	}
	config_write_u64(b, "\t", KEY_HIT_MHZ, in->probe.hit_mhz);
	config_write_u64(b, "\t", KEY_IPU_MHZ, in->probe.ipu_mhz);
	config_write_u64(b, "\t", KEY_SAMPLING, in->probe.sampling);
	config_write_number(b, "\t", KEY_LATENCY, (double)in->probe.latency_ns / NS_PER_US);
	config_write_u64(b, "\t", KEY_MAX_CYCLES, in->probe.max_cycles);
	if (in->nr_values) {
		textbuf_printf(b, "\t%s = [", config_key_leaf(KEY_VALUES));
		for (size_t i = 0; i < in->nr_values; i++) {
			textbuf_puts(b, i ? ", " : "");
			cfg_write_string(b, in->values[i]);
		}
		textbuf_puts(b, "];\n");
	}
	textbuf_puts(b, "};\n");
}

void config_hash_introspection(const struct run_introspection *in, struct hash *h)
{
	if (!in)
		return;
	hash_add_string(h, "introspection");
	ipu_program_hash(in->program, h);
	abi_hash(&in->abi, h);
	hash_add_u64(h, in->probe.hit_mhz);
	hash_add_u64(h, in->probe.ipu_mhz);
	hash_add_u64(h, in->probe.sampling);
	hash_add_u64(h, in->probe.latency_ns);
	hash_add_u64(h, in->probe.max_cycles);
	if (!in->soft)
		return;
	hash_add_string(h, "soft");
	soft_source_hash(&in->soft_source, h);
	hash_add_u64(h, in->soft_mhz);
}
