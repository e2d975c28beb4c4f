"""What a caller in bad faith tries on each engine: personal values must be in no answer, whatever is asked. Each is marked, so that one that gets out shows."""
import json, unittest

import engines
from ward import WORKED, Case

# COVERS: R-REC-1
MARK = "-kept"  # in each value of a blocked column and in each constant that stands beside one; in no statement
TABLES = """
CREATE TABLE people (id integer PRIMARY KEY, city varchar(40), ssn varchar(40) DEFAULT 'default-kept' CHECK (ssn <> 'check-kept'), email varchar(80), born integer, CHECK (city <> 'nowhere' OR SSN <> 'two-kept'));
CREATE TABLE visits (id integer PRIMARY KEY, person integer REFERENCES people (id), place varchar(40));
CREATE VIEW codes AS SELECT id, ssn AS code, city FROM people WHERE ssn <> 'view-kept';
CREATE VIEW codes_again AS SELECT code AS c, upper(code) AS u, city FROM codes;
CREATE VIEW both_kinds AS SELECT city AS x FROM people UNION ALL SELECT email FROM people;
INSERT INTO people (id, city, ssn, email, born) VALUES (1, 'Oslo', '111-kept', 'a-kept@x.example', 1), (2, 'Bergen', '222-kept', 'b-kept@x.example', 2), (3, 'Oslo', '333-kept', 'c-kept@x.example', 3);
INSERT INTO visits VALUES (1, 1, 'here'), (2, 2, 'there'), (3, 3, 'here');
"""
# Each shows, compares, sorts or counts by a column; %s: its name. With one that is not blocked each is a statement that the engine takes.
SHAPES = (
    "SELECT %s FROM people", "SELECT p.%s AS place FROM people p", "SELECT upper(%s) FROM people", "SELECT length(%s) FROM people", "SELECT substr(%s, 1, 5) FROM people",
    "SELECT count(%s) FROM people", "SELECT count(DISTINCT %s) FROM people", "SELECT min(%s) FROM people", "SELECT max(%s) FROM people GROUP BY born",
    "SELECT id FROM people WHERE %s LIKE '111%%'", "SELECT id FROM people WHERE %s >= '2'", "SELECT id FROM people WHERE %s IS NULL", "SELECT id FROM people WHERE %s IN ('111')",
    "SELECT id FROM people ORDER BY %s", "SELECT id FROM people ORDER BY upper(%s) LIMIT 1", "SELECT id FROM people ORDER BY CASE WHEN %s > '2' THEN 1 ELSE 2 END",
    "SELECT born FROM people GROUP BY born, %s", "SELECT born FROM people GROUP BY born HAVING max(%s) > '2'", "SELECT DISTINCT %s FROM people",
    "SELECT row_number() OVER (ORDER BY %s) AS n FROM people", "SELECT lag(%s) OVER (ORDER BY id) AS l FROM people", "SELECT count(*) OVER (PARTITION BY %s) AS n FROM people",
    "SELECT a.id FROM people a JOIN people b USING (%s)", "SELECT a.id FROM people a JOIN visits b ON a.%s = b.place", "SELECT a.id FROM people a NATURAL JOIN (SELECT %s FROM people) b",
    "SELECT v.id FROM visits v WHERE EXISTS (SELECT 1 FROM people p WHERE p.id = v.person AND p.%s > '2')",
    "SELECT (SELECT %s FROM people p WHERE p.id = v.person) AS s FROM visits v", "SELECT q.x FROM (SELECT %s AS x FROM people) q", "WITH q(x) AS (SELECT %s FROM people) SELECT x FROM q",
    "SELECT place FROM visits UNION SELECT %s FROM people", "SELECT place FROM visits EXCEPT SELECT %s FROM people", "SELECT place FROM visits WHERE place NOT IN (SELECT %s FROM people)",
    "SELECT CASE WHEN %s = '111' THEN 1 ELSE 0 END AS c FROM people", "SELECT coalesce(NULL, %s) AS c FROM people", "SELECT nullif(%s, '111') AS c FROM people",
    "SELECT 1 / (length(%s) - 8) AS d FROM people", "WITH RECURSIVE r(n, x) AS (SELECT 1, place FROM visits UNION ALL SELECT r.n + 1, p.%s FROM r JOIN people p ON p.id = r.n WHERE r.n < 3) SELECT n FROM r WHERE x > 'b'",
)
# The same by other ways than a column's name.
OTHERS = (
    "SELECT * FROM people", "SELECT p.* FROM people p", "SELECT * FROM (SELECT * FROM people) q", "SELECT a.id FROM people a NATURAL JOIN people b", "SELECT code FROM codes", "SELECT * FROM codes",
    "SELECT c FROM codes_again", "SELECT u FROM codes_again", "SELECT x FROM both_kinds", "SELECT city FROM codes_again ORDER BY c", "SELECT city FROM codes WHERE code = '111'",
    "SELECT id AS city, email AS id FROM people", "SELECT max(code) FROM codes", "SELECT count(*) FROM (SELECT DISTINCT ssn FROM people) q",
)
# Definitions over the same tables: who wrote them does not decide who may ask.
DEFINITIONS = {
    "entities/person.yaml": "name: person\ntable: SCHEMA.people\nidentity: id\ncolumns: [city, born, ssn, email]\ndimensions:\n  - {name: initial, expression: \"coalesce(ssn, '')\"}\n  - {name: is_first, expression: \"email < 'b'\"}\n",
    "entities/visit.yaml": "name: visit\ntable: SCHEMA.visits\nidentity: id\n",
    "entities/code.yaml": "name: code\ntable: SCHEMA.codes\nidentity: id\n",
    "joins/visit_person.yaml": "name: visit_person\nfrom: visit\nto: person\non: {person: id}\n",
    "metrics/heads.yaml": "name: heads\nentity: person\naggregation: count\n",
    "metrics/visits.yaml": "name: visits\nentity: visit\naggregation: count\n",
    "metrics/codes.yaml": "name: codes\nentity: code\naggregation: count\n",
    "metrics/last_ssn.yaml": "name: last_ssn\nentity: person\naggregation: max\ncolumn: ssn\n",
    "metrics/mails.yaml": "name: mails\nentity: person\naggregation: count_distinct\ncolumn: email\n",
    "metrics/some.yaml": "name: some\nentity: person\naggregation: count\nfilters: ssn > '2'\n",
}
# Arguments of get_metric that show, compare, sort or count by a blocked column.
QUESTIONS = (
    [{"name": name} for name in ("last_ssn", "mails", "some")] + [{"name": "heads", "group_by": [f"person.{column}"]} for column in ("ssn", "email", "initial", "is_first")]
    + [{"name": "visits", "group_by": ["person.ssn"]}, {"name": "codes", "group_by": ["code.code"]}, {"name": "codes", "filters": [{"column": "code.code", "op": "gt", "value": "2"}]}]
    + [{"name": "heads", "filters": [{"column": "person.ssn", "op": op, "value": value}]} for op, value in (("eq", "111"), ("ne", "111"), ("lt", "2"), ("gte", "2"), ("in", ["1", "2"]), ("not_in", ["1"]), ("is_null", None), ("not_null", None),
                                                                                                           ("between", ["1", "2"]), ("contains", "11"), ("starts_with", "1"))]
    + [{"name": "visits", "filters": [{"any_of": [{"column": "visit.place", "value": "here"}, {"column": "person.email", "op": "starts_with", "value": "a"}]}]},
       {"name": "heads", "filters": [{"column": "person.is_first", "value": True}]}]
)


