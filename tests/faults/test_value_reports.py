"""What was reported of other servers' values and statements, on a real database of each engine; README.md of this folder says which report is tested where."""
import json, pathlib, sys, unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
import engines  # noqa: E402
from ward import Case  # noqa: E402

BIG, SMALL = 2**53 + 1, -(2**63)
LARGE = 50_000
UUID = "00000000-0000-0000-0000-00000000000a"


class Reports:
    """The same for each engine; mixed into the cases below."""
    # Columns beside id, big and state: the type, the value of row 1 as SQL says it, and what an answer says.
    kinds = {}
    odd = {}  # expressions of values that JSON has no number for, and what an answer says
    infinity = None  # what SQL calls an infinite `ratio`, where the engine has one
    placeholder, long_text = "?", "text"

    def setUp(self):
        super().setUp()
        (self.folder / "policy.yaml").write_text("version: 1\nprofile: team\n")
        # Where the program runs must not change a time.
        self.environment.update(SCHEMAWARD_POLICY=str(self.folder / "policy.yaml"), TZ="Asia/Tokyo")
        self.ward("index", self.make_database("reports", self.script()), "--no-suggest")

    def script(self):
        made = "".join(f", {name} {kind[0]}" for name, kind in self.kinds.items())
        values = "".join(f", {kind[1]}" for kind in self.kinds.values())
        script = f"""CREATE TABLE item (id integer PRIMARY KEY, big bigint, state varchar(20){made});
            INSERT INTO item VALUES (1, {BIG}, 'open'{values});
            INSERT INTO item (id, big, state) VALUES (2, 7, 'open'), (3, {SMALL}, 'paid'), (4, -1, 'gone');"""
        if self.infinity:
            script += f"ALTER TABLE item ADD COLUMN ratio double precision; UPDATE item SET ratio = 1.5 WHERE id = 1; UPDATE item SET ratio = {self.infinity} WHERE id = 2; UPDATE item SET ratio = -({self.infinity}) WHERE id = 3;"
        return script + f"""CREATE TABLE large (id integer PRIMARY KEY, body {self.long_text});
            INSERT INTO large VALUES (1, '{"x" * LARGE}'), (2, '{"x" * LARGE}'), (3, 'small'), (4, '{"x" * 2 * LARGE}');"""

    def rows(self, sql, **arguments):
        answer = self.call("execute_query", sql=sql, **arguments)
        self.assertIn(answer["status"], ("success", "partial"), answer)
        return answer["data"]

    def test_t2_t3_integers_beyond_what_a_double_holds_keep_every_digit(self):
        self.assertEqual(self.rows("SELECT big FROM item ORDER BY id")["rows"], [[str(BIG)], [7], [str(SMALL)], [-1]])

    def test_t2_a_parameter_keeps_every_digit(self):
        server = self.serve()
        by = lambda parameter: server.call("execute_query", sql=f"SELECT id FROM item WHERE big = {self.placeholder}", parameters=[parameter])
        for parameter, rows in ((BIG, [[1]]), (BIG - 1, []), (SMALL, [[3]]), (str(BIG), [[1]])):
            self.assertEqual(by(parameter)["data"]["rows"], rows, parameter)
        # Beyond 64 bits with a sign: no row has it, and it is no other number. Row 4 has -1, which its bits would be.
        for parameter in (2**64 - 1, 2**63, 10**30):
            said = by(parameter)  # the last is refused as an argument: JSON has taken its digits
            self.assertIn((said["status"], (said.get("data") or {}).get("rows")), (("empty", []), ("error", None), ("unstructured", None)), said)

    def test_t2_t3_numbers_keep_every_digit_in_metrics_and_filters(self):
        for name, text in {"entities/item.yaml": f"name: item\ntable: {self.schema}.item\nidentity: id\n", "metrics/most.yaml": "name: most\nentity: item\naggregation: max\ncolumn: big\n",
                           "metrics/items.yaml": "name: items\nentity: item\naggregation: count\n"}.items():
            path = self.folder / "definitions" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        self.ward("apply", self.folder / "definitions")
        self.assertEqual(self.call("get_metric", name="most")["data"]["rows"], [[str(BIG)]])
        server = self.serve()
        count = lambda column, value: (server.call("get_metric", name="items", filters=[{"column": f"item.{column}", "value": value}])["data"] or {"rows": [[0]]})["rows"]
        for value, rows in ((BIG, 1), (str(BIG), 1), (BIG - 1, 0), (str(BIG - 1), 0), (2**64 - 1, 0), (-1, 1)):
            self.assertIn(count("big", value), ([[rows]], [] if rows == 0 else None), value)
        if "whole" in self.kinds:
            for value, rows in (("12345678901234567890", 1), ("12345678901234567891", 0), (12345678901234567890, 1)):
                self.assertIn(count("whole", value), ([[rows]], [] if rows == 0 else None), value)

    def test_t4_t6_t7_t11_t12_each_kind_of_value_is_told_as_it_is(self):
        for name, (_, _, told) in self.kinds.items():
            with self.subTest(name):
                self.assertEqual(self.rows(f"SELECT {name} FROM item WHERE id = 1")["rows"], [[told]])

    def test_t8_a_whole_number_may_have_an_exponent(self):
        self.assertIn('"row_count":2', self.ward("call", "execute_query", '{"sql":"SELECT id FROM item ORDER BY id","limit":2e0}'))
        self.assertIn("invalid_argument", self.ward("call", "execute_query", '{"sql":"SELECT id FROM item","limit":2.5}', code=2))
        for number in ("2e0", "0.2e1", "20e-1", "2.0"):
            said = self.ward("call", "execute_query", json.dumps({"sql": f"SELECT id FROM item WHERE id = {self.placeholder}", "parameters": ["@"]}).replace('"@"', number))
            self.assertEqual(json.loads(said)["data"]["rows"], [[2]], number)

    def test_t10_infinities_are_text(self):
        if not self.infinity:
            self.skipTest("the engine has no infinities")
        self.assertEqual(self.rows("SELECT ratio FROM item WHERE id < 4 ORDER BY id")["rows"], [[1.5], ["Infinity"], ["-Infinity"]])
        self.assertEqual(self.rows("SELECT max(ratio) AS most, min(ratio) AS least, sum(ratio) AS both FROM item WHERE id < 3")["rows"], [["Infinity", 1.5, "Infinity"]])
        for expression, told in self.odd.items():
            with self.subTest(expression):
                self.assertEqual(self.rows(f"SELECT {expression} AS odd FROM item WHERE id = 1")["rows"], [[told]])

    def test_t11_a_description_tells_values_of_each_kind(self):
        for name, (_, _, told) in self.kinds.items():
            with self.subTest(name):
                data = self.call("describe_column", qualified_name=f"{self.schema}.item.{name}", values=True)["data"]
                if "values_withheld" in data:
                    self.assertEqual(data["values_withheld"], "not_comparable")
                else:
                    self.assertEqual([one["value"] for one in data["values"]], [None, told])

    def test_t14_columns_of_one_name_keep_their_values(self):
        data = self.rows("SELECT id, big AS id, state AS id FROM item WHERE id = 2")
        self.assertEqual([column["name"] for column in data["columns"]], ["id", "id", "id"])
        self.assertEqual(data["rows"], [[2, 7, "open"]])
        whole = self.rows("SELECT * FROM item WHERE id = 1")
        twice = self.rows("SELECT * FROM item a JOIN item b ON a.id = b.id WHERE a.id = 1")
        self.assertEqual([column["name"] for column in twice["columns"]], 2 * [column["name"] for column in whole["columns"]])
        self.assertEqual(twice["rows"], [2 * whole["rows"][0]])
        self.assertEqual(self.rows("SELECT q.* FROM (SELECT a.id AS one, b.id AS two FROM item a CROSS JOIN item b) q WHERE one = 1 AND two = 3")["rows"], [[1, 3]])

    def test_t15_t16_an_answer_is_the_same_as_text_and_as_data(self):
        server = self.serve()
        schemas = {tool["name"]: tool["outputSchema"] for tool in server.tools()}
        for tool, arguments in (("execute_query", {"sql": "SELECT * FROM item ORDER BY id"}), ("execute_query", {"sql": "SELECT * FROM item WHERE id < 0"}), ("execute_query", {"sql": "SELECT nothing FROM item"}),
                                ("describe_column", {"qualified_name": f"{self.schema}.item.big", "values": True}), ("describe_table", {"qualified_name": f"{self.schema}.item", "response_format": "detailed"})):
            result = server.request("tools/call", {"name": tool, "arguments": arguments})["result"]
            said = result["structuredContent"]
            self.assertEqual(json.loads(result["content"][0]["text"]), said)
            self.assertEqual(set(said), set(schemas[tool]["properties"]), tool)
            if tool == "execute_query" and said["data"]:
                self.assertEqual({len(row) for row in said["data"]["rows"]} - {len(said["data"]["columns"])}, set())
                self.assertEqual(len(said["data"]["rows"]), said["data"]["row_count"])
            if "ORDER BY" in arguments.get("sql", ""):
                self.assertEqual(said["data"]["rows"][0][1], str(BIG))

    def test_t18_what_is_too_large_is_said_and_is_not_called_empty(self):
        (self.folder / "policy.yaml").write_text(f"version: 1\nprofile: team\nlimits: {{bytes_max: {LARGE + 1000}}}\n")
        cut = self.call("execute_query", sql="SELECT id, body FROM large WHERE id < 3 ORDER BY id")
        self.assertEqual((cut["status"], cut["data"]["row_count"], cut["data"]["truncated"], cut["data"].get("next_cursor")), ("partial", 1, True, None))
        answer = self.call("execute_query", code=3, sql="SELECT id, body FROM large ORDER BY id DESC")
        self.assertEqual((answer["error"]["kind"], answer["error"]["reason"]), ("cost_cap_exceeded", "byte_cap"), answer)
        recovery = answer["error"]["recovery"]
        self.assertEqual(self.call(recovery["suggested_tool"], **recovery["suggested_args"])["status"], "success")
        self.assertEqual(self.rows("SELECT body FROM large WHERE id = 3")["rows"], [["small"]])

    def test_c14_a_semicolon_at_the_end_changes_nothing(self):
        for end in (";", "; ", " ;\n", "; -- done", "; /* done */", " -- done\n;"):
            with self.subTest(end):
                data = self.rows(f"SELECT id FROM item ORDER BY id{end}", limit=2)
                self.assertEqual((data["rows"], data["truncated"]), ([[1], [2]], True))
                self.assertEqual(self.rows(f"SELECT id FROM item UNION ALL SELECT 9 ORDER BY 1 DESC LIMIT 3{end}", limit=2, cursor=None)["rows"], [[9], [4]])
                self.assertEqual(self.call("validate_query", sql=f"SELECT id FROM item{end}")["data"]["decision"], "allowed")

    def test_c15_pages_keep_common_tables_set_operations_and_order(self):
        sql, seen, cursor = "WITH q AS (SELECT id FROM item) SELECT id FROM q UNION ALL SELECT id + 10 FROM q ORDER BY id DESC", [], None
        while True:
            data = self.rows(sql, limit=4, **({"cursor": cursor} if cursor else {}))
            seen += [row[0] for row in data["rows"]]
            cursor = data["next_cursor"]
            if not cursor:
                break
        self.assertEqual(seen, [14, 13, 12, 11, 4, 3, 2, 1])
        sql, seen, cursor = f"WITH q AS (SELECT DISTINCT id FROM item WHERE id > {self.placeholder}) SELECT a.id, b.id AS other FROM q a JOIN q b ON b.id >= a.id ORDER BY a.id DESC, other; -- all", [], None
        while True:
            data = self.rows(sql, limit=2, parameters=[1], **({"cursor": cursor} if cursor else {}))
            seen += data["rows"]
            cursor = data["next_cursor"]
            if not cursor:
                break
        self.assertEqual(seen, [[4, 4], [3, 3], [3, 4], [2, 2], [2, 3], [2, 4]])


