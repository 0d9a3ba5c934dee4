#!/bin/sh
# The examples for clusters, without one: cluster_examples.sh PROGRAM. The scripts for Slurm as any machine can run them, with
# the variables that Slurm would have set; slurm.sh submits them. The unit as systemd reads it, where there is systemd.
set -eu
left_out=
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
tree=$PWD
T=$(mktemp -d "${TMPDIR:-/tmp}/sahm examples.XXXXXX")
trap 'rm -rf "$T"' EXIT
fail() {
	echo "cluster_examples: $*" >&2
	cat "$T/said" >&2
	exit 1
}
mkdir "$T/bin" "$T/place" "$T/scratch"
ln -s "$program" "$T/bin/sahm"
export PATH="$T/bin:$PATH" TMPDIR="$T/scratch"
: >"$T/said"
for script in docs/examples/slurm/*; do
	bash -n "$script"
	grep -q '^#SBATCH --time=' "$script" || fail "$script has no limit of time"
done

cd "$T/place"
examples=$tree/docs/examples/slurm
sweep() { # TASK COUNT MAX [OPTION...]
	SLURM_ARRAY_TASK_ID=$1 SLURM_ARRAY_TASK_COUNT=$2 SLURM_ARRAY_TASK_MAX=$3 SLURM_JOB_ID=$1 SLURM_CPUS_PER_TASK=2
	export SLURM_ARRAY_TASK_ID SLURM_ARRAY_TASK_COUNT SLURM_ARRAY_TASK_MAX SLURM_JOB_ID SLURM_CPUS_PER_TASK
	shift 3
	sh "$examples/sweep.sbatch" "$tree/configs/canonical.cfg" "the parts" --axis scheduler.inertia=0..9 "$@" >"$T/said" 2>&1
}
sahm sweep "$tree/configs/canonical.cfg" --axis scheduler.inertia=0..9 -q -o local.sqlite
sahm export local.sqlite -o local.csv
merges() { # HOW-MANY: this number of runs is in the parts; the result is that of one sweep
	SLURM_JOB_ID=4 sh "$examples/merge.sbatch" "$tree/configs/canonical.cfg" "the parts" --axis scheduler.inertia=0..9 \
		>"$T/said" 2>&1 || fail "merging"
	grep -q "10 different, of which $1 the results file has already" "$T/said" || fail "the parts have not $1 runs"
	sahm export "the parts/all.sqlite" | cmp - local.csv
	cmp local.sqlite.manifest "the parts/all.sqlite.manifest"
}
for task in 1 2; do sweep $task 3 3 || fail "part $task"; done
merges 7
sweep 3 3 3 || fail "part 3"
merges 10

# Existing parts are taken; a part of an array needs the size of the whole; errors have an exit code.
SAHM_SHARDS=3 && export SAHM_SHARDS
sweep 2 1 2 || fail "a part again"
unset SAHM_SHARDS
grep -q 'different, of which [34] the results file has already' "$T/said" || fail "a part is done again"
sweep 2 1 2 && fail "a part of an array takes itself for the whole"
grep -q SAHM_SHARDS "$T/said" || fail "it is not told how to go on"
sweep 1 3 3 --axis no.such=1 && fail "a wrong option is no error"
[ "$(find "the parts" -type f | wc -l)" -eq 5 ] || fail "something else is in the folder"
[ -z "$(ls -A "$T/scratch")" ] || fail "something is left on the local disk"
echo "two parts of three, then all, merged: the same as one sweep"

# Its program and its manual are only where they are installed.
cd "$tree"
if command -v systemd-analyze >/dev/null; then
	unit=$T/sahm-worker.service
	sed 's|^ExecStart=/usr/local/bin/sahm |ExecStart=/bin/true |; /^Documentation=/d' docs/examples/systemd/sahm-worker.service >"$unit"
	systemd-analyze verify "$unit" >"$T/said" 2>&1 || fail "systemd does not take the unit"
	[ ! -s "$T/said" ] || fail "systemd has something to say of the unit"
	echo "the unit is one that systemd takes"
else
	left_out="the unit (no systemd-analyze)"
fi
[ -z "$left_out" ] || { echo "the rest holds; not tried: $left_out"; exit 77; }
