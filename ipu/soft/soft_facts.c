/* Descriptions of modules: copies and checks. */
#include <string.h>

#include "ipu/soft/soft_internal.h"
#include "sim/base/array.h"

/* The low bits of SOFT_ABI are its version. */
#define ABI_VERSION_BITS 0xffu

#define NAME_FORM "has not " SOFT_NAME_FORM
#define TITLE_FORM "has not " SOFT_TITLE_FORM

static bool is_letter(char c)
{
	return c >= 'a' && c <= 'z';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

bool soft_is_name(const char *name)
{
	size_t len = strnlen(name, SOFT_NAME_BYTES);
	for (size_t i = 0; i < len; i++)
		if (!is_letter(name[i]) && (i == 0 || (!is_digit(name[i]) && name[i] != '_')))
			return false;
	return len > 0 && len < SOFT_NAME_BYTES;
}

bool soft_is_title(const char *title)
{
	size_t len = strnlen(title, SOFT_NAME_BYTES);
	for (size_t i = 0; i < len; i++) {
		char c = title[i];
		bool is_alphanumeric = is_letter(c) || is_digit(c) || (c >= 'A' && c <= 'Z');
		if (!is_alphanumeric && (i == 0 || !strchr("._+~-", c)))
			return false;
	}
	return len > 0 && len < SOFT_NAME_BYTES;
}

/* A missing or long text becomes one that no check lets pass. */
static void copy_text(char to[SOFT_NAME_BYTES], const char *text)
{
	size_t len = text ? strnlen(text, SOFT_NAME_BYTES) : 0;
	memset(to, 0, SOFT_NAME_BYTES);
	if (len > 0)
		memcpy(to, text, len);
}

static enum sahm_status check_interface(const struct soft_module *m, const char *file, struct sahm_err *err)
{
	static const char again[] = "build it again with this sahm's ipu/soft/module.h";
	if ((m->abi ^ SOFT_ABI) & ~ABI_VERSION_BITS)
		return sahm_fail_at(err, SAHM_FORMAT, file, 0, "its description is no struct soft_module");
	if (m->abi != SOFT_ABI)
		return sahm_fail_at(err, SAHM_FORMAT, file, 0,
				    "built for version %u of the soft-logic interface, this sahm has version %u: %s",
				    m->abi & ABI_VERSION_BITS, SOFT_ABI & ABI_VERSION_BITS, again);
	if (m->bytes != sizeof(*m))
		return sahm_fail_at(err, SAHM_FORMAT, file, 0,
				    "its struct soft_module has %u bytes, this sahm's has %zu: %s", m->bytes,
				    sizeof(*m), again);
	return SAHM_OK;
}

static enum sahm_status check_functions(const struct soft_module *m, const char *file, struct sahm_err *err)
{
	const struct {
		bool is_there;
		const char *name;
	} rows[] = {{m->make, "make"}, {m->release, "release"}, {m->reset, "reset"},
		    {m->step, "step"}, {m->read, "read"},	{m->write, "write"}};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (!rows[i].is_there)
			return sahm_fail_at(err, SAHM_FORMAT, file, 0, "its description has no function '%s'",
					    rows[i].name);
	return SAHM_OK;
}

static enum sahm_status check_counts(uint32_t nr_inputs, uint32_t nr_registers, const char *file, struct sahm_err *err)
{
	if (nr_inputs < 1 || nr_inputs > SOFT_MAX_INPUTS)
		return sahm_fail_at(err, SAHM_FORMAT, file, 0, "it has %u inputs, not 1 to %u", nr_inputs,
				    SOFT_MAX_INPUTS);
	if (nr_registers > SOFT_MAX_REGISTERS)
		return sahm_fail_at(err, SAHM_FORMAT, file, 0, "it has %u registers, more than %u", nr_registers,
				    SOFT_MAX_REGISTERS);
	return SAHM_OK;
}

enum sahm_status soft_facts_copy(struct soft_facts *f, const struct soft_module *m, const char *file,
				 struct sahm_err *err)
{
	enum sahm_status status = check_interface(m, file, err);
	if (status == SAHM_OK)
		status = check_functions(m, file, err);
	if (status == SAHM_OK)
		status = check_counts(m->nr_inputs, m->nr_registers, file, err);
	if (status == SAHM_OK && (!m->inputs || (m->nr_registers > 0 && !m->registers)))
		status = sahm_fail_at(err, SAHM_FORMAT, file, 0, "its description has no list of its %s",
				      m->inputs ? "registers" : "inputs");
	if (status != SAHM_OK)
		return status;
	memset(f, 0, sizeof(*f));
	copy_text(f->name, m->name);
	copy_text(f->version, m->version);
	f->nr_inputs = m->nr_inputs;
	f->nr_registers = m->nr_registers;
	f->packet_bytes = m->packet_bytes;
	for (uint32_t i = 0; i < f->nr_inputs; i++) {
		copy_text(f->inputs[i].name, m->inputs[i].name);
		f->inputs[i].bits = m->inputs[i].bits;
	}
	for (uint32_t i = 0; i < f->nr_registers; i++) {
		copy_text(f->registers[i].name, m->registers[i].name);
		f->registers[i].offset = m->registers[i].offset;
		f->registers[i].access = m->registers[i].access;
	}
	return soft_facts_check(f, file, err);
}

static enum sahm_status check_input(const struct soft_facts *f, uint32_t at, const char *file, struct sahm_err *err)
{
	const char *name = f->inputs[at].name;
	if (!soft_is_name(name))
		return sahm_fail_at(err, SAHM_FORMAT, file, 0, "the name of its input %u " NAME_FORM, at);
	if (f->inputs[at].bits < 1 || f->inputs[at].bits > 64)
		return sahm_fail_at(err, SAHM_FORMAT, file, 0, "its input '%s' has %u bits, not 1 to 64", name,
				    f->inputs[at].bits);
	for (uint32_t i = 0; i < at; i++)
		if (strcmp(f->inputs[i].name, name) == 0)
			return sahm_fail_at(err, SAHM_FORMAT, file, 0, "it has two inputs '%s'", name);
	return SAHM_OK;
}

static enum sahm_status check_register(const struct soft_facts *f, uint32_t at, const char *file, struct sahm_err *err)
{
	const char *name = f->registers[at].name;
	uint32_t offset = f->registers[at].offset, access = f->registers[at].access;
	if (!soft_is_name(name))
		return sahm_fail_at(err, SAHM_FORMAT, file, 0, "the name of its register %u " NAME_FORM, at);
	if (offset % 4 != 0 || offset >= SOFT_REGION_BYTES)
		return sahm_fail_at(err, SAHM_FORMAT, file, 0,
				    "its register '%s' is at 0x%x, not at a multiple of 4 below 0x%x", name, offset,
				    SOFT_REGION_BYTES);
	if (at > 0 && offset <= f->registers[at - 1].offset)
		return sahm_fail_at(err, SAHM_FORMAT, file, 0, "its register '%s' is not after '%s'", name,
				    f->registers[at - 1].name);
	if (access == 0 || access & ~(uint32_t)(SOFT_READ | SOFT_WRITE))
		return sahm_fail_at(err, SAHM_FORMAT, file, 0, "its register '%s' has an unknown kind of access, %u",
				    name, access);
	for (uint32_t i = 0; i < at; i++)
		if (strcmp(f->registers[i].name, name) == 0)
			return sahm_fail_at(err, SAHM_FORMAT, file, 0, "it has two registers '%s'", name);
	return SAHM_OK;
}

enum sahm_status soft_facts_check(const struct soft_facts *f, const char *file, struct sahm_err *err)
{
	enum sahm_status status = check_counts(f->nr_inputs, f->nr_registers, file, err);
	if (status == SAHM_OK && !soft_is_title(f->name))
		status = sahm_fail_at(err, SAHM_FORMAT, file, 0, "its name " TITLE_FORM);
	if (status == SAHM_OK && !soft_is_title(f->version))
		status = sahm_fail_at(err, SAHM_FORMAT, file, 0, "its version " TITLE_FORM);
	if (status == SAHM_OK && f->packet_bytes > SOFT_MAX_PACKET_BYTES)
		status = sahm_fail_at(err, SAHM_FORMAT, file, 0, "its packets have up to %u bytes, more than %u",
				      f->packet_bytes, SOFT_MAX_PACKET_BYTES);
	for (uint32_t i = 0; i < f->nr_inputs && status == SAHM_OK; i++)
		status = check_input(f, i, file, err);
	for (uint32_t i = 0; i < f->nr_registers && status == SAHM_OK; i++)
		status = check_register(f, i, file, err);
	return status;
}
