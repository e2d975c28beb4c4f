#include "review/names.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/ascii.h"
#include "guard/names.h"
#include "review/shapes.h"

namespace schemaward::review {
namespace {

constexpr std::size_t kNear = 3;

/// One column that a FROM item offers.
struct Offered {
  std::string name;
  BoundColumn bound;
};

/// One item of FROM. Where it is not known, it may offer anything.
struct Item {
  std::string called;  // lower case
  TableUse* use = nullptr;
  bool is_known = false;
  std::vector<Offered> columns{};
};

using Outputs = std::optional<std::vector<Offered>>;               // nothing: not known
using CommonTables = std::map<std::string, Outputs, std::less<>>;  // by lower-case name

/// What names may mean at a place. Lifetime: the parent's and the resolver's.
struct Scope {
  const CommonTables* common = nullptr;
  const Scope* parent = nullptr;
  std::vector<Item> items{};
  std::set<std::string, std::less<>> merged{};  // columns of USING, lower case
  bool merges_all = false;                      // NATURAL
  std::set<std::string, std::less<>> aliases{};
};

// Names of a row that no table declares, and words that stand for a value.
bool IsImplied(std::string_view lowered) {
  return IsOneOf(lowered, {"ctid",
                           "oid",
                           "tableoid",
                           "xmin",
                           "xmax",
                           "cmin",
                           "cmax",
                           "rowid",
                           "_rowid_",
                           "current_date",
                           "current_time",
                           "current_timestamp",
                           "localtime",
                           "localtimestamp",
                           "current_user",
                           "session_user",
                           "user",
                           "current_role",
                           "current_catalog",
                           "current_schema",
                           "merge_action",
                           "value",
                           "default"});
}

bool IsImpliedQualifier(std::string_view lowered) {
  return IsOneOf(lowered, {"excluded", "new", "old", "inserted", "deleted"});
}

std::string Joined(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
  return out;
}

std::string WithNear(std::string message, const std::vector<std::string>& near) {
  if (near.empty()) return message;
  return message + "; near: " + Joined(near);
}

}  // namespace

/// Walks one statement with its scopes. Thread: owner.
class Resolver {
 public:
  Resolver(const sql::Dialect& dialect, ScriptSchema& schema)
      : dialect_(dialect),
        schema_(schema),
        is_duckdb_(dialect.name == sql::DuckDb().name),
        aliases_everywhere_(is_duckdb_ || dialect.name == sql::Sqlite().name) {}

  Names Resolve(const query::ScriptStatement& statement) {
    const CommonTables none;
    const Scope outer{.common = &none};
    inner_ = &statement.inner;
    if (statement.read) {
      if (statement.read->query) Query(*statement.read->query, outer);
    } else if (statement.change) {
      Change(*statement.change, outer);
    }
    return std::move(names_);
  }

 private:
  enum class Outcome : std::uint8_t { Done, Missing };

  // --- queries

  Outputs Query(const query::Query& query, const Scope& outer) {
    const CommonTables common = With(query, outer);
    const Scope around{.common = &common, .parent = &outer};
    Outputs outputs;
    bool is_first = true;
    for (const query::SetTerm& term : query.terms) {
      Outputs here = term.nested ? Query(*term.nested, around)
                                 : Core(term.core, query, around, query.terms.size() == 1);
      outputs = is_first ? std::move(here) : Merged(std::move(outputs), here);
      is_first = false;
    }
    Value(query.limit, around);
    Value(query.offset, around);
    if (outputs) {
      auto& kept = names_.outputs_[&query];
      for (const Offered& one : *outputs) kept.push_back(one.bound);
    }
    return outputs;
  }

  // Of a set operation: names of the first, values of any.
  static Outputs Merged(Outputs first, const Outputs& next) {
    if (!first || !next || first->size() != next->size()) return std::nullopt;
    for (Offered& one : *first) one.bound = {};
    return first;
  }

  CommonTables With(const query::Query& query, const Scope& outer) {
    CommonTables common = *outer.common;
    if (query.is_recursive)
      for (const query::CommonTable& one : query.with) common[LowerAscii(one.name.text)] = {};
    for (const query::CommonTable& one : query.with) {
      Scope scope = outer;
      scope.common = &common;
      Outputs outputs;
      if (one.query)
        outputs = Query(*one.query, scope);
      else if (const query::Change* change = ChangeAt(one.begin))
        outputs = Change(*change, scope);
      common[LowerAscii(one.name.text)] =
          one.adds_columns ? Outputs() : Renamed(std::move(outputs), one.columns);
    }
    return common;
  }

