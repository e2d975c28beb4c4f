#pragma once

// What a rule of analysis is: words for people, two examples that tests run, and what it looks at.
// Rules see trees, never text, and nothing is executed.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sql/dialect.h"
#include "sql/query/script.h"

namespace schemaward::review {

namespace query = sql::query;

class Names;

/// How bad it is where the rule is right.
enum class Severity : std::uint8_t { High, Medium, Low };

/// What mending it may change.
enum class Safety : std::uint8_t {
  Safe,    ///< the result stays, or an error goes away
  Review,  ///< the result may change: it was not what is meant
  Risky    ///< what is meant has to be known; data may be lost either way
};

/// What a rule must know beside the text.
enum class Needs : std::uint8_t { Nothing, Schema };

/// What is done about it by default.
enum class Level : std::uint8_t { Off, Warn, Error };

enum class Category : std::uint8_t {
  Correctness,
  Safety,
  Security,
  Performance,
  SchemaDesign,
  Types,
  Nullability,
  Naming,
  Portability,
  Transactions
};

/// Where an expression stands in its select or change.
enum class Clause : std::uint8_t { Output, From, Where, GroupBy, Having, OrderBy, Limit, Value };

/// What surrounds a node. Lifetime: the walk.
struct Site {
  const sql::Dialect& dialect;
  const query::ScriptStatement& statement;
  const query::Core* core = nullptr;    ///< the select around, or null
  const query::Query* query = nullptr;  ///< the query around, or null
  Clause clause = Clause::Value;
  const Names* names = nullptr;  ///< what the schema says; null where none is known
  bool is_in_exists = false;     ///< of a query: under EXISTS
  bool is_in_derived = false;    ///< of a query: an item of FROM
};

/// Takes what a rule finds. Thread: owner.
class Report {
 public:
  virtual ~Report() = default;
  /// Adds a finding about bytes [begin, end) of the script. `message` empty: the rule's own.
  virtual void At(std::size_t begin, std::size_t end, std::string message = "") = 0;
};

/// One rule. Views are of static text.
struct Rule {
  std::string_view id = {};
  std::string_view title = {};
  std::string_view message = {};  ///< one line, says what is wrong
  Severity severity = Severity::Medium;
  Level level = Level::Warn;
  Category category = Category::Correctness;
  std::string_view why = {};
  std::string_view dialect = "postgres";  ///< of the examples
  std::string_view bad = {};              ///< gives this finding once, and no other
  std::string_view good = {};             ///< gives none
  std::string_view fix = {};              ///< id of what mends it; empty: nothing known does
  std::string_view fix_title = {};        ///< what to do, in the imperative
  Safety fix_safety = Safety::Review;
  Needs needs = Needs::Nothing;  ///< one that needs a schema is asked where Site has its names
  bool judges_names = false;     ///< it rests on what names suggest, so it may be wrong
  std::vector<std::string_view> only = {};  ///< dialects that it speaks of; all where empty
  // What it looks at; null where it does not.
  void (*on_script)(const query::Script&, Report&) = nullptr;
  void (*on_names)(const Site&, const Names&, Report&) = nullptr;  // once a statement
  void (*on_query)(const Site&, const query::Query&, Report&) = nullptr;
  void (*on_core)(const Site&, const query::Core&, Report&) = nullptr;
  void (*on_table)(const Site&, const query::TableExpression&, Report&) = nullptr;
  void (*on_expression)(const Site&, const query::Expression&, Report&) = nullptr;
  void (*on_change)(const Site&, const query::Change&, Report&) = nullptr;
};

/// Every rule, in the order of src/review/rules/list.cmake.
std::vector<Rule> AllRules();

std::string_view Word(Severity severity);  ///< high | medium | low
std::string_view Word(Level level);        ///< off | warn | error
std::string_view Word(Category category);  ///< correctness, schema-design, ...
std::string_view Word(Safety safety);      ///< safe | review | risky

}  // namespace schemaward::review
