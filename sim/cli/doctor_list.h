/* What `sahm doctor` looks at, in its order: CHECK(symbol, name, required, what it is for, what works without it, how Debian
 * gets it; "" where that says nothing). `doctor_<symbol>` looks: sim/cli/doctor_*.c. To add one: a row, a function. */
CHECK(program, "program", true, "everything", "nothing", "")
CHECK(build, "build", true, "everything", "nothing", "")
CHECK(libraries, "libraries", true, "everything", "nothing", "sh mk/packages.sh build, in the source")
CHECK(shipped, "files", true, "traces, configurations, suites, IPU programs and processors that are named without a path",
      "what is named by the path of a file of your own",
      "install sahm again, or say in SAHM_DATA where its share/sahm or its source tree is")
CHECK(system, "system", false, "as many processes of a sweep as there are processors", "everything", "")
CHECK(temporary, "temporary-folder", false, "SQLite, and compilers of plug-ins and IPU programs",
      "runs; name a folder that can be written to in TMPDIR", "")
CHECK(locale, "locale", false, "nothing: results and texts are the same in all", "everything", "")
CHECK(translator, "translator", false, "programs of IPUs as instructions of this processor (--engine jit)",
      "the same programs with the same results, interpreted, which is slower", "")
CHECK(counters, "counters", false, "sahm trace record",
      "sahm trace record --via qemu; sahm trace import, of what was counted elsewhere",
      "sysctl kernel.perf_event_paranoid=2, as root")
CHECK(libpfm, "libpfm", false, "sahm trace record with counters of Intel, AMD and Arm processors; sahm trace events",
      "sahm trace record --via qemu; sahm trace import", "apt-get install " LIBPFM_PACKAGE)
CHECK(capstone, "capstone", false, "recording of x86-64 programs in QEMU (sahm trace record --via qemu)",
      "sahm trace record with hardware counters; RISC-V programs in QEMU", "apt-get install libcapstone4")
CHECK(qemu, "qemu", false, "sahm trace record --via qemu", "sahm trace record with hardware counters; sahm trace import",
      "apt-get install qemu-user")
CHECK(gnuplot, "gnuplot", false, "pictures of sahm characterize --plot, sahm report and sahm reproduce",
      "all else of these: tables, pages, data and scripts of figures", "apt-get install gnuplot-nox")
CHECK(riscv, "riscv-compiler", false, "IPU programs of your own (sahm ipu new)",
      "IPU programs that came with sahm, or were built elsewhere", "apt-get install gcc-riscv64-unknown-elf")
CHECK(verilator, "verilator", false, "soft logic of your own in Verilog (sahm ipu soft build)",
      "soft logic in C, and modules that were built elsewhere", "apt-get install verilator g++ make")
CHECK(cc, "compiler", false, "policies of your own (sahm policy new)", "policies that are built in, or were built elsewhere",
      "apt-get install gcc make")
#ifdef SAHM_NO_REDIS
#define HOW_TO_HAVE_REDIS "a program that is built without HIREDIS=0"
#else
#define HOW_TO_HAVE_REDIS "apt-get install redis-server, then SAHM_REDIS=redis://HOST"
#endif
CHECK(redis, "redis", false, "sweeps on several machines (sahm sweep --redis, sahm worker)",
      "sweeps on this machine, and as job arrays", HOW_TO_HAVE_REDIS)
#undef HOW_TO_HAVE_REDIS
