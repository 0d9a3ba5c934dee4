# What is handed on: the source as a tarball, the program as Debian packages.

.PHONY: dist deb
dist:
	@sh mk/dist.sh build/dist

deb:
	@sh mk/packages.sh build
	@MAKE='$(MAKE)' sh mk/deb.sh build/deb
