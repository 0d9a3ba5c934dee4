#!/bin/sh
# Prints the test program that a test file is part of: room_of.sh test_bundle prints sim_queue, for tests/unit/sim/queue/.
room=$(find tests/unit -name "$1.c" | sed 's|^tests/unit/||; s|/[^/]*$||' | tr / _)
[ -n "$room" ] && echo "$room" || { echo "there is no test file '$1'" >&2; exit 1; }
