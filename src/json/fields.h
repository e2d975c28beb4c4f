#pragma once

// Fields: a struct lists its members once, and reading, writing and the JSON Schema come from that
// one list.
//
//   struct In {
//     std::string qualified_name;
//     std::int64_t limit = 10;
//     void Bind(json::Fields& f) {
//       f("qualified_name", qualified_name, "schema.table", {.required = true});
//       f("limit", limit, "most hits to return", {.minimum = 1, .maximum = 200});
//     }
//   };
//
// The binding is erased to a Slot (pointer and table of functions) on purpose: a file that binds
// compiles in a fifth of the time that a template over a JSON library takes.

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace schemaward::json {

class Fields;

/// Any JSON value as text, spliced into what is written. Empty text is null.
struct Raw {
  std::string text;
};

/// Specialise with `static constexpr std::array kNames = {...}`: the wire words in the order of the
/// enum's values from 0.
template <class E>
struct EnumNames;

enum class Shape : std::uint8_t { Bool, Int, Double, String, Enum, Raw, Object, List, Optional };

/// What can be done with a value of one bound type. Members that a shape does not use are null.
struct SlotOps {
  Shape shape;
  void (*bind)(void*, Fields&) = nullptr;           // Object
  std::size_t (*size)(const void*) = nullptr;       // List
  void* (*at)(void*, std::size_t) = nullptr;        // List
  void* (*append)(void*) = nullptr;                 // List: adds a default element
  void* (*get)(void*) = nullptr;                    // Optional: null where empty
  void* (*emplace)(void*) = nullptr;                // Optional
  const SlotOps* element = nullptr;                 // List, Optional
  std::shared_ptr<void> (*make)() = nullptr;        // Object: a default value, for the schema
  std::span<const std::string_view> names{};        // Enum
  std::size_t (*index)(const void*) = nullptr;      // Enum
  void (*set_index)(void*, std::size_t) = nullptr;  // Enum
};

/// A value whose type is erased. Lifetime: the value's.
struct Slot {
  void* value;
  const SlotOps* ops;
};

/// Bounds and duties of a member.
struct FieldSpec {
  bool required = false;  ///< of an input; every output member is always present
  std::optional<std::int64_t> minimum{};
  std::optional<std::int64_t> maximum{};
  std::size_t items_max = 0;  ///< of a list; 0: no bound is published
  bool omit_empty = false;    ///< of an output: absent when null, false, or an empty string or list
  std::size_t length_max = 0;    ///< of a string, in bytes; 0: no bound is published
  std::string_view shorthand{};  ///< of an object, or a list of them: the member that a plain
                                 ///< string in its place is taken for; empty: a string is mistyped
};

struct Field {
  std::string_view name;
  std::string_view doc;
  FieldSpec spec;
  Slot slot;
};

template <class T>
const SlotOps* OpsOf();

/// The visitor that a Bind function is given.
class Fields {
 public:
  virtual ~Fields() = default;

  /// Lists one member. `name` and `doc` are literals.
  template <class T>
  void operator()(std::string_view name, T& value, std::string_view doc,
                  const FieldSpec& spec = {}) {
    Visit(Field{name, doc, spec, Slot{&value, OpsOf<T>()}});
  }

 protected:
  virtual void Visit(const Field& field) = 0;
};

namespace internal {

template <class T>
struct IsVector : std::false_type {};
template <class T>
struct IsVector<std::vector<T>> : std::true_type {};
template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};

template <class T>
SlotOps MakeOps() {
  SlotOps ops{};
  if constexpr (std::same_as<T, bool>) {
    ops.shape = Shape::Bool;
  } else if constexpr (std::same_as<T, std::int64_t>) {
    ops.shape = Shape::Int;
  } else if constexpr (std::same_as<T, double>) {
    ops.shape = Shape::Double;
  } else if constexpr (std::same_as<T, std::string>) {
    ops.shape = Shape::String;
  } else if constexpr (std::same_as<T, Raw>) {
    ops.shape = Shape::Raw;
  } else if constexpr (std::is_enum_v<T>) {
    ops.shape = Shape::Enum;
    ops.names = EnumNames<T>::kNames;
    ops.index = [](const void* p) { return static_cast<std::size_t>(*static_cast<const T*>(p)); };
    ops.set_index = [](void* p, std::size_t i) { *static_cast<T*>(p) = static_cast<T>(i); };
  } else if constexpr (IsVector<T>::value) {
    using Element = typename T::value_type;
    static_assert(!std::same_as<Element, bool>, "a list of bool has no addressable elements");
    ops.shape = Shape::List;
    ops.size = [](const void* p) { return static_cast<const T*>(p)->size(); };
    ops.at = [](void* p, std::size_t i) -> void* { return &(*static_cast<T*>(p))[i]; };
    ops.append = [](void* p) -> void* { return &static_cast<T*>(p)->emplace_back(); };
    ops.element = OpsOf<Element>();
  } else if constexpr (IsOptional<T>::value) {
    ops.shape = Shape::Optional;
    ops.get = [](void* p) -> void* {
      auto& optional = *static_cast<T*>(p);
      return optional ? &*optional : nullptr;
    };
    ops.emplace = [](void* p) -> void* { return &static_cast<T*>(p)->emplace(); };
    ops.element = OpsOf<typename T::value_type>();
  } else {
    ops.shape = Shape::Object;
    ops.bind = [](void* p, Fields& f) { static_cast<T*>(p)->Bind(f); };
    ops.make = []() -> std::shared_ptr<void> { return std::make_shared<T>(); };
  }
  return ops;
}

}  // namespace internal

/// Returns the operations of `T`. Lifetime: static; built at first use, since a list's table names
/// its element's.
template <class T>
const SlotOps* OpsOf() {
  static const SlotOps ops = internal::MakeOps<T>();
  return &ops;
}

/// Returns `value` as a slot. Writing and describing do not change it.
template <class T>
Slot SlotOf(T& value) {
  using Plain = std::remove_const_t<T>;
  return Slot{const_cast<Plain*>(&value),
              OpsOf<Plain>()};  // NOLINT(cppcoreguidelines-pro-type-const-cast):
                                // Bind is one function for both
}

}  // namespace schemaward::json
