## What needs no server: help, and what is wrong with how one asks.
$ sahm help worker
usage: sahm worker [OPTION]...

Takes runs from a queue in Redis, where `sahm sweep --redis` puts them, carries
them out in several processes, and returns the results. The files that runs need
come through the queue, identified by the hashes of their contents: a worker
needs no shared disk. It takes only runs of its own version of sahm.

SIGTERM or SIGINT ends the worker: it finishes the runs in progress and returns
the rest; a second signal ends it immediately. If a worker is lost, others take
over its runs when its claim expires. A run whose worker was lost three times is
given up and reported as a failure.

If the server goes away, the worker waits until it is back.

options:
      --redis URL             the Redis server, as
                              redis://[USER[:PASSWORD]@]HOST[:PORT][/DATABASE];
                              without it $SAHM_REDIS. A password is better kept
                              in $SAHM_REDIS_PASSWORD, where no list of
                              processes shows it
      --queue NAME            the queue, of several that a server can have;
                              without it 'default'
  -j, --jobs N                processes that run at once; without it as many as
                              there are processors
      --cache FOLDER          folder for files that came through the queue,
                              shared by all workers of this machine (sahm in
                              $XDG_CACHE_HOME or in ~/.cache)
      --cache-mb N            maximum size of that folder (4096)
      --plugin FILE           a policy that runs may use (code does not come
                              through the queue); can be repeated
      --trust FILE            run only IPU programs that this file trusts
                              (docs/signing.md); without it all are run
      --any-program           also take runs that another version of sahm
                              planned; the results may differ from that
                              version's
      --timeout SECONDS       a run that takes longer has failed here (86400, a
                              day). A sweep can set a lower limit for its runs,
                              not a higher one
      --stall-timeout SECONDS
                              end the run if the policy makes no progress in
                              simulated time for this long (60)
      --memory BYTES          fail a run whose process needs more memory
                              (address space; 512M, 16G); (16G). A sweep can set
                              a lower limit for its runs, not a higher one
      --idle SECONDS          end after this long without a run (never)
      --grace SECONDS         after SIGTERM or SIGINT, end within this time, at
                              least 2 seconds: runs may continue until 2 seconds
                              before the end, then they are handed back (60)
      --claim SECONDS         how long a run stays with a worker of which
                              nothing is heard; without it as the queue has it,
                              or 30. The value must be the same in all commands
                              on a queue
  -q, --quiet                 say nothing but errors
  -h, --help                  print this
$ sahm help collect
usage: sahm collect [OPTION]... RESULTS

Takes the results of a sweep that `sahm sweep --redis` has submitted, and waits
until all are there. Use it if `sahm sweep` did not wait (--detach) or was
interrupted. If a result arrives twice, both must be equal to the bit; otherwise
both are kept, and the command fails.

Only one process at a time can write a results database. Running the same `sahm
sweep` command again also collects, and then writes the manifest.

options:
      --redis URL             the Redis server, as
                              redis://[USER[:PASSWORD]@]HOST[:PORT][/DATABASE];
                              without it $SAHM_REDIS. A password is better kept
                              in $SAHM_REDIS_PASSWORD, where no list of
                              processes shows it
      --queue NAME            the queue, of several that a server can have;
                              without it 'default'
      --now                   take what is there now, and do not wait for the
                              rest
  -q, --quiet                 no progress, no summary
  -h, --help                  print this
