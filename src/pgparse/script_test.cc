#include "pgparse/script.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace schemaward::pgparse {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<Statement> Split(std::string_view script) {
  std::vector<Statement> all;
  ScriptReader reader(script);
  for (Statement statement; reader.Next(statement);) all.push_back(statement);
  return all;
}

std::vector<std::string> Texts(std::string_view script) {
  std::vector<std::string> texts;
  for (const Statement& statement : Split(script)) texts.push_back(statement.text);
  return texts;
}

struct Case {
  const char* name;
  const char* script;
  std::vector<std::string> expected;
};

class ScriptCases : public ::testing::TestWithParam<Case> {};

TEST_P(ScriptCases, AreCutAsPsqlCutsThem) {
  EXPECT_EQ(Texts(GetParam().script), GetParam().expected) << GetParam().name;
}

INSTANTIATE_TEST_SUITE_P(
    All, ScriptCases,
    ::testing::Values(
        Case{"two", "a 1; b 2", {"a 1", "b 2"}}, Case{"empty", " ; ;; -- x\n /* y */ ", {}},
        Case{"quotes", "a ';' \";\" 'it''s;'; b", {"a ';' \";\" 'it''s;'", "b"}},
        Case{"backslash_is_plain", "a 'x\\'; b", {"a 'x\\'", "b"}},
        Case{"escape_string", "a E'x\\';y'; b", {"a E'x\\';y'", "b"}},
        Case{"escape_string_goes_on", "a e'x'\n 'y\\';'; b", {"a e'x'\n 'y\\';'", "b"}},
        Case{"word_that_ends_in_e", "a namE'x\\'; b", {"a namE'x\\'", "b"}},
        Case{"unicode_quote", "a U&'x\\'; b U&\";\"; c", {"a U&'x\\'", "b U&\";\"", "c"}},
        Case{"dollar", "a $$;$$ b; c", {"a $$;$$ b", "c"}},
        Case{"dollar_tag", "a $t$ $$; $t$; c", {"a $t$ $$; $t$", "c"}},
        Case{"dollar_in_a_name", "a$b$; c$b$", {"a$b$", "c$b$"}},
        Case{"parameter", "a $1;b $2$;$2$", {"a $1", "b $2$", "$2$"}},
        Case{"nested_comment", "a /* ; /* ; */ ; */ 1; b", {"a /* ; /* ; */ ; */ 1", "b"}},
        Case{"line_comment", "a -- ;'\n1; b", {"a -- ;'\n1", "b"}},
        Case{"open_parenthesis_does_not_swallow", "a (; b", {"a (", "b"}},
        Case{"rule",
             "create or replace rule r as on insert to t do (a; b); c",
             {"create or replace rule r as on insert to t do (a; b)", "c"}},
        Case{"atomic",
             "CREATE FUNCTION f() BEGIN ATOMIC SELECT CASE 1 WHEN 2 THEN 3 END; SELECT 4; END; b",
             {"CREATE FUNCTION f() BEGIN ATOMIC SELECT CASE 1 WHEN 2 THEN 3 END; SELECT 4; END",
              "b"}},
        Case{"begin_alone_is_a_statement",
             "BEGIN; CREATE TABLE a (); END; b",
             {"BEGIN", "CREATE TABLE a ()", "END", "b"}},
        Case{"copy", "COPY a (b) FROM stdin;\n1;2\n'\n\\.\nc", {"COPY a (b) FROM stdin", "c"}},
        Case{"copy_crlf", "copy a from stdin;\r\n;\r\n\\.\r\nc;\r\n", {"copy a from stdin", "c"}},
        Case{"copy_of_a_file", "COPY a FROM '/x'; b", {"COPY a FROM '/x'", "b"}},
        Case{"copy_without_an_end", "COPY a FROM stdin;\n1\n2", {"COPY a FROM stdin"}},
        Case{"meta", "\\connect x\n\\set a ';'\nb;\n\\restrict k\nc", {"b", "c"}},
        Case{"meta_copy", "\\copy a from stdin with csv\n';\n\\.\nb", {"b"}},
        Case{"meta_copy_of_a_file", "\\copy a from 'x.csv'\nb", {"b"}},
        Case{"meta_sends", "a 1\n\\g\nb \\gexec\nc", {"a 1\n", "b ", "c"}},
        Case{"meta_resets", "a 1\n\\r\nb", {"b"}},
        Case{"byte_order_mark",
             "\xEF\xBB\xBF"
             "a",
             {"a"}},
        Case{"backslashes_escape_when_told",
             "SET standard_conforming_strings = off; a 'x\\';y'; b",
             {"SET standard_conforming_strings = off", "a  E'x\\';y'", "b"}},
        Case{"and_no_more_when_told",
             "set standard_conforming_strings to off; SET standard_conforming_strings = on; a "
             "'x\\'; b",
             {"set standard_conforming_strings to off", "SET standard_conforming_strings = on",
              "a 'x\\'", "b"}},
        Case{"unclosed", "a; b 'c; d", {"a", "b 'c; d"}}),
    [](const auto& one) { return std::string(one.param.name); });

TEST(Script, KnowsLinesWordsAndDepth) {
  const std::vector<Statement> all = Split("\n-- x\nCREATE  TABLE \"A\" (a int[]);\r\n\nDROP b;");
  ASSERT_THAT(all, SizeIs(2));
  EXPECT_EQ(all[0].line, 3);
  EXPECT_THAT(all[0].head, ElementsAre("create", "table", "", "a", "int"));
  EXPECT_EQ(all[0].depth, 2);
  EXPECT_GE(all[0].tokens, 9);
  EXPECT_EQ(all[1].line, 5);
}

TEST(Script, NamesIncludedFiles) {
  const std::vector<Statement> all = Split("a;\n\\ir more.sql\nb;");
  ASSERT_THAT(all, SizeIs(3));
  EXPECT_EQ(all[1].origin, StatementOrigin::Include);
  EXPECT_EQ(all[1].line, 2);
  EXPECT_EQ(all[2].origin, StatementOrigin::Sql);
}

TEST(Script, KeepsTheBoundOnBytes) {
  const std::string at_bound = "a" + std::string(kStatementBytesMax - 1, 'b');
  EXPECT_FALSE(Split(at_bound + ";")[0].truncated);
  const std::vector<Statement> past = Split(at_bound + "b; c");
  EXPECT_TRUE(past[0].truncated);
  EXPECT_EQ(past[0].text.size(), kStatementBytesMax);
  EXPECT_EQ(past[1].text, "c");
}

TEST(Script, HasNothingInAnEmptyText) { EXPECT_THAT(Split(""), IsEmpty()); }

}  // namespace
}  // namespace schemaward::pgparse
