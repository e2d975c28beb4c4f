#include "pgparse/tree.h"

#include <cstdint>

#include <pg_query/pg_query.pb-c.h>

namespace schemaward::pgparse {
namespace {

template <class T>
const T& MemberAt(const ProtobufCMessage& message, unsigned offset) {
  return *reinterpret_cast<const T*>(reinterpret_cast<const std::uint8_t*>(&message) + offset);
}

bool VisitOne(const ProtobufCMessage* child, int depth, const NodeVisitor& visit) {
  if (child == nullptr) return true;
  if (depth > kTreeDepthMax) return false;
  if (child->descriptor == &pg_query__node__descriptor &&
      !visit(*reinterpret_cast<const Node*>(child), depth))
    return true;
  return VisitNodes(*child, depth, visit);
}

bool VisitField(const ProtobufCMessage& message, const ProtobufCFieldDescriptor& field, int depth,
                const NodeVisitor& visit) {
  if (field.type != PROTOBUF_C_TYPE_MESSAGE) return true;
  if (field.label != PROTOBUF_C_LABEL_REPEATED) {
    // The members of a oneof share their place; the case tells which of them is there.
    const bool is_oneof = (field.flags & PROTOBUF_C_FIELD_FLAG_ONEOF) != 0;
    if (is_oneof && MemberAt<std::uint32_t>(message, field.quantifier_offset) != field.id)
      return true;
    return VisitOne(MemberAt<const ProtobufCMessage*>(message, field.offset), depth + 1, visit);
  }
  const auto count = MemberAt<std::size_t>(message, field.quantifier_offset);
  const auto* children = MemberAt<const ProtobufCMessage* const*>(message, field.offset);
  bool whole = true;
  for (std::size_t i = 0; i < count; ++i) whole = VisitOne(children[i], depth + 1, visit) && whole;
  return whole;
}

}  // namespace

bool VisitNodes(const ProtobufCMessage& message, int depth, const NodeVisitor& visit) {
  bool whole = true;
  const ProtobufCMessageDescriptor& type = *message.descriptor;
  for (unsigned i = 0; i < type.n_fields; ++i)
    whole = VisitField(message, type.fields[i], depth, visit) && whole;
  return whole;
}

}  // namespace schemaward::pgparse