class BadFaith:
    """The same for each engine; mixed into the cases below. `own`: statements of the engine's own grammar, `refused`: those that no policy lets pass."""
    number = "integer"
    own = refused = ()

    def setUp(self):
        super().setUp()
        (self.folder / "policy.yaml").write_text("version: 1\nprofile: team\n")
        self.environment["SCHEMAWARD_POLICY"] = str(self.folder / "policy.yaml")
        self.ward("index", self.make_database("faith", TABLES), "--name", "faith", "--no-suggest", "--sample", "5")
        self.server = self.serve()

    def ask(self, tool, **arguments):
        """What a tool answers; no value that is blocked may be in it."""
        answer = self.server.request("tools/call", {"name": tool, "arguments": arguments})
        self.assertNotIn(MARK, json.dumps(answer), (tool, arguments))
        return answer["result"]["structuredContent"]

    def statements(self, shapes, column):
        return [shape % column for shape in (*shapes, f"SELECT CAST(%s AS {self.number}) AS n FROM people", f"SELECT id FROM people WHERE CAST(%s AS {self.number}) = 1")]

    def test_statements_that_show_or_compare_a_blocked_column_are_refused(self):
        for sql in self.statements(SHAPES, "ssn") + self.statements(SHAPES, "email") + [*OTHERS, *self.own]:
            for tool in ("execute_query", "validate_query"):
                with self.subTest(sql, tool=tool):
                    answer = self.ask(tool, sql=sql)
                    self.assertEqual((answer["error"] or {}).get("kind"), "pii_blocked", answer)
                    suggested = (answer["error"]["recovery"]["suggested_args"] or {}).get("sql")
                    if suggested:  # what is offered instead passes, and shows none either
                        self.assertIn(self.ask("execute_query", sql=suggested)["status"], WORKED, suggested)

    def test_the_same_statements_pass_where_the_column_is_not_blocked(self):
        # Else the test above would hold because an engine or a grammar lacks what is tried.
        for sql in self.statements(SHAPES, "city"):
            with self.subTest(sql):
                self.assertEqual(self.ask("validate_query", sql=sql)["status"], "success", sql)

    def test_what_no_policy_lets_pass_is_refused_without_a_value(self):
        for sql in self.refused:
            for tool in ("execute_query", "validate_query"):
                with self.subTest(sql, tool=tool):
                    self.assertIn(self.ask(tool, sql=sql)["status"], ("refused", "error"))

    def test_descriptions_show_no_value(self):
        for table in ("people", "codes", "codes_again", "both_kinds"):
            self.assertEqual(self.ask("describe_table", qualified_name=f"{self.schema}.{table}", response_format="detailed")["status"], "success")
        # The texts of the columns beside are read too: a check names several.
        for column in ("people.id", "people.city", "people.born", "codes.city"):
            self.assertEqual(self.ask("describe_column", qualified_name=f"{self.schema}.{column}")["status"], "success")
        for column in ("people.ssn", "people.email", "codes.code", "codes_again.c", "both_kinds.x"):
            name = f"{self.schema}.{column}"
            self.assertEqual(self.ask("describe_column", qualified_name=name)["status"], "success")
            self.assertEqual(self.ask("describe_column", qualified_name=name, values=True)["error"]["kind"], "pii_blocked")

    def test_metrics_by_a_blocked_column_are_refused(self):
        for name, text in DEFINITIONS.items():
            path = self.folder / "definitions" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text.replace("SCHEMA", self.schema))
        self.ward("apply", self.folder / "definitions")
        self.assertEqual(self.ask("get_metric", name="heads", group_by=["person.city"])["status"], "success")
        self.assertEqual(self.ask("get_metric", name="visits", filters=[{"column": "person.city", "value": "Nowhere"}])["data"]["nearest_values"][0]["values"], ["Bergen", "Oslo"])
        for question in QUESTIONS:
            for more in ({}, {"compile_only": True}):
                with self.subTest(question, **more):
                    answer = self.ask("get_metric", **question, **more)
                    self.assertEqual((answer["error"] or {}).get("kind"), "pii_blocked", answer)
        for tool, arguments in (("describe_entity", {"name": "person"}), ("describe_entity", {"name": "code"}), ("list_metrics", {"response_format": "detailed"}), ("find_relevant_entities", {"query": "ssn"})):
            self.ask(tool, **arguments)

    def test_what_may_be_compared_counted_or_masked_is_in_no_error_and_no_row(self):
        fails = self.engine in ("postgres", "duckdb")  # whose casts fail, and say of which value
        for action, statements in {
            "allow_in_predicate": (f"SELECT id FROM people WHERE CAST(email AS {self.number}) = 1", f"SELECT id FROM people WHERE CAST(email AS {self.number}) BETWEEN 1 AND 2"),
            "{allow_aggregate: 2}": (f"SELECT sum(CAST(email AS {self.number})) AS s FROM people", f"SELECT avg(CAST(email AS {self.number})) AS s FROM people GROUP BY 1 = 1"),
        }.items():
            (self.folder / "policy.yaml").write_text(f"version: 1\nprofile: team\ncategories: {{contact: {action}}}\n")
            words = open(self.folder / "words.log", "a")
            self.addCleanup(words.close)
            self.environment["SCHEMAWARD_LOG_LEVEL"] = "info"
            server = self.serve(stderr=words)
            for sql in statements:
                answer = server.request("tools/call", {"name": "execute_query", "arguments": {"sql": sql}})
                self.assertNotIn(MARK, json.dumps(answer), sql)
                said = answer["result"]["structuredContent"]
                # An aggregate of what could fail for one value does not run.
                counts_safely = action.startswith("{") and self.engine != "sqlite"
                self.assertEqual((said["error"] or {}).get("reason"), "pii_blocked" if counts_safely else "sql_runtime" if fails else None, said)
            server.close()
        for log in (self.ward("audit", "export"), (self.folder / "words.log").read_text()):
            self.assertNotIn(MARK, log)
            self.assertEqual("***" in log, fails)
        (self.folder / "policy.yaml").write_text("version: 1\nprofile: team\ncategories: {contact: mask}\n")
        server = self.serve()
        self.assertEqual(server.call("execute_query", sql="SELECT email FROM people ORDER BY id")["data"]["rows"], [["***"]] * 3)
        for sql in ("SELECT upper(email) FROM people", "SELECT email || '' FROM people", f"SELECT CAST(email AS {self.number}) FROM people", "SELECT DISTINCT email FROM people", "SELECT e FROM (SELECT email AS e FROM people ORDER BY email) q",
                    "SELECT email FROM people ORDER BY 1", "SELECT email FROM people UNION SELECT city FROM people", "SELECT count(*) FROM people GROUP BY email"):
            answer = server.request("tools/call", {"name": "execute_query", "arguments": {"sql": sql}})
            self.assertNotIn(MARK, json.dumps(answer), sql)
            self.assertEqual((answer["result"]["structuredContent"]["error"] or {}).get("kind"), "pii_blocked", (sql, answer))

    def test_the_store_keeps_no_value(self):
        kept = b"".join(path.read_bytes() for path in self.folder.glob("store.db*"))
        self.assertIn(b"Bergen", kept)  # samples are kept, of columns that are not blocked
        for value in (b"111" + MARK.encode(), b"a" + MARK.encode() + b"@"):
            self.assertNotIn(value, kept)


