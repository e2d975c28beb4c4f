"""What was reported of other servers, as a client of this one sees it; README.md of this folder says which report is tested where."""
import json, pathlib, sqlite3, sys, unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
from ward import Case  # noqa: E402

BIG, SMALL = 2**53 + 1, -(2**63)


class Reports(Case):
    def setUp(self):
        super().setUp()
        path = self.folder / "values.db"
        with sqlite3.connect(path) as database:
            database.executescript(f"""CREATE TABLE item (id integer PRIMARY KEY, big integer, ratio real, body blob, state text);
                INSERT INTO item VALUES (1, {BIG}, 1.5, x'00ff', 'open'), (2, 7, 9e999, NULL, 'open'), (3, {SMALL}, -9e999, x'', 'paid');""")
        (self.folder / "policy.yaml").write_text("version: 1\nprofile: team\n")
        self.environment["SCHEMAWARD_POLICY"] = str(self.folder / "policy.yaml")
        self.ward("index", path)

    def rows(self, sql, **arguments):
        answer = self.call("execute_query", sql=sql, **arguments)
        self.assertEqual(answer["status"], "success", answer)
        return answer["data"]

    def test_integers_beyond_what_a_double_holds_keep_every_digit(self):
        self.assertEqual(self.rows("SELECT big FROM item ORDER BY id")["rows"], [[str(BIG)], [7], [str(SMALL)]])

    def test_a_parameter_keeps_every_digit(self):
        self.assertEqual(self.rows("SELECT id FROM item WHERE big = ?", parameters=[BIG])["rows"], [[1]])

    def test_infinities_are_text(self):
        self.assertEqual(self.rows("SELECT ratio FROM item ORDER BY id")["rows"], [[1.5], ["Infinity"], ["-Infinity"]])

    def test_columns_of_one_name_keep_their_values(self):
        data = self.rows("SELECT id, big AS id, state AS id FROM item WHERE id = 2")
        self.assertEqual([column["name"] for column in data["columns"]], ["id", "id", "id"])
        self.assertEqual(data["rows"], [[2, 7, "open"]])

    def test_a_whole_number_may_have_an_exponent(self):
        self.assertIn('"row_count":2', self.ward("call", "execute_query", '{"sql":"SELECT id FROM item ORDER BY id","limit":2e0}'))
        self.assertIn("invalid_argument", self.ward("call", "execute_query", '{"sql":"SELECT id FROM item","limit":2.5}', code=2))

    def test_a_semicolon_at_the_end_changes_nothing(self):
        self.assertEqual(self.rows("SELECT id FROM item ORDER BY id; ", limit=2)["rows"], [[1], [2]])

    def test_pages_keep_common_tables_set_operations_and_order(self):
        sql, seen, cursor = "WITH q AS (SELECT id FROM item) SELECT id FROM q UNION ALL SELECT id + 10 FROM q ORDER BY id DESC", [], None
        while True:
            data = self.rows(sql, limit=4, **({"cursor": cursor} if cursor else {}))
            seen += [row[0] for row in data["rows"]]
            cursor = data["next_cursor"]
            if not cursor:
                break
        self.assertEqual(seen, [13, 12, 11, 3, 2, 1])

    def test_an_answer_is_the_same_as_text_and_as_data(self):
        server = self.serve()
        result = server.request("tools/call", {"name": "execute_query", "arguments": {"sql": "SELECT * FROM item ORDER BY id"}})["result"]
        self.assertEqual(json.loads(result["content"][0]["text"]), result["structuredContent"])
        self.assertEqual(result["structuredContent"]["data"]["rows"][0][1], str(BIG))


if __name__ == "__main__":
    unittest.main()
