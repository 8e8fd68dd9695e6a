#!/bin/sh
# maven.sh COMMAND ARGUMENT...: Maven in the tree, with what only a build needs: the settings
# and certificates in /mnt, neither of which becomes part of the image.
set -eu
command=$1
shift
cd /jeto/repo
export CURL_CA_BUNDLE=/mnt/ca.pem SSL_CERT_FILE=/mnt/ca.pem
# Where Maven itself is asked for; not an argument, which the log would show.
if [ -e /mnt/mirror.env ]; then . /mnt/mirror.env; fi
# A repository that does not answer costs its time-out for every file that is looked for in it.
export MAVEN_OPTS="-Djavax.net.ssl.trustStore=/mnt/trust.jks \
-Djavax.net.ssl.trustStorePassword=changeit \
-Daether.connector.connectTimeout=5000 -Dmaven.wagon.http.connectionTimeout=5000"
exec "$command" -B -s /mnt/settings.xml "$@" </dev/null
