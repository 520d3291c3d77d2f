#!/bin/sh
# Starts Patroni with the name of its container and the password of the database.
set -eu
name=$(hostname)
PATRONI_SUPERUSER_PASSWORD=$(cat /run/secrets/database.password)
export PATRONI_NAME="$name" PATRONI_SUPERUSER_PASSWORD
export PATRONI_REPLICATION_PASSWORD="$PATRONI_SUPERUSER_PASSWORD"
export PATRONI_RESTAPI_CONNECT_ADDRESS="$name:8008" PATRONI_POSTGRESQL_CONNECT_ADDRESS="$name:5432"
exec patroni /etc/patroni/patroni.yml
