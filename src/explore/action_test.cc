#include "explore/action.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "explore/limits.h"

namespace schemaward::explore {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

const std::vector<ActionKind> kAll = {ActionKind::QueryData, ActionKind::LookupSchema,
                                      ActionKind::SearchTables, ActionKind::Complete};
const std::vector<ActionKind> kVerifier = {ActionKind::LookupSchema, ActionKind::QueryData};

struct Case {
  const char* name;
  std::string reply;
  std::string expected;  ///< ToJson of the action
};

class Accepted : public ::testing::TestWithParam<Case> {};

TEST_P(Accepted, IsTheAction) {
  const ParsedAction parsed = ParseAction(GetParam().reply, kAll);
  ASSERT_TRUE(parsed.action) << parsed.why;
  EXPECT_EQ(ToJson(*parsed.action), GetParam().expected);
}

const std::string kQuery = R"({"query":"SELECT 1"})";
const std::string kLookup = R"({"lookup_schema":["a.b"]})";
const std::string kSearch = R"({"search_tables":"carts"})";
const std::string kDone = R"({"done":true})";

INSTANTIATE_TEST_SUITE_P(
    Shapes, Accepted,
    ::testing::Values(
        Case{"Query", R"({"thinking":"t","query":" SELECT 1 "})", kQuery},
        Case{"QueryWithPurpose", R"({"query":"SELECT 1","query_purpose":"p"})",
             R"({"query":"SELECT 1","query_purpose":"p"})"},
        Case{"Lookup", kLookup, kLookup},
        Case{"LookupAsOneText", R"({"lookup_schema":"a.b"})", kLookup},
        Case{"Search", kSearch, kSearch},
        Case{"SearchWithHits", R"({"search_tables":"carts","search_top_k":7})",
             R"({"search_tables":"carts","search_top_k":7})"},
        Case{"SearchWithHitsAsText", R"({"search_tables":"carts","search_top_k":"7"})",
             R"({"search_tables":"carts","search_top_k":7})"},
        Case{"Done", R"({"done":true,"summary":"s"})", R"({"done":true,"summary":"s"})"},
        Case{"EnvelopeQuery", R"({"name":"query_data","input":{"query":"SELECT 1"}})", kQuery},
        Case{"EnvelopeLookup", R"({"name":"lookup_schema","input":{"tables":["a.b"]}})", kLookup},
        Case{"EnvelopeSearch", R"({"name":"search_tables","input":{"query":"carts","top_k":3}})",
             R"({"search_tables":"carts","search_top_k":3})"},
        Case{"EnvelopeComplete", R"({"name":"complete","input":{"reason":"r"}})",
             R"({"done":true,"summary":"r"})"},
        Case{"EnvelopeNeverOverrides",
             R"({"query":"SELECT 1","name":"query_data","input":{"query":"SELECT 2"}})", kQuery},
        Case{"LegacyQuery", R"({"action":"query_data","query":"SELECT 1"})", kQuery},
        Case{"LegacyLookup", R"({"action":"lookup_schema","tables":["a.b"]})", kLookup},
        Case{"LegacyComplete", R"({"action":"complete","reason":"r"})",
             R"({"done":true,"summary":"r"})"},
        Case{"DoneGoesFirst", R"({"query":"SELECT 1","done":true})", kDone},
        Case{"DoneFalseIsNothing", R"({"query":"SELECT 1","done":false})", kQuery},
        Case{"QueryBeforeLookup", R"({"lookup_schema":["a.b"],"query":"SELECT 1"})", kQuery},
        Case{"LookupBeforeSearch", R"({"search_tables":"x","lookup_schema":["a.b"]})", kLookup}),
    [](const auto& row) { return row.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Around, Accepted,
    ::testing::Values(
        Case{"Prose", "I will look.\n" + kLookup + "\nDone soon.", kLookup},
        Case{"Fence", "```json\n" + kQuery + "\n```", kQuery},
        Case{"FenceInCapitals", "```JSON\n" + kQuery + "\n```", kQuery},
        Case{"FenceWithoutTag", "```\n" + kQuery + "\n```", kQuery},
        Case{"PlanBefore", R"({"plan":["query","look"]})" + kSearch, kSearch},
        Case{"PlanWithADraftQueryBefore", R"({"query":"SELECT 0"} then )" + kLookup, kLookup},
        Case{"ReflectionAfter", kLookup + R"( {"confidence":0.9})", kLookup},
        Case{"EmptyObjectAfter", kLookup + " {}", kLookup},
        Case{"BraceOfProseAfter", kLookup + " so {", kLookup},
        Case{"EnvelopeInProse",
             R"(Calling {"name":"lookup_schema","input":{"tables":["a.b"]}} now)", kLookup},
        Case{"ListOfOne", "[" + kQuery + "]", kQuery},
        Case{"ListOfOneInAFence", "```json\n[\n" + kQuery + "\n]\n```", kQuery},
        Case{"ThinkBefore", "<think>maybe {\"query\":\"SELECT 0\"}</think>" + kLookup, kLookup},
        Case{"ThinkingBefore", "<Thinking>{</Thinking>" + kLookup, kLookup},
        Case{"ThinkAfter", kLookup + "<think>{\"query\":\"SELECT 0\"}</think>", kLookup},
        Case{"ThinkWithoutItsOpening", "so { \"query\"</think>" + kLookup, kLookup},
        Case{"DraftBeforeAClosingTag", kQuery + "</think>" + kLookup, kLookup},
        Case{"TagInAString", R"({"query":"SELECT '<think>x</think>{'"})",
             R"({"query":"SELECT '<think>x</think>{'"})"},
        Case{"BracesAndQuotesInAString", R"({"query":"SELECT '}{' || \"a\\\"b\""})",
             R"({"query":"SELECT '}{' || \"a\\\"b\""})"},
        Case{"BrokenObjectBefore", "{not json} " + kQuery, kQuery}),
    [](const auto& row) { return row.param.name; });

