#!/bin/bash
# Power losses: power.sh PROGRAM [quick|full] [SCENARIO...]. Acknowledged results are there after a crash, whatever of the
# rest a disk has kept, and commands go on from there (tests/torture/power.py; docs/reliability.md says what is assumed of disks).
# SAHM_POWER_SEED draws other states, SAHM_POWER_KEEP=FOLDER keeps those that fail.
set -u
command -v python3 >/dev/null 2>&1 || { echo "python3 is not installed"; exit 77; }
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
extent=${2:-quick}
shift $(($# > 2 ? 2 : $#))
cd "$(dirname "$0")/../.." || exit 2
# What is preloaded has a path without a blank, at which ld.so would cut it.
T=$(mktemp -d /tmp/sahm-power.XXXXXX) || exit 2
trap 'rm -rf "$T"' EXIT
"${CC:-cc}" -std=c17 -D_GNU_SOURCE -Wall -Wextra -O1 -o "$T/power_log" tests/torture/power_log.c || exit 1
"${CC:-cc}" -shared -fPIC -O1 -o "$T/clocks.so" tests/tools/faults_clock.c || exit 1
mkdir "$T/try"
"$T/power_log" "$T/try" "$T/log" true || { echo "ptrace() is not allowed here"; exit 77; }
PYTHONDONTWRITEBYTECODE=1 python3 tests/torture/power.py "$program" "$T/power_log" "$T/clocks.so" "$extent" "$@"
