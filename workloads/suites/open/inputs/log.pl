# Reads a web log in parts of 20,000 lines and treats each as scripts do: regular expressions, hashes, sorting, templates, packing,
# word wrapping, a small parser, string edits. usage: log.pl LOG
use strict;
use warnings;

defined $ENV{PERL_HASH_SEED} or die "PERL_HASH_SEED must be set\n";
my ($file) = @ARGV;
my $checksum = 0;

sub parse {
	my ($lines) = @_;
	my (%host, %path, %user, @rows);
	for (@$lines) {
		next unless /^(\d+\.\d+\.\d+\.\d+) - (\w+) \[(\d+)\/(\d\d):(\d\d):(\d\d)\] "(\w+) (\S+)" (\d+) (\d+) "([^"]*)"$/;
		my ($host, $user, $verb, $url, $status, $size) = ($1, $2, $7, $8, $9, $10);
		my ($path, $query) = split /\?/, $url, 2;
		$host{$host}{hits}++;
		$host{$host}{bytes} += $size;
		$path{$path}++;
		$user{$user}{$status}++;
		my %q = map { split /=/, $_, 2 } split /&/, $query // "";
		push @rows, { host => $host, path => $path, size => $size, verb => $verb, q => \%q };
	}
	return (\%host, \%path, \%user, \@rows);
}

sub rank {
	my ($host, $path, $rows) = @_;
	my @hosts = sort { $host->{$b}{bytes} <=> $host->{$a}{bytes} || $a cmp $b } keys %$host;
	my @paths = sort { $path->{$b} <=> $path->{$a} || $a cmp $b } keys %$path;
	my @rows = sort { $a->{path} cmp $b->{path} || $a->{size} <=> $b->{size} } @$rows;
	return scalar(@hosts) + length($paths[0]) + $rows[-1]{size};
}

sub page {
	my ($rows) = @_;
	my $template = "<tr><td>{host}</td><td>{path}</td><td>{size}</td><td>{verb}</td></tr>\n";
	my $html = "";
	for my $row (@$rows) {
		(my $line = $template) =~ s/\{(\w+)\}/$row->{$1}/g;
		$html .= $line;
	}
	$html =~ tr/a-z/A-Z/;
	my $n = () = $html =~ /<TD>[^<]*(?:TI|LO)[^<]*<\/TD>/g;
	return $n + length $html;
}

sub packed {
	my ($rows) = @_;
	my $blob = join "", map { pack "N n/a* w", $_->{size}, $_->{path}, $_->{size} } @$rows;
	my ($at, $sum) = (0, 0);
	while ($at < length $blob) {
		my ($size, $path, $again) = unpack "\@$at N n/a* w", $blob;
		$sum = ($sum * 31 + $size + length $path) % 1000003;
		$at += 6 + length($path) + length pack "w", $again;
	}
	return $sum;
}

sub wrapped {
	my ($rows) = @_;
	my ($text, $line) = ("", "");
	for my $row (@$rows) {
		for my $word (grep { length } split /[\/.]/, $row->{path}) {
			if (length($line) + length($word) > 72) { $text .= "$line\n"; $line = ""; }
			$line .= ($line eq "" ? "" : " ") . ucfirst $word;
		}
	}
	my %trigram;
	$trigram{substr $text, $_, 3}++ for 0 .. (length($text) > 300000 ? 300000 : length($text)) - 3;
	my ($top) = sort { $trigram{$b} <=> $trigram{$a} || $a cmp $b } keys %trigram;
	return $trigram{$top};
}

sub value {
	my ($t) = @_;
	my $left = term($t);
	while (@$t && $t->[0] =~ /^[-+]$/) { my $op = shift @$t; my $r = term($t); $left = $op eq "+" ? $left + $r : $left - $r; }
	return $left;
}

sub term {
	my ($t) = @_;
	my $x = shift @$t;
	if ($x eq "(") { $x = value($t); shift @$t; }
	while (@$t && $t->[0] eq "*") { shift @$t; my $y = shift @$t; if ($y eq "(") { $y = value($t); shift @$t; } $x = $x * $y % 65521; }
	return $x;
}

sub expressions {
	my ($rows) = @_;
	my $sum = 0;
	for my $row (@$rows[0 .. 12000]) {
		my @n = ($row->{size}, map { $row->{q}{$_} } sort keys %{$row->{q}});
		my $text = join "*", map { "($_+" . length($row->{path}) . "-3*($_+7))" } @n;
		$sum += value([$text =~ /\d+|[-+*()]/g]);
	}
	return $sum;
}

sub edits {
	my ($path) = @_;
	my @p = (sort keys %$path)[0 .. 110];
	my $near = 0;
	for my $i (0 .. $#p) {
		for my $j ($i + 1 .. ($i + 8 < $#p ? $i + 8 : $#p)) {
			my @b = split //, $p[$j];
			my @row = 0 .. @b;
			for my $c (split //, $p[$i]) {
				my $diagonal = $row[0]++;
				for my $k (1 .. @b) {
					my $cost = $diagonal + ($c ne $b[$k - 1]);
					$diagonal = $row[$k];
					$row[$k] = $row[$k] + 1 < $row[$k - 1] + 1 ? $row[$k] + 1 : $row[$k - 1] + 1;
					$row[$k] = $cost if $cost < $row[$k];
				}
			}
			$near += $row[-1];
		}
	}
	return $near;
}

open my $in, "<", $file or die "cannot open '$file': $!\n";
my $part = 0;
until (eof $in) {
	my @lines;
	while (@lines < 20000 && defined(my $line = <$in>)) { push @lines, $line; }
	chomp @lines;
	my ($host, $path, $user, $rows) = parse(\@lines);
	$checksum += rank($host, $path, $rows) + page($rows) + packed($rows) + wrapped($rows) + expressions($rows) + edits($path);
	print ++$part, " $checksum\n";
}
