#!/usr/bin/perl
# Conducts the rounds of an arm, as its owner `jeto`: conductor.pl RUN_DIRECTORY
#
# Lives as long as the arm, since to start a command in a container costs as much as a short test.
# Reads commands from stdin, one a line:
#   serve              lets a fork server that was just started open its pipes
#   round DIR CLASSES SEED
#                      asks the resident Maven to run the tests named in the file CLASSES, in the
#                      order that SEED gives, with reports in DIR, waits, and lets the fork server
#                      clean up
# Answers each with a line "STATUS SIZE" and SIZE bytes. STATUS is Maven's exit status; the bytes
# are a line "wall MILLISECONDS" of the tests alone, a line "cpu MILLISECONDS" of the whole
# container meanwhile, a line "left NAME" for each process that they left, a line "unclean" if the
# fork server did not clean up, a line "reports", and the reports, those of the agents among them,
# as a tar archive.
use strict;
use warnings;
use Fcntl qw(O_RDWR O_WRONLY O_NONBLOCK);
use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC);

my ($run) = @ARGV;
my $runner = getpwnam('runner') // die "there is no user runner\n";
my ($requests, $cleaned) = ("$run/requests", "$run/cleaned");
my $patience = 15;    # seconds that a fork server may take to clean up
my $server = 0;       # its process number
my $usual = 0;        # bytes of memory in use between rounds
my $slack = 128 << 20;

sub answer {
    my ($status, $data) = @_;
    $data = "$status " . length($data) . "\n$data";
    while (length $data) {
        my $written = syswrite STDOUT, $data or exit 1;
        substr $data, 0, $written, '';
    }
}

# Names of the processes of the tests' user besides the fork server. To read a command line would
# wait for its process to get a turn. What looks dead may be alive, or give back its memory, as long
# as it has more than one thread.
sub running {
    my @names;
    for my $file (glob '/proc/[0-9]*/status') {
        open my $status, '<', $file or next;
        my $text = do { local $/; <$status> } // next;
        next unless $text =~ /^Uid:\s+$runner\s/m;
        next if $text =~ /^State:\s+[ZX]/m && $text =~ /^Threads:\s+[01]$/m;
        next if $text =~ /^Pid:\s+$server$/m;
        push @names, $1 if $text =~ /^Name:\t(.*)$/m;
    }
    return @names;
}

# Waits for the fork server's word that everything of the tests is gone.
sub hear {
    my ($from) = @_;
    vec(my $bits = '', fileno $from, 1) = 1;
    return '' unless select($bits, undef, undef, $patience) > 0;
    sysread $from, my $word, 64 or return '';
    return $word;
}

# Only the fork server may hold the pipes: they are open to its user just while no other process
# of that user is there, and it keeps them open.
sub serve {
    sysopen my $word, $cleaned, O_RDWR or die "$cleaned: $!";
    chmod 0666, $requests, $cleaned;
    ($server) = hear($word) =~ /^ready ([0-9]+)$/m;
    chmod 0600, $requests, $cleaned;
    $server //= 0;
    $usual ||= memory();
    answer($server ? 0 : 1, '');
}

sub play {
    my ($reports, $classes, $seed) = @_;
    unlink glob "$run/agent-*.jsonl";
    open my $order, '>', "$run/seed" or die "$run/seed: $!";
    print {$order} "$seed\n";
    close $order;
    my $spent = processor_time();
    my $began = clock_gettime(CLOCK_MONOTONIC);
    # Open for reading too, so that it does not wait for a Maven that is gone.
    open my $command, '+<', "$run/command" or die "$run/command: $!";
    syswrite $command, "$reports $classes\n";
    open my $done, '<', "$run/done" or die "$run/done: $!";
    my $status = <$done> // 2;
    my $wall = int 1000 * (clock_gettime(CLOCK_MONOTONIC) - $began) + 0.5;
    $spent = processor_time() - $spent;
    close $command;
    my @left = grep { $_ ne 'fork-server' } running();    # its children may not have ended yet
    my $said = join '', "wall $wall\n", "cpu $spent\n", map { "left $_\n" } splice @left, 0, 20;
    $said .= "unclean\n" unless clean();
    $said .= "reports\n";
    rename $_, s{.*/}{$reports/}r for glob "$run/agent-*.jsonl";
    if (-d $reports && open my $tar, '-|', 'tar', '-C', $reports, '-cf', '-', '.') {
        local $/;
        $said .= <$tar> // '';
        close $tar;
    }
    answer($status + 0, $said);
}

sub clean {
    sysopen my $word, $cleaned, O_RDWR | O_NONBLOCK or die "$cleaned: $!";
    # Without waiting for a reader: code under test can kill the fork server.
    sysopen my $to, $requests, O_WRONLY | O_NONBLOCK or return 0;
    syswrite $to, "clean\n";
    return 0 unless hear($word) && !running();
    settle();
    return 1;
}

# Bytes that belong to processes of the container, or to files that only they have.
sub memory {
    for my $path ('/sys/fs/cgroup/memory/memory.stat', '/sys/fs/cgroup/memory.stat') {
        open my $file, '<', $path or next;
        my $text = do { local $/; <$file> };
        my $sum = 0;
        $sum += $1 while $text =~ /^(?:anon|rss|shmem) ([0-9]+)$/mg;
        return $sum;
    }
    return 0;
}

# Milliseconds of processor time that the container has used.
sub processor_time {
    for (['/sys/fs/cgroup/cpuacct/cpuacct.usage', qr/^([0-9]+)/, 1e6],
         ['/sys/fs/cgroup/cpu.stat', qr/^usage_usec ([0-9]+)/m, 1e3]) {
        my ($path, $figure, $unit) = @$_;
        open my $file, '<', $path or next;
        my $text = do { local $/; <$file> };
        return int $1 / $unit if $text =~ $figure;
    }
    return 0;
}

# The kernel may go on freeing what the tests held after the last of their processes is gone, and
# that would be in the next round of the other arm.
sub settle {
    for (1 .. 200) {
        return if memory() <= $usual + $slack;
        select undef, undef, undef, 0.01;
    }
    $usual = memory();    # Maven has grown
}

binmode STDOUT;
while (my $line = <STDIN>) {
    my ($verb, @words) = split ' ', $line;
    if ($verb eq 'serve') { serve() } else { play(@words) }
}
