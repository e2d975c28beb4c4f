"""The tools of the workspace family against a stub of the service: lists, failures by status, confirmation, credentials."""
import json, unittest

from cases import WorkspaceCase
from stub import Stub

# COVERS: R-WS-1 R-WS-2 R-FAM-1 R-META-1 R-MCP-3


class Lists(WorkspaceCase):
    def setUp(self):
        super().setUp()
        self.use("API_KEY", "the-api-key")

    def test_organizations(self):
        data = self.ok("get_organizations")
        self.assertEqual(data["organizations"], [{"org_id": "org-1", "name": "Orchard"}])
        self.assertEqual(self.stub.asked("POST /public"), [])
        self.assertEqual(self.ok("organization_info")["organization"]["name"], "Orchard")

    def test_a_token_lists_organizations_and_chooses_one(self):
        del self.environment["SCHEMAWARD_WORKSPACES_API_KEY"]
        self.use("JWT", "the.jwt")
        self.assertEqual([o["org_id"] for o in self.ok("get_organizations")["organizations"]], ["org-1", "org-2"])
        chosen = self.ok("set_organization", orgID="harbour")
        self.assertEqual((chosen["name"], chosen["org_id"], chosen["operation"]), ("Harbour", "org-2", "organization_set"))
        self.assertNotIn("previous_org_id", chosen)
        self.assertEqual(self.ok("organization_info")["organization"]["name"], "Harbour")
        self.ok("get_virtual_workspaces")
        self.assertEqual(self.stub.asked("GET /v1/sharedtier/virtualWorkspaces")[0][2], {"organizationID": "org-2"})
        self.assertEqual(self.ok("set_organization", orgID="org-1")["previous_org_id"], "org-2")

    def test_an_organization_that_is_not_there(self):
        answer = self.failed("set_organization", "ORGANIZATION_MISMATCH", orgID="org-2")
        self.assertEqual(answer["error_details"]["current_org_id"], "org-1")
        self.assertEqual(answer["error_details"]["current_org_name"], "Orchard")
        del self.environment["SCHEMAWARD_WORKSPACES_API_KEY"]
        self.use("JWT", "the.jwt")
        answer = self.failed("set_organization", "ORGANIZATION_NOT_FOUND", orgID="org-3")
        self.assertEqual(answer["error_details"]["provided_org_id"], "org-3")
        self.assertEqual(len(answer["error_details"]["available_organizations"]), 2)

    def test_an_organization_that_cannot_be_validated_is_a_warning(self):
        self.stub.say("GET /v1/organizations/current", 500, "down", Retry_After="60")
        answer = self.call("set_organization", orgID="org-9")
        self.assertEqual((answer["status"], answer["data"]["operation"]), ("warning", "organization_set_unvalidated"))
        self.assertIn("could not be validated", answer["warning_details"])
        self.assertNotIn("error_details", answer)

    def test_no_organizations(self):
        del self.environment["SCHEMAWARD_WORKSPACES_API_KEY"]
        self.use("JWT", "the.jwt")
        self.stub.say("POST /public", 200, {"data": {"organizations": []}})
        self.failed("get_organizations", "NO_ORGANIZATIONS")

    def test_graphql_errors_fall_back_to_the_current_organization(self):
        del self.environment["SCHEMAWARD_WORKSPACES_API_KEY"]
        self.use("JWT", "the.jwt")
        self.stub.say("POST /public", 200, {"errors": [{"message": "no"}]})
        self.assertEqual([o["org_id"] for o in self.ok("get_organizations")["organizations"]], ["org-1"])

    def test_regions(self):
        regions = self.ok("get_regions")["regions"]
        self.assertEqual([(r["name"], r["provider"]) for r in regions], [("US East 1 (N. Virginia)", "AWS"), ("West Europe", "AZURE")])
        self.assertEqual(self.ok("get_regions", shared_tier=True)["regions"][1]["region_name"], "westeurope")

    def test_starter_workspaces(self):
        data = self.ok("get_virtual_workspaces")
        self.assertEqual(data["count"], 1)
        self.assertEqual({k: data["workspaces"][0][k] for k in ("virtual_workspace_id", "name", "state", "database_name")},
                         {"virtual_workspace_id": "v-1", "name": "trial", "state": "UNKNOWN", "database_name": "ward_starter"})

    def test_one_entry_that_cannot_be_read_does_not_sink_the_list(self):
        answer = self.call("workspace_groups_info")
        self.assertEqual(answer["status"], "warning")
        self.assertIn("1 entries", answer["warning_details"])
        groups = answer["data"]["workspace_groups"]
        self.assertEqual([g["workspace_group_id"] for g in groups], ["g-1", "g-2"])
        self.assertEqual(groups[0]["update_window"], {"day": 1, "hour": 2})
        self.assertNotIn("expires_at", groups[0])
        self.assertNotIn("firewall_ranges", groups[1])

    def test_workspaces_with_states_that_nobody_knows(self):
        data = self.ok("workspaces_info", workspace_group_id="g-2")
        self.assertEqual(data["workspaces"][0]["state"], "HIBERNATING_SOMEHOW")
        self.assertNotIn("endpoint", data["workspaces"][0])
        self.assertEqual([w["workspace_id"] for w in self.call("workspaces_info")["data"]["workspaces"]], ["w-1", "w-2", "w-3"])

    def test_direct_targets_stand_in_the_same_list(self):
        self.shop()
        found = self.call("workspaces_info")["data"]["workspaces"]
        self.assertEqual([(w["workspace_id"], w["origin"], w["workspace_type"]) for w in found][-1], ("shop", "direct", "dedicated"))
        self.assertEqual(len(found), 4)
        self.assertEqual(self.call("workspace_groups_info")["data"]["workspace_groups"][-1]["workspace_group_id"], "direct")
        self.stub.say("GET /v1/workspaceGroups", 503, "", Retry_After="60")
        answer = self.call("workspaces_info")
        self.assertEqual((answer["status"], [w["name"] for w in answer["data"]["workspaces"]]), ("warning", ["shop"]))

    def test_lists_that_are_empty(self):
        for call, tool, name in (("GET /v1/regions", "get_regions", "regions"), ("GET /v1/sharedtier/virtualWorkspaces", "get_virtual_workspaces", "workspaces"),
                                 ("GET /v1/workspaceGroups", "workspace_groups_info", "workspace_groups")):
            with self.subTest(tool):
                self.stub.say(call, 200, [])
                data = self.ok(tool)
                self.assertEqual((data[name], data["count"], data["total"]), ([], 0, 0))

    def test_entries_that_have_ended_stay_in_the_list(self):
        groups = {g["workspace_group_id"]: g for g in self.call("workspace_groups_info")["data"]["workspace_groups"]}
        self.assertEqual((groups["g-2"]["state"], groups["g-2"]["terminated_at"]), ("TERMINATED", "2025-02-01T00:00:00Z"))

    def test_an_api_key_sends_no_organization_and_a_token_sends_the_chosen_one(self):
        self.ok("get_regions")
        self.assertEqual(self.stub.asked("GET /v1/regions")[0][2], {})
        del self.environment["SCHEMAWARD_WORKSPACES_API_KEY"]
        self.use("JWT", "the.jwt")
        self.ok("set_organization", orgID="org-2")
        self.ok("get_regions")
        self.assertEqual(self.stub.asked("GET /v1/regions")[1][2], {"organizationID": "org-2"})

    def test_lists_come_by_page(self):
        first = self.call("workspaces_info", limit=2)
        self.assertEqual((first["status"], first["data"]["total"], first["data"]["truncated"]), ("warning", 3, True))
        second = self.call("workspaces_info", limit=2, cursor=first["data"]["next_cursor"])
        self.assertEqual([w["workspace_id"] for w in second["data"]["workspaces"]], ["w-3"])
        self.failed("workspaces_info", "WORKSPACES_RETRIEVAL_FAILED", limit=2, cursor="nonsense")

    def test_who_is_asked_for_is_in_the_metadata(self):
        answer = self.call("get_user_id")
        self.assertEqual((answer["data"], answer["metadata"]["user_id"]), ({"user_id": "u-1"}, "u-1"))
        self.assertRegex(answer["metadata"]["timestamp"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$")


class Failures(WorkspaceCase):
    def setUp(self):
        super().setUp()
        self.use("API_KEY", "the-api-key")

    def test_every_tool_has_its_own_code(self):
        cases = {
            "get_user_id": ("USER_ID_RETRIEVAL_FAILED", "GET /v1/users/current", {}),
            "workspace_groups_info": ("WORKSPACE_GROUPS_RETRIEVAL_FAILED", "GET /v1/workspaceGroups", {}),
            "workspaces_info": ("WORKSPACES_RETRIEVAL_FAILED", "GET /v1/workspaces", {"workspace_group_id": "g-1"}),
            "organization_info": ("ORGANIZATION_INFO_FAILED", "GET /v1/organizations/current", {}),
            "get_regions": ("REGIONS_RETRIEVAL_FAILED", "GET /v1/regions", {}),
            "get_virtual_workspaces": ("VIRTUAL_WORKSPACES_RETRIEVAL_FAILED", "GET /v1/sharedtier/virtualWorkspaces", {}),
            "get_organizations": ("ORGANIZATION_QUERY_FAILED", "GET /v1/organizations/current", {}),
            "set_organization": ("ORGANIZATION_SET_FAILED", "GET /v1/organizations/current", {"orgID": "org-1"}),
            "resume_workspace": ("WORKSPACE_RESUME_FAILED", "POST /v1/workspaces/w-2/resume", {"workspace_id": "w-2"}),
            "create_starter_workspace": ("STARTER_WORKSPACE_CREATE_FAILED", "POST /v1/sharedtier/virtualWorkspaces", {"name": "n", "database_name": "d"}),
            "terminate_starter_workspace": ("STARTER_WORKSPACE_TERMINATE_FAILED", "DELETE /v1/sharedtier/virtualWorkspaces/v-1", {"workspace_id": "v-1", "confirm": True}),
            "run_sql": ("SQL_EXECUTION_ERROR", "GET /v1/workspaces/w-1", {"id": "w-1", "sql_query": "SELECT 1"}),
        }
        for tool, (code, call, arguments) in cases.items():
            with self.subTest(tool):
                self.stub.say(call, 401, "no")
                answer = self.failed(tool, code, **arguments)
                self.assertEqual(answer["error_details"]["exception"], "source_auth_failed")

    def test_failures_are_told_apart_by_status_alone(self):
        cases = [(403, "", "permission_denied", 2), (404, "", "unknown_source", 2), (429, "", "rate_limited", 3), (500, "code 404: auth", "source_unreachable", 2),
                 (307, "", "source_unreachable", 2), (200, "<html>sign in</html>", "source_unreachable", 2), (200, {"a": 1}, "source_unreachable", 2)]
        for status, body, reason, exit_code in cases:
            with self.subTest(status=status, body=body):
                self.stub.say("GET /v1/regions", status, body, Retry_After="3", Location="http://127.0.0.1:1/")
                answer = self.failed("get_regions", "REGIONS_RETRIEVAL_FAILED", exit_code=exit_code)
                self.assertEqual(answer["error_details"]["exception"], reason)
                self.assertNotIn("code 404", json.dumps(answer))
                if status == 429:
                    self.assertEqual(answer["error_details"]["retry_after_ms"], 3000)

    def test_a_redirect_is_followed_nowhere_and_takes_no_secret_along(self):
        calls = {
            "GET /v1/regions": ("get_regions", "REGIONS_RETRIEVAL_FAILED", {}),
            "GET /v1/workspaces/w-1": ("run_sql", "SQL_EXECUTION_ERROR", {"id": "w-1", "sql_query": "SELECT 1"}),
            "POST /v1/workspaces/w-2/resume": ("resume_workspace", "WORKSPACE_RESUME_FAILED", {"workspace_id": "w-2"}),
            "DELETE /v1/sharedtier/virtualWorkspaces/v-1": ("terminate_starter_workspace", "STARTER_WORKSPACE_TERMINATE_FAILED", {"workspace_id": "v-1", "confirm": True}),
        }
        with Stub() as elsewhere:
            for call, (tool, code, arguments) in calls.items():
                for status in (301, 302, 303, 307, 308):
                    with self.subTest(tool, status=status):
                        self.stub.say(call, status, "", Location=f"{elsewhere.url}/v1/elsewhere")
                        answer = self.failed(tool, code, **arguments)
                        self.assertEqual(answer["error_details"]["exception"], "source_unreachable")
                        self.assertNotIn(elsewhere.url, json.dumps(answer))
            self.assertEqual(elsewhere.seen, [])
        self.assertEqual(set(self.stub.starters), {"v-1"})

    def test_a_service_that_is_busy_is_asked_again(self):
        self.stub.say("GET /v1/regions", 429, "", Retry_After="1")
        self.stub.say("GET /v1/regions", 503, "")
        self.assertEqual(len(self.ok("get_regions")["regions"]), 2)
        self.assertEqual(len(self.stub.asked("GET /v1/regions")), 3)

    def test_a_service_that_stays_busy_is_left_after_three_requests(self):
        for _ in range(4):
            self.stub.say("GET /v1/regions", 503, "")
        answer = self.failed("get_regions", "REGIONS_RETRIEVAL_FAILED")
        self.assertEqual((answer["error_details"]["exception"], answer["error_details"]["retryable"]), ("source_unreachable", True))
        self.assertEqual(len(self.stub.asked("GET /v1/regions")), 3)

    def test_what_changes_something_is_sent_once(self):
        for call, tool, code, arguments in (("POST /v1/workspaces/w-2/resume", "resume_workspace", "WORKSPACE_RESUME_FAILED", {"workspace_id": "w-2"}),
                                            ("DELETE /v1/sharedtier/virtualWorkspaces/v-1", "terminate_starter_workspace", "STARTER_WORKSPACE_TERMINATE_FAILED",
                                             {"workspace_id": "v-1", "confirm": True})):
            with self.subTest(tool):
                self.stub.say(call, 503, "")
                self.failed(tool, code, **arguments)
                self.assertEqual(len(self.stub.asked(call)), 1)

    def test_a_service_that_says_nothing_ends_with_the_call(self):
        self.environment["SCHEMAWARD_CALL_TIMEOUT_MS"] = "1000"
        self.stub.say("GET /v1/regions", "silence")
        self.assertEqual(self.failed("get_regions", "REGIONS_RETRIEVAL_FAILED", exit_code=3)["error_details"]["exception"], "deadline_exceeded")

    def test_a_service_that_is_away(self):
        self.environment["SCHEMAWARD_WORKSPACES_API_URL"] = "http://127.0.0.1:1/v1/"
        self.assertEqual(self.failed("get_regions", "REGIONS_RETRIEVAL_FAILED")["error_details"]["exception"], "source_unreachable")

    def test_an_argument_that_is_wrong(self):
        answer = self.failed("run_sql", "INVALID_ARGUMENT", sql="SELECT 1", id="w-1")
        self.assertIn("sql_query", answer["message"])

    def test_no_credential(self):
        del self.environment["SCHEMAWARD_WORKSPACES_API_KEY"]
        answer = self.failed("get_regions", "REGIONS_RETRIEVAL_FAILED")
        self.assertEqual(answer["error_details"]["exception"], "missing_credential")
        self.assertIn("SCHEMAWARD_WORKSPACES_API_KEY", answer["error_details"]["hint"])
        self.assertEqual(self.stub.seen, [])

    def test_a_key_in_place_of_its_reference_is_refused_and_not_repeated(self):
        self.environment["SCHEMAWARD_WORKSPACES_API_KEY_REF"] = "s3cret-key"
        said = self.ward("config", code=2)
        self.assertNotIn("s3cret-key", said)

    def test_plain_http_across_a_network_is_refused(self):
        self.environment["SCHEMAWARD_WORKSPACES_API_URL"] = "http://api.example.com/v1/"
        self.ward("config", code=2)


class Changes(WorkspaceCase):
    def setUp(self):
        super().setUp()
        self.use("API_KEY", "the-api-key")

    def test_nothing_is_ended_without_confirmation(self):
        answer = self.failed("terminate_starter_workspace", "CONFIRMATION_REQUIRED", exit_code=1, workspace_id="v-1")
        self.assertIn("trial", answer["message"])
        self.assertEqual(answer["error_details"]["confirm_with"], {"workspace_id": "v-1", "confirm": True})
        self.assertEqual(self.stub.asked("DELETE /v1/sharedtier/virtualWorkspaces/v-1"), [])
        self.assertEqual((answer["error_details"]["exception"], answer["error_details"]["retryable"]), ("confirmation_required", False))
        data = self.ok("terminate_starter_workspace", **answer["error_details"]["confirm_with"])
        self.assertEqual((data["workspace_id"], data["workspace_name"]), ("v-1", "trial"))
        self.assertEqual(self.stub.starters, {})

    def test_a_delete_that_is_answered_by_204_or_a_bare_boolean(self):
        for status, body in ((204, ""), (200, "true")):
            with self.subTest(status):
                self.stub.say("DELETE /v1/sharedtier/virtualWorkspaces/v-1", status, body)
                self.assertEqual(self.ok("terminate_starter_workspace", workspace_id="v-1", confirm=True)["workspace_id"], "v-1")

    def test_a_starter_workspace_is_made_and_looked_up(self):
        data = self.ok("create_starter_workspace", name="new", database_name="db", provider="azure")
        self.assertEqual((data["workspace_id"], data["name"], data["database_name"], data["provider"], data["region_name"]), ("v-2", "new", "db", "AZURE", "westeurope"))
        self.assertIn("endpoint", data)
        self.assertEqual(json.loads(self.stub.asked("POST /v1/sharedtier/virtualWorkspaces")[0][3]),
                         {"name": "new", "databaseName": "db", "provider": "AZURE", "regionName": "westeurope"})
        answer = self.failed("create_starter_workspace", "STARTER_WORKSPACE_CREATE_FAILED", name="n", database_name="d", region_name="mars")
        self.assertIn("us-east-1", answer["error_details"]["did_you_mean"])

    def test_a_workspace_is_resumed(self):
        data = self.ok("resume_workspace", workspace_id="w-2", disable_auto_suspend=True)
        self.assertEqual((data["name"], data["state"]), ("night", "PENDING"))
        self.assertEqual(json.loads(self.stub.asked("POST /v1/workspaces/w-2/resume")[0][3]), {"disableAutoSuspend": True})

    def test_annotations_and_titles(self):
        tools = {t["name"]: t for t in self.serve("--tools", "default,workspaces").request("tools/list")["result"]["tools"]}
        self.assertFalse(tools["terminate_starter_workspace"]["annotations"]["readOnlyHint"])
        self.assertTrue(tools["terminate_starter_workspace"]["annotations"]["destructiveHint"])
        self.assertTrue(tools["run_sql"]["annotations"]["readOnlyHint"])
        titles = {"run_sql": "SqlResponse", "get_organizations": "OrganizationsResponse", "set_organization": "SetOrganizationResponse", "get_regions": "RegionsResponse",
                  "get_virtual_workspaces": "VirtualWorkspacesResponse", "workspace_groups_info": "WorkspaceGroupsResponse", "workspaces_info": "WorkspacesResponse"}
        self.assertEqual({name: tools[name]["outputSchema"]["title"] for name in titles}, titles)
        self.assertIn("execute_query", tools["run_sql"]["description"].split(".")[0])
        self.assertIn("run_sql", tools["execute_query"]["description"].split(".")[0])

    def test_alone_the_two_sql_tools_name_nobody_who_is_not_served(self):
        tools = {t["name"]: t for t in self.serve("--tools", "workspaces").request("tools/list")["result"]["tools"]}
        self.assertEqual(len(tools), 12)
        self.assertNotIn("execute_query", tools["run_sql"]["description"])
        tools = {t["name"]: t for t in self.serve().request("tools/list")["result"]["tools"]}
        self.assertNotIn("run_sql", tools["execute_query"]["description"])


if __name__ == "__main__":
    unittest.main()
