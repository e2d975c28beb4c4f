#include "tools/shapes.h"

#include <charconv>
#include <utility>

#include "json/value.h"

namespace schemaward::tools {
namespace {

// Decodes the character at text[i]; returns its bytes, or 0 where they are not UTF-8.
std::size_t Decode(std::string_view text, std::size_t i, std::uint32_t& character) {
  const auto byte = [&](std::size_t k) { return static_cast<std::uint8_t>(text[k]); };
  const std::uint8_t lead = byte(i);
  if (lead < 0x80) {
    character = lead;
    return 1;
  }
  const std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 0;
  if (size == 0 || i + size > text.size()) return 0;
  character = lead & (0xFFU >> (size + 1));
  for (std::size_t k = 1; k < size; ++k) character = (character << 6U) | (byte(i + k) & 0x3FU);
  return size;
}

// Controls, and the characters that change the direction or hide: text from a database is data.
// Source: Unicode 15, Bidi_Control, the format characters around it and
// Default_Ignorable_Code_Point: selectors of variants (U+E0100 and on) carry whole texts unseen.
bool IsHidden(std::uint32_t c) {
  const auto in = [c](std::uint32_t first, std::uint32_t last) { return c >= first && c <= last; };
  return c < 0x20 || in(0x7F, 0x9F) || c == 0xAD || c == 0x034F || c == 0x061C ||
         in(0x115F, 0x1160) || in(0x17B4, 0x17B5) || in(0x180B, 0x180F) || in(0x200B, 0x200F) ||
         in(0x2028, 0x202E) || in(0x2060, 0x206F) || c == 0x3164 || in(0xFE00, 0xFE0F) ||
         c == 0xFEFF || c == 0xFFA0 || in(0xFFF0, 0xFFFB) || in(0x1BCA0, 0x1BCA3) ||
         in(0x1D173, 0x1D17A) || in(0xE0000, 0xE0FFF);
}

}  // namespace

std::string CleanText(std::string_view text, std::size_t most) {
  constexpr std::string_view kCut = "...";
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    std::uint32_t character = 0;
    const std::size_t size = Decode(text, i, character);
    const bool blank = size > 0 && (character == ' ' || character == '\n' || character == '\t' ||
                                    character == '\r');
    if (out.size() + size + kCut.size() > most) return out + std::string(kCut);
    if (blank && !out.empty() && out.back() != ' ') out += ' ';
    if (size > 0 && !blank && !IsHidden(character)) out.append(text, i, size);
    i += size > 0 ? size : 1;
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

std::string CleanWord(std::string_view text) {
  constexpr std::size_t kWordMax = 160;
  return CleanText(text, kWordMax);
}

std::vector<std::string> CleanWords(const std::vector<std::string>& texts) {
  std::vector<std::string> clean;
  clean.reserve(texts.size());
  for (const std::string& text : texts) clean.push_back(CleanWord(text));
  return clean;
}

void ForeignKeyOut::Bind(json::Fields& f) {
  f("name", name, "constraint name");
  f("source_columns", source_columns, "referring columns in order");
  f("target_qualified_name", target_qualified_name, "table referred to");
  f("target_columns", target_columns, "columns referred to, paired by position");
  f("on_update", on_update, "action when the target key changes", {.omit_empty = true});
  f("on_delete", on_delete, "action when the target row is deleted", {.omit_empty = true});
}

void IncomingKeyOut::Bind(json::Fields& f) {
  f("name", name, "constraint name");
  f("source_qualified_name", source_qualified_name, "referring table");
  f("source_columns", source_columns, "referring columns in order");
  f("target_columns", target_columns, "columns referred to, paired by position");
}

ForeignKeyOut ShowForeignKey(const catalog::ForeignKey& key) {
  return {key.name,
          key.columns,
          catalog::QualifiedName(key.target_schema, key.target_table),
          key.target_columns,
          key.on_update,
          key.on_delete};
}

std::string NameArguments(const std::string& qualified_name,
                          const std::optional<std::string>& source) {
  std::string out = "{\"qualified_name\":" + json::Quote(qualified_name);
  if (source && !source->empty()) out += ",\"source\":" + json::Quote(*source);
  return out + '}';
}

Error WithNextCall(Error error, std::string_view wrong, std::string_view tool,
                   const std::optional<std::string>& corrected_args) {
  if (error.recovery().call) return error;
  if (corrected_args && !error.recovery().fuzzy_matches.empty()) {
    error.Suggest(std::string(tool), *corrected_args);
  } else {
    error.Suggest("find_relevant_tables", "{\"query\":" + json::Quote(AsQuery(wrong)) + "}");
  }
  return error;
}

std::vector<IncomingKeyOut> ShowIncoming(const std::vector<store::KeyEdge>& edges) {
  std::vector<IncomingKeyOut> shown;
  for (const store::KeyEdge& edge : edges)
    shown.push_back({edge.key.name, catalog::QualifiedName(edge.from_schema, edge.from_name),
                     edge.key.columns, edge.key.target_columns});
  return shown;
}

Result<Page> Page::Open(const Services& services, const CallContext& ctx, std::string_view tool,
                        const std::string& args_json, const std::optional<std::string>& cursor,
                        std::int64_t generation) {
  Page page;
  WARD_TRY(page.key_, services.store.InstanceKey());
  page.tool_ = tool;
  page.args_json_ = args_json;
  page.principal_ = ctx.principal.id;
  page.generation_ = generation;
  if (!cursor || cursor->empty()) return page;
  auto position = tool::OpenCursor(page.key_, *cursor, page.State());
  if (!position) {
    Error error = std::move(position).error();
    error.Hint("Make the suggested call to start the list again.");
    error.Suggest(std::string(tool), args_json);
    return error;
  }
  page.position_ = *std::move(position);
  return page;
}

std::size_t Page::offset() const {
  std::size_t offset = 0;
  std::from_chars(position_.data(), position_.data() + position_.size(), offset);
  return offset;
}

// Made when a cursor comes or goes only: most answers have none, and a hash costs.
tool::CursorState Page::State() const {
  return {tool_, tool::HashArguments(args_json_), generation_, "", principal_};
}

std::string Page::Seal(std::string position) const {
  tool::CursorState state = State();
  state.position = std::move(position);
  return tool::SealCursor(key_, state);
}

}  // namespace schemaward::tools
