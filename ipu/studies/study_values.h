/* Histograms of the values of tensors: the dissertation's study (section 2.5, value histograms), on synthetic tensors.
 *
 * A tensor is a run of lines of 16 fp16 values, one line each cycle of the HIT, of which the IPU sees the first 4. The
 * program `histogram` counts them in 128 buckets (sign, exponent, first bit of the fraction) and sends a packet for
 * every 32,768 lines that it took, and for the rest at the tensor's end. It is known which lines it took, and so what
 * every packet must be. All arithmetic up to the counts is in integers.
 */
#ifndef SAHM_IPU_STUDIES_STUDY_VALUES_H
#define SAHM_IPU_STUDIES_STUDY_VALUES_H

#include <stdint.h>

#include "ipu/unit/abi.h"
#include "ipu/unit/unit.h"
#include "sim/base/err.h"
#include "sim/base/rng.h"

#define VALUES_PER_LINE 16
#define VALUES_SEEN 4
#define VALUES_BUCKETS 128
#define VALUES_BUCKET_SHIFT 9 /* bits of an fp16 that do not choose the bucket */
#define VALUES_WINDOW 32768u
#define VALUES_BYTES (VALUES_BUCKETS * 3u)
/* Tensors of an application that figure 2.8(d) shows. */
#define VALUES_SHOWN 8u

enum values_application {
#define APPLICATION(symbol, name, text) VALUES_##symbol,
#include "ipu/studies/study_values_list.h"
#undef APPLICATION
	NR_VALUES_APPLICATIONS
};

struct values_options {
	uint64_t seed;
	uint32_t nr_tensors; /* of each application; at least 1 */
	uint32_t nr_lines;   /* of each tensor, 1 to VALUES_MAX_LINES */
	uint32_t hit_mhz, ipu_mhz;
	const struct ipu_unit_maker *maker; /* NULL: the IPU is an IPU_lite */
};

#define VALUES_MAX_LINES (UINT32_C(1) << 24)

struct values_result {
	const char *name, *text; /* of the application */
	uint64_t nr_lines, nr_taken, nr_dropped;
	uint64_t nr_packets;
	uint64_t nr_wrong; /* packets that are not the histogram of the lines taken for them */
	/* The dissertation's error: |H_all[i] - H_sampled[i]| / H_all[i], the sum over tensors and buckets divided by
	 * tensors x 128. H_sampled is scaled to the total of H_all; buckets with H_all[i] = 0 add 0. */
	double error;
	uint64_t nr_used_buckets; /* with H_all[i] > 0, of all tensors */
	uint64_t bytes, hit_cycles;
	/* Of packets for whole windows: their bytes, and the cycles that the windows took. Packets for the rest of a
	 * tensor would make of the rate a property of how long tensors are. */
	uint64_t whole_bytes, whole_cycles;
	uint32_t hit_mhz;
	uint64_t soft_taken, soft_dropped; /* input sets, by soft logic */
	/* Histograms by the packets: of the first tensors, [nr_shown], and the sum over all, which has the
	 * direction of their mean. */
	uint64_t shown[VALUES_SHOWN][VALUES_BUCKETS];
	unsigned nr_shown;
	uint64_t sum[VALUES_BUCKETS];
};

/* Runs the tensors of one application, each on an IPU at power-on. `program` is `histogram`, loaded against `abi`.
 * SAHM_FORMAT (the spec lacks v0), SAHM_GUEST (the IPU is in ERROR), SAHM_RANGE, SAHM_NOMEM. */
enum sahm_status values_run(const struct ipu_program *program, const struct abi *abi,
			    enum values_application application, const struct values_options *options,
			    struct values_result *result, struct sahm_err *err);

/* Contribution of a tensor to `error` before the division by tensors x 128: the sum of |all[i] - sampled[i]| / all[i]
 * over the buckets where all[i] > 0, which are added to *nr_used; `sampled` is scaled to the total of `all`. 0 where
 * nothing was sampled. Both totals are at most VALUES_MAX_LINES lines of values. */
double values_error(const uint64_t all[VALUES_BUCKETS], const uint64_t sampled[VALUES_BUCKETS], uint64_t *nr_used);

/* Cosine of the angle between two histograms as vectors, from 0 to 1: figure 2.8(d). NAN where one of them is empty. */
double values_similarity(const uint64_t a[VALUES_BUCKETS], const uint64_t b[VALUES_BUCKETS]);

/* The fp16 nearest to value / 2^fraction_bits: ties to even, beyond the largest infinity, 0 without a sign. |value| is
 * below 2^62, `fraction_bits` at most 62. */
uint16_t values_fp16(int64_t value, unsigned fraction_bits);

/* Draws a value of a tensor of this application, smaller by 2^scale; `scale` is at most VALUES_MAX_SCALE. */
uint16_t values_draw(enum values_application application, struct rng *rng, unsigned scale);

#define VALUES_MAX_SCALE 6u

#endif
