#pragma once

// What the tests of audit/ share: a folder that goes away, a filled log, and SQL on the file behind
// the log's back. For tests only.

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "audit/list.h"
#include "audit/log.h"
#include "audit/record.h"
#include "audit/verify.h"
#include "base/result_matchers.h"
#include "base/temp_folder.h"
#include "sqlite/sqlite.h"

namespace schemaward::audit {

/// A folder in memory where there is some: these tests write many small files.
class TempFolder : public schemaward::TempFolder {
 public:
  TempFolder() : schemaward::TempFolder(Parent()) {}
  std::string File(const std::string& name = "audit.db") const {
    return schemaward::TempFolder::File(name);
  }

 private:
  static std::filesystem::path Parent() {
    std::error_code ignored;
    return std::filesystem::is_directory("/dev/shm", ignored)
               ? "/dev/shm"
               : std::filesystem::temp_directory_path();
  }
};

inline Options OptionsFor(const std::string& path, const Clock& clock, Mode mode = Mode::Required) {
  Options options;
  options.path = path;
  options.mode = mode;
  options.clock = &clock;
  options.start = {"1.0.0", std::string(64, 'c'), std::string(64, 'd'), std::string(64, 'e'),
                   "dev"};
  return options;
}

inline std::unique_ptr<Log> OpenLog(const std::string& path, const Clock& clock,
                                    Mode mode = Mode::Required) {
  return *Log::Create(OptionsFor(path, clock, mode));
}

inline BeginRecord SomeBegin(int i) {
  BeginRecord begin;
  begin.request_id = "r" + std::to_string(i);
  begin.principal = "ana";
  begin.client = "probe 1.2";
  begin.transport = "stdio";
  begin.source = "shop";
  begin.tool = "describe_table";
  begin.args_json = R"({"qualified_name":"main.orders","limit":)" + std::to_string(i) + "}";
  begin.profile = "dev";
  return begin;
}

inline EndRecord SomeEnd(const RecordId& begin) {
  EndRecord end;
  end.begin = begin;
  end.status = "success";
  end.error_kind = "none";
  end.reason = "none";
  end.recovery_tool = "describe_table";
  end.recovery_args_json = "{}";
  end.source = "shop";
  end.metric = "revenue";
  end.statement = "SELECT 1";
  end.tables = {"main.orders", "main.customers"};
  end.pii_categories = {"contact"};
  end.rows = 3;
  end.bytes = 120;
  end.duration_us = 450;
  end.detail = "fine";
  return end;
}

/// Appends `calls` whole calls and commits them.
inline void Fill(Log& log, int calls, int first = 0) {
  for (int i = first; i < first + calls; ++i) {
    const auto id = log.Begin(SomeBegin(i), Durability::Soon);
    ASSERT_THAT(id, IsOk());
    ASSERT_THAT(log.End(SomeEnd(*id)), IsOk());
    if (i % 500 == 499) {
      ASSERT_THAT(log.Flush(), IsOk());
    }
  }
  ASSERT_THAT(log.Flush(), IsOk());
}

/// Makes a closed file with a start record and `calls` calls: 1 + 2 * calls records.
inline void MakeLog(const std::string& path, int calls) {
  FakeClock clock;
  Fill(*OpenLog(path, clock), calls);
}

/// Runs SQL on the file as somebody would who wants to hide something.
inline void Tamper(const std::string& path, const std::string& sql) {
  auto database = sqlite::Database::Open(path, {});
  ASSERT_THAT(database, IsOk());
  ASSERT_THAT(
      database->Execute("DROP TRIGGER record_is_not_updated; DROP TRIGGER record_is_not_deleted;"),
      IsOk());
  ASSERT_THAT(database->Execute(sql), IsOk());
  ASSERT_THAT(database->Execute("CREATE TRIGGER record_is_not_updated BEFORE UPDATE ON record "
                                "BEGIN SELECT RAISE(ABORT, 'x'); END;"
                                "CREATE TRIGGER record_is_not_deleted BEFORE DELETE ON record "
                                "BEGIN SELECT RAISE(ABORT, 'x'); END;"),
              IsOk());
}

/// Hashes the chain anew after SQL changed it, as somebody would who knows how. What was signed
/// stays as it was.
inline void Rechain(const std::string& path) {
  auto database = sqlite::Database::Open(path, {});
  ASSERT_THAT(database, IsOk());
  ASSERT_THAT(database->Execute("DROP TRIGGER record_is_not_updated"), IsOk());
  std::vector<std::pair<std::int64_t, std::string>> hashes;
  std::string previous(BytesOf(kGenesis));
  Canonicaliser canonical;
  auto rows = database->Prepare("SELECT * FROM record ORDER BY sequence");
  while (*rows->Step()) {
    RecordFields fields;
    std::int64_t sequence = 0;
    for (int i = 0; i < rows->ColumnCount(); ++i)
      for (std::size_t place = 0; place + 1 < Columns().size(); ++place) {
        const ColumnSpec& column = Columns()[place];
        if (column.name != rows->ColumnName(i) || rows->IsNull(i)) continue;
        if (column.name == "sequence") sequence = rows->Int(i);
        if (column.type == kIntegerColumn)
          fields.Set(Column(place), rows->Int(i));
        else
          fields.Set(Column(place), rows->Text(i));
      }
    previous = std::string(BytesOf(HashOf(fields, previous, canonical)));
    hashes.emplace_back(sequence, previous);
  }
  auto update = database->Prepare("UPDATE record SET hash = ? WHERE sequence = ?");
  for (const auto& [sequence, hash] : hashes)
    ASSERT_THAT(update->BindBlob(1, hash).Bind(2, sequence).Run(), IsOk());
  auto head = database->Prepare("UPDATE chain SET head_sequence = ?, head_hash = ?");
  ASSERT_THAT(head->Bind(1, hashes.back().first).BindBlob(2, previous).Run(), IsOk());
  ASSERT_THAT(database->Execute("CREATE TRIGGER record_is_not_updated BEFORE UPDATE ON record "
                                "BEGIN SELECT RAISE(ABORT, 'x'); END;"),
              IsOk());
}

/// Starts `body` in a process of its own.
inline pid_t StartChild(const std::function<void()>& body) {
  const pid_t child = ::fork();
  if (child == 0) {
    body();
    ::_exit(::testing::Test::HasFailure() ? 1 : 0);
  }
  return child;
}

/// Returns the wait status of a child; 0 where every expectation held.
inline int StatusOf(pid_t child) {
  int status = -1;
  ::waitpid(child, &status, 0);
  return status;
}

/// Runs `body` in a process of its own, so that limits and users stay there. Returns its status.
inline int InChild(const std::function<void()>& body) { return StatusOf(StartChild(body)); }

/// Runs `body` in two processes at a time.
inline void InTwoChildren(const std::function<void()>& body) {
  const pid_t first = StartChild(body);
  EXPECT_EQ(InChild(body), 0);
  EXPECT_EQ(StatusOf(first), 0);
}

inline constexpr std::chrono::seconds kGiveUp{20};

inline bool Eventually(const std::function<bool()>& holds) {
  const auto until = std::chrono::steady_clock::now() + kGiveUp;
  while (!holds()) {
    if (std::chrono::steady_clock::now() > until) return false;
    std::this_thread::yield();
  }
  return true;
}

inline VerifyReport Check(const std::string& path, bool full = false) {
  auto report = Verify(path, {.full = full});
  EXPECT_THAT(report, IsOk());
  return report ? *std::move(report) : VerifyReport{};
}

/// The export as one text; what could not be exported ends it with "!".
inline std::string Exported(const std::string& path) {
  std::string text;
  const Status status = Export(path, [&](std::string_view line) {
    text.append(line).append("\n");
    return Ok();
  });
  return status ? text : text + "!";
}

}  // namespace schemaward::audit
