#!/bin/sh
# Without arguments: set up what is missing, then serve. With arguments: run that imgstore command.
set -eu
if [ "$#" -gt 0 ]; then
  exec imgstore "$@"
fi
if [ -z "${IMGSTORE_DATABASE_URL:-}${IMGSTORE_DATABASE_URL_FILE:-}" ] && [ ! -x /usr/lib/postgresql/17/bin/postgres ]; then
  echo 'Error: no database is configured, and this image does not contain one.' >&2
  echo '  Setting: database.url' >&2
  echo '  Remedy:  set IMGSTORE_DATABASE_URL_FILE or IMGSTORE_DATABASE_URL, or build the image without --target' >&2
  exit 78
fi
exec imgstore serve --init
