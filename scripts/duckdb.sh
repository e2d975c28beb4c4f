#!/usr/bin/env bash
# Prints the path of DuckDB's library, for tests and trials; npm brings it at the first call.
# usage: SCHEMAWARD_DUCKDB=$(scripts/duckdb.sh)
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

folder=$(npm_folder duckdb @duckdb/node-bindings-linux-x64@1.5.6-r.1)
echo "$folder/node_modules/@duckdb/node-bindings-linux-x64/libduckdb.so"
