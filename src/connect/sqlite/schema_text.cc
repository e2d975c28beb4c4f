#include "connect/sqlite/schema_text.h"

#include <algorithm>
#include <span>
#include <utility>

#include "connect/sqlite/tokens.h"

namespace schemaward::connect::sqlite_engine {
namespace {

using Tokens = std::span<const Token>;

// Returns the offset of the bracket that closes the one at `open`, or the size.
std::size_t ClosingOf(Tokens tokens, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    if (IsSymbol(tokens[i], '(')) ++depth;
    if (IsSymbol(tokens[i], ')') && --depth == 0) return i;
  }
  return tokens.size();
}

std::size_t FindSymbol(Tokens tokens, char symbol, std::size_t from = 0) {
  for (std::size_t i = from; i < tokens.size(); ++i)
    if (IsSymbol(tokens[i], symbol)) return i;
  return tokens.size();
}

// The statement's text from the first to the last of the tokens, as it was written.
std::string TextOf(std::string_view sql, Tokens tokens) {
  if (tokens.empty()) return "";
  const std::size_t end = tokens.back().begin + tokens.back().text.size();
  return std::string(sql.substr(tokens.front().begin, end - tokens.front().begin));
}

// Splits at symbols (or a keyword) that stand outside brackets.
template <class IsSeparator>
std::vector<Tokens> SplitTop(Tokens tokens, IsSeparator is_separator) {
  std::vector<Tokens> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (IsSymbol(tokens[i], '(')) ++depth;
    if (IsSymbol(tokens[i], ')')) --depth;
    if (depth != 0 || !is_separator(tokens[i])) continue;
    parts.push_back(tokens.subspan(begin, i - begin));
    begin = i + 1;
  }
  parts.push_back(tokens.subspan(begin));
  return parts;
}

std::vector<Tokens> SplitCommas(Tokens tokens) {
  return SplitTop(tokens, [](const Token& token) { return IsSymbol(token, ','); });
}

std::vector<Token> WithoutComments(Tokens tokens) {
  std::vector<Token> kept;
  std::copy_if(tokens.begin(), tokens.end(), std::back_inserter(kept),
               [](const Token& token) { return token.kind != TokenKind::Comment; });
  return kept;
}

// The names in a bracketed list: (a, "b" DESC, c).
std::vector<std::string> NamesIn(Tokens tokens) {
  std::vector<std::string> names;
  for (const Tokens& item : SplitCommas(tokens))
    if (!item.empty()) names.push_back(NameOf(item.front()));
  return names;
}

// Reads the constraints of one column definition or table constraint, and moves along.
class ConstraintReader {
 public:
  ConstraintReader(std::string_view sql, Tokens tokens, TableText& table)
      : sql_(sql), tokens_(tokens), table_(table) {}

  // `column`: the column whose definition this is, null for a table constraint.
  void Read(ColumnText* column) {
    for (at_ = column == nullptr ? 0 : 1; at_ < tokens_.size(); ++at_) ReadOne(column);
  }

 private:
  void ReadOne(ColumnText* column) {
    const Token& token = tokens_[at_];
    if (IsKeyword(token, "CONSTRAINT") && at_ + 1 < tokens_.size()) {
      name_ = NameOf(tokens_[++at_]);
    } else if (IsKeyword(token, "CHECK")) {
      table_.checks.push_back({Taken(), Bracketed()});
    } else if (IsKeyword(token, "PRIMARY")) {
      ++at_;  // KEY
      Keep(table_.primary_keys, column);
    } else if (IsKeyword(token, "UNIQUE")) {
      Keep(table_.unique_keys, column);
    } else if (IsKeyword(token, "FOREIGN")) {
      ++at_;  // KEY
      Keep(table_.foreign_keys, nullptr);
      SkipReference();
    } else if (IsKeyword(token, "REFERENCES")) {
      if (column != nullptr) Named(table_.foreign_keys, {column->name});
      SkipReference();
    } else if (IsKeyword(token, "DEFAULT")) {
      name_.clear();
      SkipValue();
    } else if (IsKeyword(token, "AS") && column != nullptr) {
      name_.clear();
      column->generated = Bracketed();
    } else if (IsSymbol(token, '(')) {
      at_ = ClosingOf(tokens_, at_);  // of a type: DECIMAL(10, 2)
    } else if (IsKeyword(token, "NULL") || IsKeyword(token, "COLLATE")) {
      name_.clear();  // a name given to NOT NULL is not kept anywhere
    }
  }

