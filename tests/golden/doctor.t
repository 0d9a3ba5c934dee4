## Programs are looked for in PATH, the rest of the machine is as it is: a thing by itself shows what is said of it.
$ mkdir "$T/none" "$T/broken" "$T/data"
$ env PATH="$T/none" "$(command -v sahm)" doctor gnuplot; echo "exit code $?"
missing  gnuplot           no gnuplot in PATH
                           for: pictures of sahm characterize --plot, sahm
                             report and sahm reproduce
                           without it: all else of these: tables, pages, data
                             and scripts of figures
                           to have it: apt-get install gnuplot-nox

0 of 1 are there; sahm has what it needs
exit code 0
$ printf '#!/bin/sh\n[ "$1" = --version ] && echo "gnuplot 9.9" && exit\necho "no terminal" >&2\nexit 3\n' >"$T/broken/gnuplot"; chmod +x "$T/broken/gnuplot"
$ env TMPDIR="$T" PATH="$T/broken:$PATH" "$(command -v sahm)" doctor gnuplot | sed 's/sahm-doctor-....../FOLDER/' | tr -s '\n ' ' '; echo
broken gnuplot gnuplot failed with exit status 3 on '@T@/FOLDER/doctor.gp': no terminal for: pictures of sahm characterize --plot, sahm report and sahm reproduce without it: all else of these: tables, pages, data and scripts of figures to have it: apt-get install gnuplot-nox 0 of 1 are there; sahm has what it needs 
$ printf '#!/bin/sh\nexit 0\n' >"$T/broken/gnuplot"
$ env TMPDIR="$T" PATH="$T/broken:$PATH" "$(command -v sahm)" doctor gnuplot | sed 's/sahm-doctor-....../FOLDER/' | tr -s '\n ' ' ' | sed 's/ for:.*//'; echo
broken gnuplot gnuplot did not finish '@T@/FOLDER/doctor.svg'
$ printf '#!/bin/sh\necho "wrong kind of riscv" >&2\nexit 2\n' >"$T/broken/riscv64-unknown-elf-gcc"; chmod +x "$T/broken/riscv64-unknown-elf-gcc"
$ env PATH="$T/broken:$PATH" "$(command -v sahm)" doctor riscv-compiler | tr -s '\n ' ' ' | sed 's/ for:.*//'; echo
broken riscv-compiler '@T@/broken/riscv64-unknown-elf-gcc --version' fails with exit status 2: wrong kind of riscv
$ env PATH="$T/none" "$(command -v sahm)" doctor qemu compiler
missing  qemu              no qemu-x86_64 in PATH
                           for: sahm trace record --via qemu
                           without it: sahm trace record with hardware counters;
                             sahm trace import
                           to have it: apt-get install qemu-user
missing  compiler          no cc in PATH
                           for: policies of your own (sahm policy new)
                           without it: policies that are built in, or were built
                             elsewhere
                           to have it: apt-get install gcc make

0 of 2 are there; sahm has what it needs
## What came with sahm is required: the exit code says so.
$ SAHM_DATA="$T/nowhere" sahm doctor files | tr -s '\n ' ' ' | sed 's/ for:.*;/ .../'; echo
missing files no folder '@T@/nowhere' (SAHM_DATA) ... sahm lacks what it needs 
$ SAHM_DATA="$T/nowhere" sahm doctor files >/dev/null
[1]
$ SAHM_DATA="$T/data" sahm doctor files | head -n 2 | tr -s '\n ' ' '; echo
missing files nothing of sahm is in '@T@/data' (SAHM_DATA) 
$ cp -r configs cores ipu sched workloads "$T/data" && SAHM_DATA="$T/data" sahm doctor files | tr -s '\n ' ' ' | sed 's/[0-9]* files,/N files,/'; echo
ok files @T@/data (SAHM_DATA): N files, all whole 1 of 1 are there; sahm has what it needs 
$ echo '# mine' >>"$T/data/configs/canonical.cfg"; rm "$T/data/workloads/suites/small/gzip.csv"
$ SAHM_DATA="$T/data" sahm doctor files | tr -s '\n ' ' ' | sed 's/ of [0-9]* / of N /g; s/ for:.*;/ .../'; echo
broken files @T@/data (SAHM_DATA): 1 of N cannot be read (workloads/suites/small/gzip.csv), 1 of N are not as this program was built with (configs/canonical.cfg) ... sahm lacks what it needs 
$ SAHM_DATA="$T/data" sahm doctor files --json | tail -n 4
    }
  ],
  "healthy": false
}
$ SAHM_DATA="$T/data" sahm doctor files --json >/dev/null
[1]
## Libraries that are loaded when they are needed are loaded; one that is no library cannot be.
$ sahm doctor libpfm capstone
ok       libpfm            can be loaded
ok       capstone          can be loaded

