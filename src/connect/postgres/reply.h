#pragma once

// What the server answered to one statement, all of it as text.

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

struct pg_result;

namespace schemaward::connect::postgres {

struct FreeResult {
  void operator()(pg_result* result) const;
};
using ResultPtr = std::unique_ptr<pg_result, FreeResult>;

/// Rows of text. Views live as long as the Reply. Thread: owner.
class Reply {
 public:
  Reply() = default;
  explicit Reply(ResultPtr result) : result_(std::move(result)) {}

  std::size_t RowCount() const;
  std::size_t ColumnCount() const;
  bool IsNull(std::size_t row, std::size_t column) const;
  std::string_view Text(std::size_t row, std::size_t column) const;
  std::string String(std::size_t row, std::size_t column) const {
    return std::string(Text(row, column));
  }
  bool Bool(std::size_t row, std::size_t column) const { return Text(row, column) == "t"; }
  std::string_view Name(std::size_t column) const;
  unsigned TypeOid(std::size_t column) const;
  int TypeModifier(std::size_t column) const;

 private:
  ResultPtr result_;
};

}  // namespace schemaward::connect::postgres