class Sqlite(BadFaith, engines.Sqlite, Case):
    own = (
        'SELECT "ssn" FROM people', "SELECT [ssn] FROM people", "SELECT `SSN` FROM people", "SELECT main.people.ssn FROM people", "SELECT id FROM people WHERE ssn GLOB '1*'",
        "SELECT id FROM people WHERE (ssn, id) > ('2', 1)", "SELECT group_concat(ssn) FROM people", "SELECT group_concat(city, ssn) FROM people", "SELECT max(id), ssn FROM people",
        "SELECT hex(ssn) FROM people", "SELECT quote(ssn) FROM people", "SELECT typeof(ssn) FROM people", "SELECT json_object('a', ssn) FROM people", "SELECT count(*) FILTER (WHERE ssn > '2') FROM people",
        "SELECT id FROM people ORDER BY city COLLATE NOCASE, ssn COLLATE NOCASE", "SELECT sum(born) OVER w FROM people WINDOW w AS (ORDER BY ssn)", "SELECT id FROM people WHERE ssn || '' = '111'",
        "SELECT id FROM people INDEXED BY nothing WHERE ssn = '1'",
    )
    refused = ("SELECT * FROM sqlite_stat4", "SELECT * FROM dbstat", "SELECT * FROM pragma_table_info('people')", "EXPLAIN SELECT ssn FROM people", "VACUUM INTO 'x'",
               "SELECT load_extension(ssn) FROM people", "SELECT 1; SELECT ssn FROM people", "ATTACH 'x' AS y", "SELECT * FROM json_each((SELECT ssn FROM people LIMIT 1))")


