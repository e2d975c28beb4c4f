#include <filesystem>
#include <fstream>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/result_matchers.h"
#include "packs/library.h"
#include "packs/pack.h"
#include "packs/profile.h"

namespace schemaward::packs {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

PackFiles Good() {
  return {
      {"pack.yaml", R"(name: Shops
description: of shops
version: "1"
categories:
  - {id: big, name: Big, description: many things}
areas:
  - id: sales
    name: Sales
    description: what is sold
    keywords: [order, revenue]
    priority: 2
  - id: stock
    name: Stock
    description: what is there
    keywords: [sku]
    priority: 1
    category: big
)"},
      {"prompts/base.md", "An order has lines.\n"},
      {"prompts/exploration.md", "{{ACTIONS}}\n{{QUESTION}}\n{{SCHEMA_INFO}}\n"},
      {"prompts/recommendations.md", "{{INSIGHTS}}\n"},
      {"categories/big.md", "It is big.\n"},
      {"areas/sales.md", "{{QUERY_RESULTS}}\n"},
      {"areas/stock.md", "{{QUERY_RESULTS}}\n"},
      {"profile.schema.json", R"({"type":"object","properties":{"currency":{"type":"string"}}})"}};
}

std::vector<std::string> FaultsOf(const PackFiles& files, std::string_view id = "shops") {
  std::vector<std::string> texts;
  for (const PackFault& fault : ReadPack(id, files).faults) texts.push_back(fault.ToText());
  return texts;
}

// The good pack with one text of a file replaced.
PackFiles With(const std::string& file, const std::string& from, const std::string& to) {
  PackFiles files = Good();
  std::string& text = files.at(file);
  text.replace(text.find(from), from.size(), to);
  return files;
}

TEST(Pack, IsReadWithItsAreasByPriority) {
  const LoadedPack loaded = ReadPack("shops", Good());
  EXPECT_THAT(FaultsOf(Good()), IsEmpty());
  const Pack& pack = loaded.pack;
  EXPECT_EQ(pack.name, "Shops");
  EXPECT_EQ(pack.areas.at(0).id, "stock");
  EXPECT_THAT(pack.areas.at(1).keywords, ElementsAre("order", "revenue"));
  EXPECT_EQ(pack.AreasOf("").size(), 1U);
  EXPECT_EQ(pack.AreasOf("big").size(), 2U);
  EXPECT_EQ(pack.exploration.Fill({{"SCHEMA_INFO", "t|1c"}, {"QUESTION", "why?"}}),
            "\nwhy?\nt|1c\n");
}

TEST(Pack, EachFaultIsNamedWithItsFileItsLineAndTheNearestName) {
  struct Case {
    const char* name;
    PackFiles files;
    std::string fault;
  };
  PackFiles no_manifest = Good();
  no_manifest.erase("pack.yaml");
  PackFiles no_area = Good();
  no_area.erase("areas/sales.md");
  no_area["areas/sale.md"] = "{{QUERY_RESULTS}}";
  PackFiles no_profile = Good();
  no_profile.erase("profile.schema.json");
  const std::string manifest = "pack.yaml";
  for (const Case& c : std::vector<Case>{
           {"no manifest", no_manifest, "pack.yaml: the file is not there"},
           {"no yaml", With(manifest, "areas:", "areas: ]"), "pack.yaml:6: the file is no YAML"},
           {"unknown key", With(manifest, "version:", "verson:"),
            "pack.yaml:3: a pack has no \"verson\"; the nearest is \"version\""},
           {"missing key", With(manifest, "name: Shops\n", ""), "pack.yaml:1: \"name\" is missing"},
           {"area key", With(manifest, "    priority: 2", "    prio: 2"),
            "pack.yaml:11: an area has no \"prio\"; the nearest is \"priority\""},
           {"priority", With(manifest, "priority: 2", "priority: 0"),
            "pack.yaml:11: \"priority\" is no number of 1 to 100"},
           {"priority text", With(manifest, "priority: 2", "priority: high"),
            "pack.yaml:11: \"priority\" is no number of 1 to 100"},
           {"no keywords", With(manifest, "keywords: [sku]", "keywords: []"),
            "pack.yaml:12: the area has no keywords"},
           {"category", With(manifest, "category: big", "category: bigg"),
            "pack.yaml:17: there is no category \"bigg\"; the nearest is \"big\""},
           {"twice", With(manifest, "id: stock", "id: sales"),
            "pack.yaml:12: \"sales\" is there twice"},
           {"id", With(manifest, "id: stock", "id: Stock/.."), "is no id: small letters"},
           {"hidden", With(manifest, "version:", "hidden: maybe\nversion:"),
            "pack.yaml:3: \"hidden\" is neither true nor false"},
           {"areas", With(manifest, "areas:\n  - id: sales", "areas: {}\nx:\n  - id: sales"),
            "pack.yaml:6: \"areas\" is no list of at most 50"},
           {"prompt is not there", no_area,
            "areas/sales.md: the file is not there; the nearest is \"areas/sale.md\""},
           {"stray", no_area,
            "areas/sale.md: nothing in the pack means this file; the nearest is "
            "\"areas/sales.md\""},
           {"hole", With("prompts/base.md", "lines", "\n{{SHEMA_INFO}}"),
            "prompts/base.md:2: no hole is called \"SHEMA_INFO\"; the nearest is \"SCHEMA_INFO\""},
           {"hole without its end", With("prompts/base.md", "lines", "\n{{QUESTION"),
            "prompts/base.md:2: a hole does not end"},
           {"needed hole", With("prompts/exploration.md", "{{SCHEMA_INFO}}", "tables"),
            "prompts/exploration.md: {{SCHEMA_INFO}} is missing"},
           {"results", With("areas/stock.md", "{{QUERY_RESULTS}}", ""),
            "areas/stock.md: {{QUERY_RESULTS}} is missing"},
           {"no profile", no_profile, "profile.schema.json: the file is not there"},
           {"profile", With("profile.schema.json", "\"object\"", "\"array\""),
            "profile.schema.json: it is no JSON Schema of an object"},
           {"profile from elsewhere",
            With("profile.schema.json", "\"type\":\"string\"", "\"$ref\":\"http://x/y\""),
            "profile.schema.json: it refers to another document"}})
    EXPECT_THAT(FaultsOf(c.files), Contains(HasSubstr(c.fault))) << c.name;
  EXPECT_THAT(FaultsOf(Good(), "Shops!"), Contains(HasSubstr("is no name of a pack")));
}

TEST(Pack, IsBounded) {
  PackFiles large = Good();
  large["prompts/base.md"] = std::string(kFileBytesMax, 'x');
  EXPECT_THAT(FaultsOf(large), IsEmpty());
  large["prompts/base.md"] += 'x';
  EXPECT_THAT(FaultsOf(large), ElementsAre(HasSubstr("more than 60000 bytes")));
  PackFiles many = Good();
  for (std::size_t i = 0; i < kFilesMax; ++i) many[fmt::format("f{}", i)] = "";
  EXPECT_THAT(FaultsOf(many), ElementsAre(HasSubstr("more than 200 files")));
  PackFiles faulty = Good();
  for (int i = 0; i < 190; ++i) faulty[fmt::format("f{}", i)] = "";
  EXPECT_EQ(ReadPack("shops", faulty).faults.size(), kFaultsMax);
}

TEST(Profile, IsHeldAgainstTheSchemaOfItsPack) {
  const std::string schema = Good().at("profile.schema.json");
  EXPECT_THAT(CheckProfile(schema, R"({"currency":"EUR"})"), IsOk());
  const auto wrong = CheckProfile(schema, R"({"currency":5})");
  ASSERT_THAT(wrong, IsError(ErrorKind::InputUnreadable));
  EXPECT_THAT(wrong.error().message(), HasSubstr("currency"));
  EXPECT_THAT(CheckProfile(schema, "{"), IsError(ErrorKind::InputUnreadable));
}

class LibraryTest : public ::testing::Test {
 protected:
  LibraryTest()
      : folder_(fs::temp_directory_path() /
                fmt::format("ward_packs_{}_{}",
                            ::testing::UnitTest::GetInstance()->current_test_info()->name(),
                            ::getpid())),
        library_((folder_ / "imported").string()) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~LibraryTest() override { fs::remove_all(folder_); }
  std::string Folder(const std::string& name) const { return (folder_ / name).string(); }

