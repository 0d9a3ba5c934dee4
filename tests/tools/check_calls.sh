#!/bin/sh
# What the product's sources may call of the system: no shell at all, other programs and code only by explicit lists, files that
# are created only where there was none, the environment only as docs/security.md says.
#   check_calls.sh [FOLDER]     (another folder: for the test of this test)
set -u
case $0 in /*) me=$0 ;; *) me=$(pwd)/$0 ;; esac
cd "${1:-$(dirname "$0")/../..}" || exit 2
failures=0

sources() {
	find sim cores workloads sched ipu results \( -name build -o -name open \) -prune -o -type f -name '*.[ch]' -print | sort
}

# calls NAMES: lines that call one of them, comments and strings left out as far as lines show it.
calls() {
	sources | xargs grep -nE "(^|[^A-Za-z0-9_.>])($1) ?\(" /dev/null | grep -vE '^[^:]*:[0-9]+:([[:space:]]*\*([[:space:]/]|$)|.*(/\*|//).*('"$1"') ?\()' |
		grep -vE '^[^:]*:[0-9]+:[^"]*"[^"]*('"$1"') ?\('
}

complain() { # WHY: of each line that is read
	while IFS= read -r line; do
		echo "$line: $1" >&2
		echo x
	done
}

# only FILES NAMES WHY: these calls are only in these files.
only() {
	calls "$2" | grep -vE "^($1):" | complain "$3"
}

nr=$({
	calls 'system|popen|pclose|wordexp' | complain "no shell is called"
	calls 'execl|execle|execlp|execv|execvpe|execveat|fexecve|dlmopen' | complain "another way to run something"
	calls 'mktemp|tempnam|tmpnam|gets|vsprintf|strncpy' | complain "there is a safer one"
	only 'workloads/record/qemu/exec_follower\.c' 'execve|process_vm_readv' "the plug-in alone does what its guest's execve() asks for"
	calls 'ptrace|process_vm_writev|setuid|seteuid|setgid' | complain "not meant to have such rights"
	only 'workloads/record/record_child\.c' execvp "the command of \`sahm trace record\` alone is run"
	only 'sim/base/spawn\.c|sim/cli/pager\.c' posix_spawnp "programs are started by sim/base/spawn.h, but for the user's pager"
	only 'results/chart/plot\.c|sim/cli/bpf_compiler\.c|ipu/soft/verilog\.c|sim/base/unpacked\.c|sim/base/spawn\.[ch]' spawn_start "only gnuplot, a C compiler, Verilator, make, gzip and xz are run"
	only 'sim/cli/doctor_common\.c' posix_spawn "programs are asked for their versions, by their paths"
	only 'workloads/record/record_child\.c|sim/sweep/pool_worker\.c|sched/host/plugin_trial\.c|sim/cli/supervisor\.c|ipu/soft/soft_process\.c' 'fork|vfork|clone' "processes are made in five places"
	only 'sched/host/plugin\.c|ipu/soft/soft_object\.c|sim/base/late_library\.c' dlopen "policies, soft logic and large libraries are loaded in one place each"
	# SQLite's extensions are code, and so are databases by other names.
	calls 'sqlite3_load_extension|sqlite3_enable_load_extension' | complain "no extension is loaded"
	sources | xargs grep -nE 'O_CREAT' /dev/null | grep -v O_EXCL | complain "O_CREAT without O_EXCL follows links"
	sources | xargs grep -nE '\bfopen\([^"]*"[^"]*[wa+]' /dev/null | complain "outputs are made by atomic_file_open()"
	# Text for a terminal is cleaned in one place. The others print texts of the program's own (help, names of
	# `sahm doctor`), what the guest of \`sahm ipu exec\` writes, and what is safe in a signal handler.
	only 'sim/cli/(output|help|help_word|cmd_help|cmd_doctor)\.c|sim/fit/.*\.c' 'v?printf|puts|putchar|putchar_unlocked|perror|psignal' "print_line(), print_text() and write_output() clean what they print"
	sources | xargs grep -nE '\b(stdout|stderr)\b' /dev/null | grep -vE '^(sim/cli/(output|help|help_word|cmd_help|cmd_doctor|guest)\.[ch]|sim/fit/[^:]*):' |
		grep -vE ':[0-9]+:.*(/\*|").*\b(stdout|stderr)\b|:[0-9]+:[[:space:]]*\*' | complain "print_aside() and print_remark() clean what they print; data goes to data_output()"
	only 'sim/cli/(output|cmd_(completion|export|trace|trace_bursts|core_signals|ipu_signals|ipu_exec)|ipu_packets)\.[ch]' data_output "nobody cleans what is written there: data alone"
	only 'sim/cli/(output|guest|policy_guard|doctor_machine)\.c|sim/base/file\.c|sim/queue/file_cache\.c|ipu/trust/key_file\.c|sched/host/plugin_trial\.c|ipu/soft/soft\.c|workloads/(record/record_child|stream/stream_layout)\.c' \
		'write|writev|dprintf|vdprintf' "files and pipes are written in these places, a terminal in three"
} | wc -l)
failures=$((failures + nr))

# The environment: each variable has a row in the document.
if [ -e docs/security.md ]; then
	for variable in $(sources | xargs grep -hoE 'getenv\("[A-Za-z_]+"' | sed 's/.*"\(.*\)"/\1/' | sort -u) \
		$(sources | xargs grep -hE '^#define [A-Z_]*_VARIABLE "' | sed 's/.*"\(.*\)".*/\1/' | sort -u); do
		grep -q "^| .*\`$variable\`.*|" docs/security.md || {
			echo "docs/security.md does not say what $variable is read for" >&2
			failures=$((failures + 1))
		}
	done
