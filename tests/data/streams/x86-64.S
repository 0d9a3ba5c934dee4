# A program of x86-64 with an instruction of nearly every class: copies bytes, sums an array, divides, calls, and leaves.
	.intel_syntax noprefix
	.globl _start
_start:
	endbr64
	lea	rsi, numbers[rip]
	lea	rdi, copy[rip]
	mov	ecx, 64
	rep movsb
	lea	rbx, copy[rip]
	mov	r12d, 8
	pxor	xmm1, xmm1
1:	mov	rdi, rbx
	call	add
	add	rbx, 8
	dec	r12
	jnz	1b
	cvttsd2si rax, xmm1
	imul	rax, rax
	cqo
	mov	ecx, 3
	idiv	rcx
	lock add total[rip], rax
	mfence
	lea	rdx, leave[rip]
	call	rdx
	movdqu	xmm2, total[rip]
	paddd	xmm2, xmm2
	jmp	2f
	nop
2:	lea	rdx, 3f[rip]
	jmp	rdx
3:	mov	eax, 60
	xor	edi, edi
	syscall

add:	push	rbp
	movsd	xmm0, [rdi]
	mulsd	xmm0, xmm0
	addsd	xmm1, xmm0
	sqrtsd	xmm2, xmm0
	ucomisd	xmm1, xmm2
	pop	rbp
	ret

leave:	mov	total[rip], rax
	ret

	.data
	.balign	16
numbers:
	.double	1, 2, 3, 4, 5, 6, 7, 8
copy:	.zero	64
total:	.quad	0, 0
