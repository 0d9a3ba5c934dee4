#!/bin/sh
# Folders of `sahm reproduce`: reproduce.sh PROGRAM. Checks their content, with gnuplot, without it and with one that fails; how an
# old page is handled; that bytes depend on nothing but the input; what happens when a required claim does not hold.
set -u
. tests/tools/expect.sh
program=$(cd "$(dirname "$1")" && pwd)/${1##*/}
tree=$(pwd)
out=$(mktemp -d "${TMPDIR:-/tmp}/sahm reproduce '\"\$(x).XXXXXX") || exit 1
trap 'rm -rf "$out"' EXIT
SAHM_DATA=$tree
export SAHM_DATA

# Every file that a page names is there, and it names no other place.
is_whole() { # FOLDER
	sed 's/<\(img\|a\) /\n<\1 /g' "$1/index.html" | sed -n 's/^<\(img\|a\) [^>]*\(src\|href\)="\([^"]*\)".*/\3/p' | sort -u >"$out/named"
	[ -s "$out/named" ] || fail "the page in $1 names nothing"
	while read -r name; do
		case $name in
		'#'*) grep -qF "id=\"${name#?}\"" "$1/index.html" || fail "no place $name in $1" ;;
		*:*) fail "the page in $1 leads to $name" ;;
		*) [ -s "$1/$name" ] || fail "the page in $1 names $name, which is not there" ;;
		esac
	done <"$out/named"
	for file in "$1"/.sahm* "$1"/*.tmp*; do
		[ ! -e "$file" ] || fail "left behind: $file"
	done
}

# Without gnuplot: a warning, and everything but pictures.
mkdir "$out/bin"
for tool in sh cat; do ln -s "$(command -v $tool)" "$out/bin/"; done
expect 0 "$out/said" env PATH="$out/bin" "$program" reproduce -o "$out/bare"
grep -q 'warning: gnuplot is not installed' "$out/said" || fail "nothing said of gnuplot"
is_whole "$out/bare"
grep -q '<img' "$out/bare/index.html" && fail "a picture that is not there"
grep -q 'gnuplot figure_A_3.gp' "$out/bare/index.html" || fail "the page does not say how pictures are drawn"
[ "$(ls "$out/bare"/*.svg "$out/bare"/*.png 2>/dev/null | wc -l)" -eq 0 ] || fail "pictures without gnuplot"
for id in table_4_3 figure_4_2 figure_4_3 figure_4_4 figure_4_5 figure_4_6 figure_4_7 figure_4_8 figure_4_9 figure_4_10 figure_A_3; do
	[ -s "$out/bare/$id.csv" ] || fail "no data of $id"
	grep -q "id=\"$id\"" "$out/bare/index.html" || fail "the page has no $id"
	# What is made from synthetic traces says so, in its columns and in its script.
	head -n 1 "$out/bare/$id.csv" | grep -q synthetic || fail "columns of $id do not say synthetic"
	[ ! -e "$out/bare/$id.gp" ] || grep -q 'synthetic' "$out/bare/$id.gp" || fail "the picture $id does not say synthetic"
done

# The page says where its traces are: in the data folder, by the names that they have there.
sed 's/<wbr>//g' "$out/bare/index.html" | grep -q '<td>workloads/suites/synthetic/spec2017/perlbench' || fail "the page does not name its traces"

# The same bytes in another folder, from another one, in another environment; --no-plots is the same page.
mkdir "$out/elsewhere"
(cd "$out/elsewhere" && expect 0 "$out/said" env TZ=Asia/Kathmandu LANG=de_DE.UTF-8 LC_ALL=de_DE.UTF-8 COLUMNS=40 \
	"$program" reproduce --no-plots) || exit 1
diff -r "$out/bare" "$out/elsewhere/reproduced" >&2 || fail "other bytes elsewhere"

# A folder called gnuplot is none.
mkdir "$out/bin/gnuplot"
expect 0 "$out/said" env PATH="$out/bin" "$program" reproduce 4.7 -o "$out/folder"
grep -q 'warning: gnuplot is not installed' "$out/said" || fail "a folder is taken for gnuplot"
rmdir "$out/bin/gnuplot"

# gnuplot fails: a page without pictures, and exit code 1. Earlier outputs are removed, even where they are not requested now.
printf '#!/bin/sh\necho no good >&2\nexit 3\n' >"$out/bin/gnuplot"
chmod +x "$out/bin/gnuplot"
touch "$out/bare/mine.csv"
expect 1 "$out/said" env PATH="$out/bin" "$program" reproduce 4.9 -o "$out/bare"
grep -q 'the page does not have all pictures: gnuplot failed with exit status 3' "$out/said" || fail "the failure of gnuplot is not told"
is_whole "$out/bare"
! grep -q '<img' "$out/bare/index.html" || fail "a picture that was not drawn"
[ "$(cd "$out/bare" && echo *)" = 'claims.csv figure_4_9.csv figure_4_9.gp index.html mine.csv study_characterization.cfg study_generalist.cfg' ] ||
	fail "other files in the folder: $(ls "$out/bare")"

# Killed while it draws: the page says that it is not finished, and the same command replaces what is there.
printf '#!/bin/sh\nkill -9 $PPID\n' >"$out/bin/gnuplot"
expect 137 "$out/said" env PATH="$out/bin" "$program" reproduce 4.9 -o "$out/bare"
grep -q 'Not finished' "$out/bare/index.html" || fail "an old page stands over new data"
rm -rf "$out/bare"/.sahm-*
expect 0 "$out/said" "$program" reproduce 4.9 --no-plots -o "$out/bare"
is_whole "$out/bare"

# A required claim that does not hold: exit code 1, and the page is there to show it.
mkdir -p "$out/data"
cp -r "$tree/configs" "$out/data/" && ln -s "$tree/workloads" "$out/data/workloads"
sed 's/speedup_pct = 30.0/speedup_pct = 25.0/' "$tree/configs/studies/paper/limit.cfg" >"$out/data/configs/studies/paper/limit.cfg"
expect 1 "$out/said" env SAHM_DATA="$out/data" "$program" reproduce 4.7 4.9 --no-plots -o "$out/broken"
grep -q 'error: 1 required claim does not hold' "$out/said" || fail "the claim that does not hold is not told"
grep -q '^4.7 .* misses' "$out/said" || fail "the table does not say what misses"
grep -q '>misses<' "$out/broken/index.html" || fail "the page does not say what misses"
is_whole "$out/broken"

[ "$(wc -c <"$out/broken/index.html")" -lt 100000 ] || fail "a page of $(wc -c <"$out/broken/index.html") bytes"

# A pipe is no trace, and nobody waits for one.
mkdir "$out/pipes" && mkfifo "$out/pipes/a.csv"
expect 1 "$out/said" timeout 20 "$program" reproduce t4.3 --suite "$out/pipes" --no-plots --force -o "$out/broken"
grep -q 'is called as a trace is, and is no file' "$out/said" || fail "a pipe as a trace"
expect 1 "$out/said" timeout 20 "$program" reproduce t4.3 --suite "$out/pipes/a.csv" --no-plots --force -o "$out/broken"
grep -q 'neither a file nor a folder' "$out/said" || fail "a pipe as a suite"

# On other traces nothing is checked, which the page says once; text and page have no verdicts, CSV keeps its columns.
expect 0 "$out/said" "$program" reproduce --suite small --no-plots -o "$out/context"
[ "$(grep -c 'nothing is checked' "$out/context/index.html")" -eq 1 ] || fail "the page does not say once that nothing is checked"
for word in verdict holds misses tolerance required reported; do
	! grep -qw "$word" "$out/said" && ! grep -q ">$word<" "$out/context/index.html" || fail "'$word' where nothing is checked"
done
grep -q '^4.7,.*,required,implied,context,' "$out/context/claims.csv" || fail "claims.csv has lost columns"

# Studies that cannot be what they are for.
sed '/name = "setting"/,/); }/d; s/); },$/); }/' "$tree/configs/studies/paper/realistic.cfg" >"$out/data/configs/studies/paper/realistic.cfg"
expect 1 "$out/said" env SAHM_DATA="$out/data" "$program" reproduce 4.10 --no-plots -o "$out/broken"
grep -q 'two axes' "$out/said" || { cat "$out/said"; fail "a study without settings"; }
sed 's/generator = "paper"/generator = "paper"; each = 2/' "$tree/configs/studies/paper/breadth.cfg" >"$out/data/configs/studies/paper/breadth.cfg"
expect 1 "$out/said" env SAHM_DATA="$out/data" "$program" reproduce A.3 --no-plots -o "$out/broken"
grep -q 'figure A.3' "$out/said" || { cat "$out/said"; fail "a study of other chips"; }
sed 's/count = 7/count = -40/' "$tree/configs/studies/paper/realistic.cfg" >"$out/data/configs/studies/paper/realistic.cfg"
expect 1 "$out/said" env SAHM_DATA="$out/data" timeout 20 "$program" reproduce 4.10 --suite small --no-plots --force -o "$out/broken"
grep -q 'count' "$out/said" || { cat "$out/said"; fail "a count below 0"; }
sed 's/evaluator = "limit"/evaluator = "run"/' "$tree/configs/studies/paper/limit.cfg" >"$out/data/configs/studies/paper/limit.cfg"
expect 1 "$out/said" env SAHM_DATA="$out/data" "$program" reproduce 4.7 --no-plots -o "$out/broken"
grep -q "evaluator 'run', where 'limit' is needed" "$out/said" || { cat "$out/said"; fail "a sweep without upper bounds"; }
rm "$out/data/configs/studies/paper/limit.cfg"
expect 1 "$out/said" env SAHM_DATA="$out/data" "$program" reproduce 4.7 --no-plots -o "$out/broken"
grep -q "cannot open .*limit.cfg" "$out/said" || { cat "$out/said"; fail "a study that is not there"; }

if ! command -v gnuplot >/dev/null 2>&1; then
	echo "gnuplot is not installed; all else was tried"
	exit 77
fi
expect 0 "$out/said" "$program" reproduce -o "$out/whole"
is_whole "$out/whole"
[ "$(grep -o '<img' "$out/whole/index.html" | wc -l)" -eq 10 ] || fail "not ten pictures"
[ "$(ls "$out/whole"/*.svg | wc -l)" -eq 10 ] && [ "$(ls "$out/whole"/*.png | wc -l)" -eq 10 ] || fail "pictures are missing"
! grep -q warning "$out/said" || { cat "$out/said"; fail "gnuplot complains"; }
for file in "$out/elsewhere/reproduced"/*.csv "$out/elsewhere/reproduced"/*.gp; do
	cmp "$file" "$out/whole/${file##*/}" >&2 || fail "pictures change data"
done
