#!/usr/bin/env python3
"""Writes the man page and the completions of bash, zsh and fish from what the program itself says of its verbs and options.
usage: packaging/cli_words.py BINARY OUT_DIR"""
import pathlib, re, subprocess, sys

WORD = re.compile(r"^  ([a-z-]+)(?: {2,}(.*))?$")
HELP_SECONDS_MAX = 20


class Verb:
    """One verb as its --help has it: what it does, its options [(flag, value, words)], its verbs below, its examples."""

    def __init__(self, binary, path):
        done = subprocess.run([binary, *path, "--help"], capture_output=True, text=True, timeout=HELP_SECONDS_MAX, check=True)
        lines = done.stdout.splitlines()
        self.path, self.does, self.usage = path, lines[0], lines[1].removeprefix("Usage: ")
        self.options, self.verbs, self.examples = [], [], []
        below, part = [], ""
        for line in lines[2:]:
            if re.fullmatch(r"[A-Z]\w+:", line):
                part = line[:-1]
            elif part == "Options" and line.startswith("  -"):
                self.add_option(line)
            elif part == "Options" and line.startswith("   ") and self.options and not self.options[-1][2]:
                self.options[-1][2] = line.strip()
            elif part == "Subcommands" and (match := WORD.match(line)):
                below.append(match[1])
            elif part == "Examples" and line.strip():
                self.examples.append(line.strip())
        self.verbs = [Verb(binary, [*path, name]) for name in below]

    def add_option(self, line):
        """Words start in column 30; a longer flag has them on the next line."""
        head, words = line[:30], line[30:].strip()
        if not head.endswith(" ") or any(head.count(a) != head.count(b) for a, b in ("[]", "{}")):
            head, words = line, ""
        flags, _, value = head.strip().partition(" ")
        self.options.append([flags.split(",")[-1], re.sub(r":.*", "", value.strip()).removesuffix("...").strip(), words])

    def all(self):
        yield self
        for verb in self.verbs:
            yield from verb.all()


def roff(text):
    return text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")


def man(root, version):
    out = [f'.TH SCHEMAWARD 1 "" "schemaward {version}" "User Commands"', ".SH NAME", "schemaward \\- databases, explained to agents",
           ".SH SYNOPSIS", ".B schemaward", ".I VERB", "[options]", ".SH DESCRIPTION", roff(root.does), ".SH VERBS"]
    for verb in list(root.all())[1:]:
        out += [f".SS {roff(' '.join(verb.path))}", roff(verb.does)]
        for flag, value, words in verb.options:
            out += [".TP", f"\\fB{roff(flag)}\\fR \\fI{roff(value)}\\fR", roff(words) or "."]
        if verb.examples:
            out += [".PP", ".nf", *["  " + roff(example) for example in verb.examples], ".fi"]
    out += [".SH EXIT STATUS", "0 done, 1 the answer is no, 2 could not, 3 a cost cap was reached.", ".SH FILES",
            ".I /etc/schemaward/policy.yaml", "is the policy that binds everyone on the machine."]
    return "\n".join(out) + "\n"


def words_of(verb):
    return [v.path[-1] for v in verb.verbs] + [o[0] for o in verb.options]


def bash(root):
    cases = [f'    "{" ".join(v.path)}") words="{" ".join(words_of(v))}" ;;' for v in root.all()]
    return """# Generated from schemaward --help; do not edit.
_schemaward() {
  local cur=${COMP_WORDS[COMP_CWORD]} verb="" words="" word
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in -*) ;; *) [ "$(wc -w <<<"$verb")" -ge 2 ] || verb="${verb:+$verb }$word" ;; esac
  done
  _schemaward_words "$verb" || _schemaward_words "${verb%% *}"
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur"; [[ $cur == -* ]] || compgen -f -- "$cur")
}
_schemaward_words() {
  case $1 in
""" + "\n".join(cases) + """
    *) return 1 ;;
  esac
}
complete -o filenames -F _schemaward schemaward
"""


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def zsh(root):
    out = ["#compdef schemaward", "# Generated from schemaward --help; do not edit.", "local -a said candidates",
           'said=("${(@)words[2,CURRENT-1]:#-*}")', 'case "${(j: :)said[1,2]}" in']
    for verb in sorted(root.all(), key=lambda v: -len(v.path)):
        pattern = quoted(" ".join(verb.path)) + "*" if verb.path else "*"
        pairs = [(v.path[-1], v.does) for v in verb.verbs] + [(o[0], o[2]) for o in verb.options]
        listed = " ".join(quoted(name.replace(":", "\\:") + ":" + words) for name, words in pairs)
        out.append(f"  {pattern}) candidates=({listed}) ;;")
    return "\n".join(out + ["esac", "_describe schemaward candidates", "_files"]) + "\n"


def fish(root):
    out = ["# Generated from schemaward --help; do not edit."]
    for verb in root.all():
        seen = " ".join(f"__fish_seen_subcommand_from {name};" + (" and" if i + 1 < len(verb.path) else "") for i, name in enumerate(verb.path)).rstrip(";")
        when = f"-n {quoted(seen)}" if verb.path else "-n __fish_use_subcommand"
        out += [f"complete -c schemaward {when} -a {v.path[-1]} -d {quoted(v.does)}" for v in verb.verbs]
        out += [f"complete -c schemaward {when} -l {o[0][2:]}{' -r' if o[1] else ''} -d {quoted(o[2])}" for o in verb.options]
    return "\n".join(out) + "\n"


def main():
    binary, out = sys.argv[1], pathlib.Path(sys.argv[2])
    version = subprocess.run([binary, "version"], capture_output=True, text=True, timeout=HELP_SECONDS_MAX, check=True).stdout.split()[-1]
    root = Verb(binary, [])
    out.mkdir(parents=True, exist_ok=True)
    for name, text in (("schemaward.1", man(root, version)), ("schemaward.bash", bash(root)), ("_schemaward", zsh(root)), ("schemaward.fish", fish(root))):
        (out / name).write_text(text)


if __name__ == "__main__":
    main()
