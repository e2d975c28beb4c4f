#include "base/module_file.h"

#include <filesystem>
#include <fstream>

#include <dlfcn.h>
#include <gmock/gmock.h>

#include "base/result_matchers.h"
#include "base/temp_folder.h"

namespace schemaward {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

constexpr BuildStamp kStamp = MakeBuildStamp(ShapeOf({8, 16}), "1.2.3");

class ModuleFileTest : public ::testing::Test {
 protected:
  ModuleSpec Spec(const char* stamp_symbol = "ward_sample_stamp") const {
    return {"samples", "ward_sample.so", stamp_symbol,      kStamp,
            {},        "absent hint",    "unloadable hint", "other hint"};
  }
  Result<Module> Load(const ModuleSpec& spec) const {
    return Module::Load(spec, {folder_.File("none"), folder_.path()});
  }
  fs::path file() const { return folder_.File("ward_sample.so"); }
  const TempFolder folder_;
};

TEST_F(ModuleFileTest, SaysWhatIsNotInstalled) {
  const auto loaded = Load(Spec());
  ASSERT_THAT(loaded, IsError(ErrorKind::EngineUnavailable,
                              HasSubstr("the module of samples is not installed")));
  EXPECT_EQ(loaded.error().hint(), "absent hint");
  EXPECT_TRUE(FindModule({folder_.path()}, "ward_sample.so").empty());
}

TEST_F(ModuleFileTest, SaysWhatCannotBeLoaded) {
  std::ofstream(file()) << "no library";
  const auto loaded = Load(Spec());
  ASSERT_THAT(loaded, IsError(ErrorKind::EngineUnavailable, HasSubstr("could not be loaded")));
  EXPECT_EQ(loaded.error().hint(), "unloadable hint");
  EXPECT_EQ(FindModule({folder_.path()}, "ward_sample.so"), file());
}

// A library that is there on every machine shows no stamp.
TEST_F(ModuleFileTest, TakesNoLibraryWithoutAStamp) {
  Dl_info libc{};
  ASSERT_NE(dladdr(reinterpret_cast<void*>(&std::abort), &libc), 0);
  fs::create_symlink(fs::canonical(libc.dli_fname), file());
  const auto loaded = Load(Spec());
  ASSERT_THAT(loaded, IsError(ErrorKind::EngineUnavailable, HasSubstr("of another build")));
  EXPECT_EQ(loaded.error().hint(), "other hint");
}

TEST(BuildStamp, DiffersWithTheSizesAndTheVersion) {
  EXPECT_EQ(kStamp, MakeBuildStamp(ShapeOf({8, 16}), "1.2.3"));
  EXPECT_NE(kStamp, MakeBuildStamp(ShapeOf({16, 8}), "1.2.3"));
  EXPECT_NE(kStamp, MakeBuildStamp(ShapeOf({8, 16}), "1.2.4"));
  EXPECT_NE(std::string_view(kStamp.compiler.data()), "");
}

}  // namespace
}  // namespace schemaward
