#!/usr/bin/env python3
"""clang-tidy 19 over every translation unit of a build folder, two at a time. A file that was clean before is not read again.

usage: tidy.py BUILD_DIR [FILTER] [-j N] [--analyzer]      FILTER: only files whose path contains it
Most of a reading goes into what a file includes, so files of one target are read several at a time, as one text that includes them, grouped
as by scripts/unity.py, whether or not the build was. Where such a group is not clean, each of its files is read by itself, and that is reported.
Without --analyzer the static analyzer's checks are left out: they take four times as long as all others together, more than a check of
every change can wait for. Tests are never analyzed: GoogleTest's macros open paths without end.
Needs a finished clang build (preset asan or fuzz): Ninja then knows each object's headers. A clean result is kept under a key made of
the tool's version, .clang-tidy, the command and the bytes of the file and all its headers, so a hit is as good as a run.
"""
import argparse, collections, concurrent.futures, dataclasses, hashlib, json, os, pathlib, shlex, subprocess, sys, tempfile

import unity

TIDY = "clang-tidy-19"
WITHOUT_ANALYZER = "-clang-analyzer-*"
# Never analyzed: it reports a leak inside CLI11's own header, where no comment of ours can stand.
ALSO_WITHOUT = {"src/cli/command_line.cc", "src/cli/grammar.cc"}
CPU_SECONDS_MAX = 600    # of the tool's own work: how long it has to wait for a processor is no fault of what it reads
ROOT = pathlib.Path(__file__).resolve().parent.parent


def headers_by_object(build):
    """Ninja's dependency log: object file -> paths it was made from."""
    text = subprocess.run(["ninja", "-C", str(build), "-t", "deps"], capture_output=True, text=True, check=True).stdout
    deps, current = {}, None
    for line in text.splitlines():
        if line.startswith("    "):
            deps[current].append(line.strip())
        elif ": #deps" in line:
            current = line.split(": #deps")[0]
            deps[current] = []
    return deps


@dataclasses.dataclass
class Unit:
    """One file to read: the words of its compiler's command, where it is noted as clean, and whether without the analyzer."""
    file: pathlib.Path
    words: list
    key: pathlib.Path | None
    less: bool

    def words_for(self, file):
        """The command for another file, without an output."""
        kept = self.words[:]
        del kept[(at := kept.index("-o")):at + 2]
        return [str(file) if word == str(self.file) else word for word in kept]


def groups_of(work):
    """Splits units into lists that may be read as one text: of one command, as scripts/unity.py groups their files."""
    by_command = collections.defaultdict(lambda: collections.defaultdict(list))
    for unit in work:
        by_command[(*unit.words_for("-"), unit.less)][unit.file].append(unit)
    return [[units[file].pop() for file in files] for units in by_command.values() for files in unity.groups_of(units)]


def files_of(database, build):
    """Each file of ours that a build compiles, with its command and its object; a group of a build with WARD_UNITY is each of its files."""
    for entry in database:
        text = pathlib.Path(entry["file"])
        if build in text.parents and text.parent != build / "unity":
            continue  # generated
        for file in unity.members_of(text) if text.parent == build / "unity" else [text]:
            yield file, entry["command"].replace(str(text), str(file))


