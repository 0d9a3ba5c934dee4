#!/bin/sh
# What the objects of the program say of the rules in ARCHITECTURE.md: what is writable for good, and what they ask the system and
# the libraries for. A rule names its exceptions, objects or whole folders; one that nothing needs any more fails as well, so
# that the lists stay true.
#   sh tests/tools/check_objects.sh [BUILD [OBJECT...]]     where the program was built with hiredis (build/release), and objects
#                                                           to look at as well, for the test of this test
set -u
build=${1:-build/release}
[ $# -eq 0 ] || shift
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failures=0

fail() {
	echo "$*" >&2
	failures=$((failures + 1))
}

# excepted NAME EXCEPTION...: whether an exception is that name, or a folder of it.
excepted() {
	name=$1
	shift
	for exception in "$@"; do
		case $exception in
		*/) [ "${name#"$exception"}" = "$name" ] || return 0 ;;
		"$name") return 0 ;;
		esac
	done
	return 1
}

# hold WHAT EXCEPTION...: "$work/found" has a line `NAME DETAIL` a breach; those outside the exceptions fail.
hold() {
	what=$1
	shift
	while read -r name detail; do
		excepted "$name" "$@" || fail "$name: $what${detail:+: $detail}"
	done <"$work/found"
	for exception in "$@"; do
		grep -q "^$exception" "$work/found" || fail "no exception for $exception is needed any more: $what"
	done
}

# rule WHAT SYMBOLS EXCEPTION...: which objects may ask for symbols (an extended regular expression) from outside.
rule() {
	awk -v symbols="^(__)?($2)(64|_chk)?\$" '$2 ~ symbols' "$work/asked" >"$work/found"
	what=$1
	shift 2
	hold "$what" "$@"
}

# same WHAT FILE FILE: two sorted lists that have to be one.
same() {
	diff "$2" "$3" >"$work/diff" || fail "$1: $(grep '^[<>]' "$work/diff" | tr '\n' ' ')"
}

