"""A list of names behind an alias names columns by place: the places are the catalog's, whatever of the table the role cannot read or has gone since."""
import unittest

import engines
from ward import Case

SCRIPT = """
CREATE TABLE visit (id integer PRIMARY KEY, nick text, email text, city text);
INSERT INTO visit VALUES (1, 'n', 'ana@x.example', 'Oslo');
"""


class NamesByPlace(engines.Postgres, Case):
    def test_places_are_those_of_the_catalog(self):
        (self.folder / "policy.yaml").write_text("version: 1\nprofile: team\n")
        self.environment["SCHEMAWARD_POLICY"] = str(self.folder / "policy.yaml")
        source = self.make_database("places", SCRIPT)
        self.ward("index", source, "--no-suggest")
        self.psql(source.partition("?")[0], "ALTER TABLE visit DROP COLUMN nick")
        answer = self.call("execute_query", code=1, sql="SELECT b FROM visit AS v(a, b)")
        self.assertEqual(answer["error"]["kind"], "schema_drift", answer)
        answer = self.call("execute_query", code=1, sql="SELECT c FROM visit AS v(a, b, c, d)")
        self.assertEqual(answer["error"]["kind"], "pii_blocked", answer)
        self.assertEqual(self.call("execute_query", sql="SELECT d FROM visit AS v(a, b, c, d)")["data"]["rows"], [["Oslo"]])


if __name__ == "__main__":
    unittest.main()
