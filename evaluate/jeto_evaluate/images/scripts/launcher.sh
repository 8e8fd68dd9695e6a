#!/bin/sh
# launcher.sh MAVEN_HOME: compiles what the harness adds to Maven, against the Maven that it is
# added to. Runs as root before the first tests, whose choice of modules needs it.
set -eu
maven_home=$1
work=$(mktemp -d)
find /mnt/launcher/java -name '*.java' >"$work/sources"
mkdir "$work/classes"
/opt/jdk/bin/javac -encoding UTF-8 -nowarn -source 8 -target 8 -d "$work/classes" \
    -cp "$(printf '%s:' "$maven_home"/lib/*.jar "$maven_home"/boot/*.jar)" "@$work/sources"
if [ -d /mnt/launcher/resources ]; then cp -r /mnt/launcher/resources/. "$work/classes"; fi
/opt/jdk/bin/jar cf /opt/jeto/lib/jeto-launcher.jar -C "$work/classes" .
rm -rf "$work"
