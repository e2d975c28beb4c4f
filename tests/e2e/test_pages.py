"""The examples on the page of the pattern family are what the program answers."""
import unittest

from ward import Case, examples, misfit

# COVERS: R-PAT-1 R-PAT-2
KINDS = {"patternSearchResults:v1", "patternDetails:v1", "needsInput:v1", "toolError:v1"}


class Pages(Case):
    def test_each_payload_of_the_pattern_family_has_an_example_that_holds(self):
        self.shop()
        found = examples("pattern-family.md")
        for tool, arguments, shown in found:
            with self.subTest(tool, arguments=arguments):
                self.run_example(tool, arguments, shown)
        self.assertEqual({shown.get("kind") for _, _, shown in found} - {None}, KINDS)
        self.assertEqual({tool for tool, _, _ in found}, {"search_patterns", "get_pattern", "list_analysis_rules", "analyze_code", "review_code"})


class Fitting(unittest.TestCase):
    def test_what_does_not_fit_is_found(self):
        for shown, said in (({"a": 1}, {"a": 2}), ({"a": 1}, {"a": 1, "b": 2}), ({"a": 1, "...": "..."}, {"b": 2}), ([1], [1, 2]), ([1, "..."], []), ({"a": 1}, {"a": True}),
                            ({"a": 1, "b": 2}, {"b": 2, "a": 1}), ({"a": [{"b": None}]}, {"a": [{"b": "x"}]})):
            with self.subTest(shown=shown):
                self.assertTrue(misfit(shown, said))
        for shown, said in (("...", {"a": 1}), ({"a": "...", "...": "..."}, {"a": 1, "b": 2}), ([1, "..."], [1, 2, 3]), ([], []), ({"a": [1]}, {"a": [1]})):
            with self.subTest(shown=shown):
                self.assertEqual(misfit(shown, said), "")


if __name__ == "__main__":
    unittest.main()
