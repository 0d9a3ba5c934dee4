## sahm ipu keygen, sign, verify: what is printed, and each refusal
$ cd "$T" && sahm ipu keygen lab >row 2>said; sed 's/[0-9a-f]\{32,\}/HEX/' row said; sed 's/[0-9a-f]\{32,\}/HEX/' lab.key lab.pub; stat -c '%a %n' lab.key
{ name = "lab"; public = "HEX"; class = "developer"; expires = "never"; }
lab.key: the secret half, to be kept; lab.pub: the public half, to be given away; id HEX
sahm ipu secret key 1
# Keep this file to yourself: anyone who has it can sign in your name.
seed: HEX
sahm ipu public key 1
public: HEX
id: HEX
600 lab.key
$ cd "$T" && sahm ipu keygen lab
sahm: error: 'lab.key' is there already: a key is never overwritten
[1]
$ cd "$T" && sahm ipu keygen lab.key
sahm: error: the name 'lab.key' has an ending: NAME.key and NAME.pub are made of NAME
[2]
$ sahm ipu keygen 'a b'
sahm: error: bad name 'a b', must be up to 64 letters, digits, '.', '_' and '-', a letter or digit first
[2]
$ sahm ipu keygen
sahm: error: a name is missing: sahm ipu keygen NAME
[2]
$ sahm ipu keygen a b
sahm: error: one pair of keys at a time: 'b' is too many
[2]
$ sahm ipu keygen "$T/none/a"
sahm: error: cannot create '@T@/none/a.key': No such file or directory
[1]
## A key of one's own signs, and its public half verifies; what others can read does not sign
$ cd "$T" && cp "$OLDPWD/ipu/programs/prebuilt/classify.elf" . && sahm ipu sign --key lab.key --abi core classify.elf 2>&1 | sed 's/[0-9a-f]\{32\}/ID/' && sahm ipu verify --pub lab.pub classify.elf | sed 's/key .*/key      ID/'
classify.elf.sig: 'classify' 1.0.0, for the ABI 'core', signed with the key ID
classify.elf: its signature is good
  name     classify
  version  1.0.0
  ABI      core
  spec     8eccdd125c85cfa73f4dd139af9e08c3dbf40b15302f88c269eac51da234322f
  class    permissive
  key      ID
  expires  never
  image    e0978ac6828142bf6fc944cb6d1a6fde0b047497de9e421daaa38db33beec917
$ cd "$T" && chmod 640 lab.key && sahm ipu sign --key lab.key --abi core classify.elf
sahm: error: lab.key: others than its owner can use this key (mode 0640); chmod 600 it, or make a new one
[1]
## A program and its soft logic are signed as one
$ cd "$T" && chmod 600 lab.key && echo module >m.so && sahm ipu sign --key lab.key --abi core --soft m.so classify.elf 2>&1 | sed 's/[0-9a-f]\{32\}/ID/' && grep '^soft' classify.elf.sig && sahm ipu verify --pub lab.pub --soft m.so classify.elf | tail -n 2
classify.elf.sig: 'classify' 1.0.0 with its soft logic, for the ABI 'core', signed with the key ID
soft: 93e9204569a52448c5cd3639142a76f5fc99f9e01c67bf7b56b5eb1e537fdcd4
  image    e0978ac6828142bf6fc944cb6d1a6fde0b047497de9e421daaa38db33beec917
  soft     93e9204569a52448c5cd3639142a76f5fc99f9e01c67bf7b56b5eb1e537fdcd4
