// ToText: a policy as one text, the same for equal policies.

#include <fmt/format.h>

#include "privacy/policy_data.h"

namespace schemaward::privacy {
namespace {

// Lengths stand before texts, so that no text can be read as another.
std::string Field(std::string_view text) { return fmt::format("{}:{};", text.size(), text); }

std::string Fields(const std::vector<std::string>& texts) {
  std::string out = fmt::format("{}[", texts.size());
  for (const std::string& text : texts) out += Field(text);
  return out + ']';
}

std::string TextOf(const Allowance& a) {
  return fmt::format("{}{}{}{}/{}", a.plain ? 'p' : '-', a.masked ? 'm' : '-',
                     a.predicate ? 'w' : '-', a.aggregate ? 'a' : '-', a.group_min);
}

std::string TextOf(const ActionLayer& layer) {
  std::string out = "layer";
  if (layer.profile) out += fmt::format(" profile={}", NameOf(*layer.profile));
  for (const SourceProfile& one : layer.sources)
    out += fmt::format(" {}={}", Field(one.source), NameOf(one.profile));
  if (layer.hide_names) out += fmt::format(" hide_names={}", *layer.hide_names);
  for (std::size_t i = 0; i < kCategoryCount; ++i)
    if (layer.categories[i])
      out += fmt::format(" {}={}", NameOf(static_cast<Category>(i)), TextOf(*layer.categories[i]));
  return out + '\n';
}

std::string TextOf(std::string_view word, const std::vector<ColumnOverride>& overrides) {
  std::string out;
  for (const ColumnOverride& override : overrides) {
    out += fmt::format("{} {} {}", word, Field(override.column), NameOf(override.sensitivity));
    for (const Category category : override.categories) out += fmt::format(" {}", NameOf(category));
    out += fmt::format(" {}\n", Field(override.reason));
  }
  return out;
}

std::string TextOf(const NameLists& lists) {
  return Fields(lists.schemas) + Fields(lists.tables) + Fields(lists.entities) +
         Fields(lists.metrics);
}

std::string TextOf(const Limits& limits) {
  std::string out = "limits";
  for (const auto& limit : {limits.rows_max, limits.bytes_max, limits.time_ms_max,
                            limits.plan_cost_max, limits.plan_rows_max})
    out += limit ? fmt::format(" {}", *limit) : std::string(" -");
  return out + '\n';
}

std::string TextOf(const Session& session) {
  std::string out = "session " + Field(session.role);
  for (const auto& [name, value] : session.settings) out += Field(name) + Field(value);
  return out + '\n';
}

std::string TextOf(const Rules& rules) {
  std::string out;
  for (const NameLists& lists : rules.allow) out += "allow " + TextOf(lists) + '\n';
  out += "deny " + TextOf(rules.deny) + '\n';
  for (const RowFilter& filter : rules.row_filters)
    out += "filter " + Field(filter.table) + Field(filter.expression) + '\n';
  if (rules.session) out += TextOf(*rules.session);
  for (const SourceSession& one : rules.source_sessions)
    out += "source " + Field(one.source) + (one.session ? TextOf(*one.session) : "none\n");
  out += TextOf(rules.limits);
  for (const ToolLists& tools : rules.tools)
    out += "tools " + (tools.allow ? Fields(*tools.allow) : std::string("*")) + Fields(tools.deny) +
           '\n';
  return out;
}

}  // namespace

std::string ToText(const PolicyData& data) {
  std::string out = TextOf(data.first);
  for (const ActionLayer& layer : data.narrower) out += TextOf(layer);
  out += TextOf("override", data.overrides) + TextOf("addition", data.additions);
  out += TextOf(data.everyone);
  for (std::size_t i = 0; i < data.callers.size(); ++i) {
    const bool allows = i >= data.allow_unlisted.size() || data.allow_unlisted[i];
    out += fmt::format("callers unlisted={}\n", allows);
    for (const CallerRules& caller : data.callers[i])
      out += "caller " + Field(caller.match.principal) + Field(caller.match.client) +
             Field(caller.match.transport) + Field(caller.match.scope) + '\n' +
             TextOf(caller.rules);
  }
  return out;
}

}  // namespace schemaward::privacy
