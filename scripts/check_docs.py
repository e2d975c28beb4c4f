#!/usr/bin/env python3
"""Finds what the documents name and the tree does not have. Reads files only; what needs the program is asked in tests/e2e/test_docs.py.

usage: check_docs.py [ROOT]

Links      a relative link of a Markdown page leads to a file, and its #anchor to a heading of that page.
Paths      `src/...`, `scripts/...` and the like, and `name.h`, `name.cc`, `name.py`, `name.sh`, `name.def` in backticks, are tracked files or folders.
Variables  SCHEMAWARD_* of a page is named by a file that is no page; each that the code of src/ reads stands on a page.
Pages      every page of docs/ is linked from another page; every module of src/ has a README.md
           and a row in docs/architecture.md.
Settings   docs/configuration.md has a row for each setting of src/app/config.cc, with its variable and its default.
Stale      no page says that something is not built, produced or written yet, unless it is a page of docs/errors with `Not produced yet.`
Prints what is wrong, one line each; exit 1 when something is. Standard library only.
"""
import fnmatch, os, pathlib, re, subprocess, sys

LINK = re.compile(r"\[[^\]\n]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ +(.*?) *$", re.M)
FENCE = re.compile(r"^```.*?^```$", re.M | re.S)
CODE = re.compile(r"`([^`\n]+)`")
FOLDERS = ("src", "scripts", "tests", "docs", "packaging", "bench", "examples", "fuzz", "cmake", "changes", "packs", "patterns")
IN_TREE = re.compile(rf"^(?:\./)?(?:{'|'.join(FOLDERS)})/[\w./*{{}},-]*$")
FILE_NAME = re.compile(r"^[\w/*{},-]+\.(?:h|cc|py|sh|def)$")
VARIABLE = re.compile(r"\bSCHEMAWARD_[A-Z0-9_]*[A-Z0-9]\b")
STALE = re.compile(r"\bnot (?:built|produced|written|implemented|supported) yet\b", re.I)
SETTING = re.compile(r'\{"([a-z_0-9.]+)",\s*"(SCHEMAWARD_\w+)",\s*"([^"]*)"')
SETTING_ROW = re.compile(r"^\| `([a-z_0-9.]+)` \|[^|\n]*\| `(SCHEMAWARD_\w+)` \| ?([^|\n]*?) ?\|", re.M)
PLACEHOLDER = re.compile(r"(?:^|[/_])x(?:[/._]|$)|NNNN|^_|^snake_case")    # of pages that say how a thing is added
OTHERS = ("sqlite3.h",)    # headers of libraries
READ = re.compile(r'"(SCHEMAWARD_[A-Z0-9_]*[A-Z0-9])"')
OF_NO_USER = ("SCHEMAWARD_LAUNCHER",)    # a package sets it
SECRET = "SCHEMAWARD_SECRET_"    # and a source's name in capitals
GENERATED = ("docs/rules.md", "docs/patterns.md")


def anchors(text):
    """The anchors of a page's headings, as GitHub makes them."""
    plain = (re.sub(r"[`*]|\[|\]\([^)]*\)", "", heading) for heading in HEADING.findall(FENCE.sub("", text)))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in plain}


def variants(pattern):
    """`a/{b,c}.h` as a/b.h and a/c.h."""
    found = re.search(r"\{([^{}]*)\}", pattern)
    if not found:
        return [pattern]
    return [v for part in found[1].split(",") for v in variants(pattern[:found.start()] + part + pattern[found.end():])]


class Tree:
    def __init__(self, root):
        self.root = root
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, text=True, check=True).stdout
        self.files = sorted(f for f in listed.split("\0") if f and (root / f).is_file())
        self.folders = {parent.as_posix() for f in self.files for parent in pathlib.PurePosixPath(f).parents}
        self.pages = {f: (root / f).read_text() for f in self.files if f.endswith(".md")}

    def has(self, path):
        path = path.removeprefix("./").rstrip("/")
        return path in self.folders or path in self.files or ("*" in path and bool(fnmatch.filter(self.files, path)))

    def has_all(self, name, near):
        """Whether each file of that name is in the tree, by its path, by its path from `near`, or anywhere by the end of its path."""
        return all(self.has(one) or self.has(f"{near}/{one}") or fnmatch.filter(self.files, f"*/{one}") for one in variants(name))