$ cd "$T" && sahm ipu verify --pub lab.pub classify.elf
sahm: error: classify.elf: it is signed together with soft logic, and is to run without
[1]
$ cd "$T" && echo other >m.so && sahm ipu verify --pub lab.pub --soft m.so classify.elf
sahm: error: classify.elf: its soft logic 'm.so' is not that with which it was signed
[1]
$ cd "$T" && sahm ipu verify --pub lab.pub --soft none.so classify.elf
sahm: error: cannot open 'none.so': No such file or directory
[1]
$ cd "$T" && sahm ipu sign --key lab.key --abi core --soft none.so classify.elf
sahm: error: cannot open 'none.so': No such file or directory
[1]
$ cd "$T" && sahm ipu sign --key lab.key --abi core --soft classify.elf.sig classify.elf
sahm: error: the result would overwrite 'classify.elf.sig', which it is made from
[2]
$ cd "$T" && sahm ipu sign --key lab.key --abi core classify.elf >said 2>&1 && sahm ipu verify --pub lab.pub --soft m.so classify.elf
sahm: error: classify.elf: it is signed without soft logic, and is to run with 'm.so'
[1]
## The demonstration key: the same bytes each time
$ cd "$T" && sahm ipu sign --key "$OLDPWD/ipu/programs/keys/insecure-demonstration.key" --abi core classify.elf && cmp classify.elf.sig "$OLDPWD/ipu/programs/prebuilt/classify.elf.sig" && cat classify.elf.sig
classify.elf.sig: 'classify' 1.0.0, for the ABI 'core', signed with the key cb6708916848fdad9dcdb80c5883b5c7, which everybody has: it proves nothing
sahm ipu signature 2
name: classify
version: 1.0.0
abi: core
spec: 8eccdd125c85cfa73f4dd139af9e08c3dbf40b15302f88c269eac51da234322f
class: permissive
key: cb6708916848fdad9dcdb80c5883b5c7
expires: never
image: e0978ac6828142bf6fc944cb6d1a6fde0b047497de9e421daaa38db33beec917
signature: 8812f5a90e0da9bdfa8f49da6fcf23a5abc94ffddaefd877c75986e07f8fd4a96ed646f9caa9ed08848f00516dc71cf72d62f7f9d7f205a55239d5d886c9cd01
$ sahm ipu verify --trust demonstration classify
@ROOT@/ipu/programs/prebuilt/classify.elf: its signature is good
  name     classify
  version  1.0.0
  ABI      core
  spec     8eccdd125c85cfa73f4dd139af9e08c3dbf40b15302f88c269eac51da234322f
  class    permissive
  key      cb6708916848fdad9dcdb80c5883b5c7, 'insecure demonstration key' (developer)
  expires  never
  image    e0978ac6828142bf6fc944cb6d1a6fde0b047497de9e421daaa38db33beec917
$ cd "$T" && cp classify.elf.sig beside && mv classify.elf plain.elf && sahm ipu verify --pub "$OLDPWD/ipu/programs/keys/insecure-demonstration.pub" --signature beside - <plain.elf
<stdin>: its signature is good
  name     classify
  version  1.0.0
  ABI      core
  spec     8eccdd125c85cfa73f4dd139af9e08c3dbf40b15302f88c269eac51da234322f
  class    permissive
  key      cb6708916848fdad9dcdb80c5883b5c7, @ROOT@/ipu/programs/keys/insecure-demonstration.pub
  expires  never
  image    e0978ac6828142bf6fc944cb6d1a6fde0b047497de9e421daaa38db33beec917
