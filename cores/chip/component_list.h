/* The components that a core can be specialised for and a state can stress, in bit order:
 * COMPONENT(enum suffix, bit, key in configurations, name in state names).
 * A state is the sum of the bits of its stressed components; Low is 0. */
COMPONENT(BRANCH, 0, "branch", "Branch")
COMPONENT(L1I, 1, "l1i", "L1I")
COMPONENT(L1D, 2, "l1d", "L1D")
COMPONENT(L2, 3, "l2", "L2")
