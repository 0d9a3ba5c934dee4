#include "ipu/unit/load.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ipu/core/bytes_internal.h"
#include "ipu/jit/translation.h"
#include "sim/base/file.h"
#include "sim/base/number.h"
#include "sim/base/suggest.h"

#define ELEMENT_BYTES 4u

#define REFUSE(image, err, ...) sahm_fail_at(err, SAHM_FORMAT, elf_image_file(image), 0, __VA_ARGS__)

/* Whether the program has code at `address`. */
static bool is_code(const struct elf_image *image, uint32_t address)
{
	size_t nr;
	const struct elf_segment *s = elf_image_segments(image, &nr);
	for (size_t i = 0; i < nr; i++)
		if (s[i].is_executable && address - s[i].address < s[i].memory_bytes)
			return true;
	return false;
}

static enum sahm_status fail_no_main(const struct elf_image *image, struct sahm_err *err)
{
	char near[SUGGEST_BYTES];
	struct suggest s;
	size_t nr;
	const struct elf_symbol *symbols = elf_image_symbols(image, &nr);
	suggest_init(&s, "_main");
	for (size_t i = 0; i < nr; i++)
		if (symbols[i].is_function)
			suggest_offer(&s, symbols[i].name);
	return REFUSE(image, err, "it has no function '_main', which runs for each input set%s",
		      suggest_text(&s, near));
}

static enum sahm_status check_main(const struct elf_image *image, struct sahm_err *err)
{
	const struct elf_symbol *main = elf_image_find(image, "_main");
	if (!main)
		return fail_no_main(image, err);
	if (!main->is_function)
		return REFUSE(image, err, "its symbol '_main' is no function (in assembly: .type _main, @function)");
	if (main->address % 2 != 0 || !is_code(image, main->address))
		return REFUSE(image, err, "its function '_main' stands at 0x%08" PRIx32 ", where it has no code",
			      main->address);
	return SAHM_OK;
}

/* An optional routine, which must be at one place. */
static enum sahm_status check_routine(const struct elf_image *image, const char *name, uint32_t address,
				      struct sahm_err *err)
{
	const struct elf_symbol *s = elf_image_find(image, name);
	if (!s)
		return SAHM_OK;
	if (!s->is_function)
		return REFUSE(image, err, "its symbol '%s' is no function, which the name is kept for", name);
	if (s->address != address)
		return REFUSE(image, err,
			      "its function '%s' stands at 0x%08" PRIx32 ", must be at 0x%08" PRIx32
			      ": include introspect.h, and link it with ipu.ld",
			      name, s->address, address);
	if (!is_code(image, address))
		return REFUSE(image, err, "its function '%s' has no code", name);
	return SAHM_OK;
}

/* What a setting says. `name` and `value` point into it. */
struct setting {
	const char *text, *value;
	size_t name_len;
	bool has_index;
	uint64_t index;
};

static enum sahm_status SAHM_PRINTF(3, 4)
	fail_setting(const struct setting *s, struct sahm_err *err, const char *fmt, ...)
{
	struct sahm_err why;
	char msg[SAHM_ERR_BYTES];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(msg, sizeof(msg), fmt, ap);
	va_end(ap);
	sahm_fail(&why, SAHM_USAGE, "%s", msg);
	return sahm_fail(err, SAHM_USAGE, "setting '%.120s': %s", s->text, why.msg);
}

static enum sahm_status split(const char *text, struct setting *s, struct sahm_err *err)
{
	const char *equals = strchr(text, '=');
	const char *bracket = strchr(text, '[');
	*s = (struct setting){.text = text};
	if (!equals || equals == text || bracket == text)
		return fail_setting(s, err, "must be SYMBOL=VALUE or SYMBOL[INDEX]=VALUE");
	s->value = equals + 1;
	s->name_len = (size_t)(equals - text);
	if (!bracket || bracket > equals)
		return SAHM_OK;
	s->has_index = true;
	s->name_len = (size_t)(bracket - text);
	if (equals[-1] != ']' || number_read_u64(bracket + 1, (size_t)(equals - bracket - 2), &s->index) != NUMBER_OK)
		return fail_setting(s, err, "the index must be a whole number, as in table[3]=7");
	return SAHM_OK;
}

/* Whether the symbol is a variable that can be set. */
static bool is_data(const struct elf_symbol *s)
{
	uint32_t at = s->address - IPU_SCRATCHPAD_BASE;
	return !s->is_function && s->nr_bytes > 0 && at < IPU_SCRATCHPAD_BYTES &&
	       s->nr_bytes <= IPU_SCRATCHPAD_BYTES - at;
}

static enum sahm_status fail_no_symbol(const struct elf_image *image, const struct setting *s, const char *name,
				       bool is_there, struct sahm_err *err)
{
	char near[SUGGEST_BYTES];
	struct suggest suggest;
	size_t nr;
	const struct elf_symbol *symbols = elf_image_symbols(image, &nr);
	if (is_there)
		return fail_setting(s, err, "'%.80s' of %.200s is no variable in the scratchpad", name,
				    elf_image_file(image));
	suggest_init(&suggest, name);
	for (size_t i = 0; i < nr; i++)
		if (is_data(&symbols[i]))
			suggest_offer(&suggest, symbols[i].name);
	return fail_setting(s, err, "%.200s has no variable '%.80s'%s", elf_image_file(image), name,
			    suggest_text(&suggest, near));
}

