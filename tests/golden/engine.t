## Both engines print the same bytes, in every form, whatever the policy sees and does.
$ for c in configs/*.cfg; do for form in "" --details --json --csv "--csv --details"; do for e in plain event; do sahm run --engine=$e "$c" $form >"$T/$e" || echo "$e fails"; done; test -s "$T/event" && cmp "$T/plain" "$T/event" && echo "$c ${form:-as text}"; done; done
configs/canonical.cfg as text
configs/canonical.cfg --details
configs/canonical.cfg --json
configs/canonical.cfg --csv
configs/canonical.cfg --csv --details
configs/desktop-8.cfg as text
configs/desktop-8.cfg --details
configs/desktop-8.cfg --json
configs/desktop-8.cfg --csv
configs/desktop-8.cfg --csv --details
configs/open-39.cfg as text
configs/open-39.cfg --details
configs/open-39.cfg --json
configs/open-39.cfg --csv
configs/open-39.cfg --csv --details
configs/open-measured.cfg as text
configs/open-measured.cfg --details
configs/open-measured.cfg --json
configs/open-measured.cfg --csv
configs/open-measured.cfg --csv --details
configs/open.cfg as text
configs/open.cfg --details
configs/open.cfg --json
configs/open.cfg --csv
configs/open.cfg --csv --details
configs/realistic-39.cfg as text
configs/realistic-39.cfg --details
configs/realistic-39.cfg --json
configs/realistic-39.cfg --csv
configs/realistic-39.cfg --csv --details
configs/requests-8.cfg as text
configs/requests-8.cfg --details
configs/requests-8.cfg --json
configs/requests-8.cfg --csv
configs/requests-8.cfg --csv --details
configs/rtapp-video.cfg as text
configs/rtapp-video.cfg --details
configs/rtapp-video.cfg --json
configs/rtapp-video.cfg --csv
configs/rtapp-video.cfg --csv --details
configs/shared-16.cfg as text
configs/shared-16.cfg --details
configs/shared-16.cfg --json
configs/shared-16.cfg --csv
configs/shared-16.cfg --csv --details
cores that share or have levels run on the engine in continuous time, not on 'plain'
configs/sm8150.cfg as text
cores that share or have levels run on the engine in continuous time, not on 'plain'
configs/sm8150.cfg --details
cores that share or have levels run on the engine in continuous time, not on 'plain'
configs/sm8150.cfg --json
cores that share or have levels run on the engine in continuous time, not on 'plain'
configs/sm8150.cfg --csv
cores that share or have levels run on the engine in continuous time, not on 'plain'
configs/sm8150.cfg --csv --details
configs/synthetic-39.cfg as text
configs/synthetic-39.cfg --details
configs/synthetic-39.cfg --json
configs/synthetic-39.cfg --csv
configs/synthetic-39.cfg --csv --details
configs/weights-4.cfg as text
configs/weights-4.cfg --details
configs/weights-4.cfg --json
configs/weights-4.cfg --csv
configs/weights-4.cfg --csv --details
$ for p in sahm sahm-strict sahm-listing static; do for o in true false; do for e in plain event; do sahm run --engine=$e configs/shared-16.cfg --json --set scheduler.policy=$p --set scheduler.oracle=$o --set scheduler.inertia=0 --set scheduler.timestep_ms=7.3 >"$T/$e" || echo "$e fails"; done; test -s "$T/event" && cmp "$T/plain" "$T/event" && echo "$p, oracle $o"; done; done
sahm, oracle true
sahm, oracle false
sahm-strict, oracle true
sahm-strict, oracle false
sahm-listing, oracle true
sahm-listing, oracle false
static, oracle true
static, oracle false
## The event engine is the default.
$ sahm run configs/shared-16.cfg --json >"$T/default" && sahm run --engine event configs/shared-16.cfg --json | cmp - "$T/default"
## The last one counts.
$ sahm run --engine=plain --engine=event configs/shared-16.cfg --json | cmp - "$T/default"
$ sahm run --engine=plian configs/canonical.cfg
sahm: error: unknown engine 'plian', must be event or plain; did you mean 'plain'?
[2]
$ sahm run --engine=evnt configs/canonical.cfg
sahm: error: unknown engine 'evnt', must be event or plain; did you mean 'event'?
[2]
$ sahm run --engine=reference configs/canonical.cfg
sahm: error: unknown engine 'reference', must be event or plain
[2]
$ sahm run --engine= configs/canonical.cfg
sahm: error: unknown engine '', must be event or plain
[2]
$ sahm run configs/canonical.cfg --engine
sahm: error: option '--engine' needs a value: --engine NAME
[2]
