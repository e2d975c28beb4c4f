// COVERS: R-FAM-1 R-FAM-2 R-FAM-3 R-REC-3 R-ENV-2 R-ENV-5
// Every kind and reason of the table of errors, as a tool of each family fails with it: shape,
// code, size, and that nothing private gets out.

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "tool/invoke.h"
#include "tool/renderer.h"

namespace schemaward::app {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using tool::Answer;
using tool::Family;
using tool::Format;

constexpr std::size_t kErrorMax = 8'000;  // characters of an error in any family
constexpr std::string_view kPublic = "what failed, in plain words";
constexpr std::string_view kPrivate = "PG::Error at db7.internal:5432 /var/lib/x for hunter2";

// How the tools of this test fail; `words` is the message.
struct Services {
  ErrorKind kind = ErrorKind::Internal;
  std::string words = std::string(kPublic);
  std::string own_code;  // of the workspace family
};

struct In {
  Format format = Format::Markdown;
  bool confirm = false;
  void Bind(json::Fields& f) {
    f("format", format, "markdown, json or both");
    f("confirm", confirm, "the user has agreed");
  }
};
struct Out {
  std::string kind = "k:v1";
  void Bind(json::Fields& f) { f("kind", kind, "kind"); }
};

Error Failed(const Services& services) {
  return Error(services.kind, services.words)
      .Private(kPrivate)
      .In("db7.internal")
      .Near({"orders"})
      .Suggest("charter_works", "{}");
}
Result<tool::Outcome<Out>> Fail(const Services& services, const In& /*in*/, CallContext& /*ctx*/) {
  if (services.own_code.empty()) return Failed(services);
  tool::Outcome<Out> outcome;
  outcome.failure = tool::Failure{Failed(services), services.own_code, {}};
  return outcome;
}
Result<tool::Outcome<Out>> Work(const Services& /*s*/, const In& /*in*/, CallContext& /*ctx*/) {
  return tool::Outcome<Out>();
}

tool::ToolSpec Spec(const char* name, Family family) {
  return {.name = name,
          .title = "T",
          .description = "",
          .family = family,
          .example_json = "{}",
          .has_format = family == Family::Pattern};
}

class FamilyErrors : public ::testing::Test {
 protected:
  FamilyErrors() {
    std::vector<tool::ToolPtr> tools;
    tools.push_back(
        tool::MakeTool<In, Out>(Spec("charter_works", Family::Charter), services_, Work));
    tools.push_back(tool::MakeTool<In, Out>(Spec("charter", Family::Charter), services_, Fail));
    tools.push_back(tool::MakeTool<In, Out>(Spec("pattern", Family::Pattern), services_, Fail));
    tools.push_back(tool::MakeTool<In, Out>(Spec("workspace", Family::Workspace), services_, Fail));
    registry_ =
        std::make_unique<tool::Registry>(std::move(tools), std::vector<std::string>{"catalog"});
    log_ = *audit::Log::Create({.mode = audit::Mode::Off, .clock = &clock_});
    invoker_ = std::make_unique<tool::Invoker>(*registry_, *log_, tool::InvokeOptions{});
  }

  // The call of a tool that fails so. What holds of every error in every family is checked.
  Answer Call(const char* tool, const ErrorRow& row, const char* arguments = "{}") {
    services_.kind = row.id;
    CallContext ctx(clock_);
    Answer answer = invoker_->Invoke(tool, json::Value::parse(arguments), ctx);
    EXPECT_TRUE(answer.is_error);
    EXPECT_EQ(answer.exit_code, row.exit_code);
    std::vector<std::string> shown = {answer.structured, answer.text};
    for (const tool::TextBlock& block : answer.blocks) shown.push_back(block.text);
    for (const std::string& text : shown) {
      EXPECT_LE(text.size(), kErrorMax);
      for (const char* secret : {"db7", "hunter2", "PG::Error", "/var/lib", ":5432"})
        EXPECT_THAT(text, Not(HasSubstr(secret)));
    }
    if (!answer.structured.empty()) ExpectValid(tool, answer.structured);
    return answer;
  }

  void ExpectValid(const char* tool, const std::string& structured) {
    const auto definition = Json::parse(tool::DefinitionJson(*registry_->Find(tool), true));
    const nlohmann::json schema_json = nlohmann::json::parse(definition["outputSchema"].dump());
    valijson::Schema schema;
    valijson::SchemaParser().populateSchema(valijson::adapters::NlohmannJsonAdapter(schema_json),
                                            schema);
    const auto value = nlohmann::json::parse(structured);
    EXPECT_TRUE(valijson::Validator().validate(
        schema, valijson::adapters::NlohmannJsonAdapter(value), nullptr))
        << structured;
  }

