// schemaward policy test: cases of callers and calls against the policy in force.

#include <memory>

#include <fmt/format.h>

#include "app/policy.h"
#include "app/policy_cases.h"
#include "app/server.h"
#include "base/read_file.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "json/access.h"
#include "json/value.h"

namespace schemaward::cli {
namespace {

constexpr std::uintmax_t kCasesBytesMax = 16U << 20U;

// Makes calls with all tools behind them; they are built when the first case needs them.
class Caller {
 public:
  explicit Caller(app::Application& app) : app_(app) {}

  Result<std::string> Call(const Principal& principal, std::string_view tool,
                           const json::Value& args) {
    if (server_ == nullptr) {
      WARD_TRY(server_,
               app::ToolServer::Create(app_, {.sets = {"catalog", "semantic", "sql", "patterns",
                                                       "explore", "workspaces"},
                                              .served = {}}));
    }
    CallContext ctx = app_.CommandContext();
    ctx.principal = principal;
    const tool::Answer answer = server_->invoker().Invoke(tool, args, ctx);
    const auto parsed = json::Parse(answer.structured);
    if (!parsed) return std::string("invalid_argument");
    const std::string kind = json::TextOf(json::Member(parsed->value(), {"error", "kind"}));
    return kind.empty() ? json::TextOf(parsed->value(), "status") : kind;
  }

 private:
  app::Application& app_;
  std::unique_ptr<app::ToolServer> server_;
};

std::string JsonOf(const app::PolicyCase& one) {
  return fmt::format("{{\"line\":{},\"name\":{},\"expected\":{},\"got\":{},\"passed\":{}}}",
                     one.line, json::Quote(one.name), json::Quote(one.expected),
                     json::Quote(one.got), one.passed);
}

void Print(const CommandLine& line, const std::vector<app::PolicyCase>& cases, std::size_t failed) {
  if (line.json) {
    std::string out =
        fmt::format("{{\"cases\":{},\"failed\":{},\"results\":[", cases.size(), failed);
    for (std::size_t i = 0; i < cases.size(); ++i) out += (i > 0 ? "," : "") + JsonOf(cases[i]);
    PrintLine(out + "]}");
    return;
  }
  for (const app::PolicyCase& one : cases)
    if (!one.passed)
      PrintLine(fmt::format("line {}: {}: expected {}, got {}", one.line, one.name, one.expected,
                            one.got));
  PrintWords(fmt::format("{} cases, {} failed", cases.size(), failed));
}

int RunPolicyTest(const CommandLine& line, app::Application& app) {
  const auto text = ReadFile(line.arguments.front(), kCasesBytesMax);
  if (!text) return PrintError(text.error());
  const auto policy = app::LoadPolicy(app.config(), privacy::Profile::Team);
  if (!policy) return PrintError(policy.error());
  Caller caller(app);
  const auto cases = app::RunPolicyCases(
      *text, *policy,
      [&](const Principal& principal, std::string_view tool, const json::Value& args) {
        return caller.Call(principal, tool, args);
      });
  if (!cases) return PrintError(cases.error());
  std::size_t failed = 0;
  for (const app::PolicyCase& one : *cases)
    if (!one.passed) ++failed;
  Print(line, *cases, failed);
  return failed == 0 ? kDone : kNo;
}

}  // namespace

void AddPolicy(Syntax& program, CommandLine& /*line*/) {
  Syntax policy =
      program.Group("policy", "Look after the policy", "  schemaward policy test cases.jsonl");
  Syntax verb =
      policy.Verb("test", "Run cases of callers and calls against the policy",
                  "  schemaward policy test cases.jsonl --policy policy.yaml", RunPolicyTest);
  verb.PolicyFile();
  verb.Words("FILE", {}, "One JSON object a line: caller, what is asked, expect");
}

}  // namespace schemaward::cli
