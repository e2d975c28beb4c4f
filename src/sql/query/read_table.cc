// Items of FROM and their joins.
#include <array>

#include <fmt/format.h>

#include "sql/query/parser.h"

namespace schemaward::sql::query {

Status Parser::FromItems(Core& core) {
  do {
    WARD_TRY(auto item, Joined());
    core.from.push_back(std::move(item));
  } while (TakeSymbol(","));
  return Ok();
}

Result<TableExpressionPtr> Parser::Joined() {
  const Deeper deeper(*this);
  WARD_CHECK(deeper.Check());
  WARD_TRY(auto left, TableItem());
  while (true) {
    WARD_TRY(const bool joined, JoinStep(left));
    if (!joined) return left;
  }
}

Result<bool> Parser::JoinStep(TableExpressionPtr& left) {
  auto join = std::make_unique<TableExpression>();
  join->kind = TableKind::Join;
  const std::size_t before = at_;
  std::string text;
  if (is_mysql_ && TakeWord("STRAIGHT_JOIN")) {
    text = " STRAIGHT_JOIN ";
  } else {
    if (TakeWord("NATURAL")) {
      join->is_natural = true;
      text += " NATURAL";
    }
    if (is_duckdb_ && TakeWord("ASOF")) text += " ASOF";
    if (is_duckdb_ && TakeWord("POSITIONAL")) text += " POSITIONAL";
    bool is_outer = false;
    if (TakeWord("LEFT")) {
      text += " LEFT";
      is_outer = true;
    } else if (TakeWord("RIGHT")) {
      text += " RIGHT";
      is_outer = join->is_merging_right = true;
    } else if (TakeWord("FULL")) {
      text += " FULL";
      is_outer = join->is_merging_right = true;
    } else if (TakeWord("CROSS")) {
      text += " CROSS";
    } else if (is_duckdb_ && TakeWord("SEMI")) {
      text += " SEMI";
    } else if (is_duckdb_ && TakeWord("ANTI")) {
      text += " ANTI";
    } else {
      TakeWord("INNER");
    }
    if (is_outer) TakeWord("OUTER");
    if (!TakeWord("JOIN")) {
      if (at_ != before) return Expected("JOIN");
      return false;
    }
    text += " JOIN ";
  }
  join->join = std::move(text);
  join->begin = left->begin;
  join->left = std::move(left);
  WARD_TRY(join->right, TableItem());
  const bool is_cross = join->join.find("CROSS") != std::string::npos;
  const bool takes_condition = !join->is_natural && (!is_cross || is_sqlite_ || is_mysql_) &&
                               join->join.find("POSITIONAL") == std::string::npos;
  if (takes_condition && TakeWord("ON")) {
    WARD_TRY(join->on, Value());
  } else if (takes_condition && TakeWord("USING")) {
    WARD_TRY(join->using_columns, NameList());
    if (reads_script_ && is_postgres_ && TakeWord("AS")) Skip();
  } else if (takes_condition && (is_postgres_ || is_duckdb_)) {
    // a JOIN b JOIN c ON ... ON ...
    WARD_TRY(const bool nested, JoinStep(join->right));
    if (!nested) return Expected("ON or USING");
    if (TakeWord("ON")) {
      WARD_TRY(join->on, Value());
    } else if (TakeWord("USING")) {
      WARD_TRY(join->using_columns, NameList());
    } else
      return Expected("ON or USING");
  }
  join->end = tokens_[at_ - 1].end;
  left = std::move(join);
  return true;
}

Result<TableExpressionPtr> Parser::TableItem() {
  const Deeper deeper(*this);
  WARD_CHECK(deeper.Check());
  const std::size_t begin = Now().begin;
  const bool is_lateral = TakeWord("LATERAL");
  TableExpressionPtr table;
  if (reads_script_) {
    if (is_duckdb_ && IsName() && IsSymbolAt(1, ":")) Skip(2);  // alias: table
    WARD_TRY(table, TableOfScript());
    if (table != nullptr && table->kind == TableKind::Join) return table;
  }
  if (table != nullptr) {
    // Read already.
  } else if (IsSymbol("(")) {
    WARD_TRY(table, Parenthesised());
    if (table->kind == TableKind::Join) return table;
  } else if (is_postgres_ && IsWord("ROWS") && IsWordAt(1, "FROM")) {
    return NotListed("reads ROWS FROM functions, which is not on the list");
  } else {
    const bool is_only = is_postgres_ && TakeWord("ONLY");
    if (Now().kind == TokenKind::Text && !(reads_script_ && is_duckdb_))
      return NotListed("reads a file by its name in FROM, which is not on the list");
    table = std::make_unique<TableExpression>();
    table->is_only = is_only;
    if (Now().kind == TokenKind::Text) {
      table->names.push_back({tokens_[at_++].value, true, false});
    } else {
      WARD_TRY(table->names, DottedName("a table's name"));
    }
    if (table->names.size() > 3) return Expected("a table's name of at most three parts");
    if (IsSymbol("(") && !is_only) {
      table->kind = TableKind::Function;
      WARD_TRY(table->call, Call(std::move(table->names)));
      table->names.clear();
      table->with_ordinality = TakeWords({"WITH", "ORDINALITY"});
    } else if (is_postgres_) {
      TakeSymbol("*");
    }
  }
  table->is_lateral = is_lateral;
  table->begin = begin;
  WARD_CHECK(AfterTable(*table));
  table->end = tokens_[at_ - 1].end;
  while (is_duckdb_ && !reads_script_ && (IsWord("PIVOT") || IsWord("UNPIVOT"))) {
    WARD_TRY(auto pivoted, PivotOf(std::move(table)));
    table = std::move(pivoted);
  }
  return table;
}

Result<TableExpressionPtr> Parser::Parenthesised() {
  WARD_CHECK(NeedSymbol("("));
  if (is_duckdb_ && (IsWord("PIVOT") || IsWord("UNPIVOT"))) {
    WARD_TRY(auto pivot, Pivot());
    WARD_CHECK(NeedSymbol(")"));
    return pivot;
  }
  const bool is_select = BeginsQuery();
  if (is_select && !IsSymbol("(")) {
    auto table = std::make_unique<TableExpression>();
    table->kind = TableKind::Derived;
    WARD_TRY(table->query, ReadQuery());
    WARD_CHECK(NeedSymbol(")"));
    return table;
  }
  // ((SELECT ...) UNION ...) or ((SELECT ...) AS a JOIN ...): the first reading that fits.
  if (is_select)
    if (QueryPtr query = QueryInBrackets()) {
      auto table = std::make_unique<TableExpression>();
      table->kind = TableKind::Derived;
      table->query = std::move(query);
      return table;
    }
  WARD_TRY(auto joined, Joined());
  while (reads_script_ && !is_postgres_ && TakeSymbol(",")) {  // (a, b)
    auto cross = std::make_unique<TableExpression>();
    cross->kind = TableKind::Join;
    cross->join = " CROSS JOIN ";
    cross->begin = joined->begin;
    cross->left = std::move(joined);
    WARD_TRY(cross->right, Joined());
    cross->end = tokens_[at_ - 1].end;
    joined = std::move(cross);
  }
  WARD_CHECK(NeedSymbol(")"));
  return joined;
}

// IGNORE is kept; a hint to use an index is left out.
Status Parser::IndexHints(TableExpression& table) {
  while ((IsWord("USE") || IsWord("FORCE") || IsWord("IGNORE")) &&
         (IsWordAt(1, "INDEX") || IsWordAt(1, "KEY"))) {
    const bool is_kept = IsWord("IGNORE");
    at_ += 2;
    if (reads_script_ && TakeWord("FOR")) {
      Skip();
      TakeWord("BY");
    }
    WARD_CHECK(NeedSymbol("("));
    std::string names;
    while (!TakeSymbol(")")) {
      if (IsName()) {
        WARD_TRY(const Name name, ReadName("an index"));
        names += (names.empty() ? "" : ", ") + QuoteIdentifier(dialect_, name.text);
      } else if (IsSymbol(",") || Now().kind == TokenKind::Word) {
        ++at_;
      } else {
        return Expected("an index");
      }
    }
    if (is_kept && !names.empty()) table.hint += fmt::format(" IGNORE INDEX ({})", names);
  }
  return Ok();
}

Status Parser::AfterTable(TableExpression& table) {
  if (reads_script_) WARD_CHECK(AfterTableOfScript(table));
  // f() AS (a int), f() AS x (a int): the function's columns and their types.
  const std::size_t typed = IsWord("AS") ? 1 : 0;
  const bool is_typed = table.kind == TableKind::Function && reads_script_ && !is_mysql_;
  if (is_typed && typed == 1 && IsSymbolAt(1, "(")) {
    Skip();
    SkipBalanced();
    return Ok();
  }
  if (is_sqlite_ && TakeWords({"INDEXED", "BY"})) {
    WARD_TRY(const Name ignored, ReadName("an index"));
    (void)ignored;
  }
  if (auto alias = Alias()) {
    table.alias = *std::move(alias);
    if (IsSymbol("(")) {
      const bool has_types =
          table.kind == TableKind::Function && !IsSymbolAt(2, ",") && !IsSymbolAt(2, ")");
      if (reads_script_ && has_types) {
        SkipBalanced();
        return Ok();
      }
      if (table.kind == TableKind::Function && IsSymbolAt(2, "."))
        return NotListed("gives a function's result columns and types that are not on the list");
      if (table.kind == TableKind::Function && is_postgres_ && IsTypeWord(2)) {
        WARD_CHECK(ColumnDefinitions(table));
      } else {
        WARD_TRY(table.columns, NameList());
      }
    }
  } else if (IsWord("AS")) {
    return Expected("an alias without types");
  }
  if (is_sqlite_ && TakeWords({"INDEXED", "BY"})) {
    WARD_TRY(const Name ignored, ReadName("an index"));
    (void)ignored;
  }
  if (is_sqlite_ && TakeWords({"NOT", "INDEXED"})) table.hint = " NOT INDEXED";
  if (is_mysql_) WARD_CHECK(IndexHints(table));
  if (reads_script_) WARD_CHECK(AfterTableOfScript(table));
  if (reads_script_ && !is_mysql_ && TakeWord("TABLESAMPLE")) {
    SkipSample();
    return Ok();
  }
  if ((is_postgres_ || is_duckdb_) && TakeWord("TABLESAMPLE")) return TableSample(table);
  return Ok();
}

// (name type, ...) of a function that gives rows of any shape.
Status Parser::ColumnDefinitions(TableExpression& table) {
  WARD_CHECK(NeedSymbol("("));
  do {
    WARD_TRY(Name name, ReadName("a column's name"));
    WARD_TRY(std::string type, Type());
    table.columns.push_back(std::move(name));
    table.column_types.push_back(std::move(type));
  } while (TakeSymbol(","));
  return NeedSymbol(")");
}

// SYSTEM (10), BERNOULLI (10) REPEATABLE (7), and in DuckDB 10%.
Status Parser::TableSample(TableExpression& table) {
  static constexpr auto kMethods =
      std::to_array<std::string_view>({"SYSTEM", "BERNOULLI", "RESERVOIR"});
  const auto is_number = [&] {
    return Now().kind == TokenKind::Integer || Now().kind == TokenKind::Decimal;
  };
  if (is_duckdb_ && is_number()) {
    const std::string share = tokens_[at_++].value;
    const bool is_percent = TakeSymbol("%") || TakeWord("PERCENT");
    if (!is_percent) TakeWord("ROWS");
    table.sample = fmt::format(" TABLESAMPLE {} {}", share, is_percent ? "PERCENT" : "ROWS");
    return Ok();
  }
  for (const std::string_view method : kMethods) {
    if (!TakeWord(method)) continue;
    WARD_CHECK(NeedSymbol("("));
    if (!is_number()) return Expected("a number");
    const std::string share = tokens_[at_++].value;
    const bool is_percent = TakeSymbol("%") || TakeWord("PERCENT");
    WARD_CHECK(NeedSymbol(")"));
    table.sample =
        fmt::format(" TABLESAMPLE {} ({}{})", method, share, is_percent ? " PERCENT" : "");
    if (!IsWord("REPEATABLE")) return Ok();
    ++at_;
    WARD_CHECK(NeedSymbol("("));
    if (!is_number()) return Expected("a number");
    table.sample += fmt::format(" REPEATABLE ({})", tokens_[at_++].value);
    return NeedSymbol(")");
  }
  return Expected("SYSTEM or BERNOULLI");
}

// USING SAMPLE 10%, USING SAMPLE 100 ROWS of DuckDB.
Status Parser::UsingSample(Core& core) {
  at_ += 2;
  if (Now().kind != TokenKind::Integer && Now().kind != TokenKind::Decimal)
    return Expected("a number of rows or a share");
  const std::string share = tokens_[at_++].value;
  const bool is_percent = TakeSymbol("%") || TakeWord("PERCENT");
  if (!is_percent) TakeWord("ROWS");
  core.sample = fmt::format(" USING SAMPLE {} {}", share, is_percent ? "PERCENT" : "ROWS");
  return Ok();
}

}  // namespace schemaward::sql::query
