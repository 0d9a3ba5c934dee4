#!/bin/sh
# What docs/reproducing.md shows works: reproduce_docs.sh PROGRAM runs its steps, one after the other, in an empty folder.
set -u
. tests/tools/steps.sh
steps_begin docs/reproducing.md "$1"

step all
says 'required claims hold' "wrote 'reproduced/index.html'"
step small
says 'nothing is checked' "wrote 'small/index.html'"
step suite
says 'nothing is checked' "wrote 'mine/index.html'"
step sweep
says 'Inertia' 'scheduler.timestep_ms'
