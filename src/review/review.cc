#include "review/review.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "review/certain.h"
#include "review/names.h"
#include "review/opinion.h"
#include "review/walk.h"

namespace schemaward::review {
namespace {

/// Finds lines and columns of bytes, also where one line is the whole script. Lifetime: ends before
/// the text.
class LineMap {
 public:
  explicit LineMap(std::string_view text) : text_(text) {
    std::size_t characters = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (i % kBlock == 0) characters_.push_back(characters);
      if (IsStart(i)) ++characters;
      if (text[i] == '\n') starts_.push_back(i + 1);
    }
    if (text.size() % kBlock == 0) characters_.push_back(characters);
  }

  Range Of(std::size_t begin, std::size_t end) const {
    Range range;
    std::tie(range.start_line, range.start_column) = At(begin);
    std::tie(range.end_line, range.end_column) = At(std::max(begin, end));
    return range;
  }

 private:
  static constexpr std::size_t kBlock = 1'024;  // bytes that are counted for one place at most

  bool IsStart(std::size_t byte) const {
    return (static_cast<unsigned char>(text_[byte]) & 0xC0U) != 0x80U;
  }

  // Characters in front of a byte.
  std::size_t Before(std::size_t byte) const {
    std::size_t count = characters_[byte / kBlock];
    for (std::size_t i = byte - byte % kBlock; i < byte; ++i)
      if (IsStart(i)) ++count;
    return count;
  }

  std::pair<std::size_t, std::size_t> At(std::size_t byte) const {
    byte = std::min(byte, text_.size());
    const auto after = std::upper_bound(starts_.begin(), starts_.end(), byte);
    const auto line = static_cast<std::size_t>(after - starts_.begin());
    return {line, Before(byte) - Before(*(after - 1)) + 1};
  }

  std::string_view text_;
  std::vector<std::size_t> starts_{0};
  std::vector<std::size_t> characters_;  // in front of each block
};

/// Gathers findings, one for a rule and place.
class Gatherer final : public Report {
 public:
  explicit Gatherer(Review& review) : review_(review) {}

  void Begin(const Rule& rule, std::size_t statement) {
    rule_ = &rule;
    statement_ = statement;
  }

  void At(std::size_t begin, std::size_t end, std::string message) override {
    if (!seen_.emplace(begin, end, rule_->id).second) return;
    if (review_.findings.size() >= kFindingsMax) {
      ++review_.left_out;
      return;
    }
    if (message.empty()) message = rule_->message;
    review_.findings.push_back({rule_, std::move(message), statement_, begin, end, {}});
  }

 private:
  Review& review_;
  const Rule* rule_ = nullptr;
  std::size_t statement_ = 0;
  std::set<std::tuple<std::size_t, std::size_t, std::string_view>> seen_;
};

/// The rules that look at each kind of node.
struct Table {
  std::vector<const Rule*> names, query, core, table, expression, change, script;
  const Rule* syntax_error = nullptr;
  const Rule* not_read = nullptr;
};

Table TableOf(const std::vector<Rule>& rules, const sql::Dialect& dialect, bool has_schema) {
  Table table;
  for (const Rule& rule : rules) {
    if (rule.level == Level::Off) continue;
    if (rule.id == "syntax-error") table.syntax_error = &rule;
    if (rule.id == "not-read") table.not_read = &rule;
    const bool applies = rule.only.empty() || std::find(rule.only.begin(), rule.only.end(),
                                                        dialect.name) != rule.only.end();
    if (!applies || (rule.needs == Needs::Schema && !has_schema)) continue;
    if (rule.on_names != nullptr) table.names.push_back(&rule);
    if (rule.on_script != nullptr) table.script.push_back(&rule);
    if (rule.on_query != nullptr) table.query.push_back(&rule);
    if (rule.on_core != nullptr) table.core.push_back(&rule);
    if (rule.on_table != nullptr) table.table.push_back(&rule);
    if (rule.on_expression != nullptr) table.expression.push_back(&rule);
    if (rule.on_change != nullptr) table.change.push_back(&rule);
  }
  return table;
}

// What our reader does not know may be right all the same, and what it passes over may be wrong:
// the engine's own grammar is asked, where it is at hand; elsewhere a stop is said to be wrong
// where that is certain. Returns true where the statement is to be walked.
bool IsReadable(std::string_view text, const query::ScriptStatement& statement,
                const sql::Dialect& dialect, const Table& table, std::size_t number,
                Gatherer& gatherer) {
  const bool fails_syntax = statement.failure && statement.failure->kind() == ErrorKind::SqlSyntax;
  if (!statement.failure && !statement.is_skimmed) return true;
  const std::string_view own = text.substr(statement.begin, statement.end - statement.begin);
  Judged judged;
  if (fails_syntax || !statement.failure) judged = OpinionOf(own, dialect);
  if (!statement.failure) {
    if (judged.opinion != Opinion::Refused || table.syntax_error == nullptr) return true;
    const std::size_t at = std::min(statement.begin + judged.at, statement.end);
    gatherer.Begin(*table.syntax_error, number);
    gatherer.At(at, std::max(at + 1, statement.end), "");
    return false;
  }
  const bool is_wrong =
      fails_syntax && (judged.opinion == Opinion::Refused ||
                       (judged.opinion == Opinion::None &&
                        IsSurelyWrong(own, statement.failed_begin - statement.begin, dialect)));
  const Rule* rule = is_wrong ? table.syntax_error : table.not_read;
  if (rule == nullptr) return false;
  gatherer.Begin(*rule, number);
  gatherer.At(statement.failed_begin, statement.failed_end,
              fails_syntax && !is_wrong ? "" : std::string(statement.failure->message()));
  return false;
}

}  // namespace

