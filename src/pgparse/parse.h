#pragma once

// libpg_query: statements to trees and expressions back to text. Trees are the library's protobuf-c
// structs; nothing here or above keeps one past its Parsed.

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): the library's own names
struct PgQuery__Node;
struct PgQuery__ParseResult;
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

namespace schemaward::pgparse {

using Node = PgQuery__Node;

/// Bounds on what is given to the parser, which dies of deep recursion instead of failing: with a
/// stack of kStackBytes, `1+1+...`, `SELECT UNION SELECT UNION ...` and nested parentheses up to
/// them pass through parse and deparse.
inline constexpr std::size_t kParseTokensMax = 40'000;
inline constexpr int kParseDepthMax = 500;
inline constexpr std::size_t kStackBytes = 64u << 20;

/// Runs `work` on a thread of its own with kStackBytes of stack, and waits for it.
/// Errors: Internal where no such thread can be had.
Status RunOnDeepStack(const std::function<void()>& work);

/// Errors: ByteCap where the bounds above are passed.
Status CheckBounds(std::size_t tokens, int depth);

/// Blocks of memory that are given out piece by piece and taken back together.
class Arena {
 public:
  void* Allocate(std::size_t bytes);
  /// Forgets all pieces; keeps one block for reuse.
  void Reset();

 private:
  std::vector<std::unique_ptr<char[]>> blocks_;
  std::size_t used_ = 0;  ///< of the last block
  std::size_t size_ = 0;  ///< of the last block
};

/// Parses one statement at a time. Thread: one, made by RunOnDeepStack.
class Parser {
 public:
  /// Returns the tree of the single statement in `sql`. Lifetime: until the next call.
  /// Errors: SqlSyntax with the parser's words; ByteCap when the bounds are passed.
  Result<const Node*> Parse(const std::string& sql, std::size_t tokens, int depth);

 private:
  Arena arena_;
};

/// Returns where the grammar stops: the character from 1, 0 where it takes every statement of
/// `sql`. Thread: one, made by RunOnDeepStack. Errors: ByteCap when the bounds are passed.
Result<int> RefusedAt(const std::string& sql, std::size_t tokens, int depth);

/// Returns the text of an expression, or an empty text where it cannot be printed.
std::string ExpressionText(const Node* expression);

/// Returns the text of a query, or an empty text where it cannot be printed.
std::string QueryText(const Node* query);

/// Returns the string a String node holds; empty for any other node.
std::string_view StringOf(const Node* node);

/// Returns the strings of a list of String nodes.
std::vector<std::string> StringsOf(const Node* const* nodes, std::size_t count);

/// Returns the strings of a node that is a List of String nodes, a TypeName or one String.
std::vector<std::string> NamesOf(const Node* node);

/// Returns `text` or an empty view for null.
std::string_view View(const char* text);

}  // namespace schemaward::pgparse
