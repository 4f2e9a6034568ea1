#!/usr/bin/env bash
# Holds every answer of a running service against its own OpenAPI document, with schemathesis.
#
#   pip install schemathesis==4.32.5
#   COMMONPLACE_API_KEY=cpl_… scripts/hostile/judge.sh http://127.0.0.1:8420 [SEED [EXAMPLES]]
#
# It writes and deletes at random in the project of the key: give it one of its own.
set -euo pipefail
url="${1:?the address of the service}"
config="$(realpath "$(dirname "$0")/schemathesis.toml")"
cd "$(mktemp -d)" # it leaves its notes where it runs
exec schemathesis --config-file "$config" run "$url/v1/openapi.json" \
  --header "Authorization: Bearer ${COMMONPLACE_API_KEY:?a key with every permission}" \
  --seed "${2:-1}" --max-examples "${3:-100}"
