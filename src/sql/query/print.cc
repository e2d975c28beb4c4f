#include "sql/query/print.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "sql/query/lexer.h"

namespace schemaward::sql::query {
namespace {

constexpr int kPrintDepthMax = 400;  // a level of the reader is a few levels of the tree

// Functions of PostgreSQL's grammar: they have no schema.
constexpr auto kGrammarFunctions =
    std::to_array<std::string_view>({"coalesce", "greatest", "grouping", "least", "nullif"});

// Functions of MariaDB that MySQL lacks, where no other says the same to both.
constexpr auto kOnlyInMariaDb =
    std::to_array<std::string_view>({"chr", "json_compact", "json_detailed", "json_exists",
                                     "json_query", "natural_sort_key", "to_char"});

Error Unprintable(std::string_view what) {
  return {ErrorKind::Internal, fmt::format("a statement cannot be printed: {}", what)};
}

class Printer {
 public:
  explicit Printer(const Dialect& dialect)
      : dialect_(dialect), is_postgres_(dialect.name == Postgres().name) {}

  Printed Take() { return std::move(out_); }

  Status Catalog(const Statement& statement) {
    const auto named = [&](std::string_view before, std::string_view after) -> Status {
      if (statement.table == nullptr) return Unprintable("a table is absent");
      Add(before);
      Names(statement.table->names);
      Add(after);
      return Ok();
    };
    const std::string show = statement.is_full ? "SHOW FULL " : "SHOW ";
    if (statement.form == "show_tables" || statement.form == "show_all_tables") {
      Add(show + (statement.form == "show_tables" ? "TABLES" : "ALL TABLES"));
      if (statement.like == nullptr) return Ok();
      Add(" LIKE ");
      return Of(statement.like);
    }
    if (statement.form == "pragma_table_list") {
      Add("PRAGMA table_list");
      return Ok();
    }
    if (statement.query != nullptr) {
      Add(statement.form == "summarize" ? "SUMMARIZE " : "DESCRIBE ");
      return Of(*statement.query);
    }
    if (statement.form == "summarize") return named("SUMMARIZE ", "");
    if (statement.form == "describe")
      return named(dialect_.name == MySql().name ? show + "COLUMNS FROM " : "DESCRIBE ", "");
    for (const std::string_view pragma :
         {"table_info", "table_xinfo", "index_list", "foreign_key_list"})
      if (statement.form == fmt::format("pragma_{}", pragma)) {
        if (statement.table == nullptr) return Unprintable("a table is absent");
        const std::vector<Name>& names = statement.table->names;
        Add("PRAGMA ");
        if (names.size() > 1) Add(QuoteIdentifier(dialect_, names.front().text) + ".");
        Add(fmt::format("{}({})", pragma, QuoteIdentifier(dialect_, names.back().text)));
        return Ok();
      }
    return Unprintable("a form is not on the list");
  }

  Status Of(const Query& query) {
    const Level level(*this);
    WARD_CHECK(level.Check());
    WARD_CHECK(With(query));
    if (query.terms.empty()) return Unprintable("a query is empty");
    for (const SetTerm& term : query.terms) {
      Add(term.op);
      if (term.nested != nullptr) {
        Add("(");
        WARD_CHECK(Of(*term.nested));
        Add(")");
      } else {
        const bool becomes_many = dialect_.name == MySql().name && term.core.values.size() > 1;
        const bool needs_brackets = becomes_many && query.terms.size() > 1;
        if (needs_brackets) Add("(");
        WARD_CHECK(Of(term.core));
        if (needs_brackets) Add(")");
      }
    }
    if (query.orders_all) Add(" ORDER BY ALL" + query.orders_all_suffix);
    for (std::size_t i = 0; i < query.order_by.size(); ++i) {
      Add(i == 0 ? " ORDER BY " : ", ");
      WARD_CHECK(Of(query.order_by[i].expression));
      Add(query.order_by[i].suffix);
    }
    return Limits(query);
  }

 private:
  class Level {
   public:
    explicit Level(Printer& printer) : printer_(printer) { ++printer_.depth_; }
    ~Level() { --printer_.depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    Status Check() const {
      return printer_.depth_ > kPrintDepthMax ? Status(Unprintable("it is nested too deeply"))
                                              : Ok();
    }

   private:
    Printer& printer_;
  };

  void Add(std::string_view text) { out_.text += text; }
  void Add(const Name& name) { out_.text += QuoteIdentifier(dialect_, name.text); }

  void Names(const std::vector<Name>& names) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (i > 0) Add(".");
      Add(names[i]);
    }
  }

  void List(const std::vector<Name>& names) {
    Add("(");
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (i > 0) Add(", ");
      Add(names[i]);
    }
    Add(")");
  }

