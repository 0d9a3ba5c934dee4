## What shells ask, and what they are told.
$ sahm completion --words -- que
word	query	ask a results database about a sweep, without SQL
word	queue	...
$ sahm completion --words -- queue r
word	retry	put runs that were given up back into the queue
$ sahm completion --words -- run --engine p
word	plain	
$ sahm completion --words -- run --engine=p
word	--engine=plain	
$ sahm completion --words -- sweep -a 'scheduler.policy=sahm-strict,sahm-l'
word	scheduler.policy=sahm-strict,sahm-listing	sahm without swaps: moves to idle cores only
files	scheduler.policy=sahm-strict,	
$ sahm completion --words -- run --set 'chip.cores[3].f'
more	chip.cores[3].figure=	which published figure a work's name stands for: targeted (where its ...
more	chip.cores[3].fixed_mhz=	frequency of the level at which these cores stay
$ sahm completion --words -- run --set 'chip.cores[3].figure='
word	chip.cores[3].figure=targeted	
word	chip.cores[3].figure=average	
$ sahm completion --words -- run -o
word	-o	write the result to FILE instead of standard output
$ sahm completion --words -- run -ox
files	-o	
$ sahm completion --words -- trace record -- ls ''
files		
$ sahm completion --words -- nothing of ours ''
$ sahm completion --words -- --allow
word	--allow-includes	let configurations include files in FOLDER and below; can be repeated. By ...
$ sahm completion --words -- --allow-includes=x
folders	--allow-includes=	
$ sahm completion --words -- --allow-includes 'a folder' run --engine p
word	plain	
$ sahm completion --words -- --nonsense run --engine p
$ sahm completion --words
$ sahm completion --words -- --v
word	--version	
$ sahm completion bash | head -n 3
# Completion of sahm for bash. The program itself lists the candidates; see `sahm help completion`.
_sahm()
{
$ sahm completion csh
sahm: error: no completion for 'csh', there is one for bash, zsh and fish; did you mean 'zsh'?
[2]
$ sahm completion
sahm: error: a shell is missing: sahm completion bash, zsh or fish
[2]
$ sahm completion bash zsh
sahm: error: one shell at a time: 'zsh' is too many
[2]
$ sahm completion --words bash | head -n 1
## Axes of the store that is asked, by --sweep too; where there is none to read, all that can be one.
$ sahm sweep configs/canonical.cfg -s workload.duration_ms=200 -a scheduler.inertia=0..4..2 -a migration.cost_ms=0,1 -o "$T/s.sqlite" -q; sahm sweep configs/canonical.cfg -s workload.duration_ms=200 -a cuts.set=p25,p50 -o "$T/s.sqlite" -q
$ sahm completion --words -- query "$T/s.sqlite" best --where ''
more	cuts.set=	
$ sahm completion --words -- query --sweep 1 "$T/s.sqlite" best -w ''
more	scheduler.inertia=	
more	migration.cost_ms=	
$ sahm completion --words -- report "$T/s.sqlite" --sweep=1 --where=scheduler.inertia=
word	--where=scheduler.inertia=0	
word	--where=scheduler.inertia=2	
word	--where=scheduler.inertia=4	
$ sahm completion --words -- query "$T/s.sqlite" --sweep 1 axes -w cost_ms=
word	cost_ms=0	
word	cost_ms=1	
$ sahm completion --words -- query "$T/none.sqlite" best -w cuts.s
more	cuts.set=	named set of thresholds: p25, p50 or intuitive
$ sahm completion --words -- query "$T/s.sqlite" --sweep 7 best -w cuts.s
more	cuts.set=	named set of thresholds: p25, p50 or intuitive
$ sahm completion --words -- query -w cuts.s
more	cuts.set=	named set of thresholds: p25, p50 or intuitive
## Names that a shell would act on are not offered.
$ { cat configs/canonical.cfg; printf 'sweep = { axes = ( { name = "a`id`"; points = ( { name = "x"; set = []; } ); }, { name = "b"; points = ( { name = "x y"; set = []; }, { name = "$(id)"; set = []; }, { name = "z"; set = []; } ); } ); };'; } >"$T/odd.cfg"; sahm sweep "$T/odd.cfg" -s workload.duration_ms=200 -q -o "$T/odd.sqlite"
$ sahm completion --words -- query "$T/odd.sqlite" best -w ''
more	b=	
$ sahm completion --words -- query "$T/odd.sqlite" best -w b=
word	b=z	
