#!/bin/sh
# Without arguments: provision what is missing, then serve. With arguments: that command of imgstore.
set -eu
if [ "$#" -gt 0 ]; then
  exec imgstore "$@"
fi
if [ -z "${IMGSTORE_DATABASE_URL:-}${IMGSTORE_DATABASE_URL_FILE:-}" ]; then
  echo 'Error: a container has no database of its own.' >&2
  echo '  Setting: database.url' >&2
  echo '  Remedy:  set IMGSTORE_DATABASE_URL_FILE or IMGSTORE_DATABASE_URL' >&2
  exit 78
fi
imgstore init --yes
exec imgstore serve
