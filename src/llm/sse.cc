#include "llm/sse.h"

namespace schemaward::llm {

Status SseReader::Feed(std::string_view piece) {
  for (const char c : piece) {
    const bool ends = c == '\r' || (c == '\n' && !after_cr_);
    after_cr_ = c == '\r';
    if (ends) {
      WARD_CHECK(Line());
      line_.clear();
    } else if (c != '\n') {
      line_ += c;
      if (line_.size() + data_.size() > kEventBytesMax)
        return Error(ErrorKind::ByteCap, "an event of a model's stream is too large");
    }
  }
  return Ok();
}

Status SseReader::Line() {
  constexpr std::string_view kData = "data:";
  if (line_.empty()) {
    if (!has_data_) return Ok();
    has_data_ = false;
    const std::string data = std::move(data_);
    data_.clear();
    return on_event_(data);
  }
  if (!line_.starts_with(kData)) return Ok();
  std::string_view value = std::string_view(line_).substr(kData.size());
  if (value.starts_with(' ')) value.remove_prefix(1);
  if (has_data_) data_ += '\n';
  data_ += value;
  has_data_ = true;
  return Ok();
}

}  // namespace schemaward::llm
