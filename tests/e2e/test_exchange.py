"""Definitions through the formats of other programs: out of a store, back as files, and through apply's checks into another store."""
import pathlib, unittest

from ward import BINARY, ROOT, Case

METRICS = ["orders", "revenue", "average_order_value", "payments_received", "outstanding", "median_payment"]


class Exchange(Case):
    def numbers(self):
        return {m: self.call("get_metric", name=m)["data"]["rows"] for m in METRICS}

    def files(self, folder):
        return {p.relative_to(folder): p.read_text() for p in sorted(pathlib.Path(folder).rglob("*.yaml"))}

    def round_trip(self, form, ending):
        path = self.defined_shop(drafts=False)
        before = self.numbers()
        written = self.folder / f"shop.{ending}"
        self.ward("export", written, "--format", form)
        self.ward("export", self.folder / "before")
        self.store = self.folder / "second.db"
        self.ward("index", path, "--no-suggest")
        self.ward("import", form, written, "--out", self.folder / "back")
        self.ward("apply", self.folder / "back")
        self.ward("export", self.folder / "after")
        self.assertEqual(self.files(self.folder / "before"), self.files(self.folder / "after"))
        self.assertEqual(before, self.numbers())

    def test_ossie(self):
        self.round_trip("ossie", "json")

    def test_cube(self):
        self.round_trip("cube", "yml")

    def test_metricflow(self):
        self.round_trip("metricflow", "yml")

    def test_import_straight_into_a_store(self):
        path = self.defined_shop()
        self.ward("export", self.folder / "cubes.yml", "--format", "cube")
        self.store = self.folder / "second.db"
        self.ward("index", path, "--no-suggest")
        self.ward("import", "cube", self.folder / "cubes.yml", "--strict")
        self.ward("check")

    def test_an_export_writes_over_nothing(self):
        self.defined_shop()
        self.ward("export", self.folder / "cubes.yml", "--format", "cube")
        self.ward("export", self.folder / "cubes.yml", "--format", "cube", code=2)


if __name__ == "__main__":
    unittest.main()
