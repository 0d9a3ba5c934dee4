/* The mix of EEMBC's CoreMark, in a program of our own: a linked list that is searched, turned round and sorted; small
 * matrices; a state machine that tells what the words of a text are; and a CRC over what they find. */
#include "kernel.h"

#define NR_ITEMS 48
#define SIZE 10

const uint32_t kernel_iterations = 20000;

/* CRC-16/ARC, bit by bit. */
static uint16_t crc_byte(uint16_t crc, uint8_t byte)
{
	for (int i = 0; i < 8; i++) {
		bool carry = (crc ^ byte) & 1;
		crc >>= 1;
		byte >>= 1;
		if (carry)
			crc ^= 0xa001;
	}
	return crc;
}

static uint16_t crc_word(uint16_t crc, uint32_t word)
{
	for (int i = 0; i < 4; i++, word >>= 8)
		crc = crc_byte(crc, (uint8_t)word);
	return crc;
}

/* The list. */

struct item {
	struct item *next;
	int16_t key, place;
};

static struct item items[NR_ITEMS];

static struct item *list_make(uint32_t *state)
{
	for (int16_t i = 0; i < NR_ITEMS; i++)
		items[i] = (struct item){i + 1 < NR_ITEMS ? &items[i + 1] : NULL, (int16_t)(kernel_random(state) >> 20),
					 i};
	return items;
}

static struct item *list_find(struct item *list, int16_t key)
{
	while (list && list->key != key)
		list = list->next;
	return list;
}

static struct item *list_reverse(struct item *list)
{
	struct item *reversed = NULL;
	while (list) {
		struct item *next = list->next;
		list->next = reversed;
		reversed = list;
		list = next;
	}
	return reversed;
}

typedef int (*item_order)(const struct item *a, const struct item *b);

static int by_key(const struct item *a, const struct item *b)
{
	return a->key - b->key;
}

static int by_place(const struct item *a, const struct item *b)
{
	return a->place - b->place;
}

static struct item *list_merge(struct item *a, struct item *b, item_order order)
{
	struct item *merged = NULL, **end = &merged;
	while (a && b) {
		struct item **least = order(a, b) <= 0 ? &a : &b;
		*end = *least;
		end = &(*end)->next;
		*least = *end;
	}
	*end = a ? a : b;
	return merged;
}

static struct item *list_sort(struct item *list, item_order order)
{
	struct item *half = list, *end = list, *rest;
	if (!list || !list->next)
		return list;
	while (end->next && end->next->next) {
		half = half->next;
		end = end->next->next;
	}
	rest = half->next;
	half->next = NULL;
	return list_merge(list_sort(list, order), list_sort(rest, order), order);
}

static uint16_t use_list(uint32_t *state, uint16_t crc)
{
	struct item *list = list_make(state);
	for (int16_t i = 0; i < NR_ITEMS; i += 3) {
		const struct item *found = list_find(list, (int16_t)(items[i].key ^ (i & 1)));
		crc = crc_word(crc, found ? (uint32_t)found->place : UINT32_MAX);
		list = list_reverse(list);
	}
	list = list_sort(list, by_key);
	for (const struct item *item = list; item; item = item->next)
		crc = crc_byte(crc, (uint8_t)item->key);
	list = list_sort(list, by_place);
	return crc_word(crc, (uint32_t)list->key);
}

/* Matrices. */

static int16_t a[SIZE][SIZE], b[SIZE][SIZE];
static int32_t c[SIZE][SIZE];

static void matrix_make(uint32_t *state)
{
	for (int i = 0; i < SIZE; i++)
		for (int j = 0; j < SIZE; j++) {
			a[i][j] = (int16_t)(kernel_random(state) >> 18);
			b[i][j] = (int16_t)(kernel_random(state) & 1023);
		}
}

static void matrix_scale(int16_t factor)
{
	for (int i = 0; i < SIZE; i++)
		for (int j = 0; j < SIZE; j++)
			c[i][j] = a[i][j] * factor;
}

static void matrix_multiply(void)
{
	for (int i = 0; i < SIZE; i++)
		for (int j = 0; j < SIZE; j++) {
			uint32_t sum = 0;
			for (int m = 0; m < SIZE; m++)
				sum += (uint32_t)(a[i][m] * b[m][j]);
			c[i][j] = (int32_t)sum;
		}
}

/* Of each product two fields of bits. */
static void matrix_multiply_fields(void)
{
	for (int i = 0; i < SIZE; i++)
		for (int j = 0; j < SIZE; j++) {
			uint32_t sum = 0;
			for (int m = 0; m < SIZE; m++) {
				uint32_t product = (uint32_t)(a[i][m] * b[m][j]);
				sum += (product >> 2 & 15) * (product >> 5 & 127);
			}
			c[i][j] = (int32_t)sum;
		}
}