  Status With(const Query& query) {
    for (std::size_t i = 0; i < query.with.size(); ++i) {
      const CommonTable& common = query.with[i];
      Add(i > 0 ? ", " : query.is_recursive ? "WITH RECURSIVE " : "WITH ");
      Add(common.name);
      if (!common.columns.empty()) List(common.columns);
      Add(" AS (");
      if (common.query == nullptr) return Unprintable("a common table is absent");
      WARD_CHECK(Of(*common.query));
      Add(")");
    }
    if (!query.with.empty()) Add(" ");
    return Ok();
  }

  Status Limits(const Query& query) {
    if (query.has_ties) {
      if (query.offset != nullptr) {
        Add(" OFFSET ");
        WARD_CHECK(Of(query.offset));
      }
      Add(" FETCH FIRST ");
      WARD_CHECK(Of(query.limit));
      Add(" ROWS WITH TIES");
      return Ok();
    }
    if (query.limit != nullptr) {
      Add(" LIMIT ");
      WARD_CHECK(Of(query.limit));
    }
    if (query.offset == nullptr) return Ok();
    Add(" OFFSET ");
    return Of(query.offset);
  }

  Status Of(const Core& core) {
    if (!core.values.empty()) return Rows(core);
    Add(core.is_distinct ? "SELECT DISTINCT " : "SELECT ");
    if (!core.distinct_on.empty()) {
      Add("ON (");
      WARD_CHECK(Of(core.distinct_on, ", "));
      Add(") ");
    }
    for (std::size_t i = 0; i < core.outputs.size(); ++i) {
      if (i > 0) Add(", ");
      WARD_CHECK(Of(core.outputs[i].expression));
      if (core.outputs[i].alias.text.empty()) continue;
      Add(" AS ");
      Add(core.outputs[i].alias);
    }
    for (std::size_t i = 0; i < core.from.size(); ++i) {
      Add(i == 0 ? " FROM " : ", ");
      WARD_CHECK(Of(core.from[i]));
    }
    WARD_CHECK(Clause(" WHERE ", core.where));
    if (core.groups_all) Add(" GROUP BY ALL");
    if (!core.group_by.empty()) {
      Add(" GROUP BY ");
      WARD_CHECK(Of(core.group_by, ", "));
    }
    Add(core.group_suffix);
    WARD_CHECK(Clause(" HAVING ", core.having));
    for (std::size_t i = 0; i < core.windows.size(); ++i) {
      Add(i == 0 ? " WINDOW " : ", ");
      Add(core.windows[i].name);
      Add(" AS ");
      WARD_CHECK(Of(core.windows[i].spec));
    }
    WARD_CHECK(Clause(" QUALIFY ", core.qualify));
    Add(core.sample);
    return Ok();
  }

  Status Rows(const Core& core) {
    if (dialect_.name == MySql().name) return RowsAsSelects(core);
    Add("VALUES ");
    for (std::size_t i = 0; i < core.values.size(); ++i) {
      Add(i > 0 ? ", (" : "(");
      WARD_CHECK(Of(core.values[i], ", "));
      Add(")");
    }
    return Ok();
  }

  // MySQL writes VALUES ROW(...), MariaDB VALUES (...) and calls the columns by their first values:
  // a union is common to both.
  Status RowsAsSelects(const Core& core) {
    for (std::size_t i = 0; i < core.values.size(); ++i) {
      Add(i > 0 ? " UNION ALL SELECT " : "SELECT ");
      for (std::size_t j = 0; j < core.values[i].size(); ++j) {
        if (j > 0) Add(", ");
        WARD_CHECK(Of(core.values[i][j]));
        if (i == 0) Add(fmt::format(" AS `column_{}`", j));
      }
    }
    return Ok();
  }

  Status Clause(std::string_view before, const ExpressionPtr& expression) {
    if (expression == nullptr) return Ok();
    Add(before);
    return Of(expression);
  }

  Status Of(const TableExpressionPtr& table) {
    const Level level(*this);
    WARD_CHECK(level.Check());
    if (table == nullptr) return Unprintable("a table is absent");
    if (table->is_lateral) Add("LATERAL ");
    switch (table->kind) {
      case TableKind::Join:
        return Join(*table);
      case TableKind::Table:
        if (table->is_only) Add("ONLY ");
        Names(table->names);
        break;
      case TableKind::Function:
        // unnest(a, b) is grammar in PostgreSQL's FROM, and only under its bare name.
        if (is_postgres_ && table->call != nullptr && IsUnnestOfMany(*table->call)) {
          Add("unnest");
          WARD_CHECK(Parts(*table->call));
        } else {
          WARD_CHECK(Of(table->call));
        }
        if (table->with_ordinality) Add(" WITH ORDINALITY");
        break;
      case TableKind::Derived:
        if (table->query == nullptr) return Unprintable("a derived table is absent");
        if (table->call != nullptr) Add(table->call->form == "unpivot" ? "(UNPIVOT " : "(PIVOT ");
        Add("(");
        WARD_CHECK(Of(*table->query));
        Add(")");
        if (table->call != nullptr) {
          WARD_CHECK(Of(table->call));
          Add(")");
        }
        break;
    }
    if (!table->alias.text.empty()) {
      Add(" AS ");
      Add(table->alias);
    }
    if (!table->column_types.empty()) {
      WARD_CHECK(Definitions(*table));
    } else if (!table->columns.empty()) {
      List(table->columns);
    }
    Add(table->sample);
    Add(table->hint);
    return Ok();
  }