$ SAHM_REDIS= sahm worker
sahm: error: no Redis server is named: by --redis URL, or by SAHM_REDIS in the environment (redis://HOST[:PORT][/DATABASE])
[2]
$ SAHM_REDIS= sahm collect x.sqlite
sahm: error: there is no results file 'x.sqlite': `sahm sweep --redis` makes one
[1]
$ sahm worker --redis
sahm: error: option '--redis' needs a value: --redis URL
[2]
$ sahm worker here
sahm: error: a worker takes no operand: 'here'
[2]
$ sahm worker --redis http://h
sahm: error: 'http://' is not the scheme of a Redis server that can be used; did you mean 'redis://'? The form is redis://[USER[:PASSWORD]@]HOST[:PORT][/DATABASE]
[2]
$ sahm worker --redis rediss://h
sahm: error: rediss:// cannot be used: the library that sahm is built with has no TLS; give the redis:// URL of the near end of a tunnel, as by stunnel or ssh -L
[2]
$ sahm worker --redis redis://h:0
sahm: error: in the URL of the Redis server the port is not a number from 1 to 65535; its form is redis://[USER[:PASSWORD]@]HOST[:PORT][/DATABASE]
[2]
$ sahm worker --redis redis://h:65536
sahm: error: in the URL of the Redis server the port is not a number from 1 to 65535; its form is redis://[USER[:PASSWORD]@]HOST[:PORT][/DATABASE]
[2]
$ sahm worker --redis redis://
sahm: error: in the URL of the Redis server there is no host; its form is redis://[USER[:PASSWORD]@]HOST[:PORT][/DATABASE]
[2]
$ sahm worker --redis redis://h/x
sahm: error: in the URL of the Redis server the database is not a number from 0 to 65535; its form is redis://[USER[:PASSWORD]@]HOST[:PORT][/DATABASE]
[2]
$ SAHM_REDIS=rediss://h sahm worker
sahm: error: rediss:// cannot be used: the library that sahm is built with has no TLS; give the redis:// URL of the near end of a tunnel, as by stunnel or ssh -L
[2]
$ sahm worker --redis redis://h --queue 'a b'
sahm: error: a queue's name has up to 64 letters, digits, '-', '_' and '.': 'a b' is none
[2]
$ sahm worker --redis redis://h -j 0
sahm: error: --jobs is a whole number from 1 to 1024, not '0'
[2]
$ sahm worker --redis redis://h -j 1025
sahm: error: --jobs is a whole number from 1 to 1024, not '1025'
[2]
$ sahm worker --redis redis://h --claim 0
sahm: error: --claim is a whole number from 1 to 86400, not '0'
[2]
$ sahm worker --redis redis://h --claim 86401
sahm: error: --claim is a whole number from 1 to 86400, not '86401'
[2]
$ sahm worker --redis redis://h --cache-mb 0
sahm: error: --cache-mb is a whole number from 1 to 1073741824, not '0'
[2]
$ sahm worker --redis redis://h --idle 0
sahm: error: --idle is a whole number from 1 to 1000000, not '0'
[2]
$ sahm worker --redis redis://h --grace -1
sahm: error: --grace is a whole number from 0 to 1000000, not '-1'
[2]
$ sahm worker --redis redis://h --trust nowhere.cfg
sahm: error: there is no trust file 'nowhere.cfg'
[2]
$ HOME= XDG_CACHE_HOME= sahm worker --redis redis://h
sahm: error: there is neither $XDG_CACHE_HOME nor $HOME: --cache says where files go
[2]
$ sahm collect --redis redis://h
sahm: error: a results database is missing: sahm collect RESULTS
[2]
$ sahm collect a.sqlite b.sqlite --redis redis://h
sahm: error: one store at a time: 'b.sqlite' is too many
[2]
$ sahm collect nowhere.sqlite --redis redis://h
sahm: error: there is no results file 'nowhere.sqlite': `sahm sweep --redis` makes one
[1]
$ sahm sweep configs/canonical.cfg --detach
sahm: error: --detach needs --redis
[2]
$ sahm sweep configs/canonical.cfg --queue q
sahm: error: --queue needs --redis
[2]
$ sahm sweep configs/canonical.cfg --claim 5
sahm: error: --claim needs --redis
[2]
$ sahm sweep configs/canonical.cfg --redis redis://h --dry-run
sahm: error: --dry-run estimates what this machine does: leave --redis out
[2]
$ sahm sweep configs/canonical.cfg --redis rediss://h -o "$T/s.sqlite"; test ! -e "$T/s.sqlite"
sahm: error: rediss:// cannot be used: the library that sahm is built with has no TLS; give the redis:// URL of the near end of a tunnel, as by stunnel or ssh -L
## A password is in no message.
$ sahm worker --redis redis://u:s3cret@h:x
sahm: error: in the URL of the Redis server the port is not a number from 1 to 65535; its form is redis://[USER[:PASSWORD]@]HOST[:PORT][/DATABASE]
[2]
$ sahm worker --redis rediss://u:s3cret@h
sahm: error: rediss:// cannot be used: the library that sahm is built with has no TLS; give the redis:// URL of the near end of a tunnel, as by stunnel or ssh -L
[2]
## Nobody is there.
$ sahm worker --redis redis://127.0.0.1:1 --cache "$T/cache"
sahm: worker: cannot connect to the Redis server '127.0.0.1:1': Connection refused
sahm: error: cannot connect to the Redis server '127.0.0.1:1': Connection refused
[1]
$ sahm sweep configs/canonical.cfg --redis redis://:s3cret@127.0.0.1:1/2 -o "$T/s.sqlite"; test ! -e "$T/s.sqlite"
sahm: error: cannot connect to the Redis server '127.0.0.1:1': Connection refused
