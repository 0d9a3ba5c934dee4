/* Prefetchers: PREFETCHER(suffix, name, help). */
PREFETCHER(NONE, "none", "nothing is prefetched")
PREFETCHER(NEXT_LINE, "next-line", "the lines after one that missed or is used first after a prefetch")
PREFETCHER(STRIDE, "stride", "per pc, the lines a steady stride ahead")
PREFETCHER(BEST_OFFSET, "best-offset", "the line at the distance that would have foretold the most recent misses")
PREFETCHER(STREAM, "stream", "per page, the lines ahead of accesses that go steadily up or down")
PREFETCHER(BERTI, "berti", "per pc, the lines at the distances that would have been in time most often; of l1d")
PREFETCHER(ENTANGLING, "entangling", "the blocks of code that missed soon after this one was fetched; of l1i")
