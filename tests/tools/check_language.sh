#!/bin/sh
# Refuses phrases that are hard to read: in documents and manual pages, and in the messages and comments of sources.
#   sh tests/tools/check_language.sh [FILE...]     (default: every such file of the project, but for past CHANGELOG entries)
# language.list has the phrases, and what to write instead. language.allowed has the exceptions: how a file's path begins, a
# tab, and the words with the phrase that are allowed there.
set -u
cd "$(dirname "$0")/../.." || exit 2
command -v perl >/dev/null 2>&1 || { echo "perl is not installed"; exit 77; }
if [ $# -gt 0 ]; then
	printf '%s\n' "$@"
else
	find . \( -name build -o -name .git -o -path ./tests/fuzz/corpus \) -prune -o -type f \( -name '*.md' -o -name '*.[ch]' \
		-o -name '*.in' -o -name '*.cfg' -o -name '*.inc' -o -name '*.sql' -o -name '*.sh' -o -name '*.py' -o -name '*.mk' \
		-o -name '*.lua' -o -name '*.css' -o -name '*.pl' -o -path './sim/cli/completion.*sh' \) ! -name CHANGELOG.md -printf '%P\n' | sort
fi | perl tests/tools/check_language.pl tests/tools/language.list tests/tools/language.allowed
