#!/bin/sh
# Recordings in QEMU against callgrind, which counts and models caches in another way: record_callgrind.sh SAHM [CPU...].
# The same programs with the same geometries (the processors' of configs/cpus; callgrind's last level has that of L2), a
# line for each count, and an error where the two are further apart than docs/models.md explains. Programs with libraries
# run only with the first processor.
set -eu
sahm=$1
shift
[ $# -gt 0 ] || set -- golden-cove zen4 neoverse-v2 boom-large rocket
# QEMU's processor and valgrind's have different extensions: without this, the C library takes other functions in each.
no="-AVX,-AVX2,-AVX2_Usable,-AVX_Fast_Unaligned_Load,-ERMS,-BMI1,-BMI2,-LZCNT,-MOVBE,-POPCNT,-FMA,-XSAVE,-XSAVEC"
export GLIBC_TUNABLES="glibc.cpu.hwcaps=$no,-SSSE3,-SSE4_1,-SSE4_2" LC_ALL=C PERL_HASH_SEED=0
for tool in valgrind qemu-x86_64; do
	command -v $tool >/dev/null 2>&1 || { echo "$tool is not installed"; exit 77; }
done
qemu-x86_64 -h 2>&1 | grep -q -- -plugin || { echo "qemu-x86_64 takes no plug-ins"; exit 77; }
[ "$(uname -m)" = x86_64 ] || { echo "callgrind runs programs of this machine alone, which is no x86-64"; exit 77; }
cc=${CC:-cc}
command -v "$cc" >/dev/null 2>&1 || { echo "no C compiler"; exit 77; }
. tests/tools/expect.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Whole epochs make a trace: the shorter they are, the less is left out at the end.
tail=1000

# From `key = { size_kib = N; ways = N; line_bytes = N; };` to SIZE,WAYS,LINE
geometry() { # FILE KEY
	sed -n "s/^$2 = { size_kib = \([0-9]*\); ways = \([0-9]*\); line_bytes = \([0-9]*\); };\$/\1 \2 \3/p" "$1" |
		awk '{ printf "%d,%d,%d\n", $1 * 1024, $2, $3 }'
}

# A line "NAME VALUE" for each count that both have
recorded() { # FILE COMMAND...
	described=$1
	shift
	"$sahm" trace record --via qemu --cpu "$described" --predictor callgrind --epoch-instructions $tail --force -o "$work/trc" -- "$@" \
		>"$work/out" 2>"$work/said" || fail "$(cat "$work/said")"
	"$sahm" trace export "$work/trc" | awk -F, '/^#/ { next } !n { n = split($0, name, ","); next }
		{ for (i = 1; i <= n; i++) sum[name[i]] += $i }
		END {
			split("instructions l1d_accesses l1i_misses l1d_misses l2_accesses l2_misses branch_misses", wanted, " ")
			for (i = 1; i <= 7; i++) printf "%s %.0f\n", wanted[i], sum[wanted[i]]
		}'
}

counted() { # FILE COMMAND...
	described=$1
	shift
	valgrind --tool=callgrind --callgrind-out-file="$work/callgrind" --cache-sim=yes --branch-sim=yes --I1="$(geometry "$described" l1i)" \
		--D1="$(geometry "$described" l1d)" --LL="$(geometry "$described" l2)" "$@" >"$work/out" 2>"$work/said" ||
		fail "$(cat "$work/said")"
	awk '/^events:/ { for (i = 2; i <= NF; i++) name[i] = $i }
		/^totals:/ { for (i = 2; i <= NF; i++) n[name[i]] = $i }
		END {
			printf "instructions %.0f\nl1d_accesses %.0f\n", n["Ir"], n["Dr"] + n["Dw"]
			printf "l1i_misses %.0f\nl1d_misses %.0f\n", n["I1mr"], n["D1mr"] + n["D1mw"]
			printf "l2_accesses %.0f\n", n["I1mr"] + n["D1mr"] + n["D1mw"]
			printf "l2_misses %.0f\n", n["ILmr"] + n["DLmr"] + n["DLmw"]
			printf "branch_misses %.0f\n", n["Bcm"] + n["Bim"]
		}' "$work/callgrind"
}

failed=0
# What may be between them, in per cent and in counts: of instructions, of accesses, of misses of caches. Of mispredictions it
# is 5 % and 1500: how callgrind finds a counter is only half documented, and it takes each round of `rep movsb` for a branch.
compare() { # CPU NAME "PCT COUNT" "PCT COUNT" "PCT COUNT" COMMAND...
	modelled=$1 name=$2 limits="$3 $4 $5 5 1500"
	shift 5
	recorded "configs/cpus/$modelled.cfg" "$@" >"$work/recorded"
	counted "configs/cpus/$modelled.cfg" "$@" >"$work/counted"
	paste -d ' ' "$work/recorded" "$work/counted" | awk -v cpu="$modelled" -v name="$name" -v limits="$limits" '
		BEGIN { split(limits, limit, " ") }
		{
			apart = $2 - $4
			i = $1 == "instructions" ? 1 : $1 == "l1d_accesses" ? 3 : $1 == "branch_misses" ? 7 : 5
			far = (apart < 0 ? -apart : apart) > limit[i] / 100 * $4 + limit[i + 1]
			printf "%-12s %-6s %-13s %11.0f %11.0f %+9.0f %+7.3f %%%s\n", cpu, name, $1, $2, $4, apart,
				$4 ? 100 * apart / $4 : 0, far ? "  too far" : ""
			bad += far || !($2 > 0)
		}
		END { exit bad || NR != 7 }' || failed=1
}

flags="-static -nostdlib -no-pie -fno-stack-protector -fno-builtin -fcf-protection=none"
# shellcheck disable=SC2086 # several words
for program in bare "rep -DREP"; do
	"$cc" -O1 $flags -o "$work"/$program tests/qemu/bare.c || { echo "$cc makes no static program"; exit 77; }
done
"$cc" -O2 -o "$work/work" tests/qemu/work.c -lpthread
awk 'BEGIN {
	x = 1
	while (n < 200000) {
		x = (x * 69069 + 1) % 2147483648
		word = substr("the of and a to in is you that it he was for on are as with his they", x % 67 + 1, int(x / 67) % 9 + 1)
		n += length(word) + 1
		printf "%s ", word
	}
}' >"$work/text"
cat >"$work/program" <<'END'
$x = 1;
for (1 .. 30000) { $x = ($x * 69069 + 1) % 4294967296; $h{$x % 5000} .= chr(65 + $x % 26) }
print length join "", map { s/A+/b/gr } sort values %h;
END

printf '%-12s %-6s %-13s %11s %11s %9s\n' processor run count recorded callgrind apart
for cpu; do
	# No library, the same addresses: the very same, but for the last epoch.
	compare "$cpu" bare "0 $((tail + 10))" "0 $tail" "0.01 20" "$work/bare"
	# An addition to memory is a load and a store, to callgrind one access: a million of them.
	compare "$cpu" rep "0 $((tail + 10))" "0 $((1000000 + tail))" "0.01 20" "$work/rep"
done
# Start-up looks at the processor, which is another one, and memory lies elsewhere.
compare "$1" work "0.02 50000" "2 20000" "1 500" "$work/work" 3
! command -v xz >/dev/null 2>&1 || compare "$1" xz "0.02 50000" "2 20000" "1 500" xz -T1 -k -c "$work/text"
! command -v perl >/dev/null 2>&1 || compare "$1" perl "0.02 50000" "2 20000" "1 500" perl "$work/program"
exit $failed
