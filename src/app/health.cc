#include "app/health.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "json/value.h"

namespace schemaward::app {
namespace {

constexpr std::array<std::string_view, 4> kIndexNames = {"ready", "building", "failed",
                                                         "never_indexed"};
constexpr double kMicrosASecond = 1e6;

std::string_view NameOf(IndexHealth index) { return kIndexNames[static_cast<std::size_t>(index)]; }

std::string Head(std::string_view name, std::string_view type, std::string_view help) {
  return fmt::format("# HELP schemaward_{0} {2}\n# TYPE schemaward_{0} {1}\n", name, type, help);
}

// A name as a label's value: a source may be called anything.
std::string Label(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
      continue;
    }
    if (c == '\\' || c == '"') out += '\\';
    out += c;
  }
  return out;
}

std::size_t Named(const Health& health) { return std::min(health.sources.size(), kHealthNamesMax); }

std::string Counts(const Health& health) {
  std::array<std::size_t, kIndexNames.size()> counts{};
  for (const SourceHealth& source : health.sources)
    ++counts[static_cast<std::size_t>(source.index)];
  std::string text;
  for (std::size_t i = 0; i < counts.size(); ++i)
    text += fmt::format("{}\"{}\":{}", i > 0 ? "," : "", kIndexNames[i], counts[i]);
  return "{" + text + "}";
}

std::string SourceText(const SourceHealth& source) {
  std::string text =
      fmt::format("{{\"name\":{},\"index\":\"{}\"", json::Quote(source.name), NameOf(source.index));
  if (source.index == IndexHealth::Building)
    text += fmt::format(",\"tables_done\":{},\"tables\":{}", source.done, source.total);
  if (!source.reason.empty()) text += fmt::format(",\"reason\":\"{}\"", source.reason);
  return text + "}";
}

std::string PoolLines(const Health& health) {
  std::string connections = Head("pool_connections", "gauge", "Connections to a source.");
  std::string most = Head("pool_connections_max", "gauge", "How many there may be.");
  std::string waiting = Head("pool_waiting", "gauge", "Calls that wait for one.");
  for (std::size_t i = 0; i < Named(health); ++i) {
    const SourceHealth& source = health.sources[i];
    if (!source.pool) continue;
    const std::string name = Label(source.name);
    connections += fmt::format(
        "schemaward_pool_connections{{source=\"{0}\",state=\"in_use\"}} {1}\n"
        "schemaward_pool_connections{{source=\"{0}\",state=\"idle\"}} {2}\n",
        name, source.pool->open - source.pool->idle, source.pool->idle);
    most += fmt::format("schemaward_pool_connections_max{{source=\"{}\"}} {}\n", name,
                        source.pool->connections_max);
    waiting +=
        fmt::format("schemaward_pool_waiting{{source=\"{}\"}} {}\n", name, source.pool->waiting);
  }
  return connections + most + waiting;
}

std::string IndexLines(const Health& health) {
  std::string ready = Head("index_ready", "gauge", "1 where a source has an index.");
  std::string failing =
      Head("index_failing", "gauge", "1 where the last look at a source, or its index, failed.");
  std::string at = Head("index_timestamp_seconds", "gauge", "When a source was indexed.");
  for (std::size_t i = 0; i < Named(health); ++i) {
    const SourceHealth& source = health.sources[i];
    const std::string name = Label(source.name);
    ready += fmt::format("schemaward_index_ready{{source=\"{}\"}} {:d}\n", name,
                         source.index == IndexHealth::Ready);
    failing += fmt::format("schemaward_index_failing{{source=\"{}\"}} {:d}\n", name,
                           !source.reason.empty());
    if (source.indexed_at_us > 0)
      at += fmt::format("schemaward_index_timestamp_seconds{{source=\"{}\"}} {:.6f}\n", name,
                        static_cast<double>(source.indexed_at_us) / kMicrosASecond);
  }
  return ready + failing + at;
}

std::string MoneyLines(const Health& health, const std::string& embed_max_usd) {
  if (!health.embed_spent) return {};
  return Head("embed_spent_usd_total", "counter", "US dollars that vectors have cost.") +
         fmt::format(
             "schemaward_embed_spent_usd_total {:.9f}\n",
             static_cast<double>(*health.embed_spent) / static_cast<double>(llm::kNanoPerUsd)) +
         Head("embed_budget_usd", "gauge", "What they may cost in this process.") +
         fmt::format("schemaward_embed_budget_usd {}\n", embed_max_usd);
}

}  // namespace

IndexHealth IndexHealthOf(const store::Source& source, const tools::BuildState& build) {
  if (source.generation > 0) return IndexHealth::Ready;
  if (build.building) return IndexHealth::Building;
  return build.last_error ? IndexHealth::Failed : IndexHealth::NeverIndexed;
}

std::vector<std::string_view> NotReady(const Health& health) {
  std::vector<std::string_view> parts;
  if (!health.is_store_readable) parts.emplace_back("store");
  if (health.audit.mode == audit::Mode::Required && !health.audit.is_writing)
    parts.emplace_back("audit");
  const bool any =
      std::any_of(health.sources.begin(), health.sources.end(),
                  [](const SourceHealth& source) { return source.index == IndexHealth::Ready; });
  if (!health.sources.empty() && !any) parts.emplace_back("index");
  return parts;
}

std::string ReadyText(const Health& health, bool with_names) {
  std::string names;
  const auto parts = NotReady(health);
  for (const std::string_view part : parts)
    names += fmt::format("{}\"{}\"", names.empty() ? "" : ",", part);
  std::string text = fmt::format(
      R"({{"ready":{},"not_ready":[{}],"store":"{}","audit":{{"mode":"{}","state":"{}"}},"index":{})",
      parts.empty(), names, health.is_store_readable ? "readable" : "unreadable",
      audit::NameOf(health.audit.mode), health.audit.is_writing ? "writing" : "failing",
      Counts(health));
  if (with_names) {
    text += ",\"sources\":[";
    for (std::size_t i = 0; i < Named(health); ++i)
      text += (i > 0 ? "," : "") + SourceText(health.sources[i]);
    text += fmt::format("],\"sources_left_out\":{}", health.sources.size() - Named(health));
  }
  return text + "}\n";
}

std::string MetricsText(const Health& health, const std::string& embed_max_usd) {
  return Head("store_readable", "gauge", "1 where the store can be read.") +
         fmt::format("schemaward_store_readable {:d}\n", health.is_store_readable) +
         Head("audit_failing", "gauge", "1 where the last record could not be written.") +
         fmt::format("schemaward_audit_failing{{mode=\"{}\"}} {:d}\n",
                     audit::NameOf(health.audit.mode), !health.audit.is_writing) +
         IndexLines(health) + PoolLines(health) + MoneyLines(health, embed_max_usd);
}

}  // namespace schemaward::app
