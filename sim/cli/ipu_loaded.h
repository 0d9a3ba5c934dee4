/* An introspection program with its ABI spec, as commands load it. */
#ifndef SAHM_SIM_CLI_IPU_LOADED_H
#define SAHM_SIM_CLI_IPU_LOADED_H

#include "ipu/core/elf_image.h"
#include "ipu/unit/load.h"
#include "sim/cli/ipu_request.h"
#include "sim/cli/ipu_soft.h"

struct ipu_load_request {
	const char *program, *abi, *trust; /* as they were given; trust NULL: everybody is trusted */
	const struct option_list *settings;
	const struct soft_request *soft; /* NULL: the command knows none */
	enum hart_engine engine;
	const char *const *outputs; /* [nr_outputs], each may be NULL: must not take the place of what is read */
	size_t nr_outputs;
};

/* All zeros: nothing is loaded. */
struct ipu_loaded {
	struct arena arena;
	struct abi abi;
	struct ipu_program *program;
	struct elf_image *image; /* for the names of places */
	const char *label;	 /* of the program in messages */
	char *bytes;
	struct trust *trust;	 /* NULL: everybody is trusted */
	struct soft_loaded soft; /* beside it */
};

/* Release it in any case. SAHM_USAGE, SAHM_IO, SAHM_CONFIG, SAHM_FORMAT, SAHM_REFUSED, SAHM_NOMEM. */
enum sahm_status ipu_loaded_read_abi(struct ipu_loaded *x, const struct ipu_load_request *r, struct sahm_err *err);
enum sahm_status ipu_loaded_read(struct ipu_loaded *x, const struct ipu_load_request *r, struct sahm_err *err);
/* What makes its units, for ipu_unit_config. */
const struct ipu_unit_maker *ipu_loaded_maker(const struct ipu_loaded *x);

/* After the units. */
void ipu_loaded_release(struct ipu_loaded *x);

/* Reads "every", "window=16" into an ipu_unit_config's mismatch: an option's `take`. */
option_take take_ipu_mode;

#endif
