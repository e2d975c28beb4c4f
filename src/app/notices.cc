#include "app/notices.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>

namespace schemaward::app {
namespace {

using log::Level;

constexpr Notice kStoreAway{Level::Error, "store_unreadable",
                            "The store cannot be read; calls fail until it can."};
constexpr Notice kStoreBack{Level::Info, "store_readable", "The store can be read again."};
constexpr Notice kAuditRefuses{
    Level::Error, "audit_unavailable",
    "The audit log cannot be written; calls that must be recorded are refused until it can."};
constexpr Notice kAuditGaps{
    Level::Warn, "audit_unavailable",
    "The audit log cannot be written; calls are answered and their records are lost."};
constexpr Notice kAuditBack{Level::Info, "audit_available", "The audit log is written again."};
constexpr Notice kSourceAway{
    Level::Warn, "source_away",
    "The last look at a source, or its index, failed; list_indexed_schemas says which."};
constexpr Notice kSourceBack{Level::Info, "source_back", "A source that was away answers again."};
constexpr Notice kIndexNew{Level::Info, "index_refreshed",
                           "The index of a source is new; list_indexed_schemas says which."};
constexpr Notice kSourceGone{Level::Info, "source_removed", "A source is served no more."};

using ByName = std::map<std::string_view, const SourceHealth*>;

ByName SourcesOf(const Health& health) {
  ByName sources;
  for (const SourceHealth& source : health.sources) sources.emplace(source.name, &source);
  return sources;
}

// Notes what is true of any source.
struct Seen {
  bool away = false, back = false, is_new = false, gone = false;
};

Seen Compare(const ByName& before, const ByName& now) {
  Seen seen;
  for (const auto& [name, source] : now) {
    const auto known = before.find(name);
    const bool was_away = known != before.end() && !known->second->reason.empty();
    const std::int64_t indexed_us = known == before.end() ? 0 : known->second->indexed_at_us;
    seen.away |= !was_away && !source->reason.empty();
    seen.back |= was_away && source->reason.empty();
    seen.is_new |= source->indexed_at_us != indexed_us;
  }
  seen.gone = std::any_of(before.begin(), before.end(),
                          [&](const auto& known) { return !now.contains(known.first); });
  return seen;
}

}  // namespace

std::vector<Notice> NoticesBetween(const Health& before, const Health& now) {
  std::vector<Notice> notices;
  const bool has_log = now.audit.mode != audit::Mode::Off;
  if (before.is_store_readable && !now.is_store_readable) notices.push_back(kStoreAway);
  if (has_log && before.audit.is_writing && !now.audit.is_writing)
    notices.push_back(now.audit.mode == audit::Mode::Required ? kAuditRefuses : kAuditGaps);
  // What cannot be read says nothing of its sources.
  const Seen seen = now.is_store_readable ? Compare(SourcesOf(before), SourcesOf(now)) : Seen{};
  if (seen.away) notices.push_back(kSourceAway);
  if (!before.is_store_readable && now.is_store_readable) notices.push_back(kStoreBack);
  if (has_log && !before.audit.is_writing && now.audit.is_writing) notices.push_back(kAuditBack);
  if (seen.back) notices.push_back(kSourceBack);
  if (seen.is_new) notices.push_back(kIndexNew);
  if (seen.gone) notices.push_back(kSourceGone);
  return notices;
}

void NoticeTeller::Begin(Health now) {
  known_.reset();
  Look(std::move(now));
}

void NoticeTeller::Look(Health now) {
  if (!known_ && !now.is_store_readable) return;
  if (known_) {
    for (const Notice& notice : NoticesBetween(*known_, now)) tell_(notice);
    // The sources of a store that cannot be read are those of before, for when it is back.
    if (!now.is_store_readable) now.sources = std::move(known_->sources);
  }
  known_ = std::move(now);
}

}  // namespace schemaward::app
