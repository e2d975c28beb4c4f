#!/usr/bin/env bash
# Fails where clang-format 14 would change a tracked file, or codespell knows a better spelling. usage: scripts/check_format.sh [ROOT]
# The version is pinned: others lay the same code out otherwise. Tests misspell names on purpose, so their spelling is left alone.
set -euo pipefail
words=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/spelling_ignored.txt
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/..}"
faults=0
git ls-files -z -- '*.h' '*.cc' | xargs -0 -r -n 16 -P 2 clang-format-14 --dry-run -Werror --ferror-limit=3 || faults=1
git ls-files -z -- . ':!LICENSE' ':!tests/*' ':!*_test.cc' ':!bench/*' ':!*.sql' ':!*_data.cc' ':!fuzz/corpus/*' | xargs -0 -r codespell --ignore-words "$words" --quiet-level 3 || faults=1
exit $faults