  // The change that a common table at this byte holds.
  const query::Change* ChangeAt(std::size_t begin) const {
    const auto at = std::find_if(inner_->begin(), inner_->end(), [&](const query::Change& change) {
      return change.common_begin == begin;
    });
    return at == inner_->end() ? nullptr : &*at;
  }

  static Outputs Renamed(Outputs outputs, const std::vector<query::Name>& names) {
    if (!outputs || names.size() > outputs->size()) return std::nullopt;
    for (std::size_t i = 0; i < names.size(); ++i) (*outputs)[i].name = names[i].text;
    return outputs;
  }

  Outputs Core(const query::Core& core, const query::Query& query, const Scope& outer,
               bool is_only) {
    Scope scope{.common = outer.common, .parent = &outer};
    for (const auto& table : core.from) Table(*table, scope);
    NoteUses(core, scope);
    for (const auto& row : core.values)
      for (const auto& value : row) Value(value, scope);
    const std::set<std::string, std::less<>> aliases = AliasesOf(core);
    if (is_duckdb_) scope.aliases = aliases;
    for (const auto& value : core.distinct_on) Value(value, scope);
    for (const query::Output& output : core.outputs) Value(output.expression, scope);
    if (aliases_everywhere_) scope.aliases = aliases;
    Value(core.where, scope);
    scope.aliases = aliases;
    for (const auto& key : core.group_by) Value(key, scope);
    Value(core.having, scope);
    Value(core.qualify, scope);
    for (const query::NamedWindow& window : core.windows) Value(window.spec, scope);
    if (is_only)
      for (const query::OrderItem& item : query.order_by) Value(item.expression, scope);
    return core.values.empty() ? OutputsOf(core.outputs, scope) : std::nullopt;
  }

  void NoteUses(const query::Core& core, const Scope& scope) {
    bool is_complete = !scope.items.empty();
    auto& uses = names_.uses_[&core];
    for (const Item& item : scope.items) {
      if (item.use != nullptr) uses.push_back(item.use);
      is_complete = is_complete && item.use != nullptr && item.is_known;
    }
    names_.complete_[&core] = is_complete;
  }

  static std::set<std::string, std::less<>> AliasesOf(const query::Core& core) {
    std::set<std::string, std::less<>> aliases;
    for (const query::Output& output : core.outputs)
      if (!output.alias.text.empty()) aliases.insert(LowerAscii(output.alias.text));
    return aliases;
  }

  Outputs OutputsOf(const std::vector<query::Output>& list, const Scope& scope) {
    std::vector<Offered> outputs;
    for (const query::Output& output : list) {
      if (!output.expression) return std::nullopt;
      const query::Expression& value = *output.expression;
      if (value.kind == query::ExpressionKind::Star) {
        if (!AddStar(value, scope, outputs)) return std::nullopt;
        continue;
      }
      Offered one;
      if (const BoundColumn* bound = names_.Of(&value)) {
        one.bound = *bound;
        one.bound.may_be_null |= bound->use != nullptr && bound->use->may_be_absent;
      }
      one.bound.use = nullptr;
      if (!output.alias.text.empty())
        one.name = output.alias.text;
      else if (value.kind == query::ExpressionKind::Column)
        one.name = value.names.back().text;
      else
        return std::nullopt;  // each engine names it in its own way
      outputs.push_back(std::move(one));
    }
    return outputs;
  }

  static bool AddStar(const query::Expression& star, const Scope& scope,
                      std::vector<Offered>& outputs) {
    if (!star.excluded.empty() || !star.parts.empty() || !scope.merged.empty() || scope.merges_all)
      return false;
    const std::string qualifier = LastName(star.names);
    for (const Item& item : scope.items) {
      if (!qualifier.empty() && item.called != qualifier) continue;
      if (!item.is_known) return false;
      for (Offered one : item.columns) {
        one.bound.may_be_null |= one.bound.use != nullptr && one.bound.use->may_be_absent;
        one.bound.use = nullptr;
        outputs.push_back(std::move(one));
      }
    }
    return !outputs.empty();
  }

