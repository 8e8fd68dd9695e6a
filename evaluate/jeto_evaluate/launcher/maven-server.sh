#!/bin/sh
# Starts the resident Maven of an arm: maven-server.sh MAVEN_HOME PROJECT_DIRECTORY ARGUMENT...
# C1 and the serial collector: Maven is quiet soon, and leaves the processors to the tests.
# What tests print comes through here; the log stops growing at a limit, and is written at once.
# Neither the log nor Maven's temporary files may carry what tests print from round to round.
set -eu
maven_home=$1
project=$2
shift 2
run=/jeto/run
mkdir -m 700 "$run/tmp"
: >"$run/maven.log"
chmod 600 "$run/maven.log"
options=
if [ -f "$project/.mvn/jvm.config" ]; then
  options=$(tr -s '\r\n' '  ' <"$project/.mvn/jvm.config")
fi
# The project's own collector wins: two of them, and the JVM refuses to start.
case $options in
*-XX:+Use*GC*) ;;
*) options="$options -XX:+UseSerialGC" ;;
esac
cd "$project"
# shellcheck disable=SC2086  # the project's options are words
"$JAVA_HOME/bin/java" $options -XX:TieredStopAtLevel=1 -Xshare:auto \
  -classpath "$(echo "$maven_home"/boot/plexus-classworlds-*.jar)" \
  "-Dclassworlds.conf=/opt/jeto/m2.conf" "-Dmaven.home=$maven_home" \
  "-Djava.io.tmpdir=$run/tmp" "-Dmaven.multiModuleProjectDirectory=$project" \
  org.codehaus.plexus.classworlds.launcher.Launcher \
  "-Djeto.run=$run" -Djeto.jvm=/opt/jeto/jdk/bin/java "$@" 2>&1 |
  perl -e '$left = 16777216;
    while (sysread STDIN, $data, 65536) {
      syswrite STDOUT, substr $data, 0, $left if $left > 0;
      $left -= length $data;
    }' >"$run/maven.log"
# Whoever waits for a round must not wait for a Maven that is gone.
echo 2 >"$run/done"
