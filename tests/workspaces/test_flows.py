"""The sample programs of structured tool responses, over the TypeScript SDK's client: what they read is there, under the names they use."""
import json, subprocess, unittest

from cases import MariaDb, WorkspaceCase
from ward import clients_folder

# COVERS: R-WS-1 R-WS-2 R-ENV-5 R-ENV-6
CLIENT_SECONDS_MAX = 120

# The client refuses an answer that does not fit the tool's outputSchema once it has listed the tools.
SESSION = """
import { Client } from 'SDK/client/index.js';
import { StdioClientTransport } from 'SDK/client/stdio.js';
const { command, env, sql } = JSON.parse(process.argv[2]);
const client = new Client({ name: 'flows', version: '1' });
await client.connect(new StdioClientTransport({ command: command[0], args: command.slice(1), env, stderr: 'ignore' }));
await client.listTools();
const lines = [];
const print = (text) => lines.push(text);
const call = async (name, args = {}) => {
  const result = await client.callTool({ name, arguments: args });
  if (result.content[0].text !== JSON.stringify(result.structuredContent)) JSON.parse(result.content[0].text);
  if (result.isError !== (result.structuredContent.status === 'error')) throw new Error('isError');
  return result.structuredContent;
};

const organizations = await call('get_organizations');
if (organizations.status === 'success') {
  for (const org of organizations.data.organizations) print(`Organization: ${org.name} (ID: ${org.org_id})`);
  const selected = organizations.data.organizations[0];
  const chosen = await call('set_organization', { orgID: selected.org_id });
  if (chosen.status === 'success') print(`Successfully set organization to: ${chosen.data.name}`);
  else print(`Error setting organization: ${chosen.message} ${chosen.error_code}`);
} else print(`Error getting organizations: ${organizations.message}`);

const answer = await call('run_sql', sql);
if (answer.status === 'success') {
  print(`Column names: ${answer.data.columns.join(', ')}`);
  print(`Number of rows: ${answer.data.row_count}`);
  for (const row of answer.data.rows) print(JSON.stringify(row));
  if (typeof answer.metadata.execution_time_ms !== 'number') throw new Error('execution_time_ms');
  print(`Workspace name: ${answer.data.workspace_name}`);
} else print(`SQL error: ${answer.message}`);

const virtual = await call('get_virtual_workspaces');
if (virtual.status === 'success') {
  print(`Found ${virtual.data.workspaces.length} virtual workspaces:`);
  for (const workspace of virtual.data.workspaces)
    print(`- ${workspace.name} (${workspace.virtual_workspace_id}) ${workspace.state} ${workspace.database_name} ${workspace.endpoint !== undefined}`);
}

function handle(response) {
  if (response.status === 'success') { print(`Operation successful: ${response.message}`); return response.data; }
  if (response.status === 'warning') { print(`Warning: ${response.message}`); print(`Warning details: ${response.warning_details}`); return response.data; }
  print(`Error: ${response.message}`);
  print(`Error code: ${response.error_code}`);
  print(`Error details: ${Object.keys(response.error_details).sort().join(',')}`);
  return null;
}
handle(await call('run_sql', sql));
handle(await call('run_sql', { ...sql, limit: 1 }));
handle(await call('run_sql', { ...sql, sql_query: 'SELECT nothing FROM nowhere' }));
console.log(JSON.stringify(lines));
await client.close();
"""


@unittest.skipUnless(MariaDb.found(), "SCHEMAWARD_TEST_MARIADB is not set")
class Flows(WorkspaceCase):
    def setUp(self):
        self.server = MariaDb.found()
        self.endpoint = self.server.endpoint
        super().setUp()
        self.server.run("CREATE OR REPLACE DATABASE ward_flows; CREATE TABLE ward_flows.customers (id INT PRIMARY KEY, region VARCHAR(8));"
                        "INSERT INTO ward_flows.customers VALUES (1, 'US'), (2, 'EU'), (3, 'US');"
                        "CREATE OR REPLACE USER ward_flows@'127.0.0.1' IDENTIFIED BY 'pa55'; GRANT SELECT ON ward_flows.* TO ward_flows@'127.0.0.1'")
        self.addCleanup(self.server.run, "DROP DATABASE ward_flows; DROP USER ward_flows@'127.0.0.1'")
        self.use("API_KEY", "the-api-key")
        self.use("USER", "ward_flows")
        self.use("PASSWORD", "pa55")

    def test_the_sample_programs_run(self):
        npm = clients_folder()
        script = self.folder / "flows.mjs"
        script.write_text(SESSION.replace("SDK", (npm / "node_modules/@modelcontextprotocol/sdk/dist/esm").as_uri()))
        sql = {"id": "w-1", "database": "ward_flows", "sql_query": "SELECT id, region FROM customers WHERE region='US' ORDER BY id LIMIT 10"}
        request = json.dumps({"command": self.serve_command("--tools", "workspaces"), "env": self.environment, "sql": sql})
        done = subprocess.run([npm / "node_modules/node/bin/node", script, request], capture_output=True, text=True, timeout=CLIENT_SECONDS_MAX, stdin=subprocess.DEVNULL,
                              env=self.environment, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stdout[-3000:] + done.stderr[-3000:])
        self.assertEqual(json.loads(done.stdout), [
            "Organization: Orchard (ID: org-1)",
            "Successfully set organization to: Orchard",
            "Column names: id, region",
            "Number of rows: 2",
            '[1,"US"]',
            '[3,"US"]',
            "Workspace name: day",
            "Found 1 virtual workspaces:",
            "- trial (v-1) UNKNOWN ward_starter true",
            "Operation successful: Query executed successfully, returned 2 rows",
            "Warning: Query executed successfully, returned 1 rows",
            "Warning details: Only the first 1 rows are here; there are more. Give a larger limit, or let the statement itself take fewer.",
            'Error: SQL query failed: the statement reads table "nowhere", which is not in the index',
            "Error code: SQL_EXECUTION_ERROR",
            "Error details: category,database,did_you_mean,exception,retryable,workspace_id",
        ])


if __name__ == "__main__":
    unittest.main()
