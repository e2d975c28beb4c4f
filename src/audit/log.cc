#include "audit/log.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "audit/keys.h"
#include "audit/redact.h"
#include "audit/sink.h"
#include "audit/writer.h"
#include "base/cut.h"
#include "base/error.h"

namespace schemaward::audit {
namespace {

constexpr std::size_t kTextMax = 512;  // of a name that a client gave
constexpr std::size_t kDetailMax = 2048;
constexpr std::size_t kBeginTextsUsual = 224;  // bytes; with the arguments and their hash
constexpr std::size_t kEndTextsUsual = 80;

void Set(RecordFields& fields, Column column, std::string_view text,
         std::size_t size_max = kTextMax) {
  if (text.empty()) return;
  if (text.size() <= size_max) return fields.Set(column, text);
  fields.Set(column, CutText(text, size_max));
}

void Set(RecordFields& fields, Column column, std::optional<std::int64_t> value) {
  if (value) fields.Set(column, *value);
}

void SetList(RecordFields& fields, Column column, const std::vector<std::string>& items) {
  if (!items.empty()) fields.Set(column, ListText(items, kTextMax));
}

QueuedRecord BeginOf(const BeginRecord& record) {
  QueuedRecord queued;
  RecordFields& fields = queued.pending.fields;
  fields.Reserve(kBeginTextsUsual);
  fields.Set("kind", "begin");
  Set(fields, "request_id", record.request_id);
  Set(fields, "principal", record.principal);
  Set(fields, "client", record.client);
  Set(fields, "transport", record.transport);
  Set(fields, "source", record.source);
  Set(fields, "tool", record.tool);
  Set(fields, "profile", record.profile);
  queued.args_json = record.args_json;
  queued.pending.own = std::make_shared<std::int64_t>(0);
  return queued;
}

QueuedRecord EndOf(const EndRecord& record) {
  QueuedRecord queued;
  RecordFields& fields = queued.pending.fields;
  fields.Reserve(kEndTextsUsual);
  fields.Set("kind", "end");
  Set(fields, "status", record.status);
  Set(fields, "error_kind", record.error_kind);
  Set(fields, "reason", record.reason);
  Set(fields, "recovery_tool", record.recovery_tool);
  Set(fields, "source", record.source);
  Set(fields, "metric", record.metric);
  SetList(fields, "tables", record.tables);
  SetList(fields, "pii_categories", record.pii_categories);
  SetList(fields, "exemptions", record.exemptions);
  Set(fields, "rows", record.rows);
  Set(fields, "bytes", record.bytes);
  fields.Set("duration_us", record.duration_us);
  Set(fields, "profile", record.profile);
  Set(fields, "detail", MaskSecrets(record.detail), kDetailMax);
  queued.recovery_args_json = record.recovery_args_json;
  queued.statement = record.statement;
  queued.pending.begin = record.begin.sequence;
  queued.outlives_failure = true;
  return queued;
}

// True where the sink would write its lines into the log: the file, one that goes on from it, or
// what SQLite keeps beside them.
bool IsTheLog(std::string_view sink, const std::string& log) {
  constexpr std::string_view kFile = "file:";
  if (!sink.starts_with(kFile)) return false;
  namespace fs = std::filesystem;
  std::error_code failed;
  const fs::path path(std::string(sink.substr(kFile.size())));
  if (fs::equivalent(path, log, failed)) return true;
  const std::string at = fs::weakly_canonical(path, failed).string();
  const std::string own = fs::weakly_canonical(log, failed).string();
  if (at.empty() || own.empty() || !at.starts_with(own)) return false;
  std::string_view rest = std::string_view(at).substr(own.size());
  for (const std::string_view end : {"-wal", "-shm", "-journal"})
    if (rest.ends_with(end)) {
      rest.remove_suffix(end.size());
      break;
    }
  return rest.empty() ||
         (rest.front() == '.' && rest.find_first_not_of("0123456789", 1) == std::string_view::npos);
}

}  // namespace

std::string_view NameOf(Mode mode) {
  switch (mode) {
    case Mode::Required:
      return "required";
    case Mode::BestEffort:
      return "best-effort";
    case Mode::Off:
      break;
  }
  return "off";
}

Log::Log(std::unique_ptr<Writer> writer) : writer_(std::move(writer)) {}
Log::~Log() = default;

Result<std::unique_ptr<Log>> Log::Create(Options options) {
  if (options.clock == nullptr)
    return Error(ErrorKind::InvalidArgument, "the audit log needs a clock");
  if (options.path.empty() && options.mode != Mode::Off)
    return Error(ErrorKind::InvalidArgument, "the audit log needs a path");
  std::optional<SigningKey> key;
  if (options.signing.key_path.empty() && !options.signing.checkpoints_path.empty())
    return Error(ErrorKind::InputUnreadable,
                 "a file for the audit log's checkpoints is named, but no key that signs them");
  if (options.mode != Mode::Off && !options.signing.key_path.empty()) {
    WARD_TRY(key, SigningKey::Load(options.signing.key_path, options.path));
    if (LiesBeside(options.signing.checkpoints_path, options.path))
      return Error(ErrorKind::InputUnreadable,
                   "the audit log's checkpoints lie in the log's own folder");
  }
  if (options.mode != Mode::Off && IsTheLog(options.sink, options.path))
    return Error(ErrorKind::InputUnreadable, "the audit log's sink is a file of the log itself");
  WARD_TRY(std::unique_ptr<Sink> sink, Sink::Create(options.sink));
  return std::unique_ptr<Log>(
      new Log(std::make_unique<Writer>(std::move(options), std::move(key), std::move(sink))));
}

Result<RecordId> Log::Begin(const BeginRecord& record, Durability durability) {
  const Options& options = writer_->options();
  if (options.mode == Mode::Off) {
    writer_->RecordOff();
    return RecordId{};
  }
  QueuedRecord queued = BeginOf(record);
  queued.outlives_failure = options.mode == Mode::BestEffort;
  queued.pending.fields.Set("occurred_at", options.clock->UnixMicros());
  RecordId id{queued.pending.own};
  // A process of the command line makes one call: there is no later one that could be refused.
  const bool is_only_call = record.transport == "cli";
  if (Status put = writer_->Put(std::move(queued), is_only_call ? Durability::Now : durability);
      !put && options.mode == Mode::Required)
    return std::move(put).error();
  return id;
}

Status Log::End(const EndRecord& record, Durability durability) {
  const Options& options = writer_->options();
  if (options.mode == Mode::Off) return Ok();
  QueuedRecord queued = EndOf(record);
  queued.pending.fields.Set("occurred_at", options.clock->UnixMicros());
  Status put = writer_->Put(std::move(queued), durability);
  return options.mode == Mode::BestEffort ? Ok() : put;
}

Status Log::Flush() {
  if (writer_->options().mode == Mode::Off) return Ok();
  return writer_->Flush();
}

Status Log::Standing() {
  if (writer_->options().mode == Mode::Off) return Ok();
  return writer_->Standing();
}

Mode Log::mode() const { return writer_->options().mode; }

}  // namespace schemaward::audit
