#!/usr/bin/env bash
# Source rules that no compiler checks. Looks at the files that git tracks under ROOT.
# usage: scripts/check_sources.sh [ROOT]
# Fails on: using namespace, a using-declaration that its file does not use, non-ASCII in code, reserved names, tabs, TODO without a name, a commit-stopping mark, absolute paths of somebody's
# machine, hosts of package registries. Reports, without failing, files of more than 400 lines.
set -euo pipefail
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/..}"
export LC_ALL=C.UTF-8

readonly LINES_REPORTED=400
faults=0
listed() { git ls-files -z -- "$@"; }

# rule WORDS PATTERN FILES...: prints each line that matches; this script names its own patterns and is left out.
rule() {
  local words=$1 pattern=$2 found; shift 2
  found=$(listed "$@" ':!scripts/check_sources.sh' ':!scripts/tests/*' | xargs -0 -r grep -nPI -e "$pattern" -- /dev/null || true)
  [ -z "$found" ] || { printf '%s:\n%s\n' "$words" "$found"; faults=1; }
}

code=('*.h' '*.cc' '*.def' '*.cmake' '*CMakeLists.txt')
rule "using namespace" '^\s*using\s+namespace\b' '*.h' '*.cc'
rule "non-ASCII in code (write an escape, or move the text to a fixture)" '[^\x00-\x7F]' "${code[@]}"
rule "tab" '\t' "${code[@]}" '*.py' '*.sh'
rule "TODO without a name: TODO(name)" '\bTODO\b(?!\([a-z]+\))' "${code[@]}" '*.py' '*.sh'
rule "name that is reserved for the compiler" '^\s*#\s*define\s+(_[A-Z]|\w*__)|\b(class|struct|enum|namespace|using)\s+(_|(?!PgQuery)\w*__)' '*.h' '*.cc'
rule "marked not to be committed" '(?i)\bno_?commit\b' .
rule "path of somebody's machine" '(?<![\w.])/(work|home/\w+|root|Users)/' . ':!LICENSE'
rule "host of a package registry" '(?i)\b(registry\.npmjs\.org|npmjs\.com/package|(deb|security)\.debian\.org|pypi\.org|proxy\.golang\.org|crates\.io)\b' .
rule "trailing blanks" '[ \t]+$' "${code[@]}" '*.py' '*.sh'

unused=$(listed '*.cc' | xargs -0 -r perl -0777 -ne 'for my $using (/^ *using (?:\w+::)+\w+;/mg) { my ($name) = $using =~ /(\w+);/; my $times = () = /\b$name\b/g; print "$ARGV: $using\n" if $times < 2 }')
[ -z "$unused" ] || { printf 'using-declaration without a use:\n%s\n' "$unused"; faults=1; }

listed '*.h' '*.cc' | xargs -0 -r wc -l | awk -v most=$LINES_REPORTED '$1 > most && $2 != "total" {print "note: " $2 " has " $1 " lines"}'
exit $faults
