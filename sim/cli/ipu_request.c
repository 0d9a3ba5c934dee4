#include "sim/cli/ipu_request.h"

#include <string.h>
#include <unistd.h>

#include "ipu/jit/translation.h"
#include "ipu/unit/abi.h"
#include "sim/base/file.h"
#include "sim/cli/output.h"

enum sahm_status find_ipu_program(const char *given, char path[IPU_PATH_BYTES], struct sahm_err *err)
{
	return find_shipped(&shipped_programs, given, path, err);
}

enum sahm_status find_ipu_abi(const char *given, char path[IPU_PATH_BYTES], struct sahm_err *err)
{
	return find_shipped(&shipped_specs, given, path, err);
}

enum sahm_status read_trust_abi(struct arena *a, const char *given, struct trust_abi *abi, struct sahm_err *err)
{
	char path[IPU_PATH_BYTES];
	struct abi spec;
	enum sahm_status status = find_ipu_abi(given, path, err);
	if (status == SAHM_OK)
		status = abi_read(a, path, &spec, err);
	if (status == SAHM_OK)
		*abi = abi_to_trust(&spec);
	return status;
}

const char hart_engine_help[] = "what executes RV32 programs"
#define ENGINE(symbol, name, help) "; " name ": " help
#include "ipu/core/engine_list.h"
#undef ENGINE
				"; the results are the same";

const char *const hart_engine_words[NR_HART_ENGINES + 1] = {
#define ENGINE(symbol, name, help) name,
#include "ipu/core/engine_list.h"
#undef ENGINE
};

enum sahm_status take_hart_engine(void *to, struct option_walk *w, struct sahm_err *err)
{
	enum hart_engine *engine = to;
	enum sahm_status status = read_choice("engine", w->value, hart_engine_words, to, err);
	if (status == SAHM_OK && *engine == HART_JIT && !translation_is_available())
		print_warning(
			"nothing can be translated here: there is no translator for this processor, or the system "
			"lets no memory be executed; programs are interpreted");
	return status;
}

enum sahm_status find_ipu_trust(const char *given, char path[IPU_PATH_BYTES], struct sahm_err *err)
{
	return find_shipped(&shipped_trusts, given, path, err);
}

const char ipu_trust_help[] = "the trust file that says which programs may run: a path, or the name of one that comes "
			      "with sahm; without it every program may";

enum sahm_status read_ipu_trust(const char *given, struct trust **trust, struct sahm_err *err)
{
	char path[IPU_PATH_BYTES];
	*trust = NULL;
	if (!given)
		return SAHM_OK;
	enum sahm_status status = find_ipu_trust(given, path, err);
	return status == SAHM_OK ? trust_read(trust, path, err) : status;
}

enum sahm_status check_ipu_trust(const char *given, char path[IPU_PATH_BYTES], struct sahm_err *err)
{
	struct trust *trust = NULL;
	if (strcmp(given, "-") == 0)
		return sahm_fail(err, SAHM_USAGE, "--trust is '-', must be a file that can be read more than once");
	enum sahm_status status = find_ipu_trust(given, path, err);
	if (status != SAHM_OK)
		return status;
	int fd = file_open_regular(path, err);
	if (fd < 0)
		return SAHM_IO;
	close(fd);
	status = trust_read(&trust, path, err);
	trust_free(trust);
	return status;
}

enum sahm_status check_inputs(const struct named_input *inputs, size_t nr_inputs, struct sahm_err *err)
{
	const char *before = NULL;
	for (size_t i = 0; i < nr_inputs; i++) {
		if (!inputs[i].path || strcmp(inputs[i].path, "-") != 0)
			continue;
		if (before)
			return sahm_fail(err, SAHM_USAGE, "%s and %s cannot both come from standard input", before,
					 inputs[i].what);
		before = inputs[i].what;
	}
	return SAHM_OK;
}
