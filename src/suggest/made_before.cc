#include "suggest/made_before.h"

namespace schemaward::suggest {

void Digest::Mix(std::string_view bytes) {
  constexpr std::uint64_t kPrime = 0x100000001b3U;
  for (const char c : bytes) {
    value_ ^= static_cast<unsigned char>(c);
    value_ *= kPrime;
  }
}

Digest& Digest::Add(std::int64_t number) {
  char bytes[sizeof number];
  for (std::size_t i = 0; i < sizeof number; ++i)
    bytes[i] = static_cast<char>((static_cast<std::uint64_t>(number) >> (8U * i)) & 0xFFU);
  Mix({bytes, sizeof number});
  return *this;
}

Digest& Digest::Add(std::string_view text) {
  Add(static_cast<std::int64_t>(text.size()));
  Mix(text);
  return *this;
}

Digest& Digest::Add(const std::vector<std::string>& texts) {
  Add(static_cast<std::int64_t>(texts.size()));
  for (const std::string& text : texts) Add(std::string_view(text));
  return *this;
}

void NameClaim::Bind(json::Fields& f) {
  f("kind", kind, "entity, join or metric");
  f("name", name, "the name it has");
  f("asked", asked, "the one it asked for, where another had that");
  f("is_draft", is_draft, "whether it is a draft of ours");
}

void TableDrafts::Bind(json::Fields& f) {
  f("table", table, "qualified name");
  f("inputs", inputs, "digest of what its drafts follow from");
  f("claims", claims, "the names of its drafts");
}

void MadeStamp::Bind(json::Fields& f) {
  f("base", base, "digest of what concerns every table");
  f("inputs", inputs, "digest of all inputs");
  f("kept", kept, "definitions that are no drafts of ours");
  f("entities", entities, "drafts of entities");
  f("joins", joins, "drafts of joins");
  f("metrics", metrics, "drafts of metrics");
  f("tables_left_out", tables_left_out, "tables past the bound");
}

void MadeBody::Bind(json::Fields& f) { f("tables", tables, "what came of each table"); }

std::int64_t TableDigest(const catalog::Table& table, std::int64_t shape) {
  Digest digest;
  digest.Add(table.schema).Add(table.name).Add(shape);
  for (const catalog::Column& column : table.columns)
    if (!column.verdicts.empty()) digest.Add(column.name).Add(column.verdicts);
  return digest.value();
}

std::int64_t InputsDigest(std::int64_t base, const std::vector<std::int64_t>& table_digests,
                          const std::vector<querylog::ObservedJoin>& observed) {
  Digest digest;
  digest.Add(base).Add(static_cast<std::int64_t>(table_digests.size()));
  for (const std::int64_t table : table_digests) digest.Add(table);
  for (const querylog::ObservedJoin& join : observed)
    digest.Add(join.table)
        .Add(join.columns)
        .Add(join.target)
        .Add(join.target_columns)
        .Add(join.observations)
        .Add(join.calls);
  return digest.value();
}

}  // namespace schemaward::suggest
