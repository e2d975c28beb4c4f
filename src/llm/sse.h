#pragma once

// Server-sent events, read as they arrive.

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace schemaward::llm {

/// Takes the data of one event.
using OnEvent = std::function<Status(std::string_view data)>;

/// Cuts pieces of a stream into events and gives the data of each; lines that end in LF, CR or
/// both; several data lines of one event are joined by LF; names, ids and comments are passed over.
/// Source: WHATWG HTML, 9.2.6. Thread: owner.
class SseReader {
 public:
  explicit SseReader(OnEvent on_event) : on_event_(std::move(on_event)) {}
  /// Errors: ByteCap for an event above kEventBytesMax; those of on_event.
  Status Feed(std::string_view piece);

  static constexpr std::size_t kEventBytesMax = 4U << 20U;

 private:
  Status Line();

  const OnEvent on_event_;
  std::string line_, data_;
  bool has_data_ = false;
  bool after_cr_ = false;
};

}  // namespace schemaward::llm
