#include "tools/pattern_binding.h"

#include <algorithm>
#include <deque>
#include <utility>

#include <fmt/format.h>

#include "retrieve/search.h"
#include "tools/sql_text.h"

namespace schemaward::tools {
namespace {

using patterns::Fills;
using patterns::Parameter;
using patterns::Pattern;

constexpr std::size_t kNear = 5;
constexpr std::size_t kFoundMax = 60;    // tables that the pattern's words find
constexpr std::size_t kTablesMax = 300;  // tables that are looked at

/// The tables of a source as the caller may name them. Thread: owner.
class Tables {
 public:
  Tables(const Services& services, const store::Source& source, const Principal& principal)
      : services_(services),
        source_(source),
        policy_(services.PolicyFor(source)),
        caller_(policy_.For(principal)) {}

  /// Adds a table unless it is there or may not be named; null where it may not.
  Result<const catalog::Table*> Add(std::int64_t id) {
    for (const auto& [known, table] : tables_)
      if (known == id) return &table;
    WARD_TRY(auto table, services_.store.GetTable(id));
    if (!table || caller_.OfTable(table->schema, table->name) != privacy::Access::Allowed)
      return nullptr;
    const catalog::Table whole = *table;
    std::erase_if(table->columns, [&](const catalog::Column& column) {
      return policy_.RuleOf(whole, column).IsBlocked();
    });
    tables_.emplace_back(id, *std::move(table));
    return &tables_.back().second;
  }

  /// Adds a table as one that may be proposed; a view may be given, but is not proposed: what its
  /// columns are made of is often not known.
  Status AddReadable(std::int64_t id) {
    const std::size_t before = tables_.size();
    WARD_TRY(const catalog::Table* table, Add(id));
    const bool is_new = tables_.size() > before;
    if (is_new && table->kind != catalog::TableKind::Table &&
        table->kind != catalog::TableKind::PartitionedTable)
      tables_.pop_back();
    return Ok();
  }

  /// Adds those that words find, then the first there are.
  Status AddLikely(const Pattern& pattern) {
    std::string words;
    for (const Parameter& parameter : pattern.parameters)
      if (parameter.fills != Fills::Value) words += parameter.name + ' ' + parameter.example + ' ';
    const std::span ids(&source_.id, 1);
    WARD_TRY(
        const auto answer,
        services_.searcher.Search(
            services_.store, {.query = words, .limit = kFoundMax, .offset = 0, .sources = ids}));
    for (const retrieve::Hit& hit : answer.hits) WARD_CHECK(AddReadable(hit.table_id));
    WARD_TRY(const auto entries, services_.store.ListTables(ids, std::nullopt, kTablesMax));
    for (const store::TableEntry& entry : entries) {
      if (tables_.size() >= kTablesMax) break;
      WARD_CHECK(AddReadable(entry.id));
    }
    return Ok();
  }

  std::vector<const catalog::Table*> All() const {
    std::vector<const catalog::Table*> all;
    for (const auto& [id, table] : tables_) all.push_back(&table);
    // What was found first depends on words; what is proposed must not depend on how many there
    // are.
    std::sort(all.begin(), all.end(), [](const catalog::Table* a, const catalog::Table* b) {
      return std::pair(a->schema, a->name) < std::pair(b->schema, b->name);
    });
    return all;
  }

