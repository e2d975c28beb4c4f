#pragma once

// gMock matchers for Result: IsOk(), IsOkAnd(m), IsError(kind), IsError(kind, m). There is no "any
// error": name the one you expect. For tests only.

#include <gmock/gmock.h>

#include "base/result.h"

namespace schemaward {

MATCHER(IsOk, "is ok") {
  if (!arg) *result_listener << arg.error().ToLogText();
  return static_cast<bool>(arg);
}

MATCHER_P(IsOkAnd, inner, "is ok and its value matches") {
  if (!arg) {
    *result_listener << arg.error().ToLogText();
    return false;
  }
  return ::testing::ExplainMatchResult(inner, *arg, result_listener);
}

MATCHER_P(IsError, kind, "is the error " + std::string(RowOf(kind).reason)) {
  if (arg) return false;
  *result_listener << arg.error().ToLogText();
  return arg.error().kind() == kind;
}

MATCHER_P2(IsError, kind, message,
           "is the error " + std::string(RowOf(kind).reason) + " with a message") {
  if (arg) return false;
  *result_listener << arg.error().ToLogText();
  return arg.error().kind() == kind &&
         ::testing::ExplainMatchResult(message, arg.error().message(), result_listener);
}

}  // namespace schemaward