fi
# Where files are opened or made: each place has a row in the document, and each row a place.
openings() { # `FILE: FUNCTION` and what is called there, of the files that are named on standard input
	xargs awk 'FNR == 1 { name = "" }
	/^[a-z]/ && /\(/ && !/;[[:space:]]*$/ { name = $0; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name) }
	/^[[:space:]]*(\*([[:space:]\/]|$)|\/\*)/ { next }
	{
		line = $0
		gsub(/"([^"\\]|\\.)*"/, "\"\"", line)
		while (match(line, /(^|[^A-Za-z0-9_.>])(open(at2?|dir|64)?|f(re)?open(64)?|creat|mk(o?stemps?|dtemp|dir|dirat|fifo|fifoat|nod)|tmpfile|memfd_create|shm_open|sqlite3_open(_v2|16)?|posix_spawn_file_actions_addopen) ?\(|>xOpen\(/)) {
			call = substr(line, RSTART, RLENGTH)
			gsub(/[^A-Za-z0-9_]/, "", call)
			print FILENAME ": " name " " call
			line = substr(line, RSTART + RLENGTH)
		}
	}' | sort -u
}
if [ -e tests/tools/openings.md ]; then
	places=$(mktemp -d "${TMPDIR:-/tmp}/sahm-places.XXXXXX") || exit 1
	sources | openings >"$places/code"
	sed -n 's/^| `\([a-z][^` ]*\.c: [a-z_0-9]*\)` | \(`[^|]*`\) | [^|]*[^ |][^|]* | [^|]*[^ |][^|]* | [^|]*[^ |][^|]* |$/\1 \2/p' tests/tools/openings.md | tr -d '`,' |
		awk '{ for (i = 3; i <= NF; i++) print $1, $2, $i }' | sort -u >"$places/rows"
	comm -23 "$places/code" "$places/rows" | sed 's/$/: tests\/tools\/openings.md has no row for what is opened here/' >&2
	comm -13 "$places/code" "$places/rows" | sed 's/$/: tests\/tools\/openings.md has a row, but nothing is opened here/' >&2
	failures=$((failures + $(comm -3 "$places/code" "$places/rows" | wc -l)))
	rm -rf "$places"
