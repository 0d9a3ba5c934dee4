/* A chain of branches without a loop. Each is met once: -DTAKEN has all taken, otherwise none is. A block has an odd number
 * of half-words, so that no two branches share a counter of a small predictor. The code is read as data before, so that its
 * lines come from the second-level cache. With -DRUNS=N the chain is run N times, so that the predictor has learnt it. */
#define BRANCHES 400
	.globl _start
_start:
	la	t0, chain
	la	t1, end
1:	lw	t2, 0(t0)
	addi	t0, t0, 64
	bltu	t0, t1, 1b
	li	a0, 0
#ifdef RUNS
	li	s0, RUNS
#endif
	j	chain

	.balign	64
chain:
	.rept	BRANCHES
#ifdef TAKEN
	beqz	a0, 1f
#else
	bnez	a0, 1f
#endif
	addi	a1, a1, 1
	addi	a2, a2, 1
1:	addi	a3, a3, 1
	addi	a4, a4, 1
	.endr
end:
#ifdef RUNS
	addi	s0, s0, -1
	beqz	s0, 2f
	j	chain
2:
#endif
	li	a7, 93
	li	a0, 0
	ecall
