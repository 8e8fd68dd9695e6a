#!/bin/sh
# Runs as root after the warm-up: only what an offline evaluation needs stays, the tree is laid
# anew from the source archive, and the harness's own files are put in their places.
set -eu
maven_home=$1

# The tree may not hold a class of the reference, so nothing of the warm-up is kept in it.
find /jeto/repo -mindepth 1 -delete
su jeto -s /bin/sh -c 'umask 022 && tar -xf /mnt/source.tar -C /jeto/repo'

# Of the home folder, only downloads: build caches of extensions would hold the reference.
find /home/jeto -mindepth 1 -maxdepth 1 ! -name .m2 -exec rm -rf {} +
find /home/jeto/.m2 -mindepth 1 -maxdepth 1 ! -name repository ! -name wrapper \
    ! -name toolchains.xml -exec rm -rf {} +
# Without these markers Maven takes an artifact whichever repository it came from, and does not
# remember failed downloads (it would refuse to look again, even at what is there).
find /home/jeto/.m2/repository -type f \( -name _remote.repositories -o -name '*.lastUpdated' \
    -o -name resolver-status.properties -o -name 'maven-metadata-jeto-cache.xml*' \
    -o -name '*.part' -o -name '*.lock' \) -delete
find /home/jeto/.m2/repository -type d -empty -delete
# The archives of the wrapper stay: its jar downloads again whatever archive is gone.

ln -sfn "$maven_home" /opt/jeto/maven

install -m 644 /mnt/jeto-agent.jar /opt/jeto/lib/
# What the agent hooks is edited here once instead of in every test JVM.
/opt/jdk/bin/java -agentlib:instrument=/opt/jeto/lib/jeto-agent.jar=prepare=/home/jeto/.m2/repository \
    -version
ls /opt/jeto/lib/jeto-hooks/*
for file in /mnt/launcher/*; do
    case $file in
    *.sh | *.pl) install -m 755 "$file" /opt/jeto/bin/ ;;
    *.conf) install -m 644 "$file" /opt/jeto/ ;;
    esac
done
install -m 755 /mnt/launcher/java-wrapper.* /opt/jeto/jdk/bin/java

chown -R root:root /opt/jeto
chmod -R go-w,a+rX /opt/jeto /home/jeto/.m2 /jeto/repo
