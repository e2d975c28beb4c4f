#pragma once

// The part of DuckDB's C API that is used, declared by hand: the package that brings the library
// has no header. Functions that the API calls stable only; the two that are not may be absent.
// Layouts of values in vectors are part of the API.
// Source: https://duckdb.org/docs/stable/clients/c/api and .../c/vector.

#include <cstdint>

namespace schemaward::connect::duckdb {

using Database = struct DatabaseTag*;
using Connection = struct ConnectionTag*;
using Config = struct ConfigTag*;
using Prepared = struct PreparedTag*;
using Pending = struct PendingTag*;
using Chunk = struct ChunkTag*;
using Vector = struct VectorTag*;
using LogicalType = struct LogicalTypeTag*;

/// duckdb_result. Only the library reads it; functions take it by value or by address.
struct RawResult {
  std::uint64_t unused[3];
  void* unused_columns;
  char* unused_error;
  void* internal;
};

/// duckdb_state.
enum class State : int { Success = 0, Failure = 1 };

/// duckdb_statement_type, as far as it is asked for.
enum class StatementType : int { Select = 1, Explain = 4 };

/// duckdb_type.
enum class TypeId : int {
  Invalid = 0,
  Boolean = 1,
  TinyInt = 2,
  SmallInt = 3,
  Integer = 4,
  BigInt = 5,
  UTinyInt = 6,
  USmallInt = 7,
  UInteger = 8,
  UBigInt = 9,
  Float = 10,
  Double = 11,
  Timestamp = 12,
  Date = 13,
  Time = 14,
  Interval = 15,
  HugeInt = 16,
  Varchar = 17,
  Blob = 18,
  Decimal = 19,
  TimestampS = 20,
  TimestampMs = 21,
  TimestampNs = 22,
  Enum = 23,
  List = 24,
  Struct = 25,
  Map = 26,
  Uuid = 27,
  Union = 28,
  Bit = 29,
  TimeTz = 30,
  TimestampTz = 31,
  UHugeInt = 32,
  Array = 33,
  BigNum = 35,
  SqlNull = 36
};

/// duckdb_string_t: up to kInlineMax bytes stand in the value itself, from `head` on.
struct RawString {
  static constexpr std::uint32_t kInlineMax = 12;
  std::uint32_t length;
  char head[4];
  const char* start;
};
static_assert(sizeof(RawString) == 16);

/// duckdb_hugeint; of an unsigned one `upper` is taken as unsigned.
struct RawHuge {
  std::uint64_t lower;
  std::int64_t upper;
};
static_assert(sizeof(RawHuge) == 16);

// X(result, name without "duckdb_", arguments)
#define WARD_DUCKDB_API(X)                                                             \
  X(const char*, library_version, (void))                                              \
  X(void, free, (void*))                                                               \
  X(State, create_config, (Config*))                                                   \
  X(State, set_config, (Config, const char* name, const char* value))                  \
  X(void, destroy_config, (Config*))                                                   \
  X(State, open_ext, (const char* path, Database*, Config, char** error))              \
  X(void, close, (Database*))                                                          \
  X(State, connect, (Database, Connection*))                                           \
  X(void, disconnect, (Connection*))                                                   \
  X(void, interrupt, (Connection))                                                     \
  X(State, query, (Connection, const char* sql, RawResult*))                           \
  X(void, destroy_result, (RawResult*))                                                \
  X(const char*, result_error, (RawResult*))                                           \
  X(State, prepare, (Connection, const char* sql, Prepared*))                          \
  X(const char*, prepare_error, (Prepared))                                            \
  X(void, destroy_prepare, (Prepared*))                                                \
  X(StatementType, prepared_statement_type, (Prepared))                                \
  X(std::uint64_t, prepared_statement_column_count, (Prepared))                        \
  X(const char*, prepared_statement_column_name, (Prepared, std::uint64_t))            \
  X(LogicalType, prepared_statement_column_logical_type, (Prepared, std::uint64_t))    \
  X(State, bind_null, (Prepared, std::uint64_t))                                       \
  X(State, bind_boolean, (Prepared, std::uint64_t, bool))                              \
  X(State, bind_int64, (Prepared, std::uint64_t, std::int64_t))                        \
  X(State, bind_double, (Prepared, std::uint64_t, double))                             \
  X(State, bind_varchar_length, (Prepared, std::uint64_t, const char*, std::uint64_t)) \
  X(State, pending_prepared, (Prepared, Pending*))                                     \
  X(const char*, pending_error, (Pending))                                             \
  X(State, execute_pending, (Pending, RawResult*))                                     \
  X(void, destroy_pending, (Pending*))                                                 \
  X(std::uint64_t, column_count, (RawResult*))                                         \
  X(const char*, column_name, (RawResult*, std::uint64_t))                             \
  X(LogicalType, column_logical_type, (RawResult*, std::uint64_t))                     \
  X(Chunk, fetch_chunk, (RawResult))                                                   \
  X(std::uint64_t, data_chunk_get_size, (Chunk))                                       \
  X(Vector, data_chunk_get_vector, (Chunk, std::uint64_t))                             \
  X(void, destroy_data_chunk, (Chunk*))                                                \
  X(void*, vector_get_data, (Vector))                                                  \
  X(std::uint64_t*, vector_get_validity, (Vector))                                     \
  X(TypeId, get_type_id, (LogicalType))                                                \
  X(char*, logical_type_get_alias, (LogicalType))                                      \
  X(std::uint8_t, decimal_width, (LogicalType))                                        \
  X(std::uint8_t, decimal_scale, (LogicalType))                                        \
  X(TypeId, decimal_internal_type, (LogicalType))                                      \
  X(LogicalType, list_type_child_type, (LogicalType))                                  \
  X(LogicalType, array_type_child_type, (LogicalType))                                 \
  X(std::uint64_t, array_type_array_size, (LogicalType))                               \
  X(LogicalType, map_type_key_type, (LogicalType))                                     \
  X(LogicalType, map_type_value_type, (LogicalType))                                   \
  X(std::uint64_t, struct_type_child_count, (LogicalType))                             \
  X(char*, struct_type_child_name, (LogicalType, std::uint64_t))                       \
  X(LogicalType, struct_type_child_type, (LogicalType, std::uint64_t))                 \
  X(void, destroy_logical_type, (LogicalType*))

/// The functions, found in the library. `pending_prepared_streaming` may be null: DuckDB means to
/// take it away, and then rows are kept in the engine's (bounded) memory instead.
struct Api {
#define WARD_DUCKDB_MEMBER(result, name, arguments) result(*name) arguments = nullptr;
  WARD_DUCKDB_API(WARD_DUCKDB_MEMBER)
#undef WARD_DUCKDB_MEMBER
  State (*pending_prepared_streaming)(Prepared, Pending*) = nullptr;
};

/// Owns a handle and gives it back to the library. Lifetime: `api` outlives it.
template <class T>
class Owned {
 public:
  Owned() = default;
  Owned(T handle, void (*destroy)(T*)) : handle_(handle), destroy_(destroy) {}
  Owned(Owned&& other) noexcept : handle_(other.handle_), destroy_(other.destroy_) {
    other.handle_ = nullptr;
  }
  Owned& operator=(Owned&& other) noexcept {
    if (this != &other) {
      Reset();
      handle_ = other.handle_;
      destroy_ = other.destroy_;
      other.handle_ = nullptr;
    }
    return *this;
  }
  ~Owned() { Reset(); }
  T get() const { return handle_; }
  explicit operator bool() const { return handle_ != nullptr; }

 private:
  void Reset() {
    if (handle_ != nullptr) destroy_(&handle_);
    handle_ = nullptr;
  }
  T handle_ = nullptr;
  void (*destroy_)(T*) = nullptr;
};

}  // namespace schemaward::connect::duckdb
