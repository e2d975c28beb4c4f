#include "base/template_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/result_matchers.h"

namespace schemaward {
namespace {

using ::testing::HasSubstr;

std::string Filled(std::string_view text, const HoleTexts& texts) {
  const auto made = TemplateText::Parse(text, "prompt");
  return made ? made->Fill(texts) : made.error().message();
}

TEST(TemplateText, FillsHolesAndLeavesOutSectionsWithoutAText) {
  EXPECT_EQ(Filled("a {{X}} b{{#Y}} <{{Y}}>{{/Y}} c", {{"X", "1"}, {"Y", "2"}}), "a 1 b <2> c");
  EXPECT_EQ(Filled("a {{X}} b{{#Y}} <{{Y}}>{{/Y}} c", {{"X", "1"}, {"Y", ""}}), "a 1 b c");
  EXPECT_EQ(Filled("a {{X}}{{#Y}} y{{/Y}} c", {}), "a  c");
}

TEST(TemplateText, ReadsNothingThatWasFilledIn) {
  EXPECT_EQ(Filled("{{X}}", {{"X", "{{Y}}{{#Z}}"}, {"Y", "no"}}), "{{Y}}{{#Z}}");
}

TEST(TemplateText, BracesOfJsonAreNoHoles) {
  EXPECT_EQ(Filled(R"({"a":{"b":{}}} [{{"c"}}] {{ x)", {}), R"({"a":{"b":{}}} [{{"c"}}] {{ x)");
}

TEST(TemplateText, KnowsItsHolesWithTheirLines) {
  const auto made = TemplateText::Parse("one\n{{A}}\n{{#B}}\n{{/B}}", "prompt");
  ASSERT_THAT(made, IsOk());
  ASSERT_EQ(made->holes().size(), 2U);
  EXPECT_EQ(made->holes()[0].name, "A");
  EXPECT_EQ(made->holes()[0].line, 2U);
  EXPECT_TRUE(made->HasSection("B"));
  EXPECT_FALSE(made->HasSection("A"));
}

TEST(TemplateText, NamesTheLineOfAFault) {
  struct Case {
    const char* name;
    const char* text;
    const char* why;
  };
  for (const Case& c : {Case{"lower case", "\n{{schema_info}}", "line 2: \"{{schema_info}}\""},
                        Case{"blank in it", "{{SCHEMA INFO}}", "is not the name of a hole"},
                        Case{"no end", "a\nb {{A", "line 2: a hole does not end"},
                        Case{"open section", "{{#A}}", "section \"A\" does not end"},
                        Case{"closed twice", "{{#A}}{{/A}}{{/A}}", "ends where it is not open"},
                        Case{"crossed", "{{#A}}{{/B}}", "\"B\" ends where it is not open"},
                        Case{"nested", "{{#A}}{{#B}}{{/B}}{{/A}}", "begins inside \"A\""}}) {
    const auto made = TemplateText::Parse(c.text, "prompt");
    ASSERT_THAT(made, IsError(ErrorKind::InputUnreadable)) << c.name;
    EXPECT_THAT(made.error().message(), HasSubstr(c.why)) << c.name;
  }
}

}  // namespace
}  // namespace schemaward
