#include "json/write.h"

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

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

class ObjectWriter final : public Fields {
 public:
  explicit ObjectWriter(std::string& out) : out_(out) { out_ += '{'; }
  void Close() { out_ += '}'; }

 protected:
  void Visit(const Field& field) override {
    if (field.spec.omit_empty && IsEmpty(field.slot)) return;
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

// Writes each member by itself, so that two values can be compared member by member.
class MemberWriter final : public Fields {
 public:
  struct Member {
    std::string name, text;
    bool required;
  };
  std::vector<Member> members;

 protected:
  void Visit(const Field& field) override {
    Member member{std::string(field.name), {}, field.spec.required};
    AppendSlot(member.text, field.slot);
    members.push_back(std::move(member));
  }
};

std::vector<MemberWriter::Member> MembersOf(Slot slot) {
  MemberWriter writer;
  slot.ops->bind(slot.value, writer);
  return std::move(writer.members);
}

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

std::string ArgumentsOfSlot(Slot slot) {
  const std::shared_ptr<void> defaults = slot.ops->make();
  const auto usual = MembersOf(Slot{defaults.get(), slot.ops});
  const auto given = MembersOf(slot);
  std::string out = "{";
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (!given[i].required && given[i].text == usual[i].text) continue;
    if (out.size() > 1) out += ',';
    AppendQuoted(out, given[i].name);
    out += ':';
    out += given[i].text;
  }
  return out + '}';
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
