/* declared: what it declares compiles, and still nobody has it. */
#include <scx/common.bpf.h>

char _license[] SEC("license") = "GPL";

extern unsigned CONFIG_MADE_UP __kconfig;
extern u64 scx_bpf_made_up(s32 cpu) __ksym;

s32 BPF_STRUCT_OPS_SLEEPABLE(declared_init)
{
	return scx_bpf_made_up(0) == CONFIG_MADE_UP;
}

SCX_OPS_DEFINE(declared_ops, .init = (void *)declared_init, .name = "declared");
