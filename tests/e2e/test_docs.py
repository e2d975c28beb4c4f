"""What the program offers stands in its documents, and what their commands name is offered. What needs no program is checked by scripts/check_docs.py."""
import functools, re, subprocess, unittest

from ward import BINARY, COMMAND_SECONDS_MAX, ROOT, Case

EVERY_SET = "default,patterns,explore,workspaces"
PAGES = [p for p in (ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md"))) if p.name not in ("rules.md", "patterns.md")]
SECTION = re.compile(r"^## (.+?)\n(.*?)(?=^## |\Z)", re.M | re.S)
FLAG = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
SUBCOMMAND = re.compile(r"^  ([a-z]+) {2,}\S", re.M)
COMMAND = re.compile(r"(?:^|[$;&|(] ?|=\S+ )(?:build/\w+/bin/|\./)?schemaward ([a-z]+\b[^`\n|;&]*)")
FENCE = re.compile(r"^```(?:sh|text)?\n(.*?)^```$", re.M | re.S)
INLINE = re.compile(r"`([^`\n]+)`")
FIRST_LINE_OF_A_CHECKPOINT = "audit checkpoint 1"
COMMON_FLAGS = {"--help", "--version", "--store", "--config", "--log-level", "--json"}


@functools.cache
def help_of(*verb):
    done = subprocess.run([BINARY, *verb, "--help"], capture_output=True, text=True, timeout=COMMAND_SECONDS_MAX, stdin=subprocess.DEVNULL, check=True)
    return done.stdout


@functools.cache
def verbs():
    """Each verb, `audit verify` as one, with the flags that its help names."""
    found = {}
    for first in SUBCOMMAND.findall(help_of().partition("Subcommands:")[2]):
        below = SUBCOMMAND.findall(help_of(first).partition("Subcommands:")[2].partition("Examples:")[0])
        for verb in [(first, second) for second in below] or [(first,)]:
            options = help_of(*verb).partition("Options:")[2].partition("Examples:")[0]
            found[" ".join(verb)] = set(re.findall(r"^  (?:-\w,)?(--[a-z-]+)", options, re.M))
    return found


def section(page, title):
    return dict(SECTION.findall((ROOT / page).read_text()))[title]


def commands(text):
    """The command lines of this program that a page shows, without the program's name."""
    text = text.replace("\\\n", " ")
    lines = [line.partition(" #")[0] for block in FENCE.findall(text) for line in block.splitlines()] + INLINE.findall(text) + re.findall(r"^    (\S.*)$", text, re.M)
    return [found.strip() for line in lines for found in COMMAND.findall(line)]


def named_verb(command):
    """The verb of a command line, and null where it names none."""
    words = command.split()
    return next((verb for verb in (" ".join(words[:2]), words[0]) if verb in verbs()), None)


class Documents(Case):
    def test_readme_has_each_tool_and_no_other(self):
        with self.serve("--tools", EVERY_SET) as server:
            served = {tool["name"] for tool in server.request("tools/list")["result"]["tools"]}
        first_column = re.findall(r"^\| (`.*?) \|", section("README.md", "Tools").partition("| command |")[0], re.M)
        self.assertEqual({name for cell in first_column for name in INLINE.findall(cell)}, served)

    def test_readme_has_each_verb_and_no_other(self):
        named = set()
        for cell in re.findall(r"^\| (`.*?) \|", section("README.md", "Tools").partition("| command |")[2], re.M):
            first = None
            for code in INLINE.findall(cell):
                words = [word for word in code.removeprefix("schemaward ").split() if word.islower()]
                first = words[0] if code.startswith("schemaward ") else first
                tried = [" ".join(words[:2]), words[0] if words else "", f"{first} {words[0]}" if words else ""]
                named |= {verb for verb in tried if verb in verbs()}
        self.assertEqual(set(verbs()) - named - {"version"}, set())

    def test_each_flag_of_a_verb_stands_on_a_page_that_has_the_verb(self):
        texts = [page.read_text() for page in PAGES]
        for verb, flags in verbs().items():
            with self.subTest(verb):
                written = {flag for text in texts if verb in text for flag in FLAG.findall(text)}
                self.assertEqual(flags - written - COMMON_FLAGS, set())

    def test_each_verb_has_an_example_of_its_own(self):
        for verb in {*verbs(), *(verb.split()[0] for verb in verbs())}:
            with self.subTest(verb):
                self.assertIn(f"schemaward {verb}", help_of(*verb.split()).partition("Examples:")[2])

    def test_each_command_on_a_page_is_one(self):
        for page in PAGES:
            for command in filter(lambda line: line != FIRST_LINE_OF_A_CHECKPOINT, commands(page.read_text())):
                with self.subTest(page=page.name, command=command):
                    verb = named_verb(command)
                    self.assertIsNotNone(verb)
                    self.assertEqual(set(FLAG.findall(command)) - verbs()[verb], set())


if __name__ == "__main__":
    unittest.main()