/* Counts rises, and what sums run over a limit. */
static uint16_t matrix_crc(uint16_t crc, int32_t limit)
{
	int32_t sum = 0, last = 0;
	uint32_t nr = 0;
	for (int i = 0; i < SIZE; i++)
		for (int j = 0; j < SIZE; j++) {
			int32_t value = c[i][j];
			sum = (int32_t)((uint32_t)sum + (uint32_t)value);
			if (sum > limit) {
				nr += 10;
				sum = 0;
			} else {
				nr += value > last;
			}
			last = value;
		}
	return crc_word(crc, nr);
}

static uint16_t use_matrices(uint32_t *state, uint16_t crc)
{
	matrix_make(state);
	matrix_scale((int16_t)(crc & 255));
	crc = matrix_crc(crc, 5000);
	matrix_multiply();
	crc = matrix_crc(crc, 1 << 24);
	matrix_multiply_fields();
	return matrix_crc(crc, 1 << 12);
}

/* The text: words, separated by commas. */

enum word { START, SIGN, INTEGER, POINT, FRACTION, EXPONENT, EXPONENT_SIGN, SCIENTIFIC, INVALID, NR_WORDS };

static char text[] = "5012,0.5,-874,+122,7.4e-3,abc,-110.700,+0.64400,1e5,12e,x7,,99999,+-3,.25,-.5e+11,3..1,17,"
		     "500.0e+0,T0.3e-1F,-T.T++Tq,1T3.4e4z,34.0e-T^,5.500e+3,-.123e-2,-87e+832,+0.6e-12";

static bool is_digit(char ch)
{
	return ch >= '0' && ch <= '9';
}

/* Reads the word at *p and leaves *p after its comma; nr_passed[] counts the states that were passed. */
static enum word read_word(const char **p, uint32_t nr_passed[NR_WORDS])
{
	enum word word = START;
	const char *s = *p;
	for (; *s && *s != ','; s++) {
		char ch = *s;
		enum word before = word;
		switch (word) {
		case START:
			word = is_digit(ch) ? INTEGER : ch == '+' || ch == '-' ? SIGN : ch == '.' ? POINT : INVALID;
			break;
		case SIGN:
			word = is_digit(ch) ? INTEGER : ch == '.' ? POINT : INVALID;
			break;
		case INTEGER:
			if (ch == '.')
				word = FRACTION;
			else if (ch == 'e' || ch == 'E')
				word = EXPONENT;
			else if (!is_digit(ch))
				word = INVALID;
			break;
		case POINT:
			word = is_digit(ch) ? FRACTION : INVALID;
			break;
		case FRACTION:
			if (ch == 'e' || ch == 'E')
				word = EXPONENT;
			else if (!is_digit(ch))
				word = INVALID;
			break;
		case EXPONENT:
			word = is_digit(ch) ? SCIENTIFIC : ch == '+' || ch == '-' ? EXPONENT_SIGN : INVALID;
			break;
		case EXPONENT_SIGN:
		case SCIENTIFIC:
			word = is_digit(ch) ? SCIENTIFIC : INVALID;
			break;
		default:
			break;
		}
		if (word != before)
			nr_passed[before]++;
	}
	*p = *s ? s + 1 : s;
	return word;
}

static uint16_t use_text(uint32_t *state, uint16_t crc)
{
	uint32_t nr_passed[NR_WORDS] = {0}, nr_words[NR_WORDS] = {0};
	uint32_t place = kernel_random(state) % (sizeof(text) - 1);
	char kept = text[place];
	if (kept != ',')
		text[place] = "0.e-"[crc & 3];
	for (const char *p = text; *p;)
		nr_words[read_word(&p, nr_passed)]++;
	text[place] = kept;
	for (int i = 0; i < NR_WORDS; i++)
		crc = crc_word(crc, nr_words[i] << 16 | nr_passed[i]);
	return crc;
}

static bool crc_is_right(void)
{
	uint16_t crc = 0;
	for (const char *p = "123456789"; *p; p++)
		crc = crc_byte(crc, (uint8_t)*p);
	return crc == 0xbb3d;
}

bool kernel_run(uint32_t nr_iterations, uint32_t *checksum)
{
	uint32_t state = 1;
	uint16_t crc = 0;
	for (uint32_t i = 0; i < nr_iterations; i++) {
		crc = use_list(&state, crc);
		crc = use_matrices(&state, crc);
		crc = use_text(&state, crc);
		*checksum = kernel_mix(*checksum, crc);
	}
	return crc_is_right();
}
