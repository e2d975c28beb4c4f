"""Resources, prompts and completion: on stdio, over HTTP, by the TypeScript SDK; and what a policy keeps back from them."""
import json, sqlite3, subprocess, unittest

from test_http import HttpServer
from ward import Case, clients_folder

# COVERS: R-MCP-1
CLIENT_SECONDS_MAX = 120
PAGE_MAX = 100


class Resources(Case):
    def use(self, text):
        path = self.folder / "policy.yaml"
        path.write_text(text)
        self.environment["SCHEMAWARD_POLICY"] = str(path)

    def people(self):
        with sqlite3.connect(self.folder / "people.db") as database:
            database.executescript("CREATE TABLE person (id INTEGER PRIMARY KEY, email TEXT, city TEXT); CREATE TABLE town (id INTEGER PRIMARY KEY, city TEXT);")
        self.ward("index", self.folder / "people.db", "--no-suggest")

    def listed(self, server):
        """Every resource, page by page, and the number of pages."""
        resources, cursor, pages = [], {}, 0
        while True:
            result = server.request("resources/list", cursor)["result"]
            resources += result["resources"]
            pages += 1
            if "nextCursor" not in result:
                return resources, pages
            cursor = {"cursor": result["nextCursor"]}

    def uris(self, server, kind):
        return [r["uri"] for r in self.listed(server)[0] if r["uri"].startswith(f"schemaward://{kind}/")]

    def read(self, server, uri):
        answer = server.request("resources/read", {"uri": uri})
        return answer if "error" in answer else json.loads(answer["result"]["contents"][0]["text"])

    def complete(self, server, template, argument, value="", **context):
        params = {"ref": {"type": "ref/resource", "uri": template}, "argument": {"name": argument, "value": value}}
        return server.request("completion/complete", {**params, "context": {"arguments": context}})["result"]["completion"]

    def tables(self, server, value="", **context):
        return self.complete(server, "schemaward://tables/{source}/{table}", "table", value, **context)

    def test_whatever_is_listed_can_be_read(self):
        self.defined_shop()
        server = self.serve()
        resources, _ = self.listed(server)
        kinds = {resource["uri"].split("/")[2] for resource in resources}
        self.assertEqual(kinds, {"schemas", "tables", "entities", "metrics", "errors"})
        self.assertEqual(len({resource["uri"] for resource in resources}), len(resources))
        for resource in resources:
            contents = server.request("resources/read", {"uri": resource["uri"]})["result"]["contents"]
            self.assertEqual((contents[0]["uri"], contents[0]["mimeType"]), (resource["uri"], resource["mimeType"]))
            self.assertTrue(contents[0]["text"])

    def test_a_read_is_the_call_of_its_tool_and_is_recorded(self):
        self.people()
        server = self.serve()
        mine = server.call("describe_table", qualified_name="main.person", source="people")
        self.assertEqual(self.read(server, "schemaward://tables/people/main.person")["data"], mine["data"])
        self.uris(server, "tables")
        server.close()
        records = [json.loads(line) for line in self.ward("audit", "export").splitlines()]
        tools = [record["tool"] for record in records if record["kind"] == "begin" and "tool" in record]
        self.assertEqual(tools, ["describe_table", "describe_table", "list_table_names", "list_entity_names", "list_metric_names"])

    def test_denied_tables_and_definitions_are_not_listed_read_or_completed(self):
        self.defined_shop()
        everything = self.serve()
        table = "schemaward://tables/shop/main.customer"
        self.assertIn(table, self.uris(everything, "tables"))
        self.assertIn("main.customer", self.tables(everything, "cust")["values"])
        entities = self.uris(everything, "entities")
        self.use("profile: team\ndeny: {tables: [main.customer]}\n")
        server = self.serve()
        self.assertNotIn(table, self.uris(server, "tables"))
        self.assertIn("schemaward://tables/shop/main.sales_order", self.uris(server, "tables"))
        self.assertEqual(self.read(server, table)["error"]["code"], -32602)
        completed = self.tables(server, "")
        self.assertEqual(completed["total"], self.tables(everything)["total"] - 1)
        self.assertNotIn("main.customer", completed["values"])
        self.assertLess(set(self.uris(server, "entities")), set(entities))
        for uri in set(entities) - set(self.uris(server, "entities")):
            self.assertIn("error", self.read(server, uri))

    def test_an_allow_list_of_metrics_holds_for_their_names(self):
        self.defined_shop()
        self.use("profile: team\nallow: {metrics: [revenue]}\n")
        server = self.serve()
        self.assertEqual(self.uris(server, "metrics"), ["schemaward://metrics/shop/revenue"])
        self.assertEqual(self.complete(server, "schemaward://metrics/{source}/{metric}", "metric")["values"], ["revenue"])

    def test_hidden_names_of_columns_are_in_no_resource(self):
        self.people()
        uri = "schemaward://tables/people/main.person"
        self.assertIn("email", json.dumps(self.read(self.serve(), uri)))
        self.use("profile: strict\n")
        server = self.serve()
        self.assertNotIn("email", json.dumps(self.read(server, uri)))
        self.assertNotIn("email", json.dumps(self.listed(server)[0]))

    def test_blocked_columns_are_marked_as_describe_table_marks_them(self):
        self.people()
        self.use("profile: team\n")
        columns = self.read(self.serve(), "schemaward://tables/people/main.person")["data"]["columns"]
        self.assertEqual([c["name"] for c in columns if c.get("personal", {}).get("blocked")], ["email"])

    def test_who_may_not_use_a_tool_reads_and_lists_nothing_of_it(self):
        self.defined_shop()
        self.use("profile: team\ntools: {deny: [describe_table]}\n")
        server = self.serve()
        self.assertEqual(self.uris(server, "tables"), [])
        self.assertTrue(self.uris(server, "entities"))
        self.assertEqual(self.tables(server)["values"], [])
        self.assertEqual(self.read(server, "schemaward://tables/shop/main.customer")["error"]["code"], -32602)

    def test_pages_are_whole_and_an_old_cursor_is_refused(self):
        self.ward("index", f"ddl:{self.wide(250)}", "--no-suggest")
        server = self.serve()
        resources, pages = self.listed(server)
        tables = [r["uri"] for r in resources if r["uri"].startswith("schemaward://tables/")]
        self.assertEqual((len(tables), len(set(tables)), pages), (250, 250, 5))  # three of tables, one of entities, one of metrics
        completed = self.tables(server, "area")
        self.assertEqual((len(completed["values"]), completed["total"], completed["hasMore"]), (PAGE_MAX, 250, True))
        cursor = server.request("resources/list", {})["result"]["nextCursor"]
        with open(self.folder / "wide250.sql", "a") as ddl:
            ddl.write("CREATE TABLE area0.one_more (id bigint PRIMARY KEY);\n")
        self.ward("index", f"ddl:{self.folder / 'wide250.sql'}", "--no-suggest")
        self.assertEqual(server.request("resources/list", {"cursor": cursor})["error"]["code"], -32602)
        self.assertEqual(len(self.uris(server, "tables")), 251)

    def test_two_sources_are_told_apart(self):
        self.people()
        self.shop(drafts=False)
        server = self.serve()
        self.assertEqual(self.complete(server, "schemaward://tables/{source}/{table}", "source")["values"], ["people", "shop"])
        self.assertEqual(self.tables(server, "", source="people")["values"], ["main.person", "main.town"])
        self.assertEqual(self.uris(server, "tables")[:2], ["schemaward://tables/people/main.person", "schemaward://tables/people/main.town"])

    def test_what_is_not_there_has_the_code_of_its_revision(self):
        self.people()
        stdio = self.serve()
        server = HttpServer(self.serve_command("--http", "127.0.0.1:0"), env=self.environment, cwd=self.folder)
        self.addCleanup(server.close)
        for uri in ("schemaward://tables/people/main.persn", "schemaward://nothing", "file:///etc/passwd"):
            self.assertEqual(self.read(stdio, uri)["error"]["code"], -32002, uri)
            _, _, body = server.modern("resources/read", {"uri": uri}, **{"Mcp-Name": uri})
            self.assertEqual(json.loads(body)["error"]["code"], -32602, uri)

    def test_over_http(self):
        self.people()
        server = HttpServer(self.serve_command("--http", "127.0.0.1:0"), env=self.environment, cwd=self.folder)
        self.addCleanup(server.close)
        uri = "schemaward://tables/people/main.person"
        status, _, body = server.modern("resources/list")
        result = json.loads(body)["result"]
        self.assertEqual((status, result["cacheScope"]), (200, "private"))
        self.assertIn(uri, [resource["uri"] for resource in result["resources"]])
        status, _, body = server.modern("resources/read", {"uri": uri}, **{"Mcp-Name": uri})
        self.assertEqual((status, json.loads(json.loads(body)["result"]["contents"][0]["text"])["status"]), (200, "success"))
        status, _, _ = server.modern("resources/read", {"uri": uri}, **{"Mcp-Name": "schemaward://schemas"})
        self.assertEqual(status, 400)

    def test_the_sdk_reads_prompts_and_completes(self):
        self.defined_shop()
        script = self.folder / "session.mjs"
        npm = clients_folder()
        script.write_text(SESSION.replace("SDK", (npm / "node_modules/@modelcontextprotocol/sdk/dist/esm").as_uri()))
        done = subprocess.run([npm / "node_modules/node/bin/node", script, json.dumps(self.serve_command())], capture_output=True, text=True,
                              timeout=CLIENT_SECONDS_MAX, stdin=subprocess.DEVNULL, env=self.environment, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr[-3000:])
        said = json.loads(done.stdout)
        self.assertEqual(len(said["templates"]), 5)
        self.assertEqual(said["prompts"], ["what_is_here", "explain_topic", "relate_tables", "compute_number", "how_others_query"])
        self.assertIn('"main.customer"', said["prompt"])
        self.assertIn("main.customer", said["completed"])
        self.assertTrue(said["page"].startswith("# unknown_name"))


SESSION = """
import { Client } from 'SDK/client/index.js';
import { StdioClientTransport } from 'SDK/client/stdio.js';
const command = JSON.parse(process.argv[2]);
const client = new Client({ name: 'e2e', version: '1' });
await client.connect(new StdioClientTransport({ command: command[0], args: command.slice(1), stderr: 'ignore' }));
const { resourceTemplates } = await client.listResourceTemplates();
const { prompts } = await client.listPrompts();
const { messages } = await client.getPrompt({ name: 'how_others_query', arguments: { table: 'main.customer' } });
const { completion } = await client.complete({ ref: { type: 'ref/prompt', name: 'how_others_query' }, argument: { name: 'table', value: 'cust' } });
const { contents } = await client.readResource({ uri: 'schemaward://errors/unknown_name' });
console.log(JSON.stringify({ templates: resourceTemplates.map(t => t.uriTemplate), prompts: prompts.map(p => p.name),
                             prompt: messages[0].content.text, completed: completion.values, page: contents[0].text }));
await client.close();
"""

if __name__ == "__main__":
    unittest.main()
