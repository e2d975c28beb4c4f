// What is refused, in the order in which it is: personal data, tables, lineage, functions.
#include <algorithm>

#include <fmt/format.h>

#include "guard/decision.h"
#include "guard/ending_forms.h"
#include "guard/own_types.h"
#include "guard/shows_order.h"
#include "guard/windows_apart.h"

namespace schemaward::guard {
namespace {

namespace query = sql::query;

// Of a column whose name may not be told, its place; of a table that is not the caller's, only
// that: the caller named the table, and not its columns where it wrote a star.
std::string NameOf(const Use& use, bool hides_names, bool is_theirs) {
  if (!is_theirs) return catalog::QualifiedName(*use.table);
  return catalog::QualifiedName(*use.table) + "." +
         (hides_names ? privacy::HiddenName(PositionOf(*use.table, *use.column))
                      : catalog::QuoteName(use.column->name));
}

bool HasRowFilters(const privacy::PolicyData& data, const privacy::CallerPolicy& caller) {
  const auto holds = [&](const privacy::Rules& rules) {
    return std::any_of(rules.row_filters.begin(), rules.row_filters.end(), [&](const auto& filter) {
      const auto parts = catalog::SplitName(filter.table);
      return !parts.empty() &&
             !caller.RowFiltersOf(parts.size() > 1 ? parts.front() : "", parts.back()).empty();
    });
  };
  return holds(data.everyone) ||
         std::any_of(data.callers.begin(), data.callers.end(), [&](const auto& callers) {
           return std::any_of(callers.begin(), callers.end(),
                              [&](const auto& one) { return holds(one.rules); });
         });
}

Error NotKnown(const std::string& message) {
  Error error(ErrorKind::PolicyBlocked, message);
  error.Detail("A view can show personal data under another name.");
  error.Hint("Read the tables that the view is made of.");
  return error;
}

}  // namespace

Decision::Decision(std::string_view text, const privacy::Policy& policy, const Principal& principal,
                   const sql::Dialect& dialect, TableLookup& lookup, bool is_ours)
    : text_(text),
      policy_(policy),
      caller_(policy.For(principal)),
      principal_(principal),
      dialect_(dialect),
      lookup_(lookup),
      is_ours_(is_ours) {
  if (policy_.hide_names()) analysis.hides = &policy_;
  analysis.withholds_counts = HasRowFilters(policy_.data(), caller_);
}

Status Decision::Run(query::Statement& statement) {
  if (Status known = Analyze(statement, dialect_, lookup_, is_ours_, analysis); !known) {
    WARD_CHECK(Tables());  // else near names would tell the columns of a table that is not theirs
    return known;
  }
  WARD_CHECK(PersonalData());
  WARD_CHECK(Tables());
  WARD_CHECK(Lineage());
  if (!analysis.forbidden.empty()) return analysis.forbidden.front();
  Mask();
  HoldGroups();
  PlaceColumns();
  WARD_CHECK(FilterRows());
  WARD_TRY(order, HideOrder(analysis, policy_, dialect_, lookup_));
  if (dialect_.name == sql::MySql().name && statement.query != nullptr) {
    StayApart(*statement.query);
    AvoidEndingForms(*statement.query);
  }
  return Ok();
}

std::vector<Use> Decision::Refused() {
  std::vector<Use> refused;
  for (const Use& use : analysis.uses)
    if (!Allows(policy_.RuleOf(*use.table, *use.column).allowance, use)) refused.push_back(use);
  return refused;
}

std::vector<std::string> Decision::TablesToLookAt() const {
  std::vector<std::string> names;
  for (const TableUse& use : analysis.tables)
    if (caller_.OfTable(use.table->schema, use.table->name) == privacy::Access::Allowed)
      names.push_back(catalog::QualifiedName(*use.table));
  return names;
}

Status Decision::PersonalData() {
  std::set<std::string> columns;
  std::set<privacy::Category> categories;
  const auto judge = [&](const Use& use) {
    const privacy::ColumnRule rule = policy_.RuleOf(*use.table, *use.column);
    if (Allows(rule.allowance, use)) return;
    const bool is_theirs =
        caller_.OfTable(use.table->schema, use.table->name) == privacy::Access::Allowed;
    columns.insert(NameOf(use, policy_.hide_names(), is_theirs));
    categories.insert(rule.blocked.begin(), rule.blocked.end());
  };
  for (const Use& use : analysis.uses) judge(use);
  for (const Use& use : analysis.view_orders) judge(use);
  if (columns.empty()) return Ok();
  return privacy::PiiRefusal({columns.begin(), columns.end()},
                             {categories.begin(), categories.end()});
}

// Notes what has to be done for a use that is allowed in part.
bool Decision::Allows(const privacy::Allowance& allowance, const Use& use) {
  if (allowance.plain) return true;
  const bool is_condition = use.where == Position::Predicate || use.where == Position::Join;
  if (allowance.predicate && is_condition && !use.in_statistic) return true;
  if (allowance.masked && use.plain != nullptr) {
    to_mask_.insert(use.plain);
    return true;
  }
  if (allowance.aggregate && use.in_statistic && use.where == Position::Output &&
      use.core != nullptr) {
    if (!CanCount(*use.core, *use.table)) return false;
    if (SortsForAnother(*use.core, use.column, analysis, dialect_)) return false;
    std::int64_t& least = least_values_[{use.core, use.table, use.column}];
    least = std::max(least, allowance.group_min);
    return true;
  }
  return false;
}

Status Decision::Tables() const {
  for (const TableUse& use : analysis.tables)
    if (caller_.OfTable(use.table->schema, use.table->name) == privacy::Access::NotListed)
      return privacy::NotListedRefusal("table", catalog::QualifiedName(*use.table));
  for (const TableUse& use : analysis.tables)
    if (caller_.OfTable(use.table->schema, use.table->name) == privacy::Access::Denied)
      return privacy::DeniedRefusal("table", catalog::QualifiedName(*use.table));
  for (const TableUse& use : analysis.tables) WARD_CHECK(Children(*use.table));
  for (const ViewRead& read : analysis.view_reads) WARD_CHECK(ThroughView(read));
  return SystemRelation();
}

// A view reads what it is made of whoever asks: what is denied is denied through it, and a filter
// cannot be put inside it. One of the view's own says that its rows were thought of.
Status Decision::ThroughView(const ViewRead& read) const {
  if (caller_.OfTable(read.table->schema, read.table->name) == privacy::Access::Denied)
    return std::move(privacy::DeniedRefusal("table", catalog::QualifiedName(*read.view))
                         .Detail("It is a view of what is denied."));
  if (!caller_.RowFiltersOf(read.view->schema, read.view->name).empty()) return Ok();
  if (!caller_.RowFiltersOf(read.table->schema, read.table->name).empty())
    return std::move(
        Error(ErrorKind::PolicyBlocked,
              fmt::format("view \"{}\" reads a table that is filtered by rows, and has no filter",
                          catalog::QualifiedName(*read.view)))
            .Hint("Read the table that it is made of, or have the policy filter the view too."));
  return Children(*read.table);
}

// The engine's own catalog names what lists keep from the caller, and columns whose names are
// hidden.
Status Decision::SystemRelation() const {
  if (analysis.system_relation.empty() || !(caller_.IsLimited() || policy_.hide_names()))
    return Ok();
  return std::move(
      Error(ErrorKind::PolicyBlocked,
            fmt::format("\"{}\" cannot be read: it names what the policy keeps from this caller",
                        analysis.system_relation))
          .Hint("list_indexed_schemas, find_relevant_tables and describe_table tell what may be "
                "read."));
}

// The rows of tables that inherit are read with it: what the policy says of these holds too. Not
// an allow-list, which means a table as a whole.
Status Decision::Children(const catalog::Table& table) const {
  for (const std::string& child : table.children) {
    const auto parts = catalog::SplitName(child);
    if (parts.size() != 2) continue;
    if (caller_.OfTable(parts[0], parts[1]) == privacy::Access::Denied)
      return std::move(
          privacy::DeniedRefusal("table", catalog::QualifiedName(table))
              .Detail("A table that inherits from it is denied, and is read with it."));
    const auto own = caller_.RowFiltersOf(table.schema, table.name);
    for (const std::string& filter : caller_.RowFiltersOf(parts[0], parts[1]))
      if (std::find(own.begin(), own.end(), filter) == own.end())
        return std::move(
            Error(ErrorKind::PolicyBlocked,
                  fmt::format("table \"{}\" is read with a table that inherits from it "
                              "and is filtered by rows otherwise",
                              catalog::QualifiedName(table)))
                .Hint("Who keeps the policy can filter both alike."));
  }
  return Ok();
}

Status Decision::Lineage() const {
  if (!analysis.opaque.empty())
    return NotKnown(
        fmt::format("view \"{}\" cannot be read: what its columns are made of is not known",
                    catalog::QualifiedName(*analysis.opaque.front())));
  for (const Use& use : analysis.uses)
    if (use.is_unknown &&
        !policy_.IsExempted(use.table->schema, use.table->name, use.column->name)) {
      if (RunsRoutines(*use.column))
        return NotKnown(
            fmt::format("column {} can be read by its name alone, in the list of what the "
                        "statement shows: a cast of its type runs a routine of the database, and "
                        "what that reads is not known",
                        NameOf(use, policy_.hide_names(), true)));
      return NotKnown(
          fmt::format("column {} cannot be read: a function of the database or a statistic of the "
                      "engine makes it, and what that reads is not known",
                      NameOf(use, policy_.hide_names(), true)));
    }
  return Ok();
}

}  // namespace schemaward::guard
