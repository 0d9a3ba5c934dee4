## Ways of a program into an IPU, each of which asks the trust file. What came with sahm is signed with the published key.
$ cp ipu/programs/prebuilt/watch.elf ipu/programs/prebuilt/classify.elf "$T" && chmod u+w "$T"/*.elf
$ echo 'this is no program' > "$T/nonsense.elf"
$ key=$(sed -n 's/.*public = //p' configs/trust/demonstration.cfg) && printf 'policy = "permissive";\nkeys = ( { name = "mine"; public = %s class = "developer"; } );\ndate = "2026-11-22";\n' "$key" > "$T/trust.cfg"
$ { cat "$T/trust.cfg"; echo 'confidential = true;'; } > "$T/confidential.cfg"
$ sed s/permissive/closed/ "$T/trust.cfg" > "$T/closed.cfg"
$ printf 'policy = "closed";\nkeyz = ();\n' > "$T/wrong.cfg"
$ printf 'cycle,address,is_write\n0,0x1000,0\n' > "$T/a.csv"
## sahm ipu run
$ sahm ipu run watch --abi memory_access --signals "$T/a.csv" --trust demonstration | head -n 1
status                               paused
$ sahm ipu run "$T/watch.elf" --abi memory_access --signals "$T/a.csv" | head -n 1
status                               paused
$ sahm ipu run "$T/watch.elf" --abi memory_access --signals "$T/a.csv" --trust "$T/trust.cfg"
sahm: error: @T@/watch.elf: it is unsigned, and the policy 'permissive' asks for a signature by any key that the trust file lists (@T@/trust.cfg)
[1]
$ sahm ipu run "$T/nonsense.elf" --abi memory_access --signals "$T/a.csv" --trust "$T/trust.cfg"
sahm: error: @T@/nonsense.elf: it is unsigned, and the policy 'permissive' asks for a signature by any key that the trust file lists (@T@/trust.cfg)
[1]
$ sahm ipu run "$T/nonsense.elf" --abi memory_access --signals "$T/a.csv"
sahm: error: @T@/nonsense.elf: not an ELF file
[1]
$ sahm ipu run - --abi memory_access --signals "$T/a.csv" --trust "$T/trust.cfg" < ipu/programs/prebuilt/watch.elf
sahm: error: <stdin>: it is unsigned, and the policy 'permissive' asks for a signature by any key that the trust file lists (@T@/trust.cfg)
[1]
$ sahm ipu run watch --abi memory_access --signals "$T/a.csv" --trust "$T/closed.cfg"
sahm: error: @ROOT@/ipu/programs/prebuilt/watch.elf: it is signed with a developer key, 'mine' (cb6708916848fdad9dcdb80c5883b5c7), and the policy 'closed' asks for a vendor key (@T@/closed.cfg)
[1]
$ sahm ipu run watch --abi memory_access --signals "$T/a.csv" --trust "$T/confidential.cfg" --packets "$T/p.csv"
sahm: error: @ROOT@/ipu/programs/prebuilt/watch.elf: no program may run here: confidential mode (@T@/confidential.cfg)
[1]
$ sahm ipu run watch --abi memory_access --signals "$T/a.csv" --trust demonstratio; sahm ipu run watch --abi memory_access --signals "$T/a.csv" --trust
sahm: error: no trust file is called 'demonstratio'; did you mean 'demonstration'? (a path of your own has a / or a . in it)
sahm: error: option '--trust' needs a value: --trust FILE
[2]
$ sahm ipu run watch --abi memory_access --signals "$T/a.csv" --trust "$T/nowhere.cfg"; sahm ipu run watch --abi memory_access --signals "$T/a.csv" --trust "$T/wrong.cfg"
sahm: error: cannot open '@T@/nowhere.cfg': No such file or directory
sahm: error: @T@/wrong.cfg:2: unknown key 'keyz'; did you mean 'keys'?
[1]
$ cp ipu/programs/prebuilt/watch.elf.sig "$T" && sahm ipu run "$T/watch.elf" --abi memory_access --signals "$T/a.csv" --trust "$T/trust.cfg" | head -n 1
status                               paused
$ sed 's/memory_access/gpu_activity/' ipu/abi/memory_access.cfg > "$T/other.cfg"; sahm ipu run "$T/watch.elf" --abi "$T/other.cfg" --signals "$T/a.csv" --trust "$T/trust.cfg"
sahm: error: @T@/watch.elf: it is signed for the ABI 'memory_access', and is to run with 'gpu_activity'
[1]
$ printf '\001' | dd of="$T/watch.elf" bs=1 seek=100 conv=notrunc 2>/dev/null; sahm ipu run "$T/watch.elf" --abi memory_access --signals "$T/a.csv" --trust "$T/trust.cfg"
sahm: error: @T@/watch.elf: it is not the image that was signed as 'watch' 1.0.0: it was altered since
[1]
$ sahm ipu run - --abi memory_access --signals "$T/a.csv" --trust - </dev/null
sahm: error: program and trust file cannot both come from standard input
[2]
$ sahm ipu run watch --abi memory_access --signals - --trust - </dev/null
sahm: error: signals and trust file cannot both come from standard input
[2]
$ sahm ipu run watch --abi - --signals "$T/a.csv" --trust - </dev/null
sahm: error: ABI spec and trust file cannot both come from standard input
[2]
$ sahm ipu run watch --abi memory_access --signals "$T/a.csv" --trust - <"$T/trust.cfg" | head -n 1
status                               paused
$ mkdir "$T/there" "$T/here" && cp ipu/programs/prebuilt/watch.elf ipu/programs/prebuilt/watch.elf.sig "$T/there" && ln -s ../there/watch.elf "$T/here/link.elf" && sahm ipu run "$T/here/link.elf" --abi memory_access --signals "$T/a.csv" --trust "$T/trust.cfg" | head -n 1
status                               paused
$ mv "$T/there/watch.elf.sig" "$T/here/link.elf.sig" && sahm ipu run "$T/here/link.elf" --abi memory_access --signals "$T/a.csv" --trust "$T/trust.cfg"
sahm: error: @T@/here/link.elf: it is unsigned, and the policy 'permissive' asks for a signature by any key that the trust file lists (@T@/trust.cfg)
[1]
$ mv "$T/here/link.elf.sig" "$T/there/watch.elf.sig"
## sahm ipu study and compare
$ sahm ipu study overlap --windows 1 --trust demonstration | head -n 1
scenario      expected     measured  windows  wrong  drop %    MB/s  GPU GB/s  0 high  1 high  2 high  3 high  synthetic activity
$ sahm ipu study values --trust "$T/confidential.cfg"
sahm: error: @ROOT@/ipu/programs/prebuilt/histogram.elf: no program may run here: confidential mode (@T@/confidential.cfg)
[1]
$ sahm ipu compare configs/canonical.cfg classify "$T/classify.elf" --trust "$T/trust.cfg" -o "$T/compared"
sahm: error: introspection.image is refused: @T@/classify.elf: it is unsigned, and the policy 'permissive' asks for a signature by any key that the trust file lists (@T@/trust.cfg)
[1]
$ sahm ipu compare configs/canonical.cfg classify predict --trust "$T/trust.cfg" --format csv | cut -d, -f1
classifier
built-in
oracle
classify
predict
## compare finds and refuses trust files as the others do
$ for trust in demonstratio "$T/nowhere.cfg" "$T/wrong.cfg" - "$T"; do sahm ipu compare configs/canonical.cfg classify --trust "$trust" -o "$T/compared" </dev/null; echo $?; done
sahm: error: no trust file is called 'demonstratio'; did you mean 'demonstration'? (a path of your own has a / or a . in it)
2
sahm: error: cannot open '@T@/nowhere.cfg': No such file or directory
1
sahm: error: @T@/wrong.cfg:2: unknown key 'keyz'; did you mean 'keys'?
1
sahm: error: --trust is '-', must be a file that can be read more than once
2
sahm: error: cannot open '@T@': it is not a regular file
1
$ for trust in demonstratio "$T/nowhere.cfg" "$T/wrong.cfg"; do sahm ipu study overlap --windows 1 --trust "$trust"; echo $?; done
sahm: error: no trust file is called 'demonstratio'; did you mean 'demonstration'? (a path of your own has a / or a . in it)
2
sahm: error: cannot open '@T@/nowhere.cfg': No such file or directory
1
sahm: error: @T@/wrong.cfg:2: unknown key 'keyz'; did you mean 'keys'?
1
$ cd "$T" && echo 'policy = "closed";' >demonstration && sahm ipu compare "$OLDPWD/configs/canonical.cfg" classify --trust demonstration --format csv | cut -d, -f1; rm demonstration
classifier
built-in
oracle
classify
## Configurations
$ { cat configs/canonical.cfg; printf 'introspection : {\n\timage = "classify.elf";\n\ttrust = "trust.cfg";\n};\n'; } | sed 's|"\.\./|"|' > "$T/run.cfg"
$ sahm run "$T/run.cfg"
sahm: error: @T@/run.cfg:42: introspection.image is refused: @T@/classify.elf: it is unsigned, and the policy 'permissive' asks for a signature by any key that the trust file lists (@T@/trust.cfg)
[1]
$ sahm run "$T/run.cfg" --set introspection.image=classify | grep introspection
introspection  classify, ABI core, IPUs at 2000 MHz beside cores at 3000 MHz, latency 1 us
introspection                4970 invocations of 79.0 instructions, 80.0 B/s a core, 97.34 % accurate
$ sahm run "$T/run.cfg" --set introspection.image=classify --print-config | grep -A 4 introspection
introspection :
{
	image = "@ROOT@/ipu/programs/prebuilt/classify.elf";
	abi = "@ROOT@/ipu/abi/core.cfg";
	trust = "@T@/trust.cfg";
$ sahm run "$T/run.cfg" --set introspection.image=classify --set introspection.trust="$T/confidential.cfg"
sahm: error: --set introspection.image=classify: introspection.image is refused: @ROOT@/ipu/programs/prebuilt/classify.elf: no program may run here: confidential mode (@T@/confidential.cfg)
[1]
$ sahm run "$T/run.cfg" --set introspection.trust="$T/wrong.cfg"
sahm: error: --set introspection.trust=@T@/wrong.cfg: @T@/wrong.cfg:2: unknown key 'keyz'; did you mean 'keys'?
[1]
$ sahm sweep "$T/run.cfg" --axis introspection.image=classify,'"'"$T/classify.elf"'"' -o "$T/refused.sqlite"
sahm: error: point 1 (introspection.image=@T@/classify.elf): introspection.image is refused: @T@/classify.elf: it is unsigned, and the policy 'permissive' asks for a signature by any key that the trust file lists (@T@/trust.cfg)
[1]
$ sahm sweep "$T/run.cfg" --axis introspection.image=classify,predict -o "$T/s.sqlite" -q && sahm query "$T/s.sqlite" axes | head -n 6
run.cfg: effect of each axis on speedup_mean, 2 points (assumed time base)

mean                         +29.76 %
min                          +29.76 %
max                          +29.76 %

$ sed -i 's/permissive/closed/' "$T/trust.cfg"; sahm sweep "$T/run.cfg" --axis introspection.image=classify,predict -o "$T/s.sqlite" -q
sahm: error: point 0 (introspection.image=classify): introspection.image is refused: @ROOT@/ipu/programs/prebuilt/classify.elf: it is signed with a developer key, 'mine' (cb6708916848fdad9dcdb80c5883b5c7), and the policy 'closed' asks for a vendor key (@T@/trust.cfg)
[1]
$ sahm rerun "$T/s.sqlite.manifest"
sahm: error: @T@/s.sqlite.manifest:48: point 0 (introspection.image=classify): introspection.image is refused: @ROOT@/ipu/programs/prebuilt/classify.elf: it is signed with a developer key, 'mine' (cb6708916848fdad9dcdb80c5883b5c7), and the policy 'closed' asks for a vendor key (@T@/trust.cfg)
[1]
$ sahm optimize "$T/run.cfg" --cores 2; sahm limit "$T/run.cfg" --set introspection.image=predict
sahm: error: @T@/run.cfg:42: introspection.image is refused: @T@/classify.elf: it is unsigned, and the policy 'closed' asks for a signature by a vendor key (@T@/trust.cfg)
sahm: error: --set introspection.image=predict: introspection.image is refused: @ROOT@/ipu/programs/prebuilt/predict.elf: it is signed with a developer key, 'mine' (cb6708916848fdad9dcdb80c5883b5c7), and the policy 'closed' asks for a vendor key (@T@/trust.cfg)
[1]
$ sed -i 's/closed/permissive/' "$T/trust.cfg"
## Sessions
$ cp ipu/programs/prebuilt/watch.elf "$T/unsigned.elf"; cp ipu/programs/prebuilt/watch.elf "$T/watch.elf"
$ cd "$T" && sahm ipu attach s --abi memory_access --units 2 --trust trust.cfg
units 0 to 1 at addresses 0x00000000 to 0x0001ffff
$ cd "$T" && sahm ipu config-image s unsigned.elf; sahm ipu config-image s nonsense.elf --unit all
sahm: error: unsigned.elf: it is unsigned, and the policy 'permissive' asks for a signature by any key that the trust file lists (@T@/trust.cfg)
sahm: error: nonsense.elf: it is unsigned, and the policy 'permissive' asks for a signature by any key that the trust file lists (@T@/trust.cfg)
[1]
$ cd "$T" && sahm ipu config-image s watch.elf --unit 1; sahm ipu status s | cut -c 1-30,144-
unit 1 at cycle 0: paused
unit  addresses               
   0  0x00000000 to 0x0000ffff
   1  0x00010000 to 0x0001ffff
$ cd "$T" && sed 's/hash=[0-9a-f]*/hash=.../g; s|\([a-z]*\)="\(.*\)"|\1=\2|; s| [a-z]*=/.*/| .../|' s
sahm-ipu-session 1
attach .../memory_access.cfg units=2 trust=trust.cfg hash=... trust-hash=...
config-image image=watch.elf unit=1 hash=... date=2026-11-22
$ cd "$T" && sahm ipu attach s --abi memory_access --add --trust trust.cfg
sahm: error: a session has one trust file, or none, from its beginning on: 'add' takes none
[2]
$ cd "$T" && sed 's/ date=.*//' s > t && sahm ipu status t
sahm: error: t:3: there is no date for the trust file
[1]
$ cd "$T" && mv watch.elf.sig away && sahm ipu wait s --unit 1; mv away watch.elf.sig
sahm: error: s:3: '@T@/watch.elf', or its signature, has changed since this 'config-image'
$ cd "$T" && echo '# a comment' >> trust.cfg && sahm ipu wait s --unit 1
sahm: error: s:2: '@T@/trust.cfg', or what it says is revoked, has changed since this 'attach'
[1]
$ cd "$T" && sed -i '$d' trust.cfg && tail -n 1 trust.cfg && for day in 2026-11-21 2026-11-23; do sed "s/ date=.*/ date=$day/" s >t; sahm ipu status t; done
date = "2026-11-22";
sahm: error: t:3: the date is 2026-11-21, and the trust file uses 2026-11-22
sahm: error: t:3: the date is 2026-11-23, and the trust file uses 2026-11-22
[1]
$ cd "$T" && grep -v date trust.cfg >undated.cfg && sahm ipu attach u --abi memory_access --trust undated.cfg && sahm ipu config-image u watch.elf && sed "s/ date=.*/ date=9999-12-31/" u >t && sahm ipu status t 2>&1 | sed "s/$(date -u +%Y-%m-%d)/TODAY/"
unit 0 at addresses 0x00000000 to 0x0000ffff
unit 0 at cycle 0: paused
sahm: error: t:3: the date, 9999-12-31, is still to come: it is TODAY
$ cd "$T" && ln -s ../trust.cfg here/trust.cfg && sahm ipu attach l --abi memory_access --trust here/trust.cfg && sahm ipu config-image l here/link.elf && sahm ipu wait l && sed 's|.* \(trust=[^ ]*\).*|\1|; s|.* \(image=[^ ]*\).*|\1|' l
unit 0 at addresses 0x00000000 to 0x0000ffff
unit 0 at cycle 0: paused
unit 0 at cycle 0: paused
sahm-ipu-session 1
trust=trust.cfg
image=there/watch.elf
wait
$ cd "$T" && sahm ipu attach n --abi memory_access --trust here/trust.cfg && sed 's/^abi/Abi/' there/watch.elf.sig >t && mv t there/watch.elf.sig && sahm ipu config-image n here/link.elf
unit 0 at addresses 0x00000000 to 0x0000ffff
sahm: error: @T@/there/watch.elf.sig:4: the line must be 'abi: ...'
[1]
$ cd "$T" && sahm ipu attach c --abi memory_access --trust confidential.cfg && sahm ipu config-image c watch.elf
unit 0 at addresses 0x00000000 to 0x0000ffff
sahm: error: watch.elf: no program may run here: confidential mode (@T@/confidential.cfg)
[1]
$ cd "$T" && sahm ipu attach d --abi memory_access --trust wrong.cfg; sahm ipu attach d --abi memory_access --trust -
sahm: error: wrong.cfg:2: unknown key 'keyz'; did you mean 'keys'?
sahm: error: --trust is '-', must be a file that is there for later calls, too
[2]
$ cd "$T" && ls
a.csv
c
classify.elf
closed.cfg
confidential.cfg
here
l
n
nonsense.elf
other.cfg
run.cfg
s
s.sqlite
s.sqlite.manifest
there
trust.cfg
u
undated.cfg
unsigned.elf
watch.elf
watch.elf.sig
wrong.cfg
