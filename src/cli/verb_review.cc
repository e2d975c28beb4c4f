// schemaward review: findings of the rules of analysis in SQL files, as text, JSON or SARIF 2.1.0.

#include <algorithm>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "app/application.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "json/value.h"
#include "review/review.h"

namespace schemaward::cli {
namespace {

using review::Finding;
using review::Rule;

struct Reviewed {
  std::string file;
  review::Review review;
};

Result<std::string> ReadAll(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  if (in) text << in.rdbuf();
  if (!in || text.fail())
    return Error(ErrorKind::InputUnreadable, fmt::format("file {} cannot be read", path));
  return text.str();
}

std::string RangeJson(const review::Range& range) {
  return fmt::format(R"({{"startLine":{},"startColumn":{},"endLine":{},"endColumn":{}}})",
                     range.start_line, range.start_column, range.end_line, range.end_column);
}

// A path as a reference of RFC 3986.
std::string Uri(std::string_view path) {
  std::string uri;
  for (const char c : path) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') ||
                          std::string_view("-._~/").find(c) != std::string_view::npos;
    uri += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

void PrintText(const std::vector<Reviewed>& files) {
  std::size_t all = 0;
  for (const Reviewed& one : files) {
    for (const Finding& finding : one.review.findings)
      PrintLine(fmt::format("{}:{}:{}: {}: {} [{}]", one.file, finding.range.start_line,
                            finding.range.start_column, review::Word(finding.rule->severity),
                            finding.message, finding.rule->id));
    all += one.review.findings.size() + one.review.left_out;
    if (one.review.left_out > 0)
      PrintLine(fmt::format("{}: {} more are left out", one.file, one.review.left_out));
  }
  PrintWords(all == 0 ? "review: nothing found" : fmt::format("review: {} findings", all));
}

void PrintJson(const std::vector<Reviewed>& files) {
  std::string out = R"({"files":[)";
  for (const Reviewed& one : files) {
    out += out.back() == '[' ? "" : ",";
    out += fmt::format(R"({{"file":{},"statements":{},"left_out":{},"findings":[)",
                       json::Quote(one.file), one.review.statements, one.review.left_out);
    for (const Finding& finding : one.review.findings)
      out += fmt::format(
          R"({}{{"rule":{},"title":{},"message":{},"severity":"{}","level":"{}","category":"{}","statement":{},"range":{}}})",
          out.back() == '[' ? "" : ",", json::Quote(finding.rule->id),
          json::Quote(finding.rule->title), json::Quote(finding.message),
          review::Word(finding.rule->severity), review::Word(finding.rule->level),
          review::Word(finding.rule->category), finding.statement, RangeJson(finding.range));
    out += "]}";
  }
  PrintLine(out + "]}");
}

void PrintSarif(const std::vector<Reviewed>& files, const std::vector<Rule>& rules) {
  std::string out = fmt::format(
      R"({{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{{"columnKind":"unicodeCodePoints","tool":{{"driver":{{"name":"schemaward","version":{},"rules":[)",
      json::Quote(app::Version()));
  for (const Rule& rule : rules)
    out += fmt::format(
        R"({}{{"id":{},"shortDescription":{{"text":{}}},"fullDescription":{{"text":{}}},"properties":{{"category":"{}","severity":"{}"}}}})",
        out.back() == '[' ? "" : ",", json::Quote(rule.id), json::Quote(rule.title),
        json::Quote(rule.why), review::Word(rule.category), review::Word(rule.severity));
  out += "]}},\"results\":[";
  for (const Reviewed& one : files)
    for (const Finding& finding : one.review.findings)
      out += fmt::format(
          R"({}{{"ruleId":{},"level":"{}","message":{{"text":{}}},"locations":[{{"physicalLocation":{{"artifactLocation":{{"uri":{}}},"region":{}}}}}]}})",
          out.back() == '[' ? "" : ",", json::Quote(finding.rule->id),
          finding.rule->level == review::Level::Error ? "error" : "warning",
          json::Quote(finding.message), json::Quote(Uri(one.file)), RangeJson(finding.range));
  PrintLine(out + "]}]}");
}

// True where a finding is at least as bad as `fail_on`.
bool Fails(const std::vector<Reviewed>& files, std::string_view fail_on) {
  if (fail_on == "never") return false;
  const review::Severity limit = fail_on == "high"     ? review::Severity::High
                                 : fail_on == "medium" ? review::Severity::Medium
                                                       : review::Severity::Low;
  return std::any_of(files.begin(), files.end(), [&](const Reviewed& one) {
    return std::any_of(one.review.findings.begin(), one.review.findings.end(),
                       [&](const Finding& finding) { return finding.rule->severity <= limit; });
  });
}

}  // namespace

int RunReview(const CommandLine& line, app::Application&) {
  const sql::Dialect* dialect = sql::FindDialect(line.dialect);
  if (dialect == nullptr)
    return PrintError(Error(ErrorKind::InputUnreadable,
                            fmt::format("dialect \"{}\" is none that is read", line.dialect)));
  const std::vector<Rule> rules = review::AllRules();
  std::vector<Reviewed> files;
  for (const std::string& file : line.arguments) {
    const auto text = ReadAll(file);
    if (!text) return PrintError(text.error());
    files.push_back({file, review::ReviewScript(*text, *dialect, rules)});
  }
  const std::string_view format = line.json ? std::string_view("json") : line.review_format;
  if (format == "json")
    PrintJson(files);
  else if (format == "sarif")
    PrintSarif(files, rules);
  else
    PrintText(files);
  return Fails(files, line.fail_on) ? kNo : kDone;
}

}  // namespace schemaward::cli
