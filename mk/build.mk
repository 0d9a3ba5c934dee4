# Library, program, man pages.

.PHONY: all program lib man clean format
all: build/sahm

# build/sahm is always the release program, whatever else is being built.
ifeq ($(B),build/release)
build/sahm: $(B)/sahm
	$(say) COPY $@
	$(Q)cp -f $< $@.tmp && mv -f $@.tmp $@
else
build/sahm: FORCE
	$(Q)$(MAKE) --no-print-directory VARIANT=release B=build/release build/sahm
endif

program: $(B)/sahm
lib: $(B)/libsahm.a

$(B)/libsahm.a: $(LIB_OBJS)
	$(say) AR $@
	$(Q)rm -f $@ && ar rcs $@ $^

$(B)/sahm: $(CLI_OBJS) $(B)/libsahm.a
	$(say) LINK $@
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(pkg_libs) -lm

$(B)/obj/%.o: %.c $(B)/flags
	@mkdir -p $(@D)
	$(say) CC $@
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# What is compiled into the program depends on where it will be installed.
$(B)/obj/sim/cli/output.o: CPPFLAGS += -DSAHM_DATADIR='"$(datadir)"'

# Changes when the compiler, its flags or the installation folder do, so that everything is compiled again then.
FLAGS_TEXT = $(CC) $(OPT) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) $(WERROR) $(datadir)
$(B)/flags: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' '$(subst ','\'',$(FLAGS_TEXT))' | cmp -s - $@ || printf '%s\n' '$(subst ','\'',$(FLAGS_TEXT))' > $@

.PHONY: FORCE
FORCE:

man: build/man/sahm.1 build/man/sahm-config.5

build/man/%: docs/man/%.in mk/man.sh build/sahm
	@mkdir -p $(@D)
	$(say) MAN $@
	$(Q)sh mk/man.sh build/sahm $< > $@

format:
	clang-format -i $(shell git ls-files '*.c' '*.h' ':!:*_list.h')

clean:
	rm -rf build

# -include, so that a fresh tree has nothing to say
-include $(shell find $(B)/obj -name '*.d' 2>/dev/null)
