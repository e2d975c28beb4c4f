// Vectors of tables: which are made, and again only where the text is new.
#include "index/embed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/clock.h"
#include "base/result_matchers.h"
#include "store/descriptions.h"
#include "store/testing.h"
#include "store/vectors.h"

namespace schemaward::index {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class Embed : public ::testing::Test {
 protected:
  Embed() { store_ = store::Store::Open(folder_.File("store.db"), {.create = true}).value(); }

  void Index(const std::vector<catalog::Table>& tables) {
    source_ = store::PutIndexed(*store_, "shop", tables).value();
  }
  std::shared_ptr<llm::ScriptedEmbedder> Embedder(const std::string& name,
                                                  int fail_after = 1 << 20) {
    return std::make_shared<llm::ScriptedEmbedder>(
        llm::EmbedderInfo{"scripted", name},
        [left = fail_after](const std::string&) mutable -> Result<std::vector<float>> {
          if (left-- <= 0) return Error(ErrorKind::SourceUnreachable, "away");
          return std::vector<float>{1, 2};
        });
  }
  Result<EmbedSummary> Run(llm::Embedder& embedder) {
    return EmbedTables(*store_, source_, policy_, embedder, ctx_);
  }

  store::TempFolder folder_;
  std::unique_ptr<store::Store> store_;
  store::Source source_;
  privacy::Policy policy_;
  SystemClock clock_;
  CallContext ctx_{clock_};
};

TEST_F(Embed, OnlyWhatChangedIsEmbeddedAgain) {
  Index({store::MakeTable("main", "a"), store::MakeTable("main", "b", {"id", "x"})});
  const auto embedder = Embedder("e");
  auto summary = Run(*embedder);
  ASSERT_THAT(summary, IsOk());
  EXPECT_EQ(summary->embedded, 2);
  EXPECT_THAT(embedder->Texts(), ElementsAre("main.a\ncolumns: id,", "main.b\ncolumns: id, x,"));
  summary = Run(*embedder);
  EXPECT_EQ(summary->embedded, 0);
  EXPECT_EQ(summary->unchanged, 2);
  const auto entries = store_->ListTables({}, {}, 10).value();
  ASSERT_THAT(store::PutDescriptions(*store_, entries[0].id, {{"", "about a", "p:m", 1, 1}}),
              IsOk());
  summary = Run(*embedder);
  EXPECT_EQ(summary->embedded, 1);
  EXPECT_THAT(embedder->Texts().back(), HasSubstr("main.a: about a"));
}

TEST_F(Embed, AnotherModelMakesThemAllAnew) {
  Index({store::MakeTable("main", "a")});
  ASSERT_THAT(Run(*Embedder("e")), IsOk());
  ASSERT_THAT(Run(*Embedder("f")), IsOk());
  EXPECT_FALSE(*store::HasVectors(*store_, "scripted:e", {}));
  EXPECT_TRUE(*store::HasVectors(*store_, "scripted:f", {}));
}

TEST_F(Embed, ARunThatBreaksOffIsTakenUp) {
  std::vector<catalog::Table> tables;
  for (int i = 0; i < 70; ++i) tables.push_back(store::MakeTable("main", "t" + std::to_string(i)));
  Index(tables);
  EXPECT_THAT(Run(*Embedder("e", 66)), IsError(ErrorKind::SourceUnreachable));
  const auto summary = Run(*Embedder("e"));
  ASSERT_THAT(summary, IsOk());
  EXPECT_EQ(summary->unchanged, 64);
  EXPECT_EQ(summary->embedded, 6);
}

TEST_F(Embed, TextsAreBoundedAndHoldNoValues) {
  catalog::Table table = store::MakeTable("main", "wide");
  table.comment = std::string(1'000, 'c');
  table.columns.resize(2'000, table.columns[0]);
  table.columns[0].labels = {"secret-label"};
  table.columns[0].default_value = "'secret-default'";
  const std::string text = EmbeddedText(policy_, table);
  EXPECT_LE(text.size(), kEmbeddedTextMax);
  EXPECT_THAT(text, HasSubstr("columns: id"));
  EXPECT_THAT(text, Not(HasSubstr("secret")));
}

}  // namespace
}  // namespace schemaward::index
