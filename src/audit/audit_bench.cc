// What a record costs a call, and how fast a chain is verified.
//   cmake --preset release && ninja -C build/release audit_bench && build/release/bin/audit_bench

#include <memory>
#include <string>

#include <benchmark/benchmark.h>

#include "audit/keys.h"
#include "audit/log.h"
#include "audit/verify.h"
#include "base/temp_folder.h"

namespace schemaward::audit {
namespace {

constexpr int kRecords = 100'000;

/// Beside the bench, so that the disk that is measured is a real one.
class Folder : public TempFolder {
 public:
  Folder() : TempFolder(".") {}
  std::string File() const { return TempFolder::File("audit.db"); }
};

std::unique_ptr<Log> Open(const std::string& path, const Clock& clock) {
  Options options;
  options.path = path;
  options.clock = &clock;
  return std::move(*Log::Create(std::move(options)));
}

BeginRecord SomeBegin() {
  BeginRecord begin;
  begin.request_id = "17";
  begin.principal = "ana";
  begin.client = "probe 1.2";
  begin.transport = "stdio";
  begin.source = "shop";
  begin.tool = "describe_table";
  begin.args_json = R"({"qualified_name":"main.orders","response_format":"concise"})";
  return begin;
}

EndRecord SomeEnd(const RecordId& id) {
  EndRecord end;
  end.begin = id;
  end.status = "success";
  end.tables = {"main.orders"};
  end.bytes = 2400;
  end.duration_us = 350;
  return end;
}

// One whole call; the begin is waited for or not.
void OneCall(benchmark::State& state, Durability durability) {
  const Folder folder;
  const SystemClock clock;
  const auto log = Open(folder.File(), clock);
  while (state.KeepRunning()) {
    const auto id = log->Begin(SomeBegin(), durability);
    if (!id || !log->End(SomeEnd(*id))) state.SkipWithError("not recorded");
  }
}

void CallThatTouchesASource(benchmark::State& state) { OneCall(state, Durability::Now); }

// Makes a log of kRecords and verifies it, with signatures where there is a key.
void VerifyLog(benchmark::State& state, const Folder& folder, Options options,
               const VerifyOptions& how) {
  const SystemClock clock;
  options.path = folder.File();
  options.clock = &clock;
  {
    const auto log = std::move(*Log::Create(std::move(options)));
    for (int i = 1; i < kRecords; i += 2) {
      const auto id = log->Begin(SomeBegin(), Durability::Soon);
      if (!id || !log->End(SomeEnd(*id))) state.SkipWithError("not recorded");
      if (i % 1001 == 0 && !log->Flush()) state.SkipWithError("not recorded");
    }
  }
  while (state.KeepRunning()) {
    const auto report = Verify(folder.File(), how);
    if (!report || !report->IsIntact() || report->records < kRecords)
      state.SkipWithError("not intact");
  }
}

void VerifyChain(benchmark::State& state) { VerifyLog(state, Folder(), {}, {}); }

// A checkpoint every 1,000 records, files of 8 MiB.
void VerifySignedSeries(benchmark::State& state) {
  const Folder keys;
  const std::string key = keys.File() + ".key";
  if (!GenerateKey(key)) state.SkipWithError("no key");
  Options options;
  options.signing.key_path = key;
  options.signing.checkpoints_path = key + ".checkpoints";
  options.rotation.size_bytes = 8 << 20;
  VerifyLog(state, Folder(), std::move(options), {false, key + ".pub", key + ".checkpoints"});
}

BENCHMARK(CallThatTouchesASource)->UseRealTime()->Unit(benchmark::kMicrosecond);
BENCHMARK(VerifyChain)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(VerifySignedSeries)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace schemaward::audit

BENCHMARK_MAIN();
