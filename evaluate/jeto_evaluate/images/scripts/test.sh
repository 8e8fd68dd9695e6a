#!/bin/sh
# test.sh MAVEN_COMMAND ARGUMENT...: the tests offline, from a tree without build products.
set -eu
cd /jeto/repo
git clean -xdfq
exec "$@" </dev/null
