// schemaward audit verify | list | tail | export | loops.

#include <chrono>
#include <cstdio>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "audit/list.h"
#include "audit/loops.h"
#include "audit/verify.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "json/write.h"

namespace schemaward::cli {

int RunAuditVerify(const CommandLine& line, app::Application& app) {
  const auto report = audit::Verify(app.config().audit_path(), {.full = line.full});
  if (!report) return PrintError(report.error());
  if (line.json) {
    PrintLine(json::Write(*report));
    return report->ExitCode();
  }
  PrintLine(fmt::format("{} records, head {}", report->records, report->head_hash));
  for (const audit::Mismatch& mismatch : report->mismatches)
    PrintLine(fmt::format("record {}: {} ({})", mismatch.sequence, mismatch.what, mismatch.fault));
  if (report->open_begin_count > 0)
    PrintLine(fmt::format("{} calls began and have no end", report->open_begin_count));
  PrintLine(report->IsIntact()
                ? "intact"
                : fmt::format("not intact: {} places are wrong", report->mismatch_count));
  return report->ExitCode();
}

namespace {

constexpr std::int64_t kTailPauseMs = 500;
constexpr std::int64_t kLoopTimes = 3;

audit::Filter FilterOf(const CommandLine& line) {
  audit::Filter filter;
  filter.tool = line.audit_tool;
  filter.status = line.audit_status;
  filter.principal = line.audit_principal;
  filter.reason = line.audit_reason;
  if (line.audit_limit > 0) filter.limit = static_cast<std::size_t>(line.audit_limit);
  return filter;
}

std::vector<std::string> RowOf(const audit::Call& call) {
  return {fmt::format("{}", call.sequence), call.occurred_at,         call.principal, call.tool,
          call.status.value_or("no end"),   call.reason.value_or(""), call.args.text};
}

}  // namespace

int RunAuditList(const CommandLine& line, app::Application& app) {
  const auto calls = audit::List(app.config().audit_path(), FilterOf(line));
  if (!calls) return PrintError(calls.error());
  if (line.json) {
    for (const audit::Call& call : *calls) PrintLine(json::Write(call));
    return kDone;
  }
  std::vector<std::vector<std::string>> rows = {
      {"RECORD", "AT", "WHO", "TOOL", "STATUS", "REASON", "ARGUMENTS"}};
  for (const audit::Call& call : *calls) rows.push_back(RowOf(call));
  PrintTable(rows);
  return kDone;
}

// Goes on until it is interrupted. A call is printed once it has ended, and the newest one even
// before.
int RunAuditTail(const CommandLine& line, app::Application& app) {
  audit::Filter filter = FilterOf(line);
  if (line.audit_limit == 0) filter.limit = 10;
  while (true) {
    const auto calls = audit::List(app.config().audit_path(), filter);
    if (!calls) return PrintError(calls.error());
    for (const audit::Call& call : *calls) {
      if (!call.status) break;  // printed when it has ended
      PrintLine(line.json ? json::Write(call) : fmt::format("{}", fmt::join(RowOf(call), "  ")));
      filter.after_sequence = call.sequence;
    }
    filter.limit = audit::Filter::kLimitMax;
    std::fflush(stdout);
    std::this_thread::sleep_for(std::chrono::milliseconds(kTailPauseMs));
  }
}

int RunAuditExport(const CommandLine& /*line*/, app::Application& app) {
  const Status done = audit::Export(app.config().audit_path(), [](std::string_view record) {
    PrintLine(record);
    return Ok();
  });
  return done ? kDone : PrintError(done.error());
}

int RunAuditLoops(const CommandLine& line, app::Application& app) {
  const auto loops = audit::FindLoops(app.config().audit_path(), kLoopTimes);
  if (!loops) return PrintError(loops.error());
  std::vector<std::vector<std::string>> rows = {
      {"TIMES", "WHO", "TOOL", "REASON", "LAST", "SUGGESTED", "ARGUMENTS"}};
  for (const audit::Loop& loop : *loops) {
    if (line.json)
      PrintLine(json::Write(loop));
    else
      rows.push_back({fmt::format("{}", loop.times), loop.principal, loop.tool, loop.reason,
                      loop.last_at, loop.recovery_tool, loop.args.text});
  }
  if (!line.json) PrintTable(rows);
  return loops->empty() ? kDone : kNo;
}

}  // namespace schemaward::cli
