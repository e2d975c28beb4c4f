#pragma once

// What an import or export gives, and what it could not carry.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "json/fields.h"
#include "semantic/definitions.h"

namespace schemaward::interchange {

/// Something that did not come over as it was.
struct Loss {
  std::string object;    ///< "metric revenue"
  std::string member;    ///< what of it: "fill_nulls_with"; empty: the whole
  std::string reason;    ///< one line
  bool dropped = false;  ///< the object is left out, since without the member it would mean
                         ///< something else
  void Bind(json::Fields& f);
  bool operator==(const Loss&) const = default;
};

/// Losses that are listed; one more says that there are others.
inline constexpr std::size_t kLossesMax = 5'000;

/// A list that bounds itself and shows each loss once, in the order in which they were found.
class Losses {
 public:
  void Add(std::string object, std::string member, std::string reason);
  /// The object is left out.
  void Drop(std::string object, std::string member, std::string reason);
  const std::vector<Loss>& list() const { return list_; }
  std::vector<Loss> Take() { return std::move(list_); }

 private:
  void Put(Loss loss);
  std::vector<Loss> list_;
};

/// What a file of another program becomes.
struct Imported {
  semantic::Definitions definitions;  ///< each list sorted by name
  std::vector<Loss> losses;
};

/// What definitions become in another program's format.
struct Exported {
  std::string text;  ///< one document
  std::vector<Loss> losses;
};

/// Sorts each list by name.
void Sort(semantic::Definitions& definitions);

/// Leaves out metrics that use one which is not there, and whatever uses those; joins of entities
/// that are not there too. Each is a loss.
void DropWhatHangs(semantic::Definitions& definitions, Losses& losses);

}  // namespace schemaward::interchange
