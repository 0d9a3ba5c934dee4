#!/bin/sh
# No secret key is in the source, nor ever was in its history, by its name or by what stands in it: only the one that is published
# as an insecure demonstration. A secret is a line as keygen writes it, or the head of a PEM file; other forms are not looked for.
#   secrets.sh [FOLDER]     (another folder: for the test of this test)
set -u
published=ipu/programs/keys/insecure-demonstration.key

# Files in $1, by name or by what stands in them, that look like a secret; inputs for fuzzing hold made-up ones.
secrets_in() {
	(cd "$1" && find . \( -path ./build -o -path ./.git -o -path ./tests/fuzz/corpus \) -prune -o -type f -name '*.key' -print
	cd "$1" && find . \( -path ./build -o -path ./.git -o -path ./tests/fuzz/corpus \) -prune -o -type f -size -64k -exec \
		grep -lE '^seed: [0-9a-f]{64}$|^-----BEGIN [A-Z ]*PRIVATE KEY' {} +) | sed 's|^\./||' | sort -u
}

# Commits of the repository $1, on any branch, and files in which they add or remove such a line, unless it has the seed $2.
secrets_of_history() {
	git -C "$1" log --all -m -p -U0 --no-color --no-ext-diff --format='commit %h' \
		-G '^seed: [0-9a-f]{64}$|^-----BEGIN [A-Z ]*PRIVATE KEY' -- . ':!tests/fuzz/corpus' |
		awk -v known="seed: $2" '
			/^commit / { commit = $2 }
			/^--- a\// || /^\+\+\+ b\// { file = substr($0, 7) }
			/^[-+]seed: [0-9a-f]+$/ && length($0) == 71 && substr($0, 2) != known { print commit, file }
			/^[-+]-----BEGIN [A-Z ]*PRIVATE KEY/ { print commit, file }' | sort -u
}

if [ $# -eq 1 ]; then
	secrets_in "$1"
	exit
fi

failures=0
for file in $(secrets_in .); do
	[ "$file" != $published ] || continue
	echo "$file: a secret key" >&2
	failures=$((failures + 1))
done
[ "$(head -n 1 $published)" = 'sahm ipu published key 1' ] || {
	echo "$published does not say that everybody has it" >&2
	failures=$((failures + 1))
}
grep -q INSECURE $published || failures=$((failures + 1))
# The history, where there is one of our own: a tarball may have been unpacked inside a repository of something else.
if [ "$(git rev-parse --show-toplevel 2>/dev/null)" = "$(pwd -P)" ]; then
	ever=$(git log --all --format= --name-only --diff-filter=A -- '*.key' | sort -u | grep -vx "$published" | grep -v '^$')
	[ -z "$ever" ] || { echo "once in the repository: $ever" >&2; failures=$((failures + 1)); }
	ever=$(secrets_of_history . "$(sed -n 's/^seed: //p' $published)")
	[ -z "$ever" ] || { echo "once in the repository: $ever" >&2; failures=$((failures + 1)); }
	git check-ignore -q mine.key || { echo "secret keys are not ignored by git" >&2; failures=$((failures + 1)); }
	! git check-ignore -q $published || { echo "the demonstration key is ignored by git" >&2; failures=$((failures + 1)); }
fi

# It would find some.
out=$(mktemp -d "${TMPDIR:-/tmp}/sahm secrets.XXXXXX") || exit 1
trap 'rm -rf "$out"' EXIT
mkdir "$out/a"
: >"$out/a/vendor.key"
printf 'sahm ipu secret key 1\nseed: %064d\n' 1 >"$out/a/notes.txt"
printf -- '-----BEGIN PRIVATE KEY-----\n' >"$out/a/vendor.pem"
: >"$out/a/vendor.pub"
[ "$(secrets_in "$out" | tr '\n' ' ')" = 'a/notes.txt a/vendor.key a/vendor.pem ' ] || { echo "it finds nothing" >&2; exit 1; }
if command -v git >/dev/null 2>&1; then
	as_nobody() { git -C "$out/b" -c user.name=nobody -c user.email=nobody@localhost -c commit.gpgsign=false "$@"; }
	git init -q "$out/b"
	printf 'sahm ipu published key 1\nseed: %064d\n' 2 >"$out/b/known"
	cp "$out/a/notes.txt" "$out/a/vendor.pem" "$out/b"
	as_nobody add . && as_nobody commit -q -m first && as_nobody rm -q notes.txt vendor.pem && as_nobody commit -q -m second
	[ "$(secrets_of_history "$out/b" "$(printf %064d 2)" | sed 's/^[^ ]* //' | sort | tr '\n' ' ')" = \
		'notes.txt notes.txt vendor.pem vendor.pem ' ] || { echo "it finds nothing in a history" >&2; exit 1; }
fi
[ $failures -eq 0 ]
