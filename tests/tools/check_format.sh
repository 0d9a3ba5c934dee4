#!/bin/sh
# The code is laid out as .clang-format says; the tables are aligned by hand.
set -u
command -v clang-format >/dev/null 2>&1 || { echo "clang-format is not installed"; exit 77; }
find sim cores workloads sched ipu results tests -name '*.[ch]' ! -name '*_list.h' ! -path 'workloads/suites/open/*' -exec clang-format --dry-run --Werror {} +