  // --- FROM

  void Table(const query::TableExpression& table, Scope& scope) {
    switch (table.kind) {
      case query::TableKind::Table:
        Named(table, scope);
        break;
      case query::TableKind::Derived: {
        // What stands beside it is in sight of a lateral one only.
        const Scope beside{.common = scope.common, .parent = scope.parent};
        const bool is_lateral = table.is_lateral || is_duckdb_;
        Outputs outputs =
            table.query ? Query(*table.query, is_lateral ? scope : beside) : std::nullopt;
        AddDerived(table, Renamed(std::move(outputs), table.columns), scope);
        break;
      }
      case query::TableKind::Function:
        Value(table.call, scope);
        scope.items.push_back({.called = CalledBy(table)});
        if (table.alias.text.empty() && table.call)
          scope.items.back().called = CallName(*table.call);
        break;
      case query::TableKind::Join:
        Join(table, scope);
        break;
    }
  }

  void AddDerived(const query::TableExpression& table, Outputs outputs, Scope& scope) {
    Item item{.called = CalledBy(table)};
    if (outputs) {
      item.is_known = true;
      item.columns = *std::move(outputs);
    }
    scope.items.push_back(std::move(item));
  }

  void Named(const query::TableExpression& table, Scope& scope) {
    if (table.names.size() == 1)
      if (const auto common = scope.common->find(LastName(table.names));
          common != scope.common->end())
        return AddDerived(table, Renamed(common->second, table.columns), scope);
    Item item{.called = CalledBy(table)};
    const ScriptSchema::Found found = schema_.Find(table.names, dialect_);
    if (!found.is_there) {
      const std::string& name = table.names.back().text;
      names_.problems_.push_back(
          {NameProblemKind::UnknownTable, table.begin, table.end,
           WithNear(fmt::format("no table \"{}\" is in the index", name), schema_.Near(name))});
    }
    if (found.table != nullptr) Known(table, *found.table, item);
    scope.items.push_back(std::move(item));
  }

  void Known(const query::TableExpression& at, const catalog::Table& table, Item& item) {
    names_.kept_.push_back(std::make_unique<TableUse>(TableUse{&at, &table, false}));
    item.use = names_.kept_.back().get();
    item.is_known = true;
    for (const catalog::Column& column : table.columns)
      item.columns.push_back({column.name, {item.use, &column, column.nullable}});
    for (std::size_t i = 0; i < at.columns.size() && i < item.columns.size(); ++i)
      item.columns[i].name = at.columns[i].text;
  }

  void Join(const query::TableExpression& join, Scope& scope) {
    const std::size_t left = scope.items.size();
    if (join.left) Table(*join.left, scope);
    const std::size_t right = scope.items.size();
    if (join.right) Table(*join.right, scope);
    Value(join.on, scope);
    for (const query::Name& name : join.using_columns) {
      NeedOn(join.left.get(), scope, left, right, name);
      NeedOn(join.right.get(), scope, right, scope.items.size(), name);
      scope.merged.insert(LowerAscii(name.text));
    }
    scope.merges_all |= join.is_natural;
    const auto says = [&](std::string_view word) {
      return join.join.find(word) != std::string::npos;
    };
    if (says("RIGHT") || says("FULL")) Absent(scope, left, right);
    if (says("LEFT") || says("FULL") || says("ASOF")) Absent(scope, right, scope.items.size());
  }

  // A column of USING must be on either side.
  void NeedOn(const query::TableExpression* side, const Scope& scope, std::size_t begin,
              std::size_t end, const query::Name& name) {
    if (side == nullptr) return;
    std::vector<std::string> all;
    for (std::size_t i = begin; i < end; ++i) {
      if (!scope.items[i].is_known || !At(scope.items[i], name).empty()) return;
      for (const Offered& one : scope.items[i].columns) all.push_back(one.name);
    }
    Unknown(side->begin, side->end,
            fmt::format("no column \"{}\" is there to join USING", name.text), name.text, all);
  }

  static void Absent(Scope& scope, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (scope.items[i].use != nullptr) scope.items[i].use->may_be_absent = true;
      for (Offered& one : scope.items[i].columns) one.bound.may_be_null = true;
    }
  }

