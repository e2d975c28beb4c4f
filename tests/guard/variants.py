#!/usr/bin/env python3
"""Makes variants of every statement of a corpus folder and has them judged as the statement is.

usage: variants.py PROGRAM SEED MOST CORPUS_FOLDER...     MOST: variants of a folder; more are drawn from

A variant changes what a scanner sees (case, comments and line ends between words, quoted, escaped and qualified names, dollar quotes, casts and
brackets around a column, another function of the same class) or where the statement stands (in a derived table, a common table, a scalar
subquery, a set operation, a lateral join, a view, EXISTS, VALUES, a condition, ORDER BY, EXPLAIN), or both. An attack must stay refused, personal
data as such where only the text changed; a benign statement must stay accepted. What reads personal data without showing any of it is no attack:
those places are left out for it. A folder without fixture.sql is passed over. Prints what was judged otherwise; exit 1 where anything was.
Standard library only.
"""
import collections, glob, json, os, random, re, subprocess, sys, tempfile

SCHEMAS = {"postgres": "public", "sqlite": "main", "duckdb": "main"}
PIECES = r"""[EeUu]&?'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*'|[Uu]&"(?:[^"]|"")*"|"(?:[^"]|"")*"|`[^`]*`|\[[A-Za-z_]\w*\]|\$\w*\$.*?\$\w*\$|--[^\n]*|/\*.*?\*/|\w+|\s+|."""
MYSQL_PIECES = r"""#[^\n]*|'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.|"")*"|""" + PIECES
PIECE, MYSQL_PIECE = re.compile(PIECES, re.S), re.compile(MYSQL_PIECES, re.S)
GAPS = {"postgres": ["/**/", "\n", "\t", "/* a /* b */ */", " --x\n"], "mysql": ["/**/", "\n", "\t", " -- x\n", " #x\n"],
        "sqlite": ["/**/", "\n", "\t", " --x\n"], "duckdb": ["/**/", "\n", "\t", " --x\n"]}
BLOCKED = ("card_number", "email", "national_id", "phone", "ssn")
# Functions of which each stands for the others of its row.
CLASSES = (("pg_read_file", "pg_read_binary_file", "pg_ls_dir", "pg_stat_file", "lo_import", "pg_file_read"), ("pg_sleep", "pg_sleep_for", "pg_sleep_until"),
           ("pg_advisory_lock", "pg_advisory_xact_lock", "pg_try_advisory_lock", "pg_advisory_lock_shared", "pg_advisory_unlock"),
           ("lo_get", "lo_unlink", "lo_open", "lo_creat", "loread"), ("nextval", "currval", "lastval", "setval"), ("set_config", "current_setting"),
           ("query_to_xml", "query_to_xmlschema", "query_to_xml_and_xmlschema", "dblink", "dblink_exec"), ("table_to_xml", "table_to_xmlschema"),
           ("pg_terminate_backend", "pg_cancel_backend", "pg_blocking_pids"), ("sleep", "benchmark", "get_lock", "load_file", "release_lock"),
           ("load_extension", "readfile", "edit", "eval"), ("zeroblob", "randomblob"),
           ("read_csv", "read_text", "read_blob", "read_parquet", "read_json", "glob", "read_csv_auto", "parquet_metadata", "sniff_csv"),
           ("query", "query_table"), ("upper", "lower", "trim", "md5"), ("max", "min"))
# Where a statement may stand that shows what it reads, and where it only runs. A comment may end it, so that a new line closes it.
SHOWN = {"derived table": "SELECT * FROM ({}\n) AS q", "common table": "WITH q AS ({}\n) SELECT * FROM q", "nested common table": "WITH a AS (WITH b AS ({}\n) SELECT * FROM b) SELECT * FROM a",
         "scalar": "SELECT ({}\n) AS v", "second term": "SELECT 1 UNION ALL {}", "parentheses": "({}\n)", "cross join": "SELECT q.* FROM (SELECT 1) AS o CROSS JOIN ({}\n) AS q",
         "sorted": "SELECT 1 FROM (SELECT 1) AS o ORDER BY ({}\n)", "in": "SELECT 1 WHERE 'a' IN ({}\n)", "case": "SELECT CASE WHEN 1 = 1 THEN ({}\n) END", "coalesced": "SELECT coalesce(({}\n), NULL)",
         "set operation": "{0}\n UNION ALL {0}", "set operation in brackets": "({0}\n) UNION ALL ({0}\n)", "lateral": "SELECT q.* FROM (SELECT 1) AS o CROSS JOIN LATERAL ({}\n) AS q"}
RUN = {"exists": "SELECT 1 WHERE EXISTS ({}\n)", "counted": "SELECT count(*) FROM ({}\n) AS q", "unused common table": "WITH q AS ({}\n) SELECT 1", "values": "VALUES (({}\n))", "explained": "EXPLAIN {}",
       "limit": "SELECT 1 LIMIT ({}\n)", "having": "SELECT 1 FROM (SELECT 1 AS x) AS o GROUP BY x HAVING EXISTS ({}\n)"}
