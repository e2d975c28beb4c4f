#include "audit/series.h"

#include <utility>
#include <vector>

#include "audit/segments.h"

namespace schemaward::audit {

Result<Series> Series::Open(const std::string& path) {
  const std::vector<Segment> segments = ListSegments(path);
  Series series(path, segments.empty() ? 1 : segments.front().number);
  WARD_TRY(series.reader_, Reader::Open(SegmentPath(path, series.number_)));
  return series;
}

Result<Series::Step> Series::Next() {
  switch (state_) {
    case State::BeforeFile:
      state_ = State::InFile;
      return Step::File;
    case State::InFile: {
      WARD_TRY(const bool more, reader_->Next());
      if (!more) return EndOfFile();
      last_sequence_ = reader_->Sequence();
      return Step::Record;
    }
    case State::AfterFile:
      break;
  }
  return OpenNextFile();
}

// A writer may have gone on and closed this file since it was opened, which records in a later file
// show; then it is read on. Whether there is a next file is decided before that: what comes later
// belongs to a later look.
Result<Series::Step> Series::EndOfFile() {
  const bool is_closed = reader_->chain().next_file != 0;
  const std::optional<std::int64_t> next = NextNumber();
  const bool is_used = !is_closed && next && IsUsed(*next);
  if (is_used && !was_read_on_) {
    was_read_on_ = true;
    Result<Reader> again = Reader::Open(SegmentPath(path_, number_), last_sequence_ + 1);
    if (again && again->chain().next_file != 0) {
      reader_ = *std::move(again);
      return Next();
    }
  }
  next_ = is_closed || is_used ? next : std::nullopt;
  state_ = State::AfterFile;
  return Step::FileEnd;
}

std::optional<std::int64_t> Series::NextNumber() const {
  for (const Segment& segment : ListSegments(path_))
    if (segment.number > number_) return segment.number;
  return std::nullopt;
}

// A file that is being made ready, or was, holds no records yet; while it is made it may not be
// readable.
bool Series::IsUsed(std::int64_t number) const {
  const Result<Reader> opened = Reader::Open(SegmentPath(path_, number));
  return opened && opened->chain().head_sequence != opened->chain().base_sequence;
}

Result<Series::Step> Series::OpenNextFile() {
  if (!next_) return Step::End;
  number_ = *std::exchange(next_, std::nullopt);
  WARD_TRY(reader_, Reader::Open(SegmentPath(path_, number_)));
  last_sequence_ = reader_->chain().base_sequence;
  was_read_on_ = false;
  state_ = State::InFile;
  return Step::File;
}

void Series::LeaveFile() {
  next_ = NextNumber();
  state_ = State::AfterFile;
}

}  // namespace schemaward::audit