  // --- expressions

  void Value(const query::ExpressionPtr& value, const Scope& scope) {
    if (value) Expression(*value, scope);
  }

  void Expression(const query::Expression& value, const Scope& scope) {
    if (value.kind == query::ExpressionKind::Column) return Column(value, scope);
    if (value.kind == query::ExpressionKind::Star) return Star(value, scope);
    // A parameter of a function that is given to a function: x -> x + 1.
    if (is_duckdb_ && OperatorOf(value) == "->" && IsColumn(Operand(value, 0)) &&
        Operand(value, 0)->names.size() == 1) {
      Scope inner = scope;
      inner.aliases.insert(LastName(Operand(value, 0)->names));
      return Parts(value, inner);
    }
    Parts(value, scope);
  }

  void Parts(const query::Expression& value, const Scope& scope) {
    for (const query::Part& part : value.parts) {
      if (part.expression) Expression(*part.expression, scope);
      if (part.query) Query(*part.query, Scope{.common = scope.common, .parent = &scope});
    }
  }

  std::vector<const Offered*> At(const Item& item, const query::Name& name) const {
    std::vector<const Offered*> found;
    for (const Offered& one : item.columns) {
      const bool is_same = one.bound.use != nullptr && !item.use->at->columns.empty()
                               ? guard::FoldsTo(name.text, one.name)
                           : one.bound.use != nullptr ? guard::Means(name, one.name, dialect_)
                                                      : guard::FoldsTo(name.text, one.name);
      if (is_same) found.push_back(&one);
    }
    return found;
  }

  void Column(const query::Expression& column, const Scope& scope) {
    for (const Scope* at = &scope; at != nullptr; at = at->parent)
      if (Try(column, *at) == Outcome::Done) return;
    Missing(column, scope);
  }

  Outcome Try(const query::Expression& column, const Scope& scope) {
    return column.names.size() == 1 ? TryPlain(column, scope) : TryQualified(column, scope);
  }

  Outcome TryPlain(const query::Expression& column, const Scope& scope) {
    const query::Name& name = column.names.front();
    const std::string lowered = LowerAscii(name.text);
    std::vector<const Offered*> found;
    bool all_known = true;
    for (const Item& item : scope.items) {
      all_known = all_known && item.is_known;
      for (const Offered* one : At(item, name)) found.push_back(one);
    }
    if (found.size() > 1 && !scope.merges_all && !scope.merged.contains(lowered)) {
      if (!scope.aliases.contains(lowered))
        names_.problems_.push_back(
            {NameProblemKind::AmbiguousColumn, column.begin, column.end,
             fmt::format("column \"{}\" may be that of {}", name.text, Owners(scope, name))});
      return Outcome::Done;
    }
    if (!found.empty()) {
      Bind(column, found.front()->bound);
      return Outcome::Done;
    }
    if (!all_known || scope.aliases.contains(lowered)) return Outcome::Done;
    const bool is_row = std::any_of(scope.items.begin(), scope.items.end(),
                                    [&](const Item& item) { return item.called == lowered; });
    return is_row || name.maybe_text || IsImplied(lowered) ? Outcome::Done : Outcome::Missing;
  }

  void Bind(const query::Expression& column, BoundColumn bound) {
    if (bound.column == nullptr) return;
    names_.columns_.emplace(&column, bound);
  }

  std::string Owners(const Scope& scope, const query::Name& name) const {
    std::vector<std::string> owners;
    for (const Item& item : scope.items)
      if (!At(item, name).empty()) owners.push_back('"' + item.called + '"');
    return owners.size() == 1 ? owners.front() + " twice" : fmt::format("{}", Joined(owners));
  }

