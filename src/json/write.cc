#include "json/write.h"

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "json/arguments.h"
#include "json/value.h"

namespace schemaward::json {
namespace {

constexpr std::int64_t kExactMax = std::int64_t{1} << 53;  // every integer up to here is a double

bool IsEmpty(Slot slot) {
  switch (slot.ops->shape) {
    case Shape::Bool:
      return !*static_cast<const bool*>(slot.value);
    case Shape::String:
      return static_cast<const std::string*>(slot.value)->empty();
    case Shape::Raw:
      return static_cast<const Raw*>(slot.value)->text.empty();
    case Shape::List:
      return slot.ops->size(slot.value) == 0;
    case Shape::Optional:
      return slot.ops->get(slot.value) == nullptr;
    case Shape::Int:
    case Shape::Double:
    case Shape::Enum:
    case Shape::Object:
      return false;
  }
  return false;
}

// Names of fields are words of the program's own: no character of them needs an escape.
void AppendName(std::string& out, std::string_view name) {
  out += '"';
  out += name;
  out += "\":";
}

class ObjectWriter final : public Fields {
 public:
  explicit ObjectWriter(std::string& out) : out_(out) { out_ += '{'; }
  void Close() { out_ += '}'; }

 protected:
  void Visit(const Field& field) override {
    if (field.spec.omit_empty && IsEmpty(field.slot)) return;
    if (!first_) out_ += ',';
    first_ = false;
    AppendName(out_, field.name);
    AppendSlot(out_, field.slot);
  }

 private:
  std::string& out_;
  bool first_ = true;
};

// Writes each member by itself, so that two values can be compared member by member.
class MemberWriter final : public Fields {
 public:
  std::vector<std::string> texts;

 protected:
  void Visit(const Field& field) override { AppendSlot(texts.emplace_back(), field.slot); }
};

// Writes the members that are required, or not as usual.
class UnusualWriter final : public Fields {
 public:
  UnusualWriter(std::string& out, const std::vector<std::string>& usual)
      : out_(out), usual_(usual) {
    out_ += '{';
  }
  void Close() { out_ += '}'; }

 protected:
  void Visit(const Field& field) override {
    const std::string& usual = usual_[at_++];
    text_.clear();
    AppendSlot(text_, field.slot);
    if (!field.spec.required && text_ == usual) return;
    if (!is_first_) out_ += ',';
    is_first_ = false;
    AppendName(out_, field.name);
    out_ += text_;
  }

 private:
  std::string& out_;
  const std::vector<std::string>& usual_;
  std::string text_;
  std::size_t at_ = 0;
  bool is_first_ = true;
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

std::string ArgumentsOfSlot(Slot slot) { return ArgumentsWriter(*slot.ops).Write(slot); }

ArgumentsWriter::ArgumentsWriter(const SlotOps& ops) {
  const std::shared_ptr<void> defaults = ops.make();
  MemberWriter writer;
  ops.bind(defaults.get(), writer);
  usual_ = std::move(writer.texts);
}

std::string ArgumentsWriter::Write(Slot slot) const {
  std::string out;
  UnusualWriter writer(out, usual_);
  slot.ops->bind(slot.value, writer);
  writer.Close();
  return out;
}

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
