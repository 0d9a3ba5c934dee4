# Prints nothing and does what it must not: FAULT is the instruction.
	.globl _start, main
	.type	main, @function
_start:
	auipc	s0, 0
	li	a0, 0x1001
	li	a1, 0x20000001
	j	main
	.balign	256
main:
	nop
	FAULT
	li	a7, 93
	li	a0, 0
	ecall
