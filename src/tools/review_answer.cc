#include "tools/review_answer.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "tools/names.h"
#include "tools/sql_text.h"

namespace schemaward::tools {
namespace {

using review::Category;
using review::Finding;

AnalysisType TypeOf(Category category) {
  switch (category) {
    case Category::Types:
    case Category::Nullability:
      return AnalysisType::Validation;
    case Category::Performance:
    case Category::SchemaDesign:
    case Category::Naming:
    case Category::Portability:
      return AnalysisType::Patterns;
    default:
      return AnalysisType::Errors;
  }
}

// What cannot be read is said whatever is asked: nothing else is known of it.
bool IsAlwaysAsked(const review::Rule& rule) {
  return rule.id == "syntax-error" || rule.id == "not-read";
}

Status CheckText(const ReviewRequest& request) {
  if (request.text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    return Error(ErrorKind::InvalidArgument, fmt::format("{} must not be empty", request.argument));
  if (request.text.size() > request.bytes_max)
    return Error(ErrorKind::ByteCap,
                 fmt::format("{} must be at most {} bytes, not {}", request.argument,
                             request.bytes_max, request.text.size()));
  return Ok();
}

/// The index as a review may speak of it. Lifetime: the services'. Thread: owner.
class ReviewLookup final : public guard::TableLookup {
 public:
  ReviewLookup(const Services& services, const store::Source& source)
      : services_(services), index_(services, source.id), policy_(services.PolicyFor(source)) {}

  Result<std::vector<const catalog::Table*>> Find(const std::optional<std::string>& schema,
                                                  std::string_view name) override {
    WARD_TRY(std::vector<const catalog::Table*> found, index_.Find(schema, name));
    for (const catalog::Table*& table : found) table = &Shown(*table);
    return found;
  }

  std::vector<std::string> Near(std::string_view name) override { return index_.Near(name); }

 private:
  // A table that the caller may not know of has no columns: nothing is said of it. Values of
  // blocked columns are not listed, and where their names are hidden nothing is said of the table
  // either.
  const catalog::Table& Shown(const catalog::Table& table) {
    const auto [at, is_new] = shown_.try_emplace(&table);
    if (!is_new) return *at->second;
    at->second = std::make_unique<catalog::Table>(table);
    catalog::Table& shown = *at->second;
    if (!services_.MaySee(table.schema, table.name)) shown.columns.clear();
    bool hides = false;
    for (catalog::Column& column : shown.columns) {
      if (!policy_.RuleOf(table, column).IsBlocked()) continue;
      column.labels.clear();
      hides = hides || policy_.hide_names();
    }
    if (hides) shown.columns.clear();
    return shown;
  }

  const Services& services_;
  IndexLookup index_;
  const privacy::Policy policy_;
  std::map<const catalog::Table*, std::unique_ptr<catalog::Table>> shown_;
};

std::string_view NameOf(ReviewDialect dialect) {
  return json::EnumNames<ReviewDialect>::kNames[static_cast<std::size_t>(dialect)];
}

// The source whose tables the text names; nothing where none is meant.
Result<std::optional<store::Source>> SourceFor(const Services& services,
                                               const ReviewRequest& request) {
  std::optional<store::Source> none;
  if (request.against && request.against->empty()) return none;
  Result<Scope> scope = ResolveScope(services, request.against);
  if (!scope) {
    const ErrorKind kind = scope.error().kind();
    const bool has_none = kind == ErrorKind::UnknownSource || kind == ErrorKind::IndexNotReady ||
                          kind == ErrorKind::IndexBuilding;
    if (request.against || !has_none) return std::move(scope).error();
    return none;
  }
  if (scope->sources.size() != 1) return none;
  store::Source& source = scope->sources.front();
  // A text in another dialect is not meant for the source that happens to be there.
  if (!request.against && request.dialect && NameOf(*request.dialect) != DialectOf(source).name)
    return none;
  return std::optional(std::move(source));
}

}  // namespace

bool IsOfType(const review::Rule& rule, AnalysisType type) {
  if (type == AnalysisType::All || TypeOf(rule.category) == type) return true;
  // References are validated against the schema.
  return type == AnalysisType::Validation && rule.needs == review::Needs::Schema &&
         rule.category == Category::Correctness;
}

Result<Reviewed> ReviewText(const Services& services, const ReviewRequest& request) {
  WARD_CHECK(CheckText(request));
  WARD_TRY(const std::optional<store::Source> source, SourceFor(services, request));
  Reviewed reviewed;
  reviewed.rules = review::AllRules();
  std::erase_if(reviewed.rules, [&](const review::Rule& rule) {
    return !IsOfType(rule, request.type) && !IsAlwaysAsked(rule);
  });
  reviewed.dialect = request.dialect ? sql::FindDialect(NameOf(*request.dialect))
                     : source        ? &DialectOf(*source)
                                     : &sql::Postgres();
  std::optional<ReviewLookup> lookup;
  if (source) {
    lookup.emplace(services, *source);
    reviewed.against = source->name;
  }
  reviewed.review = review::ReviewScript(request.text, *reviewed.dialect, reviewed.rules,
                                         lookup ? &*lookup : nullptr);
  if (reviewed.review.lookup_failure) return *reviewed.review.lookup_failure;
  // They are sorted by place already.
  std::stable_sort(
      reviewed.review.findings.begin(), reviewed.review.findings.end(),
      [](const Finding& a, const Finding& b) { return a.rule->severity < b.rule->severity; });
  return reviewed;
}

std::string Cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c == '\n' || c == '\r' ? ' ' : c;
  }
  return out;
}

std::array<std::int64_t, 3> CountBySeverity(const review::Review& review) {
  std::array<std::int64_t, 3> counts{};
  for (const Finding& finding : review.findings)
    ++counts[static_cast<std::size_t>(finding.rule->severity)];
  return counts;
}

std::string CountsMarkdown(const Reviewed& reviewed) {
  const auto counts = CountBySeverity(reviewed.review);
  return fmt::format("{} findings ({} high, {} medium, {} low) in {} statements of {}{}",
                     reviewed.review.findings.size(), counts[0], counts[1], counts[2],
                     reviewed.review.statements, reviewed.dialect->name,
                     reviewed.against.empty() ? "" : ", on " + reviewed.against);
}

}  // namespace schemaward::tools
