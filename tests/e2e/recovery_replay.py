#!/usr/bin/env python3
"""Makes the mistakes that agents make and gets out of them by data alone: no message is read, only `recovery`.

usage: recovery_replay.py [--seed N] [--tables N] [--verbose] -- SERVER ARG...

Names come from the server itself. Each is damaged in several ways and used in a call. The charter promises then that
  * the answer is an envelope with recovery.suggested_tool and suggested_args, whose tool is served;
  * the suggested call, made as given, neither fails nor is refused;
  * the goal is reached: either the suggested call was the same tool, or the first fuzzy match in place of the damaged name
    makes the first call work;
  * the undamaged name, where there is one, stands somewhere among the suggestions (this may miss in 2 of 100 cases: some damage has two readings).
A damaged name that the server understands anyway is no mistake and is counted apart.
"""
import argparse, collections, json, pathlib, random, sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
from mcp_stdio import WORKED, Server

NAMED_SHARE_MIN = 0.98
Mistake = collections.namedtuple("Mistake", "what tool arguments damaged truth")


# --- damage: each takes a random source and a bare word --------------------------------------------------------------
def swapped(rng, word):
    i = rng.randrange(len(word) - 1)
    return word[:i] + word[i + 1] + word[i] + word[i + 2:]


def dropped(rng, word):
    i = rng.randrange(1, len(word))
    return word[:i] + word[i + 1:]


def doubled(rng, word):
    i = rng.randrange(len(word))
    return word[:i + 1] + word[i:]


def misspelt(rng, word):
    return rng.choice((swapped, dropped, doubled))(rng, word) if len(word) > 3 else word + word[-1]


def table_mistakes(rng, schema, table):
    yield "table misspelt", f"{schema}.{misspelt(rng, table)}"
    yield "table in the plural", f"{schema}.{table}s"
    yield "table in the singular", f"{schema}.{table[:-1]}" if table.endswith("s") else None
    yield "table without schema", table
    yield "table in a schema that is not there", f"{misspelt(rng, schema)}.{table}"
    yield "table in upper case", f"{schema}.{table}".upper()
    yield "words instead of underscores", f"{schema}.{table.replace('_', ' ')}" if "_" in table else None
    yield "camel case", schema + "." + "".join(w.capitalize() for w in table.split("_")) if "_" in table else None


