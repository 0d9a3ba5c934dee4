/* Quicksort of random numbers. */
#include "freestanding.h"

#define NUMBERS 1000

uint32_t numbers[NUMBERS];

static void sort(uint32_t *first, uint32_t *last)
{
	while (first < last) {
		uint32_t pivot = first[(last - first) / 2], *low = first, *high = last;
		while (low <= high) {
			while (*low < pivot)
				low++;
			while (*high > pivot)
				high--;
			if (low <= high) {
				uint32_t swapped = *low;
				*low++ = *high;
				*high-- = swapped;
			}
		}
		sort(first, high);
		first = low;
	}
}

int start(void)
{
	uint32_t state = 2463534242u;
	for (int i = 0; i < NUMBERS; i++)
		numbers[i] = draw(&state);
	sort(numbers, numbers + NUMBERS - 1);
	return numbers[0] > numbers[NUMBERS - 1];
}
