#!/bin/sh
# What docs/policies.md shows works: policies.sh PROGRAM runs its steps, one after the other, in an empty folder.
set -u
. tests/tools/steps.sh
steps_begin docs/policies.md "$1"

speedup() { # N: of the system in the Nth run that the step shows, in hundredths of a per cent
	sed -n 's/^speedup of the system *\([+-]\)\([0-9]*\)\.\([0-9]*\) %.*/\1\2\3/p' "$folder/said" | sed -n "$1p"
}

step new
says 'mine (plug-in)' 'speedup of the system'
step static
says 'sahm-strict'
alone=$(speedup 1)
step check
says 'kind            dispatches' 'scx_bpf_dsq_move_to_local'
! grep -q 'not in kernel' "$folder/said" || fail "the first policy would not port"
step write
[ "$(($(speedup 1)))" -gt "$((alone))" ] || fail "following the states ($(speedup 1)) does not beat static ($alone)"
step dear
dear=$(speedup 2)
[ "$((dear))" -lt "$(($(speedup 1)))" ] || fail "a cost of 30 ms costs nothing"
step specialist
says 'not in kernel   sahm_pass'
[ "$(($(speedup 2)))" -gt "$((dear))" ] || fail "specialist at 30 ms gives $(speedup 2), not minding the cost $dear"
step broken
says "policy 'broken'" 'starves a thread' 'cc1+700ms'
