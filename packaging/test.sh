#!/usr/bin/env bash
# Installs and runs the packages that packaging/build.sh has made. What cannot be tried here is named at the end, never passed over in silence.
# usage: packaging/test.sh [OUT_DIR]     as root it also installs the .deb and runs the npm package in a root of its own
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/common.sh
out=$(cd "${1:-build/packages}" && pwd)
work=$(mktemp -d)
untried=()
installed=
clean() {
  [ -z "$installed" ] || dpkg --purge schemaward >/dev/null 2>&1 || true
  rm -rf "$work"
}
trap clean EXIT
export HOME=$work/home
mkdir -p "$HOME"
sqlite3 -bail "$work/shop.db" <examples/shop/shop.sql >/dev/null

begin() { say "-- $1"; }

begin "checksums"
(cd "$out" && sha256sum --check --quiet SHA256SUMS)

begin "SBOM"
python3 - "$out"/*.spdx.json <<'EOF'
import json, sys
names = {package["name"] for package in json.load(open(sys.argv[1]))["packages"]}
missing = {"schemaward", "libsqlite3-dev", "libpq5", "libc6", "nlohmann-json3-dev"} - names
assert not missing, missing
EOF

begin "deb: contents"
dpkg-deb -x "$out"/*.deb "$work/deb"
for file in usr/bin/schemaward usr/lib/schemaward/ward_postgres.so usr/share/man/man1/schemaward.1.gz usr/share/bash-completion/completions/schemaward \
            usr/share/zsh/vendor-completions/_schemaward usr/share/fish/vendor_completions.d/schemaward.fish usr/lib/systemd/system/schemaward.service; do
  [ -s "$work/deb/$file" ] || fail "the deb has no $file"
done
dpkg-deb -f "$out"/*.deb Depends | grep -q libc6 || fail "the deb depends on nothing"
dpkg-deb -f "$out"/*.deb Recommends | grep -q libpq5 || fail "the deb does not recommend what its modules load"
bash -n "$work/deb/usr/share/bash-completion/completions/schemaward"
completed=$(bash -c 'source "$1"; COMP_WORDS=(schemaward audit verify --pub); COMP_CWORD=3; _schemaward; echo "${COMPREPLY[@]}"' - "$work/deb/usr/share/bash-completion/completions/schemaward")
[ "$completed" = --public-key ] || fail "bash completes \"audit verify --pub\" to \"$completed\""
for shell in zsh fish; do command -v $shell >/dev/null || untried+=("$shell's completion: no $shell here"); done
! command -v zsh >/dev/null || zsh -n "$work/deb/usr/share/zsh/vendor-completions/_schemaward"
! command -v fish >/dev/null || fish -n "$work/deb/usr/share/fish/vendor_completions.d/schemaward.fish"
if command -v man >/dev/null; then
  man --warnings=all -l "$work/deb/usr/share/man/man1/schemaward.1.gz" >"$work/man.txt" 2>"$work/man.warnings"
  [ ! -s "$work/man.warnings" ] || fail "the man page has faults: $(head -n 1 "$work/man.warnings")"
  grep -q 'audit verify' "$work/man.txt" || fail "the man page lacks a verb"
else
  untried+=("the man page: no man here")
fi

begin "deb: from its folder"
ward=$work/deb/usr/bin/schemaward
"$ward" index "$work/shop.db" --no-suggest --store "$work/deb.db" >/dev/null
packaging/session.py "$ward" serve --store "$work/deb.db"

if [ "$(id -u)" = 0 ] && ! dpkg-query -W -f '${db:Status-Abbrev}' schemaward 2>/dev/null | grep -q '^ii'; then
  begin "deb: installed"
  installed=yes
  dpkg -i "$out"/*.deb >"$work/dpkg.log" 2>&1 || { cat "$work/dpkg.log" >&2; fail "dpkg could not install it"; }
  packaging/session.py /usr/bin/schemaward serve --store "$work/deb.db"
  if command -v systemd-analyze >/dev/null; then
    # Only what it says of our unit counts: other units are not ours, and slim systems leave manual pages out.
    systemd-analyze verify schemaward.service 2>&1 | grep -i 'schemaward.service' | grep -v 'man schemaward' >"$work/unit" || true
    [ ! -s "$work/unit" ] || fail "the unit has faults: $(cat "$work/unit")"
    untried+=("the unit started: it is only checked by systemd-analyze")
  else
    untried+=("the unit: no systemd-analyze here")
  fi
  dpkg --purge schemaward >/dev/null
  installed=
  [ ! -e /usr/bin/schemaward ] && [ ! -e /usr/lib/schemaward ] || fail "something stays after removal"
else
  untried+=("the deb installed: needs root, and no schemaward that is installed already")
fi

begin "npm: from its tarball, without network"
mkdir "$work/npm"
(cd "$work/npm" && echo '{"private":true}' >package.json && npm install --silent --offline --no-audit --no-fund "$out"/*.tgz)
packaging/session.py "$work/npm/node_modules/.bin/schemaward" demo
# A client that is wired by it starts it by its launcher, which finds the libraries; doctor holds that session.
npx_ward=$work/npm/node_modules/.bin/schemaward
"$npx_ward" index "$work/shop.db" --no-suggest --store "$work/npm.db" >/dev/null
XDG_CONFIG_HOME= "$npx_ward" init --yes --client cursor --store "$work/npm.db" >/dev/null
grep -q '"command": ".*/launcher.js"' "$HOME/.cursor/mcp.json" || fail "npm's init wires $(cat "$HOME/.cursor/mcp.json")"
"$npx_ward" doctor --store "$work/npm.db" | grep -E '^client cursor +ok ' || fail "doctor does not reach the npm package as Cursor would"
code=0
SCHEMAWARD_NPM_PRETEND=elsewhere "$work/npm/node_modules/.bin/schemaward" demo 2>"$work/elsewhere" || code=$?
[ $code = 2 ] && grep -q 'docker run' "$work/elsewhere" || fail "elsewhere it ends with $code: $(cat "$work/elsewhere")"

