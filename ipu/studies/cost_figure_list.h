/* Figures that the dissertation derives from parts of cost_part_list.h: FIGURE(kind, name, relation, published, unit, up, plus,
 * down, place, note). The product of the parts in `up`, and of those in `plus` where there are any, is divided by the product
 * of those in `down`. `note` says how a published figure that differs may have come about. */
FIGURE(AREA, "IPU_pro, of a core complex", EQUAL, 0.7, "%", LIST(COST_PRO_AREA), LIST(0), LIST(COST_COMPLEX_AREA),
       "section 2.5, A/B testing", NULL)
FIGURE(AREA, "one IPU_pro, of a CPU", EQUAL, 0.175, "%", LIST(COST_PRO_AREA), LIST(0),
       LIST(COST_COMPLEX_AREA, COST_COMPLEXES), "section 2.5, A/B testing", "0.175 % is a quarter of the rounded 0.7 %")
FIGURE(AREA, "IPU_lite, of a core complex", EQUAL, 0.06, "%", LIST(COST_LITE_AREA), LIST(0), LIST(COST_COMPLEX_AREA),
       "section 2.5, obfuscated hardware", NULL)
FIGURE(AREA, "one IPU_lite, of a CPU", EQUAL, 0.015, "%", LIST(COST_LITE_AREA), LIST(0),
       LIST(COST_COMPLEX_AREA, COST_COMPLEXES), "section 2.5, obfuscated hardware", NULL)
FIGURE(AREA, "IPU_lite, of a multiprocessor", EQUAL, 0.6, "%", LIST(COST_LITE_AREA), LIST(0), LIST(COST_SM_AREA),
       "section 2.5, obfuscated software and value histograms", "0.6 % is rounded up")
FIGURE(AREA, "one IPU_lite, of a GPU", EQUAL, 0.003, "%", LIST(COST_LITE_AREA), LIST(0), LIST(COST_SM_AREA, COST_SMS),
       "section 2.5, obfuscated software and value histograms", "0.003 % needs some 180 multiprocessors")
FIGURE(AREA, "5 IPU_pro and 10 IPU_lite, of a die", EQUAL, 0.65, "%", LIST(COST_DIE_PROS, COST_PRO_AREA),
       LIST(COST_DIE_LITES, COST_LITE_AREA), LIST(COST_DIE_AREA), "section 2.3", NULL)
FIGURE(AREA, "an IPU_lite in each multiprocessor", BELOW, 1, "%", LIST(COST_LITE_AREA), LIST(0), LIST(COST_SM_AREA),
       "section 2.3", NULL)
FIGURE(AREA, "largest share of an IPU", BELOW, 1, "%", LIST(COST_PRO_AREA), LIST(0), LIST(COST_COMPLEX_AREA),
       "chapter 2, introduction and section 2.7", NULL)
FIGURE(POWER, "IPU_pro, of a core complex", ABOUT, 0.5, "%", LIST(COST_PRO_POWER), LIST(0), LIST(COST_COMPLEX_POWER),
       "section 2.5, A/B testing", NULL)
FIGURE(POWER, "one IPU_pro, of a CPU", EQUAL, 0.125, "%", LIST(COST_PRO_POWER), LIST(0),
       LIST(COST_COMPLEX_POWER, COST_COMPLEXES), "section 2.5, A/B testing", "0.125 % is a quarter of the rounded 0.5 %")
FIGURE(POWER, "IPU_lite (PICS), of a core complex", EQUAL, 0.38, "%", LIST(COST_PICS_POWER), LIST(0),
       LIST(COST_COMPLEX_POWER), "section 2.5, obfuscated hardware", NULL)
FIGURE(POWER, "one IPU_lite (PICS), of a CPU", EQUAL, 0.095, "%", LIST(COST_PICS_POWER), LIST(0),
       LIST(COST_COMPLEX_POWER, COST_COMPLEXES), "section 2.5, obfuscated hardware",
       "0.095 % is a quarter of the rounded 0.38 %")
FIGURE(POWER, "IPU_lite (GPU), of a multiprocessor", ABOUT, 3, "%", LIST(COST_OVERLAP_POWER), LIST(0),
       LIST(COST_SM_POWER), "section 2.5, obfuscated software", "2.41 % rounds to 2 %")
FIGURE(POWER, "one IPU_lite (GPU), of a GPU", EQUAL, 0.024, "%", LIST(COST_OVERLAP_POWER), LIST(0),
       LIST(COST_SM_POWER, COST_SMS), "section 2.5, obfuscated software",
       "0.024 % is 2.4 %, not 3 %, divided by 100 multiprocessors")
FIGURE(POWER, "IPU_lite (values), of a multiprocessor", ABOUT, 0.5, "%", LIST(COST_VALUES_POWER), LIST(0),
       LIST(COST_SM_POWER), "section 2.5, value histograms", NULL)
