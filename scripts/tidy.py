#!/usr/bin/env python3
"""clang-tidy 19 over every translation unit of a build folder, two at a time. A file that was clean before is not read again.

usage: tidy.py BUILD_DIR [FILTER] [-j N] [--analyzer]      FILTER: only files whose path contains it
Without --analyzer the static analyzer's checks are left out: they take four times as long as all others together, more than a check of
every change can wait for. Tests are never analyzed: GoogleTest's macros open paths without end.
Needs a finished clang build (preset asan or fuzz): Ninja then knows each object's headers. A clean result is kept under a key made of
the tool's version, .clang-tidy, the command and the bytes of the file and all its headers, so a hit is as good as a run.
"""
import argparse, concurrent.futures, hashlib, json, os, pathlib, shlex, subprocess, sys

TIDY = "clang-tidy-19"
WITHOUT_ANALYZER = "-clang-analyzer-*"
# Never analyzed: it reports a leak inside CLI11's own header, where no comment of ours can stand.
ALSO_WITHOUT = {"src/cli/command_line.cc"}
SECONDS_MAX = 600
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
    for unit in json.loads((build / "compile_commands.json").read_text()):
        file = pathlib.Path(unit["file"])
        if ROOT / "build" in file.parents or only not in str(file):
            continue
        words = shlex.split(unit["command"])
        made_from = deps.get(words[words.index("-o") + 1])
        key = whole = None
        less = not chosen.analyzer or file.name.endswith("_test.cc") or str(file.relative_to(ROOT)) in ALSO_WITHOUT
        if made_from:
            # The checkout's own place is no part of a key: a clone elsewhere finds what this one knew.
            command = unit["command"].replace(str(ROOT), "")
            # A precompiled header differs with each build; the headers in it are listed beside it.
            parts = [base, command] + [digest(p) for p in sorted(made_from) if not p.endswith(".pch")]
            # What is clean by all checks is clean by fewer.
            name = hashlib.sha256("\n".join(parts).encode()).hexdigest()
            whole = cache / name
            key = cache / (name + "-plain") if less else whole
        if key and (key.exists() or whole.exists()):
            known += 1
        else:
            work.append((file, key, less))
    if known + len(work) == 0:
        sys.exit(f"tidy: no file of {build} matches {only!r}")
    print(f"tidy: {known} files known to be clean, {len(work)} to read", file=sys.stderr, flush=True)

    def run(item):
        file, key, less = item
        fewer = [f"--checks={WITHOUT_ANALYZER}"] if less else []
        done = subprocess.run([TIDY, "-p", str(build), "--quiet", *fewer, str(file)], capture_output=True, text=True, timeout=SECONDS_MAX, stdin=subprocess.DEVNULL)
        if done.returncode == 0 and key:
            key.touch()
        return file, done

    faults = 0
    with concurrent.futures.ThreadPoolExecutor(chosen.jobs) as pool:
        for count, (file, done) in enumerate(pool.map(run, sorted(work, key=str)), 1):
            if done.returncode != 0:
                faults += 1
                print(done.stdout + "\n".join(l for l in done.stderr.splitlines() if "error" in l), flush=True)
            if count % 10 == 0 or done.returncode != 0:
                print(f"tidy: {count} of {len(work)}, {faults} with faults ({file.relative_to(ROOT)})", file=sys.stderr, flush=True)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