# A root with Node, what Node loads, and the package: nothing else of this machine, no network.
if [ "$(id -u)" = 0 ] && unshare --mount --net --fork --pid true 2>/dev/null; then
  begin "npm: in a root that holds only Node and the package"
  root=$work/root node=$(readlink -f "$(command -v node)")
  mkdir -p "$root"/{proc,tmp,dev,home,opt}
  cp -r "$work/npm/node_modules/schemaward" "$root/opt/"
  for file in "$node" $(ldd "$node" | grep -o '/[^ ]*'); do install -D "$(readlink -f "$file")" "$root$file"; done
  [ ! -e "$root/bin/sh" ] || fail "the root holds a shell"
  cat >"$work/inside" <<EOF
#!/bin/sh
mount -t proc proc "$root/proc" && : >"$root/dev/null" && mount --bind /dev/null "$root/dev/null" &&
exec chroot "$root" "$node" /opt/schemaward/launcher.js demo
EOF
  chmod +x "$work/inside"
  packaging/session.py env -i HOME=/home PATH=/usr/sbin:/usr/bin:/sbin:/bin unshare --mount --net --fork --pid "$work/inside"
else
  untried+=("npm in a root of its own: needs root and namespaces")
fi

begin "mcpb"
mkdir "$work/mcpb"
unzip -q "$out"/*.mcpb -d "$work/mcpb"
cat >"$work/as_client.py" <<'EOF'
# What a client makes of the manifest: the command with its folder and the user's answer filled in.
import json, os, sys
folder, source, *session = sys.argv[1:]
server = json.load(open(f"{folder}/manifest.json"))["server"]
fill = lambda text: text.replace("${__dirname}", folder).replace("${user_config.source}", source)
config = server["mcp_config"]
assert os.access(f"{folder}/{server['entry_point']}", os.X_OK)
os.environ.update({name: fill(value) for name, value in config["env"].items()})
os.execv(session[0], [*session, fill(config["command"]), *map(fill, config["args"])])
EOF
"$ward" index "$work/shop.db" --no-suggest --store "$work/mcpb.db" >/dev/null
SCHEMAWARD_STORE=$work/mcpb.db python3 "$work/as_client.py" "$work/mcpb" "$work/shop.db" "$ROOT/packaging/session.py"

if ! docker info >/dev/null 2>&1; then untried+=("the Dockerfile: no Docker daemon here"); fi
for words in "${untried[@]}"; do say "not tried: $words"; done
say "packages: everything that could be tried here works"
