/* Kinds of EDGE instructions: EDGE_KIND(suffix, name in tables and columns, its role in a block). */
EDGE_KIND(READ, "read", "brings the value of a register into its block")
EDGE_KIND(MOV, "mov", "passes a value on, to more consumers than its producer can name")
EDGE_KIND(NULL, "null", "stands for a store that the other side of a hammock would execute")
EDGE_KIND(LOAD, "load", "one access that loads")
EDGE_KIND(STORE, "store", "one access that stores")
EDGE_KIND(COMPUTE, "compute", "all other instructions, and the tests of if-converted hammocks")
EDGE_KIND(BRANCH, "branch", "branches, jumps, calls and returns")
