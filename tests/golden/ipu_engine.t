## Names of engines.
$ for e in jitt interpreter "" INTERP; do sahm ipu exec --engine="$e" a.elf; done
sahm: error: unknown engine 'jitt', must be interp or jit; did you mean 'jit'?
sahm: error: unknown engine 'interpreter', must be interp or jit
sahm: error: unknown engine '', must be interp or jit
sahm: error: unknown engine 'INTERP', must be interp or jit; did you mean 'interp'?
[2]
$ sahm ipu run watch --abi memory_access --signals x.csv --engine=int
sahm: error: unknown engine 'int', must be interp or jit; did you mean 'interp'?
[2]
$ sahm ipu study overlap --engine=ji
sahm: error: unknown engine 'ji', must be interp or jit; did you mean 'jit'?
[2]
$ sahm ipu compare --engine=plain
sahm: error: unknown engine 'plain', must be interp or jit
[2]
$ sahm run --ipu-engine=event configs/canonical.cfg
sahm: error: unknown engine 'event', must be interp or jit
[2]
$ sahm run --engine=jit configs/canonical.cfg
sahm: error: --engine is event or plain, which simulate; --ipu-engine=jit executes the programs of IPUs
[2]
## The program is the same, and so is its end; what looks at each instruction interprets.
$ for e in interp jit; do sahm ipu exec --flat --engine=$e tests/fuzz/corpus/ipu_elf/hello 2>"$T/said"; echo "$?, $(sed 's/ in .*//' "$T/said")"; done
hello
3, executed 9 instructions
hello
3, executed 9 instructions
$ for e in interp jit; do sahm ipu exec --flat --engine=$e --trace - tests/fuzz/corpus/ipu_elf/hello 2>&1 | sed 's/ in [0-9].*//' | cksum; done | uniq | wc -l
1
## Recorded signals: packets and summary.
$ printf 'cycle,simt_active,tensor_active,memory_active\n0,1,0,1\n100,0,1,1\n5999,,,\n' >"$T/s.csv"; for e in interp jit; do sahm ipu run overlap --abi gpu_activity --signals "$T/s.csv" --packets "$T/$e.csv" --engine=$e --json >"$T/$e.json"; done; cmp "$T/interp.json" "$T/jit.json" && cmp "$T/interp.csv" "$T/jit.csv" && wc -l <"$T/jit.csv"
23
## The studies.
$ for study in overlap values; do for e in interp jit; do sahm ipu study $study --engine=$e --json >"$T/$e"; done; cmp "$T/interp" "$T/jit" && echo $study; done
overlap
values
## IPUs in the loop, by both engines of the simulation; the translator is the default.
$ for image in classify classify-ewma predict; do for e in interp jit; do for s in event plain; do sahm run configs/realistic-39.cfg --set introspection.image=$image --json --ipu-engine=$e --engine=$s >"$T/$e-$s" || echo "$e $s fails"; done; done; sahm run configs/realistic-39.cfg --set introspection.image=$image --json >"$T/default"; for f in interp-plain jit-event jit-plain default; do cmp "$T/interp-event" "$T/$f"; done; echo $image; done
classify
classify-ewma
predict
$ for e in interp jit; do sahm ipu compare --engine=$e --format=csv >"$T/$e"; done; cmp "$T/interp" "$T/jit" && wc -l <"$T/jit"
6
## A configuration without IPUs does not mind.
$ sahm run --ipu-engine=interp configs/canonical.cfg --json >"$T/with" && sahm run configs/canonical.cfg --json | cmp - "$T/with"
sahm: error: --ipu-engine goes with IPUs: configs/canonical.cfg has none (introspection.image)
[2]
