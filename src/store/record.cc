#include "store/record.h"

#include <bit>
#include <cstdint>

namespace schemaward::store {
namespace {

using json::Field;
using json::Fields;
using json::Shape;
using json::Slot;
using json::SlotOps;

constexpr int kVarintBits = 7;
constexpr std::uint8_t kVarintMore = 0x80;
constexpr int kVarintShiftMax = 63;

void AppendVarint(std::string& out, std::uint64_t value) {
  while (value >= kVarintMore) {
    out += static_cast<char>(static_cast<std::uint8_t>(value) | kVarintMore);
    value >>= kVarintBits;
  }
  out += static_cast<char>(value);
}

std::uint64_t ZigZag(std::int64_t value) {
  return (static_cast<std::uint64_t>(value) << 1U) ^ (value < 0 ? ~std::uint64_t{0} : 0);
}

std::int64_t UnZigZag(std::uint64_t value) {
  return static_cast<std::int64_t>(value >> 1U) ^ -static_cast<std::int64_t>(value & 1U);
}

class Counter final : public Fields {
 public:
  std::uint64_t count = 0;

 protected:
  void Visit(const Field& /*field*/) override { ++count; }
};

class Writer final : public Fields {
 public:
  explicit Writer(std::string& out) : out_(out) {}

 protected:
  void Visit(const Field& field) override { AppendRecord(out_, field.slot); }

 private:
  std::string& out_;
};

void AppendText(std::string& out, std::string_view text) {
  AppendVarint(out, text.size());
  out += text;
}

void AppendDouble(std::string& out, double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  for (unsigned shift = 0; shift < 64; shift += 8) out += static_cast<char>(bits >> shift);
}

void AppendList(std::string& out, Slot slot) {
  const std::size_t size = slot.ops->size(slot.value);
  AppendVarint(out, size);
  for (std::size_t i = 0; i < size; ++i)
    AppendRecord(out, Slot{slot.ops->at(slot.value, i), slot.ops->element});
}

void AppendOptional(std::string& out, Slot slot) {
  void* value = slot.ops->get(slot.value);
  out += static_cast<char>(value != nullptr ? 1 : 0);
  if (value != nullptr) AppendRecord(out, Slot{value, slot.ops->element});
}

void AppendObject(std::string& out, Slot slot) {
  Counter counter;
  slot.ops->bind(slot.value, counter);
  AppendVarint(out, counter.count);
  Writer writer(out);
  slot.ops->bind(slot.value, writer);
}

// Reads forward; after the first damage every read gives zero and `ok` stays false.
class Cursor {
 public:
  explicit Cursor(std::string_view bytes) : bytes_(bytes) {}
  bool ok() const { return ok_; }
  bool AtEnd() const { return bytes_.empty(); }
  void Fail() {
    ok_ = false;
    bytes_ = {};
  }

  std::uint8_t Byte() {
    if (bytes_.empty()) {
      Fail();
      return 0;
    }
    const auto byte = static_cast<std::uint8_t>(bytes_.front());
    bytes_.remove_prefix(1);
    return byte;
  }

  std::uint64_t Varint() {
    std::uint64_t value = 0;
    for (int shift = 0; shift <= kVarintShiftMax; shift += kVarintBits) {
      const std::uint8_t byte = Byte();
      value |= static_cast<std::uint64_t>(byte & (kVarintMore - 1U))
               << static_cast<unsigned>(shift);
      if ((byte & kVarintMore) == 0) return value;
    }
    Fail();
    return 0;
  }

  // A number of things that take at least a byte each.
  std::size_t Size() {
    const std::uint64_t size = Varint();
    if (size <= bytes_.size()) return static_cast<std::size_t>(size);
    Fail();
    return 0;
  }

  std::string_view Text() {
    const std::size_t size = Size();
    const std::string_view text = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return text;
  }

  double Double() {
    std::uint64_t bits = 0;
    for (unsigned shift = 0; shift < 64; shift += 8)
      bits |= static_cast<std::uint64_t>(Byte()) << shift;
    return std::bit_cast<double>(bits);
  }

 private:
  std::string_view bytes_;
  bool ok_ = true;
};

void ReadSlot(Cursor& in, Slot slot);

class Reader final : public Fields {
 public:
  Reader(Cursor& in, std::uint64_t count) : in_(in), left_(count) {}
  std::uint64_t left() const { return left_; }

 protected:
  void Visit(const Field& field) override {
    if (left_ == 0) return;  // an older record: the default stands
    --left_;
    ReadSlot(in_, field.slot);
  }

 private:
  Cursor& in_;
  std::uint64_t left_;
};

void ReadObject(Cursor& in, Slot slot) {
  Reader reader(in, in.Size());
  slot.ops->bind(slot.value, reader);
  if (reader.left() > 0) in.Fail();
}

void ReadList(Cursor& in, Slot slot) {
  const std::size_t size = in.Size();
  for (std::size_t i = 0; i < size && in.ok(); ++i)
    ReadSlot(in, Slot{slot.ops->append(slot.value), slot.ops->element});
}

void ReadEnum(Cursor& in, Slot slot) {
  const std::uint64_t index = in.Varint();
  if (index < slot.ops->names.size()) {
    slot.ops->set_index(slot.value, static_cast<std::size_t>(index));
  } else {
    in.Fail();
  }
}

void ReadSlot(Cursor& in, Slot slot) {
  const SlotOps& ops = *slot.ops;
  switch (ops.shape) {
    case Shape::Bool:
      *static_cast<bool*>(slot.value) = in.Byte() != 0;
      return;
    case Shape::Int:
      *static_cast<std::int64_t*>(slot.value) = UnZigZag(in.Varint());
      return;
    case Shape::Double:
      *static_cast<double*>(slot.value) = in.Double();
      return;
    case Shape::String:
      *static_cast<std::string*>(slot.value) = in.Text();
      return;
    case Shape::Raw:
      static_cast<json::Raw*>(slot.value)->text = in.Text();
      return;
    case Shape::Enum:
      ReadEnum(in, slot);
      return;
    case Shape::Object:
      ReadObject(in, slot);
      return;
    case Shape::List:
      ReadList(in, slot);
      return;
    case Shape::Optional:
      if (in.Byte() != 0) ReadSlot(in, Slot{ops.emplace(slot.value), ops.element});
      return;
  }
}

}  // namespace

void AppendRecord(std::string& out, Slot slot) {
  const SlotOps& ops = *slot.ops;
  switch (ops.shape) {
    case Shape::Bool:
      out += static_cast<char>(*static_cast<const bool*>(slot.value) ? 1 : 0);
      return;
    case Shape::Int:
      AppendVarint(out, ZigZag(*static_cast<const std::int64_t*>(slot.value)));
      return;
    case Shape::Double:
      AppendDouble(out, *static_cast<const double*>(slot.value));
      return;
    case Shape::String:
      AppendText(out, *static_cast<const std::string*>(slot.value));
      return;
    case Shape::Raw:
      AppendText(out, static_cast<const json::Raw*>(slot.value)->text);
      return;
    case Shape::Enum:
      AppendVarint(out, ops.index(slot.value));
      return;
    case Shape::Object:
      AppendObject(out, slot);
      return;
    case Shape::List:
      AppendList(out, slot);
      return;
    case Shape::Optional:
      AppendOptional(out, slot);
      return;
  }
}

Status ReadRecord(std::string_view bytes, Slot slot) {
  Cursor in(bytes);
  ReadSlot(in, slot);
  if (in.ok() && in.AtEnd()) return Ok();
  return Error(ErrorKind::StoreUnusable, "a record of the store is damaged");
}

}  // namespace schemaward::store
