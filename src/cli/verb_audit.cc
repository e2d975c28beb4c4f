// schemaward audit verify | list | tail | export | loops | prove | keygen.

#include <chrono>
#include <cstdio>
#include <string>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "audit/keys.h"
#include "audit/list.h"
#include "audit/loops.h"
#include "audit/prove.h"
#include "audit/verify.h"
#include "base/one_line.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "json/write.h"

namespace schemaward::cli {

namespace {

int CheckProofOf(const CommandLine& line) {
  if (line.public_key.empty())
    return PrintError(Error(ErrorKind::InvalidArgument, "a proof is checked with --public-key")
                          .Hint("Name the file FILE.pub of `schemaward audit keygen FILE`."));
  const auto report = audit::CheckProofFile(line.proof, line.public_key);
  if (!report) return PrintError(report.error());
  if (line.json)
    PrintLine(json::Write(*report));
  else if (report->valid)
    PrintLine(fmt::format("record {} is in the log; the checkpoint of record {} says so\n{}",
                          report->sequence, report->covers_sequence, report->record.text));
  else
    PrintLine(fmt::format("not proven: {}", report->fault));
  return report->valid ? kDone : kNo;
}

void PrintReport(const audit::VerifyReport& report, const CommandLine& line) {
  PrintLine(fmt::format("{} records, head {}", report.records, report.head_hash));
  if (report.files > 1 || report.first_sequence > 1)
    PrintLine(fmt::format("{} files, from record {} to {}", report.files, report.first_sequence,
                          report.last_sequence));
  if (!line.public_key.empty())
    PrintLine(fmt::format("signed up to record {}", report.signed_through));
  if (report.broken_lines > 0)
    PrintLine(fmt::format("{} lines of the checkpoints are none", report.broken_lines));
  for (const audit::Mismatch& mismatch : report.mismatches)
    PrintLine(fmt::format("record {}: {} ({})", mismatch.sequence, mismatch.what, mismatch.fault));
  if (report.open_begin_count > 0)
    PrintLine(fmt::format("{} calls began and have no end", report.open_begin_count));
  PrintLine(report.IsIntact()
                ? "intact"
                : fmt::format("not intact: {} places are wrong", report.mismatch_count));
}

int RunAuditVerify(const CommandLine& line, app::Application& app) {
  if (!line.proof.empty()) return CheckProofOf(line);
  // The copy that the configuration names is held against the log without being asked for.
  const bool is_given = !line.checkpoints.empty() || line.public_key.empty();
  const std::string checkpoints =
      is_given ? line.checkpoints : app.config().Get("audit.checkpoints");
  const auto report =
      audit::Verify(app.config().audit_path(), {line.full, line.public_key, checkpoints});
  if (!report) return PrintError(report.error());
  if (line.json)
    PrintLine(json::Write(*report));
  else
    PrintReport(*report, line);
  return report->ExitCode();
}

int RunAuditProve(const CommandLine& line, app::Application& app) {
  const auto proof = audit::Prove(app.config().audit_path(), line.audit_record);
  if (!proof) return PrintError(proof.error());
  PrintLine(*proof);
  return kDone;
}

int RunAuditKeygen(const CommandLine& line, app::Application& app) {
  const std::string& path = line.arguments.front();
  if (audit::LiesBeside(path, app.config().audit_path()))
    return PrintError(
        Error(ErrorKind::InvalidArgument, "the key would lie in the audit log's own folder")
            .Hint(
                "Name a file elsewhere: who can write the log must not be able to read the key."));
  const auto key = audit::GenerateKey(path);
  if (!key) return PrintError(key.error());
  PrintLine(line.json ? json::Write(*key)
                      : fmt::format("private key: {}\npublic key: {}\nkey id: {}", path,
                                    key->public_path, key->key_id));
  return kDone;
}

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

std::string LineOf(const audit::Call& call) {
  std::string text = fmt::format("{}", fmt::join(RowOf(call), "  "));
  const std::size_t size = text.size();
  return OneLine(std::move(text), size);
}

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
      PrintLine(line.json ? json::Write(call) : LineOf(call));
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

void AddAuditVerify(Syntax& audit, CommandLine& line) {
  Syntax verb = audit.Verb("verify", "Check that no record of the audit log was changed or removed",
                           "  schemaward audit verify --full --json", RunAuditVerify);
  verb.Flag("--full", line.full, "Go on after the first record that is wrong");
  verb.Text("--public-key", "FILE", line.public_key,
            "Check signatures of checkpoints against these keys");
  verb.Text("--checkpoints", "FILE", line.checkpoints,
            "Hold the log against these checkpoints, kept elsewhere; with --public-key the file "
            "of audit.checkpoints unless told");
  verb.Text("--proof", "FILE", line.proof,
            "Check a proof of one record instead, without the log; needs --public-key");
}

void Filters(Syntax verb, CommandLine& line) {
  verb.Text("--tool", "TOOL", line.audit_tool, "Only calls of this tool");
  verb.Text("--status", "STATUS", line.audit_status,
            "Only calls that ended so: refused, error, success...");
  verb.Text("--principal", "ID", line.audit_principal, "Only calls of this caller");
  verb.Text("--reason", "REASON", line.audit_reason, "Only calls that failed for this reason");
  verb.Number("--limit", "N", {1, 10'000}, line.audit_limit, "Most calls; 100 by default");
}

}  // namespace

void AddAudit(Syntax& program, CommandLine& line) {
  Syntax audit =
      program.Group("audit", "Look after the audit log", "  schemaward audit verify --full");
  AddAuditVerify(audit, line);
  Filters(audit.Verb("list", "Print the latest calls",
                     "  schemaward audit list --tool execute_query --status refused --limit 20",
                     RunAuditList),
          line);
  Filters(audit.Verb("tail", "Print calls as they end, until interrupted",
                     "  schemaward audit tail --json", RunAuditTail),
          line);
  audit.Verb("export", "Print every record as one line of JSON, in order",
             "  schemaward audit export > records.jsonl", RunAuditExport);
  audit.Verb(
      "loops",
      "Print failing calls that a caller makes again and again; exit code 1 where there are any",
      "  schemaward audit loops --json", RunAuditLoops);
  audit
      .Verb("prove", "Print the proof that a record is in the log, as JSON",
            "  schemaward audit prove 1234 > proof.json", RunAuditProve)
      .NumberWord("SEQ", line.audit_record, "Sequence of the record");
  audit
      .Verb("keygen",
            "Make a key that signs checkpoints: the private one at FILE, the public one at "
            "FILE.pub",
            "  schemaward audit keygen /etc/schemaward/audit.key", RunAuditKeygen)
      .Words("FILE", {}, "Where the private key goes; it must not exist");
}

}  // namespace schemaward::cli