std::string_view Word(Severity severity) {
  return severity == Severity::High ? "high" : severity == Severity::Medium ? "medium" : "low";
}

std::string_view Word(Level level) {
  return level == Level::Off ? "off" : level == Level::Warn ? "warn" : "error";
}

std::string_view Word(Category category) {
  static constexpr std::string_view kWords[] = {
      "correctness", "safety",      "security", "performance", "schema-design",
      "types",       "nullability", "naming",   "portability", "transactions"};
  return kWords[static_cast<std::size_t>(category)];
}

std::string_view Word(Safety safety) {
  return safety == Safety::Safe ? "safe" : safety == Safety::Review ? "review" : "risky";
}

Review ReviewScript(std::string_view text, const sql::Dialect& dialect,
                    const std::vector<Rule>& rules, guard::TableLookup* schema) {
  Review review;
  const query::Script script = query::ReadScript(text, dialect);
  review.statements = script.statements.size() + script.left_out;
  review.left_out = script.left_out;
  const Table table = TableOf(rules, dialect, schema != nullptr);
  Gatherer gatherer(review);
  std::size_t number = 0;
  std::optional<ScriptSchema> known;
  if (schema != nullptr) known.emplace(*schema);
  Listener listener;
  listener.query = [&](const Site& site, const query::Query& node) {
    for (const Rule* rule : table.query)
      gatherer.Begin(*rule, number), rule->on_query(site, node, gatherer);
  };
  listener.core = [&](const Site& site, const query::Core& node) {
    for (const Rule* rule : table.core)
      gatherer.Begin(*rule, number), rule->on_core(site, node, gatherer);
  };
  listener.table = [&](const Site& site, const query::TableExpression& node) {
    for (const Rule* rule : table.table)
      gatherer.Begin(*rule, number), rule->on_table(site, node, gatherer);
  };
  listener.expression = [&](const Site& site, const query::Expression& node) {
    for (const Rule* rule : table.expression)
      gatherer.Begin(*rule, number), rule->on_expression(site, node, gatherer);
  };
  listener.change = [&](const Site& site, const query::Change& node) {
    for (const Rule* rule : table.change)
      gatherer.Begin(*rule, number), rule->on_change(site, node, gatherer);
  };
  for (const query::ScriptStatement& statement : script.statements) {
    ++number;
    if (!IsReadable(text, statement, dialect, table, number, gatherer)) continue;
    std::optional<Names> names;
    if (known) names = ResolveNames(statement, dialect, *known);
    if (names)
      for (const Rule* rule : table.names) {
        gatherer.Begin(*rule, number);
        rule->on_names({.dialect = dialect, .statement = statement, .names = &*names}, *names,
                       gatherer);
      }
    Walk(dialect, statement, names ? &*names : nullptr, listener);
    if (known && statement.change) known->Apply(*statement.change, dialect);
  }
  if (known) review.lookup_failure = known->failure();
  for (const Rule* rule : table.script) gatherer.Begin(*rule, 0), rule->on_script(script, gatherer);
  const LineMap lines(text);
  for (Finding& finding : review.findings) finding.range = lines.Of(finding.begin, finding.end);
  std::sort(review.findings.begin(), review.findings.end(), [](const Finding& a, const Finding& b) {
    return std::tie(a.begin, a.rule->id, a.end) < std::tie(b.begin, b.rule->id, b.end);
  });
  return review;
}

}  // namespace schemaward::review
