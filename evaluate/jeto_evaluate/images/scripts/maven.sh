#!/bin/sh
# maven.sh COMMAND ARGUMENT...: Maven in the tree, with what only a build needs: the settings
# and certificates in /mnt, neither of which becomes part of the image.
set -eu
command=$1
shift
cd /jeto/repo
export CURL_CA_BUNDLE=/mnt/ca.pem SSL_CERT_FILE=/mnt/ca.pem
export MAVEN_OPTS="-Djavax.net.ssl.trustStore=/mnt/trust.jks -Djavax.net.ssl.trustStorePassword=changeit"
exec "$command" -B -s /mnt/settings.xml "$@" </dev/null
