#!/usr/bin/perl
# Reads the rules of language.list and the exceptions of language.allowed (first two arguments), then the files named on
# standard input, one a line. Of C sources it reads comments and strings (of tests only comments, since strings are data), of
# scripts and style sheets comments, of other files everything. A sentence can go over several lines: lines of a paragraph or
# of a comment and adjacent strings are joined.
use strict;
use warnings;

sub rows {
	my ($file, $nr) = @_;
	open(my $in, '<', $file) or die "check_language: cannot open '$file': $!\n";
	return map { chomp; /^(#|$)/ ? () : [split /\t/, $_, $nr] } <$in>;
}

my @rows = rows($ARGV[0], 3);
my @rules = map { [qr/$_->[0]/i, $_->[1], qr/$_->[2]/] } map { [@$_, ''] } @rows;
my $any = join('|', map { "(?:$_->[0])" } @rows);
$any = qr/$any/i;
my @allowed = rows($ARGV[1], 2);
my $nr = 0;

# Whether the characters from $from to $to of $text are in a phrase that $file may have.
sub is_allowed {
	my ($file, $text, $from, $to) = @_;
	for my $row (@allowed) {
		next if $file !~ /^\Q$row->[0]\E/;
		for (my $at = index($text, $row->[1]); $at >= 0; $at = index($text, $row->[1], $at + 1)) {
			return 1 if $at <= $from && $to <= $at + length($row->[1]);
		}
	}
	return 0;
}

sub look {
	my ($file, $line, $text) = @_;
	return if $text !~ $any;
	for my $rule (@rules) {
		next if $file !~ $rule->[2];
		while ($text =~ /$rule->[0]/g) {
			my ($from, $to) = ($-[0], $+[0]);
			next if is_allowed($file, $text, $from, $to);
			my $found = substr($text, $from > 40 ? $from - 40 : 0, 100);
			$found =~ s/\s+/ /g;
			print "$file:$line: $found   [rather: $rule->[1]]\n";
			$nr++;
		}
	}
}

sub look_at_c {
	my ($file, $text, $with_strings) = @_;
	my $string = qr/"(?:[^"\\\n]|\\.)*"/;
	my $between = qr/(?:\s|\\\n|PRI\w+)*/;
	my ($line, $at) = (1, 0);
	while ($text =~ m{/\*(.*?)\*/|//([^\n]*)|($string(?:$between$string)*)|'(?:[^'\\\n]|\\.)+'}gs) {
		my ($comment, $strings) = ($1 // $2, $3);
		$line += substr($text, $at, $-[0] - $at) =~ tr/\n//;
		$at = $-[0];
		next if !defined $comment && !($with_strings && defined $strings);
		my $piece = $comment // substr($strings, 1, -1);
		$piece =~ s/"$between"//g if !defined $comment;
		$piece =~ s/\n\s*\*?\s*/ /g;
		$piece =~ s/^\s+//;
		look($file, $line, $piece);
	}
}

# Lines are joined until one is empty or begins something else.
sub look_at_lines {
	my ($file, $text) = @_;
	my $comment = $file =~ /\.lua$/ ? qr/^\s*--\s*(.*)/ : $file =~ /\.(sh|py|mk|pl|bash|fish|zsh)$/ ? qr/^\s*#\s*(.*)/ : undef;
	my $begins = $file =~ /\.md$/ ? qr/^\s*([-*#>|]|\d+[.] |```)/ : $file =~ /\.in$/ ? qr/^[.](?![BIR]{1,2} )/ : undef;
	my ($line, $first, $paragraph, $is_code) = (0, 1, '', 0);
	for (split /\n/, $text) {
		$line++;
		my $part = !$comment ? $_ : /$comment/ ? $1 : '';
		my $is_new = $begins ? $is_code || $part =~ $begins : !$comment;
		$is_code = !$is_code if $begins && $part =~ /^\s*```|^[.](nf|fi)/;
		if ($is_new || $part !~ /\S/) {
			look($file, $first, $paragraph);
			($first, $paragraph) = ($line, $part);
			next;
		}
		$first = $line if $paragraph eq '';
		$part =~ s/^\s+//;
		$paragraph = $paragraph eq '' ? $part : "$paragraph $part";
	}
	look($file, $first, $paragraph);
}

while (my $file = <STDIN>) {
	chomp $file;
	open(my $in, '<', $file) or die "check_language: cannot open '$file': $!\n";
	local $/;
	my $text = <$in>;
	if ($file =~ /\.([ch]|css)$/) {
		look_at_c($file, $text, $1 ne 'css' && $file !~ m{^tests/});
	} else {
		look_at_lines($file, $text);
	}
}
print "$nr phrases that are hard to read\n" if $nr;
exit($nr > 0);
