#!/bin/bash
# The life cycle of the Debian package on a machine with systemd; run in a throwaway container by
# package-test.mjs. Arguments: the folder with old.deb, new.deb, upload.mjs. Prints "ok" or "not ok".
cd "$1" || exit 1
. ./within.sh
home=/var/lib/imgstore
config=/etc/imgstore/config.yaml

check() { # check WHAT COMMAND...: the command must succeed
  local what=$1
  shift
  if "$@"; then echo "ok      $what"; else failed=yes; echo "not ok  $what"; fi
}
property() { systemctl show "${2:-imgstore}" --property="$1" --value; }
upload() { /usr/lib/imgstore/node upload.mjs "$1" /usr/lib/imgstore/assets/sample.jpg; }
restarted() { [ "$(property NRestarts)" -ge "$1" ] && [ "$(property ActiveState)" = active ]; }
says() { systemctl status imgstore --no-pager | grep -q "$1"; }
owned() { [ -z "$(find $home ! -user imgstore)" ]; }
on_node() { IMGSTORE_HOME=$home/nodes/a IMGSTORE_CONFIG=/etc/imgstore/a.yaml "$@"; }
database_elsewhere() { # Debian's own server, made by its words, with a database for the node
  pg_createcluster "$(ls /usr/lib/postgresql)" main --start || return
  cd / # its user may not look into the folder of root
  runuser -u postgres -- psql --quiet --set=ON_ERROR_STOP=1 <<-'SQL'
	CREATE ROLE node LOGIN PASSWORD 'of the node';
	CREATE DATABASE node OWNER node;
	\connect node
	CREATE EXTENSION postgis;
	SQL
  local made=$?
  cd - >/dev/null || return
  return $made
}
node_settings() {
  install -o root -g imgstore -m 0640 /dev/null /etc/imgstore/a.yaml
  printf 'port: 8191\ndatabase.url: postgresql://node:of%%20the%%20node@127.0.0.1/node\n' >/etc/imgstore/a.yaml
}
no_postgres() { ! pgrep -u imgstore postgres >/dev/null; }

check "installed: enabled, not started" [ "$(systemctl is-enabled imgstore)/$(property ActiveState)" = enabled/inactive ]
check "settings: root:imgstore 0640" [ "$(stat -c %U:%G:%a $config)" = root:imgstore:640 ]
check "home: imgstore 0700" [ "$(stat -c %U:%G:%a $home)" = imgstore:imgstore:700 ]

check "the first start provisions" systemctl start imgstore
check "systemd shows the URL" says 'Serving at http://127.0.0.1:8080'
check "root can query the status" imgstore status
check "an upload succeeds" upload http://127.0.0.1:8080
check "no file in the home belongs to root" owned

check "a node without settings does not start" sh -c '! systemctl start imgstore@a 2>/dev/null'
check "an external database" database_elsewhere
node_settings
check "a node starts with it" systemctl enable --now imgstore@a
check "the node shares its slice" [ "$(property Slice imgstore@a)/$(property ActiveState imgstore.slice)" = imgstore.slice/active ]
check "root can query the node's status" on_node imgstore status
check "an upload to the node succeeds" on_node upload http://127.0.0.1:8191
check "the node has no private PostgreSQL" [ ! -e $home/nodes/a/database/data ]
node=$(property MainPID imgstore@a)

echo 'port: 8090' >>$config
before=$(imgstore --version)
sum=$(md5sum $config)
check "an upgrade runs" dpkg --install new.deb
check "the settings are kept" [ "$(md5sum $config)" = "$sum" ]
check "the new version" [ "$(imgstore --version)" != "$before" ]
check "the service was started again, on the port of the settings" within 30 says 'Serving at http://127.0.0.1:8090'
check "the uploaded image still exists" sh -c 'imgstore status | grep "1 image\b"'
check "the node was started again, too" [ "$(property ActiveState imgstore@a)" = active -a "$(property MainPID imgstore@a)" != "$node" ]
check "and kept its image" on_node sh -c 'imgstore status | grep "1 image\b"'

kill -KILL "$(property MainPID)"
check "it is restarted after a kill" within 60 restarted 1
mkdir -p /run/systemd/system/imgstore.service.d
printf '[Service]\nWatchdogSec=4s\n' >/run/systemd/system/imgstore.service.d/watchdog.conf
systemctl daemon-reload
systemctl restart imgstore
sleep 6
check "the watchdog leaves a healthy service alone" [ "$(property NRestarts)" = 0 ]
kill -STOP "$(property MainPID)"
check "the watchdog restarts a hanging service" within 90 restarted 1

systemctl stop imgstore
check "stopped cleanly" [ "$(property Result)" = success ]
check "its PostgreSQL stopped with it" no_postgres
check "the database was shut down cleanly" sh -c "tail -n 1 $home/database/postgres.log | grep 'database system is shut down'"
echo 'port: nonsense' >>$config
systemctl start imgstore
check "wrong settings: failed, and not retried" [ "$(property ActiveState)/$(property ExecMainStatus)" = failed/78 ]
sed -i '$d' $config

systemctl start imgstore
check "removed while running" apt-get -qy remove imgstore
check "no process remains" sh -c '! pgrep -u imgstore'
check "data and settings are kept" [ -e $home/secrets/master.key -a -e $config ]
check "purged" apt-get -qy purge imgstore
check "nothing is left" sh -c "! ls -d /etc/imgstore $home /usr/lib/imgstore /etc/systemd/system/*/imgstore* 2>&1 | grep -v 'cannot access'"
check "no user, no group" sh -c '! getent passwd imgstore && ! getent group imgstore'

[ -z "$failed" ] || journalctl --unit 'imgstore*' --no-pager --output cat --lines 100
