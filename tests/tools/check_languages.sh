#!/bin/sh
# Lints the code in languages other than C that the program embeds (LANGUAGES in mk/sources.mk), of Verilog modules, and of the tests' Lua. Skips a language
# whose linter is not installed; exit code 77 when it has skipped any and found nothing wrong.
set -u
cd "$(dirname "$0")/../.." || exit 2
failures=0
skipped=

# lint LANGUAGE PROGRAM COMMAND...: runs the command on each file of a language. It needs the program; exit code 77: and more.
lint() {
	language=$1 program=$2
	shift 2
	command -v "$program" >/dev/null 2>&1 || { skipped="$skipped $language"; return 0; }
	# shellcheck disable=SC2044 # no path has spaces
	for file in $(find sim cores workloads sched ipu results tests/tools -path workloads/suites -prune -o -name "*.$language" -print); do
		"$@" "$file"
		case $? in
		0) ;;
		77) skipped="$skipped $language"; return 0 ;;
		*) echo "$file: $program finds faults" >&2; failures=$((failures + 1)) ;;
		esac
	done
}

sql() {
	sqlite3 -bail :memory: ".read $1"
}

# Templates, in ipu/soft/new, are no Verilog yet.
verilog() {
	case $1 in */new/*) return 0 ;; esac
	verilator --lint-only -Wall "$1"
}

lint lua luacheck luacheck --formatter plain --no-max-line-length --std lua51 --read-globals redis KEYS ARGV --
# SC2088: the ~ in quotes is what somebody typed.
lint bash shellcheck shellcheck -s bash -e SC2088
lint zsh zsh zsh -n
lint fish fish fish -n
lint sql sqlite3 sql
lint v verilator verilog
lint css python3 /usr/bin/python3 tests/tools/check_css.py
[ $failures -eq 0 ] || exit 1
[ -z "$skipped" ] || { echo "no linter is installed for:$skipped"; exit 77; }