$ sahm ipu verify --trust configs/trust/demonstration.cfg --abi pics classify
sahm: error: @ROOT@/ipu/programs/prebuilt/classify.elf: it is signed for the ABI 'core', and is to run with 'pics'
[1]
$ cd "$T" && sahm ipu verify --pub lab.pub "$OLDPWD/ipu/programs/prebuilt/classify.elf" 2>&1 | sed "s|$OLDPWD|@ROOT@|"
sahm: error: @ROOT@/ipu/programs/prebuilt/classify.elf: it is signed with a key that is not known here, cb6708916848fdad9dcdb80c5883b5c7 (lab.pub)
## What can be said of a program
$ cd "$T" && printf 'sahm ipu published key 1\nseed: %064d\n' 1 >vendor.key && printf 'sahm ipu published key 1\nseed: %064d\n' 2 >dev.key && printf 'no ELF file' >count.elf && sahm ipu sign --key dev.key --abi core --name counter --release 2.1-rc1 --class closed --expires 2027-01-15 count.elf && cat count.elf.sig
count.elf.sig: 'counter' 2.1-rc1, for the ABI 'core', signed with the key d79e3c903998b62b6331efb06a51ada3, which everybody has: it proves nothing
sahm ipu signature 2
name: counter
version: 2.1-rc1
abi: core
spec: 8eccdd125c85cfa73f4dd139af9e08c3dbf40b15302f88c269eac51da234322f
class: closed
key: d79e3c903998b62b6331efb06a51ada3
expires: 2027-01-15
image: 8d4ecd7ea623c4c165334576feb727a21ad8b722453785936e15157ece630d43
signature: b7ab7068723b1e348a4c9a0edc52bda636c4bc625f2eec1f3f6d3eef52ff99ad67428669ff3f5ad27e5c937bc0d6fa9d54d321bbe7f1fd32a74fe7eb7550c200
$ cd "$T" && sahm ipu sign --key dev.key --abi core --name 'a b' count.elf; sahm ipu sign --key dev.key --abi core --release '' count.elf; sahm ipu sign --key dev.key --abi Core count.elf; sahm ipu sign --key dev.key --abi core --class open count.elf; sahm ipu sign --key dev.key --abi core --class close count.elf; sahm ipu sign --key dev.key --abi core --expires 2027-02-29 count.elf
sahm: error: bad name 'a b', must be up to 64 letters, digits, '.', '_' and '-', a letter or digit first
sahm: error: --release is '', must be up to 32 letters, digits, '.', '_', '-', '+' and '~', a letter or digit first
sahm: error: no ABI spec is called 'Core'; did you mean 'core'? (a path of your own has a / or a . in it)
sahm: error: --class is 'open', must be closed, restrictive or permissive
sahm: error: --class is 'close', must be closed, restrictive or permissive; did you mean 'closed'?
sahm: error: --expires is '2027-02-29', must be a day like 2030-12-31, or never
[2]
$ cd "$T" && cp count.elf 'my count.elf' && sahm ipu sign --key dev.key --abi core 'my count.elf'
sahm: error: bad name 'my count', must be up to 64 letters, digits, '.', '_' and '-', a letter or digit first (--name gives it another)
[2]
$ cd "$T" && sahm ipu sign count.elf; sahm ipu sign --key dev.key count.elf; sahm ipu sign --key dev.key --abi core; sahm ipu sign --key dev.key --abi core -; sahm ipu sign --key dev.key --abi core a b; sahm ipu sign --key none.key --abi core count.elf; sahm ipu sign --key lab.pub --abi core count.elf; sahm ipu sign --key dev.key --abi core none.elf; echo $?
sahm: error: --key is missing: the file that `sahm ipu keygen` made
sahm: error: --abi is missing: the ABI spec that the program is written for
sahm: error: an image is missing: sahm ipu sign --key FILE --abi NAME|FILE IMAGE
sahm: error: standard input cannot be signed: there is nothing beside it
sahm: error: one image at a time: 'b' is too many
sahm: error: cannot open 'none.key': No such file or directory
sahm: error: lab.pub:1: this is no secret key: the first line must be 'sahm ipu secret key 1'
sahm: error: cannot open 'none.elf': No such file or directory
1
$ cd "$T" && sahm ipu verify count.elf; sahm ipu verify --trust a --pub b count.elf; sahm ipu verify --trust a; sahm ipu verify --trust - -; sahm ipu verify --trust none.cfg count.elf; sahm ipu verify --trust none.cfg clasify; sahm ipu verify --pub dev.key count.elf; echo $?
sahm: error: --trust FILE or --pub FILE is missing
sahm: error: --trust and --pub exclude each other
sahm: error: an image is missing: sahm ipu verify --trust FILE IMAGE
sahm: error: standard input can be one thing: the image or the trust file
sahm: error: cannot open 'none.cfg': No such file or directory
sahm: error: no introspection program is called 'clasify'; did you mean 'classify'? (a path of your own has a / or a . in it)
sahm: error: dev.key:1: this is no public key: the first line must be 'sahm ipu public key 1'
1
## Each reason of refusal. An image that is no ELF file is refused for its signature, before anybody looks into it
$ cd "$T" && printf '%s\n' 'date = "2026-11-22";' 'keys = (' '{ name = "maker"; public = "4cb5abf6ad79fbf5abbccafcc269d85cd2651ed4b885b5869f241aedf0a5ba29"; class = "vendor"; expires = "2026-11-22"; },' '{ name = "dev"; public = "7422b9887598068e32c4448a949adb290d0f4e35b9e01b0ee5f1a1e600fe2674"; class = "developer"; });' >keys.cfg && for p in closed restrictive permissive; do printf '%s\n' "policy = \"$p\";" '@include "keys.cfg"' >$p.cfg; done; sahm ipu verify --trust permissive.cfg count.elf
count.elf: its signature is good
  name     counter
  version  2.1-rc1
  ABI      core
  spec     8eccdd125c85cfa73f4dd139af9e08c3dbf40b15302f88c269eac51da234322f
  class    closed
  key      d79e3c903998b62b6331efb06a51ada3, 'dev' (developer)
  expires  2027-01-15
  image    8d4ecd7ea623c4c165334576feb727a21ad8b722453785936e15157ece630d43
