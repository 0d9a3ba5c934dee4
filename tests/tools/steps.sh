# Sourced by the tests of documents: runs their blocks, each after a line <!-- step: NAME -->, in the folder $folder/place,
# with the program in the path as `sahm`.
tree=$(pwd)
export tree

steps_begin() { # DOCUMENT PROGRAM
	document=$1
	folder=$(mktemp -d "${TMPDIR:-/tmp}/sahm steps.XXXXXX") || exit 1
	trap 'rm -rf "$folder"' EXIT
	mkdir "$folder/bin" "$folder/place"
	ln -s "$(cd "$(dirname "$2")" && pwd)/${2##*/}" "$folder/bin/sahm"
	PATH=$folder/bin:$PATH
	export PATH
}

fail() {
	echo "$*" >&2
	cat "$folder/said" >&2
	exit 1
}

step_text() { # NAME: prints the commands of one step
	name=$1
	awk -v marker="<!-- step: $1 -->" '
		$0 == marker { found = 1; next }
		found && /^```/ { if (inside) exit; inside = 1; next }
		inside { print }' "$tree/$document"
}

step() { # NAME: the commands of one step, stopping at the first that fails
	name=$1
	step_text "$1" >"$folder/step"
	[ -s "$folder/step" ] || fail "$document has no step '$1'"
	(cd "$folder/place" && sh -e "$folder/step") >"$folder/said" 2>&1 || fail "step '$1' fails"
}

says() { # TEXT...: what a step must have printed
	for text; do
		grep -qF -e "$text" "$folder/said" || fail "step '$name' says nothing of '$text'"
	done
}

shown() { # prints the block after the step
	awk -v marker="<!-- step: $name -->" '
		$0 == marker { found = 1; next }
		found && /^```/ { nr++; if (nr == 4) exit; next }
		nr == 3 { print }' "$tree/$document"
}

shows() { # the step has printed what the document shows in the next block
	shown >"$folder/shown"
	cmp -s "$folder/shown" "$folder/said" || fail "step '$name' prints something else than $document shows:"
}