  Outcome TryQualified(const query::Expression& column, const Scope& scope) {
    const query::Name& name = column.names.back();
    const std::string qualifier = LowerAscii(column.names[column.names.size() - 2].text);
    const std::string first = LowerAscii(column.names.front().text);
    for (const Item& item : scope.items) {
      if (item.called != qualifier) {
        // A part of a value: column.part of DuckDB.
        if (is_duckdb_ &&
            (item.called == first || !item.is_known || !At(item, column.names.front()).empty()))
          return Outcome::Done;
        continue;
      }
      if (!item.is_known || IsImplied(LowerAscii(name.text))) return Outcome::Done;
      if (const auto found = At(item, name); !found.empty()) {
        Bind(column, found.front()->bound);
        return Outcome::Done;
      }
      if (is_duckdb_ && (column.names.size() > 2 || IsColumnOf(scope, column.names.front())))
        return Outcome::Done;
      std::vector<std::string> all;
      for (const Offered& one : item.columns) all.push_back(one.name);
      const std::string owner = item.use != nullptr
                                    ? fmt::format("table \"{}\"", item.use->table->name)
                                    : fmt::format("\"{}\"", item.called);
      Unknown(column.begin, column.end, fmt::format("{} has no column \"{}\"", owner, name.text),
              name.text, all);
      return Outcome::Done;
    }
    if (is_duckdb_ && (scope.aliases.contains(first) || scope.aliases.contains(qualifier)))
      return Outcome::Done;
    return IsImpliedQualifier(qualifier) ? Outcome::Done : Outcome::Missing;
  }

  bool IsColumnOf(const Scope& scope, const query::Name& name) const {
    return std::any_of(scope.items.begin(), scope.items.end(),
                       [&](const Item& item) { return !At(item, name).empty(); });
  }

  // No scope has it. Where there is no FROM at all nothing is known of what was meant.
  void Missing(const query::Expression& column, const Scope& scope) {
    std::vector<std::string> columns, tables;
    bool has_items = false;
    for (const Scope* at = &scope; at != nullptr; at = at->parent)
      for (const Item& item : at->items) {
        has_items = true;
        tables.push_back(item.called);
        for (const Offered& one : item.columns) columns.push_back(one.name);
      }
    if (!has_items) return;
    const std::string& name = column.names.back().text;
    if (column.names.size() == 1)
      return Unknown(column.begin, column.end,
                     fmt::format("no table of this query has a column \"{}\"", name), name,
                     columns);
    const std::string& qualifier = column.names[column.names.size() - 2].text;
    Unknown(column.begin, column.end, fmt::format("nothing in FROM is called \"{}\"", qualifier),
            qualifier, tables);
  }

  void Unknown(std::size_t begin, std::size_t end, std::string message, std::string_view name,
               const std::vector<std::string>& all) {
    auto near = guard::NearestOf(name, all);
    near.resize(std::min(near.size(), kNear));
    names_.problems_.push_back(
        {NameProblemKind::UnknownColumn, begin, end, WithNear(std::move(message), near)});
  }

  void Star(const query::Expression& star, const Scope& scope) {
    Parts(star, scope);
    if (star.names.empty() || is_duckdb_) return;
    const std::string qualifier = LastName(star.names);
    std::vector<std::string> tables;
    for (const Scope* at = &scope; at != nullptr; at = at->parent)
      for (const Item& item : at->items) {
        if (item.called == qualifier) return;
        tables.push_back(item.called);
      }
    if (tables.empty() || IsImpliedQualifier(qualifier)) return;
    Unknown(star.begin, star.end, fmt::format("nothing in FROM is called \"{}\"", qualifier),
            qualifier, tables);
  }

  // --- changes

  // What RETURNING gives is the output.
  Outputs Change(const query::Change& change, const Scope& outer) {
    const CommonTables common = With(change.with, outer);
    Scope scope{.common = &common};
    const bool reads =
        change.kind == query::ChangeKind::Insert || change.kind == query::ChangeKind::Update ||
        change.kind == query::ChangeKind::Delete || change.kind == query::ChangeKind::Merge;
    if (change.query) Query(*change.query, scope);
    const bool looks = reads || change.kind == query::ChangeKind::CreateIndex;
    if (!looks) return std::nullopt;
    if (change.target) Table(*change.target, scope);
    const catalog::Table* target = nullptr;
    if (scope.items.size() == 1 && scope.items.front().use != nullptr)
      target = scope.items.front().use->table;
    names_.targets_[&change] = target;
    TargetColumns(change, target);
    if (!reads) return std::nullopt;
    const std::size_t sources = scope.items.size();
    for (const auto& table : change.from) Table(*table, scope);
    Rows(change, common, scope);
    Value(change.on, scope);
    for (const query::Name& name : change.using_columns) {
      NeedOn(change.target.get(), scope, 0, sources, name);
      NeedOn(change.from.front().get(), scope, sources, scope.items.size(), name);
      scope.merged.insert(LowerAscii(name.text));
    }
    for (const query::Change& branch : change.branches) Branch(branch, target, scope, sources);
    for (const query::Assignment& one : change.assignments) Value(one.value, scope);
    Value(change.where, scope);
    for (const query::Output& output : change.returning) Value(output.expression, scope);
    for (const query::OrderItem& item : change.order_by) Value(item.expression, scope);
    Value(change.limit, scope);
    const bool is_known = !change.returning.empty() && change.kind != query::ChangeKind::Merge;
    return is_known ? OutputsOf(change.returning, scope) : std::nullopt;
  }