FIGURE(POWER, "one IPU_lite (values), of a GPU", EQUAL, 0.004, "%", LIST(COST_VALUES_POWER), LIST(0),
       LIST(COST_SM_POWER, COST_SMS), "section 2.5, value histograms", NULL)
FIGURE(POWER, "most power of an IPU", BELOW, 25, "mW", LIST(COST_OVERLAP_POWER), LIST(0), LIST(0),
       "chapter 2, introduction", NULL)
FIGURE(POWER, "largest share of an IPU", BELOW, 1, "%", LIST(COST_OVERLAP_POWER), LIST(0), LIST(COST_SM_POWER),
       "chapter 2, introduction and section 2.7", "the GPU study takes 24.1 mW of 1 W")
FIGURE(BANDWIDTH, "input, A/B testing", EQUAL, 26.88, "GB/s", LIST(COST_AB_BITS, COST_TABLE_CLOCK), LIST(0), LIST(0),
       "table 2.3", "26.88 GB/s are the 215 bits of PICS: the columns are exchanged")
FIGURE(BANDWIDTH, "input, PICS", EQUAL, 8, "GB/s", LIST(COST_PICS_BITS, COST_TABLE_CLOCK), LIST(0), LIST(0), "table 2.3",
       "8 GB/s are the 64 bits of A/B testing: the columns are exchanged")
FIGURE(BANDWIDTH, "input, GPU utilization", EQUAL, 0.5, "GB/s", LIST(COST_OVERLAP_BITS, COST_TABLE_CLOCK), LIST(0),
       LIST(0), "table 2.3", NULL)
FIGURE(BANDWIDTH, "input, value histograms", EQUAL, 8, "GB/s", LIST(COST_VALUES_BITS, COST_TABLE_CLOCK), LIST(0), LIST(0),
       "table 2.3", NULL)
FIGURE(BANDWIDTH, "output, PICS", EQUAL, 15, "KB/s", LIST(COST_PICS_BYTES, COST_TABLE_CLOCK), LIST(0),
       LIST(COST_PICS_CYCLES), "table 2.3", NULL)
FIGURE(BANDWIDTH, "output, GPU utilization", EQUAL, 15.6, "MB/s", LIST(COST_OVERLAP_TABLE_BYTES, COST_TABLE_CLOCK),
       LIST(0), LIST(COST_OVERLAP_CYCLES), "table 2.3", NULL)
FIGURE(BANDWIDTH, "output, value histograms", EQUAL, 8, "MB/s", LIST(COST_VALUES_BYTES, COST_GPU_CLOCK), LIST(0),
       LIST(COST_VALUES_CYCLES), "table 2.3", "at the table's 1 GHz 384 B would be 11.7 MB/s, and 288 B (18 bits a bucket) 8.8")
FIGURE(BANDWIDTH, "histogram of values", EQUAL, 384, "B", LIST(COST_BUCKETS, COST_BUCKET_BITS), LIST(0), LIST(0),
       "table 2.3", "384 B hold 24 bits a bucket")
FIGURE(BANDWIDTH, "output, GPU utilization, of a GPU", EQUAL, 1.7, "GB/s",
       LIST(COST_OVERLAP_BYTES, COST_SMS, COST_GPU_CLOCK), LIST(0), LIST(COST_OVERLAP_CYCLES),
       "section 2.5, obfuscated software", "1.7 GB/s is cut, not rounded")
FIGURE(BANDWIDTH, "output, value histograms, of a GPU", EQUAL, 1.7, "GB/s",
       LIST(COST_VALUES_BYTES, COST_SMS, COST_GPU_CLOCK), LIST(0), LIST(COST_VALUES_CYCLES),
       "section 2.5, value histograms", "1.7 GB/s is cut, not rounded")
FIGURE(BANDWIDTH, "output, value histograms, of PCIe", ABOUT, 5, "%", LIST(COST_VALUES_BYTES, COST_SMS, COST_GPU_CLOCK), LIST(0),
       LIST(COST_VALUES_CYCLES, COST_PCIE_RATE), "section 2.5, value histograms",
       "1.7 GB/s would be 5.3 %")
FIGURE(BANDWIDTH, "largest output of a GPU", AT_MOST, 2.0, "GB/s", LIST(COST_OVERLAP_BYTES, COST_SMS, COST_GPU_CLOCK),
       LIST(0), LIST(COST_OVERLAP_CYCLES), "section 2.5", NULL)
FIGURE(BANDWIDTH, "largest output of a GPU, by table 2.3", AT_MOST, 2.0, "GB/s",
       LIST(COST_OVERLAP_TABLE_BYTES, COST_SMS, COST_GPU_CLOCK), LIST(0), LIST(COST_OVERLAP_CYCLES), "section 2.5",
       "the text has 3 B per window, the table 4")
