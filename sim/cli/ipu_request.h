/* What the commands that run IPUs share: names of what comes with the program, who executes it. */
#ifndef SAHM_SIM_CLI_IPU_REQUEST_H
#define SAHM_SIM_CLI_IPU_REQUEST_H

#include <stdint.h>

#include "ipu/core/hart.h"
#include "ipu/trust/trust.h"
#include "sim/cli/common_options.h"
#include "sim/cli/shipped_file.h"

#define IPU_PATH_BYTES SHIPPED_PATH_BYTES

/* Writes into `path` where the program, ABI spec or trust file `given` is: as it stands when it has a '/' or a '.' in
 * it or is "-", else that of the data folder which is called so. SAHM_USAGE when there is none, with a suggestion. */
enum sahm_status find_ipu_program(const char *given, char path[IPU_PATH_BYTES], struct sahm_err *err);
enum sahm_status find_ipu_abi(const char *given, char path[IPU_PATH_BYTES], struct sahm_err *err);
enum sahm_status find_ipu_trust(const char *given, char path[IPU_PATH_BYTES], struct sahm_err *err);

/* Reads the ABI spec `given`, for what a signature says of it; strings live in `a`. Fails as find_ipu_abi() and
 * abi_read() do. */
enum sahm_status read_trust_abi(struct arena *a, const char *given, struct trust_abi *abi, struct sahm_err *err);

/* Names of the engines, NULL at the end; what help says of an option that chooses one. */
extern const char *const hart_engine_words[];
extern const char hart_engine_help[];

/* The engine that is taken unless told otherwise: on any host, since it interprets where it cannot translate. */
#define DEFAULT_HART_ENGINE HART_JIT

/* For rows of option tables. */
#define HART_ENGINE_OPTION(name, member)                                                                               \
	name, 0, "NAME", hart_engine_help, OPTION_TAKE, AT(enum hart_engine, member),                                  \
		.preset = DEFAULT_HART_ENGINE, .words = hart_engine_words, .take = take_hart_engine

/* What that does, to an enum hart_engine. SAHM_USAGE, with a suggestion. */
option_take take_hart_engine;

/* What help says of --trust. */
extern const char ipu_trust_help[];

/* Reads the trust file `given`, found as programs are; *trust is NULL, which trusts everybody, when `given` is. The
 * caller releases it with trust_free(). Fails as find_ipu_trust() and trust_read() do. */
enum sahm_status read_ipu_trust(const char *given, struct trust **trust, struct sahm_err *err);

/* Finds the trust file `given` and tells what is wrong with it, as read_ipu_trust() does, for those who have it read
 * again later: "-" is SAHM_USAGE, what is no regular file SAHM_IO. */
enum sahm_status check_ipu_trust(const char *given, char path[IPU_PATH_BYTES], struct sahm_err *err);

/* Something that is read; `path` NULL: it is not given. */
struct named_input {
	const char *what, *path;
};

/* SAHM_USAGE when more than one of them is "-": standard input can be one thing. */
enum sahm_status check_inputs(const struct named_input *inputs, size_t nr_inputs, struct sahm_err *err);

#endif