  // A WHEN of MERGE sees the rows of the table, of the source, or of both.
  void Branch(const query::Change& branch, const catalog::Table* target, const Scope& both,
              std::size_t sources) {
    Scope scope = both;
    const auto first_source = scope.items.begin() + static_cast<std::ptrdiff_t>(sources);
    if (!branch.sees_source)
      scope.items.erase(first_source, scope.items.end());
    else if (!branch.sees_target)
      scope.items.erase(scope.items.begin(), first_source);
    names_.targets_[&branch] = target;
    TargetColumns(branch, target);
    Value(branch.on, scope);
    for (const auto& row : branch.rows)
      for (const auto& value : row) Value(value, scope);
    for (const query::Assignment& one : branch.assignments) Value(one.value, scope);
  }

  void Rows(const query::Change& change, const CommonTables& common, const Scope& scope) {
    // In PostgreSQL a row that is inserted sees no table; elsewhere it may see its own columns.
    const Scope nothing{.common = &common};
    const bool sees = dialect_.name == sql::MySql().name;
    for (const auto& row : change.rows)
      for (const auto& value : row) Value(value, sees ? scope : nothing);
  }

  // The columns that a change or an index names.
  void TargetColumns(const query::Change& change, const catalog::Table* target) {
    if (target == nullptr) return;
    std::vector<std::string> all;
    for (const catalog::Column& column : target->columns) all.push_back(column.name);
    const auto need = [&](const query::Name& name, std::size_t begin, std::size_t end) {
      const bool is_there = std::any_of(all.begin(), all.end(), [&](const std::string& one) {
        return guard::Means(name, one, dialect_);
      });
      if (!is_there && !IsImplied(LowerAscii(name.text)))
        Unknown(begin, end,
                fmt::format("table \"{}\" has no column \"{}\"", target->name, name.text),
                name.text, all);
    };
    for (const query::Name& name : change.columns)
      need(name, change.target->begin, change.target->end);
    for (const query::Assignment& one : change.assignments)
      if (one.column.size() == 1) need(one.column.front(), one.begin, one.end);
  }

  const sql::Dialect& dialect_;
  ScriptSchema& schema_;
  const bool is_duckdb_;
  const bool aliases_everywhere_;
  const std::vector<query::Change>* inner_ = nullptr;  // the statement's
  Names names_;
};

const BoundColumn* Names::Of(const query::Expression* column) const {
  const auto at = columns_.find(column);
  return at == columns_.end() ? nullptr : &at->second;
}

const catalog::Table* Names::TargetOf(const query::Change& change) const {
  const auto at = targets_.find(&change);
  return at == targets_.end() ? nullptr : at->second;
}

const std::vector<const TableUse*>& Names::UsesOf(const query::Core& core) const {
  static const std::vector<const TableUse*> none;
  const auto at = uses_.find(&core);
  return at == uses_.end() ? none : at->second;
}

bool Names::IsComplete(const query::Core& core) const {
  const auto at = complete_.find(&core);
  return at != complete_.end() && at->second;
}

std::optional<BoundColumn> Names::OutputOf(const query::Query& query) const {
  const auto at = outputs_.find(&query);
  if (at == outputs_.end() || at->second.size() != 1) return std::nullopt;
  return at->second.front();
}

Names ResolveNames(const query::ScriptStatement& statement, const sql::Dialect& dialect,
                   ScriptSchema& schema) {
  return Resolver(dialect, schema).Resolve(statement);
}

}  // namespace schemaward::review
