#!/usr/bin/perl
# Runs as the user `runner`: starts the JVMs that java-wrapper.pl asks for, and at the word "clean"
# kills every other process of this user and removes whatever it made, so that neither a process
# nor a cached result outlives the round. fork-server.pl JAVA RUN_DIRECTORY
#
# The code under test has the same user. It can kill or stop this server: then the harness starts
# another one, which cleans up before it serves. It can not look into the server or open its pipes
# (see `hide` and conductor.pl), and a server that it did something else to ends.
use strict;
use warnings;
use Fcntl qw(O_RDWR O_WRONLY);
use POSIX qw(uname);

my ($java, $run) = @ARGV;
$0 = 'fork-server';    # its name in lists of processes
my @writable = grep { -d } (
    '/jeto/repo', '/home/runner', '/tmp', '/var/tmp', '/dev/shm', '/dev/mqueue', '/run/lock');
my @own = ('-xdev', '-user', 'runner');
my $ipc_remove = 0;    # IPC_RMID of <sys/ipc.h>
my @shared;            # see `shared_files`

sub read_file {
    my ($path) = @_;
    open my $file, '<', $path or return;
    local $/;
    return scalar <$file>;
}

# The number of a system call, which Perl does not know by its name, on this machine.
sub machine {
    my (%number) = @_;
    return $number{(uname)[4]} // die "unknown machine\n";
}

# PR_SET_DUMPABLE 0: processes of the same user can neither trace this one nor see its /proc/fd.
sub hide {
    my $prctl = machine(x86_64 => 157, aarch64 => 167);
    syscall($prctl, 4, 0, 0, 0, 0) == 0 or die "prctl: $!";
}

# What the JVMs inherit and another process of this user could change.
sub inherited {
    my ($cpus) = read_file('/proc/self/status') =~ /^(Cpus_allowed:.*)$/m;
    my @stat = split ' ', read_file('/proc/self/stat') =~ s/.*\)//sr;
    return join "\n", $cpus, @stat[15, 16, 37, 38], read_file('/proc/self/oom_score_adj'),
        read_file('/proc/self/limits');
}

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

# Whether another process of this user is alive; /proc says so whatever it did to hide. One that
# looks dead is alive, or gives back its memory, as long as it has more than one thread.
sub others {
    for my $file (glob '/proc/[0-9]*/status') {
        next if $file eq "/proc/$$/status";
        my $text = read_file($file) // next;
        return 1 if $text =~ /^Uid:\s+$<\s/m && !($text =~ /^State:\s+[ZX]/m && $text =~ /^Threads:\s+[01]$/m);
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

# Tries again while what was killed is still dying and holds the last process numbers.
sub kill_others {
    for (1 .. 1000) {
        kill 'KILL', -1;
        return unless others();
        select undef, undef, undef, 0.01;
    }
    die "cannot kill what the round left\n";
}

# Nobody writes any more.
sub remove_files {
    remove_ipc();
    for (1 .. 3) {
        system 'find', @writable, '-depth', @own, '-delete';
        return unless files_left();
        # A closed folder hides what is in it.
        system 'find', @writable, @own, '-type', 'd', '!', '-perm', '-0700',
            '-exec', 'chmod', 'u+rwx', '{}', ';';
    }
    die "cannot remove what the round left\n";
}

# The files of an image are one and the same for all its containers, and so is their place in
# memory: code under test can push them out of it and make the other arm's next round read disks.
# What only compilers and linkers read may as well stay out of it. sendfile reads without copying.
sub shared_files {
    my @roots = ([qw(/opt/jdk/ -name jmods -prune -o -type f ! -name *.zip ! -name ct.sym
                     ! -name tools.jar -readable -print0)],
                 [qw(/home/jeto/.m2/repository -type f -name *.jar -readable -print0)]);
    return map {
        open my $found, '-|', 'find', '-L', @$_ or die "find: $!";
        split /\0/, do { local $/; <$found> } // '';
    } @roots;
}

sub warm {
    my ($sendfile, $piece) = (machine(x86_64 => 40, aarch64 => 71), 1 << 30);
    open my $nowhere, '>', '/dev/null' or die "/dev/null: $!";
    for my $path (@_) {
        open my $file, '<', $path or die "$path: $!";
        my $sent;
        do {
            $sent = syscall $sendfile, fileno $nowhere, fileno $file, 0, $piece;
            die "sendfile $path: $!" if $sent < 0;
        } while $sent;
    }
}

sub clean {
    local $SIG{CHLD} = 'DEFAULT';
    kill_others();
    remove_files();
    warm(@shared);
}

# The harness lets this server, and nothing else of this user, open the pipes.
sub pipe_end {
    my ($path, $mode) = @_;
    for (1 .. 3000) {
        if (sysopen my $end, $path, $mode) { return $end }
        select undef, undef, undef, 0.005;
    }
    die "$path: $!";
}

hide();
open STDERR, '>', '/dev/null';
my $inherited = inherited();
@shared = shared_files();
clean();
my $requests = pipe_end("$run/requests", O_RDWR);
my $cleaned = pipe_end("$run/cleaned", O_WRONLY);
syswrite $cleaned, "ready $$\n";
$SIG{CHLD} = 'IGNORE';
while (my $line = <$requests>) {
    chomp $line;
    if ($line eq 'clean') {
        clean();
        die "changed by another process\n" if inherited() ne $inherited;
        syswrite $cleaned, "clean\n";
    } elsif ($line =~ /^fork\.[0-9]+$/) {
        my $pid = fork // die "fork: $!";
        if (!$pid) { $SIG{CHLD} = 'DEFAULT'; close $requests; close $cleaned; serve($line) }
    }
}
