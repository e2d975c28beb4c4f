#!/usr/bin/env python3
"""Compares what each tool's latency hint promises with what a client sees, on a schema script of N tables.

usage: bench/latency_hints.py [--build build/release] [--tables 2000] [--calls 50]

The script is made here (ten schemas, about 17 columns a table, keys to earlier tables); the store is indexed with its suggestions. Every
served tool is called with its own example where that fits this schema, else with a name of it. fast is under 100 ms, moderate under 1 s, at
the median. Prints a table; exit 1 where a hint is broken. Standard library only.
"""
import argparse, os, statistics, subprocess, sys, tempfile, time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "scripts"))
from mcp_stdio import Server, WORKED

BOUND_MS = {"fast": 100, "moderate": 1000, "slow": float("inf")}
KINDS = [("code", "varchar(64)"), ("amount", "numeric(18,4)"), ("status", "text"), ("created_at", "timestamptz"), ("quantity", "integer")]


def script(tables):
    yield from (f"CREATE SCHEMA s{s};\n" for s in range(10))
    for t in range(tables):
        columns = ["id bigint PRIMARY KEY"] + [f"{name}_{c} {kind}" for c, (name, kind) in ((c, KINDS[c % len(KINDS)]) for c in range(14))]
        columns += [f"record{t // k}_id bigint REFERENCES s{t // k % 10}.record{t // k} (id)" for k in (2, 3) if t >= 10]
        yield f"CREATE TABLE s{t % 10}.record{t} ({', '.join(columns)});\n"


def calls_of(server):
    """Arguments for each tool: names that the index itself gives."""
    def first(tool, path, **arguments):
        items = server.call(tool, **arguments)["data"][path]
        return items[0] if items else None
    entity, metric = first("list_entities", "entities", limit=1), first("list_metrics", "metrics", limit=1)
    join = first("list_joins", "joins", limit=1)
    tables = [f"s{t % 10}.record{t}" for t in (1, 24, 48)]
    return {
        "list_indexed_schemas": {}, "find_relevant_tables": {"query": "amount of a record"}, "describe_table": {"qualified_name": tables[1]},
        "describe_column": {"qualified_name": f"{tables[1]}.id"}, "suggest_joins": {"tables": [tables[1], tables[2]]},
        "get_example_queries": {"qualified_name": tables[1]}, "list_metrics": {}, "list_entities": {}, "list_joins": {},
        "find_relevant_entities": {"query": "record"}, "describe_entity": {"name": entity and entity["name"]},
        "resolve_join": {"entity_a": join and join["source_entity"], "entity_b": join and join["target_entity"]},
        "get_metric": {"name": metric and metric["name"], "compile_only": True},
        "validate_query": {"sql": f"SELECT id, count(*) FROM {tables[1]} GROUP BY id"}, "execute_query": {"sql": f"SELECT * FROM {tables[1]}", "dry_run": True},
    }


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--build", default=os.path.join(ROOT, "build", "release"))
    options.add_argument("--tables", type=int, default=2000)
    options.add_argument("--calls", type=int, default=50)
    options = options.parse_args()
    program, broken = os.path.join(options.build, "bin", "schemaward"), 0
    with tempfile.TemporaryDirectory(prefix="ward-bench.") as home:
        schema, store = os.path.join(home, "wide.sql"), os.path.join(home, "store.db")
        with open(schema, "w") as out:
            out.writelines(script(options.tables))
        subprocess.run([program, "index", f"ddl:{schema}", "--name", "wide", "--store", store], check=True, stderr=subprocess.DEVNULL)
        with Server([program, "serve", "--store", store]) as server:
            tools = server.request("tools/list")["result"]["tools"]
            known = calls_of(server)
            print("| tool | hint | p50, ms | most, ms | status |\n|---|---|---|---|---|")
            for tool in tools:
                name, hint, times = tool["name"], tool["_meta"]["schemaward/latency_hint"], []
                if name not in known:
                    sys.exit(f"{name} has no call in this bench: add one")
                for _ in range(options.calls):
                    begin = time.perf_counter()
                    answer = server.call(name, **known[name])
                    times.append((time.perf_counter() - begin) * 1e3)
                late = statistics.median(times) >= BOUND_MS[hint]
                broken += late or answer["status"] not in WORKED
                print(f"| {name} | {hint} | {statistics.median(times):.2f} | {max(times):.2f} | {answer['status']}{' LATE' if late else ''} |")
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
