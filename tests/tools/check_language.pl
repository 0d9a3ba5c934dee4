#!/usr/bin/perl
# Reads the patterns of language.list and the exceptions of language.allowed (first two arguments), then the files named on
# standard input, one a line. Of C sources it reads comments and strings (of tests only comments, since strings are data), of
# scripts the lines of comments, of other files every line.
use strict;
use warnings;

sub rows {
	my ($file) = @_;
	open(my $in, '<', $file) or die "check_language: cannot open '$file': $!\n";
	return map { chomp; /^(#|$)/ ? () : [split /\t/, $_, 2] } <$in>;
}

my @rules = map { [qr/$_->[0]/i, $_->[1]] } rows($ARGV[0]);
my $any = join('|', map { "(?:$_->[0])" } rows($ARGV[0]));
my @allowed = rows($ARGV[1]);
my $nr = 0;

sub is_allowed {
	my ($file, $text) = @_;
	return grep { $file =~ /^\Q$_->[0]\E/ && index($text, $_->[1]) >= 0 } @allowed;
}

sub look {
	my ($file, $line, $text) = @_;
	return if $text !~ /$any/io || is_allowed($file, $text);
	for my $rule (@rules) {
		next if $text !~ $rule->[0];
		my $found = substr($text, $-[0] > 40 ? $-[0] - 40 : 0, 100);
		$found =~ s/\s+/ /g;
		print "$file:$line: $found   [rather: $rule->[1]]\n";
		$nr++;
	}
}

while (my $file = <STDIN>) {
	chomp $file;
	open(my $in, '<', $file) or die "check_language: cannot open '$file': $!\n";
	local $/;
	my $text = <$in>;
	if ($file !~ /\.[ch]$/) {
		my $line = 0;
		my $is_script = $file =~ /\.(sh|py|mk)$/;
		look($file, ++$line, $is_script ? (/^\s*#\s*(.*)/ ? $1 : '') : $_) for split /\n/, $text;
		next;
	}
	while ($text =~ m{/\*(.*?)\*/|//([^\n]*)|"((?:[^"\\\n]|\\.)*)"|'(?:[^'\\\n]|\\.)+'}gs) {
		my $piece = $1 // $2 // ($file =~ m{^tests/} ? undef : $3) // next;
		my $line = 1 + (substr($text, 0, $-[0]) =~ tr/\n//);
		$piece =~ s/\n\s*\*?\s*/ /g;
		$piece =~ s/^\s+//;
		look($file, $line, $piece);
	}
}
print "$nr phrases that are hard to read\n" if $nr;
exit($nr > 0);
