#pragma once

// What is said between a server and the process that does its refresher's work: one line of JSON
// there, lines of JSON back.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/call_context.h"
#include "base/result.h"
#include "index/refresher.h"

namespace schemaward::app {

/// Longest line either way, its end included.
inline constexpr std::size_t kRefreshLineMax = 1U << 20U;

/// What is to be done.
struct RefreshOrder {
  index::Job job = index::Job::Check;
  std::string source;       ///< its name in the store
  std::string secret;       ///< kept for this run; empty: found by the source's reference
  std::string policy_hash;  ///< of the policy that the server goes by
  std::int64_t time_max_ms = 0;
  std::map<std::string, std::string> settings;  ///< the configuration in force
};

/// What is told of it: how far it is, or how it ended.
struct RefreshReport {
  std::optional<Progress> progress{};
  std::optional<Result<bool>> outcome{};  ///< as of index::DoJob
  bool declined = false;                  ///< nothing was done: the server is to do it itself
};

/// Each returns one line with its end.
std::string ToLine(const RefreshOrder& order);
std::string ToLine(const RefreshReport& report);

/// Errors: InvalidArgument where the line is not one that ToLine gives.
Result<RefreshOrder> ReadRefreshOrder(std::string_view line);
Result<RefreshReport> ReadRefreshReport(std::string_view line);

}  // namespace schemaward::app
