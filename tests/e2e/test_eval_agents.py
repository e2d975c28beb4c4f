"""The verb eval agents: the starter tasks are right about the sample shop, and models of every kind are scored and bounded."""
import json, re, unittest

from ward import ROOT, Case

TASKS = [json.loads(line) for line in (ROOT / "examples/shop/agent_tasks.jsonl").read_text().splitlines()][1:]
CALL = {"tool": "list_metrics", "arguments": {}}
REPLIES_MAX = 10  # agents::PlayLimits
PRICES = {"format": "schemaward-prices", "version": 1, "models": {"scripted/*": {"input": 1, "output": 1}}}


def right(task):
    """The replies of a model that does a task as its reference does."""
    end = {"cannot": "The tools do not allow it."} if task.get("cannot") else {"answer": "; ".join(word.split("|")[0] for word in task["answer"])}
    return [*task["reference"], end]


def stands(word, told):
    """Whether a word stands in what tools told, or a number that rounds to it."""
    if not re.fullmatch(r"-?[0-9.]+", word):
        return word in told
    half = 10.0 ** -len(word.partition(".")[2]) / 2
    return any(abs(float(number) - float(word)) <= half * 1.001 for number in re.findall(r"-?\d+(?:\.\d+)?", told))


class EvalAgents(Case):
    def setUp(self):
        super().setUp()
        self.defined_shop(drafts=False)

    def script(self, replies, name="replies.json"):
        (self.folder / name).write_text(json.dumps([reply if isinstance(reply, str) else json.dumps(reply) for reply in replies]))
        return f"scripted:{name}"

    def own_tasks(self, *ids):
        chosen = [task for task in TASKS if task["id"] in ids]
        head = {"format": "schemaward-agent-tasks", "version": 1, "source": "shop"}
        (self.folder / "tasks.jsonl").write_text("\n".join(map(json.dumps, [head, *chosen])))
        return chosen

    def play(self, replies, *arguments, code=0):
        return json.loads(self.ward("eval", "agents", "--model", self.script(replies), "--json", *arguments, code=code))

    def test_the_references_do_all_fifty_tasks(self):
        self.assertEqual(len(TASKS), 50)
        run = self.play([reply for task in TASKS for reply in right(task)], "--min-success", "100", "--min-agreement", "100")
        model = run["models"][0]
        self.assertEqual([task["task"] for task in model["tasks"] if not task["success"] or task["agreement"] < 100], [])
        self.assertEqual((model["asked"], model["complete"], model["success"], model["agreement"]), (50, True, 100, 100))
        self.assertIsNone(run["models_agree"])

    def test_each_expected_answer_stands_in_what_its_reference_is_told(self):
        for task in TASKS:
            if task.get("cannot"):
                continue
            told = "".join(self.ward("call", step["tool"], json.dumps(step["arguments"])) for step in task["reference"])
            for words in task["answer"]:
                self.assertTrue(any(stands(word, told) for word in words.split("|")), (task["id"], words))

    def test_what_cannot_be_done_is_refused_or_hidden(self):
        for name in ("delete-orders", "raise-prices", "customer-email"):
            step = next(task for task in TASKS if task["id"] == name)["reference"][0]
            told = json.loads(self.ward("call", step["tool"], json.dumps(step["arguments"]), code=0 if name == "customer-email" else 1))
            if name == "customer-email":
                self.assertEqual(told["data"]["rows"], [["***"]])
            else:
                self.assertEqual(told["status"], "refused")

    def test_a_wrong_tool_and_a_guess_cost_points(self):
        self.own_tasks("suppliers", "tables-count")
        run = self.play([CALL, {"tool": "get_metric", "arguments": {"name": "no_such"}}, {"answer": "13"}, {"answer": "16 tables, 3 views"}],
                        "--tasks", "tasks.jsonl", "--min-success", "50", code=1)
        first, second = run["models"][0]["tasks"]
        self.assertEqual((first["success"], first["tools"], first["agreement"]), (False, ["list_metrics", "get_metric"], 0))
        self.assertEqual((second["success"], second["agreement"], second["ended"]), (False, 0, "answered"))

    def test_prose_is_asked_about_and_then_ends_the_task(self):
        self.own_tasks("suppliers")
        run = self.play(["We have 12 suppliers."] * 3, "--tasks", "tasks.jsonl")
        self.assertEqual((run["models"][0]["tasks"][0]["ended"], run["models"][0]["success"]), ("unreadable", 0))

    def test_a_model_that_never_ends_is_bounded(self):
        self.own_tasks("suppliers", "revenue-2024")
        run = self.play([CALL] * (2 * REPLIES_MAX), "--tasks", "tasks.jsonl")
        self.assertEqual([(task["ended"], len(task["tools"])) for task in run["models"][0]["tasks"]], [("replies", REPLIES_MAX)] * 2)

    def test_money_ends_a_run_and_what_was_played_stands(self):
        self.own_tasks("suppliers", "revenue-2024")
        (self.folder / "prices.json").write_text(json.dumps(PRICES))
        self.environment["SCHEMAWARD_PRICES"] = str(self.folder / "prices.json")
        replies = [CALL, {"answer": "12"}] + [CALL] * REPLIES_MAX
        run = self.play(replies, "--tasks", "tasks.jsonl", "--max-cost", "0.08", code=3)
        model = run["models"][0]
        self.assertEqual((model["complete"], [task["task"] for task in model["tasks"]]), (False, ["revenue-2024"]))
        self.assertIn("0.080000 dollars", model["ended_by"])
        self.assertLessEqual(float(model["cost_usd"]), 0.08)

    def test_a_limit_of_money_without_a_price_costs_nothing(self):
        self.ward("eval", "agents", "--model", self.script([]), "--max-cost", "1", code=2)

    def test_runs_are_kept_and_compared(self):
        task = self.own_tasks("suppliers")[0]
        arguments = ("--tasks", "tasks.jsonl", "--keep", "run.json")
        kept = self.play(right(task), *arguments)
        self.assertEqual(json.loads((self.folder / "run.json").read_text()), kept)
        self.assertEqual(self.ward("eval", "agents", "--model", self.script(right(task)), *arguments, code=2), "")  # there already: nothing is asked
        worse = self.ward("eval", "agents", "--model", self.script([CALL, {"answer": "11"}]), "--tasks", "tasks.jsonl", "--compare", "run.json")
        self.assertIn("success 100.0% -> 0.0%", worse)
        self.assertIn("suppliers: no longer succeeds", worse)

    def test_two_models_are_held_against_each_other(self):
        task = self.own_tasks("suppliers")[0]
        other = self.script([CALL, {"answer": "12"}], "other.json")
        run = self.play(right(task), "--tasks", "tasks.jsonl", "--model", other)
        self.assertEqual(([model["success"] for model in run["models"]], run["models_agree"]), ([100, 100], 0))

    def test_a_shop_that_is_not_there_is_said(self):
        self.ward("sources", "--remove", "shop")
        self.ward("eval", "agents", "--model", self.script([CALL]), code=2)


if __name__ == "__main__":
    unittest.main()
