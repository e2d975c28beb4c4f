#pragma once

// Reads JSON into bound structs: strictly, after a few obvious spellings are taken for what they
// mean. [R-ARG-1]

#include <string>
#include <string_view>
#include <vector>

#include "json/fields.h"
#include "json/value.h"

namespace schemaward::json {

/// One thing wrong with what was given.
struct Problem {
  enum class What : std::uint8_t { NotKnown, Missing, Mistyped, OutOfRange, NotAllowed };
  What what;
  std::string path;                  ///< "filters[0].op"; empty for the whole
  std::string text;                  ///< one line: what is wrong and what is allowed
  std::vector<std::string> allowed;  ///< names or words, nearest first; may be empty
  std::string plain{};  ///< of a number out of range: "limit must be between 1 and 100"; else empty
};

/// What reading found. `repaired` is set where there are problems: the input with wrong names
/// replaced by the nearest allowed ones and what cannot be mended taken from the example or left
/// out; it reads without problems if the example does.
struct ReadReport {
  std::vector<Problem> problems;
  std::string repaired;
  bool ok() const { return problems.empty(); }
};

/// Reads the object `args` into `slot`, which holds the defaults. Null counts as absent; a JSON
/// text in a string is taken for the array, object, number or boolean that is declared; one string
/// where a list of strings is declared, or one object where a list of objects is, is a list of one;
/// a string where an object with a shorthand is declared is that member; 1e3 is an integer.
/// Anything else that does not fit is a problem. `example_json`: an object that reads without
/// problems, or "{}". Thread: any.
ReadReport ReadSlot(const Value& args, Slot slot, std::string_view example_json);

template <class T>
ReadReport Read(const Value& args, T& into, std::string_view example_json = "{}") {
  return ReadSlot(args, SlotOf(into), example_json);
}

/// Returns the member names of the object in `slot`, in Bind's order.
std::vector<std::string> MemberNames(Slot slot);

}  // namespace schemaward::json