class Replay:
    def __init__(self, server, seed, tables, verbose):
        self.server, self.rng, self.tables, self.verbose = server, random.Random(seed), tables, verbose
        self.served = {tool["name"] for tool in server.tools()}
        self.rows = {}

    def names(self):
        """Up to `tables` qualified names of two plain parts."""
        hits = self.server.call("find_relevant_tables", query="*", limit=self.tables)["data"]["tables"]
        names = [hit["qualified_name"] for hit in hits if '"' not in hit["qualified_name"] and hit["qualified_name"].count(".") == 1]
        self.rng.shuffle(names)
        return names

    def mistakes(self):
        yield from self.mistakes_of_tables()
        yield from self.mistakes_of_joins()
        yield from self.mistakes_of_metrics()

    def listed(self, tool, what):
        answer = self.server.call(tool, limit=self.tables) if tool in self.served else {}
        return (answer.get("data") or {}).get(what, [])

    def mistakes_of_joins(self):
        """Of any two entities, linked or not."""
        entities = [entity["name"] for entity in self.listed("list_entities", "entities")]
        for entity in entities:
            bad = misspelt(self.rng, entity)
            if bad not in entities:
                yield Mistake("entity misspelt", "describe_entity", {"name": bad}, bad, entity)
            others = [other for other in entities if other != entity]
            if others:
                ends = {"entity_a": entity, "entity_b": self.rng.choice(others)}
                yield Mistake("join that is not there", "resolve_join", {**ends, "name": "nothing_like_it"}, "nothing_like_it", None)

    def mistakes_of_metrics(self):
        for metric in self.listed("list_metrics", "metrics"):
            name, entity = metric["name"], metric.get("entity")
            bad = misspelt(self.rng, name)
            yield Mistake("metric misspelt", "get_metric", {"name": bad}, bad, name)
            yield Mistake("grain that is none", "get_metric", {"name": name, "time_grain": "fortnight"}, "fortnight", None)
            yield Mistake("order by nothing", "get_metric", {"name": name, "order_by": [{"column": "nothing", "direction": "asc"}]}, "nothing", None)
            described = self.server.call("describe_entity", name=entity) if entity else {}
            columns = [column["name"] for column in (described.get("data") or {}).get("columns", [])]
            if columns:
                column = self.rng.choice(columns)
                bad = f"{entity}.{misspelt(self.rng, column)}"
                yield Mistake("group misspelt", "get_metric", {"name": name, "group_by": [bad]}, bad, f"{entity}.{column}")
                yield Mistake("filter misspelt", "get_metric", {"name": name, "filters": [{"column": bad, "op": "not_null"}]}, bad, f"{entity}.{column}")

    def mistakes_of_tables(self):
        names = self.names()
        known = {name.lower() for name in names}
        for full in names:
            schema, table = full.split(".")
            for what, bad in table_mistakes(self.rng, schema, table):
                if bad and bad != full and (bad.lower() not in known or bad.lower() == full.lower()):
                    yield Mistake(what, "describe_table", {"qualified_name": bad}, bad, full)
                    if what == "table misspelt":
                        yield Mistake("examples of a misspelt table", "get_example_queries", {"qualified_name": bad}, bad, full)
                        others = [name for name in names if name != full]
                        if others:
                            yield Mistake("join of a misspelt table", "suggest_joins", {"tables": [self.rng.choice(others), bad]}, bad, full)
            described = self.server.call("describe_table", qualified_name=full)
            columns = [column["name"] for column in (described.get("data") or {}).get("columns", [])]
            plain = [column for column in columns if column.isidentifier()]
            if plain:
                column = self.rng.choice(plain)
                bad = misspelt(self.rng, column)
                if bad not in columns:
                    yield Mistake("column misspelt", "describe_column", {"qualified_name": f"{full}.{bad}"}, f"{full}.{bad}", f"{full}.{column}")
                bad = misspelt(self.rng, table)
                if f"{schema}.{bad}".lower() not in known:
                    yield Mistake("column of a misspelt table", "describe_column", {"qualified_name": f"{schema}.{bad}.{column}"}, f"{schema}.{bad}.{column}", f"{full}.{column}")

    def outcome(self, mistake):
        """('understood' | 'closed' | why not, whether the true name was offered)."""
        first = self.server.call(mistake.tool, **mistake.arguments)
        if first["status"] in WORKED:
            return "understood", None
        recovery = (first.get("error") or {}).get("recovery")
        if not recovery:
            return f"no recovery: {json.dumps(first)[:200]}", False
        near = recovery.get("fuzzy_matches") or []
        said = json.dumps([recovery.get("suggested_args"), near], ensure_ascii=False).lower().replace('\\"', "")
        offered = None if mistake.truth is None else (
            mistake.truth.lower() in said or json.dumps(mistake.truth.rpartition(".")[2], ensure_ascii=False).lower() in said)
        tool, arguments = recovery.get("suggested_tool"), recovery.get("suggested_args")
        if tool not in self.served or not isinstance(arguments, dict):
            return f"suggests {tool} with {json.dumps(arguments)}, which cannot be called", offered
        second = self.server.call(tool, **arguments)
        if second["status"] not in WORKED:
            return f"suggested {tool} answers {second['status']} {(second.get('error') or {}).get('kind')}", offered
        if tool == mistake.tool:
            return "closed", offered
        if not near:
            return f"nothing leads back to {mistake.tool}", offered
        third = self.server.call(mistake.tool, **replaced(mistake.arguments, mistake.damaged, near[0]))
        return ("closed" if third["status"] in WORKED else f"nearest name {near[0]} does not work"), offered

    def run(self):
        for mistake in self.mistakes():
            outcome, offered = self.outcome(mistake)
            self.rows.setdefault(mistake.what, []).append((outcome, offered))
            if self.verbose and (outcome not in ("closed", "understood") or offered is False):
                print(f"  {mistake.tool} {json.dumps(mistake.arguments)}: {outcome}; {mistake.truth} {'offered' if offered else 'not offered'}")
        return self.report()

    def report(self):
        closed = made = named = nameable = 0
        for what, outcomes in self.rows.items():
            mine = [(outcome, offered) for outcome, offered in outcomes if outcome != "understood"]
            good = sum(outcome == "closed" for outcome, _ in mine)
            first_fault = next((outcome for outcome, _ in mine if outcome != "closed"), "")
            print(f"{what:36} {good:4} of {len(mine):4} closed, {len(outcomes) - len(mine):4} understood at once   {first_fault}".rstrip())
            closed, made = closed + good, made + len(mine)
            told = [offered for _, offered in mine if offered is not None]
            named, nameable = named + sum(told), nameable + len(told)
        share = named / nameable if nameable else 0
        print(f"{closed} of {made} mistakes closed, the true name offered in {100 * share:.1f} %")
        return made > 0 and closed == made and share >= NAMED_SHARE_MIN


def replaced(value, old, new):
    if isinstance(value, list):
        return [replaced(item, old, new) for item in value]
    if isinstance(value, dict):
        return {key: replaced(item, old, new) for key, item in value.items()}
    return new if value == old else value


def main():
    options = argparse.ArgumentParser(prog="recovery_replay.py")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--tables", type=int, default=40)
    options.add_argument("--verbose", action="store_true")
    options.add_argument("command", nargs="+")
    chosen = options.parse_args()
    with Server(chosen.command) as server:
        good = Replay(server, chosen.seed, chosen.tables, chosen.verbose).run()
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