def main(args):
    options = argparse.ArgumentParser(prog="tidy.py")
    options.add_argument("build", type=pathlib.Path)
    options.add_argument("filter", nargs="?", default="")
    options.add_argument("--analyzer", action="store_true")
    options.add_argument("-j", dest="jobs", type=int, default=os.cpu_count())
    chosen = options.parse_args(args)
    build, only = chosen.build.resolve(), chosen.filter
    cache = pathlib.Path(os.environ.get("WARD_TIDY_CACHE", pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache"), "schemaward-tidy")))
    cache.mkdir(parents=True, exist_ok=True)
    deps = headers_by_object(build)
    version = subprocess.run([TIDY, "--version"], capture_output=True, text=True, check=True).stdout
    base = hashlib.sha256((version + (ROOT / ".clang-tidy").read_text() + WITHOUT_ANALYZER).encode()).hexdigest()
    digests = {}

    def digest(path):
        if path not in digests:
            digests[path] = hashlib.sha256(pathlib.Path(build, path).read_bytes()).hexdigest()
        return digests[path]

    work, known = [], 0
    for file, compile_command in files_of(json.loads((build / "compile_commands.json").read_text()), build):
        if only not in str(file):
            continue
        words = shlex.split(compile_command)
        made_from = deps.get(words[words.index("-o") + 1])
        key = whole = None
        less = not chosen.analyzer or file.name.endswith("_test.cc") or str(file.relative_to(ROOT)) in ALSO_WITHOUT
        if made_from:
            # The checkout's own place is no part of a key: a clone elsewhere finds what this one knew.
            command = compile_command.replace(str(ROOT), "")
            # A precompiled header differs with each build; the headers in it are listed beside it.
            parts = [base, command] + [digest(p) for p in sorted(made_from) if not p.endswith(".pch")]
            # What is clean by all checks is clean by fewer.
            name = hashlib.sha256("\n".join(parts).encode()).hexdigest()
            whole = cache / name
            key = cache / (name + "-plain") if less else whole
        if key and (key.exists() or whole.exists()):
            known += 1
        else:
            work.append(Unit(file, words, key, less))
    if known + len(work) == 0:
        sys.exit(f"tidy: no file of {build} matches {only!r}")
    print(f"tidy: {known} files known to be clean, {len(work)} to read", file=sys.stderr, flush=True)

    with tempfile.TemporaryDirectory(prefix="ward-tidy.") as folder, concurrent.futures.ThreadPoolExecutor(chosen.jobs) as pool:
        groups = sorted(groups_of(work), key=len, reverse=True)
        # .clang-tidy is looked for beside the text that is read.
        (pathlib.Path(folder) / ".clang-tidy").write_text((ROOT / ".clang-tidy").read_text())
        done, faults = 0, 0
        for units, faulty in pool.map(lambda numbered: read(build, pathlib.Path(folder) / str(numbered[0]), numbered[1]), enumerate(groups)):
            done += len(units)
            faults += len(faulty)
            for text in faulty:
                print(text, flush=True)
            print(f"tidy: {done} of {len(work)}, {faults} with faults", file=sys.stderr, flush=True)
    return 1 if faults else 0


def read(build, place, units):
    """Reads files as one text where they are several, and each by itself where that is not clean. Returns the units and what was found."""
    if len(units) > 1:
        place.with_suffix(".cc").write_text("".join(f'#include "{unit.file}"  // NOLINT(bugprone-suspicious-include)\n' for unit in units))
        place.mkdir()
        (place / "compile_commands.json").write_text(json.dumps([
            {"directory": str(build), "file": f"{place}.cc", "command": shlex.join(units[0].words_for(f"{place}.cc"))}]))
        # What shadows a name of another file shadows nothing; what shadows one of its own the compiler has told.
        result = tidy(place, f"{place}.cc", units[0].less, "--extra-arg=-Wno-shadow")
        if result.returncode == 0:
            for unit in units:
                note_clean(unit)
            return units, []
        print("tidy: read one by one for " + next((line for line in result.stdout.splitlines() if ": error: " in line), "?"), file=sys.stderr, flush=True)
    found = []
    for unit in units:
        result = tidy(build, unit.file, unit.less)
        if result.returncode == 0:
            note_clean(unit)
        else:
            found.append(result.stdout + "\n".join(line for line in result.stderr.splitlines() if "error" in line))
    return units, found


def note_clean(unit):
    if unit.key:
        unit.key.touch()


def tidy(database, file, less, *more):
    fewer = [f"--checks={WITHOUT_ANALYZER}"] if less else []
    result = subprocess.run(["prlimit", f"--cpu={CPU_SECONDS_MAX}", TIDY, "-p", str(database), "--quiet", *fewer, *more, str(file)], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if result.returncode < 0:
        result.stdout += f"{file}: error: {TIDY} ended by signal {-result.returncode}: it may do {CPU_SECONDS_MAX} s of work\n"
    return result


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
