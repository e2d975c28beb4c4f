#include "json/read.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/text_distance.h"

namespace schemaward::json {
namespace {

using What = Problem::What;

constexpr std::size_t kRenameDistanceMax =
    3;  // a key farther than this from every allowed one is dropped, not renamed

std::string Join(std::string_view path, std::string_view name) {
  return path.empty() ? std::string(name) : fmt::format("{}.{}", path, name);
}

std::vector<std::string> NearestFirst(std::string_view wrong, std::vector<std::string> names) {
  std::stable_sort(names.begin(), names.end(), [&](const std::string& a, const std::string& b) {
    return EditDistance(wrong, a) < EditDistance(wrong, b);
  });
  return names;
}

std::string_view ShapeName(const SlotOps& ops) {
  switch (ops.shape) {
    case Shape::Bool:
      return "a boolean";
    case Shape::Int:
      return "an integer";
    case Shape::Double:
      return "a number";
    case Shape::String:
    case Shape::Enum:
      return "a string";
    case Shape::Raw:
      return "a JSON value";
    case Shape::Object:
      return "an object";
    case Shape::List:
      return "an array";
    case Shape::Optional:
      return ShapeName(*ops.element);
  }
  return "a value";
}

// Reads one value. Returns the value as it should have been where that is known, so that a repaired
// call can be built.
class Reader {
 public:
  explicit Reader(std::vector<Problem>& problems) : problems_(problems) {}

  // Returns the repaired value; discarded where it cannot be mended.
  Value Read(const Value& given, Slot slot, const FieldSpec& spec, const std::string& path) {
    const SlotOps& ops = *slot.ops;
    switch (ops.shape) {
      case Shape::Optional:
        return Read(given, Slot{ops.emplace(slot.value), ops.element}, spec, path);
      case Shape::Object:
        return ReadObject(Spelled(Unwrapped(given, Value::value_t::object), spec), slot, path,
                          Value::object());
      case Shape::List:
        return ReadList(given, slot, spec, path);
      case Shape::Raw:
        static_cast<Raw*>(slot.value)->text = Canonical(given);
        return given;
      case Shape::Enum:
        return ReadEnum(given, slot, path);
      case Shape::String:
        return ReadString(given, slot, spec, path);
      case Shape::Bool:
        return ReadBool(given, slot, path);
      case Shape::Int:
        return ReadInt(given, slot, spec, path);
      case Shape::Double:
        return ReadDouble(given, slot, path);
    }
    return given;
  }

  Value ReadObject(const Value& given, Slot slot, const std::string& path, const Value& example);

 private:
  // A string that holds JSON of the wanted type counts as that value.
  static Value Unwrapped(const Value& given, Value::value_t wanted) {
    if (!given.is_string() || wanted == Value::value_t::string) return given;
    auto inner = Parse(given.get_ref<const std::string&>());
    if (!inner) return given;
    const Value& value = inner->value();
    const bool numbers = wanted == Value::value_t::number_float && value.is_number();
    return value.type() == wanted || numbers ? value : given;
  }

  // A plain string in an object's place stands for the object whose shorthand member it is.
  static Value Spelled(Value given, const FieldSpec& spec) {
    if (!given.is_string() || spec.shorthand.empty()) return given;
    Value object = Value::object();
    object[std::string(spec.shorthand)] = std::move(given);
    return object;
  }

  Value Mistyped(const Value& given, const SlotOps& ops, const std::string& path) {
    problems_.push_back({What::Mistyped,
                         path,
                         path.empty() ? fmt::format("the arguments must be {}, not {}",
                                                    ShapeName(ops), given.type_name())
                                      : fmt::format("argument \"{}\" must be {}, not {}", path,
                                                    ShapeName(ops), given.type_name()),
                         {}});
    return Value(Value::value_t::discarded);
  }

  Value ReadBool(const Value& given, Slot slot, const std::string& path) {
    Value value = Unwrapped(given, Value::value_t::boolean);
    if (!value.is_boolean()) return Mistyped(given, *slot.ops, path);
    *static_cast<bool*>(slot.value) = value.get<bool>();
    return value;
  }

