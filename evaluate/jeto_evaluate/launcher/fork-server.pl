#!/usr/bin/perl
# Runs as the user `runner`, once per round: starts the JVMs that java-wrapper.pl asks for, and
# at the word "quit" kills every process of this user and removes whatever it made, so that
# neither a process nor a cached result outlives the round. The code under test has the same
# user and can kill this server; then the next one cleans up before it listens, and a server that
# cannot clean up does not listen: the round fails.
use strict;
use warnings;
use Fcntl qw(O_RDWR);

my ($java, $run) = @ARGV;
$0 = 'fork-server';    # its name in lists of processes
my @writable = grep { -d } (
    '/jeto/repo', '/home/runner', '/tmp', '/var/tmp', '/dev/shm', '/dev/mqueue', '/run/lock');
my @own = ('-xdev', '-user', 'runner', '!', '-path', '/home/runner');
my $ipc_remove = 0;    # IPC_RMID of <sys/ipc.h>

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

# Whether another process of this user is alive; /proc says so whatever it did to hide.
sub others {
    for my $file (glob '/proc/[0-9]*/status') {
        next if $file eq "/proc/$$/status";
        open my $status, '<', $file or next;
        my $text = do { local $/; <$status> } // next;
        return 1 if $text =~ /^Uid:\s+$<\s/m && $text !~ /^State:\s+[ZX]/m;
    }
    return 0;
}

sub files_left {
    my $pid = open my $found, '-|', 'find', @writable, @own, '-print', '-quit';
    return 1 unless $pid;
    my $first = <$found>;
    close $found;
    return defined $first;
}

# System V objects belong to no process: they stay until somebody removes them.
sub remove_ipc {
    for (['shm', sub { shmctl $_[0], $ipc_remove, 0 }],
         ['msg', sub { msgctl $_[0], $ipc_remove, 0 }],
         ['sem', sub { semctl $_[0], 0, $ipc_remove, 0 }]) {
        my ($kind, $remove) = @$_;
        open my $list, '<', "/proc/sysvipc/$kind" or next;
        <$list>;
        while (my $line = <$list>) { $remove->((split ' ', $line)[1]) }
    }
}

sub clean {
    # Tries again while what was killed is still dying and holds the last process numbers.
    for (1 .. 200) {
        kill 'KILL', -1;
        if (!others()) {
            remove_ipc();
            chmod 0755, '/home/runner';
            return unless files_left();
            # A closed folder would hide what is in it.
            system 'find', @writable, @own, '-type', 'd', '!', '-perm', '-0700',
                '-exec', 'chmod', 'u+rwx', '{}', ';';
            system 'find', @writable, '-depth', @own, '-delete';
        }
        select undef, undef, undef, 0.05;
    }
    die "cannot remove what the round left\n";
}

# The files of an image are one and the same for all its containers, and so is their place in
# memory: code under test can push them out of it and make the other arm's next round read disks.
sub warm {
    system 'sh', '-c', 'find -L /opt/jdk/ /home/jeto/.m2/repository -type f'
        . ' "(" -name "*.jar" -o -name "*.so" -o -name "*.jsa" -o -name modules ")"'
        . ' -exec cat "{}" + >/dev/null';
}

$SIG{CHLD} = 'DEFAULT';
open STDERR, '>', '/dev/null';
clean();
warm();
sysopen my $requests, "$run/requests", O_RDWR or die "$run/requests: $!";
$SIG{CHLD} = 'IGNORE';
while (my $line = <$requests>) {
    chomp $line;
    if ($line eq 'quit') { $SIG{CHLD} = 'DEFAULT'; clean(); exit 0 }
    if ($line !~ /^fork\.[0-9]+$/) { next }
    my $pid = fork // die "fork: $!";
    if (!$pid) { $SIG{CHLD} = 'DEFAULT'; close $requests; serve($line) }
}
