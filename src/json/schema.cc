#include "json/schema.h"

#include <vector>

#include <fmt/format.h>

#include "json/value.h"
#include "json/write.h"

namespace schemaward::json {
namespace {

void AppendType(std::string& out, Slot slot, const FieldSpec& spec, SchemaUse use);
void AppendElement(std::string& out, const SlotOps& element, SchemaUse use);

class ObjectSchema final : public Fields {
 public:
  ObjectSchema(std::string& out, SchemaUse use) : out_(out), use_(use) {
    out_ += "\"type\":\"object\",\"properties\":{";
  }

  void Close() {
    out_ += '}';
    if (required_.empty()) return;
    out_ += ",\"required\":[";
    for (std::size_t i = 0; i < required_.size(); ++i) {
      if (i > 0) out_ += ',';
      AppendQuoted(out_, required_[i]);
    }
    out_ += ']';
  }

 protected:
  void Visit(const Field& field) override {
    if (!first_) out_ += ',';
    first_ = false;
    AppendQuoted(out_, field.name);
    out_ += ":{";
    // A member that is absent when empty is never null.
    if (field.spec.omit_empty && field.slot.ops->shape == Shape::Optional) {
      AppendElement(out_, *field.slot.ops->element, use_);
    } else {
      AppendType(out_, field.slot, field.spec, use_);
    }
    if (!field.doc.empty()) {
      out_ += ",\"description\":";
      AppendQuoted(out_, field.doc);
    }
    if (use_ == SchemaUse::Input && !field.spec.required) AppendDefault(field.slot);
    out_ += '}';
    const bool always = use_ == SchemaUse::Output && !field.spec.omit_empty;
    if (field.spec.required || always) required_.emplace_back(field.name);
  }

 private:
  // Publishes defaults that say something: not the empty string, list or object.
  void AppendDefault(Slot slot) {
    const Shape shape = slot.ops->shape;
    if (shape == Shape::Optional || shape == Shape::List || shape == Shape::Object ||
        shape == Shape::Raw)
      return;
    if (shape == Shape::String && static_cast<const std::string*>(slot.value)->empty()) return;
    out_ += ",\"default\":";
    AppendSlot(out_, slot);
  }

  std::string& out_;
  SchemaUse use_;
  std::vector<std::string> required_;
  bool first_ = true;
};

void AppendObject(std::string& out, Slot slot, SchemaUse use) {
  ObjectSchema schema(out, use);
  slot.ops->bind(slot.value, schema);
  schema.Close();
}

// A list's or optional's element has no value to look at: an object is made, for any other shape
// the value is not read.
void AppendElement(std::string& out, const SlotOps& element, SchemaUse use) {
  if (element.shape == Shape::Object) {
    const std::shared_ptr<void> made = element.make();
    AppendObject(out, Slot{made.get(), &element}, use);
  } else {
    AppendType(out, Slot{nullptr, &element}, {}, use);
  }
}

void AppendEnum(std::string& out, const SlotOps& ops) {
  out += "\"type\":\"string\",\"enum\":[";
  for (std::size_t i = 0; i < ops.names.size(); ++i) {
    if (i > 0) out += ',';
    AppendQuoted(out, ops.names[i]);
  }
  out += ']';
}

void AppendBounds(std::string& out, const FieldSpec& spec) {
  if (spec.minimum) out += fmt::format(",\"minimum\":{}", *spec.minimum);
  if (spec.maximum) out += fmt::format(",\"maximum\":{}", *spec.maximum);
}

void AppendType(std::string& out, Slot slot, const FieldSpec& spec, SchemaUse use) {
  const SlotOps& ops = *slot.ops;
  switch (ops.shape) {
    case Shape::Bool:
      out += "\"type\":\"boolean\"";
      return;
    case Shape::Int:
      out += "\"type\":\"integer\"";
      AppendBounds(out, spec);
      return;
    case Shape::Double:
      out += "\"type\":\"number\"";
      return;
    case Shape::String:
      out += "\"type\":\"string\"";
      if (spec.length_max > 0) out += fmt::format(",\"maxLength\":{}", spec.length_max);
      return;
    case Shape::Enum:
      AppendEnum(out, ops);
      return;
    case Shape::Raw:
      out += "\"title\":\"any JSON value\"";
      return;
    case Shape::Object:
      AppendObject(out, slot, use);
      return;
    case Shape::List:
      out += "\"type\":\"array\",\"items\":{";
      AppendElement(out, *ops.element, use);
      out += '}';
      if (spec.items_max > 0) out += fmt::format(",\"maxItems\":{}", spec.items_max);
      return;
    case Shape::Optional:
      if (use == SchemaUse::Input) {
        AppendElement(out, *ops.element, use);
        return;
      }
      out += "\"anyOf\":[{";
      AppendElement(out, *ops.element, use);
      out += "},{\"type\":\"null\"}]";
      return;
  }
}

}  // namespace

std::string SchemaOfSlot(Slot slot, SchemaUse use) {
  std::string out = "{";
  AppendObject(out, slot, use);
  out += '}';
  return out;
}

}  // namespace schemaward::json
