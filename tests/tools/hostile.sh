#!/bin/sh
# Hostile inputs, made from what is well-formed: hostile.sh configs|plugins|stores quick|full. `configs`: extreme_configs.py; `plugins`:
# plugin_mutants.py; `stores`: hostile_stores.py.
set -u
cd "$(dirname "$0")/../.." || exit 2
command -v python3 >/dev/null 2>&1 || { echo "python3 is not installed"; exit 77; }
case $1:$2 in
configs:quick) exec python3 tests/tools/extreme_configs.py build/asan/sahm build/release/tests/draw_config 90 ;;
configs:full) exec python3 tests/tools/extreme_configs.py build/asan/sahm build/release/tests/draw_config 3000 ;;
plugins:quick) exec python3 tests/tools/plugin_mutants.py build/release/sahm 110 ;;
plugins:full) exec python3 tests/tools/plugin_mutants.py build/release/sahm 4400 ;;
stores:quick) exec python3 tests/tools/hostile_stores.py build/release/sahm quick ;;
stores:full) exec python3 tests/tools/hostile_stores.py build/asan/sahm full ;;
*) echo "usage: hostile.sh configs|plugins|stores quick|full" >&2; exit 2 ;;
esac
