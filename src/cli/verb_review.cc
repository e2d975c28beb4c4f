// schemaward review: findings of the rules of analysis in SQL files, as text, JSON or SARIF 2.1.0.

#include <algorithm>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <sstream>

#include <fmt/format.h>

#include "app/application.h"
#include "base/read_file.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "json/value.h"
#include "review/example_schema.h"
#include "review/review.h"
#include "text/nearest.h"

namespace schemaward::cli {
namespace {

using review::Finding;
using review::Rule;

struct Reviewed {
  std::string file;
  review::Review review;
};

constexpr std::size_t kFileBytesMax = 64U << 20U;
constexpr std::string_view kStandardInput = "-";
constexpr std::size_t kNear = 3;

Result<std::string> ReadAll(const std::string& path) {
  std::ifstream file;
  const bool is_standard = path == kStandardInput;
  if (!is_standard) file.open(path, std::ios::binary);
  std::istream& in = is_standard ? std::cin : file;
  std::string text;
  constexpr std::size_t kChunk = 65'536;
  std::string chunk(kChunk, '\0');
  while (in && text.size() <= kFileBytesMax) {
    in.read(chunk.data(), static_cast<std::streamsize>(chunk.size()));
    text.append(chunk, 0, static_cast<std::size_t>(in.gcount()));
  }
  if ((!is_standard && !file.is_open()) || in.bad()) return UnreadableFile(path);
  if (text.size() > kFileBytesMax)
    return Error(ErrorKind::InputUnreadable,
                 fmt::format("file {} has more than {} bytes", path, kFileBytesMax));
  return text;
}

/// The index of one source, all of it: who runs the command owns the store. Thread: owner.
class StoreLookup final : public guard::TableLookup {
 public:
  StoreLookup(store::Store& store, std::int64_t source_id) : store_(store), id_(source_id) {}

  Result<std::vector<const catalog::Table*>> Find(const std::optional<std::string>& schema,
                                                  std::string_view name) override {
    WARD_TRY(const auto entries, store_.FindTables(std::span(&id_, 1), schema, name));
    std::vector<const catalog::Table*> found;
    for (const store::TableEntry& entry : entries) {
      auto& kept = tables_[entry.id];
      if (kept == nullptr) {
        WARD_TRY(auto table, store_.GetTable(entry.id));
        if (!table) continue;
        kept = std::make_unique<catalog::Table>(*std::move(table));
      }
      found.push_back(kept.get());
    }
    return found;
  }

  std::vector<std::string> Near(std::string_view name) override {
    text::NearestNames nearest(name, kNear);
    const Status visited =
        store_.VisitTables(std::span(&id_, 1), [&](const store::TableEntry& entry) {
          nearest.Offer(entry.name);
          return true;
        });
    return visited ? nearest.Take() : std::vector<std::string>();
  }

 private:
  store::Store& store_;
  const std::int64_t id_;
  std::map<std::int64_t, std::unique_ptr<catalog::Table>> tables_;
};

/// What the files are reviewed as.
struct Setting {
  const sql::Dialect* dialect = nullptr;
  std::unique_ptr<StoreLookup> schema;  ///< null: no source was named
};

Result<Setting> SettingOf(const CommandLine& line, app::Application& app) {
  Setting setting;
  setting.dialect = &sql::Postgres();
  if (line.source) {
    WARD_TRY(store::Store * store, app.Store(false));
    WARD_TRY(const auto source, store->FindSource(*line.source));
    if (!source)
      return Error(ErrorKind::UnknownSource, fmt::format("no source is named \"{}\"", *line.source))
          .Hint("Run `schemaward sources` to see them.");
    if (source->generation == 0)
      return Error(ErrorKind::IndexNotReady,
                   fmt::format("source \"{}\" has not been indexed", source->name));
    if (const sql::Dialect* its = sql::FindDialect(source->engine)) setting.dialect = its;
    setting.schema = std::make_unique<StoreLookup>(*store, source->id);
  }
  if (!line.dialect.empty()) setting.dialect = sql::FindDialect(line.dialect);
  return setting;
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
          R"({}{{"rule":{},"title":{},"message":{},"severity":"{}","level":"{}","category":"{}","fix":{},"statement":{},"range":{}}})",
          out.back() == '[' ? "" : ",", json::Quote(finding.rule->id),
          json::Quote(finding.rule->title), json::Quote(finding.message),
          review::Word(finding.rule->severity), review::Word(finding.rule->level),
          review::Word(finding.rule->category), json::Quote(finding.rule->fix_title),
          finding.statement, RangeJson(finding.range));
    out += "]}";
  }
  PrintLine(out + "]}");
}

