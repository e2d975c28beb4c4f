#!/usr/bin/env bash
# Makes the packages of a release build: .deb, npm, .mcpb, SBOM, checksums. Builds nothing; the same tree gives the same bytes.
# usage: packaging/build.sh [BUILD_DIR [OUT_DIR]]     default: build/release build/packages
# The targets that must be there: schemaward ward_engine_postgres ward_engine_mysql ward_engine_duckdb ward_http ward_listen ward_token_so
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/common.sh
build=${1:-build/release} out=${2:-build/packages}
# What glibc's package and the loader bring is never carried along: it must fit the machine's kernel and loader.
readonly GLIBC='^(linux-vdso|ld-linux.*|lib(c|m|dl|rt|pthread|resolv|util|nsl|anl|mvec|nss_.*))\.so'
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct); export SOURCE_DATE_EPOCH
export LC_ALL=C.UTF-8
umask 022

[ -x "$build/bin/schemaward" ] || fail "$build/bin/schemaward is not there: build the preset first"
for tool in dpkg-shlibdeps dpkg-deb npm zip sqlite3 strip; do command -v $tool >/dev/null || fail "$tool is missing"; done
version=$("$build/bin/schemaward" version | awk '{print $NF}')
rm -rf "$out" && mkdir -p "$out" && out=$(cd "$out" && pwd)
stage=$(mktemp -d); trap 'rm -rf "$stage"' EXIT

# The program and its modules, stripped: $stage/tree/bin, $stage/tree/lib/schemaward.
tree=$stage/tree
install -D -m 755 "$build/bin/schemaward" "$tree/bin/schemaward"
for module in postgres mysql duckdb http listen token; do
  install -D -m 644 "$build/lib/schemaward/ward_$module.so" "$tree/lib/schemaward/ward_$module.so"
done
strip --strip-unneeded "$tree/bin/schemaward" "$tree"/lib/schemaward/*.so
packaging/cli_words.py "$tree/bin/schemaward" "$stage/words"
packaging/sbom.py "$version" "$build" "$tree/bin/schemaward" "$tree"/lib/schemaward/*.so >"$out/schemaward-$version.spdx.json"

# --- .deb
say "deb"
deb=$stage/deb
mkdir -p "$deb/DEBIAN" "$deb/usr/bin" "$deb/usr/lib" "$stage/shlibdeps/debian"
cp -a "$tree/bin/schemaward" "$deb/usr/bin/"
cp -a "$tree/lib/schemaward" "$deb/usr/lib/"
install -D -m 644 "$stage/words/schemaward.bash" "$deb/usr/share/bash-completion/completions/schemaward"
install -D -m 644 "$stage/words/_schemaward" "$deb/usr/share/zsh/vendor-completions/_schemaward"
install -D -m 644 "$stage/words/schemaward.fish" "$deb/usr/share/fish/vendor_completions.d/schemaward.fish"
install -D -m 644 packaging/systemd/schemaward.service "$deb/usr/lib/systemd/system/schemaward.service"
mkdir -p "$deb/usr/share/man/man1" "$deb/usr/share/doc/schemaward"
gzip -9n <"$stage/words/schemaward.1" >"$deb/usr/share/man/man1/schemaward.1.gz"
gzip -9n <CHANGELOG.md >"$deb/usr/share/doc/schemaward/changelog.gz"
install -m 644 LICENSE "$deb/usr/share/doc/schemaward/copyright"
install -m 644 "$out/schemaward-$version.spdx.json" "$deb/usr/share/doc/schemaward/"
echo 'Source: schemaward' >"$stage/shlibdeps/debian/control"
# needs KIND FILE...: what the files load, as a field of a package. Modules are loaded at first use, so what they need is recommended.
needs() {
  local kind=$1; shift
  (cd "$stage/shlibdeps" && dpkg-shlibdeps -O "-d$kind" "$@" 2>"$stage/shlibdeps.log" | sed -n "s/^shlibs:$kind=//p")
}
depends=$(needs Depends "$deb/usr/bin/schemaward")
recommends=$(needs Recommends "$deb"/usr/lib/schemaward/*.so)
[ -n "$depends" ] && [ -n "$recommends" ] || fail "dpkg-shlibdeps found no libraries"
cat >"$deb/DEBIAN/control" <<EOF
Package: schemaward
Version: $version
Architecture: amd64
Maintainer: The Schemaward maintainers <$(git log -1 --format=%ae)>
Installed-Size: $(du -sk --apparent-size "$deb/usr" | cut -f1)
Depends: $depends
Recommends: $recommends, ca-certificates, tzdata
Section: database
Priority: optional
Description: MCP server that explains SQL databases to AI agents
 Indexes the structure of databases, answers questions about it over the Model
 Context Protocol, computes governed metrics and records every call.
EOF
(cd "$deb" && find usr -type f -print0 | sort -z | xargs -0 md5sum >DEBIAN/md5sums)
find "$deb" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
dpkg-deb --root-owner-group -Zxz -z2 --build "$deb" "$out/schemaward_${version}_amd64.deb" >/dev/null

# --- the program with the libraries of other packages that it loads, for where there is no package manager
carried=$stage/carried
mkdir -p "$carried"
cp -a "$tree/bin" "$tree/lib" "$carried/"
mkdir -p "$carried/lib/bundled"
ldd "$tree/bin/schemaward" "$tree"/lib/schemaward/*.so | awk '$2 == "=>" {print $1, $3}' | sort -u | while read -r name path; do
  [[ $name =~ $GLIBC ]] || install -m 644 "$(readlink -f "$path")" "$carried/lib/bundled/$name"
done

# --- npm
say "npm"
npm=$stage/npm
cp -a "$carried" "$npm"
mkdir -p "$npm/demo"
cp packaging/npm/launcher.js packaging/npm/README.md LICENSE "$npm/"
chmod 755 "$npm/launcher.js"
cp "$out/schemaward-$version.spdx.json" "$npm/schemaward.spdx.json"
sed "s/@VERSION@/$version/" packaging/npm/package.json >"$npm/package.json"
sqlite3 -bail "$npm/demo/shop.db" <examples/shop/shop.sql >/dev/null
cp -r examples/shop/definitions "$npm/demo/definitions"
(cd "$npm" && npm pack --silent --pack-destination "$out" >/dev/null)

# --- .mcpb
say "mcpb"
bundle=$stage/mcpb
mkdir -p "$bundle"
cp -a "$carried" "$bundle/server"
cp LICENSE "$bundle/"
sed "s/@VERSION@/$version/" packaging/mcpb/manifest.json >"$bundle/manifest.json"
find "$bundle" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
(cd "$bundle" && find . -type f | sort | TZ=UTC zip -q -X -@ "$out/schemaward-$version-linux-x64.mcpb")

cp packaging/Dockerfile "$out/"
(cd "$out" && sha256sum -- *.deb *.tgz *.mcpb *.json >SHA256SUMS)
say "packages of $version are in $out"
