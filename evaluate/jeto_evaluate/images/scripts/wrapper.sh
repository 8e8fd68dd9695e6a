#!/bin/sh
# wrapper.sh PLUGIN MAVEN_VERSION: generates the script-only wrapper into /tmp/wrapper.tar.
set -eu
work=$(mktemp -d)
cp /mnt/pom.xml "$work"
cd "$work"
export MAVEN_OPTS="-Djavax.net.ssl.trustStore=/mnt/trust.jks -Djavax.net.ssl.trustStorePassword=changeit"
mvn -B -q -s /mnt/settings.xml "$1" "-Dmaven=$2" -Dtype=only-script </dev/null
tar -cf /tmp/wrapper.tar mvnw mvnw.cmd .mvn
