#include "tests/reference/refhart.h"

/* Bits `high` to `low` of `word`. */
static uint32_t get(uint32_t word, int high, int low)
{
	return (uint32_t)(word >> low & ((1ull << (high - low + 1)) - 1));
}

/* `value` of `nr_bits` with its sign. */
static uint32_t with_sign(uint32_t value, int nr_bits)
{
	int negative = get(value, nr_bits - 1, nr_bits - 1) == 1;
	return negative ? (uint32_t)(value - (1ull << nr_bits)) : value;
}

static int64_t as_signed(uint32_t value)
{
	return value >= 0x80000000u ? (int64_t)value - 0x100000000ll : (int64_t)value;
}

/* The only ways to end an instruction. */

static void fault(struct refhart *h, enum refhart_stop stop, uint32_t address)
{
	h->stop = stop;
	h->address = address;
}

static void go_to(struct refhart *h, uint32_t pc)
{
	h->pc = pc;
	h->nr_retired++;
	if (h->loop_times == 0)
		return;
	if (pc == h->loop_end) {
		h->loop_times--;
		h->nr_loops_done += h->loop_times == 0;
		if (h->loop_times > 0) {
			h->pc = h->loop_first;
			h->stop = REFHART_INPUT;
		}
	} else if (pc < h->loop_first || pc > h->loop_end) {
		h->loop_times = 0;
		h->nr_breaks++;
	}
}

/* Ends an instruction of `size` bytes that has the result `value`. */
static void result(struct refhart *h, uint32_t size, uint32_t rd, uint32_t value)
{
	if (rd != 0)
		h->x[rd] = value;
	go_to(h, h->pc + size);
}

static int is_code(const struct refhart *h, uint32_t address)
{
	return address >= h->code_base && (uint64_t)address < (uint64_t)h->code_base + h->code_bytes;
}

static void jump(struct refhart *h, uint32_t rd, uint32_t link, uint32_t target)
{
	if (!is_code(h, target)) {
		fault(h, REFHART_JUMP_OUTSIDE, target);
		return;
	}
	if (rd != 0)
		h->x[rd] = link;
	go_to(h, target);
}

static void jump_to_register(struct refhart *h, uint32_t rd, uint32_t link, uint32_t address)
{
	uint32_t target = address & ~1u;

	if (target != REFHART_RETURN) {
		jump(h, rd, link, target);
		return;
	}
	if (rd != 0)
		h->x[rd] = link;
	go_to(h, target);
	h->stop = REFHART_RETURNED;
}

static void branch(struct refhart *h, uint32_t size, int taken, uint32_t offset)
{
	h->nr_taken += taken != 0;
	h->nr_not_taken += taken == 0;
	if (taken)
		jump(h, 0, 0, h->pc + offset);
	else
		go_to(h, h->pc + size);
}

static int is_data(const struct refhart *h, uint32_t address, uint32_t width)
{
	return address >= h->data_base && (uint64_t)address + width <= (uint64_t)h->data_base + h->data_bytes;
}

static void load(struct refhart *h, uint32_t size, uint32_t rd, uint32_t address, uint32_t width, int is_signed)
{
	uint32_t value = 0;

	if (!is_data(h, address, width)) {
		fault(h, REFHART_LOAD_OUTSIDE, address);
		return;
	}
	if (address % width != 0) {
		h->nr_misaligned++;
		if (h->traps_misaligned) {
			fault(h, REFHART_LOAD_MISALIGNED, address);
			return;
		}
	}
	for (uint32_t i = 0; i < width; i++)
		value |= (uint32_t)h->data[address - h->data_base + i] << 8 * i;
	result(h, size, rd, is_signed && width < 4 ? with_sign(value, (int)width * 8) : value);
}

static void store(struct refhart *h, uint32_t size, uint32_t address, uint32_t width, uint32_t value)
{
	if (!is_data(h, address, width)) {
		fault(h, REFHART_STORE_OUTSIDE, address);
		return;
	}
	if (address % width != 0) {
		h->nr_misaligned++;
		if (h->traps_misaligned) {
			fault(h, REFHART_STORE_MISALIGNED, address);
			return;
		}
	}
	for (uint32_t i = 0; i < width; i++)
		h->data[address - h->data_base + i] = (uint8_t)(value >> 8 * i);
	go_to(h, h->pc + size);
}

static uint32_t shift_right_arithmetic(uint32_t a, uint32_t by)
{
	for (uint32_t i = 0; i < by; i++)
		a = a >> 1 | (a & 0x80000000u);
	return a;
}

