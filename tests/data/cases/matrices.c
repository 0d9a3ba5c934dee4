/* Loops over small matrices and a check sum of them, as CoreMark has. */
#include "freestanding.h"

#define N 12

int16_t a[N][N], b[N][N];
int32_t c[N][N];

static void add(int16_t value)
{
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			a[i][j] = (int16_t)(a[i][j] + value + (c[i][j] >> 3));
}

static void multiply(void)
{
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) {
			int32_t sum = 0;
			for (int k = 0; k < N; k += 2)
				sum += (a[i][k] * b[k][j] >> 2) + (a[i][k + 1] * b[k + 1][j] & 0x7f);
			c[i][j] = sum;
		}
}

static uint32_t check(uint32_t sum)
{
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) {
			uint32_t x = (uint32_t)c[i][j];
			sum = (sum << 3 | sum >> 29) ^ (x & 0xffff) ^ (x >> 16) * 5;
		}
	return sum;
}

int start(void)
{
	uint32_t state = 88172645u, sum = 0;
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			b[i][j] = (int16_t)(draw(&state) & 0xff);
	for (int round = 0; round < 4; round++) {
		add((int16_t)round);
		multiply();
		sum = check(sum);
	}
	return sum & 0;
}