tr ' ' '\n' <"$build/objects" | grep '\.o$' >"$work/objects"
[ $# -eq 0 ] || printf '%s\n' "$@" >>"$work/objects"
[ -s "$work/objects" ] || { echo "nothing is built in $build" >&2; exit 1; }
short="s|^$build/obj/||; s|\.o:\{0,1\}|| "
xargs nm -A -u <"$work/objects" | awk '{ print $1, $NF }' | sed "$short" >"$work/asked"

# Writable for good: neither of .rodata nor made read-only when the program is loaded.
xargs objdump -t <"$work/objects" | awk '/file format/ { sub(/:$/, "", $1); object = $1; next }
	/ O .*(\.t?data|\.t?bss|\*COM\*)/ || /\*COM\*/ || / \.t(data|bss)[^ ]*\t[0-9a-f]*[1-9a-f]/ {
		if ($0 !~ /\.data\.rel\.ro/) print object, $NF }' | sed "$short; s/ /:/; s/\.[0-9]*\$//" | sort -u >"$work/found"
# The run that a policy's calls mean; where includes may reach; what signal handlers of the program say; bytes that nobody writes, for what takes no const.
hold "a writable global" sched/host/host_calls_common:host_at_hand sched/host/host_calls_common:nr_entered sim/base/cfg_reach:allowed sim/base/cfg_reach:nr_allowed sched/host/plugin:before_load sim/cli/ sim/base/textbuf:empty_text results/store/store_vfs:layers workloads/record/qemu_line:name_option

rule "prints or exits, which the program alone may" \
	'v?printf|puts|putchar(_unlocked)?|perror|psignal|v?errx?|v?warnx?|exit|quick_exit|abort|stdout|stderr' sim/cli/
rule "ends a process, which is not always one of its own" '_exit|_Exit' sim/cli/ sched/host/plugin_trial sim/sweep/pool_worker workloads/record/record_child ipu/soft/soft_child
# Recorders, the day of ipu/trust/date.h, how long an evaluation and a plotter take, sweeps.
rule "looks at a clock" 'clock|clock_gettime|clock_getres|gettimeofday|timespec_get|times|time|ftime|localtime(_r)?|gmtime(_r)?' \
	sim/cli/ sim/sweep/ sim/queue/ ipu/trust/date results/studies/evaluate results/chart/plot workloads/record/perf_ops workloads/record/record_child workloads/record/record_qemu ipu/soft/soft_process
rule "looks at the environment" '(secure_)?getenv|environ' sim/cli/ results/chart/plot sim/base/spawn sim/queue/file_cache sim/queue/redis_url \
	workloads/record/pmu workloads/record/record_program workloads/record/record_qemu
rule "takes chance from outside a configuration" \
	's?rand|rand_r|s?random|[delnjm]+rand48|arc4random[a-z_]*|getrandom|getentropy|randombytes_[a-z]*|gsl_rng_env_setup' \
	ipu/trust/key sim/queue/queue_worker sim/queue/sweep_submit sim/queue/transfer
rule "runs a shell" 'system|popen'
rule "starts a program" 'exec[vl][a-z]*|fexecve|posix_spawnp?' sim/base/spawn workloads/record/record_child sim/cli/doctor_common sim/cli/pager
# One program runs on every processor: only these use registers of 256 and 512 bits, and they do.
if [ "$(uname -m)" = x86_64 ]; then
	xargs objdump -d <"$work/objects" | awk '/file format/ { sub(/:$/, "", $1); object = $1; next }
		/%zmm/ { print object, "zmm" } /%ymm/ && object !~ /timing_avx512/ { print object, "ymm" }' | sed "$short" | sort -u >"$work/found"
	printf '%s\n' 'cores/uarch/timing_avx2 ymm' 'cores/uarch/timing_avx512 zmm' >"$work/expected"
	same "files with wide vectors" "$work/expected" "$work/found"
fi
# Streams and cores of sahm core time run in threads, and files of traces are read in threads; both share only atomic counts.
rule "starts a thread, of which no variable knows" 'pthread_create|thrd_create' sim/cli/core_jobs workloads/trace/trace_ahead
rule "depends on a locale" 'setlocale|newlocale|uselocale|strcoll|strxfrm|localeconv' sim/cli/doctor_machine
rule "loads code" 'dlopen|dlmopen' sched/host/plugin ipu/soft/soft_object sim/base/late_library
rule "asks the kernel beside the C library" 'syscall' workloads/record/perf_ops workloads/record/record_child ipu/soft/soft_futex ipu/soft/soft_sandbox
rule "knows hiredis" 'redis[A-Z][A-Za-z]*' sim/queue/redis_reply
# Functions whose rounding depends on the machine; square roots do not.
libm='exp|exp2|exp10|expm1|log|log2|log10|log1p|pow|cbrt|hypot|fma|[lt]gamma|erfc?|a?(sin|cos|tan)h?|atan2'
rule "rounds as libm does" "($libm)[fl]?"
rule "lets GSL do more than draw integers" 'gsl_[a-z_0-9]*' sim/base/stats sim/sweep/optimize_anneal sim/cli/doctor_machine
awk '$2 ~ /^gsl_/ && $1 == "sim/base/stats" { print $2 }' "$work/asked" | sort -u >"$work/found"
printf '%s\n' gsl_rng_mt19937 gsl_rng_set gsl_rng_uniform_int >"$work/expected"
same "GSL draws integers alone in sim/base/stats.c" "$work/expected" "$work/found"
# Where memory is short, GSL's own functions that ask for some call abort().
rule "lets GSL ask for memory" 'gsl_[a-z_0-9]*_(c?alloc|clone)[a-z_0-9]*'

# What a program shows to plug-ins, and what built-in policies may call: the calls, and what policies share.
sed -n 's/^CALL(\([a-z_]*\),.*/\1/p; s/^BPF(\([a-z0-9_]*\),.*/\1/p' sched/host/call_list.h sched/host/bpf_list.h | sort >"$work/calls"
nm -D --defined-only "$build/sahm" | awk '$2 == "T" && $3 !~ /^_/ { print $3 }' | sort >"$work/shown"
same "what plug-ins see of the program is sched/host/call_list.h and bpf_list.h" "$work/calls" "$work/shown"
policies=$(sed -n 's/^POLICY(\([a-z_]*\))$/\1/p' sched/policies/policy_list.h)
[ -n "$policies" ] || fail "sched/policies/policy_list.h has no policies"
for policy in $policies seating outlook exchange tenants energy_model sahm_ordered sahm_ordered_sets; do
	awk -v object="/$policy\$" '$1 ~ /^sched/ && $1 ~ object { print $2 }' "$work/asked" | grep -vxF -f "$work/calls" |
		grep -vE '^(arena_(init|alloc|release)|(seating|outlook|transport|exchange|tenants|energy|sahm_ordered|bitset)_[a-z_]*|mem(set|move|cpy|cmp)|qsort|__u?(div|mod)ti3|__udivmodti4)$' |
		while read -r symbol; do echo "sched/$policy: a policy that calls $symbol, which is not in sched/host/call_list.h"; done
done >"$work/found"
while read -r line; do fail "$line"; done <"$work/found"

# No two files need each other, directly or by way of others: `x.c` uses its parts, and what parts share is below them.
xargs nm -A --defined-only <"$work/objects" | awk '$(NF - 1) ~ /^[A-Z]$/ { print $NF, $1 }' | sed "s| $build/obj/| |; s|\.o:.*||" |
	sort -u >"$work/places"
awk '{ print $2, $1 }' "$work/asked" | sort -u | join - "$work/places" | awk '$2 != $3 { print $2, $3 }' | sort -u >"$work/uses"
[ -s "$work/uses" ] || fail "no file uses another"
tsort "$work/uses" 2>"$work/loops" >/dev/null || :
sed 's/^tsort: //; s/^-: //' "$work/loops" | tr '\n' ' ' | sed 's|[^ ]*uses: input contains a loop: *|\n|g' | grep . | sort -u >"$work/found"
while read -r line; do fail "files that need each other: $line"; done <"$work/found"
# Nor does a file call what its room may not include.
sh tests/tools/check_layers.sh --allowed | sort >"$work/allowed"
sed 's|/[^/ ]* | |; s|/[^/ ]*$||' "$work/uses" | sort -u | comm -23 - "$work/allowed" >"$work/found"
while read -r from to; do fail "$from calls $to, which it may not include: $(grep "^$from/[^/]* $to/[^/]*\$" "$work/uses" | tr '\n' ';')"; done <"$work/found"

# Whatever can change what a sweep stores counts for the version of the model (mk/build.mk): all of results/ that evaluating needs.
xargs nm -A --defined-only <"$work/objects" | awk '{ print $NF, $1 }' | sed "s| $build/obj/| |; s|\.o:.*||" |
	awk '$2 ~ /^results\//' | sort >"$work/defined"
counted=$(sed -n 's/^MODEL_RESULTS := //p' mk/build.mk)
todo=results/studies/evaluate seen=
while [ -n "$todo" ]; do
	object=${todo%% *}
	todo=${todo#"$object"}
	todo=${todo# }
	case " $seen " in *" $object "*) continue ;; esac
	seen="$seen $object"
	counts=
	set -f
	for pattern in $counted; do
		# shellcheck disable=SC2254
		case ${object#results/} in $pattern) counts=yes ;; esac
	done
	set +f
	[ "$counts" ] || fail "$object: can change a result, and is not in MODEL_RESULTS (mk/build.mk)"
	todo="$todo $(awk -v object="$object" '$1 == object { print $2 }' "$work/asked" | sort | join - "$work/defined" |
		cut -d' ' -f2 | sort -u | tr '\n' ' ')"
	todo=${todo# }
	todo=${todo% }
done
case $seen in *" results/studies/limit "*" results/metrics/box"*) ;; *) fail "evaluating needs less than it did:$seen" ;; esac

# Where output goes: beside what it will be called, renamed when it is whole and on its way to the disk.
rule "renames, which sim/base/file.c is there for" 'rename(at2?)?' sim/base/file sim/queue/file_cache sim/queue/file_cache_place \
	sim/queue/file_cache_room sim/cli/scaffold workloads/stream/stream_layout results/chart/plot
for object in sim/base/file sim/queue/file_cache sim/queue/file_cache_place workloads/stream/stream_layout results/chart/plot; do
	grep -qx "$object fsync" "$work/asked" || fail "$object: renames what may not be on the disk"
done

# Compilers and sources.
grep -q -e '-ffp-contract=off' "$build/flags" || fail "built without -ffp-contract=off"
grep -oE -e '-(ffast-math|Ofast|funsafe-math-optimizations|fassociative-math|mfpmath=[^ ]*)' "$build/flags" && fail "built with that"
# forbid WHAT PATTERN FILE...: no source has a line like that.
forbid() {
	what=$1 pattern=$2
	shift 2
	found=$(grep -nE -e "$pattern" "$@" /dev/null) && fail "$what: $found"
}
# The head of sim/base/stats.h speaks of it.
forbid "wider than double" 'long double|__float128|<complex\.h>' $(find sim cores workloads sched ipu results -name '*.c')
forbid "floating point where there is none" '(^|[^a-z_])(float|double)[^a-z_]' sched/host/ext.h sched/host/call_list.h sched/host/op_list.h \
	sim/base/decimal.[ch] workloads/trace/spread*.[ch]
found=$(find sim cores workloads sched ipu results -name '*.[ch]' -exec grep -l '#include [<"]hiredis' {} +)
[ "$found" = sim/queue/redis_reply.c ] || fail "hiredis is known to: $found"
[ "$failures" -eq 0 ]
