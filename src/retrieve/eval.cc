#include "retrieve/eval.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "json/value.h"
#include "text/fold.h"

namespace schemaward::retrieve {
namespace {

constexpr std::string_view kShape =
    R"(Write one object a line, as {"question": "who paid?", "gold_tables": ["main.payment"]}.)";

Error Unreadable(std::size_t line, std::string_view why) {
  return std::move(
      Error(ErrorKind::InputUnreadable, fmt::format("line {} of the questions file {}", line, why))
          .Hint(kShape));
}

Result<GoldQuestion> ReadQuestion(std::string_view line, std::size_t number) {
  auto parsed = json::Parse(line);
  if (!parsed) return Unreadable(number, "is not JSON");
  const json::Value& value = parsed->value();
  const auto question = value.is_object() ? value.find("question") : value.end();
  const auto gold = value.is_object() ? value.find("gold_tables") : value.end();
  if (question == value.end() || !question->is_string()) {
    return Unreadable(number, "has no string \"question\"");
  }
  if (gold == value.end() || !gold->is_array() || gold->empty()) {
    return Unreadable(number, "has no list \"gold_tables\"");
  }
  GoldQuestion read;
  read.question = question->get<std::string>();
  for (const auto& table : *gold) {
    if (!table.is_string()) return Unreadable(number, "has a gold table that is no string");
    read.gold_tables.push_back(text::Fold(table.get<std::string>()));
  }
  std::sort(read.gold_tables.begin(), read.gold_tables.end());
  read.gold_tables.erase(std::unique(read.gold_tables.begin(), read.gold_tables.end()),
                         read.gold_tables.end());
  return read;
}

std::string WithoutQuotes(std::string name) {
  std::erase(name, '"');
  return name;
}

std::string SchemaOf(const std::string& name) { return name.substr(0, name.rfind('.')); }

/// Adds one question's share to the sums of the report.
void Count(const GoldQuestion& question, const std::vector<std::string>& found,
           EvalReport& report) {
  const auto is_gold = [&](const std::string& name) {
    return std::binary_search(question.gold_tables.begin(), question.gold_tables.end(), name);
  };
  for (auto& at : report.depths) {
    const auto end = found.begin() + static_cast<std::ptrdiff_t>(std::min(at.depth, found.size()));
    const auto hits = static_cast<std::size_t>(std::count_if(found.begin(), end, is_gold));
    at.recall += static_cast<double>(hits) / static_cast<double>(question.gold_tables.size());
    at.all_gold += hits == question.gold_tables.size() ? 1 : 0;
  }
  const bool right =
      !found.empty() &&
      std::any_of(question.gold_tables.begin(), question.gold_tables.end(),
                  [&](const auto& gold) { return SchemaOf(gold) == SchemaOf(found[0]); });
  report.right_schema_first += right ? 1 : 0;
}

void Average(EvalReport& report, std::vector<double>& times_ms) {
  const auto questions = static_cast<double>(report.questions);
  const auto percent = [&](double& sum) { sum = 100 * sum / questions; };
  for (auto& at : report.depths) {
    percent(at.recall);
    percent(at.all_gold);
  }
  percent(report.right_schema_first);
  std::sort(times_ms.begin(), times_ms.end());
  for (const double ms : times_ms) report.mean_ms += ms / questions;
  report.p50_ms = times_ms[(times_ms.size() - 1) / 2];
  report.p95_ms = times_ms[(times_ms.size() - 1) * 95 / 100];
}

}  // namespace

Result<std::vector<GoldQuestion>> ReadQuestions(std::string_view jsonl) {
  std::vector<GoldQuestion> questions;
  for (std::size_t number = 1; !jsonl.empty(); ++number) {
    const auto end = std::min(jsonl.find('\n'), jsonl.size());
    const std::string_view line = jsonl.substr(0, end);
    jsonl.remove_prefix(std::min(end + 1, jsonl.size()));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    if (questions.size() == kQuestionsMax) return Unreadable(number, "is one too many");
    WARD_TRY(auto question, ReadQuestion(line, number));
    questions.push_back(std::move(question));
  }
  if (questions.empty()) {
    return Error(ErrorKind::InputUnreadable, "the questions file holds no questions").Hint(kShape);
  }
  return questions;
}

Result<EvalReport> EvaluateRetrieval(const std::vector<GoldQuestion>& questions,
                                     const SearchFunction& search, const Clock& clock) {
  EvalReport report;
  report.questions = questions.size();
  if (questions.empty()) return report;
  for (const std::size_t depth : kDepths) report.depths.push_back({depth, 0, 0});
  std::vector<double> times_ms;
  for (const auto& question : questions) {
    const auto begin = clock.Now();
    WARD_TRY(auto found, search(question.question, kDepthMax));
    const std::chrono::duration<double, std::milli> took = clock.Now() - begin;
    times_ms.push_back(took.count());
    for (auto& name : found) name = text::Fold(WithoutQuotes(std::move(name)));
    Count(question, found, report);
  }
  Average(report, times_ms);
  return report;
}

std::string ToText(const EvalReport& report) {
  std::string out = fmt::format("{} questions\n{:>6} {:>9} {:>9}\n", report.questions, "depth",
                                "recall", "all gold");
  for (const auto& at : report.depths) {
    out += fmt::format("{:>6} {:>8.1f}% {:>8.1f}%\n", at.depth, at.recall, at.all_gold);
  }
  out += fmt::format("right schema first {:.1f}%\n", report.right_schema_first);
  out += fmt::format("ms per question: mean {:.2f}, p50 {:.2f}, p95 {:.2f}\n", report.mean_ms,
                     report.p50_ms, report.p95_ms);
  return out;
}

std::string ToJson(const EvalReport& report) {
  std::string out = fmt::format("{{\"questions\":{}", report.questions);
  for (const auto& at : report.depths) {
    out += fmt::format(",\"recall@{0}\":{1:.2f},\"all_gold@{0}\":{2:.2f}", at.depth, at.recall,
                       at.all_gold);
  }
  out += fmt::format(",\"right_schema_first\":{:.2f},\"ms_mean\":{:.3f},\"ms_p50\":{:.3f},",
                     report.right_schema_first, report.mean_ms, report.p50_ms);
  return out + fmt::format("\"ms_p95\":{:.3f}}}", report.p95_ms);
}

}  // namespace schemaward::retrieve
