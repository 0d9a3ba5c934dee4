#!/bin/sh
# Programs of which one instruction takes most of the time, for one reason: cycle stacks name both. They are made like the
# micro-benchmarks of the IPU dissertation (section 2.5: STL2, CCH_st, ML2).
#   sh tests/tools/micro_stacks.sh SAHM
set -u
sahm=$1
cases=tests/data/cases
status=0

fail() {
	echo "$*" >&2
	status=1
}

# Prints PC SIGNATURE %: the highest stack, its highest part, and that part's share of all cycles, rounded down.
highest() { # STREAM
	"$sahm" core pics --core tea --top 1 --json "$1" 2>/dev/null | awk '
		/"cycles":/ { cycles = $2 + 0 }
		/"units_per_cycle":/ { units = $2 + 0 }
		/"pc":/ { split($0, field, "\""); pc = field[4] }
		/"signature":/ { split($0, field, "\""); print pc, field[4], int(100 * $4 / units / cycles); exit }'
}

# Prints PC SIGNATURE: the highest row of an introspection unit's stacks.
highest_of_ipu() { # STREAM OPTION...
	"$sahm" core pics --core tea --ipu pics --ipu-set period=1009 --csv --top 1 "$@" 2>/dev/null | awk -F, 'END { print $1, $2 }'
}

# Prints the class of an instruction.
class_of() { # STREAM PC
	"$sahm" stream head -n 100 --csv "$1" | awk -F, -v pc="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
		$column["pc"] == pc { print $column["class"]; exit }'
}

# The last column is some points below what the model gives: 89, 55 and 94 %.
while read -r name pc class signature share; do
	stream=$cases/$name.stream
	found=$(class_of "$stream" "$pc")
	[ "$found" = "$class" ] || fail "$name: the instruction at $pc is '$found', not '$class'"
	found=$(highest "$stream")
	if [ "${found% *}" != "$pc $signature" ]; then
		fail "$name: the highest stack is '$found', not '$pc $signature'"
	elif [ "${found##* }" -lt "$share" ]; then
		fail "$name: '$found' has less than $share % of the cycles"
	fi
	# With the window, the unit also sees the few misses of the TLB that stores of the same generation have.
	for mode in every window=16; do
		found=$(highest_of_ipu "$stream" --mode "$mode")
		case $found in
		"$pc $signature" | "$pc $signature+"*) ;;
		*) fail "$name: the highest row of an IPU (--mode $mode) is '$found', not '$pc $signature'" ;;
		esac
	done
done <<END
stores 0x11028 store DR-SQ 80
coin 0x11048 branch FL-MB 45
chase 0x1102a load ST-LLC 85
END
exit $status
