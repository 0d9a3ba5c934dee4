#compdef sahm
# Completion of sahm for zsh. The program itself lists the candidates; see `sahm help completion`.
_sahm()
{
	local program line kind text what begin
	local -a answers whole whole_said more more_said
	program=${(Q)words[1]}
	program=${program/#\~\//$HOME/}
	answers=("${(@f)$("$program" completion --words -- "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
	for line in $answers; do
		kind=${line%%$'\t'*}
		text=${${line#*$'\t'}%%$'\t'*}
		what=${line##*$'\t'}
		case $kind in
		(word) whole+=("$text") whole_said+=("$text${what:+  -- $what}") ;;
		(more) more+=("$text") more_said+=("$text${what:+  -- $what}") ;;
		esac
	done
	(( ! $#whole )) || compadd -l -d whole_said -a whole
	(( ! $#more )) || compadd -l -S '' -d more_said -a more
	for line in $answers; do
		kind=${line%%$'\t'*}
		begin=${${line#*$'\t'}%%$'\t'*}
		[[ $kind == (files|folders|programs) ]] || continue
		[[ -z $begin ]] || compset -P "${(b)begin}" || continue
		case $kind in
		(files) _files ;;
		(folders) _path_files -/ ;;
		(programs) _command_names -e ;;
		esac
	done
	(( $#answers ))
}
if [[ ${funcstack[1]} = _sahm ]]; then
	_sahm "$@"
else
	compdef _sahm sahm
fi
