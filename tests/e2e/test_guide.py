"""The example of the authoring guide, word for word: applied, asked, and with the fault that the guide shows."""
import re, subprocess, unittest

from ward import BINARY, COMMAND_SECONDS_MAX, ROOT, Case

GUIDE = (ROOT / "docs/semantic.md").read_text()
SCRIPT = """CREATE TABLE customers (id integer PRIMARY KEY, country text);
CREATE TABLE orders (id integer PRIMARY KEY, customer_id integer, placed_at timestamptz, status text, total numeric);"""


class Guide(Case):
    def setUp(self):
        super().setUp()
        block = re.search(r"```yaml\n(.*?)```", GUIDE, re.S).group(1)
        self.files = self.folder / "definitions"
        parts = re.split(r"^# (\S+\.yaml)\n", block, flags=re.M)[1:]
        for name, text in zip(parts[::2], parts[1::2]):
            self.write(name, text)
        self.assertEqual(len(parts), 2 * 3)
        self.write("entities/customer.yaml", "name: customer\ntable: public.customers\nidentity: id\n")
        script = self.folder / "shop.sql"
        script.write_text(SCRIPT)
        self.ward("index", f"ddl:{script}", "--no-suggest")

    def write(self, name, text):
        path = self.files / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def test_the_example_is_applied_and_answers(self):
        self.ward("apply", self.files)
        answer = self.call("get_metric", name="revenue", group_by=["customer.country"], time_grain="month", compile_only=True)
        self.assertEqual((answer["status"], answer["data"]["columns"][2]["unit"]), ("success", "EUR"))
        self.assertIn("where status <> 'cancelled'", answer["data"]["reading"])
        self.assertEqual(answer["data"]["required_joins"], ["order_customer"])

    def test_the_fault_is_said_as_the_guide_says(self):
        fault = re.search(r"^metrics/revenue\.yaml:(\d+): (.*)$", GUIDE, re.M)
        metric = (self.files / "metrics/revenue.yaml").read_text().replace("column: total", "column: totl")
        self.write("metrics/revenue.yaml", metric)
        command = [BINARY, "apply", self.files, "--store", self.store]
        done = subprocess.run(command, capture_output=True, text=True, timeout=COMMAND_SECONDS_MAX, env=self.environment, cwd=self.folder)
        self.assertEqual(done.returncode, 1)
        self.assertIn(fault.group(0), done.stderr)


if __name__ == "__main__":
    unittest.main()
