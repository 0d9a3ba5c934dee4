/* Percentiles of waits that are told: WAIT_RANK(name, millionths). Each is a metric of latency and of wait, in
 * results/metrics/run_metric_list.h. */
WAIT_RANK(P50, 500000)
WAIT_RANK(P95, 950000)
WAIT_RANK(P99, 990000)
