#include "audit/file.h"

#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "audit/redact.h"
#include "base/log.h"

namespace schemaward::audit {
namespace {

constexpr int kFollowMax = 64;  // files that were closed since this process wrote last
constexpr std::size_t kExemptionBytesMax = 512;  // of a column and the reason given
constexpr std::size_t kNotesMax = 16;            // kept while they cannot be recorded

std::int64_t CalendarOffset(const Clock& clock) {
  return clock.UnixMicros() -
         std::chrono::duration_cast<std::chrono::microseconds>(clock.Now().time_since_epoch())
             .count();
}

}  // namespace

AuditFile::AuditFile(Options options, std::optional<SigningKey> key, std::unique_ptr<Sink> sink)
    : options_(std::move(options)),
      key_(std::move(key)),
      sink_(std::move(sink)),
      calendar_offset_(CalendarOffset(*options_.clock)) {}

Status AuditFile::OpenIfNeeded() {
  // Deleting the file under a running writer must not send its records into the void.
  if (file_ && file_->WasReplaced(PathOf(number_))) {
    file_.reset();
    replaced_ = true;
  }
  if (file_) return Ok();
  const std::int64_t number_before = number_;
  WARD_CHECK(OpenLast());
  WARD_TRY(const Head head, file_->ReadHead());
  // Another process went on in later files and removed the one that this one wrote.
  if (replaced_ && last_ && number_ > number_before && head.base_sequence >= last_->sequence)
    replaced_ = false;
  return Ok();
}

// A last file without records may be one that is being made ready: until the file before it is
// closed, that one goes on, and once it is, it says so. A file that another process removed since
// it was listed is not made anew.
Status AuditFile::OpenLast() {
  for (int tried = 0; tried < kFollowMax; ++tried) {
    const std::vector<Segment> segments = ListSegments(options_.path);
    if (segments.empty()) return OpenSegment(1, ChainFile::Make::IfAbsent);
    Status opened = OpenSegment(segments.back().number, ChainFile::Make::Never);
    if (opened && segments.size() > 1) {
      const Result<Head> head = file_->ReadHead();
      if (!head)
        opened = head.error();
      else if (head->IsEmpty())
        opened = OpenSegment(segments[segments.size() - 2].number, ChainFile::Make::Never);
    }
    if (opened || !IsGone()) return opened;
  }
  return Error(ErrorKind::StoreUnusable, "the files of the audit log do not stay");
}

Status AuditFile::OpenSegment(std::int64_t number, ChainFile::Make make) {
  file_.reset();
  wanted_ = number;
  WARD_TRY(ChainFile opened, ChainFile::Open(PathOf(number), make));
  WARD_TRY(first_at_, opened.FirstOccurredAt());
  file_ = std::make_unique<ChainFile>(std::move(opened));
  if (number_ != number) run_ = 0;
  number_ = number;
  return Ok();
}

// True when the file that was to be opened, or is open, was removed, as another process does.
bool AuditFile::IsGone() const {
  const std::string path = PathOf(wanted_);
  return file_ ? file_->WasReplaced(path) : ::access(path.c_str(), F_OK) != 0;
}

// The next file was there when this one was closed. Where later ones are there it was removed with
// those before it, and the last goes on.
Status AuditFile::Follow(const Head& closed) {
  const std::int64_t number = closed.next_file;
  const std::vector<Segment> segments = ListSegments(options_.path);
  if (!segments.empty() && segments.back().number > number) return OpenLast();
  if (SegmentBytes(PathOf(number)) == 0) gone_ = SegmentName(options_.path, number);
  WARD_CHECK(PrepareNext(number, closed));
  return OpenSegment(number, ChainFile::Make::Never);
}

// A file without records, which an earlier try may have left, is given the base anew.
Result<ChainFile> AuditFile::PrepareNext(std::int64_t number, const Head& base) {
  WARD_TRY(ChainFile next, ChainFile::Open(PathOf(number), ChainFile::Make::IfAbsent));
  WARD_TRY(sqlite::Transaction transaction, sqlite::Transaction::Begin(next.database()));
  WARD_TRY(const Head head, next.ReadHead());
  if (head.IsEmpty()) WARD_CHECK(next.WriteBase(base));
  WARD_CHECK(transaction.Commit());
  return next;
}

Status AuditFile::Commit(const Body& body) {
  for (int tried = 0; tried < kFollowMax; ++tried) {
    const Result<bool> is_done = TryCommit(body);
    if (is_done && *is_done) return Ok();
    const bool may_be_removed = !is_done && wanted_ > 0 && !ListSegments(options_.path).empty();
    if (!is_done && !(may_be_removed && IsGone())) return is_done.error();
  }
  return Error(ErrorKind::StoreUnusable, "the files of the audit log do not end");
}

// False where another file goes on, which is open then.
Result<bool> AuditFile::TryCommit(const Body& body) {
  WARD_CHECK(OpenIfNeeded());
  WARD_TRY(sqlite::Transaction transaction, sqlite::Transaction::Begin(file_->database()));
  Draft draft;
  WARD_TRY(draft.head, file_->ReadHead());
  if (draft.head.IsEmpty() && IsStray()) {
    RemoveSegment(PathOf(number_));
    gone_.clear();
    WARD_CHECK(OpenLast());
    return false;
  }
  if (draft.head.next_file != 0) {
    const Head closed = draft.head;
    WARD_CHECK(transaction.Commit());
    WARD_CHECK(Follow(closed));
    return false;
  }
  draft.run = run_;
  WARD_CHECK(body(draft));
  WARD_CHECK(file_->WriteHead(draft.head));
  WARD_CHECK(transaction.Commit());
  TakeOver(std::move(draft));
  return true;
}

// A file is followed only by one that it closed, so an empty one that others follow was made anew
// when it had just been removed.
bool AuditFile::IsStray() const {
  const std::vector<Segment> segments = ListSegments(options_.path);
  return !segments.empty() && segments.back().number > number_;
}

void AuditFile::TakeOver(Draft draft) {
  if (draft.run != run_) gone_.clear();
  run_ = draft.run;
  last_ = std::move(draft.head);
  replaced_ = false;
  if (!first_at_) first_at_ = options_.clock->UnixMicros();
  notes_.erase(notes_.begin(), notes_.begin() + static_cast<std::ptrdiff_t>(draft.notes.size()));
  if (sink_)
    for (std::string& line : draft.lines) sink_->Put(std::move(line));
  if (!draft.signed_now || options_.signing.checkpoints_path.empty()) return;
  const Status kept = AppendCheckpoint(options_.signing.checkpoints_path, *draft.signed_now);
  if (kept) return;
  log::Write(log::Level::Error, "", "audit_checkpoint", kept.error().ToLogText());
  if (notes_.size() < kNotesMax)
    notes_.push_back(fmt::format("the checkpoint of record {} was not written to its file",
                                 draft.signed_now->covers_sequence));
}

Status AuditFile::Append(const std::vector<Pending*>& batch) {
  NoteSinkFailures();
  WARD_CHECK(Commit([&](Draft& draft) -> Status {
    WARD_CHECK(InsertStartIfNeeded(draft));
    for (Pending* pending : batch) {
      pending->fields.Set("run", draft.run);
      if (pending->begin && *pending->begin != 0)
        pending->fields.Set("begin_sequence", *pending->begin);
      WARD_CHECK(Insert(pending->fields, draft));
      if (pending->own) *pending->own = draft.head.sequence;
    }
    WARD_CHECK(InsertNotes(draft));
    const bool is_due =
        key_ && draft.head.sequence - draft.head.checkpoint_sequence >= options_.signing.records;
    return is_due ? InsertCheckpoint(draft) : Ok();
  }));
  KeepInOrder();
  return Ok();
}

bool AuditFile::HasUnsigned() const {
  return key_ && last_ && last_->sequence > last_->checkpoint_sequence;
}

Status AuditFile::Sign() {
  notes_at_.reset();
  NoteSinkFailures();
  if (!last_ || (!HasUnsigned() && notes_.empty())) return Ok();
  return Commit([&](Draft& draft) -> Status {
    WARD_CHECK(InsertStartIfNeeded(draft));
    WARD_CHECK(InsertNotes(draft));
    const bool has_unsigned = draft.head.sequence > draft.head.checkpoint_sequence;
    return key_ && has_unsigned ? InsertCheckpoint(draft) : Ok();
  });
}

Status AuditFile::RecordOff() {
  if (ListSegments(options_.path).empty()) return Ok();
  return Commit([&](Draft& draft) -> Status {
    return draft.head.mode == NameOf(Mode::Off) ? Ok() : InsertStart(draft);
  });
}

Status AuditFile::Insert(RecordFields& fields, Draft& draft) {
  WARD_CHECK(file_->Insert(fields, draft.head));
  if (sink_) draft.lines.push_back(ToJson(fields, draft.head.hash));
  return Ok();
}

RecordFields AuditFile::Plain(std::string_view kind, std::string_view detail) const {
  RecordFields fields;
  fields.Set("kind", kind);
  fields.Set("occurred_at", options_.clock->UnixMicros());
  if (!detail.empty()) fields.Set("detail", detail);
  return fields;
}

Status AuditFile::InsertStartIfNeeded(Draft& draft) {
  const bool was_cut = last_ && draft.head.sequence < last_->sequence;
  return draft.run == 0 || replaced_ || was_cut ? InsertStart(draft) : Ok();
}

Status AuditFile::InsertStart(Draft& draft) {
  RecordFields fields = Plain("start", StartDetail(draft.head));
  const StartInfo& start = options_.start;
  const auto set = [&](Column column, const std::string& value) {
    if (!value.empty()) fields.Set(column, value);
  };
  set("program_version", start.program_version);
  set("config_hash", start.config_hash);
  set("policy_hash", start.policy_hash);
  set("tools_hash", start.tools_hash);
  set("profile", start.profile);
  if (!start.exemptions.empty())
    fields.Set("exemptions", ListText(start.exemptions, kExemptionBytesMax));
  fields.Set("mode", NameOf(options_.mode));
  draft.head.mode = NameOf(options_.mode);
  WARD_CHECK(Insert(fields, draft));
  draft.run = draft.head.sequence;
  return Ok();
}

std::string AuditFile::StartDetail(const Head& head) const {
  std::string detail;
  const auto add = [&](const std::string& text) { detail += (detail.empty() ? "" : "; ") + text; };
  if (!head.mode.empty() && head.mode != NameOf(options_.mode))
    add(fmt::format("mode changed from {} to {}", head.mode, NameOf(options_.mode)));
  if (!gone_.empty()) add(fmt::format("the file {} was gone and is begun anew", gone_));
  if (last_ && (replaced_ || head.sequence < last_->sequence))
    add(fmt::format(
        "the file was {} while this process wrote it, which had written record {} with the hash "
        "{}",
        replaced_ ? "replaced" : "cut", last_->sequence, ToHex(last_->hash)));
  return detail;
}

Status AuditFile::InsertNotes(Draft& draft) {
  for (const std::string& note : notes_) {
    RecordFields fields = Plain("note", note);
    fields.Set("run", draft.run);
    WARD_CHECK(Insert(fields, draft));
    draft.notes.push_back(note);
  }
  return Ok();
}

// Covers all records before its own.
Status AuditFile::InsertCheckpoint(Draft& draft) {
  WARD_TRY(Frontier tree, file_->ReadTree(draft.head));
  Checkpoint checkpoint;
  checkpoint.covers_sequence = draft.head.sequence;
  checkpoint.covers_hash = ToHex(draft.head.hash);
  checkpoint.tree_first = draft.head.base_sequence + 1;
  checkpoint.tree_root = ToHex(BytesOf(tree.Root()));
  checkpoint.occurred_at = options_.clock->UnixMicros();
  checkpoint.key_id = key_->key_id();
  checkpoint.signature = key_->Sign(checkpoint.SignedText());
  RecordFields fields = Plain("checkpoint", "");
  fields.Set("occurred_at", checkpoint.occurred_at);
  fields.Set("run", draft.run);
  fields.Set("covers_sequence", checkpoint.covers_sequence);
  fields.Set("covers_hash", checkpoint.covers_hash);
  fields.Set("tree_first", checkpoint.tree_first);
  fields.Set("tree_root", checkpoint.tree_root);
  fields.Set("key_id", checkpoint.key_id);
  fields.Set("signature", checkpoint.signature);
  WARD_CHECK(file_->WriteTree(tree));
  WARD_CHECK(Insert(fields, draft));
  draft.head.checkpoint_sequence = draft.head.sequence;
  draft.signed_now = std::move(checkpoint);
  return Ok();
}

}  // namespace schemaward::audit
