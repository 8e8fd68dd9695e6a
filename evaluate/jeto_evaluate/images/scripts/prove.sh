#!/bin/sh
# prove.sh MAVEN_COMMAND MAVEN_VERSION FIX_COMMIT...: what must hold of an instance image before
# any test runs in it. Runs as jeto without network; the last line says what does not hold.
set -eu
command=$1
version=$2
shift 2
cd /jeto/repo

fail() { echo "NOT PROVED: $*"; exit 1; }

[ "$(id -u)" = 1000 ] || fail "the user is not jeto"
touch "$HOME/.jeto-probe" && rm "$HOME/.jeto-probe" || fail "the home folder is not writable"
getent hosts "$(hostname)" >/dev/null || fail "the host name does not resolve"
[ "$LC_ALL/$TZ" = C.UTF-8/UTC ] || fail "locale or zone is not fixed"
[ ! -w /opt/jeto/bin ] && [ ! -w /opt/jeto/lib ] || fail "the harness's files are writable"

[ "$(git rev-list --all --count)" = 1 ] || fail "history: more or less than one commit"
[ -z "$(git remote)" ] || fail "history: a remote"
[ -z "$(git tag)" ] || fail "history: a tag"
[ ! -e .git/logs ] || fail "history: a reflog"
[ -z "$(git fsck --unreachable --no-reflogs 2>/dev/null)" ] || fail "history: unreachable objects"
[ -z "$(git status --porcelain --ignored)" ] || fail "the tree differs from the commit"
for fix in "$@"; do
    if git cat-file -e "$fix" 2>/dev/null; then fail "history: $fix is in it"; fi
done

said=$("$command" -o --version </dev/null 2>&1) || fail "Maven does not start offline: $said"
case $said in
*"Apache Maven $version"*) ;;
*) fail "Maven $version is wanted, but there is: $said" ;;
esac
