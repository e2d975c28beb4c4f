// What clients are told of a server's parts, and that it holds no name.
#include "app/notices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace schemaward::app {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

SourceHealth Source(std::string name, std::int64_t indexed_at_us, std::string reason = {}) {
  SourceHealth source;
  source.name = std::move(name);
  source.indexed_at_us = indexed_at_us;
  source.reason = std::move(reason);
  return source;
}

Health Of(std::vector<SourceHealth> sources, audit::Mode mode = audit::Mode::Required) {
  Health health;
  health.sources = std::move(sources);
  health.audit.mode = mode;
  return health;
}

std::vector<std::string_view> EventsBetween(const Health& before, const Health& now) {
  std::vector<std::string_view> events;
  for (const Notice& notice : NoticesBetween(before, now)) events.push_back(notice.event);
  return events;
}

struct Case {
  std::string name;
  Health before, now;
  std::vector<std::string_view> expected;
};

class Notices : public ::testing::TestWithParam<Case> {};

TEST_P(Notices, SayWhatIsOtherThanBefore) {
  EXPECT_EQ(EventsBetween(GetParam().before, GetParam().now), GetParam().expected);
}

Health StoreAway() {
  Health health;
  health.is_store_readable = false;
  return health;
}

Health AuditAway(audit::Mode mode) {
  Health health = Of({}, mode);
  health.audit.is_writing = false;
  return health;
}

INSTANTIATE_TEST_SUITE_P(
    All, Notices,
    ::testing::Values(
        Case{"nothing", Of({Source("a", 1, "gone")}), Of({Source("a", 1, "gone")}), {}},
        Case{"refreshed", Of({Source("a", 1)}), Of({Source("a", 2)}), {"index_refreshed"}},
        Case{"first", Of({Source("a", 0)}), Of({Source("a", 1)}), {"index_refreshed"}},
        Case{"added", Of({}), Of({Source("a", 0)}), {}},
        Case{"away", Of({Source("a", 1)}), Of({Source("a", 1, "away")}), {"source_away"}},
        Case{"one_more_away",
             Of({Source("a", 1, "away"), Source("b", 1)}),
             Of({Source("a", 1, "away"), Source("b", 1, "away")}),
             {"source_away"}},
        Case{"back",
             Of({Source("a", 1, "away")}),
             Of({Source("a", 2)}),
             {"source_back", "index_refreshed"}},
        Case{"removed", Of({Source("a", 1)}), Of({}), {"source_removed"}},
        Case{"many_at_once",
             Of({Source("a", 1), Source("b", 1)}),
             Of({Source("a", 2), Source("b", 2)}),
             {"index_refreshed"}},
        Case{"store_away", Of({Source("a", 1)}), StoreAway(), {"store_unreadable"}},
        Case{"store_back", StoreAway(), Of({}), {"store_readable"}},
        Case{"audit_away", Of({}), AuditAway(audit::Mode::Required), {"audit_unavailable"}},
        Case{"audit_back", AuditAway(audit::Mode::Required), Of({}), {"audit_available"}},
        Case{"audit_off", Of({}, audit::Mode::Off), AuditAway(audit::Mode::Off), {}}),
    [](const auto& one) { return one.param.name; });

TEST(Notices, OfAnAuditLogSayWhetherCallsAreRefused) {
  const auto refuses = NoticesBetween(Of({}), AuditAway(audit::Mode::Required));
  const auto gaps =
      NoticesBetween(Of({}, audit::Mode::BestEffort), AuditAway(audit::Mode::BestEffort));
  ASSERT_EQ(refuses.size(), 1U);
  ASSERT_EQ(gaps.size(), 1U);
  EXPECT_EQ(refuses.front().level, log::Level::Error);
  EXPECT_EQ(gaps.front().level, log::Level::Warn);
}

TEST(Notices, HoldNoName) {
  const auto told = NoticesBetween(Of({Source("payroll", 1), Source("x", 1, "payroll")}),
                                   Of({Source("payroll", 2, "payroll"), Source("x", 1)}));
  EXPECT_EQ(told.size(), 3U);
  for (const Notice& notice : told)
    EXPECT_EQ(notice.text.find("payroll"), std::string_view::npos) << notice.event;
}

TEST(NoticeTeller, TellsFromItsFirstLookOn) {
  std::vector<std::string_view> told;
  NoticeTeller teller([&](const Notice& notice) { told.push_back(notice.event); });
  teller.Begin(Of({Source("a", 1)}));
  EXPECT_THAT(told, IsEmpty());
  teller.Look(Of({Source("a", 2)}));
  teller.Look(Of({Source("a", 2)}));
  EXPECT_THAT(told, ElementsAre("index_refreshed"));
  teller.Begin(Of({Source("a", 3)}));
  teller.Look(Of({Source("a", 3)}));
  EXPECT_THAT(told, ElementsAre("index_refreshed")) << "what is known begins anew";
}

TEST(NoticeTeller, AStoreThatIsBackHasTheSourcesThatItHad) {
  std::vector<std::string_view> told;
  NoticeTeller teller([&](const Notice& notice) { told.push_back(notice.event); });
  teller.Begin(Of({Source("a", 1)}));
  teller.Look(StoreAway());
  teller.Look(Of({Source("a", 1)}));
  EXPECT_THAT(told, ElementsAre("store_unreadable", "store_readable"));
}

}  // namespace
}  // namespace schemaward::app
