#include "cores/chip/node_scaling.h"

#include <stdlib.h>

#define NR_NODES 10

static const unsigned nodes_nm[NR_NODES] = {130, 90, 65, 45, 32, 20, 16, 14, 10, 7};

/* By the node that a figure is of, then by the node that it is scaled to. */
static const double areas[NR_NODES][NR_NODES] = {
	{1, 0.44, 0.23, 0.16, 0.072, 0.033, 0.03, 0.027, 0.016, 0.0092},
	{2.3, 1, 0.53, 0.35, 0.16, 0.075, 0.067, 0.061, 0.036, 0.021},
	{4.3, 1.9, 1, 0.66, 0.31, 0.14, 0.13, 0.12, 0.068, 0.039},
	{6.4, 2.8, 1.5, 1, 0.46, 0.21, 0.19, 0.17, 0.1, 0.059},
	{14, 6.1, 3.3, 2.2, 1, 0.46, 0.41, 0.38, 0.22, 0.13},
	{30, 13, 7.1, 4.7, 2.2, 1, 0.89, 0.82, 0.48, 0.28},
	{34, 15, 7.9, 5.3, 2.4, 1.1, 1, 0.91, 0.54, 0.31},
	{37, 16, 8.7, 5.8, 2.7, 1.2, 1.1, 1, 0.59, 0.34},
	{63, 28, 15, 9.8, 4.5, 2.1, 1.9, 1.7, 1, 0.58},
	{110, 48, 25, 17, 7.8, 3.6, 3.2, 2.9, 1.7, 1},
};

/* a2 V^2 + a1 V + a0. */
struct polynomial {
	double a2, a1, a0;
};

struct polynomials {
	struct polynomial energy, power;
};

static const struct polynomials high_performance[NR_NODES] = {
	{{7.171, -6.709, 2.904}, {27020, -15450, 5630}},      {{4.762, -4.781, 2.092}, {17320, -11230, 4328}},
	{{3.755, -4.398, 1.975}, {12890, -10510, 4362}},      {{1.018, -0.3107, 0.1539}, {5462, -1760, 522.4}},
	{{0.8367, -0.4341, 0.1701}, {4001, -1733, 533.6}},    {{0.373, -0.1582, 0.04104}, {2922, -1286, 299.9}},
	{{0.2958, -0.1241, 0.03024}, {2133, -882.6, 197.7}},  {{0.2363, -0.09675, 0.02239}, {1675, -711, 159}},
	{{0.2068, -0.09311, 0.02375}, {1456, -621.6, 143.8}}, {{0.1776, -0.09097, 0.02447}, {1179, -515.7, 123.4}},
};

/* Larger nodes have one kind of transistor, in the table above. */
#define FIRST_LOW_POWER 3

static const struct polynomials low_power[NR_NODES - FIRST_LOW_POWER] = {
	{{1.103, -0.362, 0.2767}, {6297, -3009, 1124}},		{{0.9559, -0.7823, 0.471}, {4557, -3037, 1323}},
	{{0.2632, -0.14, 0.06841}, {2096, -962.4, 287.1}},	{{0.2139, -0.1187, 0.05639}, {1609, -715.5, 205.7}},
	{{0.1556, -0.06472, 0.03066}, {1259, -554.1, 152.3}},	{{0.1261, -0.0518, 0.02769}, {1046, -422.7, 118.9}},
	{{0.09365, -0.03409, 0.02043}, {815.2, -307.3, 87.54}},
};

static const struct polynomial *polynomial_of(enum node_figure figure, enum node_devices devices, unsigned node)
{
	bool is_low = devices == NODE_LP && node >= FIRST_LOW_POWER;
	const struct polynomials *p = is_low ? &low_power[node - FIRST_LOW_POWER] : &high_performance[node];
	return figure == NODE_ENERGY ? &p->energy : &p->power;
}

static enum sahm_status find_node(unsigned nm, unsigned *index, struct sahm_err *err)
{
	unsigned nearest = 0;
	for (unsigned i = 0; i < NR_NODES; i++)
		if (abs((int)nodes_nm[i] - (int)nm) < abs((int)nodes_nm[nearest] - (int)nm))
			nearest = i;
	*index = nearest;
	if (nodes_nm[nearest] == nm)
		return SAHM_OK;
	return sahm_fail(err, SAHM_CONFIG,
			 "%u nm cannot be scaled: Stillmaker and Baas (2017) have 130, 90, 65, 45, 32, 20, 16, 14, 10 "
			 "and 7 nm; %u nm is nearest",
			 nm, nodes_nm[nearest]);
}

static enum sahm_status value_at(const struct polynomial *p, const struct node *node, double *value,
				 struct sahm_err *err)
{
	double volts = node->volts;
	if (volts <= 0)
		return sahm_fail(err, SAHM_CONFIG,
				 "figures of %u nm cannot be scaled without a supply voltage: add volts", node->nm);
	if (2 * p->a2 * volts + p->a1 <= 0)
		return sahm_fail(err, SAHM_CONFIG, "%g V is too low to be scaled at %u nm", volts, node->nm);
	*value = (p->a2 * volts + p->a1) * volts + p->a0;
	return SAHM_OK;
}

enum sahm_status node_factor(enum node_figure figure, enum node_devices devices, const struct node *from,
			     const struct node *to, double *factor, struct sahm_err *err)
{
	unsigned a, b;
	double at_from, at_to;
	*factor = 1;
	if (from->nm == to->nm && (figure == NODE_AREA || !(from->volts < to->volts || from->volts > to->volts)))
		return SAHM_OK;
	enum sahm_status status = find_node(from->nm, &a, err);
	if (status == SAHM_OK)
		status = find_node(to->nm, &b, err);
	if (status != SAHM_OK)
		return status;
	if (figure == NODE_AREA) {
		*factor = areas[a][b];
		return SAHM_OK;
	}
	status = value_at(polynomial_of(figure, devices, a), from, &at_from, err);
	if (status == SAHM_OK)
		status = value_at(polynomial_of(figure, devices, b), to, &at_to, err);
	if (status == SAHM_OK)
		*factor = at_to / at_from;
	return status;
}
