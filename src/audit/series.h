#pragma once

// All files of a log, read as one chain. Private to audit/.

#include <cstdint>
#include <optional>
#include <string>

#include "audit/reader.h"
#include "base/result.h"

namespace schemaward::audit {

/// Goes along the files and the records of each. Each file is one snapshot; a file that is closed
/// while it is read is read to its end. Thread: owner.
class Series {
 public:
  /// File: a file was opened. Record: it stands on a record. FileEnd: the file has no more. End: no
  /// file has more.
  enum class Step : std::uint8_t { File, Record, FileEnd, End };

  /// Opens the first file that exists. Errors: as Reader::Open.
  static Result<Series> Open(const std::string& path);

  /// Takes the next step. Errors: as Reader::Open and Reader::Next. After an error of a file's
  /// start the next step tries the file after it; after one inside a file the caller may LeaveFile.
  Result<Step> Next();
  /// Passes over what is left of the file.
  void LeaveFile();

  /// The file that it stands on; of the step File, Record or FileEnd. Lifetime: until the next
  /// step.
  Reader& file() { return *reader_; }
  const Reader& file() const { return *reader_; }
  /// Number of the file that was opened last, or that could not be.
  std::int64_t number() const { return number_; }

 private:
  enum class State : std::uint8_t { BeforeFile, InFile, AfterFile };
  Series(std::string path, std::int64_t number) : path_(std::move(path)), number_(number) {}
  Result<Step> EndOfFile();
  Result<Step> OpenNextFile();
  std::optional<std::int64_t> NextNumber() const;
  bool IsUsed(std::int64_t number) const;

  std::string path_;
  std::int64_t number_;
  std::optional<Reader> reader_;
  State state_ = State::BeforeFile;
  std::int64_t last_sequence_ = 0;
  bool was_read_on_ = false;
  std::optional<std::int64_t> next_;  // the file after the one that was left
};

/// Calls `take(const Reader&)` for each record of the log at `path`, in order, until it returns an
/// error. Errors: that one; as Series::Next.
template <class Take>
Status ForEachRecord(const std::string& path, Take take) {
  WARD_TRY(Series series, Series::Open(path));
  while (true) {
    WARD_TRY(const Series::Step step, series.Next());
    if (step == Series::Step::End) return Ok();
    if (step == Series::Step::Record) WARD_CHECK(take(series.file()));
  }
}

}  // namespace schemaward::audit
