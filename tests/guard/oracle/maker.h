#pragma once

// Makes statements at random from a grammar over the oracle's tables. Most read what is allowed,
// since a refusal shows nothing; half of them never name a blocked column, the other half try it
// under names that something else has.

#include <cstdint>
#include <deque>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/data.h"

namespace schemaward::oracle {

/// The same seed makes the same statements. Thread: owner.
class Maker {
 public:
  /// `has_rows`: statements may have whole rows in them, which a role needs all columns for.
  Maker(Engine engine, std::uint64_t seed, std::vector<Relation> relations, bool has_rows)
      : engine_(engine), random_(seed), relations_(std::move(relations)), has_rows_(has_rows) {}

  std::string Statement();
  /// What the last statement has that leaked once.
  const std::set<std::string_view>& families() const { return families_; }

 private:
  /// An item of FROM under its alias.
  struct Bound {
    std::string alias;
    std::vector<Column> columns;
  };
  /// What one select sees, innermost last.
  using Scope = std::vector<Bound>;
  /// What a select is asked for: kinds of its columns (none: as many as it likes).
  struct Ask {
    std::vector<Kind> kinds;
    bool is_one_row = false;
    bool is_part = false;  ///< of a set operation: neither ordered nor cut
  };

  // maker.cc: the shape of a statement
  std::string Query(int depth, const Ask& ask, std::vector<Column>& outputs);
  std::string InBrackets(std::string text, const Ask& ask);
  std::string Core(int depth, const Ask& ask, std::vector<Column>& outputs);
  std::string OutputsOf(int depth, const Ask& ask, bool is_grouped, std::vector<Column>& outputs);
  std::string Tail(int depth, const Ask& ask, const std::vector<Column>& outputs, bool is_free);
  std::string OfNames(int depth);
  std::string Named(const std::string& name);

  // maker_tables.cc: what a select reads
  std::string FreeAlias(const Scope& scope);
  std::string Item(int depth, Scope& scope);
  std::string Derived(int depth, Scope& scope, const std::string& alias);
  std::string OwnItem(int depth, Scope& scope, const std::string& alias);  // empty: none
  std::string DuckItem(Scope& scope, const std::string& alias);
  std::string Stored(Scope& scope, const std::string& alias);
  std::string Join(int depth, Scope& scope, std::string left);
  std::string Using(const Scope& scope);
  std::string DuckJoin(int depth, Scope& scope, const std::string& left);
  std::string Common(int depth);
  std::string Recursive(int depth, const std::string& name);

  // maker_probes.cc: whole statements
  std::string Probe();
  const Relation* RelationOf(std::string_view name) const;
  std::string TestOf(const std::string& name);
  std::string UseOf(const std::string& name);
  std::string TwoMeanings(std::string_view table, const std::string& name);
  std::string RowOrOutput();
  std::string AggregateInLambda();
  std::string OutOfSight();
  std::string FieldOrColumn();
  std::string JoinOfItself();

  // maker_values.cc: expressions
  std::string Value(Kind kind, int depth);
  std::string NumberOf(int depth);
  std::string TextOf(int depth);
  std::string DuckTextOf(int depth);
  std::string FlagOf(int depth);
  std::string TimeOf(int depth);
  std::string Shared(Kind kind, int depth);
  std::string Aggregate(Kind kind, int depth);
  std::string Window(Kind kind, int depth);
  std::string Over(int depth);
  std::string Literal(Kind kind);
  std::string PlainLiteral(Kind kind);
  std::string ColumnOf(Kind kind);
  std::string TryColumn(Kind kind);  // empty where none was found
  std::string TryName(Kind kind);
  std::string Subquery(Kind kind, int depth, bool is_one_row);
  std::string CastTo(Kind kind, const std::string& value);

  // maker_forms.cc: expressions that one engine has alone; empty where there is none
  std::string Own(Kind kind, int depth);
  std::string OwnOfSqlite(Kind kind, int depth);
  std::string OwnOfDuckDb(Kind kind, int depth);
  std::string OwnOfPostgres(Kind kind, int depth);
  std::string OwnOfMySql(Kind kind, int depth);
  std::string HiddenColumn();
  std::string FieldOf();
  const Bound* AnyBound();

  bool OneIn(unsigned n) { return random_() % n == 0; }
  std::size_t Below(std::size_t n) { return random_() % n; }
  template <class... Text>
  std::string Pick(Text... texts) {
    const std::string_view all[] = {texts...};
    return std::string(all[Below(sizeof...(texts))]);
  }
  /// `text`, which is noted to be of that family.
  std::string Marked(std::string_view family, std::string text) {
    families_.insert(family);
    return text;
  }
  Kind AnyKind() { return static_cast<Kind>(Below(OneIn(3) ? 4 : 2)); }
  bool Is(Engine engine) const { return engine_ == engine; }

  const Engine engine_;
  std::mt19937_64 random_;
  const std::vector<Relation> relations_;
  const bool has_rows_;
  std::deque<Scope> scopes_;                // a deque: places stay where they are
  std::vector<std::vector<Column>> names_;  // of the outputs of each select, once they are known
  std::vector<std::string> windows_;        // the WINDOW clause of each select
  std::vector<Relation> commons_;
  std::set<std::string_view> families_;
  /// In a grouped select: its keys, the only plain columns that may stand in it.
  std::vector<std::pair<std::string, Kind>>* keys_ = nullptr;
  bool may_aggregate_ = false, may_window_ = false;
  unsigned one_name_in_ = 6;  // of the columns is the name of an output
  bool is_daring_ = false, touched_ = false, is_recursive_ = false;
};

}  // namespace schemaward::oracle
