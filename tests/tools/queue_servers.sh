#!/bin/bash
# Sweeps through Redis servers that forget, evict, lie, or are put off their clock: queue_servers.sh PROGRAM quick|full [ROW...]
# (queue_servers.py). Prints a table of faults and what they came to.
set -u
for needed in redis-server python3 cc; do
	command -v $needed >/dev/null || { echo "$needed is not installed"; exit 77; }
done
folder=$(cd "$(dirname "$0")" && pwd)
T=$(mktemp -d "${TMPDIR:-/tmp}/sahm shim.XXXXXX") || exit 2
trap 'rm -rf "$T"' EXIT
cc -shared -fPIC -O1 -o "$T/clock.so" "$folder/faults_clock.c" || exit 2
program=$1
shift
python3 "$folder/queue_servers.py" "$program" "$T/clock.so" "$@" &
trap 'kill -TERM $!; wait $!; exit 1' INT TERM
wait $!