  fs::path folder_;
  Library library_;
};

TEST_F(LibraryTest, EveryBuiltInPackIsGood) {
  const auto packs = library_.List();
  ASSERT_THAT(packs, IsOk());
  std::vector<std::string> ids;
  for (const FoundPack& pack : *packs) {
    EXPECT_THAT(FaultsOf(pack.files, pack.id), IsEmpty()) << pack.id;
    ids.push_back(pack.id);
  }
  EXPECT_THAT(ids, ElementsAre("ecommerce", "gaming", "generic", "social", "system-test"));
}

TEST_F(LibraryTest, NoPromptOfABuiltInPackNamesABudget) {
  const auto packs = library_.List();
  for (const FoundPack& pack : *packs)
    EXPECT_THAT(pack.files.at("prompts/exploration.md"),
                ::testing::Not(HasSubstr("lookup_schema")));
}

TEST_F(LibraryTest, APackGoesOutAndComesInUnchanged) {
  const auto pack = library_.Find("ecommerce");
  ASSERT_THAT(pack, IsOk());
  ASSERT_THAT(WritePackFolder(Folder("shop"), pack->files, false), IsOk());
  EXPECT_THAT(library_.Import(Folder("shop"), false), IsOk());
  const auto imported = library_.Find("shop");
  ASSERT_THAT(imported, IsOk());
  EXPECT_FALSE(imported->is_built_in);
  EXPECT_EQ(imported->files, pack->files);
}

TEST_F(LibraryTest, NothingIsOverwrittenUnlessAsked) {
  ASSERT_THAT(WritePackFolder(Folder("generic"), Good(), false), IsOk());
  EXPECT_THAT(WritePackFolder(Folder("generic"), Good(), false),
              IsError(ErrorKind::InputUnreadable));
  EXPECT_THAT(WritePackFolder(Folder("generic"), Good(), true), IsOk());
  EXPECT_THAT(library_.Import(Folder("generic"), false), IsError(ErrorKind::InputUnreadable));
  EXPECT_TRUE(library_.Find("generic")->is_built_in);
  ASSERT_THAT(library_.Import(Folder("generic"), true), IsOk());
  EXPECT_EQ(library_.Find("generic")->files, Good());
}

TEST_F(LibraryTest, AFaultyPackIsNotImported) {
  ASSERT_THAT(WritePackFolder(Folder("bad"), With("pack.yaml", "version:", "verson:"), false),
              IsOk());
  const auto imported = library_.Import(Folder("bad"), true);
  ASSERT_THAT(imported, IsError(ErrorKind::InputUnreadable));
  EXPECT_THAT(imported.error().message(), HasSubstr("pack.yaml:1: \"version\" is missing; 1 more"));
  EXPECT_THAT(library_.Find("bad"), IsError(ErrorKind::InvalidArgument));
}

TEST_F(LibraryTest, LinksAreNotFollowedAndFoldersMustBeThere) {
  ASSERT_THAT(WritePackFolder(Folder("linked"), Good(), false), IsOk());
  fs::create_symlink("/etc/hostname", folder_ / "linked" / "prompts" / "x.md");
  EXPECT_THAT(library_.Import(Folder("linked"), false), IsError(ErrorKind::InputUnreadable));
  EXPECT_THAT(ReadPackFolder(Folder("nowhere")), IsError(ErrorKind::InputUnreadable));
}

TEST_F(LibraryTest, AWrongNameComesWithTheNearest) {
  const auto found = library_.Find("e-commerce");
  ASSERT_THAT(found, IsError(ErrorKind::InvalidArgument));
  EXPECT_EQ(found.error().recovery().fuzzy_matches.at(0), "ecommerce");
}

}  // namespace
}  // namespace schemaward::packs
