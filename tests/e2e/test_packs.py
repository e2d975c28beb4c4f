"""The verbs packs, as a person types them."""
import json, unittest

from ward import Case


class Packs(Case):
    def test_a_pack_is_exported_changed_checked_and_imported(self):
        listed = json.loads(self.ward("packs", "list", "--json"))["packs"]
        self.assertEqual([pack["id"] for pack in listed], ["ecommerce", "gaming", "generic", "social"])
        self.assertIn("system-test", self.ward("packs", "list", "--all"))
        self.ward("packs", "export", "ecommerce", "my-shop")
        manifest = self.folder / "my-shop" / "pack.yaml"
        good = manifest.read_text()
        manifest.write_text(good.replace("priority: 1", "prioriti: 1", 1))
        report = json.loads(self.ward("packs", "validate", "my-shop", "--json", code=1))
        self.assertEqual((report["faults"][0]["file"], report["faults"][1]["nearest"]), ("pack.yaml", "priority"))
        self.ward("packs", "import", "my-shop", code=2)
        manifest.write_text(good)
        self.ward("packs", "validate", "my-shop")
        self.ward("packs", "import", "my-shop")
        shown = json.loads(self.ward("packs", "show", "my-shop", "--json"))
        self.assertEqual((shown["built_in"], shown["areas"][0]["id"]), (False, "sales"))
        self.ward("packs", "import", "my-shop", code=2)
        self.ward("packs", "import", "my-shop", "--force")

    def test_a_name_that_is_none_comes_with_the_nearest(self):
        self.ward("packs", "show", "ecomerce", code=2)


if __name__ == "__main__":
    unittest.main()
