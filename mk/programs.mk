# Introspection programs (ipu/programs), for which a RISC-V compiler is needed; those that come with sahm are built already.

IPU_PROGRAM_SRCS := $(sort $(wildcard ipu/programs/*.c))
IPU_PROGRAMS := $(patsubst ipu/programs/%.c,$(B)/ipu/programs/%.elf,$(IPU_PROGRAM_SRCS))
IPU_PREBUILT := $(patsubst ipu/programs/%.c,ipu/programs/prebuilt/%.elf,$(IPU_PROGRAM_SRCS))
IPU_SIGNATURES := $(addsuffix .sig,$(IPU_PREBUILT))

# Signed with a key that everybody has (ipu/programs/keys), for the ABI specs that they are written for.
IPU_KEY := ipu/programs/keys/insecure-demonstration.key
IPU_ABI_ab := fetch
IPU_ABI_histogram := l1d_write
IPU_ABI_overlap := gpu_activity
IPU_ABI_pics := pics
IPU_ABI_watch := memory_access

# The same bytes wherever they are built: sources by relative paths, no notes, nothing for debuggers.
IPU_CFLAGS := -std=c17 -march=rv32im_zicsr -mabi=ilp32 -O2 -ffreestanding -ffunction-sections -fdata-sections -fno-ident \
	-Wall -Wextra $(if $(WERROR),-Werror)
# With _zicsr the linker would take libgcc for 64 bits.
IPU_LDFLAGS := -march=rv32im -mabi=ilp32 -nostdlib -static -T ipu/programs/ipu.ld \
	-Wl,--gc-sections,--build-id=none,--strip-debug,-z,max-page-size=4

.PHONY: programs programs-built prebuilt
programs:
	@if command -v "$(RISCV_CC)" > /dev/null 2>&1; then $(MAKE) --no-print-directory programs-built; \
	else echo 'no programs: $(RISCV_CC) is not installed (Debian: gcc-riscv64-unknown-elf)'; fi

programs-built: $(IPU_PROGRAMS)
	@:

$(B)/ipu/programs/%.o: ipu/programs/%.c $(wildcard ipu/programs/*.h) $(B)/ipu_flags
	@mkdir -p $(@D)
	$(say) RISCV $@
	$(Q)$(RISCV_CC) $(IPU_CFLAGS) -c -o $@ $<

$(B)/ipu/programs/%.elf: $(B)/ipu/programs/%.o ipu/programs/ipu.ld
	$(Q)$(RISCV_CC) $(IPU_LDFLAGS) -o $@ $< -lgcc

$(B)/ipu_flags: FORCE
	$(call stamp,$(RISCV_CC) $(IPU_CFLAGS) $(IPU_LDFLAGS))

# Refreshes what is in the source tree, and says there what it was built with.
prebuilt: $(IPU_PREBUILT) $(IPU_SIGNATURES)
	@version=$$($(RISCV_CC) --version | head -n 1) && \
	sed "s|^Compiler: .*|Compiler: $$version|" ipu/programs/prebuilt/README.md > $(B)/prebuilt.md && \
	cp $(B)/prebuilt.md ipu/programs/prebuilt/README.md

ipu/programs/prebuilt/%.elf: $(B)/ipu/programs/%.elf
	$(say) COPY $@
	$(Q)install -m 644 $< $@

ipu/programs/prebuilt/%.elf.sig: ipu/programs/prebuilt/%.elf $(IPU_KEY) $(B)/sahm
	$(say) SIGN $@
	$(Q)$(B)/sahm ipu sign --key $(IPU_KEY) --abi $(or $(IPU_ABI_$*),core) $< 2> $(B)/sign.log || { cat $(B)/sign.log >&2; exit 1; }