$ cd "$T" && for p in closed restrictive permissive; do sahm ipu verify --trust $p.cfg plain.elf; done
sahm: error: plain.elf: it is unsigned, and the policy 'closed' asks for a signature by a vendor key (closed.cfg)
sahm: error: plain.elf: it is unsigned, and the policy 'restrictive' asks for a signature by a vendor key or that of a reviewer (restrictive.cfg)
sahm: error: plain.elf: it is unsigned, and the policy 'permissive' asks for a signature by any key that the trust file lists (permissive.cfg)
[1]
$ cd "$T" && for p in closed restrictive; do sahm ipu verify --trust $p.cfg count.elf; done
sahm: error: count.elf: it is signed with a developer key, 'dev' (d79e3c903998b62b6331efb06a51ada3), and the policy 'closed' asks for a vendor key (closed.cfg)
sahm: error: count.elf: it is signed with a developer key, 'dev' (d79e3c903998b62b6331efb06a51ada3), and the policy 'restrictive' asks for a vendor key or that of a reviewer (restrictive.cfg)
[1]
$ cd "$T" && sahm ipu sign --key vendor.key --abi core plain.elf && sahm ipu verify --trust restrictive.cfg plain.elf
plain.elf.sig: 'plain' 1.0.0, for the ABI 'core', signed with the key 0392ead47e3a6e4dff97a92bba1d79c6, which everybody has: it proves nothing
sahm: error: plain.elf: it is signed for the policy 'permissive' at the strictest, and the policy here is 'restrictive' (restrictive.cfg)
[1]
$ cd "$T" && sahm ipu sign --key vendor.key --abi core --class closed plain.elf && sahm ipu verify --trust closed.cfg plain.elf | head -n 1
plain.elf.sig: 'plain' 1.0.0, for the ABI 'core', signed with the key 0392ead47e3a6e4dff97a92bba1d79c6, which everybody has: it proves nothing
plain.elf: its signature is good
$ cd "$T" && sed 's/"2026-11-22";$/"2026-11-23";/' keys.cfg >later.cfg && sahm ipu verify --trust later.cfg plain.elf
sahm: error: plain.elf: the key that it is signed with, 'maker' (0392ead47e3a6e4dff97a92bba1d79c6), expired: its last day was 2026-11-22, and it is 2026-11-23
[1]
$ cd "$T" && printf '%s\n' 'policy = "permissive"; date = "2027-01-16";' >expired.cfg && tail -n +2 keys.cfg >>expired.cfg && sahm ipu verify --trust expired.cfg count.elf
sahm: error: count.elf: its signature expired: its last day was 2027-01-15, and it is 2027-01-16
[1]
$ cd "$T" && cp count.elf.sig kept && printf 'no ELF filf' >count.elf && sahm ipu verify --trust permissive.cfg count.elf; printf 'no ELF file' >count.elf
sahm: error: count.elf: it is not the image that was signed as 'counter' 2.1-rc1: it was altered since
$ cd "$T" && sed 's/2.1-rc1/2.1/' kept >count.elf.sig && sahm ipu verify --trust permissive.cfg count.elf
sahm: error: count.elf: its signature is not one by the key 'dev' (d79e3c903998b62b6331efb06a51ada3): a line of it was altered, or another key made it
[1]
$ cd "$T" && sed 's/^abi: core/abi: Core/' kept >count.elf.sig && sahm ipu verify --trust permissive.cfg count.elf
sahm: error: count.elf.sig:4: abi must be up to 32 lower-case letters, digits and '_', a letter first
[1]
$ cd "$T" && sed '$d' kept >other && sahm ipu verify --trust permissive.cfg --signature other count.elf
sahm: error: other:10: the line 'signature: ...' is missing
[1]
$ cd "$T" && sahm ipu verify --trust permissive.cfg --signature none count.elf
sahm: error: cannot open 'none': No such file or directory
[1]
$ cd "$T" && cp kept count.elf.sig && sahm ipu verify --trust permissive.cfg --abi pics count.elf
sahm: error: count.elf: it is signed for the ABI 'core', and is to run with 'pics'
[1]
$ cd "$T" && id=$(sed -n 's/^key: //p' kept) && printf '%s\n' "revoked = ({ key = \"$id\"; reason = \"lost with a laptop\"; });" >list.cfg && cp permissive.cfg revoked.cfg && echo 'revocations = "list.cfg";' >>revoked.cfg && sahm ipu verify --trust revoked.cfg count.elf
sahm: error: count.elf: the key that it is signed with, 'dev' (d79e3c903998b62b6331efb06a51ada3), is revoked: lost with a laptop (list.cfg:1)
[1]
$ cd "$T" && image=$(sed -n 's/^image: //p' kept) && printf '%s\n' "revoked = ({ image = \"$image\"; reason = \"leaks addresses\"; });" >list.cfg && sahm ipu verify --trust revoked.cfg count.elf
sahm: error: count.elf: this image is revoked: leaks addresses (list.cfg:1)
[1]
$ cd "$T" && cp permissive.cfg confidential.cfg && echo 'confidential = true;' >>confidential.cfg && sahm ipu verify --trust confidential.cfg count.elf
sahm: error: count.elf: no program may run here: confidential mode (confidential.cfg)
[1]
$ cd "$T" && sahm ipu sign --key "$OLDPWD/ipu/programs/keys/insecure-demonstration.key" --abi core count.elf 2>said && sahm ipu verify --trust permissive.cfg count.elf
sahm: error: count.elf: it is signed with a key that is not known here, cb6708916848fdad9dcdb80c5883b5c7 (permissive.cfg)
[1]
## Trust files
$ cd "$T" && echo 'polcy = "closed";' >bad.cfg && sahm ipu verify --trust bad.cfg count.elf
sahm: error: bad.cfg:1: unknown key 'polcy'; did you mean 'policy'?
[1]
$ cd "$T" && echo 'policy = "permisive";' >bad.cfg && sahm ipu verify --trust bad.cfg count.elf
sahm: error: bad.cfg:1: no policy is called 'permisive': it is closed, restrictive or permissive; did you mean 'permissive'?
[1]
$ cd "$T" && sed 's/developer/develoer/' keys.cfg >bad.cfg && sahm ipu verify --trust bad.cfg count.elf
sahm: error: bad.cfg:4: no class of keys is called 'develoer': it is vendor, reviewed or developer; did you mean 'developer'?
[1]
$ cd "$T" && sed 's/name = "maker"/name = "dev"/' keys.cfg >bad.cfg && sahm ipu verify --trust bad.cfg count.elf
sahm: error: bad.cfg:4: another key is called 'dev', in line 3: each needs a different name
[1]
$ cd "$T" && (cat permissive.cfg; printf '\nrevocations = "lost.cfg";\n') >bad.cfg && sahm ipu verify --trust bad.cfg count.elf
sahm: error: bad.cfg:4: 'revocations': cannot open 'lost.cfg': No such file or directory
[1]
## Links are followed first: what belongs to a file stands beside the file itself, not beside a link to it
$ cd "$T" && mkdir there here && cp keys.cfg there && cp plain.elf there/real.elf && ln -s ../there/real.elf here/link.elf && sahm ipu sign --key vendor.key --abi core --class closed here/link.elf && ls there here
@T@/there/real.elf.sig: 'link' 1.0.0, for the ABI 'core', signed with the key 0392ead47e3a6e4dff97a92bba1d79c6, which everybody has: it proves nothing
here:
link.elf

