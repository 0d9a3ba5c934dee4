# What is built and how: variants, compiler, flags.

VARIANT ?= release
VARIANTS := release debug asan ubsan tsan coverage
ifeq ($(filter $(VARIANT),$(VARIANTS)),)
$(error unknown VARIANT '$(VARIANT)', one of: $(VARIANTS))
endif

ifeq ($(origin CC),default)
CC := gcc
endif
CLANG ?= clang

prefix ?= /usr/local
# Paths are compiled in, and stand between single quotes.
ifneq ($(findstring ',$(prefix)),)
$(error prefix has a ', which no path here may have)
endif
ifneq ($(patsubst /%,,$(firstword $(prefix))),)
$(error prefix must be an absolute path, not '$(prefix)')
endif
bindir ?= $(prefix)/bin
libdir ?= $(prefix)/lib
includedir ?= $(prefix)/include
datarootdir ?= $(prefix)/share
mandir ?= $(datarootdir)/man
datadir ?= $(datarootdir)
docdir ?= $(datarootdir)/doc/sahm
pkgdatadir = $(datadir)/sahm

# Where this variant goes; another compiler or -O level can have a separate place.
B ?= build/$(VARIANT)

# Looked up once, and only when something is compiled: before `make demo` has installed it, pkg-config may not exist.
PKGS := libconfig libsodium jansson libzstd gsl libelf sqlite3
# HIREDIS=0: without it; sweeps stay on one machine then.
HIREDIS ?= 1
PKGS += $(if $(filter 0,$(HIREDIS)),,hiredis)
# LIBDW=0: without it, as where it is not installed; instructions have no source lines then.
ifeq ($(origin LIBDW),undefined)
LIBDW := $(shell pkg-config --exists libdw 2>/dev/null && echo 1 || echo 0)
endif
PKGS += $(if $(filter 0,$(LIBDW)),,libdw)
# Only their headers: they are loaded when they are needed (sim/base/late_library.h), and so is libpfm, which pkg-config does not know.
LATE_PKGS := capstone
TEST_PKGS := cmocka
pkg = $(if $(filter missing,$(shell pkg-config --exists $(2) 2>/dev/null || echo missing)),$(error packages are missing: \
	run `sh mk/packages.sh build test`),$(shell pkg-config $(1) $(2)))
pkg_cflags = $(eval pkg_cflags := $(call pkg,--cflags,$(PKGS) $(LATE_PKGS)))$(pkg_cflags)
pkg_libs = $(eval pkg_libs := $(call pkg,--libs,$(PKGS)))$(pkg_libs)
test_cflags = $(eval test_cflags := $(call pkg,--cflags,$(TEST_PKGS)))$(test_cflags)
test_libs = $(eval test_libs := $(call pkg,--libs,$(TEST_PKGS)))$(test_libs)

OPT_release := -O2
OPT_debug := -O0
OPT_asan := -O1
OPT_ubsan := -O1
OPT_tsan := -O1
OPT_coverage := -O0
OPT ?= $(OPT_$(VARIANT))

# Only line numbers, except for debugging: full debug information makes builds long.
DEBUG := -g1
DEBUG_debug := -g

SANITIZE_asan := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
SANITIZE_ubsan := -fsanitize=undefined -fno-sanitize-recover=all
SANITIZE_tsan := -fsanitize=thread
SANITIZE_coverage := --coverage

WARNINGS := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wundef
WERROR ?=
# -ffp-contract=off: a fused multiply-add rounds once instead of twice, and results must not depend on the machine.
ALL_CFLAGS = -std=c17 -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 $(OPT) $(or $(DEBUG_$(VARIANT)),$(DEBUG)) -ffp-contract=off -fvisibility=hidden $(WARNINGS) $(if $(WERROR),-Werror) \
	$(SANITIZE_$(VARIANT)) -I. $(if $(filter 0,$(HIREDIS)),-DSAHM_NO_REDIS)$(if $(filter 0,$(LIBDW)), -DSAHM_NO_LIBDW) $(pkg_cflags) $(CPPFLAGS) $(CFLAGS)
# Policies from shared objects find the calls of sched/ext.h, all else being hidden, in the program that loads them.
ALL_LDFLAGS = $(SANITIZE_$(VARIANT)) -rdynamic $(LDFLAGS)
# What is installed: nothing overwrites the addresses in its tables, and it has no build id, a digest of debug information, too, and
# so of the folder that it was built in.
PLACED_LDFLAGS := -Wl,-z,relro -Wl,--build-id=none
sys_libs := -lm -ldl

ifeq ($(V),1)
Q :=
say = @:
else
Q := @
say = @printf '  %-7s %s\n'
endif
