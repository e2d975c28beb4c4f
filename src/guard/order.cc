#include "guard/order.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "catalog/is_view.h"
#include "catalog/type_tags.h"
#include "guard/names.h"
#include "guard/needed.h"
#include "guard/shows_order.h"
#include "guard/sorted_rows.h"
#include "guard/view_order.h"
#include "privacy/mention.h"
#include "sql/query/reader.h"

namespace schemaward::guard {
namespace {

namespace query = sql::query;

// An index as far as order goes: the positions of the table's columns that it is sorted by.
struct Walk {
  std::string name;
  std::vector<std::size_t> columns;
  bool is_by_hidden = false;  ///< of a column that the catalog does not have
};

// A member of an index: a column, a column with the length of its prefix, or an expression, which
// stands for every column that it names.
void AddMember(const catalog::Table& table, std::string_view member, Walk& walk) {
  const std::size_t cut = member.ends_with(')') ? member.rfind('(') : std::string_view::npos;
  const std::string_view plain = member.substr(0, cut);
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const std::string& name = table.columns[i].name;
    if (name == member || FoldsTo(name, plain) || privacy::Mentions(member, name))
      walk.columns.push_back(i);
  }
}

std::vector<Walk> WalksOf(const catalog::Table& table, bool with_primary_key) {
  std::vector<Walk> walks;
  const auto add = [&](const std::string& name, const std::vector<std::string>& members) {
    Walk& walk = walks.emplace_back();
    walk.name = name;
    for (const std::string& member : members) AddMember(table, member, walk);
  };
  for (const catalog::Index& index : table.indexes) add(index.name, index.columns);
  for (const catalog::Key& key : table.unique_keys) add(key.name, key.columns);
  if (with_primary_key && table.primary_key)
    add(table.primary_key->name, table.primary_key->columns);
  return walks;
}

// Indexes of PostgreSQL that tags tell of.
void AddTagged(const catalog::Table& table, std::vector<Walk>& walks) {
  std::map<std::string_view, Walk> tagged;
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    for (const std::string& tag : table.columns[i].tags)
      if (tag.starts_with(catalog::kIndexTag) || tag == catalog::kBesideHiddenTag) {
        Walk& walk = tagged[tag];
        walk.columns.push_back(i);
        walk.is_by_hidden = tag == catalog::kBesideHiddenTag;
      }
  for (auto& [tag, walk] : tagged) walks.push_back(std::move(walk));
}

using Positions = std::set<std::size_t>;

/// Thread: owner.
class Order {
 public:
  Order(const privacy::Policy& policy, const sql::Dialect& dialect, TableLookup& lookup)
      : policy_(policy),
        lookup_(lookup),
        dialect_(dialect),
        is_sqlite_(dialect.name == sql::Sqlite().name),
        is_mysql_(dialect.name == sql::MySql().name),
        is_postgres_(dialect.name == sql::Postgres().name),
        is_duckdb_(dialect.name == sql::DuckDb().name) {}

  /// `depth`: of views inside one another; 0 is the caller's own text. True where a hint was put.
  Result<bool> Run(Analysis& analysis, int depth) {
    bool has_hints = false;
    for (TableUse& use : analysis.tables) {
      if (use.place == nullptr || use.place->kind != query::TableKind::Table) continue;
      const bool is_view = catalog::IsView(use.table->kind);
      const bool tells_apart = depth == 0 && is_view && MayTellRowsApart(*use.table, analysis);
      if (tells_apart) WARD_CHECK(Apart(*use.table, analysis));
      const bool is_sorted =
          tells_apart && !IsOneRow(use, analysis, depth) && SortView(use, analysis);
      has_hints = has_hints || is_sorted;
      if (is_duckdb_) continue;
      if (is_view) {
        const bool sorts = std::exchange(view_sorts_, false);
        const bool stands = std::exchange(view_stands_, false);
        WARD_TRY(bool is_changed, Inside(use, depth));
        if (view_stands_) standing_.insert(use.place);
        if (view_sorts_ && depth == 0 && !is_sorted)
          is_changed = SortView(use, analysis) || is_changed;
        view_sorts_ = sorts || (view_sorts_ && depth > 0);
        view_stands_ = stands || (view_stands_ && depth > 0);
        has_hints = has_hints || is_changed;
      }
      // A materialized view has rows, and indexes, of its own.
      if (use.table->kind != catalog::TableKind::View && Hint(use, analysis, depth))
        has_hints = true;
    }
    return has_hints;
  }

