#!/bin/sh
# Creates imgstore's role and database once, on the first server; $1 is a connection string.
set -eu
password=$(cat /run/secrets/database.password)
psql --set ON_ERROR_STOP=1 --dbname "$1" --set password="$password" <<'SQL'
CREATE ROLE imgstore LOGIN PASSWORD :'password';
CREATE DATABASE imgstore OWNER imgstore;
\connect imgstore
CREATE EXTENSION postgis;
CREATE EXTENSION btree_gist;
CREATE EXTENSION btree_gin;
CREATE EXTENSION pg_trgm;
SQL