  std::string Taken() { return std::exchange(name_, ""); }

  void Named(std::vector<ConstraintText>& list, std::vector<std::string> columns) {
    if (!name_.empty()) list.push_back({Taken(), std::move(columns)});
  }

  // Of a column: that column. Of a table: the bracketed list that follows.
  void Keep(std::vector<ConstraintText>& list, const ColumnText* column) {
    if (column != nullptr) return Named(list, {column->name});
    const std::size_t open = at_ + 1;
    if (open >= tokens_.size() || !IsSymbol(tokens_[open], '(')) return;
    const std::size_t close = ClosingOf(tokens_, open);
    Named(list, NamesIn(tokens_.subspan(open + 1, close - open - 1)));
    at_ = close;
  }

  // The text inside the brackets that follow.
  std::string Bracketed() {
    const std::size_t open = at_ + 1;
    if (open >= tokens_.size() || !IsSymbol(tokens_[open], '(')) return "";
    const std::size_t close = ClosingOf(tokens_, open);
    at_ = close;
    return TextOf(sql_, tokens_.subspan(open + 1, close - open - 1));
  }

  // REFERENCES table (columns) [ON ...]: nothing in it is a constraint of ours.
  void SkipReference() {
    while (at_ + 1 < tokens_.size() && !IsSymbol(tokens_[at_ + 1], '(') &&
           !EndsReference(tokens_[at_ + 1]))
      ++at_;
    if (at_ + 1 < tokens_.size() && IsSymbol(tokens_[at_ + 1], '('))
      at_ = ClosingOf(tokens_, at_ + 1);
    SkipActions();
  }

  void SkipActions() {
    while (at_ + 2 < tokens_.size() && IsKeyword(tokens_[at_ + 1], "ON")) {
      at_ += 2;  // ON DELETE
      while (at_ + 1 < tokens_.size() && IsAction(tokens_[at_ + 1])) ++at_;
    }
  }

  static bool IsAction(const Token& token) {
    for (const char* word : {"SET", "NULL", "DEFAULT", "CASCADE", "RESTRICT", "NO", "ACTION"})
      if (IsKeyword(token, word)) return true;
    return false;
  }

  static bool EndsReference(const Token& token) {
    for (const char* word : {"ON", "NOT", "NULL", "CHECK", "UNIQUE", "DEFAULT", "CONSTRAINT",
                             "COLLATE", "DEFERRABLE", "MATCH", "PRIMARY"})
      if (IsKeyword(token, word)) return true;
    return false;
  }

  void SkipValue() {
    if (at_ + 1 >= tokens_.size()) return;
    ++at_;
    if (IsSymbol(tokens_[at_], '(')) at_ = ClosingOf(tokens_, at_);
  }

  std::string_view sql_;
  Tokens tokens_;
  TableText& table_;
  std::size_t at_ = 0;
  std::string name_;
};

bool StartsTableConstraint(const Token& token) {
  for (const char* word : {"CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN"})
    if (IsKeyword(token, word)) return true;
  return false;
}

void Append(std::string& comment, std::string_view text) {
  const std::string clean = CleanComment(text);
  if (clean.empty()) return;
  const std::string joined = comment.empty() ? clean : comment + " " + clean;
  comment = CleanComment(joined);  // bounded as a whole
}

std::size_t LastLineOf(const Token& token) {
  return token.line +
         static_cast<std::size_t>(std::count(token.text.begin(), token.text.end(), '\n'));
}

// Gives each comment inside the brackets to what it stands beside: on the line of a column's end to
// that column; on lines of its own to the column that follows, or to the table where an empty line
// keeps them apart from the first column.
class CommentReader {
 public:
  explicit CommentReader(TableText& table) : table_(table) {}

  // body: the tokens between the brackets; open: the bracket.
  void Read(Tokens body, const Token& open) {
    std::size_t column = 0;             // definitions passed
    std::size_t last_line = open.line;  // of the last token that is no comment
    bool fresh = true;                  // at the begin of a definition
    int depth = 0;
    for (std::size_t i = 0; i < body.size(); ++i) {
      const Token& token = body[i];
      if (token.kind == TokenKind::Comment) {
        Place(token, last_line, column, fresh, i + 1 < body.size() ? &body[i + 1] : nullptr);
        continue;
      }
      last_line = LastLineOf(token);
      if (IsSymbol(token, '(')) ++depth;
      if (IsSymbol(token, ')')) --depth;
      fresh = depth == 0 && IsSymbol(token, ',');
      if (fresh) ++column;
    }
  }

