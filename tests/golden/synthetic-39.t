## The study's 39 programs, synthetic, on 39 cores.
$ sahm run configs/synthetic-39.cfg
configuration  synthetic-39.cfg (2255251c4844c0c5)
chip           39 cores: baseline x 7, Branch +30 % x 8, L1I +30 % x 8, L1D +30 % x 8, L2 +30 % x 8
workload       39 threads together; 39 traces, 39 synthetic
scheduler      sahm, inertia 5, timestep 10 ms, observes the last timestep; 1 ms per migration
simulated      600.00 s

thread                  speedup   served  matched  migrations  baseline time
----------------------------------------------------------------------------
perlbench_r-synthetic  +16.60 %  56.25 %  56.69 %         857       699.62 s
gcc_r-synthetic        +13.02 %  45.01 %  45.21 %        1513       678.14 s
bwaves_r-synthetic     +16.05 %  53.98 %  55.31 %         531       696.29 s
mcf_r-synthetic        +22.44 %  75.36 %  75.36 %         530       734.67 s
cactuBSSN_r-synthetic  +25.34 %  84.79 %  84.90 %         319       752.04 s
namd_r-synthetic       +23.48 %  78.71 %  79.11 %         433       740.88 s
parest_r-synthetic     +19.58 %  65.94 %  66.24 %         629       717.47 s
povray_r-synthetic     +18.65 %  62.94 %  64.60 %         762       711.87 s
lbm_r-synthetic        +24.36 %  81.56 %  82.62 %         359       746.19 s
omnetpp_r-synthetic    +20.37 %  68.55 %  68.63 %         596       722.21 s
wrf_r-synthetic        +19.29 %  65.23 %  66.03 %         891       715.75 s
xalancbmk_r-synthetic  +16.72 %  57.08 %  57.37 %        1260       700.35 s
x264_r-synthetic       +10.72 %  36.82 %  37.50 %        1104       664.29 s
blender_r-synthetic    +13.90 %  47.33 %  47.52 %         977       683.40 s
cam4_r-synthetic       +21.08 %  71.16 %  71.57 %         853       726.45 s
deepsjeng_r-synthetic  +21.63 %  72.57 %  72.74 %         484       729.77 s
imagick_r-synthetic     +3.47 %  12.24 %  85.60 %        1081       620.81 s
leela_r-synthetic      +26.04 %  87.12 %  87.33 %         306       756.24 s
nab_r-synthetic         +7.84 %  27.09 %  76.52 %        1447       647.06 s
exchange2_r-synthetic  +21.63 %  72.51 %  73.50 %         404       729.80 s
fotonik3d_r-synthetic  +22.66 %  75.95 %  76.17 %         428       735.96 s
roms_r-synthetic       +21.05 %  70.74 %  71.14 %         567       726.27 s
xz_r-synthetic         +18.13 %  61.18 %  61.30 %         733       708.80 s
gcc_s-synthetic        +12.78 %  44.23 %  44.31 %        1534       676.66 s
mcf_s-synthetic        +23.55 %  79.01 %  79.01 %         485       741.32 s
omnetpp_s-synthetic    +20.94 %  70.42 %  70.49 %         573       725.64 s
deepsjeng_s-synthetic  +20.96 %  70.38 %  70.48 %         490       725.76 s
exchange2_s-synthetic  +25.18 %  84.26 %  85.33 %         322       751.07 s
xz_s-synthetic         +21.39 %  71.98 %  72.11 %         672       728.36 s
bwaves_s-synthetic     +18.82 %  63.15 %  64.52 %         444       712.93 s
cactuBSSN_s-synthetic  +25.62 %  85.66 %  85.76 %         253       753.73 s
lbm_s-synthetic        +22.41 %  74.96 %  75.59 %         296       734.44 s
wrf_s-synthetic        +12.86 %  43.77 %  44.21 %         907       677.13 s
cam4_s-synthetic        +7.21 %  25.41 %  76.13 %        1947       643.23 s
pop2_s-synthetic       +22.86 %  76.61 %  76.67 %         381       737.18 s
imagick_s-synthetic     +5.12 %  18.23 %  82.10 %        1928       630.71 s
nab_s-synthetic         +8.68 %  29.69 %  80.70 %        1085       652.06 s
fotonik3d_s-synthetic  +24.01 %  80.36 %  80.49 %         334       744.04 s
roms_s-synthetic       +24.94 %  83.55 %  83.94 %         419       749.63 s
----------------------------------------------------------------------------
mean (synthetic)       +18.50 %  62.35 %  70.12 %       747.0

speedup of the system        +18.50 %
throughput, STP              46.214 with 39.00 threads present
turnaround, ANTT             0.846
speedup, arithmetic mean     +18.50 %
speedup, harmonic mean       +18.18 %
speedup, geometric mean      +18.34 %
fairness, Jain               0.997
slow-down, maximum           0.966
unfairness                   1.218
served                       62.35 % of executed timesteps
matched                      70.12 % of executed timesteps
running                      100.00 % of 2340000 thread-timesteps
at state transitions         1.89 % of executed timesteps (44288)
migrations per second        48.56 (29134)
decisions per second         24.28 (14567)
mismatched                   6991.22 s
migration cost paid          29.13 s
... of executed time         0.12 %
synthetic                    39 of 39 traces
