#!/bin/sh
# agent.sh: packs the agent's project in /mnt/agent into /tmp/jeto-agent.jar.
set -eu
work=$(mktemp -d)
cp -r /mnt/agent/. "$work"
cd "$work"
export MAVEN_OPTS="-Djavax.net.ssl.trustStore=/mnt/trust.jks -Djavax.net.ssl.trustStorePassword=changeit"
mvn -B -q -s /mnt/settings.xml -DskipTests package </dev/null
cp target/jeto-agent.jar /tmp/jeto-agent.jar
