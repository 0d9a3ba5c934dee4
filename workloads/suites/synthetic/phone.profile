# sahm profile 1
# A phone's day: an example of a profile written by hand, with short epochs and bursts. Synthetic: the numbers are guesses
# of the right kind for a small out-of-order core, not measurements. `sahm help synth` explains the columns.
#
# seed: 1
# epoch_ms: 10
# cuts: intuitive
# digits: 3
# machine: none; guesses of the right magnitude for a core at 2.5 GHz
# licence: MIT, as the program
# note: generated, not measured: an example profile, with invented numbers
#
# What all rows have in common:
# slower_pct: 18
# l2_per_miss: 1.2
# short_epochs: 4
# long_epochs: 120
# spread: 1.8
# jitter_pct: 6
# branch_low_pct: 0.6
# branch_high_pct: 2.4
# l1i_low_mpki: 0.4
# l1d_low_pct: 1.1
# l1d_high_pct: 4
# l2_low_pct: 6
# l2_high_pct: 24

name,           epochs, minstr, branches_pki, l1d_accesses_pki, single_pct, long_pct, Low, Branch, L1I, L1I+Branch, L2, L2+Branch, L2+L1I, L2+L1I+Branch, L2+L1D, L1D, l1i_high_mpki
app_launch,        400,     18,          180,              380,         40,       10,   0,      5,  10,         20,  5,         5,     15,            40,      0,   0,            25
scrolling,        3000,     22,          170,              370,         50,       10,  15,     10,  20,         25, 10,         0,     10,            10,      0,   0,            14
browser_script,   4000,     28,          190,              390,         30,       30,   5,     15,  10,         30,  5,         5,      5,            25,      0,   0,            16
video_playback,  12000,     12,           80,              340,         10,       75,  65,      5,   0,          0, 15,         0,      0,             0,     15,   0,             -
camera,           6000,     40,           70,              450,         10,       75,  10,      0,   0,          0, 25,         0,      0,             0,     50,  15,             -
game,             9000,     32,          120,              410,         35,       30,  15,     15,   5,         10, 20,        10,      5,             0,     20,   0,             8
voice_assistant,  1500,     45,           50,              480,          5,       80,  15,      0,   0,          0, 25,         0,      0,             0,     60,   0,             -
mail_sync,         800,     15,          185,              380,         40,       20,  10,     10,  15,         25, 10,         5,     10,            15,      0,   0,            12
music,           12000,      6,          100,              330,         10,       70,  85,      5,   5,          0,  5,         0,      0,             0,      0,   0,             5
