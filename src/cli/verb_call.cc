// schemaward call: makes one call of a tool and prints its answer.

#include <nlohmann/json.hpp>

#include "app/server.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "json/value.h"

namespace schemaward::cli {
namespace {

// One JSON object, or key=value pairs. A value that is JSON other than a string is taken as that;
// reading is lenient about the rest.
Result<json::Document> ReadArguments(const std::vector<std::string>& words) {
  constexpr std::string_view kHow =
      "Write arguments as key=value, as in `schemaward call describe_table "
      "qualified_name=main.orders`, or all of them as one JSON object in quotes.";
  if (words.size() == 2 && words[1].starts_with('{')) {
    auto args = json::Parse(words[1]);
    if (!args) args.error().Hint(kHow);
    return args;
  }
  json::Value args = json::Value::object();
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::size_t equals = words[i].find('=');
    if (equals == std::string::npos || equals == 0)
      return Error(ErrorKind::InvalidArgument,
                   "\"" + words[i] + "\" is neither key=value nor the only JSON object")
          .Hint(kHow);
    const std::string value = words[i].substr(equals + 1);
    const auto parsed = json::Parse(value);
    const bool structured = parsed && !parsed->value().is_string();
    args[words[i].substr(0, equals)] = structured ? parsed->value() : json::Value(value);
  }
  return json::Document(std::move(args));
}

int RunCall(const CommandLine& line, app::Application& app) {
  auto args = ReadArguments(line.arguments);
  if (!args) return PrintError(args.error());
  // `call` reaches every set; policy decides what it may not.
  auto server = app::ToolServer::Create(
      app,
      {.sets = {"catalog", "semantic", "sql", "patterns", "explore", "workspaces"}, .served = {}});
  if (!server) return PrintError(server.error());
  CallContext ctx = app.CommandContext();
  const tool::Answer answer =
      (*server)->invoker().Invoke(line.arguments.front(), args->value(), ctx);
  if (!answer.structured.empty()) {
    PrintLine(answer.structured);
    return answer.exit_code;
  }
  // Invalid arguments have no object but the last line of the text. [R-ARG-2]
  const std::size_t last = answer.text.rfind('\n');
  PrintWords(answer.text.substr(0, last));
  if (last != std::string::npos) PrintLine(answer.text.substr(last + 1));
  return answer.exit_code;
}

}  // namespace

void AddCall(Syntax& program, CommandLine& /*line*/) {
  Syntax verb = program.Verb(
      "call", "Make one call of a tool and print its answer as JSON",
      "  schemaward call describe_table qualified_name=main.orders\n"
      "  schemaward call suggest_joins '{\"tables\":[\"main.orders\",\"main.customers\"]}'",
      RunCall);
  verb.PolicyFile();
  verb.Words("TOOL", {.most = kAnyNumber},
             "The tool, then its arguments as one JSON object or key=value pairs");
}

}  // namespace schemaward::cli
