#!/bin/sh
# fetch-maven.sh MVNW MAVEN_VERSION CACHED: lets a wrapper unpack its distribution, and writes
# the distribution's folder to /home/jeto/maven-home. Runs as jeto.
set -eu
mvnw=$1
version=$2
dists=/home/jeto/.m2/wrapper/dists
# What a try before this one left is not this wrapper's.
rm -rf "$dists"
mkdir -p "$dists"
if [ "$3" = yes ]; then
    for kept in /media/dists/apache-maven-"$version"*; do
        if [ -d "$kept" ]; then cp -r "$kept" "$dists/"; fi
    done
fi
sh /mnt/maven.sh "$mvnw" --version || {
    # The .zip of an old version may be gone where its .tar.gz is not: a script-only wrapper asks
    # for the latter where there is no unzip.
    rm -rf "$dists"
    mkdir -p "$dists"
    tools=$(mktemp -d)
    for tool in $(printf %s "$PATH" | tr : '\n' | sed 's,$,/*,'); do
        name=$(basename "$tool")
        if [ -x "$tool" ] && [ "$name" != unzip ] && [ ! -e "$tools/$name" ]; then
            ln -s "$tool" "$tools/$name"
        fi
    done
    PATH=$tools sh /mnt/maven.sh "$mvnw" --version
}
for core in $(find "$dists" -name 'maven-core-*.jar' -path '*/lib/*'); do
    dirname "$(dirname "$core")"
done | sort -u >/home/jeto/maven-home
[ "$(wc -l </home/jeto/maven-home)" = 1 ] || {
    echo "not exactly one Maven distribution below $dists:"
    cat /home/jeto/maven-home
    exit 1
}
