#include "tool/call_metrics.h"

#include <algorithm>

#include <fmt/format.h>

namespace schemaward::tool {
namespace {

constexpr double kMicrosASecond = 1e6;

std::string HeadOf(std::string_view name, std::string_view type, std::string_view help) {
  return fmt::format("# HELP schemaward_{0} {2}\n# TYPE schemaward_{0} {1}\n", name, type, help);
}

}  // namespace

void CallMetrics::Count(const CallEnd& end) {
  const auto* const bound = std::lower_bound(kBoundsUs.begin(), kBoundsUs.end(), end.duration_us);
  const MutexLock lock(mutex_);
  ++calls_[{std::string(end.tool), std::string(end.status)}];
  if (!end.kind.empty()) ++failures_[{std::string(end.kind), std::string(end.reason)}];
  Durations& durations = durations_[std::string(end.tool)];
  ++durations.counts[static_cast<std::size_t>(bound - kBoundsUs.begin())];
  durations.sum_us += end.duration_us;
}

std::string CallMetrics::Text() const {
  const MutexLock lock(mutex_);
  std::string text = HeadOf("calls_total", "counter", "Calls of tools that have ended.");
  for (const auto& [labels, count] : calls_)
    text += fmt::format("schemaward_calls_total{{tool=\"{}\",status=\"{}\"}} {}\n", labels.first,
                        labels.second, count);
  text += HeadOf("failures_total", "counter", "Calls that ended in an error or a refusal.");
  for (const auto& [labels, count] : failures_)
    text += fmt::format("schemaward_failures_total{{kind=\"{}\",reason=\"{}\"}} {}\n", labels.first,
                        labels.second, count);
  text += HeadOf("call_seconds", "histogram", "How long calls took.");
  for (const auto& [tool, durations] : durations_) {
    std::uint64_t so_far = 0;
    for (std::size_t i = 0; i < kBoundsUs.size(); ++i) {
      so_far += durations.counts[i];
      text += fmt::format("schemaward_call_seconds_bucket{{tool=\"{}\",le=\"{}\"}} {}\n", tool,
                          static_cast<double>(kBoundsUs[i]) / kMicrosASecond, so_far);
    }
    so_far += durations.counts.back();
    text +=
        fmt::format("schemaward_call_seconds_bucket{{tool=\"{}\",le=\"+Inf\"}} {}\n", tool, so_far);
    text += fmt::format(
        "schemaward_call_seconds_sum{{tool=\"{0}\"}} "
        "{1}\nschemaward_call_seconds_count{{tool=\"{0}\"}} {2}\n",
        tool, static_cast<double>(durations.sum_us) / kMicrosASecond, so_far);
  }
  return text;
}

}  // namespace schemaward::tool
