# sahm profile 1
# A server mix: an example of a profile written by hand in minutes. Synthetic: the numbers are guesses of the right kind
# (big instruction footprints, data that no cache holds), not measurements. `sahm help synth` explains the columns.
#
# seed: 1
# epoch_ms: 100
# cuts: intuitive
# digits: 3
# machine: none; guesses of the right magnitude
# licence: MIT, as the program
# note: generated, not measured: an example profile, with invented numbers
#
# What all rows have in common:
# slower_pct: 15
# l2_per_miss: 1.4
# short_epochs: 6
# long_epochs: 150
# spread: 2
# jitter_pct: 5
# branch_low_pct: 0.5
# l1i_low_mpki: 0.3
# l1d_low_pct: 1.2
# l2_low_pct: 5
#
# A request that was served from the cache is followed by one that was not, sooner than the other way round:
# follow: L1I > L2+L1I: 2
# follow: L2+L1I > L1I: 0.5

name,         epochs, minstr, branches_pki, l1d_accesses_pki, single_pct, long_pct, Low, Branch, L1I, L1I+Branch, L2, L2+L1I, L2+L1I+Branch, L2+L1D, L2+L1D+Branch, L2+L1D+L1I, branch_high_pct, l1i_high_mpki, l1d_high_pct, l2_high_pct
web_frontend,   3000,    420,          190,              380,         25,       40,   5,      5,  20,         30,  0,     20,            20,      0,             0,          0,             2.5,            18,            -,          22
app_java,       3000,    500,          180,              400,         20,       50,   5,      5,  15,         20,  0,     25,            15,      0,             0,         15,               2,            12,            4,          25
php_worker,     2400,    450,          200,              390,         30,       40,   5,     10,  15,         40,  0,     10,            20,      0,             0,          0,               3,            22,            -,          18
oltp_database,  3600,    350,          170,              420,         20,       50,   0,      0,   5,          5, 10,     35,            20,     10,             5,         10,             1.8,             9,            5,          40
key_value,      3600,    250,          150,              430,         10,       70,   0,      0,   0,          0, 15,      5,             0,     70,             5,          5,             1.5,             3,            9,          60
search_leaf,    2400,    600,          160,              400,         15,       60,   5,     10,   5,          5, 25,     10,            10,     20,            10,          0,               2,             6,            4,          35
analytics,      6000,    900,           90,              450,          5,       80,   5,      0,   0,          0, 20,      0,             0,     70,             5,          0,             1.5,             -,            7,          55
transcode,      1800,   1600,           60,              350,         15,       65,  45,     30,   0,          0, 10,      0,             0,     10,             5,          0,             2.2,             -,            3,          15
tls_proxy,      2400,   1300,           80,              330,         10,       70,  70,      5,  10,          5, 10,      0,             0,      0,             0,          0,             1.4,             4,            -,          14
inference,      1800,   1500,           30,              500,          5,       85,  20,      0,   0,          0, 30,      0,             0,     50,             0,          0,               -,             -,            5,          45
