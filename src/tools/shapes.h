#pragma once

// Shapes and bounds that several tools share.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/call_context.h"
#include "catalog/catalog.h"
#include "json/fields.h"
#include "json/write.h"
#include "tool/cursor.h"
#include "tools/names.h"
#include "tools/services.h"

namespace schemaward::tools {

/// How much an answer holds. [R-SIZE-1]
enum class Format : std::uint8_t { Concise, Detailed };

constexpr std::size_t kAnswerMax = 40'000;  ///< characters of an answer. [R-SIZE-1]
constexpr std::size_t kDataMax = 36'000;    ///< of its data; the rest is the envelope's
constexpr std::size_t kConciseComment = 160;
constexpr std::size_t kDetailedComment = 1'000;
constexpr std::size_t kNameMax = 400;  ///< bytes of a qualified name in an argument
constexpr std::size_t kCursorMax = 4'096;

/// Returns `text` as data for a reader: control and bidirectional characters gone, blanks single,
/// at most `most` bytes, cut at a character and marked with "...".
std::string CleanText(std::string_view text, std::size_t most);

/// The same of what a definition says in a word or two: a unit, an owner, a synonym.
std::string CleanWord(std::string_view text);
std::vector<std::string> CleanWords(const std::vector<std::string>& texts);

/// A foreign key as answers show it.
struct ForeignKeyOut {
  std::string name;
  std::vector<std::string> source_columns;
  std::string target_qualified_name;
  std::vector<std::string> target_columns;
  std::string on_update, on_delete;
  void Bind(json::Fields& f);
};

/// A foreign key that points at the described table.
struct IncomingKeyOut {
  std::string name;
  std::string source_qualified_name;
  std::vector<std::string> source_columns;
  std::vector<std::string> target_columns;
  void Bind(json::Fields& f);
};

ForeignKeyOut ShowForeignKey(const catalog::ForeignKey& key);
/// Edges as they are shown, in their order.
std::vector<IncomingKeyOut> ShowIncoming(const std::vector<store::KeyEdge>& edges);

/// Returns {"qualified_name":...,"source":...}, the source only where it is given: what the
/// describing tools take.
std::string NameArguments(const std::string& qualified_name,
                          const std::optional<std::string>& source);

/// Returns the error of a name that was not found with its next call: `corrected` when the nearest
/// name is close, else a search.
Error WithNextCall(Error error, std::string_view wrong, std::string_view tool,
                   const std::optional<std::string>& corrected_args);

/// Adds to UnknownSource the same call with the nearest source. `in` is the tool's input.
template <class In>
Error MendSource(Error error, std::string_view tool, In in) {
  if (error.kind() != ErrorKind::UnknownSource || error.recovery().fuzzy_matches.empty())
    return error;
  in.source = error.recovery().fuzzy_matches.front();
  error.Suggest(std::string(tool), json::WriteArguments(in));
  return error;
}

/// Appends show(i) to `rows` for each i from `begin` while the answer has room; the first always
/// fits. `bytes`: what the answer's data holds already. Returns the first that was left out, or
/// `end`. [R-SIZE-1]
template <class Row, class Show>
std::size_t AddWhileRoom(std::size_t begin, std::size_t end, std::size_t bytes,
                         std::vector<Row>& rows, const Show& show) {
  for (std::size_t i = begin; i < end; ++i) {
    Row row = show(i);
    bytes += json::Write(row).size() + 1;
    if (bytes > kDataMax && i > begin) return i;
    rows.push_back(std::move(row));
  }
  return end;
}

/// One page of a list: where it starts, and how its cursors are sealed.
class Page {
 public:
  /// `args_json`: the call's arguments without the cursor. Errors: InvalidCursor and StaleCursor,
  /// with the call from the start.
  static Result<Page> Open(const Services& services, const CallContext& ctx, std::string_view tool,
                           const std::string& args_json, const std::optional<std::string>& cursor,
                           std::int64_t generation);
  /// Empty at the start.
  const std::string& position() const { return position_; }
  /// The position as a number of items that were given before; 0 at the start.
  std::size_t offset() const;
  std::string Seal(std::string position) const;

 private:
  tool::CursorState State() const;

  std::string key_;
  std::string tool_, args_json_, principal_;
  std::int64_t generation_ = 0;
  std::string position_;
};

}  // namespace schemaward::tools

template <>
struct schemaward::json::EnumNames<schemaward::tools::Format> {
  static constexpr std::array<std::string_view, 2> kNames = {"concise", "detailed"};
};