# Of these any select may be an operand, whatever its columns and its order.
ANY_SELECT = ("derived table", "common table", "nested common table", "exists", "counted", "unused common table", "explained", "having")


def pieces(sql, engine):
    return (MYSQL_PIECE if engine == "mysql" else PIECE).findall(sql)


def is_word(piece):
    return re.fullmatch(r"[A-Za-z_]\w*", piece) is not None


def word_before(parts, at):
    return next((one for one in reversed(parts[:at]) if not one.isspace()), "").lower()


def symbol_after(parts, at):
    return next((one for one in parts[at + 1:] if not one.isspace()), "")


def changed_case(sql, row, chance):
    how = chance.choice((str.lower, str.upper, str.swapcase))
    return "".join(how(piece) if is_word(piece) else piece for piece in pieces(sql, row["engine"]))


def other_gaps(sql, row, chance):
    out = []
    for piece in pieces(sql, row["engine"]):
        keeps = not piece.isspace() or (bool(out) and out[-1].startswith(("--", "#", "/", "*")))  # the end of a comment; no comment out of a division
        out.append(piece if keeps else chance.choice(GAPS[row["engine"]]))
    return "".join(out)


def quoted_names(sql, row, chance):
    mark = "`" if row["engine"] == "mysql" else '"'
    return "".join(f"{mark}{piece}{mark}" if piece in row["tables"] else piece for piece in pieces(sql, row["engine"]))


def qualified_names(sql, row, chance):
    parts, schema, out = pieces(sql, row["engine"]), SCHEMAS.get(row["engine"]), []
    commons = {parts[at] for at in range(len(parts)) if symbol_after(parts, at).lower() in ("as", "(") and word_before(parts, at) in ("with", "recursive", ",")}
    for at, piece in enumerate(parts):
        takes = schema and piece in row["tables"] and piece not in commons and word_before(parts, at) in ("from", "join", "into", "table", "update")
        out.append(f"{schema}.{piece}" if takes else piece)
    return "".join(out)


def escaped_names(sql, row, chance):
    """PostgreSQL's U&"\\0061ccount"."""
    if row["engine"] != "postgres":
        return sql
    return "".join(f'U&"\\{ord(piece[0]):04x}{piece[1:]}"' if piece in row["tables"] or piece in row["columns"] else piece for piece in pieces(sql, "postgres"))


def dollar_quotes(sql, row, chance):
    if row["engine"] not in ("postgres", "duckdb"):
        return sql
    takes = lambda piece: piece.startswith("'") and "''" not in piece[1:-1] and "$" not in piece
    parts = pieces(sql, row["engine"])
    return "".join(f"$t${piece[1:-1]}$t$" if takes(piece) and word_before(parts, at) not in ("interval", "date", "timestamp", "time", "escape") else piece for at, piece in enumerate(parts))


def other_functions(sql, row, chance):
    out, parts = [], pieces(sql, row["engine"])
    for at, piece in enumerate(parts):
        peers = next((names for names in CLASSES if piece.lower() in names), None) if symbol_after(parts, at) == "(" else None
        out.append(chance.choice(peers) if peers else piece)
    return "".join(out)


def wrapped_columns(sql, row, chance):
    """Brackets or a cast around a column that stands alone in a list or a condition."""
    out, parts = [], pieces(sql, row["engine"])
    shape = chance.choice(("({})", "(({}))", "CAST({} AS char(9))" if row["engine"] == "mysql" else "CAST({} AS varchar(9))"))
    before = ("where", "and", "or", "=", "<", ">") + (() if "CAST" in shape else ("select",))  # a cast has no name
    for at, piece in enumerate(parts):
        alone = piece in row["columns"] and word_before(parts, at) in before and symbol_after(parts, at) in (",", "=", "<", ">", "FROM", "LIKE", "IS")
        out.append(shape.format(piece) if alone else piece)
    return "".join(out)


TEXTS = (changed_case, other_gaps, quoted_names, qualified_names, escaped_names, dollar_quotes)
ATTACK_TEXTS = TEXTS + (other_functions, wrapped_columns)


