/* The IPUs of a chip as the host sees them: one PCIe-like device, with a separate region for each unit's registers and
 * memory. Unit i's begins at i * IPU_REGION_BYTES:
 *
 *	0x0000 to 0x0fff	registers (register_list.h), each of one or two words of 32 bits
 *	0x8000 to 0xffff	the scratchpad, read-only
 *
 * Units share nothing: each has its own program, ABI spec and clocks, and its own time, in cycles of its HIT. Every
 * function that takes a cycle requires one that is not before the unit's present, to which it lets time pass first, and
 * not after the end of its time (ipu_unit_last_cycle()); it fails with SAHM_RANGE else, and for a unit that is not
 * there.
 *
 * The dissertation's calls (section 2.2) are functions here, which do nothing but read and write that memory:
 *
 *	IPU_CONFIG_IMAGE(image)	ipu_config_image()
 *	IPU_CONFIG_START(addr)	ipu_config_start()
 *	IPU_CONFIG_STOP(addr)	ipu_config_stop()
 *	IPU_PAUSE()		ipu_pause()
 *	IPU_RESUME()		ipu_resume()
 *	IPU_FINALIZE()		ipu_finalize()
 *
 * Only the image takes another way: it is handed over as if the device fetched it from host memory.
 *
 * The packets that a unit sends wait in its FIFO. The command NEXT_PACKET puts the oldest that is complete by then
 * under the window of FIFO_HEAD, FIFO_TIME and FIFO_POP; only this takes it out of the FIFO. (A unit's processor runs
 * ahead of time: counters, scratchpad and FIFO_WAITING show what it has done by the end of its routine.)
 */
#ifndef SAHM_IPU_UNIT_DEVICE_H
#define SAHM_IPU_UNIT_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ipu/trust/trust.h"
#include "ipu/unit/abi.h"
#include "ipu/unit/unit.h"
#include "sim/base/err.h"

#define IPU_MAX_UNITS 4096u
#define IPU_REGION_BYTES UINT32_C(0x10000)
#define IPU_REGION_SCRATCHPAD UINT32_C(0x8000)

#define IPU_DEVICE_ID UINT32_C(0x31555049) /* "IPU1" */
#define IPU_DEVICE_VERSION 1u

/* Offsets of registers in a unit's region. */
enum ipu_register_offset {
#define REGISTER(symbol, offset, words, access, help) IPU_REG_##symbol = offset,
#include "ipu/unit/register_list.h"
#undef REGISTER
};

/* Values of the register COMMAND; the numbers are ours. */
enum ipu_device_command {
	IPU_COMMAND_PAUSE = 1,
	IPU_COMMAND_RESUME = 2,
	IPU_COMMAND_FINALIZE = 3,
	/* Puts the oldest packet of the FIFO under the window, in the place of what is left of the one there. */
	IPU_COMMAND_NEXT_PACKET = 4,
};

/* The bit of FIFO_HEAD that says that there is a packet, which can be empty. */
#define IPU_FIFO_PACKET UINT32_C(0x80000000)

/* Bits of the register TRIGGERS. */
enum { IPU_HAS_TS = 1, IPU_HAS_TE = 2 };

struct ipu_device;

/* A device without units. SAHM_NOMEM. */
enum sahm_status ipu_device_new(struct ipu_device **device, struct sahm_err *err);
void ipu_device_free(struct ipu_device *d);

/* Gives it `nr_units` more units, all alike, after the existing ones; it can have IPU_MAX_UNITS. `abi`, which outlives
 * the device, says what they see. On failure the device is as it was. SAHM_RANGE, SAHM_NOMEM. */
enum sahm_status ipu_device_add(struct ipu_device *d, unsigned nr_units, const struct ipu_unit_config *config,
				const struct abi *abi, struct sahm_err *err);

unsigned ipu_device_nr_units(const struct ipu_device *d);
const struct abi *ipu_device_abi(const struct ipu_device *d, unsigned unit);
const struct ipu_unit_config *ipu_device_config(const struct ipu_device *d, unsigned unit);

/* The unit itself, for the HIT that it sits beside; the host's side of it is the device's. */
struct ipu_unit *ipu_device_unit(struct ipu_device *d, unsigned unit);

/* The bus: one word at `address`. SAHM_RANGE, and nothing but time has changed: no unit or register is there, the
 * address is not a multiple of 4, the register is not for reading or not for writing, or COMMAND has no such value.
 * SAHM_NOMEM (NEXT_PACKET). */
enum sahm_status ipu_device_read32(struct ipu_device *d, uint64_t hit_cycle, uint64_t address, uint32_t *value,
				   struct sahm_err *err);
enum sahm_status ipu_device_write32(struct ipu_device *d, uint64_t hit_cycle, uint64_t address, uint32_t value,
				    struct sahm_err *err);

/* From now on `trust` (NULL: nobody), which outlives the device or what takes its place here, decides which images its
 * units take. Programs that they have stay. */
void ipu_device_set_trust(struct ipu_device *d, const struct trust *trust);

/* Programs of units [first, first + nr) run beside this soft logic, which outlives the device: their images must be
 * signed together with it. */
void ipu_device_set_soft(struct ipu_device *d, unsigned first, unsigned nr, const struct trust_soft *soft);

/* An introspection program and what is set in it, as ipu_load() takes them. */
struct ipu_image {
	const char *file; /* how messages call it */
	char *bytes;	  /* not needed after the call */
	size_t nr_bytes;
	const char *const *settings;
	size_t nr_settings;
	const char *signature; /* the text of its signature, NULL where it has none */
	size_t nr_signature;
	const char *signature_file; /* how messages call that; NULL: `file` with .sig appended */
};

/* IPU_CONFIG_IMAGE: loads the program, checked against the unit's ABI spec, and runs it. Units with the same program
 * share it; the device keeps programs to its end. Where there is a trust file, it decides first, by the bytes as they
 * are. Fails as trust_judge() and ipu_load() do, and the unit goes on with what it has. */
enum sahm_status ipu_config_image(struct ipu_device *d, unsigned unit, uint64_t hit_cycle,
				  const struct ipu_image *image, struct sahm_err *err);

/* IPU_CONFIG_START: TS. */
enum sahm_status ipu_config_start(struct ipu_device *d, unsigned unit, uint64_t hit_cycle, uint64_t address,
				  struct sahm_err *err);

/* IPU_CONFIG_STOP: TE. */
enum sahm_status ipu_config_stop(struct ipu_device *d, unsigned unit, uint64_t hit_cycle, uint64_t address,
				 struct sahm_err *err);

/* IPU_PAUSE, IPU_RESUME, IPU_FINALIZE. */
enum sahm_status ipu_pause(struct ipu_device *d, unsigned unit, uint64_t hit_cycle, struct sahm_err *err);
enum sahm_status ipu_resume(struct ipu_device *d, unsigned unit, uint64_t hit_cycle, struct sahm_err *err);
enum sahm_status ipu_finalize(struct ipu_device *d, unsigned unit, uint64_t hit_cycle, struct sahm_err *err);

/* Reads the next packet that is complete by `hit_cycle`, from its first byte, over the bus. *more is false when there
 * is none. The bytes stay until the next call for this device. SAHM_NOMEM. */
enum sahm_status ipu_drain(struct ipu_device *d, unsigned unit, uint64_t hit_cycle, struct ipu_packet *packet,
			   bool *more, struct sahm_err *err);

#endif
