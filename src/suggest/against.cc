#include "suggest/against.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "json/value.h"
#include "text/fold.h"

namespace schemaward::suggest {
namespace {

/// Reads ["schema.table", "column"].
bool ReadEnd(const json::Value& line, const char* member, std::string& table, std::string& column) {
  if (!line.is_object() || !line.contains(member)) return false;
  const json::Value& end = line[member];
  if (!end.is_array() || end.size() != 2 || !end[0].is_string() || !end[1].is_string())
    return false;
  table = end[0].get<std::string>();
  column = end[1].get<std::string>();
  return true;
}

Result<ColumnLink> ReadLink(std::string_view line, std::size_t number) {
  const auto document = json::Parse(line);
  ColumnLink link;
  if (!document || !ReadEnd(document->value(), "from", link.table, link.column) ||
      !ReadEnd(document->value(), "to", link.target, link.target_column))
    return Error(ErrorKind::InvalidArgument, fmt::format("line {} is no pair of columns", number))
        .Hint(R"(Write each as {"from": ["main.orders", "customer_id"], "to": ["main.customers", )"
              R"("id"]}.)");
  return link;
}

/// Names without quotes and case, so that both sides spell alike.
void Normalize(std::vector<ColumnLink>& links) {
  const auto fold = [](std::string& name) {
    std::erase(name, '"');
    name = text::Fold(name);
  };
  for (ColumnLink& link : links)
    for (std::string* part : {&link.table, &link.column, &link.target, &link.target_column})
      fold(*part);
  std::sort(links.begin(), links.end());
  links.erase(std::unique(links.begin(), links.end()), links.end());
}

std::string Show(const ColumnLink& link) {
  return fmt::format("{}({}) -> {}({})", link.table, link.column, link.target, link.target_column);
}

std::vector<std::string> Without(const std::vector<ColumnLink>& some,
                                 const std::vector<ColumnLink>& others) {
  std::vector<ColumnLink> rest;
  std::set_difference(some.begin(), some.end(), others.begin(), others.end(),
                      std::back_inserter(rest));
  std::vector<std::string> shown;
  shown.reserve(rest.size());
  for (const ColumnLink& link : rest) shown.push_back(Show(link));
  return shown;
}

double Share(std::int64_t part, std::size_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

void AgainstReport::Bind(json::Fields& f) {
  f("expected", expected, "links of the file");
  f("found", found, "links that were inferred");
  f("right", right, "links in both");
  f("precision", precision, "right of found");
  f("recall", recall, "right of expected");
  f("false_joins", false_joins, "inferred and not in the file; many may be true all the same");
  f("missed", missed, "in the file and not inferred");
}

Result<std::vector<ColumnLink>> ReadLinks(std::string_view text) {
  std::vector<ColumnLink> links;
  std::size_t number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    at = end + 1;
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    if (links.size() >= kLinksMax)
      return Error(ErrorKind::ByteCap, fmt::format("the file has more than {} links", kLinksMax));
    WARD_TRY(ColumnLink link, ReadLink(line, number));
    links.push_back(std::move(link));
  }
  return links;
}

AgainstReport Compare(std::vector<ColumnLink> inferred, std::vector<ColumnLink> expected) {
  Normalize(inferred);
  Normalize(expected);
  AgainstReport report;
  report.expected = static_cast<std::int64_t>(expected.size());
  report.found = static_cast<std::int64_t>(inferred.size());
  report.false_joins = Without(inferred, expected);
  report.missed = Without(expected, inferred);
  report.right = report.found - static_cast<std::int64_t>(report.false_joins.size());
  report.precision = Share(report.right, inferred.size());
  report.recall = Share(report.right, expected.size());
  return report;
}

std::string ToText(const AgainstReport& report) {
  std::string text =
      fmt::format("precision {:.3f}  recall {:.3f}  ({} inferred, {} expected, {} in both)\n",
                  report.precision, report.recall, report.found, report.expected, report.right);
  for (const std::string& join : report.false_joins) text += "false   " + join + '\n';
  for (const std::string& join : report.missed) text += "missed  " + join + '\n';
  return text;
}

}  // namespace schemaward::suggest