def attack_variants(row, chance):
    """(name, row) of each; `expect` is what it must be judged, or None for anything but accepted."""
    sql = row["sql"]
    bare = sql.rstrip().rstrip(";")
    for change in ATTACK_TEXTS:
        is_personal = row["expect"] == "pii" and change is not other_functions
        yield change.__name__, {"sql": change(sql, row, chance), "must": "pii" if is_personal else None}
    places = SHOWN if row["expect"] == "pii" else {**SHOWN, **RUN}
    if row["expect"] != "pii" and re.search(r"\border\b", bare, re.I):    # behind another term it is of both, and sees no table of them
        places = {place: shape for place, shape in places.items() if place not in ("second term", "set operation")}
    for place, shape in places.items():
        yield place, {"sql": shape.format(bare)}
        yield f"{place}, changed text", {"sql": changed_case(other_gaps(shape.format(bare), row, chance), row, chance)}
    of_all = [shape for place, shape in places.items() if place in SHOWN]
    inner, outer = chance.choice(of_all), chance.choice(list(SHOWN.values()))
    yield "twice", {"sql": outer.format(inner.format(bare))}
    shown = re.match(r"\s*select\b(?!\s+distinct\s+on)(.*?)\bfrom\b", bare, re.I | re.S)
    values = re.sub(r"\bas\s+\w+", "", shown.group(1), flags=re.I) if shown else ""  # a name alone shows nothing
    if row["expect"] == "pii" and "setup" not in row and any(word in BLOCKED for word in re.findall(r"\w+", values)):
        yield "view", {"sql": "SELECT * FROM ward_view", "setup": f"CREATE VIEW ward_view AS {bare}"}


def benign_variants(row, chance):
    sql = row["sql"]
    bare = sql.rstrip().rstrip(";")
    for change in TEXTS:
        yield change.__name__, {"sql": change(sql, row, chance)}
    if not re.match(r"\s*(/\*.*?\*/\s*)?(select|with|values)\b", bare, re.I | re.S) or bare.count("/*") != bare.count("*/"):
        return
    columns_repeat = row["engine"] == "mysql" and "*" in bare
    for place in ANY_SELECT:
        if not columns_repeat:
            yield place, {"sql": {**SHOWN, **RUN}[place].format(bare)}
    inner, outer = ({**SHOWN, **RUN}[chance.choice(ANY_SELECT[:5])] for _ in range(2))
    yield "twice", {"sql": changed_case(outer.format(inner.format(bare)), row, chance)}


def names_of(fixture):
    """(tables, columns) of a fixture's CREATE TABLE statements."""
    with open(fixture) as text:
        script = re.sub(r"--[^\n]*", "", text.read())
    tables, columns = set(), set()
    for table, body in re.findall(r"CREATE TABLE (\w+) \((.*?)\);", script, re.S):
        tables.add(table)
        columns.update(re.findall(r"(?:^|,)\s*([a-z]\w*) (?:integer|varchar|decimal|date|timestamp|text)", body, re.I))
    return tables, columns


def judge(program, corpus, fixture, policy):
    """[(id, verdict)] of every line."""
    command = [program, "guard", "test", corpus, "--fixture", fixture, "--json"] + (["--policy", policy] if os.path.exists(policy) else [])
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    return [(one["id"], one["verdict"]) for one in json.loads(done.stdout)]


def rows_of(folder, chance):
    tables, columns = names_of(os.path.join(folder, "fixture.sql"))
    found = {}
    for path in sorted(glob.glob(os.path.join(folder, "*.jsonl"))):
        with open(path) as lines:
            for row in map(json.loads, lines):
                sql = row["sql"]
                says_nothing = not re.sub(r"--[^\n]*|/\*.*?\*/", "", sql, flags=re.S).strip(" ;\n\t") or re.search(r"/\*[^/]*$", sql)
                if says_nothing:  # or a comment without an end, which would hold what stands around it
                    continue
                make = benign_variants if row["expect"] == "accepted" else attack_variants
                for name, changed in make({**row, "tables": tables, "columns": columns}, chance):
                    found[f"{row['id']}: {name}"] = {**row, "must": "accepted" if row["expect"] == "accepted" else None, **changed, "id": f"{row['id']}: {name}"}
    return found


def main():
    program, seed, most, *folders = sys.argv[1:]
    chance, counts, wrong = random.Random(int(seed)), collections.Counter(), []
    for folder in folders:
        fixture = os.path.join(folder, "fixture.sql")
        if not os.path.exists(fixture):
            continue
        rows = rows_of(folder, chance)
        if len(rows) > int(most):
            rows = dict(chance.sample(sorted(rows.items()), int(most)))
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as corpus:
            corpus.writelines(json.dumps(row) + "\n" for row in rows.values())
            corpus.flush()
            report = judge(program, corpus.name, fixture, os.path.join(folder, "policy.yaml"))
        for name, verdict in report:
            must = rows[name]["must"]
            counts["benign" if must == "accepted" else "attacks", verdict] += 1
            if verdict != must if must else verdict == "accepted":
                wrong.append((verdict, name, rows[name]["sql"]))
    for verdict, name, sql in wrong:
        print(f"{verdict}: {name}: {sql!r}")
    for (kind, verdict), count in sorted(counts.items()):
        print(f"{kind} {verdict}: {count}")
    print(f"{sum(counts.values())} variants, {len(wrong)} judged otherwise than they must be")
    sys.exit(1 if wrong or not counts else 0)


if __name__ == "__main__":
    main()