  HiddenOrder TakeResult(bool has_hints) {
    HiddenOrder result;
    result.has_hints = has_hints;
    // Where PostgreSQL may not walk an index it gathers from it and reads the table in its order;
    // where a role keeps it off that too, it would take what costs least of what it may not.
    if (needs_settings_)
      result.settings = {{"enable_indexonlyscan", "off"},
                         {"enable_indexscan", "off"},
                         {"enable_seqscan", "on"},
                         {"enable_sort", "on"}};
    for (const auto& [name, columns] : inside_)
      result.inside.push_back({name.first, name.second, {columns.begin(), columns.end()}});
    return result;
  }

 private:
  bool IsBlocked(const catalog::Table& table, std::size_t column) const {
    return policy_.RuleOf(table, table.columns[column]).IsBlocked();
  }

  // Of each column; one of a view is what it is made of too.
  std::vector<bool> BlockedOf(const catalog::Table& table) const {
    std::vector<bool> blocked;
    for (std::size_t i = 0; i < table.columns.size(); ++i) blocked.push_back(IsBlocked(table, i));
    if (!catalog::IsView(table.kind)) return blocked;
    const auto origins = OriginsOf(table, dialect_, lookup_);
    for (std::size_t i = 0; i < blocked.size(); ++i)
      blocked[i] = blocked[i] || i >= origins.size() ||
                   std::any_of(origins[i].begin(), origins[i].end(), [&](const Taint& taint) {
                     return taint.table != nullptr &&
                            policy_.RuleOf(*taint.table, *taint.column).IsBlocked();
                   });
    return blocked;
  }

  static std::size_t PositionOf(const catalog::Table& table, const catalog::Column* column) {
    return static_cast<std::size_t>(column - table.columns.data());
  }

  // Of a table: the columns that the statement names, those that it compares wherever the table
  // stands, and those that no engine can do without.
  struct Columns {
    Positions named, compared, needed;
  };

  Columns ColumnsOf(const TableUse& use, const Analysis& analysis, int depth) const {
    Columns columns;
    const catalog::Table& table = *use.table;
    const query::Core* core = nullptr;
    for (const Use& one : analysis.uses) {
      if (one.table != &table) continue;
      if (!one.is_of_policy) core = one.core;
      columns.named.insert(PositionOf(table, one.column));
      const bool compares = one.where == Position::Predicate || one.where == Position::Join;
      if (compares && !one.in_statistic && !one.is_of_policy)
        columns.compared.insert(PositionOf(table, one.column));
    }
    // Where the table stands twice, what one of the places compares or needs says nothing of the
    // other; nor does one select of another.
    const auto places = std::count_if(analysis.tables.begin(), analysis.tables.end(),
                                      [&](const TableUse& one) { return one.table == &table; });
    if (places > 1) columns.compared.clear();
    if (places == 1 && depth == 0 && analysis.selects == 1 && core != nullptr)
      columns.needed = NeededColumns(*core, table, *use.place, dialect_);
    return columns;
  }

  // True where the index holds a blocked column whose order the statement has no right to.
  static bool IsPersonal(const std::vector<bool>& blocked, const Walk& walk,
                         const Positions& compared, int depth) {
    if (walk.is_by_hidden) return true;
    return std::any_of(walk.columns.begin(), walk.columns.end(), [&](std::size_t column) {
      return blocked[column] && (depth > 0 || !compared.contains(column));
    });
  }

