#include "sql/query/script.h"

#include <algorithm>
#include <utility>

#include "sql/query/parser.h"

namespace schemaward::sql::query {
namespace {

bool IsWord(const Token& token, std::string_view upper) {
  return token.kind == TokenKind::Word && token.upper == upper;
}

bool IsSemicolon(const Token& token) {
  return token.kind == TokenKind::Symbol && token.value == ";" && !token.is_inner;
}

// True where the statement that begins at `from` may hold others between BEGIN and END.
bool HoldsBody(const std::vector<Token>& tokens, std::size_t from) {
  constexpr std::size_t kWordsAhead = 16;
  if (!IsWord(tokens[from], "CREATE")) return false;
  const std::size_t last = std::min(from + kWordsAhead, tokens.size() - 1);
  for (std::size_t i = from + 1; i < last; ++i) {
    for (const std::string_view word : {"TRIGGER", "FUNCTION", "PROCEDURE", "EVENT"})
      if (IsWord(tokens[i], word)) return true;
    for (const std::string_view word : {"TABLE", "VIEW", "INDEX", "TYPE", "SCHEMA"})
      if (IsWord(tokens[i], word)) return false;
  }
  return false;
}

// CREATE [OR REPLACE] RULE ... DO (a; b): statements in brackets.
bool IsRule(const std::vector<Token>& tokens, std::size_t at) {
  if (IsWord(tokens[at], "OR") && at + 2 < tokens.size()) at += 2;
  return IsWord(tokens[at], "RULE");
}

// The index of the semicolon, or of End, that ends the statement at `from`.
std::size_t EndOf(const std::vector<Token>& tokens, std::size_t from) {
  const bool holds_body = HoldsBody(tokens, from);
  const bool is_rule = IsWord(tokens[from], "CREATE") && IsRule(tokens, from + 1);
  std::size_t depth = 0;
  bool has_inner = false;  // DELIMITER says where it ends
  for (std::size_t i = from; i + 1 < tokens.size(); ++i) {
    const Token& token = tokens[i];
    has_inner = has_inner || token.is_inner;
    if (IsSemicolon(token) && (depth == 0 || has_inner)) return i;
    if (is_rule && token.kind == TokenKind::Symbol) {
      if (token.value == "(") ++depth;
      if (token.value == ")" && depth > 0) --depth;
    }
    if (!holds_body) continue;
    if (IsWord(token, "BEGIN") || IsWord(token, "CASE")) {
      ++depth;
    } else if (IsWord(token, "END") && depth > 0) {
      const Token& next = tokens[i + 1];
      const bool ends_inner = IsWord(next, "IF") || IsWord(next, "LOOP") || IsWord(next, "WHILE") ||
                              IsWord(next, "REPEAT") || IsWord(next, "FOR");
      if (!ends_inner) --depth;
      if (IsWord(next, "CASE")) ++i;
    }
  }
  return tokens.size() - 1;
}

void AddFailure(Script& script, Scanned& scanned) {
  ScriptStatement broken;
  broken.failure = std::move(scanned.failure);
  broken.begin = broken.failed_begin = scanned.failed_at;
  broken.end = broken.head_end = broken.failed_end = scanned.failed_at + 1;
  script.statements.push_back(std::move(broken));
}

}  // namespace

std::string ColumnType::ToText() const {
  std::string text = name;
  for (std::size_t i = 0; i < arguments.size(); ++i) text += (i == 0 ? "(" : ", ") + arguments[i];
  if (!arguments.empty()) text += ')';
  if (is_array) text += "[]";
  return text;
}

Script ReadScript(std::string_view text, const Dialect& dialect) {
  Script script;
  Scanned scanned = ScanScript(text, dialect);
  std::vector<Token>& tokens = scanned.tokens;
  for (std::size_t from = 0; from + 1 < tokens.size();) {
    const std::size_t to = EndOf(tokens, from);
    const bool is_cut = to + 1 == tokens.size() && scanned.failure.has_value();
    if (to > from && !is_cut) {
      if (script.statements.size() < kStatementsMax) {
        const std::size_t end = tokens[to - 1].end;
        std::vector<Token> own(
            std::make_move_iterator(tokens.begin() + static_cast<std::ptrdiff_t>(from)),
            std::make_move_iterator(tokens.begin() + static_cast<std::ptrdiff_t>(to)));
        own.push_back({TokenKind::End, "", "", false, end, end});
        script.statements.push_back(
            Parser(std::move(own), dialect, kReadDepthMax, Mode::Script).OneOfScript());
      } else {
        ++script.left_out;
      }
    }
    from = to + 1;
  }
  if (scanned.failure) AddFailure(script, scanned);
  return script;
}

}  // namespace schemaward::sql::query
