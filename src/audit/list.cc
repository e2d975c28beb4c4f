#include "audit/list.h"

#include <algorithm>
#include <deque>
#include <unordered_map>
#include <utility>

#include "audit/series.h"
#include "base/clock.h"

namespace schemaward::audit {
namespace {

std::string TextOf(const Reader& reader, std::string_view column) {
  return std::string(reader.Text(column).value_or(""));
}

std::optional<std::string> OptionalText(const Reader& reader, std::string_view column) {
  const auto text = reader.Text(column);
  return text ? std::optional<std::string>(*text) : std::nullopt;
}

Call CallOf(const Reader& reader) {
  Call call;
  call.sequence = reader.Sequence();
  call.occurred_at = ToIsoUtc(reader.Int("occurred_at").value_or(0));
  call.principal = TextOf(reader, "principal");
  call.client = TextOf(reader, "client");
  call.transport = TextOf(reader, "transport");
  call.tool = TextOf(reader, "tool");
  call.source = TextOf(reader, "source");
  call.args.text = TextOf(reader, "args");
  return call;
}

void EndCall(const Reader& reader, Call& call) {
  call.status = OptionalText(reader, "status");
  call.error_kind = OptionalText(reader, "error_kind");
  call.reason = OptionalText(reader, "reason");
  call.recovery_tool = OptionalText(reader, "recovery_tool");
  call.rows = reader.Int("rows");
  call.duration_us = reader.Int("duration_us");
  if (const auto source = reader.Text("source")) call.source = *source;
}

bool Fits(std::string_view wanted, std::string_view value) {
  return wanted.empty() || wanted == value;
}

bool MayPass(const Reader& begin, const Filter& filter) {
  return Fits(filter.tool, begin.Text("tool").value_or("")) &&
         Fits(filter.principal, begin.Text("principal").value_or("")) &&
         begin.Int("occurred_at").value_or(0) >= filter.since_micros.value_or(INT64_MIN) &&
         begin.Sequence() > filter.after_sequence.value_or(INT64_MIN);
}

// The begins that may pass, in order, and where each stands; ends fill them in.
class Collector {
 public:
  explicit Collector(const Filter& filter) : filter_(filter) {}

  void Take(const Reader& reader) {
    const std::string_view kind = reader.Text("kind").value_or("");
    if (kind == "begin" && MayPass(reader, filter_)) {
      places_[reader.Sequence()] = first_ + calls_.size();
      calls_.push_back(CallOf(reader));
    }
    if (kind == "end") End(reader);
    Trim();
  }

  std::vector<Call> Finish(std::size_t limit) {
    std::vector<Call> passed;
    for (Call& call : calls_)
      if (Passes(call)) passed.push_back(std::move(call));
    if (passed.size() > limit)
      passed.erase(passed.begin(), passed.end() - static_cast<std::ptrdiff_t>(limit));
    return passed;
  }

 private:
  bool Passes(const Call& call) const {
    return Fits(filter_.status, call.status.value_or("")) &&
           Fits(filter_.reason, call.reason.value_or(""));
  }

  void End(const Reader& reader) {
    const auto place = places_.find(reader.Int("begin_sequence").value_or(0));
    if (place == places_.end()) return;
    if (place->second >= first_) EndCall(reader, calls_[place->second - first_]);
    places_.erase(place);
  }

  // Keeps memory bounded: old calls that have ended and do not pass go first, then the oldest.
  void Trim() {
    while (!calls_.empty() &&
           ((calls_.front().status && !Passes(calls_.front())) || calls_.size() > kKeptMax)) {
      calls_.pop_front();
      ++first_;
    }
  }

  static constexpr std::size_t kKeptMax = 2 * Filter::kLimitMax;
  const Filter& filter_;
  std::deque<Call> calls_;
  std::size_t first_ = 0;  // place of calls_.front()
  std::unordered_map<std::int64_t, std::size_t> places_;
};

}  // namespace

Result<std::vector<Call>> List(const std::string& path, const Filter& filter) {
  Collector collector(filter);
  WARD_CHECK(ForEachRecord(path, [&](const Reader& record) {
    collector.Take(record);
    return Ok();
  }));
  return collector.Finish(std::min(filter.limit, Filter::kLimitMax));
}

Status Export(const std::string& path, const std::function<Status(std::string_view)>& sink) {
  return ForEachRecord(path, [&](const Reader& record) { return sink(record.ToJson()); });
}

}  // namespace schemaward::audit
