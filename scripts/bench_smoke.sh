#!/usr/bin/env bash
# Runs each benchmark binary of build/dev for one short repetition: it must work, its figures mean nothing here.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
found=0
for bench in "$ROOT"/build/dev/bin/*_bench; do
  [ -x "$bench" ] || continue
  found=$((found + 1))
  say "$(basename "$bench")"
  timeout 120 "$bench" --benchmark_min_time=0.01 >"$ROOT/build/bench.log" 2>&1 </dev/null || { tail -n 20 "$ROOT/build/bench.log" >&2; fail "$(basename "$bench") failed"; }
done
say "$found benchmarks ran"
