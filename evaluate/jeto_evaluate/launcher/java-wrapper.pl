#!/usr/bin/perl
# Stands in for `java` where Surefire forks the test JVM.
#
# Maven runs as the user who owns the tree and the reports; code under test must not. Without
# privileges nothing in the container can change its user, so this wrapper hands the command to
# fork-server.pl, which the harness started as the user `runner`, and carries the three streams
# and the exit status. There is no way round: without a fork server it fails.
use strict;
use warnings;
use Cwd qw(getcwd);
use Errno qw(EINTR ENXIO);
use Fcntl qw(O_RDONLY O_WRONLY O_CREAT O_EXCL O_NONBLOCK);
use POSIX qw(mkfifo);
use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC);

my $run = '/jeto/run';
my $agent = '/opt/jeto/lib/jeto-agent.jar';
my $boot = '/opt/jeto/lib/jeto-hooks/boot.jar';    # an image with JDK 8 has it
my $output_limit = 512 * 1024 * 1024;
my $agent_limit = 16 * 1024 * 1024;
my $name = "fork.$$";
my $dir = "$run/$name";

sub fail { print STDERR "java-wrapper: $_[0]\n"; exit 70 }

# The file in which Surefire tells its fork what to run: one of the last arguments names it, whole or
# below the folder that the first of them names. Empty if there is none.
sub told {
    my @last = splice @_, @_ > 4 ? -4 : 0;
    for my $path (map { ($_, "$last[0]/$_") } @last) {
        next unless -f $path && -s _ < 4 * 1024 * 1024 && open my $file, '<', $path;
        my $text = do { local $/; <$file> };
        close $file;
        return $text if $text =~ /^useSystemClassLoader=/m;
    }
    return '';
}

umask 0;
mkdir $dir, 0711 or fail("cannot create $dir: $!");
for my $fifo (qw(stdin stdout stderr status agent)) {
    mkfifo("$dir/$fifo", 0666) or fail("cannot create $dir/$fifo: $!");
}
umask 022;
# The JVM measures itself, and says so through a pipe of its own: no file that tests could reach.
my $began = sprintf '%014.3f', clock_gettime(CLOCK_MONOTONIC);
my $seed = '';
if (open my $given, '<', "$run/seed") { ($seed) = <$given> =~ /^([0-9]+)$/; close $given }
# -javaagent also names a module, and the JVM then no longer uses its archived module graph. Only
# where the command line limits the modules may the agent's be missing without that.
my $load = grep({ /^(?:-m$|--module\b|--limit-modules\b)/ } @ARGV) ? '-javaagent:' : '-agentlib:instrument=';
# What is hooked can be loaded at once where Surefire's file for its fork says that it is on the
# class path; else the agent looks at every class that is loaded until the tests start.
my ($told, $ahead) = (told(@ARGV), '');
if ($told =~ /^useSystemClassLoader=true$/m && $told =~ /^childDelegation=false$/m) {
    $ahead = $told !~ /junit-jupiter-engine/ ? ',ahead=surefire'
        : $told =~ /^classPathUrl\.[0-9]+=.*junit-jupiter-engine/m ? ',ahead=jupiter' : '';
}
my $given = "$agent=out=$dir/agent" . (length $seed ? ",seed=$seed" : '') . $ahead;
# JDK 8 copies each class file for an agent that the JVM knows of; there it comes with the JDK's classes.
unshift @ARGV, -f $boot ? ("-Xbootclasspath/p:$boot", "-Djeto.agent=$given") : "$load$given";
sysopen my $measured, "$dir/agent", O_RDONLY | O_NONBLOCK or fail("agent: $!");

open my $request, '>', "$dir/request" or fail("cannot write the request: $!");
my @environment = map { "$_=$ENV{$_}" } grep { !/^(HOME|USER|LOGNAME|PWD)$/ } sort keys %ENV;
print {$request} join("\0", getcwd(), scalar(@ARGV), @ARGV, @environment);
close $request or fail("cannot write the request: $!");

