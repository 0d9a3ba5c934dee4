## The study's 39 programs, synthetic, on 39 cores.
$ sahm run configs/synthetic-39.cfg
configuration  synthetic-39.cfg (8079b2fff16e23d3)
chip           39 cores: baseline x 7, Branch +30 % x 8, L1I +30 % x 8, L1D +30 % x 8, L2 +30 % x 8
workload       39 threads together; 39 traces, 39 synthetic
scheduler      sahm, inertia 5, timestep 10 ms, observes the last timestep; 1 ms per migration
simulated      600.00 s

thread                  speedup   served  matched  migrations  baseline time
----------------------------------------------------------------------------
perlbench_r-synthetic  +15.61 %  52.85 %  53.21 %         782       693.65 s
gcc_r-synthetic        +13.50 %  46.39 %  46.63 %        1308       681.01 s
bwaves_r-synthetic     +18.17 %  61.06 %  62.48 %         527       709.02 s
mcf_r-synthetic        +25.05 %  83.99 %  83.99 %         482       750.29 s
cactuBSSN_r-synthetic  +24.30 %  81.36 %  81.45 %         357       745.82 s
namd_r-synthetic       +23.17 %  77.76 %  78.12 %         503       739.03 s
parest_r-synthetic     +21.27 %  71.54 %  71.81 %         620       727.59 s
povray_r-synthetic     +19.99 %  67.45 %  68.76 %         858       719.93 s
lbm_r-synthetic        +24.18 %  80.93 %  81.94 %         356       745.05 s
omnetpp_r-synthetic    +21.63 %  72.73 %  72.81 %         579       729.80 s
wrf_r-synthetic        +18.09 %  61.29 %  62.05 %         952       708.52 s
xalancbmk_r-synthetic  +14.57 %  49.83 %  50.10 %        1225       687.42 s
x264_r-synthetic       +11.39 %  38.95 %  39.56 %         989       668.35 s
blender_r-synthetic    +14.73 %  50.10 %  50.26 %        1007       688.36 s
cam4_r-synthetic       +15.90 %  53.80 %  54.14 %         746       695.40 s
deepsjeng_r-synthetic  +19.08 %  64.05 %  64.29 %         456       714.47 s
imagick_r-synthetic     +4.41 %  15.65 %  85.61 %        1564       626.47 s
leela_r-synthetic      +24.80 %  82.95 %  83.15 %         265       748.83 s
nab_r-synthetic         +7.73 %  26.66 %  80.81 %        1374       646.36 s
exchange2_r-synthetic  +21.14 %  70.87 %  71.69 %         439       726.84 s
fotonik3d_r-synthetic  +22.31 %  74.83 %  75.00 %         458       733.88 s
roms_r-synthetic       +23.30 %  78.19 %  78.64 %         499       739.82 s
xz_r-synthetic         +19.94 %  67.20 %  67.31 %         730       719.63 s
gcc_s-synthetic        +11.91 %  41.31 %  41.38 %        1547       671.43 s
mcf_s-synthetic        +24.74 %  83.00 %  83.00 %         524       748.44 s
omnetpp_s-synthetic    +22.22 %  74.67 %  74.74 %         574       733.31 s
deepsjeng_s-synthetic  +21.72 %  72.94 %  73.01 %         503       730.35 s
exchange2_s-synthetic  +24.22 %  81.00 %  81.82 %         292       745.29 s
xz_s-synthetic         +20.97 %  70.52 %  70.58 %         622       725.81 s
bwaves_s-synthetic     +18.43 %  61.82 %  63.19 %         414       710.59 s
cactuBSSN_s-synthetic  +26.15 %  87.40 %  87.52 %         225       756.89 s
lbm_s-synthetic        +24.99 %  83.59 %  84.39 %         279       749.97 s
wrf_s-synthetic        +16.76 %  56.74 %  57.24 %         858       700.55 s
cam4_s-synthetic        +5.30 %  19.45 %  71.07 %        2622       631.83 s
pop2_s-synthetic       +21.88 %  73.40 %  73.50 %         456       731.27 s
imagick_s-synthetic     +5.25 %  18.18 %  85.95 %        1081       631.51 s
nab_s-synthetic         +8.36 %  29.00 %  81.74 %        1807       650.17 s
fotonik3d_s-synthetic  +22.54 %  75.56 %  75.67 %         406       735.27 s
roms_s-synthetic       +23.24 %  77.94 %  78.28 %         464       739.45 s
----------------------------------------------------------------------------
mean (synthetic)       +18.54 %  62.49 %  70.43 %       762.8

speedup of the system        +18.54 %
served, matched              62.49 %, 70.43 % of executed timesteps
running                      100.00 % of 2340000 thread-timesteps
migrations per second        49.58
at state transitions         1.88 % of executed timesteps (43889)
synthetic                    39 of 39 traces
