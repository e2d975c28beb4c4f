#!/usr/bin/env bash
# Runs each libFuzzer target for some seconds, two at a time, starting from the committed corpus.
# usage: [PRESET=asan] scripts/fuzz.sh SECONDS [TARGET...]    PRESET: the build, "fuzz" unless told. Fails when a target finds
# something; the input is kept under build/PRESET/found/.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
seconds=${1:?usage: fuzz.sh SECONDS [TARGET...]}; shift
build=$ROOT/build/${PRESET:-fuzz}
mkdir -p "$build/found" "$build/grown"
[ $# -gt 0 ] || set -- $(cd "$ROOT/fuzz" && ls -- *_fuzz.cc 2>/dev/null | sed 's/_fuzz\.cc$//')
[ $# -gt 0 ] || { say "there are no fuzz targets"; exit 0; }

one() {
  local seconds=$1 name=$2 build=$3 corpus=$4
  mkdir -p "$build/grown/$name"
  if "$build/bin/fuzz_$name" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=65536 -print_final_stats=1 \
    -artifact_prefix="$build/found/$name-" "$build/grown/$name" "$corpus/$name" >"$build/found/$name.log" 2>&1 </dev/null; then
    echo "fuzz $name: $(grep -o 'number_of_executed_units: .*' "$build/found/$name.log" | tr -s ' ' | cut -d' ' -f2) runs, nothing found" >&2
  else
    tail -n 40 "$build/found/$name.log" >&2
    echo "fuzz $name: FOUND SOMETHING; the input is under $build/found/" >&2
    return 1
  fi
}
export -f one
printf '%s\n' "$@" | xargs -P 2 -I{} bash -c 'one "$@"' _ "$seconds" {} "$build" "$ROOT/fuzz/corpus"
