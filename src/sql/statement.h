#pragma once

// The statement tree that the guard, our own samplers and the metric compiler share. It holds one
// SELECT; what it cannot hold is refused. Nodes say what is meant (a period of time, a true
// division), the renderer how a dialect says it. Trees are immutable once built and are shared
// freely between threads.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace schemaward::sql {

struct Expression;
using ExpressionPtr =
    std::shared_ptr<const Expression>;  // shared: rewrites keep the parts they do not touch
struct Select;
using SelectPtr = std::shared_ptr<const Select>;  // shared: as ExpressionPtr

struct OrderItem {
  ExpressionPtr expression;
  bool descending = false;
  bool nulls_last = false;  ///< printed the same on every dialect; else the dialect's own order
};

/// alias.column, or column where `qualifier` is empty.
struct ColumnRef {
  std::string qualifier;
  std::string column;
};

/// A value that is bound, never printed.
struct Literal {
  std::variant<std::monostate, bool, std::int64_t, double, std::string> value;
};

/// function(arguments) by its plain name; the guard lists which.
struct Call {
  std::string function;
  std::vector<ExpressionPtr> arguments;
  bool distinct = false;
  bool star = false;  ///< count(*)
};

/// left op right, op from the renderer's closed list: = <> < <= > >= and or + - * / like || is, is
/// not (nulls compare as values).
struct Binary {
  std::string op;
  ExpressionPtr left;
  ExpressionPtr right;
};

/// op operand: not, -, is null, is not null.
struct Unary {
  std::string op;
  ExpressionPtr operand;
};

/// CASE WHEN ... THEN ... [ELSE ...] END.
struct Case {
  struct Branch {
    ExpressionPtr when;
    ExpressionPtr then;
  };
  std::vector<Branch> branches;  ///< at least one
  ExpressionPtr otherwise;       ///< may be null
};

/// operand [NOT] IN (items); at least one item.
struct InList {
  ExpressionPtr operand;
  std::vector<ExpressionPtr> items;
  bool negated = false;
};

/// [NOT] EXISTS (select). The select may refer to the tables around it.
struct Exists {
  SelectPtr select;
  bool negated = false;
};

/// The types that a cast may name.
enum class CastType : std::uint8_t {
  Text,
  Integer,
  Double,
  Decimal,
  Boolean,
  Date,
  Timestamp,   ///< without a zone
  TimestampTz  ///< an instant
};

struct Cast {
  ExpressionPtr operand;
  CastType type = CastType::Text;
};

/// numerator / denominator as a true division: 1 / 2 is 0.5 whatever the operands' types, and null
/// where the denominator is zero.
struct Ratio {
  ExpressionPtr numerator;
  ExpressionPtr denominator;
};

/// function(arguments) OVER (PARTITION BY partition_by ORDER BY order_by): row_number, rank, sum,
/// min, max, count.
struct Window {
  Call call;
  std::vector<ExpressionPtr> partition_by;
  std::vector<OrderItem> order_by;
};

/// The continuous percentile of the operand over the group's non-null values. `fraction` is in
/// [0, 1]; 0.5 is the median.
struct Percentile {
  ExpressionPtr operand;
  double fraction = 0.5;
};

/// Whether `operand`, as text, contains or begins with `text`; case is ignored, and wildcards in
/// `text` mean themselves.
struct TextMatch {
  ExpressionPtr operand;
  std::string text;
  bool at_start = false;
};

/// What a column of time holds.
enum class TimeKind : std::uint8_t {
  Date,     ///< a calendar day
  Naive,    ///< date and time of day without a zone
  Instant,  ///< a moment: with a zone or an offset
};

enum class TimeGrain : std::uint8_t { Hour, Day, Week, Month, Quarter, Year };

/// The first moment of the period that holds the operand. Day and coarser give a date (text
/// YYYY-MM-DD where the dialect has no dates). Hour gives what the operand holds: an instant keeps
/// the two hours of a clock set back apart. Null and unreadable values give null.
struct TimeBucket {
  ExpressionPtr operand;
  TimeKind kind = TimeKind::Naive;
  TimeGrain grain = TimeGrain::Day;
  std::string zone;      ///< IANA name, applied before the cut; of an Instant, UTC where empty
  std::string own_zone;  ///< of a Naive operand that is shown in `zone`: what it is written in;
                         ///< empty: it stays as it is
  int week_start = 1;    ///< 1 is Monday, 7 is Sunday
};

/// The operand in a form that compares with Moments of its kind, whatever way the dialect stores
/// time: the operand itself, or microseconds since 1970 where times are texts or numbers.
struct Comparable {
  ExpressionPtr operand;
  TimeKind kind = TimeKind::Naive;
};

/// A bound moment, to be compared with a Comparable of the same kind. `micros` since 1970: of UTC
/// for Instant, of the clock on the wall for the others; a Date is a multiple of a day.
struct Moment {
  std::int64_t micros = 0;
  TimeKind kind = TimeKind::Naive;
};

/// A Comparable or Moment moved by a fixed time, positive or negative.
struct Shifted {
  ExpressionPtr operand;
  std::int64_t micros = 0;
  TimeKind kind = TimeKind::Naive;
};

struct Expression {
  std::variant<ColumnRef, Literal, Call, Binary, Unary, Case, InList, Exists, Cast, Ratio, Window,
               Percentile, TextMatch, TimeBucket, Comparable, Moment, Shifted>
      node;
};

struct OutputColumn {
  ExpressionPtr expression;
  std::string alias;
};

/// schema.table AS alias.
struct TableRef {
  std::string schema;
  std::string table;
  std::string alias;
};

/// name AS alias, a query of WITH in this select or one around it.
struct CteRef {
  std::string name;
  std::string alias;
};

/// (select) AS alias. It sees nothing of the tables beside it.
struct DerivedTable {
  SelectPtr select;
  std::string alias;
};

/// Rows of values AS alias (columns); each row has one expression per column; at least one row.
struct ValuesTable {
  std::vector<std::vector<ExpressionPtr>> rows;
  std::string alias;
  std::vector<std::string> columns;
};

using Relation = std::variant<TableRef, CteRef, DerivedTable, ValuesTable>;

enum class JoinKind : std::uint8_t { Inner, Left, Cross };

struct Join {
  JoinKind kind = JoinKind::Inner;
  Relation table;
  ExpressionPtr on;  ///< null for Cross
};

/// name AS (select).
struct CommonTable {
  std::string name;
  SelectPtr select;
};

struct Select {
  std::vector<CommonTable> with;  ///< each sees those before it
  bool distinct = false;
  std::vector<OutputColumn> columns;
  Relation from;
  std::vector<Join> joins;
  ExpressionPtr where;  ///< may be null
  std::vector<ExpressionPtr> group_by;
  ExpressionPtr having;               ///< may be null
  std::vector<SelectPtr> union_all;   ///< appended to the rows of this one; same number of columns
  std::vector<OrderItem> order_by;    ///< of the whole; by an output's alias where there is a union
  std::optional<std::int64_t> limit;  ///< of the whole
};

/// Makes any node.
ExpressionPtr Make(Expression expression);
ExpressionPtr MakeColumn(std::string qualifier, std::string column);
ExpressionPtr MakeLiteral(Literal literal);
ExpressionPtr MakeCall(Call call);
ExpressionPtr MakeBinary(std::string op, ExpressionPtr left, ExpressionPtr right);
ExpressionPtr MakeUnary(std::string op, ExpressionPtr operand);

}  // namespace schemaward::sql
