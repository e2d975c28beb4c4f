// COVERS: R-PAT-1 R-PAT-2 R-FAM-3
#include <filesystem>
#include <map>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tool/renderer.h"

namespace schemaward::tool {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

struct Vector {
  std::string name;
  Error error;
  std::string message, pretty, compact;
};

// Each case of the family's document: what a client finds, byte for byte.
std::vector<Vector> Vectors() {
  return {
      {"timeout", Error(ErrorKind::DeadlineExceeded, "the call took 30000 ms"),
       "Network error: Request timeout",
       "{\n  \"kind\": \"toolError:v1\",\n  \"code\": \"NETWORK_ERROR\",\n  \"message\": \"Network "
       "error: Request timeout\",\n  \"retryable\": true\n}",
       R"({"kind":"toolError:v1","code":"NETWORK_ERROR","message":"Network error: Request timeout","retryable":true})"},
      {"authentication", Error(ErrorKind::SourceAuthFailed, "Missing or invalid API key"),
       "Authentication required: Missing or invalid API key",
       "{\n  \"kind\": \"toolError:v1\",\n  \"code\": \"AUTHENTICATION_ERROR\",\n  \"message\": "
       "\"Authentication required: Missing or invalid API key\",\n  \"retryable\": false,\n  "
       "\"details\": {\n    \"statusCode\": 401\n  }\n}",
       R"({"kind":"toolError:v1","code":"AUTHENTICATION_ERROR","message":"Authentication required: Missing or invalid API key","retryable":false,"details":{"statusCode":401}})"},
      {"server", Error(ErrorKind::SourceUnreachable, "the source does not answer"),
       "Internal server error: Database connection failed",
       "{\n  \"kind\": \"toolError:v1\",\n  \"code\": \"SERVER_ERROR\",\n  \"message\": \"Internal "
       "server error: Database connection failed\",\n  \"retryable\": true,\n  \"details\": {\n    "
       "\"statusCode\": 500\n  }\n}",
       R"({"kind":"toolError:v1","code":"SERVER_ERROR","message":"Internal server error: Database connection failed","retryable":true,"details":{"statusCode":500}})"},
      {"client", Error(ErrorKind::InvalidArgument, "limit must be between 1 and 100"),
       "Invalid request: limit must be between 1 and 100",
       "{\n  \"kind\": \"toolError:v1\",\n  \"code\": \"CLIENT_ERROR\",\n  \"message\": \"Invalid "
       "request: limit must be between 1 and 100\",\n  \"retryable\": false,\n  \"details\": {\n   "
       " "
       "\"statusCode\": 400\n  }\n}",
       R"({"kind":"toolError:v1","code":"CLIENT_ERROR","message":"Invalid request: limit must be between 1 and 100","retryable":false,"details":{"statusCode":400}})"},
      {"not found", Error(ErrorKind::UnknownTable, "/api/patterns/invalid-resource"),
       "Resource not found: /api/patterns/invalid-resource",
       "{\n  \"kind\": \"toolError:v1\",\n  \"code\": \"NOT_FOUND\",\n  \"message\": \"Resource "
       "not "
       "found: /api/patterns/invalid-resource\",\n  \"retryable\": false,\n  \"details\": {\n    "
       "\"statusCode\": 404\n  }\n}",
       R"({"kind":"toolError:v1","code":"NOT_FOUND","message":"Resource not found: /api/patterns/invalid-resource","retryable":false,"details":{"statusCode":404}})"},
      {"unknown", Error(ErrorKind::Internal, "the call failed"), "Unknown error occurred",
       "{\n  \"kind\": \"toolError:v1\",\n  \"code\": \"UNKNOWN_ERROR\",\n  \"message\": \"Unknown "
       "error occurred\",\n  \"retryable\": false\n}",
       R"({"kind":"toolError:v1","code":"UNKNOWN_ERROR","message":"Unknown error occurred","retryable":false})"},
  };
}

Answer Rendered(const Error& error, Format format) {
  Reply reply;
  reply.error = error;
  RenderInfo info;
  info.format = format;
  return RendererOf(Family::Pattern).Render(reply, info);
}

std::vector<std::string> TextsOf(const Answer& answer) {
  std::vector<std::string> texts;
  for (const TextBlock& block : answer.blocks)
    texts.push_back(std::string(block.mime_type) + " " + block.text);
  return texts;
}

TEST(PatternErrors, AreTheDocumentsBytesInEveryFormat) {
  for (const Vector& vector : Vectors()) {
    SCOPED_TRACE(vector.name);
    const std::string words = "text/markdown " + vector.message;
    const std::string data = "application/json " + vector.pretty;
    EXPECT_THAT(TextsOf(Rendered(vector.error, Format::Markdown)), ElementsAre(words));
    EXPECT_THAT(TextsOf(Rendered(vector.error, Format::Json)), ElementsAre(data));
    EXPECT_THAT(TextsOf(Rendered(vector.error, Format::Both)), ElementsAre(words, data));
    for (const Format format : {Format::Markdown, Format::Json, Format::Both}) {
      const Answer answer = Rendered(vector.error, format);
      EXPECT_EQ(answer.structured, vector.compact);
      EXPECT_TRUE(answer.is_error);
    }
  }
}

// The code, the status and whether to try again never say different things, whatever fails.
TEST(PatternErrors, EveryKindHasOneOfSixCodesAndTheStatusThatBelongsToIt) {
  const std::map<std::string, bool> retryable = {
      {"NETWORK_ERROR", true}, {"SERVER_ERROR", true},          {"CLIENT_ERROR", false},
      {"NOT_FOUND", false},    {"AUTHENTICATION_ERROR", false}, {"UNKNOWN_ERROR", false}};
  for (const ErrorRow& row : AllErrorRows()) {
    SCOPED_TRACE(row.reason);
    const auto said = json::Value::parse(Rendered(Error(row.id, "what"), Format::Json).structured);
    const auto code = said["code"].get<std::string>();
    ASSERT_TRUE(retryable.contains(code));
    EXPECT_EQ(said["retryable"], retryable.at(code));
    EXPECT_EQ(said.contains("details"), code != "NETWORK_ERROR" && code != "UNKNOWN_ERROR");
    if (!said.contains("details")) continue;
    const int status = said["details"]["statusCode"].get<int>();
    EXPECT_EQ(said["details"].size(), 1u);
    const bool fits = code == "NOT_FOUND"              ? status == 404
                      : code == "AUTHENTICATION_ERROR" ? status == 401 || status == 403
                      : code == "SERVER_ERROR"         ? status >= 500 && status < 600
                                               : status >= 400 && status < 500 && status != 401 &&
                                                     status != 403 && status != 404;
    EXPECT_TRUE(fits) << code << ' ' << status;
  }
}

TEST(PatternErrors, FailuresHaveTheCodesThatTheirCausesAskFor) {
  const auto code = [](ErrorKind kind) {
    const auto said = json::Value::parse(Rendered(Error(kind, "what"), Format::Json).structured);
    return said["code"].get<std::string>() +
           (said.contains("details") ? said["details"]["statusCode"].dump() : "");
  };
  EXPECT_EQ(code(ErrorKind::SourceAuthFailed), "AUTHENTICATION_ERROR401");
  EXPECT_EQ(code(ErrorKind::MissingCredential), "AUTHENTICATION_ERROR401");
  EXPECT_EQ(code(ErrorKind::PermissionDenied), "AUTHENTICATION_ERROR403");
  EXPECT_EQ(code(ErrorKind::AllowlistViolation), "AUTHENTICATION_ERROR403");
  EXPECT_EQ(code(ErrorKind::PiiBlocked), "CLIENT_ERROR400");
  EXPECT_EQ(code(ErrorKind::ByteCap), "CLIENT_ERROR413");
  EXPECT_EQ(code(ErrorKind::RateLimited), "CLIENT_ERROR429");
  EXPECT_EQ(code(ErrorKind::SchemaDrift), "NOT_FOUND404");
  EXPECT_EQ(code(ErrorKind::PoolFull), "SERVER_ERROR503");
  EXPECT_EQ(code(ErrorKind::StatementTimeout), "NETWORK_ERROR");
  EXPECT_EQ(code(ErrorKind::Cancelled), "NETWORK_ERROR");
}

TEST(PatternErrors, KeepQuotesAndLettersOfAnyScript) {
  const std::string odd = "table \"caf\xC3\xA9\" \\ \xE6\x97\xA5 has no column";
  const Answer answer = Rendered(Error(ErrorKind::UnknownColumn, odd), Format::Both);
  EXPECT_EQ(answer.blocks.front().text, "Resource not found: " + odd);
  EXPECT_EQ(json::Value::parse(answer.blocks.back().text)["message"], "Resource not found: " + odd);
  const Answer broken = Rendered(Error(ErrorKind::UnknownColumn, "\xFF\xFE"), Format::Both);
  EXPECT_FALSE(json::Value::parse(broken.blocks.back().text)["message"].empty());
}

TEST(PatternErrors, ALongMessageIsCutBetweenLetters) {
  std::string text;
  for (int i = 0; i < 3'000; ++i) text += "\xC3\xA9";
  const Answer answer = Rendered(Error(ErrorKind::InvalidArgument, "x" + text), Format::Both);
  EXPECT_LE(answer.blocks.front().text.size() + answer.blocks.back().text.size(), 8'000u);
  EXPECT_THAT(answer.blocks.front().text, ::testing::EndsWith("\xC3\xA9..."));
}

Answer Data(const std::string& markdown, const std::string& json_text, Format format) {
  Reply reply;
  reply.data_json = json_text;
  reply.markdown = markdown;
  RenderInfo info;
  info.format = format;
  return RendererOf(Family::Pattern).Render(reply, info);
}

TEST(PatternAnswers, AreGatedAsErrorsAre) {
  const std::string data = R"({"kind":"k:v1","b":1,"a":[]})";
  const std::string pretty =
      "application/json {\n  \"kind\": \"k:v1\",\n  \"b\": 1,\n  \"a\": []\n}";
  EXPECT_THAT(TextsOf(Data("# T", data, Format::Markdown)), ElementsAre("text/markdown # T"));
  EXPECT_THAT(TextsOf(Data("# T", data, Format::Json)), ElementsAre(pretty));
  EXPECT_THAT(TextsOf(Data("# T", data, Format::Both)), ElementsAre("text/markdown # T", pretty));
  EXPECT_EQ(Data("# T", data, Format::Markdown).structured, data);
  EXPECT_FALSE(Data("# T", data, Format::Markdown).is_error);
}

TEST(PatternAnswers, OneThatIsTooLargeIsAClientErrorInItsFormat) {
  const std::string data = R"({"kind":"k:v1"})";
  const std::string large((1U << 20) - data.size() - data.size(), 'x');
  EXPECT_FALSE(Data(large, data, Format::Markdown).is_error);
  for (const Format format : {Format::Markdown, Format::Json, Format::Both}) {
    const Answer answer = Data(large, R"({"kind":")" + std::string(1U << 20, 'x') + "\"}", format);
    EXPECT_TRUE(answer.is_error);
    const auto said = json::Value::parse(answer.structured);
    EXPECT_EQ(said["code"], "CLIENT_ERROR");
    EXPECT_EQ(said["details"]["statusCode"], 413);
    EXPECT_EQ(answer.blocks.size(), format == Format::Both ? 2u : 1u);
  }
}

TEST(PatternSchema, AdmitsDataErrorsAndQuestions) {
  const auto schema = [](const std::string& data_schema) {
    return json::Value::parse(RendererOf(Family::Pattern).OutputSchema(data_schema));
  };
  const auto with_kind = schema(
      R"({"type":"object","properties":{"kind":{"type":"string","description":"mine"},"patterns":{"type":"array"}},"required":["kind","patterns"]})");
  EXPECT_EQ(with_kind["required"].dump(), R"(["kind"])");
  EXPECT_EQ(with_kind["properties"]["kind"]["description"], "mine");
  for (const char* name :
       {"patterns", "code", "message", "retryable", "details", "type", "needsInput", "options"})
    EXPECT_TRUE(with_kind["properties"].contains(name)) << name;
  EXPECT_FALSE(
      schema(R"({"type":"object","properties":{"rules":{"type":"array"}},"required":["rules"]})")
          .contains("required"));
}

// A call's own arguments say how its failures are given, readable or not.
struct Services {};
struct In {
  std::int64_t limit = 3;
  Format format = Format::Markdown;
  void Bind(json::Fields& f) {
    f("limit", limit, "most", {.minimum = 1, .maximum = 100});
    f("format", format, "markdown, json or both");
  }
};
struct Out {
  std::string kind = "k:v1";
  void Bind(json::Fields& f) { f("kind", kind, "kind"); }
};
Result<Outcome<Out>> Answered(const Services& /*s*/, const In& in, CallContext& /*ctx*/) {
  if (in.limit == 13) throw std::runtime_error("at 10.0.0.7");
  Outcome<Out> outcome;
  outcome.markdown = "# K";
  return outcome;
}

TEST(PatternCalls, ArgumentsThatCannotBeReadAreClientErrorsInTheFormatAskedFor) {
  const auto folder = std::filesystem::temp_directory_path() / "ward_pattern_calls";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  SystemClock clock;
  const Services services;
  std::vector<ToolPtr> tools;
  for (const bool has_format : {true, false})
    tools.push_back(MakeTool<In, Out>({.name = has_format ? "with" : "without",
                                       .title = "T",
                                       .description = "",
                                       .family = Family::Pattern,
                                       .example_json = "{}",
                                       .has_format = has_format},
                                      services, Answered));
  const Registry registry(std::move(tools), {"catalog"});
  audit::Options options;
  options.path = (folder / "audit.db").string();
  options.clock = &clock;
  const auto log = *audit::Log::Create(options);
  const Invoker invoker(registry, *log, {});
  const auto call = [&](const char* tool, const char* args) {
    CallContext ctx(clock);
    return invoker.Invoke(tool, json::Value::parse(args), ctx);
  };
  const std::string verbatim = "Invalid request: limit must be between 1 and 100";
  for (const char* limit : {"0", "101", "-1"}) {
    const std::string args = std::string("{\"format\":\"both\",\"limit\":") + limit + "}";
    const Answer answer = call("with", args.c_str());
    ASSERT_EQ(answer.blocks.size(), 2u);
    EXPECT_EQ(answer.blocks.front().text, verbatim);
    EXPECT_EQ(json::Value::parse(answer.structured)["details"]["statusCode"], 400);
  }
  EXPECT_FALSE(call("with", R"({"limit":100})").is_error);
  EXPECT_FALSE(call("with", R"({"limit":1})").is_error);
  const Answer no_format = call("with", R"({"format":"xml"})");
  EXPECT_THAT(TextsOf(no_format), ElementsAre(StartsWith("text/markdown Invalid request: ")));
  EXPECT_THAT(no_format.structured, HasSubstr("CLIENT_ERROR"));
  EXPECT_THAT(TextsOf(call("with", R"({"limi":1,"format":"json"})")),
              ElementsAre(StartsWith("application/json {")));
  EXPECT_THAT(TextsOf(call("without", R"({"limit":0,"format":"json"})")),
              ElementsAre("text/markdown " + verbatim));
  const Answer thrown = call("with", R"({"limit":13,"format":"json"})");
  EXPECT_THAT(TextsOf(thrown), ElementsAre(HasSubstr("Unknown error occurred")));
  EXPECT_THAT(thrown.structured, Not(HasSubstr("10.0.0.7")));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace schemaward::tool
