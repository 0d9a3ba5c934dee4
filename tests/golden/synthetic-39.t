## The study's 39 programs, synthetic, on 39 cores.
$ sahm run configs/synthetic-39.cfg
configuration  synthetic-39.cfg (d12692c27d81cf70)
chip           39 cores: baseline x 7, Branch +30 % x 8, L1I +30 % x 8, L1D +30 % x 8, L2 +30 % x 8
workload       39 threads together; 39 traces, 39 synthetic
scheduler      sahm, inertia 5, timestep 10 ms, observes the last timestep; 1 ms per migration
simulated      600.00 s

thread                  speedup   served  matched  migrations  baseline time
----------------------------------------------------------------------------
perlbench_r-synthetic  +13.71 %  46.40 %  46.70 %         685       682.24 s
gcc_r-synthetic        +11.01 %  38.24 %  38.47 %        1500       666.07 s
bwaves_r-synthetic     +23.31 %  78.05 %  79.35 %         390       739.84 s
mcf_r-synthetic        +23.20 %  77.85 %  77.85 %         504       739.22 s
cactuBSSN_r-synthetic  +27.26 %  91.13 %  91.22 %         254       763.55 s
namd_r-synthetic       +22.10 %  74.09 %  74.38 %         422       732.62 s
parest_r-synthetic     +21.98 %  73.96 %  74.20 %         693       731.87 s
povray_r-synthetic     +19.11 %  64.49 %  66.00 %         771       714.67 s
lbm_r-synthetic        +22.00 %  73.69 %  74.68 %         370       731.99 s
omnetpp_r-synthetic    +23.14 %  77.60 %  77.69 %         466       738.81 s
wrf_r-synthetic        +18.35 %  62.00 %  62.62 %         820       710.12 s
xalancbmk_r-synthetic  +15.45 %  52.91 %  53.18 %        1311       692.73 s
x264_r-synthetic       +10.28 %  35.41 %  36.03 %        1152       661.69 s
blender_r-synthetic    +14.19 %  48.43 %  48.59 %        1105       685.14 s
cam4_r-synthetic       +17.21 %  58.16 %  58.48 %         772       703.24 s
deepsjeng_r-synthetic  +21.42 %  71.78 %  71.94 %         372       728.53 s
imagick_r-synthetic     +3.17 %  11.37 %  84.84 %        1301       619.02 s
leela_r-synthetic      +23.48 %  78.54 %  78.66 %         284       740.88 s
nab_r-synthetic         +8.65 %  29.64 %  85.29 %        1213       651.90 s
exchange2_r-synthetic  +24.16 %  80.84 %  81.73 %         323       744.99 s
fotonik3d_r-synthetic  +20.51 %  68.73 %  68.88 %         365       723.08 s
roms_r-synthetic       +20.77 %  69.69 %  70.04 %         455       724.62 s
xz_r-synthetic         +17.29 %  58.26 %  58.38 %         632       703.72 s
gcc_s-synthetic        +11.42 %  39.74 %  39.81 %        1588       668.52 s
mcf_s-synthetic        +25.22 %  84.51 %  84.51 %         444       751.30 s
omnetpp_s-synthetic    +21.69 %  72.85 %  72.92 %         504       730.14 s
deepsjeng_s-synthetic  +19.62 %  65.81 %  65.89 %         384       717.73 s
exchange2_s-synthetic  +22.98 %  76.90 %  77.51 %         317       737.88 s
xz_s-synthetic         +19.03 %  64.14 %  64.23 %         735       714.16 s
bwaves_s-synthetic     +20.43 %  68.48 %  69.60 %         376       722.60 s
cactuBSSN_s-synthetic  +26.65 %  89.03 %  89.09 %         200       759.88 s
lbm_s-synthetic        +24.05 %  80.45 %  80.97 %         288       744.32 s
wrf_s-synthetic        +18.06 %  61.04 %  61.43 %         784       708.37 s
cam4_s-synthetic        +4.84 %  17.60 %  69.77 %        2211       629.05 s
pop2_s-synthetic       +23.84 %  79.85 %  79.91 %         389       743.01 s
imagick_s-synthetic     +4.13 %  14.58 %  84.58 %        1308       624.78 s
nab_s-synthetic         +8.43 %  29.13 %  79.99 %        1628       650.60 s
fotonik3d_s-synthetic  +24.78 %  82.88 %  83.00 %         288       748.68 s
roms_s-synthetic       +22.78 %  76.41 %  76.70 %         490       736.67 s
----------------------------------------------------------------------------
mean (synthetic)       +18.45 %  62.17 %  70.23 %       720.4

speedup of the system        +18.45 %
served, matched              62.17 %, 70.23 % of executed timesteps
running                      100.00 % of 2340000 thread-timesteps
migrations per second        46.82
at state transitions         1.87 % of executed timesteps (43694)
synthetic                    39 of 39 traces
