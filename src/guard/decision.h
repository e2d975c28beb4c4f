#pragma once

// Inside guard/: one decision about one tree. What is refused is in decide.cc; what is put on the
// tree is in decide_values.cc (masks, least groups) and decide_rows.cc (row filters); what may be
// shown of it where names are hidden is in decide_shown.cc.

#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/call_context.h"
#include "base/result.h"
#include "catalog/catalog.h"
#include "guard/analyze.h"
#include "guard/approved.h"
#include "guard/order.h"
#include "guard/table_lookup.h"
#include "privacy/policy.h"
#include "sql/dialect.h"
#include "sql/query/tree.h"

namespace schemaward::guard {

/// Decides on one statement by a policy, and puts on its tree what the policy asks for. Thread:
/// owner. Lifetime: what is given to the constructor must outlive it.
class Decision {
 public:
  /// `text`: what the tree was read from. `is_ours`: our own code wrote it, see Analyze.
  Decision(std::string_view text, const privacy::Policy& policy, const Principal& principal,
           const sql::Dialect& dialect, TableLookup& lookup, bool is_ours);

  /// Decides and changes `statement`. Errors: those of Guard::ApproveText.
  Status Run(sql::query::Statement& statement);

  /// The uses that are refused as personal data. Precondition: `analysis` is filled.
  std::vector<Use> Refused();

  /// The tables that the statement names and the caller may read, by their qualified names.
  std::vector<std::string> TablesToLookAt() const;

  /// True where a table that is read has a column whose name is hidden.
  bool ReadsHidden() const;

  /// True where `printed` could name a hidden column that the caller did not name: an index of a
  /// hint or the text of a view, or a column that a star, a filter or a least group brought.
  bool TellsNames(std::string_view printed) const;

  /// What is read, by table; a hidden column that the caller did not name by its place where
  /// `hides`.
  std::vector<TableRead> Reads(bool hides) const;

  Analysis analysis;
  std::vector<std::string> masked;
  bool filters_rows = false;
  HiddenOrder order;

 private:
  // A column that may be read by groups.
  struct Grouped {
    sql::query::Core* core = nullptr;
    const catalog::Table* table = nullptr;
    const catalog::Column* column = nullptr;
    auto operator<=>(const Grouped&) const = default;
  };

  Status PersonalData();
  // Notes what has to be done for a use that is allowed in part.
  bool Allows(const privacy::Allowance& allowance, const Use& use);
  Status Tables() const;
  Status ThroughView(const ViewRead& read) const;
  Status SystemRelation() const;
  Status Children(const catalog::Table& table) const;
  Status Lineage() const;

  void Mask();
  std::string MaskedNameOf(const sql::query::Output& output) const;
  static bool CanCount(const sql::query::Core& core, const catalog::Table& table);
  static const sql::query::TableExpression* JoinedTable(const sql::query::Core& core,
                                                        const catalog::Table& table);
  static sql::query::ExpressionPtr CountOfValues(const Grouped& grouped);
  void HoldGroups();
  void NoteKey(const Grouped& grouped);

  void PlaceColumns();
  Status FilterRows();
  void StayApart(sql::query::Query& query);
  std::vector<sql::query::Output> ColumnsUsedOf(const TableUse& use) const;
  Status FillPlaceholders(sql::query::Expression& expression) const;

  // True where `is` holds of a column of a table that is read, also by a view.
  template <typename Is>
  bool AnyColumn(Is is) const;
  bool IsUnnamed(const catalog::Table& table, const catalog::Column& column) const;

  const std::string_view text_;
  const privacy::Policy& policy_;
  const privacy::CallerPolicy caller_;
  const Principal& principal_;
  const sql::Dialect& dialect_;
  TableLookup& lookup_;
  const bool is_ours_;
  std::set<sql::query::Output*> to_mask_;
  // The least number of its values in a group.
  std::map<Grouped, std::int64_t> least_values_;
};

/// Puts (SELECT ... FROM the table) in the place of `use`, under the place's alias, and returns
/// that select, whose FROM is filled in and nothing else. `use.place` is then where the table
/// itself stands, as the only table of it and called by its own name. Precondition: the place is a
/// table.
sql::query::Query& Enclose(TableUse& use);

/// True where the statement reads the column.
bool IsUsed(const Analysis& analysis, const catalog::Column& column);

/// A limit that nothing reaches and that every engine takes, in rows.
inline constexpr std::string_view kNoLimit = "9223372036854775807";

/// Makes a literal of the form "text", "integer", "word"...
sql::query::ExpressionPtr Word(std::string_view form, std::string text);

/// Makes table.column.
sql::query::ExpressionPtr ColumnOf(const sql::query::Name& table, const std::string& column);

/// Makes `to` hold as well as `more`; null is true.
void And(sql::query::ExpressionPtr& to, sql::query::ExpressionPtr more);

/// The place of a column in its table, from 0. Precondition: it is the table's.
std::size_t PositionOf(const catalog::Table& table, const catalog::Column& column);

}  // namespace schemaward::guard
