#!/bin/sh
# What docs/queue.md shows works: queue_docs.sh PROGRAM runs its steps, one after the other, in an empty folder, with a Redis
# server of this test.
set -u
for tool in redis-server redis-cli; do
	command -v "$tool" >/dev/null || { echo "$tool is not installed"; exit 77; }
done
. tests/tools/steps.sh
steps_begin docs/queue.md "$1"
end() {
	# Whatever the steps have left running.
	for process in /proc/[0-9]*; do
		[ "$(readlink "$process/cwd")" != "$folder/place" ] || kill "${process#/proc/}"
	done 2>/dev/null
	sleep 0.3
	rm -rf "$folder"
}
trap end EXIT
PORT=$((20000 + $$ % 20000)) XDG_CACHE_HOME=$folder/cache
export PORT XDG_CACHE_HOME

step server
says 'PONG'
step worker
step sweep
says 'runs      44 different' 'first.sqlite: 44 done' 'manifest  first.sqlite.manifest'
step same
says 'the same'
step detach
says 'submitted 21 runs' 'later.sqlite: '
step end
grep -q 'lost\|failed' "$folder/place/worker.log" && { cat "$folder/place/worker.log"; exit 1; }
exit 0