  SystemClock clock_;
  Services services_;
  std::unique_ptr<tool::Registry> registry_;
  std::unique_ptr<audit::Log> log_;
  std::unique_ptr<tool::Invoker> invoker_;
};

std::vector<std::string> KeysOf(const Json& object) {
  std::vector<std::string> keys;
  for (const auto& [name, value] : object.items()) keys.push_back(name);
  return keys;
}

TEST_F(FamilyErrors, TheCharterSaysKindReasonStatusAndACallToMake) {
  for (const ErrorRow& row : AllErrorRows()) {
    SCOPED_TRACE(row.reason);
    const Answer answer = Call("charter", row);
    if (row.kind == "invalid_argument") {  // words, then one line of JSON [R-ARG-2]
      EXPECT_TRUE(answer.structured.empty());
      EXPECT_THAT(answer.text, StartsWith(kPublic));
      const auto line = Json::parse(answer.text.substr(answer.text.rfind('\n') + 1));
      EXPECT_EQ(KeysOf(line),
                (std::vector<std::string>{"kind", "suggested_tool", "suggested_args"}));
      EXPECT_EQ(line["kind"], row.kind);
      continue;
    }
    EXPECT_EQ(answer.text, answer.structured);
    const auto said = Json::parse(answer.structured);
    EXPECT_EQ(said["status"], row.status == FailStatus::Refused ? "refused" : "error");
    EXPECT_TRUE(said["data"].is_null());
    EXPECT_TRUE(said["confidence"].is_null());
    EXPECT_EQ(said["error"]["kind"], row.kind);
    EXPECT_EQ(said["error"]["reason"], row.reason);
    EXPECT_EQ(said["error"]["message"], kPublic);
    EXPECT_EQ(said["error"]["retryable"], row.retryable);
    EXPECT_EQ(said["error"]["recovery"]["suggested_tool"], "charter_works");
  }
}

TEST_F(FamilyErrors, ThePatternFamilySaysOneOfSixCodesInTheFormatAskedFor) {
  const std::map<std::string, bool> retryable = {
      {"NETWORK_ERROR", true}, {"SERVER_ERROR", true},          {"CLIENT_ERROR", false},
      {"NOT_FOUND", false},    {"AUTHENTICATION_ERROR", false}, {"UNKNOWN_ERROR", false}};
  for (const ErrorRow& row : AllErrorRows()) {
    SCOPED_TRACE(row.reason);
    for (const char* format : {"markdown", "json", "both"}) {
      const std::string arguments = std::string(R"({"format":")") + format + "\"}";
      const Answer answer = Call("pattern", row, arguments.c_str());
      const auto said = Json::parse(answer.structured);
      std::vector<std::string> keys = {"kind", "code", "message", "retryable"};
      if (row.pattern_status != 0) keys.push_back("details");
      EXPECT_EQ(KeysOf(said), keys);
      EXPECT_EQ(said["kind"], "toolError:v1");
      EXPECT_EQ(said["code"], row.pattern_code);
      ASSERT_TRUE(retryable.contains(said["code"].get<std::string>()));
      EXPECT_EQ(said["retryable"], retryable.at(said["code"].get<std::string>()));
      if (row.pattern_status != 0) {
        EXPECT_EQ(said["details"], Json({{"statusCode", row.pattern_status}}));
      }
      std::vector<std::string> blocks;
      if (std::string_view(format) != "json") blocks.push_back(said["message"].get<std::string>());
      if (std::string_view(format) != "markdown") blocks.push_back(said.dump(2));
      ASSERT_EQ(answer.blocks.size(), blocks.size());
      for (std::size_t i = 0; i < blocks.size(); ++i) EXPECT_EQ(answer.blocks[i].text, blocks[i]);
      const bool is_fixed =
          row.pattern_code == "UNKNOWN_ERROR" || row.id == ErrorKind::DeadlineExceeded ||
          row.id == ErrorKind::StatementTimeout || row.id == ErrorKind::SourceUnreachable;
      EXPECT_EQ(said["message"].get<std::string>().ends_with(kPublic), !is_fixed);
    }
  }
}

TEST_F(FamilyErrors, TheWorkspaceFamilySaysItsCodeAndTheToolsOwnBesideIt) {
  for (const ErrorRow& row : AllErrorRows()) {
    SCOPED_TRACE(row.reason);
    for (const char* own : {"", "REGIONS_RETRIEVAL_FAILED"}) {
      services_.own_code = own;
      const Answer answer = Call("workspace", row);
      const auto said = Json::parse(answer.structured);
      EXPECT_EQ(answer.text, answer.structured);
      EXPECT_EQ(KeysOf(said), (std::vector<std::string>{"status", "message", "error_code",
                                                        "error_details", "metadata"}));
      EXPECT_EQ(said["status"], "error");
      EXPECT_EQ(said["message"], kPublic);
      const auto& details = said["error_details"];
      EXPECT_EQ(said["error_code"], *own == '\0' ? row.workspace_code : std::string_view(own));
      EXPECT_EQ(details.contains("category"), *own != '\0');
      if (*own != '\0') {
        EXPECT_EQ(details["category"], row.workspace_code);
      }
      EXPECT_EQ(details["exception"], row.reason);
      EXPECT_EQ(details["retryable"], row.retryable);
      EXPECT_EQ(details["did_you_mean"], Json({"orders"}));
    }
  }
}

TEST_F(FamilyErrors, LongWordsOfAnyScriptAreCutToALengthAndStayText) {
  services_.words.clear();
  for (int i = 0; i < 9'000; ++i) services_.words += "\xE6\x97\xA5";  // three bytes each
  for (const ErrorRow& row : AllErrorRows()) {
    SCOPED_TRACE(row.reason);
    for (const char* tool : {"charter", "pattern", "workspace"}) {
      const Answer answer = Call(tool, row, R"({"format":"both"})");
      if (!answer.structured.empty()) {
        EXPECT_THAT(answer.structured, Not(HasSubstr("\xEF\xBF\xBD")));  // no character in two
      }
    }
  }
}

// A question is asked of a tool that declares its confirmation, and of no other.
TEST_F(FamilyErrors, OnlyAToolThatDeclaresAConfirmationLeavesAQuestion) {
  for (const ErrorRow& row : AllErrorRows())
    for (const char* tool : {"charter", "pattern", "workspace"})
      EXPECT_TRUE(Call(tool, row).question.empty()) << row.reason;
}

}  // namespace
}  // namespace schemaward::app
