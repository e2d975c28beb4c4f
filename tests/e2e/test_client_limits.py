"""Every served tool keeps to what each client takes: one test a rule, over the live list of each set of tools. A rule that finds nothing in a
definition made to break it would prove nothing, so each is held against one first. The default set's size is lint's to watch."""
import re, unittest

from ward import Case

# COVERS: R-DESC-1 R-ENV-6
SETS = ("default", "catalog,semantic,sql,patterns,explore,workspaces")
ENTRY_NAME_MAX = 24  # what `schemaward init --name` allows
UNIONS = ("oneOf", "anyOf", "allOf", "not")
# Keywords outside the OpenAPI subset that Gemini reads: one of them loses the whole request.
NOT_OPENAPI = ("$ref", "$defs", "$schema", "definitions", "additionalProperties", "exclusiveMinimum", "exclusiveMaximum", "uniqueItems", "const",
               "patternProperties", "if", "then", "else", "prefixItems", "dependentRequired", "propertyNames")


def nodes(schema, path="$"):
    """Every schema inside a schema; names of properties are not taken for keywords."""
    yield path, schema
    for name, inner in schema.get("properties", {}).items():
        yield from nodes(inner, f"{path}.{name}")
    if isinstance(schema.get("items"), dict):
        yield from nodes(schema["items"], path + "[]")
    for union in UNIONS[:3]:
        for i, inner in enumerate(schema.get(union, ())):
            yield from nodes(inner, f"{path}.{union}[{i}]")


def inputs(tool):
    return nodes(tool["inputSchema"])


# name: (what is wrong with one tool, as a list of words; a tool that breaks it)
RULES = {
    "protocol: a name is 1 to 128 of its characters": (
        lambda t: [] if re.fullmatch(r"[A-Za-z0-9_.-]{1,128}", t["name"]) else [t["name"]], {"name": "a b"}),
    "Anthropic API, Claude Desktop: a name has no dots": (lambda t: [t["name"]] if not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", t["name"]) else [], {"name": "a.b"}),
    "Cursor: server and tool together have at most 60 characters": (
        lambda t: [t["name"]] if ENTRY_NAME_MAX + 1 + len(t["name"]) > 60 else [], {"name": "x" * 36}),
    "Claude Code: mcp__server__tool has at most 64 characters": (
        lambda t: [t["name"]] if len(f"mcp__{'s' * ENTRY_NAME_MAX}__{t['name']}") > 64 else [], {"name": "x" * 34}),
    "Anthropic: no union at the top of an input": (
        lambda t: [u for u in UNIONS if u in t["inputSchema"]], {"inputSchema": {"type": "object", "anyOf": []}}),
    "every client: an input is an object": (
        lambda t: [] if t["inputSchema"].get("type") == "object" else ["type"], {"inputSchema": {"type": "array"}}),
    "TypeScript SDK: an output is an object": (
        lambda t: [] if t.get("outputSchema", {"type": "object"}).get("type") == "object" else ["type"], {"outputSchema": {"anyOf": []}}),
    "Gemini: no keyword outside its subset": (
        lambda t: [f"{p}: {k}" for p, n in inputs(t) for k in NOT_OPENAPI if k in n],
        {"inputSchema": {"type": "object", "properties": {"a": {"type": "array", "items": {"$ref": "#"}}}}}),
    "Gemini: no list of types": (
        lambda t: [p for p, n in inputs(t) if isinstance(n.get("type"), list)],
        {"inputSchema": {"type": "object", "properties": {"a": {"type": ["string", "null"]}}}}),
    "Gemini: an array says what its items are": (
        lambda t: [p for p, n in inputs(t) if n.get("type") == "array" and "items" not in n],
        {"inputSchema": {"type": "object", "properties": {"a": {"type": "array"}}}}),
    "Gemini: an enum holds texts": (
        lambda t: [p for p, n in inputs(t) if any(not isinstance(v, str) for v in n.get("enum", ()))],
        {"inputSchema": {"type": "object", "properties": {"a": {"enum": [1]}}}}),
    "Bedrock: every parameter has a description": (
        lambda t: [p for p, n in inputs(t) for name, q in n.get("properties", {}).items() if not q.get("description")],
        {"inputSchema": {"type": "object", "properties": {"a": {"type": "string"}}}}),
    "every client: what is required is there": (
        lambda t: [r for p, n in inputs(t) for r in n.get("required", ()) if r not in n.get("properties", {})],
        {"inputSchema": {"type": "object", "required": ["a"]}}),
}
GOOD = {"name": "good", "inputSchema": {"type": "object", "properties": {"anyOf": {"type": "string", "description": "a name, no keyword"}}}}
VSCODE_TOOLS_MAX = 128
CURSOR_TOOLS_MAX = 40  # of all servers together, in older builds
INSTRUCTIONS_MAX = 2_048  # Claude Code cuts there


class ClientLimits(Case):
    def setUp(self):
        super().setUp()
        self.shop(drafts=False)

    def test_each_rule_finds_what_breaks_it(self):
        for rule, (faults, broken) in RULES.items():
            with self.subTest(rule):
                self.assertTrue(faults({**GOOD, **broken}))
                self.assertEqual(faults(GOOD), [])

    def test_each_tool_of_each_set_keeps_each_rule(self):
        for tools in SETS:
            served = self.serve("--tools", tools).tools()
            self.assertGreater(len(served), 10)
            for rule, (faults, _) in RULES.items():
                for tool in served:
                    with self.subTest(rule, set=tools, tool=tool["name"]):
                        self.assertEqual(faults(tool), [])

    def test_sets_are_small_enough(self):
        default, everything = (self.serve("--tools", tools).tools() for tools in SETS)
        self.assertLessEqual(len(default), CURSOR_TOOLS_MAX)
        self.assertLessEqual(len(everything), VSCODE_TOOLS_MAX)

    def test_instructions_fit_what_is_read(self):
        for tools in SETS:
            self.assertLessEqual(len(self.serve("--tools", tools).hello["instructions"]), INSTRUCTIONS_MAX)


if __name__ == "__main__":
    unittest.main()
