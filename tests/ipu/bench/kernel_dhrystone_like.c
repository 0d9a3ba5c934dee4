/* What systems programs do most, after the statistics that Weicker's Dhrystone (Communications of the ACM 27(10), 1984)
 * was made from: records copied and compared by pointer, strings copied and compared, small procedures with few
 * parameters, branches on characters and enumerations, elements of arrays. The program is another one. */
#include "kernel.h"

#define NR_ORDERS 16
#define NAME_BYTES 32
#define GRID 20

/* Each stays a call: with all of them in one body nothing of this would be left. */
#define PROCEDURE __attribute__((noinline))

const uint32_t kernel_iterations = 2500000;

enum status { OPEN, PACKED, SENT, RETURNED };

struct order {
	struct order *next;
	enum status status;
	int32_t nr_items, price;
	char name[NAME_BYTES];
};

static struct order orders[NR_ORDERS];
static struct order *latest;
static int32_t totals[GRID], grid[GRID][GRID];
static char last_letter;
static bool was_late;

static PROCEDURE void copy_string(char *to, const char *from)
{
	while ((*to++ = *from++))
		;
}

static PROCEDURE int compare_strings(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return (uint8_t)*a - (uint8_t)*b;
}

static PROCEDURE bool same_letter(char a, char b)
{
	char kept = a;
	if (kept != b)
		return false;
	last_letter = kept;
	return true;
}

static PROCEDURE enum status status_after(enum status status, int32_t nr_items)
{
	switch (status) {
	case OPEN:
		return nr_items > 0 ? PACKED : OPEN;
	case PACKED:
		return nr_items > 100 ? OPEN : SENT;
	case SENT:
		return was_late ? RETURNED : OPEN;
	case RETURNED:
		was_late = false;
		return OPEN;
	}
	return status;
}

static PROCEDURE void add_price(int32_t price, int32_t nr_items, int32_t *total)
{
	int32_t sum = price + 2;
	*total = nr_items + sum;
}

static PROCEDURE void enter_totals(int32_t line[GRID], int32_t table[GRID][GRID], int32_t at, int32_t value)
{
	int32_t place = at + 5;
	line[place] = value;
	line[place + 1] = line[place];
	line[place + 9] = place;
	for (int32_t column = place; column <= place + 1; column++)
		table[place][column] = place;
	table[place][place - 1]++;
	table[place + 9][place] = line[place];
	was_late = value % 8 == 5;
}

/* Whether b is after a, by their names from the third letter on. */
static PROCEDURE bool is_after(const char *a, const char *b)
{
	int i = 2;
	while (i < 4)
		if (same_letter(a[i], b[i + 1]))
			i += 3;
		else
			i++;
	if (last_letter >= 'W' && last_letter <= 'Z')
		i = 7;
	return compare_strings(b, a) > 0 && i < 9;
}

static PROCEDURE void renew(struct order *order)
{
	struct order *next = order->next;
	*next = *latest;
	next->next = order->next->next == latest ? order : latest->next;
	order->nr_items = 5;
	next->nr_items = order->nr_items;
	next->status = status_after(order->status, next->nr_items);
	if (next->status == OPEN)
		add_price(next->nr_items, 10, &next->price);
	else
		*order = *next;
}

static PROCEDURE int32_t choose(char letter, int32_t a, int32_t b)
{
	switch (letter) {
	case 'A':
		return a * 3 - b;
	case 'B':
		return b ? 7 * (a - b) : a;
	case 'C':
		return a / (b | 1);
	default:
		return 0;
	}
}

static void make_orders(void)
{
	for (int i = 0; i < NR_ORDERS; i++) {
		orders[i] = (struct order){&orders[(i + 1) % NR_ORDERS], OPEN, i, 40 + i, ""};
		copy_string(orders[i].name, "SOME ORDER OF MANY, BOLT");
	}
	latest = &orders[0];
}

bool kernel_run(uint32_t nr_iterations, uint32_t *checksum)
{
	char first[NAME_BYTES], second[NAME_BYTES];
	bool right = true;
	make_orders();
	copy_string(first, "SOME ORDER OF MANY, THE FIRST");
	for (uint32_t i = 0; i < nr_iterations; i++) {
		int32_t a = 2, b = 3, c = 0;
		enum status status = PACKED;
		copy_string(second, "SOME ORDER OF MANY, THE SECOND");
		was_late = !is_after(first, second);
		while (a < b) {
			c = 5 * a - b;
			add_price(a, b, &c);
			a++;
		}
		enter_totals(totals, grid, a, c + (int32_t)(i % 16));
		renew(&orders[i % NR_ORDERS]);
		for (char letter = 'A'; letter <= (was_late ? 'C' : 'B'); letter++)
			if (status == status_after(OPEN, letter - 'A')) {
				status = OPEN;
				c = choose(letter, c, b);
			}
		b = b * a;
		a = b / (c | 1);
		b = 7 * (b - c) - a;
		right = right && totals[8] == totals[9];
		*checksum =
			kernel_mix(*checksum, (uint32_t)(a + b + c) + status + (uint32_t)orders[i % NR_ORDERS].price);
	}
	return right && compare_strings(first, second) < 0;
}
