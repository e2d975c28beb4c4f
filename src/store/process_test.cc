// Several processes on one store, and processes that die in the middle.
#include <chrono>
#include <csignal>
#include <random>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/result_matchers.h"
#include "sqlite/sqlite.h"
#include "store/search_access.h"
#include "store/testing.h"

namespace schemaward::store {
namespace {

constexpr int kTables = 40;

/// Every table of a generation has so many columns as the generation says, and a search term of it.
Status WriteGeneration(Store& store, std::int64_t source_id, std::int64_t generation) {
  std::vector<std::string> columns;
  for (std::int64_t i = 0; i < generation; ++i) columns.push_back(fmt::format("c{}", i));
  WARD_TRY(auto writer, IndexWriter::Begin(store, source_id));
  WARD_TRY(const auto before, writer->Existing());
  for (int i = 0; i < kTables; ++i) {
    const auto table = MakeTable("m", fmt::format("t{}", 100 + i), columns);
    std::int64_t id = 0;
    if (before.empty()) {
      WARD_TRY(id, writer->Add(table, HashOf(table)));
    } else {
      id = before[static_cast<std::size_t>(i)].id;
      WARD_CHECK(writer->Replace(id, table, HashOf(table)));
    }
    SearchDocument document;
    document.source_id = source_id;
    document.name = table.name;
    document.terms = {{fmt::format("g{}", generation), 100, kInName, 0}};
    WARD_CHECK(writer->PutSearch(id, document));
  }
  WARD_TRY(const auto committed, writer->Commit({.fingerprint = std::to_string(generation)}));
  if (committed != generation) return Error(ErrorKind::Internal, "another generation");
  return Ok();
}

/// The generation that every part of the store agrees on, or -1.
std::int64_t AgreedGeneration(Store& store) {
  const auto source = store.FindSource("shop");
  if (!source || !*source) return -1;
  const std::int64_t generation = (*source)->generation;
  if ((*source)->fingerprint != (generation == 0 ? "" : std::to_string(generation))) return -1;
  std::int64_t tables = 0;
  const auto visited = store.VisitTables({}, [&](const TableEntry& entry) {
    const auto table = store.GetTable(entry.id);
    const bool fits =
        table && *table && static_cast<std::int64_t>((*table)->columns.size()) == generation;
    tables += fits ? 1 : 0;
    return fits;
  });
  if (!visited || tables != (generation == 0 ? 0 : kTables)) return -1;
  std::int64_t found = -1;
  const auto searched = WithSearch(store, [&](SearchReader& reader) -> Status {
    WARD_TRY(auto term, reader.FindTerm(fmt::format("g{}", generation)));
    found = term ? term->table_count : 0;
    return Ok();
  });
  return searched && found == tables ? generation : -1;
}

std::int64_t Integrity(const std::string& path) {
  auto database = sqlite::Database::Open(path, {});
  auto check = database->Prepare("PRAGMA integrity_check");
  if (!check || !check->Step() || check->Text(0) != "ok") return 0;
  return 1;
}

class ProcessTest : public ::testing::Test {
 protected:
  ProcessTest() : path(folder.File("store.db")) {
    const auto store = *Store::Open(path, {.create = true});
    source_id = PutSource(*store, {.name = "shop", .engine = "sqlite", .location = "/x"})->id;
  }

  /// Runs `work` in a process of its own, which ends with its answer. The store is not open here.
  template <class Work>
  pid_t Fork(Work work) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(work());
    return child;
  }
  int Wait(pid_t child) {
    int status = 0;
    ::waitpid(child, &status, 0);
    return status;
  }

