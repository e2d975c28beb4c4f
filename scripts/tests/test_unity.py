"""Files are grouped so that none of a group stands in another's way."""
import pathlib, sys, tempfile, unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import unity


class Groups(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def files(self, **texts):
        for name, text in texts.items():
            (self.folder / f"{name}.cc").write_text(text)
        return [self.folder / f"{name}.cc" for name in texts]

    def grouped(self, **texts):
        return [[file.stem for file in group] for group in unity.groups_of(self.files(**texts))]

    def test_strangers_go_together(self):
        self.assertEqual(self.grouped(a="int One() { return 1; }\n", b="int Two() { return 2; }\n"), [["a", "b"]])

    def test_each_kind_of_name_that_both_define_keeps_them_apart(self):
        for line in ("struct Same {", "class Same : public Other {", "enum class Same {", "using Same = int;", "constexpr int Same = 1;", "static int Same;",
                     "std::vector<int> Same(int a, int b) {", "const std::map<int, std::string> Same{", "template <class T> void Same(T t) {", "TEST(Suite, Same) {", "const char Same[] = {"):
            self.assertEqual(self.grouped(a=line + "\n", b=line + "\n"), [["a"], ["b"]], line)

    def test_each_constant_of_a_line_counts(self):
        self.assertEqual(self.grouped(a="constexpr int kA = 1, kSame = 2;\n", b="constexpr int kB = 1, kSame = 2;\n"), [["a"], ["b"]])

    def test_names_within_functions_and_classes_do_not_count(self):
        self.assertEqual(self.grouped(a="struct A {\n  int same;\n};\n", b="struct B {\n  int same;\n};\n"), [["a", "b"]])

    def test_a_name_of_a_header_that_only_the_other_includes_keeps_them_apart(self):
        self.addCleanup(setattr, unity, "ROOT", unity.ROOT)
        unity.ROOT = self.folder
        (self.folder / "src").mkdir()
        (self.folder / "src/inner.h").write_text("struct Same {\n};\n")
        (self.folder / "src/outer.h").write_text('#include "inner.h"\n')
        include = '#include "outer.h"\n'
        self.assertEqual(self.grouped(a="int Same(int a) {\n", b=include), [["a"], ["b"]])
        self.assertEqual(self.grouped(c=include, d="int Same(int a) {\n"), [["c"], ["d"]])
        self.assertEqual(self.grouped(g="using other::Same;\n", h=include), [["g"], ["h"]])
        self.assertEqual(self.grouped(i="using other::Same;\n", j="using other::Same;\n"), [["i", "j"]])
        self.assertEqual(self.grouped(e=include + "int Same(int a) {\n", f=include), [["e", "f"]])

    def test_tests_of_one_suite_go_together(self):
        self.assertEqual(self.grouped(a="TEST(Suite, One) {\n", b="TEST(Suite, Two) {\n"), [["a", "b"]])

    def test_a_file_whose_macros_outlive_it_stays_alone(self):
        self.assertEqual(self.grouped(a="#define A 1\n", b="int b;\n", c="#define C 1\n#undef C\n"), [["a"], ["b", "c"]])

    def test_a_group_has_a_most(self):
        names = [f"f{i}" for i in range(unity.GROUP_MAX + 1)]
        self.assertEqual([len(group) for group in self.grouped(**{name: f"int {name};\n" for name in names})], [unity.GROUP_MAX, 1])

    def test_writes_what_each_target_is_made_from(self):
        a, b, c = self.files(a="int a;\n", b="int b;\n", c="int a;\n")
        self.addCleanup(setattr, unity, "ROOT", unity.ROOT)
        unity.ROOT = self.folder
        out = self.folder / "out"
        out.mkdir()
        (out / "files.txt").write_text("".join(f"ward_x {file}\n" for file in (a, b, c)) + f"ward_y {a}\n")
        unity.main(out)
        self.assertEqual((out / "groups.cmake").read_text().splitlines()[1:],
                         [f"target_sources(ward_x PRIVATE {c} {out / 'ward_x_0.cc'})", f"target_sources(ward_y PRIVATE {a})"])
        self.assertEqual(unity.members_of(out / "ward_x_0.cc"), [a, b])
        (out / "apart.txt").write_text("ward_x_0.cc\n")
        unity.main(out)
        self.assertEqual((out / "groups.cmake").read_text().splitlines()[1], f"target_sources(ward_x PRIVATE {c} {a} {b})")
        (out / "apart.txt").unlink()
        before = (out / "ward_x_0.cc").stat().st_mtime_ns
        unity.main(out)
        self.assertEqual((out / "ward_x_0.cc").stat().st_mtime_ns, before)


if __name__ == "__main__":
    unittest.main()