struct Refusal {
  const char* name;
  std::string reply;
  ParseFault fault;
};

class Refused : public ::testing::TestWithParam<Refusal> {};

TEST_P(Refused, IsNoAction) {
  const ParsedAction parsed = ParseAction(GetParam().reply, kAll);
  EXPECT_FALSE(parsed.action);
  EXPECT_EQ(parsed.fault, GetParam().fault) << parsed.why;
  EXPECT_FALSE(parsed.why.empty());
}

INSTANTIATE_TEST_SUITE_P(
    Corpus, Refused,
    ::testing::Values(
        Refusal{"Nothing", "", ParseFault::NoJson},
        Refusal{"Prose", "We are done. The exploration is complete.", ParseFault::NoJson},
        Refusal{"SqlWithoutItsObject", "```sql\nSELECT 1\n```", ParseFault::NoJson},
        Refusal{"OnlyThinking", "<think>" + kQuery + "</think>", ParseFault::NoJson},
        Refusal{"ThinkingThatDoesNotEnd", "<think>" + kQuery, ParseFault::NoJson},
        Refusal{"ThinkingObject", R"({"thinking":"let me see"})", ParseFault::NoAction},
        Refusal{"UnknownEnvelope", R"({"name":"drop_table","input":{"query":"x"}})",
                ParseFault::NoAction},
        Refusal{"UnknownAction", R"({"action":"explore"})", ParseFault::NoAction},
        Refusal{"EnvelopeWithoutInput", R"({"name":"lookup_schema"})", ParseFault::NoAction},
        Refusal{"CutPlanWithANestedObject", R"({"plan":{"query":"SELECT 1"},)", ParseFault::Cut},
        Refusal{"CutPlanWithANestedList", R"({"plan":[{"query":"SELECT 1"}])", ParseFault::Cut},
        Refusal{"CutQuery", R"({"query":"SELECT 1)", ParseFault::Cut},
        Refusal{"CutActionAfterADraft", kQuery + R"( {"lookup_schema":["a)", ParseFault::Cut},
        Refusal{"StrayBraceBefore", "{ so " + kQuery, ParseFault::Cut},
        Refusal{"NotJson", "{query: SELECT 1}", ParseFault::NotJson},
        Refusal{"SeveralActions", "[" + kQuery + ", " + kLookup + "]", ParseFault::Several},
        Refusal{"QueryAsObject", R"({"query":{"sql":"SELECT 1"}})", ParseFault::WrongShape},
        Refusal{"EmptyQuery", R"({"query":"  "})", ParseFault::WrongShape},
        Refusal{"LookupOfNumbers", R"({"lookup_schema":[1]})", ParseFault::WrongShape},
        Refusal{"SearchAsList", R"({"search_tables":["a"]})", ParseFault::WrongShape},
        Refusal{"HitsAsWords", R"({"search_tables":"a","search_top_k":"ten"})",
                ParseFault::WrongShape},
        Refusal{"DoneAsText", R"({"done":"true"})", ParseFault::NoAction}),
    [](const auto& row) { return row.param.name; });

TEST(AllowList, RefusesWhatTheCallerDoesNotTake) {
  EXPECT_TRUE(ParseAction(kQuery, kVerifier).action);
  EXPECT_TRUE(ParseAction(kLookup, kVerifier).action);
  for (const std::string& reply :
       {kSearch, kDone, std::string(R"({"done":true,"query":"SELECT 1"})")}) {
    const ParsedAction parsed = ParseAction(reply, kVerifier);
    EXPECT_FALSE(parsed.action) << reply;
    EXPECT_EQ(parsed.fault, ParseFault::NotAllowed) << reply;
  }
}

TEST(AReply, IsBounded) {
  const std::string action = kQuery;
  EXPECT_TRUE(ParseAction(std::string(kReplyBytesMax - action.size(), ' ') + action, kAll).action);
  EXPECT_FALSE(
      ParseAction(std::string(kReplyBytesMax + 1 - action.size(), ' ') + action, kAll).action);
}

TEST(AReply, ManyTagsAndBracesAreReadInOneGo) {
  std::string reply;
  for (int i = 0; i < 20'000; ++i) reply += "{}</b>";
  EXPECT_TRUE(ParseAction(reply + kQuery, kAll).action);
}

TEST(Nudge, NamesTheFaultAndEveryAllowedAction) {
  const std::string text = Nudge(ParseAction("prose", kVerifier), kVerifier);
  EXPECT_THAT(text, HasSubstr("no JSON object"));
  EXPECT_THAT(text, HasSubstr("lookup_schema"));
  EXPECT_THAT(text, HasSubstr("\"query\""));
  EXPECT_THAT(text, Not(HasSubstr("done")));
  const std::string all = Nudge(ParseAction("prose", kAll), kAll);
  for (const char* word : {"\"query\"", "lookup_schema", "search_tables", "\"done\""})
    EXPECT_THAT(all, HasSubstr(word));
}

TEST(AnAction, KeepsItsThinkingButDoesNotRepeatIt) {
  const auto action = ParseAction(R"({"thinking":"t","lookup_schema":["x","y"]})", kAll).action;
  ASSERT_TRUE(action);
  EXPECT_EQ(action->thinking, "t");
  EXPECT_THAT(action->tables, ElementsAre("x", "y"));
  EXPECT_EQ(ToJson(*action), R"({"lookup_schema":["x","y"]})");
}

}  // namespace
}  // namespace schemaward::explore
