/* A program of RV64GC with an instruction of nearly every class: sums an array, divides, calls, and leaves. */
	.globl _start
_start:
	la	s0, numbers
	li	s1, 8
	fmv.d.x	fs0, zero
1:	mv	a0, s0
	call	add
	addi	s0, s0, 8
	addi	s1, s1, -1
	bnez	s1, 1b
	la	t1, total
	fcvt.l.d a0, fs0, rtz
	mul	a0, a0, a0
	li	a1, 3
	div	a0, a0, a1
	amoadd.d zero, a0, (t1)
	fence	rw, rw
	la	t2, leave
	jalr	t2
	j	2f
	nop
2:	la	t2, 3f
	jr	t2
3:	li	a7, 93
	li	a0, 0
	ecall

add:	addi	sp, sp, -16
	sd	ra, 8(sp)
	fld	fa0, 0(a0)
	fmul.d	fa0, fa0, fa0
	fadd.d	fs0, fs0, fa0
	fsqrt.d	fa1, fa0
	ld	ra, 8(sp)
	addi	sp, sp, 16
	ret

leave:	sd	a0, 0(t1)
	ret

	.data
	.balign	8
numbers:
	.double	1, 2, 3, 4, 5, 6, 7, 8
total:	.dword	0
