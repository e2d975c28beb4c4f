#include "explore/action.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "explore/limits.h"

namespace schemaward::explore {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

const std::vector<ActionKind> all_kinds = {ActionKind::QueryData, ActionKind::LookupSchema,
                                           ActionKind::SearchTables, ActionKind::Complete};
const std::vector<ActionKind> verifier_kinds = {ActionKind::LookupSchema, ActionKind::QueryData};

struct Case {
  const char* name;
  std::string reply;
  std::string expected;  ///< ToJson of the action
};

class Accepted : public ::testing::TestWithParam<Case> {};

TEST_P(Accepted, IsTheAction) {
  const ParsedAction parsed = ParseAction(GetParam().reply, all_kinds);
  ASSERT_TRUE(parsed.action) << parsed.why;
  EXPECT_EQ(ToJson(*parsed.action), GetParam().expected);
}

const std::string query_reply = R"({"query":"SELECT 1"})";
const std::string lookup_reply = R"({"lookup_schema":["a.b"]})";
const std::string search_reply = R"({"search_tables":"carts"})";
const std::string done_reply = R"({"done":true})";

INSTANTIATE_TEST_SUITE_P(
    Shapes, Accepted,
    ::testing::Values(
        Case{"Query", R"({"thinking":"t","query":" SELECT 1 "})", query_reply},
        Case{"QueryWithPurpose", R"({"query":"SELECT 1","query_purpose":"p"})",
             R"({"query":"SELECT 1","query_purpose":"p"})"},
        Case{"Lookup", lookup_reply, lookup_reply},
        Case{"LookupAsOneText", R"({"lookup_schema":"a.b"})", lookup_reply},
        Case{"Search", search_reply, search_reply},
        Case{"SearchWithHits", R"({"search_tables":"carts","search_top_k":7})",
             R"({"search_tables":"carts","search_top_k":7})"},
        Case{"SearchWithHitsAsText", R"({"search_tables":"carts","search_top_k":"7"})",
             R"({"search_tables":"carts","search_top_k":7})"},
        Case{"Done", R"({"done":true,"summary":"s"})", R"({"done":true,"summary":"s"})"},
        Case{"EnvelopeQuery", R"({"name":"query_data","input":{"query":"SELECT 1"}})", query_reply},
        Case{"EnvelopeLookup", R"({"name":"lookup_schema","input":{"tables":["a.b"]}})",
             lookup_reply},
        Case{"EnvelopeSearch", R"({"name":"search_tables","input":{"query":"carts","top_k":3}})",
             R"({"search_tables":"carts","search_top_k":3})"},
        Case{"EnvelopeComplete", R"({"name":"complete","input":{"reason":"r"}})",
             R"({"done":true,"summary":"r"})"},
        Case{"EnvelopeNeverOverrides",
             R"({"query":"SELECT 1","name":"query_data","input":{"query":"SELECT 2"}})",
             query_reply},
        Case{"LegacyQuery", R"({"action":"query_data","query":"SELECT 1"})", query_reply},
        Case{"LegacyLookup", R"({"action":"lookup_schema","tables":["a.b"]})", lookup_reply},
        Case{"LegacyComplete", R"({"action":"complete","reason":"r"})",
             R"({"done":true,"summary":"r"})"},
        Case{"DoneGoesFirst", R"({"query":"SELECT 1","done":true})", done_reply},
        Case{"DoneFalseIsNothing", R"({"query":"SELECT 1","done":false})", query_reply},
        Case{"QueryBeforeLookup", R"({"lookup_schema":["a.b"],"query":"SELECT 1"})", query_reply},
        Case{"LookupBeforeSearch", R"({"search_tables":"x","lookup_schema":["a.b"]})",
             lookup_reply}),
    [](const auto& row) { return row.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Around, Accepted,
    ::testing::Values(
        Case{"Prose", "I will look.\n" + lookup_reply + "\nDone soon.", lookup_reply},
        Case{"Fence", "```json\n" + query_reply + "\n```", query_reply},
        Case{"FenceInCapitals", "```JSON\n" + query_reply + "\n```", query_reply},
        Case{"FenceWithoutTag", "```\n" + query_reply + "\n```", query_reply},
        Case{"PlanBefore", R"({"plan":["query","look"]})" + search_reply, search_reply},
        Case{"PlanWithADraftQueryBefore", R"({"query":"SELECT 0"} then )" + lookup_reply,
             lookup_reply},
        Case{"ReflectionAfter", lookup_reply + R"( {"confidence":0.9})", lookup_reply},
        Case{"EmptyObjectAfter", lookup_reply + " {}", lookup_reply},
        Case{"BraceOfProseAfter", lookup_reply + " so {", lookup_reply},
        Case{"EnvelopeInProse",
             R"(Calling {"name":"lookup_schema","input":{"tables":["a.b"]}} now)", lookup_reply},
        Case{"ListOfOne", "[" + query_reply + "]", query_reply},
        Case{"ListOfOneInAFence", "```json\n[\n" + query_reply + "\n]\n```", query_reply},
        Case{"ThinkBefore", "<think>maybe {\"query\":\"SELECT 0\"}</think>" + lookup_reply,
             lookup_reply},
        Case{"ThinkingBefore", "<Thinking>{</Thinking>" + lookup_reply, lookup_reply},
        Case{"ThinkAfter", lookup_reply + "<think>{\"query\":\"SELECT 0\"}</think>", lookup_reply},
        Case{"ThinkWithoutItsOpening", "so { \"query\"</think>" + lookup_reply, lookup_reply},
        Case{"DraftBeforeAClosingTag", query_reply + "</think>" + lookup_reply, lookup_reply},
        Case{"TagInAString", R"({"query":"SELECT '<think>x</think>{'"})",
             R"({"query":"SELECT '<think>x</think>{'"})"},
        Case{"BracesAndQuotesInAString", R"({"query":"SELECT '}{' || \"a\\\"b\""})",
             R"({"query":"SELECT '}{' || \"a\\\"b\""})"},
        Case{"BrokenObjectBefore", "{not json} " + query_reply, query_reply}),
    [](const auto& row) { return row.param.name; });