  // True where SQLite could walk the index: by a column that is named, or because it holds all that
  // is needed, which is everything where nothing is known to be.
  static bool MayWalk(const catalog::Table& table, const Walk& walk, const Columns& columns) {
    const auto holds = [&](std::size_t column) {
      if (std::find(walk.columns.begin(), walk.columns.end(), column) != walk.columns.end())
        return true;
      const auto& key = table.primary_key;
      return key && std::any_of(key->columns.begin(), key->columns.end(), [&](const auto& name) {
               return FoldsTo(name, table.columns[column].name);
             });
    };
    if (std::all_of(columns.needed.begin(), columns.needed.end(), holds)) return true;
    return std::any_of(walk.columns.begin(), walk.columns.end(),
                       [&](std::size_t column) { return columns.named.contains(column); });
  }

  bool Hint(TableUse& use, const Analysis& analysis, int depth) {
    const catalog::Table& table = *use.table;
    const Columns columns = ColumnsOf(use, analysis, depth);
    const std::vector<bool> blocked = BlockedOf(table);
    std::string ignored;
    auto walks = WalksOf(table, !is_mysql_);
    if (is_postgres_) AddTagged(table, walks);
    for (const Walk& walk : walks) {
      if (!IsPersonal(blocked, walk, columns.compared, depth)) continue;
      if (is_mysql_)
        ignored += (ignored.empty() ? "" : ", ") + sql::QuoteIdentifier(dialect_, walk.name);
      else if (is_sqlite_ && MayWalk(table, walk, columns))
        use.place->hint = " NOT INDEXED";
      else if (is_postgres_)
        needs_settings_ =
            needs_settings_ || depth > 0 ||
            std::any_of(walk.columns.begin(), walk.columns.end(),
                        [&](std::size_t column) { return columns.named.contains(column); });
    }
    if (!ignored.empty()) use.place->hint = fmt::format(" IGNORE INDEX ({})", ignored);
    const bool has_hint = !use.place->hint.empty() || SamplesRows(use, blocked);
    std::vector<bool> hidden = blocked;
    for (std::size_t i = 0; i < hidden.size(); ++i)
      hidden[i] = hidden[i] && (depth > 0 || !columns.compared.contains(i));
    const bool is_of_child = Children(use, columns, depth);
    if (!StandsByHidden(table, hidden, dialect_) && !is_of_child) return has_hint;
    if (IsOneRow(use, analysis, depth)) return has_hint;
    if (is_postgres_ && depth > 0) {
      view_sorts_ = view_stands_ = true;
      standing_.insert(use.place);
      return has_hint;
    }
    return SortRows(use, analysis, hidden, dialect_) || has_hint;
  }

  static bool IsOneRow(const TableUse& use, const Analysis& analysis, int depth) {
    const bool is_alone = depth == 0 && analysis.selects == 1 && use.core != nullptr &&
                          use.core->from.size() == 1 && use.core->from.front().get() == use.place;
    return is_alone && GivesOneRowOfAnyOrder(*use.core, *use.table);
  }

  // True where the view, or one inside it, groups, joins or tells rows apart by a blocked column.
  bool MayTellRowsApart(const catalog::Table& view, const Analysis& analysis, int depth = 0) const {
    const bool groups = std::any_of(
        analysis.view_groups.begin(), analysis.view_groups.end(), [&](const ViewGroup& group) {
          return group.view == &view && policy_.RuleOf(*group.table, *group.column).IsBlocked();
        });
    return groups || (depth < kViewDepthMax &&
                      std::any_of(analysis.view_reads.begin(), analysis.view_reads.end(),
                                  [&](const ViewRead& read) {
                                    return read.view == &view && read.table != &view &&
                                           catalog::IsView(read.table->kind) &&
                                           MayTellRowsApart(*read.table, analysis, depth + 1);
                                  }));
  }

