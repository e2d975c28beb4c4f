#!/usr/bin/env python3
"""Holds a session with a server that serves the sample shop, and asks about one of its tables; fails loudly where an answer is not as it should be.
usage: packaging/session.py COMMAND..."""
import pathlib, sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "scripts"))
from mcp_stdio import Server  # noqa: E402

TOOLS_MIN = 10

with Server(sys.argv[1:], stderr=None) as server:
    tools = [tool["name"] for tool in server.tools()]
    assert len(tools) >= TOOLS_MIN, tools
    said = server.call("describe_table", qualified_name="main.sales_order")
    assert said["status"] == "success", said
    assert server.close() == 0, "the server did not end by itself"
print(f"{len(tools)} tools; main.sales_order is described")
