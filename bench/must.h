#pragma once

// What a benchmark does where a step fails: it says why and ends with code 2.

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/result.h"

namespace schemaward {

[[noreturn]] inline void Fail(const std::string& why) {
  fmt::print(stderr, "{}: {}\n", program_invocation_short_name, why);
  std::exit(2);  // NOLINT(concurrency-mt-unsafe): nothing else runs
}

template <class T>
T Must(Result<T> result) {
  if (!result) Fail(result.error().ToLogText());
  return *std::move(result);
}

inline void Must(const Status& status) {
  if (!status) Fail(status.error().ToLogText());
}

}  // namespace schemaward