  TempFolder folder;
  std::string path;
  std::int64_t source_id = 0;
};

TEST_F(ProcessTest, WritersTakeTurns) {
  std::vector<pid_t> children;
  for (int c = 0; c < 3; ++c)
    children.push_back(Fork([&] {
      const auto store = *Store::Open(path, {.busy_timeout_ms = 60'000});
      for (int i = 0; i < 5; ++i) {
        auto writer = IndexWriter::Begin(*store, source_id);
        if (!writer || !(*writer)->Commit({})) return 1;
      }
      return 0;
    }));
  for (const pid_t child : children) EXPECT_EQ(Wait(child), 0);
  const auto store = *Store::Open(path, {});
  EXPECT_EQ((*store->FindSource("shop"))->generation, 15);
}

TEST_F(ProcessTest, ReadersDoNotWaitForAWriter) {
  const auto store = *Store::Open(path, {.busy_timeout_ms = 0});
  ASSERT_THAT(WriteGeneration(*store, source_id, 1), IsOk());
  auto writer = IndexWriter::Begin(*store, source_id);
  ASSERT_THAT(writer, IsOk());
  const auto existing = (*writer)->Existing();
  ASSERT_THAT(existing, IsOk());
  for (const IndexedTable& table : *existing) ASSERT_THAT((*writer)->Remove(table.id), IsOk());
  EXPECT_EQ(AgreedGeneration(*store), 1);
  EXPECT_EQ(AgreedGeneration(**Store::Open(path, {.busy_timeout_ms = 0})), 1);
}

TEST_F(ProcessTest, AWriterThatWaitsTooLongIsTold) {
  const auto store = *Store::Open(path, {});
  const auto writer = IndexWriter::Begin(*store, source_id);
  const auto other = *Store::Open(path, {.busy_timeout_ms = 20});
  EXPECT_THAT(IndexWriter::Begin(*other, source_id), IsError(ErrorKind::StoreLocked));
  EXPECT_THAT(RemoveSource(*other, "shop"), IsError(ErrorKind::StoreLocked));
}

TEST_F(ProcessTest, AReaderSeesANewIndexAtItsNextCall) {
  const auto store = *Store::Open(path, {});
  EXPECT_EQ(AgreedGeneration(*store), 0);
  EXPECT_EQ(Wait(Fork([&] {
              const auto other = *Store::Open(path, {});
              return WriteGeneration(*other, source_id, 1) ? 0 : 1;
            })),
            0);
  EXPECT_EQ(AgreedGeneration(*store), 1);
}

TEST_F(ProcessTest, ManyCreateOneStore) {
  const std::string fresh = folder.File("fresh/store.db");
  std::vector<pid_t> children;
  for (int c = 0; c < 4; ++c)
    children.push_back(Fork([&, c] {
      const auto store = *Store::Open(fresh, {.create = true, .busy_timeout_ms = 60'000});
      const auto put =
          PutSource(*store, {.name = "s", .engine = "sqlite", .location = fmt::format("/{}", c)});
      return put ? 0 : 1;
    }));
  for (const pid_t child : children) EXPECT_EQ(Wait(child), 0);
  EXPECT_THAT((*Store::Open(fresh, {}))->ListSources(), IsOkAnd(::testing::SizeIs(4)));
}

TEST_F(ProcessTest, KillNineAtAnyMomentLeavesTheOldIndexOrTheNew) {
  constexpr int kRounds = 15;
  const auto before = std::chrono::steady_clock::now();
  ASSERT_EQ(Wait(Fork([&] {
              const auto store = *Store::Open(path, {});
              return WriteGeneration(*store, source_id, 1) ? 0 : 1;
            })),
            0);
  const std::chrono::microseconds one = std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::steady_clock::now() - before);
  std::mt19937 random(20'260'101);  // NOLINT(bugprone-random-generator-seed): the same every time
  std::uniform_int_distribution<useconds_t> moment(0, static_cast<useconds_t>(4 * one.count()));
  std::int64_t last = 1;
  int killed_in_work = 0;
  for (int round = 0; round < kRounds; ++round) {
    const pid_t child = Fork([&] {
      const auto store = *Store::Open(path, {});
      for (std::int64_t next = last + 1; next <= last + 100; ++next)
        if (!WriteGeneration(*store, source_id, next)) return 1;
      return 0;
    });
    ::usleep(moment(random));
    ::kill(child, SIGKILL);
    killed_in_work += WIFSIGNALED(Wait(child)) ? 1 : 0;
    ASSERT_EQ(Integrity(path), 1) << round;
    const auto store = *Store::Open(path, {});
    const std::int64_t now = AgreedGeneration(*store);
    ASSERT_GE(now, last) << "round " << round;
    last = now;
  }
  EXPECT_EQ(killed_in_work, kRounds);
  EXPECT_GT(last, 1);  // some had the time to commit
}

}  // namespace
}  // namespace schemaward::store
