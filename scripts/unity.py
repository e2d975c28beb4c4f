#!/usr/bin/env python3
"""Puts a target's files into groups that one compiler run reads as one text: most of a run goes into what a file includes.

usage: unity.py FOLDER      for cmake/ward_unity.cmake
FOLDER/files.txt has a line "TARGET FILE" for each file. Writes FOLDER/TARGET_N.cc for each group of several files, which includes them by their
paths within the checkout, and FOLDER/groups.cmake, which gives each target what is to be compiled. A text that is there already is left untouched.
Only files go together whose outermost names differ, and are no names that only another of them sees from its headers; a file whose macros outlive it stays alone; see outer_names. Groups that FOLDER/apart.txt
names are compiled file by file: ./check writes it where one does not compile.
"""
import collections, functools, pathlib, re, sys

GROUP_MAX = 8
ROOT = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = re.compile(r'#include "(.+?)"')

OUTER = [re.compile(p) for p in (
    r"(?:class|struct|union|enum(?: class)?) (\w+)",
    r"using (\w+) =",
    r"(TEST\w*\(\w+, *\w+)",
    r"[^=({;\[]*?(?<!::)\b(\w+) ?[=({;\[]",
)]


def outer_names(text):
    """What a file defines outside of all classes and functions, by the lines that begin at the margin. A guess: the compiler finds out."""
    names = set()
    for line in text.splitlines():
        if not line[:1].isalpha() or line.startswith(("namespace", "using namespace", "using std::", "public:", "private:", "protected:")):
            continue
        found = next((m.group(1) for m in (p.match(line) for p in OUTER) if m), None)
        if found:
            names.add(found)
        if line.startswith("constexpr "):  # constexpr int kOne = 1, kTwo = 2;
            names.update(re.findall(r", (\w+) = ", line))
    return names


@functools.cache
def seen_names(file):
    """What the headers of ours that a file includes, and those that they include, define outside of all classes and functions."""
    names = set()
    for included in re.findall(r'^#include "(.+?)"', file.read_text(), re.M):
        header = ROOT / "src" / included
        if header.exists():
            names |= outer_names(header.read_text()) | seen_names(header)
    return names


@functools.cache
def brought_names(file):
    """What using-declarations of a file bring in: two files may bring the same."""
    return set(re.findall(r"^using [\w:]+::(\w+);", file.read_text(), re.M))


def clash(file, own, group):
    """Whether a file has a name that one of the group has, or that one sees from a header and the other does not."""
    brought = brought_names(file)
    for other, others in group:
        for names, unlike in ((own, seen_names(other) - seen_names(file)), (others, seen_names(file) - seen_names(other)),
                              (brought, others | seen_names(other)), (brought_names(other), own | seen_names(file)), (own, others)):
            if names & unlike:
                return True
    return False


def leaves_macros(text):
    """Whether a macro of the file, or one that it sets for a header, would reach the files after it."""
    return bool(set(re.findall(r"^# *define (\w+)", text, re.M)) - set(re.findall(r"^# *undef (\w+)", text, re.M)))


def groups_of(files):
    """Splits files into lists that may be read as one text, each of at most GROUP_MAX; in the order of their paths."""
    closed, open_groups = [], []  # of files; of pairs of a file and what it defines
    for file in sorted(files):
        text = file.read_text()
        if leaves_macros(text):
            closed.append([file])
            continue
        own = outer_names(text)
        for group in open_groups:
            if len(group) < GROUP_MAX and not clash(file, own, group):
                group.append((file, own))
                break
        else:
            open_groups.append([(file, own)])
    return closed + [[file for file, _ in group] for group in open_groups]


def members_of(text_file):
    """The files that a text of a group includes."""
    return [ROOT / m.group(1) for m in map(INCLUDE.match, text_file.read_text().splitlines()) if m]


def write(place, text):
    if not place.exists() or place.read_text() != text:
        place.write_text(text)


def compiled(target, files, folder, apart):
    """Writes the texts of a target's groups, but those named in `apart`, and returns what is to be compiled: those, and each file that stays alone."""
    groups = groups_of(files)
    paths = [group[0] for group in groups if len(group) == 1]
    for i, group in enumerate(group for group in groups if len(group) > 1):
        name = f"{target}_{i}.cc"
        if name in apart:
            paths += group
            continue
        paths.append(folder / name)
        write(paths[-1], "// Written by scripts/unity.py: files that are compiled as one.\n" + "".join(f'#include "{file.relative_to(ROOT)}"\n' for file in group))
    return paths


def main(folder):
    files = collections.defaultdict(list)
    for line in (folder / "files.txt").read_text().splitlines():
        target, file = line.split(" ", 1)
        files[target].append(pathlib.Path(file))
    listed = folder / "apart.txt"
    apart = set(listed.read_text().split()) if listed.exists() else set()
    lines = ["# Written by scripts/unity.py.\n"]
    for target, own in files.items():
        lines.append(f"target_sources({target} PRIVATE {' '.join(map(str, compiled(target, own, folder, apart)))})\n")
    (folder / "groups.cmake").write_text("".join(lines))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