2 of 2 are there; sahm has what it needs
$ : >"$T/broken/libpfm.so.4"; ln -s libpfm.so.4 "$T/broken/libcapstone.so.4"
$ LD_LIBRARY_PATH="$T/broken" sahm doctor libpfm | tr -s '\n ' ' '; echo
missing libpfm library 'libpfm.so.4' cannot be used: @T@/broken/libpfm.so.4: file too short for: sahm trace record with counters of Intel, AMD and Arm processors; sahm trace events without it: sahm trace record --via qemu; sahm trace import to have it: apt-get install libpfm4 0 of 1 are there; sahm has what it needs 
$ LD_LIBRARY_PATH="$T/broken" sahm doctor capstone | tr -s '\n ' ' '; echo
missing capstone library 'libcapstone.so.4' cannot be used: @T@/broken/libcapstone.so.4: file too short for: recording of x86-64 programs in QEMU (sahm trace record --via qemu) without it: sahm trace record with hardware counters; RISC-V programs in QEMU to have it: apt-get install libcapstone4 0 of 1 are there; sahm has what it needs 
## Nobody is asked unless the environment names a server.
$ env -u SAHM_REDIS sahm doctor redis --json
{
  "checks": [
    {
      "name": "redis",
      "state": "missing",
      "required": false,
      "found": "$SAHM_REDIS names none",
      "used_for": "sweeps on several machines (sahm sweep --redis, sahm worker)",
      "without": "sweeps on this machine, and as job arrays",
      "install": "apt-get install redis-server, then SAHM_REDIS=redis://HOST"
    }
  ],
  "healthy": true
}
$ SAHM_REDIS=redis://127.0.0.1:1 sahm doctor redis | grep -v 'without it\|job\|install\|SAHM_REDIS='
broken   redis             cannot connect to the Redis server '127.0.0.1:1':
                           Connection refused
                           for: sweeps on several machines (sahm sweep --redis,
                             sahm worker)

0 of 1 are there; sahm has what it needs
$ SAHM_REDIS=http://localhost sahm doctor redis | head -n 2 | tr -s '\n ' ' '; echo
broken redis $SAHM_REDIS: 'http://' is not the scheme of a Redis server that can be used; did you mean 'redis://'? The 
$ TMPDIR="$T/nowhere" sahm doctor temporary-folder | tr -s '\n ' ' ' | sed 's/ for:.*;/ .../'; echo
broken temporary-folder cannot write into '@T@/nowhere': No such file or directory ... sahm has what it needs 
$ sahm doctor locale build --details | sed -E 's/(Debian |Ubuntu )?(gcc|clang).*/COMPILER/i'
ok       build             COMPILER
                           for: everything
                           without it: nothing
ok       locale            LC_ALL=C
                           for: nothing: results and texts are the same in all
                           without it: everything

2 of 2 are there; sahm has what it needs
$ sahm doctor gnplot
sahm: error: unknown thing to look at 'gnplot', must be program, build, libraries, files, system, temporary-folder, locale, translator, counters, libpfm, capstone, qemu, gnuplot, riscv-compiler, verilator, compiler or redis; did you mean 'gnuplot'?
[2]
$ sahm doctor --json=1
sahm: error: option '--json' takes no value
[2]
$ sahm doctor --all
sahm: error: unknown option '--all' (--help lists them)
[2]
## Nothing stays behind in the temporary folder.
$ mkdir "$T/tmp"; TMPDIR="$T/tmp" sahm doctor gnuplot qemu temporary-folder >/dev/null; ls -A "$T/tmp"
## QEMU is there, its model is not; a setting that is as it should be is not advised.
$ SAHM_DATA="$T/nowhere" sahm trace record --via qemu -o "$T/x.trc" -- true; SAHM_DATA="$T/nowhere" sahm ipu study overlap; SAHM_DATA="$T/nowhere" sahm reproduce t4.3; SAHM_DATA="$T/nowhere" sahm compare
sahm: error: no processor is called 'golden-cove' (a path of your own has a / or a . in it); shipped files are looked for in '@T@/nowhere' (SAHM_DATA), which is not a folder
sahm: error: no ABI spec is called 'gpu_activity' (a path of your own has a / or a . in it); shipped files are looked for in '@T@/nowhere' (SAHM_DATA), which is not a folder
sahm: error: no suite is called 'synthetic' (none is in '@T@/nowhere/configs/suites'), and there is no such file or folder; shipped files are looked for in '@T@/nowhere' (SAHM_DATA), which is not a folder
sahm: error: cannot open '@T@/nowhere/configs/studies/policies.cfg': No such file or directory; shipped files are looked for in '@T@/nowhere' (SAHM_DATA), which is not a folder
[1]
$ printf '#!/bin/sh\necho "qemu 9.9"\n' >"$T/broken/qemu-x86_64"; chmod +x "$T/broken/qemu-x86_64"; env SAHM_DATA="$T/nowhere" PATH="$T/broken:$PATH" "$(command -v sahm)" doctor qemu | tr -s '\n ' ' ' | sed 's/ for:.* to have/ ... to have/'; echo
broken qemu no processor is called 'golden-cove' (a path of your own has a / or a . in it); shipped files are looked for in '@T@/nowhere' (SAHM_DATA), which is not a folder ... to have it: the files that came with sahm: see sahm doctor files 0 of 1 are there; sahm has what it needs 
$ [ "$(cat /proc/sys/kernel/perf_event_paranoid 2>/dev/null || echo 2)" -gt 2 ] || sahm doctor counters | grep sysctl || echo "no setting is advised"
no setting is advised