  // The rows of tables that inherit are read by indexes of their own, and stand by what these say.
  // True where they stand by what is blocked.
  bool Children(const TableUse& use, const Columns& columns, int depth) {
    if (!is_postgres_ || use.place->is_only) return false;
    const catalog::Table& table = *use.table;
    const auto of_child = [&](const catalog::Table& child, const Positions& positions) {
      Positions found;
      for (const std::size_t at : positions)
        if (const std::size_t i = catalog::FindColumn(child, table.columns[at].name);
            i < child.columns.size())
          found.insert(i);
      return found;
    };
    bool stands = false;
    for (const std::string& name : table.children) {
      const auto parts = catalog::SplitName(name);
      if (parts.size() != 2) continue;
      const auto found = lookup_.Find(parts[0], parts[1]);
      if (!found || found->size() != 1) {  // which indexes it has is not known
        const std::vector<bool> own = BlockedOf(table);
        needs_settings_ = needs_settings_ || std::find(own.begin(), own.end(), true) != own.end();
        continue;
      }
      const catalog::Table& child = *found->front();
      const Positions compared = of_child(child, columns.compared);
      const Positions named = of_child(child, columns.named);
      std::vector<bool> hidden = BlockedOf(child);
      auto walks = WalksOf(child, true);
      AddTagged(child, walks);
      for (const Walk& walk : walks)
        needs_settings_ =
            needs_settings_ ||
            (IsPersonal(hidden, walk, compared, depth) &&
             (depth > 0 || std::any_of(walk.columns.begin(), walk.columns.end(),
                                       [&](std::size_t at) { return named.contains(at); })));
      for (std::size_t i = 0; i < hidden.size(); ++i)
        hidden[i] = hidden[i] && (depth > 0 || !compared.contains(i));
      stands = stands || StandsByHidden(child, hidden, dialect_);
    }
    return stands;
  }

  // How many rows share a page follows their length, so a sample of pages or by places would tell
  // of it: rows are drawn, each time others. True where that was changed.
  bool SamplesRows(const TableUse& use, const std::vector<bool>& blocked) const {
    std::string& sample = use.place->sample;
    const std::string before = sample;
    const bool is_any = std::find(blocked.begin(), blocked.end(), true) != blocked.end();
    if (!is_postgres_ || sample.empty() || !is_any) return false;
    if (const std::size_t at = sample.find(" SYSTEM "); at != std::string::npos)
      sample.replace(at, 8, " BERNOULLI ");
    sample = sample.substr(0, sample.find(" REPEATABLE"));
    return sample != before;
  }

  // A view is sorted as a whole, first as its own text says.
  bool SortView(TableUse& use, const Analysis& analysis) {
    const std::vector<bool> hidden = BlockedOf(*use.table);
    return SortRows(use, analysis, hidden, dialect_, OrderOfView(*use.table, hidden, dialect_));
  }

  static Error CannotStand(const catalog::Table& view) {
    return std::move(
        Error(ErrorKind::PolicyBlocked,
              fmt::format("view \"{}\" cannot be read: an index over personal data could decide on "
                          "the order of its rows",
                          catalog::QualifiedName(view)))
            .Hint("Read the tables that the view is made of."));
  }

  static Error CannotSort(const catalog::Table& view) {
    return std::move(
        Error(ErrorKind::PolicyBlocked,
              fmt::format("view \"{}\" cannot be read: values of it follow the order of rows that "
                          "stand by personal data",
                          catalog::QualifiedName(view)))
            .Hint("Read the tables that the view is made of, or have its text sort by others "
                  "where it gathers, numbers or limits rows."));
  }

  // Refused where what the view gives follows rows that come by what they are told apart by.
  // Precondition: it, or one inside it, tells rows apart by a blocked column.
  Status Apart(const catalog::Table& view, const Analysis& analysis, int depth = 0) {
    auto statement = query::ReadView(view.definition, dialect_);
    if (depth >= kViewDepthMax || !statement || statement->query == nullptr) return Ok();
    Analysis inner;
    if (!Analyze(*statement, dialect_, lookup_, false, inner)) return Ok();
    OrderInside inside;
    inside.is_kept = view.kind == catalog::TableKind::MaterializedView;
    inside.joins_tell = std::any_of(
        analysis.view_groups.begin(), analysis.view_groups.end(), [&](const ViewGroup& group) {
          return group.view == &view && group.is_join &&
                 policy_.RuleOf(*group.table, *group.column).IsBlocked();
        });
    for (const TableUse& use : inner.tables) {
      if (!catalog::IsView(use.table->kind) || !MayTellRowsApart(*use.table, analysis))
        inside.told.insert(use.place);
      else
        WARD_CHECK(Apart(*use.table, analysis, depth + 1));
    }
    if (ShowsOrder(*statement->query, inner, inside, dialect_)) return CannotSort(view);
    return Ok();
  }

