#pragma once

// How a server's parts stand: what /readyz says, and the part of /metrics that is of no call.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "audit/log.h"
#include "connect/pool.h"
#include "llm/price.h"
#include "store/store.h"
#include "tools/services.h"

namespace schemaward::app {

enum class IndexHealth : std::uint8_t { Ready, Building, Failed, NeverIndexed };

/// How one served source stands.
struct SourceHealth {
  std::string name;
  IndexHealth index = IndexHealth::NeverIndexed;
  std::int64_t done = 0, total = 0;        ///< tables of the index that is being built
  std::int64_t indexed_at_us = 0;          ///< microseconds since 1970; 0: never
  std::string reason;                      ///< of the last look or index that failed, else empty
  std::optional<connect::PoolState> pool;  ///< none: no call needed the database yet
};

struct AuditHealth {
  audit::Mode mode = audit::Mode::Required;
  bool is_writing = true;  ///< its last attempt succeeded, or there was none yet
};

struct Health {
  bool is_store_readable = true;
  AuditHealth audit{};
  std::vector<SourceHealth> sources{};        ///< served ones, in the store's order
  std::optional<llm::NanoUsd> embed_spent{};  ///< none: no limit of money is set
};

/// Sources that /readyz and /metrics name; more are counted alone.
inline constexpr std::size_t kHealthNamesMax = 200;

/// Returns how the index of `source` stands.
IndexHealth IndexHealthOf(const store::Source& source, const tools::BuildState& build);

/// Returns what keeps calls from being answered, of store, audit and index: a store that cannot be
/// read, a log that cannot record while calls must be recorded, and no index although there are
/// sources. A source that is away while others are there keeps nothing from anyone.
std::vector<std::string_view> NotReady(const Health& health);

/// Returns the body of /readyz. `with_names`: the sources are named too.
std::string ReadyText(const Health& health, bool with_names);

/// Returns lines of /metrics. `embed_max_usd`: the setting embed.max_cost.
std::string MetricsText(const Health& health, const std::string& embed_max_usd);

}  // namespace schemaward::app
