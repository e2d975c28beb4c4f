"""The examples on the page of the workspace family are what the program answers, on the stub of the service."""
import unittest

from cases import WorkspaceCase
from ward import examples

# COVERS: R-WS-1 R-WS-2
TOOLS = {"run_sql", "get_organizations", "set_organization", "organization_info", "get_regions", "get_virtual_workspaces", "workspace_groups_info", "workspaces_info",
         "get_user_id", "resume_workspace", "create_starter_workspace", "terminate_starter_workspace"}


class Page(WorkspaceCase):
    def test_each_tool_has_an_example_that_holds(self):
        self.use("API_KEY", "the-api-key")
        self.shop()
        found = examples("workspaces.md")
        for tool, arguments, shown in found:
            with self.subTest(tool, arguments=arguments):
                self.run_example(tool, arguments, shown)
        self.assertEqual({tool for tool, _, _ in found}, TOOLS)
        self.assertEqual({shown["status"] for _, _, shown in found}, {"success", "warning", "error"})


if __name__ == "__main__":
    unittest.main()