  Result<bool> Inside(TableUse& use, int depth) {
    if (use.table->kind == catalog::TableKind::View) return View(use, depth);
    if (is_postgres_) WARD_CHECK(Kept(*use.table, depth));
    return false;
  }

  // The rows of a materialized view stand as they came when it was made, by no settings of ours.
  Status Kept(const catalog::Table& view, int depth) {
    auto statement = query::ReadView(view.definition, dialect_);
    Analysis inner;
    if (depth >= kViewDepthMax || !statement || statement->query == nullptr ||
        !Analyze(*statement, dialect_, lookup_, false, inner)) {
      view_sorts_ = true;
      return Ok();
    }
    const bool needs_settings = needs_settings_;
    WARD_CHECK(Run(inner, depth + 1));
    needs_settings_ = needs_settings;  // nothing of its text runs
    WARD_CHECK(Settled(view, *statement->query, inner));
    for (const TableUse& use : inner.tables)
      view_sorts_ = view_sorts_ || (!catalog::IsView(use.table->kind) && MayHaveCome(use, inner));
    return Ok();
  }

  // True where an engine could have read the table by an index of what is blocked.
  bool MayHaveCome(const TableUse& use, const Analysis& inner) const {
    const catalog::Table& table = *use.table;
    const Columns columns = ColumnsOf(use, inner, 1);
    auto walks = WalksOf(table, true);
    AddTagged(table, walks);
    const std::vector<bool> blocked = BlockedOf(table);
    return std::any_of(walks.begin(), walks.end(), [&](const Walk& walk) {
      return IsPersonal(blocked, walk, {}, 1) &&
             std::any_of(walk.columns.begin(), walk.columns.end(),
                         [&](std::size_t column) { return columns.named.contains(column); });
    });
  }

  // Refused where what the view gives follows rows that stand by what is blocked.
  Status Settled(const catalog::Table& view, const query::Query& text, const Analysis& inner) {
    if (!view_stands_) return Ok();
    OrderInside inside;
    inside.ties_tell = true;
    for (const TableUse& use : inner.tables)
      if (standing_.erase(use.place) == 0) inside.told.insert(use.place);
    if (ShowsOrder(text, inner, inside, dialect_)) return CannotSort(view);
    return Ok();
  }

  // Puts the view's text in its place where a table in it needs a hint.
  Result<bool> View(TableUse& use, int depth) {
    const catalog::Table& view = *use.table;
    if (depth >= kViewDepthMax) return CannotStand(view);
    // Of PostgreSQL's nothing is printed: no table of it has hints.
    auto statement = is_postgres_ ? query::ReadView(view.definition, dialect_)
                                  : query::Read(view.definition, dialect_);
    if (!statement || statement->query == nullptr) return CannotStand(view);
    Analysis inner;
    if (!Analyze(*statement, dialect_, lookup_, false, inner)) return CannotStand(view);
    WARD_TRY(const bool has_hints, Run(inner, depth + 1));
    if (is_postgres_) WARD_CHECK(Settled(view, *statement->query, inner));
    if (!has_hints) return false;
    if (!NameOutputs(*statement->query, view)) return CannotStand(view);
    use.place->kind = query::TableKind::Derived;
    use.place->names.clear();
    use.place->query = std::move(statement->query);
    for (const TableUse& table : inner.tables) inside_[{table.table->schema, table.table->name}];
    for (const Use& one : inner.uses)
      inside_[{one.table->schema, one.table->name}].insert(one.column->name);
    return true;
  }

  // Gives the outputs the names of the view's columns; false where that could change what an ORDER
  // BY or a GROUP BY of the text means.
  static bool NameOutputs(query::Query& text, const catalog::Table& view) {
    query::Query* at = &text;
    while (at->terms.front().nested != nullptr) at = at->terms.front().nested.get();
    query::Core& core = at->terms.front().core;
    if (!core.values.empty() || core.outputs.size() != view.columns.size()) return false;
    const bool is_named_in = !core.group_by.empty() || !at->order_by.empty();
    for (std::size_t i = 0; i < core.outputs.size(); ++i) {
      query::Output& output = core.outputs[i];
      const query::Expression& value = *output.expression;
      std::string name = output.alias.text;
      if (name.empty() && value.kind == query::ExpressionKind::Column)
        name = value.names.back().text;
      if (!name.empty() && !FoldsTo(name, view.columns[i].name) && is_named_in) return false;
      output.alias = {view.columns[i].name, true, false};
    }
    return true;
  }

