// schemaward eval retrieval: asks questions whose tables are known.

#include "base/read_file.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "retrieve/eval.h"

namespace schemaward::cli {
namespace {

constexpr std::uintmax_t kQuestionBytesMax = 256U << 20;

Result<retrieve::EvalReport> Evaluate(const CommandLine& line, app::Application& app) {
  WARD_TRY(const std::string text, ReadFile(line.questions, kQuestionBytesMax));
  WARD_TRY(const auto questions, retrieve::ReadQuestions(text));
  WARD_TRY(store::Store * store, app.Store(false));
  CallContext ctx = app.CommandContext();
  const auto search = [&](const std::string& question,
                          std::size_t limit) -> Result<std::vector<std::string>> {
    WARD_TRY(const auto answer,
             app.searcher().Search(
                 *store, {.query = question, .limit = limit, .sources = {}, .ctx = &ctx}));
    std::vector<std::string> names;
    for (const retrieve::Hit& hit : answer.hits) names.push_back(hit.name);
    return names;
  };
  return retrieve::EvaluateRetrieval(questions, search, app.clock());
}

int RunEvalRetrieval(const CommandLine& line, app::Application& app) {
  const auto report = Evaluate(line, app);
  if (!report) return PrintError(report.error());
  std::string text = line.json ? retrieve::ToJson(*report) : retrieve::ToText(*report);
  if (!text.empty() && text.back() == '\n') text.pop_back();
  PrintLine(text);
  return kDone;
}

}  // namespace

void AddEval(Syntax& program, CommandLine& line) {
  Syntax eval =
      program.Group("eval", "Measure how well tables are found, and how well agents use the tools",
                    "  schemaward eval retrieval --questions questions.jsonl");
  eval.Verb("retrieval", "Ask questions whose tables are known and print recall and time",
            "  schemaward eval retrieval --questions questions.jsonl", RunEvalRetrieval)
      .NeededText("--questions", "FILE", line.questions,
                  "One JSON object a line: question, gold_tables");
  AddEvalAgents(eval, line);
}

}  // namespace schemaward::cli
