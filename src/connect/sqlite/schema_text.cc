#include "connect/sqlite/schema_text.h"

#include <algorithm>
#include <utility>

#include "connect/sqlite/token_walk.h"

namespace schemaward::connect::sqlite_engine {
namespace {

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

std::string ReadViewQuery(std::string_view sql) {
  for (const Token& token : WithoutComments(Tokenize(sql)))
    if (IsKeyword(token, "AS")) return std::string(sql.substr(token.begin + token.text.size()));
  return {};
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

}  // namespace schemaward::connect::sqlite_engine
