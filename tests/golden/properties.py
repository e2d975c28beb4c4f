#!/usr/bin/env python3
"""Properties of metrics on random models: groups add up to the total, a to-one dimension never changes it, the order of metrics never changes a value.

usage: tests/golden/properties.py [--program build/dev/bin/schemaward] [--models 20] [--seed 1]

Each model has two to four facts and three to six dimensions with null keys and orphan rows, joined at random. SQLite; standard library only.
"""
import argparse, json, os, pathlib, random, sqlite3, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
from mcp_stdio import Server

os.environ["SCHEMAWARD_POLICY"] = str(pathlib.Path(__file__).resolve().parent / "policy.yaml")

QUESTIONS_PER_MODEL = 40


class Model:
    """Random tables, their definitions, and which entities each fact reaches over to-one joins."""

    def __init__(self, rng, folder):
        self.rng = rng
        self.dimensions = [f"d{i}" for i in range(rng.randint(3, 6))]
        self.facts = [f"f{i}" for i in range(rng.randint(2, 4))]
        self.parents = {}  # table: [(column, table)]
        self.sizes = {}
        db = sqlite3.connect(f"{folder}/random.db")
        for i, name in enumerate(self.dimensions):
            self.table(db, name, self.dimensions[:i], rng.randint(3, 12), rng.randint(0, 2))
        for name in self.facts:
            self.table(db, name, self.dimensions, rng.randint(20, 120), rng.randint(1, 3))
        db.commit()
        db.close()
        self.write(pathlib.Path(folder))

    def table(self, db, name, targets, rows, keys):
        rng = self.rng
        chosen = rng.sample(targets, min(keys, len(targets)))
        self.parents[name] = [(f"{t}_id", t) for t in chosen]
        self.sizes[name] = rows
        columns = ["id INTEGER PRIMARY KEY", "word TEXT", "amount INTEGER", "flag BOOLEAN", "at DATE"] + [f"{c} INTEGER" for c, _ in self.parents[name]]
        db.execute(f"CREATE TABLE {name} ({', '.join(columns)})")
        for i in range(1, rows + 1):
            refs = [rng.choice([None, 999, *range(1, self.sizes[t] + 1)]) for _, t in self.parents[name]]
            row = [i, rng.choice(["a", "b", "c", None]), rng.choice([None, *range(-5, 30)]), rng.choice([0, 1, None]), rng.choice([None, f"2024-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"]), *refs]
            db.execute(f"INSERT INTO {name} VALUES ({', '.join('?' * len(row))})", row)

    def write(self, folder):
        for kind in ("entities", "joins", "metrics"):
            (folder / "model" / kind).mkdir(parents=True)
        for name in self.dimensions + self.facts:
            (folder / f"model/entities/{name}.yaml").write_text(f"name: {name}\ntable: {name}\nidentity: id\ndefault_time_dimension: at\n")
            for column, target in self.parents[name]:
                (folder / f"model/joins/{name}_{target}.yaml").write_text(f"name: {name}_{target}\nfrom: {name}\nto: {target}\non: {{{column}: id}}\n")
        for fact in self.facts:
            for metric, body in (("rows", "aggregation: count"), ("sum", "aggregation: sum\ncolumn: amount"), ("flags", "aggregation: sum_boolean\ncolumn: flag"), ("some", "aggregation: count\nfilters: word <> 'a'")):
                (folder / f"model/metrics/{fact}_{metric}.yaml").write_text(f"name: {fact}_{metric}\nentity: {fact}\n{body}\n")

    def reached(self, name):
        """Tables over to-one joins, and those that more than one path of the same length leads to are left out."""
        paths, ring = {name: 1}, {name: 1}
        while ring:
            step = {}
            for table, count in ring.items():
                for _, target in self.parents[table]:
                    if target not in paths:
                        step[target] = step.get(target, 0) + count
            paths.update(step)
            ring = step
        return [t for t, count in paths.items() if count == 1]


def number(value):
    return 0 if value is None else float(value)


def ask(server, **args):
    answer = server.call("get_metric", **args)
    if answer.get("status") in ("error", "refused") or "data" not in answer:
        raise SystemExit(f"{json.dumps(args)}: {json.dumps(answer)[:500]}")
    return answer["data"]["rows"]


def check(model, server, rng):
    fact = rng.choice(model.facts)
    metric = f"{fact}_{rng.choice(['rows', 'sum', 'flags', 'some'])}"
    reached = model.reached(fact)
    groups = [f"{t}.{rng.choice(['word', 'flag', 'id'])}" for t in rng.sample(reached, rng.randint(1, min(3, len(reached))))]
    extra = {"filters": [{"column": f"{rng.choice(reached)}.word", "op": rng.choice(["ne", "in"]), "value": ["a"]}]} if rng.random() < 0.4 else {}
    if rng.random() < 0.3:
        extra["time_grain"] = rng.choice(["month", "week", "year"])
    plain = {k: v for k, v in extra.items() if k != "time_grain"}
    total = ask(server, name=metric, **plain)
    grouped = ask(server, name=metric, group_by=groups, limit=10000, order_by=[groups[0]], **extra)
    if abs(sum(number(r[-1]) for r in grouped) - number(total[0][-1] if total else 0)) > 1e-6:
        return f"{metric} by {groups} {extra}: groups add up to {sum(number(r[-1]) for r in grouped)}, the total is {total}"
    others = [f"{rng.choice(model.facts)}_{rng.choice(['rows', 'sum'])}" for _ in range(rng.randint(1, 3))]
    names = list(dict.fromkeys([metric, *others]))
    shared = [t for t in model.dimensions if all(t in model.reached(n.rsplit("_", 1)[0]) for n in names)]
    if not shared:
        return None
    group = f"{rng.choice(shared)}.word"
    one = ask(server, metrics=names, group_by=[group], limit=10000, order_by=[group])
    other = ask(server, metrics=names[::-1], group_by=[group], limit=10000, order_by=[group])
    if [[r[0], *r[:0:-1]] for r in other] != one:
        return f"{names} by {group}: another order of the metrics gives other values"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default=str(ROOT / "build/dev/bin/schemaward"))
    parser.add_argument("--models", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    failed = asked = 0
    for seed in range(options.seed, options.seed + options.models):
        rng = random.Random(seed)
        with tempfile.TemporaryDirectory() as folder:
            model = Model(rng, folder)
            store = f"{folder}/store.db"
            for step in (["index", f"{folder}/random.db", "--name", "random", "--no-suggest"], ["apply", f"{folder}/model"]):
                subprocess.run([options.program, *step, "--store", store], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            with Server([options.program, "serve", "--store", store]) as server:
                for _ in range(QUESTIONS_PER_MODEL):
                    asked += 1
                    if (wrong := check(model, server, rng)) is not None:
                        failed += 1
                        print(f"seed {seed}: {wrong}")
    print(f"{asked - failed} of {asked} random questions keep their totals")
    return 1 if failed or not asked else 0


if __name__ == "__main__":
    sys.exit(main())
