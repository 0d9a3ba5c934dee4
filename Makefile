# sahm: build, test, install. `make help` lists what can be made.
#
#   make demo            install what is missing, build, replay the shipped traces
#   make check           install what is missing, run the tests
#   make check-ci        what CI runs after it: sanitizers, compilers, faults, servers
#   make VARIANT=asan    build a variant: release, debug, asan, ubsan, tsan, coverage (in build/<variant>/)
#   make V=1             show the commands; WERROR=1 makes warnings errors; HIREDIS=0 builds without Redis, LIBDW=0 without source lines

.DELETE_ON_ERROR:
.SUFFIXES:
.SECONDARY:
.DEFAULT_GOAL := all

include mk/config.mk
include mk/sources.mk
include mk/build.mk
include mk/plugins.mk
include mk/qemu.mk
include mk/test.mk
include mk/programs.mk
include mk/install.mk
include mk/dist.mk

.PHONY: help
help:
	@echo 'make [all]             build build/sahm, the release program'
	@echo 'make demo              install what is missing, build, replay the shipped traces'
	@echo 'make check             install what is missing, run the tests (three minutes)'
	@echo 'make check-ci          what CI runs after it: sanitizers, compilers, faults, servers'
	@echo 'make check-full        all of that at length: every sanitizer, valgrind, broken rules'
	@echo 'make check-long        fuzzing and millions of random systems'
	@echo 'make fuzz              fuzzing alone, FUZZ_SECONDS=60 per target'
	@echo 'make fuzz-continuous   all fuzz targets in rotation until stopped (FUZZ_HOURS, FUZZ_SLICE)'
	@echo 'make bench             measure speed'
	@echo 'make examples          example policies as plug-ins, in build/release/examples'
	@echo 'make kernels           programs for the IPU, in build/release/ipu/bench (needs a RISC-V compiler)'
	@echo 'make programs          introspection programs, in build/release/ipu/programs (needs a RISC-V compiler)'
	@echo 'make prebuilt          refresh those that come with the source, in ipu/programs/prebuilt'
	@echo 'make profile           where the engine spends its time (needs valgrind)'
	@echo 'make suite             fit and generate the synthetic traces again (SUITE=folder)'
	@echo 'make VARIANT=v program build another variant: $(VARIANTS)'
	@echo 'make man               the man pages, in build/man/'
	@echo 'make install uninstall to and from prefix (DESTDIR is honoured)'
	@echo 'make dist              the source as a tarball, in build/dist/'
	@echo 'make deb               Debian packages, in build/deb/ (SOURCE_DATE_EPOCH, DEBFULLNAME, DEBEMAIL)'
	@echo 'make format lint       lay the code out; check layout and direction of dependencies'
	@echo 'make clean             remove build/'
	@echo 'variables: VARIANT CC OPT V WERROR HIREDIS LIBDW prefix DESTDIR'
