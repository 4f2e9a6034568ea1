#!/bin/sh
# Runs the hook. A hook must never be in the way, so it always succeeds. Claude Code shows what it
# writes to standard error only in its debug log.
if ! command -v node >/dev/null 2>&1; then
  echo "commonplace: the hooks need Node.js 18 or later" >&2
  exit 0
fi
node "$(dirname "$0")/hook.mjs" || exit 0
