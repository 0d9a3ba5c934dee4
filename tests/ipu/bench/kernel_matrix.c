/* Products of square matrices of integers, of several sizes and widths. */
#include "kernel.h"

#define MAX_SIZE 64

const uint32_t kernel_iterations = 280;

static int32_t a[MAX_SIZE * MAX_SIZE], b[MAX_SIZE * MAX_SIZE], c[MAX_SIZE * MAX_SIZE];
static int16_t narrow_a[MAX_SIZE * MAX_SIZE], narrow_b[MAX_SIZE * MAX_SIZE];

static void fill(uint32_t n, uint32_t *state)
{
	for (uint32_t i = 0; i < n * n; i++) {
		a[i] = (int32_t)(kernel_random(state) >> 16) - 32768;
		b[i] = (int32_t)(kernel_random(state) >> 24) - 128;
		narrow_a[i] = (int16_t)a[i];
		narrow_b[i] = (int16_t)b[i];
	}
}

/* Rows times columns, as it is defined. */
static void multiply(uint32_t n, const int32_t *x, const int32_t *y, int32_t *product)
{
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t j = 0; j < n; j++) {
			uint32_t sum = 0;
			for (uint32_t m = 0; m < n; m++)
				sum += (uint32_t)x[i * n + m] * (uint32_t)y[m * n + j];
			product[i * n + j] = (int32_t)sum;
		}
}

/* The same by rows: a row of the product grows by multiples of rows. */
static void multiply_by_rows(uint32_t n, const int32_t *x, const int32_t *y, int32_t *product)
{
	for (uint32_t i = 0; i < n; i++) {
		uint32_t *row = (uint32_t *)&product[i * n];
		memset(row, 0, n * sizeof(*row));
		for (uint32_t m = 0; m < n; m++) {
			uint32_t factor = (uint32_t)x[i * n + m];
			const uint32_t *other = (const uint32_t *)&y[m * n];
			for (uint32_t j = 0; j < n; j++)
				row[j] += factor * other[j];
		}
	}
}

/* Narrow elements, a wide sum, of which the upper part is kept: fixed-point numbers. */
static void multiply_narrow(uint32_t n, const int16_t *x, const int16_t *y, int32_t *product)
{
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t j = 0; j < n; j++) {
			int64_t sum = 0;
			for (uint32_t m = 0; m < n; m++)
				sum += (int32_t)x[i * n + m] * y[m * n + j];
			product[i * n + j] = (int32_t)(sum >> 8);
		}
}

static uint32_t sum_of(uint32_t n, const int32_t *x)
{
	uint32_t sum = 0;
	for (uint32_t i = 0; i < n * n; i++)
		sum = kernel_mix(sum, (uint32_t)x[i]);
	return sum;
}

bool kernel_run(uint32_t nr_iterations, uint32_t *checksum)
{
	static const uint32_t sizes[] = {4, 8, 15, 32, MAX_SIZE};
	uint32_t state = 1;
	bool agree = true;
	for (uint32_t i = 0; i < nr_iterations; i++)
		for (uint32_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
			uint32_t n = sizes[s], sum, sum_by_rows;
			fill(n, &state);
			multiply(n, a, b, c);
			sum = sum_of(n, c);
			multiply_by_rows(n, a, b, c);
			sum_by_rows = sum_of(n, c);
			agree = agree && sum == sum_by_rows;
			multiply_narrow(n, narrow_a, narrow_b, c);
			*checksum = kernel_mix(*checksum, sum ^ sum_of(n, c));
		}
	return agree;
}
