#pragma once

// What the answers of the pattern family share: a question back to the caller, and Markdown.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "json/fields.h"
#include "json/value.h"
#include "tool/tool.h"

namespace schemaward::tools {

/// One value to choose.
struct ChoiceOut {
  std::string label, value, description, field;
  void Bind(json::Fields& f);
};

/// Which arguments are wanted, and what could stand in them.
struct NeedOut {
  std::vector<std::string> fields;
  std::string reason;
  json::Raw suggestions;  ///< an object: argument to values
  void Bind(json::Fields& f);
};

/// The members that every answer of the family may have. An answer with a `type` is a question
/// back (needsInput:v1), which is no error.
struct PatternAnswer {
  std::string kind;
  std::string type, message;
  std::optional<NeedOut> need;
  std::vector<ChoiceOut> options;
  void BindQuestion(json::Fields& f);
};

/// Values for one argument.
struct Suggestion {
  std::string field;
  std::vector<std::string> values;
};

/// Returns {"field":["value",...]}.
std::string SuggestionsJson(const std::vector<Suggestion>& suggestions);

/// Makes `answer` a question: `message` for people, `reason` in a few words; each suggested value
/// of a field in `choices` is an option too.
void Ask(PatternAnswer& answer, std::string message, std::string reason,
         std::vector<std::string> fields, const std::vector<Suggestion>& suggestions,
         const std::vector<std::string>& choices);

/// The question as Markdown.
std::string QuestionMarkdown(const PatternAnswer& answer);

/// Returns `text` cut at a word to at most `most` bytes, with "..." where it was cut.
std::string Abridged(std::string_view text, std::size_t most);

/// A heading of a Markdown text with its lines, between blank lines; nothing where there are none.
std::string ListMarkdown(std::string_view heading, const std::vector<std::string>& items);

/// A block of SQL, at most `lines_max` lines of it (0: all).
std::string SqlMarkdown(std::string_view sql, std::size_t lines_max);

}  // namespace schemaward::tools
