#!/bin/sh
# Creates the secrets of compose.yaml and failover.yaml in docker/secrets; existing ones stay unchanged.
set -eu
cd "$(dirname "$0")"
umask 077
mkdir -p secrets
word() { head -c 24 /dev/urandom | base64 | tr '+/' '-_'; }
keep() { [ -s "secrets/$1" ] || cat > "secrets/$1"; }
head -c 32 /dev/urandom | base64 | keep master.key
word | keep database.password
word | keep s3.access_key
word | keep s3.secret_key
echo "postgresql://imgstore:$(cat secrets/database.password)@database/imgstore" | keep database.url
echo "postgresql://imgstore:$(cat secrets/database.password)@database,database-2,database-3/imgstore?target_session_attrs=read-write" |
  keep database-hosts.url
keep s3.json <<JSON
{"identities": [{"name": "imgstore", "actions": ["Admin", "Read", "Write", "List", "Tagging"],
  "credentials": [{"accessKey": "$(cat secrets/s3.access_key)", "secretKey": "$(cat secrets/s3.secret_key)"}]}]}
JSON
# The containers read them as different users; the folder keeps everyone else out.
chmod 0700 secrets
chmod 0444 secrets/*