// What a reader of the results must know: findings that are not among them.
std::string SarifInvocation(const std::vector<Reviewed>& files) {
  std::string notes;
  for (const Reviewed& one : files) {
    if (one.review.left_out == 0) continue;
    const std::string words = fmt::format("{}: {} more findings or statements are left out",
                                          one.file, one.review.left_out);
    notes += fmt::format(R"({}{{"level":"warning","message":{{"text":{}}}}})",
                         notes.empty() ? "" : ",", json::Quote(words));
  }
  if (!notes.empty()) notes = R"(,"toolExecutionNotifications":[)" + notes + ']';
  return R"("invocations":[{"executionSuccessful":true)" + notes + "}]";
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
  PrintLine(out + "]," + SarifInvocation(files) + "}]}");
}

void PrintRulesJson(const std::vector<Rule>& rules) {
  std::string out = R"({"example_schema":)" + json::Quote(review::kExampleSchema) + R"(,"rules":[)";
  for (const Rule& rule : rules) {
    std::string only;
    for (const std::string_view one : rule.only)
      only += (only.empty() ? "" : ",") + json::Quote(one);
    out += fmt::format(
        R"({}{{"id":{},"title":{},"message":{},"severity":"{}","level":"{}","category":"{}","why":{},"needs_schema":{},"judges_names":{},"dialects":[{}],"example_dialect":{},"bad":{},"good":{},"fix":{{"id":{},"title":{},"safety":"{}"}}}})",
        out.back() == '[' ? "" : ",", json::Quote(rule.id), json::Quote(rule.title),
        json::Quote(rule.message), review::Word(rule.severity), review::Word(rule.level),
        review::Word(rule.category), json::Quote(rule.why), rule.needs == review::Needs::Schema,
        rule.judges_names, only, json::Quote(rule.dialect), json::Quote(rule.bad),
        json::Quote(rule.good), json::Quote(rule.fix), json::Quote(rule.fix_title),
        review::Word(rule.fix_safety));
  }
  PrintLine(out + "]}");
}

void PrintRulesText(const std::vector<Rule>& rules) {
  for (const Rule& rule : rules)
    PrintLine(fmt::format("{}: {}, {}: {}", rule.id, review::Word(rule.severity),
                          review::Word(rule.category), rule.title));
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

int RunReview(const CommandLine& line, app::Application& app) {
  const std::vector<Rule> rules = review::AllRules();
  const std::string_view format = line.json ? std::string_view("json") : line.review_format;
  if (line.list_rules) {
    format == "json" ? PrintRulesJson(rules) : PrintRulesText(rules);
    return kDone;
  }
  if (line.arguments.empty())
    return PrintError(Error(ErrorKind::InputUnreadable, "no file is named")
                          .Hint("Name files of SQL, or - for standard input; --rules lists the "
                                "rules."));
  const auto setting = SettingOf(line, app);
  if (!setting) return PrintError(setting.error());
  std::vector<Reviewed> files;
  for (const std::string& file : line.arguments) {
    const auto text = ReadAll(file);
    if (!text) return PrintError(text.error());
    files.push_back({file == kStandardInput ? "stdin" : file,
                     review::ReviewScript(*text, *setting->dialect, rules, setting->schema.get())});
    if (files.back().review.lookup_failure) return PrintError(*files.back().review.lookup_failure);
  }
  if (format == "json")
    PrintJson(files);
  else if (format == "sarif")
    PrintSarif(files, rules);
  else
    PrintText(files);
  return Fails(files, line.fail_on) ? kNo : kDone;
}

}  // namespace

void AddReview(Syntax& program, CommandLine& line) {
  Syntax verb = program.Verb(
      "review",
      "Say what is wrong with SQL files; nothing is executed; exit code 1 where it is bad",
      "  schemaward review migrations/0042.sql\n"
      "  schemaward review *.sql --dialect mysql --format sarif > review.sarif\n"
      "  schemaward review report.sql --source shop --fail-on medium\n"
      "  git show HEAD:report.sql | schemaward review -\n"
      "  schemaward review --rules",
      RunReview);
  verb.Words("FILES", {.most = kAnyNumber, .needed = false},
             "Files of SQL statements; - is standard input");
  verb.Source("Check names, types, keys and indexes against this indexed source");
  verb.Flag("--rules", line.list_rules, "List the rules instead");
  verb.Choice("--dialect", {"postgres", "sqlite", "mysql", "duckdb"}, line.dialect,
              "postgres, sqlite, mysql or duckdb; where absent that of the source, else postgres");
  verb.Choice("--format", {"text", "json", "sarif"}, line.review_format,
              "text (where absent), json or sarif");
  verb.Choice("--fail-on", {"high", "medium", "low", "never"}, line.fail_on,
              "Least severity that gives exit code 1: high (where absent), medium, low; never");
}

}  // namespace schemaward::cli