 private:
  void Place(const Token& comment, std::size_t last_line, std::size_t column, bool fresh,
             const Token* next) {
    const bool beside = comment.line == last_line;
    if (column == 0 && fresh && beside) return Append(table_.comment, comment.text);
    if (!fresh || beside) {
      // Inside a definition, or after its comma.
      const std::size_t index = fresh ? column - 1 : column;
      if (index < table_.columns.size()) Append(table_.columns[index].comment, comment.text);
      return;
    }
    const bool apart = next != nullptr && next->line > LastLineOf(comment) + 1;
    if (column == 0 && apart) return Append(table_.comment, comment.text);
    if (column < table_.columns.size()) Append(table_.columns[column].comment, comment.text);
  }

  TableText& table_;
};

// An operand of a check that names a column, bare or in brackets.
std::optional<std::string> ColumnIn(Tokens tokens) {
  while (tokens.size() >= 3 && IsSymbol(tokens.front(), '(') &&
         ClosingOf(tokens, 0) == tokens.size() - 1)
    tokens = tokens.subspan(1, tokens.size() - 2);
  if (tokens.size() != 1) return std::nullopt;
  if (tokens[0].kind != TokenKind::Word && tokens[0].kind != TokenKind::QuotedName)
    return std::nullopt;
  return NameOf(tokens[0]);
}

// A literal: a string, a number, or a signed number.
std::optional<std::string> LiteralIn(Tokens tokens) {
  if (tokens.size() == 1 && tokens[0].kind == TokenKind::String) return NameOf(tokens[0]);
  if (tokens.size() == 1 && tokens[0].kind == TokenKind::Number) return std::string(tokens[0].text);
  if (tokens.size() == 2 && IsSymbol(tokens[0], '-') && tokens[1].kind == TokenKind::Number)
    return "-" + std::string(tokens[1].text);
  return std::nullopt;
}

Tokens WithoutBrackets(Tokens tokens) {
  while (tokens.size() >= 2 && IsSymbol(tokens.front(), '(') &&
         ClosingOf(tokens, 0) == tokens.size() - 1)
    tokens = tokens.subspan(1, tokens.size() - 2);
  return tokens;
}

// column IN (literal, ...)
std::optional<Labels> InList(Tokens tokens) {
  for (std::size_t i = 1; i + 2 < tokens.size(); ++i) {
    if (!IsKeyword(tokens[i], "IN") || !IsSymbol(tokens[i + 1], '(')) continue;
    const auto column = ColumnIn(tokens.subspan(0, i));
    if (!column || ClosingOf(tokens, i + 1) != tokens.size() - 1) return std::nullopt;
    Labels labels{*column, {}};
    for (const Tokens& item : SplitCommas(tokens.subspan(i + 2, tokens.size() - i - 3))) {
      if (item.size() == 1 && IsKeyword(item[0], "NULL")) continue;
      auto literal = LiteralIn(item);
      if (!literal || labels.values.size() >= kLabelsMax) return std::nullopt;
      labels.values.push_back(std::move(*literal));
    }
    if (labels.values.empty()) return std::nullopt;
    return labels;
  }
  return std::nullopt;
}

// column = literal, written with = or ==.
std::optional<Labels> Equality(Tokens tokens) {
  const std::size_t at = FindSymbol(tokens, '=');
  if (at == 0 || at >= tokens.size()) return std::nullopt;
  const std::size_t after =
      at + 1 < tokens.size() && IsSymbol(tokens[at + 1], '=') ? at + 2 : at + 1;
  if (tokens[at - 1].kind == TokenKind::Symbol && !IsSymbol(tokens[at - 1], ')'))
    return std::nullopt;  // <=, >=, !=
  const auto column = ColumnIn(tokens.subspan(0, at));
  const auto literal = LiteralIn(tokens.subspan(after));
  if (!column || !literal) return std::nullopt;
  return Labels{*column, {*literal}};
}

// column IS NULL
std::optional<std::string> NullTest(Tokens tokens) {
  if (tokens.size() < 3 || !IsKeyword(tokens[tokens.size() - 2], "IS") ||
      !IsKeyword(tokens.back(), "NULL"))
    return std::nullopt;
  return ColumnIn(tokens.subspan(0, tokens.size() - 2));
}