  const privacy::Policy& policy_;
  TableLookup& lookup_;
  const sql::Dialect& dialect_;
  const bool is_sqlite_, is_mysql_, is_postgres_, is_duckdb_;
  bool needs_settings_ = false;
  bool view_sorts_ = false;   ///< a view of PostgreSQL has rows in an order that is hidden
  bool view_stands_ = false;  ///< it reads a table that stands by what is hidden
  /// Where such tables, and views of them, stand in the texts of views.
  std::set<const query::TableExpression*> standing_;  // those of a text that is still held
  std::map<std::pair<std::string, std::string>, std::set<std::string>> inside_;
};

/// What joins follow of the columns that are bound, also by a view that gives more than is asked of
/// it. DuckDB reads tables in their own order, but it joins in an order, and by methods, that
/// follow estimates, and these take in how many values each such column has. SQLite makes an index
/// for one join where there is none: all such columns of the table stand in it behind the key, so
/// rows of one key come in their order. Thread: owner.
class Joins {
 public:
  Joins(const privacy::Policy& policy, const sql::Dialect& dialect)
      : policy_(policy), is_sqlite_(dialect.name == sql::Sqlite().name) {}

  /// True where a blocked column is bound that the statement does not merely compare, and there is
  /// something to join.
  bool MayFollowBlocked(const Analysis& analysis) const {
    return std::any_of(analysis.view_reads.begin(), analysis.view_reads.end(),
                       [this](const ViewRead& read) { return Binds(read); }) ||
           (!IsOneTable(analysis) &&
            std::any_of(analysis.uses.begin(), analysis.uses.end(), [this](const Use& use) {
              return !MerelyCompares(use) && IsBlocked(*use.table, *use.column);
            }));
  }

 private:
  // A key of the join is equal in the rows that it could sort; what a condition compares is not.
  bool MerelyCompares(const Use& use) const {
    if (use.in_statistic || use.is_of_policy) return false;
    return use.where == Position::Join || (use.where == Position::Predicate && !is_sqlite_);
  }

  bool IsBlocked(const catalog::Table& table, const catalog::Column& column) const {
    return policy_.RuleOf(table, column).IsBlocked();
  }

  bool Binds(const ViewRead& read) const {
    const std::string& text = read.view->definition;
    return std::any_of(
        read.table->columns.begin(), read.table->columns.end(), [&](const catalog::Column& column) {
          return IsBlocked(*read.table, column) &&
                 (text.find('*') != std::string::npos || privacy::Mentions(text, column.name));
        });
  }

  static bool IsOneTable(const Analysis& analysis) {
    if (analysis.selects != 1 || analysis.tables.size() != 1) return false;
    const query::Core* core = analysis.tables.front().core;
    return core != nullptr && core->from.size() == 1 &&
           core->from.front()->kind == query::TableKind::Table;
  }

  const privacy::Policy& policy_;
  const bool is_sqlite_;
};

}  // namespace

Result<HiddenOrder> HideOrder(Analysis& analysis, const privacy::Policy& policy,
                              const sql::Dialect& dialect, TableLookup& lookup) {
  const bool is_duckdb = dialect.name == sql::DuckDb().name;
  const bool joins_tell = (is_duckdb || dialect.name == sql::Sqlite().name) &&
                          Joins(policy, dialect).MayFollowBlocked(analysis);
  Order order(policy, dialect, lookup);
  WARD_TRY(const bool has_hints, order.Run(analysis, 0));
  HiddenOrder result = order.TakeResult(has_hints);
  if (joins_tell)
    result.settings.emplace_back(is_duckdb ? std::pair("disabled_optimizers", "join_order")
                                           : std::pair("automatic_index", "off"));
  return result;
}

}  // namespace schemaward::guard
