# Installation. Paths are quoted: DESTDIR and prefix may hold spaces.

.PHONY: install uninstall
install: build/sahm build/release/libsahm.a man
	install -d "$(DESTDIR)$(bindir)" "$(DESTDIR)$(libdir)" "$(DESTDIR)$(mandir)/man1" "$(DESTDIR)$(mandir)/man5"
	install -m 755 build/sahm "$(DESTDIR)$(bindir)/sahm"
	install -m 644 build/release/libsahm.a "$(DESTDIR)$(libdir)/libsahm.a"
	install -m 644 build/man/sahm.1 "$(DESTDIR)$(mandir)/man1/sahm.1"
	install -m 644 build/man/sahm-config.5 "$(DESTDIR)$(mandir)/man5/sahm-config.5"
	install -d "$(DESTDIR)$(docdir)" "$(DESTDIR)$(libdir)/pkgconfig"
	install -m 644 README.md CHANGELOG.md LICENSE workloads/FORMAT.md "$(DESTDIR)$(docdir)/"
	printf '%s\n' 'Name: sahm' 'Description: simulator of chips of specialised cores' \
	  "Version: $$(build/sahm --version | cut -d' ' -f2)" 'Requires: $(PKGS)' \
	  'Cflags: -I$(includedir)/sahm' 'Libs: -L$(libdir) -lsahm -lm' > "$(DESTDIR)$(libdir)/pkgconfig/sahm.pc"
	install -d "$(DESTDIR)$(datadir)/configs" "$(DESTDIR)$(datadir)/workloads/traces"
	install -m 644 configs/*.cfg "$(DESTDIR)$(datadir)/configs/"
	install -m 644 workloads/traces/*.csv "$(DESTDIR)$(datadir)/workloads/traces/"
	for h in $(filter-out %_internal.h,$(sort $(wildcard sim/base/*.h cores/*.h workloads/*.h sched/*.h sim/engine/*.h results/*.h))); do \
	  install -d "$(DESTDIR)$(includedir)/sahm/$$(dirname $$h)" && \
	  install -m 644 "$$h" "$(DESTDIR)$(includedir)/sahm/$$h" || exit 1; done

uninstall:
	rm -f "$(DESTDIR)$(bindir)/sahm" "$(DESTDIR)$(libdir)/libsahm.a" "$(DESTDIR)$(libdir)/pkgconfig/sahm.pc"
	rm -f "$(DESTDIR)$(mandir)/man1/sahm.1" "$(DESTDIR)$(mandir)/man5/sahm-config.5"
	rm -rf "$(DESTDIR)$(docdir)" "$(DESTDIR)$(datadir)" "$(DESTDIR)$(includedir)/sahm"
