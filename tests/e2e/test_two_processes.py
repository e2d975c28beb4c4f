"""Two processes on one store: servers answer while an index is written, and see what it brought."""
import unittest

from ward import WORKED, Case

ROUNDS = 5


class TwoProcesses(Case):
    def test_two_servers_answer_while_the_store_is_written(self):
        small, large = self.wide(60).read_text(), self.wide(90).read_text()
        source = self.folder / "wide.sql"
        source.write_text(small)
        self.ward("index", f"ddl:{source}")
        first, second = self.serve(), self.serve()
        for round_no in range(ROUNDS):
            source.write_text(large if round_no % 2 == 0 else small)
            self.ward("index", f"ddl:{source}")
            for server in (first, second):
                answer = server.call("list_indexed_schemas")
                self.assertEqual(sum(schema["tables"] for schema in answer["data"]["schemas"]), 90 if round_no % 2 == 0 else 60)
                self.assertIn(server.call("find_relevant_tables", query="customer")["status"], WORKED)
        self.assertEqual((first.close(), second.close()), (0, 0))
        self.ward("audit", "verify")


if __name__ == "__main__":
    unittest.main()
