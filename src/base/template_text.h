#pragma once

// Texts with holes: {{NAME}} is filled, {{#NAME}}...{{/NAME}} stands only where NAME has a text.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace schemaward {

/// What fills holes, by name.
using HoleTexts = std::map<std::string, std::string, std::less<>>;

/// A template, read once. Names are capitals, digits and underscores; sections hold no sections.
/// Thread: immutable, any.
class TemplateText {
 public:
  /// A named place, in the order of the text.
  struct Hole {
    std::string name;
    std::size_t line = 0;  ///< from 1
    bool is_section = false;
  };

  /// An empty text.
  TemplateText() = default;
  /// `what` is what an error calls it. Errors: InputUnreadable, with the line, for a hole whose
  /// name is not one, a section that does not end or ends twice, and one inside another.
  static Result<TemplateText> Parse(std::string_view text, std::string_view what);

  const std::vector<Hole>& holes() const { return holes_; }
  bool HasSection(std::string_view name) const;
  /// Returns the text with its holes filled; those that `texts` does not name are empty. What is
  /// filled in is not read again: holes in it are plain text.
  std::string Fill(const HoleTexts& texts) const;

 private:
  enum class Kind : std::uint8_t { Text, Hole, Open, Close };
  struct Part {
    Kind kind = Kind::Text;
    std::string text;  ///< the words, or the name
  };
  Status Add(std::string_view tag, std::size_t line, std::string_view what, std::string& open);

  std::vector<Part> parts_;
  std::vector<Hole> holes_;
};

}  // namespace schemaward