class SqliteReports(engines.Sqlite, Reports, Case):
    infinity = "9e999"
    kinds = {"body": ("blob", "x'00ff'", {"base64": "AP8="}), "nested": ("text", "'{\"a\": [9007199254740993, 0.10]}'", '{"a": [9007199254740993, 0.10]}'),
             "seen": ("text", "'2024-02-29 12:34:56'", "2024-02-29 12:34:56")}


class PostgresReports(engines.Postgres, Reports, Case):
    infinity, placeholder = "'Infinity'::double precision", "$1"
    odd = {"'NaN'::double precision": "NaN", "'-Infinity'::real": "-Infinity", "'NaN'::numeric": "NaN", "'Infinity'::numeric": "Infinity", "'infinity'::date": "infinity", "'-infinity'::timestamptz": "-infinity",
           "ARRAY['NaN'::double precision, 1.5]": "{NaN,1.5}"}
    kinds = {"body": ("bytea", "'\\x00ff'", {"base64": "AP8="}), "exact": ("numeric", "12.3400", "12.3400"), "tiny": ("numeric", "0.0000000000000000000000000000001230", "0.0000000000000000000000000000001230"), "wide": ("numeric", f"{'9' * 60}.{'1' * 40}", f"{'9' * 60}.{'1' * 40}"), "whole": ("decimal(20)", "12345678901234567890", "12345678901234567890"),
             "listed": ("numeric[]", "'{9007199254740993.10,0.10}'", "{9007199254740993.10,0.10}"),
             "nested": ("jsonb", "'{\"a\": [9007199254740993, 0.10]}'", '{"a": [9007199254740993, 0.10]}'), "code": ("uuid", f"'{UUID}'", UUID),
             "span": ("interval", "'1 day 02:00:00'", "P1DT2H"), "seen": ("timestamp", "'2024-02-29 12:34:56'", "2024-02-29T12:34:56"),
             "sent": ("timestamptz", "'2024-02-29 12:34:56+02'", "2024-02-29T10:34:56+00:00")}