class Postgres(BadFaith, engines.Postgres, Case):
    own = (
        "TABLE people", 'SELECT U&"\\0073sn" FROM people', "SELECT p FROM people p", "SELECT p::text FROM people p", "SELECT (p).ssn FROM people p", "SELECT (p).* FROM people p", "SELECT ssn(p) FROM people p",
        "SELECT p.ssn::text COLLATE \"C\" FROM people p", "SELECT row_to_json(p) FROM people p", "SELECT to_jsonb(p) - 'id' FROM people p", "SELECT count(p) FROM people p", "SELECT array_agg(p) FROM people p",
        "SELECT id FROM people p WHERE p IS NOT NULL", "SELECT id FROM people p WHERE p > ROW(1, 'a', 'b', 'c', 1)", "SELECT id FROM people p WHERE ROW(p.*) = ROW(1, 'a', 'b', 'c', 1)",
        "SELECT DISTINCT ON (ssn) id FROM people", "SELECT array_agg(city ORDER BY ssn) FROM people", "SELECT string_agg(city, ssn) FROM people",
        "SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY ssn) FROM people", "SELECT count(*) FILTER (WHERE ssn > '2') FROM people", "SELECT count(*) FROM people GROUP BY GROUPING SETS ((ssn), ())",
        "SELECT sum(born) OVER w FROM people WINDOW w AS (ORDER BY ssn)", "SELECT x FROM people p, LATERAL (SELECT p.ssn AS x) q", "SELECT x FROM people p CROSS JOIN LATERAL unnest(ARRAY[p.ssn]) AS u(x)",
        "VALUES ((SELECT ssn FROM people LIMIT 1))", "SELECT id FROM people WHERE ssn ~ '^1'", "SELECT id FROM people WHERE ssn = ANY (ARRAY['111'])", "SELECT id FROM people WHERE ssn IS DISTINCT FROM '111'",
        "SELECT id FROM people WHERE ssn BETWEEN '1' AND '2'", "SELECT id FROM people LIMIT (SELECT length(max(ssn)) FROM people)", "SELECT id FROM people WHERE ssn::integer = 1",
        "SELECT q.c3 FROM (SELECT * FROM people) q(c1, c2, c3, c4, c5)", "SELECT p.z FROM people AS p(a, b, z, d, e)", "EXPLAIN SELECT id FROM people WHERE ssn = '111'",
    )
    refused = ("SELECT most_common_vals FROM pg_stats", "SELECT * FROM pg_statistic", "SELECT query_to_xml('SELECT ssn FROM people', true, true, '')", "SELECT table_to_xml('people', true, true, '')",
               "COPY people TO STDOUT", "EXPLAIN ANALYZE SELECT ssn FROM people", "SELECT 1; SELECT ssn FROM people", "DO $$ BEGIN RAISE '%', (SELECT ssn FROM people LIMIT 1); END $$",
               "SELECT * FROM pg_stat_activity", "SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef", "DECLARE c CURSOR FOR SELECT ssn FROM people", "PREPARE p AS SELECT ssn FROM people")


