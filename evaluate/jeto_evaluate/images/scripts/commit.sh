#!/bin/sh
# Runs as jeto in the laid tree: one commit with nothing before, beside or after it.
set -eu
cd /jeto/repo
umask 022
rm -rf .git
git init -q --template= -b base
mkdir -p .git/info
# The tree is compared byte for byte later, so no attribute of the project may convert it.
echo '* -text -eol -ident -filter -working-tree-encoding' >.git/info/attributes
git config core.logAllRefUpdates false
git config core.autocrlf false
git config core.fileMode true
git config gc.auto 0
git config user.name base
git config user.email base@jeto-bench.invalid
git add -A -f
GIT_AUTHOR_DATE='2000-01-01T00:00:00Z' GIT_COMMITTER_DATE='2000-01-01T00:00:00Z' \
    git commit -q --allow-empty -m base
rm -f .git/COMMIT_EDITMSG
git gc -q --prune=now
rm -rf .git/logs
