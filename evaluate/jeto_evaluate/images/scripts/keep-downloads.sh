#!/bin/sh
# Adds new artifacts and distributions to the shared cache. Runs as root. Every file arrives
# under its name by a rename, because other builds may be reading.
set -eu
cache=/media
incoming=$(mktemp -d "$cache/incoming.XXXXXX")
trap 'rm -rf "$incoming"' EXIT

cd /home/jeto/.m2/repository
mkdir -p "$cache/repository"
find . -type f ! -name '*.lastUpdated' ! -name '_remote.repositories' \
    ! -name 'resolver-status.properties' ! -name 'maven-metadata-*' ! -name '*.part' \
    ! -path '*-SNAPSHOT/*' | sort >"$incoming/here"
(cd "$cache/repository" && find . -type f | sort) >"$incoming/there"
comm -23 "$incoming/here" "$incoming/there" >"$incoming/new"
if [ -s "$incoming/new" ]; then
    mkdir "$incoming/files"
    tar -cf - -T "$incoming/new" | tar -xf - -C "$incoming/files" --no-same-owner
    sed 's|/[^/]*$||' "$incoming/new" | sort -u | (cd "$cache/repository" && xargs -d '\n' mkdir -p)
    while IFS= read -r path; do
        mv -n "$incoming/files/$path" "$cache/repository/$path"
    done <"$incoming/new"
fi

mkdir -p "$cache/dists"
for dist in /home/jeto/.m2/wrapper/dists/*; do
    name=$(basename "$dist")
    if [ -d "$dist" ] && [ ! -e "$cache/dists/$name" ]; then
        cp -r "$dist" "$incoming/$name"
        mv -nT "$incoming/$name" "$cache/dists/$name" || true
    fi
done
chmod -R a+rX "$cache/repository" "$cache/dists"
