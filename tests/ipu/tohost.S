# A test in the form of conformance suites: a signature, and CODE told to the host by a store to tohost. SIZE is that of
# the signature, in bytes; FIRST comes before anything else.
	.globl _start, tohost, begin_signature, end_signature
_start:
#ifdef FIRST
	FIRST
#endif
	lla	t0, begin_signature
	li	t1, 0x01234567
	sw	t1, 0(t0)
	li	t1, -2
	sb	t1, 4(t0)
	lla	t0, tohost
	li	t1, CODE
	slli	t1, t1, 1
	addi	t1, t1, 1
	sw	zero, 4(t0)
	sw	t1, 0(t0)
1:	j	1b

	.data
	.balign	8
tohost:	.dword	0
begin_signature:
	.word	0, 0, 0xdeadbeef
	.set	end_signature, begin_signature + SIZE
