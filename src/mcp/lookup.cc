#include "mcp/lookup.h"

#include <algorithm>
#include <set>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/ascii.h"
#include "base/embedded_text.h"
#include "mcp/error_pages.h"
#include "mcp/later.h"

namespace schemaward::mcp {
namespace {

constexpr std::string_view kPageEnd = ".md";
constexpr std::size_t kPagesMax = 20;  // of list_indexed_schemas, whose rows name the sources
constexpr std::int64_t kRowsMax = 200;
constexpr int kInvalidParams = static_cast<int>(rpc::Code::InvalidParams);

// The list that names those of `kind`, or null.
const char* ListOf(Named kind) {
  switch (kind) {
    case Named::Table:
      return "list_table_names";
    case Named::Entity:
      return "list_entity_names";
    case Named::Metric:
      return "list_metric_names";
    default:
      return nullptr;
  }
}

// The tool that tells of one of `kind`.
const char* ToolOf(Named kind) {
  switch (kind) {
    case Named::Source:
      return "list_indexed_schemas";
    case Named::Table:
      return "describe_table";
    case Named::Entity:
      return "describe_entity";
    case Named::Metric:
      return "list_metrics";
    default:
      return nullptr;
  }
}

// Keeps those that begin as wanted.
Names Cut(const std::vector<std::string>& sorted, const Wanted& wanted) {
  Names names;
  const std::string prefix = LowerAscii(wanted.prefix);
  for (const std::string& name : sorted) {
    if (LowerAscii(std::string_view(name).substr(0, prefix.size())) != prefix) continue;
    ++names.total;
    if (names.names.size() < wanted.limit) names.names.push_back({{}, name, name});
  }
  return names;
}

// Returns the data of an answer, null where it has none.
json::Value DataOf(const tool::Answer& answer) {
  auto parsed = json::Parse(answer.structured);
  if (!parsed || !parsed->value().is_object()) return nullptr;
  const auto data = parsed->value().find("data");
  return data == parsed->value().end() ? json::Value() : std::move(*data);
}

// Returns the member `name` of `object` where it is an array, else an empty one.
json::Value ListIn(const json::Value& object, const char* name) {
  if (!object.is_object()) return json::Value::array();
  const auto found = object.find(name);
  return found != object.end() && found->is_array() ? *found : json::Value::array();
}

std::variant<Names, rpc::Failure> FromList(const Parts& parts, Named kind, const Wanted& wanted,
                                           CallContext& ctx) {
  json::Value args = {{"prefix", wanted.prefix}, {"limit", wanted.limit}};
  if (!wanted.source.empty()) args["source"] = wanted.source;
  if (!wanted.cursor.empty()) args["cursor"] = wanted.cursor;
  const tool::Answer answer = parts.options().names->Invoke(ListOf(kind), args, ctx);
  if (answer.is_error) return FailureOfAnswer(answer, kInvalidParams, {});
  const json::Value data = DataOf(answer);
  Names names;
  for (const json::Value& row : ListIn(data, "names"))
    names.names.push_back(
        {TextIn(row, "source"), TextIn(row, "name"), TextIn(row, "qualified_name")});
  names.next_cursor = TextIn(data, "next_cursor");
  const auto total = data.is_object() ? data.find("total") : data.end();
  if (data.is_object() && total != data.end() && total->is_number_integer())
    names.total = total->get<std::int64_t>();
  return names;
}

std::variant<Names, rpc::Failure> Sources(const Parts& parts, const Wanted& wanted,
                                          CallContext& ctx) {
  std::set<std::string> sources;
  json::Value args = {{"limit", kRowsMax}};
  for (std::size_t page = 0; page < kPagesMax; ++page) {
    const tool::Answer answer = parts.invoker.Invoke(ToolOf(Named::Source), args, ctx);
    if (answer.is_error) return FailureOfAnswer(answer, kInvalidParams, {});
    const json::Value data = DataOf(answer);
    for (const json::Value& row : ListIn(data, "schemas")) sources.insert(TextIn(row, "source"));
    const std::string next = TextIn(data, "next_cursor");
    if (next.empty()) break;
    args["cursor"] = next;
  }
  return Cut({sources.begin(), sources.end()}, wanted);
}

}  // namespace

bool IsServed(const Parts& parts, Named kind) {
  if (kind == Named::Text) return false;
  if (kind == Named::ErrorKind) return true;
  const bool has_list =
      ListOf(kind) == nullptr || (parts.options().names != nullptr &&
                                  parts.options().names->registry().Find(ListOf(kind)) != nullptr);
  return has_list && parts.invoker.registry().Find(ToolOf(kind)) != nullptr;
}

std::variant<Names, rpc::Failure> LookUpNames(const Parts& parts, Named kind, const Wanted& wanted,
                                              CallContext& ctx) {
  if (!IsServed(parts, kind)) return Names();
  if (ListOf(kind) != nullptr) return FromList(parts, kind, wanted, ctx);
  if (kind == Named::Source) return Sources(parts, wanted, ctx);
  const auto kinds = ErrorKinds();
  return Cut({kinds.begin(), kinds.end()}, wanted);
}

rpc::Failure FailureOfAnswer(const tool::Answer& answer, int not_found, std::string data_json) {
  rpc::Failure failure(rpc::Code::InternalError, "the call failed", std::move(data_json));
  const auto parsed = json::Parse(answer.structured);
  const bool has_error = parsed && parsed->value().is_object() &&
                         parsed->value().contains("error") && parsed->value()["error"].is_object();
  if (!has_error) {  // arguments that cannot be read have no envelope [R-ARG-2]
    failure.code = kInvalidParams;
    failure.message = answer.text.substr(0, answer.text.find('\n'));
    return failure;
  }
  const json::Value& error = parsed->value()["error"];
  failure.message = TextIn(error, "message");
  const std::string kind = TextIn(error, "kind");
  constexpr std::array<std::string_view, 4> kOurs = {"internal_error", "index_not_ready",
                                                     "missing_credential", "cost_cap_exceeded"};
  constexpr std::array<std::string_view, 3> kRefusals = {"policy_blocked", "pii_blocked",
                                                         "allowlist_violation"};
  const auto is_in = [&](const auto& list) {
    return std::find(list.begin(), list.end(), kind) != list.end();
  };
  if (is_in(kRefusals)) failure.code = kInvalidParams;
  if (!is_in(kRefusals) && !is_in(kOurs)) failure.code = not_found;
  return failure;
}

std::vector<std::string_view> ErrorKinds() {
  std::vector<std::string_view> kinds;
  for (const EmbeddedText& page : ErrorPages()) {
    const std::string_view kind = page.name.substr(0, page.name.size() - kPageEnd.size());
    const auto& rows = AllErrorRows();
    if (std::any_of(rows.begin(), rows.end(),
                    [&](const ErrorRow& row) { return row.kind == kind; }))
      kinds.push_back(kind);
  }
  return kinds;
}

}  // namespace schemaward::mcp
