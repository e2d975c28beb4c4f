#pragma once

// The files of a log. The first is the path of the configuration; each later one has a number after
// it: audit.db, audit.db.000002, audit.db.000003. The last is written, the others are closed.
// Private to audit/.

#include <cstdint>
#include <string>
#include <vector>

namespace schemaward::audit {

/// A file of the series.
struct Segment {
  std::int64_t number = 1;
  std::string path;
};

inline constexpr std::int64_t kSegmentsMax = 999'999;

/// Returns the path of the file `number` of the log at `path`.
std::string SegmentPath(const std::string& path, std::int64_t number);

/// Returns the name of that file, without its folder.
std::string SegmentName(const std::string& path, std::int64_t number);

/// Returns the files that exist, in order. Empty ones too. Thread: any.
std::vector<Segment> ListSegments(const std::string& path);

/// Returns the size of a file with what waits in its -wal, in bytes; 0 where it is absent.
std::int64_t SegmentBytes(const std::string& path);

/// Removes a file with its -wal and -shm. Returns 0, also where it is absent, or an errno.
int RemoveSegment(const std::string& path);

}  // namespace schemaward::audit
