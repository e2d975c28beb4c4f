#!/usr/bin/env bash
# A throwaway MariaDB server on loopback, for tests: never durable, gone with its folder.
# usage: scripts/mariadb.sh start DIR    DIR must not exist; prints the connection URI
#        scripts/mariadb.sh again DIR PORT    starts the server of DIR that died once more, with what it had
#        scripts/mariadb.sh stop DIR
# Debian's own version. The user schemaward may do everything and has no password; any other user is made by a test. TLS is on, and
# DIR/server.crt is its own authority, good for localhost and 127.0.0.1. The server's log is DIR/log.err, its socket DIR/socket. The server
# has no tables of time zones: nothing of ours may need them.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

readonly PORT_TRIES_MAX=4 WAITS_MAX=300

write_settings() {
  cat >"$1/my.cnf" <<SETTINGS
[server]
datadir = $1/data
socket = $1/socket
pid_file = $1/pid
log_error = $1/log.err
bind_address = 127.0.0.1
lc_messages_dir = /usr/share/mysql
secure_file_priv = $1/files
ssl_cert = $1/server.crt
ssl_key = $1/server.key
ssl_ca = $1/server.crt
character_set_server = latin1
sql_mode = ANSI_QUOTES
default_time_zone = +05:00
init_file = $1/init.sql
innodb_flush_log_at_trx_commit = 0
innodb_doublewrite = 0
innodb_buffer_pool_size = 64M
innodb_log_file_size = 16M
innodb_stats_auto_recalc = 0
max_connections = 100
max_recursive_iterations = 1000000
skip_name_resolve = 1
skip_log_bin
SETTINGS
  cat >"$1/init.sql" <<'SQL'
CREATE USER IF NOT EXISTS 'schemaward'@'127.0.0.1';
GRANT ALL PRIVILEGES ON *.* TO 'schemaward'@'127.0.0.1' WITH GRANT OPTION;
CREATE USER IF NOT EXISTS 'schemaward'@'localhost';
GRANT ALL PRIVILEGES ON *.* TO 'schemaward'@'localhost' WITH GRANT OPTION;
SQL
}

# Starts the server of a folder on a port; false where it does not answer.
run_server() {
  as_ordinary_user setsid /usr/sbin/mariadbd --defaults-file="$1/my.cnf" --port="$2" >/dev/null 2>&1 </dev/null &
  local server=$!
  for _ in $(seq $WAITS_MAX); do
    if mariadb --no-defaults --protocol=tcp -h 127.0.0.1 -P "$2" -u schemaward -e 'SELECT 1' >/dev/null 2>&1; then return; fi
    kill -0 "$server" 2>/dev/null || break
    sleep 0.1
  done
  return 1
}

start() {
  local dir=$1 port
  [ ! -e "$dir" ] || fail "$dir exists already"
  [ -x /usr/sbin/mariadbd ] || fail "MariaDB is not installed: run scripts/install_deps.sh"
  make_server_dir "$dir"
  dir=$(cd "$dir" && pwd)
  as_ordinary_user mkdir "$dir/files"
  as_ordinary_user openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=localhost \
    -addext subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout "$dir/server.key" -out "$dir/server.crt" 2>/dev/null ||
    fail "openssl could not make a certificate"
  as_ordinary_user chmod 600 "$dir/server.key"
  as_ordinary_user bash -c "$(declare -f write_settings); write_settings '$dir'"
  as_ordinary_user mariadb-install-db --no-defaults --datadir="$dir/data" --auth-root-authentication-method=normal \
    --skip-test-db --skip-name-resolve >"$dir/install.out" 2>&1 </dev/null ||
    { tail -n 5 "$dir/install.out" >&2; fail "mariadb-install-db failed"; }
  for _ in $(seq $PORT_TRIES_MAX); do
    port=$(free_port)
    if run_server "$dir" "$port"; then
      echo "mysql://schemaward@127.0.0.1:$port/"
      return
    fi
  done
  tail -n 5 "$dir/log.err" >&2
  fail "MariaDB did not start"
}

stop() {
  [ ! -s "$1/pid" ] || kill -KILL "$(cat "$1/pid")" 2>/dev/null || true
  [ ! -f "$1/my.cnf" ] || rm -rf "$1"
}

case "${1:-}" in
  start) [ $# = 2 ] || fail "usage: mariadb.sh start DIR"; start "$2" ;;
  again) [ $# = 3 ] || fail "usage: mariadb.sh again DIR PORT"; run_server "$2" "$3" || fail "MariaDB did not start again" ;;
  stop) [ $# = 2 ] || fail "usage: mariadb.sh stop DIR"; stop "$2" ;;
  *) fail "usage: mariadb.sh start DIR | again DIR PORT | stop DIR" ;;
esac