  Status Definitions(const TableExpression& table) {
    if (table.columns.size() != table.column_types.size())
      return Unprintable("a function's result has not one type for each column");
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      Add(i == 0 ? "(" : ", ");
      Add(table.columns[i]);
      Add(" " + table.column_types[i]);
    }
    Add(")");
    return Ok();
  }

  Status Join(const TableExpression& join) {
    WARD_CHECK(Of(join.left));
    Add(join.join);
    const bool nests = join.right != nullptr && join.right->kind == TableKind::Join;
    if (nests) Add("(");
    WARD_CHECK(Of(join.right));
    if (nests) Add(")");
    if (!join.using_columns.empty()) {
      Add(" USING ");
      List(join.using_columns);
    }
    return Clause(" ON ", join.on);
  }

  Status Of(const std::vector<ExpressionPtr>& list, std::string_view between) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (i > 0) Add(between);
      WARD_CHECK(Of(list[i]));
    }
    return Ok();
  }

  Status Of(const ExpressionPtr& expression) {
    const Level level(*this);
    WARD_CHECK(level.Check());
    if (expression == nullptr) return Unprintable("an operand is absent");
    switch (expression->kind) {
      case ExpressionKind::Column:
        Names(expression->names);
        return Ok();
      case ExpressionKind::Star:
        if (!expression->parts.empty() || !expression->renamed.empty())
          return Unprintable("a star replaces columns");
        Star(*expression);
        return Ok();
      case ExpressionKind::Literal:
        Add(expression->form == "text" ? QuoteText(expression->value, dialect_) : expression->text);
        return Ok();
      case ExpressionKind::Parameter:
        Parameter(expression->number);
        return Ok();
      case ExpressionKind::Call:
        WARD_CHECK(FunctionName(*expression));
        break;
      case ExpressionKind::Syntax:
        break;
    }
    if (expression->is_operator) Add("(");
    WARD_CHECK(Parts(*expression));
    if (expression->form == "field") Add(expression->names.front());
    if (expression->form == "own_cast") {
      Names(expression->names);
      Add(expression->text);
    }
    if (expression->is_operator) Add(")");
    return Ok();
  }

  Status Parts(const Expression& expression) {
    for (const Part& part : expression.parts) {
      Add(part.text);
      if (part.expression != nullptr) WARD_CHECK(Of(part.expression));
      if (part.query != nullptr) WARD_CHECK(Of(*part.query));
    }
    return Ok();
  }

  void Star(const Expression& star) {
    Names(star.names);
    Add(star.names.empty() ? "*" : ".*");
    if (star.excluded.empty()) return;
    Add(" EXCLUDE ");
    List(star.excluded);
  }

  void Parameter(std::size_t number) {
    out_.order.push_back(number - 1);
    if (dialect_.parameters == ParameterStyle::Question)
      Add("?");
    else
      Add(fmt::format("${}", out_.order.size()));
  }

  static bool IsUnnestOfMany(const Expression& call) {
    const bool has_many = std::any_of(call.parts.begin(), call.parts.end(), [](const Part& part) {
      return part.text == ", " && part.expression;
    });
    return has_many && call.names.size() == 1 && call.names.front().text == "unnest";
  }

  // Plain and lower case; the guard has found it on its list.
  Status FunctionName(const Expression& call) {
    const std::string& name = call.names.back().text;
    const bool is_plain = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    });
    if (!is_plain) return Unprintable("a function's name is not a plain word");
    const bool is_grammar = std::find(kGrammarFunctions.begin(), kGrammarFunctions.end(), name) !=
                            kGrammarFunctions.end();
    if (is_postgres_ && !is_grammar) Add("pg_catalog.");
    if (dialect_.name == MySql().name) {
      if (name == "grouping") Add(kNowhereInMariaDb);
      if (std::find(kOnlyInMariaDb.begin(), kOnlyInMariaDb.end(), name) != kOnlyInMariaDb.end())
        Add(kNowhereInMySql);
    }
    Add(name);
    return Ok();
  }

  const Dialect& dialect_;
  const bool is_postgres_;
  Printed out_;
  int depth_ = 0;
};

}  // namespace

std::string QuoteText(std::string_view text, const Dialect& dialect) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || (c == '\\' && dialect.backslash_escapes)) out += c;
    out += c;
  }
  return out + '\'';
}

Result<Printed> Print(const Statement& statement, const Dialect& dialect) {
  Printer printer(dialect);
  if (statement.kind == StatementKind::Catalog) {
    WARD_CHECK(printer.Catalog(statement));
  } else if (statement.query == nullptr) {
    return Unprintable("its query is absent");
  } else {
    WARD_CHECK(printer.Of(*statement.query));
  }
  return printer.Take();
}

}  // namespace schemaward::sql::query
