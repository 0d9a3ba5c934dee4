/* C += A x B in double precision, of the shape of paper 003's smallest (450 x 550, 550 x 500), a 25th in each
 * dimension. FP loads: N M (2 K + 1); FP stores: N K + K M + 2 N M; multiply-adds: N M K. */
#include "freestanding.h"

#define N 18
#define K 22
#define M 20

double a[N][K], b[K][M], c[N][M];

int start(void)
{
	for (int i = 0; i < N; i++)
		for (int k = 0; k < K; k++)
			a[i][k] = i - k;
	for (int k = 0; k < K; k++)
		for (int j = 0; j < M; j++)
			b[k][j] = k + j;
	for (int i = 0; i < N; i++)
		for (int j = 0; j < M; j++)
			c[i][j] = i;
	for (int i = 0; i < N; i++)
		for (int j = 0; j < M; j++) {
			double sum = c[i][j];
			for (int k = 0; k < K; k++)
				sum += a[i][k] * b[k][j];
			c[i][j] = sum;
		}
	return 0;
}