class MariaDb(BadFaith, engines.MariaDb, Case):
    number = "signed"
    own = (
        "SELECT `ssn` FROM people", "SELECT DISTINCTROW ssn FROM people", "SELECT group_concat(city ORDER BY ssn) FROM people", "SELECT group_concat(ssn SEPARATOR ' ') FROM people", "SELECT id FROM people WHERE ssn REGEXP '^1'",
        "SELECT id FROM people WHERE ssn RLIKE '^1'", "SELECT id FROM people WHERE ssn <=> '1'", "SELECT count(*) FROM people GROUP BY ssn WITH ROLLUP", "SELECT a.id FROM people a STRAIGHT_JOIN people b ON a.ssn = b.ssn",
        "SELECT id FROM people WHERE BINARY ssn = '111'", "SELECT ssn + 0 FROM people", "SELECT hex(ssn) FROM people", "SELECT id, ssn AS s FROM people HAVING s > '2'",
        "SELECT id FROM people WHERE (ssn, id) > ('2', 1)", "SELECT if(ssn > '2', 1, 0) FROM people", "SELECT field(ssn, '111') FROM people", "SELECT json_arrayagg(ssn) FROM people", "SELECT extractvalue('<a/>', concat('~', ssn)) FROM people",
    )
    refused = ("SELECT * FROM people PROCEDURE ANALYSE()", "HANDLER people OPEN", "SELECT ssn INTO @a FROM people", "SELECT @a := ssn FROM people", "SELECT DEFAULT(ssn) FROM people", "CHECKSUM TABLE people",
               "SELECT * FROM mysql.column_stats", "SELECT * FROM information_schema.column_statistics", "SELECT ssn FROM people INTO OUTFILE '/tmp/x'", "SELECT 1; SELECT ssn FROM people",
               "SELECT 1 /*!50000 UNION SELECT ssn FROM people */", "SHOW CREATE TABLE people", "TABLE people", "SELECT id FROM people WHERE ssn SOUNDS LIKE '111'", "EXPLAIN EXTENDED SELECT ssn FROM people", "ANALYZE FORMAT=JSON SELECT ssn FROM people")