def wrong_links(tree):
    for page, text in tree.pages.items():
        for link in LINK.findall(CODE.sub("", FENCE.sub("", text))):
            target, _, anchor = link.partition("#")
            if "://" in target or target.startswith("mailto:"):
                continue
            path = os.path.normpath(os.path.join(os.path.dirname(page), target)) if target else page
            if not tree.has(path):
                yield f"{page}: link to {link}, which is not there"
            elif anchor and anchor not in anchors(tree.pages.get(path, "")):
                yield f"{page}: link to {link}, a heading that is not there"


def wrong_paths(tree):
    for page, text in tree.pages.items():
        if page in GENERATED:
            continue
        for code in CODE.findall(FENCE.sub("", text)):
            named = IN_TREE.match(code) or FILE_NAME.match(code)
            if named and code not in OTHERS and not PLACEHOLDER.search(code) and not tree.has_all(code.removeprefix("./").rstrip("/"), os.path.dirname(page)):
                yield f"{page}: `{code}` is not in the tree"


def wrong_variables(tree):
    others = [f for f in tree.files if not f.endswith(".md") and f.partition("/")[0] not in ("patterns", "packs")]
    known = {v for f in others for v in VARIABLE.findall((tree.root / f).read_text(errors="replace"))}
    for page, text in tree.pages.items():
        yield from (f"{page}: {v} is read by nothing" for v in sorted(set(VARIABLE.findall(text)) - known) if not v.startswith(SECRET))
    for code in (f for f in tree.files if f.startswith("src/") and f.endswith((".cc", ".h")) and "test" not in f):
        for variable in sorted(set(READ.findall((tree.root / code).read_text()))):
            if variable not in OF_NO_USER and not any(re.search(rf"\b{variable}\b", text) for text in tree.pages.values()):
                yield f"{code}: {variable} is read, and stands on no page"


def wrong_pages(tree):
    linked = {os.path.normpath(os.path.join(os.path.dirname(page), link.partition("#")[0])) for page, text in tree.pages.items() for link in LINK.findall(text)}
    yield from (f"{page}: no page leads to it" for page in tree.pages if page.startswith("docs/") and page not in linked)
    modules = {pathlib.PurePosixPath(f).parts[1] for f in tree.files if f.startswith("src/") and f.count("/") > 1}
    listed = tree.pages.get("docs/architecture.md")
    yield from (f"docs/architecture.md: module {m}/ is not listed" for m in sorted(modules) if listed is not None and f"`{m}/`" not in listed)
    yield from (f"src/{module}/README.md is missing" for module in sorted(modules) if f"src/{module}/README.md" not in tree.pages)


def wrong_settings(tree):
    config = tree.root / "src/app/config.cc"
    settings = SETTING.findall(config.read_text()) if config.exists() else []
    rows = {key: (variable, default) for key, variable, default in SETTING_ROW.findall(tree.pages.get("docs/configuration.md", ""))}
    for key, variable, default in settings:
        if key not in rows:
            yield f"docs/configuration.md: setting {key} ({variable}) has no row"
        elif rows[key][0] != variable:
            yield f"docs/configuration.md: the variable of {key} is {variable}"
        elif default and rows[key][1].strip("`") != default:
            yield f"docs/configuration.md: the default of {key} is {default}"
    yield from (f"docs/configuration.md: there is no setting {key}" for key in sorted(set(rows) - {key for key, _, _ in settings}))


def stale(tree):
    for page, text in tree.pages.items():
        if page in GENERATED:
            continue
        for line in text.splitlines():
            if STALE.search(line) and line != "Not produced yet.":
                yield f"{page}: {line.strip()[:120]}"


def main(args):
    tree = Tree(pathlib.Path(next(iter(args), ".")).resolve())
    faults = [fault for rule in (wrong_links, wrong_paths, wrong_variables, wrong_pages, wrong_settings, stale) for fault in rule(tree)]
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