/* OP and OP-IMM but for subtraction and arithmetic shifts (2.4). */
static uint32_t compute(uint32_t funct3, uint32_t a, uint32_t b)
{
	switch (funct3) {
	case 0:
		return a + b;
	case 1:
		return a << b % 32;
	case 2:
		return as_signed(a) < as_signed(b);
	case 3:
		return a < b;
	case 4:
		return a ^ b;
	case 5:
		return a >> b % 32;
	case 6:
		return a | b;
	default:
		return a & b;
	}
}

/* Chapter 7; its table 7.1 for what divisions by zero and overflows give. */
static uint32_t compute_m(uint32_t funct3, uint32_t a, uint32_t b)
{
	int64_t signed_a = as_signed(a), signed_b = as_signed(b);

	switch (funct3) {
	case 0:
		return (uint32_t)((uint64_t)a * b);
	case 1:
		return (uint32_t)((uint64_t)(signed_a * signed_b) / 0x100000000ull);
	case 2:
		return (uint32_t)((uint64_t)(signed_a * (int64_t)b) / 0x100000000ull);
	case 3:
		return (uint32_t)((uint64_t)a * b / 0x100000000ull);
	case 4: /* 2^31 / 1 is cut to 32 bits, as it has to be */
		return b == 0 ? 0xffffffffu : (uint32_t)(signed_a / signed_b);
	case 5:
		return b == 0 ? 0xffffffffu : a / b;
	case 6:
		return b == 0 ? a : (uint32_t)(signed_a % signed_b);
	default:
		return b == 0 ? a : a % b;
	}
}

