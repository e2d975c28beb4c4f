#pragma once

// Cuts a stream of bytes into lines, one message each.

#include <cstddef>
#include <string>
#include <string_view>

namespace schemaward::transport {

/// Takes what a LineSplitter cuts.
class LineSink {
 public:
  virtual ~LineSink() = default;
  /// `line`: not blank, without its end. Lifetime: `line` is good until the return.
  virtual void OnLine(std::string_view line) = 0;
  /// A line passed the bound; the rest of it is skipped. Told once a line.
  virtual void OnLongLine() = 0;
};

/// A line ends in LF or CR LF; blank lines and a byte order mark at the start are passed over. A
/// line longer than the bound is never held: what has come of it is dropped at once.
/// Thread: owner.
class LineSplitter {
 public:
  LineSplitter(std::size_t line_bytes_max, LineSink& sink)
      : line_bytes_max_(line_bytes_max), sink_(sink) {}

  /// Takes the next bytes, in pieces of any size.
  void Feed(std::string_view bytes);
  /// The stream is over: what is left counts as a line.
  void End();

 private:
  void Keep(std::string_view part);
  void Finish(std::string_view rest);

  std::size_t line_bytes_max_;
  LineSink& sink_;
  std::string kept_;       // the part of the present line that came earlier
  bool skipping_ = false;  // the present line is too long
  bool at_start_ = true;
};

}  // namespace schemaward::transport