  Value ReadInt(const Value& given, Slot slot, const FieldSpec& spec, const std::string& path) {
    Value value = Unwrapped(given, Value::value_t::number_float);
    std::int64_t number = 0;
    constexpr double kLimit = 9.2e18;  // just inside 64 bits
    if (value.is_number_unsigned()) {
      const auto large = value.get<std::uint64_t>();
      if (large > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
        return Mistyped(given, *slot.ops, path);
      number = static_cast<std::int64_t>(large);
    } else if (value.is_number_integer()) {
      number = value.get<std::int64_t>();
    } else if (value.is_number_float() && std::trunc(value.get<double>()) == value.get<double>() &&
               std::abs(value.get<double>()) < kLimit) {
      number = static_cast<std::int64_t>(value.get<double>());
    } else {
      return Mistyped(given, *slot.ops, path);
    }
    const std::int64_t bounded =
        std::min(std::max(number, spec.minimum.value_or(number)),
                 spec.maximum.value_or(std::max(number, spec.minimum.value_or(number))));
    if (bounded != number)
      problems_.push_back(
          {What::OutOfRange,
           path,
           fmt::format("argument \"{}\" must be from {} to {}, not {}", path,
                       spec.minimum.value_or(0),
                       spec.maximum ? fmt::format("{}", *spec.maximum) : "any", number),
           {},
           spec.minimum && spec.maximum
               ? fmt::format("{} must be between {} and {}", path, *spec.minimum, *spec.maximum)
               : std::string()});
    *static_cast<std::int64_t*>(slot.value) = bounded;
    return Value(bounded);
  }

  Value ReadDouble(const Value& given, Slot slot, const std::string& path) {
    Value value = Unwrapped(given, Value::value_t::number_float);
    if (!value.is_number()) return Mistyped(given, *slot.ops, path);
    *static_cast<double*>(slot.value) = value.get<double>();
    return value;
  }

  Value ReadString(const Value& given, Slot slot, const FieldSpec& spec, const std::string& path) {
    if (!given.is_string()) return Mistyped(given, *slot.ops, path);
    const auto& text = given.get_ref<const std::string&>();
    if (spec.length_max > 0 && text.size() > spec.length_max) {
      problems_.push_back({What::OutOfRange,
                           path,
                           fmt::format("argument \"{}\" has {} bytes, more than the {} allowed",
                                       path, text.size(), spec.length_max),
                           {}});
      return Value(Value::value_t::discarded);
    }
    *static_cast<std::string*>(slot.value) = text;
    return given;
  }

  Value ReadEnum(const Value& given, Slot slot, const std::string& path) {
    if (!given.is_string()) return Mistyped(given, *slot.ops, path);
    const auto& word = given.get_ref<const std::string&>();
    const auto& names = slot.ops->names;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i] != word) continue;
      slot.ops->set_index(slot.value, i);
      return given;
    }
    const auto allowed = NearestFirst(word, {names.begin(), names.end()});
    problems_.push_back(
        {What::NotAllowed, path,
         fmt::format("argument \"{}\" must be one of {}", path, fmt::join(names, ", ")), allowed});
    return Value(allowed.front());
  }

  Value ReadList(const Value& given, Slot slot, const FieldSpec& spec, const std::string& path) {
    Value value = Unwrapped(given, Value::value_t::array);
    const Shape element = slot.ops->element->shape;
    const bool one_string =
        value.is_string() && (element == Shape::String || !spec.shorthand.empty());
    if (one_string || (value.is_object() && element == Shape::Object))
      value = Value::array({value});
    if (!value.is_array()) return Mistyped(given, *slot.ops, path);
    if (spec.items_max > 0 && value.size() > spec.items_max) {
      problems_.push_back({What::OutOfRange,
                           path,
                           fmt::format("argument \"{}\" has {} items, more than the {} allowed",
                                       path, value.size(), spec.items_max),
                           {}});
      value.erase(value.begin() + static_cast<std::ptrdiff_t>(spec.items_max), value.end());
    }
    Value repaired = Value::array();
    for (std::size_t i = 0; i < value.size(); ++i) {
      const Value item = Read(value[i], Slot{slot.ops->append(slot.value), slot.ops->element},
                              {.shorthand = spec.shorthand}, fmt::format("{}[{}]", path, i));
      if (!item.is_discarded()) repaired.push_back(item);
    }
    return repaired;
  }

