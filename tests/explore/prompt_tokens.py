"""Holds the estimate of a prompt's tokens against a real tokenizer, on the prompts that scripted runs send.

usage: prompt_tokens.py --program SCHEMAWARD [--json]
A server on loopback speaks the chat protocol, says what a script says, counts no tokens, and keeps each prompt: so the program reports its own
estimates. Explorations of planted warehouses with English, abbreviated and Turkish names, and the tasks about the sample shop, are run against
it. The prompts are then counted by npm's gpt-tokenizer (o200k_base). Any prompt, or sum of a task's prompts, that is out by more than 10 % is a fault.
"""
import argparse, http.server, json, pathlib, sqlite3, subprocess, sys, tempfile, threading

ROOT = pathlib.Path(__file__).resolve().parents[2]
import planted  # noqa: E402  (beside this file)

OUT_MAX = 0.10
PER_MESSAGE, PER_REQUEST = 4, 3  # what a chat's form costs beside its texts
TOKENIZER = ["node@22.23.3", "gpt-tokenizer@3.4.0"]
COUNT = """const {encode} = require('gpt-tokenizer/cjs/encoding/o200k_base');
const texts = JSON.parse(require('fs').readFileSync(0, 'utf8'));
console.log(JSON.stringify(texts.map(text => encode(text, {disallowedSpecial: new Set()}).length)));"""


def count(texts):
    """Tokens of each text, by gpt-tokenizer."""
    script = f'source "{ROOT}/scripts/common.sh"; npm_folder "$@"'
    folder = subprocess.run(["bash", "-c", script, "npm_folder", "tokenizer", *TOKENIZER], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    done = subprocess.run([f"{folder}/node_modules/.bin/node", "-e", COUNT], input=json.dumps(texts), stdout=subprocess.PIPE, text=True, check=True, cwd=folder)
    return json.loads(done.stdout)


class Model(http.server.ThreadingHTTPServer):
    """A chat server that replies as it is told, one reply a request."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Talk)
        self.replies, self.prompts = iter(()), []

    def play(self, replies):
        self.replies, self.prompts = iter(replies), []


class Talk(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.prompts.append([message["content"] for message in body["messages"]])
        chunk = {"model": "stub", "choices": [{"delta": {"content": next(self.server.replies)}, "finish_reason": "stop"}]}
        said = f"data: {json.dumps(chunk)}\n\ndata: [DONE]\n\n".encode()
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("content-length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    def log_message(self, *_):
        pass


class Runs:
    """What was estimated for groups of prompts: a prompt, or all of a task."""

    def __init__(self, program, folder, model):
        self.folder, self.model, self.groups = folder, model, []
        (folder / "config.yaml").write_text(
            f'models:\n  - {{name: stub, provider: vllm, model: stub, base_url: "http://127.0.0.1:{model.server_address[1]}/v1", window: 128000}}\n')
        self.ward = planted.Ward(program, folder)

    def run(self, replies, *arguments, codes=(0,)):
        self.model.play(replies)
        return json.loads(self.ward.run(*arguments, "--model", "stub", "--config", self.folder / "config.yaml", "--json", codes=codes))

    def add(self, name, estimate, prompts):
        self.groups.append((name, estimate, prompts))

    def explore(self, name, source, replies):
        run = self.run(replies, "explore", "what is sold, and where?", "--source", source)
        prompts = self.model.prompts
        # Each reply was a step; the last one ended the run.
        assert len(prompts) == len(replies) and len(run["steps"]) in (len(replies), len(replies) - 1), (len(prompts), len(run["steps"]))
        for step, prompt in zip(run["steps"], prompts):
            self.add(f"{name}, step {step['step']}", step["input_tokens"], [prompt])
        self.add(f"{name}, all steps", run["input_tokens"], prompts)


def explore_planted(runs, naming):
    database = planted.Sqlite(runs.folder / naming)
    try:
        warehouse = planted.Warehouse(database, naming, 60, seed=naming)
        runs.ward.run("index", database.source, "--name", naming, "--no-suggest", "--sample", "3")
        n = warehouse.n
        filler = [f"{warehouse.schema}.{warehouse.names['filler']}_{i:05}" for i in range(12)]
        replies = [json.dumps({"lookup_schema": filler[at:at + 4]}) for at in range(0, 12, 4)]
        replies += [json.dumps({"search_tables": warehouse.names["order"]})]
        replies += [planted.query(f"SELECT {n['status']}, count(*) AS n FROM {n['order']} GROUP BY 1"),
                    planted.query(f"SELECT {n['o_id']}, {n['cents']}, {n['day']} FROM {n['order']} ORDER BY 1 LIMIT 60")]
        runs.explore(f"exploration, {naming}", naming, replies + ['{"done": true, "summary": "done"}'])
    finally:
        database.close()


def play_tasks(runs):
    path = runs.folder / "shop.db"
    with sqlite3.connect(path) as database:
        database.executescript((ROOT / "examples/shop/shop.sql").read_text())
    runs.ward.run("index", path, "--no-suggest")
    runs.ward.run("apply", ROOT / "examples/shop/definitions", "--source", "shop")
    tasks = [json.loads(line) for line in (ROOT / "examples/shop/agent_tasks.jsonl").read_text().splitlines()][1:]
    run = runs.run([json.dumps(reply) for task in tasks for reply in [*task["reference"], {"answer": "12"}]], "eval", "agents")
    prompts = iter(runs.model.prompts)
    for task, played in zip(tasks, run["models"][0]["tasks"], strict=True):
        runs.add(f"task {task['id']}", played["input_tokens"], [next(prompts) for _ in range(len(task["reference"]) + 1)])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    model = Model()
    threading.Thread(target=model.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory(prefix="ward-tokens.") as folder:
        runs = Runs(options.program, pathlib.Path(folder), model)
        for naming in planted.NAMES:
            (runs.folder / naming).mkdir()
            explore_planted(runs, naming)
        play_tasks(runs)
    model.shutdown()
    texts = sorted({text for _, _, prompts in runs.groups for prompt in prompts for text in prompt})
    tokens = dict(zip(texts, count(texts), strict=True))
    worst, faults = 0, 0
    for name, estimate, prompts in runs.groups:
        counted = sum(PER_REQUEST + sum(PER_MESSAGE + tokens[text] for text in prompt) for prompt in prompts)
        out = estimate / counted - 1
        worst = max(worst, out, key=abs)
        if options.json:
            print(json.dumps({"prompt": name, "estimate": estimate, "counted": counted, "out": round(out, 4)}))
        if abs(out) > OUT_MAX:
            faults += 1
            print(f"FAULT {name}: {estimate} tokens estimated, {counted} counted ({100 * out:+.1f} %)", file=sys.stderr)
    print(f"{len(runs.groups)} prompts and sums of prompts, the worst estimate is {100 * worst:+.1f} % out; {faults} beyond {100 * OUT_MAX:.0f} %")
    return 1 if faults or not runs.groups else 0


if __name__ == "__main__":
    sys.exit(main())
