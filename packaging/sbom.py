#!/usr/bin/env python3
"""Prints an SBOM (SPDX 2.3, JSON) of the program: each Debian package whose library it links or loads, and those whose headers are compiled in.
usage: packaging/sbom.py VERSION BUILD_DIR FILE..."""
import datetime, hashlib, json, os, pathlib, re, subprocess, sys

# Compiled in from headers alone: no file that is linked names them.
HEADER_ONLY = ("nlohmann-json3-dev", "libcli11-dev", "libexpected-dev", "libboost1.81-dev", "libtomlplusplus-dev", "libvalijson-dev")


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def loaded(files):
    """Paths of the shared libraries that the files load."""
    return {m[1] for file in files for m in re.finditer(r"=> (/\S+)", run("ldd", str(file)))}


def archives(build):
    """Paths of the archives that are linked in, as the build itself names them."""
    text = (pathlib.Path(build) / "build.ninja").read_text()
    return set(re.findall(r"(/usr/\S+\.a)\b", text))


def owner(path):
    """The package that holds a file; /lib is a link to /usr/lib, and packages know either name."""
    real = os.path.realpath(path)
    for name in (real, real.removeprefix("/usr"), path):
        done = subprocess.run(["dpkg-query", "-S", name], capture_output=True, text=True)
        if done.returncode == 0:
            return done.stdout.split(": ")[0].split(":")[0].split(",")[0]
    raise SystemExit(f"no package holds {path}")


def package(name, how):
    version, source, homepage = run("dpkg-query", "-W", "-f", "${Version}\t${source:Package}\t${Homepage}\n", name).splitlines()[0].split("\t")
    return {"SPDXID": "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name), "name": name, "versionInfo": version, "supplier": "Organization: Debian",
            "sourceInfo": f"source package {source}; {how}", "downloadLocation": "NOASSERTION", "homepage": homepage or "NOASSERTION",
            "filesAnalyzed": False, "licenseConcluded": "NOASSERTION", "licenseDeclared": "NOASSERTION", "copyrightText": "NOASSERTION",
            "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": f"pkg:deb/debian/{name}@{version}?arch=amd64&distro=debian-12"}]}


def main():
    version, build, files = sys.argv[1], sys.argv[2], sys.argv[3:]
    found = {name: "headers compiled in" for name in HEADER_ONLY}
    found.update({owner(path): "linked in" for path in archives(build)})
    found.update({owner(path): "loaded" for path in loaded(files)})
    moment = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    root = {"SPDXID": "SPDXRef-schemaward", "name": "schemaward", "versionInfo": version, "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
            "licenseConcluded": "Apache-2.0", "licenseDeclared": "Apache-2.0", "copyrightText": "NOASSERTION",
            "checksums": [{"algorithm": "SHA256", "checksumValue": hashlib.sha256(pathlib.Path(files[0]).read_bytes()).hexdigest()}]}
    parts = [package(name, how) for name, how in sorted(found.items())]
    print(json.dumps({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"schemaward-{version}",
        "documentNamespace": f"https://schemaward.invalid/spdx/{version}/{root['checksums'][0]['checksumValue']}",
        "creationInfo": {"created": moment, "creators": ["Tool: packaging/sbom.py"]}, "packages": [root, *parts],
        "relationships": [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": root["SPDXID"]},
                          *[{"spdxElementId": root["SPDXID"], "relationshipType": "DEPENDS_ON", "relatedSpdxElement": p["SPDXID"]} for p in parts]]}, indent=1))


if __name__ == "__main__":
    main()