static uint32_t word_at(const struct refhart *h, uint32_t address)
{
	const uint8_t *at = h->data + (address - h->data_base);

	return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* One more in the counter at an address. */
static void count(struct refhart *h, uint32_t address, uint32_t limit)
{
	uint32_t nr = word_at(h, address);

	if (nr >= limit)
		return;
	h->nr_counted++;
	for (uint32_t i = 0; i < 4; i++)
		h->data[address - h->data_base + i] = (uint8_t)((nr + 1) >> 8 * i);
}

/* IPU.HIST, of a value of 32 bits, and IPU.HISTIN, of an input register, which is -1 for the former. */
static void histogram(struct refhart *h, uint32_t descriptor, uint64_t value, int input)
{
	if (!is_data(h, descriptor, 16)) {
		fault(h, REFHART_LOAD_OUTSIDE, descriptor);
		return;
	}
	if (descriptor % 4 != 0) {
		fault(h, REFHART_LOAD_MISALIGNED, descriptor);
		return;
	}
	uint32_t counters = word_at(h, descriptor), nr_bins = word_at(h, descriptor + 4);
	uint32_t shape = word_at(h, descriptor + 8), limit = word_at(h, descriptor + 12);
	uint32_t nr_lanes = get(shape, 7, 0), lane_bits = get(shape, 15, 8), shift = get(shape, 23, 16);
	uint32_t mode = get(shape, 31, 24), room = input < 0 ? 32 : 64;
	int sensible = nr_bins >= 1 && nr_bins <= 8192 && nr_lanes >= 1 && nr_lanes <= 32 && lane_bits >= 1 &&
		       lane_bits <= 32 && shift <= 31 && shift < lane_bits && mode <= 1;

	if (mode == 0 && nr_lanes * lane_bits > room)
		sensible = 0;
	if (mode == 1 && (lane_bits != 1 || shift != 0 || nr_lanes > nr_bins))
		sensible = 0;
	if (mode == 1 && input >= 0 && (uint32_t)input + nr_lanes > 32)
		sensible = 0;
	if (!sensible) {
		fault(h, REFHART_HISTOGRAM_SHAPE, descriptor);
		return;
	}
	if (!is_data(h, counters, 4 * nr_bins)) {
		fault(h, REFHART_STORE_OUTSIDE, counters);
		return;
	}
	if (counters % 4 != 0) {
		fault(h, REFHART_STORE_MISALIGNED, counters);
		return;
	}
	for (uint32_t i = 0; i < nr_lanes; i++) {
		if (mode == 0) {
			uint64_t bin = value % (1ull << lane_bits) >> shift;
			value = lane_bits < 64 ? value >> lane_bits : 0;
			count(h, counters + 4 * (uint32_t)(bin < nr_bins ? bin : nr_bins - 1), limit);
		} else if ((input < 0 ? value >> i : h->inputs[(uint32_t)input + i]) % 2 == 1) {
			count(h, counters + 4 * i, limit);
		}
	}
	for (uint32_t i = 4; i < nr_lanes; i += 4)
		h->nr_extra++;
	go_to(h, h->pc + 4);
}

/* IPU.LOOP. */
static void loop(struct refhart *h, uint32_t times, uint32_t nr_bytes)
{
	uint64_t end = (uint64_t)h->pc + 4 + nr_bytes;

	if (nr_bytes == 0 || nr_bytes % 4 != 0 || nr_bytes > 2044 || end > (uint64_t)h->code_base + h->code_bytes) {
		fault(h, REFHART_ILLEGAL, h->pc);
		return;
	}
	if (h->loop_times > 0) {
		fault(h, REFHART_NESTED_LOOP, h->pc);
		return;
	}
	if (times == 0) {
		go_to(h, (uint32_t)end);
		return;
	}
	go_to(h, h->pc + 4);
	h->loop_first = h->pc;
	h->loop_end = (uint32_t)end;
	h->loop_times = times;
	h->stop = REFHART_INPUT;
}

/* The opcode CUSTOM-0. False: no such instruction. */
static int custom(struct refhart *h, uint32_t word)
{
	uint32_t a = h->x[get(word, 19, 15)], b = h->x[get(word, 24, 20)], n = get(word, 24, 20);
	uint32_t mixed = a ^ b;

	if (get(word, 14, 12) == 0 && get(word, 31, 25) == 0) { /* IPU.HASH */
		mixed = (mixed ^ mixed / 65536) * 2246822507u;
		mixed = (mixed ^ mixed / 8192) * 3266489909u;
		result(h, 4, get(word, 11, 7), mixed ^ mixed / 65536);
		return 1;
	}
	if (get(word, 11, 7) != 0)
		return 0;
	switch (get(word, 14, 12)) {
	case 1:
		if (get(word, 31, 25) != 0)
			return 0;
		histogram(h, a, b, -1);
		return 1;
	case 2:
		if (get(word, 31, 25) != 0 || !h->inputs)
			return 0;
		histogram(h, a, h->inputs[n], (int)n);
		return 1;
	case 3:
		loop(h, a, get(word, 31, 20));
		return 1;
	}
	return 0;
}

/* Chapters 9 and 10: neither the counters nor the inputs can be written, and there is nothing else. */
static void csr(struct refhart *h, uint32_t word)
{
	uint32_t number = get(word, 31, 20), low = number & 0x7f, field = get(word, 19, 15);
	int writes = get(word, 13, 12) == 1 || field != 0;

	if (number >= 0xcc0 && number <= 0xcff && h->inputs && !writes) {
		uint64_t input = h->inputs[number % 32];
		result(h, 4, get(word, 11, 7), (uint32_t)(number >= 0xce0 ? input / 0x100000000ull : input));
		return;
	}
	if ((number != 0xc00 + low && number != 0xc80 + low) || low > 2 || writes) {
		fault(h, REFHART_ILLEGAL, h->pc);
		return;
	}
	uint64_t counted = h->nr_retired + (low == 0 ? h->nr_extra : 0);
	result(h, 4, get(word, 11, 7), (uint32_t)(number < 0xc80 ? counted : counted >> 32));
}

static void wide(struct refhart *h, uint32_t word)
{
	uint32_t opcode = get(word, 6, 0), rd = get(word, 11, 7), funct3 = get(word, 14, 12),
		 funct7 = get(word, 31, 25);
	uint32_t a = h->x[get(word, 19, 15)], b = h->x[get(word, 24, 20)];
	uint32_t i_imm = with_sign(get(word, 31, 20), 12);
	uint32_t s_imm = with_sign(get(word, 31, 25) << 5 | get(word, 11, 7), 12);
	uint32_t b_imm = with_sign(
		get(word, 31, 31) << 12 | get(word, 7, 7) << 11 | get(word, 30, 25) << 5 | get(word, 11, 8) << 1, 13);
	uint32_t j_imm = with_sign(get(word, 31, 31) << 20 | get(word, 19, 12) << 12 | get(word, 20, 20) << 11 |
					   get(word, 30, 21) << 1,
				   21);

	switch (opcode) {
	case 0x37: /* LUI */
		result(h, 4, rd, get(word, 31, 12) << 12);
		return;
	case 0x17: /* AUIPC */
		result(h, 4, rd, h->pc + (get(word, 31, 12) << 12));
		return;
	case 0x6f: /* JAL */
		jump(h, rd, h->pc + 4, h->pc + j_imm);
		return;
	case 0x67: /* JALR */
		if (funct3 != 0)
			break;
		jump_to_register(h, rd, h->pc + 4, a + i_imm);
		return;
	case 0x63: /* BRANCH */
		switch (funct3) {
		case 0:
			branch(h, 4, a == b, b_imm);
			return;
		case 1:
			branch(h, 4, a != b, b_imm);
			return;
		case 4:
			branch(h, 4, as_signed(a) < as_signed(b), b_imm);
			return;
		case 5:
			branch(h, 4, as_signed(a) >= as_signed(b), b_imm);
			return;
		case 6:
			branch(h, 4, a < b, b_imm);
			return;
		case 7:
			branch(h, 4, a >= b, b_imm);
			return;
		}
		break;
	case 0x03: /* LOAD: bit 2 of funct3 means unsigned, which words are not */
		if (funct3 == 3 || funct3 > 5)
			break;
		load(h, 4, rd, a + i_imm, 1u << (funct3 & 3), funct3 < 4);
		return;
	case 0x23: /* STORE */
		if (funct3 > 2)
			break;
		store(h, 4, a + s_imm, 1u << funct3, b);
		return;
	case 0x13: /* OP-IMM */
		if (funct3 == 5 && funct7 == 0x20) {
			result(h, 4, rd, shift_right_arithmetic(a, get(word, 24, 20)));
			return;
		}
		if ((funct3 == 1 || funct3 == 5) && funct7 != 0)
			break;
		result(h, 4, rd, compute(funct3, a, i_imm));
		return;
	case 0x33: /* OP */
		if (funct7 == 0x20 && funct3 == 0)
			result(h, 4, rd, a - b);
		else if (funct7 == 0x20 && funct3 == 5)
			result(h, 4, rd, shift_right_arithmetic(a, b % 32));
		else if (funct7 == 0)
			result(h, 4, rd, compute(funct3, a, b));
		else if (funct7 == 1)
			result(h, 4, rd, compute_m(funct3, a, b));
		else
			break;
		return;
	case 0x0f: /* MISC-MEM: FENCE and FENCE.I, whose other fields are ignored */
		if (funct3 > 1)
			break;
		go_to(h, h->pc + 4);
		return;
	case 0x73: /* SYSTEM */
		if (word == 0x00000073) {
			fault(h, REFHART_ENVIRONMENT_CALL, h->pc);
			return;
		}
		if (word == 0x00100073) {
			fault(h, REFHART_BREAKPOINT, h->pc);
			return;
		}
		if (funct3 == 0 || funct3 == 4)
			break;
		csr(h, word);
		return;
	case 0x0b: /* CUSTOM-0 */
		if (custom(h, word))
			return;
		break;
	}
	fault(h, REFHART_ILLEGAL, h->pc);
}

/* Quadrant 1 of the compressed instructions from C.SRLI to C.AND. */
static void compressed_arithmetic(struct refhart *h, uint32_t word)
{
	uint32_t rd = 8 + get(word, 9, 7), a = h->x[rd], b = h->x[8 + get(word, 4, 2)];
	uint32_t imm = get(word, 12, 12) << 5 | get(word, 6, 2);

	/* Shifts by 32 and more, and the arithmetic on words, are of RV64 or nothing's. */
	if (get(word, 12, 12) == 1 && get(word, 11, 10) != 2) {
		fault(h, REFHART_ILLEGAL, h->pc);
		return;
	}
	switch (get(word, 11, 10)) {
	case 0: /* C.SRLI */
		result(h, 2, rd, a >> imm);
		return;
	case 1: /* C.SRAI */
		result(h, 2, rd, shift_right_arithmetic(a, imm));
		return;
	case 2: /* C.ANDI */
		result(h, 2, rd, a & with_sign(imm, 6));
		return;
	}
	switch (get(word, 6, 5)) {
	case 0:
		result(h, 2, rd, a - b);
		return;
	case 1:
		result(h, 2, rd, a ^ b);
		return;
	case 2:
		result(h, 2, rd, a | b);
		return;
	case 3:
		result(h, 2, rd, a & b);
		return;
	}
}

/* Chapter 16, tables 16.5 to 16.7 for RV32 without floating point. */
static void compressed(struct refhart *h, uint32_t word)
{
	uint32_t rd = get(word, 11, 7), rs2 = get(word, 6, 2);
	uint32_t short_1 = 8 + get(word, 9, 7), short_2 = 8 + get(word, 4, 2);
	uint32_t imm6 = get(word, 12, 12) << 5 | get(word, 6, 2);
	uint32_t imm = with_sign(imm6, 6);
	uint32_t spn = get(word, 12, 11) << 4 | get(word, 10, 7) << 6 | get(word, 6, 6) << 2 | get(word, 5, 5) << 3;
	uint32_t lw = get(word, 12, 10) << 3 | get(word, 6, 6) << 2 | get(word, 5, 5) << 6;
	uint32_t lwsp = get(word, 12, 12) << 5 | get(word, 6, 4) << 2 | get(word, 3, 2) << 6;
	uint32_t swsp = get(word, 12, 9) << 2 | get(word, 8, 7) << 6;
	uint32_t sp16 = with_sign(get(word, 12, 12) << 9 | get(word, 6, 6) << 4 | get(word, 5, 5) << 6 |
					  get(word, 4, 3) << 7 | get(word, 2, 2) << 5,
				  10);
	uint32_t far = with_sign(get(word, 12, 12) << 11 | get(word, 11, 11) << 4 | get(word, 10, 9) << 8 |
					 get(word, 8, 8) << 10 | get(word, 7, 7) << 6 | get(word, 6, 6) << 7 |
					 get(word, 5, 3) << 1 | get(word, 2, 2) << 5,
				 12);
	uint32_t near = with_sign(get(word, 12, 12) << 8 | get(word, 11, 10) << 3 | get(word, 6, 5) << 6 |
					  get(word, 4, 3) << 1 | get(word, 2, 2) << 5,
				  9);

	switch (get(word, 1, 0) << 3 | get(word, 15, 13)) {
	case 000: /* C.ADDI4SPN */
		if (spn == 0)
			break;
		result(h, 2, short_2, h->x[2] + spn);
		return;
	case 002: /* C.LW */
		load(h, 2, short_2, h->x[short_1] + lw, 4, 0);
		return;
	case 006: /* C.SW */
		store(h, 2, h->x[short_1] + lw, 4, h->x[short_2]);
		return;
	case 010: /* C.NOP, C.ADDI */
		result(h, 2, rd, h->x[rd] + imm);
		return;
	case 011: /* C.JAL */
		jump(h, 1, h->pc + 2, h->pc + far);
		return;
	case 012: /* C.LI */
		result(h, 2, rd, imm);
		return;
	case 013: /* C.ADDI16SP, C.LUI */
		if (imm6 == 0)
			break;
		result(h, 2, rd, rd == 2 ? h->x[2] + sp16 : imm << 12);
		return;
	case 014:
		compressed_arithmetic(h, word);
		return;
	case 015: /* C.J */
		jump(h, 0, 0, h->pc + far);
		return;
	case 016: /* C.BEQZ */
		branch(h, 2, h->x[short_1] == 0, near);
		return;
	case 017: /* C.BNEZ */
		branch(h, 2, h->x[short_1] != 0, near);
		return;
	case 020: /* C.SLLI */
		if (imm6 >= 32)
			break;
		result(h, 2, rd, h->x[rd] << imm6);
		return;
	case 022: /* C.LWSP */
		if (rd == 0)
			break;
		load(h, 2, rd, h->x[2] + lwsp, 4, 0);
		return;
	case 024:
		if (get(word, 12, 12) == 0 && rs2 != 0) /* C.MV */
			result(h, 2, rd, h->x[rs2]);
		else if (rs2 != 0) /* C.ADD */
			result(h, 2, rd, h->x[rd] + h->x[rs2]);
		else if (rd != 0) /* C.JR, C.JALR */
			jump_to_register(h, get(word, 12, 12), h->pc + 2, h->x[rd]);
		else if (get(word, 12, 12) == 1)
			fault(h, REFHART_BREAKPOINT, h->pc);
		else
			break;
		return;
	case 026: /* C.SWSP */
		store(h, 2, h->x[2] + swsp, 4, h->x[rs2]);
		return;
	}
	fault(h, REFHART_ILLEGAL, h->pc);
}

void refhart_step(struct refhart *h)
{
	if (h->stop != REFHART_RUNS)
		return;
	/* Code is a whole number of half-words, and pc is even. */
	if (!is_code(h, h->pc)) {
		fault(h, REFHART_FETCH_OUTSIDE, h->pc);
		return;
	}
	const uint8_t *at = h->code + (h->pc - h->code_base);
	uint32_t low = at[0] | (uint32_t)at[1] << 8;
	if ((low & 3) != 3) {
		compressed(h, low);
		return;
	}
	if (!is_code(h, h->pc + 2)) {
		fault(h, REFHART_FETCH_OUTSIDE, h->pc);
		return;
	}
	h->nr_straddled += h->pc % 4 != 0;
	wide(h, low | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24);
}