 private:
  const Services& services_;
  const store::Source& source_;
  const privacy::Policy policy_;
  const privacy::CallerPolicy caller_;
  std::deque<std::pair<std::int64_t, catalog::Table>> tables_;  // a deque: places stay
};

Result<Scope> OneSource(const Services& s, const BindRequest& request) {
  WARD_TRY(Scope scope, ResolveScope(s, request.source));
  if (scope.sources.size() == 1) return scope;
  std::vector<std::string> names;
  for (const store::Source& source : scope.sources) names.push_back(source.name);
  Error error(ErrorKind::AmbiguousName,
              fmt::format("{} sources are served: say which one to bind to", names.size()));
  error.Near(names);
  return error;
}

bool IsUnknownName(const Error& error) {
  const ErrorKind kind = error.kind();
  return kind == ErrorKind::UnknownTable || kind == ErrorKind::MalformedName ||
         kind == ErrorKind::AmbiguousName || kind == ErrorKind::SchemaDrift;
}

// The table that was given for a parameter; null with a question where there is none of that name.
Result<const catalog::Table*> GivenTable(const Services& s, const Scope& scope,
                                         const GivenIn& given, Tables& tables,
                                         PatternAnswer& question) {
  const auto found = FindTable(s, scope, given.fills);
  if (!found && !IsUnknownName(found.error())) return found.error();
  std::vector<std::string> near;
  if (found) {
    WARD_TRY(const catalog::Table* table, tables.Add(found->entry.id));
    if (table != nullptr) return table;
  } else {
    near = found.error().recovery().fuzzy_matches;
  }
  std::vector<Suggestion> suggestions;
  if (!near.empty()) suggestions.push_back({"bind", near});
  Ask(question,
      fmt::format("No table \"{}\" can fill {}.", Abridged(given.fills, 100), given.parameter),
      "the named table is not there", {"bind"}, suggestions, {"bind"});
  return nullptr;
}

// What the caller gives, as the binder takes it; a question where a parameter or a table is
// unknown.
Result<std::vector<patterns::Given>> GivenOf(const Services& s, const Scope& scope,
                                             const Pattern& pattern, const BindRequest& request,
                                             Tables& tables, PatternAnswer& question) {
  std::vector<patterns::Given> given;
  for (const GivenIn& one : request.given) {
    const Parameter* parameter = patterns::FindParameter(pattern, one.parameter);
    if (parameter == nullptr) {
      std::vector<std::string> names;
      for (const Parameter& known : pattern.parameters) names.push_back(known.name);
      Ask(question,
          fmt::format("The pattern has no parameter \"{}\".", Abridged(one.parameter, 100)),
          "the named parameter is not there", {"bind"}, {{"bind", names}}, {"bind"});
      return given;
    }
    patterns::Given& next = given.emplace_back();
    next.parameter = one.parameter;
    next.fills = one.fills;
    if (parameter->fills != Fills::Table) continue;
    WARD_TRY(next.table, GivenTable(s, scope, one, tables, question));
    if (next.table == nullptr) return given;
  }
  return given;
}

// A column or value that was given and does not fit.
void AskForFit(const Pattern& pattern, const patterns::Binding& binding, PatternAnswer& question) {
  const std::string& name = binding.unknown.front();
  const Parameter* parameter = patterns::FindParameter(pattern, name);
  std::vector<std::string> near;
  for (const patterns::Filling& filling : binding.fillings)
    if (filling.table != nullptr && filling.parameter == parameter->table)
      for (const catalog::Column& column : filling.table->columns)
        if (near.size() < kNear) near.push_back(column.name);
  std::vector<Suggestion> suggestions;
  if (!near.empty()) suggestions.push_back({"bind", near});
  Ask(question, fmt::format("What was given for {} cannot fill it.", name),
      "the named column is not there", {"bind"}, suggestions, {"bind"});
}

void Show(const patterns::Binding& binding, BindingOut& out) {
  for (const patterns::Filling& filling : binding.fillings)
    out.fillings.push_back(
        {filling.parameter, filling.fills, filling.value, filling.how, filling.alternatives});
}

std::string Listed(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
  return out;
}

void Decide(const Services& s, const Pattern& pattern, const patterns::Binding& binding,
            const store::Source& source, CallContext& ctx, BindingOut& out) {
  const sql::Dialect& dialect = DialectOf(source);
  const patterns::Text* text = patterns::FindText(pattern, dialect.name);
  if (text == nullptr) {
    out.decision = "no_sql";
    out.reason = fmt::format("the pattern has no SQL for {}", dialect.name);
    return;
  }
  if (!binding.unfilled.empty()) {
    out.decision = "unfilled";
    out.reason = "nothing fills " + Listed(binding.unfilled);
    return;
  }
  out.sql = patterns::BoundSql(pattern, text->sql, binding, dialect);
  if (pattern.writes) {
    out.decision = "writes";
    out.reason = "it changes data: for people to read and run, never through this program";
    return;
  }
  IndexLookup lookup(s, source.id);
  const auto approved =
      s.GuardFor(source).ApproveText({out.sql, {}}, dialect, lookup, ctx.principal, nullptr);
  out.decision = approved ? "allowed" : "refused";
  if (!approved) out.reason = approved.error().message();
}

}  // namespace

void GivenIn::Bind(json::Fields& f) {
  f("parameter", parameter, "name of a parameter", {.required = true, .length_max = kNameBytesMax});
  f("fills", fills, "a table, a column of its table, or a value",
    {.required = true, .length_max = kNameBytesMax});
}

void FillingOut::Bind(json::Fields& f) {
  f("parameter", parameter, "name of the parameter");
  f("fills", fills, "table, column or value");
  f("value", value, "what fills it; empty: nothing does");
  f("how", how, "why");
  f("alternatives", alternatives, "what else could, best first", {.omit_empty = true});
}

void BindingOut::Bind(json::Fields& f) {
  f("source", source, "source");
  f("dialect", dialect, "dialect of the SQL");
  f("decision", decision, "allowed, refused, unfilled, writes or no_sql");
  f("reason", reason, "why it is not allowed", {.omit_empty = true});
  f("sql", sql, "the pattern with the names of the source", {.omit_empty = true});
  f("fillings", fillings, "what fills each parameter");
}

Status BindTo(const Services& services, const Pattern& pattern, const BindRequest& request,
              CallContext& ctx, BindingOut& out, PatternAnswer& question) {
  WARD_TRY(const Scope scope, OneSource(services, request));
  const store::Source& source = scope.sources.front();
  Tables tables(services, source, ctx.principal);
  WARD_TRY(const auto given, GivenOf(services, scope, pattern, request, tables, question));
  if (!question.type.empty()) return Ok();
  WARD_CHECK(tables.AddLikely(pattern));
  const patterns::Binding binding =
      patterns::Propose(pattern, tables.All(), given, DialectOf(source));
  if (!binding.unknown.empty()) {
    AskForFit(pattern, binding, question);
    return Ok();
  }
  out.source = source.name;
  out.dialect = DialectOf(source).name;
  Show(binding, out);
  Decide(services, pattern, binding, source, ctx, out);
  return Ok();
}

}  // namespace schemaward::tools
