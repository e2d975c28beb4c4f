#include "json/write.h"

#include <cmath>

#include <fmt/format.h>

#include "json/value.h"

namespace schemaward::json {
namespace {

constexpr std::int64_t kExactMax = std::int64_t{1} << 53;  // every integer up to here is a double

class ObjectWriter final : public Fields {
 public:
  explicit ObjectWriter(std::string& out) : out_(out) { out_ += '{'; }
  void Close() { out_ += '}'; }

 protected:
  void Visit(const Field& field) override {
    if (!first_) out_ += ',';
    first_ = false;
    AppendQuoted(out_, field.name);
    out_ += ':';
    AppendSlot(out_, field.slot);
  }

 private:
  std::string& out_;
  bool first_ = true;
};

void AppendList(std::string& out, Slot slot) {
  out += '[';
  const std::size_t size = slot.ops->size(slot.value);
  for (std::size_t i = 0; i < size; ++i) {
    if (i > 0) out += ',';
    AppendSlot(out, Slot{slot.ops->at(slot.value, i), slot.ops->element});
  }
  out += ']';
}

void AppendObject(std::string& out, Slot slot) {
  ObjectWriter writer(out);
  slot.ops->bind(slot.value, writer);
  writer.Close();
}

}  // namespace

void AppendInt(std::string& out, std::int64_t value) {
  if (value > kExactMax || value < -kExactMax) {
    out += fmt::format("\"{}\"", value);
  } else {
    out += fmt::format("{}", value);
  }
}

void AppendDouble(std::string& out, double value) {
  if (std::isnan(value)) {
    out += "\"NaN\"";
  } else if (std::isinf(value)) {
    out += value > 0 ? "\"Infinity\"" : "\"-Infinity\"";
  } else {
    out += fmt::format("{}", value);
  }
}

void AppendSlot(std::string& out, Slot slot) {
  const SlotOps& ops = *slot.ops;
  switch (ops.shape) {
    case Shape::Bool:
      out += *static_cast<const bool*>(slot.value) ? "true" : "false";
      return;
    case Shape::Int:
      AppendInt(out, *static_cast<const std::int64_t*>(slot.value));
      return;
    case Shape::Double:
      AppendDouble(out, *static_cast<const double*>(slot.value));
      return;
    case Shape::String:
      AppendQuoted(out, *static_cast<const std::string*>(slot.value));
      return;
    case Shape::Enum:
      AppendQuoted(out, ops.names[ops.index(slot.value)]);
      return;
    case Shape::Raw: {
      const auto& raw = *static_cast<const Raw*>(slot.value);
      out += raw.text.empty() ? "null" : raw.text;
      return;
    }
    case Shape::Object:
      AppendObject(out, slot);
      return;
    case Shape::List:
      AppendList(out, slot);
      return;
    case Shape::Optional:
      if (void* value = ops.get(slot.value); value != nullptr) {
        AppendSlot(out, Slot{value, ops.element});
      } else {
        out += "null";
      }
      return;
  }
}

}  // namespace schemaward::json
