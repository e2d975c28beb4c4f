#!/usr/bin/env python3
"""Makes variants of every attack of a corpus folder and has them judged: each must stay refused.

usage: variants.py PROGRAM SEED MOST CORPUS_FOLDER...     MOST: variants of a folder; more are drawn from

A variant changes what a scanner sees (case, comments and line ends between words, quoted and qualified names) or where the attack stands
(in a derived table, a common table, a scalar subquery, a set operation, EXISTS, VALUES, a condition, ORDER BY, EXPLAIN), or both. What reads
personal data without showing any of it is no attack: those places are left out for it. Prints what was accepted; exit 1 where anything was.
Standard library only.
"""
import glob, json, os, random, re, subprocess, sys, tempfile

TABLES = ("account", "payment", "note", "people", "orders")
SCHEMAS = {"postgres": "public", "sqlite": "main", "duckdb": "main"}
PIECES = r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\$\w*\$|--[^\n]*|/\*.*?\*/|\w+|\s+|."""
PIECE, MYSQL_PIECE = re.compile(PIECES, re.S), re.compile(r"#[^\n]*|" + PIECES, re.S)
GAPS = {"postgres": ["/**/", "\n", "\t", "/* a /* b */ */", " --x\n"], "mysql": ["/**/", "\n", "\t", " -- x\n", " #x\n"],
        "sqlite": ["/**/", "\n", "\t", " --x\n"], "duckdb": ["/**/", "\n", "\t", " --x\n"]}
# Where an attack may stand that shows what it reads, and where it only runs.
SHOWN = {"derived table": "SELECT * FROM ({}) AS q", "common table": "WITH q AS ({}) SELECT * FROM q", "nested common table": "WITH a AS (WITH b AS ({}) SELECT * FROM b) SELECT * FROM a",
         "scalar": "SELECT ({}) AS v", "set operation": "{0} UNION ALL {0}", "second term": "SELECT 1 UNION ALL {}", "parentheses": "({})", "lateral": "SELECT q.* FROM (SELECT 1) AS o CROSS JOIN ({}) AS q",
         "sorted": "SELECT 1 FROM (SELECT 1) AS o ORDER BY ({})", "in": "SELECT 1 WHERE 'a' IN ({})", "case": "SELECT CASE WHEN 1 = 1 THEN ({}) END", "coalesced": "SELECT coalesce(({}), NULL)"}
RUN = {"exists": "SELECT 1 WHERE EXISTS ({})", "counted": "SELECT count(*) FROM ({}) AS q", "unused common table": "WITH q AS ({}) SELECT 1", "values": "VALUES (({}))", "explained": "EXPLAIN {}",
       "limit": "SELECT 1 LIMIT ({})", "having": "SELECT 1 FROM (SELECT 1 AS x) AS o GROUP BY x HAVING EXISTS ({})"}


def pieces(sql, engine):
    return (MYSQL_PIECE if engine == "mysql" else PIECE).findall(sql)


def is_word(piece):
    return re.fullmatch(r"[A-Za-z_]\w*", piece) is not None


def changed_case(sql, engine, chance):
    how = chance.choice((str.lower, str.upper, str.swapcase))
    return "".join(how(piece) if is_word(piece) else piece for piece in pieces(sql, engine))


def other_gaps(sql, engine, chance):
    out = []
    for piece in pieces(sql, engine):
        ends_comment = bool(out) and out[-1].startswith(("--", "#"))
        out.append(chance.choice(GAPS[engine]) if piece.isspace() and not ends_comment else piece)
    return "".join(out)


def quoted_names(sql, engine, chance):
    mark = "`" if engine == "mysql" else '"'
    return "".join(f"{mark}{piece}{mark}" if piece in TABLES else piece for piece in pieces(sql, engine))


def qualified_names(sql, engine, chance):
    parts, schema, out = pieces(sql, engine), SCHEMAS.get(engine), []
    for at, piece in enumerate(parts):
        after = next((one for one in reversed(parts[:at]) if not one.isspace()), "").lower()
        out.append(f"{schema}.{piece}" if schema and piece in TABLES and after in ("from", "join", "into", "table", "update") else piece)
    return "".join(out)


TEXTS = (changed_case, other_gaps, quoted_names, qualified_names)


def variants(row, chance):
    engine, sql = row["engine"], row["sql"]
    bare = sql.rstrip().rstrip(";")
    for change in TEXTS:
        yield change.__name__, change(sql, engine, chance)
    places = SHOWN if row["expect"] == "pii" else {**SHOWN, **RUN}
    for place, shape in places.items():
        yield place, shape.format(bare)
        yield f"{place}, {TEXTS[0].__name__}", changed_case(other_gaps(shape.format(bare), engine, chance), engine, chance)
    inner, outer = chance.choice(list(SHOWN.values())), chance.choice(list(SHOWN.values()))
    yield "twice", outer.format(inner.format(bare))


def judge(program, corpus, fixture, policy):
    """[(id, verdict)] of every line."""
    command = [program, "guard", "test", corpus, "--fixture", fixture, "--json"] + (["--policy", policy] if os.path.exists(policy) else [])
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    return [(one["id"], one["verdict"]) for one in json.loads(done.stdout)]


def main():
    program, seed, most, *folders = sys.argv[1:]
    chance, total, accepted = random.Random(int(seed)), 0, []
    for folder in folders:
        fixture = os.path.join(folder, "fixture.sql")
        if not os.path.exists(fixture):
            continue
        texts = {}
        for path in sorted(glob.glob(os.path.join(folder, "*.jsonl"))):
            with open(path) as lines:
                for row in map(json.loads, lines):
                    if row["expect"] in ("refused", "pii") and row["sql"].strip(" ;\n\t"):
                        for name, sql in variants(row, chance):
                            texts[f"{row['id']}: {name}"] = {**row, "id": f"{row['id']}: {name}", "sql": sql}
        if len(texts) > int(most):
            texts = dict(chance.sample(sorted(texts.items()), int(most)))
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as corpus:
            corpus.writelines(json.dumps(row) + "\n" for row in texts.values())
            corpus.flush()
            report = judge(program, corpus.name, fixture, os.path.join(folder, "policy.yaml"))
        total += len(texts)
        for name, verdict in report:
            if verdict == "accepted":
                accepted.append((name, texts[name]["sql"]))
    for name, sql in accepted:
        print(f"accepted: {name}: {sql!r}")
    print(f"{total} variants, {len(accepted)} accepted")
    sys.exit(1 if accepted or not total else 0)


main()