class MariaDbReports(engines.MariaDb, Reports, Case):
    long_text = "longtext"
    kinds = {"body": ("varbinary(9)", "x'00ff'", {"base64": "AP8="}), "exact": ("decimal(10, 4)", "12.3400", "12.3400"), "whole": ("decimal(20)", "12345678901234567890", "12345678901234567890"),
             "huge": ("bigint unsigned", "18446744073709551615", "18446744073709551615"), "nested": ("json", "'{\"a\": [9007199254740993, 0.10]}'", '{"a": [9007199254740993, 0.10]}'),
             "code": ("uuid", f"'{UUID}'", UUID), "seen": ("datetime", "'2024-02-29 12:34:56'", "2024-02-29T12:34:56"),
             "fine": ("datetime(6)", "'9999-12-31 23:59:59.000001'", "9999-12-31T23:59:59.000001"), "sent": ("timestamp null", "from_unixtime(1709210096)", "2024-02-29T12:34:56+00:00")}


class DuckDbReports(engines.DuckDb, Reports, Case):
    infinity, placeholder = "'Infinity'::DOUBLE", "$1"
    odd = {"'NaN'::DOUBLE": "NaN", "'-Infinity'::FLOAT": "-Infinity", "'infinity'::DATE": "infinity", "'-infinity'::TIMESTAMP": "-infinity", "['NaN'::DOUBLE, 1.5]": "[nan, 1.5]"}
    kinds = {"body": ("blob", "'\\x00\\xff'::BLOB", {"base64": "AP8="}), "exact": ("decimal(10, 4)", "12.3400", "12.3400"), "whole": ("decimal(20, 0)", "12345678901234567890", "12345678901234567890"),
             "huge": ("hugeint", "170141183460469231731687303715884105727", "170141183460469231731687303715884105727"),
             "listed": ("decimal(20, 2)[]", "[9007199254740993.10, 0.10]", "[9007199254740993.10, 0.10]"), "code": ("uuid", f"'{UUID}'", UUID),
             "span": ("interval", "INTERVAL '1 day 2 hours'", "1 day 02:00:00"), "seen": ("timestamp", "'2024-02-29 12:34:56'", "2024-02-29T12:34:56"),
             "sent": ("timestamptz", "'2024-02-29 12:34:56+02'", "2024-02-29T10:34:56+00:00")}


if __name__ == "__main__":
    unittest.main()
