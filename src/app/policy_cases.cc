#include "app/policy_cases.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "catalog/catalog.h"
#include "json/access.h"

namespace schemaward::app {
namespace {

using json::Member;
using json::TextOf;
using json::Value;

constexpr std::array<std::string_view, 6> kAsks = {"call",  "tool",   "column",
                                                   "table", "entity", "metric"};

std::string WordOf(privacy::Access access) {
  switch (access) {
    case privacy::Access::Allowed:
      return "allowed";
    case privacy::Access::NotListed:
      return "allowlist_violation";
    case privacy::Access::Denied:
      return "policy_blocked";
  }
  return "policy_blocked";
}

// The actions of an allowance as a policy file writes them, joined by +.
std::string WordOf(const privacy::Allowance& allowance) {
  if (allowance.plain) return "allow";
  std::string words;
  const auto add = [&](bool is_so, const std::string& word) {
    if (is_so) words += (words.empty() ? "" : "+") + word;
  };
  add(allowance.masked, "mask");
  add(allowance.predicate, "allow_in_predicate");
  add(allowance.aggregate, fmt::format("allow_aggregate({})", allowance.group_min));
  return words.empty() ? "refuse" : words;
}

Principal CallerOf(const Value& caller) {
  Principal principal;
  if (auto id = TextOf(caller, "principal"); !id.empty()) principal.id = std::move(id);
  principal.client = TextOf(caller, "client");
  if (auto transport = TextOf(caller, "transport"); !transport.empty())
    principal.transport = std::move(transport);
  principal.scopes = json::TextsOf(Member(caller, "scopes"));
  if (const Value& claims = Member(caller, "claims"); claims.is_object())
    for (const auto& [name, value] : claims.items())
      if (value.is_string()) principal.claims[name] = value.get<std::string>();
  return principal;
}

struct Place {
  std::string schema, table, column;
};

// [schema.]table[.column]; `parts` is how many there are without the schema.
std::optional<Place> PlaceOf(const std::string& name, std::size_t parts) {
  std::vector<std::string> words = catalog::SplitName(name);
  if (words.size() == parts) words.insert(words.begin(), "");
  if (words.size() != parts + 1) return std::nullopt;
  return Place{words[0], words[1], parts == 2 ? words[2] : ""};
}

std::optional<std::string> JudgeColumn(const privacy::Policy& policy, const Value& asked) {
  const auto place = PlaceOf(TextOf(asked, "column"), 2);
  if (!place) return std::nullopt;
  catalog::Table table;
  table.schema = place->schema;
  table.name = place->table;
  catalog::Column column;
  column.name = place->column;
  column.type = TextOf(asked, "type");
  column.comment = TextOf(asked, "comment");
  column.tags = json::TextsOf(Member(asked, "tags"));
  return WordOf(policy.RuleOf(table, column).allowance);
}

std::optional<std::string> JudgeTable(const privacy::CallerPolicy& caller, const Value& asked) {
  const auto place = PlaceOf(TextOf(asked, "table"), 1);
  if (!place) return std::nullopt;
  return WordOf(caller.OfTable(place->schema, place->table));
}

// A word for what comes of one case; nothing where a name in it is no name.
Result<std::optional<std::string>> Judge(const privacy::Policy& policy, const MakeCall& call,
                                         const Value& asked, const std::string& what) {
  const Principal principal = CallerOf(Member(asked, "caller"));
  const privacy::CallerPolicy caller = policy.For(principal);
  if (what == "column") return JudgeColumn(policy, asked);
  if (what == "table") return JudgeTable(caller, asked);
  if (what == "entity") return std::optional(WordOf(caller.OfEntity(TextOf(asked, what))));
  if (what == "metric") return std::optional(WordOf(caller.OfMetric(TextOf(asked, what))));
  if (what == "tool")
    return std::optional<std::string>(caller.AllowsTool(TextOf(asked, what), TextOf(asked, "set"))
                                          ? "allowed"
                                          : "policy_blocked");
  const Value& made = Member(asked, "call");
  WARD_TRY(std::string word, call(principal, TextOf(made, "tool"), Member(made, "args")));
  return std::optional(std::move(word));
}

bool IsOneOf(std::string_view word, std::string_view words) {
  for (std::size_t begin = 0; begin <= words.size();) {
    const std::size_t end = std::min(words.find('|', begin), words.size());
    if (words.substr(begin, end - begin) == word) return true;
    begin = end + 1;
  }
  return false;
}

constexpr std::string_view kShape =
    R"(Write one object a line, as {"column": "main.customer.email", "expect": "refuse"}.)";

Error LineError(std::int64_t line, std::string_view what) {
  return {ErrorKind::InputUnreadable, fmt::format("line {}: {}", line, what)};
}

Error NoCase(std::int64_t line, std::string_view what) {
  return std::move(LineError(line, what).Hint(kShape));
}

Result<PolicyCase> RunCase(std::int64_t line, std::string_view text, const privacy::Policy& policy,
                           const MakeCall& call) {
  const auto parsed = json::Parse(text);
  if (!parsed || !parsed->value().is_object()) return NoCase(line, "this is no JSON object");
  const Value& asked = parsed->value();
  PolicyCase one{line, TextOf(asked, "name"), TextOf(asked, "expect"), "", false};
  std::string what;
  for (const std::string_view ask : kAsks)
    if (what.empty() && !Member(asked, ask).is_null()) what = ask;
  if (what.empty() || one.expected.empty())
    return NoCase(line,
                  "a case needs expect, and one of call, tool, column, table, entity and metric");
  if (one.name.empty())
    one.name =
        what + ' ' + (what == "call" ? TextOf(Member(asked, "call"), "tool") : TextOf(asked, what));
  WARD_TRY(auto got, Judge(policy, call, asked, what));
  if (!got)
    return LineError(line, fmt::format("\"{}\" is no name of a {}", TextOf(asked, what), what));
  one.got = *std::move(got);
  one.passed = IsOneOf(one.got, one.expected);
  return one;
}

}  // namespace

Result<std::vector<PolicyCase>> RunPolicyCases(std::string_view text, const privacy::Policy& policy,
                                               const MakeCall& call) {
  std::vector<PolicyCase> cases;
  std::int64_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos || line.front() == '#') continue;
    if (cases.size() == kPolicyCasesMax) return LineError(number, "there are too many cases");
    WARD_TRY(PolicyCase one, RunCase(number, line, policy, call));
    cases.push_back(std::move(one));
  }
  if (cases.empty())
    return Error(ErrorKind::InputUnreadable, "the file holds no cases").Hint(kShape);
  return cases;
}

}  // namespace schemaward::app
