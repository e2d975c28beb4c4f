#include "app/refresh_message.h"

#include <utility>

#include <nlohmann/json.hpp>

#include "json/access.h"
#include "json/value.h"

namespace schemaward::app {
namespace {

using json::Member;
using json::TextOf;

constexpr std::string_view kCheck = "check", kBuild = "build";

std::string Line(const json::Value& value) { return json::Canonical(value) + '\n'; }

Error NotALine() { return {ErrorKind::InvalidArgument, "not a line of a refresher's work"}; }

json::Value OfError(const Error& error) {
  json::Value value = {{"reason", error.row().reason},
                       {"message", error.message()},
                       {"detail", error.detail()},
                       {"hint", error.hint()},
                       {"private", error.private_detail()}};
  if (error.retry_after_ms()) value["retry_after_ms"] = *error.retry_after_ms();
  return value;
}

std::optional<Error> ErrorOf(const json::Value& value) {
  const std::string reason = TextOf(value, "reason");
  for (const ErrorRow& row : AllErrorRows()) {
    if (row.reason != reason) continue;
    Error error(row.id, TextOf(value, "message"));
    error.Detail(TextOf(value, "detail"))
        .Hint(TextOf(value, "hint"))
        .Private(TextOf(value, "private"));
    if (const auto wait = json::IntegerOf(Member(value, "retry_after_ms"))) error.RetryAfter(*wait);
    return error;
  }
  return std::nullopt;
}

Result<json::Document> ReadLine(std::string_view line) {
  WARD_TRY(json::Document read, json::Parse(line, {.bytes_max = kRefreshLineMax}));
  if (!read.value().is_object()) return NotALine();
  return read;
}

}  // namespace

std::string ToLine(const RefreshOrder& order) {
  return Line({{"job", order.job == index::Job::Check ? kCheck : kBuild},
               {"source", order.source},
               {"secret", order.secret},
               {"policy_hash", order.policy_hash},
               {"time_max_ms", order.time_max_ms},
               {"settings", order.settings}});
}

std::string ToLine(const RefreshReport& report) {
  if (report.declined) return Line({{"declined", true}});
  if (report.progress)
    return Line({{"progress",
                  {{"done", report.progress->done},
                   {"total", report.progress->total},
                   {"message", report.progress->message}}}});
  if (!*report.outcome) return Line({{"error", OfError(report.outcome->error())}});
  return Line({{"indexed", **report.outcome}});
}

Result<RefreshOrder> ReadRefreshOrder(std::string_view line) {
  WARD_TRY(const json::Document read, ReadLine(line));
  const json::Value& value = read.value();
  const std::string job = TextOf(value, "job");
  const auto time_max_ms = json::IntegerOf(Member(value, "time_max_ms"));
  if ((job != kCheck && job != kBuild) || !time_max_ms) return NotALine();
  RefreshOrder order{job == kCheck ? index::Job::Check : index::Job::Build,
                     TextOf(value, "source"),
                     TextOf(value, "secret"),
                     TextOf(value, "policy_hash"),
                     *time_max_ms,
                     {}};
  const json::Value& settings = Member(value, "settings");
  for (const auto& [key, text] : settings.items()) order.settings[key] = TextOf(text);
  return order;
}

Result<RefreshReport> ReadRefreshReport(std::string_view line) {
  WARD_TRY(const json::Document read, ReadLine(line));
  const json::Value& value = read.value();
  RefreshReport report;
  if (const json::Value& progress = Member(value, "progress"); progress.is_object()) {
    report.progress = {json::IntegerOf(Member(progress, "done")).value_or(0),
                       json::IntegerOf(Member(progress, "total")).value_or(0),
                       TextOf(progress, "message")};
  } else if (const json::Value& error = Member(value, "error"); error.is_object()) {
    const auto told = ErrorOf(error);
    if (!told) return NotALine();
    report.outcome = Result<bool>(*told);
  } else if (const json::Value& indexed = Member(value, "indexed"); indexed.is_boolean()) {
    report.outcome = json::IsTrue(indexed);
  } else if (json::IsTrue(Member(value, "declined"))) {
    report.declined = true;
  } else {
    return NotALine();
  }
  return report;
}

}  // namespace schemaward::app
