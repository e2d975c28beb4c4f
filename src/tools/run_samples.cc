#include "tools/run_samples.h"

#include <algorithm>
#include <tuple>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "base/cut.h"
#include "sql/render.h"
#include "sql/samples.h"
#include "store/samples.h"
#include "tools/names.h"

namespace schemaward::tools {
namespace {

constexpr int kFailuresMax = 3;  // in a row; then the source is away or lets nothing through

/// A value as text.
struct CellText {
  std::optional<std::string> operator()(std::monostate /*null*/) const { return std::nullopt; }
  std::optional<std::string> operator()(bool value) const { return value ? "true" : "false"; }
  std::optional<std::string> operator()(std::int64_t value) const { return std::to_string(value); }
  std::optional<std::string> operator()(double value) const { return fmt::format("{}", value); }
  std::optional<std::string> operator()(const std::string& value) const {
    return CutText(value, explore::kCellBytesMax);
  }
  std::optional<std::string> operator()(const explore::Decimal& value) const { return value.text; }
};

std::vector<std::string> ReadableColumns(const privacy::Policy& policy,
                                         const catalog::Table& table) {
  std::vector<std::string> columns;
  for (const catalog::Column& column : table.columns)
    if (columns.size() < explore::kColumnsShownMax && policy.MayReadValues(table, column))
      columns.push_back(column.name);
  return columns;
}

// Columns that the policy masked after all show nothing.
TableSample SampleOf(const explore::QueryResult& result) {
  TableSample sample;
  std::vector<std::size_t> shown;
  for (std::size_t c = 0; c < result.columns.size(); ++c)
    if (!result.columns[c].hides_values) shown.push_back(c);
  for (const std::size_t c : shown) sample.columns.push_back(result.columns[c].name);
  for (const auto& row : result.rows) {
    if (sample.rows.size() == static_cast<std::size_t>(explore::kSampleRowsMax)) break;
    auto& cells = sample.rows.emplace_back();
    for (const std::size_t c : shown)
      cells.push_back(c < row.size() ? std::visit(CellText{}, row[c]) : std::nullopt);
  }
  if (shown.empty()) sample.none = "its values are withheld";
  if (sample.rows.empty()) sample.none = "it gave none";
  return sample;
}

/// The tables to be read, the largest first.
class Sampling {
 public:
  Sampling(const Services& services, const store::Source& source, const RunStatement& run,
           CallContext& ctx)
      : services_(services),
        source_(source),
        policy_(services.PolicyFor(source)),
        run_(run),
        ctx_(ctx) {}

  Status List() {
    std::vector<store::TableEntry> entries;
    WARD_CHECK(services_.store.VisitTables(std::span(&source_.id, 1), [&](const auto& entry) {
      if (services_.MaySee(entry.schema, entry.name)) entries.push_back(entry);
      return true;
    }));
    for (const store::TableEntry& entry : entries) {
      WARD_CHECK(ctx_.Check());
      WARD_TRY(const auto kept, store::ReadSamples(services_.store, entry.id));
      if (!kept.empty() &&
          !AreRowsOfCaller(services_, source_, entry.schema, entry.name, ctx_.principal))
        continue;
      WARD_TRY(const auto table, services_.store.GetTable(entry.id));
      if (!table) continue;  // an index has removed it meanwhile
      wanted_.push_back(
          {table->row_estimate.value_or(0), catalog::QualifiedName(*table), entry.id});
    }
    std::sort(wanted_.begin(), wanted_.end(), [](const Wanted& a, const Wanted& b) {
      return std::tie(b.rows, a.name) < std::tie(a.rows, b.name);
    });
    return Ok();
  }

  Result<RunSamples> Read(const explore::SampleLimits& limits) {
    const auto begun = ctx_.clock.Now();
    std::int64_t asked = 0;
    for (const Wanted& wanted : wanted_) {
      const bool is_over = asked >= limits.tables_max || failures_ >= kFailuresMax ||
                           ctx_.clock.Now() - begun >= limits.time_max;
      if (is_over) {
        samples_[wanted.name].none = "it was not read before the run";
        continue;
      }
      WARD_TRY(const auto table, services_.store.GetTable(wanted.id));
      if (!table) continue;
      const auto columns = ReadableColumns(policy_, *table);
      if (columns.empty()) {
        samples_[wanted.name].none = "its values are withheld";
        continue;
      }
      ++asked;
      WARD_CHECK(Ask(wanted.name, *table, columns));
    }
    return std::move(samples_);
  }

 private:
  struct Wanted {
    std::int64_t rows = 0;
    std::string name;
    std::int64_t id = 0;
  };

  Status Ask(const std::string& name, const catalog::Table& table,
             const std::vector<std::string>& columns) {
    const auto select =
        sql::SampleSelect(table.schema, table.name, columns, explore::kSampleRowsMax);
    WARD_TRY(const sql::Rendered rendered, sql::Render(select, DialectOf(source_)));
    const auto result = run_(rendered.text);
    WARD_CHECK(ctx_.Check());
    if (!result && result.error().kind() == ErrorKind::Cancelled) return result.error();
    failures_ = result ? 0 : failures_ + 1;
    samples_[name] = result ? SampleOf(*result) : TableSample{{}, {}, "it could not be read"};
    return Ok();
  }

  const Services& services_;
  const store::Source& source_;
  const privacy::Policy policy_;
  const RunStatement& run_;
  CallContext& ctx_;
  std::vector<Wanted> wanted_;
  RunSamples samples_;
  int failures_ = 0;
};

}  // namespace

bool AreRowsOfCaller(const Services& services, const store::Source& source, std::string_view schema,
                     std::string_view table, const Principal& caller) {
  const privacy::Policy policy = services.PolicyFor(source);
  const privacy::CallerPolicy theirs = policy.For(caller);
  return !theirs.RowFiltersOf(schema, table).empty() || theirs.session() != nullptr;
}

Result<RunSamples> ReadRunSamples(const Services& services, const store::Source& source,
                                  const RunStatement& run, const explore::SampleLimits& limits,
                                  CallContext& ctx) {
  if (IsDescription(source)) return RunSamples();
  Sampling sampling(services, source, run, ctx);
  WARD_CHECK(sampling.List());
  return sampling.Read(limits);
}

}  // namespace schemaward::tools