fi
[ $# -eq 0 ] || exit $((failures > 0))

# Each test that the document names is there.
grep -oE '`(test_[a-z0-9_]+(: test_[a-z0-9_]+)?|fuzz_[a-z0-9_]+|[a-z_0-9]+\.(sh|t))`' docs/security.md | tr -d '`' | sort -u >"${TMPDIR:-/tmp}/sahm-calls.$$"
nr=0
while IFS= read -r test; do
	nr=$((nr + 1))
	file=${test%%: *} function=
	case $test in *': '*) function=${test#*: } ;; esac
	case $file in
	*.sh) file=tests/tools/$file ;;
	*.t) file=tests/golden/$file ;;
	test_*) file=$(find tests/unit -name "$file.c") ;;
	*) file=tests/fuzz/$file.c ;;
	esac
	[ -e "$file" ] && { [ -z "$function" ] || grep -q "cmocka_unit_test[a-z_]*($function[,)]" "$file"; } || {
		echo "docs/security.md names a test that is not there: $test" >&2
		failures=$((failures + 1))
	}
done <"${TMPDIR:-/tmp}/sahm-calls.$$"
rm -f "${TMPDIR:-/tmp}/sahm-calls.$$"
[ "$nr" -ge 30 ] || { echo "docs/security.md names $nr tests" >&2; exit 1; }

# The check finds each broken rule below.
out=$(mktemp -d "${TMPDIR:-/tmp}/sahm calls.XXXXXX") || exit 1
trap 'rm -rf "$out"' EXIT
mkdir -p "$out/sim" "$out/cores" "$out/workloads" "$out/sched" "$out/ipu" "$out/results"
for call in 'system(x)' 'f = popen(x, "r")' 'execl("/bin/sh", x)' 'return execvp(a, b)' 'posix_spawnp(&p, a)' 'dlopen(x, 1)' 'if (fork() == 0)' \
	'mktemp(x)' 'open(x, O_WRONLY | O_CREAT | O_TRUNC, 1)' 'fopen(x, "w")' 'ptrace(0)' \
	'puts(x)' 'fputs(x, stdout)' 'fprintf(data_output(), x)' 'write(1, x, n)'; do
	printf 'void f(void)\n{\n\t%s;\n}\n' "$call" >"$out/sim/a.c"
	if sh "$me" "$out" 2>/dev/null; then
		echo "it does not find $call" >&2
		exit 1
	fi
done
mkdir -p "$out/tests/tools"
row='| `sim/a.c: f` | `open` | a file | anybody | it is a test |'
printf '%s\n' "$row" >"$out/tests/tools/openings.md"
printf 'int f(void)\n{\n\treturn open(x, O_RDONLY);\n}\n' >"$out/sim/a.c"
sh "$me" "$out" || { echo "it does not find a row" >&2; exit 1; }
printf '%s\n%s\n' "$row" "$row" | sed '2s/: f`/: g`/' >"$out/tests/tools/openings.md"
sh "$me" "$out" 2>/dev/null && { echo "it does not find a row too many" >&2; exit 1; }
printf 'int f(void)\n{\n\treturn open(x, O_RDONLY) + mkdir(x, 0700);\n}\n' >"$out/sim/a.c"
printf '%s\n' "$row" >"$out/tests/tools/openings.md"
sh "$me" "$out" 2>/dev/null && { echo "it does not find a call without a row" >&2; exit 1; }
rm -rf "$out/tests"
printf 'void f(void)\n{\n\t/* system(x) */\n\tprint_line("system(x)");\n\tstore_system(x);\n}\n' >"$out/sim/a.c"
sh "$me" "$out" || { echo "it finds what is not there" >&2; exit 1; }
[ $failures -eq 0 ]
