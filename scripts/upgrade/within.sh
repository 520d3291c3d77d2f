#!/bin/bash
# Runs inside the Debian of scripts/upgrade-test.ts, which has PostgreSQL 15 and 17: the programs of a
# home made with 15 are removed and restored, and the home is upgraded to 17, with kills in between.
set -euo pipefail
imgstore=/imgstore/bin/imgstore
home=/home/imgstore
versions=/usr/lib/postgresql
trap 'cat /tmp/out >&2' ERR

# Runs a command that must exit with a given code and print matching output.
expect() {
  local code=$1 pattern=$2 got=0
  shift 2
  timeout 300 "$imgstore" "$@" --home $home >/tmp/out 2>&1 </dev/null || got=$?
  [ "$got" = "$code" ] || { echo "\"$*\" ended with $got instead of $code" >&2; cat /tmp/out >&2; exit 1; }
  grep -Eq -- "$pattern" /tmp/out || { echo "\"$*\" does not say: $pattern" >&2; cat /tmp/out >&2; exit 1; }
  echo "ok  $*: $pattern"
}

for version in 15 17; do
  [ ! -d /root/$version ] || mv /root/$version $versions/ # a run before this one was ended
done
rm -f /tmp/said

mv $versions/17 /root/17
expect 0 'is ready' init --yes
expect 0 'demo' platform create --name demo
expect 0 'runs on PostgreSQL 15, and no newer version .*postgresql-17-postgis-3' database upgrade
mv /root/17 $versions/17

# As after an upgrade of Debian that removed the old packages.
mv $versions/15 /root/15
expect 69 'The database uses PostgreSQL 15\. No PostgreSQL 15' serve --port 0
expect 69 'database upgrade' database upgrade
mv /root/15 $versions/15

echo 'shared_buffers = 70MB' >>$home/database/cluster/postgresql.conf
for step in Creating Dumping Restoring Comparing Checking; do
  mkfifo /tmp/said
  "$imgstore" database upgrade --home $home >/dev/null 2>/tmp/said </dev/null &
  pid=$!
  while read -r line; do
    case $line in "$step"*) kill -KILL $pid; break ;; esac
  done </tmp/said
  wait $pid || true
  rm /tmp/said
  expect 0 demo platform list
  [ "$(cat $home/database/cluster/PG_VERSION)" = 15 ]
  echo "ok  killed while $step: 15 is in use"
done

expect 0 'runs on PostgreSQL 17: .* all compared' database upgrade
[ "$(cat $home/database/cluster/PG_VERSION)" = 17 ]
grep -q '^shared_buffers = 70MB' $home/database/cluster/postgresql.conf
[ ! -e $home/database/next ]
expect 0 demo platform list
expect 0 'agree' verify accounts
expect 0 'no newer version' database upgrade
ls -d $home/database/cluster.old-*-postgresql-15
expect 0 'Deleted: cluster.old-' database upgrade --remove-old --yes
expect 0 demo platform list
echo done
