/* An IPU in time a second time, deliberately simple: the reference that ipu/unit/unit.h is compared with.
 *
 * It is written only from that header and transition_list.h. Time passes in order: one instruction at a time, one
 * period of the timer at a time, nothing is run ahead but the one instruction that has begun, nothing is put off.
 * From the product it takes the processor (hart.h, whose own reference is refhart.h), programs, and the types and
 * constants of unit.h; functions are those of unit.h by other names, and do what these say.
 */
#ifndef SAHM_TESTS_REFERENCE_REFUNIT_H
#define SAHM_TESTS_REFERENCE_REFUNIT_H

#include "ipu/unit/unit.h"

struct refunit;

struct refunit *refunit_new(const struct ipu_unit_config *config);
void refunit_free(struct refunit *u);

void refunit_configure(struct refunit *u, uint64_t hit_cycle, const struct ipu_program *program);
void refunit_set_start(struct refunit *u, uint64_t hit_cycle, uint64_t address);
void refunit_set_stop(struct refunit *u, uint64_t hit_cycle, uint64_t address);
void refunit_pause(struct refunit *u, uint64_t hit_cycle);
void refunit_resume(struct refunit *u, uint64_t hit_cycle);
void refunit_finalize(struct refunit *u, uint64_t hit_cycle);
void refunit_address(struct refunit *u, uint64_t hit_cycle, uint64_t address);
void refunit_input(struct refunit *u, uint64_t hit_cycle, uint32_t valid, const uint64_t values[NR_IOREGS]);
void refunit_levels(struct refunit *u, uint64_t hit_cycle, uint32_t mask, const uint64_t values[NR_IOREGS]);
void refunit_set_hit_mhz(struct refunit *u, uint64_t hit_cycle, uint32_t mhz);
void refunit_advance(struct refunit *u, uint64_t hit_cycle);
void refunit_settle(struct refunit *u);

enum ipu_status refunit_status(const struct refunit *u);
/* instructions, busy_cycles, packets, bytes and what is lost of them: by now, not as far as anything runs ahead. */
struct ipu_counts refunit_counts(const struct refunit *u);
struct ipu_fault refunit_fault(const struct refunit *u);
uint64_t refunit_hit_cycle(const struct refunit *u);
uint64_t refunit_ipu_cycle(const struct refunit *u);
uint64_t refunit_free_at(const struct refunit *u); /* where no routine is executing */
uint32_t refunit_buffered(const struct refunit *u);
const struct ipu *refunit_processor(const struct refunit *u);
bool refunit_take(struct refunit *u, struct ipu_packet *packet);

/* Whether a routine is executing, between its first cycle's being due and its end; not while its loop waits. */
bool refunit_is_executing(const struct refunit *u);
/* With the levels that the last routine has seen. */
const uint64_t *refunit_inputs(const struct refunit *u);

#endif