bool SameName(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    const auto lower = [](char c) {
      return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    };
    return lower(x) == lower(y);
  });
}

// Every alternative must be a list, an equality or a null test of one column.
std::optional<Labels> Alternatives(const std::vector<Tokens>& parts) {
  std::optional<Labels> labels;
  for (const Tokens& part : parts) {
    const Tokens inner = WithoutBrackets(part);
    std::optional<Labels> found = InList(inner);
    if (!found) found = Equality(inner);
    if (!found) {
      const auto null_of = NullTest(inner);
      if (!null_of) return std::nullopt;
      found = Labels{*null_of, {}};
    }
    if (!labels) {
      labels = std::move(found);
    } else {
      if (!SameName(labels->column, found->column)) return std::nullopt;
      labels->values.insert(labels->values.end(), found->values.begin(), found->values.end());
    }
  }
  if (!labels || labels->values.empty() || labels->values.size() > kLabelsMax) return std::nullopt;
  return labels;
}

std::optional<Labels> LabelsIn(Tokens tokens) {
  tokens = WithoutBrackets(tokens);
  const auto by_or = SplitTop(tokens, [](const Token& token) { return IsKeyword(token, "OR"); });
  if (by_or.size() > 1) return Alternatives(by_or);
  for (const Tokens& part :
       SplitTop(tokens, [](const Token& token) { return IsKeyword(token, "AND"); })) {
    const Tokens inner = WithoutBrackets(part);
    const auto nested = SplitTop(inner, [](const Token& token) { return IsKeyword(token, "OR"); });
    if (auto labels = Alternatives(nested)) return labels;
  }
  return std::nullopt;
}

}  // namespace

TableText ReadCreateTable(std::string_view sql) {
  TableText table;
  const std::vector<Token> tokens = Tokenize(sql);
  const std::size_t open = FindSymbol(tokens, '(');
  const bool is_select =
      std::any_of(tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(open),
                  [](const Token& token) { return IsKeyword(token, "AS"); });
  if (open == tokens.size() || is_select) return table;
  for (std::size_t i = 0; i < open; ++i)
    if (tokens[i].kind == TokenKind::Comment) Append(table.comment, tokens[i].text);
  const std::size_t close = ClosingOf(tokens, open);
  const Tokens body = Tokens(tokens).subspan(open + 1, close - open - 1);
  for (const Tokens& part : SplitCommas(body)) {
    const std::vector<Token> bare = WithoutComments(part);
    if (bare.empty()) continue;
    const bool is_column = !StartsTableConstraint(bare.front());
    if (is_column) table.columns.push_back({NameOf(bare.front()), "", std::nullopt});
    ConstraintReader(sql, bare, table).Read(is_column ? &table.columns.back() : nullptr);
  }
  CommentReader(table).Read(body, tokens[open]);
  return table;
}

std::string ReadViewComment(std::string_view sql) {
  std::string comment;
  for (const Token& token : Tokenize(sql)) {
    if (IsKeyword(token, "SELECT") || IsKeyword(token, "WITH") || IsKeyword(token, "VALUES")) break;
    if (token.kind == TokenKind::Comment) Append(comment, token.text);
  }
  return comment;
}

IndexText ReadCreateIndex(std::string_view sql) {
  IndexText index;
  const std::vector<Token> tokens = WithoutComments(Tokenize(sql));
  const std::size_t open = FindSymbol(tokens, '(');
  const std::size_t close = ClosingOf(tokens, open);
  if (close >= tokens.size()) return index;
  for (Tokens item : SplitCommas(Tokens(tokens).subspan(open + 1, close - open - 1))) {
    if (!item.empty() && (IsKeyword(item.back(), "ASC") || IsKeyword(item.back(), "DESC")))
      item = item.first(item.size() - 1);
    if (item.size() > 2 && IsKeyword(item[item.size() - 2], "COLLATE"))
      item = item.first(item.size() - 2);
    index.items.push_back(TextOf(sql, item));
  }
  if (close + 1 < tokens.size() && IsKeyword(tokens[close + 1], "WHERE"))
    index.predicate = TextOf(sql, Tokens(tokens).subspan(close + 2));
  return index;
}

std::optional<Labels> ReadLabels(std::string_view expression) {
  const std::vector<Token> tokens = WithoutComments(Tokenize(expression));
  return LabelsIn(tokens);
}

}  // namespace schemaward::connect::sqlite_engine
