#!/usr/bin/perl
# Runs as the user `runner`, once per round: starts the JVMs that java-wrapper.pl asks for, and
# at the word "quit" kills every process of this user and removes every file it made, so that
# neither a process nor a cached result outlives the round. The code under test has the same
# user and can kill this server; then the round fails, and the harness cleans up from outside.
use strict;
use warnings;
use Fcntl qw(O_RDWR);

my ($java, $run) = @ARGV;
my @writable = ('/jeto/repo', '/home/runner', '/tmp', '/var/tmp', '/dev/shm', '/dev/mqueue', '/run/lock');

sub serve {
    my ($name) = @_;
    open my $request, '<', "$run/$name/request" or die "request: $!";
    my ($directory, $count, @rest) = split /\0/, do { local $/; <$request> }, -1;
    close $request;
    my @arguments = splice @rest, 0, $count;
    my $child = fork // die "fork: $!";
    if (!$child) {
        open STDIN, '<', "$run/$name/stdin" or die "stdin: $!";
        open STDOUT, '>', "$run/$name/stdout" or die "stdout: $!";
        open STDERR, '>', "$run/$name/stderr" or die "stderr: $!";
        for (@rest) { my ($key, $value) = split /=/, $_, 2; $ENV{$key} = $value }
        chdir $directory or die "chdir $directory: $!";
        exec { $java } $java, @arguments or die "exec $java: $!";
    }
    open my $result, '>', "$run/$name/status" or die "status: $!";
    waitpid $child, 0;
    print {$result} $? & 127 ? 128 + ($? & 127) : $? >> 8;
    close $result;
    exit 0;
}

sub clean {
    kill 'KILL', -1;
    my @present = grep { -d } @writable;
    system 'find', @present, '-xdev', '-depth', '-user', 'runner', '!', '-path', '/home/runner', '-delete';
}

$SIG{CHLD} = 'IGNORE';
clean();
sysopen my $requests, "$run/requests", O_RDWR or die "$run/requests: $!";
while (my $line = <$requests>) {
    chomp $line;
    if ($line eq 'quit') { clean(); exit 0 }
    if ($line !~ /^fork\.[0-9]+$/) { next }
    my $pid = fork // die "fork: $!";
    if (!$pid) { $SIG{CHLD} = 'DEFAULT'; close $requests; serve($line) }
}
