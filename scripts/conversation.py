#!/usr/bin/env python3
"""Holds a short conversation with a server over stdio, as an agent would, and prints it for people.

usage: conversation.py -- SERVER ARG...      a server on the indexed sample shop
The last question holds a spelling mistake: the conversation goes on by the call in error.recovery, without reading the message.
Exit 1 where an answer is not what an agent could go on with.
"""
import json, sys, textwrap, time

from mcp_stdio import WORKED, Server

WIDTH = 100


def short(text, width=WIDTH):
    text = str(text).replace("\n", " ")
    return text if len(text) <= width else text[:width - 3] + "..."


def heading(words):
    print(f"\n\033[1m{words}\033[0m" if sys.stdout.isatty() else f"\n{words}")


class Talk:
    def __init__(self, server):
        self.server, self.faults = server, 0

    def ask(self, tool, arguments, expected=WORKED):
        print(f"  -> {tool} {json.dumps(arguments)}")
        start = time.perf_counter()
        answer = self.server.call(tool, **arguments)
        took = (time.perf_counter() - start) * 1000
        sure = f", confidence {answer['confidence']}" if answer.get("confidence") else ""
        print(f"  <- {answer['status']}{sure}, {took:.1f} ms")
        if answer["status"] not in expected:
            self.faults += 1
            print(f"     unexpected: {short(json.dumps(answer), 400)}")
        return answer

    def line(self, words):
        print("     " + short(words))


def find(talk):
    heading("Which tables tell what customers paid?")
    answer = talk.ask("find_relevant_tables", {"query": "what customers paid", "limit": 3})
    for hit in (answer.get("data") or {}).get("tables", []):
        talk.line(f"{hit['qualified_name']}: {hit.get('signature') or hit.get('reason') or ''}")


def describe(talk):
    heading("What is in an order?")
    answer = talk.ask("describe_table", {"qualified_name": "main.sales_order", "response_format": "detailed"})
    for column in (answer.get("data") or {}).get("columns", []):
        notes = [column.get("comment") or ""] + (["one of " + ", ".join(column["labels"])] if column.get("labels") else [])
        talk.line(f"{column['name']:20} {column['data_type']:10} {'; '.join(n for n in notes if n)}")


def join(talk):
    heading("How do I get from an order line to the customer?")
    answer = talk.ask("suggest_joins", {"tables": ["main.order_line", "main.customer"]})
    for path in (answer.get("data") or {}).get("paths", [])[:1]:
        for line in textwrap.wrap(path["sql"], WIDTH - 5, break_long_words=False):
            talk.line(line)


def rows(talk, answer):
    data = answer.get("data") or {}
    names = [column["name"] for column in data.get("columns", [])]
    for row in data.get("rows", [])[:4]:
        talk.line(", ".join(f"{name} {value}" for name, value in zip(names, row)))


def metric(talk):
    heading("What was the revenue by quarter in 2024, and what was computed?")
    answer = talk.ask("get_metric", {"name": "revenue", "time_grain": "quarter", "time_range": "2024"})
    rows(talk, answer)
    talk.line((answer.get("data") or {}).get("reading", ""))


def fan_out(talk):
    heading("Which products are in most orders? Orders have several products: each order counts once a product, and the answer says so")
    answer = talk.ask("get_metric", {"name": "orders", "group_by": ["product.name"], "order_by": "orders desc", "limit": 3}, expected=("degraded",))
    rows(talk, answer)
    talk.line(f"{answer.get('degradation_reason')}: {', '.join((answer.get('data') or {}).get('fan_out_joins', []))}")


def ambiguous(talk):
    heading("How many parcels by month? By which date is not guessed")
    answer = talk.ask("get_metric", {"name": "shipments", "time_grain": "month", "time_range": "2024-Q1"}, expected=("error",))
    error = answer.get("error") or {}
    recovery = error.get("recovery") or {}
    talk.line(f"{error.get('kind')}: {error.get('message')}; near: {', '.join(recovery.get('fuzzy_matches') or [])}")
    rows(talk, talk.ask(recovery.get("suggested_tool") or "?", recovery.get("suggested_args") or {}))


def mistake(talk):
    heading("A mistake: the agent misspells a table, and follows error.recovery")
    answer = talk.ask("describe_table", {"qualified_name": "main.custommer"}, expected=("error",))
    error = answer.get("error") or {}
    recovery = error.get("recovery") or {}
    talk.line(f"{error.get('kind')}: {error.get('message')}")
    talk.line(f"recovery: call {recovery.get('suggested_tool')} {json.dumps(recovery.get('suggested_args'))}; near: {', '.join(recovery.get('fuzzy_matches') or [])}")
    if not recovery.get("suggested_tool"):
        talk.faults += 1
        return
    answer = talk.ask(recovery["suggested_tool"], recovery["suggested_args"])
    if recovery["suggested_tool"] != "describe_table":
        answer = talk.ask("describe_table", {"qualified_name": (recovery.get("fuzzy_matches") or ["?"])[0]})
    data = answer.get("data") or {}
    talk.line(f"{data.get('qualified_name')}: {', '.join(column['name'] for column in data.get('columns', []))}")


def own_query(talk):
    heading("A query of the agent's own: it asks for an e-mail address as a condition, is refused, and counts what it may")
    answer = talk.ask("execute_query", {"sql": "SELECT segment, count(*) FROM customer WHERE email LIKE 'a%' GROUP BY segment"}, expected=("refused",))
    error = answer.get("error") or {}
    talk.line(f"{error.get('kind')} ({', '.join(error.get('pii_categories') or [])}): {error.get('message')}")
    answer = talk.ask("execute_query", {"sql": "SELECT segment, count(*) AS customers FROM customer GROUP BY segment ORDER BY customers DESC"})
    rows(talk, answer)


def main(arguments):
    with Server(arguments[arguments.index("--") + 1:], stderr=None) as server:
        info = server.hello["serverInfo"]
        print(f"connected to {info['name']} {info['version']}, protocol {server.hello['protocolVersion']}")
        print(f"tools: {', '.join(tool['name'] for tool in server.tools())}")
        talk = Talk(server)
        for step in (find, describe, join, metric, fan_out, ambiguous, own_query, mistake):
            step(talk)
    print()
    return 1 if talk.faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
