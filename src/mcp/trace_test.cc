// Which texts are a trace parent.
#include "mcp/trace.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace schemaward::mcp {
namespace {

constexpr const char* kGood = "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01";

TEST(Trace, ReadsItsParentFromTheMetaOfARequest) {
  EXPECT_EQ(TraceParentIn({{"_meta", {{"traceparent", kGood}}}}), kGood);
  for (const char* params :
       {"null", "[]", "{}", R"({"_meta":1})", R"({"_meta":{}})", R"({"_meta":{"traceparent":1}})",
        R"({"traceparent":"00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01"})"})
    EXPECT_EQ(TraceParentIn(json::Value::parse(params)), "") << params;
}

TEST(Trace, ReadsALaterVersionAsFarAsItKnowsIt) {
  const std::string later = "cc" + std::string(kGood).substr(2);
  EXPECT_EQ(ReadTraceParent(later), later);
  EXPECT_EQ(ReadTraceParent(later + "-what the future brings"), later);
  EXPECT_EQ(ReadTraceParent(later + ".no"), "");
}

struct Row {
  const char* name;
  const char* text;
};

TEST(Trace, TakesNothingElse) {
  for (const Row& row : {
           Row{"empty", ""},
           Row{"short", "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-0"},
           Row{"more", "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01-00"},
           Row{"version", "ff-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01"},
           Row{"no trace", "00-00000000000000000000000000000000-00f067aa0ba902b7-01"},
           Row{"no span", "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01"},
           Row{"capitals", "00-0AF7651916CD43DD8448EB211C80319C-00f067aa0ba902b7-01"},
           Row{"line", "00-0af7651916cd43dd8448eb211c8031\nc-00f067aa0ba902b7-01"},
           Row{"dashes", "00_0af7651916cd43dd8448eb211c80319c_00f067aa0ba902b7_01"},
       })
    EXPECT_EQ(ReadTraceParent(row.text), "") << row.name;
}

}  // namespace
}  // namespace schemaward::mcp