  std::vector<Problem>& problems_;
};

// Collects the members that Bind lists.
class Lister final : public Fields {
 public:
  std::vector<Field> fields;

 protected:
  void Visit(const Field& field) override { fields.push_back(field); }
};

std::vector<Field> ListFields(Slot slot) {
  Lister lister;
  slot.ops->bind(slot.value, lister);
  return std::move(lister.fields);
}

// The one required member that `given` lacks; empty where it lacks none, or several.
std::string OnlyMissing(const std::vector<Field>& fields, const Value& given) {
  std::string missing;
  for (const Field& field : fields) {
    const std::string name(field.name);
    if (!field.spec.required || (given.contains(name) && !given[name].is_null())) continue;
    if (!missing.empty()) return {};
    missing = name;
  }
  return missing;
}

Value Reader::ReadObject(const Value& given, Slot slot, const std::string& path,
                         const Value& example) {
  if (!given.is_object()) return Mistyped(given, *slot.ops, path);
  const std::vector<Field> fields = ListFields(slot);
  Value repaired = Value::object();
  for (const Field& field : fields) {
    const std::string name(field.name);
    const auto found = given.find(name);
    const bool absent = found == given.end() || found->is_null();
    Value mended(Value::value_t::discarded);
    if (!absent) mended = Read(*found, field.slot, field.spec, Join(path, name));
    if (absent && field.spec.required)
      problems_.push_back({What::Missing,
                           Join(path, name),
                           fmt::format("argument \"{}\" is required", Join(path, name)),
                           {}});
    const bool needs_example =
        mended.is_discarded() && field.spec.required && example.contains(name);
    if (needs_example) mended = example[name];
    if (!mended.is_discarded()) repaired[name] = std::move(mended);
  }
  const std::string only_missing = OnlyMissing(fields, given);
  std::vector<std::string> allowed;
  allowed.reserve(fields.size());
  for (const Field& field : fields) allowed.emplace_back(field.name);
  for (const auto& [key, value] : given.items()) {
    if (std::find(allowed.begin(), allowed.end(), key) != allowed.end()) continue;
    const auto near = NearestFirst(key, allowed);
    problems_.push_back({What::NotKnown, Join(path, key),
                         fmt::format("argument \"{}\" is not known; allowed: {}", Join(path, key),
                                     fmt::join(allowed, ", ")),
                         near});
    if (near.empty() || value.is_null()) continue;
    // A far name stands for the one required member that is missing: {"table": ...} for
    // qualified_name.
    const bool is_near = EditDistance(key, near.front()) <= kRenameDistanceMax;
    const std::string meant = is_near ? near.front() : only_missing;
    const bool was_given = meant.empty() || (given.contains(meant) && !given[meant].is_null());
    if (!was_given) repaired[meant] = value;
  }
  return repaired;
}

// Renamed keys carry values that were never checked against their new member: reads the repair
// again, and drops what fails.
std::string Settle(Value repaired, Slot fresh, const Value& example) {
  constexpr int kRounds = 3;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<Problem> problems;
    Reader reader(problems);
    const std::shared_ptr<void> scratch = fresh.ops->make();
    Value next = reader.ReadObject(repaired, Slot{scratch.get(), fresh.ops}, "", example);
    if (problems.empty()) return Canonical(repaired);
    repaired = std::move(next);
  }
  return Canonical(example);
}

}  // namespace

ReadReport ReadSlot(const Value& args, Slot slot, std::string_view example_json) {
  ReadReport report;
  Reader reader(report.problems);
  const auto parsed = Parse(example_json);
  const Value example = parsed ? parsed->value() : Value::object();
  const Value given = args.is_null() ? Value::object() : args;
  const Value repaired = reader.ReadObject(given, slot, "", example);
  if (report.problems.empty()) return report;
  report.repaired = Settle(repaired.is_discarded() ? example : repaired, slot, example);
  return report;
}

std::vector<std::string> MemberNames(Slot slot) {
  std::vector<std::string> names;
  for (const Field& field : ListFields(slot)) names.emplace_back(field.name);
  return names;
}

}  // namespace schemaward::json