there:
keys.cfg
real.elf
real.elf.sig
$ cd "$T" && echo 'no signature' >here/link.elf.sig && sahm ipu verify --trust closed.cfg here/link.elf | head -n 1
here/link.elf: its signature is good
$ cd "$T" && cp there/real.elf.sig kept && mv there/real.elf.sig here/link.elf.sig && sahm ipu verify --trust closed.cfg here/link.elf
sahm: error: here/link.elf: it is unsigned, and the policy 'closed' asks for a signature by a vendor key (closed.cfg)
[1]
$ cd "$T" && sed 's/^abi: core/abi: Core/' kept >there/real.elf.sig && sahm ipu verify --trust closed.cfg here/link.elf; cp kept there/real.elf.sig
sahm: error: @T@/there/real.elf.sig:4: abi must be up to 32 lower-case letters, digits and '_', a letter first
$ cd "$T" && (cat closed.cfg; printf '\nrevocations = "list.cfg";\n') >there/trust.cfg && ln -s ../there/trust.cfg here/trust.cfg && echo 'revoked = ();' >here/list.cfg && sed 's/image = "[0-9a-f]*"/image = "'$(sed -n 's/^image: //p' kept)'"/' list.cfg >there/list.cfg && sahm ipu verify --trust here/trust.cfg plain.elf
sahm: error: plain.elf: this image is revoked: leaks addresses (@T@/there/list.cfg:1)
[1]
$ cd "$T" && rm there/list.cfg && sahm ipu verify --trust here/trust.cfg plain.elf
sahm: error: @T@/there/trust.cfg:4: 'revocations': cannot open '@T@/there/list.cfg': No such file or directory
[1]
## What is no program for an IPU is not signed; what is no file is not written to
$ cd "$T" && head -c 1048577 /dev/zero >large.elf && sahm ipu sign --key vendor.key --abi core large.elf; cp kept large.elf.sig; sahm ipu verify --trust closed.cfg large.elf
sahm: error: 'large.elf' is larger than 1048576 bytes
sahm: error: 'large.elf' is larger than 1048576 bytes
[1]
$ cd "$T" && head -c 1048576 /dev/zero >large.elf && sahm ipu sign --key vendor.key --abi core --class closed large.elf && sahm ipu verify --trust closed.cfg large.elf | head -n 1
large.elf.sig: 'large' 1.0.0, for the ABI 'core', signed with the key 0392ead47e3a6e4dff97a92bba1d79c6, which everybody has: it proves nothing
large.elf: its signature is good
$ cd "$T" && cp plain.elf piped.elf && mkfifo piped.elf.sig && timeout 10 sahm ipu sign --key vendor.key --abi core piped.elf
sahm: error: cannot write 'piped.elf.sig': it is there, and is not a regular file
[1]
$ cd "$T" && mkfifo piped.cfg && (cat permissive.cfg; printf '\nrevocations = "piped.cfg";\n') >bad.cfg && timeout 10 sahm ipu verify --trust bad.cfg count.elf
sahm: error: bad.cfg:4: 'revocations': cannot open 'piped.cfg': it is not a regular file
[1]
## The spec is read, and its contents are bound: one's own as well, by its path
$ cd "$T" && sahm ipu sign --key lab.key --abi cor plain.elf
sahm: error: no ABI spec is called 'cor'; did you mean 'core'? (a path of your own has a / or a . in it)
[2]
$ cd "$T" && chmod 600 lab.key && sed 's/"core"/"temperature"/' "$OLDPWD/ipu/abi/core.cfg" >own.cfg && sahm ipu sign --key lab.key --abi ./own.cfg plain.elf 2>said && sahm ipu verify --pub lab.pub --abi ./own.cfg plain.elf | head -n 1
plain.elf: its signature is good
$ cd "$T" && sed -i 's/bits = 64/bits = 63/' own.cfg && sahm ipu verify --pub lab.pub --abi ./own.cfg plain.elf
sahm: error: plain.elf: it is signed for another spec of the ABI 'temperature'
[1]
## What a trust file calls a key does not drive the terminal
$ cd "$T" && sed 's/name = "maker"/name = "m\\x1b[31maker"/' keys.cfg >odd.cfg && sahm ipu verify --trust odd.cfg --signature kept plain.elf | grep key; grep -c x1b odd.cfg
  key      0392ead47e3a6e4dff97a92bba1d79c6, 'm?[31maker' (vendor)
1
