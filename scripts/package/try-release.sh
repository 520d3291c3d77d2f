#!/bin/bash
# Installs one package of a release and uses it as a new user would; run by release-test.ts in a
# throwaway Debian. Arguments: deb or npm, the file, and its
# version. Prints "ok" or "not ok".
kind=$1
file=$2
failed=0
export DEBIAN_FRONTEND=noninteractive
cd "$(dirname "$file")" || exit 1
. ./within.sh
version=$3

check() { # check WHAT COMMAND...: the command must succeed
  local what=$1
  shift
  if "$@" >/tmp/said 2>&1; then
    echo "ok      $kind: $what"
  else
    echo "not ok  $kind: $what"
    cat /tmp/said
    failed=1
  fi
}
quietly_install() { apt-get -qy --no-install-recommends install "$@"; }
postgis() { apt-cache pkgnames postgresql- | grep -E '^postgresql-[0-9]+-postgis-3$' | sort -V | tail -n 1; }
names_apt() { # the message about a missing database server
  imgstore init --yes 2>&1 | tee /tmp/init | grep -q "apt-get install --no-install-recommends $(postgis)" || ! cat /tmp/init
}
serves() { curl --silent --fail http://127.0.0.1:8080/readyz; }
uploads() { # with the command that "up" has printed
  sed -n '/^curl /,/images$/p' /tmp/up >/tmp/upload.sh
  (cd / && sh /tmp/upload.sh) | grep '"org_path_url"'
}

apt-get -q update >/dev/null
check "curl" quietly_install curl
if [ "$kind" = deb ]; then
  check "installed without its recommendations" quietly_install "$file"
  check "without PostgreSQL, init names the command to install it" names_apt
else
  check "installed" npm install --global --no-audit --no-fund "$file"
  check "with the versions of its shrinkwrap" test -e "$(npm root --global)/imgstore/npm-shrinkwrap.json"
fi
check "the version" test "$(imgstore version)" = "$version"
check "PostgreSQL" quietly_install "$(postgis)"
imgstore up --yes >/tmp/up 2>/tmp/up.log &
check "serves" within 120 serves
check "shows the first steps" within 20 grep -q 'Ctrl-C' /tmp/up
check "names the command as it can be run here" sh -c '! grep -q "bin/imgstore " /tmp/up'
check "the upload works as printed" uploads
check "the page at /" sh -c 'curl --silent http://127.0.0.1:8080/ | grep -q "<h1>imgstore</h1>"'
check "status" sh -c 'imgstore status | grep "1 image\b"'
kill %1
check "stops" wait %1
exit $failed
