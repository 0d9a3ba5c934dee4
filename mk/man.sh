#!/bin/sh
# Fills the generated parts into a man page: man.sh PROGRAM TEMPLATE. A line `@PART@` becomes `PROGRAM help --man PART`.
set -eu
program=$1 template=$2
version=$("$program" --version)
while IFS= read -r line; do
	case $line in
	@*@) part=${line#@}; "$program" help --man "${part%@}" ;;
	*@VERSION@*) printf '%s\n' "${line%%@VERSION@*}$version${line#*@VERSION@}" ;;
	*) printf '%s\n' "$line" ;;
	esac
done <"$template"
