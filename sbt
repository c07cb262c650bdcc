#!/usr/bin/env bash
# Runs sbt, the build tool. Needs a JDK; fetches sbt's launcher through Maven once, unless sbt is installed.
#
#   ./sbt run          one node on this machine
#   ./sbt test         every test
#
# HOLDFAST_CACHE      where the launcher is kept      (default: ~/.cache/holdfast)
# MAVEN_REPOSITORY    a Maven repository's URL, to fetch the launcher with curl where Maven is missing
set -euo pipefail

home=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd -P)
version=$(sed -n 's/^sbt\.version=//p' "$home/project/build.properties")
sha256=1750c8fb61c2d2f82da40b2cd9014f4d8a1bd49a361402ea5b1cec061ed66578
options=(
  -Dsbt.server.autostart=false
  -Dsbt.override.build.repos=true
  "-Dsbt.repository.config=$home/project/repositories"
)

die() {
  printf '%s\n' "$@" >&2
  exit 69
}

# The sbt on the path, if it is one and not this script.
installed() {
  local found
  while IFS= read -r found; do
    [[ $found -ef $home/sbt ]] || { printf '%s\n' "$found" && return; }
  done < <(type -aP sbt)
  return 1
}

sound() { [[ -f $1 && $(sha256sum "$1" | cut -d' ' -f1) == "$sha256" ]]; }

fetch() { # file
  local into=$1 artifact=sbt-launch
  part=$(mktemp -d "$(dirname "$into")/fetch.XXXXXX")
  trap 'rm -rf "$part"' EXIT
  echo "fetching sbt $version (once) ..." >&2
  if command -v mvn >/dev/null; then
    mvn -q -B dependency:copy "-Dartifact=org.scala-sbt:$artifact:$version" "-DoutputDirectory=$part" >"$part/log" 2>&1 ||
      die "Maven could not fetch sbt's launcher:" "$(tail -n 5 "$part/log")"
  elif [[ -n ${MAVEN_REPOSITORY:-} ]] && command -v curl >/dev/null; then
    curl -fsSL -o "$part/$artifact-$version.jar" \
      "${MAVEN_REPOSITORY%/}/org/scala-sbt/$artifact/$version/$artifact-$version.jar" ||
      die "curl could not fetch sbt's launcher from MAVEN_REPOSITORY [$MAVEN_REPOSITORY]"
  else
    die "sbt is needed and could not be fetched: install sbt or Maven," \
      "or set MAVEN_REPOSITORY to the URL of a Maven repository and have curl."
  fi
  sound "$part/$artifact-$version.jar" || die "the fetched sbt launcher does not have the expected SHA-256 [$sha256]"
  mv -f "$part/$artifact-$version.jar" "$into"
  rm -rf "$part"
}

java=java
[[ -z ${JAVA_HOME:-} ]] || java=$JAVA_HOME/bin/java
command -v "$java" >/dev/null || die "a JDK, version 17 or later, is needed: no [$java] found"

cd "$home"
if sbt=$(installed); then
  exec "$sbt" "${options[@]}" "$@"
fi
cache=${HOLDFAST_CACHE:-${XDG_CACHE_HOME:-${HOME:-$home/target}/.cache}/holdfast}
launcher=$cache/sbt-launch-$version.jar
mkdir -p "$cache"
sound "$launcher" || fetch "$launcher"
mapfile -t jvm < <(grep -v '^#' .jvmopts)
exec "$java" "${jvm[@]}" "${options[@]}" -jar "$launcher" "$@"
