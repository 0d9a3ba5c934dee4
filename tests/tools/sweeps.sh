#!/bin/sh
# What docs/sweeps.md shows works: sweeps.sh PROGRAM runs its steps, one after the other, in an empty folder.
set -u
. tests/tools/steps.sh
steps_begin docs/sweeps.md "$1"

step first
says 'space     44 points: scheduler.inertia (11) x migration.cost_ms (4)' 'runs      44 different' 'first.sqlite: 44 done'
step ask
says 'scheduler.inertia' 'migration.cost_ms' 'sahm run'
step export
says 'position,scheduler.inertia,migration.cost_ms'
[ "$(wc -l <"$folder/place/first.csv")" -eq 45 ] && [ "$(wc -l <"$folder/place/first.jsonl")" -eq 44 ] || fail "exports have other lengths"
[ "$(wc -l <"$folder/place/threads.csv")" -eq $((44 * 39 + 1)) ] || fail "not a row per thread"
step file
says 'space     18 points: policy (3) x migration.cost_ms (3) x system (2)' 'estimate  about' 'mine.sqlite: 18 done'
step mixes
says 'space     8 points: chip (8)' 'Pareto front'
step shards
says 'the same'
step merged
says 'runs      18 different, of which 18 the results file has already' 'manifest  merged.sqlite.manifest' 'one manifest'
step again
says '18 points: every byte is as in'
