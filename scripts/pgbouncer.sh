#!/usr/bin/env bash
# A PgBouncer in transaction mode in front of a test server: no session state survives a transaction behind it.
# usage: scripts/pgbouncer.sh start PORT_OF_SERVER DIR    DIR must not exist; prints the connection URI
#        scripts/pgbouncer.sh stop DIR
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

readonly TRIES_MAX=4 WAITS_MAX=50

start() {
  local server_port=$1 dir=$2 port
  [ ! -e "$dir" ] || fail "$dir exists already"
  command -v pgbouncer >/dev/null || fail "pgbouncer is not installed: run scripts/install_deps.sh"
  make_server_dir "$dir"
  for _ in $(seq $TRIES_MAX); do
    port=$(free_port)
    cat >"$dir/pgbouncer.ini" <<SETTINGS
[databases]
* = host=127.0.0.1 port=$server_port user=schemaward
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = $port
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 4
max_client_conn = 100
pidfile = $dir/pid
logfile = $dir/log
SETTINGS
    as_ordinary_user "$(command -v pgbouncer)" -q -d "$dir/pgbouncer.ini" >/dev/null 2>&1 </dev/null || continue
    for _ in $(seq $WAITS_MAX); do
      if [ -s "$dir/pid" ] && (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
        echo "postgres://schemaward@127.0.0.1:$port/postgres"
        return
      fi
      sleep 0.1
    done
  done
  tail -n 5 "$dir/log" >&2
  fail "pgbouncer did not start"
}

stop() {
  [ ! -s "$1/pid" ] || kill -INT "$(cat "$1/pid")" 2>/dev/null || true
  [ ! -f "$1/pgbouncer.ini" ] || rm -rf "$1"
}

case "${1:-}" in
  start) [ $# = 3 ] || fail "usage: pgbouncer.sh start PORT_OF_SERVER DIR"; start "$2" "$3" ;;
  stop) [ $# = 2 ] || fail "usage: pgbouncer.sh stop DIR"; stop "$2" ;;
  *) fail "usage: pgbouncer.sh start PORT_OF_SERVER DIR | stop DIR" ;;
esac
