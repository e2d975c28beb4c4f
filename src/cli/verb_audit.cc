// schemaward audit verify | list.

#include <fmt/format.h>

#include "audit/list.h"
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

int RunAuditList(const CommandLine& line, app::Application& app) {
  const auto calls = audit::List(app.config().audit_path(), {});
  if (!calls) return PrintError(calls.error());
  if (line.json) {
    for (const audit::Call& call : *calls) PrintLine(json::Write(call));
    return kDone;
  }
  std::vector<std::vector<std::string>> rows = {
      {"RECORD", "AT", "WHO", "TOOL", "STATUS", "REASON", "ARGUMENTS"}};
  for (const audit::Call& call : *calls)
    rows.push_back({fmt::format("{}", call.sequence), call.occurred_at, call.principal, call.tool,
                    call.status.value_or("no end"), call.reason.value_or(""), call.args.text});
  PrintTable(rows);
  return kDone;
}

}  // namespace schemaward::cli
