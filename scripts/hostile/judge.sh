#!/usr/bin/env bash
# Checks every response from a running service against the service's OpenAPI document, using
# schemathesis.
#
#   pip install schemathesis==4.32.5
#   COMMONPLACE_API_KEY=cpl_… scripts/hostile/judge.sh http://127.0.0.1:8420 [SEED [EXAMPLES]]
#
# The script writes and deletes at random in the key's project, so use a project made just for it.
set -euo pipefail
url="${1:?the address of the service}"
config="$(realpath "$(dirname "$0")/schemathesis.toml")"
cd "$(mktemp -d)" # schemathesis leaves files in the folder where it runs
exec schemathesis --config-file "$config" run "$url/v1/openapi.json" \
  --header "Authorization: Bearer ${COMMONPLACE_API_KEY:?a key with every permission}" \
  --seed "${2:-1}" --max-examples "${3:-100}"
