#include "audit/loops.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include <fmt/format.h>

#include "audit/series.h"
#include "base/clock.h"

namespace schemaward::audit {
namespace {

// Caller, tool, hash of the arguments and reason.
using Key = std::tuple<std::string, std::string, std::string, std::string>;

std::string TextOf(const Reader& reader, std::string_view column) {
  return std::string(reader.Text(column).value_or(""));
}

/// A begin that waits for its end.
struct Open {
  Loop call;
  std::string args_hash;
};

Open OpenOf(const Reader& reader) {
  Open open;
  open.call.principal = TextOf(reader, "principal");
  open.call.client = TextOf(reader, "client");
  open.call.tool = TextOf(reader, "tool");
  open.call.args.text = TextOf(reader, "args");
  open.call.first_at = ToIsoUtc(reader.Int("occurred_at").value_or(0));
  open.args_hash = TextOf(reader, "args_hash");
  return open;
}

/// Pairs begins with their ends and counts what failed.
class Counter {
 public:
  Status Take(const Reader& record) {
    const std::string_view kind = record.Text("kind").value_or("");
    if (kind == "begin") open_[record.Sequence()] = OpenOf(record);
    if (kind != "end") return Ok();
    const auto begun = open_.find(record.Int("begin_sequence").value_or(0));
    if (begun == open_.end()) return Ok();
    Open call = std::move(begun->second);
    open_.erase(begun);
    const std::string reason = TextOf(record, "reason");
    return reason.empty() ? Ok() : Count(std::move(call), reason, record);
  }

  std::map<Key, Loop>& failed() { return failed_; }

 private:
  Status Count(Open call, const std::string& reason, const Reader& end) {
    if (failed_.size() >= kLoopCallsMax)
      return Error(ErrorKind::ByteCap,
                   fmt::format("more than {} different calls failed", kLoopCallsMax));
    Loop& loop = failed_[{call.call.principal, call.call.tool, call.args_hash, reason}];
    const std::string at = call.call.first_at;
    if (loop.times == 0) {
      loop = std::move(call.call);
      loop.reason = reason;
      loop.recovery_tool = TextOf(end, "recovery_tool");
    }
    ++loop.times;
    loop.last_at = at;
    return Ok();
  }

  std::unordered_map<std::int64_t, Open> open_;
  std::map<Key, Loop> failed_;
};

}  // namespace

Result<std::vector<Loop>> FindLoops(const std::string& path, std::int64_t times_min) {
  Counter counter;
  WARD_CHECK(ForEachRecord(path, [&](const Reader& record) { return counter.Take(record); }));
  std::vector<Loop> loops;
  for (auto& [key, loop] : counter.failed())
    if (loop.times >= times_min) loops.push_back(std::move(loop));
  std::stable_sort(loops.begin(), loops.end(),
                   [](const Loop& a, const Loop& b) { return a.times > b.times; });
  if (loops.size() > kLoopsMax) loops.resize(kLoopsMax);
  return loops;
}

}  // namespace schemaward::audit