/* Reads the value into `bits`, as two's complement of `nr_bytes`. */
static enum sahm_status read_value(const struct setting *s, uint32_t nr_bytes, uint64_t *bits, struct sahm_err *err)
{
	bool is_negative = *s->value == '-';
	uint64_t size, max = UINT64_MAX >> (64 - 8 * nr_bytes);
	enum number_fault fault = number_read_size(s->value + is_negative, &size);
	if (fault != NUMBER_OK && fault != NUMBER_OVERFLOW)
		return fail_setting(s, err, "the value must be a whole number, such as 10000000, 0x80000000 or -1");
	if (fault == NUMBER_OVERFLOW || size > (is_negative ? max / 2 + 1 : max))
		return fail_setting(s, err, "the value does not fit into %" PRIu32 " byte%s", nr_bytes,
				    nr_bytes == 1 ? "" : "s");
	*bits = is_negative ? -size : size;
	return SAHM_OK;
}

/* Where in the variable the value goes. */
static enum sahm_status find_place(const struct setting *s, const struct elf_symbol *symbol, uint32_t *offset,
				   uint32_t *nr_bytes, struct sahm_err *err)
{
	uint32_t size = symbol->nr_bytes, nr = size / ELEMENT_BYTES;
	*offset = 0;
	*nr_bytes = size;
	if (s->has_index) {
		if (s->index >= nr)
			return fail_setting(s, err, "it has %" PRIu32 " element%s of %u bytes, from 0 on", nr,
					    nr == 1 ? "" : "s", ELEMENT_BYTES);
		*offset = (uint32_t)s->index * ELEMENT_BYTES;
		*nr_bytes = ELEMENT_BYTES;
	} else if (size != 1 && size != 2 && size != 4 && size != 8) {
		return fail_setting(s, err, "it has %" PRIu32 " bytes, so it is set by elements of %u, as in %.*s[0]=1",
				    size, ELEMENT_BYTES, (int)s->name_len, s->text);
	}
	return SAHM_OK;
}

static enum sahm_status carry_out(struct ipu_program *program, const struct elf_image *image, const char *text,
				  struct sahm_err *err)
{
	struct setting s;
	uint64_t bits = 0;
	uint32_t offset, nr_bytes;
	enum sahm_status status = split(text, &s, err);
	if (status != SAHM_OK)
		return status;
	char *name = strndup(text, s.name_len);
	if (!name)
		return sahm_fail_nomem(err);
	const struct elf_symbol *symbol = elf_image_find(image, name);
	if (!symbol || !is_data(symbol))
		status = fail_no_symbol(image, &s, name, symbol, err);
	free(name);
	if (status == SAHM_OK)
		status = find_place(&s, symbol, &offset, &nr_bytes, err);
	if (status == SAHM_OK)
		status = read_value(&s, nr_bytes, &bits, err);
	if (status != SAHM_OK)
		return status;
	uint8_t *at = ipu_program_scratchpad(program) + (symbol->address - IPU_SCRATCHPAD_BASE) + offset;
	poke(at, nr_bytes < 4 ? nr_bytes : 4, (uint32_t)bits);
	if (nr_bytes == 8)
		poke(at + 4, 4, (uint32_t)(bits >> 32));
	return SAHM_OK;
}

enum sahm_status ipu_load(struct ipu_program **program, const char *file, char *bytes, size_t nr_bytes,
			  const struct abi *abi, const char *const *settings, size_t nr_settings, struct sahm_err *err)
{
	struct elf_image *image = NULL;
	struct ipu_program *p = NULL;
	if (nr_bytes > IPU_MAX_IMAGE_BYTES)
		return sahm_fail_at(err, SAHM_FORMAT, file, 0, "its %zu bytes are too many for a program: at most %zu",
				    nr_bytes, IPU_MAX_IMAGE_BYTES);
	enum sahm_status status = elf_image_new(&image, file, bytes, nr_bytes, err);
	if (status == SAHM_OK)
		status = ipu_program_new(&p, image, err);
	if (status == SAHM_OK)
		status = check_main(image, err);
	if (status == SAHM_OK)
		status = check_routine(image, "init", IPU_INIT, err);
	if (status == SAHM_OK)
		status = check_routine(image, "finish", IPU_FINISH, err);
	if (status == SAHM_OK && abi)
		status = abi_check(abi, image, err);
	for (size_t i = 0; i < nr_settings && status == SAHM_OK; i++)
		status = carry_out(p, image, settings[i], err);
	if (status == SAHM_OK)
		ipu_program_translate(p, &host_translator);
	elf_image_free(image);
	if (status == SAHM_OK)
		*program = p;
	else
		ipu_program_free(p);
	return status;
}

enum sahm_status ipu_load_bundle(struct ipu_program **program, const char *path, const struct abi *abi,
				 const char *const *settings, size_t nr_settings, const struct trust *trust,
				 const struct trust_soft *soft, struct sahm_err *err)
{
	char *bytes;
	size_t nr_bytes;
	enum sahm_status status = file_read(path, IPU_MAX_IMAGE_BYTES, &bytes, &nr_bytes, err);
	if (status != SAHM_OK)
		return status;
	const struct trust_abi trusted = abi ? abi_to_trust(abi) : (struct trust_abi){0};
	status = trust_check_bundle(trust, path, bytes, nr_bytes, abi ? &trusted : NULL, soft, err);
	if (status == SAHM_OK)
		status = ipu_load(program, file_label(path), bytes, nr_bytes, abi, settings, nr_settings, err);
	free(bytes);
	return status;
}

enum sahm_status ipu_load_file(struct ipu_program **program, const char *path, const struct abi *abi,
			       const char *const *settings, size_t nr_settings, const struct trust *trust,
			       struct sahm_err *err)
{
	return ipu_load_bundle(program, path, abi, settings, nr_settings, trust, NULL, err);
}
