#include "tests/reference/reftransport.h"

#define FAR (1LL << 58)

/* The Hungarian method: minimum sum of cost[i][j], one per row and column, 1 to n. */
static long long least_sum(int n, long long cost[REF_MAX_SEATS + 1][REF_MAX_SEATS + 1])
{
	long long u[REF_MAX_SEATS + 1] = {0}, v[REF_MAX_SEATS + 1] = {0}, sum = 0;
	int row_of[REF_MAX_SEATS + 1] = {0}, way[REF_MAX_SEATS + 1];
	for (int i = 1; i <= n; i++) {
		long long least[REF_MAX_SEATS + 1];
		int used[REF_MAX_SEATS + 1] = {0}, column = 0;
		row_of[0] = i;
		for (int j = 0; j <= n; j++)
			least[j] = FAR * 8;
		do {
			int row = row_of[column], next = 0;
			long long delta = FAR * 8;
			used[column] = 1;
			for (int j = 1; j <= n; j++) {
				if (used[j])
					continue;
				long long reduced = cost[row][j] - u[row] - v[j];
				if (reduced < least[j]) {
					least[j] = reduced;
					way[j] = column;
				}
				if (least[j] < delta) {
					delta = least[j];
					next = j;
				}
			}
			for (int j = 0; j <= n; j++) {
				if (used[j]) {
					u[row_of[j]] += delta;
					v[j] -= delta;
				} else {
					least[j] -= delta;
				}
			}
			column = next;
		} while (row_of[column] != 0);
		for (; column != 0; column = way[column])
			row_of[column] = row_of[way[column]];
	}
	for (int j = 1; j <= n; j++)
		sum += cost[row_of[j]][j];
	return sum;
}

long long ref_transport(int nr_threads, int nr_classes, const int *capacity, const long long *value,
			long long forbidden, const int *home, int *nr_home)
{
	static _Thread_local long long cost[REF_MAX_SEATS + 1][REF_MAX_SEATS + 1];
	long long scale = nr_threads + 1;
	int n = nr_threads;
	for (int k = 0; k < nr_classes; k++)
		n += capacity[k];
	for (int i = 1; i <= n; i++) {
		int j = 1;
		for (int k = 0; k < nr_classes; k++) {
			for (int seat = 0; seat < capacity[k]; seat++, j++) {
				cost[i][j] = 0;
				if (i > nr_threads)
					continue;
				long long worth = value[(i - 1) * nr_classes + k];
				cost[i][j] = worth == forbidden ? FAR / 64 : -(worth * scale + (home[i - 1] == k));
			}
		}
		for (; j <= n; j++)
			cost[i][j] = i <= nr_threads ? -(home[i - 1] < 0) : 0;
	}
	long long sum = -least_sum(n, cost), rest = (sum % scale + scale) % scale;
	*nr_home = (int)rest;
	return (sum - rest) / scale;
}