class DuckDb(BadFaith, engines.DuckDb, Case):
    own = (
        "TABLE people", "FROM people", "FROM people SELECT ssn", "SELECT p FROM people p", "SELECT * EXCLUDE (city) FROM people", "SELECT * REPLACE (upper(ssn) AS ssn) FROM people", "SELECT list(ssn) FROM people",
        "SELECT {'a': ssn} FROM people", "SELECT [ssn] FROM people", "SELECT arg_min(city, ssn) FROM people", "SELECT max_by(city, ssn) FROM people", "SELECT id FROM people QUALIFY row_number() OVER (ORDER BY ssn) = 1",
        "SELECT ssn, count(*) FROM people GROUP BY ALL", "SELECT id, ssn FROM people ORDER BY ALL", "SELECT ssn.upper() FROM people", "SELECT ssn[1] FROM people", "SELECT ssn[1:3] FROM people", "SELECT array_agg(city ORDER BY ssn) FROM people",
        "SELECT count(*) FILTER (ssn > '2') FROM people", "SELECT a.id FROM people a SEMI JOIN people b ON a.ssn = b.ssn", "SELECT a.id FROM people a ASOF JOIN people b ON a.ssn >= b.ssn", "SELECT x FROM people p, LATERAL (SELECT p.ssn AS x) q",
        "SELECT id FROM people WHERE ssn SIMILAR TO '1.*'", "SELECT id FROM people WHERE ssn ILIKE '1%'", "SELECT ssn::integer FROM people", "SELECT TRY_CAST(ssn AS integer) FROM people", "SELECT DISTINCT ON (ssn) id FROM people",
        "SELECT q.c3 FROM (SELECT * FROM people) q(c1, c2, c3, c4, c5)", "SELECT id AS s, ssn AS t FROM people WHERE t > '2'", "SELECT sum(born) OVER w FROM people WINDOW w AS (ORDER BY ssn)",
    )
    refused = ("SELECT COLUMNS('ss.*') FROM people", "SUMMARIZE people", "SELECT * FROM query('SELECT ssn FROM people')", "SELECT * FROM query_table('people')", "SELECT * FROM pragma_storage_info('people')",
               "PIVOT people ON ssn", "UNPIVOT people ON ssn, email", "SELECT 1; SELECT ssn FROM people", "EXPLAIN ANALYZE SELECT ssn FROM people", "COPY people TO '/tmp/x'",
               "SELECT * FROM people USING SAMPLE 1", "SELECT stats(ssn) FROM people", "EXPORT DATABASE '/tmp/x'")


if __name__ == "__main__":
    unittest.main()
