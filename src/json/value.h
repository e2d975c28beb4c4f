#pragma once

// json::Value: a parsed JSON document. The library's full header is included only in .cc files that
// take a value apart.

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "base/result.h"

namespace schemaward::json {

using Value = nlohmann::json;

/// Bounds on a text that is parsed.
struct ParseLimits {
  std::size_t bytes_max = 4u << 20;
  int depth_max = 64;
};

/// Owns a Value whose type need not be complete where it is held. Never null after Parse.
class Document {
 public:
  Document();
  explicit Document(Value value);
  Document(Document&&) noexcept;
  Document& operator=(Document&&) noexcept;
  ~Document();
  const Value& value() const { return *value_; }
  Value& value() { return *value_; }

 private:
  std::unique_ptr<Value> value_;
};

/// Parses one JSON text. Errors: ByteCap when too large, InvalidArgument when it is not JSON, too
/// deep, or not UTF-8; the message names the byte where reading stopped. Thread: any.
Result<Document> Parse(std::string_view text, const ParseLimits& limits = {});

/// Returns the canonical bytes of `value`: no blanks, members sorted by their bytes, duplicates
/// gone. What is hashed.
std::string Canonical(const Value& value);

/// Appends `text` as a JSON string literal; bytes that are not UTF-8 become U+FFFD.
void AppendQuoted(std::string& out, std::string_view text);

/// Returns `text` as a JSON string literal.
std::string Quote(std::string_view text);

}  // namespace schemaward::json