struct Refusal {
  const char* name;
  std::string reply;
  ParseFault fault;
};

class Refused : public ::testing::TestWithParam<Refusal> {};

TEST_P(Refused, IsNoAction) {
  const ParsedAction parsed = ParseAction(GetParam().reply, all_kinds);
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
        Refusal{"OnlyThinking", "<think>" + query_reply + "</think>", ParseFault::NoJson},
        Refusal{"ThinkingThatDoesNotEnd", "<think>" + query_reply, ParseFault::NoJson},
        Refusal{"ThinkingObject", R"({"thinking":"let me see"})", ParseFault::NoAction},
        Refusal{"UnknownEnvelope", R"({"name":"drop_table","input":{"query":"x"}})",
                ParseFault::NoAction},
        Refusal{"UnknownAction", R"({"action":"explore"})", ParseFault::NoAction},
        Refusal{"EnvelopeWithoutInput", R"({"name":"lookup_schema"})", ParseFault::NoAction},
        Refusal{"CutPlanWithANestedObject", R"({"plan":{"query":"SELECT 1"},)", ParseFault::Cut},
        Refusal{"CutPlanWithANestedList", R"({"plan":[{"query":"SELECT 1"}])", ParseFault::Cut},
        Refusal{"CutQuery", R"({"query":"SELECT 1)", ParseFault::Cut},
        Refusal{"CutActionAfterADraft", query_reply + R"( {"lookup_schema":["a)", ParseFault::Cut},
        Refusal{"StrayBraceBefore", "{ so " + query_reply, ParseFault::Cut},
        Refusal{"NotJson", "{query: SELECT 1}", ParseFault::NotJson},
        Refusal{"SeveralActions", "[" + query_reply + ", " + lookup_reply + "]",
                ParseFault::Several},
        Refusal{"QueryAsObject", R"({"query":{"sql":"SELECT 1"}})", ParseFault::WrongShape},
        Refusal{"EmptyQuery", R"({"query":"  "})", ParseFault::WrongShape},
        Refusal{"LookupOfNumbers", R"({"lookup_schema":[1]})", ParseFault::WrongShape},
        Refusal{"SearchAsList", R"({"search_tables":["a"]})", ParseFault::WrongShape},
        Refusal{"HitsAsWords", R"({"search_tables":"a","search_top_k":"ten"})",
                ParseFault::WrongShape},
        Refusal{"DoneAsText", R"({"done":"true"})", ParseFault::NoAction}),
    [](const auto& row) { return row.param.name; });

TEST(AllowList, RefusesWhatTheCallerDoesNotTake) {
  EXPECT_TRUE(ParseAction(query_reply, verifier_kinds).action);
  EXPECT_TRUE(ParseAction(lookup_reply, verifier_kinds).action);
  for (const std::string& reply :
       {search_reply, done_reply, std::string(R"({"done":true,"query":"SELECT 1"})")}) {
    const ParsedAction parsed = ParseAction(reply, verifier_kinds);
    EXPECT_FALSE(parsed.action) << reply;
    EXPECT_EQ(parsed.fault, ParseFault::NotAllowed) << reply;
  }
}

TEST(AReply, IsBounded) {
  const std::string action = query_reply;
  EXPECT_TRUE(
      ParseAction(std::string(kReplyBytesMax - action.size(), ' ') + action, all_kinds).action);
  EXPECT_FALSE(
      ParseAction(std::string(kReplyBytesMax + 1 - action.size(), ' ') + action, all_kinds).action);
}

TEST(AReply, ManyTagsAndBracesAreReadInOneGo) {
  std::string reply;
  for (int i = 0; i < 20'000; ++i) reply += "{}</b>";
  EXPECT_TRUE(ParseAction(reply + query_reply, all_kinds).action);
}

TEST(Nudge, NamesTheFaultAndEveryAllowedAction) {
  const std::string text = Nudge(ParseAction("prose", verifier_kinds), verifier_kinds);
  EXPECT_THAT(text, HasSubstr("no JSON object"));
  EXPECT_THAT(text, HasSubstr("lookup_schema"));
  EXPECT_THAT(text, HasSubstr("\"query\""));
  EXPECT_THAT(text, Not(HasSubstr("done")));
  const std::string all = Nudge(ParseAction("prose", all_kinds), all_kinds);
  for (const char* word : {"\"query\"", "lookup_schema", "search_tables", "\"done\""})
    EXPECT_THAT(all, HasSubstr(word));
}

TEST(AnAction, KeepsItsThinkingButDoesNotRepeatIt) {
  const auto action =
      ParseAction(R"({"thinking":"t","lookup_schema":["x","y"]})", all_kinds).action;
  ASSERT_TRUE(action);
  EXPECT_EQ(action->thinking, "t");
  EXPECT_THAT(action->tables, ElementsAre("x", "y"));
  EXPECT_EQ(ToJson(*action), R"({"lookup_schema":["x","y"]})");
}

}  // namespace
}  // namespace schemaward::explore
