/* Scaling of area, energy and power between process nodes.
 *
 * Source: A. Stillmaker, B. Baas, "Scaling equations for the accurate prediction of CMOS device performance from 180 nm
 * to 7 nm", Integration, the VLSI Journal 58 (2017), pp. 74-81: factors of area by node, and polynomials in the supply
 * voltage for energy and power. Their example (erratum of the paper) is among the tests. The coefficients are those of
 * the transcription wromaszkan/nodeScale, commit 0676b74ea2936e5120bb7fc0ffa8ca8ffb9dc74d. 180 nm is left out: its
 * row looks shifted there. There is no separate factor of leakage.
 */
#ifndef SAHM_CORES_CHIP_NODE_SCALING_H
#define SAHM_CORES_CHIP_NODE_SCALING_H

#include "sim/base/err.h"

/* What is scaled. */
enum node_figure { NODE_AREA, NODE_ENERGY, NODE_POWER };

/* Transistors of nodes of 45 nm and below: high performance, low power. */
enum node_devices { NODE_HP, NODE_LP };

struct node {
	unsigned nm;  /* 0: not known */
	double volts; /* supply; 0: not known. Area does not depend on it */
};

/* Finds the factor by which a figure of node `from` differs at node `to`, whose nm are known; 1 where the nodes and,
 * but for area, the voltages are the same. SAHM_CONFIG, with a message without a place: a node is not in the table, a
 * voltage is not known, or the equations do not hold there (less voltage would take more energy). */
enum sahm_status node_factor(enum node_figure figure, enum node_devices devices, const struct node *from,
			     const struct node *to, double *factor, struct sahm_err *err);

#endif
