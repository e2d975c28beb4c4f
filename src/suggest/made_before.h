#pragma once

// What the drafts of a source were made of, as the store keeps it: enough to tell which of them
// another run would make again alike. docs/suggest.md says what that saves.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "catalog/catalog.h"
#include "json/fields.h"
#include "querylog/evidence.h"
#include "store/definitions.h"

namespace schemaward::suggest {

/// A hash of what drafts follow from: 64-bit FNV-1a, each part with its length before it. It tells
/// an input from its own earlier self, as the hashes of tables in the store do.
class Digest {
 public:
  Digest& Add(std::string_view text);
  Digest& Add(std::int64_t number);
  Digest& Add(const std::vector<std::string>& texts);
  std::int64_t value() const { return static_cast<std::int64_t>(value_); }

 private:
  void Mix(std::string_view bytes);
  std::uint64_t value_ = 0xcbf29ce484222325U;
};

/// A name that a draft asked for, and the one that it has.
struct NameClaim {
  std::int64_t kind = 0;  ///< store::DefinitionKind
  std::string name;
  std::string asked;     ///< empty where it is `name`
  bool is_draft = true;  ///< false: it was taken for something that is no draft of ours
  store::DefinitionKind Kind() const { return static_cast<store::DefinitionKind>(kind); }
  void Bind(json::Fields& f);
};

/// What came of one table: its entity, the joins that leave from it, its metrics.
struct TableDrafts {
  std::string table;        ///< qualified
  std::int64_t inputs = 0;  ///< digest of all that its drafts follow from
  std::vector<NameClaim> claims;
  void Bind(json::Fields& f);
};

/// What all drafts of a source follow from, and what they came to.
struct MadeStamp {
  std::int64_t base = 0;    ///< digest of what concerns every table: rules, policy, options
  std::int64_t inputs = 0;  ///< of all inputs but the definitions that are kept
  std::int64_t kept = 0;    ///< definitions that were no drafts of ours
  std::int64_t entities = 0, joins = 0, metrics = 0;
  std::int64_t tables_left_out = 0;
  void Bind(json::Fields& f);
};

struct MadeBody {
  std::vector<TableDrafts> tables;  ///< sorted as the tables of the index
  void Bind(json::Fields& f);
};

/// Raise it when the same inputs make other drafts than before: all are then made again.
inline constexpr std::int64_t kRulesVersion = 1;

/// Digest of a table's declarations and verdicts. `shape`: as store::HashOf gives it.
std::int64_t TableDigest(const catalog::Table& table, std::int64_t shape);

/// Digest of everything: `base`, the tables and what queries show.
std::int64_t InputsDigest(std::int64_t base, const std::vector<std::int64_t>& table_digests,
                          const std::vector<querylog::ObservedJoin>& observed);

/// Calls `visit` with every name that was tried for the claim, the last is the one that it got.
template <class Visit>
void ForEachTried(const NameClaim& claim, const Visit& visit) {
  const std::string& asked = claim.asked.empty() ? claim.name : claim.asked;
  visit(asked);
  for (int n = 2; !claim.asked.empty(); ++n) {
    const std::string tried = asked + '_' + std::to_string(n);
    visit(tried);
    if (tried == claim.name) return;
  }
}

}  // namespace schemaward::suggest
