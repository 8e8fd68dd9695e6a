#!/bin/sh
# Runs once, as root, when a base image is made: users, folders, and a JDK folder whose
# bin/java the harness may replace without touching the JDK itself.
set -eu

missing=
for tool in git unzip curl fc-list; do
    command -v "$tool" >/dev/null || missing="$missing $tool"
done
if [ -n "$missing" ]; then
    # Registry images are smaller than the bootstrapped ones.
    apt-get update
    DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
        ca-certificates curl fontconfig fonts-dejavu-core git patch unzip xz-utils
    rm -rf /var/lib/apt/lists/* /var/cache/apt/*
fi

# Registry images may come with a user 1000 of their own.
for id in 1000 1001; do
    old=$(getent passwd "$id" | cut -d: -f1)
    if [ -n "$old" ]; then userdel -r "$old" 2>/dev/null || userdel "$old"; fi
    old=$(getent group "$id" | cut -d: -f1)
    if [ -n "$old" ]; then groupdel "$old"; fi
done
groupadd -g 1000 jeto
groupadd -g 1001 runner
useradd -m -u 1000 -g 1000 -s /bin/sh jeto
useradd -m -u 1001 -g 1001 -s /bin/sh runner
chmod 755 /home/jeto
# Not the tests' user's own, or it could keep something in the folder's attributes.
chown jeto:jeto /home/runner
chmod 1777 /home/runner
install -d -o jeto -g jeto -m 755 /jeto /jeto/repo /home/jeto/.m2
install -d -m 755 /opt/jeto /opt/jeto/bin /opt/jeto/lib /opt/jeto/jdk/bin

javac=$(readlink -f "$(command -v javac || echo "${JAVA_HOME:-}/bin/javac")")
jdk=$(dirname "$(dirname "$javac")")
ln -sfn "$jdk" /opt/jdk
for entry in "$jdk"/*; do
    name=$(basename "$entry")
    if [ "$name" != bin ] && [ -e "$entry" ]; then ln -s "$entry" "/opt/jeto/jdk/$name"; fi
done
for tool in "$jdk"/bin/*; do
    name=$(basename "$tool")
    if [ "$name" != java ]; then ln -s "$tool" "/opt/jeto/jdk/bin/$name"; fi
done
rm -rf /var/log/*.log /var/log/apt /var/cache/ldconfig/aux-cache
