/* The transportation problem a second time: the reference that sched/policies/transport.c is compared with.
 *
 * The Hungarian method on a square matrix, a column per seat, as textbooks have it; it shares nothing with the product.
 */
#ifndef SAHM_TESTS_REFERENCE_REFTRANSPORT_H
#define SAHM_TESTS_REFERENCE_REFTRANSPORT_H

#define REF_MAX_SEATS 96

/* Largest sum of values of `nr_threads` threads in classes with capacity[nr_classes] seats, none of them or one for
 * each thread: value[t * nr_classes + k] is that of thread t in class k, `forbidden` keeps it out, and nothing is worth
 * 0. *nr_home becomes the largest number of threads in their home[t] (below 0: nowhere) with which this sum is reached.
 * At most REF_MAX_SEATS threads and seats together; values below 2^40. */
long long ref_transport(int nr_threads, int nr_classes, const int *capacity, const long long *value,
			long long forbidden, const int *home, int *nr_home);

#endif
