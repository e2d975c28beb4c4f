#pragma once

// Result<T>: a value or an Error; Status: nothing or an Error. Every failure is part of a
// signature.

#include <string>
#include <utility>

#include <tl/expected.hpp>

#include "base/error.h"

namespace schemaward {

/// A value or the reason why there is none.
template <class T>
class [[nodiscard]] Result : public tl::expected<T, Error> {
 public:
  using tl::expected<T, Error>::expected;
  Result(Error error)  // NOLINT(google-explicit-constructor): `return Error(...)` is the idiom
      : tl::expected<T, Error>(tl::unexpect, std::move(error)) {}
};

/// Success, or the reason why not.
using Status = Result<void>;

/// Success.
inline Status Ok() { return {}; }

}  // namespace schemaward

#define WARD_CONCAT_INNER(a, b) a##b
#define WARD_CONCAT(a, b) WARD_CONCAT_INNER(a, b)

/// WARD_TRY(auto x, f()): x is f()'s value, or the function returns f()'s error.
#define WARD_TRY(decl, expr) WARD_TRY_INNER(WARD_CONCAT(ward_try_, __COUNTER__), decl, expr)
#define WARD_TRY_INNER(tmp, decl, expr)    \
  auto tmp = (expr);                       \
  if (!tmp) return std::move(tmp).error(); \
  decl = *std::move(tmp)

/// WARD_TRY_IN(auto x, f(), "reading orders"): the same, and says where.
#define WARD_TRY_IN(decl, expr, where) \
  WARD_TRY_IN_INNER(WARD_CONCAT(ward_try_, __COUNTER__), decl, expr, where)
#define WARD_TRY_IN_INNER(tmp, decl, expr, where)               \
  auto tmp = (expr);                                            \
  if (!tmp) return std::move(std::move(tmp).error().In(where)); \
  decl = *std::move(tmp)

/// WARD_CHECK(f()): the function returns f()'s error, if any. For Status.
#define WARD_CHECK(expr) WARD_CHECK_INNER(WARD_CONCAT(ward_try_, __COUNTER__), expr)
#define WARD_CHECK_INNER(tmp, expr) \
  if (auto tmp = (expr); !tmp) return std::move(tmp).error()
