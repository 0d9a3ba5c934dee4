/* Kinds of branches that ChampSim distinguishes, in its order: BRANCH(symbol, class of ours, name). */
BRANCH(DIRECT_JUMP, JUMP, "direct jumps")
BRANCH(INDIRECT, INDIRECT_JUMP, "indirect jumps")
BRANCH(CONDITIONAL, BRANCH, "conditional")
BRANCH(DIRECT_CALL, CALL, "direct calls")
BRANCH(INDIRECT_CALL, INDIRECT_CALL, "indirect calls")
BRANCH(RETURN, RETURN, "returns")
BRANCH(OTHER, BRANCH, "others")