# The effective command lines, for the log of the instance.
if (open my $commands, '>>', "$run/jvm-commands") {
    print {$commands} "@ARGV\n" if tell($commands) < 65536;
    close $commands;
}

# The fork server first removes what the round before left; that may take its time.
my $announce;
for (1 .. 6000) {
    last if sysopen $announce, "$run/requests", O_WRONLY | O_NONBLOCK;
    fail("no fork server is listening: $!") unless $! == ENXIO && $_ < 6000;
    select undef, undef, undef, 0.005;
}
syswrite $announce, "$name\n" or fail("cannot reach the fork server: $!");
close $announce;

$SIG{PIPE} = 'IGNORE';
open my $to_child, '>', "$dir/stdin" or fail("stdin: $!");
open my $from_child, '<', "$dir/stdout" or fail("stdout: $!");
open my $errors, '<', "$dir/stderr" or fail("stderr: $!");
open my $status, '<', "$dir/status" or fail("status: $!");
my %sink = (fileno(STDIN) => $to_child, fileno($from_child) => \*STDOUT, fileno($errors) => \*STDERR);
my %source = map { fileno($_) => $_ } (\*STDIN, $from_child, $errors, $status, $measured);
my ($code, $carried, $last, $figures) = ('', 0, '', '');

# Maven's last word to a fork, as Surefire before 3.0.0-M5 and as later versions write it.
my $farewell = qr/(?:\0\0\0\x05\0\0\0\0|:bye-ack:)\z/;

sub write_all {
    my ($handle, $data) = @_;
    while (length $data) {
        my $written = syswrite $handle, $data;
        next if !defined $written && $! == EINTR;
        return 0 unless defined $written;
        substr $data, 0, $written, '';
    }
    return 1;
}

while (%source) {
    my $bits = '';
    vec($bits, $_, 1) = 1 for keys %source;
    # Once the JVM has ended, a grandchild that keeps a stream open does not hold the round.
    my $ready = select my $out = $bits, undef, undef, length $code ? 0.2 : undef;
    last if length $code && !$ready;
    next if $ready < 0;
    for my $fd (grep { vec $out, $_, 1 } keys %source) {
        my $count = sysread $source{$fd}, my $data, 65536;
        next if !defined $count && $! == EINTR;
        if (!$count) {
            close $to_child if $fd == fileno STDIN;
            delete $source{$fd};
        } elsif ($fd == fileno $status) {
            $code = substr $code . $data, 0, 8;
        } elsif ($fd == fileno $measured) {
            unlink "$dir/agent";    # nobody else can open it from here on
            $figures = substr $figures . $data, 0, $agent_limit;
        } else {
            $carried += $count if $fd != fileno STDIN;
            fail("more than $output_limit bytes of output") if $carried > $output_limit;
            write_all($sink{$fd}, $data) or delete $source{$fd};
            $last = substr $last . $data, -16 if $fd == fileno STDIN;
            if ($fd == fileno(STDIN) && $last =~ $farewell) {
                # The JVM is ending, and would wait 0.3 s for its thread that reads commands, were
                # it not for the end of the stream. Not at once: until the JVM stops its threads,
                # the end of the stream means to that thread that Maven has died.
                select undef, undef, undef, 0.02;
                close $to_child;
                delete $source{$fd};
            }
        }
    }
    # Only Maven's own end of the conversation is left: nothing more can come.
    last if length $code && !grep { $_ != fileno STDIN } keys %source;
}
unlink map { "$dir/$_" } qw(stdin stdout stderr status agent request);
rmdir $dir;
if (sysopen my $kept, "$run/agent-$began-$$.jsonl", O_WRONLY | O_CREAT | O_EXCL, 0600) {
    write_all($kept, $figures);
    close $kept;
}
exit(length $code ? $code : 71);
